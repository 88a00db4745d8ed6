//! Tables of counts against exact probabilities: chi-squares over pooled cells, and Dirichlet
//! mixtures.

use serde::{Deserialize, Serialize};

use crate::printable::decimals;
use crate::stats::elementary::{log10, powf};
use crate::stats::{
    binomial_lower_log10, binomial_upper_log10, chi_square_lower_log10, chi_square_upper_log10,
    dirichlet_mixture_log10, normal_quantile_upper,
};
use crate::theory::Distribution;

/// A test's result at one look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Number of deals, or pairs of deals, in the sample.
    pub(crate) deals: u64,
    pub(crate) statistic: f64,
    /// Degrees of freedom of a chi-square.
    pub(crate) dof: Option<f64>,
    /// log10 of the p-value at this look alone.
    pub log10_p: f64,
    /// log10 of the e-value, if it is valid at every look; otherwise p-values are calibrated at
    /// each look.
    pub(crate) log10_e: Option<f64>,
    /// The largest deviation, as a sentence.
    pub(crate) effect: String,
    /// Whether the p-value is that of the lower tail: the counts are too uniform.
    pub(crate) is_even: bool,
    /// Whether an impossible outcome was counted.
    pub(crate) impossible: bool,
}

/// Minimum degrees of freedom for evidence from the lower tail of a chi-square. With fewer, counts
/// can equal their expectations by chance.
const EVEN_DOF: f64 = 20.0;

impl Measured {
    pub(crate) fn new(deals: u64, statistic: f64, log10_p: f64) -> Self {
        Self {
            deals,
            statistic,
            dof: None,
            log10_p: log10_p.min(0.0),
            log10_e: None,
            effect: String::new(),
            is_even: false,
            impossible: false,
        }
    }

    /// Returns the statistic for the position among perfect sets.
    pub(crate) fn placed_by(&self) -> f64 {
        self.log10_e.unwrap_or(self.statistic)
    }

    /// Returns the result for an impossible outcome.
    pub(crate) fn impossible(deals: u64, effect: String) -> Self {
        Self {
            impossible: true,
            log10_e: Some(f64::INFINITY),
            ..Self::new(deals, f64::INFINITY, f64::NEG_INFINITY).with_effect(effect)
        }
    }

    pub(crate) fn with_effect(mut self, effect: String) -> Self {
        self.effect = effect;
        self
    }

    /// Sets the effect to the departure of a deal from fair dealing: the square root of the
    /// noncentrality per deal.
    pub(crate) fn with_departure(self) -> Self {
        let beyond = (self.statistic - self.dof.unwrap_or(0.0)).max(0.0);
        let phi = (beyond / self.deals as f64).sqrt();
        self.with_effect(format!("departure {phi:.4} per deal"))
    }

    /// Returns a chi-square result with the p-value of the upper tail.
    pub(crate) fn chi_square(deals: u64, statistic: f64, dof: f64) -> Self {
        let log10_p = chi_square_upper_log10(statistic.max(0.0), dof);
        let dof = Some(dof);
        Self {
            dof,
            ..Self::new(deals, statistic, log10_p)
        }
    }

    /// Returns a two-sided chi-square result: counts can be too uniform.
    pub(crate) fn two_sided_chi_square(deals: u64, statistic: f64, dof: f64) -> Self {
        if dof < EVEN_DOF {
            return Self::chi_square(deals, statistic, dof);
        }
        let upper = chi_square_upper_log10(statistic.max(0.0), dof);
        let lower = chi_square_lower_log10(statistic.max(0.0), dof);
        Self {
            dof: Some(dof),
            is_even: lower < upper,
            ..Self::new(deals, statistic, two_sided(upper, lower))
        }
    }

    /// Returns the result for a standard normal statistic.
    pub(crate) fn normal(deals: u64, z: f64) -> Self {
        let tail = crate::stats::normal_upper_log10(z.abs());
        Self::new(deals, z, two_sided(tail, 0.0))
    }
}

