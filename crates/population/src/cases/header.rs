//! The case file's header; docs/reference/case-file.md specifies its layout.

use std::ops::Range;

use crate::bridge::Seat;
use crate::language::MAX_CONDITION_BYTES;

/// The case file format version that is written and read.
pub const FORMAT_VERSION: u32 = 2;

pub(super) const MAGIC: [u8; 8] = *b"FDCASES1";
/// The header's length is a multiple of this, so that records are page-aligned.
pub(super) const HEADER_UNIT: usize = 4096;
pub(super) const RECORD_BYTES: u64 = 16;
/// Number of records per checksum.
pub(super) const CHUNK_RECORDS: u64 = 65_536;
/// Maximum number of runs.
const MOST_RUNS: u64 = 1 << 16;
/// Number of weight classes, by the position of the highest bit.
pub const WEIGHT_CLASSES: usize = 64;
/// Number of records per entry of the guide, up to a power of two of entries.
const GUIDED_RECORDS: u64 = 4;
/// The guide has 2^24 entries (64 MiB) at most.
const MOST_GUIDE_BITS: u32 = 24;

const CONDITION: usize = 160;
/// Maximum length of a header in bytes.
const LONGEST: usize = (CONDITION + MAX_CONDITION_BYTES).next_multiple_of(HEADER_UNIT);
const SEAT_NONE: u8 = 255;

/// The fields of a case file's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// T, the sum of all weights.
    pub total: u128,
    /// Number of records.
    pub cases: u64,
    /// Number of groups of cases of equal weight.
    pub(super) groups: u32,
    /// The first hand's seat.
    pub first: Seat,
    /// The second hand's seat, if one is listed.
    pub second: Option<Seat>,
    /// BLAKE3 of the checksums of the records.
    pub records_hash: [u8; 32],
    /// BLAKE3 of the sections after these checksums.
    pub sections_hash: [u8; 32],
    /// The condition's source.
    pub condition: String,
}

/// The reason why bytes are not a complete case file of this version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamagedFile {
    /// The file is empty.
    #[error("is empty")]
    Empty,
    /// The file does not begin with `FDCASES1`.
    #[error("is not a case file: it does not begin with FDCASES1")]
    NotACaseFile,
    /// The format version is not supported.
    #[error(
        "has case file format version {0}, but this version of fairdeal reads version 2: rebuild it with `fairdeal cases build`, or use the version that wrote it"
    )]
    Version(u32),
    /// The file is shorter or longer than its header requires.
    #[error(
        "has {found} bytes but its header requires {wanted}: the file was truncated or modified; rebuild it"
    )]
    Length {
        /// The required length in bytes.
        wanted: u128,
        /// The actual length in bytes.
        found: u64,
    },
    /// The header's checksum does not match.
    #[error(
        "has a corrupted header (bytes 0 to {0}): the checksum does not match; rebuild the file"
    )]
    HeaderHash(usize),
    /// A field of the header has an invalid value.
    #[error("has a corrupted header: {0}; rebuild the file")]
    Field(&'static str),
}

/// The parts of a case file after its header, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilePart {
    /// The records.
    Records,
    /// BLAKE3 of every 65,536 records.
    Checksums,
    /// The total before each run.
    Runs,
    /// The total weight of each class.
    Classes,
    /// The groups of cases of equal weight.
    Groups,
    /// The first case of each equal part of [0, T).
    Guide,
}

impl FilePart {
    pub(super) const COUNT: usize = 6;
    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::Records,
        Self::Checksums,
        Self::Runs,
        Self::Classes,
        Self::Groups,
        Self::Guide,
    ];
}

impl Header {
    fn length(&self) -> usize {
        (CONDITION + self.condition.len()).next_multiple_of(HEADER_UNIT)
    }

    /// The binary logarithm of the number of cases per run: the smallest that gives at most 65,536
    /// runs.
    pub(super) fn run_bits(&self) -> u32 {
        let least = self.cases.div_ceil(MOST_RUNS).max(1);
        least.next_power_of_two().ilog2()
    }

    /// The binary logarithm of the number of parts of [0, T) in the guide; `None` for a file of more
    /// cases than 32 bits can number, which has no guide.
    pub(super) fn guide_bits(&self) -> Option<u32> {
        u32::try_from(self.cases).ok()?;
        let parts = (self.cases / GUIDED_RECORDS).max(1).next_power_of_two();
        Some(parts.ilog2().min(MOST_GUIDE_BITS))
    }

    /// The offsets of all parts in bytes, and the length of the whole file. In u128: a number of
    /// cases near 2^64 must not wrap around.
    fn offsets(&self) -> [u128; FilePart::COUNT + 1] {
        let cases = u128::from(self.cases);
        let guide = self.guide_bits().map_or(0, |bits| 4 * ((1 << bits) + 1));
        let sizes: [u128; FilePart::COUNT] = [
            cases * u128::from(RECORD_BYTES),
            cases.div_ceil(u128::from(CHUNK_RECORDS)) * 32,
            cases.div_ceil(1 << self.run_bits()) * 16,
            WEIGHT_CLASSES as u128 * 16,
            u128::from(self.groups) * 16,
            u128::next_multiple_of(guide, 16),
        ];
        let mut end = self.length() as u128;
        let mut offsets = [end; FilePart::COUNT + 1];
        for (offset, size) in offsets[1..].iter_mut().zip(sizes) {
            end += size;
            *offset = end;
        }
        offsets
    }

