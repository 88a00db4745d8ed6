//! Readers of files of deals, one module per format.
//!
//! ```text
//! bytes -> pieces cut where a record ends -> Parser::read, on all cores -> entries in order
//! ```
//!
//! A parser reads a piece of a file and returns its contents as `Entry`s. Pieces are read in
//! parallel, each by a fresh parser. If the piece before ended within a comment or a board, the
//! piece is read again with that state. So the position of cuts never changes the result.
//! Nothing is skipped silently: an entry that is not a legal deal has its place and the reason,
//! and a line of text beside the deals is an entry too.

#[cfg(feature = "archives")]
mod archive;
pub(super) mod bigdeal;
#[cfg(feature = "archives")]
mod budget;
mod cards;
mod changes;
pub(super) mod csv;
mod detect;
pub(super) mod diagram;
pub(super) mod dlm;
pub(super) mod duplimate;
mod entry;
mod error;
mod event;
mod evidence;
mod fault;
pub(super) mod json;
pub(super) mod layouts;
pub(super) mod lin;
mod line_ends;
mod lines;
pub(super) mod links;
mod marked;
mod notation;
mod number;
pub(super) mod pages;
mod parser;
pub(super) mod pbn;
mod pieces;
mod printed;
pub(super) mod rbn;
mod recoded;
mod records;
mod shared_file;
mod solved;
mod source;
mod stream;
#[cfg(feature = "archives")]
mod tar_members;
#[cfg(test)]
mod testing;
mod text;
mod utf16;
pub(super) mod zrd;

pub use entry::{BoardDetails, EntryKind};
pub use entry::{Entry, Event, FilePiece};
pub use error::ReadError;
pub use event::EventName;
pub use fault::Fault;
pub(super) use lines::{ByLine, DealLists};
pub use parser::Parser;
pub use pieces::{InputEntry, ReadSummary, read, read_bytes, read_cut, read_records};
pub use source::Input;

use fault::other;
