//! T9 and T9b: deals as numbers.
//!
//! Numbers in 2^12 equal parts (by chi-square in 2^16 for enough deals), and their lowest 12 bits,
//! are multinomial. The Kolmogorov-Smirnov distance is taken at 2^16 places. Equal spacings among
//! 2^22 numbers of 62 bits are Poisson with mean m³ / (4 · 2^62) = 4 in a batch (Marsaglia's
//! birthday spacings).

use super::{Look, Measured, TestSubject, two_sided};
use crate::bridge::combinatorics::DEALS;
use crate::printable::percent;
use crate::stats::{
    dirichlet_mixture_log10, kolmogorov_upper_log10, poisson_lower_log10, poisson_upper_log10,
};
use crate::tally::{LOW_CELLS, PLACE_CELLS, SPACED};

/// Cells of [`DealNumbers::places`](crate::tally::DealNumbers::places) in each of the 2^12 cells for the
/// e-value.
const PLACES_TOGETHER: usize = PLACE_CELLS / LOW_CELLS;

/// Tests the distribution of numbers.
pub(crate) fn place(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    number_cells(look.counts.numbers.places(), false)
}

/// Tests the lowest bits of numbers.
pub(crate) fn low_bits(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    number_cells(look.counts.numbers.low(), true)
}

/// Tests the cells of numbers, or of their lowest bits.
fn number_cells(counts: &[u64], low: bool) -> Option<Measured> {
    let deals: u64 = counts.iter().sum();
    if deals == 0 {
        return None;
    }
    let merged: Vec<u64> = if low {
        counts.to_vec()
    } else {
        counts
            .chunks(PLACES_TOGETHER)
            .map(|cells| cells.iter().sum())
            .collect()
    };
    let cells = merged.len() as u128;
    let probability = |cell: usize| {
        // Of D numbers, this many end in these bits; equal parts of [0, D) differ by at most one.
        let more = u128::from(low && (cell as u128) < DEALS % cells);
        (DEALS / cells + more) as f64 / DEALS as f64
    };
    let probabilities: Vec<f64> = (0..merged.len()).map(probability).collect();
    // Finer cells if there are enough deals.
    let fine = !low && deals >= 20 * PLACE_CELLS as u64;
    let seen = if fine { counts } else { &merged };
    let n = deals as f64;
    let expected = n / seen.len() as f64;
    if expected < 20.0 {
        return None;
    }
    let term = |count: &u64| (*count as f64 - expected).powi(2) / expected;
    let statistic: f64 = seen.iter().map(term).sum();
    let dof = seen.len() as f64 - 1.0;
    let log10_e = dirichlet_mixture_log10(&merged, &probabilities);
    Some(Measured {
        log10_e: Some(log10_e),
        ..Measured::two_sided_chi_square(deals, statistic, dof).with_departure()
    })
}

/// Tests the Kolmogorov-Smirnov distance at 2^16 places, which is at most the true distance.
pub(crate) fn distance(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let numbers = &look.counts.numbers;
    let deals = numbers.deals();
    if deals == 0 {
        return None;
    }
    let n = deals as f64;
    let mut below = 0;
    let mut distance: f64 = 0.0;
    for (cell, count) in numbers.places().iter().enumerate() {
        below += count;
        let uniform = (cell + 1) as f64 / PLACE_CELLS as f64;
        distance = distance.max((below as f64 / n - uniform).abs());
    }
    let log10_p = kolmogorov_upper_log10(distance, deals);
    let effect = format!("distribution off by up to {}", percent(distance, 3));
    Some(Measured::new(deals, distance, log10_p).with_effect(effect))
}

/// T9b: equal spacings among 2^22 numbers of 62 bits: Poisson, m^3 / (4 * 2^62) = 4 in a batch.
pub(crate) fn spacings(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let (batches, equal) = look.counts.numbers.equal_spacings();
    if batches == 0 {
        return None;
    }
    let expected = 4.0 * batches as f64;
    let (upper, lower) = (
        poisson_upper_log10(equal, expected),
        poisson_lower_log10(equal, expected),
    );
    let log10_p = two_sided(upper, lower);
    let effect = format!("{equal} equal spacings ({expected} expected)");
    let deals = batches * SPACED as u64;
    Some(Measured::new(deals, equal as f64, log10_p).with_effect(effect))
}
