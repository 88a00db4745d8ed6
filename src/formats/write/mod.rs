//! Deals as other programs write them: one file a format.
//!
//! [`Writer`] writes boards to a file of one. What other
//! programs' files look like was learnt from files that they wrote, which the tests
//! hold these against.

mod board;
pub(super) mod csv;
pub mod dealer;
pub(super) mod duplimate;
pub(super) mod json;
pub(super) mod lin;
mod number;
pub(super) mod pbn;
pub(super) mod rbn;
pub(super) mod text;
mod writer;

pub use board::Board;
pub(super) use writer::BoardWriter;
pub use writer::{FormatError, Writer};
