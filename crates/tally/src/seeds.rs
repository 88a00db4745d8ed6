//! Results of a search for the seeds of the first deals.

use serde::{Deserialize, Serialize};

/// Deals compared with those of known generators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeds {
    /// Number of deals searched for.
    pub deals: u64,
    /// Number of seeds tried, summed over deals and dealing methods.
    pub tried: u128,
    /// Number of deals found. A deal counts once, whatever the number of methods and seeds that
    /// match.
    pub found: u64,
}
