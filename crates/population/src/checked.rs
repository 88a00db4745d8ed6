//! The list of case files whose checksums were compared: a file `checked` in the cache folder.
//!
//! A line is the hash of a file's stamp ([`FileStamp`]) and of the versions of the program and of
//! the lister. While a file has its stamp, opening it does not read it whole again. Several
//! processes may write the list at once; a line that gets lost costs one more comparison.

use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use super::cases::{FileStamp, LISTER_VERSION};
use crate::atomic_file;
use crate::regular_file;

/// The program and its version: files of another version are not trusted.
pub(super) const PROGRAM: &str = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));

/// Name of the list.
pub(super) const NAME: &str = "checked";

/// Maximum number of lines; the oldest are dropped.
const MOST_LINES: usize = 256;
/// Length of a line, and maximum size of the list, in bytes.
const LINE: usize = 32;
const MOST_BYTES: u64 = (MOST_LINES * (LINE + 1)) as u64;

/// Whether the checksums of the file with this stamp were compared.
pub(super) fn contains(folder: &Path, stamp: &FileStamp) -> bool {
    lines(folder).contains(&line(stamp))
}

/// Records that the checksums of the file with this stamp match, unless a write at this moment
/// could leave its times unchanged.
pub(super) fn add(folder: &Path, stamp: &FileStamp, now: SystemTime) {
    if !stamp.is_settled(now) {
        return;
    }
    let mut lines = lines(folder);
    lines.push(line(stamp));
    let oldest = lines.len().saturating_sub(MOST_LINES);
    let text: String = lines[oldest..]
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let write = || -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut part = atomic_file::begin_part(folder)?;
        part.write_all(text.as_bytes())?;
        atomic_file::publish_unsynced(part, &folder.join(NAME))
    };
    if let Err(error) = write() {
        let folder = folder.display().to_string();
        tracing::info!(target: "cases", folder, %error, "comparison of checksums not recorded");
    }
}

/// The lines of the list; none if it cannot be read.
fn lines(folder: &Path) -> Vec<String> {
    let bytes = regular_file::read(&folder.join(NAME), MOST_BYTES).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn line(stamp: &FileStamp) -> String {
    let key = format!("{PROGRAM} lister {LISTER_VERSION} {}", stamp.key());
    blake3::hash(key.as_bytes()).to_hex()[..LINE].to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use std::fs::{self, File};
    use std::time::Duration;

    use super::super::cases::{self, CaseBytes, CaseFile};
    use super::super::{Listings, write_cases};
    use super::*;
    use crate::CountedListing;
    use crate::language::Condition;
    use crate::observer::Silent;

    /// Writes a case file, and returns its path.
    fn built(folder: &Path) -> std::path::PathBuf {
        let condition = Condition::parse("test", "spades(west) >= 11").unwrap();
        let CountedListing { listing, census } =
            CountedListing::new(&condition, None, 1_000).unwrap();
        let path = folder.join("x.cases");
        write_cases(&condition, &listing, census, &path, &Silent).unwrap();
        path
    }

    fn flip(path: &Path) {
        // The times of files have ticks of a few milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        let mut bytes = fs::read(path).unwrap();
        bytes[4_100] ^= 1;
        fs::write(path, bytes).unwrap();
    }

    fn soon() -> SystemTime {
        SystemTime::now() + Duration::from_secs(3)
    }

    #[test]
    fn a_file_is_compared_once_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let (path, cache) = (built(folder.path()), folder.path().join("cache"));
        let listings = Listings::in_folder(cache.clone());
        let opened = || -> CaseFile<CaseBytes> { cases::open(&path).unwrap() };
        let is_recorded = || contains(&cache, opened().stamp().unwrap());
        listings.open(&path).unwrap();
        // A write within the same tick of the clock would not be noticed.
        assert!(!is_recorded());
        add(&cache, opened().stamp().unwrap(), soon());
        assert!(is_recorded());
        flip(&path);
        assert!(!is_recorded());
        let error = listings.open(&path).unwrap_err().to_string();
        assert!(error.contains("its checksum does not match"), "{error}");
        // While its stamp is recorded, a file is not read whole: not even this one.
        add(&cache, opened().stamp().unwrap(), soon());
        listings.open(&path).unwrap();
        assert!(Listings::in_memory().open(&path).is_err());
        assert!(listings.copied(true).open(&path).is_err());
    }

    #[test]
    fn the_list_is_bounded_and_must_be_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let (path, list) = (built(folder.path()), folder.path().join(NAME));
        for bytes in 1..=2 * MOST_LINES as u64 {
            File::options()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(5_000 + bytes))
                .unwrap();
            add(folder.path(), &stamp_of(&path), soon());
        }
        assert_eq!(fs::metadata(&list).unwrap().len(), MOST_BYTES);
        assert!(contains(folder.path(), &stamp_of(&path)));
        fs::remove_file(&list).unwrap();
        fs::create_dir(&list).unwrap();
        add(folder.path(), &stamp_of(&path), soon());
        assert!(!contains(folder.path(), &stamp_of(&path)));
    }

    fn stamp_of(path: &Path) -> FileStamp {
        FileStamp::of(path, &fs::metadata(path).unwrap())
    }
}
