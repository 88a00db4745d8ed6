//! Confidence bounds on the remaining error.
//!
//! A bound depends on the counts and the number of deals, not on the planned number of deals: runs
//! with different plans that stop at the same deals have the same bounds.

use super::Battery;
use crate::bridge::{Card, Seat};
use crate::population::Structure;
use crate::printable::percent;
use crate::stats::elementary::{ln, ln_1p, log2, log10};
use crate::stats::{
    STRENGTHS, calibrated_log10, chi_square_quantile_upper, log10_sum, noncentral_bound,
    noncentral_lower,
};
use crate::tally::Counts;
use crate::theory::Distribution;

/// Confidence of a bound.
const CONFIDENCE: f64 = 0.999;
/// Minimum probability of a shape or point count for a bound.
const COMMON: f64 = 0.01;

/// Statistic above which a noncentral chi-square is practically normal.
const FAR: f64 = 1e7;

/// A confidence bound. For tables it holds for all cells together and at any number of deals; for a
/// departure or the deal space it holds for that quantity and this look alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The bounded quantity.
    pub quantity: String,
    /// The bound, relative to the expected value.
    pub value: f64,
    /// The confidence level.
    pub confidence: f64,
    /// The bound in words.
    pub words: String,
}

/// Returns the standard deviation of a count, relative to its expected value.
fn relative_deviation(p: f64, deals: f64) -> f64 {
    ((1.0 - p) / (p * deals)).sqrt()
}

/// Returns the half-width, in standard deviations, of the confidence interval for one of `cells`
/// cells that holds at any number of deals. It inverts the mixture of [`mixture_ln`].
fn half_width(deals: f64, cells: f64) -> f64 {
    let goal = ln(cells / (1.0 - CONFIDENCE));
    bisected((0.0, 100.0), 60, |z| mixture_ln(z, deals) < goal).1
}

