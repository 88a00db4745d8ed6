//! A report's folder, with atomic file writes.

use super::table_name::TableName;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::audit::{AuditIdentity, AuditRecord};
use super::identity::Identity;
use super::mix::{MixRecord, MixSubject};
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
pub(crate) const COMPARISON: &str = "comparison.json";
/// The record of a run whose deals are solved double-dummy.
const SOLVED: &str = "solved.json";
/// The record of a mix.
const MIX: &str = "mix.json";
/// The record of leads or contracts that are compared.
pub(super) const CANDIDATES: &str = "candidates.json";
const RECORDS: [&str; 7] = [RUN, AUDIT, THEORY, COMPARISON, SOLVED, MIX, CANDIDATES];
/// The file that is locked while a folder is written.
const LOCK: &str = ".fairdeal.lock";

/// Maximum size of a record, in bytes: an audit of 100,000 files has a record of 30 MB.
pub(crate) const MOST_RECORD: u64 = 64 << 20;

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

/// A file of a report: its name and its contents.
pub type ReportFile = (String, Vec<u8>);

/// Returns the files of tables in each of these formats.
fn table_files<'t>(
    tables: impl IntoIterator<Item = &'t Table>,
    formats: &[TableFormat],
) -> Vec<ReportFile> {
    let file = |table: &Table, format: &TableFormat| {
        let name = format!("{}.{}", table.name(), format.extension());
        (name, format.encode(table))
    };
    let tables = tables.into_iter();
    let files = tables.flat_map(|table| formats.iter().map(move |format| file(table, format)));
    files.collect()
}

/// Returns the files of a run or an audit: its tables, other files, its counts, and its record as the
/// last one, which completes the report.
pub fn counted_files<R: Record + Serialize>(
    tables: &[Table],
    formats: &[TableFormat],
    others: impl IntoIterator<Item = ReportFile>,
    counts: &Sample,
    (record, median_ns): (&R, Option<f64>),
) -> Vec<ReportFile> {
    let counts = counts.to_json();
    let record = json_of(&CountedRecord {
        record,
        counts_blake3: blake3::hash(&counts).to_string(),
        median_ns,
    });
    let mut files = table_files(tables, formats);
    files.extend(others);
    files.extend([(COUNTS.to_owned(), counts), (R::FILE.to_owned(), record)]);
    files
}

