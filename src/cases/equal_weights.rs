//! Cases of equal weight: groups within which every case is drawn as often as any other.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::record::CaseRecord;

/// Most groups of a file. Scenarios have up to 4,000 or so.
const MOST_GROUPS: usize = 1 << 16;

/// Records that a worker counts at a time.
const STRETCH: usize = 1 << 16;

/// The weights that two or more cases share, with the number of cases of each.
///
/// Given how many draws fall into a group, the cases that they select are uniform, whatever
/// the weights of all cases are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EqualWeights {
    /// By ascending weight.
    groups: Vec<(u64, u64)>,
}

impl EqualWeights {
    /// The groups of a file's records, in one pass on all threads.
    ///
    /// If there are more than 65,536 of them, those in which two draws meet most often.
    #[must_use]
    pub(super) fn of(records: &[CaseRecord]) -> Self {
        let stretches: Vec<BTreeMap<u64, u64>> = records
            .par_chunks(STRETCH)
            .enumerate()
            .map(|(stretch, chunk)| {
                let previous = (stretch * STRETCH).checked_sub(1);
                let before = previous.map_or(0, |previous| records[previous].total());
                Self::counted(chunk, before)
            })
            .collect();
        let mut cases: BTreeMap<u64, u64> = BTreeMap::new();
        for (weight, count) in stretches.into_iter().flatten() {
            *cases.entry(weight).or_default() += count;
        }
        let shared = cases.into_iter().filter(|(_, count)| *count > 1);
        let mut groups: Vec<(u64, u64)> = shared.collect();
        if groups.len() > MOST_GROUPS {
            let meetings = |(weight, cases): &(u64, u64)| (*weight as f64).powi(2) * *cases as f64;
            groups.sort_by(|a, b| meetings(b).total_cmp(&meetings(a)));
            groups.truncate(MOST_GROUPS);
            groups.sort_unstable();
        }
        Self { groups }
    }

    /// The number of cases by weight of consecutive records.
    fn counted(records: &[CaseRecord], mut before: u128) -> BTreeMap<u64, u64> {
        let mut counts = BTreeMap::new();
        // Neighbours often weigh the same.
        let (mut weight, mut run) = (0, 0);
        for record in records {
            let found = record.total().saturating_sub(before);
            before = record.total();
            if found != u128::from(weight) {
                *counts.entry(weight).or_default() += run;
                // A case never weighs more; a damaged file's may.
                (weight, run) = (u64::try_from(found).unwrap_or(u64::MAX), 0);
            }
            run += 1;
        }
        *counts.entry(weight).or_default() += run;
        counts.remove(&0);
        counts
    }

    /// Weights and numbers of cases, by ascending weight.
    #[must_use]
    pub fn groups(&self) -> &[(u64, u64)] {
        &self.groups
    }

    /// The place of a weight's group; none if no two cases have it.
    #[must_use]
    pub fn group_of(&self, weight: u128) -> Option<usize> {
        let weight = u64::try_from(weight).ok()?;
        let place = self.groups.binary_search_by_key(&weight, |group| group.0);
        place.ok()
    }
}
