//! How fast this machine deals and counts, and whether that is slower than it was.
//!
//! A [`Measurement`] has rounds, in each of which a naive program and the engine take turns; what
//! counts is the ratio of their times in one round. [`BenchFolder`] saves a measurement,
//! [`BenchHistory`] compares a new one with those saved before. [`change`] has the statistics, and
//! does not know what was measured. docs/methodology.md says why these, docs/reference/reports.md what is saved.
//!
//! Nothing here checks that what is dealt is right: the tests of [`run`](crate::run) do.

pub mod change;
mod history;
mod measurement;
mod memory;
mod percentiles;
mod record;
mod saved;

pub use history::{BenchComparison, BenchHistory, SpeedChange};
pub use measurement::{BenchPlan, Measurement, NAIVE_DEALS, timed};
pub use memory::ProcessMemory;
pub use percentiles::percentile_distribution;
pub use record::{
    BENCH_VERSION, BenchRecord, BenchRound, BenchRounds, BenchRow, BenchSubject, ENGINE, NAIVE,
    NAIVE_GENERATOR,
};
pub use saved::{BENCH_FOLDER, BenchError, BenchFolder, SavedBench, write_bench_rows};
