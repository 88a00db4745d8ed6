//! Deals as other programs wrote them: one file a format.
//!
//! ```text
//! bytes -> pieces cut where a record ends -> Parser::read, on all cores -> entries in order
//! ```
//!
//! A [`Parser`] reads a piece of a file and gives what it found as [`Entry`]s. Pieces are
//! read in parallel as if each began afresh; where the piece before ended within
//! something (a comment, a board), it is read again from there, so that cuts never change
//! what is found. Nothing is skipped in silence: whatever should be a deal and is none
//! is an entry too, with its place and the reason.

mod fault;

pub use fault::Fault;

use crate::cards::{Deal, Seat};

/// What was found at a place of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The line, or the record of a file without lines: from 1 in a file, from 0 in a piece.
    pub place: u64,
    /// The number of the board, where the file tells.
    pub board: Option<u64>,
    /// Who deals, where the file tells.
    pub dealer: Option<Seat>,
    /// Where in [`Piece::events`] its event is.
    pub event: usize,
    /// The deal, or why there is none.
    pub what: What,
}

/// A deal, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A deal.
    Deal(Deal),
    /// Cards are missing, and none is wrong: a diagram of some hands, an ending.
    Incomplete(Fault),
    /// It breaks the rules, or cannot be read.
    Invalid(Fault),
    /// A place for a board that the file says it does not use.
    Unused,
}

/// What an event goes by, in the parts that a file tells: its name, site, date, round.
///
/// A part that is `None` is as the board before had it, be it of the piece before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event(pub [Option<Box<str>>; 4]);

/// What was found in a piece of a file.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// The events of the entries, in the order in which they come; the first is as before.
    pub events: Vec<Event>,
    /// Lines that ended in the piece, or records.
    pub places: u64,
}

/// Reads one format, a piece at a time, and remembers what goes on in the next piece.
pub(super) trait Parser: Send + Sync {
    /// A parser at the beginning of a file's next record, which remembers nothing.
    fn fresh(&self) -> Box<dyn Parser>;

    /// Whether it remembers nothing that changes how the next piece is read.
    fn is_fresh(&self) -> bool;

    /// How many of these bytes make a piece that is best read by itself; 0 if more are needed.
    fn cut(&self, bytes: &[u8]) -> usize;

    /// Reads a piece; `last` if the file ends with it.
    fn read(&mut self, piece: &[u8], last: bool, found: &mut Piece);
}
