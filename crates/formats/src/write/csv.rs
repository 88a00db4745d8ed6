//! BigDeal's CSV: sixteen suits from north's spades to west's clubs, the board number, and
//! dealer/vulnerability, every field in quotes; one more for the type of the deal, if it has one.

use std::io::{self, Write};

use super::Board;
use super::labels::in_line;
use crate::bridge::{Seat, Suit, Vulnerable};
use crate::record::BoardRecord;

/// Writes a board on one line.
pub(crate) fn write(out: &mut dyn Write, board: &Board, record: &BoardRecord) -> io::Result<()> {
    let vulnerable = match board.vulnerable {
        Vulnerable::None => "-",
        other => other.name(),
    };
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            write!(out, "\"{}\",", board.deal.hand(seat).holding(suit))?;
        }
    }
    let (number, dealer) = (board.number, board.dealer.letter());
    write!(out, "\"{number}\",\"{dealer}/{vulnerable}\"")?;
    if !record.deal_type.is_empty() {
        write!(out, ",\"{}\"", in_line(&record.deal_type, &['"']))?;
    }
    writeln!(out)
}
