//! The seats whose hands are told apart, and the numbers of their cards.

use super::error::CountError;
use super::formula::SumOfSuits;
use crate::bridge::Seat;
use crate::bridge::combinatorics::choose;
use crate::language::Predeal;

/// Number of cards of a hand.
pub(super) const HAND: u32 = 13;

/// The seats whose hands are told apart, and what is known of their cards.
#[derive(Debug)]
pub(super) struct Seating {
    /// The seats that the condition mentions, or a table.
    pub(super) seats: Vec<Seat>,
    /// By place in `seats`: whether the hand's lengths are told apart. The other hands take their
    /// anonymous cards from one pool.
    pub(super) by_length: Vec<bool>,
    pub(super) fixed: Predeal,
}

impl Seating {
    /// Whether some cards are dealt from a pool.
    pub(super) fn has_pool(&self) -> bool {
        self.seats.len() < 4 || self.by_length.contains(&false)
    }

    /// Whether the number of cards in the pool must be known.
    pub(super) fn counts_pool(&self) -> bool {
        self.by_length.contains(&false)
    }

    /// The possible holders of a card, as places in `seats`; `None` stands for all other seats.
    pub(super) fn holders(&self, fixed: Option<Seat>) -> Vec<Option<usize>> {
        let place = |seat: Seat| self.seats.iter().position(|other| *other == seat);
        match fixed {
            Some(seat) => vec![place(seat)],
            None => {
                let others = (self.seats.len() < 4).then_some(None);
                (0..self.seats.len()).map(Some).chain(others).collect()
            }
        }
    }

    /// The error that blames the term with the most values. A table's sum has no text.
    pub(super) fn too_large(&self, sums: &[SumOfSuits]) -> CountError {
        let terms = sums.iter().filter(|sum| !sum.text.is_empty());
        let worst = terms.max_by_key(|sum| sum.most_values());
        let shapes = || "the shape of a hand".to_owned();
        CountError::TooLarge(worst.map_or_else(shapes, |sum| format!("`{}`", sum.text)))
    }
}

/// Numbers of cards by place of a seat, and the number of cards left to the pool: 6 bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SeatLengths(u32);

impl SeatLengths {
    const BITS: usize = 6;
    const POOL: usize = 4;

    pub(super) fn bits(self) -> u32 {
        self.0
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(super) fn with(self, place: usize, length: usize) -> Self {
        Self(self.0 | (length as u32) << (Self::BITS * place))
    }

    pub(super) fn with_pool(self, cards: usize) -> Self {
        self.with(Self::POOL, cards)
    }

    pub(super) fn get(self, place: usize) -> u32 {
        self.0 >> (Self::BITS * place) & ((1 << Self::BITS) - 1)
    }

    fn pool(self) -> usize {
        self.get(Self::POOL) as usize
    }

    /// The numbers of two suits or halves; `None` if a hand has too many cards.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let sum = Self(self.0 + other.0);
        (0..Self::POOL)
            .all(|place| sum.get(place) <= HAND)
            .then_some(sum)
    }

    /// The lengths of these places alone.
    fn only(self, places: &[bool]) -> Self {
        let own = places.iter().enumerate().filter(|(_, own)| **own);
        own.fold(Self(0), |only, (place, _)| {
            only.with(place, self.get(place) as usize)
        })
    }

    /// The lengths that complete these places.
    pub(super) fn completing(self, places: &[bool]) -> Self {
        let own = places.iter().enumerate().filter(|(_, own)| **own);
        own.fold(Self(0), |only, (place, _)| {
            only.with(place, (HAND - self.get(place)) as usize)
        })
    }

    pub(super) fn by_length(self, seating: &Seating) -> Self {
        self.only(&seating.by_length)
    }

    /// The number of ways to deal the pool, if both halves have these lengths.
    pub(super) fn ways_with(self, other: Self, seating: &Seating) -> u128 {
        let Some(sum) = self.plus(other) else {
            return 0;
        };
        let (mut left, mut ways) = (sum.pool(), 1);
        for (place, is_counted) in seating.by_length.iter().enumerate() {
            let missing = (HAND - sum.get(place)) as usize;
            if *is_counted {
                if missing > 0 {
                    return 0;
                }
                continue;
            }
            let Some(after) = left.checked_sub(missing) else {
                return 0;
            };
            ways *= choose(left, missing);
            left = after;
        }
        // Without other seats, everything is dealt.
        match seating.seats.len() == 4 && left > 0 {
            true => 0,
            false => ways,
        }
    }
}
