//! Richard's Bridge Notation: labelled lines, and an empty line after each board.

use std::io::{self, Write};

use super::Board;
use super::labels::in_line;
use crate::record::BoardRecord;

/// Writes a board's event, number and hands; west's hand is the rest.
///
/// A part of the event applies to later boards until it is replaced: `has_part` says which parts
/// the boards so far have.
pub(crate) fn write(
    out: &mut dyn Write,
    board: &Board,
    record: &BoardRecord,
    has_part: &mut [bool; 4],
) -> io::Result<()> {
    let parts = record.event.iter().zip(has_part);
    for (label, (text, has_part)) in ['E', 'L', 'D', 'S'].into_iter().zip(parts) {
        match (text.is_empty(), *has_part) {
            (true, false) => {}
            (true, true) => writeln!(out, "{label}")?,
            (false, _) => writeln!(out, "{label} {}", in_line(text, &[]))?,
        }
        *has_part = !text.is_empty();
    }
    let [north, east, south, _] = board.deal.hands();
    writeln!(out, "B {}\nH N:{north}:{east}:{south}:\n", board.number)
}
