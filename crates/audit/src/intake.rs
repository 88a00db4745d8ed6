//! Sorts the boards read: tested, skipped as replays, or reported as problems.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::boards::{BoardCounts, BoardDifference, BoardPair, Problem, UntestedReason};
use super::place::BoardPlace;
use super::records::EventRecords;
use super::replays::{BoardName, EventRule, REMEMBERED, ReplayRelation, Replays, mix};
use super::sessions::{Numbered, OpenSessions, SessionRow, SessionSize};
use crate::bridge::{Deal, Seat};
use crate::formats::Board;
use crate::formats::read::{EntryKind, InputEntry};
use crate::tally::{Overlaps, Places, Session};

/// Maximum number of problems, and of conflicts, kept for the report; all are counted.
pub(crate) const MOST_PROBLEMS: usize = 10_000;

/// Maximum number of repeats kept for the report.
const MOST_REPEATS: usize = 100;

/// Number of inputs whose first deal is searched for among those of known seeds.
const MOST_FIRST: usize = 4;

/// A legal deal that is not a replay.
#[derive(Debug, Serialize, Deserialize)]
struct NewBoard {
    name: BoardName,
    deal: Deal,
    /// The first board with its cards.
    earlier: Option<BoardName>,
    /// Whether its file numbers it.
    is_numbered: bool,
    dealer: Option<Seat>,
    has_odd_dealer: bool,
}

/// The event of boards.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct EventLabel {
    hash: u64,
    #[serde(with = "saved_text")]
    name: Arc<str>,
}

/// Serialisation of a text that several boards share.
mod saved_text {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        text: &Arc<str>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<str>, D::Error> {
        <&str>::deserialize(deserializer).map(Arc::from)
    }
}

/// Sorts boards as they are read.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Intake {
    rule: EventRule,
    /// Counts of boards, by input.
    pub counts: Vec<BoardCounts>,
    /// The first problems.
    pub problems: Vec<Problem>,
    /// The first repeated deals.
    pub repeats: Vec<BoardPair>,
    /// Number of repeated deals, as far as earlier deals are remembered.
    pub repeat_count: u64,
    /// The first conflicts.
    pub conflicts: Vec<BoardPair>,
    /// Number of boards that contradict another record of the same event. They are not tested.
    pub conflict_count: u64,
    /// Number of boards of an input that repeat deals of an earlier one.
    repeated: BTreeMap<(u32, u32), u64>,
    /// Number of boards of an input that are replays of those of an earlier one.
    replayed: BTreeMap<(u32, u32), u64>,
    /// Number of boards with the number and cards of a board of another event.
    undecided: BTreeMap<(u32, u32), u64>,
    /// Number of boards with the number and cards of a board of another event. They are replays if
    /// the events are the same, and repeated deals otherwise. They are not tested.
    pub undecided_count: u64,
    /// Boards per session, if given.
    session: Option<u64>,
    replays: Replays,
    records: EventRecords,
    /// Boards of the current input that may be conflicts, until that is decided.
    held: Vec<(NewBoard, EventLabel)>,
    /// Deals to be tested, in reading order.
    ready: VecDeque<(BoardPlace, Deal)>,
    /// Number of these deals of the current input so far.
    released: u64,
    /// The last event.
    event: Option<EventLabel>,
    sessions: OpenSessions,
    /// The first deal of each of the first inputs.
    pub first_deals: Vec<(BoardPlace, Deal)>,
    /// Number of boards whose dealer does not match the board number.
    pub odd_dealers: u64,
    /// Number of deals with a board number, which may be replays.
    numbered: u64,
}

impl Intake {
    /// An intake before its first board. Sessions have `session` consecutive boards, or follow from
    /// events and board numbers. `rule` separates replays from boards of other events.
    pub fn new(session: Option<SessionSize>, rule: EventRule) -> Self {
        Self {
            rule,
            session: session.map(SessionSize::get),
            replays: Replays::new(rule),
            ..Self::default()
        }
    }

    /// Starts the next input.
    pub fn begin(&mut self) {
        self.end();
        self.counts.push(BoardCounts::default());
        self.records.begin();
        self.released = 0;
    }

