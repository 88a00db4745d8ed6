//! Richard's Bridge Notation: labelled lines, and an empty line after each board.

use std::io::{self, Write};

use super::Board;
use super::labels::in_line;
use crate::record::BoardRecord;

/// Writes a board's event, number and hands; west's hand is the rest.
pub(crate) fn write(out: &mut dyn Write, board: &Board, record: &BoardRecord) -> io::Result<()> {
    for (label, text) in ['E', 'L', 'D', 'S'].into_iter().zip(&record.event) {
        if !text.is_empty() {
            writeln!(out, "{label} {}", in_line(text, &[]))?;
        }
    }
    let [north, east, south, _] = board.deal.hands();
    writeln!(out, "B {}\nH N:{north}:{east}:{south}:\n", board.number)
}
