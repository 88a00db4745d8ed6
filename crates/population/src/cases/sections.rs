//! The sections of a case file that follow from its records: made in one pass on all cores, by
//! writers and by verification.

use std::io;

use rayon::prelude::*;

use super::groups::{WeightCounts, WeightGroup, class_of};
use super::header::{CHUNK_RECORDS, Header, WEIGHT_CLASSES};
use super::record::CaseRecord;

/// Reads consecutive records, from the one of this index on.
pub(super) type ReadRecords<'r> = dyn Fn(u64, &mut [CaseRecord]) -> io::Result<()> + Sync + 'r;

/// The sections of a case file after its records.
#[derive(Debug)]
pub(super) struct Sections {
    checksums: Vec<[u8; 32]>,
    runs: Vec<u128>,
    classes: Vec<u128>,
    groups: Vec<WeightGroup>,
    /// The guide, in pieces.
    guide: Vec<Vec<u32>>,
}

/// The sums over consecutive chunks of records.
#[derive(Default)]
struct ChunkSums {
    /// The record before a chunk, and its records.
    buffer: Vec<CaseRecord>,
    counts: WeightCounts,
    checksums: Vec<[u8; 32]>,
    runs: Vec<u128>,
    guide: Vec<Vec<u32>>,
}

impl Sections {
    /// Makes the sections of a file with this header from its records.
    ///
    /// # Errors
    ///
    /// If a record cannot be read.
    pub(super) fn of(header: &Header, read: &ReadRecords<'_>) -> io::Result<Self> {
        let chunks = header.cases.div_ceil(CHUNK_RECORDS);
        let sums = (0..chunks)
            .into_par_iter()
            .try_fold(ChunkSums::default, |mut sums, chunk| {
                sums.add(header, chunk * CHUNK_RECORDS, read)?;
                Ok::<_, io::Error>(sums)
            })
            .try_reduce(ChunkSums::default, |one, other| Ok(one.followed_by(other)))?;
        let mut classes = vec![0; WEIGHT_CLASSES];
        for (&weight, &cases) in &sums.counts {
            classes[class_of(weight)] += u128::from(weight) * u128::from(cases);
        }
        let mut guide = sums.guide;
        if header.guide_bits().is_some() {
            let last = (header.cases - 1) as u32;
            let entries = 1 + guide.iter().map(Vec::len).sum::<usize>();
            let mut end = vec![0; 1 + entries.next_multiple_of(4) - entries];
            end[0] = last.to_le();
            guide.push(end);
        }
        Ok(Self {
            checksums: sums.checksums,
            runs: sums.runs,
            classes: classes.into_iter().map(u128::to_le).collect(),
            groups: WeightGroup::all(&sums.counts),
            guide,
        })
    }

    /// Fills in what a header says of the sections.
    pub(super) fn seal(&self, header: &mut Header) {
        header.groups = self.groups.len() as u32;
        header.records_hash = *blake3::hash(self.checksums.as_flattened()).as_bytes();
        let mut sections = blake3::Hasher::new();
        for piece in self.pieces().skip(1) {
            sections.update_rayon(piece);
        }
        header.sections_hash = *sections.finalize().as_bytes();
    }

    /// The bytes of the sections in the order of the file: the checksums, and then the others.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let fixed: [&[u8]; 4] = [
            self.checksums.as_flattened(),
            bytemuck::cast_slice(&self.runs),
            bytemuck::cast_slice(&self.classes),
            bytemuck::cast_slice(&self.groups),
        ];
        let guide = self.guide.iter().map(|piece| bytemuck::cast_slice(piece));
        fixed.into_iter().chain(guide)
    }
}

impl ChunkSums {
    /// Adds the chunk that begins with this case.
    fn add(&mut self, header: &Header, first: u64, read: &ReadRecords<'_>) -> io::Result<()> {
        let count = CHUNK_RECORDS.min(header.cases - first) as usize;
        let previous = first.saturating_sub(1);
        let skipped = usize::from(first > 0);
        self.buffer
            .resize(count + skipped, bytemuck::Zeroable::zeroed());
        read(previous, &mut self.buffer)?;
        let (previous, records) = self.buffer.split_at(skipped);
        let before = previous.first().map_or(0, |record| record.total());
        let hash = blake3::hash(bytemuck::cast_slice(records));
        self.checksums.push(*hash.as_bytes());
        count_weights(&mut self.counts, records, before);

        let run = 1u64 << header.run_bits();
        let first_run = first.next_multiple_of(run) - first;
        for place in (first_run as usize..count).step_by(run as usize) {
            let before = match place.checked_sub(1) {
                None => before,
                Some(previous) => records[previous].total(),
            };
            self.runs.push(before.to_le());
        }
        if let Some(bits) = header.guide_bits() {
            self.guide
                .push(guide_of(header, bits, first, before, records));
        }
        Ok(())
    }

