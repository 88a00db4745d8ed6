//! What all handlers share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::counter::{Open, OpenCounter};
use super::guard::Access;
use super::jobs::{Job, JobKind, JobOrder};
use super::limits::Limits;
use super::queue::{Queue, Work};
use super::refusal::Refusal;
use super::shelf::Shelf;
use super::uploads::UploadStore;
use crate::error::Error;
use crate::population::Listings;
use crate::tasks::BatteryRequest;
use crate::threads::Threads;

/// Time that a page waits for a job that may be quick.
const PATIENCE: Duration = Duration::from_millis(1_000);

/// Bytes of randomness in the name of a job.
const JOB_BYTES: usize = 8;

/// The parts of a server.
pub(super) struct Parts {
    pub(super) access: Access,
    pub(super) limits: Limits,
    pub(super) shelf: Shelf,
    pub(super) uploads: UploadStore,
    pub(super) queue: Queue,
    pub(super) listings: Listings,
    /// Threads of a job.
    pub(super) threads: Threads,
    pub(super) started: Instant,
    pub(super) connections: OpenCounter,
    /// Streams of events.
    pub(super) watchers: OpenCounter,
    /// Conditions that are checked at once.
    pub(super) checks: Arc<tokio::sync::Semaphore>,
}

/// The server, as all handlers see it.
#[derive(Clone)]
pub(super) struct App(Arc<Parts>);

impl App {
    pub(super) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    pub(super) fn access(&self) -> &Access {
        &self.0.access
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(super) fn shelf(&self) -> &Shelf {
        &self.0.shelf
    }

    pub(super) fn uploads(&self) -> &UploadStore {
        &self.0.uploads
    }

    pub(super) fn queue(&self) -> &Queue {
        &self.0.queue
    }

    pub(super) fn listings(&self) -> &Listings {
        &self.0.listings
    }

    pub(super) fn checks(&self) -> &Arc<tokio::sync::Semaphore> {
        &self.0.checks
    }

    pub(super) fn started(&self) -> Instant {
        self.0.started
    }

    pub(super) fn connections(&self) -> &OpenCounter {
        &self.0.connections
    }

    /// Opens a stream of events; `None` if there are too many.
    pub(super) fn watch(&self) -> Option<Open> {
        self.0.watchers.open_within(self.0.limits.watchers)
    }

    /// The default tests, on the threads of a job.
    pub(super) fn battery(&self) -> BatteryRequest {
        BatteryRequest {
            threads: Some(self.0.threads),
            ..BatteryRequest::default()
        }
    }

    /// Adds a job to the queue.
    pub(super) fn submit(&self, order: JobOrder, work: Work) -> Result<Arc<Job>, Refusal> {
        let limits = self.limits();
        let time = match order.kind {
            JobKind::Audit | JobKind::Comparison => limits.audit_time,
            JobKind::Deal | JobKind::Theory => limits.deal_time,
            JobKind::Run => limits.run_time,
        };
        let job = Job::new(fresh_name::<JOB_BYTES>()?, order, time);
        self.queue().submit(job, work)
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
