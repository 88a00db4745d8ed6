//! Benchmarks: how fast this machine deals and counts, and whether that has become slower.
//!
//! A [`Measurement`] has rounds, in which a naive program and the engine alternate; the results are
//! the ratios of their times within a round. [`BenchFolder`] saves a measurement; [`BenchHistory`]
//! compares a new one with saved ones. [`change`] has the statistics, independent of the program
//! measured. docs/methodology.md gives the reasons for the method; docs/reference/reports.md
//! describes the files.
//!
//! Nothing here checks the deals themselves: the tests of [`run`](crate::run) do.

pub mod change;
mod history;
mod measurement;
mod memory;
mod percentiles;
mod record;
mod saved;

pub use history::{BenchComparison, BenchHistory, SpeedChange};
pub use measurement::{BenchPlan, MeasuredRounds, Measurement, NAIVE_DEALS, timed};
pub use memory::ProcessMemory;

pub(crate) use record::{BENCH_VERSION, ENGINE, NAIVE, NAIVE_GENERATOR};
pub use record::{BenchRecord, BenchRound, BenchRounds, BenchRow, BenchSubject};
pub(crate) use saved::SavedBench;
pub use saved::{BENCH_FOLDER, BenchError, BenchFolder, write_bench_rows};
