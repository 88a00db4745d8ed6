//! JSON: objects with the four hands of a board, as `deal --json` prints them, on lines of their own
//! or in an array.
//!
//! An object that has no end does not hide the next one: no string goes on in the next line, and
//! a line that begins with a brace begins an object.

use memchr::memmem;
use serde::Deserialize;

use super::cards::{DisjointHands, outcome};
use super::records::push;
use super::text::ended_lines;
use super::{BoardDetails, Entry, Fault, FilePiece, Parser, notation, other};
use crate::bridge::Seat;
use crate::record::{BoardRecord, RecordObject};

/// The bytes between objects.
const BETWEEN: &[u8] = b" \t\r\n,[]";

/// Reads objects.
#[derive(Debug, Default)]
pub(crate) struct Json;

impl Parser for Json {
    fn cut(&self, bytes: &[u8]) -> usize {
        let start = memmem::rfind(bytes, b"\n{").map_or(0, |at| at + 1);
        let (mut rest, mut end) = (&bytes[start..], start);
        while let Some(between) = begin(rest) {
            let Some(length) = length(&rest[between..]) else {
                break;
            };
            end += between + length;
            rest = &rest[between + length..];
        }
        end
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        let mut rest = piece;
        while let Some(between) = begin(rest) {
            found.places += ended_lines(&rest[..between]);
            let text = &rest[between..];
            let (text, after) = text.split_at(length(text).unwrap_or(text.len()));
            push(found, read(text, found.keeps_records));
            found.places += ended_lines(text);
            rest = after;
        }
        found.places += ended_lines(rest);
    }
}

/// Number of bytes before the next object or other text; `None` if there is none.
fn begin(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| !BETWEEN.contains(byte))
}

