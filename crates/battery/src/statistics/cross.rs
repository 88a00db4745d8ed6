//! T7 and T7h: every card of a deal with every card of the deal k deals later.
//!
//! T7 is (51/52)² Σ L_ij(a, b)² / n over n pairs of deals, a chi-square with 153² = 23,409 degrees
//! of freedom. T7h multiplies the points of each seat with those of each seat in the other deal: a
//! chi-square with 9.

use super::{Look, Measured, RunParameters, TestSubject};
use crate::sign_sums::{SIGNS, product, sign_pairs, square};
use crate::tally::{Depth, LAGS, SecondOrder};

/// Minimum pairs of deals for T7: its degrees of freedom.
pub(crate) const LEAST_PAIRS: u64 = 23_409;
/// Variance of a hand's HCP.
const HCP_VARIANCE: f64 = 290.0 / 17.0;

/// Returns the lags of T7h.
pub(crate) fn lags(terms: &RunParameters) -> Vec<TestSubject> {
    let lags = match terms.depth {
        Depth::Full => &LAGS,
        _ => &LAGS[..1],
    };
    TestSubject::lags(terms, lags.iter().copied())
}

/// Returns the lags of T7, if there are enough pairs. A lag of k costs k pairs of each sequence of
/// deals.
pub(crate) fn cross_lags(terms: &RunParameters) -> Vec<TestSubject> {
    match terms.close >= 2 * LEAST_PAIRS || terms.referred {
        true => lags(terms),
        false => Vec::new(),
    }
}

/// Returns the sums over pairs of deals at a lag, if any.
fn sums_of<'l>(look: &'l Look<'_>, subject: TestSubject) -> Option<&'l SecondOrder> {
    let TestSubject::Lag(lag) = subject else {
        return None;
    };
    let mut lags = look.counts.gram.as_ref()?.lags.iter();
    let (_, sums) = lags.find(|(of, _)| *of == lag)?;
    (sums.pairs() > 0).then_some(sums)
}

/// T7.
pub(crate) fn cross(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    sums_of(look, subject).map(cross_of)
}

/// T7h.
pub(crate) fn points_cross(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    sums_of(look, subject).map(points_cross_of)
}

/// Computes T7 from the sums at one lag.
fn cross_of(sums: &SecondOrder) -> Measured {
    let mut statistic = 0.0;
    for (i, j) in sign_pairs() {
        for a in 0..52 {
            for b in 0..52 {
                statistic += square(product(sums, (i, a), (j, b)));
            }
        }
    }
    statistic *= square(51.0 / 52.0) / sums.pairs() as f64;
    Measured::two_sided_chi_square(sums.pairs(), statistic, 23_409.0).with_departure()
}

/// Computes T7h from the sums at one lag.
///
/// h_s - 10 is a quarter of the sum over cards and signs of points times the seat's sign times v_i,
/// so the products follow from the same sums.
fn points_cross_of(sums: &SecondOrder) -> Measured {
    let points = |card: usize| 4.0 - (card % 13).min(4) as f64;
    let mut of_signs = [[0.0; 3]; 3];
    for (i, j) in sign_pairs() {
        for a in (0..52).filter(|&a| points(a) > 0.0) {
            for b in (0..52).filter(|&b| points(b) > 0.0) {
                of_signs[i][j] += points(a) * points(b) * product(sums, (i, a), (j, b));
            }
        }
    }
    let mut statistic = 0.0;
    for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
        let term = |(i, j): (usize, usize)| SIGNS[i][from] * SIGNS[j][to] * of_signs[i][j];
        statistic += square(sign_pairs().map(term).sum::<f64>() / 16.0);
    }
    // The points of the four seats sum to 40, so their covariance is a third larger along each of
    // three directions.
    statistic /= sums.pairs() as f64 * square(HCP_VARIANCE * 4.0 / 3.0);
    Measured::two_sided_chi_square(sums.pairs(), statistic, 9.0).with_departure()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::{Card, Deal, Seat};
    use crate::test_support::{near, seat_of, unconstrained};

    #[test]
    fn points_are_those_of_the_definition() {
        let (deals, counts) = unconstrained(1_500);
        for (lag, sums) in &counts.gram.as_ref().unwrap().lags {
            let n = (deals.len() - lag) as f64;
            let mut points = [[0.0; 4]; 4];
            for (first, second) in deals.iter().zip(&deals[*lag..]) {
                for s in Seat::ALL {
                    for t in Seat::ALL {
                        let [one, other] = [first.hand(s), second.hand(t)].map(|hand| hand.hcp());
                        points[s.index()][t.index()] +=
                            (f64::from(one) - 10.0) * (f64::from(other) - 10.0);
                    }
                }
            }
            let q: f64 = points.iter().flatten().map(|a: &f64| a * a).sum();
            let scale = n * (290.0 / 17.0 * 4.0 / 3.0f64).powi(2);
            near(points_cross_of(sums).statistic, q / scale);
        }
    }

    #[test]
    fn cards_are_those_of_the_definition() {
        let (deals, counts) = unconstrained(1_500);
        // From the signs of the definition: a centred product has variance (52/51)^2.
        let (_, sums) = &counts.gram.as_ref().unwrap().lags[0];
        let n = (deals.len() - 1) as f64;
        let sign = |deal: &Deal, card: Card| {
            let seat = seat_of(deal, card);
            let (v1, v2) = (
                1.0 - (seat >> 1) as f64 * 2.0,
                1.0 - (seat & 1) as f64 * 2.0,
            );
            [v1, v2, v1 * v2]
        };
        let signs: Vec<Vec<[f64; 3]>> = deals
            .iter()
            .map(|deal| Card::all().map(|card| sign(deal, card)).collect())
            .collect();
        let mut q = 0.0;
        for a in 0..52 {
            for b in 0..52 {
                for i in 0..3 {
                    for j in 0..3 {
                        let products = signs
                            .iter()
                            .zip(&signs[1..])
                            .map(|(x, y)| x[a][i] * y[b][j]);
                        q += products.sum::<f64>().powi(2);
                    }
                }
            }
        }
        near(cross_of(sums).statistic, (51.0f64 / 52.0).powi(2) * q / n);
    }
}
