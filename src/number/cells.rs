//! Numbers of a condition's deals, without a listing: every integer in [0, T × completions) is the
//! number of one deal.
//!
//! The quotient by the completions selects a cell and its choices, and its offset deals the spots;
//! the remainder deals the other hands. For the same condition these numbers differ from those of a
//! case file in [`cases`](super::cases). docs/reference/numbers.md has the details.

use super::OutOfRange;
use crate::bridge::Deal;
use crate::draw::CellNumbers;
use crate::population::cells::Cells;

/// The numbering of a condition's deals by cells.
#[derive(Debug)]
pub struct CellNumbering<'c>(CellNumbers<'c>);

/// The error for a deal without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deal does not satisfy the condition")]
pub struct NotTheCondition;

impl<'c> CellNumbering<'c> {
    /// Creates the numbering of the deals of a condition.
    #[must_use]
    pub fn new(cells: &'c Cells) -> Self {
        Self(CellNumbers::new(cells))
    }

    /// Returns T × completions, at most D.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.0.count()
    }

    /// Returns the number of a deal, below [`Self::count`].
    ///
    /// # Errors
    ///
    /// [`NotTheCondition`] if the deal does not satisfy the condition.
    pub fn encode(&self, deal: &Deal) -> Result<u128, NotTheCondition> {
        self.0.number(deal).ok_or(NotTheCondition)
    }

    /// Returns the deal with this number.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the number is not below [`Self::count`].
    pub fn decode(&self, number: u128) -> Result<Deal, OutOfRange> {
        let count = self.count();
        OutOfRange::check(number, count)?;
        self.0.deal(number).ok_or(OutOfRange { number, count })
    }
}