/// Returns log10 of twice the smaller of two tails.
pub fn two_sided(upper: f64, lower: f64) -> f64 {
    (upper.min(lower) + std::f64::consts::LOG10_2).min(0.0)
}

/// Returns the minimum expected count of a cell, which depends on the number of deals.
pub(crate) fn least_expected(deals: u64) -> f64 {
    if deals < 1_000_000 { 20.0 } else { 100.0 }
}

/// Multinomial counts with their probabilities.
pub(crate) type CountProbabilities = Vec<(u64, f64)>;

/// The probabilities of a table's cells, rounded once from exact integers.
#[derive(Clone, Debug)]
pub struct TableLaw {
    pub(crate) probabilities: Vec<f64>,
    /// Cells by ascending probability.
    order: Vec<usize>,
}

impl TableLaw {
    pub(crate) fn new(distribution: &Distribution) -> Self {
        let cells = 0..distribution.ways().len();
        Self::of(
            cells
                .map(|cell| distribution.probability(cell).to_f64())
                .collect(),
        )
    }

    /// The law of cells with these probabilities.
    pub fn of(probabilities: Vec<f64>) -> Self {
        let mut order: Vec<usize> = (0..probabilities.len()).collect();
        order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
        Self {
            probabilities,
            order,
        }
    }

    /// Returns whether all deals fall into one cell.
    pub(super) fn is_certain(&self) -> bool {
        self.probabilities.iter().filter(|p| **p > 0.0).count() < 2
    }

    /// Returns the number of rarest cells to pool so that every cell has a large enough
    /// expectation. It depends only on probabilities and the number of deals.
    fn pooled(&self, deals: u64) -> usize {
        let (n, least) = (deals as f64, least_expected(deals));
        let mut pool = 0.0;
        for (count, &cell) in self.order.iter().enumerate() {
            let expected = n * self.probabilities[cell];
            if expected >= least && (pool == 0.0 || pool >= least) {
                return count;
            }
            pool += expected;
        }
        self.order.len()
    }

    /// Returns the cells with large enough expectations, and the pool of all others last.
    pub fn groups(&self, deals: u64) -> Vec<Vec<usize>> {
        let (rare, common) = self.order.split_at(self.pooled(deals));
        let mut groups: Vec<Vec<usize>> = common.iter().map(|&cell| vec![cell]).collect();
        let possible = |cells: &[usize]| cells.iter().any(|&cell| self.probabilities[cell] > 0.0);
        if possible(rare) {
            groups.push(rare.to_vec());
        }
        groups
    }

    /// Returns Pearson's chi-square over pooled cells, with the Dirichlet mixture over all cells as
    /// e-value; `None` before the first deal.
    pub(crate) fn measure(
        &self,
        counts: &[u64],
        name: impl Fn(usize) -> String,
    ) -> Option<Measured> {
        let deals: u64 = counts.iter().sum();
        if deals == 0 {
            return None;
        }
        let n = deals as f64;
        let groups = self.groups(deals);
        let log10_e = dirichlet_mixture_log10(counts, &self.probabilities);
        let mut statistic = 0.0;
        let mut worst: (f64, Option<&Vec<usize>>, f64, f64) = (0.0, None, 0.0, 0.0);
        for group in &groups {
            let expected: f64 = n * group
                .iter()
                .map(|&cell| self.probabilities[cell])
                .sum::<f64>();
            let observed = group.iter().map(|&cell| counts[cell]).sum::<u64>() as f64;
            let term = (observed - expected).powi(2) / expected;
            statistic += term;
            if term >= worst.0 {
                worst = (term, Some(group), observed, expected);
            }
        }
        if log10_e == f64::INFINITY {
            let impossible = counts.iter().zip(&self.probabilities);
            let cell = impossible
                .enumerate()
                .find(|(_, (n, p))| **n > 0 && **p == 0.0);
            let cell = cell.map_or(0, |(cell, _)| cell);
            return Some(Measured {
                log10_e: Some(log10_e),
                ..Measured::new(deals, f64::INFINITY, f64::NEG_INFINITY).with_effect(format!(
                    "{}: {} (impossible)",
                    name(cell),
                    counts[cell]
                ))
            });
        }
        if groups.len() < 2 {
            return Some(Measured {
                log10_e: Some(log10_e),
                ..Measured::new(deals, 0.0, 0.0)
            });
        }
        let effect = match worst {
            (_, Some(group), observed, expected) => {
                let what = match group[..] {
                    [cell] => name(cell),
                    _ => "rare cells combined".to_owned(),
                };
                format!("{what}: {}", beside_expected(observed / n, expected / n))
            }
            _ => String::new(),
        };
        let measured = Measured::two_sided_chi_square(deals, statistic, groups.len() as f64 - 1.0);
        Some(Measured {
            log10_e: Some(log10_e),
            ..measured.with_effect(effect)
        })
    }

