//! Opening a case file: the one place where a file is mapped.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::file::CaseFile;
use super::header::DamagedFile;
use super::record::CaseRecord;

/// The bytes of an opened case file.
#[derive(Debug)]
pub enum CaseBytes {
    /// A read-only map of the file.
    Mapped(Mmap),
    /// A copy in memory; the length in bytes, and the bytes in aligned units.
    Copied(usize, Vec<CaseRecord>),
}

impl AsRef<[u8]> for CaseBytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Copied(length, units) => &bytemuck::cast_slice(units)[..*length],
        }
    }
}

/// A case file that could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It could not be read at all.
    #[error("{path} cannot be read", path = path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It was read and is not a whole case file.
    #[error("{path} {damage}", path = path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        damage: DamagedFile,
    },
}

/// Maps a case file read-only and checks its header.
///
/// # Errors
///
/// [`OpenError`] if the file cannot be read or is not a whole case file.
pub fn open(path: &Path) -> Result<CaseFile<CaseBytes>, OpenError> {
    opened(path, |file| {
        if file.metadata()?.len() == 0 {
            return Ok(CaseBytes::Copied(0, Vec::new()));
        }
        map(file).map(CaseBytes::Mapped)
    })
}

/// Reads a case file into memory and checks its header: for file systems whose
/// files may be shortened under a map.
///
/// # Errors
///
/// As [`open`].
pub fn read(path: &Path) -> Result<CaseFile<CaseBytes>, OpenError> {
    opened(path, |file| {
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let zero: CaseRecord = bytemuck::Zeroable::zeroed();
        let mut units = vec![zero; length.div_ceil(16)];
        let mut file = file;
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut units)[..length])?;
        Ok(CaseBytes::Copied(length, units))
    })
}

fn opened(
    path: &Path,
    bytes: impl FnOnce(&File) -> io::Result<CaseBytes>,
) -> Result<CaseFile<CaseBytes>, OpenError> {
    let failed = |source| OpenError::Io {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("is not a regular file")));
    }
    let bytes = bytes(&file).map_err(failed)?;
    CaseFile::new(bytes).map_err(|damage| OpenError::Damaged {
        path: path.to_owned(),
        damage,
    })
}

/// Maps a whole file read-only.
#[allow(unsafe_code)]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and its bytes are only ever read as plain
    // integers that are checked before they are used, so bytes that another
    // process alters cannot break an invariant of this crate. Truncation of
    // the file by another process is outside what a map can prevent and is
    // documented on `CaseFile`; this program itself only ever replaces case
    // files by renaming.
    unsafe { Mmap::map(file) }
}
