//! Judges pairs of halves, and adds up the deals of those that the condition accepts.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::error::CountError;
use super::formula::Formula;
use super::halves::{Digits, HalfKey, HalfStates, ShapeClasses};
use super::seating::{SeatLengths, Seating};
use crate::cells::Budget;
use crate::fixed_hash::FixedHashMap;
use crate::language::{EvaluationError, Expression};

/// Maximum number of pairs of numbers that are judged.
const MOST_JUDGED: u64 = 1 << 27;

/// Number of steps to judge a pair of numbers again, and to join a pair of classes.
const STEPS_OF_PAIR: u64 = 8;
const STEPS_OF_JOINING: u64 = 4;

/// Maximum number of verdicts that are remembered in an array.
const DENSE: u64 = 1 << 24;

/// Both halves of a condition's deals, and what is needed to judge them.
pub(super) struct Joining<'j> {
    pub(super) formula: &'j Formula,
    pub(super) expression: &'j Expression,
    pub(super) seating: &'j Seating,
    pub(super) digits: &'j Digits,
    /// By place of a seat.
    pub(super) shapes: &'j [Option<ShapeClasses>],
    /// The place of the seat whose patterns are counted.
    pub(super) pattern_of: Option<usize>,
    pub(super) budget: &'j Budget,
}

/// The outcome of a half in the table that is counted, with the class of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ClassState {
    class: u32,
    outcome: u32,
    ways: u64,
}

/// The places of halves' keys by the lengths told apart.
pub(super) type KeysByLength = BTreeMap<SeatLengths, Vec<usize>>;

type ClassStates = Vec<(HalfKey, Vec<ClassState>)>;

/// What is known of the pairs of halves of a condition. A table tells more halves apart, but has no
/// other numbers.
#[derive(Debug)]
pub(super) struct Judged {
    /// The number of each combination of the seats' sets of shapes.
    judges: BTreeMap<[u32; 4], usize>,
    /// By half, the class of each number that is ever accepted.
    pub(super) classes: [FixedHashMap<u64, u32>; 2],
    pub(super) verdicts: Verdicts,
}

/// By judge, and by classes of left and right numbers: whether the sum is accepted.
pub(super) type Verdicts = Vec<Vec<Vec<bool>>>;

/// Numbers of a half by class, and by class the verdicts about it.
type Classified<V> = (FixedHashMap<u64, u32>, Vec<V>);

