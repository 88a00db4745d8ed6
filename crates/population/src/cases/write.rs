//! Writes a case file in two passes over its cases and one over its records, so that memory does not
//! grow with the number of cases.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;

use super::census::Census;
use super::file::CaseFile;
use super::header::{FilePart, Header, RECORD_BYTES};
use super::listing::ListingError;
use super::map::CaseBytes;
use super::record::CaseRecord;
use super::sections::Sections;
use super::source::{CaseChunk, CaseSource};
use crate::atomic_file;
use crate::language::Condition;
use crate::printable::display_path;
use crate::regular_file;

/// Number of records that a worker buffers before it writes them: 1 MiB.
const BUFFER_RECORDS: usize = 65_536;

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
    let records = header.part(FilePart::Records);
    file.set_len(records.end).map_err(io_failed)?;
    let offset_of = |case: u64| records.start + case * RECORD_BYTES;
    let sink = |first: u64, records: &[CaseRecord]| {
        write_all_at(file, bytemuck::cast_slice(records), offset_of(first))
    };
    write_records(listing, &chunks, &sink, progress).map_err(io_failed)?;
    let read = |first: u64, records: &mut [CaseRecord]| {
        read_exact_at(file, bytemuck::cast_slice_mut(records), offset_of(first))
    };
    let finish = |header: &mut Header| -> io::Result<()> {
        let sections = Sections::of(header, &read)?;
        sections.seal(header);
        let mut offset = records.end;
        for piece in sections.pieces() {
            write_all_at(file, piece, offset)?;
            offset += piece.len() as u64;
        }
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
    let part = header.part(FilePart::Records);
    let (first_unit, records) = (part.start / RECORD_BYTES, part.end / RECORD_BYTES);
    let hand = header.first;
    let memory = |_| ListingError::Memory {
        hand,
        bytes: part.end as usize,
    };
    let mut units: Vec<CaseRecord> = Vec::new();
    units.try_reserve_exact(records as usize).map_err(memory)?;
    units.resize(records as usize, bytemuck::Zeroable::zeroed());
    let units = Mutex::new(units);
    let sink = |first: u64, records: &[CaseRecord]| {
        let place = (first_unit + first) as usize;
        let mut units = units.lock().expect("no writer of records panics");
        units[place..place + records.len()].copy_from_slice(records);
        Ok(())
    };
    let written = write_records(listing, &chunks, &sink, progress);
    written.expect("memory is written without an error");
    let mut units = units.into_inner().expect("no writer of records panics");
    let read = |first: u64, records: &mut [CaseRecord]| {
        let place = (first_unit + first) as usize;
        records.copy_from_slice(&units[place..place + records.len()]);
        Ok(())
    };
    let sections = Sections::of(&header, &read).expect("memory is read without an error");
    sections.seal(&mut header);
    let length = header.file_length() as usize;
    let more = length / RECORD_BYTES as usize - units.len();
    units.try_reserve_exact(more).map_err(memory)?;
    units.resize(units.len() + more, bytemuck::Zeroable::zeroed());
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut units);
    let mut offset = part.end as usize;
    for piece in sections.pieces() {
        bytes[offset..offset + piece.len()].copy_from_slice(piece);
        offset += piece.len();
    }
    let head = header.to_bytes();
    bytes[..head.len()].copy_from_slice(&head);
    let file = CaseFile::new(CaseBytes::Copied(length, units));
    Ok(file.expect("the file was just made whole"))
}

/// Returns a header of a file whose sections are not made yet.
fn unsealed(condition: &Condition, listing: &impl CaseSource, census: Census) -> Header {
    let (first, second) = listing.seats();
    Header {
        total: census.total,
        cases: census.cases,
        groups: 0,
        first,
        second,
        records_hash: [0; 32],
        sections_hash: [0; 32],
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

/// The second pass: writes every chunk at the position of its first record.
fn write_records(
    listing: &impl CaseSource,
    chunks: &[CaseChunk],
    sink: &(dyn Fn(u64, &[CaseRecord]) -> io::Result<()> + Sync),
    progress: &(dyn Fn(u64) + Sync),
) -> io::Result<()> {
    chunks.par_iter().try_for_each(|chunk| {
        let mut buffer: Vec<CaseRecord> = Vec::with_capacity(BUFFER_RECORDS);
        let mut next = chunk.first_case;
        let mut failed = None;
        let mut flush = |buffer: &mut Vec<CaseRecord>| {
            let written = sink(next, buffer);
            failed = failed.take().or(written.err());
            next += buffer.len() as u64;
            progress(buffer.len() as u64);
            buffer.clear();
        };
        listing.records(chunk, |_, record| {
            buffer.push(record);
            if buffer.len() == BUFFER_RECORDS {
                flush(&mut buffer);
            }
        });
        flush(&mut buffer);
        failed.map_or(Ok(()), Err)
    })
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
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
