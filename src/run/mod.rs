//! Runs: batches, portions, workers, checkpoints and parts.
//!
//! The counts depend only on the dealer, the number of deals, the batch cap, the seed and the
//! generator. They do not depend on the number of threads or the processor: every portion has its
//! own random streams, and tallies are only added.

mod checkpoint;
mod naive;
mod pace;
mod parts;
mod plan;
mod processes;
mod reference;
mod self_test;
mod shared_portions;
mod sieve;
mod stream;
mod survey;

pub use checkpoint::{
    CHECKPOINT_VERSION, Checkpoint, CheckpointError, Checkpoints, Contents, Damage, Durability,
    StoredCheckpoint,
};
pub use naive::shuffle;
pub use pace::Pace;
pub(crate) use pace::{Pacing, rate_interval};

pub use parts::{Merging, NoPart, Part, PartRange, TooFewBatches};
pub use plan::{DEFAULT_BATCH, DEFAULT_DEALS, LARGEST_BATCH, MOST_DEALS, batches};
pub(crate) use plan::{batch_from, batches_before};
#[cfg(feature = "mpi")]
pub use processes::mpi::{JoinError, World};
pub use processes::{Launched, Misunderstood, Team, gather, tell};
pub use reference::reference;
pub use self_test::{Calibration, NullRow, self_test};
pub use shared_portions::WorkerCalls;
pub(crate) use shared_portions::{DEALS_OF_A_TURN, SharedPortions};
pub use sieve::{Asking, Sieve, Sifted};
pub(crate) use stream::StreamState;
pub use stream::{DealStream, MOST_TRIES, StreamStep};
pub use survey::{
    DEFAULT_TARGET, OtherProcesses, RunState, RunStep, Running, Surveyed, UnsoundState, survey,
    terms,
};
pub(crate) use survey::{is_look, terms_of_part};

pub use crate::battery::FIRST_LOOK;

use crate::draw::{Dealer, DrawError, Generator, Seeded};
use crate::error::Error;
use crate::language::EvaluationError;
use crate::population::Population;
use crate::tally::{Latency, TableChoice, Tally, Tallying};
use survey::is_global_look;

/// Why a run failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// Deals could not be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// An expression of the script cannot be evaluated for some deal.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The run cannot resume from the saved state.
    #[error(transparent)]
    State(#[from] UnsoundState),
    /// The processes run different versions.
    #[error(transparent)]
    Misunderstood(#[from] Misunderstood),
}

impl RunError {
    /// Converts this into the library's error, with the population for context.
    #[must_use]
    pub fn of(self, population: &Population) -> Error {
        match self {
            Self::Draw(error) => error.of(population),
            Self::Evaluation(error) => population.evaluation_error(&error),
            Self::State(error) => Error::input(error),
            Self::Misunderstood(error) => Error::usage(error),
        }
    }
}

/// Counts of a run, and the time its deals took.
#[derive(Clone, Debug, Default)]
pub struct CountedRun {
    /// The counts.
    pub tally: Tally,
    /// Time per deal, by portion: a block, or the same number of draws of a batch's split.
    pub latency: Latency,
}

/// Deals `deals` deals and counts them into all tables, on the threads of the current rayon pool.
///
/// `batch_cap` limits the size of a batch; `progress` receives the number of deals of each finished
/// portion. A generator that is one sequence is dealt by one thread.
///
/// # Errors
///
/// [`DrawError`] if the case file was modified during the run, or the random words ended.
pub fn run<D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    generator: &dyn Generator,
    deals: u64,
    batch_cap: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<CountedRun, DrawError> {
    run_into(
        TableChoice::ALL,
        dealer,
        generator,
        deals,
        batch_cap,
        progress,
    )
}

/// Deals as [`run`] does, but counts into some of the tables only: for measurements.
///
/// # Errors
///
/// As [`run`].
pub(crate) fn run_into<D: AsRef<[u8]> + Sync>(
    tables: TableChoice,
    dealer: &Dealer<'_, D>,
    generator: &dyn Generator,
    deals: u64,
    batch_cap: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<CountedRun, DrawError> {
    let source = Seeded { dealer, generator };
    let mut outcome = CountedRun::default();
    let mut batches = (0..).zip(batches(deals, batch_cap));
    let work = WorkerCalls {
        progress,
        ..WorkerCalls::QUIET
    };
    while let Some(together) = SharedPortions::next(&source, &mut batches, |_| false)? {
        let counter = || Tallying::new(tables, dealer.path());
        let (_, counted) = together.deal(&source, 0, &work, counter, &mut outcome.latency)?;
        for tallying in counted {
            outcome.tally.merge(&tallying.finish());
        }
    }
    Ok(outcome)
}
