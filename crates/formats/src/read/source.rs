//! Inputs: files, standard input and archives, compressed or not.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
#[cfg(feature = "archives")]
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use super::ReadError;
#[cfg(feature = "archives")]
use super::archive;
#[cfg(feature = "archives")]
use super::budget::ArchiveBudget;
use super::shared_file::SharedFile;
use crate::Format;

/// The byte order mark of UTF-8.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Buffer size for compressed bytes; a large one gives fewer and longer pieces of text.
const COMPRESSED: usize = 1 << 18;

/// The first bytes of a file that is compressed by gzip.
const GZIP: &[u8] = b"\x1F\x8B\x08";

/// Maximum number of times that a file may be compressed.
const LEVELS: u32 = 2;

/// Maximum number of archives around a file.
#[cfg(feature = "archives")]
const MOST_DEPTH: u32 = 2;

/// Maximum number of bytes of a stream that are kept to be read again, after its first bytes were
/// decompressed.
#[cfg(feature = "archives")]
const MOST_KEPT: usize = 8 << 20;

/// A file of deals: its name and the source of its bytes.
pub struct Input {
    name: String,
    source: InputBytes,
}

enum InputBytes {
    Stream(Box<dyn Read + Send>),
    #[cfg(feature = "archives")]
    Entry(archive::ArchiveEntry),
}

impl Input {
    /// The inputs of a file: the file itself, plain or compressed, or all files of a zip or tar
    /// archive, which are named `archive.zip:inner.pbn`. An archive may be compressed.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file cannot be opened, or is an archive that cannot be read.
    pub fn open(path: &Path) -> Result<Vec<Self>, ReadError> {
        Self::open_as(path, path.to_string_lossy().into_owned())
    }

