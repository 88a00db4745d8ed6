//! Jobs: what the server works on, their state and their results.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::origin::{Visit, Visitor};
use super::remedies;
use super::uploads::{Space, UploadStore};
use crate::battery::Level;
use crate::error::Error;
use crate::language::ConditionError;
use crate::observer::Stage;

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    Audit,
    Deal,
    Conversion,
    Verification,
    Theory,
    /// A table of leads or contracts.
    Candidates,
    Run,
    Comparison,
}

impl JobKind {
    /// The name, and the address of the page where such jobs start.
    pub(super) fn page(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Deal => "deal",
            Self::Conversion => "convert",
            Self::Verification => "tournament",
            Self::Theory => "theory",
            Self::Candidates => "leads",
            Self::Run | Self::Comparison => "runs",
        }
    }

    /// What the job is called on its page.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Audit => "Audit",
            Self::Deal => "Set of boards",
            Self::Conversion => "Converted boards",
            Self::Verification => "Tournament",
            Self::Theory => "Exact tables",
            Self::Candidates => "Leads and contracts",
            Self::Run => "Run",
            Self::Comparison => "Comparison",
        }
    }
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum JobPhase {
    /// It waits for a worker.
    Queued,
    /// A worker does it.
    Working,
    /// It has a result.
    Done,
    /// It has none, because of the request or of the system.
    Failed,
    /// It was stopped before it had a result.
    Stopped,
}

impl JobPhase {
    /// Whether the state is final.
    pub(super) fn is_over(self) -> bool {
        !matches!(self, Self::Queued | Self::Working)
    }
}

/// Progress of a job.
#[derive(Clone, Debug, Default)]
pub(super) struct JobProgress {
    /// The stage; `None` before the first.
    pub(super) stage: Option<Stage>,
    pub(super) done: u64,
    pub(super) of: Option<u64>,
    /// Units that were done before the stage began.
    pub(super) begun_at: u64,
    pub(super) since: Option<Instant>,
    /// The evidence at the last look, and the verdict so far.
    pub(super) look: Option<(f64, &'static str)>,
    /// Warnings and notes, in their order.
    pub(super) notes: Vec<String>,
}

/// A file to download.
#[derive(Debug)]
pub(super) struct Download {
    /// Removed with the job.
    pub(super) path: tempfile::TempPath,
    pub(super) name: String,
    pub(super) media_type: &'static str,
    /// Whether browsers show it instead of saving it.
    pub(super) is_page: bool,
    /// Its place among the stored bytes.
    _space: Space,
}

impl Download {
    /// A temporary file to be saved under this name.
    pub(super) fn new(
        uploads: &UploadStore,
        path: tempfile::TempPath,
        name: &str,
        media_type: &'static str,
    ) -> Result<Self, Error> {
        let mut space = uploads.space();
        let size = path.metadata().map_err(Error::io)?.len();
        if !uploads.grow(&mut space, size) {
            return Err(Error::io(
                "too many files are kept: try again when some are removed",
            ));
        }
        Ok(Self {
            path,
            name: header_name(name),
            media_type,
            is_page: false,
            _space: space,
        })
    }
}

/// A file's name as a header can have it.
pub(super) fn header_name(name: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_. ".contains(letter);
    let plain = |letter| if is_plain(letter) { letter } else { '_' };
    name.chars().map(plain).collect()
}

/// The result of a job.
#[derive(Debug, Default)]
pub(super) struct JobResult {
    /// The verdict, where there is one.
    pub(super) level: Option<Level>,
    /// The result as HTML.
    pub(super) html: String,
    /// The report's name on the shelf.
    pub(super) report: Option<String>,
    pub(super) download: Option<Download>,
    /// Files that the result itself links to.
    pub(super) files: Vec<Download>,
    /// Tables as CSV, by name.
    pub(super) tables: Vec<(String, Vec<u8>)>,
}

/// Why a job has no result.
#[derive(Clone, Debug)]
pub(super) struct JobFailure {
    pub(super) message: String,
    /// The place in the condition, with carets; empty without one.
    pub(super) place: String,
}

impl From<String> for JobFailure {
    fn from(message: String) -> Self {
        let place = String::new();
        Self { message, place }
    }
}

impl From<&str> for JobFailure {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<Error> for JobFailure {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl From<&Error> for JobFailure {
    fn from(error: &Error) -> Self {
        let place = error.cause::<ConditionError>();
        Self {
            message: error.told(remedies::words),
            place: place.map_or_else(String::new, |error| error.told(false, remedies::words)),
        }
    }
}

/// What a visitor asks for.
#[derive(Debug)]
pub(super) struct JobOrder {
    pub(super) kind: JobKind,
    /// What it is about: names of files, a condition.
    pub(super) subject: String,
    /// The address of its form, filled in.
    pub(super) form: String,
    /// The report that a run resumes.
    pub(super) resumes: Option<String>,
    pub(super) visitor: Visitor,
}

impl JobOrder {
    /// An order that does not resume a run.
    pub(super) fn new(kind: JobKind, subject: String, form: String, visit: Visit) -> Self {
        Self {
            kind,
            subject,
            form,
            resumes: None,
            visitor: visit.visitor,
        }
    }
}

/// Takes the status of a job as JSON while the job is done, and returns whether it should go on.
pub type Watch = fn(&str) -> bool;

/// Interval at which a job is watched.
const WATCHED: Duration = Duration::from_millis(500);

/// A job.
pub(super) struct Job {
    pub(super) id: String,
    pub(super) order: JobOrder,
    /// Time after which it is stopped.
    time: Duration,
    begun: OnceLock<Instant>,
    is_stop_asked: AtomicBool,
    phase: Mutex<JobPhase>,
    ended: OnceLock<Result<JobResult, JobFailure>>,
    progress: Mutex<JobProgress>,
    watch: Option<Watch>,
    /// Time from the beginning to the last status that was watched.
    watched: Mutex<Duration>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("id", &self.id)
            .field("kind", &self.order.kind)
            .finish_non_exhaustive()
    }
}

/// Locks a value; a worker that panicked leaves it as it is.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    /// A job that waits.
    pub(super) fn new(id: String, order: JobOrder, time: Duration, watch: Option<Watch>) -> Self {
        Self {
            id,
            order,
            time,
            begun: OnceLock::new(),
            is_stop_asked: AtomicBool::new(false),
            phase: Mutex::new(JobPhase::Queued),
            ended: OnceLock::new(),
            progress: Mutex::default(),
            watch,
            watched: Mutex::default(),
        }
    }

