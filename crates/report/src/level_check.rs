//! The record of a self-test.

use serde::Serialize;

use super::PROGRAM;
use super::evidence::null_rows_table;
use super::table::Table;
use crate::battery::Level;
use crate::run::Calibration;

/// The JSON output of a self-test.
#[derive(Serialize)]
pub struct LevelCheckRecord<'r> {
    program: &'static str,
    name: &'r str,
    runs: usize,
    deals: u64,
    /// Generator and seed of the first run; the seeds of the other runs follow it.
    words: &'r str,
    /// The rows of self_test.csv.
    tests: Table,
    /// log10 of the smallest p-value times the number of p-values.
    log10_p: f64,
    largest_s: Option<f64>,
    /// Number of runs whose S reached 1, 2 .. 6.
    reached: [usize; 6],
    verdict: &'static str,
}

impl<'r> LevelCheckRecord<'r> {
    /// The record of a self-test with this name and this generator.
    pub fn new(name: &'r str, words: &'r str, found: &'r Calibration, level: Level) -> Self {
        let largest = found.largest.iter().copied().reduce(f64::max);
        Self {
            program: PROGRAM,
            name,
            runs: found.runs,
            deals: found.deals,
            words,
            tests: null_rows_table(&found.rows),
            log10_p: found.log10_p(),
            largest_s: largest.filter(|s| s.is_finite()),
            reached: [1, 2, 3, 4, 5, 6].map(|s| found.reached(s.into())),
            verdict: level.name(),
        }
    }
}
