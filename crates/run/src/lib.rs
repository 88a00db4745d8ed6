//! Runs: batches, portions, workers, checkpoints and parts.
//!
//! The counts depend only on the dealer, the number of deals, the batch cap, the seed and the
//! generator. They do not depend on the number of threads or the processor: every portion has its
//! own random streams, and tallies are only added.

mod checkpoint;
mod counted;
mod deal_rows;
mod keep_filter;
mod level_check;
mod lookahead;
mod naive;
mod pace;
mod parts;
mod plan;
mod processes;
mod reference;
mod row_values;
mod run_error;
mod running;
mod shared_portions;
mod solved_stream;
mod stream;

use fairdeal_base::{atomic_file, count, error, fixed_hash, observer, printable, regular_file};
use fairdeal_battery as battery;
use fairdeal_bridge as bridge;
use fairdeal_draw as draw;
use fairdeal_draw::filter;
#[cfg(test)]
use fairdeal_draw::sampler;
use fairdeal_kernels as kernels;
use fairdeal_language as language;
use fairdeal_population as population;
use fairdeal_solver as solver;
use fairdeal_stats as stats;
use fairdeal_tally as tally;

pub use crate::battery::FIRST_LOOK;
pub use crate::count::OutOfBounds;
pub use checkpoint::{
    CHECKPOINT_VERSION, Checkpoint, CheckpointError, Checkpoints, Contents, Damage, Durability,
    StoredCheckpoint,
};
pub use counted::{CountedRun, run, run_into};
pub use deal_rows::{DealRow, RowStream, fill_rows};
pub use keep_filter::{AnswerCounter, KeepCounter, KeepFilter, KeptCounts};
pub use level_check::{Calibration, LevelCheckRuns, NullRow, OneThread, level_check};
pub use lookahead::{MOST_TRIES, most_tries};
pub use naive::shuffle;
pub use pace::{Pace, Pacing, rate_interval};
pub use parts::{Merging, NoPart, Part, PartRange, TooFewBatches};
use plan::batches_before;
pub use plan::{
    BatchSize, DEFAULT_BATCH, DEFAULT_DEALS, DealCount, LARGEST_BATCH, MOST_DEALS, batch_from,
    batches,
};
#[cfg(feature = "mpi")]
pub use processes::mpi::{JoinError, World};
pub use processes::{Launched, ProtocolError, Team, broadcast, reduce};
pub use reference::reference;
pub use row_values::{mask_rows, values_of_rows};
pub use run_error::RunError;
pub use running::{
    DEFAULT_TARGET, LookCall, OtherProcesses, RunCounts, RunState, RunStep, Running, UnsoundState,
    count, is_look, terms, terms_of_part,
};
pub use shared_portions::{Counter, DEALS_OF_A_TURN, SharedPortions, WorkerCalls};
pub use solved_stream::{SolvedStream, hold};
pub use stream::{DealStream, SearchEvent};
