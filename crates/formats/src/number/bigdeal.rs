//! BigDeal's number of a deal: its place in lexicographic order.
//!
//! Each hand is the ascending sequence of its cards, 0 = SA .. 51 = C2; deals are ordered by
//! north's hand, then east's, then south's. Of two hands, the later has its first different card
//! later. From the other end of the deck this is the squashed order backwards. So this number and
//! [`andrews`]' number of the deal with the deck reversed sum to D - 1.

use super::{OutOfRange, andrews, order};
use crate::bridge::Deal;
use crate::bridge::combinatorics::DEALS;

/// Returns the number of a deal, below D.
pub fn encode(deal: &Deal) -> u128 {
    DEALS - 1 - andrews::number(deal.hands().map(|hand| turned(order::by_suits(hand))))
}

/// Returns the deal with this number.
///
/// # Errors
///
/// [`OutOfRange`] if the number is not below D.
pub fn decode(number: u128) -> Result<Deal, OutOfRange> {
    let number = OutOfRange::check(number, DEALS)?;
    let hands = andrews::hands(DEALS - 1 - number);
    let hands = hands.map(|cards| order::from_suits(turned(cards)));
    Ok(Deal::by_construction(hands))
}

/// Reverses the deck: the last of the 52 cards becomes the first.
const fn turned(cards: u64) -> u64 {
    cards.reverse_bits() >> 12
}
