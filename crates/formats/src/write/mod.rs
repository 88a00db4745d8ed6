//! Writers of files of deals, one module per format.
//!
//! [`Writer`] writes boards to a file in one format. The formats of other programs were derived
//! from files that those programs wrote; the tests compare the output with such files.

mod board;
pub(super) mod csv;
pub mod dealer;
pub(super) mod duplimate;
#[cfg(feature = "html")]
mod html;
pub(super) mod json;
mod labels;
pub(super) mod lin;
mod number;
pub(super) mod pbn;
pub(super) mod rbn;
pub(super) mod text;
mod writer;
mod zrd;

pub use board::Board;
#[cfg(feature = "html")]
pub use html::{HandShown, PageLayout, Paper, capital};
pub(super) use writer::BoardWriter;
pub use writer::is_numbered_by_place;
pub use writer::{FormatError, Writer};
