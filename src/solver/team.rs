//! Solving on all cores.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::one_thread::Solver;
use crate::bridge::{Deal, TrickTable};
use crate::error::Error;
use crate::language::AskedTricks;

/// Size of a thread's stack in bytes: the search needs several MiB.
const STACK: usize = 16 << 20;

/// Threads that solve deals, each with a solver of its own.
///
/// The tricks of a deal do not depend on the deals that a solver has seen before.
#[derive(Debug)]
pub struct SolverTeam {
    /// `None` when no more deals come.
    deals: Option<Sender<SubmittedDeal>>,
    solved: Receiver<(u64, Solved)>,
    threads: Vec<JoinHandle<()>>,
    /// Number of deals submitted.
    submitted: u64,
    /// Deals that were solved before they were taken.
    waiting: BTreeMap<u64, Solved>,
    /// Whether deals that nobody has begun are no longer wanted.
    is_over: Arc<AtomicBool>,
}

/// A deal to be solved.
struct SubmittedDeal {
    number: u64,
    deal: Deal,
    asked: Arc<AskedTricks>,
}

/// A table, or the panic of the solver.
type Solved = Result<TrickTable, Box<dyn Any + Send>>;

impl SolverTeam {
    /// Starts this number of threads. Each takes at most 160 MB of memory.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn new(threads: usize) -> Result<Self, Error> {
        let (deals, queue) = mpsc::channel::<SubmittedDeal>();
        let (finished, solved) = mpsc::channel();
        let queue = Arc::new(Mutex::new(queue));
        let is_over = Arc::new(AtomicBool::new(false));
        let start = |_| {
            let solver = Solver::new();
            let (queue, finished) = (Arc::clone(&queue), finished.clone());
            let is_over = Arc::clone(&is_over);
            let thread = thread::Builder::new()
                .name("solver".to_owned())
                .stack_size(STACK);
            let thread = thread.spawn(move || solve_all(solver, &queue, &finished, &is_over));
            thread.map_err(|error| Error::io(error).context("a thread cannot be started"))
        };
        let threads = (0..threads.max(1))
            .map(start)
            .collect::<Result<_, Error>>()?;
        Ok(Self {
            deals: Some(deals),
            solved,
            threads,
            submitted: 0,
            waiting: BTreeMap::new(),
            is_over,
        })
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Submits a deal, and returns its number for [`SolverTeam::take`].
    pub(crate) fn submit(&mut self, deal: Deal, asked: &Arc<AskedTricks>) -> u64 {
        let number = self.submitted;
        self.submitted += 1;
        let asked = Arc::clone(asked);
        let deals = self.deals.as_ref().expect("the team is at work");
        let submitted = SubmittedDeal {
            number,
            deal,
            asked,
        };
        deals
            .send(submitted)
            .expect("threads end after the last deal");
        number
    }

    /// Waits for the table of a submitted deal. Tricks that are not asked are 0.
    ///
    /// All twenty numbers of a deal take about 0.2 s of processor time, one about 0.02 s.
    ///
    /// # Panics
    ///
    /// If the deal has been taken already, or the solver panicked.
    pub(crate) fn take(&mut self, number: u64) -> TrickTable {
        assert!(number < self.submitted, "deal {number} was not submitted");
        let solved = loop {
            if let Some(solved) = self.waiting.remove(&number) {
                break solved;
            }
            let (number, solved) = self.solved.recv().expect("a deal is taken once");
            self.waiting.insert(number, solved);
        };
        solved.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Returns the table of each deal, in the order of the deals. Tricks that are not asked are 0.
    #[must_use]
    pub fn solve(&mut self, deals: &[Deal], asked: &AskedTricks) -> Vec<TrickTable> {
        let asked = Arc::new(asked.clone());
        let submitted = deals.iter().map(|deal| self.submit(*deal, &asked));
        let submitted: Vec<u64> = submitted.collect();
        let tables = submitted.into_iter().map(|number| self.take(number));
        tables.collect()
    }
}

impl Drop for SolverTeam {
    /// Waits until every thread has solved the deal that it has begun.
    fn drop(&mut self) {
        self.deals = None;
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A panic of the solver was passed on with its deal.
            let _ = thread.join();
        }
    }
}

/// Solves deals of the queue until there are no more.
fn solve_all(
    mut solver: Solver,
    queue: &Mutex<Receiver<SubmittedDeal>>,
    finished: &Sender<(u64, Solved)>,
    is_over: &AtomicBool,
) {
    let next = || {
        let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.recv().ok()
    };
    while let Some(next) = next() {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let table = || solver.table(&next.deal, &next.asked);
        let solved = catch_unwind(AssertUnwindSafe(table));
        if finished.send((next.number, solved)).is_err() {
            return;
        }
    }
}
