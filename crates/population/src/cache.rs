//! The cache folder of listings and of other results: tracks the last use of each file, and removes
//! the least recently used to make room.
//!
//! A result `x.sets` is kept as a listing is. It begins with its checksum, and is made again if that
//! does not match.
//!
//! Each listing `x.cases` has an empty marker file `x.used`, whose modification time is the time of
//! the listing's last use. The listing's own times do not change, because they tell whether it was
//! modified ([`checked`]). Any number of processes may share the folder: a process that finds a
//! listing missing makes it again, and on Unix a mapped listing stays readable after it is removed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::checked;
use crate::atomic_file;
use crate::cases;
use crate::error::Error;
use crate::printable::display_path;
use crate::regular_file;

/// File name extensions of a listing, of a result, and of their marker.
const LISTING: &str = "cases";
const RESULT: &str = "sets";
const MARK: &str = "used";

/// Maximum size of a result in bytes: a larger one is not kept.
const MOST_BYTES: u64 = 4 << 20;

/// The first bytes of a result, and the number of bytes of its checksum.
const MAGIC: &[u8; 8] = b"FDSETS1\n";
const CHECKSUM: usize = 32;

/// The result of emptying a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Pruned {
    /// Number of files that were removed.
    pub files: u64,
    /// Total size of the removed files in bytes.
    pub bytes: u64,
    /// Number of files that are being written, which were left.
    pub being_written: u64,
}

/// Shrinks the folder to its limit when dropped, at the end of the use of a listing. The listing
/// can then be removed itself, as it is if it is larger than the limit.
#[derive(Debug)]
pub(super) struct Trim {
    folder: PathBuf,
    limit: u64,
}

impl Trim {
    pub(super) fn new(folder: &Path, limit: u64) -> Self {
        let folder = folder.to_owned();
        Self { folder, limit }
    }
}

impl Drop for Trim {
    fn drop(&mut self) {
        make_room(&self.folder, self.limit, 0, None);
    }
}

/// Records that a listing is used now.
pub(super) fn mark_used(path: &Path) {
    // Errors are ignored: from a folder that cannot be written, nothing can be removed either.
    let touch = || -> io::Result<()> {
        let mark = path.with_extension(MARK);
        let file = regular_file::open(&mark, File::options().create(true).append(true))?;
        file.set_modified(SystemTime::now())
    };
    let _ = touch();
}

/// Returns the result of this name, if it is there and its checksum matches.
pub(super) fn find_result(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let path = folder.join(name).with_extension(RESULT);
    let bytes = regular_file::read(&path, MOST_BYTES).ok()?;
    let (checksum, result) = bytes.strip_prefix(MAGIC)?.split_at_checked(CHECKSUM)?;
    if result_checksum(name, result).as_bytes() != checksum {
        return None;
    }
    mark_used(&path);
    Some(result.to_vec())
}

/// Keeps a result under this name, unless it is too large.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn keep_result(folder: &Path, limit: u64, name: &str, result: &[u8]) -> io::Result<()> {
    let bytes = (MAGIC.len() + CHECKSUM + result.len()) as u64;
    if bytes > MOST_BYTES.min(limit) {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    make_room(folder, limit, bytes, None);
    let path = folder.join(name).with_extension(RESULT);
    let mut part = atomic_file::begin_part(folder)?;
    part.write_all(MAGIC)?;
    part.write_all(result_checksum(name, result).as_bytes())?;
    part.write_all(result)?;
    atomic_file::publish_unsynced(part, &path)?;
    mark_used(&path);
    Ok(())
}

/// The checksum of a result and its name, so that a result under another name is refused.
fn result_checksum(name: &str, result: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(name.as_bytes()).update(result).finalize()
}

/// A file in the folder.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// Removes listings, the least recently used first, until `coming` more bytes fit within the
/// limit. `newest` is not removed.
pub(super) fn make_room(folder: &Path, limit: u64, coming: u64, newest: Option<&Path>) {
    if limit == u64::MAX {
        return;
    }
    // A missing folder is empty.
    let Ok(mut listings) = listings_of(folder) else {
        return;
    };
    listings.sort_by(|one, other| (one.used, &one.path).cmp(&(other.used, &other.path)));
    let mut total = listings.iter().map(|kept| kept.bytes).sum::<u64>();
    for kept in listings {
        if total.saturating_add(coming) <= limit {
            return;
        }
        if newest == Some(&*kept.path) {
            continue;
        }
        if remove(&kept.path).is_ok() {
            let (file, bytes) = (display_path(&kept.path), kept.bytes);
            tracing::info!(target: "cases", file, bytes, "case file removed from the cache");
            total -= kept.bytes;
        }
    }
}

/// Removes a file and its marker. Returns its size; `None` if another process removed it.
fn remove(path: &Path) -> io::Result<Option<u64>> {
    let remove = || {
        let bytes = fs::symlink_metadata(path)?.len();
        fs::remove_file(path)?;
        Ok(Some(bytes))
    };
    let removed = remove().or_else(|error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Ok(None),
        _ => Err(error),
    })?;
    // The listing may have no marker.
    let _ = fs::remove_file(path.with_extension(MARK));
    Ok(removed)
}

