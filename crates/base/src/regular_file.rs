//! Files in the program's own folders, such as records, markers and locks: only a regular file is
//! opened, and only one that stands in the folder itself.
//!
//! Somebody else may have put a link, a pipe or a device at such a name. A link would lead out of
//! the folder, a pipe would block, and a device such as `/dev/zero` never ends. A path that the user
//! named is not opened here.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file with these options. A symbolic link is not followed, and opening a pipe
/// does not block.
///
/// # Errors
///
/// If it cannot be opened, or is not a regular file.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Before opening, because opening a device may already do something.
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => {
            return Err(io::Error::other("a symbolic link; remove it"));
        }
        Ok(there) if !there.is_file() => return Err(not_a_file()),
        _ => {}
    }
    // The system rejects a link or a pipe that appears after the check.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_a_file()),
    }
}

/// Reads a regular file of at most this many bytes.
///
/// # Errors
///
/// If it cannot be read, is not a regular file, or is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open(path, OpenOptions::new().read(true))?;
    // A file may grow while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= most {
        true => Ok(bytes),
        false => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("larger than {} MiB, the most for such a file", most >> 20),
        )),
    }
}

/// The error for a path that is not a regular file.
pub fn not_a_file() -> io::Error {
    io::Error::other("not a regular file")
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use super::*;

    const MOST: u64 = 1 << 20;

    fn refused(path: &Path) -> String {
        read(path, MOST).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("small"), b"small").unwrap();
        assert_eq!(read(&at("small"), MOST).unwrap(), b"small");
        assert_eq!(read(&at("small"), 5).unwrap(), b"small");
        assert!(read(&at("small"), 4).is_err());
        // Sparse: it takes no room on the disk.
        File::create(at("large")).unwrap().set_len(1 << 40).unwrap();
        let large = refused(&at("large"));
        assert_eq!(large, "larger than 1 MiB, the most for such a file");
        let missing = read(&at("missing"), MOST).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        assert_eq!(refused(folder.path()), "not a regular file");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for target in ["/dev/zero", "missing", "."] {
            std::os::unix::fs::symlink(target, at("link")).unwrap();
            assert_eq!(refused(&at("link")), "a symbolic link; remove it");
            let created = open(&at("link"), OpenOptions::new().create(true).append(true));
            assert!(created.is_err() && !at("missing").exists());
            fs::remove_file(at("link")).unwrap();
        }
        assert_eq!(refused(Path::new("/dev/zero")), "not a regular file");
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe"))
            .status();
        assert!(made.unwrap().success());
        assert_eq!(refused(&at("pipe")), "not a regular file");
        assert!(open(&at("pipe"), OpenOptions::new().append(true)).is_err());
    }
}
