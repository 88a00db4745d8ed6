//! Deals as other programs write them: one file a format.
//!
//! [`Format`] names them all; [`Writer`] writes boards to a file of one. What other
//! programs' files look like was learnt from files that they wrote, which the tests
//! hold these against.

mod board;
mod csv;
pub mod dealer;
mod duplimate;
mod lin;
mod pbn;
mod rbn;
mod text;
mod writer;

pub use board::Board;
pub use writer::{Format, FormatError, Writer};