/// Length of the object that begins a text, or of the other text on its line; `None` if it has no
/// end yet.
fn length(text: &[u8]) -> Option<usize> {
    let is_object = text.starts_with(b"{");
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, &byte) in text.iter().enumerate() {
        let is_line_end = matches!(byte, b'\n' | b'\r');
        if is_line_end && (in_string || !is_object) {
            return Some(at);
        }
        if in_string {
            in_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' if at > 0 && matches!(text[at - 1], b'\n' | b'\r') => return Some(at),
            b'{' => depth += 1,
            b'}' if is_object && depth == 1 => return Some(at + 1),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The members of an object that are read; other members are ignored.
#[derive(Deserialize)]
struct JsonDeal {
    number: Option<u64>,
    dealer: Option<String>,
    vulnerability: Option<serde_json::Value>,
    north: String,
    east: String,
    south: String,
    west: String,
}

/// Reads an object.
fn read(text: &[u8], keeps_record: bool) -> Entry {
    let board: JsonDeal = match serde_json::from_slice(text) {
        Ok(board) => board,
        Err(error) => {
            let error = error.to_string();
            // In an object on one line, only the column is useful.
            let error = error.replace(" at line 1 column", ", at column");
            return Entry::invalid(format!("not a JSON board: {error}"));
        }
    };
    let dealer = match board.dealer.as_deref().map(Seat::from_name) {
        None => None,
        Some(Some(seat)) => Some(seat),
        Some(None) => return Entry::invalid("`dealer` is not north, east, south or west"),
    };
    let record = || match serde_json::from_slice::<RecordObject>(text) {
        Ok(object) if object == RecordObject::default() => None,
        Ok(object) => Some(Box::new(object.into())),
        // Members of other programs.
        Err(_) => Some(Box::new(BoardRecord {
            has_unread: true,
            ..BoardRecord::default()
        })),
    };
    Entry {
        record: keeps_record.then(record).flatten(),
        board: board.number,
        dealer,
        details: BoardDetails {
            vulnerable: board
                .vulnerability
                .as_ref()
                .and_then(|value| notation::vulnerable(value.as_str()?.as_bytes())),
            ..BoardDetails::default()
        },
        ..outcome(hands([board.north, board.east, board.south, board.west])).into()
    }
}

fn hands(texts: [String; 4]) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    for (seat, text) in Seat::ALL.into_iter().zip(texts) {
        // This program writes the ten as one letter; other programs may write `10`.
        if !text.is_ascii() {
            return Err(other(format!("{seat}'s hand is not ASCII")));
        }
        hands.add_hand(seat, text.as_bytes(), b'.')?;
    }
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use crate::Format as F;

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Json);
    }

    #[test]
    fn other_members_are_ignored_and_what_is_missing_is_named() {
        let line = concat!(
            r#"{"north":"2.T98.K752.KJT84","east":"5.J7642.986.9763","#,
            r#""south":"AQ8.AQ5.QJT.AQ52","west":"KJT97643.K3.A43.","par":{"a":[1]}}"#
        );
        assert_eq!(F::detect(line.as_bytes()), Some(F::Json));
        let deal = "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43.";
        assert_eq!(said(F::Json, line.as_bytes()), [deal]);
        for (from, to, expected) in [
            (
                "\"west\"",
                "\"w\"",
                "invalid: not a JSON board: missing field `west`, at column 120",
            ),
            (
                "KJT97643.K3.A43.",
                "KJT97643.K3.A4.",
                "incomplete: west holds 12 cards instead of 13: D3 is in no hand",
            ),
            (
                "\"par\"",
                "\"dealer\":\"N\",\"par\"",
                "invalid: `dealer` is not north, east, south or west",
            ),
        ] {
            assert_eq!(said(F::Json, line.replace(from, to).as_bytes()), [expected]);
        }
        testing::cuts_change_nothing(F::Json, format!("{line}\n{line}\n").as_bytes());
        testing::any_bytes_are_read(F::Json, b"{}\":,northeasuw.AKQ\n");
    }

    const DEAL: &str = "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43.";

    fn object(number: u64) -> String {
        format!(
            "{{\"number\":{number},\"north\":\"2.T98.K752.KJT84\",\"east\":\"5.J7642.986.9763\",\
             \"south\":\"AQ8.AQ5.QJT.AQ52\",\"west\":\"KJT97643.K3.A43.\",\"x\":{{\"y\":\"}}\"}}}}"
        )
    }

    #[test]
    fn objects_may_be_in_an_array() {
        let (one, two) = (object(1), object(2));
        let indented = |text: &str| text.replace("{", "{\n  ").replace(',', ",\r\n  ");
        for (text, places) in [
            (format!("[{one},{two}]"), [0, 0]),
            (format!("[\n{one},\n{two}\n]\n"), [1, 2]),
            (format!("{one}\n\n{two}"), [0, 2]),
            (
                format!("[\n  {},\n  {}]", indented(&one), indented(&two)),
                [1, 9],
            ),
        ] {
            let entries = testing::whole(F::Json, text.as_bytes());
            let found: Vec<_> = entries
                .iter()
                .map(|entry| (entry.place, entry.board))
                .collect();
            assert_eq!(
                found,
                [(places[0], Some(1)), (places[1], Some(2))],
                "{text}"
            );
            assert_eq!(said(F::Json, text.as_bytes()), [DEAL; 2]);
            assert_eq!(F::detect(text.as_bytes()), Some(F::Json));
            testing::cuts_change_nothing(F::Json, text.as_bytes());
            testing::truncations_are_read(F::Json, text.as_bytes());
        }
    }

    #[test]
    fn a_broken_object_hides_no_other() {
        let one = object(1);
        for broken in ["{\"north\":\"", "{\"north\":", "{{{", "north", "}}"] {
            let said = said(F::Json, format!("{broken}\n{one}\n").as_bytes());
            assert!(
                said[0].starts_with("invalid: not a JSON board: "),
                "{said:?}"
            );
            assert_eq!(said[1..], [DEAL], "{broken}");
        }
    }
}
