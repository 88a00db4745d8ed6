//! Faults: reasons why a record is not a deal.

use crate::bridge::{Card, InvalidDeal, NotationError, Seat};

/// The reason why a record is not a deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The PBN deal string cannot be read, or its cards are not from one deck.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The hands do not form a deal.
    #[error(transparent)]
    Deal(#[from] InvalidDeal),
    /// A card is in two hands, or twice in one.
    #[error("{card} appears twice, the second time in {seat}'s hand")]
    Twice {
        /// The seat that has the card the second time.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Cards are missing.
    #[error("only {cards} of 52 cards are dealt")]
    Missing {
        /// Number of cards dealt.
        cards: u32,
    },
    /// Any other fault, as a message.
    #[error("{0}")]
    Other(Box<str>),
}

/// A fault with this message.
pub(super) fn other(words: impl Into<Box<str>>) -> Fault {
    Fault::Other(words.into())
}
