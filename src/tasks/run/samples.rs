//! Sample deals for the report's page.

use crate::bridge::Deal;
use crate::draw::Generator;
use crate::error::Error;
use crate::filter::Filter;
use crate::run::{DealStream, Surveyed};
use crate::tasks::Prepared;

/// Number of deals shown.
const SAMPLES: u64 = 4;
/// Maximum number of deals drawn to find them: up to half a second on one core.
const MOST_DRAWN: u64 = 1 << 22;
/// The same limit after an interruption, when the user waits for the end.
const MOST_DRAWN_INTERRUPTED: u64 = 1 << 18;

/// Returns the first four deals that `deal` would print with the same seed.
///
/// Returns fewer if the run kept fewer or the filter accepts hardly any, and none for a generator
/// that is one sequence.
///
/// # Errors
///
/// If the population changed while it was read.
pub(crate) fn samples(
    prepared: &Prepared,
    generator: &dyn Generator,
    surveyed: &Surveyed,
    is_interrupted: bool,
) -> Result<Vec<(String, Deal)>, Error> {
    let mut found = Vec::new();
    if generator.is_one_sequence() {
        return Ok(found);
    }
    let population = &prepared.population;
    let dealt = surveyed.survey.deals();
    let (limit, kept) = match (population.is_exact(), is_interrupted) {
        (true, _) => (SAMPLES, dealt),
        (false, true) => (MOST_DRAWN_INTERRUPTED, surveyed.sifted.kept),
        (false, false) => (MOST_DRAWN, surveyed.sifted.kept),
    };
    let filter = Filter::of(population);
    let dealer = prepared.dealer(limit)?;
    let stream = DealStream::new(&dealer, generator, filter, limit);
    let mut stream = stream.with_draws(prepared.script.has_draws());
    while (found.len() as u64) < SAMPLES.min(kept)
        && let Some(deal) = stream.next_deal().map_err(|error| error.of(population))?
    {
        found.push((format!("Deal {}", found.len() + 1), deal));
    }
    Ok(found)
}
