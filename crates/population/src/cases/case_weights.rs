//! Statistics of the weights of a file's cases: weights that several cases share, and total weight
//! by size class.

use rayon::prelude::*;

use super::record::CaseRecord;
use crate::fixed_hash::FixedHashMap;

/// Number of weight classes, by the position of the highest bit.
pub const WEIGHT_CLASSES: usize = 64;

/// Maximum number of groups of a file. Scenarios have up to about 4,000.
const MOST_GROUPS: usize = 1 << 16;

/// Number of records that a worker counts at a time.
const STRETCH: usize = 1 << 16;

/// Statistics of the weights of a file's cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaseWeights {
    pub(super) equal: EqualWeights,
    /// The sum of the weights of each class, by floor(log2 weight).
    pub(super) classes: Vec<u128>,
}

/// The weights that two or more cases share, with the number of cases of each weight.
///
/// Given the number of draws that fall into a group, the cases they select are uniform, for any
/// weights of the other cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EqualWeights {
    /// Weights and numbers of cases, by ascending weight.
    groups: Vec<(u128, u64)>,
}

/// The number of cases of each weight.
type WeightCounts = FixedHashMap<u128, u64>;

impl CaseWeights {
    /// Counts the weights of a file's records in one pass on all threads.
    ///
    /// In a corrupted file, a total that does not increase counts as a weight of 0.
    pub(super) fn of(records: &[CaseRecord]) -> Self {
        let counts = records
            .par_chunks(STRETCH)
            .enumerate()
            .fold(WeightCounts::default, |mut counts, (stretch, chunk)| {
                let previous = (stretch * STRETCH).checked_sub(1);
                let before = previous.map_or(0, |previous| records[previous].total());
                count(&mut counts, chunk, before);
                counts
            })
            .reduce(WeightCounts::default, merged);
        let mut classes = vec![0; WEIGHT_CLASSES];
        for (&weight, &cases) in &counts {
            classes[class_of(weight)] += weight * u128::from(cases);
        }
        Self {
            equal: EqualWeights::of(counts),
            classes,
        }
    }
}

/// Returns the class of a weight.
#[inline]
pub fn class_of(weight: u128) -> usize {
    let class = weight.checked_ilog2().unwrap_or(0) as usize;
    class.min(WEIGHT_CLASSES - 1)
}

/// Counts the weights of consecutive records.
fn count(counts: &mut WeightCounts, records: &[CaseRecord], mut before: u128) {
    // Neighbours often weigh the same.
    let (mut weight, mut run) = (0, 0);
    for record in records {
        let found = record.total().saturating_sub(before);
        before = record.total();
        if found != weight {
            *counts.entry(weight).or_default() += run;
            (weight, run) = (found, 0);
        }
        run += 1;
    }
    *counts.entry(weight).or_default() += run;
}

/// Adds up the counts of two sets of cases.
fn merged(one: WeightCounts, other: WeightCounts) -> WeightCounts {
    let (mut larger, smaller) = if one.len() < other.len() {
        (other, one)
    } else {
        (one, other)
    };
    for (weight, cases) in smaller {
        *larger.entry(weight).or_default() += cases;
    }
    larger
}

impl EqualWeights {
    /// Makes the groups from the number of cases of each weight.
    ///
    /// If there are more than 65,536 groups, keeps those in which two draws coincide most often.
    fn of(counts: WeightCounts) -> Self {
        let shared = |&(weight, cases): &(u128, u64)| weight > 0 && cases > 1;
        let mut groups: Vec<(u128, u64)> = counts.into_iter().filter(shared).collect();
        groups.sort_unstable();
        if groups.len() > MOST_GROUPS {
            let meetings = |(weight, cases): &(u128, u64)| (*weight as f64).powi(2) * *cases as f64;
            groups.sort_by(|a, b| meetings(b).total_cmp(&meetings(a)));
            groups.truncate(MOST_GROUPS);
            groups.sort_unstable();
        }
        Self { groups }
    }

    /// Weights and numbers of cases, by ascending weight.
    #[inline]
    pub fn groups(&self) -> &[(u128, u64)] {
        &self.groups
    }
}

/// Finds groups of equal weight by their weights.
#[derive(Clone, Debug)]
pub(crate) struct GroupIndex {
    /// A weight and its group, at the first free place from the weight's own on; a weight of 0 for
    /// none.
    slots: Vec<(u64, u32)>,
    groups: usize,
}

