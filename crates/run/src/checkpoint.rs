//! Checkpoints: everything that a run needs to resume, in one file.
//!
//! A checkpoint is written to a temporary file, synced and renamed; the one before it is kept as
//! `checkpoint.previous`. Whenever the process dies, one of the two is complete. Only the last
//! checkpoint of a run that is stopped is not synced, because the program must end at once.
//! docs/reference/checkpoints.md specifies the format.

use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::RunState;
use crate::atomic_file;
use crate::battery::BatteryState;
use crate::error::Remedy;
use crate::printable::display_path;
use crate::regular_file;

/// First bytes of a checkpoint file.
const MAGIC: [u8; 8] = *b"FDCHECK1";
/// Version of the format.
pub const CHECKPOINT_VERSION: u32 = 11;
/// A number that reveals the byte order of the writer.
const BYTE_ORDER: u32 = 0x0102_0304;
/// Size of the header, in bytes.
const HEADER: usize = 96;
/// Position of the header's checksum.
const HEADER_HASH: usize = 64;

/// Names of the newest checkpoint and of the one before it.
const NAMES: [&str; 2] = ["checkpoint", "checkpoint.previous"];

/// Name of a checkpoint that was rejected.
const DAMAGED: &str = "checkpoint.damaged";

/// A checkpoint read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Description of the run, as JSON.
    pub description: String,
    /// The whole file, and where the state of the run begins, read by [`Checkpoint::contents`].
    file: Vec<u8>,
    state: usize,
}

/// Contents of a run's checkpoint besides its description. [`Checkpoints::save`] also takes a pair
/// of references to the same fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contents {
    /// State of the run.
    pub state: RunState,
    /// Evidence of its battery so far; `None` without tests.
    pub seen: Option<BatteryState>,
}

/// Why a file cannot be resumed from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It does not start as a checkpoint does.
    #[error("is not a checkpoint: it does not begin with FDCHECK1")]
    NoCheckpoint,
    /// It has an unsupported version.
    #[error(
        "has checkpoint version {found}, but this version of fairdeal resumes version \
         {CHECKPOINT_VERSION}: use the version that wrote it"
    )]
    Version {
        /// Its version.
        found: u32,
    },
    /// It was written with a different byte order.
    #[error("was written on a machine with a different byte order: resume the run there")]
    ByteOrder,
    /// It is too short or too long.
    #[error("has {found} bytes instead of {wanted}")]
    Length {
        /// Actual length.
        found: u64,
        /// Length according to its header.
        wanted: u64,
    },
    /// Its checksum does not match.
    #[error("was modified: the checksum of its {part} does not match")]
    Altered {
        /// The header, or the part after it.
        part: &'static str,
    },
    /// It cannot be read.
    #[error("cannot be read: {why}")]
    Unreadable {
        /// Why.
        why: String,
    },
    /// The checksums match, but it does not contain a state.
    #[error("does not contain the state of a run or an audit")]
    NoState,
}

/// Why checkpoints could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A file could not be written, renamed or removed.
    #[error("{path} cannot be {what}", path = display_path(path))]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// `written`, `renamed` or `removed`.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// No file is valid.
    #[error("{}", describe(.0))]
    Damaged(Vec<(PathBuf, Damage)>),
}

fn describe(files: &[(PathBuf, Damage)]) -> String {
    let each = files.iter();
    let words: Vec<String> = each
        .map(|(path, damage)| format!("{} {damage}", display_path(path)))
        .collect();
    words.join("; ")
}

/// A checkpoint found in a folder.
#[derive(Clone, Debug)]
pub struct StoredCheckpoint {
    /// The newest valid checkpoint.
    pub checkpoint: Checkpoint,
    /// The newer file that was rejected, and why.
    pub passed_over: Option<(PathBuf, Damage)>,
}

/// Whether a checkpoint must be on disk before it counts as saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Synced: it survives a power cut.
    Synced,
    /// Left to the system to write: it survives the end of the process.
    Unsynced,
}

