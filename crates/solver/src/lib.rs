//! Double-dummy tricks of dealt boards, by pons-dds: the search of DDS, the solver of Bo Haglund and
//! Soren Hein, in Rust.

mod leads;
mod one_thread;
mod team;
mod threads;

use fairdeal_base::{error, observer};
use fairdeal_bridge as bridge;
use fairdeal_language as language;

pub use leads::touching;
pub use one_thread::Solver;
pub use team::SolverTeam;
pub use threads::SolverThreads;
