//! T2 and T2z: pairs of cards in one deal.
//!
//! Chi-squares over pairs of cards a < b, with their degrees of freedom:
//!
//! - **T2a**, pairs in one hand: t = Σ_i (M_ii(a,b) + N/51), and Σ t²/3 divided by N 832/833:
//!   1,274.
//! - **T2b**, the hand that holds both: the two contrasts of M_11, M_22 and M_33, divided by N
//!   52/49: 2,548.
//! - **T2c**, symmetric: M_ij(a,b) + M_ij(b,a) + (m_k(a) + m_k(b))/25, divided by N 2496/1225:
//!   3,822.
//! - **T2d**, antisymmetric: M_ij(a,b) - M_ij(b,a), divided by N 2704/1275: 3,825.
//!
//! They belong to different irreducible modules of the deals, so their sum T2 is a chi-square too,
//! with 11,469. T2z counts the selected pairs that are in one hand, less constant and first-order
//! parts. Each pair's indicator has variance 156/833 along the module, and the sum is normal.

use super::{Contrast, Look, Measured, TestSubject, beside_expected};
use crate::sign_sums::{first_order, product, square};
use crate::tally::SecondOrder;

/// Returns one of [`parts`].
pub(crate) fn part(look: &Look<'_>, index: usize) -> Option<Measured> {
    look.second_order.as_ref().map(|parts| parts[index].clone())
}

/// T2z.
pub(crate) fn chosen(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let TestSubject::Contrast(chosen) = subject else {
        return None;
    };
    Some(contrast(look.within()?, chosen))
}

/// The sums within deals, with the first-order sums of the same deals.
struct Within<'s> {
    sums: &'s SecondOrder,
    deals: f64,
    /// m_i(c).
    first_order: [[f64; 52]; 3],
}

impl<'s> Within<'s> {
    fn new(sums: &'s SecondOrder) -> Self {
        Self {
            sums,
            deals: sums.pairs() as f64,
            first_order: first_order(sums),
        }
    }

    fn product(&self, i: usize, a: usize, j: usize, b: usize) -> f64 {
        product(self.sums, (i, a), (j, b))
    }

    /// Returns S_ii(a, b) = M_ii(a, b) + N/51 for the three signs.
    fn same(&self, a: usize, b: usize) -> [f64; 3] {
        std::array::from_fn(|i| self.product(i, a, i, b) + self.deals / 51.0)
    }
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..52).flat_map(|a| (a + 1..52).map(move |b| (a, b)))
}

/// Returns T2a to T2d, and T2.
pub(crate) fn parts(sums: &SecondOrder) -> [Measured; 5] {
    let within = Within::new(sums);
    let n = within.deals;
    let [mut a, mut b, mut c, mut d] = [0.0; 4];
    for (x, y) in pairs() {
        let [s1, s2, s3] = within.same(x, y);
        a += square(s1 + s2 + s3) / 3.0;
        b += square(s1 - s2) / 2.0 + square(s1 + s2 - 2.0 * s3) / 6.0;
        for (i, j, k) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            let (one, other) = (within.product(i, x, j, y), within.product(i, y, j, x));
            let m = &within.first_order[k];
            c += square(one + other + (m[x] + m[y]) / 25.0);
            d += square(one - other);
        }
    }
    let parts = [
        (a / (n * 832.0 / 833.0), 1_274.0),
        (b / (n * 52.0 / 49.0), 2_548.0),
        (c / (n * 2_496.0 / 1_225.0), 3_822.0),
        (d / (n * 2_704.0 / 1_275.0), 3_825.0),
    ];
    let all: f64 = parts.iter().map(|(statistic, _)| statistic).sum();
    let deals = sums.pairs();
    let test =
        |(statistic, dof)| Measured::two_sided_chi_square(deals, statistic, dof).with_departure();
    let [a, b, c, d] = parts.map(test);
    [a, b, c, d, test((all, 11_469.0))]
}

impl Contrast {
    fn holds(self, a: usize, b: usize) -> bool {
        match self {
            Self::SuitNeighbours => a / 13 == b / 13 && a.abs_diff(b) == 1,
            Self::SameRank => a % 13 == b % 13,
            Self::DeckNeighbours => a.abs_diff(b) == 1,
            Self::AcesAndKings => a % 13 < 2 && b % 13 < 2,
        }
    }
}