/// The checkpoints of a folder.
#[derive(Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    writing: Option<JoinHandle<Result<(), CheckpointError>>>,
}

impl Checkpoints {
    /// The checkpoints of this folder, which no other process may write to.
    pub fn of(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            writing: None,
        }
    }

    /// Whether there is a checkpoint, valid or not.
    pub fn exist(&self) -> bool {
        self.paths().iter().any(|path| path.exists())
    }

    fn paths(&self) -> [PathBuf; 2] {
        NAMES.map(|name| self.folder.join(name))
    }

    /// Returns the newest valid checkpoint, or `None` without a file.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Damaged`] if none is valid, or the newest has another version or byte
    /// order.
    pub fn newest(&self) -> Result<Option<StoredCheckpoint>, CheckpointError> {
        let mut damaged = Vec::new();
        for path in self.paths() {
            match Checkpoint::read(&path) {
                None => {}
                Some(Ok(checkpoint)) => {
                    return Ok(Some(StoredCheckpoint {
                        checkpoint,
                        passed_over: damaged.pop(),
                    }));
                }
                Some(Err(damage)) => {
                    let is_whole = matches!(damage, Damage::Version { .. } | Damage::ByteOrder);
                    damaged.push((path, damage));
                    if is_whole {
                        break;
                    }
                }
            }
        }
        match damaged.is_empty() {
            true => Ok(None),
            false => Err(CheckpointError::Damaged(damaged)),
        }
    }

    /// Writes a checkpoint with these contents and keeps the one before it. The file is written now,
    /// so that memory holds no copy of the contents; it is synced and renamed while the work
    /// continues, after the one before.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Io`] if the file, or the one before, could not be written; older
    /// checkpoints are unchanged.
    pub fn save(
        &mut self,
        description: &str,
        contents: &impl Serialize,
        durability: Durability,
    ) -> Result<(), CheckpointError> {
        let clock = Instant::now();
        self.finish()?;
        let [path, previous] = self.paths();
        let write = || {
            let mut part = atomic_file::begin_part(&self.folder)?;
            let bytes = write(part.as_file_mut(), description, contents)?;
            Ok((part, bytes))
        };
        let failed = |path: PathBuf| {
            let what = "written";
            move |source| CheckpointError::Io { path, what, source }
        };
        let (part, bytes) = write().map_err(failed(path.clone()))?;
        self.writing = Some(std::thread::spawn(move || {
            publish(part, &path, &previous, durability).map_err(failed(path))?;
            let seconds = clock.elapsed().as_secs_f64();
            tracing::info!(target: "run", bytes, seconds, "checkpoint saved");
            Ok(())
        }));
        Ok(())
    }

    /// Waits until the last checkpoint is written.
    ///
    /// # Errors
    ///
    /// As [`Checkpoints::save`].
    pub fn finish(&mut self) -> Result<(), CheckpointError> {
        match self.writing.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(written)) => written,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }

    /// Renames the rejected file to `checkpoint.damaged`, so that it never replaces the valid one.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Io`] if it cannot be renamed.
    pub fn put_aside(&self, found: &StoredCheckpoint) -> Result<(), CheckpointError> {
        let Some((path, _)) = &found.passed_over else {
            return Ok(());
        };
        fs::rename(path, self.folder.join(DAMAGED)).map_err(|source| {
            let (path, what) = (path.clone(), "renamed");
            CheckpointError::Io { path, what, source }
        })
    }

    /// Removes all but the newest, from which a finished part will be merged.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Io`] if a file cannot be removed.
    pub fn keep_newest(&mut self) -> Result<(), CheckpointError> {
        self.finish()?;
        let [_, previous] = self.paths();
        remove(&self.folder.join(DAMAGED))?;
        remove(&previous)
    }

    /// Removes all checkpoints of a finished run.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Io`] if a file cannot be removed.
    pub fn remove(&mut self) -> Result<(), CheckpointError> {
        self.finish()?;
        // The older one first: it must never remain alone and be resumed.
        remove(&self.folder.join(DAMAGED))?;
        self.paths().iter().rev().try_for_each(|path| remove(path))
    }
}

