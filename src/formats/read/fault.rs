//! Why a record is no deal.

use crate::bridge::{Card, InvalidDeal, NotationError, Seat};

/// Why a record is no deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its PBN deal string cannot be read, or is none of one deck.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The hands are no deal.
    #[error(transparent)]
    Deal(#[from] InvalidDeal),
    /// A hand has a card that it or another has already.
    #[error("{card} appears twice, the second time in {seat}'s hand")]
    Twice {
        /// Who holds it the second time.
        seat: Seat,
        /// Which card.
        card: Card,
    },
    /// Cards are missing.
    #[error("only {cards} of 52 cards are dealt")]
    Missing {
        /// How many there are.
        cards: u32,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Other(Box<str>),
}

/// A fault in words.
pub(super) fn other(words: impl Into<Box<str>>) -> Fault {
    Fault::Other(words.into())
}
