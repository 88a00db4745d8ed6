//! Pooled counts of all four seats (T4p, T5p), which are dependent.
//!
//! The statistic is d' (N V)⁺ d, where d is the counts of all four seats less their expectations
//! and V is the covariance in one deal. Along one direction, pooled counts have 25/19 of the
//! variance that independent hands would have; a test below computes the exact inflation.

use super::table_law::{Measured, TableLaw, least_expected};
use crate::stats::{Matrix, quadratic};
use crate::theory::Distribution;

/// Minimum number of groups of outcomes for a pooled test.
const FEWEST_GROUPS: usize = 4;

/// The covariance of the pooled counts of the four seats in one deal.
///
/// The four hands of a deal are dependent: a pooled chi-square that ignores this is wrong by up to
/// a third.
#[derive(Clone, Debug)]
pub(crate) struct Pooled {
    probabilities: Vec<f64>,
    /// P(one seat has i and another j).
    joint: Matrix,
    order: TableLaw,
}

impl Pooled {
    /// Creates it from the law of one seat and the joint law of two seats, indexed by first *
    /// outcomes + second.
    pub(crate) fn new(one: &Distribution, two: &Distribution) -> Self {
        let outcomes = one.ways().len();
        let probability = |cell| one.probability(cell).to_f64();
        let probabilities: Vec<f64> = (0..outcomes).map(probability).collect();
        let joint = Matrix::from_fn(outcomes, outcomes, |i, j| {
            two.probability(i * outcomes + j).to_f64()
        });
        let order = TableLaw::of(probabilities.clone());
        Self {
            probabilities,
            joint,
            order,
        }
    }

    /// Returns V = 4 (diag p - p p') + 12 (J - p p').
    pub(crate) fn covariance(&self) -> Matrix {
        let p = &self.probabilities;
        Matrix::from_fn(p.len(), p.len(), |i, j| {
            let diagonal = if i == j { p[i] } else { 0.0 };
            4.0 * (diagonal - p[i] * p[j]) + 12.0 * (self.joint[(i, j)] - p[i] * p[j])
        })
    }

    fn groups(&self, deals: u64, fixed_mean: bool) -> Vec<Vec<usize>> {
        if !fixed_mean {
            return self.order.groups(deals);
        }
        // The mean is unknown for a pool of outcomes with different totals.
        let (n, least) = (deals as f64, least_expected(deals));
        let outcomes = 0..self.probabilities.len();
        let common = outcomes.filter(|&i| n * self.probabilities[i] >= least);
        common.map(|cell| vec![cell]).collect()
    }

    /// Returns whether this number of deals is enough for [`Pooled::measure`].
    pub(crate) fn reaches(&self, deals: u64, fixed_mean: bool) -> bool {
        self.groups(deals, fixed_mean).len() >= FEWEST_GROUPS
    }

