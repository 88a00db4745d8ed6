//! The battery on perfect deals: are its own p-values what they should be?

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use rayon::prelude::*;

use super::RunError;
use super::sieve::Sieve;
use super::survey::{survey, terms};
use crate::battery::special::{kolmogorov_upper_log10, log10_sum};
use crate::battery::{Battery, Expected, Test};
use crate::draw::{DrawError, Packet, Path, Portion, Scratch, Source};
use crate::tally::SurveyPlan;

/// What a battery said of one test in many runs of perfect deals.
#[derive(Clone, Debug, PartialEq)]
pub struct NullRow {
    /// The test.
    pub test: Test,
    /// Of what.
    pub subject: String,
    /// Runs in which it was made.
    pub runs: usize,
    /// The statistic's mean and variance.
    pub found: (f64, f64),
    /// What they should be; none where the statistic has no such law.
    pub expected: Option<(f64, f64)>,
    /// How far the mean and the variance are off, in standard errors.
    pub z: Option<(f64, f64)>,
    /// log10 of the p-value of Kolmogorov and Smirnov that p-values are uniform; none
    /// where they are of few values or larger than they need be.
    pub uniform_log10: Option<f64>,
    /// log10 of the smallest p-value, times the runs.
    pub least_log10: f64,
}

/// What a battery said in many runs of perfect deals.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// A row for every test.
    pub rows: Vec<NullRow>,
    /// Runs.
    pub runs: usize,
    /// Deals of each.
    pub deals: u64,
    /// The largest S of each run.
    pub largest: Vec<f64>,
}

impl Calibration {
    /// log10 of the smallest p-value of anything that was looked at, times their number.
    #[must_use]
    pub fn log10_p(&self) -> f64 {
        let tail = |z: f64| {
            let upper = crate::battery::special::normal_upper_log10(z.abs());
            upper + std::f64::consts::LOG10_2
        };
        let each = self.rows.iter().flat_map(|row| {
            let of_z = row
                .z
                .into_iter()
                .flat_map(|(mean, variance)| [mean, variance]);
            of_z.map(tail)
                .chain(row.uniform_log10)
                .chain([row.least_log10])
        });
        let (count, least) = each.fold((0u32, 0f64), |(n, least), p| (n + 1, least.min(p)));
        (least + f64::from(count.max(1)).log10()).min(0.0)
    }

    /// Runs whose S reached this.
    #[must_use]
    pub fn reached(&self, s: f64) -> usize {
        self.largest.iter().filter(|largest| **largest >= s).count()
    }

    /// log10 of the mean of the runs' E* at their end's S: about 0 or less.
    #[must_use]
    pub fn mean_evidence_log10(&self) -> f64 {
        log10_sum(&self.largest) - (self.largest.len().max(1) as f64).log10()
    }
}

/// A source that is dealt by one thread: runs go in parallel, not their blocks.
pub(super) struct OneThread<'s>(pub(super) &'s dyn Source);

impl Source for OneThread<'_> {
    fn portions(&self, batch: Range<u64>) -> Result<Vec<Portion>, DrawError> {
        self.0.portions(batch)
    }

    fn deal(
        &self,
        portion: &Portion,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        self.0.deal(portion, scratch, sink)
    }

    fn path(&self) -> Path {
        self.0.path()
    }

    fn is_one_sequence(&self) -> bool {
        true
    }
}

/// Runs a battery on every source, each with so many deals in batches of up to a
/// cap, on all threads of the current rayon pool.
///
/// # Errors
///
/// [`RunError`] of the first run that could not be dealt.
pub fn self_test(
    sources: &[&dyn Source],
    plan: &SurveyPlan<'_>,
    expected: &Arc<Expected>,
    (deals, batch_cap): (u64, u64),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Calibration, RunError> {
    let run = |source: &&dyn Source| {
        let terms = terms(plan, deals, batch_cap, 1);
        let mut battery = Battery::new(terms, Arc::clone(expected));
        let source = OneThread(*source);
        let mut look = |surveyed: &_| {
            battery.look(surveyed);
            ControlFlow::Continue(())
        };
        survey(
            &source,
            plan,
            &Sieve::default(),
            (deals, batch_cap),
            &|_| (),
            &mut look,
        )?;
        progress(1);
        let rows = battery.rows().into_iter().map(|row| Seen {
            test: row.test,
            subject: row.subject,
            statistic: row.statistic,
            dof: row.dof,
            log10_p: row.log10_p,
        });
        Ok((rows.collect::<Vec<Seen>>(), battery.largest()))
    };
    let seen: Vec<(Vec<Seen>, f64)> = sources
        .par_iter()
        .map(run)
        .collect::<Result<_, RunError>>()?;
    let largest = seen.iter().map(|(_, largest)| *largest).collect();
    let tests = seen.first().map_or(0, |(rows, _)| rows.len());
    let of_test = |test: usize| {
        let rows: Vec<&Seen> = seen.iter().map(|(rows, _)| &rows[test]).collect();
        null_row(&rows)
    };
    Ok(Calibration {
        rows: (0..tests).filter_map(of_test).collect(),
        runs: sources.len(),
        deals,
        largest,
    })
}

/// A test's result in one run.
struct Seen {
    test: Test,
    subject: String,
    statistic: Option<f64>,
    dof: Option<f64>,
    log10_p: Option<f64>,
}

fn null_row(rows: &[&Seen]) -> Option<NullRow> {
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
    // Degrees of freedom may differ from run to run where a matrix has another rank.
    let dofs: Vec<f64> = rows.iter().filter_map(|row| row.dof).collect();
    let law = match dofs.first() {
        Some(dof) if dofs.iter().all(|other| other == dof) => Some((*dof, 2.0 * dof, 12.0 / dof)),
        Some(_) => None,
        None if head.test.is_normal() => Some((0.0, 1.0, 0.0)),
        None => None,
    };
    let z = law.map(|(of_mean, of_variance, excess)| {
        let spread = (2.0 / (n - 1.0) + excess / n).sqrt();
        (
            (mean - of_mean) / (of_variance / n).sqrt(),
            (variance / of_variance - 1.0) / spread,
        )
    });
    log10_p.sort_by(f64::total_cmp);
    let least = log10_p.first().copied().unwrap_or(0.0);
    let distance = (0..)
        .zip(&log10_p)
        .fold(0f64, |distance, (place, log10_p)| {
            let p = 10f64.powf(*log10_p);
            let (below, above) = (f64::from(place) / n, f64::from(place + 1) / n);
            distance.max((p - below).abs()).max((above - p).abs())
        });
    let uniform = law.map(|_| kolmogorov_upper_log10(distance.min(1.0), statistics.len() as u64));
    Some(NullRow {
        test: head.test,
        subject: head.subject.clone(),
        runs: statistics.len(),
        found: (mean, variance),
        expected: law.map(|(mean, variance, _)| (mean, variance)),
        z,
        uniform_log10: uniform,
        least_log10: (least + n.log10()).min(0.0),
    })
}
