//! T8 and T8c: duplicate deals, and deals that are equivalent under symmetry.
//!
//! The n kept deals are those whose hash begins with k zeros. Their pairs of duplicates are those
//! of n balls in D / 2^k cells ([`equal_pairs_upper_log10`]). Equivalent deals, with seats
//! exchanged and suits renamed, form pairs 576 times as often.

use super::{
    DetectableEffect, Detection, Expected, Look, Measured, RunParameters, TestSubject, bisected,
};
use crate::printable::three_digits;
use crate::stats::elementary::log2;
use crate::stats::{EXACT_BELOW, equal_pairs_upper_log10, poisson_lower_log10};
use crate::tally::DuplicateDeals;

/// Number of equivalent deals under exchanges of seats and suits.
const IMAGES: f64 = 576.0;

/// Maximum number of deals that are compared, as a share of the possible deals.
const LARGEST_SHARE: f64 = 0.125;

/// Returns whether this number of deals is compared pair by pair.
fn compares(expected: &Expected, deals: u64) -> bool {
    deals as f64 <= expected.possible * LARGEST_SHARE
}

/// Returns whether T8 is planned. The number of possible deals in a hash class is not known
/// exactly, so this does not check whether the kept deals fill their class.
pub(crate) fn allows(expected: &Expected, _: TestSubject, terms: &RunParameters) -> bool {
    terms.open || compares(expected, terms.deals)
}

/// T8.
pub(crate) fn duplicates(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let deals = &look.counts.duplicates;
    let compares = compares(look.expected, deals.deals());
    let found = || equal_pairs(deals, look.expected.possible, 1.0);
    compares.then(found).flatten()
}

/// T8c.
pub(crate) fn images(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    equal_pairs(&look.counts.equivalents, look.expected.possible, IMAGES)
}

/// Tests pairs of equal deals, with `possible` possible deals.
///
/// The n kept deals of one hash class in 2^k are balls in equally likely cells. If only one deal in
/// 2^k is kept and the class is small, its size is not known exactly, and there is no test.
fn equal_pairs(deals: &DuplicateDeals, possible: f64, images: f64) -> Option<Measured> {
    let (kept, pairs) = (deals.kept() as u64, deals.pairs());
    let class = possible / 2f64.powi(deals.bits().cast_signed()) / images;
    if kept as f64 > class || deals.bits() > 0 && class < EXACT_BELOW {
        return None;
    }
    let log10_p = equal_pairs_upper_log10(pairs, kept, class);
    let n = kept as f64;
    let expected = three_digits(n * (n - 1.0).max(0.0) / 2.0 / class);
    Some(
        Measured::new(deals.deals(), pairs as f64, log10_p)
            .with_effect(format!("{pairs} equal pairs ({expected} expected)")),
    )
}

/// Returns the largest seed size whose duplicates are detected, in nine of ten runs, although none
/// are expected.
pub(crate) fn detectable(detection: &Detection<'_>) -> Option<DetectableEffect> {
    let (possible, deals) = (detection.expected.possible, detection.deals);
    let kept = deals.min(detection.terms.kept as u64);
    let class = possible * kept as f64 / deals as f64;
    if kept == 0 || kept as f64 > class {
        return None;
    }
    let is_enough = |pairs: &u64| equal_pairs_upper_log10(*pairs, kept, class) <= detection.needed;
    let pairs = (1..=MOST_PAIRS).find(is_enough)?;
    // With this expectation, nine of ten samples have at least this number of pairs.
    let is_low = |expected| poisson_lower_log10(pairs - 1, expected) > -1.0;
    let (_, high) = bisected((0.0, 10.0 * pairs as f64), 60, is_low);
    let space = kept as f64 * (deals as f64 - 1.0) / 2.0 / high;
    let bits = log2(space).floor();
    let is_told = bits > 0.0 && space < possible / 1e3;
    is_told.then_some(DetectableEffect::SeedBits(bits))
}

/// Maximum number of pairs that a detection may need.
const MOST_PAIRS: u64 = 64;
