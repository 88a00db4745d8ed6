//! The numbers of a case file's deals: every integer in [0, T × completions) is one.
//!
//! The quotient by the completions falls into a case by the totals, and what is left of
//! it fills the case's hands: its digits, in the mixed base of the factors of the
//! weight, are places in squashed order. The remainder deals the rest. docs/reference/case-file.md has
//! the particulars; [`draw::reference`](crate::draw::reference) is the same, slowly.

use super::OutOfRange;
use crate::bridge::Deal;
use crate::draw::{DamagedCase, completions, deal_of_number, number_of_deal};
use crate::population::cases::{CaseFile, Runs};

/// A case file as a numbering.
#[derive(Debug)]
pub struct Numbering<'f, D> {
    file: &'f CaseFile<D>,
    runs: Runs<'f>,
    /// The totals in which cases are searched.
    index: Vec<u128>,
    completions: u64,
}

/// Why a number stands for no deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// It is not below T × completions.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The case file was altered after it was written.
    #[error("the case file was modified; build it again: {0}")]
    Damaged(#[from] DamagedCase),
}

/// Why a deal has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// No case has it.
    #[error("the listing has no case with this deal")]
    NoCase,
    /// The case file was altered after it was written.
    #[error("the case file was modified; build it again: {0}")]
    Damaged(#[from] DamagedCase),
}

impl<'f, D: AsRef<[u8]>> Numbering<'f, D> {
    /// The numbering of a file's deals.
    #[must_use]
    pub fn new(file: &'f CaseFile<D>) -> Self {
        // From the records rather than the file's index, so that both ways go by the same.
        let intervals = (0..file.cases()).step_by(file.header().interval as usize);
        Self {
            file,
            runs: Runs::new(file),
            index: intervals.map(|case| file.total_before(case)).collect(),
            completions: completions(file),
        }
    }

    /// T × completions, at most D.
    #[must_use]
    pub fn count(&self) -> u128 {
        // More than D if the file is damaged, whose deals then have no numbers.
        self.file.total().saturating_mul(self.completions.into())
    }

    /// The deal's number, below [`Self::count`].
    ///
    /// # Errors
    ///
    /// [`EncodeError`] if the deal is none of the file's, or the file was altered.
    pub fn encode(&self, deal: &Deal) -> Result<u128, EncodeError> {
        let case = self.runs.case_of(deal).ok_or(EncodeError::NoCase)?;
        Ok(number_of_deal(self.file, case, deal)?)
    }

    /// The deal of this number.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] from [`Self::count`] on, or if the file was altered.
    pub fn decode(&self, number: u128) -> Result<Deal, DecodeError> {
        let number = OutOfRange::check(number, self.count())?;
        let completions = u128::from(self.completions);
        let (place, completion) = (number / completions, (number % completions) as u64);
        Ok(deal_of_number(self.file, &self.index, place, completion)?)
    }
}
