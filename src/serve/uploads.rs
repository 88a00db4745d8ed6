//! The files and fields of an upload, written to a temporary folder as they arrive.
//!
//! A client chooses the names of its files, so a name is a label only: the files themselves are
//! numbered. The folder is removed with the upload, also when the client breaks off, and folders of
//! killed servers are removed at the start.

use std::fs::{self, File, TryLockError};
use std::future::Future;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use axum::http::StatusCode;
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use super::conditions::with_plain_lines;
use super::host::on_disk;
use super::limits::Limits;
use super::refusal::Refusal;
use crate::atomic_file;
use crate::error::Error;
use crate::printable::{display_path, thousands};

/// Beginning of the name of the folder of a server's temporary files.
const PREFIX: &str = ".fairdeal-serve-";
const LOCK: &str = "lock";

/// Longest label of a file, in characters.
const LONGEST_LABEL: usize = 100;

/// Name of the file with pasted deals.
const PASTED: &str = "pasted-deals.txt";

/// Longest field in bytes, except files, pasted deals and the condition.
const LONGEST_FIELD: usize = 1_000;

/// The temporary files of a server.
#[derive(Debug)]
pub(super) struct UploadStore {
    folder: TempDir,
    _lock: File,
    stored: Arc<AtomicU64>,
    receiving: Semaphore,
    most_stored: u64,
    most_at_once: usize,
}

/// Bytes that count as stored until this is dropped.
#[derive(Debug)]
pub(super) struct Space {
    bytes: u64,
    stored: Arc<AtomicU64>,
}

/// A received upload.
#[derive(Debug)]
pub(super) struct Upload {
    /// The files and their labels, in their order.
    pub(super) files: Vec<(PathBuf, String)>,
    /// The file of pasted deals, one of the files.
    pasted: Option<PathBuf>,
    /// The other fields.
    fields: Vec<(String, String)>,
    folder: TempDir,
    space: Space,
}

impl Upload {
    /// The value of a field, unless it is empty.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|(of, _)| of == name);
        let value = values.next().map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty())
    }

    /// The values of a field that may be given several times.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        let values = self.fields.iter().filter(|(of, _)| of == name);
        values.map(|(_, value)| value.clone()).collect()
    }

    /// Whether there are files beside pasted deals.
    pub(super) fn has_files(&self) -> bool {
        self.files.len() > usize::from(self.pasted.is_some())
    }

    /// The pasted deals, to fill in the form again; empty if there are more bytes than this.
    pub(super) async fn pasted(&self, most: u64) -> String {
        let Some(path) = &self.pasted else {
            return String::new();
        };
        let path = path.clone();
        let read = on_disk(move || match fs::metadata(&path)?.len() <= most {
            true => fs::read(&path),
            false => Ok(Vec::new()),
        });
        with_plain_lines(&String::from_utf8_lossy(&read.await.unwrap_or_default()))
    }
}

impl UploadStore {
    /// Begins a folder of temporary files in the folder of reports, and removes those of killed
    /// servers.
    pub(super) fn new(reports: &Path, limits: &Limits) -> Result<Self, Error> {
        let failed = |error| Error::of(display_path(reports), error);
        fs::create_dir_all(reports).map_err(failed)?;
        remove_abandoned(reports).map_err(failed)?;
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(reports)
            .map_err(failed)?;
        let lock = atomic_file::open_to_lock(&folder.path().join(LOCK)).map_err(failed)?;
        // On systems without locks, no folder is taken for abandoned.
        let _ = lock.try_lock();
        Ok(Self {
            folder,
            _lock: lock,
            stored: Arc::default(),
            receiving: Semaphore::new(limits.uploads),
            most_stored: limits.stored_bytes,
            most_at_once: limits.uploads,
        })
    }

    /// Number of uploads that are being received.
    pub(super) fn receiving(&self) -> usize {
        self.most_at_once - self.receiving.available_permits()
    }

