//! Double-dummy tricks of dealt boards.
//!
//! With the feature `dds` they are computed by DDS, the solver of Bo Haglund and Soren Hein. Without
//! it, [`SolverTeam::new`] says how to get a program that has it.

#[cfg(feature = "dds")]
mod dds;
#[cfg(not(feature = "dds"))]
mod missing;
mod team;

#[cfg(feature = "dds")]
use dds::Solver;
#[cfg(not(feature = "dds"))]
use missing::Solver;

pub use team::SolverTeam;
