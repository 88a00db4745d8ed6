//! Self-test: a battery on perfect deals, whose p-values must follow their laws.

use std::f64::consts::{LN_10, LOG10_2};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use rayon::prelude::*;

use super::RunError;
use super::keep_filter::KeepFilter;
use super::running::{count, terms};
use crate::stats::elementary::{log10, powf};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::battery::{Battery, Expected, Test};
use crate::count::Count;
use crate::draw::{DealScratch, DealSource, DrawError, Isa, Packet, Portion};
use crate::stats::{
    binomial_upper_log10, chi_square_lower_log10, chi_square_upper_log10, kolmogorov_upper_log10,
    normal_upper_log10,
};
use crate::tally::CountPlan;

/// Results of one test in many runs of perfect deals.
#[derive(Clone, Debug, PartialEq)]
pub struct NullRow {
    /// The test.
    pub test: Test,
    /// Its subject, such as a table or a seat.
    pub subject: String,
    /// Number of runs in which the test was made.
    pub runs: usize,
    /// Observed mean and variance of the statistic.
    pub found: (f64, f64),
    /// Expected mean and variance; `None` if the statistic has no known law.
    pub expected: Option<(f64, f64)>,
    /// Deviations of the mean and the variance, in standard errors.
    pub z: Option<(f64, f64)>,
    /// log10 of the p-value of the Kolmogorov-Smirnov test that p-values are uniform. If they are
    /// bounds, the test is that they are not too small.
    pub uniform_log10: f64,
    /// log10 of the smallest p-value, times the number of runs.
    pub least_log10: f64,
    /// Whether p-values are judged: they are exact, or bounds, or the sample is large enough for
    /// their limit law.
    pub is_judged: bool,
    /// log10 of the two-sided p-values of the mean and the variance; `None` if they are not judged.
    moments_log10: Option<[f64; 2]>,
}

/// Minimum sample size at which limit laws hold for all p-values, not only for small ones.
const FEWEST_FOR_LIMITS: u64 = 1 << 10;

/// Results of a battery in many runs of perfect deals.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// A row for every test.
    pub rows: Vec<NullRow>,
    /// Number of runs.
    pub runs: usize,
    /// Deals of each run.
    pub deals: u64,
    /// The largest S of each run.
    pub largest: Vec<f64>,
}

impl Calibration {
    /// log10 of the smallest p-value of the calibration, times their number.
    ///
    /// The p-values test, for every test, whether its p-values are uniform, the smallest of them,
    /// and the mean and variance of statistics that are close to normal. They also test whether S
    /// reached 1, 2, 3 .. in more runs than one in 10, 100, 1,000 ..
    pub fn log10_p(&self) -> f64 {
        let judged = self.rows.iter().filter(|row| row.is_judged);
        let of_tests = judged.flat_map(|row| {
            let moments = row.moments_log10.into_iter().flatten();
            moments.chain([row.uniform_log10, row.least_log10])
        });
        let of_levels = (1..=9).map(|s| {
            let reached = self.reached(f64::from(s)) as u64;
            binomial_upper_log10(reached, self.runs as u64, 0.1f64.powi(s))
        });
        let each = of_tests.chain(of_levels);
        let (count, least) = each.fold((0u32, 0f64), |(n, least), p| (n + 1, least.min(p)));
        (least + log10(f64::from(count))).min(0.0)
    }

    /// Number of runs whose S reached `s`.
    pub fn reached(&self, s: f64) -> usize {
        self.largest.iter().filter(|largest| **largest >= s).count()
    }
}

/// A source that is dealt by one thread: runs are dealt in parallel, not their blocks.
pub struct OneThread<'s>(pub &'s dyn DealSource);

impl DealSource for OneThread<'_> {
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        self.0.portions(batch)
    }

    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        self.0.deal(portion, scratch, sink)
    }

    fn isa(&self) -> Isa {
        self.0.isa()
    }

    fn is_one_sequence(&self) -> bool {
        true
    }
}

/// A number of runs of a self-test.
pub type LevelCheckRuns = Count<10, 100_000>;

