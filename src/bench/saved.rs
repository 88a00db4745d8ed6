//! Saved measurements of speed: a folder each, with its record written last.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::percentiles::percentile_distribution;
use super::{BENCH_VERSION, BenchRecord, BenchRow, Measurement};
use crate::printable::display_path;
use crate::regular_file;
use crate::report::{ReportError, csv_writer, write_file};
use crate::tally::write_interval_log;

/// Folder of saved measurements, relative to the working directory.
pub const BENCH_FOLDER: &str = "reports/bench";

const RECORD: &str = "bench.json";
const ROWS: &str = "rows.csv";
const ROUNDS: &str = "rounds.csv";
const LOG: &str = "latency.hlog";
/// Maximum size of a file of a saved measurement, in bytes.
const MOST_BYTES: u64 = 1 << 27;
/// Why a saved measurement cannot be read, or its folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// There is no measurement.
    #[error("{path} is not a saved measurement (no bench.json)", path = display_path(path))]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// A measurement exists there already.
    #[error("{path} is an existing measurement; choose another name", path = display_path(path))]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// A file is incomplete or modified.
    #[error("{path} is not a complete measurement: {why}", path = display_path(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Its subject differs from that of the new measurement.
    #[error("{path} cannot be compared: {difference}", path = display_path(path))]
    Incomparable {
        /// The folder.
        path: PathBuf,
        /// The difference.
        difference: String,
    },
    /// No saved measurement is comparable with the new one.
    #[error(
        "none of the {saved} measurements in {path} has the same input, tables, generator, instructions, deals and processor", path = display_path(path)
    )]
    NoneComparable {
        /// The folder of saved measurements.
        path: PathBuf,
        /// Number of saved measurements.
        saved: usize,
    },
    /// A file or folder could not be read.
    #[error("{path} cannot be read", path = display_path(path))]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file or folder could not be written.
    #[error(transparent)]
    Unwritable(#[from] ReportError),
}

/// The folder for a new measurement.
#[derive(Debug)]
pub struct BenchFolder {
    path: PathBuf,
}

impl BenchFolder {
    /// Checks before a measurement that it can be saved there. Leaves no files.
    ///
    /// # Errors
    ///
    /// [`BenchError::Taken`] if there is one already; [`BenchError::Unwritable`].
    pub fn prepare(path: &Path) -> Result<Self, BenchError> {
        let path = path.to_owned();
        if path.join(RECORD).exists() {
            return Err(BenchError::Taken { path });
        }
        let parent = crate::atomic_file::folder_of(&path);
        let tried = fs::create_dir_all(parent).and_then(|()| tempfile::tempfile_in(parent));
        tried.map_err(|source| ReportError::Io {
            path: parent.to_owned(),
            source,
        })?;
        Ok(Self { path })
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes every file, and the record last: a folder with a bench.json is complete.
    ///
    /// # Errors
    ///
    /// [`BenchError::Unwritable`], or [`BenchError::Taken`] if another measurement was saved
    /// meanwhile.
    pub fn write(&self, record: &BenchRecord, measured: &Measurement) -> Result<(), BenchError> {
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
        write(ROWS, &csv_of(&measured.rows(&record.subject)))?;
        write(ROUNDS, &csv_of(&record.measurements.0))?;
        let mut log = Vec::new();
        write_interval_log(&mut log, measured.began(), measured.intervals()).map_err(failed)?;
        write(LOG, &log)?;
        for (threads, latency) in (1..).zip(measured.latencies()) {
            let text = percentile_distribution(latency);
            write(&format!("latency-{threads}.hgrm"), text.as_bytes())?;
        }
        let mut json = serde_json::to_vec_pretty(record)
            .expect("records have plain fields with names, and memory takes all");
        json.push(b'\n');
        Ok(write(RECORD, &json)?)
    }
}

/// Writes the CSV file of `bench --csv`; follows a symbolic link named by the user.
///
/// # Errors
///
/// [`ReportError::Io`]; then there is no such file.
pub fn write_bench_rows(path: &Path, rows: &[BenchRow]) -> Result<(), ReportError> {
    let target = crate::atomic_file::target_of(path).map_err(|source| ReportError::Io {
        path: path.to_owned(),
        source,
    })?;
    write_file(&target, &csv_of(rows))
}

fn csv_of(rows: &[impl Serialize]) -> Vec<u8> {
    let mut writer = csv_writer();
    for row in rows {
        let written = writer.serialize(row);
        written.expect("rows have plain fields, and memory takes all");
    }
    writer.into_inner().expect("memory takes all")
}

/// A saved measurement.
#[derive(Clone, Debug)]
pub(crate) struct SavedBench {
    /// Its folder.
    pub path: PathBuf,
    /// The contents of its bench.json.
    pub record: BenchRecord,
}

impl SavedBench {
    /// Reads the record of the measurement in a folder.
    ///
    /// # Errors
    ///
    /// [`BenchError`] if there is none, or it is not valid.
    pub(crate) fn open(path: &Path) -> Result<Self, BenchError> {
        let name = path.join(RECORD);
        let bytes = match regular_file::read(&name, MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(source)
                if source.kind() == io::ErrorKind::NotFound
                    || source.kind() == io::ErrorKind::NotADirectory =>
            {
                let path = path.to_owned();
                return Err(BenchError::Missing { path });
            }
            Err(source) => return Err(BenchError::Unreadable { path: name, source }),
        };
        let damaged = |why| Err(BenchError::Damaged { path: name, why });
        let record: BenchRecord = match serde_json::from_slice(&bytes) {
            Ok(record) => record,
            Err(error) => return damaged(error.to_string()),
        };
        if record.format_version != BENCH_VERSION {
            let version = record.format_version;
            return damaged(format!(
                "its format is version {version}, not {BENCH_VERSION}"
            ));
        }
        if !record.measurements.are_positive() {
            return damaged("a time or ratio is not a positive number".to_owned());
        }
        let path = path.to_owned();
        Ok(Self { path, record })
    }

    /// Reads all measurements in the subfolders of a folder, sorted by name; none if the folder
    /// does not exist. Subfolders without a record are skipped.
    ///
    /// # Errors
    ///
    /// As [`SavedBench::open`].
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>, BenchError> {
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
}

impl From<BenchError> for crate::error::Error {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Taken { .. } => Self::usage(error),
            BenchError::Missing { .. }
            | BenchError::Damaged { .. }
            | BenchError::Incomparable { .. }
            | BenchError::NoneComparable { .. } => Self::input(error),
            BenchError::Unreadable { .. } => Self::io(error),
            BenchError::Unwritable(error) => error.into(),
        }
    }
}
