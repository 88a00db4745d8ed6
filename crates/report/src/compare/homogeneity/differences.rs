//! The cells with the largest differences, for people.

use std::f64::consts::{LN_10, LOG10_2};

use serde::Serialize;

use crate::Sample;
use crate::battery::two_sided;
use crate::stats::elementary::{ln, log10};
use crate::stats::{ln_gamma, normal_quantile_upper, normal_upper_log10};

/// The confidence that under one source no cell has a larger |z|.
const CONFIDENCE: f64 = 0.999;
/// Cells with a larger |z| are listed.
const LISTED_Z: f64 = 2.0;
/// Maximum number of listed cells.
const MOST_LISTED: usize = 1_000;

/// The counts of a cell in two samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The table.
    pub table: String,
    /// The seat, side or suit of the cell.
    pub subject: String,
    /// The cell.
    pub cell: String,
    /// The counts in both samples.
    pub observed: [u64; 2],
    /// The shares of both samples' deals.
    pub shares: [f64; 2],
    /// The difference of the shares divided by its standard deviation.
    pub z: f64,
    /// log10 of the p-value: twice the tail probability of the first sample's count, given the
    /// total count in both samples.
    pub log10_p: f64,
    /// Whether the difference is significant with 99.9 % confidence, corrected for the number of
    /// cells.
    pub is_beyond_chance: bool,
}

/// The largest differences between two samples, cell by cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Differences {
    /// Number of cells compared: those that occurred in some deals but not in all. Cells of
    /// east-west that mirror those of north-south are left out.
    pub cells: usize,
    /// The bound that |z| of this many cells stays below with 99.9 % confidence; `None` without
    /// cells.
    pub chance_z: Option<f64>,
    /// The cells with |z| above 2, the largest first, at most 1,000.
    pub largest: Vec<Difference>,
}

/// Returns (o1/n1 - o2/n2) / sqrt(p (1 - p) (1/n1 + 1/n2)), where p is the share in both samples
/// combined; `None` for cells of no deal or of all deals.
pub(super) fn two_sample_z(observed: [u64; 2], deals: [u64; 2]) -> Option<f64> {
    let (o, n) = (observed.map(|o| o as f64), deals.map(|n| n as f64));
    let p = (o[0] + o[1]) / (n[0] + n[1]);
    let spread = (p * (1.0 - p) * (1.0 / n[0] + 1.0 / n[1])).sqrt();
    (spread > 0.0).then(|| (o[0] / n[0] - o[1] / n[1]) / spread)
}

/// Variance of a count above which its tail is computed from the normal law.
const NORMAL_VARIANCE: f64 = 1e8;

/// log10 of twice the hypergeometric tail of the first sample's count, given the total count, on
/// the side of z: terms are summed outwards. The absolute error is 1e-3 at 10^11 deals, less with
/// fewer.
fn exact_log10(z: f64, observed: [u64; 2], deals: [u64; 2]) -> f64 {
    let [n, m] = deals.map(|n| n as f64);
    let [k, l] = observed.map(|o| o as f64);
    let share = (k + l) / (n + m);
    if n * m / (n + m) * share * (1.0 - share) > NORMAL_VARIANCE {
        return two_sided(normal_upper_log10(z.abs()), 0.0);
    }
    let ln_choose = |n: f64, k: f64| ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    let ln_here = ln_choose(n, k) + ln_choose(m, l) - ln_choose(n + m, k + l);
    // Outwards, one sample's count grows and the other's shrinks.
    let (mut more, of, mut fewer, from) = match z > 0.0 {
        true => (k, n, l, m),
        false => (l, m, k, n),
    };
    let (mut sum, mut term) = (0.0, 1.0);
    while term > 1e-17 * sum {
        sum += term;
        term *= (of - more) * fewer / ((more + 1.0) * (from - fewer + 1.0));
        (more, fewer) = (more + 1.0, fewer - 1.0);
    }
    two_sided((ln_here + ln(sum)) / LN_10, 0.0)
}

impl Differences {
    /// Compares two samples, each with the same number of deals in all tables.
    pub(crate) fn between(first: &Sample, second: &Sample) -> Self {
        let deals = [first.deals, second.deals];
        let mut cells = 0;
        let mut found = Vec::new();
        for (table, other) in super::common_tables(first, second) {
            let both = table.counts.iter().zip(&other.counts);
            for (subject, (a, b)) in both.enumerate() {
                if table.kind.is_mirrored(subject) {
                    continue;
                }
                for (cell, observed) in a.iter().zip(b).map(|(a, b)| [*a, *b]).enumerate() {
                    let Some(z) = two_sample_z(observed, deals) else {
                        continue;
                    };
                    cells += 1;
                    if z.abs() > LISTED_Z {
                        found.push((z, table, subject, cell, observed));
                    }
                }
            }
        }
        // Equal values stay in the order of the tables.
        found.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        found.truncate(MOST_LISTED);
        let each = log10((1.0 - CONFIDENCE) / cells.max(1) as f64);
        let largest = found
            .into_iter()
            .map(|(z, table, subject, cell, observed)| {
                let log10_p = exact_log10(z, observed, deals);
                Difference {
                    table: table.to_string(),
                    subject: table.subjects.get(subject).cloned().unwrap_or_default(),
                    cell: table.cells[cell].clone(),
                    observed,
                    shares: [0, 1].map(|i| observed[i] as f64 / deals[i] as f64),
                    z,
                    log10_p,
                    is_beyond_chance: log10_p < each,
                }
            });
        Self {
            cells,
            chance_z: (cells > 0).then(|| normal_quantile_upper(each - LOG10_2)),
            largest: largest.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_all_ways_to_choose() {
        // Choices of 5 of 12, by the number of the first 4 among them.
        let choose =
            |n: u64, k: u64| -> f64 { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() };
        let ways = |k: u64| choose(4, k) * choose(8, 5 - k) / choose(12, 5);
        let near = |found: f64, expected: f64| {
            assert!((found - log10(expected)).abs() < 1e-9, "{found} {expected}");
        };
        near(exact_log10(1.0, [3, 2], [4, 8]), 2.0 * (ways(3) + ways(4)));
        near(exact_log10(-1.0, [0, 5], [4, 8]), 2.0 * ways(0));
        near(exact_log10(-1.0, [1, 4], [4, 8]), 2.0 * (ways(0) + ways(1)));
        near(exact_log10(1.0, [4, 0], [4, 8]), 2.0 / choose(12, 4));
    }

    #[test]
    fn far_out_tails_meet_the_normal_ones() {
        // On both sides of the variance above which the normal law is used.
        for deals in [1_500_000_000, 1_700_000_000] {
            let observed = [deals / 4 + 120_000, deals / 4];
            let deals = [deals; 2];
            let z = two_sample_z(observed, deals).unwrap_or_default();
            let found = exact_log10(z, observed, deals);
            let normal = two_sided(normal_upper_log10(z), 0.0);
            assert!((found - normal).abs() < 1e-3, "{found} {normal}");
        }
    }
}
