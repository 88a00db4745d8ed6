//! The record of a self-test.

use serde::Serialize;

use super::PROGRAM;
use crate::battery::Level;
use crate::run::{Calibration, NullRow};

/// The JSON output of a self-test.
#[derive(Serialize)]
pub struct SelfTestRecord<'r> {
    program: &'static str,
    name: &'r str,
    runs: usize,
    deals: u64,
    /// Generator and seed of the first run; the seeds of the other runs follow it.
    words: &'r str,
    tests: Vec<SelfTestRow<'r>>,
    /// log10 of the smallest p-value times the number of p-values.
    log10_p: f64,
    largest_s: Option<f64>,
    /// Number of runs whose S reached 1, 2 .. 6.
    reached: [usize; 6],
    verdict: &'static str,
}

/// A test, with the columns of self_test.csv.
#[derive(Serialize)]
struct SelfTestRow<'r> {
    test: &'static str,
    subject: &'r str,
    runs: usize,
    mean: f64,
    expected_mean: Option<f64>,
    variance: f64,
    expected_variance: Option<f64>,
    z_mean: Option<f64>,
    z_variance: Option<f64>,
    log10_p_uniform: Option<f64>,
    log10_least_p_times_runs: Option<f64>,
}

impl<'r> SelfTestRecord<'r> {
    /// The record of a self-test with this name and this generator.
    #[must_use]
    pub fn new(name: &'r str, words: &'r str, found: &'r Calibration, level: Level) -> Self {
        let largest = found.largest.iter().copied().reduce(f64::max);
        Self {
            program: PROGRAM,
            name,
            runs: found.runs,
            deals: found.deals,
            words,
            tests: found.rows.iter().map(SelfTestRow::new).collect(),
            log10_p: found.log10_p(),
            largest_s: largest.filter(|s| s.is_finite()),
            reached: [1, 2, 3, 4, 5, 6].map(|s| found.reached(s.into())),
            verdict: level.name(),
        }
    }
}

impl<'r> SelfTestRow<'r> {
    fn new(row: &'r NullRow) -> Self {
        let (expected_mean, expected_variance) = row.expected.unzip();
        let (z_mean, z_variance) = row.z.unzip();
        Self {
            test: row.test.name(),
            subject: &row.subject,
            runs: row.runs,
            mean: row.found.0,
            expected_mean,
            variance: row.found.1,
            expected_variance,
            z_mean,
            z_variance,
            log10_p_uniform: row.is_judged.then_some(row.uniform_log10),
            log10_least_p_times_runs: row.is_judged.then_some(row.least_log10),
        }
    }
}