/// Runs a battery on every source, each with `deals` deals in batches of at most `batch_cap`, on
/// all threads of the current rayon pool.
///
/// # Errors
///
/// [`RunError`] of the first run that could not be dealt.
pub fn level_check(
    sources: &[&dyn DealSource],
    plan: &CountPlan<'_>,
    expected: &Arc<Expected>,
    (deals, batch_cap): (u64, u64),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Calibration, RunError> {
    let fresh = Battery::new(terms(plan, deals, batch_cap, 1), Arc::clone(expected));
    let run = |(number, source): (usize, &&dyn DealSource)| {
        let mut battery = fresh.clone();
        let source = OneThread(*source);
        let mut look = |counted: &_| {
            battery.look(counted);
            ControlFlow::Continue(())
        };
        let counted = count(
            &source,
            plan,
            &KeepFilter::default(),
            (deals, batch_cap),
            &|_| (),
            &mut look,
        )?;
        progress(1);
        // The run's number seeds the random points within steps.
        let mut points = SplitMix64::seed_from_u64(number as u64);
        let randomised = battery.randomised_log10(&counted.counts, || points.random());
        let rows = battery.rows().into_iter().zip(randomised);
        let rows = rows.map(|(row, randomised)| TestInRun {
            test: row.test,
            subject: row.subject,
            statistic: row.statistic,
            dof: row.dof,
            log10_p: row.log10_p,
            randomised: randomised.filter(|_| row.looks > 0),
        });
        Ok((rows.collect::<Vec<TestInRun>>(), battery.largest()))
    };
    let seen: Vec<(Vec<TestInRun>, f64)> = sources
        .par_iter()
        .enumerate()
        .map(run)
        .collect::<Result<_, RunError>>()?;
    let largest = seen.iter().map(|(_, largest)| *largest).collect();
    let tests = seen.first().map_or(0, |(rows, _)| rows.len());
    let of_test = |test: usize| {
        let rows: Vec<&TestInRun> = seen.iter().map(|(rows, _)| &rows[test]).collect();
        null_row(&rows, deals)
    };
    Ok(Calibration {
        rows: (0..tests).filter_map(of_test).collect(),
        runs: sources.len(),
        deals,
        largest,
    })
}

/// Result of a test in one run.
struct TestInRun {
    test: Test,
    subject: String,
    statistic: Option<f64>,
    dof: Option<f64>,
    log10_p: Option<f64>,
    /// log10 of a randomised p-value of the same counts, whose law is exactly uniform.
    randomised: Option<f64>,
}

/// Minimum degrees of freedom at which the mean and variance of chi-squares over many runs are
/// judged.
const FEWEST_DOF: f64 = 20.0;

fn null_row(rows: &[&TestInRun], deals: u64) -> Option<NullRow> {
    let head = rows.first()?;
    let statistics: Vec<f64> = rows.iter().filter_map(|row| row.statistic).collect();
    let mut log10_p: Vec<f64> = rows.iter().filter_map(|row| row.log10_p).collect();
    let n = statistics.len() as f64;
    if statistics.len() < 2 {
        return None;
    }
    let mean = statistics.iter().sum::<f64>() / n;
    let squares: f64 = statistics.iter().map(|value| (value - mean).powi(2)).sum();
    let variance = squares / (n - 1.0);
    // Degrees of freedom may differ between runs if the rank of a matrix does.
    let dofs: Vec<f64> = rows.iter().filter_map(|row| row.dof).collect();
    let law = match dofs.first() {
        Some(dof) if dofs.iter().all(|other| other == dof) => Some((*dof, 2.0 * dof, 12.0 / dof)),
        Some(_) => None,
        None if head.test.is_normal() => Some((0.0, 1.0, 0.0)),
        None => None,
    };
    let moments = law.map(|(of_mean, of_variance, excess)| {
        let spread = (2.0 / (n - 1.0) + excess / n).sqrt();
        let ratio = variance / of_variance;
        let z = (mean - of_mean) / (of_variance / n).sqrt();
        // The mean of normal statistics is normal, the sum of chi-squares a chi-square.
        let of_mean = match dofs.is_empty() {
            true => normal_upper_log10(z.abs()) + LOG10_2,
            false => two_sided_log10(n * mean, n * of_mean),
        };
        // The variance of normal statistics is a chi-square of n - 1 degrees of freedom; that of
        // chi-squares has a longer tail, as of fewer.
        let dof = 2.0 / (spread * spread);
        let of_variance = two_sided_log10(dof * ratio, dof);
        ((z, (ratio - 1.0) / spread), [of_mean, of_variance])
    });
    let randomised: Vec<f64> = rows.iter().filter_map(|row| row.randomised).collect();
    let is_table = randomised.len() == log10_p.len();
    if is_table {
        log10_p = randomised;
    }
    log10_p.sort_by(f64::total_cmp);
    let least = log10_p.first().copied().unwrap_or(0.0);
    let p: Vec<f64> = log10_p.iter().map(|log10| powf(10.0, *log10)).collect();
    let uniform_log10 = match head.test.has_bound() {
        true => too_small_log10(&p),
        false => uniform_log10(&p),
    };
    Some(NullRow {
        test: head.test,
        subject: head.subject.clone(),
        runs: statistics.len(),
        found: (mean, variance),
        expected: law.map(|(mean, variance, _)| (mean, variance)),
        z: moments.map(|(z, _)| z),
        uniform_log10,
        least_log10: (least + log10(n)).min(0.0),
        is_judged: is_table || head.test.has_bound() || deals >= FEWEST_FOR_LIMITS,
        // For tables, the exact p-values are judged instead.
        moments_log10: moments
            .map(|(_, log10)| log10)
            .filter(|_| !is_table && law.is_some_and(|(_, _, excess)| excess <= 12.0 / FEWEST_DOF)),
    })
}

/// log10 of the two-sided p-value of a chi-square.
fn two_sided_log10(x: f64, dof: f64) -> f64 {
    let tail = chi_square_upper_log10(x, dof).min(chi_square_lower_log10(x, dof));
    (tail + LOG10_2).min(0.0)
}

/// log10 of the p-value of the two-sided Kolmogorov-Smirnov statistic, for p-values in ascending
/// order.
///
/// Equal p-values belong to one step, and the true tail is somewhere within it: they are spread
/// evenly between the points half-way to their neighbours.
fn uniform_log10(p: &[f64]) -> f64 {
    if p.iter().all(|p| *p == 1.0) {
        // A table of a single cell gives no information.
        return 0.0;
    }
    let n = p.len() as f64;
    let mut distance = 0f64;
    let mut start = 0;
    for same in p.chunk_by(|a, b| a == b) {
        let end = start + same.len();
        let (low, high) = match same.len() {
            1 => (same[0], same[0]),
            _ => {
                let before = start.checked_sub(1).map_or(0.0, |before| p[before]);
                let after = p.get(end).copied().unwrap_or(1.0);
                (before.midpoint(same[0]), after.midpoint(same[0]))
            }
        };
        let edges = [(start, low), (end, high)];
        for (count, p) in edges {
            distance = distance.max((count as f64 / n - p).abs());
        }
        start = end;
    }
    kolmogorov_upper_log10(distance.min(1.0), p.len() as u64)
}

/// log10 of a bound on the probability that p-values are as small as these, if each is at most u
/// with probability u or less. The bound is exp(-2 n d^2), where d is the largest excess over u of
/// the share of p-values up to u (Massart 1990).
fn too_small_log10(p: &[f64]) -> f64 {
    let n = p.len() as f64;
    let surplus = (1u32..).zip(p).map(|(count, p)| f64::from(count) / n - p);
    let distance = surplus.fold(0f64, f64::max);
    -2.0 * n * distance * distance / LN_10
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::stats::normal_quantile_upper;

    #[test]
    fn mean_and_variance_of_few_runs_have_tails_of_their_own() {
        let mut words = SplitMix64::seed_from_u64(1);
        let mut below = [0u32; 2];
        for _ in 0..4_000 {
            let row = |_| TestInRun {
                test: Test::Squares,
                subject: String::new(),
                statistic: Some(normal_quantile_upper(log10(1.0 - words.random::<f64>()))),
                dof: None,
                log10_p: Some(0.0),
                randomised: None,
            };
            let runs: Vec<TestInRun> = (0..10).map(row).collect();
            let found = null_row(&runs.iter().collect::<Vec<_>>(), FEWEST_FOR_LIMITS).unwrap();
            for (below, log10) in below.iter_mut().zip(found.moments_log10.unwrap()) {
                *below += u32::from(log10 < -3.0);
            }
        }
        // 4 each are expected; a variance taken for normal would give 40.
        assert!(
            below.iter().all(|count| (1..15).contains(count)),
            "{below:?}"
        );
    }
}
