//! Laws of small samples, such as a club's 36 boards, for which no limit theorem holds yet.
//!
//! Sums of integers over deals (flatness, cards that keep their seat, voids) have exact tails. The
//! quadratic forms T1 and T6 use a chi-square that is scaled and shifted to their exact mean,
//! variance and skewness, which are rational (`statistics/card_seat.rs`, `statistics/overlap.rs`).

use super::FIRST_LOOK;
use super::table_law::{Measured, two_sided};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Pattern, Seat, Side, Suit};
use crate::stats::{GammaSum, Lattice, Moments};
use crate::tally::{BoardValue, FLATNESS_COUNT, HandValue};
use crate::theory::{Distribution, NullLaws, Theory};

/// The laws of sums and quadratic forms over any number of deals.
#[derive(Clone, Debug)]
pub(crate) struct SmallSampleLaws {
    /// Number of voids in a deal.
    pub(crate) voids: Lattice,
    /// Number of cards that two deals give to the same seat.
    pub(crate) overlap: Lattice,
    pub(crate) overlap_third: f64,
    pub(crate) flatness_variance: f64,
    pub(crate) flatness_third: f64,
    /// Third central moment of the length of a suit in a hand.
    pub(crate) length_third: f64,
    /// The values of a hand, in their order.
    pub(crate) hands: [SumLaw; HandValue::ALL.len()],
    /// The values of a board, in their order: half of its flatness, and the points of a side.
    pub(crate) boards: [SumLaw; BoardValue::ALL.len()],
    /// The longest suit of a deal.
    pub(crate) longest: Lattice,
}

/// The law of a value whose sum is tested.
#[derive(Clone, Debug)]
pub(crate) struct SumLaw {
    pub(crate) lattice: Lattice,
    mean: f64,
    variance: f64,
}

impl SumLaw {
    fn new(probabilities: &[f64]) -> Self {
        let values = || (0..).map(f64::from).zip(probabilities);
        let mean: f64 = values().map(|(x, p)| p * x).sum();
        Self {
            lattice: Lattice::new(probabilities),
            mean,
            variance: values().map(|(x, p)| p * (x - mean).powi(2)).sum(),
        }
    }

    /// Tests the sum of `n` values on both sides: by its exact tails below 2^14 values, and by its
    /// normal law from there on.
    pub(crate) fn measure(&self, n: u64, sum: u64, name: &str) -> Measured {
        let count = n as f64;
        let z = (sum as f64 - count * self.mean) / (count * self.variance).sqrt();
        let found = sum as f64 / count;
        let measured = Measured::normal(n, z).with_effect(format!(
            "mean {name} {found:.4} ({:.4} expected)",
            self.mean
        ));
        match n < FIRST_LOOK {
            true => exactly(&self.lattice, sum, measured),
            false => measured,
        }
    }
}

impl SmallSampleLaws {
    /// Half of a deal's flatness.
    pub(crate) fn half_flatness(&self) -> &Lattice {
        &self.boards[BoardValue::Flatness as usize].lattice
    }

    /// Points of a side.
    pub(crate) fn side_points(&self) -> &SumLaw {
        &self.boards[BoardValue::SidePoints as usize]
    }

    /// Creates them from the laws of deals and the tables of unconstrained hands.
    pub(crate) fn new(laws: &NullLaws, theory: &Theory) -> Self {
        let length = &theory.suit_lengths(Seat::North, Suit::Spades);
        let halves = 0..FLATNESS_COUNT;
        let halves = halves.map(|half| laws.flatness.probability(2 * half).to_f64());
        Self {
            voids: Lattice::new(&probabilities(&laws.voids)),
            overlap: Lattice::new(&probabilities(&laws.overlap)),
            overlap_third: moment(&laws.overlap, 3),
            flatness_variance: moment(&laws.flatness, 2),
            flatness_third: moment(&laws.flatness, 3),
            length_third: moment(length, 3),
            hands: HandValue::ALL.map(|value| hand_law(value, theory)),
            boards: [
                SumLaw::new(&halves.collect::<Vec<f64>>()),
                SumLaw::new(&probabilities(&theory.side_hcp(Side::NorthSouth))),
            ],
            longest: Lattice::new(&probabilities(&laws.longest_suit)),
        }
    }
}

/// Returns the law of a value of a hand.
fn hand_law(value: HandValue, theory: &Theory) -> SumLaw {
    if value == HandValue::Points {
        return SumLaw::new(&probabilities(theory.hcp(Seat::North)));
    }
    let mut ways = vec![0; 13 * 13 + 1];
    for pattern in Pattern::all() {
        let lengths = pattern.lengths();
        let of_suits = lengths.map(|length| choose(13, length.into()));
        ways[value.of_lengths(lengths) as usize] += of_suits.iter().product::<u128>();
    }
    SumLaw::new(&probabilities(&Distribution::new(ways, choose(52, 13))))
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
    use super::*;
    use crate::stats::elementary::powf;
    use crate::stats::{calibrated_log10, normal_upper_log10};

    #[test]
    fn normal_laws_of_sums_keep_their_promise_where_exact_ones_end() {
        // For sums over 2^14 deals, compares with exact tails: an e-value from the normal tail
        // reaches 10^s with a probability of at most 10^-s.
        let laws = SmallSampleLaws::unconstrained();
        let n = FIRST_LOOK;
        let sums = laws.hands.iter().chain([laws.side_points()]);
        let sums = sums.map(|law| (&law.lattice, law.mean, law.variance));
        for (law, mean, variance) in sums.chain([
            (laws.half_flatness(), 1_690.0 / 17.0, 632_736.0 / 14_161.0),
            (&laws.overlap, 13.0, 169.0 / 17.0),
        ]) {
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
