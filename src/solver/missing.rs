//! The solver of a program without the feature `dds`.

use crate::bridge::{Deal, TrickTable};
use crate::error::{Error, Remedy};
use crate::language::AskedTricks;

/// There is none.
#[derive(Debug)]
pub(super) enum Solver {}

impl Solver {
    /// Fails, and says how to get a solver.
    pub(super) fn new() -> Result<Self, Error> {
        Err(
            Error::usage("this program was built without a double-dummy solver")
                .with_remedy(Remedy::BuildSolver),
        )
    }

    pub(super) fn table(&mut self, _: &Deal, _: &AskedTricks) -> TrickTable {
        match *self {}
    }
}
