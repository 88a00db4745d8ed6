//! The page of a job: its progress while it works, then its result.

use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{
    CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::OwnedSemaphorePermit;

use super::layout::{Layout, html};
use crate::battery::Level;
use crate::serve::app::App;
use crate::serve::guard::PAGE_POLICY;
use crate::serve::host::{on_disk, unblock};
use crate::serve::jobs::{Download, Job, JobFailure, JobKind};
use crate::serve::refusal::Refusal;
use crate::serve::watcher::JobStatus;

/// Interval between two events of a job.
const INTERVAL: Duration = Duration::from_millis(300);

/// Intervals after which a status is sent again: a client that has gone is noticed.
const SAME_STATUS: u32 = 50;

/// Bytes of a file that are sent at once.
const PIECE: usize = 64 << 10;

#[derive(Template)]
#[template(path = "job.html", config = "src/serve/askama.toml")]
struct JobPage<'j> {
    layout: Layout,
    id: &'j str,
    /// The address of the form, filled in.
    form: &'j str,
    kind: &'static str,
    subject: &'j str,
    status: JobStatus,
    is_over: bool,
    can_stop: bool,
    notes: Vec<String>,
    failure: Option<&'j JobFailure>,
    verdict: &'static str,
    html: &'j str,
    report: Option<&'j str>,
    download: Option<&'j str>,
    can_resume: bool,
}

/// Leads to the page of a job, after a moment in which it may end.
pub(super) async fn to_begun_job(app: &App, job: &Arc<Job>) -> Response {
    app.wait_for(job).await;
    to_job(job)
}

/// Leads to the page of a job.
pub(super) fn to_job(job: &Job) -> Response {
    Redirect::to(&format!("/jobs/{}", job.id)).into_response()
}

fn find(app: &App, id: &str) -> Result<Arc<Job>, Refusal> {
    app.queue.job(id).ok_or_else(|| Refusal::missing("job"))
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Html<String>, Refusal> {
    let job = find(&app, &id)?;
    let report = job.result().and_then(|result| result.report.as_ref());
    let can_resume = match report.filter(|_| job.order.kind == JobKind::Run) {
        Some(report) => can_resume(&app, report.clone()).await,
        None => false,
    };
    Ok(page(&app, &job, can_resume))
}

/// Whether a run can go on from a checkpoint, and no job does that already.
async fn can_resume(app: &App, report: String) -> bool {
    let active = app.queue.unfinished(JobKind::Run);
    if active
        .iter()
        .any(|job| job.order.resumes.as_ref() == Some(&report))
    {
        return false;
    }
    let shelf = app.shelf.clone();
    let entry = unblock(move || shelf.entry(&report)).await.flatten();
    entry.is_some_and(|entry| entry.can_resume)
}

fn page(app: &App, job: &Job, can_resume: bool) -> Html<String> {
    let status = JobStatus::new(job, app.queue.ahead(job));
    let is_over = status.phase.is_over();
    let result = job.result();
    let notes = job.progress().notes.clone();
    html(&JobPage {
        layout: Layout::new(job.order.kind.page()),
        id: &job.id,
        form: &job.order.form,
        kind: job.order.kind.title(),
        subject: &job.order.subject,
        can_stop: !is_over,
        is_over,
        status,
        notes,
        failure: job.failure(),
        verdict: result
            .and_then(|result| result.level)
            .map_or("", Level::name),
        html: result.map_or("", |result| &result.html),
        report: result.and_then(|result| result.report.as_deref()),
        download: result.and_then(|result| Some(&*result.download.as_ref()?.name)),
        can_resume,
    })
}

pub(super) async fn stop(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Redirect, Refusal> {
    find(&app, &id)?.stop();
    Ok(Redirect::to(&format!("/jobs/{id}")))
}

/// The state of a stream of events.
struct Watched {
    app: App,
    job: Arc<Job>,
    last: Option<JobStatus>,
    is_over: bool,
    _place: OwnedSemaphorePermit,
}

/// Sends the status of a job whenever it has changed, or after a while, until it is over.
pub(super) async fn events(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Refusal> {
    let job = find(&app, &id)?;
    let place = Arc::clone(&app.watchers).try_acquire_owned();
    let place = place.map_err(|_| Refusal::busy("too many pages are open: close some"))?;
    let watched = Watched {
        app,
        job,
        last: None,
        is_over: false,
        _place: place,
    };
    let events = unfold(watched, |mut watched| async move {
        if watched.is_over {
            return None;
        }
        let now = || JobStatus::new(&watched.job, watched.app.queue.ahead(&watched.job));
        let mut status = now();
        for _ in 0..SAME_STATUS {
            if watched.last.as_ref() != Some(&status) {
                break;
            }
            tokio::time::sleep(INTERVAL).await;
            status = now();
        }
        if watched.last.is_some() {
            tokio::time::sleep(INTERVAL).await;
        }
        watched.is_over = status.phase.is_over();
        let name = if watched.is_over { "over" } else { "status" };
        let event = Event::default().event(name).json_data(&status);
        watched.last = Some(status);
        Some((event, watched))
    });
    Ok(Sse::new(events))
}

/// Sends the file of a finished job.
pub(super) async fn file(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let job = find(&app, &id)?;
    let download = job.result().and_then(|result| result.download.as_ref());
    sent_download(download).await
}

/// Sends one of the files of a finished job.
pub(super) async fn named_file(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let job = find(&app, &id)?;
    let mut files = job.result().into_iter().flat_map(|result| &result.files);
    sent_download(files.find(|file| file.name == name)).await
}

async fn sent_download(download: Option<&Download>) -> Result<Response, Refusal> {
    let missing = || Refusal::missing("file");
    let download = download.ok_or_else(missing)?;
    let path = download.path.to_path_buf();
    let opened = on_disk(move || {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    });
    let (file, length) = opened.await.map_err(|_| missing())?;
    let is_page = download.is_page;
    let how = if is_page { "inline" } else { "attachment" };
    let disposition = format!("{how}; filename=\"{}\"", download.name);
    let media_type = download.media_type;
    Ok(sent(file, length, media_type, &disposition, is_page))
}

/// Sends a table of a finished job.
pub(super) async fn table(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let job = find(&app, &id)?;
    let mut tables = job.result().into_iter().flat_map(|result| &result.tables);
    let table = tables.find(|(of, _)| format!("{of}.csv") == name);
    let (of, table) = table.ok_or_else(|| Refusal::missing("table"))?;
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{of}.csv\""),
        ),
    ];
    Ok((headers, table.clone()).into_response())
}

/// The answer that sends a file in pieces.
pub(super) fn sent(
    file: File,
    length: u64,
    media_type: &'static str,
    disposition: &str,
    is_page: bool,
) -> Response {
    let pieces = unfold(Some(file), |file| async move {
        let mut file = file?;
        let read = on_disk(move || {
            let mut piece = vec![0; PIECE];
            let read = file.read(&mut piece)?;
            piece.truncate(read);
            Ok((piece, file))
        });
        match read.await {
            Ok((piece, _)) if piece.is_empty() => None,
            Ok((piece, file)) => Some((Ok(piece), Some(file))),
            Err(error) => Some((Err(error), None)),
        }
    });
    let mut response = (StatusCode::OK, Body::from_stream(pieces)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    if let Ok(disposition) = HeaderValue::from_str(disposition) {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    if is_page {
        headers.insert(CONTENT_SECURITY_POLICY, PAGE_POLICY);
    }
    response
}
