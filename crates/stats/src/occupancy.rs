//! Pairs of balls in the same cell, where every cell is as likely as any other.
//!
//! n balls fall into m cells. Each of their C(n, 2) pairs is in one cell with probability q = 1/m.
//! Two pairs are independent of each other; three pairs are dependent only if they form a triangle.
//! So the number K of pairs in one cell has
//!
//! ```text
//! mean C(n,2) q,  variance C(n,2) q (1 - q),
//! third central moment C(n,2) q (1 - q) (1 - 2q) + 6 C(n,3) q^2 (1 - q)
//! ```
//!
//! and its probabilities are n! / m^n times the coefficient of x^n y^K in (sum over j of x^j
//! y^C(j,2) / j!)^m.

use std::f64::consts::LN_10;

use super::counts::poisson_upper_log10;
use super::gamma_sum::{GammaSum, Moments};
use crate::elementary::{exp, ln, ln_1p};

/// Below this number of cells, the law of pairs is exact and requires their exact number.
pub const EXACT_BELOW: f64 = 4_096.0;

/// Above this number of pairs, the size-biased bound is the bound at this number, which takes
/// 130,000 steps.
const MOST_SIZE_BIASED: u64 = 2_048;

/// Minimum of an exact tail, because it is the complement of the smaller counts.
const LEAST_TAIL: f64 = 1e-12;

/// The first three moments of the number of pairs of balls that share one of `cells` cells, given
/// the pairs and the sets of three balls, both summed over independent throws. `None` if the
/// variance is 0.
///
/// If the third moment is not positive, as for a single pair in two cells, the variance replaces
/// it, as in a Poisson law.
pub fn pairs_in_a_cell(pairs: f64, triples: f64, cells: f64) -> Option<Moments> {
    let q = cells.recip();
    let variance = pairs * q * (1.0 - q);
    let third = variance * (1.0 - 2.0 * q) + 6.0 * triples * q * q * (1.0 - q);
    (variance > 0.0).then_some(Moments {
        mean: pairs * q,
        variance,
        third: if third > 0.0 { third } else { variance },
    })
}

/// log10 of a bound of P(K >= `pairs`) for `balls` balls in `cells` cells, with at least eight
/// cells for each ball.
///
/// Below 4,096 cells the tail is exact. Otherwise the result is the smaller of two bounds. The
/// first is the larger of the Poisson tail, which holds for few pairs, and the tail of the
/// chi-square with the exact first three moments, which accounts for the three pairs of three balls
/// in a cell. An e-value from it reaches 10^s with a probability of at most 10^-s for s up to 9, as
/// tests check. The second bound is proved (in `size_biased_upper_log10`), and much smaller if the
/// number of pairs is many times the expected number.
///
/// # Panics
///
/// If there are fewer than 4,096 cells, and more balls than cells.
pub fn equal_pairs_upper_log10(pairs: u64, balls: u64, cells: f64) -> f64 {
    if cells < EXACT_BELOW {
        return occupancy_upper_log10(pairs, balls, cells as u64);
    }
    let n = balls as f64;
    let of_balls = n * (n - 1.0).max(0.0) / 2.0;
    let triples = of_balls * (n - 2.0).max(0.0) / 3.0;
    let fitted = pairs_in_a_cell(of_balls, triples, cells).map_or(0.0, |law| {
        GammaSum::new(vec![law]).upper_log10(pairs as f64)
    });
    poisson_upper_log10(pairs, of_balls / cells)
        .max(fitted)
        .min(size_biased_upper_log10(pairs, n, cells))
}