    /// Returns the counts with their probabilities, with the rarest cells pooled.
    pub(super) fn cells(&self, counts: &[u64]) -> CountProbabilities {
        let deals = counts.iter().sum();
        let group = |cells: &Vec<usize>| {
            let observed = cells.iter().map(|&cell| counts[cell]).sum();
            let probability = cells.iter().map(|&cell| self.probabilities[cell]).sum();
            (observed, probability)
        };
        self.groups(deals).iter().map(group).collect()
    }

    /// T10: the sum of the samples' chi-squares less the chi-square of their sum, over cells with
    /// large enough expectations in the smallest sample.
    pub fn heterogeneity(&self, samples: &[&[u64]]) -> Option<Measured> {
        let sizes: Vec<u64> = samples.iter().map(|counts| counts.iter().sum()).collect();
        let smallest = *sizes.iter().min()?;
        let groups = self.groups(smallest);
        if samples.len() < 2 || groups.len() < 2 {
            return None;
        }
        let statistic = |n: f64, counts: &dyn Fn(usize) -> u64| -> f64 {
            let term = |group: &Vec<usize>| {
                let expected = n * group
                    .iter()
                    .map(|&cell| self.probabilities[cell])
                    .sum::<f64>();
                let observed = group.iter().map(|&cell| counts(cell)).sum::<u64>() as f64;
                (observed - expected).powi(2) / expected
            };
            groups.iter().map(term).sum()
        };
        let deals: u64 = sizes.iter().sum();
        let each = samples.iter().zip(&sizes);
        let sum: f64 = each
            .map(|(counts, n)| statistic(*n as f64, &|cell| counts[cell]))
            .sum();
        let all = |cell: usize| samples.iter().map(|counts| counts[cell]).sum();
        let statistic = sum - statistic(deals as f64, &all);
        let dof = (groups.len() - 1) as f64 * (samples.len() - 1) as f64;
        Some(Measured::chi_square(deals, statistic, dof).with_departure())
    }
}

/// Returns log10 of a p-value of multinomial counts, each with its probability, that is exactly
/// uniform under the null hypothesis; `None` for fewer than two cells.
///
/// Given the cells before it, a count is binomial. Its distribution function, taken at a uniformly
/// drawn point within the step at the count, is uniform. So the squares of the normal quantiles sum
/// to an exact chi-square, however small the counts.
pub(crate) fn randomised_log10(
    cells: &[(u64, f64)],
    uniform: &mut dyn FnMut() -> f64,
) -> Option<f64> {
    let (_, but_last) = cells
        .split_last()
        .filter(|(_, others)| !others.is_empty())?;
    let mut left: u64 = cells.iter().map(|(count, _)| count).sum();
    let mut share: f64 = cells.iter().map(|(_, p)| p).sum();
    let mut squares = 0.0;
    for &(count, p) in but_last {
        let of_left = (p / share).min(1.0);
        let fewer = count.checked_sub(1);
        let below = fewer.map_or(f64::NEG_INFINITY, |k| {
            binomial_lower_log10(k, left, of_left)
        });
        let above = binomial_upper_log10(count + 1, left, of_left);
        let [below, above] = [below, above].map(|log10| powf(10.0, log10));
        let (here, at) = ((1.0 - below - above).max(0.0), uniform());
        // The smaller tail is the more precise one.
        let tail = (below + at * here).min(above + (1.0 - at) * here);
        squares += normal_quantile_upper(log10(tail).min(0.0)).powi(2);
        left -= count;
        share -= p;
    }
    Some(chi_square_upper_log10(squares, but_last.len() as f64))
}

