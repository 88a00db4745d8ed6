//! How draws from a case file are spread over its cases.

use crate::population::cases::{EqualWeights, Runs};

/// The weights of runs and of classes, and the weights that cases share.
#[derive(Clone, Debug)]
pub struct CaseLaw {
    /// T.
    pub total: u128,
    /// The weight of each run.
    pub runs: Vec<u128>,
    /// The first and last case of each run, from 0.
    pub cases: Vec<(u64, u64)>,
    /// The weight of the cases of each class, by floor(log2 weight).
    pub classes: Vec<u128>,
    /// The weights that cases share.
    pub equal_weights: EqualWeights,
}

impl CaseLaw {
    /// The weights of a file, for which its records are gone through once.
    #[must_use]
    pub fn of(runs: &Runs<'_>) -> Self {
        Self {
            total: runs.records().last().map_or(0, |record| record.total()),
            runs: (0..runs.count()).map(|run| runs.weight(run)).collect(),
            cases: (0..runs.count()).map(|run| runs.cases_of(run)).collect(),
            classes: runs.weight_classes().to_vec(),
            equal_weights: runs.equal_weights().clone(),
        }
    }
}
