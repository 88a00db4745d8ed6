//! Laws of small samples, such as a club's 36 boards, for which no limit theorem holds yet.
//!
//! Sums of integers over deals (flatness, cards that keep their seat, voids) have exact tails. The
//! quadratic forms T1 and T6 use a chi-square that is scaled and shifted to their exact mean,
//! variance and skewness, which are rational (`statistics/card_seat.rs`, `statistics/overlap.rs`).

use super::table_law::{Measured, two_sided};
use crate::stats::{GammaSum, Lattice, Moments};
use crate::tally::FLATNESS_COUNT;
use crate::theory::{Distribution, NullLaws};

/// The laws of sums and quadratic forms over any number of deals.
#[derive(Clone, Debug)]
pub(crate) struct SmallSampleLaws {
    /// Half of a deal's flatness.
    pub(crate) half_flatness: Lattice,
    /// Number of voids in a deal.
    pub(crate) voids: Lattice,
    /// Number of cards that two deals give to the same seat.
    pub(crate) overlap: Lattice,
    pub(crate) overlap_third: f64,
    pub(crate) flatness_variance: f64,
    pub(crate) flatness_third: f64,
    /// Third central moment of the length of a suit in a hand.
    pub(crate) length_third: f64,
}

impl SmallSampleLaws {
    /// Creates them from the laws of deals, and the law of the length of a suit in a hand.
    pub(crate) fn new(laws: &NullLaws, length: &Distribution) -> Self {
        let halves = 0..FLATNESS_COUNT;
        let halves = halves.map(|half| laws.flatness.probability(2 * half).to_f64());
        Self {
            half_flatness: Lattice::new(&halves.collect::<Vec<f64>>()),
            voids: Lattice::new(&probabilities(&laws.voids)),
            overlap: Lattice::new(&probabilities(&laws.overlap)),
            overlap_third: moment(&laws.overlap, 3),
            flatness_variance: moment(&laws.flatness, 2),
            flatness_third: moment(&laws.flatness, 3),
            length_third: moment(length, 3),
        }
    }
}

/// Returns a chi-square, scaled and shifted to these moments.
pub(crate) fn fitted(mean: f64, variance: f64, third: f64) -> GammaSum {
    GammaSum::new(vec![Moments {
        mean,
        variance,
        third,
    }])
}

/// Returns a result with both exact tails of a sum over its number of deals.
pub(crate) fn exactly(law: &Lattice, sum: u64, measured: Measured) -> Measured {
    let [upper, lower] = tails(law, measured.deals, sum);
    Measured {
        log10_p: two_sided(upper, lower),
        ..measured
    }
}

/// Returns log10 of the upper and the lower tail.
pub(crate) fn tails(law: &Lattice, n: u64, sum: u64) -> [f64; 2] {
    [law.upper_log10(n, sum), law.lower_log10(n, sum)]
}

fn probabilities(law: &Distribution) -> Vec<f64> {
    let outcomes = 0..law.ways().len();
    outcomes.map(|i| law.probability(i).to_f64()).collect()
}

/// Returns a central moment.
fn moment(law: &Distribution, power: i32) -> f64 {
    let (sum, of) = law.mean();
    let mean = sum as f64 / of as f64;
    let values = (0..).map(f64::from).zip(probabilities(law));
    values.map(|(x, p)| p * (x - mean).powi(power)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::FIRST_LOOK;
    use super::*;
    use crate::stats::elementary::powf;
    use crate::stats::{calibrated_log10, normal_upper_log10};

    #[test]
    fn normal_laws_of_sums_keep_their_promise_where_exact_ones_end() {
        // For sums over 2^14 deals, compares with exact tails: an e-value from the normal tail
        // reaches 10^s with a probability of at most 10^-s.
        let laws = SmallSampleLaws::unconstrained();
        let n = FIRST_LOOK;
        for (law, mean, variance) in [
            (&laws.half_flatness, 1_690.0 / 17.0, 632_736.0 / 14_161.0),
            (&laws.overlap, 13.0, 169.0 / 17.0),
        ] {
            let (mean, deviation) = (n as f64 * mean, (n as f64 * variance).sqrt());
            for s in 1..=6 {
                let reaches = |z: &f64| {
                    let log10_p = two_sided(normal_upper_log10(*z), 0.0);
                    calibrated_log10(log10_p) >= f64::from(s)
                };
                let steps = (0..10_000).map(|step| f64::from(step) * 1e-3);
                let z = steps.into_iter().find(reaches).unwrap();
                let [above, below] = [z, -z].map(|z| mean + z * deviation);
                let [upper, _] = tails(law, n, above.ceil() as u64);
                let [_, lower] = tails(law, n, below.floor() as u64);
                let chance = powf(10.0, upper) + powf(10.0, lower);
                assert!(chance <= 0.1f64.powi(s), "{s}: {chance:e}");
            }
        }
    }
}
