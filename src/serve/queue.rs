//! The queue of jobs and the threads that do them.
//!
//! Runs take hours and everything else takes seconds, so runs have a lane and a worker of their
//! own. A full lane refuses jobs; finished jobs are kept up to a number and a size.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::host::IS_SERVER;
use super::jobs::{Job, JobFailure, JobKind, JobPhase, JobResult, lock};
use super::limits::Limits;
use super::refusal::Refusal;
use crate::error::Error;

/// What a job does. It is dropped if the job is stopped before it begins.
pub(super) type Work = Box<dyn FnOnce(&Arc<Job>) -> Result<JobResult, Error> + Send>;

/// A lane of the queue.
#[derive(Default)]
struct Lane {
    waiting: Mutex<LaneState>,
    changed: Condvar,
}

#[derive(Default)]
struct LaneState {
    jobs: VecDeque<(Arc<Job>, Work)>,
    is_closed: bool,
}

/// The jobs of a server.
pub(super) struct Queue {
    /// Runs.
    long: Arc<Lane>,
    /// Everything else.
    short: Arc<Lane>,
    /// All jobs that are known, the oldest first.
    known: Mutex<VecDeque<Arc<Job>>>,
    workers: Mutex<Vec<JoinHandle<()>>>,
    most_waiting: usize,
    most_of_visitor: usize,
    most_kept: (usize, usize),
}

impl Queue {
    /// Starts workers: `short` of them, and one for runs. Without threads, jobs are done when they
    /// are submitted.
    pub(super) fn start(short: usize, limits: &Limits) -> Result<Self, Error> {
        let queue = Self {
            long: Arc::default(),
            short: Arc::default(),
            known: Mutex::default(),
            workers: Mutex::default(),
            most_waiting: limits.waiting,
            most_of_visitor: limits.waiting_each,
            most_kept: (limits.kept_jobs, limits.kept_bytes),
        };
        let lanes = std::iter::repeat_n(&queue.short, short).chain([&queue.long]);
        for lane in lanes.filter(|_| IS_SERVER) {
            let lane = Arc::clone(lane);
            let worker = thread::Builder::new().name("job".to_owned());
            let worker = worker.spawn(move || lane.work()).map_err(Error::io)?;
            lock(&queue.workers).push(worker);
        }
        Ok(queue)
    }

    fn lane(&self, kind: JobKind) -> &Lane {
        match kind {
            JobKind::Run => &self.long,
            _ => &self.short,
        }
    }

    /// Adds a job to its lane.
    pub(super) fn submit(&self, job: Job, work: Work) -> Result<Arc<Job>, Refusal> {
        let job = Arc::new(job);
        let lane = self.lane(job.order.kind);
        let mut waiting = lock(&lane.waiting);
        waiting.jobs.retain(|(job, _)| !job.phase().is_over());
        if waiting.is_closed {
            return Err(Refusal::busy("the server is stopping: start it again"));
        }
        if waiting.jobs.len() >= self.most_waiting {
            return Err(Refusal::busy(
                "too many jobs are waiting: try again when some are done",
            ));
        }
        let of_visitor = |(of, _): &&(Arc<Job>, Work)| of.order.visitor == job.order.visitor;
        if waiting.jobs.iter().filter(of_visitor).count() >= self.most_of_visitor {
            return Err(Refusal::busy(
                "too many of your jobs are waiting: try again when some are done",
            ));
        }
        // Known before a worker can finish it.
        lock(&self.known).push_back(Arc::clone(&job));
        waiting.jobs.push_back((Arc::clone(&job), work));
        drop(waiting);
        lane.changed.notify_one();
        self.forget_old();
        tracing::info!(target: "serve", job = job.id, kind = ?job.order.kind, "queued");
        if !IS_SERVER
            && let Some((job, work)) = lane.next()
            && job.begin()
        {
            perform(&job, work);
        }
        Ok(job)
    }

