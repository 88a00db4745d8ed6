//! Sorts the boards read: tested, skipped as replays, or reported as problems.

use std::collections::BTreeMap;

use super::place::BoardPlace;
use super::replays::{BoardName, EventRule, REMEMBERED, ReplayRelation, Replays, mix};
use super::sessions::{Numbered, OpenSessions, SessionRow};
use crate::bridge::Deal;
use crate::formats::Board;
use crate::formats::read::{InputEntry, What};
use crate::tally::{Overlaps, Session};

/// Maximum number of problems kept for the report; all are counted.
pub(crate) const MOST_PROBLEMS: usize = 10_000;

/// Maximum number of repeats kept for the report.
const MOST_REPEATS: usize = 100;

/// Number of inputs whose first deal is searched for among those of known seeds.
const MOST_FIRST: usize = 4;

/// Counts of an input's boards.
///
/// read = valid + incomplete + invalid + unused. Valid boards are tested, except duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Boards that a file marks as unused.
    pub unused: u64,
    /// Lines between the boards that are skipped, such as text that a script prints.
    pub text: u64,
}

impl BoardCounts {
    /// Adds the counts of another input.
    pub(crate) fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.valid += other.valid;
        self.incomplete += other.incomplete;
        self.invalid += other.invalid;
        self.duplicate += other.duplicate;
        self.unused += other.unused;
        self.text += other.text;
    }

    /// Number of deals that are tested.
    #[must_use]
    pub fn tested(&self) -> u64 {
        self.valid - self.duplicate
    }
}

/// Why a board is not tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Invalid => "invalid",
            Self::Foreign => "foreign",
        }
    }
}

/// A board that is not tested.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// A deal that occurs on two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Place of the first board.
    pub earlier: BoardPlace,
    /// Place of the later board.
    pub later: BoardPlace,
}

/// Sorts boards as they are read.
#[derive(Debug, Default)]
pub struct Intake {
    counts: Vec<BoardCounts>,
    problems: Vec<Problem>,
    repeats: Vec<Repeat>,
    repeat_count: u64,
    /// Number of boards of an input that repeat deals of an earlier one.
    repeated: BTreeMap<(u32, u32), u64>,
    /// Number of boards of an input that are replays of those of an earlier one.
    replayed: BTreeMap<(u32, u32), u64>,
    /// Number of boards with the number and cards of a board of another event.
    undecided: BTreeMap<(u32, u32), u64>,
    undecided_count: u64,
    /// Boards per session, if given.
    session: Option<u64>,
    replays: Replays,
    sessions: OpenSessions,
    first: Vec<(BoardPlace, Deal)>,
    /// Number of boards whose dealer does not match the board number.
    odd_dealers: u64,
    /// Number of deals with a board number, which may be replays.
    numbered: u64,
}

impl Intake {
    /// An intake before its first board. Sessions have `session` consecutive boards, or follow from
    /// events and board numbers. `rule` separates replays from boards of other events.
    #[must_use]
    pub fn new(session: Option<u64>, rule: EventRule) -> Self {
        Self {
            session,
            replays: Replays::new(rule),
            ..Self::default()
        }
    }

    /// Starts the next input.
    pub fn begin(&mut self) {
        self.sessions.end();
        self.counts.push(BoardCounts::default());
    }

