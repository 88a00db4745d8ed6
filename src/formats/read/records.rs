//! Pieces record by record, and what a record says.
//!
//! While a line or record is read, [`Piece::places`] is its place.

use super::{Entry, Event, Parser, Piece, What, other};
use crate::bridge::Seat;

/// Most bytes of a file that an error quotes.
const LONGEST_QUOTE: usize = 24;

/// What a line or record says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    pub(super) board: Option<u64>,
    pub(super) dealer: Option<Seat>,
    pub(super) what: What,
}

impl From<What> for Record {
    fn from(what: What) -> Self {
        Self {
            board: None,
            dealer: None,
            what,
        }
    }
}

impl Record {
    /// No deal, for this reason.
    pub(super) fn invalid(reason: impl Into<Box<str>>) -> Self {
        What::Invalid(other(reason)).into()
    }
}

/// The beginning of what stands there, for an error.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let most = bytes.len().min(LONGEST_QUOTE);
    let dots = if most < bytes.len() { "..." } else { "" };
    let text = String::from_utf8_lossy(&bytes[..most]);
    format!("`{}{dots}`", text.escape_debug())
}

/// Adds what the line or record of this place says.
pub(super) fn push(found: &mut Piece, record: Record) {
    push_at(found, found.places, record);
}

/// Adds what the line or record of another place says.
pub(super) fn push_at(found: &mut Piece, place: u64, record: Record) {
    let event = found.event(Event::default());
    found.entries.push(Entry {
        place,
        board: record.board,
        dealer: record.dealer,
        event,
        what: record.what,
    });
}

/// Where the last whole record ends; 0 if there is none.
pub(super) fn whole_records(bytes: &[u8], size: usize) -> usize {
    bytes.len() / size * size
}

/// A format of records of one size, each of which says all of its deal.
pub(super) trait Records: Default + Send + Sync + 'static {
    /// The bytes of a record.
    const SIZE: usize;

    /// Reads the so many bytes of a record.
    fn record(bytes: &[u8]) -> Record;
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

    fn read(&mut self, piece: &[u8], last: bool, found: &mut Piece) {
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

/// The file ends within a record.
pub(super) fn cut_short(length: usize, size: usize, unit: &str) -> Record {
    let reason = format!("the record ends after {length} of {size} {unit}");
    What::Incomplete(other(reason)).into()
}
