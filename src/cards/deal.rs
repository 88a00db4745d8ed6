//! Four hands that together are the deck.

use std::fmt;

use super::{Card, Hand, Seat};

/// A deal: thirteen cards to each seat, every card once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deal([Hand; 4]);

/// Why four hands are not a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDeal {
    /// A seat holds more or fewer than thirteen cards.
    #[error("{seat} holds {cards} cards instead of 13")]
    WrongCount {
        /// Whose hand.
        seat: Seat,
        /// How many cards it holds.
        cards: u32,
    },
    /// A card is in more than one hand.
    #[error("{0} is in more than one hand")]
    Doubled(Card),
}

impl Deal {
    /// The deal of these hands, in the order of [`Seat::ALL`].
    ///
    /// # Errors
    ///
    /// [`InvalidDeal`] if a hand does not hold thirteen cards or a card is in two.
    pub fn new(hands: [Hand; 4]) -> Result<Self, InvalidDeal> {
        let mut seen = Hand::EMPTY;
        for seat in Seat::ALL {
            let hand = hands[seat.index()];
            if hand.len() != 13 {
                let cards = hand.len();
                return Err(InvalidDeal::WrongCount { seat, cards });
            }
            if let Some(card) = hand.intersection(seen).cards().next() {
                return Err(InvalidDeal::Doubled(card));
            }
            seen = seen.union(hand);
        }
        Ok(Self(hands))
    }

    /// The deal of hands that are valid by construction; checked in debug builds only.
    pub(crate) fn by_construction(hands: [Hand; 4]) -> Self {
        debug_assert_eq!(Self::new(hands), Ok(Self(hands)));
        Self(hands)
    }

    /// The hands in the order of [`Seat::ALL`].
    #[must_use]
    pub const fn hands(&self) -> &[Hand; 4] {
        &self.0
    }

    /// One player's hand.
    #[must_use]
    pub const fn hand(&self, seat: Seat) -> Hand {
        self.0[seat.index()]
    }
}

impl fmt::Display for Deal {
    /// A PBN deal string from north: `N:AKQ.. ... ... ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [north, east, south, west] = self.0;
        write!(f, "N:{north} {east} {south} {west}")
    }
}
