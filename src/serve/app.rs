//! What all handlers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::guard::Access;
use super::jobs::{Job, JobKind};
use super::limits::Limits;
use super::queue::{Queue, Work};
use super::refusal::Refusal;
use super::shelf::Shelf;
use super::uploads::UploadStore;
use crate::error::Error;
use crate::population::Listings;
use crate::tasks::BatteryRequest;

/// Time that a page waits for a job that may be quick.
const PATIENCE: Duration = Duration::from_millis(1_000);

/// The parts of a server.
pub(super) struct Parts {
    pub(super) access: Access,
    pub(super) limits: Limits,
    pub(super) shelf: Shelf,
    pub(super) uploads: UploadStore,
    pub(super) queue: Queue,
    pub(super) listings: Listings,
    /// Threads of a job.
    pub(super) threads: usize,
    pub(super) started: Instant,
    pub(super) connections: AtomicUsize,
    pub(super) watchers: Arc<AtomicUsize>,
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

    pub(super) fn connections(&self) -> &AtomicUsize {
        &self.0.connections
    }

    /// Counts an open stream of events; `None` if there are too many.
    pub(super) fn watch(&self) -> Option<Watching> {
        let before = self.0.watchers.fetch_add(1, Ordering::Relaxed);
        let watching = Watching(Arc::clone(&self.0.watchers));
        (before < self.0.limits.watchers).then_some(watching)
    }

    /// The default tests, on the threads of a job.
    pub(super) fn battery(&self) -> BatteryRequest {
        BatteryRequest {
            threads: Some(self.0.threads),
            ..BatteryRequest::default()
        }
    }

    /// Adds a job to the queue.
    pub(super) fn submit(
        &self,
        kind: JobKind,
        subject: String,
        work: Work,
    ) -> Result<Arc<Job>, Refusal> {
        let limits = self.limits();
        let time = match kind {
            JobKind::Audit | JobKind::Comparison => limits.audit_time,
            JobKind::Deal | JobKind::Theory => limits.deal_time,
            JobKind::Run => limits.run_time,
        };
        let job = Job::new(fresh_id()?, kind, subject, time);
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

/// An open stream of events.
#[derive(Debug)]
pub(super) struct Watching(Arc<AtomicUsize>);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A name that no other client can guess.
pub(super) fn fresh_id() -> Result<String, Refusal> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| Refusal::from(Error::io(error.to_string())))?;
    Ok(format!("{:016x}", u64::from_be_bytes(bytes)))
}
