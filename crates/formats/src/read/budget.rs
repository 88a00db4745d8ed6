//! Limits on the resources that the archives of a file may use.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum number of files in an archive and in the archives in it.
const MOST_FILES: u64 = 200_000;

/// Maximum size in bytes of the names of these files, or of the file lists of zip archives: about
/// 200 MiB of memory.
const MOST_LISTED: u64 = 16 << 20;

/// Maximum number of bytes unpacked to temporary files, from which archives can be read in any
/// order.
const MOST_UNPACKED: u64 = 4 << 30;

/// The remaining budget for the archives of a file. Bytes that are read directly from an archive
/// need no space and have no limit.
#[derive(Debug)]
pub(super) struct ArchiveBudget {
    files: AtomicU64,
    listed: AtomicU64,
    unpacked: AtomicU64,
}

impl Default for ArchiveBudget {
    fn default() -> Self {
        Self::new(MOST_FILES, MOST_LISTED, MOST_UNPACKED)
    }
}

impl ArchiveBudget {
    pub(super) fn new(files: u64, listed: u64, unpacked: u64) -> Self {
        let [files, listed, unpacked] = [files, listed, unpacked].map(AtomicU64::new);
        Self {
            files,
            listed,
            unpacked,
        }
    }

    /// Takes one more file from the budget.
    pub(super) fn take_file(&self) -> io::Result<()> {
        take(&self.files, 1).ok_or_else(|| invalid("too many files"))
    }

    /// Takes bytes of a list of files from the budget.
    pub(super) fn take_listed(&self, bytes: u64) -> io::Result<()> {
        take(&self.listed, bytes).ok_or_else(|| invalid("the list of files is missing or too long"))
    }

    /// Unpacks to an unnamed temporary file.
    pub(super) fn unpack(&self, packed: &mut dyn Read) -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        let left = self.unpacked.load(Ordering::Relaxed);
        let bytes = io::copy(&mut packed.take(left), &mut file)?;
        let is_all = bytes < left || packed.read(&mut [0])? == 0;
        match take(&self.unpacked, bytes).filter(|()| is_all) {
            Some(()) => Ok(file),
            None => Err(invalid("too large when unpacked")),
        }
    }
}

fn take(left: &AtomicU64, count: u64) -> Option<()> {
    let less = |left: u64| left.checked_sub(count);
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    taken.ok().map(|_| ())
}

/// An error about the contents of an archive.
pub(super) fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_exactly_the_budget_is_taken_and_one_more_is_not() {
        let budget = ArchiveBudget::new(2, 10, 1_000);
        assert!(budget.take_file().is_ok() && budget.take_file().is_ok());
        assert!(budget.take_file().is_err());
        assert!(budget.take_listed(10).is_ok() && budget.take_listed(1).is_err());
        assert!(budget.unpack(&mut io::repeat(1).take(400)).is_ok());
        assert!(budget.unpack(&mut io::repeat(1).take(601)).is_err());
        let budget = ArchiveBudget::new(2, 10, 1_000);
        assert!(budget.unpack(&mut io::repeat(1).take(1_000)).is_ok());
        assert!(budget.unpack(&mut io::repeat(1).take(1)).is_err());
        // A stream that never ends.
        assert!(
            ArchiveBudget::new(0, 0, 1_000)
                .unpack(&mut io::repeat(1))
                .is_err()
        );
    }
}
