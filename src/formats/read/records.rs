//! Formats with records of one size, and the contents of a record.
//!
//! While a line or record is read, [`FilePiece::places`] is its position.

use super::{BoardDetails, Entry, EntryKind, Event, FilePiece, Parser, other};
use crate::bridge::{Seat, TrickTable};

/// Maximum number of bytes of a file that an error quotes.
const LONGEST_QUOTE: usize = 24;

/// The contents of a line or record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoardRecord {
    pub(super) board: Option<u64>,
    pub(super) dealer: Option<Seat>,
    pub(super) tricks: Option<TrickTable>,
    pub(super) details: BoardDetails,
    pub(super) what: EntryKind,
}

impl From<EntryKind> for BoardRecord {
    fn from(what: EntryKind) -> Self {
        Self {
            board: None,
            dealer: None,
            tricks: None,
            details: BoardDetails::default(),
            what,
        }
    }
}

impl BoardRecord {
    /// A record that is not a deal, for this reason.
    pub(super) fn invalid(reason: impl Into<Box<str>>) -> Self {
        EntryKind::Invalid(other(reason)).into()
    }
}

/// The start of a text in backticks, for an error.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let most = bytes.len().min(LONGEST_QUOTE);
    let dots = if most < bytes.len() { "..." } else { "" };
    let text = String::from_utf8_lossy(&bytes[..most]);
    format!("`{}{dots}`", text.escape_debug())
}

/// Adds the contents of the current line or record.
pub(super) fn push(found: &mut FilePiece, record: BoardRecord) {
    push_at(found, found.places, record);
}

/// Adds the contents of the line or record at another place.
pub(super) fn push_at(found: &mut FilePiece, place: u64, record: BoardRecord) {
    let event = found.event(Event::default());
    found.entries.push(Entry {
        place,
        board: record.board,
        dealer: record.dealer,
        tricks: record.tricks,
        details: record.details,
        event,
        what: record.what,
    });
}

/// The end of the last complete record; 0 if there is none.
pub(super) fn whole_records(bytes: &[u8], size: usize) -> usize {
    bytes.len() / size * size
}

/// A format with records of one size, one deal per record.
pub(super) trait Records: Default + Send + Sync + 'static {
    /// Size of a record in bytes.
    const SIZE: usize;

    /// Reads a record of [`Records::SIZE`] bytes.
    fn record(bytes: &[u8]) -> BoardRecord;
}

impl<R: Records> Parser for R {
    fn fresh(&self) -> Box<dyn Parser> {
        Box::new(R::default())
    }

    fn is_fresh(&self) -> bool {
        true
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        whole_records(bytes, R::SIZE)
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        let records = piece.chunks_exact(R::SIZE);
        let rest = records.remainder().len();
        for record in records {
            push(found, R::record(record));
            found.places += 1;
        }
        if last && rest > 0 {
            push(found, cut_short(rest, R::SIZE, "bytes"));
            found.places += 1;
        }
    }
}

/// The record for a file that ends within a record.
pub(super) fn cut_short(length: usize, size: usize, unit: &str) -> BoardRecord {
    let reason = format!("the record ends after {length} of {size} {unit}");
    EntryKind::Incomplete(other(reason)).into()
}
