//! The files in a zip or tar archive.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use zip::ZipArchive;
use zip::result::ZipError;

use super::budget::ArchiveBudget;
use super::shared_file::SharedFile;
use super::tar_members;

/// Signatures of a zip archive: with entries, and empty.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Number of bytes at the start of a file that identify an archive.
pub(super) const HEAD: usize = tar_members::BLOCK;

/// The supported kinds of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveKind {
    Zip,
    Tar,
}

impl ArchiveKind {
    /// The kind of archive that begins with these bytes; tar archives need [`HEAD`] bytes.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        if ZIP.iter().any(|sign| head.starts_with(sign)) {
            return Some(Self::Zip);
        }
        tar_members::is_header(head).then_some(Self::Tar)
    }

    /// Whether more bytes are needed to recognise the kind.
    pub(super) fn is_open(head: &[u8]) -> bool {
        head.len() < 4 || (Self::of(head).is_none() && tar_members::may_be_header(head))
    }
}

/// A file in an archive; several can be read at the same time.
pub(super) struct ArchiveEntry {
    place: EntryPlace,
    /// Number of archives around the file.
    pub(super) depth: u32,
    /// The remaining budget for the archives in the outermost file.
    pub(super) budget: Arc<ArchiveBudget>,
}

enum EntryPlace {
    Zip {
        archive: ZipArchive<ZipFile>,
        index: usize,
    },
    Tar {
        file: SharedFile,
        start: u64,
        size: u64,
    },
}

impl ArchiveEntry {
    /// Opens the file: returns its unpacked bytes.
    pub(super) fn open(&mut self) -> io::Result<Box<dyn Read + '_>> {
        match &mut self.place {
            EntryPlace::Zip { archive, index } => {
                let entry = archive.by_index(*index).map_err(of_zip)?;
                Ok(Box::new(entry))
            }
            EntryPlace::Tar { file, start, size } => Ok(Box::new(file.at(*start).take(*size))),
        }
    }
}

/// The regular files of an archive with their names, without folders and links.
pub(super) fn entries(
    file: SharedFile,
    kind: ArchiveKind,
    depth: u32,
    budget: &Arc<ArchiveBudget>,
) -> io::Result<Vec<(String, ArchiveEntry)>> {
    let places = match kind {
        ArchiveKind::Zip => zip_places(file, budget)?,
        ArchiveKind::Tar => tar_places(&file, budget)?,
    };
    let entries = places.into_iter().map(|(name, place)| {
        let budget = Arc::clone(budget);
        let entry = ArchiveEntry {
            place,
            depth,
            budget,
        };
        (name, entry)
    });
    Ok(entries.collect())
}

fn tar_places(file: &SharedFile, budget: &ArchiveBudget) -> io::Result<Vec<(String, EntryPlace)>> {
    let members = tar_members::members(file, budget)?;
    let places = members.into_iter().map(|member| {
        let (file, start, size) = (file.clone(), member.start, member.size);
        (member.name, EntryPlace::Tar { file, start, size })
    });
    Ok(places.collect())
}

fn zip_places(
    file: SharedFile,
    budget: &Arc<ArchiveBudget>,
) -> io::Result<Vec<(String, EntryPlace)>> {
    let is_listed = Arc::new(AtomicBool::new(false));
    let mut archive = ZipArchive::new(ZipFile {
        file,
        is_listed: Arc::clone(&is_listed),
        budget: Arc::clone(budget),
    })
    .map_err(of_zip)?;
    is_listed.store(true, Ordering::Relaxed);
    let mut places = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(of_zip)?;
        let is_file = !entry.is_dir() && !entry.is_symlink();
        let name = entry.name().map_err(of_zip)?.into_owned();
        drop(entry);
        if is_file {
            budget.take_file()?;
            let archive = archive.clone();
            places.push((name, EntryPlace::Zip { archive, index }));
        }
    }
    Ok(places)
}

/// The I/O error in a zip error if there is one, without the words around it.
fn of_zip(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => other.into(),
    }
}

/// The file of a zip archive. The bytes read for the list of its files are taken from the budget,
/// because that list stays in memory.
#[derive(Clone, Debug)]
struct ZipFile {
    file: SharedFile,
    is_listed: Arc<AtomicBool>,
    budget: Arc<ArchiveBudget>,
}

impl Read for ZipFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        if !self.is_listed.load(Ordering::Relaxed) {
            self.budget.take_listed(count as u64)?;
        }
        Ok(count)
    }
}

impl Seek for ZipFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// The number of files found in an archive of three files with one-byte names, or the error.
    fn found(kind: ArchiveKind, budget: ArchiveBudget) -> Result<usize, String> {
        let mut file = tempfile::tempfile().unwrap();
        let names = ["1", "2", "3"];
        match kind {
            ArchiveKind::Zip => {
                let mut zip = zip::ZipWriter::new(&mut file);
                for name in names {
                    zip.start_file(name, zip::write::SimpleFileOptions::default())
                        .unwrap();
                }
                zip.finish().unwrap();
            }
            ArchiveKind::Tar => {
                let mut tar = tar::Builder::new(&mut file);
                for name in names {
                    let mut header = tar::Header::new_gnu();
                    header.set_path(name).unwrap();
                    header.set_size(0);
                    header.set_cksum();
                    tar.append(&header, io::empty()).unwrap();
                }
                tar.finish().unwrap();
            }
        }
        file.flush().unwrap();
        let file = SharedFile::new(file).unwrap();
        let found = entries(file, kind, 1, &Arc::new(budget));
        found
            .map(|found| found.len())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn archives_keep_to_their_budget() {
        let too_many = Err("too many files".to_owned());
        let too_long = Err("the list of files is missing or too long".to_owned());
        for kind in [ArchiveKind::Zip, ArchiveKind::Tar] {
            assert_eq!(found(kind, ArchiveBudget::new(3, 1 << 16, 0)), Ok(3));
            assert_eq!(found(kind, ArchiveBudget::new(2, 1 << 16, 0)), too_many);
            assert_eq!(found(kind, ArchiveBudget::new(3, 2, 0)), too_long);
        }
        assert_eq!(found(ArchiveKind::Tar, ArchiveBudget::new(3, 3, 0)), Ok(3));
    }
}
