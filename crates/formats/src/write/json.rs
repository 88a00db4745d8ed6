//! JSON Lines: one object per board.

use std::io::{self, Write};

use serde::Serialize;

use super::Board;
use crate::bridge::Seat;
use crate::record::{BoardRecord, RecordObject};

/// The JSON object of a board.
#[derive(Serialize)]
struct BoardObject {
    number: u64,
    dealer: &'static str,
    vulnerability: &'static str,
    north: String,
    east: String,
    south: String,
    west: String,
    #[serde(flatten)]
    record: RecordObject,
}

/// Writes a board on one line.
pub(crate) fn write(out: &mut dyn Write, board: &Board, record: &BoardRecord) -> io::Result<()> {
    let hands = Seat::ALL.map(|seat| board.deal.hand(seat).to_string());
    let [north, east, south, west] = hands;
    let object = BoardObject {
        number: board.number,
        dealer: board.dealer.name(),
        vulnerability: board.vulnerable.name(),
        north,
        east,
        south,
        west,
        record: record.into(),
    };
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}
