//! What was measured, where and with what result: the contents of a saved measurement's files.

use serde::{Deserialize, Serialize};

use crate::report::{CaseFileRecord, HostRecord, PROGRAM, differences};

/// The version of the folder's format.
pub const BENCH_VERSION: u32 = 1;
/// The program that every round is held against, and its generator.
pub const NAIVE: &str = "naive";
/// The generator of the naive program that ratios are to.
pub const NAIVE_GENERATOR: &str = "rand::rng";
/// This program.
pub const ENGINE: &str = "fairdeal";

/// Ratios are those of the times that stand beside them, but for what rounding leaves.
const RATIO_ERROR: f64 = 1e-6;

/// What was measured: only measurements of the same are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchSubject {
    /// The scenario, or the file's stem.
    pub input: String,
    /// The condition's source.
    pub condition: String,
    /// The seats listed, first and second, separated by a comma; empty if none.
    pub order: String,
    /// The case file, if deals came from one.
    pub case_file: Option<CaseFileRecord>,
    /// `factored` if deals came from cells; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sampler: String,
    /// The tables that were filled: `points`, `fits` or `all`.
    pub tables: String,
    /// The generator's name.
    pub generator: String,
    /// The instructions that were used: `portable`, `avx2` or `avx512`.
    pub path: String,
    /// Deals of each measurement of the engine.
    pub deals: u64,
    /// Deals of each measurement of the naive program.
    pub naive_deals: u64,
}

/// The contents of bench.json.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchRecord {
    /// The program and its version.
    pub program: String,
    /// The version of the folder's format.
    pub format_version: u32,
    /// What was measured.
    #[serde(flatten)]
    pub subject: BenchSubject,
    /// Measurements of each kind.
    pub rounds: usize,
    /// Most threads: each number of them from 1 on was measured.
    pub threads: usize,
    /// When the first round began, UTC.
    pub start: String,
    /// When the last one ended, UTC.
    pub end: String,
    /// Bytes of the guide to the case file, and the processor time that it took to make.
    pub guide_bytes: usize,
    /// See `guide_bytes`.
    pub guide_seconds: f64,
    /// Bytes of memory that the process took at most, where the system tells.
    pub peak_bytes: Option<u64>,
    /// Where it was measured.
    pub host: HostRecord,
}

impl BenchRecord {
    /// The record of a measurement that begins: it has not ended, and took nothing so far. Without
    /// `threads` all processors are used.
    #[must_use]
    pub fn begun(
        subject: BenchSubject,
        rounds: u16,
        threads: Option<u16>,
        start: impl Into<String>,
    ) -> Self {
        let host = HostRecord::here();
        Self {
            program: PROGRAM.to_owned(),
            format_version: BENCH_VERSION,
            subject,
            rounds: rounds.into(),
            threads: threads.map_or(host.processors, usize::from),
            start: start.into(),
            end: String::new(),
            guide_bytes: 0,
            guide_seconds: 0.0,
            peak_bytes: None,
            host,
        }
    }

    /// Why this and another measurement cannot be compared, in words; `None` if they can.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let both = [self, other];
        let text = |of: fn(&Self) -> String| both.map(of);
        let hash = |record: &Self| {
            let file = record.subject.case_file.as_ref();
            file.map_or_else(String::new, |file| file.records_blake3.clone())
        };
        if self.subject.condition != other.subject.condition {
            return Some(format!(
                "a different condition ({}, not {})",
                self.subject.input, other.subject.input
            ));
        }
        let fields = [
            ("input", text(|record| record.subject.input.clone())),
            ("order", text(|record| record.subject.order.clone())),
            ("case file", both.map(hash)),
            ("tables", text(|record| record.subject.tables.clone())),
            ("generator", text(|record| record.subject.generator.clone())),
            ("instructions", text(|record| record.subject.path.clone())),
            ("deals", text(|record| record.subject.deals.to_string())),
            (
                "deals of the naive program",
                text(|record| record.subject.naive_deals.to_string()),
            ),
            ("processor", text(|record| record.host.model())),
        ];
        let differing: Vec<String> = differences(fields).collect();
        (!differing.is_empty()).then(|| differing.join(", "))
    }
}