/// Waits for the last checkpoint, whose errors only [`Checkpoints::finish`] returns.
impl Drop for Checkpoints {
    fn drop(&mut self) {
        if let Some(writing) = self.writing.take() {
            let _ = writing.join();
        }
    }
}

fn remove(path: &Path) -> Result<(), CheckpointError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            let (path, what) = (path.to_owned(), "removed");
            Err(CheckpointError::Io { path, what, source })
        }
        _ => Ok(()),
    }
}

/// Passes bytes on, and knows their number and checksum.
struct ChecksumWriter<W> {
    file: W,
    hasher: blake3::Hasher,
    bytes: u64,
    /// Why the file takes no more, which postcard does not say.
    failed: Option<io::Error>,
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.file.write_all(bytes) {
            let kind = error.kind();
            self.failed = Some(error);
            return Err(kind.into());
        }
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Size of the pieces that are written and hashed, in bytes.
const PIECE: usize = 1 << 18;

/// Writes a whole checkpoint to an empty file. Returns its length.
fn write(
    mut file: impl Write + Seek,
    description: &str,
    contents: &impl Serialize,
) -> io::Result<u64> {
    file.write_all(&[0; HEADER])?;
    let writer = ChecksumWriter {
        file: &mut file,
        hasher: blake3::Hasher::new(),
        bytes: 0,
        failed: None,
    };
    let mut writer = BufWriter::with_capacity(PIECE, writer);
    let mut write = || {
        writer.write_all(description.as_bytes())?;
        postcard::to_io(contents, &mut writer).map_err(io::Error::other)?;
        writer.flush()
    };
    let written = write();
    let (writer, _) = writer.into_parts();
    if let Some(error) = writer.failed {
        return Err(error);
    }
    written?;
    let (bytes, hash) = (writer.bytes, writer.hasher.finalize());
    let lengths = [description.len() as u64, bytes - description.len() as u64];
    file.rewind()?;
    file.write_all(&header(lengths, hash.as_bytes()))?;
    file.flush()?;
    Ok(HEADER as u64 + bytes)
}

/// Gives a written checkpoint its name, and that of the one before it the second name. The current
/// one must be valid, because it replaces a valid one.
fn publish(
    part: NamedTempFile,
    path: &Path,
    previous: &Path,
    durability: Durability,
) -> io::Result<()> {
    if durability == Durability::Synced {
        part.as_file().sync_all()?;
    }
    match fs::rename(path, previous) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    match durability {
        Durability::Synced => atomic_file::publish(part, path),
        Durability::Unsynced => atomic_file::publish_unsynced(part, path),
    }
}

/// Reads `count` more bytes, or fewer if the file ends earlier.
fn read_more(file: &mut File, count: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let length = usize::try_from(count).map_err(io::Error::other)?;
    bytes.try_reserve_exact(length).map_err(|_| {
        io::Error::new(
            io::ErrorKind::OutOfMemory,
            format!("there is not enough memory for its {count} bytes"),
        )
    })?;
    file.take(count).read_to_end(bytes)?;
    Ok(())
}

/// The header of a file, of the lengths of description and state and their checksum: see
/// docs/reference/checkpoints.md.
fn header(lengths: [u64; 2], hash: &[u8; 32]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&CHECKPOINT_VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&BYTE_ORDER.to_ne_bytes());
    header[16..24].copy_from_slice(&lengths[0].to_le_bytes());
    header[24..32].copy_from_slice(&lengths[1].to_le_bytes());
    header[32..HEADER_HASH].copy_from_slice(hash);
    let hash = blake3::hash(&header[..HEADER_HASH]);
    header[HEADER_HASH..].copy_from_slice(hash.as_bytes());
    header
}