/// T2z: how often such cards are in one hand, beyond the effect of single cards' seats.
fn contrast(sums: &SecondOrder, contrast: Contrast) -> Measured {
    let within = Within::new(sums);
    let weight = |a: usize, b: usize| f64::from(contrast.holds(a, b));
    let rows: Vec<f64> = (0..52)
        .map(|a| (0..52).filter(|&b| b != a).map(|b| weight(a, b)).sum())
        .collect();
    let total: f64 = rows.iter().sum();
    let (mut sum, mut squares) = (0.0, 0.0);
    let (mut together, mut chosen) = (0.0, 0.0);
    for (a, b) in pairs() {
        // Without constant and first-order parts.
        let projected = weight(a, b) - (rows[a] + rows[b]) / 50.0 + total / (51.0 * 50.0);
        let signs: f64 = (0..3).map(|i| within.product(i, a, i, b)).sum();
        let same_hand = (within.deals + signs) / 4.0;
        sum += projected * same_hand;
        squares += square(projected);
        together += weight(a, b) * same_hand;
        chosen += weight(a, b);
    }
    let z = sum / (within.deals * 156.0 / 833.0 * squares).sqrt();
    let share = beside_expected(together / (chosen * within.deals), 4.0 / 17.0);
    Measured::normal(sums.pairs(), z).with_effect(format!("such pairs in one hand: {share}"))
}

#[cfg(test)]
#[allow(clippy::needless_range_loop, reason = "definitions, index by index")]
mod tests {
    use super::*;
    use crate::bridge::Card;
    use crate::test_support::{near, seat_of, unconstrained};

    #[test]
    fn statistics_are_those_of_the_definitions() {
        let (deals, counts) = unconstrained(3_000);
        let n = deals.len() as f64;
        let within = &counts.gram.as_ref().unwrap().within;
        let mut together = vec![vec![0.0; 52]; 52];
        for deal in &deals {
            let seats: Vec<usize> = Card::all().map(|card| seat_of(deal, card)).collect();
            for a in 0..52 {
                for b in 0..a {
                    together[a][b] += f64::from(seats[a] == seats[b]);
                }
            }
        }

        // T2a: pairs in one hand have p = 4/17, variance 156/833 along the module.
        let square = |o: f64| (o - n * 4.0 / 17.0).powi(2) / (n * 156.0 / 833.0);
        let t2a: f64 = pairs().map(|(a, b)| square(together[b][a])).sum();
        let parts = parts(within);
        near(parts[0].statistic, t2a);
        let sum: f64 = parts[..4].iter().map(|part| part.statistic).sum();
        near(parts[4].statistic, sum);

        // F = 52 + 2 (pairs of one suit in one hand): from lengths and from pairs.
        let of_suits: f64 = pairs()
            .filter(|(a, b)| a / 13 == b / 13)
            .map(|(a, b)| together[b][a])
            .sum();
        let flatness: u64 = (0..)
            .zip(counts.spread.flatness())
            .map(|(half, count)| 2 * half * count)
            .sum();
        assert_eq!(flatness as f64, 52.0 * n + 2.0 * of_suits);

        // T2z, by pairs of one rank.
        let same_rank = contrast(within, Contrast::SameRank);
        let of_rank: f64 = pairs()
            .filter(|(a, b)| a % 13 == b % 13)
            .map(|(a, b)| together[b][a])
            .sum();
        // Every card has three others of its rank, so only the constant is projected out: 3/25 less
        // 156/2550 = 78 * 2 / (51 * 50).
        let projected = |w: f64| w - 6.0 / 50.0 + 156.0 / 2_550.0;
        let squares = 78.0 * projected(1.0).powi(2) + (1_326.0 - 78.0) * projected(0.0).powi(2);
        let all: f64 = together.iter().flatten().sum();
        let sum = projected(1.0) * of_rank + projected(0.0) * (all - of_rank);
        near(
            same_rank.statistic,
            sum / (n * 156.0 / 833.0 * squares).sqrt(),
        );
    }
}
