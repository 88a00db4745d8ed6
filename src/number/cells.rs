//! The numbers of a condition's deals, without a listing: every integer in
//! [0, T × completions) is one.
//!
//! The quotient by the completions falls to a cell and what it chooses, and what is left of
//! it deals the spots; the remainder deals the rest. Of the same condition these numbers
//! are others than those of a case file, in [`cases`](super::cases). docs/reference/numbers.md has the
//! particulars.

use super::OutOfRange;
use crate::bridge::Deal;
use crate::draw::CellNumbers;
use crate::population::cells::Cells;

/// Cells as a numbering.
#[derive(Debug)]
pub struct Numbering<'c>(CellNumbers<'c>);

/// A deal that has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deal does not satisfy the condition")]
pub struct NotTheCondition;

impl<'c> Numbering<'c> {
    /// The numbering of the deals of a condition.
    #[must_use]
    pub fn new(cells: &'c Cells) -> Self {
        Self(CellNumbers::new(cells))
    }

    /// T × completions, at most D.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.0.count()
    }

    /// The deal's number, below [`Self::count`].
    ///
    /// # Errors
    ///
    /// [`NotTheCondition`] if the deal does not satisfy the condition.
    pub fn encode(&self, deal: &Deal) -> Result<u128, NotTheCondition> {
        self.0.number(deal).ok_or(NotTheCondition)
    }

    /// The deal of this number.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] from [`Self::count`] on.
    pub fn decode(&self, number: u128) -> Result<Deal, OutOfRange> {
        let count = self.count();
        OutOfRange::check(number, count)?;
        self.0.deal(number).ok_or(OutOfRange { number, count })
    }
}
