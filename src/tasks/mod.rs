//! Complete tasks, from a request to a report: runs, merges of parts, audits.
//!
//! A task combines the modules below it: it chooses the sampler, lists, deals, tests, saves and
//! writes the report. It prints nothing: an [`Observer`](crate::observer::Observer) receives its
//! progress and may ask it to stop.

#![warn(clippy::too_many_lines)]

pub mod audit;
mod battery;
pub mod boards;
pub mod candidates;
mod condition_text;
mod deal_files;
mod input_files;
mod level_check;
mod levelled;
mod merge;
#[cfg(feature = "cli")]
mod night;
mod prepare;
mod process;
mod random;
pub mod run;
mod script_file;
mod solved_file;
mod solving;
pub mod squaredeal;
mod theory;

pub use battery::BatteryRequest;
pub use condition_text::{no_condition, unnamed_script};
pub use deal_files::{
    DealFiles, DealFilesAnswers, DealFilesRecord, FileDeal, ask_deal_files, read_deals,
};
pub use level_check::{LevelCheck, LevelCheckRequest, level_check};
pub use levelled::{LevelledScript, LevelledType};
pub use merge::{MergeRequest, merge};
#[cfg(feature = "cli")]
pub use night::{NightFolder, NightResult};

pub use prepare::{ConditionInput, PlannedScript, Prepared};
pub use random::{RandomRequest, RandomWords, defective};
pub use script_file::{included_file, script_text};
pub use solving::{DEFAULT_SOLVED_DEALS, SolvingReport, SolvingRequest, run_solved};
pub use theory::{
    ExactTheory, Likelihood, TheoryAnswer, TheoryRequest, TypeTheory, likelihood, theory,
    theory_or_estimate, theory_within_budget,
};
