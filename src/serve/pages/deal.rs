//! *Deal*: a condition or a lesson of several types, its probability, sample deals, and a set of boards
//! to download or print.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Query, State};
use axum::response::Response;
use serde::Deserialize;
use tempfile::TempPath;

use super::check::fragment;
use super::fields::{VULNERABLE, address, count, named, seed, shortened};
use super::form_errors::FormErrors;
use super::job::to_begun_job;
use super::layout::Layout;
use crate::bridge::Seat;
use crate::draw::{Rotation, Shares};
use crate::error::Error;
use crate::formats::{BoardRecord, Format, PageLayout, Paper, Writer};
use crate::language::{SCENARIOS, Script};
use crate::observer::{Observer as _, Stage};
use crate::printable::{thousands, with_noun};
use crate::report::PROGRAM;
use crate::report::page::{Diagram, diagrams, rendered};
use crate::run::{DealCount, SearchEvent};
use crate::serve::app::App;
use crate::serve::board_files::{packed_files, temporary_paths};
use crate::serve::conditions::{self, with_plain_lines};
use crate::serve::examples::{EXAMPLES, LESSONS};
use crate::serve::jobs::{Download, Job, JobKind, JobOrder, JobResult, header_name};
use crate::serve::language_help::LANGUAGE_HELP;
use crate::serve::origin::Visit;
use crate::serve::watcher::JobWatcher;
use crate::tasks::boards::{BoardFiles, BoardLabels, BoardNumber, BoardRequest, DealtBoard, Set};
use crate::tasks::{ConditionInput, RandomRequest};

/// Boards of a set that the page shows.
const SHOWN: usize = 4;

/// Maximum number of letters of a title in the names of files.
const MOST_OF_TITLE: usize = 60;

/// Default number of boards.
const BOARDS: u64 = 36;

/// The fields of the form that have one value.
const FIELDS: [&str; 16] = [
    "condition",
    "boards",
    "event",
    "seed",
    "per_page",
    "paper",
    "answers",
    "solve",
    "types",
    "rotate",
    "dealer",
    "vulnerable",
    "first",
    "names",
    "comments",
    "no_repeats",
];

/// Numbers of boards on a sheet.
const PER_PAGE: [(&str, &str); 7] = [
    ("1", "1"),
    ("2", "2"),
    ("4", "4"),
    ("6", "up to 6"),
    ("12", "up to 12"),
    ("15", "up to 15"),
    ("18", "up to 18"),
];

/// How the types of a mix are divided over the boards.
const TYPE_ORDERS: [(&str, &str); 3] = [
    ("exact", "exact shares, in random order"),
    ("interleave", "exact shares, each type early"),
    ("random", "by chance"),
];

/// The formats of a set, with their words.
const FORMATS: [(Format, &str); 8] = [
    (Format::Html, "Sheets to print (web page)"),
    (Format::Pbn, "PBN"),
    (Format::Lin, "LIN (Bridge Base)"),
    (Format::Dup, "DUP (dealing machine)"),
    (Format::Csv, "CSV"),
    (Format::Json, "JSON"),
    (Format::Rbn, "RBN"),
    (Format::Line, "Text"),
];

#[derive(Template)]
#[template(path = "deal.html", config = "src/serve/askama.toml")]
struct DealPage {
    layout: Layout,
    form: DealForm,
    errors: FormErrors,
    /// Whether another page has filled in the form.
    is_foreign: bool,
    most_boards: String,
    most_sheet_boards: String,
    /// What is known of the condition, as HTML.
    checked: String,
}

#[derive(Template)]
#[template(path = "deal_result.html", config = "src/serve/askama.toml")]
struct DealResult<'r> {
    /// The name of the job.
    id: &'r str,
    title: &'r str,
    /// The address of the form, filled in, with the seed of these boards.
    same: &'r str,
    /// Names of the files, their words, and whether it is the first.
    files: Vec<(String, &'static str, bool)>,
    boards: String,
    /// Numbers of boards of the types of a mix.
    types: Vec<(String, String)>,
    seed: &'r str,
    /// Why there are fewer boards than asked for; empty if there are not.
    ended: &'r str,
    /// Why a format is missing.
    left_out: Vec<String>,
    samples: Vec<Diagram>,
}

