//! JSON Lines: one object per board with its four hands, as `deal --json` prints.

use serde::Deserialize;

use super::cards::{DisjointHands, outcome};
use super::records::BoardRecord;
use super::{BoardDetails, Fault, notation, other};
use crate::bridge::Seat;

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

/// Reads a line.
pub(super) fn read(line: &[u8]) -> BoardRecord {
    let line: JsonDeal = match serde_json::from_slice(line) {
        Ok(line) => line,
        Err(error) => {
            let error = error.to_string();
            // The line is always 1, so only the column is useful.
            let error = error.replace(" at line 1 column", ", at column");
            return BoardRecord::invalid(format!("not a JSON board: {error}"));
        }
    };
    let dealer = match line.dealer.as_deref().map(Seat::from_name) {
        None => None,
        Some(Some(seat)) => Some(seat),
        Some(None) => return BoardRecord::invalid("`dealer` is not north, east, south or west"),
    };
    BoardRecord {
        board: line.number,
        dealer,
        details: BoardDetails {
            vulnerable: line
                .vulnerability
                .as_ref()
                .and_then(|value| notation::vulnerable(value.as_str()?.as_bytes())),
            ..BoardDetails::default()
        },
        ..outcome(hands([line.north, line.east, line.south, line.west])).into()
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
    use crate::formats::Format as F;

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
}
