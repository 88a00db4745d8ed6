//! Counting the cases of a listing, and their sum T, without going through them.
//!
//! A weight does not depend on which honours a hand holds, only on how many in
//! each suit. So honour maps are grouped into rows: maps with the same counts
//! by suit that are listed with the same patterns (and, for joint conditions,
//! in the same classes). For two rows the number of pairs of maps that share
//! no card is counted, and the patterns are gone through once. This answers
//! "too many, namely so many" within seconds for most conditions where going
//! through the cases would take hours, and it is the listing's independent
//! check. Conditions under which nearly every map is a row of its own, such as
//! losers of both hands, take minutes.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::header::RECORD_BYTES;
use super::listing::{HandList, Listing, ListingError};
use super::weight::{SuitCase, WholeCase, suit_factor, whole_factor};
use crate::cards::{Honours, Suit};
use crate::condition::{Condition, EvaluationError};

/// How many cases a listing has, and the sum of their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Number of cases of weight above 0.
    pub cases: u64,
    /// T, the sum of the weights.
    pub total: u128,
}

impl std::ops::Add for Census {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            total: self.total + other.total,
        }
    }
}

/// Honour maps that are listed alike.
struct Row {
    /// Honours by suit; `None` if the hand is listed by pattern alone.
    counts: Option<[u8; 4]>,
    /// Lengths and class for each pattern; no lengths if patterns are off.
    patterns: Vec<(Option<[u8; 4]>, u32)>,
    maps: Vec<Honours>,
}

/// What maps of one row share: honours by suit, and the slots and classes that list them.
type RowKey = (Option<[u8; 4]>, Vec<(u16, u32)>);

/// Maps grouped into rows, and each map's row.
struct Rows {
    rows: Vec<Row>,
    row_of: Vec<Option<u32>>,
}

impl Rows {
    fn new(list: &HandList) -> Self {
        // For every map, the slots that list it; one pseudo map if honours are off.
        let mut listed: BTreeMap<Option<Honours>, Vec<(u16, u32)>> = BTreeMap::new();
        for (number, slot) in list.slots.iter().enumerate() {
            for (entry, &map) in slot.honours.iter().enumerate() {
                let class = slot.classes.get(entry).copied().unwrap_or(0);
                listed.entry(map).or_default().push((number as u16, class));
            }
        }
        let mut groups: BTreeMap<RowKey, Vec<Honours>> = BTreeMap::new();
        for (map, slots) in listed {
            let key = (map.map(Honours::counts), slots);
            groups
                .entry(key)
                .or_default()
                .push(map.unwrap_or(Honours::NONE));
        }
        let mut row_of = vec![None; 1 << 16];
        let rows = groups
            .into_iter()
            .enumerate()
            .map(|(number, ((counts, slots), maps))| {
                for map in &maps {
                    row_of[usize::from(map.bits())] = Some(number as u32);
                }
                let lengths = |slot: u16| {
                    let pattern = list.slots[usize::from(slot)].pattern;
                    pattern.map(|index| index.pattern().lengths())
                };
                Row {
                    counts,
                    patterns: slots
                        .iter()
                        .map(|&(slot, class)| (lengths(slot), class))
                        .collect(),
                    maps,
                }
            })
            .collect();
        Self { rows, row_of }
    }

    /// For each row, in how many ways a map of `row` meets none of its maps.
    fn disjoint_pairs(&self, row: &Row) -> Vec<u64> {
        let mut pairs = vec![0; self.rows.len()];
        for map in &row.maps {
            // Every subset of the honours that the map leaves, the empty one last.
            let free = !map.bits();
            let mut subset = free;
            loop {
                if let Some(other) = self.row_of[usize::from(subset)] {
                    pairs[other as usize] += 1;
                }
                if subset == 0 {
                    break;
                }
                subset = (subset - 1) & free;
            }
        }
        pairs
    }
}

/// Counts the cases of a listing and sums their weights.
///
/// # Errors
///
/// If the arithmetic of a joint condition fails for some pair of hands, or no
/// deal satisfies the condition.
pub fn census(condition: &Condition, listing: &Listing) -> Result<Census, ListingError> {
    let inner = Rows::new(&listing.inner);
    let census = match &listing.outer {
        None => Ok(inner
            .rows
            .iter()
            .map(|row| of_one(row).times(row.maps.len() as u64))
            .fold(Census::default(), std::ops::Add::add)),
        Some(outer) => {
            let outer = Rows::new(outer);
            let factors = Factors::new(listing);
            outer
                .rows
                .par_iter()
                .map(|first| {
                    let mut sum = Census::default();
                    for (second, pairs) in inner.rows.iter().zip(inner.disjoint_pairs(first)) {
                        if pairs > 0 {
                            sum = sum + of_two(first, second, listing, &factors)?.times(pairs);
                        }
                    }
                    Ok(sum)
                })
                .try_reduce(Census::default, |a, b| Ok(a + b))
        }
    };
    let census = census.map_err(|error: EvaluationError| condition.evaluation_error(&error))?;
    if census.cases == 0 {
        return Err(ListingError::NoDeal);
    }
    Ok(census)
}

