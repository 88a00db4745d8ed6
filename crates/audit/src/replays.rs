//! Detects boards that were read before.

use serde::{Deserialize, Serialize};

use super::boards::NumberedBoard;
use super::place::BoardPlace;
use crate::bridge::{Deal, Seat};
use crate::fixed_hash::FixedHashMap;

/// Minimum number of boards remembered since they were last read: as many as a hash map of 2^20
/// places takes, so that memory is bounded.
pub const REMEMBERED: u64 = (1 << 20) / 8 * 7;

/// When boards with the same number and cards are the same board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventRule {
    /// If their events may be the same: no part known in both files differs.
    #[default]
    Compatible,
    /// Always: all files belong to one event.
    Same,
    /// If they are in the same file and their events have the same name: every file is an event of
    /// its own.
    Distinct,
}

impl EventRule {
    /// Returns the rule with this name in audit.json.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Compatible, Self::Same, Self::Distinct];
        all.into_iter().find(|rule| rule.name() == name)
    }

    /// The name in audit.json.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Same => "same",
            Self::Distinct => "distinct",
        }
    }
}

/// A board's number, event and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BoardName {
    /// Its number; in a file without numbers, its place among the file's boards.
    pub(super) number: u64,
    /// Numbers of the parts of its event; 0 for an unknown part.
    pub(super) event: [u32; 4],
    pub(super) place: BoardPlace,
    /// Its section among those of [`EventRecords`](super::records::EventRecords).
    pub(super) section: u64,
}

/// Whether no part of an event that both know differs.
pub(super) fn are_compatible(one: &[u32; 4], other: &[u32; 4]) -> bool {
    let mut parts = one.iter().zip(other);
    parts.all(|(one, other)| one == other || *one == 0 || *other == 0)
}

impl BoardName {
    /// Whether these can be the same board.
    fn is_same_board(&self, other: &Self, rule: EventRule) -> bool {
        self.number == other.number
            && match rule {
                EventRule::Same => true,
                EventRule::Compatible => are_compatible(&self.event, &other.event),
                EventRule::Distinct => {
                    self.event == other.event && self.place.input == other.place.input
                }
            }
    }

    /// The board as reports name it.
    pub(super) fn numbered(&self) -> NumberedBoard {
        NumberedBoard {
            place: self.place,
            number: self.number,
        }
    }
}

/// The boards read so far, by their cards.
///
/// Keys are 64-bit hashes; two differing deals collide about once in 10^12 boards.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Replays {
    rule: EventRule,
    /// The boards read last, and those before them. When the limit is reached, the older half is
    /// forgotten.
    #[serde(with = "saved_names")]
    last: BoardNames,
    #[serde(with = "saved_names")]
    before: BoardNames,
}

type BoardNames = FixedHashMap<u64, BoardName>;

/// Serialisation of the map as a list, in any order.
mod saved_names {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{BoardName, BoardNames};

    pub(super) fn serialize<S: Serializer>(
        names: &BoardNames,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(names)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BoardNames, D::Error> {
        let names = Vec::<(u64, BoardName)>::deserialize(deserializer)?;
        Ok(names.into_iter().collect())
    }
}

/// Maximum number of boards with the same cards that are distinguished; further ones are repeats.
const MOST_NAMES: u64 = 16;

/// Relation of a board to earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayRelation {
    /// Its deal was not read before.
    First,
    /// The same board was read before.
    Replay(BoardName),
    /// Number and cards of a board of another event: the same board, or evidence.
    SameNumber(BoardName),
    /// The cards of another board.
    Repeat(BoardName),
}

impl Replays {
    pub(super) fn new(rule: EventRule) -> Self {
        Self {
            rule,
            ..Self::default()
        }
    }

    /// Records a board and returns its relation to earlier ones.
    pub(super) fn read(&mut self, deal: &Deal, name: BoardName) -> ReplayRelation {
        let (deal, rule) = (hash_of(deal), self.rule);
        let mut other: Option<BoardName> = None;
        let mut same_number: Option<BoardName> = None;
        for index in 0..MOST_NAMES {
            let key = mix(deal ^ mix(index));
            let Some(known) = self.recall(key) else {
                self.last.insert(key, name);
                break;
            };
            if known.is_same_board(&name, rule) {
                // Parts of the event known from only one of the files are now known.
                for (part, new) in known.event.iter_mut().zip(name.event) {
                    *part = (*part).max(new);
                }
                return ReplayRelation::Replay(*known);
            }
            if known.number == name.number {
                same_number.get_or_insert(*known);
            }
            other.get_or_insert(*known);
        }
        match (same_number, other) {
            (Some(known), _) if rule == EventRule::Compatible => ReplayRelation::SameNumber(known),
            (_, Some(known)) => ReplayRelation::Repeat(known),
            (_, None) => ReplayRelation::First,
        }
    }

    /// The known boards with these cards.
    pub(super) fn with_cards(&self, deal: &Deal) -> Vec<BoardName> {
        let deal = hash_of(deal);
        let keys = (0..MOST_NAMES).map(|index| mix(deal ^ mix(index)));
        let known = keys.map_while(|key| self.last.get(&key).or_else(|| self.before.get(&key)));
        known.copied().collect()
    }

