//! Numbers of a case file's deals: every integer in [0, T × completions) is the number of one deal.
//!
//! The quotient by the completions selects a case by the totals, and its offset fills the case's
//! hands: its digits, in the mixed base of the weight's factors, are places in squashed order. The
//! remainder deals the other hands. docs/reference/case-file.md has the details;
//! [`draw::reference`](crate::draw::reference) is a slow implementation of the same.

use super::OutOfRange;
use crate::bridge::Deal;
use crate::draw::{DamagedCase, completions, deal_of_number, number_of_deal};
use crate::population::cases::{CaseFile, Runs};

/// The numbering of a case file's deals.
#[derive(Debug)]
pub struct CaseNumbering<'f, D> {
    file: &'f CaseFile<D>,
    runs: Runs<'f>,
    completions: u64,
}

/// The error for a number without a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The number is not below T × completions.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The case file was modified after it was written.
    #[error("the case file was modified; build it again: {0}")]
    Damaged(#[from] DamagedCase),
}

/// The error for a deal without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The deal belongs to no case.
    #[error("the listing has no case with this deal")]
    NoCase,
    /// The case file was modified after it was written.
    #[error("the case file was modified; build it again: {0}")]
    Damaged(#[from] DamagedCase),
}

impl<'f, D: AsRef<[u8]>> CaseNumbering<'f, D> {
    /// Creates the numbering of a file's deals.
    pub fn new(file: &'f CaseFile<D>) -> Self {
        Self {
            file,
            runs: Runs::new(file),
            completions: completions(file),
        }
    }

    /// Returns T × completions, at most D.
    pub fn count(&self) -> u128 {
        // Above D if the file is corrupted; then its deals have no numbers.
        self.file.total().saturating_mul(self.completions.into())
    }

    /// Returns the number of a deal, below [`Self::count`].
    ///
    /// # Errors
    ///
    /// [`EncodeError`] if the deal does not belong to the file, or the file was modified.
    pub fn encode(&self, deal: &Deal) -> Result<u128, EncodeError> {
        let case = self.runs.case_of(deal).ok_or(EncodeError::NoCase)?;
        Ok(number_of_deal(self.file, case, deal)?)
    }

    /// Returns the deal with this number.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the number is not below [`Self::count`], or the file was modified.
    pub fn decode(&self, number: u128) -> Result<Deal, DecodeError> {
        let number = OutOfRange::check(number, self.count())?;
        let completions = u128::from(self.completions);
        let (place, completion) = (number / completions, (number % completions) as u64);
        Ok(deal_of_number(self.file, place, completion)?)
    }
}
