//! The deck that cases are dealt from, without the predealt cards.
//!
//! Predealt cards leave the deck before anything is listed. A case still describes all thirteen
//! cards of a hand; the hand takes only its other cards from the deck.

use crate::bridge::{Hand, Honours, PatternIndex, Seat, Suit};
use crate::language::{HandCase, Predeal};

/// The deck without predealt cards, and the predealt cards of the listed hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deck {
    pub(super) suits: [SuitCards; 4],
    pub(super) whole: SuitCards,
    /// Honours that are predealt to the first and to the second hand.
    own: [Honours; 2],
    /// Honours predealt elsewhere, which the first and the second hand cannot have.
    elsewhere: [Honours; 2],
}

/// Card counts of one suit, or of all four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SuitCards {
    /// Cards that are not predealt.
    pub(super) free: CardNumbers,
    /// Cards that are predealt to the first and to the second hand.
    pub(super) own: [CardNumbers; 2],
}

/// Numbers of cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CardNumbers {
    pub(super) cards: i32,
    /// The number of these cards that are tens or lower.
    pub(super) spots: i32,
}

impl Deck {
    /// The deck for a listing of these hands.
    #[must_use]
    pub fn new(predeal: &Predeal, first: Seat, second: Option<Seat>) -> Self {
        let all = predeal.all();
        let own =
            [Some(first), second].map(|seat| seat.map_or(Hand::EMPTY, |seat| predeal.hand(seat)));
        let part = |cards: Hand| {
            let count = |hand: Hand| {
                let hand = hand.intersection(cards);
                CardNumbers {
                    cards: hand.len() as i32,
                    spots: hand.intersection(Hand::SPOTS).len() as i32,
                }
            };
            SuitCards {
                free: count(Hand::DECK.without(all)),
                own: own.map(count),
            }
        };
        Self {
            suits: Suit::ALL.map(|suit| part(Hand::whole_suit(suit))),
            whole: part(Hand::DECK),
            own: own.map(Hand::honours),
            elsewhere: own.map(|hand| all.without(hand).honours()),
        }
    }

    /// Whether a listed hand, 0 or 1, can have exactly these honours: they include its predealt
    /// honours and none that are predealt to another seat.
    pub(super) fn allows(&self, hand: usize, honours: Honours) -> bool {
        honours.union(self.own[hand]) == honours && honours.is_disjoint(self.elsewhere[hand])
    }

    /// Whether a listed hand can have this pattern, and can have these honours, each considered
    /// separately.
    pub(super) fn allows_alone(&self, hand: usize, case: HandCase) -> bool {
        let taken = |part: &SuitCards, length: u8| i32::from(length) - part.own[hand].cards;
        let pattern = case.pattern.map(PatternIndex::pattern);
        let of_suits = pattern.is_none_or(|pattern| {
            let mut suits = self.suits.iter().zip(pattern.lengths());
            suits.all(|(part, length)| (0..=part.free.cards).contains(&taken(part, length)))
        });
        let (own, free) = (self.whole.own[hand].spots, self.whole.free.spots);
        let room = |honours: Honours| 13 - honours.len() as i32 - own;
        let of_honours = case.honours.is_none_or(|honours| {
            self.allows(hand, honours) && (0..=free).contains(&room(honours))
        });
        of_suits && of_honours
    }

    /// Whether the spot cards permit a hand of this pattern with these honours: neither too few nor
    /// too many.
    pub(super) fn has_spots_for(&self, hand: usize, case: HandCase) -> bool {
        let (Some(pattern), Some(honours)) = (case.pattern, case.honours) else {
            return true;
        };
        let fields = pattern
            .pattern()
            .lengths()
            .into_iter()
            .zip(honours.counts());
        let mut suits = self.suits.iter().zip(fields);
        suits.all(|(part, (length, held))| {
            let spots = i32::from(length) - i32::from(held) - part.own[hand].spots;
            (0..=part.free.spots).contains(&spots)
        })
    }
}
