//! Double-dummy tricks of dealt boards, by pons-dds: the search of DDS, the solver of Bo Haglund and
//! Soren Hein, in Rust.

mod leads;
mod one_thread;
mod team;
mod threads;

pub use leads::touching;
pub use one_thread::Solver;
pub use team::SolverTeam;
pub(crate) use threads::SolverThreads;
