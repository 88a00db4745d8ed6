//! *Runs*: the reports on the shelf; runs are started, stopped, resumed and compared.

use std::path::Path as FilePath;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::fields::{address, count, lines, seed, shortened};
use super::form_errors::FormErrors;
use super::job::{to_begun_job, to_job};
use super::layout::Layout;
use crate::compare::{Comparison, Report};
use crate::error::Error;
use crate::language::Scenario;
use crate::printable::{thousands, with_noun};
use crate::report::page::{PageWords, class, rendered};
use crate::report::{AnyRecord, OnConflict, RunRecord, Stopped};
use crate::run::DEFAULT_DEALS;
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::{EXAMPLES, Example};
use crate::serve::host::unblock;
use crate::serve::jobs::{Job, JobKind, JobOrder, JobResult};
use crate::serve::origin::Visit;
use crate::serve::refusal::Refusal;
use crate::serve::shelf::ShelfEntry;
use crate::serve::watcher::{JobStatus, JobWatcher};
use crate::tally::Depth;
use crate::tasks::ConditionInput;
use crate::tasks::run::{RunOutcome, RunRequest, run, saved_condition};

#[derive(Template)]
#[template(path = "runs.html", config = "src/serve/askama.toml")]
struct RunsPage {
    layout: Layout,
    entries: Vec<ShelfEntry>,
    /// The reports that can be compared: their names, and their words.
    comparable: Vec<(String, String)>,
    /// Unfinished runs: name of the job, condition, state.
    running: Vec<(String, String, String)>,
    form: StartForm,
    /// Names of the two reports that are compared.
    compared: [String; 2],
    errors: FormErrors,
    /// Whether another page has filled in the form.
    is_foreign: bool,
    examples: &'static [Example],
    batteries: [(&'static str, &'static str); 3],
    default_deals: String,
}

/// The batteries, with their words.
const BATTERIES: [(&str, &str); 3] = [
    ("tables", "tables: the fastest"),
    ("standard", "standard"),
    ("full", "full: all, on every deal"),
];

#[derive(Template)]
#[template(path = "run_result.html", config = "src/serve/askama.toml")]
struct RunResult<'r> {
    words: PageWords,
    level: &'static str,
    report: &'r str,
    seed: &'r str,
    stopped: &'r str,
    can_resume: bool,
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

pub(super) async fn show(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Query(form): Query<StartForm>,
) -> Response {
    let is_foreign = !visit.is_of_user() && !form.condition.is_empty();
    let mut page = RunsPage::new(&app, form, FormErrors::default()).await;
    page.is_foreign = is_foreign;
    page.errors.answer(&page)
}

impl RunsPage {
    async fn new(app: &App, mut form: StartForm, errors: FormErrors) -> Self {
        let (shelf, most) = (app.shelf.clone(), app.limits.reports);
        let entries = unblock(move || shelf.entries(most)).await;
        let mut entries = entries.unwrap_or_default();
        let unfinished = app.queue.unfinished(JobKind::Run);
        for entry in &mut entries {
            let resumes = |job: &Arc<Job>| job.order.resumes.as_deref() == Some(&entry.name);
            if unfinished.iter().any(resumes) {
                (entry.can_resume, entry.state) = (false, "running");
            }
        }
        let running = unfinished.iter().map(|job| {
            let status = JobStatus::new(job, app.queue.ahead(job));
            let words = match status.done.as_str() {
                "" => status.words,
                done => format!("{}: {done}", status.words),
            };
            (job.id.clone(), job.order.subject.clone(), words)
        });
        let comparable = entries.iter().filter(|entry| entry.can_compare);
        let comparable = comparable.map(|entry| {
            let words = format!("{}, {}", entry.subject, entry.start);
            (entry.name.clone(), words)
        });
        let comparable: Vec<(String, String)> = comparable.collect();
        let latest = |place: usize| {
            let of: Option<&(String, String)> = comparable.get(place);
            of.map(|(name, _)| name.clone()).unwrap_or_default()
        };
        if form.battery.is_empty() {
            form.battery = "standard".to_owned();
        }
        Self {
            layout: Layout::new("runs"),
            // The later report is the second.
            compared: [latest(1), latest(0)],
            comparable,
            entries,
            running: running.collect(),
            form,
            errors,
            is_foreign: false,
            examples: EXAMPLES,
            batteries: BATTERIES,
            default_deals: thousands(DEFAULT_DEALS),
        }
    }

    fn is_first(&self, name: &str) -> bool {
        self.compared[0] == name
    }

    fn is_second(&self, name: &str) -> bool {
        self.compared[1] == name
    }
}

/// The form that starts a run.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StartForm {
    #[serde(deserialize_with = "lines")]
    condition: String,
    deals: String,
    seed: String,
    battery: String,
}

pub(super) async fn start(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Form(form): Form<StartForm>,
) -> Response {
    match begin(&app, visit, &form) {
        Ok(job) => to_job(&job),
        Err(errors) => {
            let page = RunsPage::new(&app, form, errors).await;
            page.errors.answer(&page)
        }
    }
}

