//! The files of dealing machines: BRI, DGE, and DUP, which contains both.

use std::io::{self, Write};

use super::Board;
use crate::bridge::{Deal, Seat, Suit};

/// Maximum number of boards in a DUP file, which stores it in two digits.
pub(crate) const MOST_DUP_BOARDS: u64 = 99;

/// Writes BRI: the cards of north, east and south as two digits each, from 01 for the ace of spades
/// to 52 for the deuce of clubs; then 32 spaces and 18 zeros.
pub(crate) fn write_bri(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_numbers(out, &board.deal)?;
    out.write_all(&[b' '; 32])?;
    out.write_all(&[0; 18])
}

/// Writes DGE: four hands, then 60 zeros.
pub(crate) fn write_dge(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_symbols(out, &board.deal)?;
    out.write_all(&[0; 60])
}

/// Writes DUP: cards as in BRI, hands as in DGE, and the number of boards.
pub(crate) fn write_dup(out: &mut dyn Write, deals: &[Deal]) -> io::Result<()> {
    for deal in deals {
        write_numbers(out, deal)?;
        write_symbols(out, deal)?;
        write!(out, "YN1  0 {:02} ", deals.len())?;
    }
    Ok(())
}

fn write_numbers(out: &mut dyn Write, deal: &Deal) -> io::Result<()> {
    for seat in [Seat::North, Seat::East, Seat::South] {
        for card in deal.hand(seat).cards() {
            write!(out, "{:02}", card.index() + 1)?;
        }
    }
    Ok(())
}

/// Writes each suit's symbol and ranks, 17 bytes per hand.
fn write_symbols(out: &mut dyn Write, deal: &Deal) -> io::Result<()> {
    for hand in deal.hands() {
        for suit in Suit::ALL {
            // Code page 437.
            let symbol = match suit {
                Suit::Spades => 6,
                Suit::Hearts => 3,
                Suit::Diamonds => 4,
                Suit::Clubs => 5,
            };
            out.write_all(&[symbol])?;
            write!(out, "{}", hand.holding(suit))?;
        }
    }
    Ok(())
}
