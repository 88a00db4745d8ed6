//! One pass over the records of a case file, into a summary.
//!
//! Records are ordered so that all but one field stay the same over a run, so most sums are updated
//! once per run.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::TheoryError;
use super::summary::{
    ByHonours, CLASSES, CaseSums, ListedProperties, MAPS, OFF, Opposite, PATTERNS, mixed_index,
    rank_class, suit_class,
};
use crate::bridge::pattern::PATTERN_COUNT;
use crate::bridge::{Honours, PatternIndex, Suit};
use crate::population::cases::{Case, CaseFile, CaseRecord, Field};

/// A sum of weights: 64 bits if T fits, else 128.
///
/// A modified file may have totals that wrap around. Then the sums differ from T, which is checked
/// at the end.
trait WeightSum: Copy + Default + Into<u128> + Send + Sync {
    fn add(&mut self, weight: u64);
}

impl WeightSum for u64 {
    fn add(&mut self, weight: u64) {
        *self = self.wrapping_add(weight);
    }
}

impl WeightSum for u128 {
    fn add(&mut self, weight: u64) {
        *self = self.wrapping_add(Self::from(weight));
    }
}

/// The sums over a slice of records.
struct RecordPass<S> {
    pattern_pairs: Vec<S>,
    honours: [Vec<S>; 2],
    rank_pairs: Vec<S>,
    suit_groups: BTreeMap<(u16, u16, u16), u128>,
    mixed_suits: Vec<S>,
    opposite: BTreeMap<u16, Opposite>,
}

/// The classes of every honour map, precomputed.
struct HonourClasses {
    ranks: Vec<u16>,
    suits: Vec<u16>,
}

/// Sums over all records.
///
/// # Errors
///
/// [`TheoryError`] for records that a listing cannot contain.
pub(super) fn summarise<D: AsRef<[u8]> + Sync>(
    file: &CaseFile<D>,
) -> Result<CaseSums, TheoryError> {
    if u64::try_from(file.total()).is_ok() {
        sum_all::<u64, D>(file)
    } else {
        sum_all::<u128, D>(file)
    }
}

fn kinds(case: Case) -> (ListedProperties, Option<ListedProperties>) {
    let kind = |hand: crate::language::HandCase| ListedProperties {
        by_pattern: hand.pattern.is_some(),
        by_honours: hand.honours.is_some(),
    };
    (kind(case.first), case.second.map(kind))
}

fn sum_all<S: WeightSum, D: AsRef<[u8]> + Sync>(
    file: &CaseFile<D>,
) -> Result<CaseSums, TheoryError> {
    let records = file.records();
    let first_record = records.first().ok_or(TheoryError::Inconsistent)?;
    let (first, second) = kinds(
        first_record
            .case()
            .map_err(|damage| TheoryError::at(1, damage))?,
    );
    if second.is_some() != file.header().second.is_some() {
        return Err(TheoryError::Inconsistent);
    }
    let maps = (0..=u16::MAX).map(Honours::from_bits);
    let classes = HonourClasses {
        ranks: maps.clone().map(rank_class).collect(),
        suits: maps.map(suit_class).collect(),
    };
    // One slice per thread, because the tables are large. The sums do not depend on the division.
    let stretch = records.len().div_ceil(rayon::current_num_threads()).max(1);
    let passes = records
        .par_chunks(stretch)
        .enumerate()
        .map(|(number, stretch_records)| {
            let start = number * stretch;
            let mut pass = RecordPass::<S>::new(first, second);
            pass.stretch(
                stretch_records,
                start as u64,
                file.total_before(start as u64),
                (first, second),
                &classes,
            )?;
            Ok(pass)
        })
        .collect::<Result<Vec<_>, TheoryError>>()?;

    let mut summary = CaseSums::new(first, second, file.total());
    summary.pattern_pairs = vec![0; PATTERNS * PATTERNS];
    let mut honours = ByHonours::default();
    for pass in passes {
        summary.add(pass, &mut honours);
    }
    summary.add_honours(&honours)?;
    let sum = summary
        .pattern_pairs
        .iter()
        .try_fold(0u128, |sum, &w| sum.checked_add(w));
    if sum != Some(file.total()) {
        return Err(TheoryError::Inconsistent);
    }
    Ok(summary)
}

