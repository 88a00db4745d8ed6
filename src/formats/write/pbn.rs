//! The export format of PBN 2.1: the fifteen mandatory tags, with `?` for unknown values.

use std::io::{self, Write};

use super::Board;

/// Writes the header of a file.
pub(super) fn write_head(out: &mut dyn Write, generator: &str) -> io::Result<()> {
    let generator = escaped(generator);
    write!(out, "% PBN 2.1\n% EXPORT\n%\n[Generator \"{generator}\"]\n")
}

/// Writes a board and an empty line.
pub(in crate::formats) fn write(
    out: &mut dyn Write,
    board: &Board,
    event: Option<&str>,
) -> io::Result<()> {
    let vulnerable = board.vulnerable.name();
    writeln!(out, "[Event \"{}\"]", escaped(event.unwrap_or("?")))?;
    for tag in ["Site", "Date"] {
        writeln!(out, "[{tag} \"?\"]")?;
    }
    writeln!(out, "[Board \"{}\"]", board.number)?;
    for tag in ["West", "North", "East", "South"] {
        writeln!(out, "[{tag} \"?\"]")?;
    }
    writeln!(out, "[Dealer \"{}\"]", board.dealer.letter())?;
    writeln!(out, "[Vulnerable \"{vulnerable}\"]")?;
    writeln!(out, "[Deal \"{}\"]", board.deal)?;
    for tag in ["Scoring", "Declarer", "Contract", "Result"] {
        writeln!(out, "[{tag} \"?\"]")?;
    }
    writeln!(out)
}

/// A tag's value with its quotes and backslashes escaped.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}
