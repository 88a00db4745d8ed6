//! Pavlicek's number of a balanced ending (*Mapping Bridge Endings*, 2001).
//!
//! Endings are ordered by J, the number of cards in each hand, largest first. The 13-card endings
//! are the deals and have [`pavlicek`](super::pavlicek)'s numbers. Within a size, the cards in the
//! order SA HA DA CA SK .. C2 go one by one to north, east, south or west, or remain unused.

use super::partition::{self, PLACES};
use super::{EndingError, OutOfRange, order};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Ending, Seat};

/// Number of endings with J cards in each hand, by J: the essay's N\[J\].
pub const OF_SIZE: [u128; 14] = {
    let mut of_size = [0; 14];
    let mut j = 1;
    while j <= 13 {
        // At most 52! / (12! 10!^4), 110 bits.
        of_size[j] =
            choose(52, j) * choose(52 - j, j) * choose(52 - 2 * j, j) * choose(52 - 3 * j, j);
        j += 1;
    }
    of_size
};

/// Number of balanced endings: the essay's N, 111 bits.
pub const COUNT: u128 = {
    let mut count = 0;
    let mut j = 1;
    while j <= 13 {
        count += OF_SIZE[j];
        j += 1;
    }
    count
};

const _: () = assert!(COUNT == 2_058_009_868_335_972_036_308_496_616_883_640);

/// Returns the number of an ending, below [`COUNT`].
///
/// # Errors
///
/// [`EndingError`] if the hands do not have equal numbers of cards, from 1 to 13.
pub fn encode(ending: &Ending) -> Result<u128, EndingError> {
    let sizes = ending.sizes();
    let north = sizes[0];
    let of_each = || Seat::ALL.into_iter().zip(sizes);
    if let Some((seat, cards)) = of_each().find(|(_, cards)| *cards > 13) {
        return Err(EndingError::TooMany { seat, cards });
    }
    if let Some((seat, cards)) = of_each().find(|(_, cards)| *cards != north) {
        return Err(EndingError::Uneven { seat, cards, north });
    }
    let size = usize::from(north);
    if size == 0 {
        return Err(EndingError::Empty);
    }
    let larger: u128 = OF_SIZE[size + 1..].iter().sum();
    let hands = ending.hands().map(order::by_ranks);
    Ok(larger + partition::encode(hands))
}

/// Returns the ending with this number.
///
/// # Errors
///
/// [`OutOfRange`] if the number is not below [`COUNT`].
pub fn decode(number: u128) -> Result<Ending, OutOfRange> {
    let mut number = OutOfRange::check(number, COUNT)?;
    let mut size = 13;
    while number >= OF_SIZE[size] {
        number -= OF_SIZE[size];
        size -= 1;
    }
    let hands = partition::decode(number, OF_SIZE[size], left(size));
    Ok(Ending::by_construction(hands.map(order::from_ranks)))
}

/// Returns the number of cards for each seat, and of unused cards.
fn left(size: usize) -> [u8; PLACES] {
    let each = size as u8;
    [each, each, each, each, 52 - 4 * each]
}
