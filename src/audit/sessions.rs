//! Sessions: boards that were played together.

use crate::bridge::Deal;
use crate::tally::{Overlaps, Session};

/// Most boards of a session: more that follow each other are a stream of deals.
pub const MOST_BOARDS: usize = 128;

/// Rows of sessions that are kept for the report; all sessions are tested.
const MOST_ROWS: usize = 4_096;

/// A session in the report.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRow {
    /// Which input it was read from, from 0.
    pub input: usize,
    /// What the event goes by; empty if it has no name.
    pub event: Box<str>,
    /// The number of its first board.
    pub first_board: u64,
    /// The number of its last board.
    pub last_board: u64,
    /// What was counted of its boards.
    pub counted: Session,
}

/// Sessions as they are read: boards of one event of one input whose numbers rise.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    open: Option<Open>,
    /// The boards of the session before, by number.
    before: Vec<(u64, Deal)>,
    /// Sessions that have ended and were not yet fetched.
    ended: Vec<Session>,
    pub(super) overlaps: Overlaps,
    pub(super) rows: Vec<SessionRow>,
    pub(super) count: u64,
    /// Whether there was one of too many boards.
    pub(super) has_long: bool,
}

/// A session that may go on.
#[derive(Debug)]
struct Open {
    input: usize,
    event: u64,
    name: Box<str>,
    /// Its boards by number; none once there are too many.
    boards: Vec<(u64, Deal)>,
    last_board: u64,
    too_long: bool,
}

/// A board by what its file says of it.
pub(super) struct Numbered<'b> {
    pub(super) input: usize,
    /// Stands for the event.
    pub(super) event: u64,
    pub(super) name: &'b str,
    pub(super) number: u64,
    pub(super) deal: &'b Deal,
}

impl Sessions {
    /// Takes the next board that is no replay.
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

    /// No board of the open session follows.
    pub(super) fn end(&mut self) {
        let Some(open) = self.open.take() else { return };
        let [first, .., last] = &open.boards[..] else {
            self.before.clear();
            return;
        };
        let row = SessionRow {
            input: open.input,
            event: open.name,
            first_board: first.0,
            last_board: last.0,
            counted: Session::of(open.boards.iter().map(|(_, deal)| deal)),
        };
        for (number, deal) in &open.boards {
            // Numbers rise within a session.
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

    /// Sessions that have ended since they were last fetched.
    pub(super) fn fetch(&mut self) -> Vec<Session> {
        std::mem::take(&mut self.ended)
    }
}
