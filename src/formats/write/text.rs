//! Deals as text, as dealer prints them.

use std::io::{self, Write};

use super::Board;
use crate::bridge::{Deal, Hand, Seat, Suit};

/// Writes a PBN deal string, north first.
pub(in crate::formats) fn write_line(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    writeln!(out, "{}", board.deal)
}

/// Writes `n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C ` and a line end.
pub(in crate::formats) fn write_oneline(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_hands_in_line(out, &board.deal)?;
    writeln!(out)
}

/// Writes `n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C `.
pub(super) fn write_hands_in_line(out: &mut dyn Write, deal: &Deal) -> io::Result<()> {
    let [north, east, south, west] = deal.hands();
    write!(out, "n {north} e {east} s {south} w {west} ")
}

/// Writes one line per hand.
pub(in crate::formats) fn write_compact(out: &mut dyn Write, board: &Board) -> io::Result<()> {
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
    write_hands(out, &board.deal, &Seat::ALL)
}

/// Writes west's and east's hands side by side, as `printew`.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write_ew(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_hands(out, &board.deal, &[Seat::West, Seat::East])
}

/// Writes hands side by side, one line per suit, and an empty line.
fn write_hands(out: &mut dyn Write, deal: &Deal, seats: &[Seat]) -> io::Result<()> {
    for suit in Suit::ALL {
        for (place, &seat) in seats.iter().enumerate() {
            let holding = spaced(deal.hand(seat), suit);
            // The last column is not padded.
            let width = if place + 1 < seats.len() { 20 } else { 0 };
            write!(out, "{holding:width$}")?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

/// The ranks of a suit with a space after each; a dash for a void.
pub(super) fn spaced(hand: Hand, suit: Suit) -> String {
    match hand.holding(suit).to_string() {
        void if void.is_empty() => "- ".to_owned(),
        ranks => ranks.chars().flat_map(|rank| [rank, ' ']).collect(),
    }
}
