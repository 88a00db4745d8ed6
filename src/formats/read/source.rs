//! Where bytes come from: files, standard input, compressed or not, archives.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::ReadError;
#[cfg(feature = "cli")]
use super::archive;
use super::zstd_frames::ZstdFrames;
use crate::formats::Format;

/// What text in UTF-8 may begin with.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

const GZIP: &[u8] = &[0x1F, 0x8B, 0x08];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
/// An entry, or an archive without any.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// The longest of these signs.
const SIGN: usize = 4;

/// Compressed bytes are taken in such pieces: fewer, longer pieces of text come of it.
const COMPRESSED: usize = 1 << 18;

/// A file of deals, by what name it goes and where its bytes are.
pub struct Input {
    name: String,
    source: Source,
}

enum Source {
    Stream(Box<dyn Read + Send>),
    #[cfg(feature = "cli")]
    Entry(archive::Entry),
}

impl Input {
    /// The inputs of a file: itself, plain or compressed, or all files of a zip archive,
    /// which go by `archive.zip:inner.pbn`.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if it cannot be opened, or is an archive that cannot be read.
    pub fn open(path: &Path) -> Result<Vec<Self>, ReadError> {
        let name = path.display().to_string();
        let failed = |source| ReadError::Io {
            name: name.clone(),
            source,
        };
        let file = File::open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            // A pipe can be read once only.
            return Self::of_reader(&name, file);
        }
        let mut sign = Vec::new();
        let mut head = (&file).take(SIGN as u64);
        head.read_to_end(&mut sign).map_err(failed)?;
        (&file).rewind().map_err(failed)?;
        if ZIP.contains(&&sign[..]) {
            return entries(&name, file);
        }
        let source = Source::Stream(Box::new(file));
        Ok(vec![Self { name, source }])
    }

    /// The inputs of a stream such as standard input; an archive is first spooled to a
    /// temporary file.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if it cannot be read or spooled.
    pub fn of_reader(
        name: &str,
        mut reader: impl Read + Send + 'static,
    ) -> Result<Vec<Self>, ReadError> {
        let failed = |source| ReadError::Io {
            name: name.to_owned(),
            source,
        };
        let sign = first_bytes(&mut reader).map_err(failed)?;
        let is_zip = ZIP.contains(&&sign[..]);
        let mut whole = Cursor::new(sign).chain(reader);
        if is_zip {
            let mut spool = tempfile::tempfile().map_err(failed)?;
            io::copy(&mut whole, &mut spool).map_err(failed)?;
            return entries(name, spool);
        }
        Ok(vec![Self {
            name: name.to_owned(),
            source: Source::Stream(Box::new(whole)),
        }])
    }

    /// Whether it is an entry of an archive.
    #[must_use]
    pub fn is_in_archive(&self) -> bool {
        !matches!(self.source, Source::Stream(_))
    }

    /// What it goes by in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads its bytes, decompressed.
    pub(super) fn read_with<T>(
        self,
        read: impl FnOnce(&mut dyn Read) -> T,
    ) -> Result<T, ReadError> {
        let Self { name, source } = self;
        let decompressed = match source {
            Source::Stream(mut stream) => with_decompressed(&mut stream, read),
            #[cfg(feature = "cli")]
            Source::Entry(mut entry) => match entry.open() {
                Ok(mut entry) => with_decompressed(&mut entry, read),
                Err(source) => return Err(ReadError::Zip { name, source }),
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

/// The files of an archive.
#[cfg(feature = "cli")]
fn entries(name: &str, file: File) -> Result<Vec<Input>, ReadError> {
    let failed = |source| ReadError::Zip {
        name: name.to_owned(),
        source,
    };
    let entries = archive::entries(file).map_err(failed)?;
    if entries.is_empty() {
        let name = name.to_owned();
        return Err(ReadError::EmptyArchive { name });
    }
    let inputs = entries.into_iter().map(|(inner, entry)| Input {
        name: format!("{name}:{inner}"),
        source: Source::Entry(entry),
    });
    Ok(inputs.collect())
}

/// Archives are read with the feature `cli` alone.
#[cfg(not(feature = "cli"))]
fn entries(name: &str, _: File) -> Result<Vec<Input>, ReadError> {
    Err(ReadError::Other {
        name: name.to_owned(),
        what: "a zip archive, which this build does not read: unpack it first",
    })
}

/// The first bytes, as many as a sign has.
fn first_bytes(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut sign = Vec::with_capacity(SIGN);
    reader.take(SIGN as u64).read_to_end(&mut sign)?;
    Ok(sign)
}

/// Reads compressed bytes as they were before, also if that was done twice.
fn with_decompressed<T>(
    reader: &mut dyn Read,
    read: impl FnOnce(&mut dyn Read) -> T,
) -> io::Result<T> {
    decompressed(reader, 2, read)
}

fn decompressed<T, R: FnOnce(&mut dyn Read) -> T>(
    reader: &mut dyn Read,
    levels: u32,
    read: R,
) -> io::Result<T> {
    let sign = first_bytes(reader)?;
    let (is_gzip, is_zstd) = (sign.starts_with(GZIP), sign.starts_with(ZSTD));
    let mut whole = Cursor::new(sign).chain(reader);
    let Some(levels) = levels.checked_sub(1).filter(|_| is_gzip || is_zstd) else {
        return Ok(read(&mut whole));
    };
    let whole = BufReader::with_capacity(COMPRESSED, &mut whole);
    // Of several members one after the other, as of files that were put together.
    let mut inner: Box<dyn Read + '_> = match is_gzip {
        true => Box::new(MultiGzDecoder::new(whole)),
        false => Box::new(ZstdFrames::new(whole)),
    };
    decompressed(&mut inner, levels, read)
}

/// The text after a mark, if the format is text and the mark is there.
pub(super) fn without_mark(bytes: &[u8], format: Format) -> &[u8] {
    let text = bytes.strip_prefix(MARK).filter(|_| format.is_text());
    text.unwrap_or(bytes)
}
