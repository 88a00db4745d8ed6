//! Places of boards in what was read.

/// Where a board stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which input, from 0.
    pub input: u32,
    /// The line, or the record of a file without lines, from 1.
    pub line: u64,
}
