//! The guide: where in a case file the numbers of each equal part of [0, T) begin.
//!
//! A number is found by the guide's entry for its part and a search among the
//! few records to the next entry: two places of memory instead of the twenty of
//! a search through the file. The guide has a part for every two to four records,
//! or for every four draws where those are fewer; what is drawn does not depend
//! on it. Making it reads every record once, and checks that the totals rise.

use rayon::prelude::*;

use super::{DamagedCase, DrawError};
use crate::population::cases::{CaseFile, CaseRecord};

/// A guide to a case file.
#[derive(Clone, Debug)]
pub(super) struct Guide {
    /// There are 2^bits parts.
    bits: u32,
    /// By part: the first record whose total exceeds the part's beginning; then the last record.
    starts: Vec<u32>,
}

/// Records a part, if there are draws enough.
const RECORDS_A_PART: u64 = 4;
/// Draws a part, if there are few: making the guide takes as long as many draws.
const DRAWS_A_PART: u64 = 4;
/// At most 2^24 parts: 64 MiB.
const MOST_BITS: u32 = 24;
/// Parts that one worker goes through.
const RUN: usize = 1 << 12;

impl Guide {
    /// Goes through the file, for so many draws.
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
        // With little memory a coarser guide has to do.
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

    /// Between which records a number is found, both included, that comes from
    /// these places of U after `depth` that are `index`.
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

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.starts)
    }
}

/// The place of the first record whose total exceeds this, mostly a near one.
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
