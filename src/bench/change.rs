//! Tests whether a new measurement is slower than earlier ones, by more than their noise.
//!
//! A measurement is a list of rounds. Each round is a logarithm: that of the ratio of two times in
//! the same round. Nothing here depends on the program measured. docs/methodology.md, "Is it
//! slower?", gives the reasons for these tests.
//!
//! - Against one or two earlier measurements: Wilcoxon's rank sum test of the rounds, which is an
//!   exact permutation test. The noise is that of the Hodges-Lehmann estimate.
//! - Against three or more: Student's t prediction interval for one more median. The noise is that
//!   *between* measurements.
//!
//! Both are one-sided tests in each direction: a change is reported if it exceeds the noise at
//! `alpha`.

use serde::{Serialize, Serializer};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Minimum number of earlier measurements for using the noise between them.
pub(crate) const ENOUGH_MEASUREMENTS: usize = 3;
/// Maximum number of rounds for which the law of the rank sum is computed exactly.
const MOST_EXACT: usize = 64;
/// Maximum number of rounds of a measurement.
const MOST_ROUNDS: usize = 1_000;

/// Result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeedFinding {
    /// It takes longer, by more than the noise.
    Slower,
    /// It takes less time, by more than the noise.
    Faster,
    /// Nothing exceeds the noise.
    AsBefore,
    /// With so few rounds, no result could exceed the noise.
    TooFewRounds,
}

impl SpeedFinding {
    /// The name in tables and JSON, such as `as before`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::AsBefore => "as before",
            Self::TooFewRounds => "too few rounds to tell",
        }
    }
}

impl Serialize for SpeedFinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A new measurement compared with earlier ones. Changes are logarithms of ratios: positive means
/// slower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// The estimated change.
    pub change: f64,
    /// The smallest change that would be reported; `None` if no change could be.
    pub noise: Option<f64>,
    /// Probability of a change at least this large, in its direction, if nothing but noise changed.
    pub p: f64,
    /// Result of the comparison.
    pub finding: SpeedFinding,
    /// Number of earlier measurements.
    pub measurements: usize,
    /// Number of rounds used of each.
    pub rounds: usize,
}

/// The median, or the mean of the two middle values; NaN without values.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count => f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
    }
}

/// Compares the rounds of a new measurement with those of earlier ones. Noise is reported as slower
/// with probability at most `alpha`, and as faster with at most the same. Returns `None` without
/// earlier measurements or rounds.
pub(crate) fn compare(earlier: &[Vec<f64>], new: &[f64], alpha: f64) -> Option<Change> {
    let all = earlier.iter().map(Vec::as_slice).chain([new]);
    // Medians of fewer rounds are noisier, so all measurements use the same number.
    let rounds = all.map(<[f64]>::len).min().filter(|&rounds| rounds > 0)?;
    let measurements = earlier.len();
    if measurements == 0 {
        return None;
    }
    let (change, noise, p) = if measurements >= ENOUGH_MEASUREMENTS {
        let medians: Vec<f64> = earlier.iter().map(|of| median(&of[..rounds])).collect();
        between(&medians, median(&new[..rounds]), alpha)
    } else {
        let then: Vec<f64> = earlier
            .iter()
            .flat_map(|of| &of[..rounds])
            .copied()
            .collect();
        within(&then, &new[..rounds], alpha)
    };
    let finding = match noise {
        None => SpeedFinding::TooFewRounds,
        Some(_) if p > alpha => SpeedFinding::AsBefore,
        Some(_) if change > 0.0 => SpeedFinding::Slower,
        Some(_) => SpeedFinding::Faster,
    };
    Some(Change {
        change,
        noise,
        p,
        finding,
        measurements,
        rounds,
    })
}

/// Minimum number of rounds per measurement at which a change could be reported.
pub(crate) fn rounds_needed(earlier: usize, alpha: f64) -> usize {
    if earlier >= ENOUGH_MEASUREMENTS {
        return 1;
    }
    let enough = |&rounds: &usize| rarest(earlier * rounds, rounds) <= alpha;
    (1..=MOST_ROUNDS).find(enough).unwrap_or(MOST_ROUNDS)
}

