//! Double-dummy tricks of a deal.

use super::{Seat, Strain};

/// The tricks that each declarer takes in each strain if all four players see all cards and make
/// no mistake.
///
/// They come from files, or from the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrickTable([u8; TrickTable::BYTES]);

impl TrickTable {
    /// Number of tricks of a deal.
    pub const MOST: u8 = 13;

    /// Number of bytes of [`TrickTable::bytes`].
    pub const BYTES: usize = 10;

    /// Creates the table with these tricks, 0..=13; `None` if any number exceeds 13.
    pub fn new(tricks: impl Fn(Seat, Strain) -> u8) -> Option<Self> {
        let mut bytes = [0; Self::BYTES];
        for strain in Strain::ALL {
            for seat in Seat::ALL {
                let (place, shift) = Self::place(seat, strain);
                let tricks = tricks(seat, strain);
                if tricks > Self::MOST {
                    return None;
                }
                bytes[place] |= tricks << shift;
            }
        }
        Some(Self(bytes))
    }

    /// Creates the table of these bytes, two numbers each, the lower four bits first: no-trumps,
    /// spades, hearts, diamonds, clubs, and in each strain west, north, east, south. This is the
    /// order of Pavlicek's `.zrd`. `None` if any number exceeds 13.
    #[inline]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let is_valid = |byte: &u8| byte & 15 <= Self::MOST && byte >> 4 <= Self::MOST;
        bytes.iter().all(is_valid).then_some(Self(bytes))
    }

    /// Returns the bytes that [`TrickTable::from_bytes`] reads.
    #[inline]
    pub const fn bytes(self) -> [u8; Self::BYTES] {
        self.0
    }

    /// Returns the tricks of this declarer in this strain, 0..=13.
    #[inline]
    pub fn tricks(self, declarer: Seat, strain: Strain) -> u8 {
        let (place, shift) = Self::place(declarer, strain);
        self.0[place] >> shift & 15
    }

    /// Returns the table after the hands have moved clockwise by this number of seats.
    #[must_use]
    #[inline]
    pub fn turned(self, turns: usize) -> Self {
        let turned = Self::new(|seat, strain| self.tricks(seat.turned(4 - turns % 4), strain));
        turned.expect("the same numbers")
    }

    /// Returns the byte of a number, and the position of its lowest bit in the byte.
    #[inline]
    const fn place(seat: Seat, strain: Strain) -> (usize, u32) {
        // From west.
        let column = (seat.index() + 1) % 4;
        (2 * strain.index() + column / 2, 4 * (column as u32 % 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A different number, as far as possible, for every declarer and strain.
    fn number(seat: Seat, strain: Strain) -> u8 {
        ((4 * strain.index() + seat.index()) % 14) as u8
    }

    #[test]
    fn a_table_gives_back_its_tricks_and_bytes() {
        let table = TrickTable::new(number).unwrap();
        for strain in Strain::ALL {
            for seat in Seat::ALL {
                assert_eq!(table.tricks(seat, strain), number(seat, strain));
            }
        }
        assert_eq!(TrickTable::from_bytes(table.bytes()), Some(table));
        // No-trumps: west 3, north 0, east 1, south 2.
        assert_eq!(table.bytes()[..2], [0x03, 0x21]);
    }

    #[test]
    fn more_than_thirteen_tricks_are_refused() {
        assert!(TrickTable::from_bytes([0xDD; 10]).is_some());
        for place in 0..10 {
            for wrong in [0x0E, 0xE0, 0x0F, 0xF0] {
                let mut bytes = [0x66; 10];
                bytes[place] = wrong;
                assert_eq!(TrickTable::from_bytes(bytes), None);
            }
        }
        assert_eq!(TrickTable::new(|_, _| 14), None);
    }

    #[test]
    fn tricks_move_with_the_hands() {
        let table = TrickTable::new(number).unwrap();
        for turns in 0..9 {
            let turned = table.turned(turns);
            for strain in Strain::ALL {
                for seat in Seat::ALL {
                    let (to, from) = (seat.turned(turns), seat);
                    assert_eq!(turned.tricks(to, strain), table.tricks(from, strain));
                }
            }
        }
    }
}
