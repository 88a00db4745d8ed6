//! Deals in the formats of other programs: written, and read as they are found.

mod dealer_output;
pub mod read;
mod write;

pub use dealer_output::{DealerPrinter, Effort, PrintError};
pub use write::{Board, Format, FormatError, Writer, dealer};
