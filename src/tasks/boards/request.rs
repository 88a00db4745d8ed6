//! What a set of boards is asked for.

use super::SourceBoard;
use crate::bridge::{Deal, Seat, Vulnerable};
use crate::count::Count;
use crate::draw::{Rotation, Shares};
use crate::error::Error;
use crate::formats::Board;
use crate::language::Script;
use crate::printable::thousands;
use crate::run::{DealCount, MOST_DEALS};
use crate::sampler::Sampling;

/// Default number of boards, if neither the script nor the request sets it.
pub const DEFAULT_BOARDS: u64 = 10;

/// Maximum number of deals without repeats, which are kept in memory.
const MOST_DISTINCT: u64 = 10_000_000;

/// The number of a first board.
pub type BoardNumber = Count<1, MOST_DEALS>;

/// The labels that all boards of a set share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardLabels {
    /// The dealer of every board; by default by board number.
    pub dealer: Option<Seat>,
    /// The vulnerability of every board; by default by board number.
    pub vulnerable: Option<Vulnerable>,
    /// The number of the first board; by default that of the script, or 1.
    pub first: Option<BoardNumber>,
}

/// The request of a set of boards.
#[derive(Clone, Debug)]
pub struct BoardRequest {
    /// Number of boards; by default that of the script, or [`DEFAULT_BOARDS`].
    pub boards: Option<DealCount>,
    /// Number of deals in a row without one that satisfies the condition after which the search
    /// ends; by default [`most_tries`](crate::run::most_tries).
    pub max_tries: Option<u64>,
    /// Whether the search may end by `max_tries`.
    pub gives_up: bool,
    /// Whether no deal occurs twice.
    pub no_repeats: bool,
    /// How hands move to other seats.
    pub rotation: Option<Rotation>,
    /// Whether boards get what the script's `printes` prints as a comment.
    pub has_comments: bool,
    /// Whether the script's actions are carried out, which may ask tricks.
    pub has_actions: bool,
    /// Whether each board is solved double-dummy.
    pub solve: bool,
    /// Numbers of boards of each type of a mix.
    pub shares: Shares,
    /// The labels.
    pub labels: BoardLabels,
    /// Choice of the sampler.
    pub sampling: Sampling,
}

impl Default for BoardRequest {
    fn default() -> Self {
        Self {
            boards: None,
            max_tries: None,
            gives_up: true,
            no_repeats: false,
            rotation: None,
            has_comments: false,
            has_actions: false,
            solve: false,
            shares: Shares::Exact,
            labels: BoardLabels::default(),
            sampling: Sampling::default(),
        }
    }
}

/// Receiver of the boards of a set in their order.
pub trait BoardSink {
    /// Receives the next board and the comment on it.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn board(&mut self, board: &Board, comment: &str) -> Result<(), Error>;

    /// Receives the number of deals tried since the last board.
    ///
    /// # Errors
    ///
    /// If the search must end.
    fn misses(&mut self, misses: u64) -> Result<(), Error>;
}

impl BoardRequest {
    /// The number of boards.
    #[must_use]
    pub fn wanted(&self, script: &Script) -> u64 {
        let most = script.generate.unwrap_or(u64::MAX);
        let wanted = self.boards.map(DealCount::get).or(script.produce);
        wanted.unwrap_or(DEFAULT_BOARDS.min(most))
    }

    /// Rejects more different deals than there are or than fit in memory; at most `total` satisfy
    /// the condition.
    pub(super) fn check_repeats(&self, wanted: u64, total: u128) -> Result<(), Error> {
        if !self.no_repeats {
            return Ok(());
        }
        if wanted > MOST_DISTINCT {
            return Err(Error::usage(format!(
                "a set of different deals has at most {} boards, not {}",
                thousands(MOST_DISTINCT),
                thousands(wanted)
            )));
        }
        if u128::from(wanted) > total {
            return Err(Error::input(format!(
                "at most {} different deals satisfy the condition, fewer than {}",
                thousands(total as u64),
                thousands(wanted)
            )));
        }
        Ok(())
    }
}

impl BoardLabels {
    /// The number of the board at this place, counted from 1.
    pub(super) fn number(&self, script: &Script, place: u64, source: &SourceBoard) -> u64 {
        let first = self.first.map(BoardNumber::get).or(script.start_board);
        match (first, source.number) {
            (None, Some(number)) => number,
            (first, _) => first.unwrap_or(1) + (place - 1),
        }
    }

    /// The board at this place, counted from 1, labelled by these options, the script, or its
    /// number; hands and stated labels move clockwise by `turns` seats.
    #[must_use]
    pub fn board(&self, script: &Script, place: u64, deal: Deal, turns: usize) -> Board {
        self.board_from(&SourceBoard::default(), script, place, deal, turns)
    }

    /// As [`BoardLabels::board`]; a label that neither these options nor the script state is that of
    /// the source, which does not move.
    #[must_use]
    pub fn board_from(
        &self,
        source: &SourceBoard,
        script: &Script,
        place: u64,
        deal: Deal,
        turns: usize,
    ) -> Board {
        let mut board = Board::new(self.number(script, place, source), deal.turned(turns));
        let dealer = self.dealer.or(script.dealer);
        let dealer = dealer.map(|seat| seat.turned(turns)).or(source.dealer);
        let vulnerable = self.vulnerable.or(script.vulnerable);
        let vulnerable = vulnerable.map(|sides| sides.turned(turns));
        let vulnerable = vulnerable.or(source.details.vulnerable);
        board.dealer = dealer.unwrap_or(board.dealer);
        board.vulnerable = vulnerable.unwrap_or(board.vulnerable);
        board
    }
}

// The last board's number does not overflow.
const _: () = assert!(MOST_DEALS < u64::MAX / 2);
