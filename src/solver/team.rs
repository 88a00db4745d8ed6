//! Solving on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Solver;
use crate::bridge::{Deal, TrickTable};
use crate::error::Error;
use crate::language::AskedTricks;

/// Solvers, one for each thread.
///
/// The tricks of a deal do not depend on the deals that a solver has seen before.
#[derive(Debug)]
pub struct SolverTeam {
    solvers: Vec<Solver>,
}

impl SolverTeam {
    /// Makes a solver for each thread. With DDS, each takes up to about 80 MB of memory.
    ///
    /// # Errors
    ///
    /// If the program was built without a solver.
    pub fn new(threads: usize) -> Result<Self, Error> {
        let solvers = (0..threads.max(1)).map(|_| Solver::new());
        Ok(Self {
            solvers: solvers.collect::<Result<_, _>>()?,
        })
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.solvers.len()
    }

    /// Returns the table of each deal, in the order of the deals. Tricks that are not asked are 0.
    ///
    /// One deal takes about 20 ms, one of its twenty numbers about 3 ms.
    #[must_use]
    pub fn solve(&mut self, deals: &[Deal], asked: &AskedTricks) -> Vec<TrickTable> {
        let next = AtomicUsize::new(0);
        let solved = self.solvers.par_iter_mut().map(|solver| {
            let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let places = places.take_while(|place| *place < deals.len());
            let solved = places.map(|place| (place, solver.table(&deals[place], asked)));
            solved.collect::<Vec<_>>()
        });
        let mut solved: Vec<(usize, TrickTable)> = solved.collect::<Vec<_>>().concat();
        solved.sort_unstable_by_key(|(place, _)| *place);
        solved.into_iter().map(|(_, table)| table).collect()
    }
}
