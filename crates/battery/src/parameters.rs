//! The parameters of a run that determine its tests.

use super::FIRST_LOOK;
use crate::population::Structure;
use crate::stats::elementary::log10;
use crate::tally::Depth;

/// The run parameters that a battery knows before the first deal.
#[derive(Clone, Debug)]
pub struct RunParameters {
    /// Depth of the battery.
    pub depth: Depth,
    /// Number of deals.
    pub deals: u64,
    /// Number of deals that a PASS requires.
    pub target: u64,
    /// Number of deals whose pairs of cards are tested.
    pub close: u64,
    /// Number of deals whose numbers are tested.
    pub numbered: u64,
    /// Number of deals that are kept to find duplicates.
    pub kept: usize,
    /// Length of the longest sequence of consecutive deals.
    pub longest: u64,
    /// Number of pairs of draws that are compared within batches.
    pub compared: f64,
    /// Number of batches.
    pub batches: u64,
    /// Number of deals in the smallest group of batches.
    pub smallest_group: u64,
    /// Structure of the population.
    pub structure: Structure,
    /// Number of sessions of boards that were played together, from the metadata.
    pub sessions: u64,
    /// Number of boards whose dealer is known.
    pub dealt: u64,
    /// Number of boards that have the same number as a board of the previous session.
    pub session_pairs: u64,
    /// Whether the first deals are looked up among those of known seeds.
    pub seeds: bool,
    /// Whether tests with too few deals for their laws use perfect sets as reference.
    pub referred: bool,
    /// Whether the number of deals is open; then `deals` is the maximum.
    pub open: bool,
}

impl RunParameters {
    /// Returns log10 of v_l, the weight of look l in a test's evidence.
    ///
    /// v_l = 1 / (l (l + 1)), which sum to 1 over all looks; a single look has weight 1.
    pub(super) fn look_share_log10(&self, look: u32) -> f64 {
        if self.deals < FIRST_LOOK {
            return if look > 1 { f64::NEG_INFINITY } else { 0.0 };
        }
        let look = f64::from(look);
        -log10(look * (look + 1.0))
    }

    /// Returns the number of pairs of deals at a lag: a lower bound, which counts complete
    /// sequences only.
    pub(super) fn pairs(&self, lag: usize) -> u64 {
        let stretches = self.deals / self.longest.max(1);
        stretches * self.longest.saturating_sub(lag as u64)
    }
}
