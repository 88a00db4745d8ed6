//! *Runs*: the reports on the shelf; runs are started, stopped, resumed and compared.

use std::path::Path as FilePath;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, Redirect};
use serde::Deserialize;

use super::fields::{count, seed, shortened};
use super::layout::{Layout, html};
use crate::battery::Level;
use crate::compare::{Comparison, Report};
use crate::error::Error;
use crate::language::Scenario;
use crate::printable::{counted, grouped};
use crate::report::page::{PageWords, class, rendered};
use crate::report::{PageSubject, RunRecord};
use crate::run::DEFAULT_DEALS;
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::{EXAMPLES, Example};
use crate::serve::jobs::{Job, JobKind, JobResult};
use crate::serve::refusal::Refusal;
use crate::serve::shelf::ShelfEntry;
use crate::serve::watcher::{JobStatus, JobWatcher};
use crate::tally::Depth;
use crate::tasks::ConditionInput;
use crate::tasks::run::{Existing, RunOutcome, RunRequest, run, saved_condition};

#[derive(Template)]
#[template(path = "runs.html", config = "src/serve/askama.toml")]
struct RunsPage {
    layout: Layout,
    entries: Vec<ShelfEntry>,
    /// Names of the reports that can be compared.
    comparable: Vec<String>,
    /// Unfinished runs: name of the job, condition, state.
    running: Vec<(String, String, String)>,
    condition: String,
    examples: &'static [Example],
    default_deals: String,
}

#[derive(Template)]
#[template(path = "run_result.html", config = "src/serve/askama.toml")]
struct RunResult<'r> {
    words: PageWords,
    level: &'static str,
    report: &'r str,
    seed: &'r str,
    stopped: &'r str,
    /// The number of deals, and the number that was asked for.
    dealt: String,
}

#[derive(Template)]
#[template(path = "compare_result.html", config = "src/serve/askama.toml")]
struct CompareResult<'r> {
    found: &'r Comparison,
    verdict: &'static str,
    level: &'static str,
    headline: &'static str,
    report: &'r str,
    /// The names of the two reports, and their deals.
    sides: [(&'r str, String); 2],
}

/// The condition that a link fills in.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Prefilled {
    #[serde(default)]
    pub(super) condition: String,
}

pub(super) async fn show(State(app): State<App>, Query(asked): Query<Prefilled>) -> Html<String> {
    let (shelf, most) = (app.shelf().clone(), app.limits().reports);
    let entries = tokio::task::spawn_blocking(move || shelf.entries(most)).await;
    let running = app.queue().unfinished(JobKind::Run);
    let running = running.iter().map(|job| {
        let status = JobStatus::new(job, app.queue().ahead(job));
        let words = match status.done.as_str() {
            "" => status.words,
            done => format!("{}: {done}", status.words),
        };
        (job.id.clone(), job.subject.clone(), words)
    });
    let entries = entries.unwrap_or_default();
    let comparable = entries.iter().filter(|entry| entry.can_compare);
    html(&RunsPage {
        layout: Layout::new("runs"),
        comparable: comparable.map(|entry| entry.name.clone()).collect(),
        entries,
        running: running.collect(),
        condition: asked.condition,
        examples: EXAMPLES,
        default_deals: grouped(DEFAULT_DEALS),
    })
}

/// The form that starts a run.
#[derive(Debug, Deserialize)]
pub(super) struct StartForm {
    condition: String,
    #[serde(default)]
    deals: String,
    #[serde(default)]
    seed: String,
    #[serde(default)]
    battery: String,
}

pub(super) async fn start(
    State(app): State<App>,
    Form(form): Form<StartForm>,
) -> Result<Redirect, Refusal> {
    let deals = count("deals", &form.deals, app.limits().run_deals)?;
    let seed = seed(&form.seed)?;
    let depth = match form.battery.as_str() {
        "" => None,
        name => Some(Depth::named(name).ok_or_else(|| Refusal::bad("no such battery"))?),
    };
    let (name, input) = conditions::input(&form.condition)?;
    let mut request = RunRequest::new(name.clone(), app.shelf().folder().join(&name));
    request.existing = Existing::Beside;
    (request.deals, request.random.seed) = (deals, seed);
    request.battery = app.battery();
    request.battery.depth = depth;
    submit(&app, shortened(&form.condition), request, input)
}

