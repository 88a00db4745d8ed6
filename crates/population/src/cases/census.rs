//! The census: the number of cases of a listing and their sum T, computed without enumeration.
//!
//! A weight depends on the number of honours in each suit, not on which honours they are. Honour
//! maps are therefore grouped into rows: maps with the same counts by suit that are listed with the
//! same patterns (and, for joint conditions, in the same classes). Rows whose classes differ in
//! name only are grouped into forms. For two rows, the pairs of maps that share no card are
//! counted; for two forms, the pairs of patterns are enumerated once.
//!
//! For most conditions the census gives the exact number of cases within seconds, even if
//! enumerating the cases would take hours. It is also an independent check of the listing.
//! Conditions under which nearly every map is a row of its own, such as losers of both hands, take
//! minutes.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::header::RECORD_BYTES;
use super::listing::{HandList, Listing, ListingError, room_for};
use super::weight::{SuitCase, WholeCase, suit_factor, whole_factor};
use crate::bridge::{Honours, Suit};
use crate::language::Condition;

/// The number of cases of a listing, and the sum of their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Number of cases with a weight above 0.
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

/// Honour maps that are listed with the same patterns and in the same classes.
struct MapRow {
    /// The index of the row's form.
    form: usize,
    /// The classes that the form's patterns are divided into.
    classes: Vec<u32>,
    maps: Vec<Honours>,
}

/// The common properties of rows whose classes differ in name only, such as by HCP.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RowForm {
    /// Honours by suit; `None` if the hand is listed by pattern alone.
    counts: Option<[u8; 4]>,
    /// The slots that list the maps, each with the index of its class among the row's classes.
    slots: Vec<(u16, u16)>,
}

/// Maps grouped into rows and rows grouped into forms, and the row of each map.
struct MapRows {
    forms: Vec<RowForm>,
    rows: Vec<MapRow>,
    row_of: Vec<Option<u32>>,
    /// Lengths of each slot's pattern; zeros if the hand is not listed by pattern.
    lengths: Vec<[u8; 4]>,
    by_pattern: bool,
}

impl MapRows {
    /// # Errors
    ///
    /// [`ListingError::Memory`]
    fn new(list: &HandList) -> Result<Self, ListingError> {
        // A slot and a class for each of at most ten million cases, held twice, in vectors that may
        // have twice the capacity they need.
        let cases: usize = list.slots.iter().map(|slot| slot.honours.len()).sum();
        room_for(list.hand.seat, cases * 4 * size_of::<(u16, u32)>())?;
        // For each map, the slots that list it; one pseudo-map if the hand is not listed by
        // honours.
        let mut listed: BTreeMap<Option<Honours>, Vec<(u16, u32)>> = BTreeMap::new();
        for (number, slot) in list.slots.iter().enumerate() {
            for (entry, &map) in slot.honours.iter().enumerate() {
                let class = slot.classes.get(entry).copied().unwrap_or(0);
                listed.entry(map).or_default().push((number as u16, class));
            }
        }
        let mut groups: BTreeMap<RowForm, BTreeMap<Vec<u32>, Vec<Honours>>> = BTreeMap::new();
        for (map, slots) in listed {
            let (form, classes) = RowForm::new(map.map(Honours::counts), &slots);
            let rows = groups.entry(form).or_default();
            rows.entry(classes)
                .or_default()
                .push(map.unwrap_or(Honours::NONE));
        }
        let pattern =
            |slot: &super::listing::PatternSlot| slot.pattern.map(|index| index.pattern());
        let lengths = |slot| pattern(slot).map_or([0; 4], crate::bridge::Pattern::lengths);
        let mut all = Self {
            forms: Vec::new(),
            rows: Vec::new(),
            row_of: vec![None; 1 << 16],
            lengths: list.slots.iter().map(lengths).collect(),
            by_pattern: list.hand.by_pattern,
        };
        for (form, rows) in groups {
            for (classes, maps) in rows {
                for map in &maps {
                    all.row_of[usize::from(map.bits())] = Some(all.rows.len() as u32);
                }
                let form = all.forms.len();
                all.rows.push(MapRow {
                    form,
                    classes,
                    maps,
                });
            }
            all.forms.push(form);
        }
        Ok(all)
    }

