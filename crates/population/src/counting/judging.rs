//! Judges pairs of halves, and adds up the deals of those that the condition accepts.

use std::collections::BTreeMap;
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

/// The places of right halves' keys by the lengths told apart.
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
        let place = 0..2;
        let mut sides = place.map(|side| classified(&halves[side], &judged.classes[side], base));
        let (Some(lefts), Some(rights)) = (sides.next(), sides.next()) else {
            return Ok(vec![0; outcomes]);
        };
        let by_length = self.by_length(rights.iter().map(|(key, _)| *key));
        let joined = |left: &(HalfKey, Vec<ClassState>)| -> u64 {
            let compatible = self.compatible(left.0, &by_length);
            let states = compatible.map(|right| 10 + rights[right].1.len() as u64);
            left.1.len() as u64 * states.sum::<u64>()
        };
        let joined = lefts.iter().map(joined).sum::<u64>();
        let too_large = |_| self.seating.too_large(&self.formula.sums);
        self.budget
            .spend(STEPS_OF_JOINING * joined)
            .map_err(too_large)?;
        let zero = || vec![0u128; outcomes];
        let add = |mut sums: Vec<u128>, left: &(HalfKey, Vec<ClassState>)| {
            for right in self.compatible(left.0, &by_length) {
                self.add(left, &rights[right], judged, &mut sums);
            }
            sums
        };
        let sums = lefts
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

    /// The places of the keys of right halves, by the lengths that left halves complete.
    pub(super) fn by_length(&self, rights: impl Iterator<Item = HalfKey>) -> KeysByLength {
        let mut by_length = KeysByLength::new();
        for (place, (lengths, _)) in rights.enumerate() {
            let lengths = lengths.by_length(self.seating);
            by_length.entry(lengths).or_default().push(place);
        }
        by_length
    }

    /// The places of the keys of right halves that complete a left half's lengths.
    pub(super) fn compatible<'k>(
        &self,
        (lengths, _): HalfKey,
        by_length: &'k KeysByLength,
    ) -> impl Iterator<Item = usize> + use<'k> {
        let wanted = lengths.completing(&self.seating.by_length);
        by_length.get(&wanted).into_iter().flatten().copied()
    }

    /// The judge of two halves, the pattern that is counted, and the number of ways to deal the
    /// pool; `None` if they are not compatible.
    pub(super) fn link(
        &self,
        left: HalfKey,
        right: HalfKey,
        judged: &Judged,
    ) -> Option<(usize, usize, u128)> {
        let ways = left.0.ways_with(right.0, self.seating);
        let (sets, pattern) = self.sets(left.1, right.1).filter(|_| ways > 0)?;
        Some((judged.judges[&sets], pattern, ways))
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

    /// Adds the deals of two halves.
    fn add(
        &self,
        (left, lefts): &(HalfKey, Vec<ClassState>),
        (right, rights): &(HalfKey, Vec<ClassState>),
        judged: &Judged,
        sums: &mut [u128],
    ) {
        let Some((judge, pattern, ways)) = self.link(*left, *right, judged) else {
            return;
        };
        let verdicts = &judged.verdicts[judge];
        for one in lefts {
            let wanted = &verdicts[one.class as usize];
            for other in rights {
                if wanted[other.class as usize] {
                    let outcome = match self.pattern_of {
                        Some(_) => pattern,
                        None => (one.outcome + other.outcome) as usize,
                    };
                    let both = u128::from(one.ways) * u128::from(other.ways);
                    sums[outcome] += both * ways;
                }
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
        let rows = (0..lefts.len()).map(|left| {
            let of_judges = of_judges.iter().flat_map(|rows| rows[left].iter().copied());
            of_judges.collect::<Vec<bool>>()
        });
        let (left_classes, rows) = classes(lefts, rows);
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
