//! Checkpoints: everything that it takes to go on with a run, in one file.
//!
//! A checkpoint is written beside its place, synced and renamed, and the one before it
//! keeps the name `checkpoint.previous`: whenever the process dies, one of the two is
//! whole. docs/reference/checkpoints.md has the bytes.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::State;
use crate::atomic_file;
use crate::battery::Seen;
use crate::printable::shown;

/// What a checkpoint file begins with.
const MAGIC: [u8; 8] = *b"FDCHECK1";
/// The version of its format.
pub const CHECKPOINT_VERSION: u32 = 4;
/// A number whose bytes tell their order.
const BYTE_ORDER: u32 = 0x0102_0304;
/// Bytes before the description.
const HEADER: usize = 96;
/// Where the header's own checksum is.
const HEADER_HASH: usize = 64;
/// Most bytes of a description.
const MOST_DESCRIBED: u64 = 1 << 22;
/// Most bytes of a state.
const MOST_STATE: u64 = 1 << 40;

/// The newest checkpoint of a folder, and the one before it.
const NAMES: [&str; 2] = ["checkpoint", "checkpoint.previous"];

/// One that was passed over.
const DAMAGED: &str = "checkpoint.damaged";

/// A checkpoint that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// What its run is, as JSON.
    pub description: String,
    /// Where the run stood, for [`Checkpoint::contents`].
    state: Vec<u8>,
}

/// What a checkpoint holds beside its description.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contents {
    /// Where the run stood.
    pub state: State,
    /// What its battery had seen; none if nothing is tested.
    pub seen: Option<Seen>,
}

/// Why a file is no checkpoint to go on from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It does not begin as a checkpoint does.
    #[error("is not a checkpoint: it does not begin with FDCHECK1")]
    NoCheckpoint,
    /// It has another version.
    #[error(
        "has checkpoint version {found}, but this version of fairdeal resumes version \
         {CHECKPOINT_VERSION}: use the version that wrote it"
    )]
    Version {
        /// Which version.
        found: u32,
    },
    /// It comes from a machine of another kind.
    #[error("was written on a machine with a different byte order: resume the run there")]
    ByteOrder,
    /// It ends early, or goes on too far.
    #[error("has {found} bytes instead of {wanted}")]
    Length {
        /// The file's length.
        found: u64,
        /// The length that its header says.
        wanted: u64,
    },
    /// Some bytes were altered.
    #[error("was modified: the checksum of its {part} does not match")]
    Altered {
        /// The header, or what follows it.
        part: &'static str,
    },
    /// It is there and cannot be read.
    #[error("cannot be read: {why}")]
    Unreadable {
        /// Why.
        why: String,
    },
    /// The checksums are right, and yet it holds no state.
    #[error("does not contain the state of a run")]
    NoState,
}

/// Checkpoints that could not be written, or gone on from.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A file could not be written, renamed or removed.
    #[error("{path} cannot be {what}", path = shown(path))]
    Io {
        /// Which.
        path: PathBuf,
        /// Written, renamed or removed.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// No file is sound.
    #[error("{}", describe(.0))]
    Damaged(Vec<(PathBuf, Damage)>),
}

fn describe(files: &[(PathBuf, Damage)]) -> String {
    let each = files.iter();
    let words: Vec<String> = each
        .map(|(path, damage)| format!("{} {damage}", shown(path)))
        .collect();
    words.join("; ")
}

/// A checkpoint that was found in a folder.
#[derive(Clone, Debug)]
pub struct Found {
    /// The newest that is sound.
    pub checkpoint: Checkpoint,
    /// The newer file that is not, and why.
    pub passed_over: Option<(PathBuf, Damage)>,
}

/// The checkpoints of a folder.
#[derive(Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    writing: Option<JoinHandle<Result<(), CheckpointError>>>,
}