    /// Size of all temporary files.
    pub(super) fn stored(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// A temporary file for a download.
    pub(super) fn file(&self) -> io::Result<tempfile::NamedTempFile> {
        tempfile::NamedTempFile::new_in(self.folder.path())
    }

    /// A temporary folder.
    pub(super) fn folder(&self) -> io::Result<TempDir> {
        TempDir::new_in(self.folder.path())
    }

    /// The path of a temporary file or folder with this name, which nobody else uses.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Space without bytes, which can grow.
    pub(super) fn space(&self) -> Space {
        Space {
            bytes: 0,
            stored: Arc::clone(&self.stored),
        }
    }

    /// Adds bytes to a space; returns false if all are taken.
    pub(super) fn grow(&self, space: &mut Space, bytes: u64) -> bool {
        let stored = self.stored.fetch_add(bytes, Ordering::Relaxed) + bytes;
        space.bytes += bytes;
        stored <= self.most_stored
    }

    /// Receives an upload.
    pub(super) async fn receive(
        &self,
        mut body: Multipart,
        limits: &Limits,
    ) -> Result<Upload, Refusal> {
        let _receiving = self.receiving.try_acquire().map_err(|_| {
            Refusal::busy("too many files are being received: try again in some seconds")
        })?;
        let folder = self.folder();
        let folder = folder.map_err(|error| Refusal::from(Error::io(error)))?;
        let mut received = Receiver {
            store: self,
            limits,
            upload: Upload {
                files: Vec::new(),
                pasted: None,
                fields: Vec::new(),
                folder,
                space: self.space(),
            },
            until: Instant::now() + limits.upload_time,
        };
        while let Some(field) = received.in_time(body.next_field()).await? {
            received.take(field).await?;
        }
        Ok(received.upload)
    }
}

/// Removes folders of temporary files whose server has ended.
fn remove_abandoned(reports: &Path) -> io::Result<()> {
    for entry in fs::read_dir(reports)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_ours || !entry.file_type()?.is_dir() {
            continue;
        }
        let Ok(lock) = atomic_file::open_to_lock(&entry.path().join(LOCK)) else {
            continue;
        };
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            continue;
        }
        // What another server removes at the same time need not be removed.
        let _ = fs::remove_dir_all(entry.path());
    }
    Ok(())
}

impl Drop for Space {
    fn drop(&mut self) {
        self.stored.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// An upload that is being received.
struct Receiver<'r> {
    store: &'r UploadStore,
    limits: &'r Limits,
    upload: Upload,
    until: Instant,
}

impl Receiver<'_> {
    /// Waits for the next piece, but not too long.
    async fn in_time<T>(
        &self,
        next: impl Future<Output = Result<T, MultipartError>>,
    ) -> Result<T, Refusal> {
        let next = timeout_at(self.until, timeout(self.limits.pause, next));
        match next.await {
            Ok(Ok(next)) => next.map_err(|error| {
                let status = match error.status() {
                    status if status.is_client_error() => status,
                    _ => StatusCode::BAD_REQUEST,
                };
                Refusal::new(status, format!("the files did not arrive: {error}"))
            }),
            _ => Err(Refusal::too_slow()),
        }
    }

    async fn take(&mut self, field: Field<'_>) -> Result<(), Refusal> {
        let name = field.name().unwrap_or_default().to_owned();
        match (name.as_str(), field.file_name().map(label)) {
            ("files", Some(label)) => {
                let size = self.write(field, &label).await?;
                // A form without a chosen file sends an empty one without a name.
                match size == 0 && label == UNNAMED {
                    true => self.forget_last().await,
                    false => Ok(()),
                }
            }
            ("text", _) => {
                let size = self.write(field, PASTED).await?;
                if size == 0 {
                    return self.forget_last().await;
                }
                self.upload.pasted = self.upload.files.last().map(|(path, _)| path.clone());
                Ok(())
            }
            _ => {
                let most = match name.as_str() {
                    "condition" => crate::language::MAX_CONDITION_BYTES,
                    _ => LONGEST_FIELD,
                };
                let value = self.text(field, most).await?;
                self.upload.fields.push((name, value));
                Ok(())
            }
        }
    }

    /// Writes a field to the next file; returns its size.
    async fn write(&mut self, mut field: Field<'_>, label: &str) -> Result<u64, Refusal> {
        if self.upload.files.len() >= self.limits.upload_files {
            return Err(Refusal::too_large(format!(
                "more than {} files: send them as a zip archive",
                thousands(self.limits.upload_files as u64)
            )));
        }
        let failed = |error| Refusal::from(Error::io(error));
        let path = self
            .upload
            .folder
            .path()
            .join(self.upload.files.len().to_string());
        self.upload.files.push((path.clone(), label.to_owned()));
        let created = on_disk(move || File::create_new(path));
        let mut file = created.await.map_err(failed)?;
        let mut size = 0;
        while let Some(piece) = self.in_time(field.chunk()).await? {
            size += piece.len() as u64;
            self.count(piece.len() as u64)?;
            let written = on_disk(move || {
                file.write_all(&piece)?;
                Ok(file)
            });
            file = written.await.map_err(failed)?;
        }
        Ok(size)
    }

