//! Deals as text, as dealer prints them.

use std::io::{self, Write};

use super::Board;
use crate::bridge::{Deal, Hand, Seat, Side, Suit};

/// Writes a PBN deal string, north first.
pub(crate) fn write_line(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    writeln!(out, "{}", board.deal)
}

/// Writes `n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C ` and a line end.
pub(crate) fn write_oneline(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_in_line(out, &board.deal, &Seat::ALL)?;
    writeln!(out)
}

/// Writes `n S.H.D.C ` and so on, for some of the hands.
pub(crate) fn write_in_line(out: &mut dyn Write, deal: &Deal, seats: &[Seat]) -> io::Result<()> {
    for &seat in seats {
        let letter = seat.letter().to_ascii_lowercase();
        write!(out, "{letter} {} ", deal.hand(seat))?;
    }
    Ok(())
}

/// Writes one line per hand.
pub(crate) fn write_compact(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    let [north, east, south, west] = board.deal.hands();
    writeln!(out, "n {north}\ne {east}\ns {south}\nw {west}")
}

/// Writes the board number, and the hands from north to west side by side, as `printall`.
///
/// # Errors
///
/// If writing fails.
pub fn write_all(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    writeln!(out, "{:4}.", board.number)?;
    write_hands(out, board.deal.hands())
}

/// Writes west's and east's hands side by side, as `printew`.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write_ew(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_side(out, &board.deal, Side::EastWest)
}

/// Writes the hands of a side next to each other, west or south first.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write_side(out: &mut dyn Write, deal: &Deal, side: Side) -> io::Result<()> {
    let seats = match side {
        Side::NorthSouth => [Seat::South, Seat::North],
        Side::EastWest => [Seat::West, Seat::East],
    };
    write_hands(out, &seats.map(|seat| deal.hand(seat)))
}

/// Writes hands side by side, one line per suit, and an empty line.
pub(super) fn write_hands(out: &mut dyn Write, hands: &[Hand]) -> io::Result<()> {
    for suit in Suit::ALL {
        for (place, &hand) in hands.iter().enumerate() {
            let width = if place + 1 < hands.len() { 20 } else { 0 };
            write!(out, "{:width$}", spaced(hand, suit))?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

/// The ranks of a suit with a space after each; a dash for a void.
fn spaced(hand: Hand, suit: Suit) -> String {
    match hand.holding(suit).to_string() {
        void if void.is_empty() => "- ".to_owned(),
        ranks => ranks.chars().flat_map(|rank| [rank, ' ']).collect(),
    }
}