/// Halves an interval this many times; `is_low` says on which side of the wanted place a value is.
pub(super) fn bisected(
    (mut low, mut high): (f64, f64),
    times: u32,
    is_low: impl Fn(f64) -> bool,
) -> (f64, f64) {
    for _ in 0..times {
        let middle = f64::midpoint(low, high);
        match is_low(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    (low, high)
}

/// Returns ln of the e-value of a count that is z standard deviations from its expectation: the
/// mean over the beta distributions that tests of tables use, one for each strength. Each is taken
/// in its normal limit exp(z²/2 g/(1+g)) / sqrt(1+g) with g = deals / strength.
fn mixture_ln(z: f64, deals: f64) -> f64 {
    let log10_e = |strength: i32| {
        let g = deals / 10f64.powi(strength);
        (z * z / 2.0 * g / (1.0 + g) - 0.5 * ln_1p(g)) * std::f64::consts::LOG10_E
    };
    let exponents: Vec<f64> = STRENGTHS.map(log10_e).collect();
    (log10_sum(&exponents) - log10(exponents.len() as f64)) * std::f64::consts::LN_10
}

/// Returns the largest bound of a table's cells, each a count with its probability.
fn worst_cell(cells: &[(u64, f64)], deals: u64) -> Option<f64> {
    let n = deals as f64;
    let width = half_width(n, cells.len() as f64);
    let bound = |(observed, p): &(u64, f64)| {
        let found = (*observed as f64 / (n * p) - 1.0).abs();
        found + relative_deviation(*p, n) * width
    };
    cells.iter().map(bound).max_by(f64::total_cmp)
}

pub(super) fn bounds(battery: &Battery, counts: &Counts) -> Vec<Bound> {
    let tally = counts.tally();
    let deals = tally.deals();
    if deals == 0 || matches!(battery.terms.structure, Structure::Unknown(_)) {
        return Vec::new();
    }
    let theory = &battery.expected.theory;
    let mut bounds = Vec::new();
    let (mut cards, mut shapes, mut points) = (Vec::new(), Vec::new(), Vec::new());
    for seat in Seat::ALL {
        for card in Card::all() {
            let p = theory.card(card).probability(seat.index()).to_f64();
            cards.push((tally.card(seat, card), p));
        }
        shapes.extend(beside_law(&tally.shapes(seat), &theory.shapes(seat)));
        points.extend(beside_law(tally.hcp(seat), theory.hcp(seat)));
    }
    for (quantity, words, mut cells) in [
        ("card at a seat", "any card at any seat", cards),
        ("shape at a seat", "shapes of 1 % and more", shapes),
        ("hcp at a seat", "point counts of 1 % and more", points),
    ] {
        cells.retain(|(_, p)| (COMMON..1.0).contains(p));
        // A bound of 100 % or more excludes nothing.
        if let Some(value) = worst_cell(&cells, deals).filter(|value| *value < 1.0) {
            bounds.push(Bound {
                quantity: quantity.to_owned(),
                value,
                confidence: CONFIDENCE,
                words: format!("{words}: within {}", percent(value, 3)),
            });
        }
    }
    bounds.extend(departures(battery));
    bounds.extend(deal_space(counts));
    bounds
}

/// Returns counts with their probabilities.
fn beside_law(counts: &[u64], law: &Distribution) -> Vec<(u64, f64)> {
    let counts = counts.iter().enumerate();
    counts
        .map(|(cell, count)| (*count, law.probability(cell).to_f64()))
        .collect()
}

/// Returns bounds on the departure of the deals from fair ones, by tests that have them.
fn departures(battery: &Battery) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for (planned, state) in battery.planned.iter().zip(&battery.seen.states) {
        let Some(last) = &state.last else { continue };
        if let (true, Some(dof)) = (planned.test.row().bounds_departure, last.dof) {
            let lambda = if last.statistic < FAR {
                noncentral_bound(last.statistic, dof, 1.0 - CONFIDENCE)
            } else {
                // Far out, the root is normal with standard deviation 1.
                ((last.statistic - dof).sqrt() + 3.1).powi(2)
            };
            let value = (lambda / last.deals as f64).sqrt();
            let name = match planned.subject.to_string().as_str() {
                "all" => planned.test.name().to_owned(),
                subject => format!("{} {subject}", planned.test.name()),
            };
            bounds.push(Bound {
                quantity: format!("departure by {name}"),
                value,
                confidence: CONFIDENCE,
                words: format!("{name}: departure below {value:.2e} per deal"),
            });
        }
    }
    bounds
}

/// Returns a bound on the number of distinct deals, if no deal occurred twice.
fn deal_space(counts: &Counts) -> Option<Bound> {
    let kept = &counts.duplicates;
    if kept.deals() < 2 || kept.pairs() > 0 {
        return None;
    }
    let n = kept.deals() as f64;
    let space = n * n / 2f64.powi(kept.bits() as i32) / (2.0 * ln(1_000.0));
    (space > n).then(|| Bound {
        quantity: "deal space, deals at least".to_owned(),
        value: space,
        confidence: CONFIDENCE,
        words: format!(
            "deal space: at least 2^{} distinct deals",
            log2(space).floor()
        ),
    })
}

/// Returns log10 of the p-value that a test of this weight must have, at a look with this share, to
/// bring S to 9 by itself.
pub fn needed(weight: f64, share_log10: f64) -> f64 {
    let goal = 9.0 - log10(weight) - share_log10;
    bisected((-400.0, -1.0), 100, |log10_p| {
        calibrated_log10(log10_p) >= goal
    })
    .0
}

/// Returns the noncentrality that a chi-square detects in nine of ten runs.
pub fn seen(dof: f64, log10_p: f64) -> f64 {
    let bound = chi_square_quantile_upper(log10_p, dof);
    let is_low = |noncentrality| noncentral_lower(bound, dof, noncentrality) > 0.1;
    bisected((0.0, 10.0 * bound + 1_000.0), 100, is_low).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_widths_are_those_of_the_published_table() {
        let near = |value: f64, expected: f64| {
            assert!((value / expected - 1.0).abs() < 0.005, "{value} {expected}");
        };
        let half_width = |p, n, cells| relative_deviation(p, n) * half_width(n, cells);
        let n = 10_485_760.0;
        near(half_width(0.25, n, 208.0), 3.05e-3);
        near(half_width(0.2155, n, 39.0), 3.18e-3);
        near(half_width(0.0180, n, 560.0), 1.34e-2);
        near(half_width(1e-4, n, 560.0), 0.182);
        near(half_width(0.25, 1e12, 208.0), 9.88e-6);
    }
}
