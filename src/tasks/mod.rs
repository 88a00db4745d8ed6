//! Whole tasks, from a request to a report: a run, the merging of its parts, an audit.
//!
//! A task brings together what the rooms before it do one by one: it chooses how deals are found,
//! lists, deals, tests, saves and writes the report. It prints nothing: an
//! [`Observer`](crate::observer::Observer) hears of its stages, and may ask it to stop.

#![warn(clippy::too_many_lines)]

pub mod audit;
mod battery;
mod merge;
mod prepare;
mod random;
pub mod run;
mod theory;

pub use battery::BatteryRequest;
pub use merge::{MergeRequest, merge};
pub use prepare::{Input, Planned, Prepared, need_of_run};
pub use random::{RandomRequest, RandomSource, RandomWords, defective};
pub use theory::{ExactTheory, theory};
