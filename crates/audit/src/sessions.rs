//! Sessions: boards that were played together.

use serde::{Deserialize, Serialize};

use crate::bridge::Deal;
use crate::count::Count;
use crate::tally::{Overlaps, Places, Session};

/// Maximum number of boards of a session; more consecutive boards are a stream of deals.
pub const MOST_BOARDS: usize = 128;

/// A number of boards of a session.
pub type SessionSize = Count<2, { MOST_BOARDS as u64 }>;

/// Maximum number of sessions kept for the report; all sessions are tested.
const MOST_ROWS: usize = 4_096;

/// A session in the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Number of its input, from 0.
    pub input: usize,
    /// Name of its event; empty without a name.
    pub event: Box<str>,
    /// Number of its first board.
    pub first_board: u64,
    /// Number of its last board.
    pub last_board: u64,
    /// Counts of its boards.
    pub counted: Session,
}

/// Sessions as they are read: boards of one event in one input with increasing numbers.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct OpenSessions {
    open: Option<Open>,
    /// The boards of the session before, by number.
    before: Vec<(u64, Deal)>,
    /// Sessions that have ended and were not yet taken.
    ended: Vec<Session>,
    pub(super) overlaps: Overlaps,
    pub(super) places: Places,
    pub(super) rows: Vec<SessionRow>,
    pub(super) count: u64,
    /// Whether a session had too many boards.
    pub(super) has_long: bool,
}

/// The current session.
#[derive(Debug, Serialize, Deserialize)]
struct Open {
    input: usize,
    event: u64,
    name: Box<str>,
    /// Its boards by number; empty once there are too many.
    boards: Vec<(u64, Deal)>,
    last_board: u64,
    too_long: bool,
}

/// A board with its number and event.
pub(super) struct Numbered<'b> {
    pub(super) input: usize,
    /// Hash of the event.
    pub(super) event: u64,
    pub(super) name: &'b str,
    pub(super) number: u64,
    pub(super) deal: &'b Deal,
}

impl OpenSessions {
    /// Takes the next board that is not a replay.
    pub(super) fn take(&mut self, board: &Numbered<'_>) {
        let goes_on = self.open.as_ref().is_some_and(|open| {
            (open.input, open.event) == (board.input, board.event) && open.last_board < board.number
        });
        if !goes_on {
            self.end();
        }
        let open = self.open.get_or_insert_with(|| Open {
            input: board.input,
            event: board.event,
            name: board.name.into(),
            boards: Vec::new(),
            last_board: 0,
            too_long: false,
        });
        open.last_board = board.number;
        if open.boards.len() == MOST_BOARDS {
            open.too_long = true;
            self.has_long = true;
            open.boards.clear();
        }
        if !open.too_long {
            open.boards.push((board.number, *board.deal));
        }
    }

    /// Ends the current session.
    pub(super) fn end(&mut self) {
        let Some(open) = self.open.take() else { return };
        let [first, .., last] = &open.boards[..] else {
            self.before.clear();
            return;
        };
        let deals: Vec<&Deal> = open.boards.iter().map(|(_, deal)| deal).collect();
        self.places.add_session(&deals);
        let row = SessionRow {
            input: open.input,
            event: open.name,
            first_board: first.0,
            last_board: last.0,
            counted: Session::of(deals),
        };
        for (number, deal) in &open.boards {
            // Numbers increase within a session.
            if let Ok(place) = self
                .before
                .binary_search_by_key(number, |(number, _)| *number)
            {
                self.overlaps.add(0, &self.before[place].1, deal);
            }
        }
        self.before = open.boards;
        self.count += 1;
        self.ended.push(row.counted);
        if self.rows.len() < MOST_ROWS {
            self.rows.push(row);
        }
    }

    /// Adds the sessions of the next part, after this number of inputs.
    pub(super) fn append(&mut self, part: Self, inputs: usize) {
        self.overlaps.merge(&part.overlaps);
        self.places.merge(&part.places);
        self.rows
            .extend(part.rows.into_iter().map(|row| SessionRow {
                input: row.input + inputs,
                ..row
            }));
        self.rows.truncate(MOST_ROWS);
        self.count += part.count;
        self.has_long |= part.has_long;
    }

    /// Takes the sessions that have ended since the last call.
    pub(super) fn fetch(&mut self) -> Vec<Session> {
        std::mem::take(&mut self.ended)
    }
}
