//! Lists the cases of cells in the order of a case file.
//!
//! The condition is not evaluated again. For each pattern of the first hand, the cells give the
//! compatible shapes. For each of its honour maps, each half gives the second hand's possible
//! honours, as lists by state; a left and a right list are combined if one state follows the other.
//! A case of the second hand has one entry from each of two such lists.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use rayon::prelude::*;

use super::Cells;
use super::placed::{HonourWays, PlacedHonours, Run};
use super::shapes::{Link, Pair};
use crate::bridge::{Honours, Pattern, PatternIndex, Seat};
use crate::cases::{Case, CaseChunk, CaseRecord, CaseSource, Census, ListingError};
use crate::language::{HandCase, ListedHand, Plan};

/// Cells as a source of the cases of a case file.
#[derive(Debug)]
pub struct CellCases<'c> {
    cells: &'c Cells,
    first: ListedHand,
    second: Option<ListedHand>,
    /// Honour placements by half and, if patterns are fixed, by shape.
    placed: [Vec<PlacedHonours>; 2],
    /// If no pattern is fixed: the links of the classes of left and right shapes.
    links: Vec<Option<u32>>,
    slots: Vec<FirstSlot>,
    /// The number of the first hand's cases before each slot, and the total.
    starts: Vec<u64>,
    /// All chunks, counted on first use.
    chunks: OnceLock<Vec<CaseChunk>>,
    /// Honour maps in case file order, and the position of each map.
    honours: Vec<Honours>,
    places: Vec<u16>,
}

/// A pattern of the first hand; a single slot without a pattern if patterns are not fixed.
#[derive(Debug)]
struct FirstSlot {
    pattern: Option<PatternIndex>,
    rows: Vec<SecondSlot>,
    /// The honour maps with at least one case, in order; one `None` if the hand is not listed by
    /// honours.
    honours: Vec<Option<Honours>>,
}

/// A pattern of the second hand that is possible for a slot; a single row without a pattern if
/// patterns are not fixed.
#[derive(Debug)]
struct SecondSlot {
    pattern: Option<PatternIndex>,
    /// The shapes of both halves. If there are several pairs, equal cases are added up.
    pairs: Vec<Pair>,
}

/// Maximum number of judges for the quick test of [`CellCases::could`].
const MOST_ASKED: usize = 4;

/// The cases of a row for one case of the first hand.
#[derive(Default)]
struct SlotCases {
    /// The position of the second hand's honour map, and the weight.
    cases: Vec<(u16, u64)>,
    /// Sums by position; all zero between rows.
    sums: Vec<u64>,
}

impl<'c> CellCases<'c> {
    /// Lists the cases of cells, at most `most`, in the condition's own order of hands or in
    /// `order`.
    ///
    /// # Errors
    ///
    /// - [`ListingError::Plan`] if the condition mentions a third hand, or `order` does not name
    ///   its hands.
    /// - [`ListingError::TooManyCases`] if there are more than `most` cases.
    /// - [`ListingError::Apart`] if the cells fix the pattern of only one of two hands, as cells
    ///   that were not made by [`Cells::listable`] may.
    pub fn new(cells: &'c Cells, order: Option<&[Seat]>, most: u64) -> Result<Self, ListingError> {
        let (first, second) = match Plan::new(&cells.condition, order)? {
            Plan::Unconstrained => return Err(ListingError::Unconstrained),
            Plan::Impossible => return Err(ListingError::NoDeal),
            Plan::Listed { first, second } => (first, second),
        };
        if cells.roles.is_apart() {
            return Err(ListingError::Apart);
        }
        if let Some(census) = cells.census([Some(first), second]) {
            census.within(most)?;
        }
        let role = |hand: ListedHand| {
            let role = cells.roles.of(hand.seat);
            (role < cells.roles.by_honours).then_some(role)
        };
        let roles = [role(first), second.and_then(role)];
        let placed = [0, 1].map(|half| {
            let shapes = 0..cells.shapes.halves[half].len() as u32;
            if cells.roles.by_pattern == 0 {
                return vec![PlacedHonours::new(cells, half, shapes, roles)];
            }
            let of_one = |shape| PlacedHonours::new(cells, half, shape..shape + 1, roles);
            shapes.into_par_iter().map(of_one).collect()
        });
        let mut links = Vec::new();
        if cells.roles.by_pattern == 0 {
            let classes = [0, 1].map(|half| cells.halves.sides[half].shapes.len() as u32);
            for left in 0..classes[0] {
                links.extend((0..classes[1]).map(|right| cells.link(left, right)));
            }
        }
        let honours: Vec<Honours> = Honours::all().collect();
        let mut places = vec![0; 1 << 16];
        for (place, map) in (0..).zip(&honours) {
            places[usize::from(map.bits())] = place;
        }
        let mut cases = Self {
            cells,
            first,
            second,
            placed,
            links,
            slots: Vec::new(),
            starts: vec![0],
            chunks: OnceLock::new(),
            honours,
            places,
        };
        cases.slots = cases.all_slots();
        for slot in &cases.slots {
            let before = *cases.starts.last().expect("the first start is 0");
            cases.starts.push(before + slot.honours.len() as u64);
        }
        Ok(cases)
    }

