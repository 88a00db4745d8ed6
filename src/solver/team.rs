//! Solving on all cores.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::one_thread::{Solver, trick_table};
use crate::bridge::{Deal, Seat, Strain, TrickTable};
use crate::error::Error;
use crate::language::AskedTricks;
use crate::observer::Observer;

/// Size of a thread's stack in bytes: the search needs several MiB.
pub(super) const STACK: usize = 16 << 20;

/// Longest wait for a deal before the caller can ask whether it should stop.
const PATIENCE: Duration = Duration::from_millis(20);

/// Threads that solve deals, each with a solver of its own.
///
/// The tricks of a deal do not depend on the deals that a solver has seen before. Nobody waits for
/// the threads of a team that is dropped: a search cannot be interrupted, and a strain of a hard deal
/// takes 0.4 s. Each of them ends when it has solved its strain.
#[derive(Debug)]
pub struct SolverTeam {
    queue: Sender<DealStrain>,
    solved: Receiver<SolvedStrain>,
    threads: usize,
    /// Number of deals submitted.
    submitted: u64,
    /// Deals that have not been taken.
    unfinished: BTreeMap<u64, PartTable>,
}

/// A strain of a submitted deal.
struct DealStrain {
    number: u64,
    deal: Deal,
    strain: Strain,
    asked: Arc<AskedTricks>,
}

/// The tricks of a strain of a submitted deal, or the panic of the solver.
type SolvedStrain = Result<(u64, Strain, [u8; 4]), Box<dyn Any + Send>>;

/// The table of a deal whose strains are being solved.
#[derive(Debug, Default)]
struct PartTable {
    tricks: [[u8; 4]; Strain::COUNT],
    /// Number of strains that are not yet solved.
    left: usize,
}

impl SolverTeam {
    /// Starts this number of threads. Each takes at most 150 MB of memory.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn new(threads: usize) -> Result<Self, Error> {
        let threads = threads.max(1);
        let (queue, strains) = mpsc::channel();
        let (finished, solved) = mpsc::channel();
        let strains = Arc::new(Mutex::new(strains));
        for _ in 0..threads {
            let (strains, finished) = (Arc::clone(&strains), finished.clone());
            let thread = thread::Builder::new()
                .name("solver".to_owned())
                .stack_size(STACK);
            thread
                .spawn(move || solve_all(&strains, &finished))
                .map_err(|error| Error::io(error).context("a thread cannot be started"))?;
        }
        Ok(Self {
            queue,
            solved,
            threads,
            submitted: 0,
            unfinished: BTreeMap::new(),
        })
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Submits a deal, and returns its number for [`SolverTeam::take`].
    pub(crate) fn submit(&mut self, deal: Deal, asked: &Arc<AskedTricks>) -> u64 {
        let number = self.submitted;
        self.submitted += 1;
        let mut table = PartTable::default();
        let is_asked = |strain: &Strain| Seat::ALL.iter().any(|seat| asked.has(*seat, *strain));
        for strain in Strain::ALL.into_iter().filter(is_asked) {
            table.left += 1;
            let asked = Arc::clone(asked);
            let strain = DealStrain {
                number,
                deal,
                strain,
                asked,
            };
            self.queue.send(strain).expect("threads outlive their team");
        }
        self.unfinished.insert(number, table);
        number
    }

    /// Takes the table of a submitted deal, or returns `None` after a short wait, in which the deal
    /// was not solved. Tricks that are not asked are 0.
    ///
    /// All twenty numbers of a deal take about 0.2 s of processor time, one about 0.02 s.
    ///
    /// # Panics
    ///
    /// If the deal has been taken already, or the solver panicked.
    pub(crate) fn take(&mut self, number: u64) -> Option<TrickTable> {
        let end = Instant::now() + PATIENCE;
        while self.unfinished[&number].left > 0 {
            let patience = end.saturating_duration_since(Instant::now());
            let (number, strain, tricks) = match self.solved.recv_timeout(patience) {
                Ok(solved) => solved.unwrap_or_else(|panic| resume_unwind(panic)),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => unreachable!("threads outlive their team"),
            };
            let table = self.unfinished.get_mut(&number);
            let table = table.expect("a deal is taken when all its strains are solved");
            table.tricks[strain.index()] = tricks;
            table.left -= 1;
        }
        let table = self.unfinished.remove(&number);
        table.map(|table| trick_table(&table.tricks))
    }

    /// Returns the table of each deal, in the order of the deals, or `None` if the observer asked to
    /// stop. Tricks that are not asked are 0.
    #[must_use]
    pub fn solve(
        &mut self,
        deals: &[Deal],
        asked: &AskedTricks,
        observer: &dyn Observer,
    ) -> Option<Vec<TrickTable>> {
        let asked = Arc::new(asked.clone());
        let submitted = deals.iter().map(|deal| self.submit(*deal, &asked));
        let submitted: Vec<u64> = submitted.collect();
        let mut wait = |number| {
            while !observer.is_stop_asked() {
                if let Some(table) = self.take(number) {
                    return Some(table);
                }
            }
            None
        };
        submitted.into_iter().map(&mut wait).collect()
    }
}

/// Solves strains of the queue until the team is dropped.
fn solve_all(strains: &Mutex<Receiver<DealStrain>>, finished: &Sender<SolvedStrain>) {
    let mut solver = Solver::new();
    let next = || {
        let strains = strains.lock().unwrap_or_else(PoisonError::into_inner);
        strains.recv().ok()
    };
    while let Some(next) = next() {
        let tricks = || solver.tricks(&next.deal, next.strain, &next.asked);
        let solved = catch_unwind(AssertUnwindSafe(tricks));
        let solved = solved.map(|tricks| (next.number, next.strain, tricks));
        if finished.send(solved).is_err() {
            return;
        }
    }
}
