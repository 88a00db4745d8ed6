//! Writes a case file in two passes, so that memory does not grow with the number of cases.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;

use super::census::Census;
use super::file::CaseFile;
use super::header::{Header, RECORD_BYTES, checksum};
use super::listing::ListingError;
use super::map::CaseBytes;
use super::record::CaseRecord;
use super::source::{CaseChunk, CaseSource};
use crate::atomic_file;
use crate::language::Condition;
use crate::printable::display_path;
use crate::regular_file;

/// Default number of records per index entry.
pub const DEFAULT_INTERVAL: u32 = 65_536;

/// Number of records that a worker buffers before it writes them: 1 MiB.
const BUFFER_RECORDS: usize = 65_536;

/// Number of bytes read at a time to be hashed on all cores: 8 MiB.
const HASHED_AT_A_TIME: u64 = 1 << 23;

/// Error: a case file could not be written. No part of it is left.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be written", path = display_path(path))]
pub struct WriteError {
    /// The path of the file.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

/// A case file that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its header.
    pub header: Header,
    /// Its length in bytes.
    pub bytes: u64,
}

/// Writes the cases of a condition from any source into a case file at `path`, and replaces an
/// existing file or symbolic link; [`target_of`](super::target_of) follows a link that the user
/// named. Processes that have mapped the file keep it.
///
/// The file is written under a temporary name in the same folder, and renamed when it is complete
/// and on disk. Temporary files left in the folder by killed processes are removed. `progress` is
/// called with the number of cases written since the last call.
///
/// # Errors
///
/// [`WriteError`]. Use [`Census::within`] to refuse a listing with too many cases before anything
/// is written.
///
/// # Panics
///
/// If the source's counts differ from `census`: then one of the two ways of counting is wrong.
pub fn write(
    condition: &Condition,
    listing: &impl CaseSource,
    census: Census,
    path: &Path,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Written, WriteError> {
    let chunks = listing.chunks();
    assert_agree(&chunks, census);
    let mut header = unsealed(condition, listing, census);
    let io_failed = |source| WriteError {
        path: path.to_owned(),
        source,
    };
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file() && !there.is_symlink()) {
        return Err(io_failed(regular_file::not_a_file()));
    }
    let folder = atomic_file::folder_of(path);
    // A folder that cannot be listed may still be writable.
    let _ = atomic_file::remove_abandoned_parts(folder);
    fs::metadata(folder).map_err(io_failed)?;
    let temporary = atomic_file::begin_part(folder).map_err(io_failed)?;
    let file = temporary.as_file();
    file.set_len(header.file_length()).map_err(io_failed)?;
    let records_offset = header.records_offset();
    let sink = |first: u64, records: &[CaseRecord]| {
        let offset = records_offset + first * RECORD_BYTES;
        write_all_at(file, bytemuck::cast_slice(records), offset)
    };
    let index = write_records(listing, &chunks, &header, &sink, progress).map_err(io_failed)?;
    let finish = |header: &mut Header| -> io::Result<()> {
        let index = bytes_of_index(&index);
        header.index_hash = checksum(&index);
        header.records_hash = checksum_of(file, header.records_offset()..header.index_offset())?;
        write_all_at(file, &index, header.index_offset())?;
        write_all_at(file, &header.to_bytes(), 0)
    };
    finish(&mut header).map_err(io_failed)?;
    atomic_file::publish(temporary, path).map_err(io_failed)?;
    let bytes = header.file_length();
    Ok(Written { header, bytes })
}