    /// The number of cases, and the cells' T.
    pub fn census(&self) -> Census {
        let hands = [Some(self.first), self.second];
        self.cells.census(hands).unwrap_or_else(|| Census {
            cases: self.counted().iter().map(|chunk| chunk.cases).sum(),
            total: self.cells.total(),
        })
    }

    /// All chunks, with their cases counted.
    fn counted(&self) -> &[CaseChunk] {
        self.chunks.get_or_init(|| self.count_chunks())
    }

    fn count_chunks(&self) -> Vec<CaseChunk> {
        let units = *self.starts.last().expect("the first start is 0");
        let mut chunks = CaseChunk::of_units(units);
        chunks.par_iter_mut().for_each(|chunk| {
            let mut found = SlotCases::default();
            for unit in chunk.units.clone() {
                let (slot, honours) = self.unit(unit);
                for row in &slot.rows {
                    let (cases, total) = self.count(row, honours, &mut found);
                    chunk.cases += cases;
                    chunk.total += total;
                }
            }
        });
        CaseChunk::add_up(&mut chunks);
        chunks
    }

    /// Returns the patterns of the first hand with those of the second, in order.
    fn all_slots(&self) -> Vec<FirstSlot> {
        let cells = self.cells;
        let hands = [Some(self.first), self.second];
        let mut pairs: Vec<([Option<PatternIndex>; 2], Pair)> = Vec::new();
        if cells.roles.by_pattern > 0 {
            let pattern = |hand: Option<ListedHand>, pair: &Pair| {
                let role = cells.roles.of(hand.filter(|hand| hand.by_pattern)?.seat);
                let left = &cells.shapes.halves[0][pair.left as usize];
                let right = &cells.shapes.halves[1][pair.right as usize];
                let [[s, h], [d, c]] = [left.suits[0], right.suits[0]].map(|s| s.map(|n| n[role]));
                Pattern::new([s, h, d, c]).map(Pattern::index)
            };
            let all = cells.shapes.pairs.iter();
            pairs.extend(all.map(|pair| (hands.map(|hand| pattern(hand, pair)), *pair)));
            pairs.sort_unstable();
        } else {
            // All shapes share one table.
            let (left, link, right) = (0, 0, 0);
            pairs.push(([None; 2], Pair { left, link, right }));
        }
        let slots: Vec<_> = pairs.chunk_by(|a, b| a.0[0] == b.0[0]).collect();
        let slot = |pairs: &&[([Option<PatternIndex>; 2], Pair)]| {
            let row = |of_row: &[([Option<PatternIndex>; 2], Pair)]| SecondSlot {
                pattern: of_row[0].0[1],
                pairs: of_row.iter().map(|(_, pair)| *pair).collect(),
            };
            let rows: Vec<SecondSlot> = pairs.chunk_by(|a, b| a.0 == b.0).map(row).collect();
            let any = |map: &Option<Honours>| {
                let found = |row: &SecondSlot| self.runs(row, *map).next().is_some();
                rows.iter().any(found)
            };
            let maps: Vec<Option<Honours>> = if self.first.by_honours {
                let seen = self.seen(&rows);
                let links = self.judged_by(&rows);
                let maps = self
                    .honours
                    .iter()
                    .filter(|map| self.could(&links, &seen, **map));
                maps.copied().map(Some).filter(any).collect()
            } else {
                [None].into_iter().filter(any).collect()
            };
            FirstSlot {
                pattern: pairs[0].0[0],
                rows,
                honours: maps,
            }
        };
        slots.par_iter().map(slot).collect()
    }

