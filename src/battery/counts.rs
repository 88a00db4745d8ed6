//! Tests of counts that are small or rare, of pooled seats, and of numbers of deals.

use nalgebra::DMatrix;

use super::table_law::{Measured, TableLaw, least_expected, percent};
use crate::bridge::combinatorics::DEALS;
use crate::draw::count_fits;
use crate::stats::quadratic;
use crate::stats::{
    EXACT_BELOW, dirichlet_mixture_log10, equal_pairs_upper_log10, kolmogorov_upper_log10,
    poisson_lower_log10, poisson_upper_log10,
};
use crate::tally::{LOW_CELLS, Numbers, PLACE_CELLS, SPACED, Seeds, Twins};
use crate::theory::Distribution;

/// Images of a deal under exchanges of seats and names of suits.
const IMAGES: f64 = 576.0;

/// TableLaw of [`Numbers::places`] that the e-value takes together: 2^12 are left.
const PLACES_TOGETHER: usize = PLACE_CELLS / LOW_CELLS;

/// Groups of outcomes that a pooled test takes.
const FEWEST_GROUPS: usize = 4;

/// T8: pairs of equal deals among those that could be dealt; T8c: pairs of images, each of
/// which has 576 ways to come.
///
/// Given how many deals are kept, n of the deals of one hash class in 2^k, they are balls in
/// equally likely cells. A class that is small because only one in 2^k is kept has a size that
/// is not known exactly, and no test.
pub(super) fn duplicates(twins: &Twins, possible: f64, images: bool) -> Option<Measured> {
    let (kept, pairs) = (twins.kept() as u64, twins.pairs());
    let images = if images { IMAGES } else { 1.0 };
    let class = possible / 2f64.powi(twins.bits().cast_signed()) / images;
    if kept as f64 > class || twins.bits() > 0 && class < EXACT_BELOW {
        return None;
    }
    let log10_p = equal_pairs_upper_log10(pairs, kept, class);
    let n = kept as f64;
    let expected = match n * (n - 1.0).max(0.0) / 2.0 / class {
        expected if expected < 1e-3 => "hardly any is".to_owned(),
        expected if expected < 100.0 => format!("{expected:.3} are"),
        expected => format!("{expected:.0} are"),
    };
    Some(
        Measured::new(twins.deals(), pairs as f64, log10_p)
            .with_effect(format!("{pairs} pairs where {expected} expected")),
    )
}

/// T9s: deals that known dealers deal from their seeds. One deal is among those of M
/// hypotheses, of so many deals that are possible, with a probability of at most M by that.
pub(super) fn seeds(seeds: &Seeds, possible: f64) -> Measured {
    let log10_p = match seeds.found {
        0 => 0.0,
        _ => (seeds.tried as f64 / possible).log10(),
    };
    let effect = match seeds.found {
        0 => "no deal is of a known seed".to_owned(),
        found => format!("{found} of {} deals are of known seeds", seeds.deals),
    };
    Measured::new(seeds.deals, seeds.found as f64, log10_p).with_effect(effect)
}

/// The covariance of the four seats' counts of two of them, of one deal.
///
/// Four hands of a deal depend on each other: a pooled chi-square as if they did
/// not is wrong by up to a third.
#[derive(Clone, Debug)]
pub(super) struct Pooled {
    probabilities: Vec<f64>,
    /// P(a seat has i and another j).
    joint: DMatrix<f64>,
    order: TableLaw,
}

impl Pooled {
    /// From the law of one seat and of two, the second by first * outcomes + second.
    pub(super) fn new(one: &Distribution, two: &Distribution) -> Self {
        let outcomes = one.ways().len();
        let probability = |cell| one.probability(cell).to_f64();
        let probabilities: Vec<f64> = (0..outcomes).map(probability).collect();
        let joint = DMatrix::from_fn(outcomes, outcomes, |i, j| {
            two.probability(i * outcomes + j).to_f64()
        });
        let order = TableLaw::of(probabilities.clone());
        Self {
            probabilities,
            joint,
            order,
        }
    }

    /// V = 4 (diag p - p p') + 12 (J - p p').
    pub(super) fn covariance(&self) -> DMatrix<f64> {
        let p = &self.probabilities;
        DMatrix::from_fn(p.len(), p.len(), |i, j| {
            let diagonal = if i == j { p[i] } else { 0.0 };
            4.0 * (diagonal - p[i] * p[j]) + 12.0 * (self.joint[(i, j)] - p[i] * p[j])
        })
    }

    fn groups(&self, deals: u64, fixed_mean: bool) -> Vec<Vec<usize>> {
        if !fixed_mean {
            return self.order.groups(deals);
        }
        // A pool of unlike totals says nothing of the mean.
        let (n, least) = (deals as f64, least_expected(deals));
        let outcomes = 0..self.probabilities.len();
        let common = outcomes.filter(|&i| n * self.probabilities[i] >= least);
        common.map(|cell| vec![cell]).collect()
    }