    /// As [`Input::open`], under another name.
    pub fn open_as(path: &Path, name: String) -> Result<Vec<Self>, ReadError> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.is_file(), file)));
        let (is_file, file) = match opened {
            Ok(opened) => opened,
            Err(source) => return Err(ReadError::Io { name, source }),
        };
        if !is_file {
            // A pipe can be read only once.
            return Self::of_reader(&name, file);
        }
        Self::of_file(name, file)
    }

    /// The inputs of a stream such as standard input; an archive is first copied to a
    /// temporary file.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the stream cannot be read or copied.
    #[cfg(feature = "archives")]
    pub fn of_reader(
        name: &str,
        mut reader: impl Read + Send + 'static,
    ) -> Result<Vec<Self>, ReadError> {
        let name = name.to_owned();
        let head = match head_of(&mut reader) {
            Ok(head) => head,
            Err(source) => return Err(ReadError::Io { name, source }),
        };
        let is_packed = head.starts_with(GZIP);
        let mut kind = Ok(archive::ArchiveKind::of(&head));
        let mut whole: Box<dyn Read + Send> = Box::new(Cursor::new(head).chain(reader));
        if is_packed {
            let mut kept = Vec::new();
            kind = packed_kind(&mut Keeping(&mut whole, &mut kept));
            whole = Box::new(Cursor::new(kept).chain(whole));
        }
        match kind {
            Ok(Some(kind)) => entries(&name, &mut whole, kind, 1, &Arc::default()),
            Ok(None) => Ok(vec![Self::of_stream(name, whole)]),
            Err(error) => Ok(vec![Self::of_stream(name, Box::new(Unreadable(error)))]),
        }
    }

    /// The input of a stream such as standard input.
    ///
    /// # Errors
    ///
    /// None in a build without the feature `archives`, which does not read archives.
    #[cfg(not(feature = "archives"))]
    pub fn of_reader(
        name: &str,
        reader: impl Read + Send + 'static,
    ) -> Result<Vec<Self>, ReadError> {
        Ok(vec![Self::of_stream(name.to_owned(), Box::new(reader))])
    }

    /// The inputs of a regular file.
    fn of_file(name: String, file: File) -> Result<Vec<Self>, ReadError> {
        let shared = match SharedFile::new(file) {
            Ok(shared) => shared,
            Err(source) => return Err(ReadError::Io { name, source }),
        };
        #[cfg(feature = "archives")]
        {
            let budget = Arc::default();
            let head = match head_of(&mut shared.at(0)) {
                Ok(head) => head,
                Err(source) => return Err(ReadError::Io { name, source }),
            };
            if let Some(kind) = archive::ArchiveKind::of(&head) {
                return named(&name, archive::entries(shared, kind, 1, &budget));
            }
            if head.starts_with(GZIP) {
                match packed_kind(&mut shared.at(0)) {
                    Ok(Some(kind)) => {
                        return entries(&name, &mut shared.at(0), kind, 1, &budget);
                    }
                    Ok(None) => {}
                    Err(error) => {
                        return Ok(vec![Self::of_stream(name, Box::new(Unreadable(error)))]);
                    }
                }
            }
        }
        Ok(vec![Self::of_stream(name, Box::new(shared))])
    }

    fn of_stream(name: String, stream: Box<dyn Read + Send>) -> Self {
        let source = InputBytes::Stream(stream);
        Self { name, source }
    }

    /// The files of an archive within an archive, as by [`Input::open`]; any other input is
    /// returned unchanged.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the input is an archive that cannot be read, or is nested in two others.
    #[cfg(feature = "archives")]
    pub fn unpack(self) -> Result<Vec<Self>, ReadError> {
        let Self { name, source } = self;
        let InputBytes::Entry(mut entry) = source else {
            return Ok(vec![Self { name, source }]);
        };
        let head = entry.open().and_then(|mut bytes| head_of(&mut bytes));
        let kind = head.and_then(|head| match head.starts_with(GZIP) {
            true => packed_kind(&mut entry.open()?),
            false => Ok(archive::ArchiveKind::of(&head)),
        });
        let kind = match kind {
            Ok(Some(kind)) => kind,
            Ok(None) => {
                let source = InputBytes::Entry(entry);
                return Ok(vec![Self { name, source }]);
            }
            Err(source) => return Err(ReadError::Archive { name, source }),
        };
        let (depth, budget) = (entry.depth + 1, Arc::clone(&entry.budget));
        if depth > MOST_DEPTH {
            return Err(ReadError::Nested { name });
        }
        match entry.open() {
            Ok(mut packed) => entries(&name, &mut packed, kind, depth, &budget),
            Err(source) => Err(ReadError::Archive { name, source }),
        }
    }

    /// The input, unchanged: a build without the feature `archives` does not read archives.
    ///
    /// # Errors
    ///
    /// None.
    #[cfg(not(feature = "archives"))]
    pub fn unpack(self) -> Result<Vec<Self>, ReadError> {
        Ok(vec![self])
    }

    /// Whether the input is an entry of an archive.
    pub fn is_in_archive(&self) -> bool {
        !matches!(self.source, InputBytes::Stream(_))
    }

    /// The name of the input in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls `read` with the decompressed bytes.
    pub(super) fn read_with<T>(
        self,
        read: impl FnOnce(&mut dyn Read) -> T,
    ) -> Result<T, ReadError> {
        let Self { name, source } = self;
        let decompressed = match source {
            InputBytes::Stream(mut stream) => with_decompressed(&mut stream, read),
            #[cfg(feature = "archives")]
            InputBytes::Entry(mut entry) => match entry.open() {
                Ok(mut entry) => with_decompressed(&mut entry, read),
                Err(source) => return Err(ReadError::Archive { name, source }),
            },
        };
        decompressed.map_err(|source| ReadError::Io { name, source })
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Input").field(&self.name).finish()
    }
}