    /// Returns the classes of vectors that occur in these rows, by half and by the first hand's
    /// honours in the half.
    fn seen(&self, rows: &[SecondSlot]) -> [Vec<Vec<u32>>; 2] {
        [0, 1].map(|half| {
            let of_byte = |byte: u8| {
                let pairs = rows.iter().flat_map(|row| &row.pairs);
                let placed = pairs.map(|pair| [pair.left, pair.right][half] as usize);
                let runs = placed.flat_map(|shape| self.placed[half][shape].runs(byte));
                let vectors: BTreeSet<u32> = runs.map(|(run, _)| run.vectors).collect();
                vectors.into_iter().collect()
            };
            (0..=u8::MAX).map(of_byte).collect()
        })
    }

    /// Returns one link for each judge that these rows have.
    fn judged_by(&self, rows: &[SecondSlot]) -> Vec<u32> {
        let links: Vec<u32> = match self.cells.roles.by_pattern > 0 {
            true => {
                let pairs = rows.iter().flat_map(|row| &row.pairs);
                pairs.map(|pair| pair.link).collect()
            }
            false => self.links.iter().copied().flatten().collect(),
        };
        let judge = |link: u32| (self.cells.halves.links[link as usize].judge, link);
        let of_judges: BTreeMap<u32, u32> = links.into_iter().map(judge).collect();
        of_judges.into_values().collect()
    }

    /// Whether any vectors of both halves may be accepted together. This excludes most honour maps
    /// without a case before any row is searched. With more than [`MOST_ASKED`] judges it returns
    /// true without a test, unless a half has no vector.
    fn could(&self, links: &[u32], seen: &[Vec<Vec<u32>>; 2], honours: Honours) -> bool {
        let halves = &self.cells.halves;
        let [high, low] = honours.bits().to_be_bytes().map(usize::from);
        let [lefts, rights] = [&seen[0][high], &seen[1][low]];
        if lefts.is_empty() || rights.is_empty() {
            return false;
        }
        let any = |&link: &u32| {
            let wanted = |left: &u32| {
                rights
                    .iter()
                    .any(|&right| halves.wants(halves.judge(link), *left, right))
            };
            lefts.iter().any(wanted)
        };
        links.len() > MOST_ASKED || links.iter().any(any)
    }

