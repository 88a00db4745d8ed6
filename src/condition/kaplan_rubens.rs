//! stub
use crate::cards::{Hand, Suit};
pub(crate) fn cccc(hand: Hand) -> i64 {
    i64::from(hand.len())
}
pub(crate) fn quality(hand: Hand, _suit: Suit) -> i64 {
    i64::from(hand.len())
}