impl GroupIndex {
    pub(crate) fn new(weights: &EqualWeights) -> Self {
        let groups = weights.groups.len();
        let mut index = Self {
            slots: vec![(0, 0); (4 * groups).next_power_of_two().max(2)],
            groups,
        };
        for (group, (weight, _)) in (0..).zip(&weights.groups) {
            // A larger weight is only in a corrupted file.
            if let Ok(weight) = u64::try_from(*weight) {
                let slot = index.slot_of(weight);
                index.slots[slot] = (weight, group);
            }
        }
        index
    }

    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.groups
    }

    /// The index of a weight's group; `None` if no two cases have this weight.
    pub(crate) fn group_of(&self, weight: u128) -> Option<usize> {
        let weight = u64::try_from(weight).ok()?;
        let (found, group) = self.slots[self.slot_of(weight)];
        (found == weight && weight != 0).then_some(group as usize)
    }

    /// The place of a weight, or the one where it would be.
    fn slot_of(&self, weight: u64) -> usize {
        let shift = u64::BITS - self.slots.len().ilog2();
        // From the golden ratio.
        let mut slot = (weight.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
        while self.slots[slot].0 != weight && self.slots[slot].0 != 0 {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cases::Case;
    use crate::language::HandCase;

    /// Makes records with these totals.
    fn records(totals: impl Iterator<Item = u128>) -> Vec<CaseRecord> {
        let case = Case {
            first: HandCase::default(),
            second: None,
        };
        totals.map(|total| CaseRecord::new(total, case)).collect()
    }

    /// Computes the same statistics with an ordered map and a loop.
    fn slowly(records: &[CaseRecord]) -> CaseWeights {
        let mut counts = BTreeMap::new();
        let mut classes = vec![0; 64];
        let mut before = 0;
        for record in records {
            if record.total() > before {
                let weight = record.total() - before;
                *counts.entry(weight).or_insert(0) += 1;
                classes[weight.ilog2().min(63) as usize] += weight;
            }
            before = record.total();
        }
        counts.retain(|_, cases| *cases > 1);
        let groups = counts.into_iter().collect();
        CaseWeights {
            equal: EqualWeights { groups },
            classes,
        }
    }

    fn assert_as_slowly(records: &[CaseRecord]) -> CaseWeights {
        let exact = slowly(records);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let found = pool.unwrap().install(|| CaseWeights::of(records));
            assert!(found == exact, "{} records", records.len());
        }
        exact
    }

    #[test]
    fn weights_are_counted_as_a_slow_loop_counts_them() {
        // Runs of one weight, alternating weights, weights of a single case, and runs that cross
        // the boundary between two chunks.
        let weight = |case: u128| match case / 1_000 % 4 {
            0 => 6_435,
            1 => 1 + case % 2,
            2 => case * case,
            _ => 1 << (case % 40),
        };
        for cases in [0, 1, 2, 3_999, 65_536, 65_537, 300_000] {
            let totals = (0..cases).scan(0, |total, case| {
                *total += weight(case);
                Some(*total)
            });
            let records = records(totals);
            let found = assert_as_slowly(&records);
            let total = records.last().map_or(0, |record| record.total());
            assert_eq!(found.classes.iter().sum::<u128>(), total);
        }
    }

    #[test]
    fn odd_weights_of_damaged_files_are_counted() {
        let most = (1 << 73) - 1;
        // Decreasing and constant totals, and weights of more than 64 bits, two of them equal.
        let totals = [5, 5, 3, 9, 0, 1 << 70, 1 << 71, 0, 1 << 70, most, 7, 12, 17];
        let found = assert_as_slowly(&records(totals.into_iter()));
        assert_eq!(found.equal.groups(), [(5, 3), (1 << 70, 3)]);
        let index = GroupIndex::new(&found.equal);
        assert_eq!(
            [0, 4, 5, 6, 1 << 70].map(|weight| index.group_of(weight)),
            [None, None, Some(0), None, None]
        );
    }

    #[test]
    fn of_too_many_weights_those_that_meet_most_are_kept() {
        let pairs = MOST_GROUPS as u128 + 100;
        let totals = (0..2 * pairs).scan(0, |total, case| {
            *total += case / 2 + 1;
            Some(*total)
        });
        let found = CaseWeights::of(&records(totals)).equal;
        assert_eq!(found.groups().len(), MOST_GROUPS);
        assert_eq!(found.groups()[0], (101, 2));
        assert_eq!(found.groups().last(), Some(&(pairs, 2)));
        let index = GroupIndex::new(&found);
        for (group, (weight, _)) in found.groups().iter().enumerate() {
            assert_eq!(index.group_of(*weight), Some(group));
        }
        assert_eq!(
            [0, 100, pairs + 1].map(|weight| index.group_of(weight)),
            [None; 3]
        );
    }
}
