//! The way back over the passes of a suit, from its last state to the holders of its cards.

use super::way_groups::WayGroups;
use crate::bridge::combinatorics::{choose_u64, subset};
use crate::bridge::{Hand, Suit};

/// The steps by which the states of a suit were reached.
#[derive(Debug)]
pub(super) struct Trail {
    /// The cards that were passed one by one, and the others.
    named: Vec<Hand>,
    anonymous: Hand,
    /// By named rank, the ways to reach each state: the state before, and the holder's place.
    moves: Vec<WayGroups<(u32, Option<u8>)>>,
    /// The ways to reach each state of the suit.
    ends: WayGroups<TrailEnd>,
}

/// The last state of the named cards, and the number of anonymous cards by place of a seat.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrailEnd {
    pub(super) state: u32,
    pub(super) taken: [u8; 4],
}

impl Trail {
    pub(super) fn new(
        suit: Suit,
        [named, anonymous]: [&[usize]; 2],
        moves: Vec<WayGroups<(u32, Option<u8>)>>,
        ends: Vec<(u32, u64, TrailEnd)>,
    ) -> Self {
        let card = |rank: &usize| Hand::from_bits(1 << (16 * suit.index() + rank));
        Self {
            named: named.iter().map(card).collect(),
            anonymous: anonymous.iter().map(card).fold(Hand::EMPTY, Hand::union),
            moves,
            ends: WayGroups::new(ends),
        }
    }

    /// The number of ways to deal the suit with a state.
    #[inline]
    pub(super) fn ways(&self, state: u32) -> u64 {
        self.ends.ways(state)
    }

    /// Deals the suit to the hands by place, as a number below the ways of a state selects, and
    /// returns the cards that are left to the pool.
    pub(super) fn deal(&self, state: u32, number: u64, hands: &mut [Hand; 4]) -> Option<Hand> {
        let (end, number) = self.ends.select(state, number)?;
        let ways = self.moves.last().map_or(1, |moves| moves.ways(end.state));
        let (mut named, mut shared) = (number % ways, number / ways);
        let mut state = end.state;
        for (card, moves) in self.named.iter().zip(&self.moves).rev() {
            let ((before, holder), number) = moves.select(state, named)?;
            if let Some(place) = holder {
                let hand = &mut hands[usize::from(place)];
                *hand = hand.union(*card);
            }
            (state, named) = (before, number);
        }
        let mut left = self.anonymous;
        for (hand, taken) in hands.iter_mut().zip(end.taken) {
            let taken = usize::from(taken);
            let ways = choose_u64(left.len() as usize, taken);
            let chosen = subset_of(left, taken, shared % ways);
            shared /= ways;
            *hand = hand.union(chosen);
            left = left.without(chosen);
        }
        Some(left)
    }
}

/// The set of this many cards of a hand that a number selects.
pub(super) fn subset_of(cards: Hand, taken: usize, number: u64) -> Hand {
    subset::deposit(subset::unrank(number, cards.len() as usize, taken), cards)
}
