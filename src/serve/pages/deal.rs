//! *Deal*: a condition, its probability, sample deals, and a set of boards to download or print.

use std::io::{BufWriter, Write};
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use super::check::fragment;
use super::fields::{address, count, lines, seed, shortened};
use super::form_errors::FormErrors;
use super::layout::Layout;
use crate::bridge::Deal;
use crate::draw::{Rotation, TurnSize};
use crate::error::Error;
use crate::formats::{Board, Format, Writer};
use crate::language::Script;
use crate::observer::{Observer as _, Stage};
use crate::printable::{thousands, with_noun};
use crate::report::PROGRAM;
use crate::report::page::{Diagram, diagrams, rendered};
use crate::run::DealCount;
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::{EXAMPLES, Example};
use crate::serve::jobs::{Download, Job, JobKind, JobOrder, JobResult};
use crate::serve::origin::Visit;
use crate::serve::sets::RequestedSet;
use crate::serve::watcher::JobWatcher;
use crate::tasks::RandomRequest;
use crate::tasks::boards::{BoardLabels, BoardNumber, BoardRequest, BoardSink};

/// Boards of a set that the page shows.
const SHOWN: usize = 4;

/// Default number of boards.
const BOARDS: u64 = 36;

/// Ways to move hands to other seats, with their names.
const ROTATIONS: [(&str, &str, Rotation); 4] = [
    (
        "board",
        "one seat further with each board",
        rotation(TurnSize::Seat, false),
    ),
    (
        "random",
        "to any seat, at random",
        rotation(TurnSize::Seat, true),
    ),
    (
        "partner-board",
        "to the partner's seat on every second board",
        rotation(TurnSize::Partner, false),
    ),
    (
        "partner-random",
        "to the partner's seat or not, at random",
        rotation(TurnSize::Partner, true),
    ),
];

const fn rotation(seats: TurnSize, is_random: bool) -> Rotation {
    Rotation { seats, is_random }
}

#[derive(Template)]
#[template(path = "deal.html", config = "src/serve/askama.toml")]
struct DealPage {
    layout: Layout,
    form: DealForm,
    errors: FormErrors,
    /// Whether another page has filled in the form.
    is_foreign: bool,
    examples: &'static [Example],
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
    page.answer()
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
            rotations: ROTATIONS.map(|(name, words, _)| (name, words)).into(),
            most_boards: thousands(app.limits().boards),
            most_sheet_boards: thousands(app.limits().sheet_boards),
            checked,
        }
    }

    fn answer(&self) -> Response {
        self.errors.answer(self)
    }
}

/// The form of a set.
#[derive(Debug, Deserialize)]
pub(super) struct DealForm {
    #[serde(default, deserialize_with = "lines")]
    condition: String,
    #[serde(default)]
    boards: String,
    #[serde(default)]
    format: String,
    #[serde(default)]
    seed: String,
    #[serde(default)]
    rotate: String,
    #[serde(default)]
    first: String,
    #[serde(default)]
    no_repeats: String,
}

/// A set to be dealt.
struct SetJob {
    script: Box<Script>,
    request: BoardRequest,
    random: RandomRequest,
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
            Some(Format::Html) => app.limits().sheet_boards,
            Some(format) => app.limits().boards.min(format.most_boards()),
            None => app.limits().boards,
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
            ..BoardRequest::default()
        };
        let random = RandomRequest { seed, source: None };
        Ok(Self {
            random: random.of_script(&script),
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
    let known = ROTATIONS.iter().find(|(known, ..)| *known == name);
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
            Redirect::to(&format!("/jobs/{}", job.id)).into_response()
        }
        Err(errors) => DealPage::new(&app, form, errors, String::new()).answer(),
    }
}

fn begin(app: &App, visit: Visit, form: &DealForm) -> Result<Arc<Job>, FormErrors> {
    let set = SetJob::of(form, app)?;
    let of_work = app.clone();
    let work = move |job: &Arc<Job>| perform(&of_work, job, set);
    let order = JobOrder {
        kind: JobKind::Deal,
        subject: shortened(&form.condition),
        form: form.address(),
        resumes: None,
        visitor: visit.visitor,
    };
    Ok(app.submit(order, Box::new(work))?)
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

/// Writes the boards of a set into a file.
struct FileSink<'w, W> {
    file: Writer<W>,
    watcher: &'w JobWatcher,
    stage: Box<dyn Stage>,
    found: u64,
    first: Vec<(String, Deal)>,
}

impl<W: Write> FileSink<'_, W> {
    fn check_stop(&self) -> Result<(), Error> {
        match self.watcher.is_stop_asked() {
            true => Err(Error::usage(format!(
                "stopped after {}: stopped by you, or the time of a set was over",
                with_noun(self.found, "board")
            ))),
            false => Ok(()),
        }
    }
}

impl<W: Write> BoardSink for FileSink<'_, W> {
    fn board(&mut self, board: &Board, comment: &str) -> Result<(), Error> {
        self.file.write_with(board, comment)?;
        self.found += 1;
        self.stage.advance(1);
        if self.first.len() < SHOWN {
            self.first
                .push((format!("Board {}", board.number), board.deal));
        }
        self.check_stop()
    }

    fn misses(&mut self, _: u64) -> Result<(), Error> {
        self.check_stop()
    }
}

fn perform(app: &App, job: &Arc<Job>, set: SetJob) -> Result<JobResult, Error> {
    let watcher = JobWatcher(Arc::clone(job));
    let (words, format) = (set.random.words()?, set.format);
    let wanted = set.request.wanted(&set.script);
    let file = app.uploads().file().map_err(Error::io)?;
    let out = BufWriter::new(file.reopen().map_err(Error::io)?);
    let writer = Writer::new(out, format, wanted, PROGRAM)?;
    let mut sink = FileSink {
        file: writer,
        watcher: &watcher,
        stage: watcher.stage("boards", Some(wanted)),
        found: 0,
        first: Vec::new(),
    };
    let dealt = RequestedSet {
        request: &set.request,
        words: &words,
        listings: app.listings(),
        may_solve: true,
    };
    let ended = dealt.deal(set.script, &watcher, &mut sink)?;
    let FileSink {
        file: writer,
        found,
        first,
        ..
    } = sink;
    writer.finish()?;
    let mut space = app.uploads().space();
    let size = file.as_file().metadata().map_err(Error::io)?.len();
    if !app.uploads().grow(&mut space, size) {
        return Err(Error::io(
            "too many files are kept: try again when some are removed",
        ));
    }
    // Without the seed: with it, anyone could deal the boards that are still to be played.
    let name = format!("{found}-boards.{}", extension(format));
    let page = DealResult {
        boards: with_noun(found, "board"),
        seed: &words.seed,
        ended: ended.as_ref().map_or("", |(_, message)| message),
        samples: diagrams(&first),
    };
    Ok(JobResult {
        html: rendered(&page),
        download: Some(Download {
            path: file.into_temp_path(),
            name,
            media_type: match format {
                Format::Html => "text/html; charset=utf-8",
                Format::Json => "application/json",
                Format::Csv => "text/csv; charset=utf-8",
                _ => "application/octet-stream",
            },
            is_page: format == Format::Html,
            _space: space,
        }),
        ..JobResult::default()
    })
}

/// The ending of a file's name.
fn extension(format: Format) -> &'static str {
    match format {
        Format::Pbn => "pbn",
        Format::Lin => "lin",
        Format::Dup => "dup",
        Format::Rbn => "rbn",
        Format::Html => "html",
        Format::Json => "json",
        Format::Csv => "csv",
        _ => "txt",
    }
}
