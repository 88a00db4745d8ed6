//! The sums over one or two listed hands that theory needs.
//!
//! The tables of the hands follow from sums of weights over groups of cases, not from single cases.

use std::collections::BTreeMap;

use super::TheoryError;
use crate::bridge::Honours;
use crate::bridge::pattern::PATTERN_COUNT;

/// Number of classes of honour maps by the number of each of four ranks or suits: 5^4.
pub(super) const CLASSES: usize = 625;
/// Number of patterns, including "off".
pub(super) const PATTERNS: usize = PATTERN_COUNT + 1;
pub(super) const OFF: usize = PATTERN_COUNT;
pub(super) const MAPS: usize = 1 << 16;
/// Number of combinations of a hand's HCP, 0 to 40, and a class of ranks.
pub(super) const BESIDE: usize = 41 * CLASSES;

/// The listed properties of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListedProperties {
    pub(super) by_pattern: bool,
    pub(super) by_honours: bool,
}

/// The opposite hand's patterns for each honour map of a hand listed by pattern and honours, for
/// one of that hand's patterns.
#[derive(Clone, Debug, Default)]
pub(super) struct Opposite {
    /// Index in `maps` and `sets`, plus one; 0 for none.
    place_of: Vec<u32>,
    pub(super) maps: Vec<u16>,
    pub(super) sets: Vec<PatternMask>,
}

/// A set of patterns, one bit each.
pub(super) type PatternMask = [u64; 9];

/// Sums of weights over all cases, by the quantities that determine the tables.
#[derive(Debug)]
pub(super) struct CaseSums {
    pub(super) first: ListedProperties,
    pub(super) second: Option<ListedProperties>,
    pub(super) total: u128,
    /// By first pattern times 561 plus second pattern; 560 is off.
    pub(super) pattern_pairs: Vec<u128>,
    /// By honour, bit 0 first: ways in which the first and the second hand hold it.
    pub(super) held: [[u128; 16]; 2],
    /// By class of ranks of the first and the second hand; empty if not listed.
    pub(super) ranks: [Vec<u128>; 2],
    /// If every listed hand has honours: by class of ranks of all their honours.
    pub(super) union: Vec<u128>,
    /// Two hands listed by honours: by HCP of the first times 625, plus the class of both.
    pub(super) beside: Vec<u128>,
    /// One hand listed by honours only, or two by honours, at least one of them without pattern: by
    /// the pattern of the one that has it (560 if neither), and the classes of suits of the first
    /// and the second.
    pub(super) suit_groups: BTreeMap<(u16, u16, u16), u128>,
    /// One hand listed by pattern only, and one by pattern and honours: by suit, length of the
    /// latter, length of the former, and honours of the latter in the suit.
    pub(super) mixed_suits: Vec<u128>,
    /// For the same hands: by pattern of the hand with honours, the patterns opposite its honours.
    pub(super) opposite: BTreeMap<u16, Opposite>,
}

/// Returns the honour maps with nonzero weight.
fn by_map(weights: &[u128]) -> impl Iterator<Item = (Honours, u128)> + '_ {
    let all = (0..=u16::MAX).map(Honours::from_bits).zip(weights);
    all.filter(|(_, weight)| **weight != 0)
        .map(|(map, weight)| (map, *weight))
}

/// Returns the index in `mixed_suits`.
pub(super) fn mixed_index(suit: usize, both: u8, other: u8, nibble: u16) -> usize {
    ((suit * 14 + usize::from(both)) * 14 + usize::from(other)) * 16 + usize::from(nibble)
}

/// Returns the numbers of aces, kings, queens and jacks, as digits to base 5.
pub(super) fn rank_class(map: Honours) -> u16 {
    map.weighted([125, 25, 5, 1]) as u16
}

/// Returns the numbers of honours in spades, hearts, diamonds and clubs, as digits to base 5.
pub(super) fn suit_class(map: Honours) -> u16 {
    map.counts()
        .iter()
        .fold(0, |class, &count| class * 5 + u16::from(count))
}

/// Returns the digits of a class.
pub(super) fn digits(class: u16) -> [u8; 4] {
    [class / 125, class / 25 % 5, class / 5 % 5, class % 5].map(|digit| digit as u8)
}

impl Opposite {
    pub(super) fn set(&mut self, map: u16) -> &mut PatternMask {
        if self.place_of.is_empty() {
            self.place_of = vec![0; MAPS];
        }
        let place = &mut self.place_of[usize::from(map)];
        if *place == 0 {
            self.maps.push(map);
            self.sets.push([0; 9]);
            *place = self.maps.len() as u32;
        }
        &mut self.sets[*place as usize - 1]
    }
}

/// Sums by honour map, and by both hands' classes of ranks.
#[derive(Default)]
pub(super) struct ByHonours {
    pub(super) maps: [Vec<u128>; 2],
    /// By the first hand's class of ranks times 625 plus the second's.
    pub(super) rank_pairs: Vec<u128>,
}

impl CaseSums {
    /// Creates an empty summary of these hands.
    pub(super) fn new(
        first: ListedProperties,
        second: Option<ListedProperties>,
        total: u128,
    ) -> Self {
        Self {
            first,
            second,
            total,
            pattern_pairs: Vec::new(),
            held: [[0; 16]; 2],
            ranks: [Vec::new(), Vec::new()],
            union: Vec::new(),
            beside: Vec::new(),
            suit_groups: BTreeMap::new(),
            mixed_suits: Vec::new(),
            opposite: BTreeMap::new(),
        }
    }

    /// Returns whether every listed hand's honours are listed.
    pub(super) fn honours_are_known(&self) -> bool {
        self.first.by_honours && self.second.is_none_or(|second| second.by_honours)
    }

    /// Computes the sums by honours from those by honour map.
    pub(super) fn add_honours(&mut self, honours: &ByHonours) -> Result<(), TheoryError> {
        let add = |sum: &mut u128, weight: u128| *sum = sum.wrapping_add(weight);
        for (hand, maps) in honours.maps.iter().enumerate() {
            self.ranks[hand] = vec![0; if maps.is_empty() { 0 } else { CLASSES }];
            for (map, weight) in by_map(maps) {
                add(&mut self.ranks[hand][usize::from(rank_class(map))], weight);
                for (honour, sum) in self.held[hand].iter_mut().enumerate() {
                    if map.bits() >> honour & 1 == 1 {
                        add(sum, weight);
                    }
                }
            }
        }
        if self.second.is_none() {
            self.union.clone_from(&self.ranks[0]);
            if !self.first.by_pattern {
                for (map, weight) in by_map(&honours.maps[0]) {
                    let key = (OFF as u16, suit_class(map), 0);
                    add(self.suit_groups.entry(key).or_default(), weight);
                }
            }
        } else if self.honours_are_known() {
            self.union = vec![0; CLASSES];
            self.beside = vec![0; BESIDE];
            for (index, &weight) in honours.rank_pairs.iter().enumerate() {
                if weight != 0 {
                    let (first, second) = (index / CLASSES, index % CLASSES);
                    let union = first + second;
                    let sum = self.union.get_mut(union).ok_or(TheoryError::Inconsistent)?;
                    add(sum, weight);
                    let [a, k, q, j] = digits(first as u16).map(usize::from);
                    let hcp = 4 * a + 3 * k + 2 * q + j;
                    add(&mut self.beside[hcp * CLASSES + union], weight);
                }
            }
        }
        Ok(())
    }
}