/// Formats an observed share with the expected one: `25.51 % (25.00 % expected)`.
pub(crate) fn beside_expected(observed: f64, expected: f64) -> String {
    let [observed, expected] = two_shares([observed, expected]);
    format!("{observed} ({expected} expected)")
}

/// Formats two shares as percentages with the same decimals: three significant digits, and more if
/// needed to show the difference.
pub fn two_shares(shares: [f64; 2]) -> [String; 2] {
    let [one, other] = shares.map(|share| 100.0 * share);
    let (least, most) = (one.min(other), one.max(other));
    let of_most = decimals(most, 3);
    let of_least = decimals(least, 3).min(of_most + 1);
    let digits = of_most.max(of_least).max(decimals(one - other, 2));
    [one, other].map(|share| format!("{share:.digits$} %"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_cells_are_pooled_until_each_expects_enough() {
        let cells = TableLaw::of(vec![0.5, 0.4, 0.0, 0.05, 0.03, 0.02]);
        let groups = |deals| cells.groups(deals);
        assert_eq!(
            groups(10_000),
            [vec![5], vec![4], vec![3], vec![1], vec![0]]
        );
        assert_eq!(groups(500), [vec![3], vec![1], vec![0], vec![2, 5, 4]]);
    }

    #[test]
    fn randomised_p_values_of_few_counts_are_uniform() {
        // Takes every outcome of six deals in three cells with its probability, and a fine grid
        // instead of the two uniform numbers: p is at most u with probability u.
        let (n, p) = (6u64, [0.5f64, 0.3, 0.2]);
        let factorial = |n: u64| (1..=n).product::<u64>() as f64;
        let steps = 20;
        let mut mass = [0.0; 10];
        for a in 0..=n {
            for b in 0..=n - a {
                let counts = [a, b, n - a - b];
                let ways = factorial(n) / counts.map(factorial).iter().product::<f64>();
                let each = counts.iter().zip(p).map(|(k, p)| p.powi(*k as i32));
                let chance = ways * each.product::<f64>();
                for place in 0..steps * steps {
                    let mut points = [place / steps, place % steps]
                        .map(|i| (f64::from(i) + 0.5) / f64::from(steps))
                        .into_iter();
                    let cells: Vec<_> = counts.into_iter().zip(p).collect();
                    let found = randomised_log10(&cells, &mut || points.next().unwrap());
                    let p = powf(10.0, found.unwrap());
                    mass[((p * 10.0) as usize).min(9)] += chance / f64::from(steps * steps);
                }
            }
        }
        for mass in mass {
            assert!((mass - 0.1).abs() < 0.01, "{mass}");
        }
        assert_eq!(randomised_log10(&[(5, 1.0)], &mut || 0.5), None);
    }

    #[test]
    fn a_share_beside_its_expectation_shows_the_difference() {
        let words = beside_expected;
        assert_eq!(words(0.255_12, 0.25), "25.51 % (25.00 % expected)");
        assert_eq!(words(0.250_001_2, 0.25), "25.00012 % (25.00000 % expected)");
        assert_eq!(words(0.0, 1e-5), "0.00000 % (0.00100 % expected)");
        assert_eq!(words(0.5, 0.5), "50.0 % (50.0 % expected)");
        assert_eq!(words(0.75, 0.25), "75.0 % (25.0 % expected)");
        assert_eq!(words(0.144, 0.0801), "14.40 % (8.01 % expected)");
    }
}