    /// Takes an entry of the current input. Boards are held back while they may be conflicts;
    /// [`next_tested`](Self::next_tested) returns the others.
    pub fn take(&mut self, found: &InputEntry<'_>) {
        if self.counts.is_empty() {
            self.begin();
        }
        let input = self.counts.len() - 1;
        let place = BoardPlace {
            input: input as u32,
            line: found.line,
        };
        self.counts[input].read += u64::from(found.what != EntryKind::Text);
        let Some(deal) = self.legal_deal(found, place) else {
            return;
        };
        self.counts[input].valid += 1;
        self.numbered += u64::from(found.board.is_some());
        let mut name = BoardName {
            number: found.board.unwrap_or(self.counts[input].read),
            event: found.event.keys(),
            place,
            section: 0,
        };
        name.section = self.records.section(&name);
        let earlier = match self.replays.read(deal, name) {
            ReplayRelation::Replay(earlier) => {
                self.replay(&name, &earlier);
                add(&mut self.replayed, earlier.place, place);
                return;
            }
            ReplayRelation::SameNumber(earlier) => {
                self.replay(&name, &earlier);
                self.undecided_count += 1;
                add(&mut self.undecided, earlier.place, place);
                return;
            }
            ReplayRelation::Repeat(earlier) => Some(earlier),
            ReplayRelation::First => None,
        };
        let board = NewBoard {
            name,
            deal: *deal,
            earlier,
            is_numbered: found.board.is_some(),
            dealer: found.dealer,
            has_odd_dealer: has_odd_dealer(found),
        };
        let event = self.event(found, place);
        if self.rule != EventRule::Distinct && self.records.holds(name.section) {
            self.records.hold(name.section);
            self.held.push((board, event.clone()));
            self.decide_if_due();
        } else {
            self.judge(&board, &event, false);
        }
        self.event = Some(event);
    }

    /// Counts a board that is not tested because it was read before.
    fn replay(&mut self, name: &BoardName, earlier: &BoardName) {
        self.counts[name.place.input as usize].duplicate += 1;
        self.records.share(name.section, name.place.input, earlier);
        self.decide_if_due();
    }

    /// The event of an entry, mostly the last one, which is taken out: a copy waits for the memory of
    /// remembered boards. An input without an event name is an event of its own.
    fn event(&mut self, found: &InputEntry<'_>, place: BoardPlace) -> EventLabel {
        let hash = match found.event.is_known() {
            true => found.event.hash(),
            false => mix(u64::from(place.input)),
        };
        let last = self.event.take().filter(|last| last.hash == hash);
        last.unwrap_or_else(|| EventLabel {
            hash,
            name: Arc::from(found.event.text()),
        })
    }

    /// Decides what the boards held back are, once enough boards of the input were read.
    fn decide_if_due(&mut self) {
        if self.records.is_due() {
            self.decide();
        }
    }

    /// Decides what the boards held back are.
    fn decide(&mut self) {
        let tested = |input: u32| self.counts[input as usize].tested();
        self.records.decide(tested);
        for (board, event) in std::mem::take(&mut self.held) {
            self.judge(&board, &event, true);
        }
    }

    /// Lists a board as a conflict, or passes it to the tests.
    fn judge(&mut self, board: &NewBoard, event: &EventLabel, was_held: bool) {
        if let Some(conflict) = self.conflict(board) {
            self.counts[board.name.place.input as usize].conflict += 1;
            self.conflict_count += 1;
            if self.conflicts.len() < MOST_PROBLEMS {
                self.conflicts.push(conflict);
            }
            return;
        }
        if let Some(earlier) = board.earlier {
            self.repeat(BoardPair {
                earlier: earlier.numbered(),
                later: board.name.numbered(),
                difference: BoardDifference::Number,
            });
        }
        self.records.test(&board.name, &board.deal, was_held);
        self.record_tested(board, event);
        self.ready.push_back((board.name.place, board.deal));
    }

    /// The conflict of a board with another record of its event.
    fn conflict(&self, board: &NewBoard) -> Option<BoardPair> {
        if self.rule == EventRule::Distinct || !self.records.has_shared() {
            return None;
        }
        let known = match board.earlier {
            Some(_) => self.replays.with_cards(&board.deal),
            None => Vec::new(),
        };
        self.records.conflict(&board.name, &board.deal, &known)
    }

    /// Returns the next deal to be tested, and its place.
    pub fn next_tested(&mut self) -> Option<(BoardPlace, Deal)> {
        self.ready.pop_front()
    }

    /// Returns the deal of an entry if it is legal; otherwise counts and reports it.
    fn legal_deal<'e>(&mut self, found: &'e InputEntry<'_>, place: BoardPlace) -> Option<&'e Deal> {
        let counts = &mut self.counts[place.input as usize];
        let (reason, fault) = match &found.what {
            EntryKind::Deal(deal) => return Some(deal),
            EntryKind::Text => {
                counts.text += 1;
                return None;
            }
            EntryKind::Unused => {
                counts.unused += 1;
                return None;
            }
            EntryKind::Incomplete(fault) => {
                counts.incomplete += 1;
                (UntestedReason::Incomplete, fault)
            }
            EntryKind::Invalid(fault) => {
                counts.invalid += 1;
                (UntestedReason::Invalid, fault)
            }
        };
        self.report(place, found.board, reason, fault.to_string());
        None
    }