pub(super) async fn show(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Query(form): Query<DealForm>,
) -> Response {
    let mut errors = FormErrors::default();
    let seed = errors.value("seed", seed(form.value("seed"))).flatten();
    let condition = form.value("condition");
    let is_asked = !condition.trim().is_empty();
    let script = (is_asked && visit.is_of_user()).then(|| conditions::script(condition));
    let script = script.and_then(|script| errors.value("condition", script));
    let checked = match script {
        None => Ok(String::new()),
        Some(_) => fragment(&app, condition.to_owned(), seed, true).await,
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
        if errors.is_empty() {
            form.set_default("boards", &BOARDS.to_string());
        }
        form.set_default("per_page", &PageLayout::default().boards.to_string());
        Self {
            layout: Layout::new("deal"),
            form,
            errors,
            is_foreign: false,
            most_boards: thousands(app.limits.boards),
            most_sheet_boards: thousands(app.limits.sheet_boards),
            checked,
        }
    }
}

/// The form of a set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<(String, String)>")]
pub(super) struct DealForm {
    values: BTreeMap<&'static str, String>,
    /// Names of the seats whose hands have sheets of their own.
    alone: Vec<String>,
}

impl From<Vec<(String, String)>> for DealForm {
    fn from(fields: Vec<(String, String)>) -> Self {
        let mut form = Self::default();
        for (name, value) in fields {
            if name == "alone" {
                form.alone.push(value);
            } else if let Some(field) = FIELDS.iter().find(|field| **field == name) {
                form.values.insert(field, with_plain_lines(&value));
            }
        }
        form
    }
}

impl DealForm {
    /// The value of a field; empty if it is not filled in.
    fn value(&self, field: &str) -> &str {
        self.values.get(field).map_or("", String::as_str)
    }

    fn is(&self, field: &str, value: &str) -> bool {
        self.value(field) == value
    }

    /// Whether one of these fields has another value than in the empty form.
    fn changes(&self, fields: &[&str]) -> bool {
        let boards = PageLayout::default().boards.to_string();
        let is_default = |field: &str| match (field, self.value(field)) {
            (_, "") | ("paper", "a4") | ("types", "exact") => true,
            (field, value) => field == "per_page" && value == boards,
        };
        !fields.iter().copied().all(is_default)
    }

    fn has_alone(&self, seat: Seat) -> bool {
        self.alone.iter().any(|name| name == seat.name())
    }

    fn set_default(&mut self, field: &'static str, value: &str) {
        if self.value(field).is_empty() {
            self.values.insert(field, value.to_owned());
        }
    }

    /// The address of the page with this form.
    fn address(&self) -> String {
        let values = FIELDS.iter().map(|field| (*field, self.value(field)));
        let alone = self.alone.iter().map(|name| ("alone", &**name));
        let values: Vec<_> = values.chain(alone).collect();
        address("/deal", &values)
    }

    /// The labels of all boards.
    fn record(&self, errors: &mut FormErrors) -> BoardRecord {
        let title = self.value("event").trim();
        if title.contains(char::is_control) {
            errors.add("event", "a title has one line");
        }
        let names = self.value("names").trim();
        let names = match names.is_empty() {
            true => None,
            false => errors.value("names", BoardRecord::names_in(names)),
        };
        let mut record = BoardRecord::default();
        record.event[0] = title.into();
        record.names = names.unwrap_or_default().map(String::into_boxed_str);
        record
    }

    /// The layout of the sheets.
    fn layout(&self, errors: &mut FormErrors) -> PageLayout {
        let layout = PageLayout::default();
        let most = PageLayout::MOST_BOARDS as u64;
        let boards = errors.value("per_page", count::<DealCount>(self.value("per_page"), most));
        let boards = boards.flatten().map(|boards| boards.get() as usize);
        let paper = match self.value("paper") {
            "" => Some(Paper::default()),
            name => errors.value("paper", named(&Paper::ALL, name)),
        };
        PageLayout {
            boards: boards.unwrap_or(layout.boards),
            alone: Seat::ALL
                .into_iter()
                .filter(|seat| self.has_alone(*seat))
                .collect(),
            has_answers: self.is("answers", "1"),
            paper: paper.unwrap_or_default(),
        }
    }
}

