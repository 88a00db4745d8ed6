//! Whether a new measurement is slower than earlier ones, by more than their noise.
//!
//! A measurement is a list of rounds, of which each is a logarithm: of a time's ratio to that of
//! something else in the same round. Nothing here knows what was measured. docs/methodology.md, "Is
//! it slower?", says why these tests and no others.
//!
//! - Against one or two earlier measurements: Wilcoxon's rank sum test of the rounds, which is an
//!   exact permutation test; the noise is that of Hodges and Lehmann's estimate.
//! - Against three or more: the prediction interval, by Student's t, of one more median; the
//!   noise is that *between* measurements.
//!
//! Both test one side at a time: a change is told if it exceeds the noise at `alpha`.

use serde::{Serialize, Serializer};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Earlier measurements from which on the noise between them is what counts.
pub const ENOUGH_MEASUREMENTS: usize = 3;
/// Rounds in all up to which the law of the rank sum is computed exactly.
const MOST_EXACT: usize = 64;
/// Rounds of a measurement that could be asked for.
const MOST_ROUNDS: usize = 1_000;

/// Whether something is slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It takes longer, by more than the noise.
    Slower,
    /// It takes less time, by more than the noise.
    Faster,
    /// Nothing exceeds the noise.
    AsBefore,
    /// No result of so few rounds could have exceeded it.
    TooFewRounds,
}

impl Finding {
    /// In words: `as before`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::AsBefore => "as before",
            Self::TooFewRounds => "too few rounds to tell",
        }
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A new measurement held against earlier ones. Changes are logarithms of ratios: positive is
/// slower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// How much longer it takes.
    pub change: f64,
    /// The least change that is told: what could have been seen. None if there is none.
    pub noise: Option<f64>,
    /// The chance of a change as large as that, in its direction, if nothing but noise changed.
    pub p: f64,
    /// What that says.
    pub finding: Finding,
    /// The earlier measurements.
    pub measurements: usize,
    /// The rounds of each that were used.
    pub rounds: usize,
}

/// The middle one, or the mean of the two in the middle; NaN of none.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count => f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
    }
}

/// Holds the rounds of a new measurement against those of earlier ones. A change that is noise
/// is told slower with a chance of at most `alpha`, and faster as rarely. `None` without earlier
/// measurements or rounds.
#[must_use]
pub fn compare(earlier: &[Vec<f64>], new: &[f64], alpha: f64) -> Option<Change> {
    let all = earlier.iter().map(Vec::as_slice).chain([new]);
    // Medians of fewer rounds are noisier: as many are taken of each.
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
        None => Finding::TooFewRounds,
        Some(_) if p > alpha => Finding::AsBefore,
        Some(_) if change > 0.0 => Finding::Slower,
        Some(_) => Finding::Faster,
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

/// The fewest rounds of each of so many measurements of which a change could be told.
#[must_use]
pub fn rounds_needed(earlier: usize, alpha: f64) -> usize {
    if earlier >= ENOUGH_MEASUREMENTS {
        return 1;
    }
    let enough = |&rounds: &usize| rarest(earlier * rounds, rounds) <= alpha;
    (1..=MOST_ROUNDS).find(enough).unwrap_or(MOST_ROUNDS)
}

/// One more draw from the normal law of the earlier medians, of which mean and spread are not
/// known: the change, what of it is noise, and the chance of as much.
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

/// The rank sum test of rounds that would come in any order, if nothing had changed: the
/// Hodges-Lehmann change, what of it is noise, and the chance of as much.
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
    // Ties speak against a change, whichever it is.
    let wins = if change > 0.0 { pairs - above } else { below };
    let p = law.upper(wins);
    // A change is told if so many pairs of rounds agree on it.
    let needed = (0..=pairs).find(|&wins| law.upper(wins) <= alpha);
    let noise = needed.filter(|&needed| needed > 0).map(|needed| {
        // Moved by this much from no change at all, so many would.
        match change > 0.0 {
            true => change - differences[pairs - needed],
            false => differences[needed - 1] - change,
        }
    });
    (change, noise, p)
}

/// The least chance that the rank sum test can come to: one of all ways to tell rounds apart.
fn rarest(then: usize, now: usize) -> f64 {
    (1..=now).fold(1.0, |chance, k| chance * k as f64 / (then + k) as f64)
}

/// The law of the number of pairs in which the new round is the larger one.
struct RankSum {
    /// The chance of at least so many; empty if there are too many rounds for it.
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