    /// Returns d' (N V)⁺ d, where d is the counts of all four seats less their expectations.
    ///
    /// Rare outcomes are pooled. `fixed_mean` projects out the sum and the mean of the counts: the
    /// points of a deal always sum to 40, so that these directions have no variance and would
    /// divide rounding errors by zero.
    pub(crate) fn measure(&self, counts: &[u64], deals: u64, fixed_mean: bool) -> Option<Measured> {
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
        let mut d = Matrix::from_fn(groups.len(), 1, |i, _| sum_of(&groups[i], &difference));
        let v = self.covariance();
        let mut v = Matrix::from_fn(groups.len(), groups.len(), |i, j| {
            let row = |a: usize| sum_of(&groups[j], &|b| v[(a, b)]);
            n * sum_of(&groups[i], &row)
        });
        if fixed_mean {
            let totals = groups.iter().map(|group| group[0] as f64).collect();
            let project = Matrix::orthogonal_to(&[vec![1.0; groups.len()], totals]);
            d = &project * &d;
            v = &(&project * &v) * &project;
        }
        let (statistic, rank) = quadratic(v, &d);
        let measured = Measured::two_sided_chi_square(deals, statistic, rank as f64);
        Some(measured.with_departure())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Seat;
    use crate::stats::elementary::powf;
    use crate::stats::symmetric_eigen;
    use crate::theory::{Theory, null_laws};

    /// Returns the eigenvalues of D^-1/2 V D^-1/2 / 4 for the pooled counts of four seats: the
    /// variance along each direction, relative to independent hands.
    fn inflation(pooled: &Pooled, p: &[f64]) -> Vec<f64> {
        let v = pooled.covariance();
        let scaled = Matrix::from_fn(p.len(), p.len(), |i, j| {
            v[(i, j)] / 4.0 / (p[i] * p[j]).sqrt()
        });
        symmetric_eigen(&scaled).0
    }

    #[test]
    fn pooling_four_hands_as_if_independent_is_off_by_a_third() {
        let (theory, laws) = (Theory::unconstrained(), null_laws());
        let shapes = theory.shapes(Seat::North);
        let p: Vec<f64> = (0..39).map(|i| shapes.probability(i).to_f64()).collect();
        let values = inflation(&Pooled::new(&shapes, &laws.joint_shapes), &p);
        // The sum of all is fixed; wild against flat has 25/19 of the variance, the others nearly
        // 1.
        assert!(values[0].abs() < 1e-9);
        assert!((values[38] - 25.0 / 19.0).abs() < 1e-9, "{values:?}");
        assert!(values[1] > 0.905 && values[37] < 1.027, "{values:?}");

        // Actual rejection rates of a naive test at each level in that direction.
        for (level, z, really) in [
            (1e-6, 4.891_638, 2.0e-5),
            (1e-3, 3.290_527, 4.1e-3),
            (0.05, 1.959_964, 0.088),
        ] {
            let log10_p = crate::stats::normal_upper_log10(z / (25.0f64 / 19.0).sqrt());
            let alpha = 2.0 * powf(10.0, log10_p);
            assert!((alpha / really - 1.0).abs() < 0.03, "{level}: {alpha}");
        }

        // Points: both their number and their sum are fixed.
        let hcp = theory.hcp(Seat::North);
        let p: Vec<f64> = (0..38).map(|i| hcp.probability(i).to_f64()).collect();
        let values = inflation(&Pooled::new(hcp, &laws.joint_hcp), &p);
        assert!(
            values[0].abs() < 1e-9 && values[1].abs() < 1e-9 && values[2] > 0.1,
            "{values:?}"
        );
        assert!((values[37] - 1.306).abs() < 1e-3, "{values:?}");
    }

    #[test]
    fn pooled_counts_that_lean_to_the_wild_are_weighed_by_their_true_variance() {
        let (theory, laws) = (Theory::unconstrained(), null_laws());
        let shapes = theory.shapes(Seat::North);
        let pooled = Pooled::new(&shapes, &laws.joint_shapes);
        let p: Vec<f64> = (0..39).map(|i| shapes.probability(i).to_f64()).collect();
        let v = pooled.covariance();
        let scaled = Matrix::from_fn(39, 39, |i, j| v[(i, j)] / 4.0 / (p[i] * p[j]).sqrt());
        let (_, vectors) = symmetric_eigen(&scaled);
        let deals = 1u64 << 40;
        let n = deals as f64;
        // With this many deals, rounding the counts is negligible.
        let lean = |i: usize| 10.0 * vectors[(i, 38)] * (4.0 * n * p[i]).sqrt();
        let counts: Vec<u64> = (0..39)
            .map(|i| (4.0 * n * p[i] + lean(i)).round().max(0.0) as u64)
            .collect();
        let naive: f64 = (0..39)
            .map(|i| (counts[i] as f64 - 4.0 * n * p[i]).powi(2) / (4.0 * n * p[i]))
            .sum();
        let measured = pooled.measure(&counts, deals, false).unwrap();
        assert!(
            (measured.statistic / naive - 19.0 / 25.0).abs() < 0.02,
            "{measured:?} {naive}"
        );
    }
}
