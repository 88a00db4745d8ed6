//! The solver of a program without the feature `dds`.

use crate::bridge::{Deal, TrickTable};
use crate::error::Error;
use crate::language::AskedTricks;

/// There is none.
#[derive(Debug)]
pub(super) enum Solver {}

impl Solver {
    /// Fails, and says how to get a solver.
    pub(super) fn new() -> Result<Self, Error> {
        Err(Error::usage(
            "this program was built without a double-dummy solver: build it with --features dds \
             (a C++20 compiler and libclang are needed), or name files of solved deals with --from",
        ))
    }

    pub(super) fn table(&mut self, _: &Deal, _: &AskedTricks) -> TrickTable {
        match *self {}
    }
}
