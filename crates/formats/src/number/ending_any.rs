//! The dense numbering of every ending: 0 to 13 cards in each hand, 120 bits.
//!
//! *Mapping Bridge Endings* counts these endings and calls their numbering "not easy". Tuples of
//! sizes, north's first, are in descending order from 13-13-13-13. Within the same sizes, the cards
//! in the order SA HA DA CA SK .. C2 go one by one to north, east, south or west, or remain unused.
//!
//! There are 38,416 tuples of sizes. To find the tuple of a number, a table suffices: the number of
//! ways to give h more hands up to 13 of c cards each. If north's size is n, there are C(52, n)
//! ways to choose the hand, times the ways of the other three from 52 - n cards, and so for east,
//! south and west.

use super::partition::{self, PLACES};
use super::{EndingError, OutOfRange, order};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Ending, Seat};

/// By h and c: ways to give each of h hands 0 to 13 of c cards, with the rest unused.
static WAYS: [[u128; 53]; 5] = {
    let mut ways = [[1; 53]; 5];
    let mut hands = 1;
    while hands <= 4 {
        let mut cards = 0;
        while cards <= 52 {
            ways[hands][cards] = 0;
            let mut size = 0;
            while size <= 13 && size <= cards {
                ways[hands][cards] += choose(cards, size) * ways[hands - 1][cards - size];
                size += 1;
            }
            cards += 1;
        }
        hands += 1;
    }
    ways
};

/// Number of endings: 120 bits.
pub const COUNT: u128 = WAYS[4][52];

const _: () = assert!(COUNT == 1_068_380_067_768_858_063_542_620_835_042_803_325);

/// Returns the number of an ending, below [`COUNT`].
///
/// # Errors
///
/// [`EndingError::TooMany`] if a hand has more than 13 cards.
pub fn encode(ending: &Ending) -> Result<u128, EndingError> {
    let sizes = ending.sizes();
    let mut tuple = Tuple::default();
    let mut number = 0;
    for seat in Seat::ALL {
        let cards = sizes[seat.index()];
        if cards > 13 {
            return Err(EndingError::TooMany { seat, cards });
        }
        for larger in cards + 1..=13 {
            number += tuple.numbers(larger);
        }
        tuple.give(cards);
    }
    let hands = ending.hands().map(order::by_ranks);
    Ok(number + partition::encode(hands))
}

/// Returns the ending with this number.
///
/// # Errors
///
/// [`OutOfRange`] if the number is not below [`COUNT`].
pub fn decode(number: u128) -> Result<Ending, OutOfRange> {
    let mut number = OutOfRange::check(number, COUNT)?;
    let mut tuple = Tuple::default();
    for _ in Seat::ALL {
        let mut size = 13;
        while number >= tuple.numbers(size) {
            number -= tuple.numbers(size);
            size -= 1;
        }
        tuple.give(size);
    }
    let hands = partition::decode(number, tuple.ways, tuple.left());
    Ok(Ending::by_construction(hands.map(order::from_ranks)))
}

/// The sizes of the first hands, starting with north's.
struct Tuple {
    sizes: [u8; 4],
    hands: usize,
    /// Ways to choose the cards of these hands; at most [`COUNT`].
    ways: u128,
    /// Number of cards that are in none of them.
    rest: u8,
}

impl Default for Tuple {
    fn default() -> Self {
        Self {
            sizes: [0; 4],
            hands: 0,
            ways: 1,
            rest: 52,
        }
    }
}

impl Tuple {
    /// Returns the number of endings that begin with these sizes followed by this one, at most
    /// [`COUNT`].
    fn numbers(&self, size: u8) -> u128 {
        let Some(rest) = self.rest.checked_sub(size) else {
            return 0;
        };
        let later = WAYS[3 - self.hands][usize::from(rest)];
        self.ways * choose(self.rest.into(), size.into()) * later
    }

    /// Adds the size of the next hand.
    fn give(&mut self, size: u8) {
        self.ways *= choose(self.rest.into(), size.into());
        self.sizes[self.hands] = size;
        self.hands += 1;
        self.rest -= size;
    }

    /// Returns the number of cards for each seat, and of unused cards.
    fn left(&self) -> [u8; PLACES] {
        let [north, east, south, west] = self.sizes;
        [north, east, south, west, self.rest]
    }
}