    /// Adds the sums of the chunks that follow.
    fn followed_by(mut self, mut other: Self) -> Self {
        self.checksums.append(&mut other.checksums);
        self.runs.append(&mut other.runs);
        self.guide.append(&mut other.guide);
        if self.counts.len() < other.counts.len() {
            std::mem::swap(&mut self.counts, &mut other.counts);
        }
        for (weight, cases) in other.counts {
            *self.counts.entry(weight).or_default() += cases;
        }
        self
    }
}

/// The guide's entries for the parts of [0, T) that begin among these records.
fn guide_of(
    header: &Header,
    bits: u32,
    first: u64,
    before: u128,
    records: &[CaseRecord],
) -> Vec<u32> {
    // The first part that begins at a total or above.
    let part_from = |total: u128| (total << bits).div_ceil(header.total).min(1 << bits);
    let last = records.last().map_or(before, |record| record.total());
    let mut place = 0;
    (part_from(before)..part_from(last))
        .map(|part| {
            let start = (part * header.total) >> bits;
            while records[place].total() <= start && place + 1 < records.len() {
                place += 1;
            }
            ((first + place as u64) as u32).to_le()
        })
        .collect()
}

/// Counts the weights of consecutive records. In a corrupted file, a weight that no case can have
/// counts as 0.
fn count_weights(counts: &mut WeightCounts, records: &[CaseRecord], mut before: u128) {
    // Neighbours often weigh the same.
    let (mut weight, mut run) = (0, 0);
    for record in records {
        let found = record.total().saturating_sub(before);
        before = record.total();
        let found = u64::try_from(found).unwrap_or(0);
        if found != weight {
            *counts.entry(weight).or_default() += run;
            (weight, run) = (found, 0);
        }
        run += 1;
    }
    *counts.entry(weight).or_default() += run;
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use std::collections::BTreeMap;

    use super::*;
    use crate::bridge::Seat;
    use crate::cases::Case;
    use crate::language::HandCase;

    fn sections(totals: &[u128]) -> (Header, Sections) {
        let case = Case {
            first: HandCase::default(),
            second: None,
        };
        let record = |total: &u128| CaseRecord::new(*total, case);
        let records: Vec<CaseRecord> = totals.iter().map(record).collect();
        let header = Header {
            total: totals.iter().copied().max().unwrap_or(0).max(1),
            cases: records.len() as u64,
            groups: 0,
            first: Seat::North,
            second: None,
            records_hash: [0; 32],
            sections_hash: [0; 32],
            condition: String::new(),
        };
        let read = |first: u64, into: &mut [CaseRecord]| {
            into.copy_from_slice(&records[first as usize..][..into.len()]);
            Ok(())
        };
        let sections = Sections::of(&header, &read).unwrap();
        (header, sections)
    }

    #[test]
    fn sections_are_those_of_a_slow_loop() {
        // Runs of one weight, alternating weights, weights of a single case, and runs that cross
        // the boundary between two chunks.
        let weight = |case: u128| match case / 1_000 % 4 {
            0 => 6_435,
            1 => 1 + case % 2,
            2 => case * case,
            _ => 1 << (case % 40),
        };
        for cases in [1, 2, 3, 3_999, 65_536, 65_537, 300_000] {
            let totals: Vec<u128> = (0..cases)
                .scan(0, |total, case| {
                    *total += weight(case).max(1);
                    Some(*total)
                })
                .collect();
            let (header, found) = sections(&totals);
            let before = |case: usize| case.checked_sub(1).map_or(0, |case| totals[case]);
            let mut counts = BTreeMap::new();
            let mut classes = vec![0; 64];
            for (case, total) in totals.iter().enumerate() {
                let weight = total - before(case);
                *counts.entry(weight as u64).or_insert(0) += 1;
                classes[weight.ilog2() as usize] += weight;
            }
            counts.retain(|_, cases| *cases > 1);
            let groups = found
                .groups
                .iter()
                .map(|group| (group.weight(), group.cases()));
            assert!(groups.eq(counts), "{cases} cases");
            assert_eq!(found.classes, classes);
            let run = 1 << header.run_bits();
            let starts = (0..totals.len()).step_by(run).map(before);
            assert!(starts.eq(found.runs.iter().copied()));
            assert!(found.runs.len() <= 65_536);

            let bits = header.guide_bits().unwrap();
            let guide = found.guide.concat();
            assert_eq!(guide.len(), ((1 << bits) + 1usize).next_multiple_of(4));
            for (part, first) in guide[..1 << bits].iter().enumerate() {
                let start = (part as u128 * header.total) >> bits;
                let expected = totals.partition_point(|total| *total <= start);
                assert_eq!(*first as usize, expected, "part {part}");
            }
            assert_eq!(guide[1 << bits] as usize, totals.len() - 1);
        }
    }

    #[test]
    fn totals_of_damaged_files_are_no_panic() {
        let most = (1 << 73) - 1;
        let totals = [5, 5, 3, 9, 0, 1 << 70, 1 << 71, 0, 1 << 70, most, 7, 12, 17];
        let (_, found) = sections(&totals);
        let groups = found
            .groups
            .iter()
            .map(|group| (group.weight(), group.cases()));
        assert!(groups.eq([(5, 3)]));
    }
}