/// Prediction of one more draw from the normal law of the earlier medians, whose mean and spread
/// are unknown. Returns the change, the noise and the p-value.
fn between(medians: &[f64], new: f64, alpha: f64) -> (f64, Option<f64>, f64) {
    let count = medians.len() as f64;
    let mean = medians.iter().sum::<f64>() / count;
    let squares: f64 = medians.iter().map(|median| (median - mean).powi(2)).sum();
    let spread = (squares / (count - 1.0) * (1.0 + 1.0 / count)).sqrt();
    let change = new - mean;
    let Ok(law) = StudentsT::new(0.0, 1.0, count - 1.0) else {
        return (change, None, 1.0);
    };
    let p = match change.abs() / spread {
        // No change, and no spread.
        t if t.is_nan() => 0.5,
        t => law.sf(t),
    };
    (change, Some(law.inverse_cdf(1.0 - alpha) * spread), p)
}

/// Rank sum test: if nothing changed, all orders of the rounds are equally likely. Returns the
/// Hodges-Lehmann change, the noise and the p-value.
fn within(then: &[f64], now: &[f64], alpha: f64) -> (f64, Option<f64>, f64) {
    let mut differences: Vec<f64> = now
        .iter()
        .flat_map(|new| then.iter().map(move |old| new - old))
        .collect();
    differences.sort_by(f64::total_cmp);
    let change = median(&differences);
    let law = RankSum::new(then.len(), now.len());
    let pairs = differences.len();
    let (below, above) = (
        differences.partition_point(|&difference| difference < 0.0),
        differences.partition_point(|&difference| difference <= 0.0),
    );
    // Ties count against a change in either direction.
    let wins = if change > 0.0 { pairs - above } else { below };
    let p = law.upper(wins);
    // A change is reported if this number of pairs agree on it.
    let needed = (0..=pairs).find(|&wins| law.upper(wins) <= alpha);
    let noise = needed.filter(|&needed| needed > 0).map(|needed| {
        // A shift by this much from no change would make that number of pairs agree.
        match change > 0.0 {
            true => change - differences[pairs - needed],
            false => differences[needed - 1] - change,
        }
    });
    (change, noise, p)
}

/// Smallest possible p-value of the rank sum test: one of all ways to split the rounds.
fn rarest(then: usize, now: usize) -> f64 {
    (1..=now).fold(1.0, |chance, k| chance * k as f64 / (then + k) as f64)
}

/// Law of the number of pairs in which the new round is the larger one.
struct RankSum {
    /// Probability of at least this number; empty if there are too many rounds to compute it.
    upper: Vec<f64>,
    mean: f64,
    deviation: f64,
}

impl RankSum {
    fn new(then: usize, now: usize) -> Self {
        let (m, n) = (then as f64, now as f64);
        Self {
            upper: match then + now <= MOST_EXACT {
                true => Self::exact(then, now),
                false => Vec::new(),
            },
            mean: m * n / 2.0,
            deviation: (m * n * (m + n + 1.0) / 12.0).sqrt(),
        }
    }

    /// Mann and Whitney's recurrence: the largest of all rounds is a new one, which exceeds all the
    /// old ones, or an old one.
    fn exact(then: usize, now: usize) -> Vec<f64> {
        let pairs = then * now;
        // Probability of each number of pairs, by the number of new rounds, for the old rounds so
        // far.
        let mut chances = vec![vec![0.0; pairs + 1]; now + 1];
        for row in &mut chances {
            row[0] = 1.0;
        }
        for old in 1..=then {
            for new in 1..=now {
                let newest = new as f64 / (old + new) as f64;
                for wins in (0..=old * new).rev() {
                    let largest_is_new = match wins.checked_sub(old) {
                        Some(fewer) => newest * chances[new - 1][fewer],
                        None => 0.0,
                    };
                    let largest_is_old = (1.0 - newest) * chances[new][wins];
                    chances[new][wins] = largest_is_new + largest_is_old;
                }
            }
        }
        let mut upper = chances.swap_remove(now);
        for wins in (0..pairs).rev() {
            upper[wins] += upper[wins + 1];
        }
        upper
    }

