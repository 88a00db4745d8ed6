//! Deals in the formats of other programs: written, and read as they are found.

mod dealer_output;
pub mod read;
mod registry;
mod write;

pub use dealer_output::{DealerPrinter, Effort, PrintError};
pub use registry::{Carries, Format};
pub use write::{Board, FormatError, Writer, dealer};