    /// Whether so many deals are enough for [`Pooled::measure`].
    pub(super) fn reaches(&self, deals: u64, fixed_mean: bool) -> bool {
        self.groups(deals, fixed_mean).len() >= FEWEST_GROUPS
    }

    /// d' (N V)^+ d, where d are the counts of all four seats less what is expected.
    ///
    /// Rare outcomes are taken together; `fixed_mean` leaves out what their sum and
    /// mean say, because all points of a deal sum to 40 and counting them again
    /// would divide rounding by nothing.
    pub(super) fn measure(&self, counts: &[u64], deals: u64, fixed_mean: bool) -> Option<Measured> {
        let n = deals as f64;
        let p = &self.probabilities;
        let groups = self.groups(deals, fixed_mean);
        if groups.len() < FEWEST_GROUPS {
            return None;
        }
        let sum_of = |group: &Vec<usize>, value: &dyn Fn(usize) -> f64| -> f64 {
            group.iter().map(|&cell| value(cell)).sum()
        };
        let difference = |cell: usize| counts[cell] as f64 - 4.0 * n * p[cell];
        let mut d = DMatrix::from_fn(groups.len(), 1, |i, _| sum_of(&groups[i], &difference));
        let v = self.covariance();
        let mut v = DMatrix::from_fn(groups.len(), groups.len(), |i, j| {
            let row = |a: usize| sum_of(&groups[j], &|b| v[(a, b)]);
            n * sum_of(&groups[i], &row)
        });
        if fixed_mean {
            let one = DMatrix::from_element(groups.len(), 1, 1.0);
            let total = DMatrix::from_fn(groups.len(), 1, |i, _| groups[i][0] as f64);
            let basis = DMatrix::from_columns(&[one.column(0), total.column(0)]);
            let basis = basis.qr().q();
            let project =
                DMatrix::identity(groups.len(), groups.len()) - &basis * basis.transpose();
            d = &project * d;
            v = &project * v * project.transpose();
        }
        let (statistic, rank) = quadratic(v, &d);
        let measured = Measured::two_sided_chi_square(deals, statistic, rank as f64);
        let size = super::second_order::size(statistic, rank as f64, deals);
        Some(measured.with_effect(size))
    }
}

/// F is at most 676, of a suit to each seat.
const _: () = assert!(count_fits(676));

/// F: its mean, 3380/17 with variance 2530944/14161.
pub(super) fn flatness_mean(halves: &[u64], deals: u64) -> Measured {
    let n = deals as f64;
    let sum: u64 = (0..)
        .zip(halves)
        .map(|(half, count)| 2 * half * count)
        .sum();
    let mean = 3_380.0 / 17.0;
    // Integers until here: the sum is exact.
    let z = (sum as f64 - n * mean) / (n * 2_530_944.0 / 14_161.0).sqrt();
    let found = sum as f64 / n;
    Measured::normal(deals, z).with_effect(format!("mean flatness {found:.4} instead of {mean:.4}"))
}

/// T9: the cells of the number's place, or of its lowest bits.
pub(super) fn number_cells(counts: &[u64], low: bool) -> Option<Measured> {
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
        // Of D numbers, so many end in these bits; equal parts of [0, D) differ by one at most.
        let more = u128::from(low && (cell as u128) < DEALS % cells);
        (DEALS / cells + more) as f64 / DEALS as f64
    };
    let probabilities: Vec<f64> = (0..merged.len()).map(probability).collect();
    // Finer cells where there are deals enough for them.
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
        ..Measured::two_sided_chi_square(deals, statistic, dof)
            .with_effect(super::second_order::size(statistic, dof, deals))
    })
}

/// T9: Kolmogorov and Smirnov's largest distance, seen at 2^16 places, which is
/// no more than the true one.
pub(super) fn number_distance(numbers: &Numbers) -> Option<Measured> {
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
    let effect = format!("numbers are off by up to {}", percent(100.0 * distance));
    Some(Measured::new(deals, distance, log10_p).with_effect(effect))
}

/// T9b: equal spacings among 2^22 numbers of 62 bits: Poisson, m^3 / (4 * 2^62) = 4 a batch.
pub(super) fn spacings(numbers: &Numbers) -> Option<Measured> {
    let (batches, equal) = numbers.equal_spacings();
    if batches == 0 {
        return None;
    }
    let expected = 4.0 * batches as f64;
    let (upper, lower) = (
        poisson_upper_log10(equal, expected),
        poisson_lower_log10(equal, expected),
    );
    let log10_p = super::table_law::two_sided(upper, lower);
    let effect = format!("{equal} equal spacings where {expected} are expected");
    let deals = batches * SPACED as u64;
    Some(Measured::new(deals, equal as f64, log10_p).with_effect(effect))
}
