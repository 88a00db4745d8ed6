//! The number of a deal that BigDeal prints: its place in lexicographic order.
//!
//! Each hand is the ascending sequence of its cards, 0 = SA .. 51 = C2; deals are
//! ordered by north's, then east's, then south's. A hand that comes later has its first
//! different card later: seen from the other end of the deck that is the squashed order
//! backwards, so this number and [`andrews`]' of the deal with the deck turned over
//! sum to D - 1.

use super::{OutOfRange, andrews, order};
use crate::bridge::Deal;
use crate::bridge::combinatorics::DEALS;

/// The deal's number, below D.
#[must_use]
pub fn encode(deal: &Deal) -> u128 {
    DEALS - 1 - andrews::number(deal.hands().map(|hand| turned(order::by_suits(hand))))
}

/// The deal of this number.
///
/// # Errors
///
/// [`OutOfRange`] from D on.
pub fn decode(number: u128) -> Result<Deal, OutOfRange> {
    let number = OutOfRange::check(number, DEALS)?;
    let hands = andrews::hands(DEALS - 1 - number);
    let hands = hands.map(|cards| order::from_suits(turned(cards)));
    Ok(Deal::by_construction(hands))
}

/// The last of the 52 cards becomes the first.
const fn turned(cards: u64) -> u64 {
    cards.reverse_bits() >> 12
}
