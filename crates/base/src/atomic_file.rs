//! Atomic file writes: a temporary file is written, synced, then renamed.
//!
//! A large file is first written as a *part* beside its place. A process that is killed meanwhile
//! leaves the part. The writer holds a lock on its part, so a part that can be locked is abandoned.
//!
//! Every file of the program is created here, so this module decides about links and modes:
//!
//! - A file gets its name by renaming, which replaces a symbolic link and keeps its target. Only a
//!   path that the user named is followed, by [`target_of`].
//! - A file gets mode 0666, or 0600 for a secret, reduced by the umask: the kernel applies it when the part is created,
//!   and nothing changes the mode later.

use std::borrow::Borrow;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::regular_file::{self, not_a_file};

/// The folder of a path; `.` if it names none.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Maximum number of symbolic links followed, as in Linux.
const MOST_LINKS: u32 = 40;

/// Resolves a path named by the user: follows symbolic links, to a file that need not exist yet.
///
/// Writing replaces symbolic links, so that no file is overwritten that the user did not name. A
/// caller that was given the link by name writes to its target instead.
///
/// # Errors
///
/// If something other than a regular file is there, or there are too many links.
pub fn target_of(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => return Err(not_a_file()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Opens a file that is used only as a lock, and creates it if necessary.
///
/// # Errors
///
/// If it cannot be opened, or is not a regular file: a symbolic link is not followed.
pub fn open_to_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    regular_file::open(path, options.create(true).truncate(false).write(true))
}

const PART_PREFIX: &str = ".fairdeal-";
const PART_SUFFIX: &str = ".part";

/// Attempts to create a part: another process may take it for abandoned before it is locked.
const ATTEMPTS: u32 = 16;

/// Creates a part in this folder. It is locked while it is open, and removed when it is dropped.
pub fn begin_part(folder: &Path) -> io::Result<NamedTempFile> {
    begin_with_mode(folder, 0o666)
}

/// Creates a part as [`begin_part`] does, of a file that only its owner may read.
pub fn begin_secret(folder: &Path) -> io::Result<NamedTempFile> {
    begin_with_mode(folder, 0o600)
}

fn begin_with_mode(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    #[cfg(not(unix))]
    let _ = mode;
    for _ in 0..ATTEMPTS {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PART_PREFIX).suffix(PART_SUFFIX);
        // The umask applies; the default would be a mode for the owner only.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        let part = builder.tempfile_in(folder)?;
        match part.as_file().try_lock() {
            Err(TryLockError::WouldBlock) => continue,
            // On systems without locks, no part is taken for abandoned.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if part.path().try_exists()? {
            return Ok(part);
        }
    }
    Err(io::Error::other(
        "another process removes the unfinished file there",
    ))
}

/// Parts of a folder, removed or still being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Number of parts removed.
    pub removed: u64,
    /// Total size of the removed parts, in bytes.
    pub bytes: u64,
    /// Number of parts that are being written, or that may be.
    pub left: u64,
}

/// Removes abandoned parts of a folder, left by processes that were killed while they wrote a case
/// file.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn remove_abandoned_parts(folder: &Path) -> io::Result<Parts> {
    let mut parts = Parts::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_part = name.starts_with(PART_PREFIX) && name.ends_with(PART_SUFFIX);
        if !is_part || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        match remove_abandoned(&entry.path()) {
            Ok(bytes) => {
                parts.removed += 1;
                parts.bytes += bytes;
            }
            // It was renamed or removed meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => parts.left += 1,
        }
    }
    Ok(parts)
}

/// Removes a part unless it is locked; returns its size.
fn remove_abandoned(path: &Path) -> io::Result<u64> {
    // Some systems lock only files that are open for writing.
    let file = File::options().read(true).write(true).open(path)?;
    file.try_lock()?;
    let bytes = file.metadata()?.len();
    fs::remove_file(path)?;
    Ok(bytes)
}

/// Gives a complete temporary file its final name in the same folder, and syncs both. Replaces a
/// file or symbolic link of that name.
pub fn publish(temporary: NamedTempFile<impl Borrow<File>>, path: &Path) -> io::Result<()> {
    temporary.as_file().borrow().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    sync_folder(folder_of(path))
}

/// Gives a complete temporary file its final name, as [`publish`] does, unless there is a file of
/// that name.
pub fn publish_new(temporary: NamedTempFile<impl Borrow<File>>, path: &Path) -> io::Result<()> {
    temporary.as_file().borrow().sync_all()?;
    temporary
        .persist_noclobber(path)
        .map_err(|error| error.error)?;
    sync_folder(folder_of(path))
}