impl Checkpoint {
    /// Reads the checkpoint at a path; an error says why it is invalid. `None` without a file.
    fn read(path: &Path) -> Option<Result<Self, Damage>> {
        match Self::from_file(path) {
            Ok(read) => Some(read),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                let why = error.to_string();
                Some(Err(Damage::Unreadable { why }))
            }
        }
    }

    /// Reads a file, no further than its header says, and only if the file has that length.
    fn from_file(path: &Path) -> io::Result<Result<Self, Damage>> {
        let mut file = regular_file::open(path, File::options().read(true))?;
        let found = file.metadata()?.len();
        let mut bytes = Vec::new();
        read_more(&mut file, HEADER as u64, &mut bytes)?;
        if let Err(damage) = lengths(&bytes, found) {
            return Ok(Err(damage));
        }
        read_more(&mut file, found - HEADER as u64, &mut bytes)?;
        Ok(Self::checked(bytes))
    }

    /// Decodes a checkpoint from the bytes of its file.
    ///
    /// # Errors
    ///
    /// [`Damage`] if the file is not complete and unmodified.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        Self::checked(bytes.to_owned())
    }

    fn checked(file: Vec<u8>) -> Result<Self, Damage> {
        let [described, _] = lengths(&file, file.len() as u64)?;
        let (header, contents) = file.split_at(HEADER);
        if *blake3::hash(contents).as_bytes() != header[32..HEADER_HASH] {
            return Err(Damage::Altered { part: "state" });
        }
        let state = HEADER + described as usize;
        let description = file[HEADER..state].to_owned();
        Ok(Self {
            description: String::from_utf8(description).map_err(|_| Damage::NoState)?,
            file,
            state,
        })
    }

    /// Encodes a file with this description and these contents.
    pub fn to_bytes(description: &str, contents: &impl Serialize) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        write(&mut file, description, contents)
            .expect("a state has plain fields of known lengths, and memory takes all");
        file.into_inner()
    }

    /// Decodes the contents: those of a run are [`Contents`], whose shape
    /// [`Running::resumed`](super::Running::resumed) compares with that of the run.
    ///
    /// # Errors
    ///
    /// [`Damage::NoState`] if the bytes are not such contents.
    pub fn contents<'c, C: Deserialize<'c>>(&'c self) -> Result<C, Damage> {
        match postcard::take_from_bytes(&self.file[self.state..]) {
            Ok((contents, [])) => Ok(contents),
            _ => Err(Damage::NoState),
        }
    }
}

/// Returns the lengths of description and state, if the header is valid and requires `found` bytes.
fn lengths(bytes: &[u8], found: u64) -> Result<[u64; 2], Damage> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Damage::NoCheckpoint);
    }
    let Some(header) = bytes.first_chunk::<HEADER>() else {
        let wanted = HEADER as u64;
        return Err(Damage::Length { found, wanted });
    };
    if blake3::hash(&header[..HEADER_HASH]).as_bytes() != &header[HEADER_HASH..] {
        return Err(Damage::Altered { part: "header" });
    }
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| header[at + i]));
    let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| header[at + i]));
    match (word(8), header[12..16] == BYTE_ORDER.to_ne_bytes()) {
        (CHECKPOINT_VERSION, true) => {}
        (CHECKPOINT_VERSION, false) => return Err(Damage::ByteOrder),
        (found, _) => return Err(Damage::Version { found }),
    }
    let [described, state] = [long(16), long(24)];
    let wanted = described
        .saturating_add(state)
        .saturating_add(HEADER as u64);
    match wanted == found {
        true => Ok([described, state]),
        false => Err(Damage::Length { found, wanted }),
    }
}

impl From<CheckpointError> for crate::error::Error {
    fn from(error: CheckpointError) -> Self {
        match error {
            CheckpointError::Damaged(_) => {
                let error = Self::input(error).context("no checkpoint to resume from");
                error.with_remedy(Remedy::StartAgain)
            }
            CheckpointError::Io { .. } => Self::io(error),
        }
    }
}
