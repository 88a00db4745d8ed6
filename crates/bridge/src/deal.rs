//! Four hands that together form the deck.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Card, Ending, Hand, Seat};

/// A deal: the whole deck, thirteen cards to each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "[u64; 4]", try_from = "[u64; 4]")]
pub struct Deal(Ending);

/// The error for four hands that are not a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDeal {
    /// A seat holds more or fewer than thirteen cards.
    #[error("{seat} holds {cards} cards instead of 13{}", in_no_hand(*.missing))]
    WrongCount {
        /// The seat.
        seat: Seat,
        /// Its number of cards.
        cards: u32,
        /// The first card in no hand, if the seat holds too few cards.
        missing: Option<Card>,
    },
    /// A card is in two hands.
    #[error("{0} is in two hands")]
    Doubled(Card),
}

fn in_no_hand(card: Option<Card>) -> String {
    card.map_or_else(String::new, |card| format!(": {card} is in no hand"))
}

/// The hands as bits, in a saved state.
impl From<Deal> for [u64; 4] {
    fn from(deal: Deal) -> Self {
        deal.hands().map(Hand::bits)
    }
}

impl TryFrom<[u64; 4]> for Deal {
    type Error = InvalidDeal;

    fn try_from(hands: [u64; 4]) -> Result<Self, InvalidDeal> {
        Self::new(hands.map(Hand::from_bits))
    }
}

impl Deal {
    /// Creates the deal of these hands, in the order of [`Seat::ALL`].
    ///
    /// # Errors
    ///
    /// [`InvalidDeal`] if a hand does not hold thirteen cards, or a card is in two hands.
    pub fn new(hands: [Hand; 4]) -> Result<Self, InvalidDeal> {
        let ending = Ending::new(hands)?;
        let seat_with = |wrong: fn(u32) -> bool| {
            let mut seats = Seat::ALL.into_iter();
            seats.find(|&seat| wrong(ending.hand(seat).len()))
        };
        // If one hand has too many cards, another has too few because of it.
        let Some(seat) = seat_with(|cards| cards > 13).or_else(|| seat_with(|cards| cards < 13))
        else {
            return Ok(Self(ending));
        };
        let cards = ending.hand(seat).len();
        let dealt = hands.into_iter().fold(Hand::EMPTY, Hand::union);
        let missing = Hand::DECK.without(dealt).cards().next();
        Err(InvalidDeal::WrongCount {
            seat,
            cards,
            missing: missing.filter(|_| cards < 13),
        })
    }

    /// Creates a deal of hands that are valid by construction; checked in debug builds only.
    #[inline]
    pub fn by_construction(hands: [Hand; 4]) -> Self {
        let deal = Self(Ending::by_construction(hands));
        debug_assert_eq!(Self::new(hands), Ok(deal));
        deal
    }

    /// Returns the hands in the order of [`Seat::ALL`].
    #[inline]
    pub const fn hands(&self) -> &[Hand; 4] {
        self.0.hands()
    }

    /// Returns the hand of a seat.
    pub const fn hand(&self, seat: Seat) -> Hand {
        self.0.hand(seat)
    }

    /// Returns the deal after the hands have moved clockwise by this number of seats.
    #[inline]
    pub fn turned(&self, turns: usize) -> Self {
        let mut hands = *self.hands();
        hands.rotate_right(turns % 4);
        Self::by_construction(hands)
    }
}

impl From<Deal> for Ending {
    #[inline]
    fn from(deal: Deal) -> Self {
        deal.0
    }
}

impl TryFrom<Ending> for Deal {
    type Error = InvalidDeal;

    /// # Errors
    ///
    /// [`InvalidDeal`] if a hand does not hold thirteen cards.
    #[inline]
    fn try_from(ending: Ending) -> Result<Self, InvalidDeal> {
        Self::new(*ending.hands())
    }
}

impl fmt::Display for Deal {
    /// Writes a PBN deal string from north: `N:AKQ.. ... ... ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
