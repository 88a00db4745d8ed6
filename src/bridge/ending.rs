//! What four players hold of a deck.

use std::fmt;

use super::{Hand, InvalidDeal, Seat};

/// Four hands of any number of cards, no card in two; the rest of the deck is unused.
///
/// An ending in the sense of the essays, or any other diagram: a hand by itself, a
/// position in the middle of a trick, a fouled board where a hand has fourteen cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending([Hand; 4]);

impl Ending {
    /// The ending of these hands, in the order of [`Seat::ALL`].
    ///
    /// # Errors
    ///
    /// [`InvalidDeal::Doubled`] if a card is in two.
    pub fn new(hands: [Hand; 4]) -> Result<Self, InvalidDeal> {
        let mut seen = Hand::EMPTY;
        for hand in hands {
            if let Some(card) = hand.intersection(seen).cards().next() {
                return Err(InvalidDeal::Doubled(card));
            }
            seen = seen.union(hand);
        }
        Ok(Self(hands))
    }

    /// The ending of hands that share no card by construction; checked in debug builds only.
    pub(crate) fn by_construction(hands: [Hand; 4]) -> Self {
        debug_assert_eq!(Self::new(hands), Ok(Self(hands)));
        Self(hands)
    }

    /// The hands in the order of [`Seat::ALL`].
    #[must_use]
    pub const fn hands(&self) -> &[Hand; 4] {
        &self.0
    }

    /// One player's cards.
    #[must_use]
    pub const fn hand(&self, seat: Seat) -> Hand {
        self.0[seat.index()]
    }

    /// How many cards each player holds, in the order of [`Seat::ALL`].
    #[must_use]
    pub fn sizes(&self) -> [u8; 4] {
        self.0.map(|hand| hand.len() as u8)
    }
}

impl fmt::Display for Ending {
    /// As a PBN deal string from north, a hand without cards as `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("N:")?;
        for seat in Seat::ALL {
            if seat != Seat::North {
                f.write_str(" ")?;
            }
            let hand = self.hand(seat);
            if hand.is_empty() {
                f.write_str("-")?;
            } else {
                write!(f, "{hand}")?;
            }
        }
        Ok(())
    }
}