/// Makes the case file of a condition in memory, with the same bytes that [`write()`] writes to
/// disk.
///
/// # Errors
///
/// [`ListingError`] if the condition has no listing or there is not enough memory.
///
/// # Panics
///
/// As [`write()`].
pub fn list(
    condition: &Condition,
    listing: &impl CaseSource,
    census: Census,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<CaseFile<CaseBytes>, ListingError> {
    let chunks = listing.chunks();
    assert_agree(&chunks, census);
    let mut header = unsealed(condition, listing, census);
    let length = header.file_length() as usize;
    let count = length.div_ceil(RECORD_BYTES as usize);
    let mut units: Vec<CaseRecord> = Vec::new();
    units
        .try_reserve_exact(count)
        .map_err(|_| ListingError::Memory {
            hand: header.first,
            bytes: length,
        })?;
    units.resize(count, bytemuck::Zeroable::zeroed());
    let first_unit = (header.records_offset() / RECORD_BYTES) as usize;
    let units = Mutex::new(units);
    let sink = |first: u64, records: &[CaseRecord]| {
        let place = first_unit + first as usize;
        let mut units = units.lock().expect("no writer of records panics");
        units[place..place + records.len()].copy_from_slice(records);
        Ok(())
    };
    let index = write_records(listing, &chunks, &header, &sink, progress);
    let index = index.expect("memory is written without an error");
    let mut units = units.into_inner().expect("no writer of records panics");
    let bytes: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut units)[..length];
    let records = header.records_offset() as usize..header.index_offset() as usize;
    let index = bytes_of_index(&index);
    header.index_hash = checksum(&index);
    header.records_hash = checksum(&bytes[records.clone()]);
    bytes[records.end..].copy_from_slice(&index);
    let head = header.to_bytes();
    bytes[..head.len()].copy_from_slice(&head);
    let file = CaseFile::new(CaseBytes::Copied(length, units));
    Ok(file.expect("the file was just made whole"))
}

/// Returns a header whose checksums are not filled in yet.
fn unsealed(condition: &Condition, listing: &impl CaseSource, census: Census) -> Header {
    let (first, second) = listing.seats();
    Header {
        total: census.total,
        cases: census.cases,
        interval: DEFAULT_INTERVAL,
        first,
        second,
        records_hash: [0; 32],
        index_hash: [0; 32],
        condition: condition.text().to_owned(),
    }
}

/// Panics if the two counts differ: then one of the two ways of counting is wrong.
fn assert_agree(chunks: &[CaseChunk], census: Census) {
    let last = chunks.last().map_or((0, 0), |chunk| {
        (
            chunk.first_case + chunk.cases,
            chunk.total_before + chunk.total,
        )
    });
    assert_eq!(
        last,
        (census.cases, census.total),
        "the listing and its census must agree"
    );
}

fn bytes_of_index(index: &[u128]) -> Vec<u8> {
    index
        .iter()
        .flat_map(|before| before.to_le_bytes())
        .collect()
}

/// The second pass: writes every chunk at the position of its first record. Returns the index.
fn write_records(
    listing: &impl CaseSource,
    chunks: &[CaseChunk],
    header: &Header,
    sink: &(dyn Fn(u64, &[CaseRecord]) -> io::Result<()> + Sync),
    progress: &(dyn Fn(u64) + Sync),
) -> io::Result<Vec<u128>> {
    let interval = u64::from(header.interval);
    let entries = chunks
        .par_iter()
        .map(|chunk| {
            let mut entries: Vec<(u64, u128)> = Vec::new();
            let mut buffer: Vec<CaseRecord> = Vec::with_capacity(BUFFER_RECORDS);
            let mut next = chunk.first_case;
            let mut before = chunk.total_before;
            let mut failed = None;
            let mut flush = |buffer: &mut Vec<CaseRecord>| {
                let written = sink(next, buffer);
                failed = failed.take().or(written.err());
                next += buffer.len() as u64;
                progress(buffer.len() as u64);
                buffer.clear();
            };
            listing.records(chunk, |case, record| {
                if case.is_multiple_of(interval) {
                    entries.push((case / interval, before));
                }
                before = record.total();
                buffer.push(record);
                if buffer.len() == BUFFER_RECORDS {
                    flush(&mut buffer);
                }
            });
            flush(&mut buffer);
            failed.map_or(Ok(entries), Err)
        })
        .collect::<io::Result<Vec<_>>>()?;
    let index: Vec<u128> = entries
        .into_iter()
        .flatten()
        .map(|(_, before)| before)
        .collect();
    assert_eq!(index.len() as u64, header.index_entries());
    Ok(index)
}

/// Returns the BLAKE3 checksum of a byte range of a file. Uses all cores, and constant memory.
fn checksum_of(mut file: &File, stretch: Range<u64>) -> io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    let mut left = stretch.end - stretch.start;
    let mut buffer = vec![0; left.min(HASHED_AT_A_TIME) as usize];
    file.seek(SeekFrom::Start(stretch.start))?;
    while left > 0 {
        let part = &mut buffer[..left.min(HASHED_AT_A_TIME) as usize];
        file.read_exact(part)?;
        hasher.update_rayon(part);
        left -= part.len() as u64;
    }
    Ok(*hasher.finalize().as_bytes())
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn write_all_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

impl From<WriteError> for crate::error::Error {
    fn from(error: WriteError) -> Self {
        Self::io(error)
    }
}