    /// Takes an entry of the current input; returns its place, and the deal if it is to be tested.
    pub fn take(&mut self, found: &InputEntry<'_>) -> (BoardPlace, Option<Deal>) {
        if self.counts.is_empty() {
            self.begin();
        }
        let input = self.counts.len() - 1;
        let place = BoardPlace {
            input: input as u32,
            line: found.line,
        };
        self.counts[input].read += u64::from(found.what != What::Text);
        let Some(deal) = self.legal_deal(found, place) else {
            return (place, None);
        };
        self.counts[input].valid += 1;
        self.numbered += u64::from(found.board.is_some());
        // An input without an event name is an event of its own.
        let event = if found.event.is_known() {
            found.event.hash()
        } else {
            mix(input as u64)
        };
        let name = BoardName {
            number: found.board.unwrap_or(self.counts[input].read),
            event: found.event.keys(),
            place,
        };
        match self.replays.read(deal, name) {
            ReplayRelation::Replay(earlier) => {
                self.counts[input].duplicate += 1;
                add(&mut self.replayed, earlier, place);
                return (place, None);
            }
            ReplayRelation::SameNumber(earlier) => {
                self.counts[input].duplicate += 1;
                self.undecided_count += 1;
                add(&mut self.undecided, earlier, place);
                return (place, None);
            }
            ReplayRelation::Repeat(earlier) => self.repeat(earlier, place),
            ReplayRelation::First => {}
        }
        self.record_tested(found, deal, place, event);
        (place, Some(*deal))
    }

    /// Returns the deal of an entry if it is legal; otherwise counts and reports it.
    fn legal_deal<'e>(&mut self, found: &'e InputEntry<'_>, place: BoardPlace) -> Option<&'e Deal> {
        let counts = &mut self.counts[place.input as usize];
        let (reason, fault) = match &found.what {
            What::Deal(deal) => return Some(deal),
            What::Text => {
                counts.text += 1;
                return None;
            }
            What::Unused => {
                counts.unused += 1;
                return None;
            }
            What::Incomplete(fault) => {
                counts.incomplete += 1;
                (UntestedReason::Incomplete, fault)
            }
            What::Invalid(fault) => {
                counts.invalid += 1;
                (UntestedReason::Invalid, fault)
            }
        };
        self.report(place, found.board, reason, fault.to_string());
        None
    }

    /// Records a tested deal: the first deals, its session, and its dealer.
    fn record_tested(
        &mut self,
        found: &InputEntry<'_>,
        deal: &Deal,
        place: BoardPlace,
        event: u64,
    ) {
        let input = place.input as usize;
        let before = self.counts[input].tested() - 1;
        if before == 0 && self.first.len() < MOST_FIRST {
            self.first.push((place, *deal));
        }
        // Counted if the session size is given; otherwise as the file numbers them.
        let number = match self.session {
            Some(boards) => Some((before % boards + 1, mix(input as u64), "")),
            None => found
                .board
                .map(|number| (number, event, found.event.text())),
        };
        if let Some((number, event, name)) = number {
            self.sessions.take(&Numbered {
                input,
                event,
                name,
                number,
                deal,
            });
        }
        if let (Some(number), Some(dealer)) = (found.board, found.dealer) {
            self.odd_dealers += u64::from(dealer != Board::new(number, *deal).dealer);
        }
    }

    fn repeat(&mut self, earlier: BoardPlace, later: BoardPlace) {
        self.repeat_count += 1;
        if self.repeats.len() < MOST_REPEATS {
            self.repeats.push(Repeat { earlier, later });
        }
        add(&mut self.repeated, earlier, later);
    }

    /// Records a board that is not tested.
    pub(super) fn report(
        &mut self,
        place: BoardPlace,
        board: Option<u64>,
        kind: UntestedReason,
        reason: String,
    ) {
        if !self.is_full() {
            self.problems.push(Problem {
                place,
                board,
                kind,
                reason,
            });
        }
    }

    /// Whether further problems are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    /// Discards the boards of the last input if all are invalid: it is not a file of deals. Returns
    /// whether it did.
    pub(crate) fn leave_out_without_deals(&mut self) -> bool {
        let Some(counts) = self.counts.last_mut() else {
            return false;
        };
        let is_left_out = counts.invalid > 0 && counts.valid + counts.incomplete == 0;
        if is_left_out {
            *counts = BoardCounts::default();
            let input = self.counts.len() as u32 - 1;
            self.problems.retain(|problem| problem.place.input != input);
        }
        is_left_out
    }

    /// Ends the last input. Must be called before tests are planned and the last batch is counted.
    pub(crate) fn end(&mut self) {
        self.sessions.end();
    }

