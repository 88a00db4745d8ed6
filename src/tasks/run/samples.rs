//! A few deals for the page to show.

use crate::bridge::Deal;
use crate::draw::Generator;
use crate::error::Error;
use crate::filter::Filter;
use crate::run::Stream;
use crate::tasks::Prepared;

/// Deals that are shown.
const SAMPLES: u64 = 4;
/// Deals that are drawn at most to find them.
const MOST_DRAWN: u64 = 1 << 22;

/// The first deals of the condition that `deal` would give with the same seed, `most` or four,
/// fewer if a filter lets hardly any pass. None of words that come once.
pub(crate) fn samples(
    prepared: &Prepared,
    generator: &dyn Generator,
    most: u64,
) -> Result<Vec<(String, Deal)>, Error> {
    let mut found = Vec::new();
    if generator.is_one_sequence() {
        return Ok(found);
    }
    let population = &prepared.population;
    let limit = match population.is_exact() {
        true => SAMPLES,
        false => MOST_DRAWN,
    };
    let filter = Filter::of(population);
    let dealer = prepared.dealer(limit)?;
    let mut stream = Stream::new(&dealer, generator, filter, limit);
    while (found.len() as u64) < SAMPLES.min(most)
        && let Some(deal) = stream.next_deal().map_err(|error| error.of(population))?
    {
        found.push((format!("Deal {}", found.len() + 1), deal));
    }
    Ok(found)
}