impl Checkpoints {
    /// Those of this folder, which nobody else must write to.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            writing: None,
        }
    }

    /// Whether there is one, sound or not.
    #[must_use]
    pub fn exist(&self) -> bool {
        self.paths().iter().any(|path| path.exists())
    }

    fn paths(&self) -> [PathBuf; 2] {
        NAMES.map(|name| self.folder.join(name))
    }

    /// The newest that is sound; `None` if there is no file. `most` says how many bytes of a
    /// state go with a description: longer ones are not read.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Damaged`] if none is sound, or the newest is of another version.
    pub fn newest(&self, most: &dyn Fn(&str) -> u64) -> Result<Option<Found>, CheckpointError> {
        let mut damaged = Vec::new();
        for path in self.paths() {
            match Checkpoint::read(&path, most) {
                None => {}
                Some(Ok(checkpoint)) => {
                    return Ok(Some(Found {
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

    /// Writes a checkpoint, and keeps the one before it. The state is taken now; the file
    /// is written while the run goes on, once the one before is on disk.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Io`] if the one before could not be written: what was there
    /// before that is as it was.
    pub fn save(
        &mut self,
        description: &str,
        state: &State,
        seen: Option<&Seen>,
    ) -> Result<(), CheckpointError> {
        let bytes = encode(state, seen);
        self.finish()?;
        let (folder, description) = (self.folder.clone(), description.to_owned());
        self.writing = Some(std::thread::spawn(move || {
            let clock = Instant::now();
            write(&folder, &description, &bytes)?;
            let bytes = HEADER + description.len() + bytes.len();
            let seconds = clock.elapsed().as_secs_f64();
            tracing::info!(target: "run", bytes, seconds, "checkpoint saved");
            Ok(())
        }));
        Ok(())
    }

    /// Waits until the last checkpoint is on disk.
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

    /// Puts the file that was passed over aside, as `checkpoint.damaged`, so that it never
    /// takes the place of the one that is gone on from.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Io`] if it cannot be renamed.
    pub fn put_aside(&self, found: &Found) -> Result<(), CheckpointError> {
        let Some((path, _)) = &found.passed_over else {
            return Ok(());
        };
        fs::rename(path, self.folder.join(DAMAGED)).map_err(|source| {
            let (path, what) = (path.clone(), "renamed");
            CheckpointError::Io { path, what, source }
        })
    }

    /// Takes away all but the newest: a part is over, and is to be merged from that.
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

    /// Takes all away: the run is over.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Io`] if a file cannot be removed.
    pub fn remove(&mut self) -> Result<(), CheckpointError> {
        self.finish()?;
        // The older one first: alone it must not stand for the run.
        remove(&self.folder.join(DAMAGED))?;
        self.paths().iter().rev().try_for_each(|path| remove(path))
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

/// What [`Contents`] are in a file.
fn encode(state: &State, seen: Option<&Seen>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Borrowed<'c> {
        state: &'c State,
        seen: Option<&'c Seen>,
    }
    postcard::to_stdvec(&Borrowed { state, seen })
        .expect("a state has plain fields of known lengths, and memory takes all")
}

/// Writes a checkpoint of a folder, and renames the one before it, which must be sound: it
/// takes the place of one that is.
fn write(folder: &Path, description: &str, state: &[u8]) -> Result<(), CheckpointError> {
    let [path, previous] = NAMES.map(|name| folder.join(name));
    let write = || -> io::Result<()> {
        let mut file = atomic_file::begin_part(folder)?;
        file.write_all(&header(description.as_bytes(), state))?;
        file.write_all(description.as_bytes())?;
        file.write_all(state)?;
        file.as_file().sync_all()?;
        match fs::rename(&path, &previous) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        atomic_file::publish(file, &path)
    };
    write().map_err(|source| CheckpointError::Io {
        path: path.clone(),
        what: "written",
        source,
    })
}

/// So many bytes, or as many as there are.
fn bytes_of(file: &mut File, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = usize::try_from(count).map_err(io::Error::other)?;
    bytes.try_reserve_exact(length).map_err(|_| {
        io::Error::new(
            io::ErrorKind::OutOfMemory,
            format!("there is not enough memory for its {count} bytes"),
        )
    })?;
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn checksum(description: &[u8], state: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    *hasher
        .update(description)
        .update(state)
        .finalize()
        .as_bytes()
}

/// What a file begins with: see docs/reference/checkpoints.md.
fn header(description: &[u8], state: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let hash = checksum(description, state);
    let lengths = [description.len() as u64, state.len() as u64];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&CHECKPOINT_VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&BYTE_ORDER.to_ne_bytes());
    header[16..24].copy_from_slice(&lengths[0].to_le_bytes());
    header[24..32].copy_from_slice(&lengths[1].to_le_bytes());
    header[32..HEADER_HASH].copy_from_slice(&hash);
    let hash = blake3::hash(&header[..HEADER_HASH]);
    header[HEADER_HASH..].copy_from_slice(hash.as_bytes());
    header
}

impl Checkpoint {
    /// The file at a path, or what is wrong with it; `None` if there is none. `most` says
    /// how many bytes of a state go with a description: more are not read.
    fn read(path: &Path, most: &dyn Fn(&str) -> u64) -> Option<Result<Self, Damage>> {
        match Self::from_file(path, most) {
            Ok(read) => Some(read),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                let why = error.to_string();
                Some(Err(Damage::Unreadable { why }))
            }
        }
    }

    /// What is in a file. No more is read than its header says, and that only if the file
    /// is as long.
    fn from_file(path: &Path, most: &dyn Fn(&str) -> u64) -> io::Result<Result<Self, Damage>> {
        // Opening a pipe would wait for somebody who writes to it.
        if !fs::metadata(path)?.is_file() {
            return Ok(Err(Damage::NoCheckpoint));
        }
        let mut file = File::open(path)?;
        let found = file.metadata()?.len();
        let header = bytes_of(&mut file, HEADER as u64)?;
        let [described, length] = match lengths(&header) {
            Ok(lengths) => lengths,
            Err(damage) => return Ok(Err(damage)),
        };
        let wanted = HEADER as u64 + described + length;
        if found != wanted {
            return Ok(Err(Damage::Length { found, wanted }));
        }
        let Ok(description) = String::from_utf8(bytes_of(&mut file, described)?) else {
            return Ok(Err(Damage::Altered {
                part: "description",
            }));
        };
        if length > most(&description) {
            return Ok(Err(Damage::NoState));
        }
        let state = bytes_of(&mut file, length)?;
        let checkpoint = Self { description, state };
        Ok(checkpoint.checked(&header))
    }

    /// This, if it has the checksum of its header.
    fn checked(self, header: &[u8]) -> Result<Self, Damage> {
        match checksum(self.description.as_bytes(), &self.state) == header[32..HEADER_HASH] {
            true => Ok(self),
            false => Err(Damage::Altered { part: "state" }),
        }
    }

    /// A checkpoint from the bytes of its file.
    ///
    /// # Errors
    ///
    /// [`Damage`] if it is no whole checkpoint, down to the last bit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        let [described, state] = lengths(bytes)?;
        let (found, wanted) = (bytes.len() as u64, HEADER as u64 + described + state);
        if found != wanted {
            return Err(Damage::Length { found, wanted });
        }
        let (header, contents) = bytes.split_at(HEADER);
        let (description, state) = contents.split_at(described as usize);
        let Ok(description) = String::from_utf8(description.to_owned()) else {
            return Err(Damage::Altered {
                part: "description",
            });
        };
        let state = state.to_owned();
        Self { description, state }.checked(header)
    }

    /// The bytes of a file with this description and these contents.
    #[must_use]
    pub fn to_bytes(description: &str, contents: &Contents) -> Vec<u8> {
        let state = encode(&contents.state, contents.seen.as_ref());
        let header = header(description.as_bytes(), &state);
        [&header[..], description.as_bytes(), &state].concat()
    }

    /// Where the run stood. What it says is only as true as its writer: whether a run can
    /// have come there, [`Running::resumed`](super::Running::resumed) tells.
    ///
    /// # Errors
    ///
    /// [`Damage::NoState`] if these bytes are none.
    pub fn contents(&self) -> Result<Contents, Damage> {
        match postcard::take_from_bytes(&self.state) {
            Ok((contents, [])) => Ok(contents),
            _ => Err(Damage::NoState),
        }
    }
}

/// The lengths of description and state, if the bytes begin with a header that is whole.
fn lengths(bytes: &[u8]) -> Result<[u64; 2], Damage> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Damage::NoCheckpoint);
    }
    let Some(header) = bytes.first_chunk::<HEADER>() else {
        let (found, wanted) = (bytes.len() as u64, HEADER as u64);
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
    let lengths = [long(16), long(24)];
    match lengths[0] <= MOST_DESCRIBED && lengths[1] <= MOST_STATE {
        true => Ok(lengths),
        false => Err(Damage::NoState),
    }
}

impl From<CheckpointError> for crate::error::Error {
    fn from(error: CheckpointError) -> Self {
        match error {
            CheckpointError::Damaged(_) => {
                Self::input(error).context("no checkpoint to resume from: start again with --force")
            }
            CheckpointError::Io { .. } => Self::io(error),
        }
    }
}
