//! Deals as other programs wrote them: one file a format.
//!
//! ```text
//! bytes -> pieces cut where a record ends -> Parser::read, on all cores -> entries in order
//! ```
//!
//! A parser reads a piece of a file and gives what it found as [`Entry`]s. Pieces are
//! read in parallel as if each began afresh; where the piece before ended within
//! something (a comment, a board), it is read again from there, so that cuts never change
//! what is found. Nothing is skipped in silence: an entry that is not a legal deal has its place
//! and the reason, and a line of text beside the deals is an entry too.

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
pub use pieces::{Found, Read, read, read_bytes, read_cut};
pub use source::Input;

use crate::bridge::{Deal, Seat};

/// What was found at a place of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The line, or the record of a file without lines: from 0 in a piece.
    ///
    /// Of an entry that began in the pieces before it is below 0, wrapped: as
    /// `3u64.wrapping_sub(5)` where the piece before had five lines.
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
    /// A line that is not part of a deal, such as text that a script prints.
    Text,
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
    /// Whether it says `as before` of something that the piece itself does not tell, or
    /// may leave the next piece without it: then it is read by the parser that read on
    /// from the pieces before, though that is fresh.
    pub depends: bool,
}

impl Piece {
    /// Forgets all, and keeps the room.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.events.clear();
        self.places = 0;
        self.depends = false;
    }

    /// The place of an event among [`Piece::events`]: its own if it differs from the last.
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
    /// Whether it says nothing that this one, just before it, does not.
    fn is_after(&self, before: &Self) -> bool {
        let is_same = |part: &str, before: &Option<Box<str>>| {
            // Nothing is not compared with nothing, as is asked of most boards: where
            // there is no text there is no memory, and a vector unit takes as long to
            // find that out as the rest of the board takes.
            before.as_deref().is_some_and(|before| match part.len() {
                0 => before.is_empty(),
                _ => part == before,
            })
        };
        let mut parts = self.0.iter().zip(&before.0);
        parts.all(|(part, before)| part.as_ref().is_none_or(|part| is_same(part, before)))
    }
}

/// Reads one format, a piece at a time, and remembers what goes on in the next piece.
///
/// A piece ends where [`Parser::cut`] says, and the last with the file.
pub(in crate::formats) trait Parser: Send + Sync {
    /// A parser at the beginning of a file's next record, which remembers nothing.
    fn fresh(&self) -> Box<dyn Parser>;

    /// Whether it remembers nothing that changes how the next piece is read.
    fn is_fresh(&self) -> bool;

    /// How many of these bytes make a piece that is best read by itself; 0 if more are needed.
    fn cut(&self, bytes: &[u8]) -> usize;

    /// Reads a piece; `last` if the file ends with it.
    fn read(&mut self, piece: &[u8], last: bool, found: &mut Piece);
}
