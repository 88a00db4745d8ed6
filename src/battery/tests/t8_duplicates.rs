//! T8 and T8c: equal deals, and deals that are images of each other.
//!
//! The pairs of equal deals among the n that are kept, whose hash begins with k zeros, are those of
//! n balls in D / 2^k cells ([`equal_pairs_upper_log10`]); images, with seats exchanged and suits
//! renamed, are 576 times as many.

use super::{Detectable, Detection, Expected, Look, Measured, Subject, Terms};
use crate::stats::{EXACT_BELOW, equal_pairs_upper_log10};
use crate::tally::Twins;

/// Images of a deal under exchanges of seats and names of suits.
const IMAGES: f64 = 576.0;

/// Largest share of the possible deals that are compared with each other.
const LARGEST_SHARE: f64 = 0.125;

/// Whether this number of deals is compared pair by pair.
fn compares(expected: &Expected, deals: u64) -> bool {
    deals as f64 <= expected.possible * LARGEST_SHARE
}

/// Whether T8 is planned. How many deals of a class can be kept is not known exactly, which
/// would tell where they fill it.
pub(crate) fn allows(expected: &Expected, _: Subject, terms: &Terms) -> bool {
    terms.open || compares(expected, terms.deals)
}

/// T8.
pub(crate) fn duplicates(look: &Look<'_>, _: Subject) -> Option<Measured> {
    let twins = &look.survey.twins;
    let compares = compares(look.expected, twins.deals());
    let found = || equal_pairs(twins, look.expected.possible, 1.0);
    compares.then(found).flatten()
}

/// T8c.
pub(crate) fn images(look: &Look<'_>, _: Subject) -> Option<Measured> {
    equal_pairs(&look.survey.orbits, look.expected.possible, IMAGES)
}

/// Pairs of equal deals; `possible` is how many deals there can be.
///
/// Given how many deals are kept, n of the deals of one hash class in 2^k, they are balls in
/// equally likely cells. A class that is small because only one in 2^k is kept has a size that
/// is not known exactly, and no test.
fn equal_pairs(twins: &Twins, possible: f64, images: f64) -> Option<Measured> {
    let (kept, pairs) = (twins.kept() as u64, twins.pairs());
    let class = possible / 2f64.powi(twins.bits().cast_signed()) / images;
    if kept as f64 > class || twins.bits() > 0 && class < EXACT_BELOW {
        return None;
    }
    let log10_p = equal_pairs_upper_log10(pairs, kept, class);
    let n = kept as f64;
    let expected = match n * (n - 1.0).max(0.0) / 2.0 / class {
        expected if expected < 1e-3 => format!("{expected:.2e}"),
        expected if expected < 100.0 => format!("{expected:.3}"),
        expected => format!("{expected:.0}"),
    };
    Some(
        Measured::new(twins.deals(), pairs as f64, log10_p)
            .with_effect(format!("{pairs} equal pairs ({expected} expected)")),
    )
}

/// Seeds so few that the pairs they make are enough, with nothing expected.
pub(crate) fn detectable(detection: &Detection<'_>) -> Option<Detectable> {
    let n = detection.deals;
    let pairs = -detection.needed / 6.0 + 5.0;
    let kept = n.min(detection.terms.kept as f64);
    let space = n * kept / 2.0 / pairs;
    let bits = space.log2().floor();
    let is_told = bits > 0.0 && space < detection.expected.possible / 1e3;
    is_told.then_some(Detectable::SeedBits(bits))
}
