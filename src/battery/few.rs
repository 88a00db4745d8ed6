//! Laws of a few deals: a club's 36 boards, where no limit theorem holds yet.
//!
//! Sums over deals of whole numbers (flatness, cards that stayed, voids) have exact
//! tails. The two quadratic forms get a chi-square that is scaled and shifted until
//! mean, variance and skewness are the form's own, which are exact rationals:
//!
//! - **T1** is Q = 153 + (102 / 13 N) sum over pairs of deals of V - 13, V being their
//!   overlap. Given one deal the law of V is always the same, so that only the
//!   powers of one pair and the triangles have a mean: Q has variance
//!   306 (1 - 1/N) and third moment (102 / 13 N)^3 (C(N,2) mu3(V) + 6 C(N,3) 153 (13/51)^3).
//! - **T6** is Q = |sum Y|^2 / (n w), w = 169/51, where Y is the table of a pair less 13/4. Given
//!   the first deal the table of the second has always the same law, so tables of
//!   consecutive pairs are independent, and it is the law of the table of seats by
//!   suits: |Y|^2 = F - 169. With the variance v and third moment of F and m = E Y11^3,
//!   whose tensor is the only one that seats leave alone,
//!   Q has variance 18 (1 - 1/n) + v / n w^2 and third moment
//!   (n mu3(F) + 12 n (n-1) w v + 8 (C(n,2) (16 m)^2 / 36 + 54 C(n,3) w^3)) / (n w)^3.

use super::table_law::{Measured, two_sided};
use crate::stats::{GammaSum, Lattice, Moments, chi_square_lower_log10};
use crate::tally::FLATNESS_COUNT;
use crate::theory::{Distribution, NullLaws};

/// The laws of sums and quadratic forms of any number of deals.
#[derive(Clone, Debug)]
pub(super) struct FewDeals {
    /// Half of a deal's flatness.
    pub(super) half_flatness: Lattice,
    /// Empty suits of a deal's hands.
    pub(super) voids: Lattice,
    /// Cards that two deals give to the same seat.
    pub(super) overlap: Lattice,
    overlap_third: f64,
    flatness_variance: f64,
    flatness_third: f64,
    /// Third central moment of the length of a suit in a hand.
    length_third: f64,
}

