//! What all handlers share.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{FromRequest as _, Multipart, Request};
use axum::http::header::CONTENT_LENGTH;
use tokio::sync::Semaphore;

use super::jobs::{Job, JobKind, JobOrder, JobResult, Watch};
use super::limits::Limits;
use super::origin::Access;
use super::queue::Queue;
use super::refusal::Refusal;
use super::shelf::Shelf;
use super::uploads::{Upload, UploadStore, too_large};
use crate::count::Count;
use crate::error::Error;
use crate::population::Listings;
use crate::tasks::BatteryRequest;
use crate::threads::Threads;

/// Time that a page waits for a job that may be quick.
const PATIENCE: Duration = Duration::from_millis(1_000);

/// Bytes of randomness in the name of a job.
const JOB_BYTES: usize = 8;

/// Conditions that are checked at once.
const CHECKS: usize = 2;

/// A number of jobs at once.
pub type JobsAtOnce = Count<1, 64>;

/// What the pages need.
#[derive(Clone, Debug)]
pub struct PagesRequest {
    /// The folder of reports.
    pub folder: PathBuf,
    /// Number of jobs at once, beside a run.
    pub jobs: JobsAtOnce,
    /// Number of threads of a job.
    pub threads: Threads,
    /// The limits.
    pub limits: Limits,
    /// What watches the jobs where no page can, because there is one thread.
    pub watch: Option<Watch>,
}

/// The parts of a server.
pub(super) struct AppParts {
    pub(super) access: Access,
    pub(super) limits: Limits,
    pub(super) shelf: Shelf,
    pub(super) uploads: UploadStore,
    pub(super) queue: Queue,
    pub(super) listings: Listings,
    /// Threads of a job.
    pub(super) threads: Threads,
    pub(super) started: Instant,
    watch: Option<Watch>,
    /// Places for connections.
    pub(super) connections: Arc<Semaphore>,
    /// Places for streams of events.
    pub(super) watchers: Arc<Semaphore>,
    /// Places for conditions that are checked.
    pub(super) checks: Arc<Semaphore>,
}

/// The server, as all handlers see it.
#[derive(Clone)]
pub(super) struct App(Arc<AppParts>);

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl App {
    /// Begins the folder of uploads and the workers.
    pub(super) fn start(
        request: &PagesRequest,
        listings: Listings,
        access: Access,
    ) -> Result<Self, Error> {
        let limits = request.limits.clone();
        Ok(Self(Arc::new(AppParts {
            access,
            shelf: Shelf::new(request.folder.clone()),
            uploads: UploadStore::new(&request.folder, &limits)?,
            queue: Queue::start(request.jobs.get() as usize, &limits)?,
            listings,
            threads: request.threads,
            started: Instant::now(),
            watch: request.watch,
            connections: Arc::new(Semaphore::new(limits.connections)),
            watchers: Arc::new(Semaphore::new(limits.watchers)),
            checks: Arc::new(Semaphore::new(CHECKS)),
            limits,
        })))
    }

    /// Number of open connections.
    pub(super) fn open_connections(&self) -> usize {
        self.limits.connections - self.connections.available_permits()
    }

    /// The default tests, on the threads of a job.
    pub(super) fn battery(&self) -> BatteryRequest {
        BatteryRequest {
            threads: Some(self.threads),
            ..BatteryRequest::default()
        }
    }

    /// Receives the files and fields of a form.
    pub(super) async fn receive(&self, request: Request) -> Result<Upload, Refusal> {
        let length = request.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        // The form around the files is small.
        if length.is_some_and(|length| length > self.limits.upload_bytes + (1 << 20)) {
            return Err(too_large(&self.limits));
        }
        let body = Multipart::from_request(request, &()).await;
        let body = body.map_err(|error| Refusal::bad(error.body_text()))?;
        self.uploads.receive(body, &self.limits).await
    }

    /// Adds a job to the queue.
    pub(super) fn submit(
        &self,
        order: JobOrder,
        work: impl FnOnce(&Self, &Arc<Job>) -> Result<JobResult, Error> + Send + 'static,
    ) -> Result<Arc<Job>, Refusal> {
        let time = match order.kind {
            JobKind::Audit | JobKind::Comparison | JobKind::Conversion | JobKind::Verification => {
                self.limits.audit_time
            }
            // Its deals end after that time, with the reason.
            JobKind::Candidates => self.limits.deal_time + Duration::from_secs(10),
            JobKind::Deal | JobKind::Theory => self.limits.deal_time,
            JobKind::Run => self.limits.run_time,
        };
        let job = Job::new(fresh_name::<JOB_BYTES>()?, order, time, self.watch);
        let app = self.clone();
        self.queue.submit(job, Box::new(move |job| work(&app, job)))
    }

    /// Waits a moment for a job that may be quick.
    pub(super) async fn wait_for(&self, job: &Job) -> bool {
        let until = tokio::time::Instant::now() + PATIENCE;
        while !job.phase().is_over() && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        job.phase().is_over()
    }
}

/// A name that no other client can guess: this number of bytes in hexadecimal digits.
pub(super) fn fresh_name<const BYTES: usize>() -> Result<String, Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| Error::io(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
