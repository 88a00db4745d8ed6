//! Counts of boards, and the boards that a report names.

use serde::{Deserialize, Serialize};

use super::place::BoardPlace;
use crate::printable::shortened_name;

/// Counts of an input's boards.
///
/// read = valid + incomplete + invalid + unused. Valid boards are tested, except duplicates and
/// conflicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardCounts {
    /// Boards, including unreadable ones.
    pub read: u64,
    /// Legal deals.
    pub valid: u64,
    /// Boards with missing cards.
    pub incomplete: u64,
    /// Boards that break the rules or cannot be read.
    pub invalid: u64,
    /// Replays: legal deals of a board that was read before, or that may be one.
    pub duplicate: u64,
    /// Legal deals that contradict another record of the same event.
    pub conflict: u64,
    /// Boards that a file marks as unused.
    pub unused: u64,
    /// Lines between the boards that are skipped, such as text that a script prints.
    pub text: u64,
}

impl BoardCounts {
    /// Adds the counts of another input.
    pub fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.valid += other.valid;
        self.incomplete += other.incomplete;
        self.invalid += other.invalid;
        self.duplicate += other.duplicate;
        self.conflict += other.conflict;
        self.unused += other.unused;
        self.text += other.text;
    }

    /// Number of deals that are tested.
    pub fn tested(&self) -> u64 {
        self.valid - self.duplicate - self.conflict
    }
}

/// Why a board is not tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UntestedReason {
    /// Cards are missing.
    Incomplete,
    /// It breaks the rules or cannot be read.
    Invalid,
    /// It is a legal deal that does not satisfy the condition.
    Foreign,
}

impl UntestedReason {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Invalid => "invalid",
            Self::Foreign => "foreign",
        }
    }
}

/// A board that is not tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Its place.
    pub place: BoardPlace,
    /// Its number, if the file has one.
    pub board: Option<u64>,
    /// The kind of problem.
    pub kind: UntestedReason,
    /// What is wrong.
    pub reason: String,
}

/// A board with its number; in a file without numbers, its place among the file's boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedBoard {
    /// Its place.
    pub place: BoardPlace,
    /// Its number.
    pub number: u64,
}

/// Two boards with the same cards, or two boards of one event with the same number and different
/// cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardPair {
    /// The board of the earlier record.
    pub earlier: NumberedBoard,
    /// The board.
    pub later: NumberedBoard,
    /// The difference between the two.
    pub difference: BoardDifference,
}

/// The difference between two records of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoardDifference {
    /// The cards are equal, the board numbers are not.
    Number,
    /// The board numbers are equal; this many cards are at other seats.
    Cards(u32),
}

impl BoardPair {
    /// The pair after a number of inputs that were read before.
    pub(super) fn after(self, inputs: u32) -> Self {
        let after = |board: NumberedBoard| NumberedBoard {
            place: board.place.after(inputs),
            ..board
        };
        Self {
            earlier: after(self.earlier),
            later: after(self.later),
            ..self
        }
    }

    /// Names both boards and their difference.
    pub fn in_words(&self, files: &[String]) -> String {
        let (later, earlier) = pair_in_words([self.later, self.earlier], files);
        match self.difference {
            BoardDifference::Number => format!("{later} has the cards of {earlier}"),
            BoardDifference::Cards(cards) => {
                format!("{later} has {cards} cards at other seats than {earlier}")
            }
        }
    }
}

/// Names two boards. Boards of one file are told apart by their lines.
fn pair_in_words([later, earlier]: [NumberedBoard; 2], files: &[String]) -> (String, String) {
    let file = |board: NumberedBoard| shortened_name(&files[board.place.input as usize]);
    let is_one_file = later.place.input == earlier.place.input;
    let name = |board: NumberedBoard| match is_one_file {
        true => format!("board {} (line {})", board.number, board.place.line),
        false => format!("board {} of {}", board.number, file(board)),
    };
    match is_one_file {
        true => (format!("{} of {}", name(later), file(later)), name(earlier)),
        false => (name(later), name(earlier)),
    }
}