    /// Counts of boards, by input.
    #[must_use]
    pub fn counts(&self) -> &[BoardCounts] {
        &self.counts
    }

    /// The first problems.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The first repeated deals.
    #[must_use]
    pub fn repeats(&self) -> &[Repeat] {
        &self.repeats
    }

    /// Number of repeated deals, as far as earlier deals are remembered.
    #[must_use]
    pub fn repeat_count(&self) -> u64 {
        self.repeat_count
    }

    /// Pairs of inputs, the later one second, and the number of boards of the later one that repeat
    /// cards of the earlier one under another number.
    pub fn repeated_files(&self) -> impl Iterator<Item = ((u32, u32), u64)> {
        of_two(&self.repeated)
    }

    /// Pairs of inputs, and the number of boards of the later one that are replays of the earlier
    /// one's.
    pub fn replayed_files(&self) -> impl Iterator<Item = ((u32, u32), u64)> {
        of_two(&self.replayed)
    }

    /// Pairs of inputs, which may be equal, and the number of boards of the later one with the
    /// number and cards of a board of another event of the earlier one.
    pub fn undecided_files(&self) -> impl Iterator<Item = ((u32, u32), u64)> {
        self.undecided.iter().map(|(pair, count)| (*pair, *count))
    }

    /// Number of boards with the number and cards of a board of another event. They are replays if
    /// the events are the same, and repeated deals otherwise. They are not tested.
    #[must_use]
    pub fn undecided_count(&self) -> u64 {
        self.undecided_count
    }

    /// Whether too many consecutive boards belong to one event to be a session.
    #[must_use]
    pub fn has_long_session(&self) -> bool {
        self.sessions.has_long
    }

    /// The first deal of each of the first inputs.
    #[must_use]
    pub(crate) fn first_deals(&self) -> &[(BoardPlace, Deal)] {
        &self.first
    }

    /// Whether there were more boards than are remembered. The first boards may then be forgotten,
    /// and their replays tested as new boards.
    #[must_use]
    pub fn has_forgotten(&self) -> bool {
        let valid: u64 = self.counts.iter().map(|counts| counts.valid).sum();
        self.numbered > REMEMBERED || (self.counts.len() > 1 && valid > REMEMBERED)
    }

    /// Number of boards whose dealer does not match the board number.
    #[must_use]
    pub(crate) fn odd_dealers(&self) -> u64 {
        self.odd_dealers
    }

    /// The first sessions.
    #[must_use]
    pub fn sessions(&self) -> &[SessionRow] {
        &self.sessions.rows
    }

    /// Number of sessions.
    #[must_use]
    pub fn session_count(&self) -> u64 {
        self.sessions.count
    }

    /// Number of boards with the number of a board of the session before.
    #[must_use]
    pub(crate) fn session_pairs(&self) -> u64 {
        self.sessions.overlaps.pairs(0)
    }

    /// Takes the sessions that have ended since the last call.
    pub(super) fn fetch_sessions(&mut self) -> Vec<Session> {
        self.sessions.fetch()
    }

    /// Comparison of the boards of each session with those of the same number in the session
    /// before.
    pub(super) fn overlaps(&self) -> &Overlaps {
        &self.sessions.overlaps
    }
}

/// Counts a board for a pair of inputs; only the first pairs are kept.
fn add(pairs: &mut BTreeMap<(u32, u32), u64>, earlier: BoardPlace, later: BoardPlace) {
    let (pair, is_full) = ((earlier.input, later.input), pairs.len() >= MOST_REPEATS);
    match pairs.get_mut(&pair) {
        Some(count) => *count += 1,
        None if is_full => {}
        None => {
            pairs.insert(pair, 1);
        }
    }
}

/// Pairs of two different inputs.
fn of_two(pairs: &BTreeMap<(u32, u32), u64>) -> impl Iterator<Item = ((u32, u32), u64)> {
    let each = pairs.iter().map(|(pair, count)| (*pair, *count));
    each.filter(|((earlier, later), _)| earlier != later)
}
