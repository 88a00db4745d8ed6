//! Recognises files that are records of one event, and the boards on which they contradict each
//! other.
//!
//! A file is another record of an event if at least half of its boards, or of the other file's,
//! were read before in that one file. A *section* is a stretch of a file that can be one record:
//! boards of events that may be the same, until the numbers fall to one that the section has.
//! Sections are compared besides files: one file may hold several records or several sessions.
//!
//! In a record of an event that was read before, these boards are conflicts:
//!
//! - a board with the cards of another number, unless this file has these cards under both
//!   numbers: that is a repeat within one file, and evidence
//! - a board with the number of another deal of a section that it shares boards with

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::boards::{BoardDifference, BoardPair};
use super::place::BoardPlace;
use super::replays::{BoardName, are_compatible};
use crate::bridge::{Deal, Seat};

/// Number of a file's first boards that decide whether it is a record of an event read before. They
/// are held back until then.
pub(super) const DECIDING: usize = 1 << 14;

/// Maximum number of sections that later ones are compared with.
const MOST_SECTIONS: usize = 1 << 16;

/// Maximum number of boards in these sections.
const MOST_BOARDS: usize = 1 << 18;

/// A stretch of a file that can be one record of an event.
#[derive(Debug, Serialize, Deserialize)]
struct HeldSection {
    input: u32,
    /// The known parts of its event.
    event: [u32; 4],
    last_number: u64,
    /// Its tested boards by number: their lines and deals.
    own: BTreeMap<u64, (u64, Deal)>,
    /// Number of boards that are held back or in conflict.
    held: u64,
    /// Number of boards of earlier sections that it has too, by section.
    shared: BTreeMap<u64, u64>,
}

impl HeldSection {
    /// Number of different boards.
    fn boards(&self) -> u64 {
        self.own.len() as u64 + self.held + self.shared.values().sum::<u64>()
    }

    /// Whether a board continues the last section, which has these numbers.
    fn continues(&self, board: &BoardName, numbers: &BTreeSet<u64>) -> bool {
        self.input == board.place.input
            && are_compatible(&self.event, &board.event)
            && (self.last_number <= board.number || !numbers.contains(&board.number))
    }
}

/// The sections read so far, and the boards that the current file shares with them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct EventRecords {
    /// The last sections, in reading order.
    sections: VecDeque<HeldSection>,
    /// Number of sections before those.
    forgotten: u64,
    /// The numbers of the last section's boards.
    numbers: BTreeSet<u64>,
    /// Number of tested boards of these sections.
    boards: usize,
    /// By file, a file of the same event: itself or an earlier one.
    same_event: Vec<u32>,
    /// Boards of earlier sections, by section and number, that a section of the current file has.
    shared: BTreeSet<(u64, u64, u64)>,
    /// Number of boards that the current file shares with another, by file.
    shared_with: BTreeMap<u32, u64>,
    /// Number of boards of the current file that are held back.
    held: usize,
    /// Whether the first boards of the current file have decided.
    is_decided: bool,
}

impl EventRecords {
    /// Starts the next file.
    pub(super) fn begin(&mut self) {
        self.same_event.push(self.same_event.len() as u32);
        self.shared.clear();
        self.shared_with.clear();
        self.held = 0;
        self.is_decided = false;
    }

    /// Finds or starts the section of a board of the current file, and returns its index.
    pub(super) fn section(&mut self, board: &BoardName) -> u64 {
        let is_decided = self.is_decided;
        match self.sections.back_mut() {
            Some(last) if is_decided || last.continues(board, &self.numbers) => {
                last.last_number = board.number;
                for (part, new) in last.event.iter_mut().zip(board.event) {
                    *part = (*part).max(new);
                }
            }
            _ => {
                self.numbers.clear();
                self.sections.push_back(HeldSection {
                    input: board.place.input,
                    event: board.event,
                    last_number: board.number,
                    own: BTreeMap::new(),
                    held: 0,
                    shared: BTreeMap::new(),
                });
                self.forget();
            }
        }
        if self.numbers.len() < DECIDING {
            self.numbers.insert(board.number);
        }
        self.forgotten + self.sections.len() as u64 - 1
    }

    /// Forgets the oldest sections beyond the limits.
    fn forget(&mut self) {
        while self.sections.len() > MOST_SECTIONS || self.boards > MOST_BOARDS {
            let Some(oldest) = self.sections.pop_front() else {
                break;
            };
            self.boards -= oldest.own.len();
            self.forgotten += 1;
        }
    }

    /// Whether a board of this section must be held back: an earlier section may be of its event.
    pub(super) fn holds(&self, section: u64) -> bool {
        !self.is_decided && section > 0
    }

    /// Counts a board that is held back.
    pub(super) fn hold(&mut self, section: u64) {
        self.held += 1;
        if let Some(section) = self.at(section) {
            section.held += 1;
        }
    }

    /// Records that a section has a board of an earlier one.
    pub(super) fn share(&mut self, section: u64, input: u32, earlier: &BoardName) {
        let (of, number) = (earlier.section, earlier.number);
        if self.is_decided || of == section {
            return;
        }
        let is_new_in_file = !self.has_in_file(earlier);
        if !self.shared.insert((of, number, section)) {
            return;
        }
        if let Some(section) = self.at(section) {
            *section.shared.entry(of).or_default() += 1;
        }
        if input != earlier.place.input && is_new_in_file {
            *self.shared_with.entry(earlier.place.input).or_default() += 1;
        }
    }

