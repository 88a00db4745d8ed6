//! The deals that are measured: a condition with its dealer, its laws and sets of deals.

use std::ops::ControlFlow;
use std::sync::Arc;

use fairdeal::battery::{Battery, Expected};
use fairdeal::draw::{DealSource, Dealer, Generator, Seeded};
use fairdeal::language::Scenario;
use fairdeal::language::Script;
use fairdeal::observer::Silent;
use fairdeal::population::Listings;
use fairdeal::population::cases::CaseBytes;
use fairdeal::run::{self, KeepFilter, OneThread};
use fairdeal::sampler::{SamplerMethod, Sampling};
use fairdeal::tally::{CountPlan, Counts, Depth};
use fairdeal::tasks::{ConditionInput, Prepared};
use fairdeal::{Population, Workload};

use crate::Failure;

/// A population with its exact laws.
pub(crate) struct Subject {
    pub(crate) population: Population,
    pub(crate) expected: Arc<Expected>,
}

impl Subject {
    /// Every deal.
    pub(crate) fn every_deal() -> Result<Self, Failure> {
        Self::new("unconstrained", "1", 1)
    }

    /// The deals of a scenario, or of a condition in dealer's language.
    pub(crate) fn named(text: &str, deals: u64) -> Result<Self, Failure> {
        match Scenario::named(text) {
            Some(scenario) => Self::new(scenario.name, scenario.text, deals),
            None => Self::new(text, text, deals),
        }
    }

    fn new(name: &str, text: &str, deals: u64) -> Result<Self, Failure> {
        Self::by(SamplerMethod::Auto, name, text, deals)
    }

    /// The deals of a condition from this sampler.
    pub(crate) fn by(
        method: SamplerMethod,
        name: &str,
        text: &str,
        deals: u64,
    ) -> Result<Self, Failure> {
        let input = ConditionInput::Script(Box::new(Script::parse(name, text)?));
        let (sampling, listings) = (Sampling::by(method), Listings::in_memory());
        let workload = |_: &_| Workload::statistics(deals);
        let prepared = Prepared::new(input, &sampling, workload, &listings, &Silent)?;
        let population = Population::from(prepared.population);
        let expected = Arc::new(Expected::of(&population)?);
        Ok(Self {
            population,
            expected,
        })
    }

    pub(crate) fn plan(&self, depth: Depth) -> CountPlan<'_> {
        CountPlan::of(&self.population, depth)
    }

    /// A dealer of the population.
    pub(crate) fn dealer(&self) -> Result<Dealer<'_, CaseBytes>, Failure> {
        Ok(Dealer::new(&self.population)?)
    }
}

/// Deals and tests a set of deals; `look` gets S at every look and may end the set.
pub(crate) fn tested(
    source: &dyn DealSource,
    plan: &CountPlan<'_>,
    battery: &mut Battery,
    size: (u64, u64),
    mut look: impl FnMut(f64) -> ControlFlow<()> + Send,
) -> Result<Counts, Failure> {
    let mut look = |counts: &Counts| look(battery.look(counts));
    let counted = run::count(
        source,
        plan,
        &KeepFilter::default(),
        size,
        &|_| (),
        &mut look,
    )?;
    Ok(counted.counts)
}

/// Deals and tests a small set on this thread, and returns its battery.
pub(crate) fn small_set(
    (dealer, generator): (&Dealer<'_, CaseBytes>, &dyn Generator),
    plan: &CountPlan<'_>,
    battery: &Battery,
    deals: u64,
) -> Result<Battery, Failure> {
    let seeded = Seeded { dealer, generator };
    let source = OneThread(&seeded);
    let mut battery = battery.clone();
    let goes_on = |_| ControlFlow::Continue(());
    tested(
        &source,
        plan,
        &mut battery,
        (deals, run::DEFAULT_BATCH),
        goes_on,
    )?;
    Ok(battery)
}

/// Counts of values that reached 1, 2 .. 6, and the largest.
#[derive(Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) runs: u64,
    pub(crate) counts: [u64; 6],
    pub(crate) largest: f64,
}

impl Reached {
    pub(crate) const NONE: Self = Self {
        runs: 0,
        counts: [0; 6],
        largest: f64::NEG_INFINITY,
    };

    pub(crate) fn and(mut self, value: f64) -> Self {
        self.runs += 1;
        for (level, count) in (1..).zip(&mut self.counts) {
            *count += u64::from(value >= f64::from(level));
        }
        self.largest = self.largest.max(value);
        self
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.runs += other.runs;
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        self.largest = self.largest.max(other.largest);
        self
    }

    /// Whether each level s was reached by at most one in 10^s, at 99.9 % confidence.
    pub(crate) fn keeps_its_promise(&self) -> bool {
        (1..).zip(self.counts).all(|(level, count)| {
            poisson_upper(count, self.runs as f64 * 0.1f64.powi(level)) > 0.001
        })
    }
}

/// P(X >= count) of a Poisson variable.
pub(crate) fn poisson_upper(count: u64, mean: f64) -> f64 {
    match count {
        0 => 1.0,
        _ => statrs::function::gamma::gamma_lr(count as f64, mean),
    }
}