    /// Records a tested deal: the first deals, its session, and its dealer.
    fn record_tested(&mut self, board: &NewBoard, event: &EventLabel) {
        let (place, deal) = (board.name.place, &board.deal);
        let input = place.input as usize;
        let before = self.released;
        self.released += 1;
        if before == 0 && self.first_deals.len() < MOST_FIRST {
            self.first_deals.push((place, *deal));
        }
        // Counted if the session size is given; otherwise as the file numbers them.
        let number = match self.session {
            Some(boards) => Some((before % boards + 1, mix(input as u64), "")),
            None => (board.is_numbered).then_some((board.name.number, event.hash, &*event.name)),
        };
        if let Some((number, event, name)) = number {
            let dealer = board.dealer.unwrap_or_else(|| Board::dealer_of(number));
            self.sessions.places.add_board(dealer, deal);
            self.sessions.take(&Numbered {
                input,
                event,
                name,
                number,
                deal,
            });
        }
        self.odd_dealers += u64::from(board.has_odd_dealer);
    }

    fn repeat(&mut self, repeat: BoardPair) {
        self.repeat_count += 1;
        if self.repeats.len() < MOST_REPEATS {
            self.repeats.push(repeat);
        }
        add(&mut self.repeated, repeat.earlier.place, repeat.later.place);
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
    pub fn leave_out_without_deals(&mut self) -> bool {
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
    pub fn end(&mut self) {
        self.decide();
        self.sessions.end();
    }

    /// Adds the boards of the next part, whose inputs are others: its last input has ended. Boards of
    /// two parts are not compared.
    pub(super) fn append(&mut self, part: Self) {
        let inputs = self.counts.len() as u32;
        let after = |pair: BoardPair| pair.after(inputs);
        self.counts.extend(part.counts);
        self.problems
            .extend(part.problems.into_iter().map(|problem| Problem {
                place: problem.place.after(inputs),
                ..problem
            }));
        self.problems.truncate(MOST_PROBLEMS);
        self.repeats.extend(part.repeats.into_iter().map(after));
        self.repeats.truncate(MOST_REPEATS);
        self.repeat_count += part.repeat_count;
        self.conflicts.extend(part.conflicts.into_iter().map(after));
        self.conflicts.truncate(MOST_PROBLEMS);
        self.conflict_count += part.conflict_count;
        for (mine, theirs) in [
            (&mut self.repeated, part.repeated),
            (&mut self.replayed, part.replayed),
            (&mut self.undecided, part.undecided),
        ] {
            let moved = theirs
                .into_iter()
                .map(|((earlier, later), count)| ((earlier + inputs, later + inputs), count));
            mine.extend(moved.take(MOST_REPEATS - mine.len()));
        }
        self.undecided_count += part.undecided_count;
        self.sessions.append(part.sessions, inputs as usize);
        let first = part.first_deals.into_iter();
        let first = first.map(|(place, deal)| (place.after(inputs), deal));
        self.first_deals.extend(first);
        self.first_deals.truncate(MOST_FIRST);
        self.odd_dealers += part.odd_dealers;
        self.numbered += part.numbered;
    }

    /// Whether boards were left out that only the user can decide about: they may be replays or
    /// conflicts of one event, or boards of distinct events.
    pub fn has_question(&self) -> bool {
        let is_open = self.rule == EventRule::Compatible;
        self.undecided_count > 0 || is_open && self.conflict_count > 0
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

    /// Whether too many consecutive boards belong to one event to be a session.
    pub fn has_long_session(&self) -> bool {
        self.sessions.has_long
    }

    /// Whether there were more boards than are remembered. The first boards may then be forgotten,
    /// and their replays tested as new boards.
    pub fn has_forgotten(&self) -> bool {
        let valid: u64 = self.counts.iter().map(|counts| counts.valid).sum();
        self.numbered > REMEMBERED || (self.counts.len() > 1 && valid > REMEMBERED)
    }

    /// The first sessions.
    pub fn sessions(&self) -> &[SessionRow] {
        &self.sessions.rows
    }

    /// Number of sessions.
    pub fn session_count(&self) -> u64 {
        self.sessions.count
    }

    /// Number of boards with the number of a board of the session before.
    pub fn session_pairs(&self) -> u64 {
        self.sessions.overlaps.pairs(0)
    }

    /// Takes the sessions that have ended since the last call.
    pub(super) fn fetch_sessions(&mut self) -> Vec<Session> {
        self.sessions.fetch()
    }

    /// Number of boards whose dealer is known.
    pub fn dealt(&self) -> u64 {
        self.sessions.places.dealt
    }

    /// Sums by the dealer, and by the place in a session.
    pub(super) fn places(&self) -> &Places {
        &self.sessions.places
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

/// Whether the dealer of an entry is not the one that its board number implies.
fn has_odd_dealer(found: &InputEntry<'_>) -> bool {
    let named = found.board.zip(found.dealer);
    named.is_some_and(|(number, dealer)| dealer != Board::dealer_of(number))
}
