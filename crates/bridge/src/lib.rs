//! Basic types: seats, suits, ranks, cards, hands and deals; strains and double-dummy tricks.
//!
//! This crate does not depend on conditions, cases or random numbers. It defines two orders that
//! the others rely on: the **deck order** SA SK .. S2 HA .. C2, in which a card's
//! index is 0..52, and the orders of patterns and honours in [`pattern`] and [`honours`].

mod card;
pub mod combinatorics;
mod deal;
mod ending;
mod hand;
pub mod honours;
mod notation;
pub mod pattern;
mod seat;
mod strain;
mod tricks;

pub use deal::{Deal, InvalidDeal};
pub use ending::Ending;
pub use hand::{Hand, Holding};
pub use honours::Honours;
pub use notation::NotationError;
pub use pattern::{Pattern, PatternIndex, Shape, ShapeIndex};

pub use card::{Card, Rank, Suit};
pub use seat::{Seat, Side, Vulnerable};
pub use strain::Strain;
pub use tricks::TrickTable;
