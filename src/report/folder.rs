//! A report's folder, with atomic file writes.

use super::table_name::TableName;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::audit::{AuditIdentity, AuditRecord};
#[cfg(feature = "cli")]
use super::parquet;
use super::record::{Identity, RunRecord, TheoryRecord};
use super::table::Table;
use crate::atomic_file;
use crate::printable::shown;
use crate::run::{Checkpoints, Part};

/// The records of a run, of an audit, and of theory alone.
const RUN: &str = "run.json";
const AUDIT: &str = "audit.json";
const THEORY: &str = "theory.json";
/// The record of a comparison of two reports.
const COMPARISON: &str = "comparison.json";
const RECORDS: [&str; 4] = [RUN, AUDIT, THEORY, COMPARISON];
/// The file that is locked while a folder is written.
const LOCK: &str = ".fairdeal.lock";
/// The content of a folder with a run's record.
const COUNTS: &str = "the counts of a run";

/// The pages of reports and of comparisons.
const PAGE: &str = "report.html";
const COMPARISON_PAGE: &str = "compare.html";
/// A format that tables are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Text, by RFC 4180.
    Csv,
    /// Columns with types, for notebooks.
    #[cfg(feature = "cli")]
    Parquet,
}

impl TableFormat {
    /// All of them.
    const ALL: &[Self] = &[
        Self::Csv,
        #[cfg(feature = "cli")]
        Self::Parquet,
    ];

    /// The file extension.
    fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            #[cfg(feature = "cli")]
            Self::Parquet => "parquet",
        }
    }

    fn encode(self, table: &Table) -> Vec<u8> {
        match self {
            Self::Csv => table.to_csv(),
            #[cfg(feature = "cli")]
            Self::Parquet => parquet::encode(table),
        }
    }
}

/// The files of a report and of theory alone, the records first.
fn files() -> impl Iterator<Item = String> {
    let tables = TableName::ALL.iter().flat_map(|table| {
        TableFormat::ALL
            .iter()
            .map(move |format| format!("{}.{}", table.name(), format.extension()))
    });
    let records = RECORDS.iter().map(|&name| name.to_owned());
    let pages = [PAGE, COMPARISON_PAGE].map(str::to_owned);
    records.chain(tables).chain(pages)
}

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder holds the report of another run.
    #[error(
        "{path} holds another run ({what}): write elsewhere with --out, or replace it with --force",
        path = shown(path)
    )]
    AnotherRun {
        /// The folder.
        path: PathBuf,
        /// How that run differs.
        what: String,
    },
    /// Another process writes there.
    #[error(
        "{path} is being written by another run: wait for its end, or write elsewhere with --out",
        path = shown(path)
    )]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds an unfinished run.
    #[error(
        "{path} holds a run that is not finished: go on with `run --resume`, write elsewhere with \
         --out, or replace it with --force",
        path = shown(path)
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// A file or folder could not be written.
    #[error("{path} cannot be written", path = shown(path))]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
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
    /// Locks a folder, which is made if it is not there. The system unlocks it when the
    /// process ends, however it ends; the file that is locked stays, and must not be a
    /// symbolic link.
    ///
    /// # Errors
    ///
    /// [`ReportError::Busy`] if another process has locked it; [`ReportError::Io`] if it
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

    /// The record of the run whose report is there; `None` if there is none that can be
    /// read.
    #[must_use]
    pub fn run(&self) -> Option<RunRecord> {
        run_record(&self.path)
    }
}

/// The record of the run whose report is in a folder; `None` if there is none that can be read.
#[must_use]
pub fn run_record(folder: &Path) -> Option<RunRecord> {
    let bytes = fs::read(folder.join(RUN)).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The treatment of files that an earlier run left in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// A report of the same run is replaced, anything else refused.
    Kept,
    /// Everything is replaced.
    Replaced,
    /// The run goes on from its checkpoint, whatever report is there.
    Resumed,
    /// Nothing was saved of a run that is to go on: tables without any record are what it had
    /// written of its report, and may be replaced.
    Begun,
}

impl Earlier {
    /// What there is stays unless it is to be replaced.
    fn unless(force: bool) -> Self {
        match force {
            true => Self::Replaced,
            false => Self::Kept,
        }
    }
}

/// Folders that a report without a folder of its own may go to.
const MOST_BESIDE: u32 = 10_000;