    /// The bytes of a part of the file.
    pub(super) fn part(&self, part: FilePart) -> Range<u64> {
        let offsets = self.offsets();
        offsets[part as usize] as u64..offsets[part as usize + 1] as u64
    }

    /// The length of the whole file in bytes.
    pub(super) fn file_length(&self) -> u64 {
        self.offsets()[FilePart::COUNT] as u64
    }

    /// Serialises the header, including its own checksum.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        assert!(self.condition.len() <= MAX_CONDITION_BYTES);
        let mut bytes = vec![0; self.length()];
        let length = bytes.len() as u32;
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        put(8, &FORMAT_VERSION.to_le_bytes());
        put(12, &length.to_le_bytes());
        put(16, &self.total.to_le_bytes());
        put(32, &self.cases.to_le_bytes());
        put(40, &self.part(FilePart::Checksums).start.to_le_bytes());
        put(48, &self.groups.to_le_bytes());
        put(52, &[self.first as u8]);
        put(53, &[self.second.map_or(SEAT_NONE, |seat| seat as u8)]);
        put(56, &(self.condition.len() as u32).to_le_bytes());
        put(64, &self.records_hash);
        put(96, &self.sections_hash);
        put(CONDITION, self.condition.as_bytes());
        let hash = blake3::hash(&bytes);
        bytes[128..160].copy_from_slice(hash.as_bytes());
        bytes
    }

    /// Returns the number of bytes that have to be read to parse the header of a file that begins
    /// with these bytes; at most about 1 MiB.
    pub(super) fn wanted(start: &[u8]) -> usize {
        if start.len() < CONDITION || !start.starts_with(&MAGIC) {
            return HEADER_UNIT;
        }
        (u32_at(start, 12) as usize).min(LONGEST)
    }

    /// Parses and checks the header of a file with these bytes, and checks the file's length.
    ///
    /// # Errors
    ///
    /// [`DamagedFile`] with the first error.
    pub(super) fn from_file(file: &[u8]) -> Result<Self, DamagedFile> {
        Self::from_start(file, file.len() as u64)
    }

    /// Like [`Header::from_file`], for a file of `found` bytes of which only the first are given:
    /// the [`wanted`](Self::wanted) number, or all.
    ///
    /// # Errors
    ///
    /// As [`Header::from_file`].
    pub(super) fn from_start(file: &[u8], found: u64) -> Result<Self, DamagedFile> {
        if file.is_empty() {
            return Err(DamagedFile::Empty);
        }
        if !file.starts_with(&MAGIC) {
            return Err(DamagedFile::NotACaseFile);
        }
        let too_short = |wanted: usize| DamagedFile::Length {
            wanted: wanted as u128,
            found,
        };
        if file.len() < CONDITION {
            return Err(too_short(HEADER_UNIT));
        }
        let version = u32_at(file, 8);
        if version != FORMAT_VERSION {
            return Err(DamagedFile::Version(version));
        }
        let length = u32_at(file, 12) as usize;
        if length == 0 || !length.is_multiple_of(HEADER_UNIT) || length > LONGEST {
            return Err(DamagedFile::Field("its length is not a multiple of 4,096"));
        }
        let Some(bytes) = file.get(..length) else {
            return Err(too_short(length));
        };
        let mut hasher = blake3::Hasher::new();
        hasher
            .update(&bytes[..128])
            .update(&[0; 32])
            .update(&bytes[160..]);
        if *hasher.finalize().as_bytes() != bytes[128..160] {
            return Err(DamagedFile::HeaderHash(length));
        }
        Self::from_checked(bytes, found)
    }

    /// Parses a header whose checksum matches. An error in it was written that way.
    fn from_checked(bytes: &[u8], found: u64) -> Result<Self, DamagedFile> {
        let seat = |byte: u8| Seat::from_index(usize::from(byte));
        let first = seat(bytes[52]).ok_or(DamagedFile::Field("the first seat is invalid"))?;
        let second = match bytes[53] {
            SEAT_NONE => None,
            byte => Some(seat(byte).ok_or(DamagedFile::Field("the second seat is invalid"))?),
        };
        if second == Some(first) {
            return Err(DamagedFile::Field("both seats are the same"));
        }
        let condition_length = u32_at(bytes, 56) as usize;
        let condition = bytes
            .get(CONDITION..CONDITION + condition_length)
            .and_then(|text| std::str::from_utf8(text).ok())
            .ok_or(DamagedFile::Field("the condition is not UTF-8 text"))?;
        let header = Self {
            total: u128::from_le_bytes(array_at(bytes, 16)),
            cases: u64::from_le_bytes(array_at(bytes, 32)),
            groups: u32_at(bytes, 48),
            first,
            second,
            records_hash: array_at(bytes, 64),
            sections_hash: array_at(bytes, 96),
            condition: condition.to_owned(),
        };
        if header.length() != bytes.len() {
            return Err(DamagedFile::Field(
                "its length does not match its condition",
            ));
        }
        if header.cases == 0 || !(1..1 << 73).contains(&header.total) {
            return Err(DamagedFile::Field("no cases, or T outside 1 to 2^73 - 1"));
        }
        let offsets = header.offsets();
        let wanted = offsets[FilePart::COUNT];
        if wanted != u128::from(found) {
            return Err(DamagedFile::Length { wanted, found });
        }
        let records_end = u64::from_le_bytes(array_at(bytes, 40));
        if u128::from(records_end) != offsets[FilePart::Checksums as usize] {
            return Err(DamagedFile::Field(
                "the checksums do not begin where the records end",
            ));
        }
        Ok(header)
    }
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}
