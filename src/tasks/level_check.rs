//! The self-test: many runs of perfect deals, to check the tests themselves.

use super::battery::BatteryRequest;
use super::prepare::{ConditionInput, Prepared};
use super::random::RandomRequest;
use crate::battery::Level;
use crate::bridge::Seat;
use crate::draw::{DealSource, Seeded};
use crate::error::Error;
use crate::observer::{Observer, Stage};
use crate::population::Listings;
use crate::run::{self, BatchSize, Calibration, DEFAULT_BATCH, DealCount, LevelCheckRuns};
use crate::sampler::{Sampling, Workload};
use crate::theory::TheoryError;

/// Default sample size of each self-test run.
pub(crate) const LEVEL_CHECK_DEALS: u64 = 1 << 16;

/// log10 of the calibration's p-value below which the self-test is suspicious.
const ODD_LOG10: f64 = -3.0;
const WRONG_LOG10: f64 = -6.0;

/// The request of a self-test.
#[derive(Clone, Debug)]
pub struct LevelCheckRequest {
    /// Number of runs.
    pub runs: LevelCheckRuns,
    /// Deals of each run; by default `LEVEL_CHECK_DEALS`.
    pub deals: Option<DealCount>,
    /// Maximum batch size in deals.
    pub batch: Option<BatchSize>,
    /// The random words of the first run.
    pub random: RandomRequest,
    /// The tests.
    pub battery: BatteryRequest,
    /// Choice of the sampler.
    pub sampling: Sampling,
}

/// Result of a self-test.
#[derive(Debug)]
pub struct LevelCheck {
    /// The generator and the seed of the first run.
    pub words: String,
    /// Results of each test.
    pub found: Calibration,
    /// PASS, SUSPICIOUS or FAIL.
    pub level: Level,
    /// Whether the condition has a filter; the deals before it were tested.
    pub has_filter: bool,
}

/// Tests the tests.
///
/// # Errors
///
/// If the input has no deals, or the random words are not from a seed.
pub fn level_check(
    request: &LevelCheckRequest,
    input: ConditionInput,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<LevelCheck, Error> {
    let deals = request.deals.map_or(LEVEL_CHECK_DEALS, DealCount::get);
    let workload = |_: &_| Workload::statistics(deals);
    let prepared = Prepared::new(input, &request.sampling, workload, listings, observer)?;
    let (words, generators) = request.random.many(request.runs.get() as u32)?;
    let dealer = prepared.dealer()?;
    let population = &prepared.population;
    let battery = &request.battery;
    let (plan, expected) = match battery.tests(population, battery.depth(), observer)? {
        (plan, Some(expected)) => (plan, expected),
        (_, None) => {
            let why = TheoryError::TooLong;
            observer.warn(&format!("{why}: only tests that need none are made"));
            let condition = &prepared.script.condition;
            let alike = Seat::pairs_of(&condition.unmentioned());
            battery.tests_of_unknown(condition.exchangeable(), alike)
        }
    };
    let seeded = generators.iter().map(|generator| Seeded {
        dealer: &dealer,
        generator: &**generator,
    });
    let sources: Vec<_> = seeded.collect();
    let sources: Vec<&dyn DealSource> = sources
        .iter()
        .map(|source| source as &dyn DealSource)
        .collect();
    let stage = observer.stage(Stage::Runs, Some(request.runs.get()));
    let workers = request.battery.workers()?;
    let size = (deals, request.batch.map_or(DEFAULT_BATCH, BatchSize::get));
    let progress = |runs| stage.advance(runs);
    let found = workers.install(|| run::level_check(&sources, &plan, &expected, size, &progress));
    drop(stage);
    let found = found.map_err(|error| error.of(population))?;
    let level = match found.log10_p() {
        p if p < WRONG_LOG10 => Level::Fail,
        p if p < ODD_LOG10 => Level::Suspicious,
        _ => Level::Pass,
    };
    Ok(LevelCheck {
        words,
        found,
        level,
        has_filter: !population.is_exact(),
    })
}
