//! Why a number has no deal or ending, or an ending no number.

use crate::bridge::Seat;

/// The error for a number that is not below the scheme's count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{number} is not below {count}")]
pub struct OutOfRange {
    /// The number.
    pub number: u128,
    /// Number of numbers in the scheme.
    pub count: u128,
}

impl From<OutOfRange> for crate::error::Error {
    fn from(error: OutOfRange) -> Self {
        Self::input(error)
    }
}

impl OutOfRange {
    /// Returns the number if it is below the count.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if it is not.
    pub(crate) fn check(number: u128, count: u128) -> Result<u128, Self> {
        if number < count {
            Ok(number)
        } else {
            Err(Self { number, count })
        }
    }
}

/// The error for an ending without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndingError {
    /// A hand has more than 13 cards.
    #[error("{seat} holds {cards} cards, more than 13")]
    TooMany {
        /// The seat.
        seat: Seat,
        /// Its number of cards.
        cards: u8,
    },
    /// The hands differ in size.
    #[error(
        "{seat} holds {cards} cards and north {north}; this numbering needs hands of equal size"
    )]
    Uneven {
        /// The seat whose hand differs from north's.
        seat: Seat,
        /// Its number of cards.
        cards: u8,
        /// North's number of cards.
        north: u8,
    },
    /// All hands are empty.
    #[error("no hand holds a card; this numbering starts at one card each")]
    Empty,
}
