//! Bridge Base Online's LIN: south's, west's and north's hands; east has the rest.

use std::io::{self, Write};

use super::Board;
use super::labels::{BoardNotes, in_line};
use crate::bridge::{Seat, Suit, Vulnerable};

/// Writes a board on one line, with the players' names and the comment if there are any.
pub(crate) fn write(out: &mut dyn Write, board: &Board, notes: BoardNotes<'_>) -> io::Result<()> {
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
    if let Some(names) = &notes.labels.names {
        let [north, east, south, west] = names.each_ref().map(|name| in_line(name, &['|', ',']));
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
    let comment = in_line(notes.comment, &['|']);
    if !comment.is_empty() {
        write!(out, "nt|{comment}|")?;
    }
    writeln!(out, "pg||")
}