/// log10 of a proved bound of P(K >= `pairs`), at most 0.
///
/// More balls never form fewer pairs, and a Poisson number of balls with mean n is at least n with
/// a probability of at least 1/2. So P(K >= k) <= 2 P(L >= k), where L is the number of pairs of a
/// Poisson number of balls. Then the cells are independent, with Poisson counts of mean r = n / m,
/// and from E(L; L >= k), cell by cell,
///
///
/// ```text
/// k P(L >= k) <= m * sum over j of C(j,2) P(j in a cell) P(L >= k - C(j,2))
///             = n^2 / (2 m) * sum over i of Poisson(r; i) P(L >= k - C(i + 2, 2)),
/// ```
///
/// which bounds the tail at k by bounds of the tails below it; at 0 and below they are 1.
fn size_biased_upper_log10(pairs: u64, balls: f64, cells: f64) -> f64 {
    // The tail does not increase with the number of pairs.
    let pairs = pairs.min(MOST_SIZE_BIASED) as usize;
    let (mean, rate) = (balls * balls / (2.0 * cells), balls / cells);
    if mean >= pairs as f64 {
        return 0.0;
    }
    // ln Poisson(rate; i), while C(i + 2, 2) is below the number of pairs.
    let mut poisson = vec![-rate];
    while (poisson.len() + 2) * (poisson.len() + 1) / 2 < pairs {
        let last = poisson[poisson.len() - 1];
        poisson.push(last + ln(rate) - ln(poisson.len() as f64));
    }
    let mut tails = vec![0.0; pairs + 1];
    let mut terms = Vec::with_capacity(poisson.len() + 1);
    for k in 1..=pairs {
        terms.clear();
        for (i, ln) in poisson.iter().enumerate() {
            let Some(rest) = k.checked_sub((i + 2) * (i + 1) / 2) else {
                break;
            };
            terms.push(ln + tails[rest]);
        }
        // All larger counts of a cell: each term is at most rate / i times the previous one.
        let beyond = terms.len() as f64;
        let last = poisson[terms.len() - 1] + ln(rate) - ln(beyond);
        terms.push(last - ln_1p(-rate / (beyond + 1.0)));
        let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = terms.iter().map(|ln| exp(ln - most)).sum();
        tails[k] = (ln(mean) - ln(k as f64) + most + ln(sum)).min(0.0);
    }
    ((tails[pairs] + ln(2.0)) / LN_10).min(0.0)
}

/// log10 P(K >= `pairs`) for `balls` balls in `cells` cells, exact to 1e-12 of 1, and never below
/// 10^-12.
///
/// Powers of a series by their recurrence. All terms are positive if there are no more balls than
/// cells. Costs balls * sqrt(k) * k steps, where k is the number of pairs, or a smaller number
/// beyond which nothing is left.
///
/// # Panics
///
/// If there are more balls than cells.
fn occupancy_upper_log10(pairs: u64, balls: u64, cells: u64) -> f64 {
    assert!(
        balls <= cells,
        "more balls than cells: {balls} balls, {cells} cells"
    );
    if pairs == 0 {
        return 0.0;
    }
    let mean = (balls * balls.saturating_sub(1) / 2) as f64 / cells as f64;
    // 40 standard deviations and 60 pairs above the mean, less than 10^-12 is left, and a larger
    // count has no larger tail.
    let enough = mean + 40.0 * mean.sqrt() + 60.0;
    let below = pairs.min(enough.ceil() as u64) as usize;
    let fewer: f64 = law(balls, cells, below).iter().sum();
    (ln((1.0 - fewer).max(LEAST_TAIL)) / LN_10).min(0.0)
}

