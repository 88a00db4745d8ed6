//! Double-dummy tricks of dealt boards, by pons-dds: the search of DDS, the solver of Bo Haglund and
//! Soren Hein, in Rust.

mod leads;
mod one_thread;
mod team;

pub(crate) use leads::Solvers;
pub use leads::touching;
pub use one_thread::Solver;
pub use team::SolverTeam;
