//! Predealt cards.

use crate::bridge::{Card, Deal, Hand, Seat};

/// Predealt cards of each hand; the other cards are dealt at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predeal {
    hands: [Hand; 4],
}

impl Predeal {
    /// No predealt cards.
    pub const NONE: Self = Self {
        hands: [Hand::EMPTY; 4],
    };

    /// Whether no card is predealt.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// The predealt cards of a hand.
    #[inline]
    pub fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat.index()]
    }

    /// All predealt cards.
    #[inline]
    pub fn all(&self) -> Hand {
        self.hands.into_iter().fold(Hand::EMPTY, Hand::union)
    }

    /// The seat with the most predealt cards, the first of them in the order of [`Seat::ALL`].
    pub fn longest(&self) -> Seat {
        let longer = |longest: Seat, seat: Seat| {
            if self.hand(seat).len() > self.hand(longest).len() {
                seat
            } else {
                longest
            }
        };
        Seat::ALL.into_iter().fold(Seat::North, longer)
    }

    /// Whether every hand of a deal has its predealt cards.
    #[inline]
    pub fn is_in(&self, deal: &Deal) -> bool {
        let missing = |seat: Seat| self.hand(seat).without(deal.hand(seat));
        Seat::ALL.into_iter().all(|seat| missing(seat).is_empty())
    }

    /// The same with this whole hand; `None` if its cards and those that are predealt contradict
    /// each other.
    pub(crate) fn with_hand(&self, seat: Seat, hand: Hand) -> Option<Self> {
        let others = self.all().without(self.hand(seat));
        let fits = self.hand(seat).without(hand).is_empty();
        let mut hands = self.hands;
        hands[seat.index()] = hand;
        (fits && others.intersection(hand).is_empty()).then_some(Self { hands })
    }

    /// Predeals a card. Returns `false` if it was predealt before or the hand is full.
    pub(crate) fn fix(&mut self, seat: Seat, card: Card) -> bool {
        if self.hand(seat).len() == 13 || self.hands.iter().any(|hand| hand.contains(card)) {
            return false;
        }
        let hand = &mut self.hands[seat.index()];
        *hand = hand.union(Hand::of(card));
        true
    }
}
