//! Sources of the cases of a case file.

use std::ops::Range;

use super::record::CaseRecord;
use crate::bridge::Seat;

/// A chunk of a listing: consecutive units of cases, which one worker processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseChunk {
    pub(crate) units: Range<u64>,
    pub(crate) first_case: u64,
    pub(crate) cases: u64,
    pub(crate) total_before: u128,
    pub(crate) total: u128,
}

/// Maximum number of chunks: more than a machine has cores, and few enough to keep in memory.
pub(super) const CHUNKS: u64 = 1024;

impl CaseChunk {
    /// Splits this number of units into chunks. Cases and totals are filled in later.
    pub(crate) fn of_units(units: u64) -> Vec<Self> {
        let size = units.div_ceil(CHUNKS).max(1);
        let chunk = |number: u64| Self {
            units: number * size..units.min((number + 1) * size),
            ..Self::default()
        };
        (0..units.div_ceil(size)).map(chunk).collect()
    }

    /// Sets each chunk's first case and the total before it.
    pub(crate) fn add_up(chunks: &mut [Self]) {
        let (mut case, mut total) = (0, 0);
        for chunk in chunks {
            (chunk.first_case, chunk.total_before) = (case, total);
            case += chunk.cases;
            total += chunk.total;
        }
    }
}

/// A source of cases in the order of a case file, with their weights.
pub trait CaseSource: Sync {
    /// The first hand's seat, and the second's if two hands are listed.
    fn seats(&self) -> (Seat, Option<Seat>);

    /// Counts and sums the cases of every chunk: the first of two passes.
    fn chunks(&self) -> Vec<CaseChunk>;

    /// Calls `visit` with the index and the record of every case of a chunk: the second pass.
    fn records(&self, chunk: &CaseChunk, visit: impl FnMut(u64, CaseRecord));
}