    /// Returns the compatible runs of both halves for these honours of the first hand, with their
    /// links.
    fn runs<'s>(
        &'s self,
        row: &'s SecondSlot,
        first: Option<Honours>,
    ) -> impl Iterator<Item = (&'s Link, [(&'s Run, &'s [HonourWays]); 2])> {
        let [high, low] = first.map_or(0, Honours::bits).to_be_bytes();
        let halves = &self.cells.halves;
        row.pairs.iter().flat_map(move |pair| {
            let left = self.placed[0][pair.left as usize].runs(high);
            let right = self.placed[1][pair.right as usize].runs(low);
            left.flat_map(move |one| {
                right.clone().filter_map(move |other| {
                    let link = self.link(pair, one.0, other.0)?;
                    let wanted = halves.wants(halves.judge(link), one.0.vectors, other.0.vectors);
                    wanted.then(|| (&halves.links[link as usize], [one, other]))
                })
            })
        })
    }

    fn link(&self, pair: &Pair, left: &Run, right: &Run) -> Option<u32> {
        if self.cells.roles.by_pattern > 0 {
            return Some(pair.link);
        }
        let rights = self.cells.halves.sides[1].shapes.len();
        self.links[left.shapes as usize * rights + right.shapes as usize]
    }

    /// Finds the cases of a row for these honours of the first hand, in order.
    fn find(&self, row: &SecondSlot, first: Option<Honours>, found: &mut SlotCases) {
        let SlotCases { cases, sums } = found;
        cases.clear();
        let adds_up = row.pairs.len() > 1;
        if adds_up {
            sums.resize(1 << 16, 0);
        }
        for (link, [(_, lefts), (_, rights)]) in self.runs(row, first) {
            // Every weight is below 2^63.
            let ways = link.ways as u64;
            for left in lefts {
                let (high, of_left) = (usize::from(left.honours) << 8, left.ways * ways);
                let of_right = rights.iter().map(|right| {
                    let place = self.places[high | usize::from(right.honours)];
                    (place, of_left * right.ways)
                });
                if !adds_up {
                    cases.extend(of_right);
                    continue;
                }
                for (place, weight) in of_right {
                    let sum = &mut sums[usize::from(place)];
                    if *sum == 0 {
                        cases.push((place, 0));
                    }
                    *sum += weight;
                }
            }
        }
        cases.sort_unstable_by_key(|(place, _)| *place);
        if adds_up {
            for (place, weight) in cases {
                *weight = std::mem::take(&mut sums[usize::from(*place)]);
            }
        }
    }

    /// Returns the number and total weight of the cases of a row for these honours of the first
    /// hand.
    fn count(
        &self,
        row: &SecondSlot,
        first: Option<Honours>,
        found: &mut SlotCases,
    ) -> (u64, u128) {
        if row.pairs.len() > 1 {
            self.find(row, first, found);
            let weights = found.cases.iter().map(|(_, weight)| u128::from(*weight));
            return (found.cases.len() as u64, weights.sum());
        }
        let (mut cases, mut total) = (0, 0);
        for (link, [(left, lefts), (right, rights)]) in self.runs(row, first) {
            cases += lefts.len() as u64 * rights.len() as u64;
            total += link.ways * u128::from(left.ways) * u128::from(right.ways);
        }
        (cases, total)
    }

    /// Returns the slot and the honours of a unit; a unit is a case of the first hand.
    fn unit(&self, unit: u64) -> (&FirstSlot, Option<Honours>) {
        let slot = self.starts.partition_point(|&start| start <= unit) - 1;
        let place = (unit - self.starts[slot]) as usize;
        (&self.slots[slot], self.slots[slot].honours[place])
    }
}

impl Cells {
    /// Returns the number of cases of a listing of these hands, and T. `None` if the cases have to
    /// be enumerated to be counted, because a hand is listed by honours alone but the cells fix its
    /// pattern too.
    pub(super) fn census(&self, hands: [Option<ListedHand>; 2]) -> Option<Census> {
        let mut hands = hands.into_iter().flatten();
        let is_plain = hands.all(|hand| hand.by_pattern == (self.roles.by_pattern > 0));
        is_plain.then(|| Census {
            cases: u64::try_from(self.cases).unwrap_or(u64::MAX),
            total: self.total,
        })
    }
}

impl CaseSource for CellCases<'_> {
    fn seats(&self) -> (Seat, Option<Seat>) {
        (self.first.seat, self.second.map(|hand| hand.seat))
    }

    fn chunks(&self) -> Vec<CaseChunk> {
        self.counted().to_vec()
    }

    fn records(&self, chunk: &CaseChunk, mut visit: impl FnMut(u64, CaseRecord)) {
        let (mut number, mut total) = (chunk.first_case, chunk.total_before);
        let mut found = SlotCases::default();
        for unit in chunk.units.clone() {
            let (slot, honours) = self.unit(unit);
            let first = HandCase {
                pattern: slot.pattern,
                honours,
            };
            for row in &slot.rows {
                self.find(row, honours, &mut found);
                for &(place, weight) in &found.cases {
                    total += u128::from(weight);
                    let second = self.second.map(|hand| HandCase {
                        pattern: row.pattern,
                        honours: hand.by_honours.then(|| self.honours[usize::from(place)]),
                    });
                    visit(number, CaseRecord::new(total, Case { first, second }));
                    number += 1;
                }
            }
        }
    }
}