impl Joining<'_> {
    /// Returns the deals by outcome.
    pub(super) fn count(
        &self,
        halves: &[Vec<(HalfKey, HalfStates)>; 2],
        outcomes: usize,
        known: &OnceLock<Judged>,
    ) -> Result<Vec<u128>, CountError> {
        let base = self.digits.first(self.formula.sums.len());
        let judged = match known.get() {
            Some(judged) => judged,
            None => {
                let judged = self.judge(halves, base)?;
                known.get_or_init(|| judged)
            }
        };
        let [lefts, rights] =
            [0, 1].map(|side| classified(&halves[side], &judged.classes[side], base));
        let by_length = self.by_length(lefts.iter().map(|(key, _)| *key));
        let classes = judged.verdicts.first().map_or(0, Vec::len);
        let outcomes_of_half = self.pattern_of.map_or(outcomes, |_| 1);
        let steps = |(key, rights): &(HalfKey, Vec<ClassState>)| {
            let (mut links, mut states, rights) = (0, 0, rights.len() as u64);
            for left in self.compatible(*key, &by_length) {
                links += 1;
                states += lefts[left].1.len() as u64;
            }
            let joined = states * rights.min(outcomes_of_half as u64);
            10 * links + joined + states.min(classes as u64) * rights
        };
        let steps = rights.par_iter().map(steps).sum::<u64>();
        let too_large = |_| self.seating.too_large(&self.formula.sums);
        self.budget
            .spend(STEPS_OF_JOINING * steps)
            .map_err(too_large)?;
        let zero = || vec![0u128; outcomes];
        let add = |mut sums: Vec<u128>, right: &(HalfKey, Vec<ClassState>)| {
            let compatible = self.compatible(right.0, &by_length);
            let compatible = compatible.map(|left| &lefts[left]);
            self.add(compatible, right, judged, &mut sums);
            sums
        };
        let sums = rights
            .par_iter()
            .fold(zero, add)
            .reduce(zero, |mut sums, others| {
                for (sum, other) in sums.iter_mut().zip(others) {
                    *sum += other;
                }
                sums
            });
        Ok(sums)
    }

    /// The places of the keys of halves by the lengths told apart.
    pub(super) fn by_length(&self, keys: impl Iterator<Item = HalfKey>) -> KeysByLength {
        let mut by_length = KeysByLength::new();
        for (place, (lengths, _)) in keys.enumerate() {
            let lengths = lengths.by_length(self.seating);
            by_length.entry(lengths).or_default().push(place);
        }
        by_length
    }

    /// The places of the keys of halves that complete the lengths of one on the other side.
    pub(super) fn compatible<'k>(
        &self,
        (lengths, _): HalfKey,
        by_length: &'k KeysByLength,
    ) -> impl Iterator<Item = usize> + use<'k> {
        let wanted = lengths.completing(&self.seating.by_length);
        by_length.get(&wanted).into_iter().flatten().copied()
    }

    /// The judge of halves with these classes of shapes, and the pattern that is counted; `None` if
    /// a shape is not permitted.
    pub(super) fn judge_of(
        &self,
        left: u32,
        right: u32,
        judged: &Judged,
    ) -> Option<(usize, usize)> {
        let (sets, pattern) = self.sets(left, right)?;
        let judge = match judged.judges.len() {
            1 => 0,
            _ => judged.judges[&sets],
        };
        Some((judge, pattern))
    }

    /// Judges all pairs of numbers without the outcomes of a table, which are those below `base`.
    fn judge(
        &self,
        halves: &[Vec<(HalfKey, HalfStates)>; 2],
        base: u64,
    ) -> Result<Judged, CountError> {
        let judges = self.judges(halves);
        let numbers = halves.each_ref().map(|half| numbers(half, base));
        let pairs = numbers[0].len() as u64 * numbers[1].len() as u64;
        let pairs = pairs.saturating_mul(judges.len() as u64);
        let different = pairs.min(base.saturating_mul(judges.len() as u64));
        let steps = STEPS_OF_PAIR * pairs + self.formula.steps_of_judging() * different;
        if pairs > MOST_JUDGED || self.budget.spend(steps).is_err() {
            return Err(self.seating.too_large(&self.formula.sums));
        }
        if self.formula.may_fail {
            self.refuse_failures(halves, base)?;
        }
        let (classes, verdicts) = self.verdicts(&judges, &numbers, base);
        Ok(Judged {
            judges,
            classes,
            verdicts,
        })
    }

    /// Adds the deals of a right half and of the left halves that complete it.
    fn add<'c>(
        &self,
        lefts: impl Iterator<Item = &'c (HalfKey, Vec<ClassState>)>,
        (key, rights): &(HalfKey, Vec<ClassState>),
        judged: &Judged,
        sums: &mut [u128],
    ) {
        let mut by_judge: BTreeMap<usize, AcceptedRights<'_>> = BTreeMap::new();
        let outcomes = rights.iter().map(|right| right.outcome as usize + 1);
        let outcomes = outcomes.max().unwrap_or(0);
        let mut with_left: Vec<u128> = vec![0; sums.len()];
        let mut last: Option<(SeatLengths, u128)> = None;
        for ((lengths, shapes), lefts) in lefts {
            // Keys with equal lengths follow one another.
            let ways = match last {
                Some((last, ways)) if last == *lengths => ways,
                _ => lengths.ways_with(key.0, self.seating),
            };
            last = Some((*lengths, ways));
            if ways == 0 {
                continue;
            }
            let Some((judge, pattern)) = self.judge_of(*shapes, key.1, judged) else {
                continue;
            };
            let new = || AcceptedRights::new(rights, outcomes, &judged.verdicts[judge]);
            let accepted = by_judge.entry(judge).or_insert_with(new);
            let mut end = 0;
            for left in lefts {
                let from = left.outcome as usize;
                for (outcome, deals) in accepted.with(left.class) {
                    let outcome = from + *outcome as usize;
                    with_left[outcome] += u128::from(left.ways) * u128::from(*deals);
                    end = end.max(outcome + 1);
                }
            }
            for (outcome, deals) in with_left[..end].iter_mut().enumerate() {
                sums[pattern + outcome] += std::mem::take(deals) * ways;
            }
        }
    }

    /// The sets that the shapes of all seats belong to, for these classes of both halves, and the
    /// pattern of the seat whose patterns are counted; `None` if a shape is not permitted.
    fn sets(&self, left: u32, right: u32) -> Option<([u32; 4], usize)> {
        let (mut sets, mut pattern) = ([0; 4], 0);
        for (place, shapes) in self.shapes.iter().enumerate() {
            if let Some(shapes) = shapes {
                let class = |classes: u32| (classes >> (8 * place)) as u8;
                let (own, index) = shapes.pair(class(left), class(right))?;
                sets[self.seating.seats[place].index()] = own;
                if self.pattern_of == Some(place) {
                    pattern = index;
                }
            }
        }
        Some((sets, pattern))
    }

    /// The different sets of shapes of pairs of halves, numbered.
    fn judges(&self, halves: &[Vec<(HalfKey, HalfStates)>; 2]) -> BTreeMap<[u32; 4], usize> {
        let mut judges = BTreeMap::new();
        let mut by_length: BTreeMap<SeatLengths, Vec<u32>> = BTreeMap::new();
        for ((lengths, classes), _) in &halves[1] {
            by_length
                .entry(lengths.by_length(self.seating))
                .or_default()
                .push(*classes);
        }
        by_length.values_mut().for_each(|classes| {
            classes.sort_unstable();
            classes.dedup();
        });
        for ((lengths, left), _) in &halves[0] {
            let wanted = lengths.completing(&self.seating.by_length);
            for right in by_length.get(&wanted).into_iter().flatten() {
                if let Some((sets, _)) = self.sets(*left, *right) {
                    let next = judges.len();
                    judges.entry(sets).or_insert(next);
                }
            }
        }
        judges
    }

    /// Refuses a condition whose arithmetic fails for a deal.
    fn refuse_failures(
        &self,
        [lefts, rights]: &[Vec<(HalfKey, HalfStates)>; 2],
        judged: u64,
    ) -> Result<(), CountError> {
        for (left, states) in lefts {
            for (right, others) in rights {
                let ways = left.0.ways_with(right.0, self.seating);
                let Some((sets, _)) = self.sets(left.1, right.1).filter(|_| ways > 0) else {
                    continue;
                };
                for (number, _) in states {
                    for (more, _) in others {
                        let sums = self.digits.sums(number % judged + more % judged);
                        self.formula.holds(&sums, &sets, self.expression)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Judges all pairs of numbers, and groups numbers with equal verdicts into classes.
    fn verdicts(
        &self,
        judges: &BTreeMap<[u32; 4], usize>,
        [lefts, rights]: &[Vec<u64>; 2],
        judged: u64,
    ) -> ([FixedHashMap<u64, u32>; 2], Verdicts) {
        let mut all: Vec<[u32; 4]> = vec![[0; 4]; judges.len()];
        for (sets, judge) in judges {
            all[*judge] = *sets;
        }
        let of_judges: Vec<Vec<Vec<bool>>> = all
            .par_iter()
            .map(|sets| {
                let mut judge = Judge::new(judged);
                let holds = |number| self.holds(number, sets) == Ok(true);
                let of_left = |left: &u64| {
                    let each = rights.iter().map(|right| judge.holds(left + right, holds));
                    each.collect::<Vec<bool>>()
                };
                lefts.iter().map(of_left).collect()
            })
            .collect();
        // By left number, the verdicts of all judges.
        let mut rows = vec![Vec::new(); lefts.len()];
        for of_judge in of_judges {
            for (row, verdicts) in rows.iter_mut().zip(of_judge) {
                match row.is_empty() {
                    true => *row = verdicts,
                    false => row.extend(verdicts),
                }
            }
        }
        let (left_classes, rows) = classes(lefts, rows.into_iter());
        let columns = (0..rights.len()).map(|right| {
            let of_rows = rows
                .iter()
                .flat_map(|row| (0..all.len()).map(move |judge| row[judge * rights.len() + right]));
            of_rows.collect::<Vec<bool>>()
        });
        let (right_classes, columns) = classes(rights, columns);
        let verdicts = (0..all.len()).map(|judge| {
            let of_left = (0..rows.len()).map(|left| {
                let verdict = |column: &Vec<bool>| column[left * all.len() + judge];
                columns.iter().map(verdict).collect()
            });
            of_left.collect()
        });
        let verdicts = verdicts.collect();
        ([left_classes, right_classes], verdicts)
    }

    fn holds(&self, number: u64, sets: &[u32; 4]) -> Result<bool, EvaluationError> {
        self.formula
            .holds(&self.digits.sums(number), sets, self.expression)
    }
}

/// The verdicts about numbers, each made once.
enum Judge {
    Dense(Vec<Option<bool>>),
    Sparse(FixedHashMap<u64, bool>),
}

impl Judge {
    fn new(numbers: u64) -> Self {
        match numbers <= DENSE {
            true => Self::Dense(vec![None; numbers as usize]),
            false => Self::Sparse(FixedHashMap::default()),
        }
    }

    fn holds(&mut self, number: u64, holds: impl Fn(u64) -> bool) -> bool {
        match self {
            Self::Dense(known) => *known[number as usize].get_or_insert_with(|| holds(number)),
            Self::Sparse(known) => *known.entry(number).or_insert_with(|| holds(number)),
        }
    }
}

/// The states of a right half that each left class is accepted with, found once for each.
struct AcceptedRights<'j> {
    states: &'j [ClassState],
    verdicts: &'j [Vec<bool>],
    /// By left class, the places of its deals.
    found: Vec<Option<Range<usize>>>,
    /// Outcomes with their deals.
    deals: Vec<(u32, u64)>,
    /// The deals of a class by outcome, while they are added up.
    by_outcome: Vec<u64>,
}

impl<'j> AcceptedRights<'j> {
    /// None so far, of states with this number of outcomes.
    fn new(states: &'j [ClassState], outcomes: usize, verdicts: &'j [Vec<bool>]) -> Self {
        Self {
            states,
            verdicts,
            found: vec![None; verdicts.len()],
            deals: Vec::new(),
            by_outcome: vec![0; outcomes],
        }
    }

    /// The outcomes and the deals of the states that a left class is accepted with.
    fn with(&mut self, class: u32) -> &[(u32, u64)] {
        let Self {
            deals, by_outcome, ..
        } = self;
        let found = self.found[class as usize].get_or_insert_with(|| {
            let verdicts = &self.verdicts[class as usize];
            let states = self.states.iter();
            for state in states.filter(|state| verdicts[state.class as usize]) {
                by_outcome[state.outcome as usize] += state.ways;
            }
            let from = deals.len();
            let sums = (0..).zip(by_outcome).filter(|(_, sum)| **sum > 0);
            deals.extend(sums.map(|(outcome, sum)| (outcome, std::mem::take(sum))));
            from..deals.len()
        });
        &deals[found.clone()]
    }
}

/// The different numbers of a half, without the outcomes of a table, in ascending order.
fn numbers(half: &[(HalfKey, HalfStates)], judged: u64) -> Vec<u64> {
    let numbers = half.iter().flat_map(|(_, states)| states);
    let mut numbers: Vec<u64> = numbers.map(|(number, _)| number % judged).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Groups numbers with equal verdicts; numbers that are never accepted have no class.
fn classes(numbers: &[u64], verdicts: impl Iterator<Item = Vec<bool>>) -> Classified<Vec<bool>> {
    let mut known: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
    let (mut of_number, mut all) = (FixedHashMap::default(), Vec::new());
    for (number, verdicts) in numbers.iter().zip(verdicts) {
        if !verdicts.contains(&true) {
            continue;
        }
        let class = *known.entry(verdicts).or_insert_with_key(|verdicts| {
            all.push(verdicts.clone());
            all.len() as u32 - 1
        });
        of_number.insert(*number, class);
    }
    (of_number, all)
}

/// The states of a half by class of their numbers, and by outcome.
fn classified(
    half: &[(HalfKey, HalfStates)],
    classes: &FixedHashMap<u64, u32>,
    judged: u64,
) -> ClassStates {
    let of_key = |(key, states): &(HalfKey, HalfStates)| {
        let state = |&(number, ways): &(u64, u64)| {
            let class = *classes.get(&(number % judged))?;
            let outcome = (number / judged) as u32;
            Some(ClassState {
                class,
                outcome,
                ways,
            })
        };
        let mut states: Vec<ClassState> = states.iter().filter_map(state).collect();
        states.sort_unstable();
        states.dedup_by(|next, state| {
            let is_same = (next.class, next.outcome) == (state.class, state.outcome);
            state.ways += if is_same { next.ways } else { 0 };
            is_same
        });
        (*key, states)
    };
    half.par_iter().map(of_key).collect()
}