/// A line of what was measured, over all rounds.
#[derive(Clone, Debug, Serialize)]
pub struct BenchRow {
    /// [`NAIVE`] or [`ENGINE`].
    pub program: String,
    /// What was dealt.
    pub input: String,
    /// The tables that were filled.
    pub tables: String,
    /// The generator's name.
    pub generator: String,
    /// The instructions that were used; empty of the naive program.
    pub path: String,
    /// Threads.
    pub threads: usize,
    /// Deals of each measurement.
    pub deals: u64,
    /// Median processor time.
    pub cpu_ns_per_deal: f64,
    /// The naive program's by that.
    pub ratio_to_naive: f64,
    /// By the median time.
    pub deals_per_second: f64,
    /// Percentiles over the blocks of all rounds.
    pub block_ns_p50: Option<f64>,
    /// See `block_ns_p50`.
    pub block_ns_p90: Option<f64>,
    /// See `block_ns_p50`.
    pub block_ns_p99: Option<f64>,
    /// See `block_ns_p50`.
    pub block_ns_max: Option<f64>,
}

/// One measurement of one program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchRound {
    /// From 1 on.
    pub round: usize,
    /// [`NAIVE`] or [`ENGINE`].
    pub program: String,
    /// The generator's name.
    pub generator: String,
    /// Threads.
    pub threads: usize,
    /// Processor time.
    pub cpu_ns_per_deal: f64,
    /// Time.
    pub wall_ns_per_deal: f64,
    /// Processor time of the naive program in the same round by that.
    pub ratio_to_naive: f64,
}

/// All rounds of a measurement, in the order in which they were made.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRounds(pub Vec<BenchRound>);

impl BenchRounds {
    fn of_engine(&self, threads: usize) -> impl Iterator<Item = &BenchRound> {
        let rounds = self.0.iter();
        rounds.filter(move |round| round.program == ENGINE && round.threads == threads)
    }

    /// The logarithm of the engine's processor time by that of the naive program in the same
    /// round, round by round; empty if so many threads were not measured.
    #[must_use]
    pub fn log_ratios(&self, threads: usize) -> Vec<f64> {
        let rounds = self.of_engine(threads);
        rounds.map(|round| -round.ratio_to_naive.ln()).collect()
    }

    /// The engine's processor time in nanoseconds a deal, round by round.
    #[must_use]
    pub fn cpu_ns(&self, threads: usize) -> Vec<f64> {
        let rounds = self.of_engine(threads);
        rounds.map(|round| round.cpu_ns_per_deal).collect()
    }

    /// The naive program's processor time in nanoseconds a deal, round by round.
    #[must_use]
    pub fn naive_ns(&self) -> Vec<f64> {
        let naive =
            |round: &&BenchRound| (&*round.program, &*round.generator) == (NAIVE, NAIVE_GENERATOR);
        let rounds = self.0.iter().filter(naive);
        rounds.map(|round| round.cpu_ns_per_deal).collect()
    }

    /// What is wrong with the rounds that a record speaks of; `None` if nothing is.
    pub(super) fn fault(&self, record: &BenchRecord) -> Option<String> {
        let kinds = record.threads.saturating_add(2);
        let rows = kinds.saturating_mul(record.rounds);
        if record.threads == 0 || self.0.is_empty() || self.0.len() != rows {
            return Some(format!(
                "it does not have {} rounds of the naive program and of 1 to {} threads",
                record.rounds, record.threads
            ));
        }
        let mut faults = self.0.chunks(kinds).zip(1..).flat_map(|(rows, round)| {
            let naive = rows[0].cpu_ns_per_deal;
            let rows = rows.iter().enumerate();
            rows.filter_map(move |(kind, row)| Some((round, kind, row.fault(round, kind, naive)?)))
        });
        let (round, kind, fault) = faults.next()?;
        Some(format!("line {}: {fault}", (round - 1) * kinds + kind + 2))
    }
}

impl BenchRound {
    /// What is wrong with a row that should be of this round, of that kind (the naive program
    /// with either generator, the engine with 1, 2 .. threads), and beside this time of the naive
    /// program.
    fn fault(&self, round: usize, kind: usize, naive: f64) -> Option<&'static str> {
        let numbers = [
            self.cpu_ns_per_deal,
            self.wall_ns_per_deal,
            self.ratio_to_naive,
        ];
        let is_of_kind = match kind {
            0 => self.program == NAIVE && self.generator == NAIVE_GENERATOR,
            1 => self.program == NAIVE,
            _ => self.program == ENGINE && self.threads == kind - 1,
        };
        if self.round != round || !is_of_kind {
            Some("the round or program is not the expected one")
        } else if !numbers.iter().all(|&n| n.is_finite() && n > 0.0) {
            Some("a time or ratio is not a positive number")
        } else if (naive / self.cpu_ns_per_deal / self.ratio_to_naive - 1.0).abs() > RATIO_ERROR {
            Some("the ratio does not match the times")
        } else {
            None
        }
    }
}
