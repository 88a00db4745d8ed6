//! Access to the records and the sections of a case file, for any owner of its bytes.

use std::ops::Range;

use bytemuck::Pod;
use rayon::prelude::*;

use super::groups::WeightGroup;
use super::header::{CHUNK_RECORDS, DamagedFile, FilePart, Header};
use super::record::CaseRecord;
use crate::bridge::Seat;
use crate::language::Condition;

/// A case file whose header has been checked.
///
/// Generic over the owner of the bytes: a map, a vector or a slice. Opening takes constant time: it
/// checks the header, its checksum and the length of the file, so that every record can be
/// accessed. [`CaseFile::checksums_match`] reads the whole file, and [`CaseFile::verify`] proves that
/// it is the listing of its condition.
///
/// # Files that change while they are mapped
///
/// If another program modifies a mapped file, the map shows the modified bytes. Bytes are checked
/// each time they are used, so modified bytes give an error or the hands of another case, but never
/// a read outside the map or other undefined behaviour in this crate.
///
/// A map cannot prevent truncation: reading a page beyond the new end ends the process with SIGBUS,
/// without a message unless [`leave_when_cut_short`](super::leave_when_cut_short) was called.
/// Therefore fairdeal replaces files by renaming and never modifies them in place, and
/// [`read`](super::read) makes a copy in memory that no other process can modify.
#[derive(Debug)]
pub struct CaseFile<D> {
    header: Header,
    /// Where the parts of the file are, by [`FilePart`].
    parts: [Range<usize>; FilePart::COUNT],
    bytes: D,
}

/// The position of a number below T among the cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocatedCase {
    /// The index of the case, from 0.
    pub case: u64,
    /// The record.
    pub record: CaseRecord,
    /// The number minus the total before the case; below the case's weight.
    pub rest: u128,
    /// The case's weight: the difference of the totals.
    pub weight: u128,
}

impl<D: AsRef<[u8]>> CaseFile<D> {
    /// Checks the header and takes ownership of the bytes.
    ///
    /// # Errors
    ///
    /// [`DamagedFile`] if the bytes are not a complete case file of this version, if they are not
    /// aligned to 16 bytes (maps and vectors of records are), or if the condition predeals cards.
    pub fn new(bytes: D) -> Result<Self, DamagedFile> {
        let header = Header::from_file(bytes.as_ref())?;
        if bytemuck::try_cast_slice::<u8, u128>(bytes.as_ref()).is_err() {
            return Err(DamagedFile::Field("the bytes are not aligned to 16"));
        }
        if predeals(&header.condition) {
            return Err(DamagedFile::Field("its condition predeals cards"));
        }
        Ok(Self {
            parts: FilePart::ALL.map(|part| {
                let part = header.part(part);
                part.start as usize..part.end as usize
            }),
            header,
            bytes,
        })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The first hand's seat, and the second's if two hands are listed.
    pub fn seats(&self) -> (Seat, Option<Seat>) {
        (self.header.first, self.header.second)
    }

    /// Number of cases.
    pub fn cases(&self) -> u64 {
        self.header.cases
    }

    /// T, the sum of the weights.
    pub fn total(&self) -> u128 {
        self.header.total
    }

    /// The owner of the bytes.
    pub(super) fn owner(&self) -> &D {
        &self.bytes
    }

    /// The bytes of the whole file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// A part of the file. Alignment and length were checked on opening.
    fn part<T: Pod>(&self, part: FilePart) -> &[T] {
        bytemuck::cast_slice(self.part_bytes(part))
    }

    pub(super) fn part_bytes(&self, part: FilePart) -> &[u8] {
        &self.bytes()[self.parts[part as usize].clone()]
    }

    /// All records, without copying.
    pub fn records(&self) -> &[CaseRecord] {
        self.part(FilePart::Records)
    }

    /// BLAKE3 of every 65,536 records.
    fn checksums(&self) -> &[[u8; 32]] {
        self.part(FilePart::Checksums)
    }

    /// The total before each run, little-endian.
    pub(super) fn runs(&self) -> &[u128] {
        self.part(FilePart::Runs)
    }

    /// The sum of the weights of each class, by floor(log2 weight), little-endian.
    pub(super) fn weight_classes(&self) -> &[u128] {
        self.part(FilePart::Classes)
    }

    /// The groups of cases of equal weight, by ascending weight.
    pub(super) fn weight_groups(&self) -> &[WeightGroup] {
        self.part(FilePart::Groups)
    }

    /// The guide, little-endian: for each of 2^n equal parts of [0, T) the first case whose total
    /// exceeds the part's start, and then the last case. Empty if 32 bits cannot number the cases.
    #[inline]
    pub fn guide(&self) -> &[u32] {
        let entries = self.header.guide_bits().map_or(0, |bits| (1 << bits) + 1);
        &self.part(FilePart::Guide)[..entries]
    }

    /// The sections after the records.
    pub(super) fn sections(&self) -> &[u8] {
        &self.bytes()[self.parts[FilePart::Checksums as usize].start..]
    }

    /// Finds the case that this number selects: the first one whose cumulative total exceeds it.
    /// `None` if the number is not below T, or if the file was modified so that no record matches.
    pub fn locate(&self, number: u128) -> Option<LocatedCase> {
        if number >= self.total() {
            return None;
        }
        let records = self.records();
        let range = self.records_near(number);
        let near = records.get(range.clone())?;
        let place = range.start + near.partition_point(|record| record.total() <= number);
        let record = records
            .get(place)
            .filter(|record| number < record.total())?;
        let before = self.total_before(place as u64);
        Some(LocatedCase {
            case: place as u64,
            record: *record,
            rest: number.checked_sub(before)?,
            weight: record.total().checked_sub(before)?,
        })
    }

    /// The records before the one that contains a number below T, from the guide's entry on.
    fn records_near(&self, number: u128) -> Range<usize> {
        let guide = self.guide();
        let Some(parts) = guide.len().checked_sub(1) else {
            return 0..self.records().len();
        };
        let part = (number * parts as u128 / self.total()) as usize;
        let entry = |part: usize| u32::from_le(guide[part]) as usize;
        entry(part)..entry(part + 1)
    }

    /// Whether all checksums match. Uses all cores.
    pub fn checksums_match(&self) -> bool {
        let chunks = self.records().par_chunks(CHUNK_RECORDS as usize);
        let is_right = |(records, sum): (&[CaseRecord], &[u8; 32])| {
            blake3::hash(bytemuck::cast_slice(records)) == *sum
        };
        let (checksums, others) = self
            .sections()
            .split_at(self.part_bytes(FilePart::Checksums).len());
        let mut sections = blake3::Hasher::new();
        sections.update_rayon(others);
        let of_checksums = blake3::hash(checksums);
        sections.finalize() == self.header.sections_hash
            && of_checksums == self.header.records_hash
            && chunks.zip(self.checksums()).all(is_right)
    }

    /// The cumulative total before a case, counted from 0. For the number of cases it is T.
    ///
    /// # Panics
    ///
    /// If `case` exceeds the number of cases.
    pub fn total_before(&self, case: u64) -> u128 {
        match case.checked_sub(1) {
            None => 0,
            Some(previous) => self.records()[previous as usize].total(),
        }
    }
}

/// Whether a condition predeals cards, or contains the word and cannot be parsed. No other text is
/// parsed: nothing else in it is needed to deal from the file.
fn predeals(condition: &str) -> bool {
    let parsed = || Condition::parse("condition of the case file", condition);
    condition.contains("predeal") && !parsed().is_ok_and(|found| found.predeal().is_empty())
}
