//! *Tournament*: the hand records of a tournament of SquareDeal, compared with its boards.

use std::path::PathBuf;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;

use super::form_errors::FormErrors;
use super::job::to_job;
use super::layout::Layout;
use super::upload_form::{UploadForm, order};
use crate::error::Error;
use crate::report::page::rendered;
use crate::serve::app::App;
use crate::serve::jobs::{Job, JobFailure, JobKind, JobResult};
use crate::serve::origin::Visit;
use crate::serve::refusal::Refusal;
use crate::serve::uploads::Upload;
use crate::serve::watcher::JobWatcher;
use crate::tasks::squaredeal::{TournamentFiles, VerifiedTournament};

#[derive(Template)]
#[template(path = "tournament.html", config = "src/serve/askama.toml")]
struct TournamentPage {
    layout: Layout,
    form: UploadForm,
    errors: FormErrors,
    most_megabytes: u64,
}

#[derive(Template)]
#[template(path = "tournament_result.html", config = "src/serve/askama.toml")]
struct TournamentResult<'r> {
    verified: &'r VerifiedTournament,
    /// The colour class of the result.
    level: &'static str,
}

/// A tournament and its hand records, with their names.
struct UploadedTournament {
    tournament: TournamentFiles,
    records: Vec<(PathBuf, String)>,
}

impl UploadedTournament {
    fn of(upload: &Upload) -> Result<Self, JobFailure> {
        let mut records = upload.files.clone();
        match TournamentFiles::take_from(&mut records)? {
            None => Err("choose the description (.sqd) and the keys (.sqk) too".into()),
            Some(_) if records.is_empty() => Err("choose the hand records too".into()),
            Some(tournament) => Ok(Self {
                tournament,
                records,
            }),
        }
    }
}

pub(super) async fn show(State(app): State<App>) -> Response {
    page(&app, UploadForm::default(), FormErrors::default())
}

fn page(app: &App, form: UploadForm, errors: FormErrors) -> Response {
    let page = TournamentPage {
        layout: Layout::new("tournament"),
        form,
        errors,
        most_megabytes: app.limits.upload_bytes >> 20,
    };
    page.errors.answer(&page)
}

/// Receives files and starts their comparison.
pub(super) async fn start(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let upload = app.receive(request).await?;
    let mut errors = FormErrors::default();
    let Some(uploaded) = errors.value("files", UploadedTournament::of(&upload)) else {
        let form = UploadForm::of(&upload, &app).await;
        return Ok(page(&app, form, errors));
    };
    let order = order(JobKind::Verification, &upload, "/tournament", visit);
    // The upload is kept until its files are read.
    let job = app.submit(order, move |_, job| {
        let result = perform(job, uploaded);
        drop(upload);
        result
    })?;
    app.wait_for(&job).await;
    Ok(to_job(&job))
}

fn perform(job: &Arc<Job>, uploaded: UploadedTournament) -> Result<JobResult, Error> {
    let (records, labels): (Vec<PathBuf>, Vec<String>) = uploaded.records.into_iter().unzip();
    let watcher = JobWatcher(Arc::clone(job));
    let verified = uploaded
        .tournament
        .verify(&records, &labels, None, &watcher)?;
    let page = TournamentResult {
        verified: &verified,
        level: match verified.found.agrees() {
            true => "pass",
            false => "fail",
        },
    };
    Ok(JobResult {
        html: rendered(&page),
        ..JobResult::default()
    })
}