    /// Probability of at least this number of pairs.
    fn upper(&self, wins: usize) -> f64 {
        if !self.upper.is_empty() {
            return self.upper.get(wins).map_or(0.0, |chance| chance.min(1.0));
        }
        // With this many rounds, the normal approximation holds in the tail for every alpha in use.
        Normal::standard().sf((wins as f64 - 0.5 - self.mean) / self.deviation)
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::stats::elementary::ln;

    const ALPHA: f64 = 0.01;

    fn close(found: f64, expected: f64) {
        let error = (found / expected - 1.0).abs();
        assert!(error < 1e-6, "{found}, not {expected}");
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    /// The largest rank sums of all choices of new rounds, by enumeration.
    fn listed(then: usize, now: usize) -> Vec<f64> {
        let all = then + now;
        let mut counts = vec![0u32; then * now + 1];
        for chosen in (0u32..1 << all).filter(|chosen| chosen.count_ones() as usize == now) {
            let wins = (0..all)
                .filter(|i| chosen >> i & 1 == 1)
                .map(|i| (0..i).filter(|j| chosen >> j & 1 == 0).count());
            counts[wins.sum::<usize>()] += 1;
        }
        let total: u32 = counts.iter().sum();
        (0..counts.len())
            .map(|wins| f64::from(counts[wins..].iter().sum::<u32>()) / f64::from(total))
            .collect()
    }

    #[test]
    fn the_law_of_the_rank_sum_is_that_of_all_permutations() {
        for (then, now) in [(1, 1), (3, 3), (5, 5), (10, 5), (4, 9), (2, 12)] {
            let law = RankSum::new(then, now);
            for (wins, expected) in listed(then, now).into_iter().enumerate() {
                close(law.upper(wins), expected);
            }
            close(rarest(then, now), law.upper(then * now));
        }
    }

    #[test]
    fn many_rounds_have_nearly_the_exact_law() {
        let (exact, mut normal) = (RankSum::new(32, 32), RankSum::new(32, 32));
        normal.upper.clear();
        for wins in (512..=760).step_by(8) {
            let (exact, normal) = (exact.upper(wins), normal.upper(wins));
            // In the far tail the normal law is larger, so it reports changes slightly less often.
            assert!(
                (0.98..1.4).contains(&(normal / exact)),
                "{wins}: {normal}, {exact}"
            );
        }
    }

    #[test]
    fn five_rounds_that_are_all_slower_have_one_chance_in_252() {
        let then = vec![vec![0.0, 0.01, 0.02, 0.03, 0.04]];
        let now: Vec<f64> = then[0].iter().map(|x| x + 0.1).collect();
        let found = compare(&then, &now, ALPHA).unwrap();
        close(found.p, 1.0 / 252.0);
        close(found.change, 0.1);
        assert_eq!(found.finding, SpeedFinding::Slower);
        // 24 of 25 pairs suffice (2 chances in 252): the second smallest difference.
        close(found.noise.unwrap(), 0.03);
        let back = compare(&[now], &then[0], ALPHA).unwrap();
        assert_eq!(back.finding, SpeedFinding::Faster);
        close(back.noise.unwrap(), 0.03);
    }

    #[test]
    fn a_change_is_told_where_it_exceeds_the_noise() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for earlier in [1, 2, 3, 6] {
            for _ in 0..200 {
                let mut rounds = || -> Vec<f64> { (0..6).map(|_| rng.random()).collect() };
                let then: Vec<_> = (0..earlier).map(|_| rounds()).collect();
                let shift = rounds()[0] * 2.0 - 1.0;
                let now: Vec<f64> = rounds().iter().map(|x| x + shift).collect();
                let found = compare(&then, &now, ALPHA).unwrap();
                let told = matches!(found.finding, SpeedFinding::Slower | SpeedFinding::Faster);
                assert_eq!(told, found.change.abs() > found.noise.unwrap(), "{found:?}");
            }
        }
    }

    #[test]
    fn too_few_rounds_are_told_and_how_many_would_do() {
        let found = compare(&[vec![0.0; 3]], &[1.0, 1.0, 1.0], ALPHA).unwrap();
        assert_eq!(
            (found.finding, found.noise),
            (SpeedFinding::TooFewRounds, None)
        );
        close(found.p, 1.0 / 20.0);
        // 1/252 and 1/84 for five and three rounds, 1/3,432 for seven.
        assert_eq!(rounds_needed(1, ALPHA), 5);
        assert_eq!(rounds_needed(2, ALPHA), 4);
        assert_eq!(rounds_needed(1, ALPHA / 8.0), 6);
        assert_eq!(rounds_needed(3, ALPHA), 1);
        assert_eq!(compare(&[], &[1.0], ALPHA), None);
        assert_eq!(compare(&[vec![]], &[1.0], ALPHA), None);
    }

    #[test]
    fn one_more_median_is_predicted_by_students_t() {
        let then: Vec<_> = [1.0, 2.0, 3.0].map(|median| vec![median]).into();
        // s = 1, so t = 2.31 / sqrt(4/3) = 2; 6.964557 is the 99th percentile for two degrees of
        // freedom.
        let found = compare(&then, &[2.0 + 2.0 * (4.0f64 / 3.0).sqrt()], ALPHA).unwrap();
        close(found.noise.unwrap(), 6.964_556_73 * (4.0f64 / 3.0).sqrt());
        // For two degrees of freedom, P(T > t) = 1/2 - t / (2 sqrt(2 + t^2)).
        close(found.p, 0.5 - 1.0 / 6.0f64.sqrt());
        assert_eq!(found.finding, SpeedFinding::AsBefore);
        let found = compare(&then, &[11.0], ALPHA).unwrap();
        assert_eq!(found.finding, SpeedFinding::Slower);
    }

    #[test]
    fn measurements_without_any_noise_are_compared() {
        let then = vec![vec![1.0; 4]; 3];
        let finding = |now: f64| compare(&then, &[now; 4], ALPHA).unwrap().finding;
        assert_eq!(finding(1.0), SpeedFinding::AsBefore);
        assert_eq!(finding(1.1), SpeedFinding::Slower);
        assert_eq!(finding(0.9), SpeedFinding::Faster);
        let found = compare(&then[..1], &[1.0; 4], 0.02).unwrap();
        assert_eq!(found.finding, SpeedFinding::AsBefore);
        assert!(found.p >= 0.02);
    }

    /// Frequency of a row reported slower (or faster) although nothing changed.
    fn false_alarms(earlier: usize, rounds: usize, rows: usize, between: f64) -> [f64; 2] {
        const RUNS: u32 = 20_000;
        let mut rng = ChaCha8Rng::seed_from_u64((earlier * 100 + rounds) as u64);
        let normal = Normal::standard();
        let mut alarms = [0u32; 2];
        for _ in 0..RUNS {
            let mut measurement = || -> Vec<f64> {
                let night = between * normal.inverse_cdf(rng.random::<f64>());
                // Most rounds are quiet; some are disturbed for a long time.
                let round = |rng: &mut ChaCha8Rng| -0.01 * ln(1.0 - rng.random::<f64>());
                (0..rounds).map(|_| night + round(&mut rng)).collect()
            };
            let mut found = [false; 2];
            for _ in 0..rows {
                let then: Vec<_> = (0..earlier).map(|_| measurement()).collect();
                let change = compare(&then, &measurement(), ALPHA / rows as f64).unwrap();
                found[0] |= change.finding == SpeedFinding::Slower;
                found[1] |= change.finding == SpeedFinding::Faster;
            }
            for (alarms, found) in alarms.iter_mut().zip(found) {
                *alarms += u32::from(found);
            }
        }
        alarms.map(|alarms| f64::from(alarms) / f64::from(RUNS))
    }

    #[test]
    fn false_alarms_are_as_rare_as_alpha_says() {
        // Three standard deviations of 20,000 runs.
        let most = ALPHA + 3.0 * (ALPHA / 20_000.0).sqrt();
        let cases = [
            (1, 5, 1, 0.0),
            (1, 7, 4, 0.0),
            (2, 5, 2, 0.0),
            (3, 5, 2, 0.05),
            (10, 5, 4, 0.05),
        ];
        for (earlier, rounds, rows, between) in cases {
            let [slower, faster] = false_alarms(earlier, rounds, rows, between);
            assert!(
                slower <= most && faster <= most,
                "{earlier} earlier, {rounds} rounds: {slower}, {faster}"
            );
        }
        // If nights differ, one earlier night cannot show it: this is why three are needed.
        assert!(false_alarms(1, 5, 1, 0.05)[0] > 0.1);
    }
}
