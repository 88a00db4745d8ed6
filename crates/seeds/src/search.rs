//! The search through all seeds.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::dictionary;
use super::dictionary::{DealingMethod, SeedSource};
use super::plan::{SearchPlan, SeedRange};
use super::sieve::{FinishTables, SourceChecks};
use crate::bridge::Deal;
use crate::kernels::{Isa, NUMBERS, NumberRows, SEEDS, first_numbers};

/// A deal that a method deals from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The place of the deal among those searched for.
    pub deal: usize,
    /// The method of dealing.
    pub method: DealingMethod,
    /// The seed; Java's seeds are signed.
    pub seed: i64,
}

/// The number of seeds tried for a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The source; all its methods were tried.
    pub source: SeedSource,
    /// Number of seeds tried.
    pub seeds: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The hits, in the order of the search.
    pub hits: Vec<Hit>,
    /// Number of hypotheses tried: methods × seeds × deals.
    pub tried: u128,
    /// Whether every seed of every method was tried.
    pub complete: bool,
    /// The sources in the dictionary's order.
    pub sources: Vec<Tried>,
}

/// The parameters of a search.
#[derive(Clone, Debug, Default)]
pub struct SeedSearch<'a> {
    /// The deals to search for, a few.
    pub deals: &'a [Deal],
    /// A range of Unix seconds whose milliseconds are also tried as seeds of Java's generator.
    pub days: Option<Range<i64>>,
}

impl Searched {
    /// Returns the number of different deals found. Several methods or seeds may deal the same one.
    pub fn deals_found(&self) -> u64 {
        let deals: BTreeSet<usize> = self.hits.iter().map(|hit| hit.deal).collect();
        deals.len() as u64
    }
}

impl SeedSearch<'_> {
    /// Tries every seed, likely ones first, on the threads of the current rayon pool, until there
    /// is a hit or `stop` returns true. `progress` receives the number of seeds tried and the
    /// total, both summed over all sources.
    ///
    /// The seeds are tried in rounds. A round is completed before a hit ends the search, so that
    /// the result does not depend on threads.
    pub fn run(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Searched {
        self.planned(&SearchPlan::all(self.days.clone()), stop, progress)
    }

    pub(super) fn planned(
        &self,
        plan: &SearchPlan,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Searched {
        let sieves: Vec<FinishTables> = self.deals.par_iter().map(FinishTables::new).collect();
        let looks: Vec<SourceChecks> = dictionary::SOURCES.iter().map(SourceChecks::of).collect();
        let mut seeds = vec![0; dictionary::SOURCES.len()];
        let (mut hits, mut complete) = (Vec::new(), true);
        let (done, of) = (AtomicU64::new(0), plan.seeds());
        for round in plan.rounds() {
            let tried: Vec<Option<Vec<Hit>>> = round
                .par_iter()
                .map(|chunk| {
                    if stop() {
                        return None;
                    }
                    let found = chunk.search(&looks[chunk.source], &sieves);
                    let before = done.fetch_add(chunk.seeds(), Ordering::Relaxed);
                    progress(before + chunk.seeds(), of);
                    Some(found)
                })
                .collect();
            for (chunk, found) in round.iter().zip(tried) {
                complete &= found.is_some();
                if let Some(found) = found {
                    seeds[chunk.source] += chunk.seeds();
                    hits.extend(found);
                }
            }
            if !hits.is_empty() || !complete {
                complete &= done.load(Ordering::Relaxed) == of;
                break;
            }
        }
        self.searched(hits, complete, &seeds)
    }

    fn searched(&self, hits: Vec<Hit>, complete: bool, seeds: &[u64]) -> Searched {
        let sources = dictionary::SOURCES.iter().zip(seeds);
        let sources = sources.map(|(&source, &seeds)| Tried { source, seeds });
        let sources: Vec<Tried> = sources.collect();
        let tried = sources.iter().map(|tried| {
            let methods = tried.source.methods().count() as u128;
            methods * u128::from(tried.seeds) * self.deals.len() as u128
        });
        Searched {
            tried: tried.sum(),
            hits,
            complete,
            sources,
        }
    }
}

impl SeedRange {
    /// Tries all seeds of a chunk on all deals.
    pub(super) fn search(&self, looks: &SourceChecks, sieves: &[FinishTables]) -> Vec<Hit> {
        let source = dictionary::SOURCES[self.source];
        let series = source.generator.series(source.draw.every());
        let isa = Isa::chosen();
        let mut numbers: Box<NumberRows> = Box::new([[0; SEEDS]; NUMBERS]);
        let mut hits = Vec::new();
        for first in self.range.clone().step_by(SEEDS) {
            first_numbers(isa, series, first as u64, &mut numbers);
            looks.look(isa, &numbers, sieves, &mut |deal, method, lane| {
                let seed = first + lane as i64;
                if self.range.contains(&seed) && method.deal(seed) == *sieves[deal].deal() {
                    hits.push(Hit { deal, method, seed });
                }
            });
        }
        hits
    }
}
