//! A report's folder, with atomic file writes.

use super::table_name::TableName;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::audit::{AuditIdentity, AuditRecord};
use super::identity::Identity;
use super::mix::MixRecord;
#[cfg(feature = "parquet")]
use super::parquet;
use super::record::{RunRecord, TheoryRecord};
use super::sample::Sample;
use super::solved::SolvedRecord;
use super::table::Table;
use crate::atomic_file;
use crate::error::Remedy;
use crate::printable::display_path;
use crate::regular_file;
use crate::run::{Checkpoints, Part};

/// The records of a run, of an audit, and of theory alone.
pub(crate) const RUN: &str = "run.json";
pub(crate) const AUDIT: &str = "audit.json";
const THEORY: &str = "theory.json";
/// The record of a comparison of two reports.
const COMPARISON: &str = "comparison.json";
/// The record of a run whose deals are solved double-dummy.
const SOLVED: &str = "solved.json";
/// The record of a mix.
const MIX: &str = "mix.json";
const RECORDS: [&str; 6] = [RUN, AUDIT, THEORY, COMPARISON, SOLVED, MIX];
/// The file that is locked while a folder is written.
const LOCK: &str = ".fairdeal.lock";
/// The content of a folder with a run's record.
const COUNTS_OF_RUN: &str = "the counts of a run";

/// Maximum size of a record, in bytes: an audit of 100,000 files has a record of 30 MB.
const MOST_RECORD: u64 = 64 << 20;

/// The counts of a run or audit, for programs.
pub(crate) const COUNTS: &str = "counts.json";

/// A format that tables are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Text, by RFC 4180.
    Csv,
    /// Columns with types, for notebooks.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl TableFormat {
    /// The file extensions of all formats, also of those that other builds write.
    const EXTENSIONS: [&str; 2] = ["csv", "parquet"];

    /// The file extension.
    fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    fn encode(self, table: &Table) -> Vec<u8> {
        match self {
            Self::Csv => table.to_csv(),
            #[cfg(feature = "parquet")]
            Self::Parquet => parquet::encode(table),
        }
    }
}

/// Names of all files that a report may have, the records first.
fn files() -> impl Iterator<Item = String> {
    let tables = TableName::ALL.iter().flat_map(|table| {
        TableFormat::EXTENSIONS
            .iter()
            .map(move |extension| format!("{}.{extension}", table.name()))
    });
    let records = RECORDS.iter().map(|&name| name.to_owned());
    let others = [
        COUNTS,
        Folder::PAGE,
        Folder::COMPARISON_PAGE,
        Folder::CSV_REPORT,
        Folder::SOLVED_DEALS,
        Folder::PARTLY_SOLVED_DEALS,
    ];
    let others = others.map(str::to_owned);
    records.chain(tables).chain(others)
}

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder holds another report.
    #[error(
        "{path} holds another report ({what})",
        path = display_path(path)
    )]
    AnotherRun {
        /// The folder.
        path: PathBuf,
        /// How that report differs.
        what: String,
    },
    /// Another process is writing to the folder.
    #[error(
        "{path} is being written by another run; wait until it ends",
        path = display_path(path)
    )]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds an unfinished run.
    #[error(
        "{path} holds an unfinished run",
        path = display_path(path)
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// A file or folder could not be written.
    #[error("{path} cannot be written", path = display_path(path))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// A folder that is locked for this process.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks a folder, creating it if it is missing. The system releases the lock when the process
    /// ends, even if it is killed. The lock file stays; it must not be a symbolic link.
    ///
    /// # Errors
    ///
    /// [`ReportError::Busy`] if another process has locked the folder; [`ReportError::Io`] if it
    /// cannot be written.
    pub(crate) fn take(path: &Path) -> Result<Self, ReportError> {
        let failed = |source| ReportError::Io {
            path: path.to_owned(),
            source,
        };
        fs::create_dir_all(path).map_err(failed)?;
        let lock = path.join(LOCK);
        let file = atomic_file::open_to_lock(&lock)
            .map_err(|source| ReportError::Io { path: lock, source })?;
        let path = path.to_owned();
        match file.try_lock() {
            Ok(()) => Ok(Self { path, _file: file }),
            Err(TryLockError::WouldBlock) => Err(ReportError::Busy { path }),
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(Self { path, _file: file })
            }
            Err(TryLockError::Error(source)) => Err(ReportError::Io { path, source }),
        }
    }

    /// Returns whether a process, maybe this one, has locked a folder. A lock that is free is shared
    /// for a moment, in which a run cannot take it.
    #[cfg(feature = "serve")]
    pub(crate) fn is_held(path: &Path) -> bool {
        let lock = path.join(LOCK);
        if !lock.is_file() {
            return false;
        }
        let file = atomic_file::open_to_lock(&lock);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Returns the record of the solved deals in this folder; `None` if there is no readable record.
    #[must_use]
    pub(crate) fn solved(&self) -> Option<SolvedRecord> {
        record_in(&self.path, SOLVED).ok()?
    }

    /// Returns the record of the run in this folder; `None` if there is no readable record.
    #[must_use]
    pub(crate) fn run(&self) -> Option<RunRecord> {
        run_record(&self.path).ok()?
    }
}