/// Gives a complete temporary file its final name, as [`publish`] does, but leaves it to the system
/// when both reach the disk. For a file whose loss in a power cut is harmless.
pub fn publish_unsynced(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Syncs a rename in this folder to disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use std::io::Write;

    use super::*;

    #[test]
    fn parts_that_nobody_writes_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut part = begin_part(folder).unwrap();
        part.write_all(b"being written").unwrap();
        for name in [
            ".fairdeal-killed.part",
            "fairdeal-x.part",
            ".fairdeal-x.cases",
        ] {
            fs::write(folder.join(name), b"12345").unwrap();
        }
        fs::create_dir(folder.join(".fairdeal-folder.part")).unwrap();
        let parts = |removed, bytes, left| Parts {
            removed,
            bytes,
            left,
        };
        assert_eq!(remove_abandoned_parts(folder).unwrap(), parts(1, 5, 1));
        assert_eq!(remove_abandoned_parts(folder).unwrap(), parts(0, 0, 1));
        assert!(part.path().exists());
        // Kept without a lock, as a killed process leaves it.
        let (file, path) = part.keep().unwrap();
        assert_eq!(remove_abandoned_parts(folder).unwrap(), parts(0, 0, 1));
        drop(file);
        assert_eq!(remove_abandoned_parts(folder).unwrap(), parts(1, 13, 0));
        assert!(!path.exists());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 3);
    }

    #[cfg(unix)]
    mod links {
        use std::os::unix::fs::symlink;

        use super::*;

        fn part_of(folder: &Path, text: &str) -> NamedTempFile {
            let mut part = begin_part(folder).unwrap();
            part.write_all(text.as_bytes()).unwrap();
            part
        }

        fn is_link(path: &Path) -> bool {
            fs::symlink_metadata(path).unwrap().is_symlink()
        }

        // A link at a path chosen by the program was once followed, and its target was lost.
        #[test]
        fn a_link_is_replaced_and_its_target_stays() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::write(at("precious"), b"precious").unwrap();
            for target in ["precious", "missing", "."] {
                symlink(target, at("published")).unwrap();
                publish(part_of(folder.path(), "new"), &at("published")).unwrap();
                assert!(!is_link(&at("published")), "{target}");
                assert_eq!(fs::read(at("published")).unwrap(), b"new");
                fs::remove_file(at("published")).unwrap();
            }
            assert_eq!(fs::read(at("precious")).unwrap(), b"precious");
            assert!(!at("missing").exists());
        }

        #[test]
        fn a_path_that_was_named_is_followed_to_its_end() {
            let folder = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(folder.path()).unwrap();
            let at = |name: &str| root.join(name);
            fs::write(at("file"), b"").unwrap();
            fs::create_dir(at("deep")).unwrap();
            symlink("file", at("link")).unwrap();
            symlink("../link", at("deep/link")).unwrap();
            symlink("missing", at("dangling")).unwrap();
            symlink("../dangling", at("deep/dangling")).unwrap();
            symlink("loop", at("loop")).unwrap();
            for name in ["file", "link", "deep/link"] {
                let target = target_of(&at(name)).unwrap();
                assert_eq!(fs::canonicalize(target).unwrap(), at("file"), "{name}");
            }
            assert_eq!(target_of(&at("new")).unwrap(), at("new"));
            assert_eq!(target_of(&at("dangling")).unwrap(), at("missing"));
            let target = target_of(&at("deep/dangling")).unwrap();
            fs::write(target, b"").unwrap();
            assert!(at("missing").exists());
            for name in ["loop", "deep"] {
                assert!(target_of(&at(name)).is_err(), "{name}");
            }
            assert!(target_of(Path::new("/dev/null")).is_err());
        }

        // Locking through a link once created the file that the link points to.
        #[test]
        fn no_lock_is_taken_through_a_link() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::write(at("precious"), b"precious").unwrap();
            for target in ["precious", "missing"] {
                symlink(target, at("lock")).unwrap();
                let refused = open_to_lock(&at("lock")).unwrap_err().to_string();
                assert_eq!(refused, "a symbolic link; remove it");
                fs::remove_file(at("lock")).unwrap();
            }
            assert!(!at("missing").exists());
            assert!(open_to_lock(folder.path()).is_err());
            drop(open_to_lock(&at("lock")).unwrap());
            open_to_lock(&at("lock")).unwrap();
            assert_eq!(
                open_to_lock(&at("precious"))
                    .unwrap()
                    .metadata()
                    .unwrap()
                    .len(),
                8
            );
        }
    }
}
