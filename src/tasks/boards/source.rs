//! Boards that come from files.

use crate::bridge::Seat;
use crate::formats::BoardRecord;
use crate::formats::read::{BoardDetails, InputEntry};

/// What a file says about a board besides its cards.
#[derive(Clone, Debug, Default)]
pub struct SourceBoard {
    /// The board number.
    pub number: Option<u64>,
    /// The dealer.
    pub dealer: Option<Seat>,
    /// The vulnerability, and whether there are players and play.
    pub details: BoardDetails,
    /// Whether the file has a table of double-dummy tricks.
    pub has_tricks: bool,
    /// The record of the board, if records are kept and the file has one.
    pub record: Option<Box<BoardRecord>>,
}

impl From<InputEntry<'_>> for SourceBoard {
    fn from(entry: InputEntry<'_>) -> Self {
        Self {
            number: entry.board,
            dealer: entry.dealer,
            details: entry.details,
            has_tricks: entry.tricks.is_some(),
            record: entry.record,
        }
    }
}