/// The record of a report with counts.json, as it is written.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CountedRecord<R> {
    /// The record.
    #[serde(flatten)]
    pub record: R,
    /// BLAKE3 of counts.json, in hex.
    pub counts_blake3: String,
    /// Median nanoseconds per deal, if measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_ns: Option<f64>,
}

/// Reads a record in a folder; `None` if there is no file of this name.
pub(crate) fn record_in<T: DeserializeOwned>(
    folder: &Path,
    name: &'static str,
) -> io::Result<Option<T>> {
    match regular_file::read(&folder.join(name), MOST_RECORD) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the record of the run in a folder; `None` if there is none.
///
/// # Errors
///
/// If the record cannot be read.
pub(crate) fn run_record(folder: &Path) -> io::Result<Option<RunRecord>> {
    record_in(folder, RUN)
}

/// The treatment of files that an earlier run left in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// A report of the same run is replaced; other reports are an error.
    Kept,
    /// Everything is replaced.
    Replaced,
    /// The run resumes from its checkpoint and replaces any report.
    Resumed,
    /// The run to resume has saved no checkpoint. Tables without a record are part of its report
    /// and are replaced.
    Begun,
}

impl Earlier {
    /// Returns `Replaced` if `force` is set, else `Kept`.
    fn unless(force: bool) -> Self {
        match force {
            true => Self::Replaced,
            false => Self::Kept,
        }
    }
}

/// Maximum number of folders to try for a report without `--out`.
const MOST_BESIDE: u32 = 10_000;

/// Returns a folder and its alternatives: `NAME`, `NAME-2`, `NAME-3` ..
pub fn folders_beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    let numbered = (2..=MOST_BESIDE).map(|number| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!("-{number}"));
        PathBuf::from(name)
    });
    std::iter::once(path.to_owned()).chain(numbered)
}

/// Takes the first of a folder and its alternatives that neither holds another report nor is in use
/// by another process.
///
/// # Errors
///
/// [`ReportError`] if that folder cannot be written, or none is free.
pub(crate) fn first_free<T>(
    path: &Path,
    take: impl Fn(&Path) -> Result<T, ReportError>,
) -> Result<T, ReportError> {
    let mut taken = None;
    for path in folders_beside(path) {
        match take(&path) {
            Err(
                error @ (ReportError::AnotherRun { .. }
                | ReportError::Busy { .. }
                | ReportError::Unfinished { .. }),
            ) => {
                taken.get_or_insert(error);
            }
            other => return other,
        }
    }
    Err(taken.expect("a folder was tried"))
}

/// A folder that is ready for a report.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The file that is written last.
    record: &'static str,
    /// The formats of tables.
    formats: Vec<TableFormat>,
    _lock: Lock,
}

impl Folder {
    /// The page of a report.
    pub(crate) const PAGE: &str = "report.html";
    /// The page of a comparison.
    pub(crate) const COMPARISON_PAGE: &str = "compare.html";
    /// The rows of a script's `csvrpt`.
    pub(crate) const CSV_REPORT: &str = "csvrpt.csv";
    /// The file of solved deals with all their tricks, for other programs too.
    pub(crate) const SOLVED_DEALS: &str = "deals.zrd";
    /// The same without the tricks that are not asked, which are 0.
    pub(crate) const PARTLY_SOLVED_DEALS: &str = "deals.partly-solved";

    /// Names of all files that a report may have.
    #[cfg(feature = "serve")]
    pub(crate) fn file_names() -> impl Iterator<Item = String> {
        files()
    }

    /// Checks that a folder can be written. Existing files stay until [`Folder::begin`].
    ///
    /// # Errors
    ///
    /// [`ReportError`] if the folder cannot be written. Also if it holds an unfinished run, the
    /// report of another run or other files with the names of a report's, unless `earlier` allows
    /// that.
    pub(crate) fn prepare(
        lock: Lock,
        identity: &Identity,
        part: Option<Part>,
        earlier: Earlier,
    ) -> Result<Self, ReportError> {
        Self::owned(lock, earlier, RUN, |record: RunRecord| {
            record.identity.difference(identity).or_else(|| {
                let found = record.part.as_ref().map(|record| record.part);
                let words = |part: Option<Part>| {
                    part.map_or_else(|| "the whole run".to_owned(), |part| format!("part {part}"))
                };
                (found != part).then(|| format!("{}, not {}", words(found), words(part)))
            })
        })
    }

