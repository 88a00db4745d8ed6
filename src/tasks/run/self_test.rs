//! The self-test: many runs of perfect deals, and whether the tests say what they should.

use super::super::battery::BatteryRequest;
use super::super::prepare::{Input, Prepared};
use super::super::random::RandomRequest;
use crate::battery::Level;
use crate::draw::{Seeded, Source};
use crate::error::Error;
use crate::observer::Observer;
use crate::population::Listings;
use crate::run::{self, Calibration, DEFAULT_BATCH};
use crate::sampler::{Need, Sampling};
use crate::theory::TheoryError;

/// Sample size of each run of a self-test, unless another is asked for.
pub const SELF_TEST_DEALS: u64 = 1 << 16;

/// log10 of the p-value of the whole calibration below which something seems wrong, or is.
const ODD_LOG10: f64 = -3.0;
const WRONG_LOG10: f64 = -6.0;

/// A self-test that is asked for.
#[derive(Clone, Debug)]
pub struct SelfTestRequest {
    /// Runs.
    pub runs: u32,
    /// Deals of each; by default [`SELF_TEST_DEALS`].
    pub deals: Option<u64>,
    /// Most deals of a batch.
    pub batch: Option<u64>,
    /// The random words of the first run.
    pub random: RandomRequest,
    /// The tests.
    pub battery: BatteryRequest,
    /// How the deals are found.
    pub sampling: Sampling,
}

/// What a self-test found.
#[derive(Debug)]
pub struct SelfTest {
    /// The generator and the seed of the first run.
    pub words: String,
    /// What was found of each test.
    pub found: Calibration,
    /// PASS, SUSPICIOUS or FAIL.
    pub level: Level,
    /// Whether the deals before a filter were tested.
    pub has_filter: bool,
}

/// Tests the tests.
///
/// # Errors
///
/// If the input has no deals or no exact laws, or the words are to be read.
pub fn self_test(
    request: &SelfTestRequest,
    input: Input,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<SelfTest, Error> {
    let deals = request.deals.unwrap_or(SELF_TEST_DEALS);
    let need = |_: &_| Need::statistics(deals);
    let prepared = Prepared::new(input, &request.sampling, need, listings, observer)?;
    let (words, generators) = request.random.many(request.runs)?;
    let dealer = prepared.dealer(deals)?;
    let population = &prepared.population;
    let (plan, expected) = request
        .battery
        .tests(population, request.battery.depth(), observer)?;
    let expected = expected.ok_or(TheoryError::Predeal)?;
    let seeded = generators.iter().map(|generator| Seeded {
        dealer: &dealer,
        generator: &**generator,
    });
    let sources: Vec<_> = seeded.collect();
    let sources: Vec<&dyn Source> = sources.iter().map(|source| source as &dyn Source).collect();
    let stage = observer.stage("runs", Some(request.runs.into()));
    let pool = request.battery.pool()?;
    let size = (deals, request.batch.unwrap_or(DEFAULT_BATCH));
    let progress = |runs| stage.advance(runs);
    let found = pool.install(|| run::self_test(&sources, &plan, &expected, size, &progress));
    drop(stage);
    let found = found.map_err(|error| error.of(population))?;
    let level = match found.log10_p() {
        p if p < WRONG_LOG10 => Level::Fail,
        p if p < ODD_LOG10 => Level::Suspicious,
        _ => Level::Pass,
    };
    Ok(SelfTest {
        words,
        found,
        level,
        has_filter: !population.is_exact(),
    })
}