impl FewDeals {
    /// From the laws of deals, and of the length of a suit in a hand.
    pub(super) fn new(laws: &NullLaws, length: &Distribution) -> Self {
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

    /// F: the exact tails of the sum of halves.
    pub(super) fn flatness_mean(&self, halves: &[u64], measured: Measured) -> Measured {
        let sum = (0..).zip(halves).map(|(half, count)| half * count).sum();
        exactly(&self.half_flatness, sum, measured)
    }

    /// T6: the exact tails of the cards that stayed, all pairs being independent.
    pub(super) fn stayed(&self, cards: u64, measured: Measured) -> Measured {
        exactly(&self.overlap, cards, measured)
    }

    /// T1 by its first three moments.
    pub(super) fn card_seat(&self, measured: Measured) -> Measured {
        let [upper, lower] = self.card_seat_tails(measured.statistic, measured.deals);
        Measured {
            log10_p: two_sided(upper, lower),
            is_even: lower < upper,
            ..measured
        }
    }

    /// T6's table by its first three moments.
    pub(super) fn overlap(&self, measured: Measured) -> Measured {
        let law = self.overlap_law(measured.deals);
        Measured {
            log10_p: law.upper_log10(measured.statistic),
            ..measured
        }
    }

    /// log10 of T1's upper and lower tail.
    pub(super) fn card_seat_tails(&self, statistic: f64, deals: u64) -> [f64; 2] {
        // Below, what is left over of the variance of 306 is on the safe side.
        [
            self.card_seat_law(deals).upper_log10(statistic),
            chi_square_lower_log10(statistic, 153.0),
        ]
    }

    fn card_seat_law(&self, deals: u64) -> GammaSum {
        let n = deals as f64;
        let pairs = n * (n - 1.0) / 2.0 * self.overlap_third;
        let triangles = n * (n - 1.0) * (n - 2.0) * 153.0 * (13f64 / 51.0).powi(3);
        let third = (102.0 / 13.0 / n).powi(3) * (pairs + triangles);
        fitted(153.0, 306.0 * (1.0 - 1.0 / n), third)
    }

    fn overlap_law(&self, pairs: u64) -> GammaSum {
        let n = pairs as f64;
        let w = 169.0 / 51.0;
        let variance = 18.0 * (1.0 - 1.0 / n) + self.flatness_variance / (n * w * w);
        let alone = n * self.flatness_third;
        let with_another = 12.0 * n * (n - 1.0) * w * self.flatness_variance;
        let twice = n * (n - 1.0) / 2.0 * (16.0 * self.length_third).powi(2) / 36.0;
        let triangles = 9.0 * n * (n - 1.0) * (n - 2.0) * w.powi(3);
        let third = (alone + with_another + 8.0 * (twice + triangles)) / (n * w).powi(3);
        fitted(9.0, variance, third)
    }
}

/// A chi-square that is scaled and shifted until it has these moments.
fn fitted(mean: f64, variance: f64, third: f64) -> GammaSum {
    GammaSum::new(vec![Moments {
        mean,
        variance,
        third,
    }])
}

/// A result with both exact tails of a sum over as many deals.
fn exactly(law: &Lattice, sum: u64, measured: Measured) -> Measured {
    let [upper, lower] = tails(law, measured.deals, sum);
    Measured {
        log10_p: two_sided(upper, lower),
        ..measured
    }
}

/// log10 of the upper and the lower tail.
pub(super) fn tails(law: &Lattice, n: u64, sum: u64) -> [f64; 2] {
    [law.upper_log10(n, sum), law.lower_log10(n, sum)]
}

fn probabilities(law: &Distribution) -> Vec<f64> {
    let outcomes = 0..law.ways().len();
    outcomes.map(|i| law.probability(i).to_f64()).collect()
}

/// A central moment.
fn moment(law: &Distribution, power: i32) -> f64 {
    let (sum, of) = law.mean();
    let mean = sum as f64 / of as f64;
    let values = (0..).map(f64::from).zip(probabilities(law));
    values.map(|(x, p)| p * (x - mean).powi(power)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::FIRST_LOOK;
    use super::super::tests::unconstrained;
    use super::*;
    use crate::bridge::{Card, Deal, Seat};
    use crate::stats::{calibrated_log10, normal_upper_log10};
    use crate::theory::{Theory, null_laws};

    fn card_seat(deals: &[Deal]) -> f64 {
        let quarter = deals.len() as f64 / 4.0;
        let places = Card::all().flat_map(|card| Seat::ALL.map(|seat| (card, seat)));
        let square = |(card, seat): (Card, Seat)| {
            let held = deals.iter().filter(|deal| deal.hand(seat).contains(card));
            (held.count() as f64 - quarter).powi(2)
        };
        51.0 / 52.0 * places.map(square).sum::<f64>() / quarter
    }

    fn overlap(deals: &[Deal]) -> f64 {
        let n = deals.len() as f64 - 1.0;
        let places = Seat::ALL.into_iter();
        let places = places.flat_map(|from| Seat::ALL.map(|to| (from, to)));
        let square = |(from, to)| {
            let pairs = deals.windows(2);
            let both = pairs.map(|pair| pair[0].hand(from).intersection(pair[1].hand(to)).len());
            (f64::from(both.sum::<u32>()) - 3.25 * n).powi(2)
        };
        places.map(square).sum::<f64>() / (n * 169.0 / 51.0)
    }

    #[test]
    fn three_deals_have_the_moments_of_their_laws() {
        let length = Theory::unconstrained().suit_lengths(Seat::North, crate::bridge::Suit::Spades);
        let few = FewDeals::new(&null_laws(), &length);
        let (deals, _) = unconstrained(600_000);
        let near = |law: GammaSum, statistic: fn(&[Deal]) -> f64| {
            let values: Vec<f64> = deals.chunks_exact(3).map(statistic).collect();
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let central =
                |power| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / count;
            let expected = [law.mean(), law.variance(), law.third()];
            let found = [mean, central(2), central(3)];
            for ((found, expected), off) in found.iter().zip(expected).zip([0.01, 0.02, 0.2]) {
                assert!((found / expected - 1.0).abs() < off, "{found} {expected}");
            }
        };
        near(few.card_seat_law(3), card_seat);
        near(few.overlap_law(2), overlap);
    }

    #[test]
    fn normal_laws_of_sums_keep_their_promise_where_exact_ones_end() {
        // Sums over 2^14 deals by their exact tails: an e-value made of the normal one reaches
        // 10^s with a probability of at most 10^-s.
        let length = Theory::unconstrained().suit_lengths(Seat::North, crate::bridge::Suit::Spades);
        let few = FewDeals::new(&null_laws(), &length);
        let n = FIRST_LOOK;
        for (law, mean, variance) in [
            (&few.half_flatness, 1_690.0 / 17.0, 632_736.0 / 14_161.0),
            (&few.overlap, 13.0, 169.0 / 17.0),
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
                let chance = 10f64.powf(upper) + 10f64.powf(lower);
                assert!(chance <= 0.1f64.powi(s), "{s}: {chance:e}");
            }
        }
    }

    #[test]
    fn many_deals_leave_the_plain_chi_squares() {
        let length = Theory::unconstrained().suit_lengths(Seat::North, crate::bridge::Suit::Spades);
        let few = FewDeals::new(&null_laws(), &length);
        for (law, dof) in [
            (few.card_seat_law(1 << 40), 153.0),
            (few.overlap_law(1 << 40), 9.0),
        ] {
            assert!((law.dof() - dof).abs() < 1e-6, "{law:?}");
            assert!((law.mean() - dof).abs() < 1e-6, "{law:?}");
            assert!((law.variance() / (2.0 * dof) - 1.0).abs() < 1e-9, "{law:?}");
        }
    }
}
