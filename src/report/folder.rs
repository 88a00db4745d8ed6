//! A report's folder, and files that are whole or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::record::{Identity, RunRecord};

/// The files of a report.
const FILES: [&str; 9] = [
    "run.json",
    "patterns.csv",
    "shapes.csv",
    "suit_lengths.csv",
    "fits.csv",
    "hcp.csv",
    "side_hcp.csv",
    "cards.csv",
    "latency.csv",
];

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder holds the report of another run.
    #[error(
        "{path} holds another run ({what}): write elsewhere with --out, or replace it with --force",
        path = path.display()
    )]
    AnotherRun {
        /// The folder.
        path: PathBuf,
        /// How that run differs.
        what: String,
    },
    /// A file or folder could not be written.
    #[error("{path} cannot be written", path = path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A folder that is ready to take a run's report.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder and proves that it can be written. What it holds stays
    /// there until [`Folder::begin`].
    ///
    /// # Errors
    ///
    /// [`ReportError`] if it cannot be written, or holds the report of another
    /// run or other files of a report's names, which takes `force`.
    pub fn prepare(path: &Path, identity: &Identity, force: bool) -> Result<Self, ReportError> {
        let failed = |source| ReportError::Io {
            path: path.to_owned(),
            source,
        };
        fs::create_dir_all(path).map_err(failed)?;
        let folder = Self {
            path: path.to_owned(),
        };
        let present = fs::read(path.join("run.json"));
        match present {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let theirs = FILES.iter().find(|name| path.join(name).exists());
                if let Some(name) = theirs.filter(|_| !force) {
                    let (path, what) = (path.to_owned(), format!("a {name} without a run.json"));
                    return Err(ReportError::AnotherRun { path, what });
                }
            }
            Err(error) => return Err(failed(error)),
            Ok(bytes) => {
                let other = serde_json::from_slice::<RunRecord>(&bytes);
                let difference = match &other {
                    Ok(record) => record.identity.difference(identity),
                    Err(_) => Some("its run.json cannot be read".to_owned()),
                };
                if let Some(what) = difference.filter(|_| !force) {
                    let path = path.to_owned();
                    return Err(ReportError::AnotherRun { path, what });
                }
            }
        }
        tempfile::tempfile_in(path).map_err(failed)?;
        Ok(folder)
    }

    /// Takes away the run.json of an earlier report, so that the folder is not
    /// taken for whole until the new one is written.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`] if it cannot be removed.
    pub fn begin(&self) -> Result<(), ReportError> {
        let path = self.path.join("run.json");
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(ReportError::Io { path, source })
            }
            _ => Ok(()),
        }
    }

    /// Makes a folder for theory alone, which must not hold a run's report.
    ///
    /// # Errors
    ///
    /// [`ReportError`] if it does, or cannot be made.
    pub fn for_theory(path: &Path) -> Result<Self, ReportError> {
        let path = path.to_owned();
        if path.join("run.json").exists() {
            let what = "the counts of a run".to_owned();
            return Err(ReportError::AnotherRun { path, what });
        }
        match fs::create_dir_all(&path) {
            Ok(()) => Ok(Self { path }),
            Err(source) => Err(ReportError::Io { path, source }),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one file whole, on disk before it gets its name.
    ///
    /// # Errors
    ///
    /// [`ReportError::Io`]; then there is no such file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        let path = self.path.join(name);
        let write = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&self.path)?;
            file.write_all(bytes)?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                file.as_file()
                    .set_permissions(fs::Permissions::from_mode(0o644))?;
            }
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|source| ReportError::Io {
            path: path.clone(),
            source,
        })
    }
}
