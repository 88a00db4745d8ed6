//! The number of any diagram by powers of five (*Mapping Bridge Endings*).
//!
//! Each card is a digit: 0 if it is unused, and 1 to 4 for north, east, south and west. The first
//! card in the order SA HA DA CA SK .. C2 is the least significant. Hands may have any number of
//! cards.

use super::{OutOfRange, order};
use crate::bridge::Ending;

/// 5^52: 121 bits.
pub const COUNT: u128 = 5u128.pow(52);

const _: () = assert!(COUNT == 2_220_446_049_250_313_080_847_263_336_181_640_625);

/// Returns the number of a diagram, below [`COUNT`].
pub fn encode(ending: &Ending) -> u128 {
    let hands = ending.hands().map(order::by_ranks);
    // 26 digits fit in 64 bits.
    let half = |cards: std::ops::Range<u32>| {
        cards
            .rev()
            .fold(0, |number, card| 5 * number + digit(&hands, card))
    };
    u128::from(half(26..52)) * u128::from(HALF) + u128::from(half(0..26))
}

/// Returns the diagram with this number.
///
/// # Errors
///
/// [`OutOfRange`] if the number is not below [`COUNT`].
pub fn decode(number: u128) -> Result<Ending, OutOfRange> {
    let number = OutOfRange::check(number, COUNT)?;
    let mut hands = [0; 5];
    let halves = [number % u128::from(HALF), number / u128::from(HALF)];
    for (half, first) in halves.into_iter().zip([0, 26]) {
        let mut half = half as u64;
        for card in first..first + 26 {
            hands[(half % 5) as usize] |= 1 << card;
            half /= 5;
        }
    }
    let [_, north, east, south, west] = hands;
    let hands = [north, east, south, west].map(order::from_ranks);
    Ok(Ending::by_construction(hands))
}

/// 5^26.
const HALF: u64 = 5u64.pow(26);

/// Returns the holder of a card: 0 if unused, 1 for north .. 4 for west.
pub(super) fn digit(hands: &[u64; 4], card: u32) -> u64 {
    (1..)
        .zip(hands)
        .map(|(digit, hand)| digit * (hand >> card & 1))
        .sum()
}
