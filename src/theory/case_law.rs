//! How draws from a case file are spread over its cases.

use rayon::prelude::*;

use crate::cases::{EqualWeights, Runs};

/// Records that a worker sums at a time.
const STRETCH: usize = 1 << 16;

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
    /// Goes through the records once.
    #[must_use]
    pub fn of(runs: &Runs<'_>) -> Self {
        let records = runs.records();
        let total = records.last().map_or(0, |record| record.total());
        let stretches: Vec<Vec<u128>> = records
            .par_chunks(STRETCH)
            .enumerate()
            .map(|(stretch, chunk)| {
                let mut classes = vec![0; 64];
                let previous = (stretch * STRETCH).checked_sub(1);
                let mut before = previous.map_or(0, |previous| records[previous].total());
                for record in chunk {
                    let weight = record.total().saturating_sub(before);
                    before = record.total();
                    let class = weight.checked_ilog2().unwrap_or(0) as usize;
                    classes[class.min(63)] += weight;
                }
                classes
            })
            .collect();
        let mut law = Self {
            total,
            runs: (0..runs.count()).map(|run| runs.weight(run)).collect(),
            cases: (0..runs.count()).map(|run| runs.cases_of(run)).collect(),
            classes: vec![0; 64],
            equal_weights: runs.equal_weights().clone(),
        };
        for classes in stretches {
            for (mine, theirs) in law.classes.iter_mut().zip(classes) {
                *mine += theirs;
            }
        }
        law
    }
}
