//! Formats with records of one size, and the contents of a record.
//!
//! While a line or record is read, [`FilePiece::places`] is its position.

use super::{BoardDetails, Entry, EntryKind, Event, FilePiece, Parser, other};

/// Maximum number of bytes of a file that an error quotes.
const LONGEST_QUOTE: usize = 24;

/// The contents of a line or record, whose place and event `push` fills in.
impl From<EntryKind> for Entry {
    fn from(what: EntryKind) -> Self {
        Self {
            place: 0,
            board: None,
            dealer: None,
            tricks: None,
            details: BoardDetails::default(),
            record: None,
            event: 0,
            what,
        }
    }
}

impl Entry {
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
pub(super) fn push(found: &mut FilePiece, record: Entry) {
    push_at(found, found.places, record);
}

/// Adds the contents of the line or record at another place.
pub(super) fn push_at(found: &mut FilePiece, place: u64, record: Entry) {
    let event = found.event(Event::default());
    found.entries.push(Entry {
        place,
        event,
        ..record
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
    fn record(bytes: &[u8]) -> Entry;
}

impl<R: Records> Parser for R {
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
pub(super) fn cut_short(length: usize, size: usize, unit: &str) -> Entry {
    let reason = format!("the record ends after {length} of {size} {unit}");
    EntryKind::Incomplete(other(reason)).into()
}
