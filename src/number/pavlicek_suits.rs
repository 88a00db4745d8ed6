//! [`pavlicek`]'s numbering with the cards in the order SA SK .. S2
//! HA .. C2, as most programs but its author's have it.

use super::{OutOfRange, order, pavlicek};
use crate::bridge::Deal;

/// The deal's number, below D.
#[must_use]
pub fn encode(deal: &Deal) -> u128 {
    pavlicek::number(deal.hands().map(order::by_suits))
}

/// The deal of this number.
///
/// # Errors
///
/// [`OutOfRange`] from D on.
pub fn decode(number: u128) -> Result<Deal, OutOfRange> {
    pavlicek::deal(number, order::from_suits)
}
