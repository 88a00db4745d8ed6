//! Case files in memory: from any bytes, repaired, or from a listing.

use std::collections::BTreeMap;

use fairdeal::bridge::Seat;
use fairdeal::language::Condition;
use fairdeal::population::cases::{
    self, CaseBytes, CaseFile, CaseRecord, Census, FORMAT_VERSION, Listing, weight,
};

/// Offsets of the header's fields and its condition (docs/reference/case-file.md).
const LENGTH: usize = 12;
const TOTAL: usize = 16;
const CASES: usize = 32;
const RECORDS_END: usize = 40;
const GROUPS: usize = 48;
const SEATS: usize = 52;
const CONDITION_LENGTH: usize = 56;
const RECORDS_HASH: usize = 64;
const SECTIONS_HASH: usize = 96;
const HEADER_HASH: usize = 128;
const CONDITION: usize = 160;
const HEADER_UNIT: usize = 4096;
const RECORD: usize = 16;

/// The bytes of a file, aligned to 16 bytes like those of a memory map.
pub struct Aligned {
    units: Vec<u128>,
    length: usize,
}

impl Aligned {
    /// A copy of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut units = vec![0; bytes.len().div_ceil(RECORD)];
        bytemuck::cast_slice_mut(&mut units)[..bytes.len()].copy_from_slice(bytes);
        Self {
            units,
            length: bytes.len(),
        }
    }
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.units)[..self.length]
    }
}

/// Bits that select further repairs, besides lengths and checksums.
const TOTAL_OF_RECORDS: u8 = 1;
const SECTIONS_OF_RECORDS: u8 = 2;
const WEIGHTS: u8 = 4;

/// A case file from a header of 160 bytes, its condition and any records.
///
/// The zeros after the header and the sections are added. The magic bytes, lengths and checksums are
/// made valid; the bits of `how` select repairs of totals and sections too.
#[must_use]
pub fn repaired(how: u8, bytes: &[u8]) -> Vec<u8> {
    let (fixed, rest) = bytes.split_at(bytes.len().min(CONDITION));
    let mut header = vec![0; CONDITION];
    header[..fixed.len()].copy_from_slice(fixed);
    let claimed = u32::from_le_bytes(field(&header, CONDITION_LENGTH)) as usize;
    let (condition, records) = rest.split_at(claimed.min(rest.len()));
    header.extend_from_slice(condition);
    header.resize(header.len().next_multiple_of(HEADER_UNIT), 0);

    let (records, _) = records.as_chunks::<RECORD>();
    let mut records: Vec<CaseRecord> = records
        .iter()
        .map(|record| bytemuck::cast(*record))
        .collect();
    if how & WEIGHTS != 0 {
        weigh(&mut records, &header);
    }
    let mut total = u128::from_le_bytes(field(&header, TOTAL));
    if how & TOTAL_OF_RECORDS != 0 {
        total = records.last().map_or(0, |record| record.total());
    }
    let (mut sections, groups) = sections(&records, total);
    if how & SECTIONS_OF_RECORDS == 0 {
        sections.fill(0);
    }
    let records: &[u8] = bytemuck::cast_slice(&records);
    let sums: Vec<[u8; 32]> = records.chunks(1 << 20).map(hash).collect();
    let sums = sums.as_flattened();

    let records_end = (header.len() + records.len()) as u64;
    let mut put = |at: usize, field: &[u8]| header[at..at + field.len()].copy_from_slice(field);
    put(0, b"FDCASES1");
    put(8, &FORMAT_VERSION.to_le_bytes());
    put(TOTAL, &total.to_le_bytes());
    put(CASES, &((records.len() / RECORD) as u64).to_le_bytes());
    put(RECORDS_END, &records_end.to_le_bytes());
    put(GROUPS, &groups.to_le_bytes());
    put(CONDITION_LENGTH, &(condition.len() as u32).to_le_bytes());
    put(RECORDS_HASH, &hash(sums));
    put(SECTIONS_HASH, &hash(&sections));
    put(HEADER_HASH, &[0; 32]);
    let length = header.len() as u32;
    header[LENGTH..LENGTH + 4].copy_from_slice(&length.to_le_bytes());
    let of_header = hash(&header);
    header[HEADER_HASH..CONDITION].copy_from_slice(&of_header);
    [&header, records, sums, &sections].concat()
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// The sections of a file with at most 65,536 cases, and the number of its groups.
fn sections(records: &[CaseRecord], total: u128) -> (Vec<u8>, u32) {
    let before: Vec<u128> = std::iter::once(0)
        .chain(records.iter().map(|record| record.total()))
        .collect();
    let mut counts = BTreeMap::<u64, u64>::new();
    for pair in before.windows(2) {
        let weight = u64::try_from(pair[1].saturating_sub(pair[0])).unwrap_or(0);
        *counts.entry(weight).or_default() += 1;
    }
    counts.remove(&0);
    let mut classes = [0u128; 64];
    for (weight, cases) in &counts {
        classes[weight.ilog2() as usize] += u128::from(*weight) * u128::from(*cases);
    }
    counts.retain(|_, cases| *cases > 1);
    let parts = (records.len() as u64 / 4).max(1).next_power_of_two();
    let first = |part: u64| {
        let start = u128::from(part).wrapping_mul(total) >> parts.ilog2();
        let first = records.partition_point(|record| record.total() <= start);
        first.min(records.len().saturating_sub(1)) as u32
    };
    let last = records.len().saturating_sub(1) as u32;
    let mut guide: Vec<u32> = (0..parts).map(first).chain([last]).collect();
    guide.resize(guide.len().next_multiple_of(4), 0);
    let pairs: Vec<[u64; 2]> = counts.iter().map(|(w, n)| [*w, *n]).collect();
    let sections: [&[u8]; 4] = [
        bytemuck::cast_slice(&before[..records.len()]),
        bytemuck::cast_slice(&classes),
        bytemuck::cast_slice(&pairs),
        bytemuck::cast_slice(&guide),
    ];
    (sections.concat(), counts.len() as u32)
}

/// Sets the totals to the sums of the weights, up to the first record that is not a case.
fn weigh(records: &mut [CaseRecord], header: &[u8]) {
    if Seat::from_index(usize::from(header[SEATS])).is_none() {
        return;
    }
    let mut total = 0;
    for record in records {
        let Ok(case) = record.case() else {
            return;
        };
        total += u128::from(weight(case.first, case.second));
        *record = CaseRecord::new(total, case);
    }
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&bytes[at..at + N]);
    field
}

/// The case file of a listing, written to a temporary file and read back.
///
/// # Panics
///
/// If it cannot be written or read.
#[must_use]
pub fn listed(condition: &Condition, listing: &Listing, census: Census) -> CaseFile<CaseBytes> {
    let name = format!("fairdeal-fuzz-{}.cases", std::process::id());
    let path = std::env::temp_dir().join(name);
    let written = cases::write(condition, listing, census, &path, &|_| {});
    assert!(written.is_ok(), "{written:?}");
    let file = cases::read(&path);
    let _ = std::fs::remove_file(&path);
    match file {
        Ok(file) => file,
        Err(error) => panic!("{error}"),
    }
}
