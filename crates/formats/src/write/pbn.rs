//! The export format of PBN 2.1: the fifteen mandatory tags, with `?` for unknown values; the
//! optimum score and the table of tricks if they are known; comment, auction, play and other tags.

use std::borrow::Cow;
use std::io::{self, Write};

use super::Board;
use super::labels::in_line;
use crate::bridge::{Deal, Seat, Strain, TrickTable};
use crate::language::par;
use crate::record::{BoardRecord, is_complete, tricks};

/// Maximum length of a line in bytes, without its end.
const LONGEST_LINE: usize = 254;

/// Writes the header of a file.
pub(super) fn write_head(out: &mut dyn Write, generator: &str) -> io::Result<()> {
    let generator = escaped(generator);
    write!(out, "% PBN 2.1\n% EXPORT\n%\n[Generator \"{generator}\"]\n")
}

/// Writes a board and an empty line.
pub(crate) fn write(out: &mut dyn Write, board: &Board, record: &BoardRecord) -> io::Result<()> {
    let [event, site, date, round] = &record.event;
    let [north, east, south, west] = &record.names;
    write_tag(out, "Event", event)?;
    write_tag(out, "Site", site)?;
    write_tag(out, "Date", date)?;
    writeln!(out, "[Board \"{}\"]", board.number)?;
    write_tag(out, "West", west)?;
    write_tag(out, "North", north)?;
    write_tag(out, "East", east)?;
    write_tag(out, "South", south)?;
    writeln!(out, "[Dealer \"{}\"]", board.dealer.letter())?;
    writeln!(out, "[Vulnerable \"{}\"]", board.vulnerable.name())?;
    writeln!(out, "[Deal \"{}\"]", board.deal)?;
    write_tag(out, "Scoring", &record.scoring)?;
    write_tag(out, "Declarer", &record.declarer)?;
    write_tag(out, "Contract", &record.contract)?;
    write_tag(out, "Result", &record.result)?;
    if !round.is_empty() {
        write_tag(out, "Round", round)?;
    }
    if !record.deal_type.is_empty() {
        write_tag(out, "HandType", &record.deal_type)?;
    }
    write_comment(out, &record.comment)?;
    if !record.calls.is_empty() {
        write_auction(out, board.dealer, record)?;
    }
    if !record.play.is_empty() {
        write_play(out, &board.deal, record)?;
    }
    if let Some(tricks) = board.tricks {
        let score = par(tricks, board.dealer, board.vulnerable);
        writeln!(out, "[OptimumScore \"NS {score}\"]")?;
        write_tricks(out, tricks)?;
    }
    for line in record.other.lines().filter(|line| !line.trim().is_empty()) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)
}

/// Writes a tag, with `?` for an unknown value.
fn write_tag(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    let value = if value.is_empty() { "?" } else { value };
    writeln!(out, "[{name} \"{}\"]", escaped(value))
}

/// Writes the calls, four on a line, and their explanations as notes.
fn write_auction(out: &mut dyn Write, dealer: Seat, record: &BoardRecord) -> io::Result<()> {
    writeln!(out, "[Auction \"{}\"]", dealer.letter())?;
    let mut notes = Vec::new();
    for (place, of) in record.calls.iter().enumerate() {
        match place {
            0 => {}
            place if place.is_multiple_of(4) => writeln!(out)?,
            _ => write!(out, " ")?,
        }
        write!(out, "{}", of.call)?;
        if let Some(note) = &of.note {
            notes.push(note);
            write!(out, " ={}=", notes.len())?;
        }
    }
    let end = if is_complete(&record.calls) { "" } else { " +" };
    writeln!(out, "{end}")?;
    for (number, note) in (1..).zip(notes) {
        writeln!(out, "[Note \"{number}:{}\"]", escaped(note))?;
    }
    Ok(())
}

/// Writes the cards played, a trick on a line, in columns from the first leader's on.
fn write_play(out: &mut dyn Write, deal: &Deal, record: &BoardRecord) -> io::Result<()> {
    let tricks = tricks(deal, &record.play).unwrap_or_default();
    let first = record.play.first();
    let leader = |seat: &Seat| first.is_some_and(|card| deal.hand(*seat).contains(*card));
    let Some(leader) = Seat::ALL.into_iter().find(leader) else {
        return Ok(());
    };
    writeln!(out, "[Play \"{}\"]", leader.letter())?;
    for trick in tricks {
        let cards = [0, 1, 2, 3].map(|place| match trick[leader.turned(place).index()] {
            Some(card) => card.to_string(),
            None => "-".to_owned(),
        });
        writeln!(out, "{}", cards.join(" "))?;
    }
    match record.play.len() {
        52 => Ok(()),
        _ => writeln!(out, "*"),
    }
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
        let is_begun = !matches!(&*line, "" | "{");
        if is_begun || line.is_empty() && word.starts_with('%') {
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
        let end = (0..=LONGEST_WORD).rfind(|&end| rest.is_char_boundary(end))?;
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

/// A tag's value with its quotes and backslashes escaped, on one line.
fn escaped(value: &str) -> Cow<'_, str> {
    if !value.contains(|letter: char| letter.is_control() || matches!(letter, '"' | '\\')) {
        return value.into();
    }
    let value = value.replace(char::is_control, " ");
    value.replace('\\', "\\\\").replace('"', "\\\"").into()
}
