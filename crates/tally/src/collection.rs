//! Counts of a collection of boards beyond those of its deals, which only an audit has.

use serde::{Deserialize, Serialize};

use super::{Overlaps, Places, Seeds, Sessions};

/// Counts that depend on the boards' sessions and files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Collection {
    /// Sessions by their boards and sums over them.
    pub sessions: Sessions,
    /// Boards with those of the same number in the previous session, at lag 0.
    pub session_overlaps: Overlaps,
    /// Sums by the dealer, and by the place in a session.
    pub places: Places,
    /// Result of a search for the seeds of the first deals.
    pub seeds: Seeds,
}