/// A folder and those beside it, `NAME`, `NAME-2`, `NAME-3` ..
pub fn folders_beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    let numbered = (2..=MOST_BESIDE).map(|number| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!("-{number}"));
        PathBuf::from(name)
    });
    std::iter::once(path.to_owned()).chain(numbered)
}

/// The first of a folder and those beside it that does not hold another report, or is taken by
/// another process.
///
/// # Errors
///
/// [`ReportError`] if it cannot be written, or all are taken.
pub fn first_free<T>(
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

/// A folder that is ready to take a run's report.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The file that is written last.
    record: &'static str,
    /// How tables are written.
    formats: Vec<TableFormat>,
    _lock: Lock,
}

impl Folder {
    /// Proves that a folder can be written. What it holds stays
    /// there until [`Folder::begin`].
    ///
    /// # Errors
    ///
    /// [`ReportError`] if it cannot be written, or holds an unfinished run, the report of
    /// another run or other files of a report's names, and `earlier` does not allow it.
    pub fn prepare(
        lock: Lock,
        identity: &Identity,
        part: Option<Part>,
        earlier: Earlier,
    ) -> Result<Self, ReportError> {
        Self::owned(lock, earlier, RUN, |bytes| {
            match serde_json::from_slice::<RunRecord>(bytes) {
                Ok(record) => record.identity.difference(identity).or_else(|| {
                    let found = record.part.as_ref().map(|record| record.part);
                    let words = |part: Option<Part>| {
                        part.map_or_else(|| "all of it".to_owned(), |part| format!("part {part}"))
                    };
                    (found != part).then(|| format!("{}, not {}", words(found), words(part)))
                }),
                Err(_) => Some("its run.json cannot be read".to_owned()),
            }
        })
    }

    /// [`Folder::prepare`] for an audit: of the same files it may be replaced, but not
    /// where what came on standard input cannot be read again.
    ///
    /// # Errors
    ///
    /// As [`Folder::prepare`].
    pub fn for_audit(
        path: &Path,
        identity: &AuditIdentity,
        force: bool,
    ) -> Result<Self, ReportError> {
        Self::owned(Lock::take(path)?, Earlier::unless(force), AUDIT, |bytes| {
            match serde_json::from_slice::<AuditRecord>(bytes) {
                Ok(record) if record.identity == *identity && !identity.is_of_stream() => None,
                Ok(record) => Some(format!("an audit of {}", record.identity.files.join(", "))),
                Err(_) => Some("its audit.json cannot be read".to_owned()),
            }
        })
    }

    /// [`Folder::prepare`] for theory alone: the tables of any theory may be
    /// replaced, those of a run only with `force`.
    ///
    /// # Errors
    ///
    /// As [`Folder::prepare`].
    pub fn for_theory(path: &Path, force: bool) -> Result<Self, ReportError> {
        let counts = path.join(RUN).exists() || path.join(AUDIT).exists();
        Self::owned(Lock::take(path)?, Earlier::unless(force), THEORY, |_| {
            counts.then(|| COUNTS.to_owned())
        })
    }

    /// [`Folder::prepare`] for a comparison: one of the same two folders may be replaced.
    ///
    /// # Errors
    ///
    /// As [`Folder::prepare`].
    pub(crate) fn for_comparison(
        path: &Path,
        [a, b]: [&Path; 2],
        force: bool,
    ) -> Result<Self, ReportError> {
        Self::owned(
            Lock::take(path)?,
            Earlier::unless(force),
            COMPARISON,
            |bytes| {
                let record = serde_json::from_slice::<serde_json::Value>(bytes);
                let Ok(record) = record else {
                    return Some("its comparison.json cannot be read".to_owned());
                };
                let of = |side: &str| record[side]["path"].as_str().unwrap_or_default().to_owned();
                let is_same = [of("a"), of("b")] == [a, b].map(|path| path.display().to_string());
                (!is_same).then(|| format!("a comparison of {} and {}", of("a"), of("b")))
            },
        )
    }

