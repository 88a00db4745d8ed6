//! Why a case file cannot be opened.

use std::io;
use std::path::PathBuf;

use super::header::DamagedFile;

use crate::printable::shown;

/// A case file that could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It could not be read at all.
    #[error("{path} cannot be read", path = shown(path))]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is not enough memory for it.
    #[error("not enough memory for the {bytes} bytes of {path}: {advice}", path = shown(path))]
    Memory {
        /// Which file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
        /// What can be done.
        advice: &'static str,
    },
    /// It was read and is not a whole case file.
    #[error("{path} {damage}", path = shown(path))]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
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
