//! Joint conditions: conditions on both hands at once, such as `hcp(west) + hcp(east) >= 25`.
//!
//! The features of a hand that the joint conditions use (here its HCP) divide its cases into
//! classes. Whether the conditions hold depends on the two classes alone, so they are evaluated
//! once for each pair of classes, on one representative of each.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::bridge::Seat;
use crate::language::{EvaluationError, Expression, HandCase, Term};

/// Maximum size of the table of class pairs; with more pairs, each is evaluated when it occurs.
pub(super) const MAX_PAIRS: usize = 1 << 24;

/// The joint conditions of a listing, evaluated or ready to be evaluated for each pair of classes.
#[derive(Debug)]
pub(super) struct Joint {
    terms: Vec<Term>,
    seats: [Seat; 2],
    /// One case of each class, by hand.
    representatives: [Vec<HandCase>; 2],
    /// Indexed by first class times the number of second classes plus second class; `None` if there
    /// are too many pairs.
    table: Option<Vec<bool>>,
}

/// Returns the largest parts of the joint conditions that mention this seat alone, without
/// repetition.
pub(super) fn features(terms: &[Term], seat: Seat) -> Vec<Expression> {
    let mut found = Vec::new();
    let expressions = terms.iter().map(|term| term.expression().clone());
    let mut waiting: Vec<Expression> = expressions.rev().collect();
    while let Some(part) = waiting.pop() {
        match part.mentions(seat) {
            (true, false) if !found.contains(&part) => found.push(part),
            (true, true) => waiting.extend(part.parts().into_iter().rev()),
            _ => {}
        }
    }
    found
}

/// Returns the number of a key, and whether it is new. Distinct keys are numbered from 0 in the
/// order of their first occurrence.
pub(super) fn number_of<K: Ord>(numbers: &mut BTreeMap<K, u32>, key: K) -> (u32, bool) {
    let next = numbers.len() as u32;
    let number = *numbers.entry(key).or_insert(next);
    (number, number == next)
}

/// Returns the values of the features for one hand; an evaluation error counts as a value.
pub(super) fn values(
    features: &[Expression],
    seat: Seat,
    case: HandCase,
) -> Vec<Result<i64, EvaluationError>> {
    let hands = at_table([(seat, case)]);
    features
        .iter()
        .map(|feature| feature.value(&hands))
        .collect()
}

pub(super) fn at_table<const N: usize>(cases: [(Seat, HandCase); N]) -> [HandCase; 4] {
    let mut hands = [HandCase::default(); 4];
    for (seat, case) in cases {
        hands[seat.index()] = case;
    }
    hands
}

impl Joint {
    /// Evaluates the terms for every pair of classes on one case of each, unless there are more
    /// than `max_pairs` pairs.
    pub(super) fn new(
        terms: Vec<Term>,
        seats: [Seat; 2],
        representatives: [Vec<HandCase>; 2],
        max_pairs: usize,
    ) -> Self {
        let [firsts, seconds] = [0, 1].map(|hand| representatives[hand].len());
        let mut joint = Self {
            terms,
            seats,
            representatives,
            table: None,
        };
        if firsts.saturating_mul(seconds) <= max_pairs {
            let truth = |pair| joint.evaluate(pair / seconds, pair % seconds);
            let table = (0..firsts * seconds).into_par_iter().map(truth).collect();
            joint.table = Some(table);
        }
        joint
    }

    fn evaluate(&self, first: usize, second: usize) -> bool {
        let [firsts, seconds] = &self.representatives;
        let cases = [
            (self.seats[0], firsts[first]),
            (self.seats[1], seconds[second]),
        ];
        let hands = at_table(cases);
        self.terms.iter().all(|term| term.holds(&hands))
    }

    /// Looks up whether the joint conditions hold for hands of these classes; `None` without a
    /// table.
    pub(super) fn known(&self, first: u32, second: u32) -> Option<bool> {
        let seconds = self.representatives[1].len();
        let table = self.table.as_ref()?;
        Some(table[first as usize * seconds + second as usize])
    }

    /// Whether the joint conditions hold for hands of these classes.
    pub(super) fn holds(&self, first: u32, second: u32) -> bool {
        let known = self.known(first, second);
        known.unwrap_or_else(|| self.evaluate(first as usize, second as usize))
    }

    /// Whether the table shows that no pair of classes satisfies the joint conditions.
    pub(super) fn never_hold(&self) -> bool {
        let table = self.table.as_ref();
        table.is_some_and(|table| !table.contains(&true))
    }
}
