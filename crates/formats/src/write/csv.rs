//! BigDeal's CSV: sixteen suits from north's spades to west's clubs, the board number, and
//! dealer/vulnerability, every field in quotes.

use std::io::{self, Write};

use super::Board;
use crate::bridge::{Seat, Suit, Vulnerable};

/// Writes a board on one line.
pub(crate) fn write(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    let vulnerable = match board.vulnerable {
        Vulnerable::None => "-",
        other => other.name(),
    };
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            write!(out, "\"{}\",", board.deal.hand(seat).holding(suit))?;
        }
    }
    writeln!(
        out,
        "\"{}\",\"{}/{vulnerable}\"",
        board.number,
        board.dealer.letter()
    )
}
