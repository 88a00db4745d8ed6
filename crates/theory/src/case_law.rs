//! The probabilities of the cases of a case file, and of groups of cells.

use crate::population::cases::{Runs, WeightGroup};
use crate::population::cells::Cells;

/// The weights of runs and of weight classes, and the weights that several cases share.
#[derive(Clone, Debug)]
pub struct CaseLaw {
    /// T, the total weight.
    pub total: u128,
    /// Weight of each run, or of each group of cells.
    pub runs: Vec<u128>,
    /// First and last case of each run, from 0; the number of each group of cells.
    pub cases: Vec<(u64, u64)>,
    /// Total weight of the cases of each class, floor(log2 weight); empty for cells.
    pub classes: Vec<u128>,
    /// The weights that several cases share; empty for cells.
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

    /// Adds up the weights of cells by group.
    pub fn of_cells(cells: &Cells) -> Self {
        let runs = cells.group_weights();
        Self {
            total: cells.total(),
            cases: (0..runs.len() as u64).map(|group| (group, group)).collect(),
            runs,
            classes: Vec::new(),
            groups: Vec::new(),
        }
    }
}
