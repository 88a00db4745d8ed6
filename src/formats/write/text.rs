//! Deals for people, as dealer prints them.

use std::io::{self, Write};

use super::Board;
use crate::bridge::{Deal, Hand, Seat, Suit};

/// A PBN deal string, north first.
pub(in crate::formats) fn write_line(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    writeln!(out, "{}", board.deal)
}

/// `n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C ` and the end of the line.
pub(in crate::formats) fn write_oneline(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_hands_in_line(out, &board.deal)?;
    writeln!(out)
}

/// `n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C `
pub(super) fn write_hands_in_line(out: &mut dyn Write, deal: &Deal) -> io::Result<()> {
    let [north, east, south, west] = deal.hands();
    write!(out, "n {north} e {east} s {south} w {west} ")
}

/// A line a hand.
pub(in crate::formats) fn write_compact(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    let [north, east, south, west] = board.deal.hands();
    writeln!(out, "n {north}\ne {east}\ns {south}\nw {west}")
}

/// The board's number, and the hands from north to west beside each other, as `printall`.
///
/// # Errors
///
/// If writing fails.
pub fn write_all(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    writeln!(out, "{:4}.", board.number)?;
    write_hands(out, &board.deal, &Seat::ALL)
}

/// West's and east's hands beside each other, as `printew`.
///
/// # Errors
///
/// If writing fails.
pub fn write_ew(out: &mut dyn Write, board: &Board) -> io::Result<()> {
    write_hands(out, &board.deal, &[Seat::West, Seat::East])
}

/// Hands beside each other, a line a suit, and an empty line.
fn write_hands(out: &mut dyn Write, deal: &Deal, seats: &[Seat]) -> io::Result<()> {
    for suit in Suit::ALL {
        for (place, &seat) in seats.iter().enumerate() {
            let holding = spaced(deal.hand(seat), suit);
            // The last needs no room after it.
            let width = if place + 1 < seats.len() { 20 } else { 0 };
            write!(out, "{holding:width$}")?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

/// The ranks with a space after each; a dash for a void.
pub(super) fn spaced(hand: Hand, suit: Suit) -> String {
    match hand.holding(suit).to_string() {
        void if void.is_empty() => "- ".to_owned(),
        ranks => ranks.chars().flat_map(|rank| [rank, ' ']).collect(),
    }
}