    /// [`Folder::prepare`] for an audit. An audit of the same files is replaced, unless it read
    /// standard input, which cannot be read again.
    ///
    /// # Errors
    ///
    /// As [`Folder::prepare`].
    pub(crate) fn for_audit(
        path: &Path,
        identity: &AuditIdentity,
        force: bool,
    ) -> Result<Self, ReportError> {
        let different = |found: AuditRecord| {
            let is_same = found.identity == *identity && !identity.is_of_stream();
            (!is_same).then(|| format!("an audit of {}", found.identity.files.join(", ")))
        };
        Self::owned(Lock::take(path)?, Earlier::unless(force), AUDIT, different)
    }

    /// [`Folder::prepare`] for a run whose deals are solved. Only a finished run is replaced by the
    /// same one.
    ///
    /// # Errors
    ///
    /// As [`Folder::prepare`].
    pub(crate) fn for_solved(
        lock: Lock,
        record: &SolvedRecord,
        earlier: Earlier,
    ) -> Result<Self, ReportError> {
        let saved = lock.solved().filter(|saved| saved.stopped.is_some());
        if saved.is_some() && earlier == Earlier::Kept {
            let path = lock.path;
            return Err(ReportError::Unfinished { path });
        }
        Self::owned(lock, earlier, SOLVED, |saved: SolvedRecord| {
            let difference = saved.identity.difference(&record.identity);
            difference
                .or_else(|| (saved.tricks != record.tricks).then(|| "other tricks".to_owned()))
        })
    }

    /// [`Folder::prepare`] for a mix of these types, with their parts and deals. The same mix with
    /// the same seed is replaced. The types' reports are in folders of their own.
    ///
    /// # Errors
    ///
    /// As [`Folder::prepare`].
    pub(crate) fn for_mix(
        lock: Lock,
        types: &[(&str, u64, u64)],
        seed: Option<&str>,
        earlier: Earlier,
    ) -> Result<Self, ReportError> {
        let mut folders = types.iter().map(|(name, ..)| lock.path.join(name));
        let is_begun = folders.any(|folder| folder.is_dir()) && !Self::has_mix(&lock.path);
        if is_begun && earlier == Earlier::Kept {
            let path = lock.path;
            return Err(ReportError::Unfinished { path });
        }
        let is_resumed = earlier == Earlier::Begun;
        let different = |record: MixRecord| {
            let own = record.seed.as_deref().filter(|_| is_resumed);
            record.difference(types, seed.or(own))
        };
        let earlier = match earlier {
            Earlier::Begun => Earlier::Kept,
            other => other,
        };
        Self::owned(lock, earlier, MIX, different)
    }

    /// Returns whether a folder has the record of a mix.
    #[must_use]
    pub fn has_mix(path: &Path) -> bool {
        path.join(MIX).is_file()
    }

    /// `Folder::prepare` for the theory of a condition. Tables of the same condition are replaced,
    /// others only with `force`.
    ///
    /// # Errors
    ///
    /// As `Folder::prepare`.
    pub fn for_theory(path: &Path, condition: &str, force: bool) -> Result<Self, ReportError> {
        let counts = path.join(RUN).exists() || path.join(AUDIT).exists();
        let different = |record: TheoryRecord| match counts {
            true => Some(COUNTS_OF_RUN.to_owned()),
            false => (record.condition != condition)
                .then(|| "the theory of a different condition".to_owned()),
        };
        Self::owned(Lock::take(path)?, Earlier::unless(force), THEORY, different)
    }

    /// [`Folder::prepare`] for a comparison. A comparison of the same two folders is replaced.
    ///
    /// # Errors
    ///
    /// As [`Folder::prepare`].
    pub(crate) fn for_comparison(
        path: &Path,
        [a, b]: [&Path; 2],
        force: bool,
    ) -> Result<Self, ReportError> {
        let different = |record: serde_json::Value| {
            let of = |side: &str| record[side]["path"].as_str().unwrap_or_default().to_owned();
            let is_same = [of("a"), of("b")] == [a, b].map(|path| path.display().to_string());
            (!is_same).then(|| format!("a comparison of {} and {}", of("a"), of("b")))
        };
        Self::owned(
            Lock::take(path)?,
            Earlier::unless(force),
            COMPARISON,
            different,
        )
    }

