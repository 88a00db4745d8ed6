//! A few deals for the page to show.

use fairdeal::cards::Deal;
use fairdeal::draw::Generator;
use fairdeal::filter::Filter;
use fairdeal::run::Stream;

use crate::cli::deals::Deals;
use fairdeal::Error;

/// Deals that are shown.
const SAMPLES: u64 = 4;
/// Deals that are drawn at most to find them.
const MOST_DRAWN: u64 = 1 << 22;

/// The first deals of the condition that `deal` would give with the same seed, `most` or four,
/// fewer if a filter lets hardly any pass. None of words that come once.
pub(in crate::cli) fn samples(
    deals: &Deals,
    generator: &dyn Generator,
    most: u64,
) -> Result<Vec<(String, Deal)>, Error> {
    let mut found = Vec::new();
    if generator.is_one_sequence() {
        return Ok(found);
    }
    let limit = match deals.filter.is_empty() {
        true => SAMPLES,
        false => MOST_DRAWN,
    };
    let filter = (!deals.filter.is_empty()).then(|| Filter::new(&deals.filter));
    let dealer = deals.dealer(limit)?;
    let mut stream = Stream::new(&dealer, generator, filter, limit);
    while (found.len() as u64) < SAMPLES.min(most)
        && let Some(deal) = stream.next_deal().map_err(|error| deals.broken(error))?
    {
        found.push((format!("Deal {}", found.len() + 1), deal));
    }
    Ok(found)
}