/// A set to be dealt.
struct SetJob {
    script: Box<Script>,
    request: BoardRequest,
    formats: Vec<(Format, &'static str)>,
    /// Why other formats are missing.
    left_out: Vec<String>,
    labels: BoardRecord,
    layout: PageLayout,
    form: DealForm,
}

impl SetJob {
    fn of(form: &DealForm, app: &App) -> Result<Self, FormErrors> {
        let mut errors = FormErrors::default();
        let script = errors.value("condition", conditions::script(form.value("condition")));
        let rotation = errors
            .value("rotate", rotation_of(form.value("rotate")))
            .flatten();
        let shares = errors.value("types", shares_of(form.value("types")));
        let seed = errors.value("seed", seed(form.value("seed"))).flatten();
        let solve = form.is("solve", "1");
        let most = match solve {
            true => app.limits.sheet_boards,
            false => app.limits.boards,
        };
        let boards = errors
            .value("boards", count(form.value("boards"), most))
            .flatten();
        let labels = form.labels(&mut errors);
        let (record, layout) = (form.record(&mut errors), form.layout(&mut errors));
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
        let first = labels.first.map(BoardNumber::get).or(script.start_board);
        let (formats, left_out) = formats_of(boards, first.unwrap_or(1), app);
        let request = BoardRequest {
            boards: DealCount::new(boards).ok(),
            rotation,
            solve,
            shares: shares.unwrap_or_default(),
            has_comments: form.is("comments", "1"),
            no_repeats: form.is("no_repeats", "1"),
            labels,
            random: RandomRequest { seed, source: None },
            ..BoardRequest::default()
        };
        Ok(Self {
            script,
            request,
            formats,
            left_out,
            labels: record,
            layout,
            form: form.clone(),
        })
    }
}

impl DealForm {
    /// The dealer, the vulnerability and the number of the first board.
    fn labels(&self, errors: &mut FormErrors) -> BoardLabels {
        let dealer = match self.value("dealer") {
            "" => None,
            name => errors.value(
                "dealer",
                Seat::from_name(name).ok_or("choose one of the list"),
            ),
        };
        let vulnerable = match self.value("vulnerable") {
            "" => None,
            name => errors.value("vulnerable", named(&VULNERABLE, name)),
        };
        let first = errors.value("first", count(self.value("first"), u32::MAX.into()));
        BoardLabels {
            dealer,
            vulnerable,
            first: first.flatten(),
        }
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

/// The order of the types that has this name.
fn shares_of(name: &str) -> Result<Shares, &'static str> {
    match name {
        "" | "exact" => Ok(Shares::Exact),
        "interleave" => Ok(Shares::Interleaved),
        "random" => Ok(Shares::Random),
        _ => Err("choose one of the list"),
    }
}

/// The formats of a set of this number of boards from this number on, and why others are missing.
fn formats_of(boards: u64, first: u64, app: &App) -> (Vec<(Format, &'static str)>, Vec<String>) {
    let mut left_out = Vec::new();
    let mut has = |format: Format| match format {
        Format::Html if boards > app.limits.sheet_boards => {
            let most = thousands(app.limits.sheet_boards);
            left_out.push(format!(
                "No sheets to print: they have at most {most} boards."
            ));
            false
        }
        Format::Dup if boards > format.most_boards() || first > 1 => {
            let most = format.most_boards();
            left_out.push(format!(
                "No DUP file: it has at most {most} boards, numbered from 1."
            ));
            false
        }
        _ => true,
    };
    let formats = FORMATS.into_iter().filter(|(format, _)| has(*format));
    (formats.collect(), left_out)
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
    let subject = shortened(form.value("condition"));
    let order = JobOrder::new(JobKind::Deal, subject, form.address(), visit);
    Ok(app.submit(order, move |app, job| perform(app, job, set))?)
}

/// What is dealt, besides the files.
#[derive(Default)]
struct DealtSet {
    /// Numbers of boards by type.
    types: BTreeMap<usize, (String, u64)>,
    /// The first boards.
    first: Vec<(String, crate::bridge::Deal)>,
}

fn perform(app: &App, job: &Arc<Job>, set: SetJob) -> Result<JobResult, Error> {
    let watcher = JobWatcher(Arc::clone(job));
    let formats: Vec<Format> = set.formats.iter().map(|(format, _)| *format).collect();
    let paths = temporary_paths(app, job, &formats)?;
    let input = ConditionInput::Script(set.script);
    let boards = Set::new(set.request, input, &app.listings, &watcher)?;
    let seed = &boards.words().seed;
    let wanted = boards.wanted();
    let mut files = BoardFiles::default();
    for (format, path) in formats.iter().zip(&paths) {
        files.add(path, false, |out| {
            let writer = Writer::new(out, *format, wanted, PROGRAM)?;
            Ok(writer
                .with_labels(set.labels.clone())
                .with_layout(set.layout.clone()))
        })?;
    }
    let mut boards = boards.boards(&watcher)?;
    let stage = watcher.stage(Stage::Boards, Some(wanted));
    let mut dealt = DealtSet::default();
    while let Some(event) = boards.next().transpose()? {
        if let SearchEvent::Next(found) = event {
            dealt.add(&found);
            files.write_with(&found.board, &found.comment, &found.label)?;
            stage.advance(1);
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
    let name = set_name(&set.labels.event[0], found);
    let downloads = downloads(app, &name, &set.formats, paths)?;
    let words = set.formats.iter().map(|(_, words)| *words);
    let words = words.chain(["All formats (zip)"]);
    let names = downloads.iter().map(|download| download.name.clone());
    let names = names.zip(words).enumerate();
    let mut same = set.form;
    same.set_default("seed", seed);
    let page = DealResult {
        id: &job.id,
        title: &set.labels.event[0],
        same: &same.address(),
        files: names
            .map(|(place, (name, words))| (name, words, place == 0))
            .collect(),
        boards: with_noun(found, "board"),
        types: dealt.types(),
        seed,
        ended: boards.end().map_or("", |end| &end.message),
        left_out: set.left_out,
        samples: diagrams(&dealt.first),
    };
    Ok(JobResult {
        html: rendered(&page),
        files: downloads,
        ..JobResult::default()
    })
}

impl DealtSet {
    fn add(&mut self, found: &DealtBoard) {
        if self.first.len() < SHOWN {
            let board = found.board;
            self.first
                .push((format!("Board {}", board.number), board.deal));
        }
        let label = || (found.label.clone(), 0);
        self.types.entry(found.deal_type).or_insert_with(label).1 += 1;
    }

    /// The types of a mix, and their numbers of boards in words.
    fn types(&self) -> Vec<(String, String)> {
        let named = self.types.values().filter(|(name, _)| !name.is_empty());
        let words = named.map(|(name, boards)| (name.clone(), with_noun(*boards, "board")));
        words.collect()
    }
}

/// The name of a set's files: its title and number of boards, without the seed, with which anyone could
/// deal the boards that are still to be played.
fn set_name(title: &str, boards: u64) -> String {
    let title: String = title.chars().take(MOST_OF_TITLE).collect();
    match header_name(&title).replace(' ', "-") {
        title if title.is_empty() => format!("{boards}-boards"),
        title => format!("{title}-{boards}-boards"),
    }
}

/// The files to download: one for each format, and all in an archive.
fn downloads(
    app: &App,
    name: &str,
    formats: &[(Format, &'static str)],
    paths: Vec<TempPath>,
) -> Result<Vec<Download>, Error> {
    let file = |format: Format| format!("{name}.{}", format.file_ending());
    let packed = formats.iter().zip(&paths);
    let packed = packed.map(|((format, _), path)| (file(*format), *format, &**path));
    let archive = packed_files(app, name, &packed.collect::<Vec<_>>())?;
    let each = formats.iter().zip(paths).map(|((format, _), path)| {
        let media_type = format.media_type();
        let mut download = Download::new(&app.uploads, path, &file(*format), media_type)?;
        download.is_page = *format == Format::Html;
        Ok(download)
    });
    each.chain([Ok(archive)]).collect()
}
