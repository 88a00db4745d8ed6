//! The choice of tests and threads that runs and audits share.

use std::sync::Arc;

use crate::battery::Expected;
use crate::error::{Error, Remedy};
use crate::observer::{Observer, during};
use crate::population::Population;
use crate::report::CheckpointRecord;
use crate::run::DEFAULT_TARGET;
use crate::tally::{Depth, MOST_KEPT, SurveyPlan};
use crate::theory::TheoryError;

/// The requested tests; `None` means as in the resumed run, or the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatteryRequest {
    /// Depth of the tests.
    pub depth: Option<Depth>,
    /// Sample size that a PASS requires.
    pub target: Option<u64>,
    /// Number of deals kept for finding duplicates.
    pub keep: Option<u64>,
    /// Number of threads that deal and count.
    pub threads: Option<usize>,
}

/// The plan of the survey, and the expected values if there is a theory.
pub(super) type Tests<'p> = (SurveyPlan<'p>, Option<Arc<Expected>>);

impl BatteryRequest {
    /// The tests of another run, on the requested number of threads.
    pub(super) fn of_run(saved: &CheckpointRecord, threads: Option<usize>) -> Self {
        let mut request = Self {
            threads,
            ..Self::default()
        };
        request.complete(&saved.battery, Some(saved.target), Some(saved.keep));
        request
    }

    /// Depth of the tests.
    #[must_use]
    pub(crate) fn depth(&self) -> Depth {
        self.depth.unwrap_or(Depth::Standard)
    }

    /// Sample size that a PASS requires.
    #[must_use]
    pub(crate) fn target(&self) -> u64 {
        self.target.unwrap_or(DEFAULT_TARGET)
    }

    /// Number of deals kept for finding duplicates.
    #[must_use]
    pub(crate) fn keep(&self) -> u64 {
        self.keep.unwrap_or(MOST_KEPT as u64)
    }

    /// Number of threads that deal and count: all cores by default.
    #[must_use]
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all)
    }

    /// Fills in the tests of another run where none were requested.
    pub(super) fn complete(&mut self, battery: &str, target: Option<u64>, keep: Option<u64>) {
        self.depth = self.depth.or_else(|| Depth::named(battery));
        self.target = self.target.or(target);
        self.keep = self.keep.or(keep.filter(|keep| is_allowed(*keep)));
    }

    /// Starts the requested number of workers.
    ///
    /// # Errors
    ///
    /// If they cannot be started.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        pool(self.threads())
    }

    /// The plan of the survey of a population.
    pub(super) fn plan<'p>(&self, population: &'p Population, depth: Depth) -> SurveyPlan<'p> {
        self.keeping(SurveyPlan::of(population, depth))
    }

    /// The plan of the survey of a population, and its expected values.
    pub(super) fn tests<'p>(
        &self,
        population: &'p Population,
        depth: Depth,
        observer: &dyn Observer,
    ) -> Result<Tests<'p>, Error> {
        let plan = self.plan(population, depth);
        match during(observer, "theory", || Expected::of(population)) {
            Ok(expected) => Ok((plan, Some(Arc::new(expected)))),
            Err(TheoryError::Predeal) => Ok((plan, None)),
            Err(damage) => Err(population.altered(damage)),
        }
    }

    /// Sets the number of deals that a plan keeps.
    pub(super) fn keeping<'p>(&self, plan: SurveyPlan<'p>) -> SurveyPlan<'p> {
        plan.keeping(usize::try_from(self.keep()).unwrap_or(usize::MAX))
    }
}

/// Whether this number of deals may be kept.
fn is_allowed(keep: u64) -> bool {
    crate::tally::ALLOWED_KEPT.contains(&keep)
}

/// Starts a pool of this number of workers.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().map_err(|error| {
        let message = format!("{threads} threads cannot be started ({error})");
        Error::io(message).with_remedy(Remedy::FewerThreads)
    })
}
