//! File formats of deals: readers and writers.

mod dealer_output;
pub mod read;
mod registry;
mod write;

pub use dealer_output::{DealerPrinter, Effort, PrintError};
pub use registry::{Carries, Format};
pub use write::{Board, FormatError, Writer, dealer};
