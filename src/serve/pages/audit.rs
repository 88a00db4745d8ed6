//! *Audit*: files or pasted deals are tested; the page of the job shows the verdict.

use std::path::PathBuf;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;

use super::form_errors::FormErrors;
use super::job::to_job;
use super::layout::Layout;
use super::upload_form::{UploadForm, order, read_format};
use crate::audit::{EventRule, SessionSize};
use crate::battery::Level;
use crate::error::Error;
use crate::formats::Format;
use crate::printable::{printable, thousands, with_noun};
use crate::report::page::{EvidenceTable, PageWords, class, evidence_table, larger_s, rendered};
use crate::report::{AnyRecord, AuditHeading, OnConflict, SourceRecord};
use crate::run::DEFAULT_DEALS;
use crate::sampler::{SamplerMethod, Sampling};
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::jobs::{Job, JobKind, JobResult};
use crate::serve::origin::Visit;
use crate::serve::refusal::Refusal;
use crate::serve::uploads::Upload;
use crate::serve::watcher::JobWatcher;
use crate::tasks::audit::{AuditCondition, AuditOutcome, AuditReport, AuditRequest, audit};
use crate::tasks::squaredeal::TournamentFiles;

/// Problems and files on the page; the tables have all.
const MOST_ROWS: usize = 100;

/// Longest name of a report, in characters.
const LONGEST_NAME: usize = 60;

#[derive(Template)]
#[template(path = "audit.html", config = "src/serve/askama.toml")]
struct AuditPage {
    layout: Layout,
    form: UploadForm,
    options: AuditFields,
    errors: FormErrors,
    most_megabytes: u64,
    formats: Vec<(&'static str, &'static str)>,
    events: [(&'static str, &'static str); 3],
}

/// The rules for events, with their words.
const EVENTS: [(&str, &str); 3] = [
    ("compatible", "ask where it is not clear"),
    ("same", "all files are records of one event"),
    ("distinct", "every file is an event of its own"),
];

/// The options as they were filled in.
struct AuditFields {
    condition: String,
    format: String,
    session: String,
    events: String,
    /// What the page begins with: names, labels and values.
    heading: Vec<(&'static str, &'static str, String)>,
}

/// The names and labels of what the page begins with.
const HEADING: [(&str, &str); 3] = [
    ("title", "Title of the report"),
    ("organiser", "Organiser"),
    ("date", "Date of the event"),
];

impl AuditFields {
    fn of(upload: Option<&Upload>) -> Self {
        let field = |name: &str| {
            let value = upload.and_then(|upload| upload.field(name));
            value.unwrap_or_default().to_owned()
        };
        Self {
            condition: field("condition"),
            format: field("format"),
            session: field("session"),
            events: field("events"),
            heading: HEADING
                .map(|(name, label)| (name, label, field(name)))
                .into(),
        }
    }
}

#[derive(Template)]
#[template(path = "audit_result.html", config = "src/serve/askama.toml")]
struct AuditResult<'r> {
    words: PageWords,
    /// Where the tables are: before their file names in links.
    tables_at: String,
    level: &'static str,
    /// Whether there is evidence against the deals.
    is_against: bool,
    tests: Option<EvidenceTable>,
    largest_s: Option<String>,
    /// The report's name on the shelf.
    report: &'r str,
    boards: String,
    sources: &'r [SourceRecord],
    more_sources: usize,
    problems: Vec<ProblemRow<'r>>,
    more_problems: usize,
    is_interrupted: bool,
    unread: Option<String>,
}

/// A board that was not tested.
struct ProblemRow<'r> {
    file: &'r str,
    line: u64,
    board: String,
    kind: &'static str,
    reason: &'r str,
}

pub(super) async fn show(State(app): State<App>) -> Response {
    page(&app, UploadForm::default(), None, FormErrors::default())
}

fn page(app: &App, form: UploadForm, upload: Option<&Upload>, errors: FormErrors) -> Response {
    let formats = Format::read().map(|format| (format.name(), format.description()));
    let page = AuditPage {
        layout: Layout::new("audit"),
        form,
        options: AuditFields::of(upload),
        errors,
        most_megabytes: app.limits.upload_bytes >> 20,
        formats: formats.collect(),
        events: EVENTS,
    };
    page.errors.answer(&page)
}

/// Receives files and starts their audit.
pub(super) async fn start(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let upload = app.receive(request).await?;
    let options = match UploadOptions::of(&upload) {
        Ok(options) => options,
        Err(errors) => {
            let form = UploadForm::of(&upload, &app).await;
            return Ok(page(&app, form, Some(&upload), errors));
        }
    };
    let order = order(JobKind::Audit, &upload, "/audit", visit);
    let job = app.submit(order, move |app, job| perform(app, job, &upload, options))?;
    Ok(to_job(&job))
}

/// The files and fields of the form.
struct UploadOptions {
    files: Vec<(PathBuf, String)>,
    squaredeal: Option<TournamentFiles>,
    heading: AuditHeading,
    condition: AuditCondition,
    format: Option<Format>,
    session: Option<SessionSize>,
    events: EventRule,
}

