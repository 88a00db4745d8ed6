//! T1 and T1max: the seat of every card.
//!
//! T1 is (51/52) Σ (O - N/4)² / (N/4) over 208 cards and seats, which equals (51/52)/N Σ m_i(c)²: a
//! chi-square with 153 degrees of freedom. For a small sample it equals
//! Q = 153 + (102/13N) Σ (V - 13) over pairs of deals with overlap V. Given one deal, V always has
//! the same law, so only powers of one pair and triangles have a nonzero mean. So Q has variance
//! 306 (1 - 1/N) and third moment (102/13N)³ (C(N,2) μ3(V) + 6 C(N,3) 153 (13/51)³). T1max is the
//! exact binomial tail of the worst card and seat, times 208.

use super::{
    DetectableEffect, Detection, Look, Measured, Outcome, TestSubject, beside_expected,
    detectable_excess, two_sided,
};
use crate::Test;
use crate::bridge::{Card, Seat};
use crate::sign_sums::square;
use crate::small_sample_laws::{SmallSampleLaws, fitted};
use crate::stats::elementary::log10;
use crate::stats::{GammaSum, binomial_lower_log10, binomial_upper_log10, chi_square_lower_log10};
use crate::tally::Tally;

/// T1's degrees of freedom.
const DOF: f64 = 153.0;

/// Returns (51/52) Σ (O - N/4)² / (N/4).
pub(crate) fn statistic(tally: &Tally) -> f64 {
    let quarter = tally.deals() as f64 / 4.0;
    let of_card = |card: Card| -> f64 {
        let of_seat = |seat| square(tally.card(seat, card) as f64 - quarter);
        Seat::ALL.into_iter().map(of_seat).sum()
    };
    51.0 / 52.0 * Card::all().map(of_card).sum::<f64>() / quarter
}

/// T1, with the largest deviation of T1max.
pub(crate) fn card_seat(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let tally = &look.tally;
    let deals = tally.deals();
    let measured = Measured::two_sided_chi_square(deals, statistic(tally), DOF)
        .with_effect(look.worst.effect.clone());
    let laws = look.small_sample_laws(deals);
    let Some(laws) = laws.filter(|_| deals >= Test::CardSeat.least()) else {
        return Some(measured);
    };
    let [upper, lower] = small_sample_tails(laws, measured.statistic, deals);
    Some(Measured {
        log10_p: two_sided(upper, lower),
        is_even: lower < upper,
        ..measured
    })
}

/// T1max, and the card table.
pub(crate) fn worst_card(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    Some(look.worst.clone())
}

/// Returns the card and seat with the smallest exact binomial tail, times 208 for all of them.
pub(crate) fn worst_of(tally: &Tally, probability: impl Fn(Card, Seat) -> f64) -> Measured {
    let deals = tally.deals();
    let n = deals as f64;
    let (mut best, mut tests) = (Measured::new(deals, 0.0, 0.0), 0);
    for card in Card::all() {
        for seat in Seat::ALL {
            let (p, observed) = (probability(card, seat), tally.card(seat, card));
            tests += 1;
            if p <= 0.0 || p >= 1.0 {
                let impossible = if p <= 0.0 { observed } else { deals - observed };
                if impossible > 0 {
                    let effect = format!("{card} with {seat}: {observed} (impossible)");
                    return Measured::impossible(deals, effect);
                }
                continue;
            }
            let z = (observed as f64 - n * p) / (n * p * (1.0 - p)).sqrt();
            // The exact tail only if it can be the smallest.
            if z.abs() < best.statistic.abs() / 2.0 {
                continue;
            }
            let upper = binomial_upper_log10(observed, deals, p);
            let lower = binomial_lower_log10(observed, deals, p);
            let log10_p = two_sided(upper, lower);
            if log10_p < best.log10_p || best.effect.is_empty() {
                let share = beside_expected(observed as f64 / n, p);
                best = Measured::new(deals, z, log10_p)
                    .with_effect(format!("{card} with {seat}: {share}"));
            }
        }
    }
    best.log10_p = (best.log10_p + log10(f64::from(tests))).min(0.0);
    best
}

/// Returns log10 of T1's upper and lower tail.
fn small_sample_tails(laws: &SmallSampleLaws, statistic: f64, deals: u64) -> [f64; 2] {
    // For the lower tail, the plain chi-square has a slightly larger variance and is conservative.
    [
        small_sample_law(laws, deals).upper_log10(statistic),
        chi_square_lower_log10(statistic, DOF),
    ]
}

fn small_sample_law(laws: &SmallSampleLaws, deals: u64) -> GammaSum {
    let n = deals as f64;
    let pairs = n * (n - 1.0) / 2.0 * laws.overlap_third;
    let triangles = n * (n - 1.0) * (n - 2.0) * DOF * (13f64 / 51.0).powi(3);
    let third = (102.0 / 13.0 / n).powi(3) * (pairs + triangles);
    fitted(DOF, 306.0 * (1.0 - 1.0 / n), third)
}

/// Returns the smallest detectable relative excess of a card at one seat.
pub(crate) fn detectable(detection: &Detection<'_>) -> Option<DetectableEffect> {
    detectable_by_tail(detection, Outcome::Card)
}

/// Returns the excess of a card with probability 1/4, at one of 208 places, that its binomial tail
/// detects in nine of ten runs.
pub(crate) fn detectable_by_tail(
    detection: &Detection<'_>,
    outcome: Outcome,
) -> Option<DetectableEffect> {
    let probability = 0.25;
    let tail = detection.needed - log10(208.0) - std::f64::consts::LOG10_2;
    let deals = detection.deals;
    let excess = detectable_excess(deals, probability, |count| {
        binomial_upper_log10(count, deals, probability) <= tail
    })?;
    Some(DetectableEffect::Excess {
        outcome,
        probability,
        excess,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Deal;
    use crate::test_support::{assert_moments, near, unconstrained, unconstrained_deals};

    /// Computes T1 by its definition.
    fn by_definition(deals: &[Deal]) -> f64 {
        let quarter = deals.len() as f64 / 4.0;
        let places = Card::all().flat_map(|card| Seat::ALL.map(|seat| (card, seat)));
        let square = |(card, seat): (Card, Seat)| {
            let held = deals.iter().filter(|deal| deal.hand(seat).contains(card));
            (held.count() as f64 - quarter).powi(2)
        };
        51.0 / 52.0 * places.map(square).sum::<f64>() / quarter
    }

    #[test]
    fn the_statistic_is_that_of_the_definition() {
        let (deals, counts) = unconstrained(3_000);
        near(statistic(&counts.tally()), by_definition(&deals));
    }

    #[test]
    fn three_deals_have_the_moments_of_their_law() {
        let laws = SmallSampleLaws::unconstrained();
        let deals = unconstrained_deals(60_000);
        assert_moments(&small_sample_law(&laws, 3), &deals, by_definition);
    }

    #[test]
    fn many_deals_leave_the_plain_chi_square() {
        let law = small_sample_law(&SmallSampleLaws::unconstrained(), 1 << 40);
        assert!((law.dof() - DOF).abs() < 1e-6, "{law:?}");
        assert!((law.mean() - DOF).abs() < 1e-6, "{law:?}");
        assert!((law.variance() / (2.0 * DOF) - 1.0).abs() < 1e-9, "{law:?}");
    }
}