    /// Takes a folder whose files, if there are any, stand beside a record of
    /// that name in which nothing is found `different`.
    fn owned(
        lock: Lock,
        earlier: Earlier,
        record: &'static str,
        different: impl FnOnce(&[u8]) -> Option<String>,
    ) -> Result<Self, ReportError> {
        let path = &lock.path;
        let force = matches!(earlier, Earlier::Replaced | Earlier::Resumed);
        let stays = |name: &str| earlier != Earlier::Begun || RECORDS.contains(&name);
        let failed = |source| ReportError::Io {
            path: path.to_owned(),
            source,
        };
        // A part that is finished keeps its checkpoint, to be merged.
        let is_part = || {
            lock.run()
                .is_some_and(|run| run.part.is_some() && run.stopped.is_none())
        };
        if !force && Checkpoints::of(path).exist() && !is_part() {
            let path = path.to_owned();
            return Err(ReportError::Unfinished { path });
        }
        let what = match fs::read(path.join(record)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => files()
                .find(|name| stays(name) && path.join(name).exists())
                .map(|name| match name.as_str() {
                    RUN | AUDIT => COUNTS.to_owned(),
                    name => format!("a {name} without a {record}"),
                }),
            Err(error) => return Err(failed(error)),
            Ok(bytes) => different(&bytes),
        };
        let path = path.to_owned();
        if let Some(what) = what.filter(|_| !force) {
            return Err(ReportError::AnotherRun { path, what });
        }
        // What processes left that were killed; what cannot be looked through may stay.
        let _ = atomic_file::remove_abandoned_parts(&path);
        tempfile::tempfile_in(&path).map_err(failed)?;
        Ok(Self {
            path,
            record,
            formats: vec![TableFormat::Csv],
            _lock: lock,
        })
    }

    /// Writes tables in these formats too.
    #[must_use]
    pub fn with_formats(mut self, formats: &[TableFormat]) -> Self {
        for format in formats {
            if !self.formats.contains(format) {
                self.formats.push(*format);
            }
        }
        self
    }

    /// Takes away an earlier report, its record first: the folder is not taken
    /// for whole until the new one is written, and no file of it stays beside
    /// the new ones.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`] if a file cannot be removed.
    pub fn begin(&self) -> Result<(), ReportError> {
        // A run's own are wanted until its report is whole; nothing else has any.
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

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one file atomically, on disk before it gets its name.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`]; then there is no such file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        write_file(&self.path.join(name), bytes)
    }

    /// Writes a table, as CSV and in the other formats.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_table(&self, table: &Table) -> Result<(), ReportError> {
        for format in &self.formats {
            let name = format!("{}.{}", table.name(), format.extension());
            self.write(&name, &format.encode(table))?;
        }
        Ok(())
    }

    /// Writes tables.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_tables<'t>(
        &self,
        tables: impl IntoIterator<Item = &'t Table>,
    ) -> Result<(), ReportError> {
        tables
            .into_iter()
            .try_for_each(|table| self.write_table(table))
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_page(&self, html: &str) -> Result<(), ReportError> {
        self.write(PAGE, html.as_bytes())
    }

    /// Writes the page of a comparison.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    #[cfg(feature = "cli")]
    pub(crate) fn write_comparison_page(&self, html: &str) -> Result<(), ReportError> {
        self.write(COMPARISON_PAGE, html.as_bytes())
    }

    /// Writes the run's record, last of all, which completes the folder.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_run(&self, record: &RunRecord) -> Result<Vec<u8>, ReportError> {
        self.write_json(RUN, record)
    }

    /// Writes the audit's record, last of all.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_audit(&self, record: &AuditRecord) -> Result<Vec<u8>, ReportError> {
        self.write_json(AUDIT, record)
    }

    /// Writes the record of a comparison, last of all.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub(crate) fn write_comparison(
        &self,
        comparison: &impl Serialize,
    ) -> Result<Vec<u8>, ReportError> {
        self.write_json(COMPARISON, comparison)
    }

    /// Writes the record of theory alone, last of all.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_theory(&self, record: &TheoryRecord) -> Result<(), ReportError> {
        self.write_json(THEORY, record).map(|_| ())
    }

    fn write_json(&self, name: &str, record: &impl Serialize) -> Result<Vec<u8>, ReportError> {
        let mut json = serde_json::to_vec_pretty(record)
            .expect("records have plain fields with names, and memory takes all");
        json.push(b'\n');
        self.write(name, &json)?;
        Ok(json)
    }
}

/// Writes one file whole, on disk before it gets its name. A symbolic link of that name is
/// replaced.
///
/// # Errors
///
/// [`ReportError::Io`]; then there is no such file.
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
        match error {
            ReportError::AnotherRun { .. }
            | ReportError::Unfinished { .. }
            | ReportError::Busy { .. } => Self::usage(error),
            ReportError::Io { .. } => Self::io(error),
        }
    }
}