impl CaseSums {
    fn add<S: WeightSum>(&mut self, pass: RecordPass<S>, honours: &mut ByHonours) {
        fn add_all<S: WeightSum>(sums: &mut Vec<u128>, others: Vec<S>) {
            sums.resize(others.len(), 0);
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum = sum.wrapping_add(other.into());
            }
        }
        add_all(&mut self.pattern_pairs, pass.pattern_pairs);
        let [first, second] = pass.honours;
        add_all(&mut honours.maps[0], first);
        add_all(&mut honours.maps[1], second);
        add_all(&mut honours.rank_pairs, pass.rank_pairs);
        add_all(&mut self.mixed_suits, pass.mixed_suits);
        for (key, weight) in pass.suit_groups {
            *self.suit_groups.entry(key).or_default() += weight;
        }
        for (pattern, opposite) in pass.opposite {
            let mine = self.opposite.entry(pattern).or_default();
            for (map, set) in opposite.maps.iter().zip(&opposite.sets) {
                for (word, other) in mine.set(*map).iter_mut().zip(set) {
                    *word |= other;
                }
            }
        }
    }
}

impl<S: WeightSum> RecordPass<S> {
    fn new(first: ListedProperties, second: Option<ListedProperties>) -> Self {
        let maps = |kind: Option<ListedProperties>| match kind {
            Some(kind) if kind.by_honours => vec![S::default(); MAPS],
            _ => Vec::new(),
        };
        let both_by_honours = first.by_honours && second.is_some_and(|kind| kind.by_honours);
        let mixed = second.is_some_and(|second| first.by_honours != second.by_honours);
        let sized =
            |needed: bool, length: usize| vec![S::default(); if needed { length } else { 0 }];
        Self {
            pattern_pairs: vec![S::default(); PATTERNS * PATTERNS],
            honours: [maps(Some(first)), maps(second)],
            rank_pairs: sized(both_by_honours, CLASSES * CLASSES),
            suit_groups: BTreeMap::new(),
            mixed_suits: sized(mixed, 4 * 14 * 14 * 16),
            opposite: BTreeMap::new(),
        }
    }

    /// Sums a slice of records, run by run.
    fn stretch(
        &mut self,
        records: &[CaseRecord],
        start: u64,
        mut before: u128,
        kinds_wanted: (ListedProperties, Option<ListedProperties>),
        classes: &HonourClasses,
    ) -> Result<(), TheoryError> {
        let inner = kinds_wanted.1.unwrap_or(kinds_wanted.0);
        let varying = match (kinds_wanted.1.is_some(), inner.by_honours) {
            (true, true) => Field::SecondHonours,
            (true, false) => Field::SecondPattern,
            (false, true) => Field::FirstHonours,
            (false, false) => Field::FirstPattern,
        };
        let mask = !CaseRecord::mask(varying);
        let mut place = 0;
        while let Some(head) = records.get(place) {
            let at = |damage| TheoryError::at(start + place as u64 + 1, damage);
            let case = head.case().map_err(at)?;
            if kinds(case) != kinds_wanted {
                return Err(TheoryError::Inconsistent);
            }
            let shared = head.hands_bits() & mask;
            let same = |record: &&CaseRecord| record.hands_bits() & mask == shared;
            let length = records[place..].iter().take_while(same).count();
            let run = &records[place..place + length];
            self.run(run, before, case, varying, classes)?;
            before = run[length - 1].total();
            place += length;
        }
        Ok(())
    }

    fn run(
        &mut self,
        run: &[CaseRecord],
        before: u128,
        case: Case,
        varying: Field,
        classes: &HonourClasses,
    ) -> Result<(), TheoryError> {
        let run_total = run[run.len() - 1].total().wrapping_sub(before);
        let run_total = u64::try_from(run_total);
        match varying {
            Field::FirstHonours | Field::SecondHonours => {
                self.run_of_honours(run, before, case, varying, classes);
            }
            Field::FirstPattern | Field::SecondPattern => {
                self.run_of_patterns(run, before, case, varying)?;
            }
        }
        // Fields that stay the same over the run are updated once with its whole weight, unless it
        // needs more than 64 bits.
        let mut once = |weight: u64| {
            let patterns = [Field::FirstPattern, Field::SecondPattern].map(|f| run[0].raw(f));
            if patterns.iter().any(|&pattern| pattern >= PATTERNS) {
                return Err(TheoryError::Inconsistent);
            }
            if matches!(varying, Field::FirstHonours | Field::SecondHonours) {
                self.pattern_pairs[patterns[0] * PATTERNS + patterns[1]].add(weight);
            }
            if let (Some(map), true) = (case.first.honours, case.second.is_some()) {
                self.honours[0][usize::from(map.bits())].add(weight);
            }
            Ok(())
        };
        match run_total {
            Ok(weight) => once(weight),
            Err(_) => weights(run, before).try_for_each(|(_, weight)| once(weight)),
        }
    }

