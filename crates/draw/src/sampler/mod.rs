//! The choice of a sampler for a request.
//!
//! There are three samplers. *Rejection* deals at random and keeps the deals that satisfy the
//! condition. It needs no preparation, but the rarer such deals are, the more draws it takes.
//! *Cells* and a *listing* draw satisfying deals directly, after a preparation that takes from
//! microseconds to minutes. The choice depends on the cost of the request: ten boards never repay a
//! second of preparation, 10^9 deals do.
//!
//! [`choose`] starts with the cheapest steps. A pilot sample (`pilot.rs`) estimates the acceptance
//! rate of rejection, and thereby the cost of the request. A search (`search.rs`), whose budget is
//! a fraction of that cost, then tries to make cells: of the whole condition, or of a part that it
//! implies for fewer hands, with a filter for the rest. Costs are in steps of about a nanosecond
//! from fixed tables (`cost.rs`), and are never measured. The choice therefore depends only on the
//! condition and the request, and a seed gives the same deals on every machine.

mod choice;
mod choose;
mod cost;
mod options;
mod pilot;
mod search;

pub use choice::{ChoiceError, PopulationSource, Reasons, SamplerChoice};
pub use choose::choose;
pub use cost::exact_steps;
pub use cost::{LONG_RUN, Price, RequestPurpose};
pub use options::{Planning, SamplerMethod, Sampling, Workload};
pub use pilot::Pilot;
pub use search::{Attempt, AttemptOutcome};
