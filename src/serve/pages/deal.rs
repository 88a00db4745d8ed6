//! *Deal*: a condition, its probability, sample deals, and a set of boards to download or print.

use std::io::BufWriter;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::check::fragment;
use super::fields::{address, count, lines, seed, shortened};
use super::form_errors::FormErrors;
use super::job::to_job;
use super::layout::Layout;
use crate::draw::Rotation;
use crate::error::Error;
use crate::formats::{Format, Writer};
use crate::language::Script;
use crate::observer::{Observer as _, Stage};
use crate::printable::{thousands, with_noun};
use crate::report::PROGRAM;
use crate::report::page::{Diagram, diagrams, rendered};
use crate::run::{DealCount, SearchEvent};
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::EXAMPLES;
use crate::serve::jobs::{Download, Job, JobKind, JobOrder, JobResult};
use crate::serve::origin::Visit;
use crate::serve::watcher::JobWatcher;
use crate::tasks::boards::{BoardLabels, BoardNumber, BoardRequest, DealtBoard, Set};
use crate::tasks::{ConditionInput, RandomRequest};

/// Boards of a set that the page shows.
const SHOWN: usize = 4;

/// Default number of boards.
const BOARDS: u64 = 36;

#[derive(Template)]
#[template(path = "deal.html", config = "src/serve/askama.toml")]
struct DealPage {
    layout: Layout,
    form: DealForm,
    errors: FormErrors,
    /// Whether another page has filled in the form.
    is_foreign: bool,
    examples: &'static [(&'static str, &'static str)],
    formats: Vec<(&'static str, &'static str)>,
    rotations: Vec<(&'static str, &'static str)>,
    most_boards: String,
    most_sheet_boards: String,
    /// What is known of the condition, as HTML.
    checked: String,
}

#[derive(Template)]
#[template(path = "deal_result.html", config = "src/serve/askama.toml")]
struct DealResult<'r> {
    boards: String,
    seed: &'r str,
    /// Why there are fewer boards than asked for; empty if there are not.
    ended: &'r str,
    samples: Vec<Diagram>,
}

/// The formats that a set can have: all that store no tricks.
fn formats() -> impl Iterator<Item = Format> {
    Format::written().filter(|format| *format != Format::Zrd)
}

pub(super) async fn show(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Query(form): Query<DealForm>,
) -> Response {
    let mut errors = FormErrors::default();
    let seed = errors.value("seed", seed(&form.seed)).flatten();
    let is_asked = !form.condition.trim().is_empty();
    let script = (is_asked && visit.is_of_user()).then(|| conditions::script(&form.condition));
    let script = script.and_then(|script| errors.value("condition", script));
    let checked = match script {
        None => Ok(String::new()),
        Some(_) => fragment(&app, form.condition.clone(), seed, true).await,
    };
    let checked = checked.unwrap_or_else(|refusal| {
        errors = refusal.into();
        String::new()
    });
    let mut page = DealPage::new(&app, form, errors, checked);
    page.is_foreign = is_asked && !visit.is_of_user();
    page.errors.answer(&page)
}

impl DealPage {
    fn new(app: &App, mut form: DealForm, errors: FormErrors, checked: String) -> Self {
        if form.boards.is_empty() && errors.is_empty() {
            form.boards = BOARDS.to_string();
        }
        if form.format.is_empty() {
            form.format = Format::Pbn.name().to_owned();
        }
        let formats = formats().map(|format| (format.name(), format.description()));
        Self {
            layout: Layout::new("deal"),
            form,
            errors,
            is_foreign: false,
            examples: EXAMPLES,
            formats: formats.collect(),
            rotations: Rotation::ALL.map(|(name, words, _)| (name, words)).into(),
            most_boards: thousands(app.limits.boards),
            most_sheet_boards: thousands(app.limits.sheet_boards),
            checked,
        }
    }
}

/// The form of a set.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DealForm {
    #[serde(deserialize_with = "lines")]
    condition: String,
    boards: String,
    format: String,
    seed: String,
    rotate: String,
    first: String,
    no_repeats: String,
}

/// A set to be dealt.
struct SetJob {
    script: Box<Script>,
    request: BoardRequest,
    format: Format,
}

impl SetJob {
    fn of(form: &DealForm, app: &App) -> Result<Self, FormErrors> {
        let mut errors = FormErrors::default();
        let script = errors.value("condition", conditions::script(&form.condition));
        let format = errors.value("format", format_of(&form.format));
        let rotation = errors.value("rotate", rotation_of(&form.rotate)).flatten();
        let seed = errors.value("seed", seed(&form.seed)).flatten();
        let most = match format {
            Some(Format::Html) => app.limits.sheet_boards,
            Some(format) => app.limits.boards.min(format.most_boards()),
            None => app.limits.boards,
        };
        let boards = errors.value("boards", count(&form.boards, most)).flatten();
        let first = errors
            .value("first", first_of(&form.first, format))
            .flatten();
        let (Some((_, script)), Some(format), true) = (script, format, errors.is_empty()) else {
            return Err(errors);
        };
        let boards = boards.map(DealCount::get);
        let boards = boards.or(script.produce).unwrap_or(BOARDS);
        if boards > most {
            let boards = thousands(boards);
            let what = format!(
                "the script asks for {boards} boards: at most {}",
                thousands(most)
            );
            errors.add("boards", what);
            return Err(errors);
        }
        let request = BoardRequest {
            boards: DealCount::new(boards).ok(),
            rotation,
            no_repeats: !form.no_repeats.is_empty(),
            labels: BoardLabels {
                first,
                ..BoardLabels::default()
            },
            random: RandomRequest { seed, source: None },
            ..BoardRequest::default()
        };
        Ok(Self {
            script,
            request,
            format,
        })
    }
}

