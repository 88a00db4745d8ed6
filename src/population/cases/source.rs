//! Where the cases of a case file come from.

use std::ops::Range;

use super::record::CaseRecord;
use crate::bridge::Seat;
use crate::language::EvaluationError;

/// A stretch of a listing: consecutive cases, in units that any worker can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub(crate) units: Range<u64>,
    pub(crate) first_case: u64,
    pub(crate) cases: u64,
    pub(crate) total_before: u128,
    pub(crate) total: u128,
}

/// More chunks than any machine has cores, few enough to keep in memory.
pub(super) const CHUNKS: u64 = 1024;

impl Chunk {
    /// Cuts so many units into chunks: what is before each is not known yet.
    pub(crate) fn of_units(units: u64) -> Vec<Self> {
        let size = units.div_ceil(CHUNKS).max(1);
        let chunk = |number: u64| Self {
            units: number * size..units.min((number + 1) * size),
            first_case: 0,
            cases: 0,
            total_before: 0,
            total: 0,
        };
        (0..units.div_ceil(size)).map(chunk).collect()
    }

    /// Tells each what comes before it.
    pub(crate) fn add_up(chunks: &mut [Self]) {
        let (mut case, mut total) = (0, 0);
        for chunk in chunks {
            (chunk.first_case, chunk.total_before) = (case, total);
            case += chunk.cases;
            total += chunk.total;
        }
    }
}

/// Cases in the order of a case file, with their weights.
pub trait Source: Sync {
    /// The first hand's seat, and the second's if two hands are listed.
    fn seats(&self) -> (Seat, Option<Seat>);

    /// Counts and sums every chunk: the first of the two passes.
    ///
    /// # Errors
    ///
    /// If the arithmetic of a joint condition fails for some pair of hands.
    fn chunks(&self) -> Result<Vec<Chunk>, EvaluationError>;

    /// Calls `visit` with the number and the record of every case of a chunk: the second.
    ///
    /// # Errors
    ///
    /// As [`Source::chunks`].
    fn records(
        &self,
        chunk: &Chunk,
        visit: impl FnMut(u64, CaseRecord),
    ) -> Result<(), EvaluationError>;
}