    /// Forgets the oldest finished jobs beyond the limits.
    fn forget_old(&self) {
        let mut known = lock(&self.known);
        let (most, most_bytes) = self.most_kept;
        let mut bytes: usize = known.iter().map(|job| job.kept_bytes()).sum();
        let mut over = known.len().saturating_sub(most);
        let mut forgotten = Vec::new();
        known.retain(|job| {
            let is_old = job.phase().is_over() && (over > 0 || bytes > most_bytes);
            if is_old {
                over = over.saturating_sub(1);
                bytes -= job.kept_bytes().min(bytes);
                forgotten.push(Arc::clone(job));
            }
            !is_old
        });
        drop(known);
        // Their files are removed outside the lock.
        drop(forgotten);
    }

    /// The job of this name.
    pub(super) fn job(&self, id: &str) -> Option<Arc<Job>> {
        let known = lock(&self.known);
        known.iter().rev().find(|job| job.id == id).cloned()
    }

    /// Jobs that are not over, of this kind.
    pub(super) fn unfinished(&self, kind: JobKind) -> Vec<Arc<Job>> {
        let known = lock(&self.known);
        let unfinished = known
            .iter()
            .filter(|job| job.order.kind == kind && !job.phase().is_over());
        unfinished.cloned().collect()
    }

    /// Number of jobs before this one in its lane.
    pub(super) fn ahead(&self, job: &Job) -> usize {
        let waiting = lock(&self.lane(job.order.kind).waiting);
        let place = waiting.jobs.iter().position(|(of, _)| of.id == job.id);
        place.unwrap_or(0)
    }

    /// Number of the jobs that are kept in this phase.
    pub(super) fn count(&self, phase: JobPhase) -> u64 {
        let known = lock(&self.known);
        known.iter().filter(|job| job.phase() == phase).count() as u64
    }

    /// Asks all jobs to stop, and takes no more.
    pub(super) fn close(&self) {
        for lane in [&self.long, &self.short] {
            lock(&lane.waiting).is_closed = true;
            lane.changed.notify_all();
        }
        for job in lock(&self.known).iter() {
            job.stop();
        }
    }

    /// Waits until the workers have ended.
    pub(super) fn join(&self) {
        let workers = std::mem::take(&mut *lock(&self.workers));
        for worker in workers {
            // Panics of jobs are caught; the worker itself cannot fail.
            let _ = worker.join();
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.close();
    }
}

impl Lane {
    /// Does jobs until the lane is closed.
    fn work(&self) {
        yield_to_answers();
        while let Some((job, work)) = self.next() {
            if job.begin() {
                perform(&job, work);
            }
        }
    }

    fn next(&self) -> Option<(Arc<Job>, Work)> {
        let mut waiting = lock(&self.waiting);
        loop {
            if let Some(next) = waiting.jobs.pop_front() {
                return Some(next);
            }
            if waiting.is_closed {
                return None;
            }
            let woken = self.changed.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Steps by which the threads of jobs, and those that they start, come after the thread that
/// answers requests.
#[cfg(target_os = "linux")]
const NICER: i32 = 5;

/// Lets the thread that answers requests come before this one. On Linux, each thread has a
/// priority of its own.
fn yield_to_answers() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICER) {
        tracing::debug!(target: "serve", %error, "jobs keep their priority");
    }
}

/// Does a job and keeps its result.
fn perform(job: &Arc<Job>, work: Work) {
    tracing::info!(target: "serve", job = job.id, "begun");
    let done = catch_unwind(AssertUnwindSafe(|| work(job)));
    let ended = match done {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) => {
            tracing::info!(target: "serve", job = job.id, %error, "failed");
            Err(JobFailure::from(&error))
        }
        Err(_) => Err("the work ended by a fault of the program: please report it".into()),
    };
    job.end(ended);
    let seconds = job.seconds();
    tracing::info!(target: "serve", job = job.id, seconds, phase = ?job.phase(), "ended");
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::serve::jobs::JobOrder;
    use crate::serve::origin::Visitor;

    fn job(name: &str) -> Job {
        job_of(name, "127.0.0.1")
    }

    /// A job of the visitor at this address.
    fn job_of(name: &str, address: &str) -> Job {
        let order = JobOrder {
            kind: JobKind::Audit,
            subject: name.to_owned(),
            form: "/audit".to_owned(),
            resumes: None,
            visitor: Visitor::of(address.parse().expect("an address")),
        };
        Job::new(name.to_owned(), order, Duration::from_secs(60), None)
    }

