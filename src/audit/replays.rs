//! Boards that were read before.

use std::hash::{BuildHasherDefault, Hasher};

use hashbrown::HashMap;

use super::place::Place;
use crate::bridge::{Deal, Seat};

/// Boards that are remembered at least, after they were last read: memory is constant.
pub const REMEMBERED: u64 = 1 << 20;

/// What is known of a board that has been read: by its deal, and by that with its event
/// and number.
///
/// Keys are hashes of 64 bits, of which two are the same by chance once in 10^12 boards.
#[derive(Debug, Default)]
pub(super) struct Replays {
    /// What was read last, and before that: when as many boards are remembered as may
    /// be, those before are forgotten.
    last: Boards,
    before: Boards,
}

type Boards = HashMap<u64, Place, BuildHasherDefault<Hashed>>;

/// What a board is to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// Its deal was not read before.
    First,
    /// The same event, number and cards.
    Replay,
    /// The cards of another board.
    Repeat(Place),
}

impl Replays {
    /// Takes note of a board; `identity` stands for its event and number, if both are known.
    pub(super) fn read(&mut self, deal: &Deal, identity: Option<u64>, place: Place) -> Read {
        let deal = hash_of(deal);
        let board = identity.map(|identity| mix(deal ^ mix(identity)));
        let earlier = self.note(deal, place);
        if board.is_some_and(|board| self.note(board, place).is_some()) {
            return Read::Replay;
        }
        earlier.map_or(Read::First, Read::Repeat)
    }

    /// Remembers a key from now on; gives the place that it had first.
    fn note(&mut self, key: u64, place: Place) -> Option<Place> {
        if let Some(earlier) = self.last.get(&key) {
            return Some(*earlier);
        }
        // Two keys a board.
        if self.last.len() as u64 >= 2 * REMEMBERED {
            std::mem::swap(&mut self.last, &mut self.before);
            self.last.clear();
        }
        let earlier = self.before.get(&key).copied();
        self.last.insert(key, earlier.unwrap_or(place));
        earlier
    }
}

/// Numbers that are hashes already.
#[derive(Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = mix(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

fn hash_of(deal: &Deal) -> u64 {
    let [north, east, south] =
        [Seat::North, Seat::East, Seat::South].map(|seat| deal.hand(seat).bits());
    mix(mix(mix(north) ^ east) ^ south)
}

/// Spreads every bit over all: multiplications by odd numbers and shifts, each of which
/// can be undone.
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    number ^ number >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::pavlicek;

    #[test]
    fn a_board_is_a_replay_of_itself_and_a_repeat_of_another() {
        let mut replays = Replays::default();
        let deal = pavlicek::decode(7).unwrap();
        let place = |line| Place { input: 0, line };
        assert_eq!(replays.read(&deal, Some(1), place(1)), Read::First);
        assert_eq!(replays.read(&deal, Some(1), place(2)), Read::Replay);
        assert_eq!(
            replays.read(&deal, Some(2), place(3)),
            Read::Repeat(place(1))
        );
        // That board, too, is played at other tables.
        assert_eq!(replays.read(&deal, Some(2), place(4)), Read::Replay);
        assert_eq!(replays.read(&deal, None, place(5)), Read::Repeat(place(1)));
    }

    #[test]
    fn boards_are_remembered_for_a_while_after_they_were_last_read() {
        let mut replays = Replays::default();
        let mut read = |number: u64| {
            let deal = pavlicek::decode(u128::from(number)).unwrap();
            let line = number;
            replays.read(&deal, Some(number), Place { input: 0, line })
        };
        for number in 0..5 * REMEMBERED / 2 {
            assert_eq!(read(number), Read::First);
            if number.is_multiple_of(REMEMBERED / 2) {
                // One that comes again and again is never forgotten.
                assert_eq!(read(0), Read::Replay);
            }
        }
        assert_eq!(read(3 * REMEMBERED / 2), Read::Replay);
        assert_eq!(read(1), Read::First);
    }
}
