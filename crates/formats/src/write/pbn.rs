//! The export format of PBN 2.1: the fifteen mandatory tags, with `?` for unknown values; the
//! optimum score and the table of tricks if they are known; and a comment.

use std::io::{self, Write};

use super::Board;
use super::labels::{BoardNotes, in_line};
use crate::bridge::{Seat, Strain, TrickTable};
use crate::language::par;

/// Maximum length of a line in bytes, without its end.
const LONGEST_LINE: usize = 254;

/// Writes the header of a file.
pub(super) fn write_head(out: &mut dyn Write, generator: &str) -> io::Result<()> {
    let generator = escaped(generator);
    write!(out, "% PBN 2.1\n% EXPORT\n%\n[Generator \"{generator}\"]\n")
}

/// Writes a board and an empty line.
pub(crate) fn write(out: &mut dyn Write, board: &Board, notes: BoardNotes<'_>) -> io::Result<()> {
    let labels = notes.labels;
    let tag = |out: &mut dyn Write, name: &str, value: Option<&str>| {
        writeln!(out, "[{name} \"{}\"]", escaped(value.unwrap_or("?")))
    };
    tag(out, "Event", labels.event.as_deref())?;
    tag(out, "Site", labels.site.as_deref())?;
    tag(out, "Date", labels.date.as_deref())?;
    writeln!(out, "[Board \"{}\"]", board.number)?;
    for (seat, name) in [
        (Seat::West, "West"),
        (Seat::North, "North"),
        (Seat::East, "East"),
        (Seat::South, "South"),
    ] {
        let names = labels.names.as_ref();
        tag(out, name, names.map(|names| &*names[seat.index()]))?;
    }
    writeln!(out, "[Dealer \"{}\"]", board.dealer.letter())?;
    writeln!(out, "[Vulnerable \"{}\"]", board.vulnerable.name())?;
    writeln!(out, "[Deal \"{}\"]", board.deal)?;
    tag(out, "Scoring", labels.scoring.as_deref())?;
    for name in ["Declarer", "Contract", "Result"] {
        tag(out, name, None)?;
    }
    write_comment(out, notes.comment)?;
    if let Some(tricks) = board.tricks {
        let score = par(tricks, board.dealer, board.vulnerable);
        writeln!(out, "[OptimumScore \"NS {score}\"]")?;
        write_tricks(out, tricks)?;
    }
    writeln!(out)
}

/// Writes a comment in braces, on as many lines as it needs.
fn write_comment(out: &mut dyn Write, comment: &str) -> io::Result<()> {
    let comment = in_line(comment, &['{', '}']);
    if comment.is_empty() {
        return Ok(());
    }
    let mut line = String::from("{");
    for word in comment.split(' ').flat_map(short_words) {
        // With its space and the brace at the end.
        if line.len() + word.len() + 2 > LONGEST_LINE {
            writeln!(out, "{line}")?;
            line.clear();
        }
        // A line that begins with `%` would be an escape line.
        if line.len() > 1 || line.is_empty() && word.starts_with('%') {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{line}}}")
}

/// A word, or the parts of one that is too long for a line.
fn short_words(word: &str) -> impl Iterator<Item = &str> {
    const LONGEST_WORD: usize = 200;
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = rest.floor_char_boundary(LONGEST_WORD);
        let (first, after) = rest.split_at(end);
        rest = after;
        (!first.is_empty()).then_some(first)
    })
}

/// Writes the table of tricks.
fn write_tricks(out: &mut dyn Write, tricks: TrickTable) -> io::Result<()> {
    writeln!(
        out,
        "[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]"
    )?;
    for seat in Seat::ALL {
        for strain in Strain::ALL {
            let tricks = tricks.tricks(seat, strain);
            writeln!(out, "{} {strain:>2} {tricks:>2}", seat.letter())?;
        }
    }
    Ok(())
}

/// A tag's value with its quotes and backslashes escaped.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}