    fn wait(job: &Job) {
        let begun = Instant::now();
        while !job.phase().is_over() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_full_lane_refuses_and_stopped_jobs_make_room() {
        let limits = Limits {
            waiting: 2,
            ..Limits::default()
        };
        let queue = Queue::start(1, &limits).expect("threads");
        let (sender, blocked) = mpsc::channel::<()>();
        let first = queue.submit(
            job("first"),
            Box::new(move |_| {
                let _ = blocked.recv();
                Ok(JobResult::default())
            }),
        );
        let first = first.expect("room");
        while first.phase() == JobPhase::Queued {
            thread::sleep(Duration::from_millis(1));
        }
        let quick = || -> Work { Box::new(|_| Ok(JobResult::default())) };
        let second = queue.submit(job("second"), quick()).expect("room");
        let third = queue.submit(job("third"), quick()).expect("room");
        assert_eq!(queue.ahead(&third), 1);
        let refused = queue.submit(job("fourth"), quick()).expect_err("full");
        assert_eq!(refused.into_parts().0.as_u16(), 503);
        second.stop();
        assert_eq!(second.phase(), JobPhase::Stopped);
        let fourth = queue.submit(job("fourth"), quick()).expect("room");
        drop(sender);
        wait(&fourth);
        assert_eq!(third.phase(), JobPhase::Done);
        assert_eq!(second.phase(), JobPhase::Stopped);
        queue.close();
        queue.join();
        assert!(queue.submit(job("late"), quick()).is_err());
    }

    // One visitor took the whole queue, and others were refused.
    #[test]
    fn a_visitor_has_a_share_of_the_queue() {
        let limits = Limits {
            waiting: 5,
            waiting_each: 2,
            ..Limits::default()
        };
        let queue = Queue::start(1, &limits).expect("threads");
        let (sender, blocked) = mpsc::channel::<()>();
        let first = queue.submit(
            job("first"),
            Box::new(move |_| {
                let _ = blocked.recv();
                Ok(JobResult::default())
            }),
        );
        let first = first.expect("room");
        while first.phase() == JobPhase::Queued {
            thread::yield_now();
        }
        let asked = |address: &str| {
            let work: Work = Box::new(|_| Ok(JobResult::default()));
            match queue.submit(job_of("waits", address), work) {
                Ok(_) => 0,
                Err(refusal) => refusal.into_parts().0.as_u16(),
            }
        };
        let of_one = [(); 4].map(|()| asked("10.0.0.1"));
        assert_eq!(of_one, [0, 0, 503, 503]);
        assert_eq!([(); 3].map(|()| asked("10.0.0.2")), [0, 0, 503]);
        assert_eq!([(); 2].map(|()| asked("10.0.0.3")), [0, 503]);
        drop(sender);
        queue.close();
        queue.join();
    }

    #[test]
    fn a_panic_is_a_failure_of_its_job_alone() {
        let queue = Queue::start(1, &Limits::default()).expect("threads");
        let broken = queue.submit(job("broken"), Box::new(|_| panic!("a fault")));
        let broken = broken.expect("room");
        let sound = queue.submit(job("sound"), Box::new(|_| Ok(JobResult::default())));
        let sound = sound.expect("room");
        wait(&sound);
        assert_eq!(broken.phase(), JobPhase::Failed);
        assert_eq!(sound.phase(), JobPhase::Done);
        queue.close();
        queue.join();
    }

    #[test]
    fn the_oldest_results_are_forgotten() {
        let limits = Limits {
            kept_jobs: 2,
            ..Limits::default()
        };
        let queue = Queue::start(1, &limits).expect("threads");
        for name in ["a", "b", "c", "d"] {
            let work: Work = Box::new(|_| Ok(JobResult::default()));
            wait(&queue.submit(job(name), work).expect("room"));
        }
        queue.forget_old();
        let known = ["a", "b", "c", "d"].map(|name| queue.job(name).is_some());
        assert_eq!(known, [false, false, true, true]);
        queue.close();
        queue.join();
    }
}