fn listings_of(folder: &Path) -> io::Result<Vec<Kept>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !is_kept(&path) {
            continue;
        }
        // Another process may have removed it.
        let Ok(there) = fs::symlink_metadata(&path) else {
            continue;
        };
        if there.is_dir() {
            continue;
        }
        let mark = fs::symlink_metadata(path.with_extension(MARK));
        let used = mark.or_else(|_| fs::symlink_metadata(&path));
        let used = used.and_then(|there| there.modified());
        all.push(Kept {
            bytes: there.len(),
            used: used.unwrap_or(SystemTime::UNIX_EPOCH),
            path,
        });
    }
    Ok(all)
}

/// Whether a file is a listing or a result.
fn is_kept(path: &Path) -> bool {
    is_called(path, LISTING) || is_called(path, RESULT)
}

fn is_called(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

/// Removes a folder's listings, markers without a listing, and incomplete files that no process is
/// writing.
///
/// # Errors
///
/// If the folder or a file cannot be read or removed.
pub(super) fn prune(folder: &Path) -> Result<Pruned, Error> {
    let mut pruned = Pruned::default();
    let failed = |error| Error::of(display_path(folder), error);
    if !folder.try_exists().map_err(failed)? {
        return Ok(pruned);
    }
    let parts = cases::remove_abandoned_parts(folder).map_err(failed)?;
    (pruned.files, pruned.bytes) = (parts.removed, parts.bytes);
    pruned.being_written = parts.left;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_gone = |kind| !path.with_extension(kind).exists();
        if is_called(&path, MARK) && is_gone(LISTING) && is_gone(RESULT) {
            let _ = fs::remove_file(&path);
        }
        if !is_kept(&path) {
            continue;
        }
        if let Some(bytes) = remove(&path).map_err(|error| Error::of(display_path(&path), error))? {
            pruned.files += 1;
            pruned.bytes += bytes;
        }
    }
    let _ = fs::remove_file(folder.join(checked::NAME));
    Ok(pruned)
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use std::time::Duration;

    use super::*;

    /// Makes listings of 100 bytes each; the first name is the most recently used.
    fn folder_of(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (age, name) in names.iter().enumerate() {
            let path = folder.path().join(name);
            fs::write(&path, [0; 100]).unwrap();
            mark_used(&path);
            let mark = File::options()
                .append(true)
                .open(path.with_extension(MARK))
                .unwrap();
            let used = SystemTime::now() - Duration::from_secs(age as u64);
            mark.set_modified(used).unwrap();
        }
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(LISTING)).collect();
        names.sort();
        let marks = fs::read_dir(folder).unwrap().count() - names.len();
        assert_eq!(marks, names.len(), "a mark for each listing");
        names
    }

    const ALL: [&str; 3] = ["new.cases", "middle.cases", "old.cases"];

    #[test]
    fn the_least_recently_used_go_until_the_rest_fits_to_the_byte() {
        for (limit, coming, left) in [
            (300, 0, &["middle.cases", "new.cases", "old.cases"][..]),
            (299, 0, &["middle.cases", "new.cases"]),
            (300, 1, &["middle.cases", "new.cases"]),
            (200, 0, &["middle.cases", "new.cases"]),
            (199, 0, &["new.cases"]),
            (200, 100, &["new.cases"]),
            (100, 0, &["new.cases"]),
            (99, 0, &[]),
            (300, 301, &[]),
            (0, 0, &[]),
            (
                u64::MAX,
                u64::MAX,
                &["middle.cases", "new.cases", "old.cases"],
            ),
        ] {
            let folder = folder_of(&ALL);
            make_room(folder.path(), limit, coming, None);
            assert_eq!(names(folder.path()), left, "{limit} {coming}");
        }
    }

    #[test]
    fn the_newest_listing_stays() {
        let folder = folder_of(&ALL);
        let newest = folder.path().join("middle.cases");
        make_room(folder.path(), 0, 0, Some(&newest));
        assert_eq!(names(folder.path()), ["middle.cases"]);
    }

    #[test]
    fn a_listing_without_a_mark_was_used_when_it_was_written() {
        let folder = folder_of(&ALL);
        fs::remove_file(folder.path().join("new.used")).unwrap();
        let new = File::options()
            .append(true)
            .open(folder.path().join("new.cases"))
            .unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        new.set_modified(long_ago).unwrap();
        make_room(folder.path(), 200, 0, None);
        assert_eq!(names(folder.path()), ["middle.cases", "old.cases"]);
        mark_used(&folder.path().join("old.cases"));
        make_room(folder.path(), 100, 0, None);
        assert_eq!(names(folder.path()), ["old.cases"]);
    }

    #[test]
    fn pruning_removes_marks_too() {
        let folder = folder_of(&ALL);
        fs::write(folder.path().join("gone.used"), b"").unwrap();
        let pruned = prune(folder.path()).unwrap();
        assert_eq!((pruned.files, pruned.bytes), (3, 300));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_end_of_a_use_brings_the_folder_within_its_limit() {
        let folder = folder_of(&ALL);
        drop(Trim::new(folder.path(), 200));
        assert_eq!(names(folder.path()), ["middle.cases", "new.cases"]);
        // A listing larger than the limit is removed too.
        drop(Trim::new(folder.path(), 99));
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
