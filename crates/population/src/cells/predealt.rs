//! The predealt cards of a suit.

use crate::bridge::{Hand, Suit};

/// The predealt cards of a suit, by role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PredealtSuit {
    /// The number of predealt cards, and of spots among them.
    pub(super) cards: [u8; 4],
    pub(super) spots: [u8; 4],
    /// The predealt honours: A K Q J are bits 3 to 0.
    pub(super) honours: [u8; 4],
}

impl PredealtSuit {
    pub(super) fn new(suit: Suit, hands: [Hand; 4]) -> Self {
        let held = hands.map(|hand| hand.intersection(Hand::whole_suit(suit)));
        Self {
            cards: held.map(|cards| cards.len() as u8),
            spots: held.map(|cards| cards.intersection(Hand::SPOTS).len() as u8),
            honours: held.map(|cards| cards.honours().suit(suit) as u8),
        }
    }

    /// Returns the number of cards and of spots that are not predealt.
    pub(super) fn free(&self) -> [usize; 2] {
        let less = |all: u8, fixed: [u8; 4]| usize::from(all - fixed.iter().sum::<u8>());
        [less(13, self.cards), less(9, self.spots)]
    }

    /// Whether a role can hold this number of cards.
    pub(super) fn allows(&self, role: usize, length: u8) -> bool {
        let others = self.cards.iter().sum::<u8>() - self.cards[role];
        (self.cards[role]..=13 - others).contains(&length)
    }

    /// Whether every role holds the honours predealt to it.
    pub(super) fn is_in(&self, held: impl Fn(usize) -> u8) -> bool {
        let mut own = (0..4).zip(self.honours);
        own.all(|(role, own)| own & !held(role) == 0)
    }
}