    fn whole(&self, form: &RowForm) -> WholeCase {
        let sum = |counts: [u8; 4]| counts.iter().map(|&count| u32::from(count)).sum();
        WholeCase {
            by_pattern: self.by_pattern,
            honours: form.counts.map(sum),
        }
    }

    /// Returns, for each row of this hand, the number of pairs of one of its maps and a map of
    /// `row` that share no card.
    fn disjoint_pairs(&self, row: &MapRow) -> Vec<u64> {
        let mut pairs = vec![0; self.rows.len()];
        for map in &row.maps {
            // Every subset of the honours that the map leaves, down to the empty set.
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

impl RowForm {
    /// Returns the form of a map that these slots list, and its classes in the order of their first
    /// slots.
    fn new(counts: Option<[u8; 4]>, slots: &[(u16, u32)]) -> (Self, Vec<u32>) {
        let mut classes: Vec<u32> = Vec::new();
        let mut place = |class: u32| {
            classes
                .iter()
                .position(|&known| known == class)
                .unwrap_or_else(|| {
                    classes.push(class);
                    classes.len() - 1
                }) as u16
        };
        let slots = slots
            .iter()
            .map(|&(slot, class)| (slot, place(class)))
            .collect();
        (Self { counts, slots }, classes)
    }
}

/// Counts the cases of a listing and sums their weights.
///
/// # Errors
///
/// [`ListingError`] if the arithmetic of the condition fails for some deal, no deal satisfies it,
/// or there is not enough memory.
pub fn census(condition: &Condition, listing: &Listing) -> Result<Census, ListingError> {
    let census = census_within(condition, listing, u64::MAX)?;
    Ok(census.expect("no census takes so many steps"))
}

/// Computes [`census`]; `None` if it could take more than `most_steps`. Steps are pairs of patterns
/// of two forms and pairs of classes of two rows, including some pairs that are skipped.
///
/// # Errors
///
/// As [`census`].
pub(super) fn census_within(
    condition: &Condition,
    listing: &Listing,
    most_steps: u64,
) -> Result<Option<Census>, ListingError> {
    // A listing of one hand was checked when it was made.
    let is_one_hand = listing.seats().1.is_none();
    let is_sound = is_one_hand || listing.check_arithmetic(condition, most_steps)?;
    let census = count_within(listing, most_steps)?;
    match census.filter(|_| is_sound) {
        Some(census) if census.cases == 0 => Err(ListingError::NoDeal),
        census => Ok(census),
    }
}

/// Counts the cases of a listing; `None` if that takes more than `most_steps`.
pub(super) fn count_within(
    listing: &Listing,
    most_steps: u64,
) -> Result<Option<Census>, ListingError> {
    let inner = MapRows::new(&listing.inner)?;
    let census = match &listing.outer {
        None => inner
            .rows
            .iter()
            .map(|row| of_one(&inner, row).times(row.maps.len() as u64))
            .fold(Census::default(), std::ops::Add::add),
        Some(outer) => {
            let outer = MapRows::new(outer)?;
            if steps(&outer, &inner) > most_steps {
                return Ok(None);
            }
            let factors = Factors::new(listing);
            (0..outer.forms.len())
                .into_par_iter()
                .map(|form| of_form(&outer, form, &inner, listing, &factors))
                .reduce(Census::default, std::ops::Add::add)
        }
    };
    Ok(Some(census))
}

/// Returns an upper bound on the steps of a census of two hands.
fn steps(outer: &MapRows, inner: &MapRows) -> u64 {
    let patterns = |rows: &MapRows| {
        rows.forms
            .iter()
            .map(|form| form.slots.len() as u64)
            .sum::<u64>()
    };
    let classes = |rows: &MapRows| {
        rows.rows
            .iter()
            .map(|row| row.classes.len() as u64)
            .sum::<u64>()
    };
    let of_forms = patterns(outer).saturating_mul(patterns(inner));
    // A pair of classes takes as long as 16 pairs of patterns.
    let of_rows = classes(outer)
        .saturating_mul(classes(inner))
        .saturating_mul(16);
    of_forms.saturating_add(of_rows)
}

/// Default maximum number of cases of a listing: the 64 Mi of the essays.
pub const DEFAULT_MAX_CASES: u64 = 64 << 20;

impl Census {
    /// Returns the census unchanged if there are at most `max` cases.
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

/// Counts the cases of one map of a row, for a listing of one hand.
fn of_one(rows: &MapRows, row: &MapRow) -> Census {
    let form = &rows.forms[row.form];
    let whole = whole_factor(rows.whole(form), None);
    let mut census = Census::default();
    for &(slot, _) in &form.slots {
        let lengths = rows.lengths[usize::from(slot)];
        let suits = Suit::ALL.map(|suit| {
            let case = SuitCase {
                length: rows.by_pattern.then_some(lengths[suit.index()]),
                honours: form.counts.map(|counts| counts[suit.index()]),
            };
            suit_factor(case, None)
        });
        census.add_weight(u128::from(whole) * u128::from(suits.iter().product::<u64>()));
    }
    census
}

/// A suit's factors of the weight for every pair of lengths, by the number of honours that each of
/// two hands holds in the suit.
///
/// A hand that is not listed by pattern has index 0 in place of its lengths, and a hand that is not
/// listed by honours has index 0 in place of their number.
struct Factors {
    /// Indexed by the first hand's honours times 5 plus the second's, then by lengths.
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

/// Counts the cases of all maps of the outer hand's rows of one form.
fn of_form(
    outer: &MapRows,
    form: usize,
    inner: &MapRows,
    listing: &Listing,
    factors: &Factors,
) -> Census {
    // Patterns are enumerated once for two forms, for all classes of their rows.
    let mut by_classes: Vec<Option<Vec<Census>>> = vec![None; inner.forms.len()];
    let mut sum = Census::default();
    for first in outer.rows.iter().filter(|row| row.form == form) {
        let pairs = inner.disjoint_pairs(first);
        for (second, pairs) in inner.rows.iter().zip(pairs).filter(|(_, pairs)| *pairs > 0) {
            let seconds = second.classes.len();
            let censuses = by_classes[second.form].get_or_insert_with(|| {
                let forms = [&outer.forms[form], &inner.forms[second.form]];
                of_two_forms(
                    [outer, inner],
                    forms,
                    first.classes.len() * seconds,
                    seconds,
                    factors,
                )
            });
            for (place, census) in censuses.iter().enumerate().filter(|(_, c)| c.cases > 0) {
                let classes = (
                    first.classes[place / seconds],
                    second.classes[place % seconds],
                );
                let joint = listing.joint.as_ref();
                if joint.is_none_or(|joint| joint.holds(classes.0, classes.1)) {
                    sum = sum + census.times(pairs);
                }
            }
        }
    }
    sum
}

/// Counts the cases of one pair of maps of two forms, indexed by the first hand's class times the
/// number of the second hand's classes plus the second hand's class.
fn of_two_forms(
    rows: [&MapRows; 2],
    [first, second]: [&RowForm; 2],
    places: usize,
    seconds: usize,
    factors: &Factors,
) -> Vec<Census> {
    let (h, k) = (
        first.counts.unwrap_or_default(),
        second.counts.unwrap_or_default(),
    );
    let tables: [&[[u64; 14]; 14]; 4] =
        std::array::from_fn(|s| &factors.by_honours[usize::from(h[s] * 5 + k[s])]);
    let hands = (rows[0].whole(first), Some(rows[1].whole(second)));
    let whole = whole_factor(hands.0, hands.1);
    let mut censuses = vec![Census::default(); places];
    for &(slot, first_place) in &first.slots {
        let n = rows[0].lengths[usize::from(slot)];
        let by_length: [&[u64; 14]; 4] = std::array::from_fn(|s| &tables[s][usize::from(n[s])]);
        for &(slot, second_place) in &second.slots {
            let m = rows[1].lengths[usize::from(slot)];
            let suits: u64 = (0..4).map(|s| by_length[s][usize::from(m[s])]).product();
            let place = usize::from(first_place) * seconds + usize::from(second_place);
            censuses[place].add_weight(u128::from(suits) * u128::from(whole));
        }
    }
    censuses
}