/// The text of a record.
fn json_of(record: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(record)
        .expect("records serialise as JSON, and writing to memory cannot fail");
    json.push(b'\n');
    json
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
    pub fn take(path: &Path) -> Result<Self, ReportError> {
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
    pub fn is_held(path: &Path) -> bool {
        let lock = path.join(LOCK);
        if !lock.is_file() {
            return false;
        }
        let file = atomic_file::open_to_lock(&lock);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Returns the record of this kind in the folder; `None` if there is no readable one.
    pub fn record<R: Record>(&self) -> Option<R> {
        record_in(&self.path).ok()?
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

/// Reads the record of a kind in a folder; `None` if there is no file of its name.
///
/// # Errors
///
/// If the record cannot be read.
pub fn record_in<R: Record>(folder: &Path) -> io::Result<Option<R>> {
    read_json(folder, R::FILE)
}

/// Reads a JSON file of a folder; `None` if there is no file of this name.
pub fn read_json<T: DeserializeOwned>(folder: &Path, name: &'static str) -> io::Result<Option<T>> {
    match regular_file::read(&folder.join(name), MOST_RECORD) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The treatment of a report that a folder already holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// Replaces a report of the same work; rejects anything else.
    #[default]
    Keep,
    /// Replaces a report of the same work; otherwise writes to the first free folder of `NAME-2`,
    /// `NAME-3` ..
    Beside,
    /// Replaces everything.
    Replace,
    /// Goes on with unfinished work. Without any, replaces tables without a record: they are part
    /// of the report of work that saved nothing.
    Resume,
}

impl OnConflict {
    /// Returns `Replace` if `force` is set, else `Keep`.
    pub fn by_force(force: bool) -> Self {
        match force {
            true => Self::Replace,
            false => Self::Keep,
        }
    }
}

/// A record, whose file completes a report.
pub trait Record: DeserializeOwned {
    /// Name of its file.
    const FILE: &'static str;

    /// The properties by which two reports are of the same work.
    type Subject<'s>: Copy;

    /// Describes how the work of this record differs from another; `None` if it is the same.
    fn difference(&self, subject: Self::Subject<'_>) -> Option<String>;

    /// Whether a folder holds unfinished work of this kind, besides checkpoints.
    fn is_unfinished_in(_folder: &Path, _subject: Self::Subject<'_>) -> bool {
        false
    }
}

impl Record for RunRecord {
    const FILE: &'static str = RUN;

    type Subject<'s> = (&'s Identity, Option<Part>);

    fn difference(&self, (identity, part): Self::Subject<'_>) -> Option<String> {
        self.identity.difference(identity).or_else(|| {
            let found = self.part.map(|record| record.part);
            let words = |part: Option<Part>| {
                part.map_or_else(|| "the whole run".to_owned(), |part| format!("part {part}"))
            };
            (found != part).then(|| format!("{}, not {}", words(found), words(part)))
        })
    }
}

impl Record for AuditRecord {
    const FILE: &'static str = AUDIT;

    type Subject<'s> = &'s AuditIdentity;

    /// A stream cannot be read again.
    fn difference(&self, identity: &AuditIdentity) -> Option<String> {
        let is_same = self.identity == *identity && !identity.is_of_stream();
        let command = self.identity.command.as_ref();
        (!is_same).then(|| match command {
            Some(command) => {
                let part = command.part.map(|part| format!("part {part} of "));
                let (part, text, seed) = (part.unwrap_or_default(), &command.command, command.seed);
                format!("{part}an audit of `{text}`, seed {seed}")
            }
            None if self.identity.files.is_empty() => "an audit of deals in memory".to_owned(),
            None => format!("an audit of {}", self.identity.files.join(", ")),
        })
    }
}

impl Record for SolvedRecord {
    const FILE: &'static str = SOLVED;

    type Subject<'s> = &'s Self;

    fn difference(&self, other: &Self) -> Option<String> {
        let tricks = || (self.tricks != other.tricks).then(|| "other tricks".to_owned());
        self.identity.difference(&other.identity).or_else(tricks)
    }

    fn is_unfinished_in(folder: &Path, _: &Self) -> bool {
        let saved = record_in::<Self>(folder);
        matches!(saved, Ok(Some(saved)) if saved.stopped.is_some())
    }
}

impl Record for MixRecord {
    const FILE: &'static str = MIX;

    type Subject<'s> = MixSubject<'s>;

    fn difference(&self, subject: MixSubject<'_>) -> Option<String> {
        let types = self.types.iter();
        let types = types.map(|of| (&*of.name, of.parts, of.deals));
        if !types.eq(subject.types.iter().copied()) {
            return Some("another mix".to_owned());
        }
        let found = self.seed.as_deref().unwrap_or("none");
        match subject.seed {
            Some(seed) if seed == found => None,
            Some(seed) => Some(format!("seed {found}, not {seed}")),
            None if subject.is_resumed => None,
            None => Some(format!("seed {found}")),
        }
    }

    /// The types' reports are in folders of their own.
    fn is_unfinished_in(folder: &Path, subject: MixSubject<'_>) -> bool {
        let mut types = subject.types.iter();
        let is_begun = types.any(|(name, ..)| folder.join(name).is_dir());
        is_begun && !Folder::has_mix(folder)
    }
}

impl Record for TheoryRecord {
    const FILE: &'static str = THEORY;

    type Subject<'s> = &'s str;

    fn difference(&self, condition: &str) -> Option<String> {
        let is_other = self.condition != condition;
        is_other.then(|| "the theory of a different condition".to_owned())
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

/// A folder that is ready for a report.
#[derive(Debug)]
pub struct Folder {
    lock: Lock,
    /// The file that is written last.
    record: &'static str,
    /// The formats of tables.
    formats: Vec<TableFormat>,
}

/// Refuses to replace unfinished work, another report, or files of a report without a record of this
/// kind. Tables without any record are no obstacle for work that is resumed.
fn refuse_conflict<R: Record>(
    lock: &Lock,
    subject: R::Subject<'_>,
    is_resumed: bool,
) -> Result<(), ReportError> {
    let path = &lock.path;
    // A finished part keeps its checkpoint for merging.
    let is_part = || {
        let run = lock.record::<RunRecord>();
        run.is_some_and(|run| run.part.is_some() && run.stopped.is_none())
    };
    let is_unfinished = !is_resumed && R::is_unfinished_in(path, subject);
    if is_unfinished || Checkpoints::of(path).exist() && !is_part() {
        let path = path.clone();
        return Err(ReportError::Unfinished { path });
    }
    let stays = |name: &str| !is_resumed || RECORDS.contains(&name);
    let other = |name: String| match name.as_str() {
        RUN | AUDIT => "the counts of a run".to_owned(),
        SOLVED => "the deals of a run that are solved".to_owned(),
        name => format!("a {name} without a {}", R::FILE),
    };
    let what = match record_in::<R>(path) {
        Err(error) => Some(format!("its {} cannot be read: {error}", R::FILE)),
        Ok(Some(found)) => [RUN, AUDIT, SOLVED]
            .into_iter()
            .find(|name| *name != R::FILE && path.join(name).exists())
            .map(|name| other(name.to_owned()))
            .or_else(|| found.difference(subject)),
        Ok(None) => files()
            .find(|name| stays(name) && path.join(name).exists())
            .map(other),
    };
    match what {
        None => Ok(()),
        Some(what) => Err(ReportError::AnotherRun {
            path: path.clone(),
            what,
        }),
    }
}

impl Folder {
    /// The page of a report.
    pub const PAGE: &str = "report.html";
    /// The page of a comparison.
    pub(crate) const COMPARISON_PAGE: &str = "compare.html";
    /// The rows of a script's `csvrpt`.
    pub const CSV_REPORT: &str = "csvrpt.csv";
    /// The file of solved deals with all their tricks, for other programs too.
    pub const SOLVED_DEALS: &str = "deals.zrd";
    /// The same without the tricks that are not asked, which are 0.
    pub const PARTLY_SOLVED_DEALS: &str = "deals.partly-solved";

    /// Names of all files that a report may have.
    pub fn file_names() -> impl Iterator<Item = String> {
        files()
    }

    /// Locks a folder for a report of this work. Existing files stay until the report is written.
    ///
    /// # Errors
    ///
    /// [`ReportError`] if the folder cannot be written. Also if it holds unfinished work, another
    /// report or other files with the names of a report's, unless `on_conflict` allows that.
    pub fn take<R: Record>(
        path: &Path,
        subject: R::Subject<'_>,
        on_conflict: OnConflict,
    ) -> Result<Self, ReportError> {
        if on_conflict != OnConflict::Beside {
            return Self::locked::<R>(Lock::take(path)?, subject, on_conflict);
        }
        let mut taken = None;
        for path in folders_beside(path) {
            match Self::take::<R>(&path, subject, OnConflict::Keep) {
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

    /// [`Folder::take`] for a folder that is locked.
    ///
    /// # Errors
    ///
    /// As [`Folder::take`].
    pub fn locked<R: Record>(
        lock: Lock,
        subject: R::Subject<'_>,
        on_conflict: OnConflict,
    ) -> Result<Self, ReportError> {
        if on_conflict != OnConflict::Replace {
            refuse_conflict::<R>(&lock, subject, on_conflict == OnConflict::Resume)?;
        }
        // Temporary files of killed processes. If the folder cannot be listed, they stay.
        let _ = atomic_file::remove_abandoned_parts(&lock.path);
        tempfile::tempfile_in(&lock.path).map_err(|source| ReportError::Io {
            path: lock.path.clone(),
            source,
        })?;
        Ok(Self {
            record: R::FILE,
            formats: vec![TableFormat::Csv],
            lock,
        })
    }

    /// Returns whether a folder has the record of a mix.
    pub fn has_mix(path: &Path) -> bool {
        path.join(MIX).is_file()
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
    pub fn begin(&self) -> Result<(), ReportError> {
        // A run or an audit needs its checkpoints until its report is complete. Other reports have
        // none of their own.
        if ![RUN, AUDIT].contains(&self.record) {
            let removed = Checkpoints::of(self.path()).remove();
            removed.map_err(|error| ReportError::Io {
                path: self.path().to_owned(),
                source: io::Error::other(error),
            })?;
        }
        for name in files() {
            let path = self.path().join(name);
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
    pub fn path(&self) -> &Path {
        &self.lock.path
    }

    /// Writes one file atomically: its data is on disk before it gets its name.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`] if the file cannot be written. No partial file gets its name.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        write_file(&self.path().join(name), bytes)
    }

    /// Writes tables, as CSV and in the other formats.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_tables<'t>(
        &self,
        tables: impl IntoIterator<Item = &'t Table>,
    ) -> Result<(), ReportError> {
        self.write_all(&table_files(tables, &self.formats))
    }

    fn write_all(&self, files: &[ReportFile]) -> Result<(), ReportError> {
        let mut files = files.iter();
        files.try_for_each(|(name, bytes)| self.write(name, bytes))
    }

    /// Replaces an earlier report by these files, the last of which completes it.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`] if a file cannot be removed or written.
    pub fn write_report(&self, files: &[ReportFile]) -> Result<(), ReportError> {
        self.begin()?;
        self.write_all(files)
    }

    /// Returns the formats of tables.
    pub fn formats(&self) -> &[TableFormat] {
        &self.formats
    }

    /// Writes the record. Except for solved deals, whose record is written before them too, it is the
    /// last file and completes the report.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_record(&self, record: &impl Serialize) -> Result<(), ReportError> {
        self.write(self.record, &json_of(record))
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
