//! File formats of deals: readers and writers; and deals as numbers, in [`number`].

mod dealer_output;
pub mod number;
pub mod read;
mod record;
mod registry;
mod write;

use fairdeal_base::{count, error, fixed_hash, printable, threads};
use fairdeal_bridge as bridge;
use fairdeal_draw as draw;
use fairdeal_language as language;
use fairdeal_population as population;

pub use dealer_output::{ActionAnswer, DealerPrinter, Effort, PrintError, printed_text};
pub use record::{AuctionCall, BoardRecord, Call};
pub use registry::{Carries, Format};
pub use write::{Board, FormatError, Writer, dealer, is_numbered_by_place};
#[cfg(feature = "html")]
pub use write::{HandShown, PageLayout, Paper, capital};
