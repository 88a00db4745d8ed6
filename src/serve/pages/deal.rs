//! *Deal*: a condition, its probability, sample deals, and a set of boards to download or print.

use std::io::{BufWriter, Write};
use std::sync::Arc;

use askama::Template;
use axum::extract::{Form, Query, State};
use axum::response::{Html, Redirect};
use serde::Deserialize;

use super::check::fragment;
use super::fields::{count, seed, shortened};
use super::layout::{Layout, html};
use crate::bridge::Deal;
use crate::draw::{Rotation, TurnSize};
use crate::error::Error;
use crate::formats::{Board, Format, Writer};
use crate::language::Script;
use crate::observer::{Observer as _, Stage};
use crate::printable::{counted, grouped};
use crate::report::PROGRAM;
use crate::report::page::{Diagram, diagrams, rendered};
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::{EXAMPLES, Example};
use crate::serve::jobs::{Download, Job, JobKind, JobResult};
use crate::serve::refusal::Refusal;
use crate::serve::sets::RequestedSet;
use crate::serve::watcher::JobWatcher;
use crate::tasks::RandomRequest;
use crate::tasks::boards::{BoardLabels, BoardRequest, BoardSink};

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
    /// What the address fills in.
    form: DealForm,
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
    Query(mut form): Query<DealForm>,
) -> Result<Html<String>, Refusal> {
    let checked = match form.condition.trim() {
        "" => String::new(),
        _ => {
            let seed = seed(&form.seed)?;
            fragment(&app, form.condition.clone(), seed, true).await?
        }
    };
    if form.boards.is_empty() {
        form.boards = BOARDS.to_string();
    }
    if form.format.is_empty() {
        form.format = Format::Pbn.name().to_owned();
    }
    let formats = formats().map(|format| (format.name(), format.description()));
    Ok(html(&DealPage {
        layout: Layout::new("deal"),
        form,
        examples: EXAMPLES,
        formats: formats.collect(),
        rotations: ROTATIONS.map(|(name, words, _)| (name, words)).into(),
        most_boards: grouped(app.limits().boards),
        most_sheet_boards: grouped(app.limits().sheet_boards),
        checked,
    }))
}

/// The form of a set.
#[derive(Debug, Deserialize)]
pub(super) struct DealForm {
    #[serde(default)]
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
    fn of(form: &DealForm, app: &App) -> Result<Self, Refusal> {
        let (_, script) = conditions::script(&form.condition)?;
        let format = match form.format.as_str() {
            "" => Format::Pbn,
            name => {
                let format = Format::named(name).filter(|format| formats().any(|of| of == *format));
                format.ok_or_else(|| Refusal::bad(format!("no format `{name}`")))?
            }
        };
        let most = match format {
            Format::Html => app.limits().sheet_boards,
            _ => app.limits().boards,
        };
        let boards = count("boards", &form.boards, most)?;
        let boards = boards.or(script.produce).unwrap_or(BOARDS).min(most);
        let rotation = match form.rotate.as_str() {
            "" => None,
            name => {
                let known = ROTATIONS.iter().find(|(known, ..)| *known == name);
                let known = known.ok_or_else(|| Refusal::bad("no such rotation"))?;
                Some(known.2)
            }
        };
        let request = BoardRequest {
            boards: Some(boards),
            rotation,
            no_repeats: !form.no_repeats.is_empty(),
            labels: BoardLabels {
                first: count("the first board", &form.first, u64::from(u32::MAX))?,
                ..BoardLabels::default()
            },
            ..BoardRequest::default()
        };
        let random = RandomRequest {
            seed: seed(&form.seed)?,
            source: None,
        };
        Ok(Self {
            random: random.of_script(&script),
            script,
            request,
            format,
        })
    }
}

pub(super) async fn start(
    State(app): State<App>,
    Form(form): Form<DealForm>,
) -> Result<Redirect, Refusal> {
    let set = SetJob::of(&form, &app)?;
    let of_work = app.clone();
    let work = move |job: &Arc<Job>| perform(&of_work, job, set);
    let job = app.submit(JobKind::Deal, shortened(&form.condition), Box::new(work))?;
    app.wait_for(&job).await;
    Ok(Redirect::to(&format!("/jobs/{}", job.id)))
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
                counted(self.found, "board")
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
        boards: counted(found, "board"),
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
