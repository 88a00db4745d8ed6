//! Threads with a solver each.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::one_thread::Solver;
use crate::bridge::Deal;
use crate::error::Error;
use fairdeal_base::threads::ARE_SUPPORTED;

/// Size of a thread's stack in bytes: the search needs several MiB.
const STACK: usize = 16 << 20;

/// Longest wait for a result before the caller can ask whether it should stop.
pub(super) const PATIENCE: Duration = Duration::from_millis(20);

/// What a thread does with its solver.
type SolverJob<T> = Box<dyn FnOnce(&mut Solver) -> T + Send>;

/// Threads that do what is submitted, each with a solver of its own.
///
/// Nobody waits for them when this is dropped: a search cannot be interrupted, and a strain of a hard
/// deal takes 0.4 s. Each thread ends after what it is doing. On systems without threads, the caller
/// does a job whenever it asks for a result.
#[derive(Debug)]
pub struct SolverThreads<T> {
    queue: Sender<SolverJob<T>>,
    results: Receiver<thread::Result<T>>,
    number: usize,
    /// The calling thread, if it is the only one.
    caller: Option<Mutex<SolverThread<T>>>,
}

/// A thread with its solver.
#[derive(Debug)]
struct SolverThread<T> {
    solver: Solver,
    jobs: Arc<Mutex<Receiver<SolverJob<T>>>>,
    finished: Sender<thread::Result<T>>,
}

impl<T: Send + 'static> SolverThreads<T> {
    /// Starts this number of threads, at least one. Each takes at most 150 MB of memory.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn start(number: usize) -> Result<Self, Error> {
        let number = number.max(1);
        let (queue, jobs) = mpsc::channel();
        let (finished, results) = mpsc::channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let solver_thread = || SolverThread {
            solver: Solver::new(),
            jobs: Arc::clone(&jobs),
            finished: finished.clone(),
        };
        if !ARE_SUPPORTED {
            return Ok(Self {
                queue,
                results,
                number: 1,
                caller: Some(Mutex::new(solver_thread())),
            });
        }
        for _ in 0..number {
            let mut solver_thread = solver_thread();
            let thread = thread::Builder::new()
                .name("solver".to_owned())
                .stack_size(STACK);
            thread
                .spawn(move || while solver_thread.work() {})
                .map_err(|error| Error::io(error).context("a thread cannot be started"))?;
        }
        Ok(Self {
            queue,
            results,
            number,
            caller: None,
        })
    }

    /// Number of threads.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Submits a job, to be done after those before it.
    pub(super) fn submit(&self, job: impl FnOnce(&mut Solver) -> T + Send + 'static) {
        let sent = self.queue.send(Box::new(job));
        sent.expect("threads outlive their queue");
    }

    /// The next result, in any order; `None` if there is none until `end`.
    ///
    /// # Panics
    ///
    /// If a job panicked.
    pub(super) fn result(&self, end: Instant) -> Option<T> {
        if let Some(caller) = &self.caller {
            caller.lock().unwrap_or_else(PoisonError::into_inner).work();
        }
        let patience = end.saturating_duration_since(Instant::now());
        match self.results.recv_timeout(patience) {
            Ok(result) => Some(result.unwrap_or_else(|panic| resume_unwind(panic))),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("threads outlive their queue"),
        }
    }
}

impl<T: Send + 'static> SolverThreads<(usize, T)> {
    /// The result of `solve` for each deal, in their order; once `is_over`, for the deals before the
    /// first that is not solved, and these threads are of no more use.
    pub fn solve(
        &self,
        deals: &[Deal],
        solve: &Arc<impl Fn(&mut Solver, &Deal) -> T + Send + Sync + 'static>,
        is_over: impl Fn() -> bool,
    ) -> Vec<T> {
        for (place, deal) in deals.iter().copied().enumerate() {
            let solve = Arc::clone(solve);
            self.submit(move |solver| (place, solve(solver, &deal)));
        }
        let mut solved: Vec<Option<T>> = deals.iter().map(|_| None).collect();
        let mut left = deals.len();
        while left > 0 {
            let patience = if is_over() { Duration::ZERO } else { PATIENCE };
            match self.result(Instant::now() + patience) {
                Some((place, result)) => {
                    solved[place] = Some(result);
                    left -= 1;
                }
                None if patience.is_zero() => break,
                None => {}
            }
        }
        solved.into_iter().map_while(|result| result).collect()
    }
}

impl<T> SolverThread<T> {
    /// Waits for a job and does it; returns false if nobody takes its result.
    fn work(&mut self) -> bool {
        let job = self
            .jobs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(job) = job else { return false };
        let result = catch_unwind(AssertUnwindSafe(|| job(&mut self.solver)));
        self.finished.send(result).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::leads::tests::deals;

    #[test]
    fn a_stop_keeps_the_deals_before_it() {
        let deals = deals(9);
        // The fifth deal is not solved before the test ends.
        let (end, is_at_end) = mpsc::channel::<()>();
        let (begun, is_at_end) = (Arc::new(AtomicUsize::new(0)), Mutex::new(is_at_end));
        let counted = Arc::clone(&begun);
        let solve = Arc::new(move |_: &mut Solver, _: &Deal| {
            let before = counted.fetch_add(1, Ordering::SeqCst);
            if before == 4 {
                let _ = is_at_end.lock().unwrap().recv();
            }
            before
        });
        let threads = SolverThreads::start(1).expect("a thread");
        let solved = threads.solve(&deals, &solve, || begun.load(Ordering::SeqCst) == 5);
        assert_eq!(solved, [0, 1, 2, 3]);
        drop(end);
    }
}
