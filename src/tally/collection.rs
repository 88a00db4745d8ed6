//! Counts of a collection of boards beyond those of its deals, which only an audit has.

use super::{Overlaps, Seeds, Sessions};

/// Counts that depend on the boards' sessions and files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collection {
    /// Sessions by their boards, flatness and voids.
    pub sessions: Sessions,
    /// Boards with those of the same number in the previous session, at lag 0.
    pub session_overlaps: Overlaps,
    /// Result of a search for the seeds of the first deals.
    pub seeds: Seeds,
}
