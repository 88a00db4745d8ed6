//! Which tests are made, of what, and by how many threads: what runs and audits share.

use std::sync::Arc;

use crate::battery::Expected;
use crate::error::Error;
use crate::observer::{Observer, during};
use crate::population::Population;
use crate::report::CheckpointRecord;
use crate::run::DEFAULT_TARGET;
use crate::tally::{Depth, MOST_KEPT, SurveyPlan};
use crate::theory::TheoryError;

/// The tests that are asked for; what is not said is as in an earlier run, or by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatteryRequest {
    /// How much is looked at.
    pub depth: Option<Depth>,
    /// Deals that a PASS takes.
    pub target: Option<u64>,
    /// Deals that are kept to find equal ones.
    pub keep: Option<u64>,
    /// Threads that deal and count.
    pub threads: Option<usize>,
}

/// What is looked at, and what it is compared with, if theory follows it.
pub(super) type Tests<'p> = (SurveyPlan<'p>, Option<Arc<Expected>>);

impl BatteryRequest {
    /// The tests of another run, made by as many threads as are asked for.
    pub(super) fn of_run(saved: &CheckpointRecord, threads: Option<usize>) -> Self {
        let mut request = Self {
            threads,
            ..Self::default()
        };
        request.complete(&saved.battery, Some(saved.target), Some(saved.keep));
        request
    }

    /// How much is looked at.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.depth.unwrap_or(Depth::Standard)
    }

    /// Deals that a PASS takes.
    #[must_use]
    pub fn target(&self) -> u64 {
        self.target.unwrap_or(DEFAULT_TARGET)
    }

    /// Deals that are kept to find equal ones.
    #[must_use]
    pub fn keep(&self) -> u64 {
        self.keep.unwrap_or(MOST_KEPT as u64)
    }

    /// Threads that deal and count: all cores, unless a number was asked for.
    #[must_use]
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all)
    }

    /// With the tests of another run where none are asked for.
    pub(super) fn complete(&mut self, battery: &str, target: Option<u64>, keep: Option<u64>) {
        self.depth = self.depth.or_else(|| Depth::named(battery));
        self.target = self.target.or(target);
        self.keep = self.keep.or(keep.filter(|keep| is_allowed(*keep)));
    }

    /// Workers: as many as were asked for.
    ///
    /// # Errors
    ///
    /// If they cannot be started.
    pub fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        pool(self.threads())
    }

    /// What is looked at in draws from a population.
    pub(super) fn plan<'p>(&self, population: &'p Population, depth: Depth) -> SurveyPlan<'p> {
        self.keeping(SurveyPlan::of(population, depth))
    }

    /// What is looked at in draws from a population, and what it is compared with.
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

    /// A plan that keeps as many deals as was asked for.
    pub(super) fn keeping<'p>(&self, plan: SurveyPlan<'p>) -> SurveyPlan<'p> {
        plan.keeping(usize::try_from(self.keep()).unwrap_or(usize::MAX))
    }
}

/// Whether so many deals may be kept.
fn is_allowed(keep: u64) -> bool {
    crate::tally::ALLOWED_KEPT.contains(&keep)
}

/// As many workers as are asked for.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().map_err(|error| {
        Error::io(format!(
            "{threads} threads cannot be started ({error}); use fewer (--threads), or allow more memory or processes (ulimit -v, ulimit -u)"
        ))
    })
}