fn begin(app: &App, visit: Visit, form: &StartForm) -> Result<Arc<Job>, FormErrors> {
    let mut errors = FormErrors::default();
    let condition = errors.value("condition", conditions::input(&form.condition));
    let deals = errors.value("deals", count(&form.deals, app.limits.run_deals));
    let seed = errors.value("seed", seed(&form.seed));
    let depth = match form.battery.as_str() {
        "" => Ok(None),
        name => Depth::named(name)
            .map(Some)
            .ok_or("no such tests: choose one of the list"),
    };
    let depth = errors.value("battery", depth);
    let (Some((name, input)), true) = (condition, errors.is_empty()) else {
        return Err(errors);
    };
    let mut request = RunRequest::new(name.clone(), app.shelf.folder().join(&name));
    request.on_conflict = OnConflict::Beside;
    (request.deals, request.random.seed) = (deals.flatten(), seed.flatten());
    request.battery = app.battery();
    request.battery.depth = depth.flatten();
    let values = [
        ("condition", &*form.condition),
        ("deals", &form.deals),
        ("seed", &form.seed),
        ("battery", &form.battery),
    ];
    let (subject, form) = (shortened(&form.condition), address("/runs", &values));
    let order = JobOrder::new(JobKind::Run, subject, form, visit);
    Ok(submit(app, order, request, input)?)
}

fn submit(
    app: &App,
    order: JobOrder,
    request: RunRequest,
    input: ConditionInput,
) -> Result<Arc<Job>, Refusal> {
    app.submit(order, move |app, job| {
        let watcher = JobWatcher(Arc::clone(job));
        let outcome = run(&request, input, &app.listings, &watcher)?;
        Ok(match outcome {
            RunOutcome::Reported(report) => {
                result(&report.record, report.folder(), report.is_saved)
            }
            RunOutcome::Finished(record) => result(&record, &request.folder, false),
        })
    })
}

/// The name of a report's folder on the shelf.
fn of_folder(folder: &FilePath) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn result(record: &RunRecord, folder: &FilePath, is_saved: bool) -> JobResult {
    let (name, level) = (of_folder(folder), record.common.verdict);
    let page = RunResult {
        words: PageWords::new(&AnyRecord::from(record)),
        level: class(level),
        report: &name,
        seed: &record.identity.seed,
        stopped: record.stopped.map_or("", Stopped::name),
        can_resume: is_saved,
        dealt: record.dealt_of_asked(),
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
    Extension(visit): Extension<Visit>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let missing = || Refusal::missing("report");
    let folder = app.shelf.report(&name).ok_or_else(missing)?;
    let active = app.queue.unfinished(JobKind::Run);
    let active = active
        .iter()
        .find(|job| job.order.resumes.as_ref() == Some(&name));
    if let Some(job) = active {
        // Pressed twice.
        return Ok(to_job(job));
    }
    let (shelf, of) = (app.shelf.clone(), name.clone());
    let place = folder.clone();
    let saved = unblock(move || {
        let entry = shelf.entry(&of).filter(|entry| entry.can_resume);
        entry.map_or(Ok(None), |_| saved_condition(&place))
    });
    let failed = || Refusal::from(Error::io("the checkpoint was not read"));
    let saved = saved.await.ok_or_else(failed)??;
    let condition = saved.ok_or_else(|| {
        Refusal::not_found("this run cannot be resumed: it is finished, it is running, or its checkpoint was removed")
    })?;
    let (report, input) = conditions::saved_input(&condition)?;
    let mut request = RunRequest::new(report, folder);
    request.on_conflict = OnConflict::Resume;
    request.battery.threads = app.battery().threads;
    let known = Scenario::of_text(&condition);
    let subject = known.map_or_else(|| shortened(&condition), |known| known.name.to_owned());
    let order = JobOrder {
        resumes: Some(name),
        ..JobOrder::new(JobKind::Run, subject, "/runs".to_owned(), visit)
    };
    let job = submit(&app, order, request, input)?;
    Ok(to_job(&job))
}

/// The form that compares two reports.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CompareForm {
    a: String,
    b: String,
}

pub(super) async fn compare(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Form(form): Form<CompareForm>,
) -> Response {
    match begin_comparison(&app, visit, &form) {
        Ok(job) => to_begun_job(&app, &job).await,
        Err(errors) => {
            let mut page = RunsPage::new(&app, StartForm::default(), errors).await;
            page.compared = [form.a, form.b];
            page.errors.answer(&page)
        }
    }
}

fn begin_comparison(app: &App, visit: Visit, form: &CompareForm) -> Result<Arc<Job>, FormErrors> {
    let mut errors = FormErrors::default();
    let find = |name: &str| {
        app.shelf
            .report(name)
            .ok_or("no such report: it may have been removed")
    };
    let (a, b) = (
        errors.value("a", find(&form.a)),
        errors.value("b", find(&form.b)),
    );
    if form.a == form.b {
        errors.add("b", "a report is always like itself: choose another one");
    }
    let (Some(a), Some(b), true) = (a, b, errors.is_empty()) else {
        return Err(errors);
    };
    let names = [form.a.clone(), form.b.clone()];
    let (subject, address) = (names.join(" and "), "/runs".to_owned());
    let order = JobOrder::new(JobKind::Comparison, subject, address, visit);
    let work = move |app: &App, job: &Arc<Job>| {
        let (a, b) = (Report::read(&a)?, Report::read(&b)?);
        let comparison = Comparison::of(&a, &b)?;
        let name = format!("compare-{}", &job.id[..8]);
        comparison.write(&app.shelf.folder().join(&name), false)?;
        let page = CompareResult {
            found: &comparison,
            verdict: comparison.verdict.name(),
            level: class(comparison.verdict.level()),
            headline: comparison.headline(),
            report: &name,
            sides: [
                (&names[0], with_noun(comparison.a.deals, "deal")),
                (&names[1], with_noun(comparison.b.deals, "deal")),
            ],
        };
        Ok(JobResult {
            html: rendered(&page),
            report: Some(name.clone()),
            ..JobResult::default()
        })
    };
    Ok(app.submit(order, work)?)
}
