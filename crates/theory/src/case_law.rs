//! The probabilities of the cases of a case file.

use crate::population::cases::{Runs, WeightGroup};

/// The weights of runs and of weight classes, and the weights that several cases share.
#[derive(Clone, Debug)]
pub struct CaseLaw {
    /// T, the total weight.
    pub total: u128,
    /// Weight of each run.
    pub runs: Vec<u128>,
    /// First and last case of each run, from 0.
    pub cases: Vec<(u64, u64)>,
    /// Total weight of the cases of each class, floor(log2 weight).
    pub classes: Vec<u128>,
    /// The weights that several cases share.
    pub groups: Vec<WeightGroup>,
}

impl CaseLaw {
    /// Reads the weights of a file from its sections.
    pub fn of(runs: &Runs<'_>) -> Self {
        Self {
            total: runs.records().last().map_or(0, |record| record.total()),
            runs: (0..runs.count()).map(|run| runs.weight(run)).collect(),
            cases: (0..runs.count()).map(|run| runs.cases_of(run)).collect(),
            classes: runs.weight_classes().collect(),
            groups: runs.weight_groups().to_vec(),
        }
    }
}
