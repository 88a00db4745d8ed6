//! The choice of tests and threads that runs and audits share.

use std::sync::Arc;

use crate::battery::Expected;
use crate::bridge::{Hand, Seat};
use crate::error::Error;
use crate::observer::{Observer, Stage, during};
use crate::population::Population;
use crate::report::CheckpointRecord;
use crate::run::{DEFAULT_TARGET, DealCount};
use crate::tally::{CountPlan, Depth, KeptCount, MOST_KEPT};
use crate::theory::TheoryError;
use crate::threads::{Threads, Workers};

/// The requested tests; `None` means as in the resumed run, or the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatteryRequest {
    /// Depth of the tests.
    pub depth: Option<Depth>,
    /// Sample size that a PASS requires.
    pub target: Option<DealCount>,
    /// Number of deals kept for finding duplicates.
    pub keep: Option<KeptCount>,
    /// Number of threads that deal and count.
    pub threads: Option<Threads>,
}

/// The plan of the counts, and the expected values if there is a theory.
pub(super) type Tests<'p> = (CountPlan<'p>, Option<Arc<Expected>>);

impl BatteryRequest {
    /// The tests of another run, on the requested number of threads.
    pub(super) fn of_run(saved: &CheckpointRecord, threads: Option<Threads>) -> Self {
        let mut request = Self {
            threads,
            ..Self::default()
        };
        request.complete(&saved.battery, Some(saved.target), Some(saved.keep));
        request
    }

    /// Depth of the tests.
    pub(crate) fn depth(&self) -> Depth {
        self.depth.unwrap_or(Depth::Standard)
    }

    /// Sample size that a PASS requires.
    pub(crate) fn target(&self) -> u64 {
        self.target.map_or(DEFAULT_TARGET, DealCount::get)
    }

    /// Number of deals kept for finding duplicates.
    pub(crate) fn keep(&self) -> u64 {
        self.keep.map_or(MOST_KEPT as u64, KeptCount::get)
    }

    /// Number of threads that deal and count: all cores by default.
    pub(crate) fn threads(&self) -> Threads {
        self.threads.unwrap_or_else(Threads::all)
    }

    /// Fills in the tests of another run where none were requested.
    pub(super) fn complete(&mut self, battery: &str, target: Option<u64>, keep: Option<u64>) {
        self.depth = self.depth.or_else(|| Depth::named(battery));
        // Impossible values of a record are left out.
        let target = target.and_then(|target| DealCount::new(target).ok());
        let keep = keep.and_then(|keep| KeptCount::new(keep).ok());
        (self.target, self.keep) = (self.target.or(target), self.keep.or(keep));
    }

    /// Takes the requested number of workers.
    ///
    /// # Errors
    ///
    /// If they cannot be started.
    pub(crate) fn workers(&self) -> Result<Workers, Error> {
        Workers::take(self.threads())
    }

    /// The plan of the counts of a population.
    pub(super) fn plan<'p>(&self, population: &'p Population, depth: Depth) -> CountPlan<'p> {
        self.keeping(CountPlan::of(population, depth))
    }

    /// The plan of the counts of a population, and its expected values.
    pub(super) fn tests<'p>(
        &self,
        population: &'p Population,
        depth: Depth,
        observer: &dyn Observer,
    ) -> Result<Tests<'p>, Error> {
        let plan = self.plan(population, depth);
        match during(observer, Stage::Theory, || Expected::of(population)) {
            Ok(expected) => Ok((plan, Some(Arc::new(expected)))),
            Err(TheoryError::TooLong) => Ok((plan, None)),
            Err(damage) => Err(population.altered(damage)),
        }
    }

    /// The plan and the laws of deals under a condition without exact tables, for which these cards
    /// are interchangeable within their suits, and the seats of each of these pairs.
    pub(super) fn tests_of_unknown<'p>(
        &self,
        exchangeable: Hand,
        alike: Vec<[Seat; 2]>,
    ) -> (CountPlan<'p>, Arc<Expected>) {
        let depth = match self.depth() {
            // Tables have no exact law here.
            Depth::Tables => Depth::Standard,
            depth => depth,
        };
        let plan = self.keeping(CountPlan::of_unknown(depth, exchangeable, alike));
        (plan, Arc::new(Expected::of_unknown(exchangeable)))
    }

    /// Sets the number of deals that a plan keeps.
    pub(super) fn keeping<'p>(&self, plan: CountPlan<'p>) -> CountPlan<'p> {
        plan.keeping(usize::try_from(self.keep()).unwrap_or(usize::MAX))
    }
}
