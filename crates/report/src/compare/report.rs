//! Reading a report's folder: its record and its counts.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::printable::display_path;
use crate::regular_file;
use crate::run::Pace;
use crate::{AUDIT, AnyRecord, COUNTS, CountedRecord, MOST_RECORD, RUN, ReportFile, Sample};

/// Maximum size of counts.json, in bytes: a frequency has up to a million cells.
const MOST_BYTES: u64 = 1 << 28;
/// The name of a report that has no folder.
const IN_MEMORY: &str = "a report in memory";

/// Reads a file of a report with at most this number of bytes.
type ReportReader<'r> = &'r dyn Fn(&str, u64) -> io::Result<Vec<u8>>;

/// The record and the counts of a run or an audit.
#[derive(Clone, Debug)]
pub struct Report {
    /// The folder, or a name for a report that was not written.
    pub path: PathBuf,
    /// The record.
    pub record: AnyRecord,
    /// The counts.
    pub sample: Sample,
    /// Median nanoseconds per deal, if measured.
    pub median_ns: Option<f64>,
}

impl Report {
    /// Reads a folder that `run` or `audit` has written.
    ///
    /// # Errors
    ///
    /// [`Error`] for the first missing or invalid part.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let missing = |what: &str| Err(invalid(path, what));
        if !path.is_dir() {
            return missing("no such folder: give the folder of a report of `run` or `audit`");
        }
        let has = |name: &str| path.join(name).exists();
        match (has(RUN), has(AUDIT)) {
            (true, true) => {
                missing("both run.json and audit.json found: keep one report per folder")
            }
            (true, false) | (false, true) => Self::counted(path, has(RUN), &|name, most| {
                regular_file::read(&path.join(name), most)
            }),
            (false, false) if has("checkpoint") || has("checkpoint.previous") => {
                missing("the run is not finished; resume it first")
            }
            (false, false) => missing(
                "no run.json or audit.json: give the folder of a finished report of `run` or \
                 `audit`",
            ),
        }
    }

    /// Reads the files of the report of a run or an audit.
    ///
    /// # Errors
    ///
    /// [`Error`] for the first missing or invalid part.
    pub fn of_files(files: &[ReportFile]) -> Result<Self, Error> {
        let of_name = |name: &str| files.iter().find(|(of, _)| of == name);
        Self::counted(IN_MEMORY.as_ref(), of_name(RUN).is_some(), &|name, _| {
            let file = of_name(name).ok_or(io::ErrorKind::NotFound)?;
            Ok(file.1.clone())
        })
    }

    fn counted(folder: &Path, is_run: bool, read: ReportReader<'_>) -> Result<Self, Error> {
        match is_run {
            true => Self::of(folder, read, RUN, |run| AnyRecord::Run(Box::new(run))),
            false => Self::of(folder, read, AUDIT, |audit| {
                AnyRecord::Audit(Box::new(audit))
            }),
        }
    }

    /// Reads the counts, and the record of this name, which has their checksum.
    fn of<R: DeserializeOwned>(
        folder: &Path,
        read: ReportReader<'_>,
        name: &'static str,
        of: impl Fn(R) -> AnyRecord,
    ) -> Result<Self, Error> {
        let (file, record) = (folder.join(COUNTS), folder.join(name));
        let bytes = read(COUNTS, MOST_BYTES).map_err(|error| unreadable(&file, error))?;
        let read = read(name, MOST_RECORD).and_then(|json| Ok(serde_json::from_slice(&json)?));
        let read: CountedRecord<R> = read.map_err(|error| unreadable(&record, error))?;
        if read.counts_blake3 != blake3::hash(&bytes).to_string() {
            let what = format!("its checksum is not the one in {name}");
            return Err(damaged(&file, &what));
        }
        let report = Self {
            path: folder.to_owned(),
            record: of(read.record),
            sample: Sample::of_json(&bytes).map_err(|what| damaged(&file, &what))?,
            median_ns: read.median_ns,
        };
        match invalid_field(&report.record) {
            Some(field) => Err(damaged(&record, &format!("`{field}` is invalid"))),
            None => Ok(report),
        }
    }
}

/// The first field of a record with an impossible value.
fn invalid_field(record: &AnyRecord) -> Option<&'static str> {
    let (seconds, pace) = match record {
        AnyRecord::Run(run) => (run.common.seconds, run.pace.as_ref()),
        AnyRecord::Audit(audit) => (audit.common.seconds, None),
    };
    let fields = [
        ("seconds", seconds >= 0.0),
        ("pace", pace.is_none_or(Pace::is_sound)),
    ];
    let mut invalid = fields.into_iter().filter(|(_, is_valid)| !is_valid);
    invalid.next().map(|(field, _)| field)
}

fn invalid(path: &Path, what: &str) -> Error {
    Error::input(format!("{}: {what}", display_path(path)))
}

fn damaged(file: &Path, what: &str) -> Error {
    let advice = "the report was modified or corrupted: create it again";
    invalid(file, &format!("{what}; {advice}"))
}

/// The error of a file that cannot be read or understood.
fn unreadable(file: &Path, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => invalid(
            file,
            "no such file: create the report again with this version of fairdeal",
        ),
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            damaged(file, &error.to_string())
        }
        _ => Error::of(format!("{} cannot be read", display_path(file)), error),
    }
}