/// The probabilities of 0, 1, .. `below` - 1 pairs, to relative 1e-13.
fn law(balls: u64, cells: u64, below: usize) -> Vec<f64> {
    let (n, m) = (balls as usize, cells as f64);
    let mut laws = vec![vec![0.0; below]; n + 1];
    laws[0][0] = 1.0;
    for balls in 1..=n {
        let (before, law) = laws.split_at_mut(balls);
        let law = &mut law[0];
        // n! / (n - j)! / j! / m^j
        let mut ways = 1.0;
        for together in 1..=balls {
            let new_pairs = together * (together - 1) / 2;
            if new_pairs >= below {
                break;
            }
            ways *= (balls - together + 1) as f64 / (together as f64 * m);
            let factor = (together as f64 * (m + 1.0) / balls as f64 - 1.0) * ways;
            let others = &before[balls - together];
            for (sum, other) in law[new_pairs..].iter_mut().zip(others) {
                *sum += factor * other;
            }
        }
    }
    laws.swap_remove(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrated_log10;
    use crate::elementary::log10;

    /// Counts throws by the number of pairs of balls in one cell, by enumerating all throws.
    fn ways(balls: u32, cells: u32) -> Vec<u64> {
        let mut ways = vec![0; (balls * (balls - 1) / 2 + 1) as usize];
        for throw in 0..cells.pow(balls) {
            let mut counts = vec![0u32; cells as usize];
            let mut rest = throw;
            for _ in 0..balls {
                counts[(rest % cells) as usize] += 1;
                rest /= cells;
            }
            let pairs: u32 = counts.iter().map(|n| n * n.saturating_sub(1) / 2).sum();
            ways[pairs as usize] += 1;
        }
        ways
    }

    #[test]
    fn tails_and_moments_are_those_of_all_throws() {
        for (balls, cells) in [(1, 4), (2, 2), (3, 5), (5, 7), (6, 6)] {
            let ways = ways(balls, cells);
            let all = f64::from(cells.pow(balls));
            for pairs in 0..ways.len() {
                let tail = ways[pairs..].iter().sum::<u64>() as f64 / all;
                let found = occupancy_upper_log10(pairs as u64, balls.into(), cells.into());
                let exact = log10(tail.max(LEAST_TAIL));
                assert!(
                    (found - exact).abs() < 1e-9,
                    "{balls} {cells} {pairs}: {found}"
                );
            }
            let moment = |power, of: f64| {
                let terms = (0..).map(f64::from).zip(&ways);
                terms
                    .map(|(k, n)| (k - of).powi(power) * *n as f64 / all)
                    .sum::<f64>()
            };
            let n = f64::from(balls);
            let (pairs, triples) = (n * (n - 1.0) / 2.0, n * (n - 1.0) * (n - 2.0) / 6.0);
            let Some(found) = pairs_in_a_cell(pairs, triples, cells.into()) else {
                assert_eq!(balls, 1);
                continue;
            };
            let mean = moment(1, 0.0);
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{balls} {cells}: {a} {b}");
            near(found.mean, mean);
            near(found.variance, moment(2, mean));
            let third = moment(3, mean);
            near(
                found.third,
                if third > 1e-12 { third } else { found.variance },
            );
        }
    }

    #[test]
    fn the_bound_by_a_cells_pairs_is_above_the_exact_tail() {
        for (balls, cells) in [(10, 80), (50, 400), (20, 4_096), (512, 4_096), (300, 8_192)] {
            let law = law(balls, cells, 200);
            let mut below = 0.0;
            for pairs in 1..200 {
                below += law[pairs - 1];
                let bound = size_biased_upper_log10(pairs as u64, balls as f64, cells as f64);
                let exact = 1.0 - below;
                // The complement has lost its digits.
                if exact < 1e-12 {
                    break;
                }
                assert!(bound >= log10(exact), "{balls} in {cells}, {pairs}");
                // And not far above it, except for few balls, whose number a Poisson number often
                // exceeds.
                let loss = bound - log10(exact);
                assert!(balls < 100 || loss < 3.5, "{balls}, {pairs}: {loss}");
            }
        }
    }

    #[test]
    fn many_equal_balls_in_a_cell_bound_what_pairs_tell() {
        // A million balls in 5.4e28 cells: the most likely way to 136 pairs is 17 balls in one
        // cell, whose expected number is m (n/m)^17 / 17!.
        let (balls, cells): (f64, f64) = (1_048_576.0, 5.364_473_777e28);
        let one_cell = 17.0 * log10(balls) - 16.0 * log10(cells) - 14.551;
        let bound = equal_pairs_upper_log10(136, balls as u64, cells);
        assert!((bound - one_cell).abs() < 1.0, "{bound} {one_cell}");
        // Above the maximum number of pairs, the bound stays constant.
        let most = size_biased_upper_log10(MOST_SIZE_BIASED, balls, cells);
        assert_eq!(size_biased_upper_log10(u64::MAX, balls, cells), most);
    }

    #[test]
    fn evidence_of_equal_pairs_keeps_its_promise() {
        // Compares with the exact law at the largest share that is compared, and far below it.
        for (balls, cells) in [
            (10, 80),
            (50, 400),
            (511, 4_095),
            (512, 4_096),
            (100, 4_096),
            (20, 4_096),
            (1_024, 8_192),
            (300, 8_192),
            (2_048, 16_384),
        ] {
            let mean = (balls * (balls - 1) / 2) as f64 / cells as f64;
            let below = (mean + 20.0 * mean.sqrt() + 40.0) as usize;
            let law = law(balls, cells, below);
            let mut tails = law.clone();
            for pairs in (1..below).rev() {
                tails[pairs - 1] += tails[pairs];
            }
            for s in 1..=9 {
                let reaches = |pairs: &usize| {
                    let p = equal_pairs_upper_log10(*pairs as u64, balls, cells as f64);
                    calibrated_log10(p) >= f64::from(s)
                };
                let promised = 0.1f64.powi(s);
                // If p is at its minimum, no count reaches it.
                let chance = (0..below).find(reaches).map_or(0.0, |pairs| tails[pairs]);
                assert!(chance <= promised, "{balls} in {cells}, {s}: {chance:e}");
            }
        }
    }
}
