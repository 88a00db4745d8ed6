//! Locks that mark case files as in use: a reader holds a shared lock on its file while it reads,
//! and pruning does not remove locked files.
//!
//! The locks are advisory. On a file system without locks, no file counts as in use. Writers
//! replace a file even while it is read: they rename, so a reader keeps the file that it opened.

use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// Maximum number of attempts to lock a file. A writer keeps its lock for a moment after the
/// rename, and pruning holds a lock while it removes a file.
const ATTEMPTS: u32 = 100;
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// Opens a file for reading and marks it as in use until it is closed.
///
/// # Errors
///
/// If the file cannot be opened, or was removed before it could be marked.
pub(super) fn open(path: &Path) -> io::Result<File> {
    for _ in 0..ATTEMPTS {
        let file = File::open(path)?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            Err(TryLockError::Error(_)) => return Ok(file),
            // The file was pruned or replaced before it was locked: open it again.
            Ok(()) if !is_same(&file.metadata()?, &fs::metadata(path)?) => {}
            Ok(()) => return Ok(file),
        }
    }
    // A lock that is held for this long does not belong to fairdeal.
    File::open(path)
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// The result of an attempt to remove a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removal {
    /// The file was removed.
    Removed {
        /// Its length in bytes.
        bytes: u64,
    },
    /// The file is being read and was not removed.
    InUse,
    /// The file does not exist: another process removed it.
    Gone,
}

/// Removes a case file unless it is in use, that is, mapped or read by any process. If the path is
/// a symbolic link, only the link is removed.
///
/// # Errors
///
/// If the file cannot be removed.
pub(crate) fn remove_unless_in_use(path: &Path) -> io::Result<Removal> {
    let remove = || -> io::Result<Removal> {
        let bytes = fs::symlink_metadata(path)?.len();
        let file = lockable(path);
        if let Some(Err(TryLockError::WouldBlock)) = file.as_ref().map(File::try_lock) {
            return Ok(Removal::InUse);
        }
        // The lock is held until the file is removed, so that no reader opens it meanwhile.
        fs::remove_file(path)?;
        Ok(Removal::Removed { bytes })
    };
    match remove() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Removal::Gone),
        other => other,
    }
}

/// Opens the file at a path for locking; `None` if it is not a regular file or cannot be opened.
fn lockable(path: &Path) -> Option<File> {
    // Opening a pipe would wait for a writer.
    if !fs::metadata(path).is_ok_and(|there| there.is_file()) {
        return None;
    }
    // Some systems lock only files opened for writing.
    let both = File::options().read(true).write(true).open(path);
    both.or_else(|_| File::open(path)).ok()
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use super::*;

    #[test]
    fn a_file_is_removed_when_its_last_reader_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.cases");
        fs::write(&path, b"12345").unwrap();
        let readers = [open(&path).unwrap(), open(&path).unwrap()];
        assert_eq!(remove_unless_in_use(&path).unwrap(), Removal::InUse);
        let [one, other] = readers;
        drop(one);
        assert_eq!(remove_unless_in_use(&path).unwrap(), Removal::InUse);
        drop(other);
        let removed = Removal::Removed { bytes: 5 };
        assert_eq!(remove_unless_in_use(&path).unwrap(), removed);
        assert_eq!(remove_unless_in_use(&path).unwrap(), Removal::Gone);
        assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_in_use_is_replaced_by_renaming() {
        let folder = tempfile::tempdir().unwrap();
        let [path, new] = ["x.cases", "new"].map(|name| folder.path().join(name));
        fs::write(&path, b"old").unwrap();
        let old = open(&path).unwrap();
        fs::write(&new, b"newer").unwrap();
        fs::rename(&new, &path).unwrap();
        // The lock on the old file does not apply to the new one.
        let removed = Removal::Removed { bytes: 5 };
        assert_eq!(remove_unless_in_use(&path).unwrap(), removed);
        assert_eq!(io::read_to_string(old).unwrap(), "old");
    }

    // A writer's lock on a file that just got its name must not end a reader.
    #[test]
    fn a_reader_waits_for_a_lock_that_is_held_for_a_moment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.cases");
        fs::write(&path, b"12345").unwrap();
        let writer = File::open(&path).unwrap();
        writer.lock().unwrap();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| open(&path).unwrap());
            sleep(5 * PAUSE);
            drop(writer);
            let reader = reader.join().unwrap();
            assert_eq!(remove_unless_in_use(&path).unwrap(), Removal::InUse);
            drop(reader);
        });
    }
}