    /// Removes the last file: the next one has its number.
    async fn forget_last(&mut self) -> Result<(), Refusal> {
        if let Some((path, _)) = self.upload.files.pop() {
            let removed = on_disk(move || fs::remove_file(path));
            removed
                .await
                .map_err(|error| Refusal::from(Error::io(error)))?;
        }
        Ok(())
    }

    /// Reads a field of at most this size.
    async fn text(&mut self, mut field: Field<'_>, most: usize) -> Result<String, Refusal> {
        let mut bytes = Vec::new();
        while let Some(piece) = self.in_time(field.chunk()).await? {
            if bytes.len() + piece.len() > most {
                return Err(Refusal::too_large(format!(
                    "a field of the form has more than {} bytes",
                    thousands(most as u64)
                )));
            }
            bytes.extend_from_slice(&piece);
        }
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| Refusal::bad("a field of the form is not text"))?;
        Ok(with_plain_lines(&text))
    }

    fn count(&mut self, bytes: u64) -> Result<(), Refusal> {
        let is_room = self.store.grow(&mut self.upload.space, bytes);
        if self.upload.space.bytes > self.limits.upload_bytes {
            return Err(too_large(self.limits));
        }
        match is_room {
            true => Ok(()),
            false => Err(Refusal::busy(
                "too many files are waiting: try again when some are read",
            )),
        }
    }
}

/// Refuses an upload for its size.
pub(super) fn too_large(limits: &Limits) -> Refusal {
    Refusal::too_large(format!(
        "more than {} MB: send fewer files, compress them, or use `fairdeal audit`",
        limits.upload_bytes >> 20
    ))
}

/// Label of a file without a name.
const UNNAMED: &str = "unnamed";

/// The label for a file of this name: its last part, without what could be a path or leave a line.
pub(super) fn label(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |c: &char| {
        !c.is_control() && !matches!(c, '\u{200e}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let label: String = last.chars().filter(is_plain).take(LONGEST_LABEL).collect();
    match label.trim().trim_start_matches('.') {
        "" => UNNAMED.to_owned(),
        label => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_never_paths() {
        for (name, wanted) in [
            ("club.pbn", "club.pbn"),
            ("../../etc/passwd", "passwd"),
            ("C:\\hands\\club.lin", "club.lin"),
            ("/", "unnamed"),
            ("..", "unnamed"),
            (".", "unnamed"),
            ("", "unnamed"),
            ("a\0b\n.pbn", "ab.pbn"),
            ("\u{202e}nbp.exe", "nbp.exe"),
            (".hidden", "hidden"),
            ("Été du club.pbn", "Été du club.pbn"),
        ] {
            assert_eq!(label(name), wanted, "{name:?}");
        }
        assert_eq!(label(&"x".repeat(10_000)).len(), LONGEST_LABEL);
    }

    #[test]
    fn folders_of_ended_servers_are_removed_and_others_stay() {
        let reports = tempfile::tempdir().expect("a folder");
        let limits = Limits::default();
        let running = UploadStore::new(reports.path(), &limits).expect("a store");
        let abandoned = reports.path().join(format!("{PREFIX}old"));
        fs::create_dir(&abandoned).expect("a folder");
        fs::write(abandoned.join("0"), "x").expect("a file");
        let mine = reports.path().join("my-report");
        fs::create_dir(&mine).expect("a folder");
        let second = UploadStore::new(reports.path(), &limits).expect("a store");
        assert!(!abandoned.exists() && mine.exists());
        assert!(running.folder.path().exists() && second.folder.path().exists());
        let there = running.folder.path().to_owned();
        drop(running);
        assert!(!there.exists());
    }

    #[test]
    fn space_is_given_back() {
        let reports = tempfile::tempdir().expect("a folder");
        let limits = Limits {
            stored_bytes: 100,
            ..Limits::default()
        };
        let store = UploadStore::new(reports.path(), &limits).expect("a store");
        let mut space = store.space();
        assert!(store.grow(&mut space, 100));
        assert!(!store.grow(&mut space, 1));
        assert_eq!(store.stored(), 101);
        drop(space);
        assert_eq!(store.stored(), 0);
    }
}
