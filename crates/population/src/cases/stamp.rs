//! The identity, size and times of a file, which tell whether it can have changed.

use std::fs::Metadata;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds after which a further write gives a file other times, on all common file systems.
const SETTLED: i128 = 2_000_000_000;

/// A file's identity, size and times when it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Device and inode on Unix, otherwise the path.
    file: String,
    bytes: u64,
    /// Time of the last write, in nanoseconds since 1970.
    written: i128,
    /// Time of the last change of content, mode, owner, name or links, on Unix; no program can
    /// choose it. Otherwise the time of the last write.
    changed: i128,
}

impl FileStamp {
    #[cfg(unix)]
    pub(crate) fn of(_: &Path, file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let time = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Self {
            file: format!("{} {}", file.dev(), file.ino()),
            bytes: file.len(),
            written: time(file.mtime(), file.mtime_nsec()),
            changed: time(file.ctime(), file.ctime_nsec()),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path, file: &Metadata) -> Self {
        let written = file.modified().map_or(0, nanoseconds);
        Self {
            file: path.to_string_lossy().into_owned(),
            bytes: file.len(),
            written,
            changed: written,
        }
    }

    /// Whether both have the same size and time of the last write. The other time also changes
    /// without a write, for example when the file is removed from its folder.
    pub(super) fn has_content_of(&self, other: &Self) -> bool {
        (self.bytes, self.written) == (other.bytes, other.written)
    }

    /// Whether a write from now on gives the file another stamp.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        nanoseconds(now) - self.changed >= SETTLED
    }

    /// A text that no other file has, and the same file only while it is unchanged.
    pub(crate) fn key(&self) -> String {
        let Self {
            file,
            bytes,
            written,
            changed,
        } = self;
        format!("{bytes} {written} {changed} {file}")
    }
}

/// Nanoseconds since 1970; 0 before.
fn nanoseconds(time: SystemTime) -> i128 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i128::try_from(since.as_nanos()).unwrap_or(i128::MAX)
}
