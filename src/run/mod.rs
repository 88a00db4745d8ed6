//! Runs: batches, portions, workers, checkpoints and parts.
//!
//! The counts depend only on the dealer, the number of deals, the batch cap, the seed and the
//! generator. They do not depend on the number of threads or the processor: every portion has its
//! own random streams, and tallies are only added.

mod checkpoint;
mod counted;
mod deal_rows;
mod error;
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
mod running;
mod shared_portions;
mod solved_stream;
mod stream;

pub use crate::battery::FIRST_LOOK;
pub use crate::count::OutOfBounds;
pub use checkpoint::{
    CHECKPOINT_VERSION, Checkpoint, CheckpointError, Checkpoints, Contents, Damage, Durability,
    StoredCheckpoint,
};
pub(crate) use counted::run_into;
pub use counted::{CountedRun, run};
pub use deal_rows::{DealRow, RowStream, fill_rows};
pub use error::RunError;
pub use keep_filter::{AnswerCounter, KeepFilter, KeptCounts};
pub use level_check::{Calibration, LevelCheckRuns, NullRow, OneThread, level_check};
pub use lookahead::{MOST_TRIES, most_tries};
pub use naive::shuffle;
pub use pace::Pace;
pub(crate) use pace::{Pacing, rate_interval};
pub use parts::{Merging, NoPart, Part, PartRange, TooFewBatches};
pub use plan::{
    BatchSize, DEFAULT_BATCH, DEFAULT_DEALS, DealCount, LARGEST_BATCH, MOST_DEALS, batches,
};
pub(crate) use plan::{batch_from, batches_before};
#[cfg(feature = "mpi")]
pub use processes::mpi::{JoinError, World};
pub use processes::{Launched, ProtocolError, Team, broadcast, reduce};
pub use reference::reference;
pub use row_values::{mask_rows, values_of_rows};
pub use running::{
    DEFAULT_TARGET, LookCall, OtherProcesses, RunCounts, RunState, RunStep, Running, UnsoundState,
    count, terms,
};
pub(crate) use running::{is_look, terms_of_part};
pub use shared_portions::WorkerCalls;
pub(crate) use shared_portions::{DEALS_OF_A_TURN, SharedPortions};
pub(crate) use solved_stream::{SolvedStream, hold};
pub use stream::{DealStream, SearchEvent};