    /// Whether enough boards of the current file were read to decide.
    pub(super) fn is_due(&self) -> bool {
        !self.is_decided && self.held + self.shared.len() >= DECIDING
    }

    /// Decides which files have the event of the current one. `tested` is the number of tested
    /// boards of a file.
    pub(super) fn decide(&mut self, tested: impl Fn(u32) -> u64) {
        self.is_decided = true;
        let boards = self.held as u64 + self.shared_with.values().sum::<u64>();
        let with = self.shared_with.iter();
        let of_one_event =
            with.filter(|(input, shared)| is_half(**shared, [boards, tested(**input)]));
        let of_one_event: Vec<u32> = of_one_event.map(|(input, _)| *input).collect();
        let current = (self.same_event.len() as u32).saturating_sub(1);
        for input in of_one_event {
            let [one, other] = [current, input].map(|input| self.event_of(input));
            self.same_event[one.max(other) as usize] = one.min(other);
        }
    }

    /// Adds a tested board.
    pub(super) fn test(&mut self, board: &BoardName, deal: &Deal, was_held: bool) {
        let is_full = self.is_decided && !was_held;
        let Some(section) = self.at(board.section).filter(|_| !is_full) else {
            return;
        };
        section.held -= u64::from(was_held);
        let boards = section.own.len();
        if boards < DECIDING {
            let first = section.own.entry(board.number);
            first.or_insert((board.place.line, *deal));
            self.boards += section.own.len() - boards;
        }
    }

    /// Whether the current file has boards of earlier sections.
    pub(super) fn has_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    /// The conflict of a board of the current file with another record of its event, after
    /// [`decide`](Self::decide). `known` are the other boards with its cards.
    pub(super) fn conflict(
        &self,
        board: &BoardName,
        deal: &Deal,
        known: &[BoardName],
    ) -> Option<BoardPair> {
        let renumbered = known
            .iter()
            .find(|known| self.is_same_event(board, known) && !self.has(board, known));
        if let Some(known) = renumbered {
            return Some(BoardPair {
                earlier: known.numbered(),
                later: board.numbered(),
                difference: BoardDifference::Number,
            });
        }
        let shared = self.get(board.section)?.shared.keys();
        let mut conflicts = shared.filter_map(|of| {
            let other = self.get(*of)?;
            let (line, own) = other.own.get(&board.number)?;
            let place = BoardPlace {
                input: other.input,
                line: *line,
            };
            let earlier = BoardName {
                place,
                section: *of,
                ..*board
            };
            self.is_same_event(board, &earlier).then(|| BoardPair {
                earlier: earlier.numbered(),
                later: board.numbered(),
                difference: BoardDifference::Cards(moved_cards(own, deal)),
            })
        });
        conflicts.next()
    }

    /// Whether an earlier board is of a record of the event of a board of the current file.
    fn is_same_event(&self, board: &BoardName, earlier: &BoardName) -> bool {
        let (input, other) = (board.place.input, earlier.place.input);
        if input != other && self.event_of(input) == self.event_of(other) {
            return true;
        }
        let (Some(section), Some(of)) = (self.get(board.section), self.get(earlier.section)) else {
            return false;
        };
        let shared = section.shared.get(&earlier.section).copied();
        is_half(shared.unwrap_or(0), [section.boards(), of.boards()])
    }

    /// Whether the current record has this earlier board too: the file, or the section if the
    /// earlier board is in the same file.
    fn has(&self, board: &BoardName, earlier: &BoardName) -> bool {
        match board.place.input == earlier.place.input {
            true => {
                let key = (earlier.section, earlier.number, board.section);
                self.shared.contains(&key)
            }
            false => self.has_in_file(earlier),
        }
    }

    fn has_in_file(&self, earlier: &BoardName) -> bool {
        let at = |section| (earlier.section, earlier.number, section);
        self.shared.range(at(0)..=at(u64::MAX)).next().is_some()
    }

    fn get(&self, section: u64) -> Option<&HeldSection> {
        self.sections
            .get(section.checked_sub(self.forgotten)? as usize)
    }

    fn at(&mut self, section: u64) -> Option<&mut HeldSection> {
        let index = section.checked_sub(self.forgotten)?;
        self.sections.get_mut(index as usize)
    }

    /// The first file of the event of a file.
    fn event_of(&self, mut input: u32) -> u32 {
        while self.same_event[input as usize] != input {
            input = self.same_event[input as usize];
        }
        input
    }
}

/// Whether boards that two records share are at least half of the smaller one.
fn is_half(shared: u64, boards: [u64; 2]) -> bool {
    shared > 0 && 2 * shared >= boards[0].min(boards[1])
}

/// Number of cards that two deals have at different seats.
fn moved_cards(one: &Deal, other: &Deal) -> u32 {
    let kept = Seat::ALL.map(|seat| {
        let both = one.hand(seat).bits() & other.hand(seat).bits();
        both.count_ones()
    });
    52 - kept.iter().sum::<u32>()
}