    /// By Mann and Whitney's recurrence: the largest of all rounds is a new one, larger than
    /// all the old, or an old one.
    fn exact(then: usize, now: usize) -> Vec<f64> {
        let pairs = then * now;
        // Chances of each number of pairs, by the new rounds, of the old rounds so far.
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

    /// The chance of at least so many pairs.
    fn upper(&self, wins: usize) -> f64 {
        if !self.upper.is_empty() {
            return self.upper.get(wins).map_or(0.0, |chance| chance.min(1.0));
        }
        // Of so many rounds the sum is normal, far enough out for any alpha that is used.
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

    /// The largest rank sums of all choices of new rounds, one by one.
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
            // Far out the normal law has the larger tail: it tells a little too seldom.
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
        assert_eq!(found.finding, Finding::Slower);
        // 24 pairs of 25 would be enough (2 chances in 252): the second least of the differences.
        close(found.noise.unwrap(), 0.03);
        let back = compare(&[now], &then[0], ALPHA).unwrap();
        assert_eq!(back.finding, Finding::Faster);
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
                let told = matches!(found.finding, Finding::Slower | Finding::Faster);
                assert_eq!(told, found.change.abs() > found.noise.unwrap(), "{found:?}");
            }
        }
    }

    #[test]
    fn too_few_rounds_are_told_and_how_many_would_do() {
        let found = compare(&[vec![0.0; 3]], &[1.0, 1.0, 1.0], ALPHA).unwrap();
        assert_eq!((found.finding, found.noise), (Finding::TooFewRounds, None));
        close(found.p, 1.0 / 20.0);
        // 1/252 and 1/84 of five and three rounds, 1/3,432 of seven.
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
        // s = 1, so that t = 2.31 / sqrt(4/3) = 2; 6.964557 is the 99th percentile of two degrees.
        let found = compare(&then, &[2.0 + 2.0 * (4.0f64 / 3.0).sqrt()], ALPHA).unwrap();
        close(found.noise.unwrap(), 6.964_556_73 * (4.0f64 / 3.0).sqrt());
        // Of two degrees of freedom P(T > t) = 1/2 - t / (2 sqrt(2 + t^2)).
        close(found.p, 0.5 - 1.0 / 6.0f64.sqrt());
        assert_eq!(found.finding, Finding::AsBefore);
        let found = compare(&then, &[11.0], ALPHA).unwrap();
        assert_eq!(found.finding, Finding::Slower);
    }

    #[test]
    fn measurements_without_any_noise_are_compared() {
        let then = vec![vec![1.0; 4]; 3];
        let finding = |now: f64| compare(&then, &[now; 4], ALPHA).unwrap().finding;
        assert_eq!(finding(1.0), Finding::AsBefore);
        assert_eq!(finding(1.1), Finding::Slower);
        assert_eq!(finding(0.9), Finding::Faster);
        let found = compare(&then[..1], &[1.0; 4], 0.02).unwrap();
        assert_eq!(found.finding, Finding::AsBefore);
        assert!(found.p >= 0.02);
    }

    /// How often one row of so many is told slower (or faster) though nothing changed.
    fn false_alarms(earlier: usize, rounds: usize, rows: usize, between: f64) -> [f64; 2] {
        const RUNS: u32 = 20_000;
        let mut rng = ChaCha8Rng::seed_from_u64((earlier * 100 + rounds) as u64);
        let normal = Normal::standard();
        let mut alarms = [0u32; 2];
        for _ in 0..RUNS {
            let mut measurement = || -> Vec<f64> {
                let night = between * normal.inverse_cdf(rng.random::<f64>());
                // Most rounds are quiet, some are disturbed for long.
                let round = |rng: &mut ChaCha8Rng| -0.01 * (1.0 - rng.random::<f64>()).ln();
                (0..rounds).map(|_| night + round(&mut rng)).collect()
            };
            let mut found = [false; 2];
            for _ in 0..rows {
                let then: Vec<_> = (0..earlier).map(|_| measurement()).collect();
                let change = compare(&then, &measurement(), ALPHA / rows as f64).unwrap();
                found[0] |= change.finding == Finding::Slower;
                found[1] |= change.finding == Finding::Faster;
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
        // Where nights differ, one earlier night cannot tell: what the third of them is for.
        assert!(false_alarms(1, 5, 1, 0.05)[0] > 0.1);
    }
}