/// Most cases that are listed unless more are asked for: the 64 Mi of the essays.
pub const DEFAULT_MAX_CASES: u64 = 64 << 20;

impl Census {
    /// The census itself if there are at most `max` cases.
    ///
    /// # Errors
    ///
    /// [`ListingError::TooManyCases`] with the exact count.
    pub fn within(self, max: u64) -> Result<Self, ListingError> {
        let Self { cases, total } = self;
        if cases <= max {
            return Ok(self);
        }
        Err(ListingError::TooManyCases {
            cases,
            total,
            max,
            bytes: u128::from(cases) * u128::from(RECORD_BYTES),
        })
    }

    fn times(self, pairs: u64) -> Self {
        Self {
            cases: self.cases * pairs,
            total: self.total * u128::from(pairs),
        }
    }

    fn add_weight(&mut self, weight: u128) {
        self.cases += u64::from(weight != 0);
        self.total += weight;
    }
}

fn whole(row: &Row) -> WholeCase {
    WholeCase {
        by_pattern: row.patterns.iter().any(|(lengths, _)| lengths.is_some()),
        honours: row
            .counts
            .map(|counts| counts.iter().map(|&count| u32::from(count)).sum()),
    }
}

/// The cases of one map of a row, when one hand is listed.
fn of_one(row: &Row) -> Census {
    let whole = whole_factor(whole(row), None);
    let mut census = Census::default();
    for &(lengths, _) in &row.patterns {
        let suits = Suit::ALL.map(|suit| suit_factor(in_suit(row, lengths, suit), None));
        census.add_weight(u128::from(whole) * u128::from(suits.iter().product::<u64>()));
    }
    census
}

fn in_suit(row: &Row, lengths: Option<[u8; 4]>, suit: Suit) -> SuitCase {
    SuitCase {
        length: lengths.map(|lengths| lengths[suit.index()]),
        honours: row.counts.map(|counts| counts[suit.index()]),
    }
}

/// One suit's factors of the weight for every pair of lengths, by how many
/// honours each of two hands holds in it.
///
/// A length that is not listed is taken as 0, honours that are not as none.
struct Factors {
    /// By the first hand's honours times 5 plus the second's; then by lengths.
    by_honours: Vec<[[u64; 14]; 14]>,
}

impl Factors {
    fn new(listing: &Listing) -> Self {
        let kinds = [
            listing.outer.as_ref().unwrap_or(&listing.inner),
            &listing.inner,
        ];
        let suit = |list: &HandList, length: usize, honours: usize| SuitCase {
            length: list.hand.by_pattern.then_some(length as u8),
            honours: list.hand.by_honours.then_some(honours as u8),
        };
        let by_lengths = |honours: usize| {
            std::array::from_fn(|n| {
                std::array::from_fn(|m| {
                    let first = suit(kinds[0], n, honours / 5);
                    suit_factor(first, Some(suit(kinds[1], m, honours % 5)))
                })
            })
        };
        Self {
            by_honours: (0..25).map(by_lengths).collect(),
        }
    }
}

/// The cases of one pair of maps from two rows.
fn of_two(
    first: &Row,
    second: &Row,
    listing: &Listing,
    factors: &Factors,
) -> Result<Census, EvaluationError> {
    let (h, k) = (
        first.counts.unwrap_or_default(),
        second.counts.unwrap_or_default(),
    );
    let tables: [&[[u64; 14]; 14]; 4] =
        std::array::from_fn(|s| &factors.by_honours[usize::from(h[s] * 5 + k[s])]);
    let whole = whole_factor(whole(first), Some(whole(second)));
    let mut census = Census::default();
    for &(n, first_class) in &first.patterns {
        let n = n.unwrap_or_default();
        let rows: [&[u64; 14]; 4] = std::array::from_fn(|s| &tables[s][usize::from(n[s])]);
        for &(m, second_class) in &second.patterns {
            let m = m.unwrap_or_default();
            let suits: u64 = (0..4).map(|s| rows[s][usize::from(m[s])]).product();
            if suits == 0 {
                continue;
            }
            let joint = listing.joint.as_ref();
            if joint.map_or(Ok(true), |joint| joint.holds(first_class, second_class))? {
                census.add_weight(u128::from(suits) * u128::from(whole));
            }
        }
    }
    Ok(census)
}
