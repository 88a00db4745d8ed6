//! Errors of opening a case file.

use std::io;
use std::path::PathBuf;

use super::header::DamagedFile;

use crate::printable::display_path;

/// The reason why a case file could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file could not be read.
    #[error("{path} cannot be read", path = display_path(path))]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is not enough memory to open the file.
    #[error("not enough memory for the {bytes} bytes of {path}: {advice}", path = display_path(path))]
    Memory {
        /// The path of the file.
        path: PathBuf,
        /// Its length in bytes.
        bytes: u64,
        /// What the user can do.
        advice: &'static str,
    },
    /// The file was read but is not a complete case file.
    #[error("{path} {damage}", path = display_path(path))]
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// The error in the file.
        damage: DamagedFile,
    },
}

impl From<OpenError> for crate::error::Error {
    fn from(error: OpenError) -> Self {
        match &error {
            OpenError::Io { source, .. } if source.kind() != io::ErrorKind::NotFound => {
                Self::io(error)
            }
            OpenError::Memory { .. } => Self::io(error),
            _ => Self::input(error),
        }
    }
}
