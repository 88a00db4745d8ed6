//! Places of boards in the input.

use serde::{Deserialize, Serialize};

/// Place of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardPlace {
    /// Number of the input, from 0.
    pub input: u32,
    /// Number of the line from 1, or of the record in a file without lines.
    pub line: u64,
}

impl BoardPlace {
    /// The place after a number of inputs that were read before.
    pub(super) fn after(self, inputs: u32) -> Self {
        Self {
            input: self.input + inputs,
            ..self
        }
    }
}
