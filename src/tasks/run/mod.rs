//! A run, from its request to its report: deals, looks, checkpoints, resuming, parts.

mod dealing;
mod driver;
mod explain;
mod mix;
mod processes;
mod report;
mod request;
mod resume;
mod samples;

pub use dealing::run_in_memory;
pub use driver::Until;
pub(super) use driver::not_saved;
pub use explain::{Acceptance, Considered, ExplainedCells, ExplainedListing, Explanation, explain};
pub use mix::{MixReport, run_mix};
#[cfg(feature = "mpi")]
pub use processes::mpi::run_together;
pub use report::RunReport;
pub(super) use report::{Conclusion, DealtRun, MergedParts};
pub use request::{DEFAULT_CHECKPOINT, ExactValues, RunOutcome, RunRequest};
pub use resume::saved_condition;
pub(super) use resume::{another, stored};
pub(super) use samples::FirstDeals;

use super::prepare::ConditionInput;
use crate::error::Error;
use crate::observer::Observer;
use crate::population::Listings;

/// Deals, tests and writes the report.
///
/// # Errors
///
/// If the request contradicts itself or the contents of its folder, the input has no deals, or
/// something cannot be read or written. Checkpoints saved before remain.
pub fn run(
    request: &RunRequest,
    input: ConditionInput,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<RunOutcome, Error> {
    dealing::run(request, input, listings, observer, None)
}
