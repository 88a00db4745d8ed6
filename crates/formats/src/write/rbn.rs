//! Richard's Bridge Notation: labelled lines, and an empty line after each board.

use std::io::{self, Write};

use super::Board;
use super::labels::in_line;
use crate::bridge::Vulnerable;
use crate::record::{AuctionCall, BoardRecord, Call, is_complete};

/// Explanations that a board can have: their labels are digits.
const MOST_EXPLAINED: usize = 9;

/// Writes a board with its record; west's hand is the rest.
///
/// Event, scoring and players apply to later boards until they are replaced: `has_part` says which
/// of them the boards so far have.
pub(crate) fn write(
    out: &mut dyn Write,
    board: &Board,
    record: &BoardRecord,
    has_part: &mut [bool; 6],
) -> io::Result<()> {
    let [event, site, date, round] = record.event.each_ref().map(|part| in_line(part, &[]));
    let [north, east, south, west] = record
        .names
        .each_ref()
        .map(|name| in_line(name, &['+', ':']));
    let names = match record.names.iter().all(|name| name.is_empty()) {
        true => String::new(),
        false => format!("{north}+{south}:{west}+{east}"),
    };
    let scoring = in_line(&record.scoring, &[]);
    let parts = [event, site, date, round, scoring, names];
    for ((label, text), has_part) in ["E", "L", "D", "S", "F", "N"]
        .iter()
        .zip(parts)
        .zip(has_part)
    {
        match (text.is_empty(), *has_part) {
            (true, false) => {}
            (true, true) => writeln!(out, "{label}")?,
            (false, _) => writeln!(out, "{label} {text}")?,
        }
        *has_part = !text.is_empty();
    }
    let [north, east, south, _] = board.deal.hands();
    writeln!(out, "B {}\nH N:{north}:{east}:{south}:", board.number)?;
    let vulnerable = match board.vulnerable {
        Vulnerable::None => 'Z',
        Vulnerable::NorthSouth => 'N',
        Vulnerable::EastWest => 'E',
        Vulnerable::All => 'B',
    };
    write!(out, "A {}{vulnerable}:", board.dealer.letter())?;
    write_calls(out, &record.calls)?;
    let bid = record.contract.trim_end_matches('X');
    if let Some(call @ Call::Bid(..)) = Call::from_text(bid.as_bytes()) {
        let doubled = record.contract[bid.len()..].replace("XX", "R");
        writeln!(out, "C {}{doubled}:{}", call.lin(), record.declarer)?;
    }
    if !record.play.is_empty() {
        write!(out, "P ")?;
        for (place, card) in record.play.iter().enumerate() {
            let led = record.play[place - place % 4].suit();
            let colon = if place > 0 && place % 4 == 0 { ":" } else { "" };
            match place % 4 > 0 && card.suit() == led {
                true => write!(out, "{}", card.rank().letter())?,
                false => write!(out, "{colon}{card}")?,
            }
        }
        writeln!(out)?;
    }
    let result = match (&*record.contract, &*record.result) {
        ("Pass", "") => "P".to_owned(),
        (_, result) => in_line(result, &[':']),
    };
    if !result.is_empty() {
        writeln!(out, "R {result}")?;
    }
    let comment = in_line(&record.comment, &['{', '}']);
    if !comment.is_empty() {
        writeln!(out, "{{{comment}}}")?;
    }
    writeln!(out)
}

/// Writes the calls, round by round, and their explanations.
fn write_calls(out: &mut dyn Write, calls: &[AuctionCall]) -> io::Result<()> {
    let is_plain = |of: &&AuctionCall| of.call == Call::Pass && of.note.is_none();
    let passes = calls.iter().rev().take_while(is_plain).count();
    let last = match is_complete(calls) && passes >= 3 {
        true => calls.len() - passes,
        false => calls.len(),
    };
    let mut notes: Vec<String> = Vec::new();
    for (place, of) in calls[..last].iter().enumerate() {
        let colon = if place > 0 && place % 4 == 0 { ":" } else { "" };
        let call = match of.call {
            Call::Pass => "P".to_owned(),
            Call::Redouble => "R".to_owned(),
            Call::Double => "X".to_owned(),
            bid @ Call::Bid(..) => bid.lin(),
        };
        write!(out, "{colon}{call}")?;
        match of.note.as_ref().map(|note| in_line(note, &[])) {
            None => {}
            Some(note) if !note.is_empty() && notes.len() < MOST_EXPLAINED => {
                notes.push(note);
                write!(out, "^{}", notes.len())?;
            }
            Some(_) => write!(out, "*")?,
        }
    }
    let is_new_round = last > 0 && last % 4 == 0;
    let end = match (last < calls.len(), is_new_round) {
        (false, _) => "",
        (true, false) => "A",
        (true, true) => ":A",
    };
    writeln!(out, "{end}")?;
    for (number, note) in (1..).zip(notes) {
        writeln!(out, "{number} {note}")?;
    }
    Ok(())
}
