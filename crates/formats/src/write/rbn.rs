//! Richard's Bridge Notation: labelled lines, and an empty line after each board.

use std::io::{self, Write};

use super::Board;
use super::labels::BoardNotes;

/// Writes a board's event, number and hands; west's hand is the rest.
pub(crate) fn write(out: &mut dyn Write, board: &Board, notes: BoardNotes<'_>) -> io::Result<()> {
    if let Some(event) = &notes.labels.event {
        writeln!(out, "E {event}")?;
    }
    let [north, east, south, _] = board.deal.hands();
    writeln!(out, "B {}\nH N:{north}:{east}:{south}:\n", board.number)
}
