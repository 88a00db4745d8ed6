//! The case file's header; docs/reference/case-file.md specifies its layout.

use crate::bridge::Seat;
use crate::language::MAX_CONDITION_BYTES;

/// The case file format version that is written and read.
pub const FORMAT_VERSION: u32 = 1;

pub(super) const MAGIC: [u8; 8] = *b"FDCASES1";
/// The header's length is a multiple of this, so that records are page-aligned.
pub(super) const HEADER_UNIT: usize = 4096;
pub(super) const RECORD_BYTES: u64 = 16;

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
    /// Number of records per index entry.
    pub interval: u32,
    /// The first hand's seat.
    pub first: Seat,
    /// The second hand's seat, if one is listed.
    pub second: Option<Seat>,
    /// BLAKE3 of the records.
    pub records_hash: [u8; 32],
    /// BLAKE3 of the index.
    pub index_hash: [u8; 32],
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
        "has case file format version {0}, but this version of fairdeal reads version 1: rebuild it with `fairdeal cases build`, or use the version that wrote it"
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

impl Header {
    fn length(&self) -> usize {
        (CONDITION + self.condition.len()).next_multiple_of(HEADER_UNIT)
    }

    /// The offset of the first record in bytes.
    pub(super) fn records_offset(&self) -> u64 {
        self.length() as u64
    }

    /// The offset of the index in bytes.
    pub(super) fn index_offset(&self) -> u64 {
        self.records_offset() + self.cases * RECORD_BYTES
    }

    /// The number of index entries.
    pub(super) fn index_entries(&self) -> u64 {
        self.cases.div_ceil(u64::from(self.interval))
    }

    /// The length of the whole file in bytes.
    pub(super) fn file_length(&self) -> u64 {
        self.index_offset() + self.index_entries() * RECORD_BYTES
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
        put(40, &self.index_offset().to_le_bytes());
        put(48, &self.interval.to_le_bytes());
        put(52, &[self.first as u8]);
        put(53, &[self.second.map_or(SEAT_NONE, |seat| seat as u8)]);
        put(56, &(self.condition.len() as u32).to_le_bytes());
        put(64, &self.records_hash);
        put(96, &self.index_hash);
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
            interval: u32_at(bytes, 48),
            first,
            second,
            records_hash: array_at(bytes, 64),
            index_hash: array_at(bytes, 96),
            condition: condition.to_owned(),
        };
        if header.length() != bytes.len() {
            return Err(DamagedFile::Field(
                "its length does not match its condition",
            ));
        }
        if header.cases == 0 || header.interval == 0 || !(1..1 << 73).contains(&header.total) {
            return Err(DamagedFile::Field(
                "no cases, no index interval, or T outside 1 to 2^73 - 1",
            ));
        }
        // In u128: a record count near 2^64 must not wrap around.
        let entries = u128::from(header.cases).div_ceil(u128::from(header.interval));
        let index_offset = bytes.len() as u128 + u128::from(header.cases) * 16;
        let wanted = index_offset + entries * 16;
        if wanted != u128::from(found) {
            return Err(DamagedFile::Length { wanted, found });
        }
        if u128::from(u64::from_le_bytes(array_at(bytes, 40))) != index_offset {
            return Err(DamagedFile::Field(
                "the index does not begin where the records end",
            ));
        }
        Ok(header)
    }
}

/// Returns the BLAKE3 checksum of these bytes. Uses all cores.
pub(super) fn checksum(bytes: &[u8]) -> [u8; 32] {
    *blake3::Hasher::new()
        .update_rayon(bytes)
        .finalize()
        .as_bytes()
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}
