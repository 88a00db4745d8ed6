//! File formats of deals: readers and writers.

mod dealer_output;
pub mod read;
mod registry;
mod write;

pub use dealer_output::{ActionAnswer, DealerPrinter, Effort, PrintError, printed_text};
pub use registry::{Carries, Format};
#[cfg(feature = "cli")]
pub use write::PageLayout;
pub(crate) use write::is_numbered_by_place;
pub use write::{Board, FormatError, SetLabels, Writer, dealer};
#[cfg(feature = "cli")]
pub(crate) use write::{HandShown, capital};
