//! [`pavlicek`]'s numbering with the cards in the order SA SK .. S2 HA .. C2, as in most programs
//! other than its author's.

use super::{OutOfRange, order, pavlicek};
use crate::bridge::Deal;

/// Returns the number of a deal, below D.
pub fn encode(deal: &Deal) -> u128 {
    pavlicek::number(deal.hands().map(order::by_suits))
}

/// Returns the deal with this number.
///
/// # Errors
///
/// [`OutOfRange`] if the number is not below D.
pub fn decode(number: u128) -> Result<Deal, OutOfRange> {
    pavlicek::deal(number, order::from_suits)
}
