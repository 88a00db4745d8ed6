//! Richard's Bridge Notation: labelled lines, an empty one after each board.

use std::io::{self, Write};

use super::Board;

/// A board's event, number and hands; west has the rest.
pub(in crate::formats) fn write(
    out: &mut dyn Write,
    board: &Board,
    event: Option<&str>,
) -> io::Result<()> {
    if let Some(event) = event {
        writeln!(out, "E {event}")?;
    }
    let [north, east, south, _] = board.deal.hands();
    writeln!(out, "B {}\nH N:{north}:{east}:{south}:\n", board.number)
}