    /// Takes a folder without report files, or one with a record of this name in which `different`
    /// finds no difference.
    fn owned<R: DeserializeOwned>(
        lock: Lock,
        earlier: Earlier,
        record: &'static str,
        different: impl FnOnce(R) -> Option<String>,
    ) -> Result<Self, ReportError> {
        let path = &lock.path;
        let force = matches!(earlier, Earlier::Replaced | Earlier::Resumed);
        let stays = |name: &str| earlier != Earlier::Begun || RECORDS.contains(&name);
        let failed = |source| ReportError::Io {
            path: path.to_owned(),
            source,
        };
        // A finished part keeps its checkpoint for merging.
        let is_part = || {
            lock.run()
                .is_some_and(|run| run.part.is_some() && run.stopped.is_none())
        };
        if !force && Checkpoints::of(path).exist() && !is_part() {
            let path = path.to_owned();
            return Err(ReportError::Unfinished { path });
        }
        let what = match record_in(path, record) {
            Ok(None) => files()
                .find(|name| stays(name) && path.join(name).exists())
                .map(|name| match name.as_str() {
                    RUN | AUDIT => COUNTS_OF_RUN.to_owned(),
                    SOLVED => "the deals of a run that are solved".to_owned(),
                    name => format!("a {name} without a {record}"),
                }),
            Err(error) => Some(format!("its {record} cannot be read: {error}")),
            Ok(Some(found)) => different(found),
        };
        let path = path.to_owned();
        if let Some(what) = what.filter(|_| !force) {
            return Err(ReportError::AnotherRun { path, what });
        }
        // Temporary files of killed processes. If the folder cannot be listed, they stay.
        let _ = atomic_file::remove_abandoned_parts(&path);
        tempfile::tempfile_in(&path).map_err(failed)?;
        Ok(Self {
            path,
            record,
            formats: vec![TableFormat::Csv],
            _lock: lock,
        })
    }

    /// Adds formats in which tables are written.
    #[must_use]
    pub fn with_formats(mut self, formats: &[TableFormat]) -> Self {
        for format in formats {
            if !self.formats.contains(format) {
                self.formats.push(*format);
            }
        }
        self
    }

    /// Removes an earlier report, its record first: without a record the folder counts as
    /// incomplete until the new report is written, and no old file remains beside the new ones.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`] if a file cannot be removed.
    pub(crate) fn begin(&self) -> Result<(), ReportError> {
        // A run needs its checkpoints until its report is complete. Other reports have none of
        // their own.
        if self.record != RUN {
            let removed = Checkpoints::of(&self.path).remove();
            removed.map_err(|error| ReportError::Io {
                path: self.path.clone(),
                source: io::Error::other(error),
            })?;
        }
        for name in files() {
            let path = self.path.join(name);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(ReportError::Io { path, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the path of the folder.
    #[must_use]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one file atomically: its data is on disk before it gets its name.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`] if the file cannot be written. No partial file gets its name.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        write_file(&self.path.join(name), bytes)
    }

    /// Writes tables, as CSV and in the other formats.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub(crate) fn write_tables<'t>(
        &self,
        tables: impl IntoIterator<Item = &'t Table>,
    ) -> Result<(), ReportError> {
        for table in tables {
            for format in &self.formats {
                let name = format!("{}.{}", table.name(), format.extension());
                self.write(&name, &format.encode(table))?;
            }
        }
        Ok(())
    }

    /// Writes the counts of a run or audit, and its record as the last file: it completes the
    /// report.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub(crate) fn write_counted(
        &self,
        record: &impl Serialize,
        counts: &Sample,
        median_ns: Option<f64>,
    ) -> Result<(), ReportError> {
        let counts = counts.to_json();
        self.write(COUNTS, &counts)?;
        let record = CountedRecord {
            record,
            counts_blake3: blake3::hash(&counts).to_string(),
            median_ns,
        };
        self.write_record(&record)
    }

    /// Writes the record. Except for solved deals, whose record is written before them too, it is the
    /// last file and completes the report.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub(crate) fn write_record(&self, record: &impl Serialize) -> Result<(), ReportError> {
        let mut json = serde_json::to_vec_pretty(record)
            .expect("records serialise as JSON, and writing to memory cannot fail");
        json.push(b'\n');
        self.write(self.record, &json)
    }
}

/// Writes one file atomically: its data is on disk before it gets its name. A symbolic link with
/// that name is replaced.
///
/// # Errors
///
/// [`ReportError::Io`] if the file cannot be written. No partial file gets its name.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    let write = || -> io::Result<()> {
        let mut file = atomic_file::begin_part(atomic_file::folder_of(path))?;
        file.write_all(bytes)?;
        atomic_file::publish(file, path)
    };
    write().map_err(|source| ReportError::Io {
        path: path.to_owned(),
        source,
    })
}

impl From<ReportError> for crate::error::Error {
    fn from(error: ReportError) -> Self {
        let remedy = match &error {
            ReportError::AnotherRun { .. } => Remedy::Overwrite,
            ReportError::Unfinished { .. } => Remedy::ResumeOrOverwrite,
            ReportError::Busy { .. } => Remedy::WriteElsewhere,
            ReportError::Io { .. } => return Self::io(error),
        };
        Self::usage(error).with_remedy(remedy)
    }
}
