//! *Deal*: a condition, its probability, sample deals, and a set of boards to download or print.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::check::fragment;
use super::fields::{address, count, seed, shortened};
use super::form_errors::FormErrors;
use super::job::to_begun_job;
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
use crate::serve::board_files::{
    FormatChoice, also_written, chosen_formats, most_boards, packed, temporary_paths,
};
use crate::serve::conditions::{self, with_plain_lines};
use crate::serve::examples::EXAMPLES;
use crate::serve::jobs::{Job, JobKind, JobOrder, JobResult};
use crate::serve::origin::Visit;
use crate::serve::watcher::JobWatcher;
use crate::tasks::boards::{BoardFiles, BoardLabels, BoardNumber, BoardRequest, DealtBoard, Set};
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
    also: Vec<FormatChoice>,
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
        Self {
            layout: Layout::new("deal"),
            also: also_written(&form.also),
            form,
            errors,
            is_foreign: false,
            examples: EXAMPLES,
            rotations: Rotation::ALL.map(|(name, words, _)| (name, words)).into(),
            most_boards: thousands(app.limits.boards),
            most_sheet_boards: thousands(app.limits.sheet_boards),
            checked,
        }
    }
}

/// The form of a set.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<(String, String)>")]
pub(super) struct DealForm {
    condition: String,
    boards: String,
    format: String,
    /// Other formats of the same boards.
    also: Vec<String>,
    seed: String,
    rotate: String,
    first: String,
    no_repeats: String,
}

impl From<Vec<(String, String)>> for DealForm {
    fn from(fields: Vec<(String, String)>) -> Self {
        let mut form = Self::default();
        for (name, value) in fields {
            match &*name {
                "condition" => form.condition = with_plain_lines(&value),
                "boards" => form.boards = value,
                "format" => form.format = value,
                "also" => form.also.push(value),
                "seed" => form.seed = value,
                "rotate" => form.rotate = value,
                "first" => form.first = value,
                "no_repeats" => form.no_repeats = value,
                _ => {}
            }
        }
        form
    }
}

/// A set to be dealt.
struct SetJob {
    script: Box<Script>,
    request: BoardRequest,
    formats: Vec<Format>,
}

impl SetJob {
    fn of(form: &DealForm, app: &App) -> Result<Self, FormErrors> {
        let mut errors = FormErrors::default();
        let script = errors.value("condition", conditions::script(&form.condition));
        let formats = errors.value("format", chosen_formats(&form.format, &form.also));
        let rotation = errors.value("rotate", rotation_of(&form.rotate)).flatten();
        let seed = errors.value("seed", seed(&form.seed)).flatten();
        let formats = formats.unwrap_or_default();
        let most = most_boards(app, &formats);
        let boards = errors.value("boards", count(&form.boards, most)).flatten();
        let first = errors
            .value("first", first_of(&form.first, &formats))
            .flatten();
        let (Some((_, script)), true) = (script, errors.is_empty()) else {
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
            formats,
        })
    }
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

/// The number of the first board, which the formats have to hold.
fn first_of(text: &str, formats: &[Format]) -> Result<Option<BoardNumber>, String> {
    let first = count(text, u32::MAX.into())?;
    let lacking = formats.iter().find(|format| !format.carries().number);
    match lacking {
        Some(format) if first.is_some_and(|first| first > BoardNumber::LEAST) => {
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
        Ok(job) => to_begun_job(&app, &job).await,
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
        let also = self.also.iter().map(|name| ("also", &**name));
        let values = [
            ("condition", &*self.condition),
            ("boards", &self.boards),
            ("format", &self.format),
            ("seed", &self.seed),
            ("rotate", &self.rotate),
            ("first", &self.first),
            ("no_repeats", &self.no_repeats),
        ];
        let values: Vec<_> = values.into_iter().chain(also).collect();
        address("/deal", &values)
    }
}

fn perform(app: &App, job: &Arc<Job>, set: SetJob) -> Result<JobResult, Error> {
    let (watcher, formats) = (JobWatcher(Arc::clone(job)), set.formats);
    let paths = temporary_paths(app, job, &formats)?;
    let input = ConditionInput::Script(set.script);
    let set = Set::new(set.request, input, &app.listings, &watcher)?;
    let mut boards = set.boards(&watcher)?;
    let mut files = BoardFiles::default();
    for (format, path) in formats.iter().zip(&paths) {
        files.add(path, false, |out| {
            Ok(Writer::new(out, *format, set.wanted(), PROGRAM)?)
        })?;
    }
    let stage = watcher.stage(Stage::Boards, Some(set.wanted()));
    let mut first = Vec::new();
    while let Some(event) = boards.next().transpose()? {
        if let SearchEvent::Next(DealtBoard {
            board,
            comment,
            label,
            ..
        }) = event
        {
            files.write_with(&board, &comment, &label)?;
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
    files.finish()?;
    let found = boards.found();
    let page = DealResult {
        boards: with_noun(found, "board"),
        seed: &set.words().seed,
        ended: boards.end().map_or("", |end| &end.message),
        samples: diagrams(&first),
    };
    // Without the seed: with it, anyone could deal the boards that are still to be played.
    let name = format!("{found}-boards");
    Ok(JobResult {
        html: rendered(&page),
        download: Some(packed(app, &name, &formats, &paths)?),
        ..JobResult::default()
    })
}