    /// Sums a run in which the inner hand's honours vary.
    fn run_of_honours(
        &mut self,
        run: &[CaseRecord],
        before: u128,
        case: Case,
        varying: Field,
        classes: &HonourClasses,
    ) {
        let inner = &mut self.honours[usize::from(case.second.is_some())];
        let second = case.second.unwrap_or_default();
        match (case.first.honours, case.second) {
            // Two hands listed by honours.
            (Some(outer), Some(_)) => {
                let row = usize::from(rank_class(outer)) * CLASSES;
                let ranks = &mut self.rank_pairs[row..row + CLASSES];
                // The only loop over every case of a large listing.
                for (record, weight) in weights(run, before) {
                    let map = usize::from(record.raw(varying) as u16);
                    inner[map].add(weight);
                    ranks[usize::from(classes.ranks[map])].add(weight);
                }
                if case.first.pattern.is_none() || second.pattern.is_none() {
                    let pattern = case.first.pattern.or(second.pattern);
                    let pattern = pattern.map_or(OFF, |index| index.get()) as u16;
                    let mut sums = [0u128; CLASSES];
                    for (record, weight) in weights(run, before) {
                        sums[usize::from(classes.suits[record.raw(varying)])] += u128::from(weight);
                    }
                    let outer_class = suit_class(outer);
                    for (class, sum) in (0..).zip(sums) {
                        if sum != 0 {
                            let key = (pattern, outer_class, class);
                            *self.suit_groups.entry(key).or_default() += sum;
                        }
                    }
                }
            }
            // The outer hand listed by pattern only, the inner by pattern and honours.
            (None, Some(both)) => {
                let [Some(other), Some(both)] = [case.first.pattern, both.pattern] else {
                    return;
                };
                let opposite = self.opposite.entry(both.get() as u16).or_default();
                let (lengths, others) = (both.pattern().lengths(), other.pattern().lengths());
                for (record, weight) in weights(run, before) {
                    let map = record.raw(varying);
                    inner[map].add(weight);
                    opposite.set(map as u16)[other.get() / 64] |= 1 << (other.get() % 64);
                    let map = Honours::from_bits(map as u16);
                    add_mixed(&mut self.mixed_suits, [lengths, others], map, weight);
                }
            }
            // One hand.
            (_, None) => {
                for (record, weight) in weights(run, before) {
                    inner[record.raw(varying)].add(weight);
                }
            }
        }
    }

    /// Sums a run in which the inner hand's pattern varies.
    fn run_of_patterns(
        &mut self,
        run: &[CaseRecord],
        before: u128,
        case: Case,
        varying: Field,
    ) -> Result<(), TheoryError> {
        let outer = match varying {
            Field::SecondPattern => run[0].raw(Field::FirstPattern),
            _ => OFF,
        };
        let mixed = case
            .first
            .pattern
            .zip(case.first.honours)
            .filter(|_| case.second.is_some());
        let mut set = mixed.map(|(both, map)| {
            let opposite = self.opposite.entry(both.get() as u16).or_default();
            opposite.set(map.bits())
        });
        for (record, weight) in weights(run, before) {
            let pattern = record.raw(varying);
            if pattern >= PATTERN_COUNT || outer >= PATTERNS {
                return Err(TheoryError::Inconsistent);
            }
            let index = match varying {
                Field::SecondPattern => outer * PATTERNS + pattern,
                _ => pattern * PATTERNS + OFF,
            };
            self.pattern_pairs[index].add(weight);
            if let (Some(set), Some((both, map))) = (&mut set, mixed) {
                set[pattern / 64] |= 1 << (pattern % 64);
                let lengths = both.pattern().lengths();
                let other = PatternIndex::new(pattern as u16);
                let others = other.map_or([0; 4], |index| index.pattern().lengths());
                add_mixed(&mut self.mixed_suits, [lengths, others], map, weight);
            }
        }
        Ok(())
    }
}

/// Adds a weight for each suit: lengths of the hand listed by pattern and honours, its honours, and
/// lengths of the other hand.
fn add_mixed<S: WeightSum>(sums: &mut [S], lengths: [[u8; 4]; 2], map: Honours, weight: u64) {
    for suit in Suit::ALL {
        let [both, other] = lengths.map(|lengths| lengths[suit.index()]);
        sums[mixed_index(suit.index(), both, other, map.suit(suit))].add(weight);
    }
}

/// Returns records with their weights. A weight has 63 bits, so 64-bit subtraction of totals is
/// exact.
fn weights(run: &[CaseRecord], before: u128) -> impl Iterator<Item = (CaseRecord, u64)> + '_ {
    let mut before = before as u64;
    run.iter().map(move |&record| {
        let total = record.total() as u64;
        let weight = total.wrapping_sub(before);
        before = total;
        (record, weight)
    })
}
