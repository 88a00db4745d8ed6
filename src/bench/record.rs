//! Records of a measurement: subject, host and results, as in the saved files.

use serde::{Deserialize, Serialize};

use crate::report::{CaseFileRecord, HostRecord, PROGRAM, differences};
use crate::stats::elementary::ln;

/// Version of the folder's format.
pub(crate) const BENCH_VERSION: u32 = 2;
/// Name of the program that every round is compared with.
pub(crate) const NAIVE: &str = "naive";
/// Generator of the naive program that ratios refer to.
pub(crate) const NAIVE_GENERATOR: &str = "rand::rng";
/// Name of this program.
pub(crate) const ENGINE: &str = "fairdeal";

/// Subject of a measurement; only measurements of the same subject are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchSubject {
    /// Name of the scenario, or the file's stem.
    pub input: String,
    /// Source text of the condition.
    pub condition: String,
    /// The seats listed, first and second, separated by a comma; empty without a listing.
    pub order: String,
    /// The case file, if the deals came from one.
    pub case_file: Option<CaseFileRecord>,
    /// `cells` if the deals came from cells; otherwise empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sampler: String,
    /// The tables filled: `points`, `fits` or `all`.
    pub tables: String,
    /// Name of the generator.
    pub generator: String,
    /// Instructions used: `portable`, `avx2`, `avx512` or `neon`.
    pub path: String,
    /// Deals per measurement of the engine.
    pub deals: u64,
    /// Deals per measurement of the naive program.
    pub naive_deals: u64,
}

/// The contents of bench.json.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchRecord {
    /// The program and its version.
    pub program: String,
    /// Version of the folder's format.
    pub format_version: u32,
    /// Subject of the measurement.
    #[serde(flatten)]
    pub subject: BenchSubject,
    /// Number of measurements of each kind.
    pub rounds: usize,
    /// Maximum number of threads; each number from 1 on was measured.
    pub threads: usize,
    /// Start of the first round, UTC.
    pub start: String,
    /// End of the last round, UTC.
    pub end: String,
    /// Size of the case file's guide in bytes; `guide_seconds` has the processor time to build it.
    pub guide_bytes: usize,
    /// See `guide_bytes`.
    pub guide_seconds: f64,
    /// Peak memory of the process in bytes, if the system reports it.
    pub peak_bytes: Option<u64>,
    /// The host of the measurement.
    pub host: HostRecord,
    /// The measurements of all rounds, which a later measurement is compared with.
    pub measurements: BenchRounds,
}

impl BenchRecord {
    /// Record of a measurement that starts now. Without `threads`, all processors are used.
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
            measurements: BenchRounds::default(),
        }
    }

    /// Why this and another measurement are not comparable; `None` if they are.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
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

/// Summary of one kind of measurement over all rounds.
#[derive(Clone, Debug, Serialize)]
pub struct BenchRow {
    /// `NAIVE` or `ENGINE`.
    pub program: String,
    /// Name of the input.
    pub input: String,
    /// The tables filled.
    pub tables: String,
    /// Name of the generator.
    pub generator: String,
    /// Instructions used; empty for the naive program.
    pub path: String,
    /// Number of threads.
    pub threads: usize,
    /// Deals per measurement.
    pub deals: u64,
    /// Median processor time per deal, in nanoseconds.
    pub cpu_ns_per_deal: f64,
    /// The naive program's median processor time divided by this one.
    pub ratio_to_naive: f64,
    /// Deals per second at the median wall time.
    pub deals_per_second: f64,
    /// Percentiles of the time per deal over the blocks of all rounds, in nanoseconds.
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
    /// Number of the round, from 1.
    pub round: usize,
    /// `NAIVE` or `ENGINE`.
    pub program: String,
    /// Name of the generator.
    pub generator: String,
    /// Number of threads.
    pub threads: usize,
    /// Processor time per deal, in nanoseconds.
    pub cpu_ns_per_deal: f64,
    /// Wall time per deal, in nanoseconds.
    pub wall_ns_per_deal: f64,
    /// The naive program's processor time in the same round divided by this one.
    pub ratio_to_naive: f64,
}

/// All rounds of a measurement, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BenchRounds(pub Vec<BenchRound>);

impl BenchRounds {
    fn of_engine(&self, threads: usize) -> impl Iterator<Item = &BenchRound> {
        let rounds = self.0.iter();
        rounds.filter(move |round| round.program == ENGINE && round.threads == threads)
    }

    /// Logarithms of the engine's processor time divided by the naive program's, one per round;
    /// empty if this number of threads was not measured.
    pub(crate) fn log_ratios(&self, threads: usize) -> Vec<f64> {
        let rounds = self.of_engine(threads);
        rounds.map(|round| -ln(round.ratio_to_naive)).collect()
    }

    /// The engine's processor time in nanoseconds per deal, one per round.
    pub(crate) fn cpu_ns(&self, threads: usize) -> Vec<f64> {
        let rounds = self.of_engine(threads);
        rounds.map(|round| round.cpu_ns_per_deal).collect()
    }

    /// The naive program's processor time in nanoseconds per deal, one per round.
    pub(crate) fn naive_ns(&self) -> Vec<f64> {
        let naive =
            |round: &&BenchRound| (&*round.program, &*round.generator) == (NAIVE, NAIVE_GENERATOR);
        let rounds = self.0.iter().filter(naive);
        rounds.map(|round| round.cpu_ns_per_deal).collect()
    }

    /// Whether every time and ratio is a positive number.
    pub(super) fn are_positive(&self) -> bool {
        let numbers =
            |of: &BenchRound| [of.cpu_ns_per_deal, of.wall_ns_per_deal, of.ratio_to_naive];
        let mut numbers = self.0.iter().flat_map(numbers);
        numbers.all(|number| number.is_finite() && number > 0.0)
    }
}
