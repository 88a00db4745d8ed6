//! F: flat and wild deals, by the sum of squares of the 16 suit lengths.
//!
//! F has mean 3380/17 and variance 2530944/14161. For fewer than 2^14 deals, the sum of halves has
//! exact tails ([`SmallSampleLaws`](crate::small_sample_laws::SmallSampleLaws)); for more
//! it is normal. The values of single deals are multinomial counts ([`MultinomialTest`]).

use super::{Look, Measured, MultinomialTest, TestSubject};
use crate::draw::count_fits;
use crate::small_sample_laws::exactly;

/// F is at most 676, when each seat holds one suit.
const _: () = assert!(count_fits(676));

/// The distribution of F over deals.
pub(crate) const FLATNESS: MultinomialTest = MultinomialTest {
    law: |expected, _| Some(expected.unconstrained.as_ref()?.flatness.clone()),
    counts: |look, _| Some(look.counts.spread.flatness().to_vec()),
    cell: |_, cell| format!("flatness {}", 2 * cell),
};

/// Tests the mean of F.
pub(crate) fn mean_flatness(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let halves = look.counts.spread.flatness();
    let deals = look.tally.deals();
    let half: u64 = (0..).zip(halves).map(|(half, count)| half * count).sum();
    let measured = mean_of(deals, 2 * half, "mean flatness");
    Some(match look.small_sample_laws(deals) {
        Some(laws) => exactly(laws.half_flatness(), half, measured),
        None => measured,
    })
}

/// Tests the mean of a sum of values with the law of F by its normal law.
pub(crate) fn mean_of(deals: u64, sum: u64, name: &str) -> Measured {
    let n = deals as f64;
    let mean = 3_380.0 / 17.0;
    // The sum is exact, in integers.
    let z = (sum as f64 - n * mean) / (n * 2_530_944.0 / 14_161.0).sqrt();
    let found = sum as f64 / n;
    Measured::normal(deals, z).with_effect(format!("{name} {found:.4} ({mean:.4} expected)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::{Seat, Suit};
    use crate::test_support::{near, unconstrained};

    #[test]
    fn the_mean_is_that_of_the_definition() {
        let (deals, counts) = unconstrained(3_000);
        let n = deals.len() as f64;
        let hands = deals
            .iter()
            .flat_map(|deal| Seat::ALL.map(|seat| deal.hand(seat)));
        let suits = hands.flat_map(|hand| {
            Suit::ALL.map(|suit| hand.cards().filter(|card| card.suit() == suit).count())
        });
        let sum: usize = suits.map(|length| length * length).sum();
        let z = (sum as f64 - n * 3380.0 / 17.0) / (n * 2_530_944.0 / 14_161.0).sqrt();
        let halves = (0..).zip(counts.spread.flatness());
        let found: u64 = halves.map(|(half, count)| 2 * half * count).sum();
        near(mean_of(3_000, found, "").statistic, z);
    }
}
