//! Pavlicek's solved deals: 23 bytes per board.

use std::io::{self, Write};

use super::Board;
use crate::bridge::{Card, Seat, TrickTable};

/// Writes a board: two bits per card, and the double-dummy tricks.
///
/// The format has no value for unknown tricks.
pub(super) fn write(out: &mut dyn Write, board: &Board, tricks: TrickTable) -> io::Result<()> {
    let mut cards = 0_u128;
    for seat in Seat::ALL {
        // From west.
        let owner = (seat.index() as u128 + 1) % 4;
        for card in board.deal.hand(seat).cards() {
            cards |= owner << (2 * card.index());
        }
    }
    out.write_all(&cards.to_le_bytes()[..Card::COUNT / 4])?;
    out.write_all(&tricks.bytes())
}
