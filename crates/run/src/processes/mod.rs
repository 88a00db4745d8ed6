//! A run dealt by many processes, on one or more hosts.

mod launch;
#[cfg(feature = "mpi")]
pub(super) mod mpi;
mod team;
mod turn;

pub use launch::Launched;
pub use team::{ProtocolError, Team, broadcast, reduce};
pub(crate) use turn::{CoordinatorMessage, Turn, TurnAnswer};
