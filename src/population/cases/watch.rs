//! Detects changes to a case file after it was opened.
//!
//! A map shows what other processes write into its file. The checksum over all records proves that
//! nothing changed, but takes seconds on a large file. Between two such proofs, a watch is a cheap
//! check: the file's metadata, and some of its pages.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::open_error::OpenError;

use crate::error::Remedy;
use crate::printable::display_path;

/// Size in bytes of a page that is compared.
const PAGE: u64 = 4096;
/// Number of pages that are compared between the first and the last.
const PAGES_BETWEEN: u64 = 64;

/// A record of a case file's state, to detect later whether the file has changed.
///
/// The record consists of the size, the times, on Unix the device and inode, and the checksums of
/// the first page, the last page and 64 pages between them. A write to the file or its replacement
/// changes at least one of these, unless the writer resets the times and avoids these pages; only
/// the checksum of all records detects that.
///
/// Unix has two times: that of the last write, which a program can reset, and that of the last
/// status change, which it cannot. The second also changes without a write: by `chmod`, `chown`, a
/// new hard link, or a rename there and back. If only this time differs, the whole content is
/// checked once, and the new time is recorded. A write whose time was reset is thus detected
/// anywhere in the file, unless it is undone before the next check.
///
/// Make the watch before the file is opened, so that no change is missed.
#[derive(Debug)]
pub struct Watch {
    path: PathBuf,
    identity: FileIdentity,
    pages: Vec<WatchedPage>,
    /// The time of the last status change after which the content is known to be unchanged.
    status: Mutex<Option<Time>>,
}

/// The reason why a case file can no longer be used.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The file no longer exists.
    #[error(
        "{path} disappeared during the run; results since the last checkpoint are lost; restore or rebuild the file",
        path = display_path(path)
    )]
    Vanished {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file cannot be read any more.
    #[error(
        "{path} cannot be read any more; results since the last checkpoint are lost; make the file readable",
        path = display_path(path)
    )]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file was written to or replaced.
    #[error(
        "{path} was modified during the run ({what}); results since the last checkpoint are lost; rebuild the file",
        path = display_path(path)
    )]
    Altered {
        /// The path of the file.
        path: PathBuf,
        /// The difference that was detected.
        what: String,
    },
}

/// The metadata of a file that does not change while the file is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileIdentity {
    bytes: u64,
    /// Device and inode, on Unix: they detect a file that was replaced under the same name.
    file: (u64, u64),
    /// Time of the last write, if known.
    written: Option<Time>,
    /// Time of the last status change on Unix: of content, mode, owner, name or links.
    status: Option<Time>,
}

/// Seconds since 1970, and nanoseconds.
type Time = (i64, i64);

/// A page that is compared.
#[derive(Clone, Copy, Debug)]
struct WatchedPage {
    offset: u64,
    hash: blake3::Hash,
}

impl Watch {
    /// Records the current state of the file at `path`.
    ///
    /// # Errors
    ///
    /// [`OpenError::Io`] if the file cannot be read or is not a regular file.
    pub(crate) fn new(path: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Io {
            path: path.to_owned(),
            source,
        };
        let there = fs::metadata(path).map_err(failed)?;
        if !there.is_file() {
            return Err(failed(io::Error::other("is not a regular file")));
        }
        let mut file = File::open(path).map_err(failed)?;
        let identity = FileIdentity::of(&file.metadata().map_err(failed)?);
        let pages = offsets(identity.bytes).map(|offset| {
            let hash = hash_at(&mut file, offset, identity.bytes)?;
            Ok(WatchedPage { offset, hash })
        });
        let pages = pages.collect::<io::Result<_>>().map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            identity,
            pages,
            status: Mutex::new(identity.status),
        })
    }

    /// Checks the file again. If only the time of the last status change differs, `prove` is
    /// called: it returns whether the whole content is unchanged.
    ///
    /// # Errors
    ///
    /// [`WatchError`] if the file disappeared, cannot be read, or was replaced or modified.
    pub(crate) fn check(&self, prove: impl FnOnce() -> bool) -> Result<(), WatchError> {
        // Opening something other than a file, such as a pipe, might never return.
        let there = fs::metadata(&self.path).map_err(|error| self.unreadable(error))?;
        if !there.is_file() {
            return Err(self.altered("it is no longer a regular file"));
        }
        let mut file = File::open(&self.path).map_err(|error| self.unreadable(error))?;
        let found = file.metadata().map_err(|error| self.unreadable(error))?;
        let found = FileIdentity::of(&found);
        self.check_identity(found)?;
        for page in &self.pages {
            let hash = hash_at(&mut file, page.offset, self.identity.bytes)
                .map_err(|error| self.unreadable(error))?;
            if hash != page.hash {
                let from = page.offset;
                return Err(self.altered(format!("the page at byte {from} has different bytes")));
            }
        }
        // The time was read before the content, so a later change has a different time.
        let mut proved = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        if *proved != found.status {
            if !prove() {
                return Err(self.altered("the checksum of its content does not match"));
            }
            *proved = found.status;
        }
        Ok(())
    }

    fn check_identity(&self, found: FileIdentity) -> Result<(), WatchError> {
        let wanted = self.identity;
        if found.file != wanted.file {
            return Err(self.altered("it was replaced by another file"));
        }
        if found.bytes != wanted.bytes {
            let (found, wanted) = (found.bytes, wanted.bytes);
            return Err(self.altered(format!("it has {found} bytes instead of {wanted}")));
        }
        if found.written != wanted.written {
            return Err(self.altered("its modification time changed"));
        }
        Ok(())
    }

    fn altered(&self, what: impl Into<String>) -> WatchError {
        WatchError::Altered {
            path: self.path.clone(),
            what: what.into(),
        }
    }

    fn unreadable(&self, source: io::Error) -> WatchError {
        let path = self.path.clone();
        match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle => {
                WatchError::Vanished { path }
            }
            io::ErrorKind::UnexpectedEof => self.altered("it was truncated"),
            _ => WatchError::Io { path, source },
        }
    }
}

