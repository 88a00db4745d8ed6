//! How draws from a case file are spread over its cases.

use rayon::prelude::*;

use crate::cases::Runs;

/// Records that are summed together, in this order.
const STRETCH: usize = 1 << 16;

/// The weights of runs and of classes, and sums of powers of probabilities.
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
    /// Sum over cases of p^2: how often two draws are of the same case.
    pub squares: f64,
    /// Sum over cases of p^3.
    pub cubes: f64,
}

impl CaseLaw {
    /// Goes through the records once.
    #[must_use]
    pub fn of(runs: &Runs<'_>) -> Self {
        let records = runs.records();
        let total = records.last().map_or(0, |record| record.total());
        let stretches: Vec<(Vec<u128>, f64, f64)> = records
            .par_chunks(STRETCH)
            .enumerate()
            .map(|(stretch, chunk)| {
                let mut classes = vec![0; 64];
                let (mut squares, mut cubes) = (0.0, 0.0);
                let previous = (stretch * STRETCH).checked_sub(1);
                let mut before = previous.map_or(0, |previous| records[previous].total());
                for record in chunk {
                    let weight = record.total().saturating_sub(before);
                    before = record.total();
                    let class = weight.checked_ilog2().unwrap_or(0) as usize;
                    classes[class.min(63)] += weight;
                    let p = weight as f64 / total as f64;
                    squares += p * p;
                    cubes += p * p * p;
                }
                (classes, squares, cubes)
            })
            .collect();
        let mut law = Self {
            total,
            runs: (0..runs.count()).map(|run| runs.weight(run)).collect(),
            cases: (0..runs.count()).map(|run| runs.cases_of(run)).collect(),
            classes: vec![0; 64],
            squares: 0.0,
            cubes: 0.0,
        };
        for (classes, squares, cubes) in stretches {
            for (mine, theirs) in law.classes.iter_mut().zip(classes) {
                *mine += theirs;
            }
            law.squares += squares;
            law.cubes += cubes;
        }
        law
    }
}
