//! Four hands that may hold only part of the deck.

use std::fmt;

use super::{Hand, InvalidDeal, Seat};

/// Four hands of any number of cards, without common cards; the rest of the deck is unused.
///
/// An ending in the sense of the essays, or any other diagram: a single hand, a position in the
/// middle of a trick, a fouled board with fourteen cards in a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending([Hand; 4]);

impl Ending {
    /// Creates the ending of these hands, in the order of [`Seat::ALL`].
    ///
    /// # Errors
    ///
    /// [`InvalidDeal::Doubled`] if a card is in two hands.
    #[inline]
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

    /// Creates an ending of hands without common cards by construction; checked in debug builds
    /// only.
    #[inline]
    pub fn by_construction(hands: [Hand; 4]) -> Self {
        debug_assert_eq!(Self::new(hands), Ok(Self(hands)));
        Self(hands)
    }

    /// Returns the hands in the order of [`Seat::ALL`].
    #[inline]
    pub const fn hands(&self) -> &[Hand; 4] {
        &self.0
    }

    /// Returns the hand of a seat.
    pub const fn hand(&self, seat: Seat) -> Hand {
        self.0[seat.index()]
    }

    /// Returns the number of cards in each hand, in the order of [`Seat::ALL`].
    #[inline]
    pub fn sizes(&self) -> [u8; 4] {
        self.0.map(|hand| hand.len() as u8)
    }
}

impl fmt::Display for Ending {
    /// Writes a PBN deal string from north, with `-` for a hand without cards.
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
