//! PBN 2.1, export format: the fifteen mandatory tags, unknown ones `?`.

use std::io::{self, Write};

use super::Board;

/// What comes before the first board.
pub(super) fn write_head(out: &mut dyn Write, generator: &str) -> io::Result<()> {
    let generator = escaped(generator);
    write!(out, "% PBN 2.1\n% EXPORT\n%\n[Generator \"{generator}\"]\n")
}

/// A board and the empty line after it.
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