    /// Finds the board of a key, and marks it as recent.
    fn recall(&mut self, key: u64) -> Option<&mut BoardName> {
        if !self.last.contains_key(&key) {
            if self.last.len() as u64 >= REMEMBERED {
                std::mem::swap(&mut self.last, &mut self.before);
                self.last.clear();
            }
            let earlier = self.before.get(&key)?;
            self.last.insert(key, *earlier);
        }
        self.last.get_mut(&key)
    }
}

fn hash_of(deal: &Deal) -> u64 {
    let [north, east, south] =
        [Seat::North, Seat::East, Seat::South].map(|seat| deal.hand(seat).bits());
    mix(mix(mix(north) ^ east) ^ south)
}

/// Mixes all bits by multiplications with odd numbers and shifts, each of which is invertible.
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    number ^ number >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::pavlicek;

    fn board(number: u64, event: [u32; 4], line: u64) -> BoardName {
        board_of(0, number, event, line)
    }

    fn board_of(input: u32, number: u64, event: [u32; 4], line: u64) -> BoardName {
        BoardName {
            number,
            event,
            place: BoardPlace { input, line },
            section: 0,
        }
    }

    fn named(relation: ReplayRelation) -> Option<(&'static str, BoardName)> {
        match relation {
            ReplayRelation::First => None,
            ReplayRelation::Replay(known) => Some(("replay", known)),
            ReplayRelation::SameNumber(known) => Some(("same number", known)),
            ReplayRelation::Repeat(known) => Some(("repeat", known)),
        }
    }

    #[test]
    fn a_board_is_a_replay_of_itself_and_a_repeat_of_another() {
        let mut replays = Replays::default();
        let deal = pavlicek::decode(7).unwrap();
        let mut read = |number, event, line| {
            let relation = replays.read(&deal, board(number, event, line));
            named(relation).map(|(name, known)| (name, known.place.line))
        };
        assert_eq!(read(1, [0; 4], 1), None);
        // A part known in only one of them does not separate them.
        assert_eq!(read(1, [5, 0, 0, 0], 2), Some(("replay", 1)));
        assert_eq!(read(1, [0, 0, 9, 0], 3), Some(("replay", 1)));
        assert_eq!(read(1, [5, 0, 8, 0], 4), Some(("same number", 1)));
        assert_eq!(read(2, [0; 4], 5), Some(("repeat", 1)));
        // These boards, too, are played at other tables.
        assert_eq!(read(2, [0, 3, 0, 0], 6), Some(("replay", 5)));
        assert_eq!(read(1, [5, 0, 8, 0], 7), Some(("replay", 4)));
        let known = replays.with_cards(&deal);
        let numbers: Vec<u64> = known.iter().map(|known| known.number).collect();
        assert_eq!(numbers, [1, 1, 2]);
    }

    #[test]
    fn events_are_one_or_distinct_if_that_is_said() {
        let deal = pavlicek::decode(7).unwrap();
        for (rule, other_event, other_number) in [
            (EventRule::Compatible, false, false),
            (EventRule::Same, true, false),
            (EventRule::Distinct, false, false),
        ] {
            let mut replays = Replays::new(rule);
            let mut is_replay = |number, event, line| {
                let read = replays.read(&deal, board(number, event, line));
                matches!(read, ReplayRelation::Replay(_))
            };
            assert!(!is_replay(1, [1, 0, 0, 0], 1));
            assert!(is_replay(1, [1, 0, 0, 0], 2));
            assert_eq!(is_replay(1, [2, 0, 0, 0], 3), other_event, "{rule:?}");
            assert_eq!(is_replay(2, [1, 0, 0, 0], 4), other_number, "{rule:?}");
        }
        // With distinct events, a missing part or another file means another event.
        for (input, event) in [(0, [1, 2, 0, 0]), (1, [1, 0, 0, 0])] {
            let mut replays = Replays::new(EventRule::Distinct);
            let first = replays.read(&deal, board(1, [1, 0, 0, 0], 1));
            assert_eq!(first, ReplayRelation::First);
            let other = replays.read(&deal, board_of(input, 1, event, 2));
            assert_eq!(named(other).map(|(name, _)| name), Some("repeat"));
        }
    }

    #[test]
    fn boards_are_remembered_for_a_while_after_they_were_last_read() {
        let mut replays = Replays::default();
        let mut read = |number: u64| {
            let deal = pavlicek::decode(u128::from(number)).unwrap();
            replays.read(&deal, board(number, [0; 4], number))
        };
        let is_replay = |read| matches!(read, ReplayRelation::Replay(_));
        for number in 0..5 * REMEMBERED / 2 {
            assert_eq!(read(number), ReplayRelation::First);
            if number.is_multiple_of(REMEMBERED / 2) {
                // A board that recurs is never forgotten.
                assert!(is_replay(read(0)));
            }
        }
        assert!(is_replay(read(3 * REMEMBERED / 2)));
        assert_eq!(read(1), ReplayRelation::First);
    }
}
