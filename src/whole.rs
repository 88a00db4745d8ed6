//! Files that are whole or not there: written aside, synced, then renamed.
//!
//! A large file is written as a *part* beside its place. Who is killed meanwhile leaves the
//! part; whoever writes it holds a lock on it, so that a part that can be locked is nobody's.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// The folder of a path, `.` if it names none.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

const PART_PREFIX: &str = ".fairdeal-";
const PART_SUFFIX: &str = ".part";

/// Times that a part is begun anew which another process took for nobody's before it was
/// locked.
const ATTEMPTS: u32 = 16;

/// Begins a part in this folder; it is locked for as long as it is open, and removed when it
/// is dropped.
pub(crate) fn begin_part(folder: &Path) -> io::Result<NamedTempFile> {
    for _ in 0..ATTEMPTS {
        let part = tempfile::Builder::new()
            .prefix(PART_PREFIX)
            .suffix(PART_SUFFIX)
            .tempfile_in(folder)?;
        match part.as_file().try_lock() {
            Err(TryLockError::WouldBlock) => continue,
            // Where no file can be locked, no part is taken for nobody's.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if part.path().try_exists()? {
            return Ok(part);
        }
    }
    Err(io::Error::other(
        "another process removes what is begun there",
    ))
}

/// Parts of a folder that were nobody's, and parts that are being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// How many were removed.
    pub removed: u64,
    /// Their lengths in bytes.
    pub bytes: u64,
    /// How many are being written, or cannot be told from such.
    pub left: u64,
}

/// Removes the parts in a folder that nobody writes any more: what is left of a process that
/// was killed while it wrote a case file.
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

/// Removes a part unless it is locked; gives its length.
fn remove_abandoned(path: &Path) -> io::Result<u64> {
    // Some systems lock only what could be written to.
    let file = File::options().read(true).write(true).open(path)?;
    file.try_lock()?;
    let bytes = file.metadata()?.len();
    fs::remove_file(path)?;
    Ok(bytes)
}

/// [`publish`], unless a file of that name is there and is the same: that one stays, because
/// others may be reading it.
pub(crate) fn publish_unless(
    temporary: NamedTempFile,
    path: &Path,
    is_same: impl FnOnce() -> bool,
) -> io::Result<()> {
    readable_by_all(temporary.as_file())?;
    temporary.as_file().sync_all()?;
    if let Err(refused) = temporary.persist_noclobber(path) {
        let is_there = refused.error.kind() == io::ErrorKind::AlreadyExists;
        if is_there && is_same() {
            return Ok(());
        }
        refused.file.persist(path).map_err(|error| error.error)?;
    }
    sync_folder(folder_of(path))
}

/// Gives a temporary file that is complete its name, in the same folder, and
/// makes both last. A file of that name is replaced.
pub(crate) fn publish(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    readable_by_all(temporary.as_file())?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    sync_folder(folder_of(path))
}

/// A temporary file is its owner's alone; what it becomes is for all to read.
fn readable_by_all(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Makes a rename in this folder last.
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
        // Kept without its owner, as a process leaves it that is killed.
        let (file, path) = part.keep().unwrap();
        assert_eq!(remove_abandoned_parts(folder).unwrap(), parts(0, 0, 1));
        drop(file);
        assert_eq!(remove_abandoned_parts(folder).unwrap(), parts(1, 13, 0));
        assert!(!path.exists());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 3);
    }

    #[test]
    fn a_file_that_is_the_same_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let part_of = |text: &str| {
            let mut part = begin_part(folder.path()).unwrap();
            part.write_all(text.as_bytes()).unwrap();
            part
        };
        let never = || panic!("nothing was there");
        publish_unless(part_of("first"), &path, never).unwrap();
        publish_unless(part_of("second"), &path, || true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        publish_unless(part_of("third"), &path, || false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
