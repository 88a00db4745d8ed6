//! Bridge Base Online's LIN: south's, west's and north's hands; east has the rest.

use std::io::{self, Write};

use super::Board;
use super::labels::in_line;
use crate::bridge::{Seat, Suit, Vulnerable};
use crate::record::BoardRecord;

/// Writes a board on one line, with the players, the comment, the calls, the play and the
/// declarer's tricks, as far as they are known.
pub(crate) fn write(out: &mut dyn Write, board: &Board, record: &BoardRecord) -> io::Result<()> {
    let dealer = match board.dealer {
        Seat::South => 1,
        Seat::West => 2,
        Seat::North => 3,
        Seat::East => 4,
    };
    let vulnerable = match board.vulnerable {
        Vulnerable::None => '0',
        Vulnerable::NorthSouth => 'n',
        Vulnerable::EastWest => 'e',
        Vulnerable::All => 'b',
    };
    let number = board.number;
    write!(out, "qx|o{number}|")?;
    if record.names.iter().any(|name| !name.is_empty()) {
        let names = record.names.each_ref();
        let [north, east, south, west] = names.map(|name| in_line(name, &['|', ',']));
        write!(out, "pn|{south},{west},{north},{east}|")?;
    }
    write!(out, "md|{dealer}")?;
    for seat in [Seat::South, Seat::West, Seat::North] {
        if seat != Seat::South {
            write!(out, ",")?;
        }
        for suit in Suit::ALL {
            write!(
                out,
                "{}{}",
                suit.letter(),
                board.deal.hand(seat).holding(suit)
            )?;
        }
    }
    write!(out, "|rh||ah|Board {number}|sv|{vulnerable}|")?;
    let told = [&*record.deal_type, &*record.comment];
    let told: Vec<&str> = told.into_iter().filter(|text| !text.is_empty()).collect();
    let comment = in_line(&told.join(": "), &['|']);
    if !comment.is_empty() {
        write!(out, "nt|{comment}|")?;
    }
    for of in &record.calls {
        let alert = if of.note.is_some() { "!" } else { "" };
        write!(out, "mb|{}{alert}|", of.call.lin())?;
        if let Some(note) = of.note.as_ref().filter(|note| !note.is_empty()) {
            write!(out, "an|{}|", in_line(note, &['|']))?;
        }
    }
    for card in &record.play {
        write!(out, "pc|{card}|")?;
    }
    if record.result.parse::<u8>().is_ok() {
        write!(out, "mc|{}|", record.result)?;
    }
    writeln!(out, "pg||")
}
