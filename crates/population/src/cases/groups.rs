//! Groups of cases of equal weight.

use std::cmp::Reverse;

use bytemuck::{Pod, Zeroable};

use super::header::WEIGHT_CLASSES;
use crate::fixed_hash::FixedHashMap;

/// Maximum number of groups of a file. Scenarios have up to about 4,000.
const MOST_GROUPS: usize = 1 << 16;

/// The cases of one weight, if they are two or more; both numbers are little-endian.
///
/// Given the number of draws that fall into a group, the cases they select are uniform, for any
/// weights of the other cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct WeightGroup {
    weight: u64,
    cases: u64,
}

/// The number of cases of each weight.
pub(super) type WeightCounts = FixedHashMap<u64, u64>;

impl WeightGroup {
    /// The weight of each of its cases.
    pub fn weight(&self) -> u64 {
        u64::from_le(self.weight)
    }

    /// Number of cases.
    pub fn cases(&self) -> u64 {
        u64::from_le(self.cases)
    }

    /// Makes the groups from the number of cases of each weight, by ascending weight.
    ///
    /// If there are more than 65,536 groups, keeps those in which two draws coincide most often.
    pub(super) fn all(counts: &WeightCounts) -> Vec<Self> {
        let shared = |&(weight, cases): &(u64, u64)| weight > 0 && cases > 1;
        let counts = counts.iter().map(|(weight, cases)| (*weight, *cases));
        let mut groups: Vec<(u64, u64)> = counts.filter(shared).collect();
        groups.sort_unstable();
        if groups.len() > MOST_GROUPS {
            let meetings = |(weight, cases): &(u64, u64)| (*weight as f64).powi(2) * *cases as f64;
            groups.sort_by(|a, b| meetings(b).total_cmp(&meetings(a)));
            groups.truncate(MOST_GROUPS);
            groups.sort_unstable();
        }
        let group = |(weight, cases): (u64, u64)| Self {
            weight: weight.to_le(),
            cases: cases.to_le(),
        };
        groups.into_iter().map(group).collect()
    }
}

/// Returns the class of a weight.
#[inline]
pub fn class_of(weight: u64) -> usize {
    const { assert!(WEIGHT_CLASSES == u64::BITS as usize) };
    weight.checked_ilog2().unwrap_or(0) as usize
}

/// Finds groups of equal weight by their weights.
#[derive(Clone, Debug)]
pub struct GroupIndex {
    /// A weight and its group, at the first free place from the weight's own on; a weight of 0 for
    /// none.
    slots: Vec<(u64, u32)>,
    /// A weight's place is in the highest bits of its product, above these.
    shift: u32,
    groups: usize,
}

impl GroupIndex {
    /// Makes the index of these groups.
    pub fn new(groups: &[WeightGroup]) -> Self {
        let slots = (4 * groups.len()).next_power_of_two().max(2);
        let mut index = Self {
            slots: vec![(0, 0); slots],
            shift: u64::BITS - slots.ilog2(),
            groups: groups.len(),
        };
        // The groups of most draws first: they are found at once.
        let mut places: Vec<usize> = (0..groups.len()).collect();
        places.sort_by_key(|&group| {
            let group = &groups[group];
            Reverse(u128::from(group.weight()) * u128::from(group.cases()))
        });
        for group in places {
            let weight = groups[group].weight();
            let slot = index.slot_of(weight);
            index.slots[slot] = (weight, group as u32);
        }
        index
    }

    /// Number of groups.
    pub fn count(&self) -> usize {
        self.groups
    }

    /// The index of a weight's group; `None` if no two cases have this weight.
    #[inline]
    pub fn group_of(&self, weight: u64) -> Option<usize> {
        let (found, group) = self.slots[self.slot_of(weight)];
        (found == weight && weight != 0).then_some(group as usize)
    }

    /// The place of a weight, or the one where it would be.
    #[inline]
    fn slot_of(&self, weight: u64) -> usize {
        // From the golden ratio.
        let mut slot = (weight.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        while self.slots[slot].0 != weight && self.slots[slot].0 != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_weights_those_that_meet_most_are_kept() {
        let pairs = MOST_GROUPS as u64 + 100;
        let mut counts: WeightCounts = (1..=pairs).map(|weight| (weight, 2)).collect();
        counts.insert(0, 5);
        counts.insert(pairs + 1, 1);
        let groups = WeightGroup::all(&counts);
        assert_eq!(groups.len(), MOST_GROUPS);
        assert_eq!(groups[0].weight(), 101);
        assert_eq!(groups.last().map(|last| last.weight()), Some(pairs));
        assert!(groups.iter().all(|group| group.cases() == 2));
    }

    #[test]
    fn a_weight_finds_its_group() {
        let weights = (1..5_000u64).map(|weight| (weight * weight * 0x9E37) << (weight % 20));
        let counts: WeightCounts = weights.clone().map(|weight| (weight, 3)).collect();
        let groups = WeightGroup::all(&counts);
        let index = GroupIndex::new(&groups);
        assert_eq!(index.count(), groups.len());
        for (place, group) in groups.iter().enumerate() {
            assert_eq!(index.group_of(group.weight()), Some(place));
            assert_eq!(index.group_of(group.weight() + 1), None);
        }
        assert_eq!(
            [0, u64::MAX].map(|weight| index.group_of(weight)),
            [None; 2]
        );
        assert_eq!(GroupIndex::new(&[]).group_of(6), None);
    }
}
