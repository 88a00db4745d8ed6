//! What a set of boards is asked for.

use super::FilterCommand;
use crate::bridge::{Seat, Vulnerable};
use crate::count::Count;
use crate::defect::Defect;
use crate::draw::{Rotation, Shares};
use crate::error::Error;
use crate::language::{Action, AskedTricks, Script};
use crate::printable::thousands;
use crate::run::{DealCount, MOST_DEALS};
use crate::sampler::Sampling;
use crate::tasks::{DEFAULT_SOLVED_DEALS, RandomRequest};

/// Default number of boards, if neither the script nor the request sets it.
pub const DEFAULT_BOARDS: u64 = 10;

/// Default numbers of deals that dealer prints and generates.
const DEALER_PRINTS: u64 = 40;
const DEALER_DRAWS: u64 = 10_000_000;

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
#[derive(Clone, Debug, Default)]
pub struct BoardRequest {
    /// Number of boards; by default that of the script, or [`DEFAULT_BOARDS`].
    pub boards: Option<DealCount>,
    /// Number of deals in a row without one that satisfies the condition after which the search
    /// ends; by default [`most_tries`](crate::run::most_tries).
    pub max_tries: Option<u64>,
    /// The program that accepts or refuses deals.
    pub filter: Option<FilterCommand>,
    /// Whether no deal occurs twice.
    pub no_repeats: bool,
    /// How hands move to other seats.
    pub rotation: Option<Rotation>,
    /// Whether boards get what the script's `printes` prints as a comment.
    pub has_comments: bool,
    /// Whether the script's actions are carried out, as dealer does: they may ask tricks, and the
    /// default numbers of boards and draws are dealer's.
    pub has_actions: bool,
    /// Whether each board is solved double-dummy.
    pub solve: bool,
    /// The defect to plant.
    pub defect: Option<&'static Defect>,
    /// Numbers of boards of each type of a mix.
    pub shares: Shares,
    /// The labels.
    pub labels: BoardLabels,
    /// The random words; by default with the script's seed.
    pub random: RandomRequest,
    /// Choice of the sampler.
    pub sampling: Sampling,
}

impl BoardRequest {
    /// The number of boards.
    pub fn wanted(&self, script: &Script) -> u64 {
        let wanted = self.boards.map(DealCount::get).or(script.produce);
        wanted.unwrap_or_else(|| match self.has_actions {
            true => self.dealer_prints(script),
            false => DEFAULT_BOARDS.min(script.generate.unwrap_or(u64::MAX)),
        })
    }

    /// The default number of deals that dealer prints for a script.
    fn dealer_prints(&self, script: &Script) -> u64 {
        let is_counted =
            |action: &Action| matches!(action, Action::Average { .. } | Action::Frequency { .. });
        let actions = script.actions.as_deref();
        let prints = actions.is_none_or(|actions| !actions.iter().all(is_counted));
        match (prints, script.needs_tables()) {
            (true, _) => DEALER_PRINTS,
            (false, false) => self.limit(script).unwrap_or(DEALER_DRAWS),
            (false, true) => DEFAULT_SOLVED_DEALS,
        }
    }

    /// Maximum number of deals drawn, if there is one.
    pub(super) fn limit(&self, script: &Script) -> Option<u64> {
        script.generate.or(self.has_actions.then_some(DEALER_DRAWS))
    }

    /// The tricks that each board is solved for; `None` if nothing asks tricks.
    pub fn asked_tricks(&self, script: &Script) -> Option<AskedTricks> {
        match self.solve {
            true => Some(AskedTricks::All),
            false if self.has_actions || self.has_comments => script.asked_tricks(),
            // No action is carried out.
            false => script.condition.asked_tricks(),
        }
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

// The last board's number does not overflow.
const _: () = assert!(MOST_DEALS < u64::MAX / 2);