/// The format of this name; PBN without one.
fn format_of(name: &str) -> Result<Format, String> {
    let name = if name.is_empty() { "pbn" } else { name };
    let format = Format::named(name).filter(|format| formats().any(|of| of == *format));
    format.ok_or_else(|| format!("no format `{name}`: choose one of the list"))
}

/// The way to move hands that has this name; `None` without one.
fn rotation_of(name: &str) -> Result<Option<Rotation>, &'static str> {
    let known = Rotation::ALL.iter().find(|(known, ..)| *known == name);
    match (name, known) {
        ("", _) => Ok(None),
        (_, Some((.., rotation))) => Ok(Some(*rotation)),
        (_, None) => Err("no such way to move hands: choose one of the list"),
    }
}

/// The number of the first board, which the format has to hold.
fn first_of(text: &str, format: Option<Format>) -> Result<Option<BoardNumber>, String> {
    let first = count(text, u32::MAX.into())?;
    match format {
        Some(format)
            if first.is_some_and(|first| first > BoardNumber::LEAST)
                && !format.carries().number =>
        {
            let name = format.name();
            Err(format!(
                "the format {name} has no board numbers: leave this empty, or choose another format"
            ))
        }
        _ => Ok(first),
    }
}

pub(super) async fn start(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Form(form): Form<DealForm>,
) -> Response {
    match begin(&app, visit, &form) {
        Ok(job) => {
            app.wait_for(&job).await;
            to_job(&job)
        }
        Err(errors) => {
            let page = DealPage::new(&app, form, errors, String::new());
            page.errors.answer(&page)
        }
    }
}

fn begin(app: &App, visit: Visit, form: &DealForm) -> Result<Arc<Job>, FormErrors> {
    let set = SetJob::of(form, app)?;
    let (subject, form) = (shortened(&form.condition), form.address());
    let order = JobOrder::new(JobKind::Deal, subject, form, visit);
    Ok(app.submit(order, move |app, job| perform(app, job, set))?)
}

impl DealForm {
    /// The address of the page with this form.
    fn address(&self) -> String {
        let values = [
            ("condition", &*self.condition),
            ("boards", &self.boards),
            ("format", &self.format),
            ("seed", &self.seed),
            ("rotate", &self.rotate),
            ("first", &self.first),
            ("no_repeats", &self.no_repeats),
        ];
        address("/deal", &values)
    }
}

fn perform(app: &App, job: &Arc<Job>, set: SetJob) -> Result<JobResult, Error> {
    let (watcher, format) = (JobWatcher(Arc::clone(job)), set.format);
    let file = app.uploads.file().map_err(Error::io)?;
    let out = BufWriter::new(file.reopen().map_err(Error::io)?);
    let input = ConditionInput::Script(set.script);
    let set = Set::new(set.request, input, &app.listings, &watcher)?;
    let mut boards = set.boards(&watcher)?;
    let mut writer = Writer::new(out, format, set.wanted(), PROGRAM)?;
    let stage = watcher.stage(Stage::Boards, Some(set.wanted()));
    let mut first = Vec::new();
    while let Some(event) = boards.next().transpose()? {
        if let SearchEvent::Next(DealtBoard { board, comment, .. }) = event {
            writer.write_with(&board, &comment)?;
            stage.advance(1);
            if first.len() < SHOWN {
                first.push((format!("Board {}", board.number), board.deal));
            }
        }
        if watcher.is_stop_asked() {
            return Err(Error::usage(format!(
                "stopped after {}: stopped by you, or the time of a set was over",
                with_noun(boards.found(), "board")
            )));
        }
    }
    writer.finish()?;
    let found = boards.found();
    let mut space = app.uploads.space();
    let size = file.as_file().metadata().map_err(Error::io)?.len();
    if !app.uploads.grow(&mut space, size) {
        return Err(Error::io(
            "too many files are kept: try again when some are removed",
        ));
    }
    // Without the seed: with it, anyone could deal the boards that are still to be played.
    let name = format!("{found}-boards.{}", format.file_ending());
    let page = DealResult {
        boards: with_noun(found, "board"),
        seed: &set.words().seed,
        ended: boards.end().map_or("", |end| &end.message),
        samples: diagrams(&first),
    };
    Ok(JobResult {
        html: rendered(&page),
        download: Some(Download {
            path: file.into_temp_path(),
            name,
            media_type: format.media_type(),
            is_page: format == Format::Html,
            _space: space,
        }),
        ..JobResult::default()
    })
}
