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

#[cfg(feature = "cli")]
mod archive;
pub(super) mod bigdeal;
#[cfg(feature = "cli")]
mod budget;
mod cards;
mod detect;
pub(super) mod dlm;
pub(super) mod duplimate;
mod error;
mod event;
mod fault;
mod json;
pub(super) mod layouts;
pub(super) mod lin;
mod line_ends;
mod lines;
mod notation;
mod number;
pub(super) mod pages;
pub(super) mod pbn;
mod pieces;
mod printed;
pub(super) mod rbn;
mod records;
mod shared_file;
pub(super) mod solved;
mod source;
mod stream;
#[cfg(feature = "cli")]
mod tar_members;
#[cfg(test)]
mod testing;
mod text;
#[cfg(feature = "cli")]
mod xz_streams;
mod zstd_frames;

pub use error::ReadError;
pub use event::EventName;
pub use fault::Fault;
use fault::other;
pub(super) use lines::ByLine;
pub use pieces::{InputEntry, ReadSummary, read, read_bytes, read_cut};
pub use source::Input;

use crate::bridge::{Deal, Seat};

/// An entry of a file: a deal, or a record or line that is not one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The line, or the record in a file without lines, from 0 in the piece.
    ///
    /// For an entry that began in an earlier piece it is wrapped below 0: for line 3 of a
    /// previous piece with five lines, `3u64.wrapping_sub(5)`.
    pub place: u64,
    /// The board number, if the file has one.
    pub board: Option<u64>,
    /// The dealer, if the file names one.
    pub dealer: Option<Seat>,
    /// Index of the event in [`FilePiece::events`].
    pub event: usize,
    /// The deal, or the reason why there is none.
    pub what: What,
}

/// A deal, or the reason why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A deal.
    Deal(Deal),
    /// Cards are missing but no card is wrong, as in a diagram of some hands or an ending.
    Incomplete(Fault),
    /// The entry is not a legal deal, or cannot be read.
    Invalid(Fault),
    /// A board that the file marks as unused.
    Unused,
    /// A line that is not part of a deal, such as text that a script prints.
    Text,
}

/// The parts of an event's name: name, site, date and round.
///
/// A part that is `None` is unchanged from the board before, even if that is in an earlier piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event(pub [Option<Box<str>>; 4]);

/// The contents of a piece of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilePiece {
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// The events of the entries, in order; the first is the unchanged event of the piece before.
    pub events: Vec<Event>,
    /// Number of lines that ended in the piece, or of records.
    pub places: u64,
    /// Whether the piece needs state from the pieces before it, or must pass such state on to the
    /// next piece. Then it is read again by the parser that read those pieces, even if that
    /// parser is fresh.
    pub depends: bool,
}

impl FilePiece {
    /// Clears the piece and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.events.clear();
        self.places = 0;
        self.depends = false;
    }

    /// The index of an event in [`FilePiece::events`], where it is added if it differs from the last.
    fn event(&mut self, event: Event) -> usize {
        if self.events.is_empty() {
            self.events.push(Event::default());
        }
        let last = self.events.last();
        if !last.is_some_and(|last| event.is_after(last)) {
            self.events.push(event);
        }
        self.events.len() - 1
    }
}

impl Event {
    /// Whether the event changes nothing after the event `before`.
    fn is_after(&self, before: &Self) -> bool {
        let is_same = |part: &str, before: &Option<Box<str>>| {
            // Empty texts, which most boards have, are not compared byte by byte: an empty
            // text has no memory, and a vectorised comparison takes as long to find that
            // out as the rest of the board takes.
            before.as_deref().is_some_and(|before| match part.len() {
                0 => before.is_empty(),
                _ => part == before,
            })
        };
        let mut parts = self.0.iter().zip(&before.0);
        parts.all(|(part, before)| part.as_ref().is_none_or(|part| is_same(part, before)))
    }
}

/// Reads one format piece by piece, and keeps the state that the next piece needs.
///
/// A piece ends where [`Parser::cut`] says; the last one ends with the file.
pub(in crate::formats) trait Parser: Send + Sync {
    /// A parser without state, at the beginning of a record.
    fn fresh(&self) -> Box<dyn Parser>;

    /// Whether the parser has no state that affects the next piece.
    fn is_fresh(&self) -> bool;

    /// Number of these bytes that make a good piece; 0 if more bytes are needed.
    fn cut(&self, bytes: &[u8]) -> usize;

    /// Reads a piece; `last` says whether the file ends with it.
    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece);
}
