//! What a file contains: deals, and records or lines that are not one.

use super::fault::Fault;
use crate::bridge::{Deal, Seat, TrickTable, Vulnerable};
use crate::record::BoardRecord;

/// An entry of a file: a deal, or a record or line that is not one.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The line, or the record in a file without lines, from 0 in the piece.
    ///
    /// For an entry that began in an earlier piece it is wrapped below 0: for line 3 of a
    /// previous piece with five lines, `3u64.wrapping_sub(5)`.
    pub place: u64,
    /// The board number, if the file has one.
    pub board: Option<u64>,
    /// The dealer, if the file names one.
    pub dealer: Option<Seat>,
    /// The double-dummy tricks, if the file has them.
    pub tricks: Option<TrickTable>,
    /// What else the file says about the board.
    pub details: BoardDetails,
    /// The record of the board, if records are kept and the file has more than its cards.
    pub record: Option<Box<BoardRecord>>,
    /// Index of the event in [`FilePiece::events`].
    pub event: usize,
    /// The deal, or the reason why there is none.
    pub what: EntryKind,
}

/// What a file says about a board besides its number, dealer, tricks and event, in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardDetails {
    /// The vulnerability, if the file names one.
    pub vulnerable: Option<Vulnerable>,
    /// Whether the file names a player.
    pub has_names: bool,
    /// Whether the file has a call, a contract, a result or a card played.
    pub has_play: bool,
}

/// A deal, or the reason why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryKind {
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
pub struct Event(pub [Option<Box<str>>; 4]);

/// The contents of a piece of a file.
#[derive(Clone, Debug, Default)]
pub struct FilePiece {
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
    /// Whether entries are wanted with their records.
    pub keeps_records: bool,
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
    pub(super) fn event(&mut self, event: Event) -> usize {
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
