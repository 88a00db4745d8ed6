//! The dense numbering of every ending: 0 to 13 cards in each hand, 120 bits.
//!
//! *Mapping Bridge Endings* counts these endings and leaves their numbering as "not
//! easy". Sizes of the hands, north's first, come in descending order from
//! 13-13-13-13; within the same sizes the cards in the order SA HA DA CA SK .. C2 go
//! one by one to north, east, south, west or nobody.
//!
//! There are 38,416 tuples of sizes, but to find the one of a number takes only how
//! many ways there are to give h more hands up to 13 cards each of c: once north's
//! size n is known, C(52, n) ways to choose his cards times the ways of the other
//! three from 52 - n are the numbers of that size; and so for east, south and west.

use super::partition::{self, PLACES};
use super::{EndingError, OutOfRange, order};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Ending, Seat};

/// By h and c: ways to give each of h hands 0 to 13 of c cards, the rest to nobody.
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

/// The ending's number, below [`COUNT`].
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

/// The ending of this number.
///
/// # Errors
///
/// [`OutOfRange`] from [`COUNT`] on.
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

/// The sizes of some hands, north's first.
struct Tuple {
    sizes: [u8; 4],
    hands: usize,
    /// Ways to choose the cards of these hands; at most [`COUNT`].
    ways: u128,
    /// Cards that none of them has.
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
    /// How many endings begin with these sizes and then this one: a part of [`COUNT`].
    fn numbers(&self, size: u8) -> u128 {
        let Some(rest) = self.rest.checked_sub(size) else {
            return 0;
        };
        let later = WAYS[3 - self.hands][usize::from(rest)];
        self.ways * choose(self.rest.into(), size.into()) * later
    }

    /// The next hand's size.
    fn give(&mut self, size: u8) {
        self.ways *= choose(self.rest.into(), size.into());
        self.sizes[self.hands] = size;
        self.hands += 1;
        self.rest -= size;
    }

    /// Cards for each seat, and unused.
    fn left(&self) -> [u8; PLACES] {
        let [north, east, south, west] = self.sizes;
        [north, east, south, west, self.rest]
    }
}
