//! A file with several readers, each at its own position, whose length must not change.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// A file, read from a position.
#[derive(Clone, Debug)]
pub(super) struct SharedFile {
    file: Arc<Mutex<File>>,
    /// The length when the file was opened.
    length: u64,
    place: u64,
}

impl SharedFile {
    /// A file, read from its beginning.
    pub(super) fn new(file: File) -> io::Result<Self> {
        Ok(Self {
            length: file.metadata()?.len(),
            file: Arc::new(Mutex::new(file)),
            place: 0,
        })
    }

    /// The same file, read from another position.
    #[cfg(feature = "archives")]
    pub(super) fn at(&self, place: u64) -> Self {
        Self {
            place,
            ..self.clone()
        }
    }

    /// The length when the file was opened.
    #[cfg(feature = "archives")]
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

impl Read for SharedFile {
    /// Reads bytes; fails if the file has become shorter since it was opened.
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