/// The files of an archive; a compressed archive is unpacked to a temporary file.
#[cfg(feature = "archives")]
fn entries(
    name: &str,
    packed: &mut dyn Read,
    kind: archive::ArchiveKind,
    depth: u32,
    budget: &Arc<ArchiveBudget>,
) -> Result<Vec<Input>, ReadError> {
    let unpacked = with_decompressed(packed, |bytes| budget.unpack(bytes));
    let file = unpacked.and_then(|file| SharedFile::new(file?));
    named(
        name,
        file.and_then(|file| archive::entries(file, kind, depth, budget)),
    )
}

/// The files of an archive with this name.
#[cfg(feature = "archives")]
fn named(
    name: &str,
    entries: io::Result<Vec<(String, archive::ArchiveEntry)>>,
) -> Result<Vec<Input>, ReadError> {
    let name = name.to_owned();
    match entries {
        Err(source) => Err(ReadError::Archive { name, source }),
        Ok(entries) if entries.is_empty() => Err(ReadError::EmptyArchive { name }),
        Ok(entries) => {
            let inputs = entries.into_iter().map(|(inner, entry)| Input {
                name: format!("{name}:{inner}"),
                source: InputBytes::Entry(entry),
            });
            Ok(inputs.collect())
        }
    }
}

/// The first bytes, as many as are needed to recognise an archive or a compression.
#[cfg(feature = "archives")]
fn head_of(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let (mut head, mut length) = ([0; archive::HEAD], 0);
    while length < head.len()
        && !head[..length].starts_with(GZIP)
        && archive::ArchiveKind::is_open(&head[..length])
    {
        match reader.read(&mut head[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(head[..length].to_vec())
}

/// The kind of a compressed archive; `None` if the compressed file is not an archive.
#[cfg(feature = "archives")]
fn packed_kind(packed: &mut dyn Read) -> io::Result<Option<archive::ArchiveKind>> {
    match with_decompressed(packed, |bytes| head_of(bytes)).flatten() {
        Ok(head) => Ok(archive::ArchiveKind::of(&head)),
        // Even the first megabytes of the stream decompress to too few bytes.
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(None),
        Err(error) => Err(error),
    }
}

/// A reader that fails with the error of decompression.
#[cfg(feature = "archives")]
struct Unreadable(io::Error);

#[cfg(feature = "archives")]
impl Read for Unreadable {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let again = self.0.kind().into();
        Err(std::mem::replace(&mut self.0, again))
    }
}

/// Reads and stores the bytes read; fails if they are too many.
#[cfg(feature = "archives")]
struct Keeping<'a>(&'a mut dyn Read, &'a mut Vec<u8>);

#[cfg(feature = "archives")]
impl Read for Keeping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self(reader, kept) = self;
        if kept.len() >= MOST_KEPT {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let count = reader.read(buffer)?;
        kept.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

/// Calls `read` with the decompressed bytes, also of bytes that were compressed twice.
fn with_decompressed<T>(
    reader: &mut dyn Read,
    read: impl FnOnce(&mut dyn Read) -> T,
) -> io::Result<T> {
    decompressed(reader, LEVELS, read)
}

fn decompressed<T, R: FnOnce(&mut dyn Read) -> T>(
    reader: &mut dyn Read,
    levels: u32,
    read: R,
) -> io::Result<T> {
    let mut sign = Vec::with_capacity(GZIP.len());
    reader.take(GZIP.len() as u64).read_to_end(&mut sign)?;
    let is_packed = sign == GZIP;
    let mut whole = Cursor::new(sign).chain(reader);
    match levels.checked_sub(1).filter(|_| is_packed) {
        Some(levels) => {
            let packed = BufReader::with_capacity(COMPRESSED, &mut whole);
            // All members in turn, if compressed files were concatenated.
            decompressed(&mut MultiGzDecoder::new(packed), levels, read)
        }
        None => Ok(read(&mut whole)),
    }
}

/// The bytes without the byte order mark, if the format is text.
pub(super) fn without_mark(bytes: &[u8], format: Format) -> &[u8] {
    let text = bytes.strip_prefix(MARK).filter(|_| format.is_text());
    text.unwrap_or(bytes)
}
