//! Bridge Base Online's LIN: south's, west's and north's hands; east has the rest.

use std::io::{self, Write};

use super::Board;
use crate::bridge::{Seat, Suit, Vulnerable};

/// Writes a board on one line.
pub(in crate::formats) fn write(out: &mut dyn Write, board: &Board) -> io::Result<()> {
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
    write!(out, "qx|o{number}|md|{dealer}")?;
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
    writeln!(out, "|rh||ah|Board {number}|sv|{vulnerable}|pg||")
}