    /// Asks the job to stop. One that waits never begins.
    pub(super) fn stop(&self) {
        self.is_stop_asked.store(true, Ordering::Relaxed);
        let mut phase = lock(&self.phase);
        if *phase == JobPhase::Queued {
            *phase = JobPhase::Stopped;
        }
    }

    /// Whether the job should stop: it was asked to, or its time is over.
    pub(super) fn is_stop_asked(&self) -> bool {
        let is_late = || {
            self.begun
                .get()
                .is_some_and(|begun| begun.elapsed() >= self.time)
        };
        self.is_stop_asked.load(Ordering::Relaxed) || is_late()
    }

    /// What takes the status now, if it is time to.
    pub(super) fn watch(&self) -> Option<Watch> {
        let watch = self.watch?;
        let now = self.begun.get()?.elapsed();
        let mut watched = lock(&self.watched);
        let is_due = now >= *watched + WATCHED;
        is_due.then(|| {
            *watched = now;
            watch
        })
    }

    /// Begins the job, unless it was stopped before.
    pub(super) fn begin(&self) -> bool {
        let mut phase = lock(&self.phase);
        let is_begun = *phase == JobPhase::Queued;
        if is_begun {
            *phase = JobPhase::Working;
            // A job begins once.
            let _ = self.begun.set(Instant::now());
        }
        is_begun
    }

    /// Ends the job.
    pub(super) fn end(&self, ended: Result<JobResult, JobFailure>) {
        let phase = match ended {
            Ok(_) => JobPhase::Done,
            Err(_) => JobPhase::Failed,
        };
        // A job ends once.
        let _ = self.ended.set(ended);
        *lock(&self.phase) = phase;
    }

    pub(super) fn phase(&self) -> JobPhase {
        *lock(&self.phase)
    }

    /// Size of what is kept of it, in bytes.
    pub(super) fn kept_bytes(&self) -> usize {
        self.result().map_or(0, |result| {
            let tables = result.tables.iter().map(|(_, table)| table.len());
            result.html.len() + tables.sum::<usize>()
        })
    }

    /// The result, if there is one.
    pub(super) fn result(&self) -> Option<&JobResult> {
        self.ended.get()?.as_ref().ok()
    }

    /// The reason of a failure; `None` for other jobs.
    pub(super) fn failure(&self) -> Option<&JobFailure> {
        self.ended.get()?.as_ref().err()
    }

    /// Changes the progress.
    pub(super) fn progress(&self) -> MutexGuard<'_, JobProgress> {
        lock(&self.progress)
    }

    /// Seconds since a worker began it.
    pub(super) fn seconds(&self) -> f64 {
        let begun = self.begun.get();
        begun.map_or(0.0, |begun| begun.elapsed().as_secs_f64())
    }
}
