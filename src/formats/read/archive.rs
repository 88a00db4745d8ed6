//! The files in a zip archive.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use zip::ZipArchive;

/// A file in an archive, which may be read while others are.
pub(super) struct Entry {
    archive: ZipArchive<Shared>,
    index: usize,
}

impl Entry {
    /// Its bytes, unpacked.
    pub(super) fn open(&mut self) -> io::Result<impl Read> {
        Ok(self.archive.by_index(self.index)?)
    }
}

/// The files of an archive by their names, without folders.
pub(super) fn entries(file: File) -> io::Result<Vec<(String, Entry)>> {
    let mut archive = ZipArchive::new(Shared::new(file))?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        let is_folder = entry.is_dir();
        let name = entry.name()?.into_owned();
        drop(entry);
        if !is_folder {
            let archive = archive.clone();
            entries.push((name, Entry { archive, index }));
        }
    }
    Ok(entries)
}

/// A file that several read, each at a place of its own.
#[derive(Clone, Debug)]
struct Shared {
    file: Arc<Mutex<File>>,
    place: u64,
}

impl Shared {
    fn new(file: File) -> Self {
        Self {
            file: Arc::new(Mutex::new(file)),
            place: 0,
        }
    }
}

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.place))?;
        let count = file.read(buffer)?;
        self.place += count as u64;
        Ok(count)
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let end = match to {
            SeekFrom::Start(place) => SeekFrom::Start(place),
            SeekFrom::End(from_end) => SeekFrom::End(from_end),
            SeekFrom::Current(by) => {
                let place = self.place.checked_add_signed(by);
                SeekFrom::Start(place.ok_or(io::ErrorKind::InvalidInput)?)
            }
        };
        self.place = file.seek(end)?;
        Ok(self.place)
    }
}
