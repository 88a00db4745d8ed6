//! The guide: an index of a case file that gives, for each equal part of [0, T), its first record.
//!
//! A look-up takes the guide's entry for a number's part and a search among the few records up to
//! the next entry. That touches two places in memory; a binary search of the file would touch about
//! twenty. The guide has one part for every two to four records, or for every four draws if those
//! are fewer. The draws do not depend on it. Building the guide reads every record once, and checks
//! that the totals increase.

use rayon::prelude::*;

use super::{DamagedCase, DrawError};
use crate::population::cases::{CaseFile, CaseRecord};

/// The guide of a case file.
#[derive(Clone, Debug)]
pub(super) struct Guide {
    /// There are 2^bits parts.
    bits: u32,
    /// For each part, the first record whose total exceeds the part's start; then the last record.
    starts: Vec<u32>,
}

/// Records per part, if there are enough draws.
const RECORDS_A_PART: u64 = 4;
/// Draws per part, if there are few draws: building the guide costs as much as drawing.
const DRAWS_A_PART: u64 = 4;
/// Maximum: 2^24 parts (64 MiB).
const MOST_BITS: u32 = 24;
/// Number of parts in one unit of work.
const RUN: usize = 1 << 12;

impl Guide {
    /// Builds the guide of a file for about `draws` draws.
    pub(super) fn new<D: AsRef<[u8]> + Sync>(
        file: &CaseFile<D>,
        draws: u64,
    ) -> Result<Self, DrawError> {
        let records = file.records();
        let last = u32::try_from(records.len())
            .ok()
            .and_then(|n| n.checked_sub(1));
        let last = last.ok_or(DrawError::Cases(file.cases()))?;
        let parts = (file.cases() / RECORDS_A_PART)
            .min(draws / DRAWS_A_PART)
            .max(1);
        let mut bits = parts.next_power_of_two().ilog2().min(MOST_BITS);
        let mut starts = Vec::new();
        // If memory is short, a coarser guide has to do.
        while starts.try_reserve_exact((1 << bits) + 1).is_err() && bits > 0 {
            bits -= 1;
        }
        starts.resize((1 << bits) + 1, 0);
        let runs = starts.par_chunks_mut(RUN).enumerate();
        let all_rise = runs.all(|(run, starts)| {
            let beginning = |part: usize| ((run * RUN + part) as u128 * file.total()) >> bits;
            let bound = beginning(0);
            let first = records.partition_point(|record| record.total() <= bound);
            let mut record = first;
            for (part, start) in starts.iter_mut().enumerate() {
                record += first_above(&records[record..], beginning(part));
                *start = (record as u32).min(last);
            }
            // The records up to the next run's first have just been read.
            let end = record + first_above(&records[record..], beginning(starts.len()));
            let stretch = &records[first..records.len().min(end + 1)];
            stretch.is_sorted_by(|a, b| a.total() < b.total())
        });
        if !all_rise {
            return Err(DamagedCase::Totals.into());
        }
        Ok(Self { bits, starts })
    }

    /// Returns the first and the last record that can contain a number, given `index`, the first
    /// `depth` binary places of U, and `places`, the next 64.
    #[inline]
    pub(super) fn range(&self, depth: u32, index: u64, places: u64) -> (u32, u32) {
        let part = if self.bits <= depth {
            index >> (depth - self.bits)
        } else {
            let wanted = self.bits - depth;
            index << wanted | places >> (64 - wanted)
        };
        let part = part as usize;
        (self.starts[part], self.starts[part + 1])
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.starts)
    }
}

/// Returns the place of the first record whose total exceeds the bound. It is mostly near.
#[inline]
fn first_above(records: &[CaseRecord], bound: u128) -> usize {
    const NEAR: usize = 16;
    let is_below = |record: &CaseRecord| record.total() <= bound;
    let near = &records[..records.len().min(NEAR)];
    if let Some(place) = near.iter().position(|record| !is_below(record)) {
        return place;
    }
    let mut reach = NEAR;
    while reach < records.len() && is_below(&records[reach]) {
        reach *= 2;
    }
    records[..reach.min(records.len())].partition_point(is_below)
}
