//! Saved measurements of speed: a folder each, its record written last.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::folder::{ReportError, write_file};
use super::percentiles::percentile_distribution;
use super::record::{CaseFileRecord, HostRecord, differences};
use super::table;
use crate::tally::{Interval, Latency, write_interval_log};

/// The version of the folder's format.
pub const BENCH_VERSION: u32 = 1;
/// The program that every round is held against, and its generator.
pub const NAIVE: &str = "naive";
/// The generator of the naive program that ratios are to.
pub const NAIVE_GENERATOR: &str = "rand::rng";
/// This program.
pub const ENGINE: &str = "fairdeal";

const RECORD: &str = "bench.json";
const ROWS: &str = "rows.csv";
const ROUNDS: &str = "rounds.csv";
const LOG: &str = "latency.hlog";
/// No file of a saved measurement that is read is larger.
const MOST_BYTES: u64 = 1 << 27;
/// Ratios are those of the times that stand beside them, but for what rounding leaves.
const RATIO_ERROR: f64 = 1e-6;

/// A saved measurement that cannot be read, or its folder that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// There is no measurement.
    #[error("{path} holds no saved measurement: it has no bench.json", path = path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// There is one already.
    #[error("{path} holds a saved measurement: choose another name", path = path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// A file is not what was saved.
    #[error("{path} is no whole measurement that was saved: {why}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file or folder could not be read.
    #[error("{path} cannot be read", path = path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file or folder could not be written.
    #[error(transparent)]
    Unwritable(#[from] ReportError),
}

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
                "of {}, not of {}, and another condition",
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
    fn fault(&self, record: &BenchRecord) -> Option<String> {
        let kinds = record.threads.saturating_add(2);
        let rows = kinds.saturating_mul(record.rounds);
        if record.threads == 0 || self.0.is_empty() || self.0.len() != rows {
            return Some(format!(
                "it has not {} rounds of the naive program and of 1 to {} threads",
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
            Some("another round or program belongs there")
        } else if !numbers.iter().all(|&n| n.is_finite() && n > 0.0) {
            Some("a time or ratio is no such")
        } else if (naive / self.cpu_ns_per_deal / self.ratio_to_naive - 1.0).abs() > RATIO_ERROR {
            Some("the ratio is not that of the times")
        } else {
            None
        }
    }
}

/// A folder for a measurement that will be saved.
#[derive(Debug)]
pub struct BenchFolder {
    path: PathBuf,
}

impl BenchFolder {
    /// Proves that a measurement can be saved there, before it is made. Nothing stays there.
    ///
    /// # Errors
    ///
    /// [`BenchError::Taken`] if there is one; [`BenchError::Unwritable`].
    pub fn prepare(path: &Path) -> Result<Self, BenchError> {
        let path = path.to_owned();
        if path.join(RECORD).exists() {
            return Err(BenchError::Taken { path });
        }
        let parent = crate::whole::folder_of(&path);
        let tried = fs::create_dir_all(parent).and_then(|()| tempfile::tempfile_in(parent));
        tried.map_err(|source| ReportError::Io {
            path: parent.to_owned(),
            source,
        })?;
        Ok(Self { path })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes everything, the record last: a folder with a bench.json is whole. `intervals`
    /// come in the order in which they were measured, from `began` on; `latencies` holds those
    /// of 1, 2 .. threads.
    ///
    /// # Errors
    ///
    /// [`BenchError::Unwritable`], or [`BenchError::Taken`] if another was saved meanwhile.
    pub fn write(
        &self,
        record: &BenchRecord,
        rows: &[BenchRow],
        rounds: &BenchRounds,
        began: SystemTime,
        intervals: impl IntoIterator<Item = Interval>,
        latencies: &[&Latency],
    ) -> Result<(), BenchError> {
        let failed = |source| ReportError::Io {
            path: self.path.clone(),
            source,
        };
        fs::create_dir_all(&self.path).map_err(failed)?;
        if self.path.join(RECORD).exists() {
            let path = self.path.clone();
            return Err(BenchError::Taken { path });
        }
        let write = |name: &str, bytes: &[u8]| write_file(&self.path.join(name), bytes);
        write(ROWS, &csv_of(rows))?;
        write(ROUNDS, &csv_of(&rounds.0))?;
        let mut log = Vec::new();
        write_interval_log(&mut log, began, intervals).map_err(failed)?;
        write(LOG, &log)?;
        for (threads, latency) in (1..).zip(latencies) {
            let text = percentile_distribution(latency);
            write(&format!("latency-{threads}.hgrm"), text.as_bytes())?;
        }
        let mut json = serde_json::to_vec_pretty(record)
            .expect("records have plain fields with names, and memory takes all");
        json.push(b'\n');
        Ok(write(RECORD, &json)?)
    }
}

/// Writes what `bench --csv` writes, to a file that the user named: a link is followed.
///
/// # Errors
///
/// [`ReportError::Io`]; then there is no such file.
pub fn write_bench_rows(path: &Path, rows: &[BenchRow]) -> Result<(), ReportError> {
    let target = crate::whole::target_of(path).map_err(|source| ReportError::Io {
        path: path.to_owned(),
        source,
    })?;
    write_file(&target, &csv_of(rows))
}

fn csv_of(rows: &[impl Serialize]) -> Vec<u8> {
    let mut writer = table::writer();
    for row in rows {
        let written = writer.serialize(row);
        written.expect("rows have plain fields, and memory takes all");
    }
    writer.into_inner().expect("memory takes all")
}

/// A measurement that was saved.
#[derive(Clone, Debug)]
pub struct SavedBench {
    /// Its folder.
    pub path: PathBuf,
    /// What it says of itself.
    pub record: BenchRecord,
}

impl SavedBench {
    /// Reads the record of the measurement in a folder.
    ///
    /// # Errors
    ///
    /// [`BenchError`] if there is none, or none that was saved by this program.
    pub fn open(path: &Path) -> Result<Self, BenchError> {
        let name = path.join(RECORD);
        let text = match text_of(&name) {
            Err(BenchError::Unreadable { source, .. })
                if source.kind() == io::ErrorKind::NotFound
                    || source.kind() == io::ErrorKind::NotADirectory =>
            {
                let path = path.to_owned();
                return Err(BenchError::Missing { path });
            }
            text => text?,
        };
        let record: BenchRecord = match serde_json::from_str(&text) {
            Ok(record) => record,
            Err(error) => return damaged(name, error.to_string()),
        };
        if record.format_version != BENCH_VERSION {
            let version = record.format_version;
            return damaged(
                name,
                format!("its format is version {version}, not {BENCH_VERSION}"),
            );
        }
        let path = path.to_owned();
        Ok(Self { path, record })
    }

    /// All measurements in the folders of a folder, by their names; none if it is not there.
    /// Folders without a record are none of them.
    ///
    /// # Errors
    ///
    /// As [`SavedBench::open`].
    pub fn all(folder: &Path) -> Result<Vec<Self>, BenchError> {
        let failed = |source| BenchError::Unreadable {
            path: folder.to_owned(),
            source,
        };
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.retain(|path| path.join(RECORD).is_file());
        paths.sort();
        paths.iter().map(|path| Self::open(path)).collect()
    }

    /// Reads its rounds.
    ///
    /// # Errors
    ///
    /// [`BenchError`] if they are not those that the record speaks of.
    pub fn rounds(&self) -> Result<BenchRounds, BenchError> {
        let name = self.path.join(ROUNDS);
        let text = text_of(&name)?;
        let rows: Result<Vec<BenchRound>, _> = csv::Reader::from_reader(text.as_bytes())
            .deserialize()
            .collect();
        let rounds = match rows {
            Ok(rows) => BenchRounds(rows),
            Err(error) => return damaged(name, error.to_string()),
        };
        match rounds.fault(&self.record) {
            Some(fault) => damaged(name, fault),
            None => Ok(rounds),
        }
    }
}

fn damaged<T>(path: PathBuf, why: String) -> Result<T, BenchError> {
    Err(BenchError::Damaged { path, why })
}

/// The text of a file that a measurement was saved in.
fn text_of(path: &Path) -> Result<String, BenchError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    let path = path.to_owned();
    match read {
        Err(source) => Err(BenchError::Unreadable { path, source }),
        Ok(length) if length as u64 > MOST_BYTES => damaged(path, "it is too long".to_owned()),
        Ok(_) => match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(_) => damaged(path, "it is no text".to_owned()),
        },
    }
}

impl From<BenchError> for crate::error::Error {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Taken { .. } => Self::usage(error),
            BenchError::Missing { .. } | BenchError::Damaged { .. } => Self::input(error),
            BenchError::Unreadable { .. } => Self::io(error),
            BenchError::Unwritable(error) => error.into(),
        }
    }
}
