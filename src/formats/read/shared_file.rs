//! A file that several read, each at a place of its own, and that has to keep its length.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// A file from a place on.
#[derive(Clone, Debug)]
pub(super) struct SharedFile {
    file: Arc<Mutex<File>>,
    /// Its length when it was opened.
    length: u64,
    place: u64,
}

impl SharedFile {
    /// A file from its beginning on.
    pub(super) fn new(file: File) -> io::Result<Self> {
        Ok(Self {
            length: file.metadata()?.len(),
            file: Arc::new(Mutex::new(file)),
            place: 0,
        })
    }

    /// The same file from another place on.
    #[cfg(feature = "cli")]
    pub(super) fn at(&self, place: u64) -> Self {
        Self {
            place,
            ..self.clone()
        }
    }

    /// Its length when it was opened.
    #[cfg(feature = "cli")]
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

impl Read for SharedFile {
    /// Fails where the file ends before the end that it had when it was opened.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.place))?;
        let count = file.read(buffer)?;
        self.place += count as u64;
        if count == 0 && !buffer.is_empty() && self.place < self.length {
            let (now, before) = (file.metadata()?.len(), self.length);
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!(
                    "truncated from {before} to {now} bytes while being read; try again when it no longer changes"
                ),
            ));
        }
        Ok(count)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
        };
        self.place = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}