impl FileIdentity {
    #[cfg(unix)]
    fn of(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            bytes: file.len(),
            file: (file.dev(), file.ino()),
            written: Some((file.mtime(), file.mtime_nsec())),
            status: Some((file.ctime(), file.ctime_nsec())),
        }
    }

    #[cfg(not(unix))]
    fn of(file: &Metadata) -> Self {
        let since_epoch = |time: std::time::SystemTime| {
            let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some((
                i64::try_from(since.as_secs()).ok()?,
                i64::from(since.subsec_nanos()),
            ))
        };
        Self {
            bytes: file.len(),
            file: (0, 0),
            written: file.modified().ok().and_then(since_epoch),
            status: None,
        }
    }
}

/// The offsets of the pages that are compared; all pages of a small file.
fn offsets(bytes: u64) -> impl Iterator<Item = u64> {
    let pages = bytes.div_ceil(PAGE);
    let last = pages.saturating_sub(1);
    let steps = last.min(PAGES_BETWEEN + 1);
    let place =
        move |step: u64| (u128::from(last) * u128::from(step) / u128::from(steps.max(1))) as u64;
    let count = if pages == 0 { 0 } else { steps + 1 };
    (0..count).map(move |step| place(step) * PAGE)
}

/// Returns the checksum of a page, up to the end of the file.
fn hash_at(file: &mut File, offset: u64, bytes: u64) -> io::Result<blake3::Hash> {
    let mut page = [0; PAGE as usize];
    let page = &mut page[..bytes.saturating_sub(offset).min(PAGE) as usize];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(page)?;
    Ok(blake3::hash(page))
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use std::os::unix::fs::FileExt;
    use std::time::{Duration, SystemTime};

    use super::*;

    const BYTES: usize = 1_000_003;

    fn bytes() -> Vec<u8> {
        (0..BYTES).map(|i| (i * i / 7) as u8).collect()
    }

    /// Makes a file of arbitrary bytes and its watch. The file exists as long as its folder.
    fn watched() -> (tempfile::TempDir, PathBuf, Watch) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("watched.cases");
        fs::write(&path, bytes()).unwrap();
        let watch = Watch::new(&path).unwrap();
        (folder, path, watch)
    }

    /// A `prove` function that must not be called.
    fn never() -> bool {
        panic!("the whole content was proved")
    }

    /// Returns the error for a file after this modification.
    fn refused(alter: impl FnOnce(&Path)) -> String {
        let (_folder, path, watch) = watched();
        watch.check(never).unwrap();
        alter(&path);
        let message = watch.check(never).unwrap_err().to_string();
        assert!(!message.contains('\n'), "{message}");
        assert!(
            message.contains("results since the last checkpoint are lost"),
            "{message}"
        );
        assert!(message.contains("rebuild the file"), "{message}");
        message
    }

    /// Overwrites some bytes, and resets the modification time.
    fn overwrite(path: &Path, offset: u64) {
        let file = File::options().write(true).open(path).unwrap();
        let before = file.metadata().unwrap().modified().unwrap();
        file.write_all_at(&[bytes()[offset as usize] ^ 1], offset)
            .unwrap();
        file.set_modified(before).unwrap();
    }

    #[test]
    fn a_file_left_alone_stays_the_same() {
        let (_folder, _, watch) = watched();
        for _ in 0..3 {
            watch.check(never).unwrap();
        }
    }

    #[test]
    fn pages_are_the_first_the_last_and_those_between() {
        let of = |bytes| offsets(bytes).collect::<Vec<_>>();
        assert!(of(0).is_empty());
        assert_eq!(of(1), [0]);
        assert_eq!(of(PAGE), [0]);
        assert_eq!(of(PAGE + 1), [0, PAGE]);
        assert_eq!(
            of(66 * PAGE),
            (0..66).map(|page| page * PAGE).collect::<Vec<_>>()
        );
        for pages in [67, 68, 1_000, 4_321_234, 1 << 50] {
            let offsets = of(pages * PAGE - 7);
            assert_eq!(offsets.len(), 66);
            assert_eq!((offsets[0], offsets[65]), (0, (pages - 1) * PAGE));
            assert!(offsets.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn bytes_altered_are_noticed() {
        assert!(refused(|path| overwrite(path, 0)).contains("was modified"));
        assert!(refused(|path| overwrite(path, BYTES as u64 - 1)).contains("was modified"));
    }

    #[test]
    fn altered_pages_are_noticed_whatever_the_file_system_says() {
        let (_folder, path, mut watch) = watched();
        let pages: Vec<u64> = watch.pages.iter().map(|page| page.offset).collect();
        for (number, offset) in pages.into_iter().enumerate() {
            overwrite(&path, offset + number as u64);
            watch.identity = FileIdentity::of(&fs::metadata(&path).unwrap());
            let message = watch.check(never).unwrap_err().to_string();
            assert!(message.contains(&format!("at byte {offset} ")), "{message}");
            let file = File::options().write(true).open(&path).unwrap();
            file.write_all_at(&bytes(), 0).unwrap();
        }
    }

    #[test]
    fn another_length_is_noticed() {
        let resize = |bytes: u64| {
            refused(move |path| {
                let file = File::options().write(true).open(path).unwrap();
                file.set_len(bytes).unwrap();
            })
        };
        assert!(resize(4096).contains("it has 4096 bytes instead of 1000003"));
        assert!(resize(0).contains("it has 0 bytes"));
        assert!(resize(BYTES as u64 + 1).contains("it has 1000004 bytes"));
    }

    #[test]
    fn another_file_under_its_name_is_noticed() {
        let message = refused(|path| {
            let other = path.with_extension("other");
            fs::write(&other, bytes()).unwrap();
            fs::rename(&other, path).unwrap();
        });
        assert!(
            message.contains("it was replaced by another file"),
            "{message}"
        );
        let message = refused(|path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        });
        assert!(message.contains("no longer a regular file"), "{message}");
    }

    #[test]
    fn a_file_that_was_touched_is_noticed() {
        let message = refused(|path| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::now() + Duration::from_secs(1))
                .unwrap();
        });
        assert!(message.contains("modification time"), "{message}");
    }

    // `chmod` used to end a run although no byte had changed.
    #[test]
    fn a_status_change_is_accepted_once_the_content_is_proved() {
        use std::os::unix::fs::PermissionsExt;
        let chmod = |path: &Path| {
            let mode = fs::Permissions::from_mode(0o600);
            fs::set_permissions(path, mode).unwrap();
        };
        let link = |path: &Path| fs::hard_link(path, path.with_extension("link")).unwrap();
        let rename = |path: &Path| {
            let other = path.with_extension("other");
            fs::rename(path, &other).unwrap();
            fs::rename(&other, path).unwrap();
        };
        // Outside the pages that are compared.
        let write = |path: &Path| overwrite(path, 5000);
        let changes: [&dyn Fn(&Path); 4] = [&chmod, &link, &rename, &write];
        for change in changes {
            let (_folder, path, watch) = watched();
            // Longer than the granularity of the system's clock.
            std::thread::sleep(Duration::from_millis(20));
            change(&path);
            let refused = watch.check(|| false).unwrap_err().to_string();
            assert!(refused.contains("does not match"), "{refused}");
            let mut proofs = 0;
            let mut prove = || {
                proofs += 1;
                true
            };
            for _ in 0..3 {
                watch.check(&mut prove).unwrap();
            }
            assert_eq!(proofs, 1);
        }
    }

    #[test]
    fn a_file_that_is_gone_is_noticed() {
        let (folder, path, watch) = watched();
        fs::remove_file(&path).unwrap();
        assert!(matches!(
            watch.check(never),
            Err(WatchError::Vanished { .. })
        ));
        drop(folder);
        assert!(matches!(
            watch.check(never),
            Err(WatchError::Vanished { .. })
        ));
        assert!(matches!(Watch::new(&path), Err(OpenError::Io { .. })));
        let message = refused(|path| fs::remove_file(path).unwrap());
        assert!(message.contains("disappeared during the run"), "{message}");
    }
}

impl From<WatchError> for crate::error::Error {
    fn from(error: WatchError) -> Self {
        let error = match error {
            WatchError::Altered { .. } => Self::input(error),
            WatchError::Vanished { .. } | WatchError::Io { .. } => Self::io(error),
        };
        error.with_remedy(Remedy::Resume)
    }
}