impl UploadOptions {
    fn of(upload: &Upload) -> Result<Self, FormErrors> {
        let mut errors = FormErrors::default();
        let mut files = upload.files.clone();
        let squaredeal = errors.value("files", TournamentFiles::take_from(&mut files));
        if files.is_empty() && errors.is_empty() {
            errors.add(
                "files",
                "there are no deals: choose a file, or paste deals into the field",
            );
        }
        let condition = match upload.field("condition") {
            None => Some(AuditCondition::None),
            Some(text) => {
                let input = errors.value("condition", conditions::input(text));
                input.map(|(_, input)| AuditCondition::Known {
                    input: Box::new(input),
                    sampling: Sampling::by(SamplerMethod::Exact),
                    deals: DEFAULT_DEALS,
                })
            }
        };
        let format = errors.value("format", read_format(upload.field("format")));
        let session = errors.value("session", session_of(upload.field("session")));
        let events = errors.value("events", events_of(upload.field("events")));
        match (condition, format, session, events) {
            (Some(condition), Some(format), Some(session), Some(events)) if errors.is_empty() => {
                let field = |name| upload.field(name).map(str::to_owned);
                Ok(Self {
                    files,
                    squaredeal: squaredeal.flatten(),
                    heading: AuditHeading {
                        title: field("title"),
                        organiser: field("organiser"),
                        date: field("date"),
                    },
                    condition,
                    format,
                    session,
                    events,
                })
            }
            _ => Err(errors),
        }
    }
}

/// The number of boards of a session; `None` without one.
fn session_of(text: Option<&str>) -> Result<Option<SessionSize>, String> {
    let size = text.map(str::parse::<SessionSize>).transpose();
    size.map_err(|error| error.to_string())
}

fn events_of(name: Option<&str>) -> Result<EventRule, &'static str> {
    match name {
        None => Ok(EventRule::default()),
        Some(name) => EventRule::named(name).ok_or("no such rule: choose one of the list"),
    }
}

/// Name of the report, as the command chooses it.
fn name(upload: &Upload) -> String {
    let (_, first) = &upload.files[0];
    let stem = first
        .rsplit_once('.')
        .map_or(first.as_str(), |(stem, _)| stem);
    let stem: String = stem.chars().take(LONGEST_NAME).collect();
    match upload.files.len() - 1 {
        0 => stem,
        more => format!("{stem}-and-{more}-more"),
    }
}

/// A folder's name that is like this name.
fn folder_name(name: &str, id: &str) -> String {
    let plain = name.chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => c,
        _ => '-',
    });
    let plain: String = plain.collect();
    format!("audit-{}-{}", plain.trim_matches('-'), &id[..8])
}

fn perform(
    app: &App,
    job: &Arc<Job>,
    upload: &Upload,
    options: UploadOptions,
) -> Result<JobResult, Error> {
    let name = name(upload);
    // Two clients may send different files of the same name.
    let folder = folder_name(&name, &job.id);
    let (files, labels) = options.files.into_iter().unzip();
    let request = AuditRequest {
        files,
        labels,
        squaredeal: options.squaredeal,
        heading: options.heading,
        format: options.format,
        session: options.session,
        events: options.events,
        battery: app.battery(),
        on_conflict: OnConflict::Keep,
        checkpoint: None,
        ..AuditRequest::new(name, app.shelf.folder().join(&folder))
    };
    let watcher = JobWatcher(Arc::clone(job));
    match audit(&request, options.condition, &app.listings, &watcher) {
        Ok(AuditOutcome::Reported(report)) => Ok(result(&report, folder)),
        Ok(AuditOutcome::Stopped(problem)) => Err(Error::input(problem)),
        Ok(AuditOutcome::Finished(_)) => Err(Error::usage("the audit has already finished")),
        Err(error) => {
            // The folder was made for this report alone; it has no record.
            let _ = std::fs::remove_dir_all(&request.folder);
            Err(error)
        }
    }
}

fn result(report: &AuditReport, folder: String) -> JobResult {
    let (total, intake) = (report.total(), &report.intake);
    let problems = &intake.problems;
    let rows = problems.iter().take(MOST_ROWS).map(|problem| ProblemRow {
        file: &report.files[problem.place.input as usize],
        line: problem.place.line,
        board: problem.board.map_or_else(String::new, thousands),
        kind: problem.kind.name(),
        reason: &problem.reason,
    });
    let tested = report.tested.as_ref();
    let rows_of_tests = tested.map_or_else(Vec::new, |(_, battery)| battery.rows());
    let subject = &AnyRecord::from(&report.record);
    let sources = &report.record.sources;
    let shown = &sources[..sources.len().min(MOST_ROWS)];
    let page = AuditResult {
        words: PageWords::new(subject),
        tables_at: format!("/reports/{folder}/"),
        level: class(report.level),
        is_against: (Level::Suspicious..=Level::Fail).contains(&report.level),
        tests: evidence_table(&rows_of_tests),
        largest_s: larger_s(subject),
        report: &folder,
        boards: format!(
            "{} tested of {} read",
            with_noun(report.record.deals, "deal"),
            with_noun(total.read, "board")
        ),
        sources: shown,
        more_sources: sources.len() - shown.len(),
        problems: rows.collect(),
        more_problems: problems.len().saturating_sub(MOST_ROWS),
        is_interrupted: report.is_interrupted,
        unread: report
            .unread
            .as_ref()
            .map(|error| printable(&error.to_string()).into_owned()),
    };
    JobResult {
        level: Some(report.level),
        html: rendered(&page),
        report: Some(folder),
        ..JobResult::default()
    }
}