fn submit(
    app: &App,
    subject: String,
    request: RunRequest,
    input: ConditionInput,
) -> Result<Redirect, Refusal> {
    let of_work = app.clone();
    let work = move |job: &Arc<Job>| {
        let watcher = JobWatcher(Arc::clone(job));
        let outcome = run(&request, input, of_work.listings(), &watcher)?;
        Ok(match outcome {
            RunOutcome::Reported(report) => JobResult {
                can_resume: report.is_saved,
                ..result(&report.record, report.level, report.folder())
            },
            RunOutcome::Finished { record, level } => result(&record, level, &request.folder),
        })
    };
    let job = app.submit(JobKind::Run, subject, Box::new(work))?;
    Ok(Redirect::to(&format!("/jobs/{}", job.id)))
}

/// The name of a report's folder on the shelf.
fn of_folder(folder: &FilePath) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn result(record: &RunRecord, level: Level, folder: &FilePath) -> JobResult {
    let (name, dealt, asked) = (of_folder(folder), record.dealt, record.identity.deals);
    let page = RunResult {
        words: PageWords::new(PageSubject::Run(record)),
        level: class(level),
        report: &name,
        seed: &record.identity.seed,
        stopped: record.stopped.as_deref().unwrap_or_default(),
        dealt: match dealt == asked {
            true => counted(dealt, "deal"),
            false => format!("{} of {}", grouped(dealt), counted(asked, "deal")),
        },
    };
    JobResult {
        level: Some(level),
        html: rendered(&page),
        report: Some(name),
        ..JobResult::default()
    }
}

/// Goes on with a run from its checkpoint.
pub(super) async fn resume(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Redirect, Refusal> {
    let folder = app.shelf().report(&name);
    let folder = folder.ok_or_else(|| Refusal::missing("report"))?;
    let place = folder.clone();
    let saved = tokio::task::spawn_blocking(move || saved_condition(&place)).await;
    let saved = saved.map_err(|error| Refusal::from(Error::io(error)))??;
    let condition = saved.ok_or_else(|| {
        Refusal::not_found("no checkpoint: the run is finished, or its checkpoint was removed")
    })?;
    let (name, input) = conditions::saved_input(&condition)?;
    let mut request = RunRequest::new(name, folder);
    request.existing = Existing::Resume;
    request.battery.threads = app.battery().threads;
    let known = Scenario::of_text(&condition);
    let subject = known.map_or_else(|| shortened(&condition), |known| known.name.to_owned());
    submit(&app, subject, request, input)
}

/// The form that compares two reports.
#[derive(Debug, Deserialize)]
pub(super) struct CompareForm {
    a: String,
    b: String,
}

pub(super) async fn compare(
    State(app): State<App>,
    Form(form): Form<CompareForm>,
) -> Result<Redirect, Refusal> {
    let find = |name: &str| {
        let found = app.shelf().report(name);
        found.ok_or_else(|| Refusal::missing("report"))
    };
    if form.a == form.b {
        return Err(Refusal::bad("a report is always like itself: choose two"));
    }
    let (a, b) = (find(&form.a)?, find(&form.b)?);
    let subject = format!("{} and {}", form.a, form.b);
    let shelf = app.shelf().clone();
    let work = move |job: &Arc<Job>| {
        let (a, b) = (Report::read(&a)?, Report::read(&b)?);
        let comparison = Comparison::of(&a, &b)?;
        let name = format!("compare-{}", &job.id[..8]);
        comparison.write(&shelf.folder().join(&name), false)?;
        let page = CompareResult {
            found: &comparison,
            verdict: comparison.verdict.name(),
            level: comparison.class(),
            headline: comparison.headline(),
            report: &name,
            sides: [
                (&form.a, counted(comparison.a.deals, "deal")),
                (&form.b, counted(comparison.b.deals, "deal")),
            ],
        };
        Ok(JobResult {
            html: rendered(&page),
            report: Some(name.clone()),
            ..JobResult::default()
        })
    };
    let job = app.submit(JobKind::Comparison, subject, Box::new(work))?;
    app.wait_for(&job).await;
    Ok(Redirect::to(&format!("/jobs/{}", job.id)))
}
