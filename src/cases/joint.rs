//! Conditions on both hands at once, such as `hcp(west) + hcp(east) >= 25`.
//!
//! What the joint conditions see of a hand (here its HCP) parts its cases into
//! classes; whether they hold depends on the two classes alone. So they are
//! evaluated once for each pair of classes, on a representative of each.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::cards::Seat;
use crate::condition::{Condition, ConditionError, EvaluationError, Expression, HandCase};

/// Largest table of class pairs; beyond it each pair is evaluated when it is met.
const MAX_PAIRS: usize = 1 << 24;

/// The joint conditions of a listing, ready to be asked.
#[derive(Debug)]
pub(super) enum Joint {
    /// There is none.
    Free,
    /// Whether they hold, by first class times the number of second classes plus second class.
    Table { holds: Vec<bool>, seconds: usize },
    /// Too many pairs for a table.
    Direct {
        terms: Vec<Expression>,
        seats: [Seat; 2],
        representatives: [Vec<HandCase>; 2],
    },
}

/// The parts of the joint conditions that speak of one hand only.
pub(super) fn features<'e>(terms: &[&'e Expression], seat: Seat) -> Vec<&'e Expression> {
    let mut found = Vec::new();
    for &term in terms {
        let (mentions_it, mentions_another) = mentions(term, seat);
        if mentions_it && !mentions_another {
            found.push(term);
        } else if mentions_it {
            found.extend(features(&term.parts().collect::<Vec<_>>(), seat));
        }
    }
    found
}

/// Whether an expression mentions this seat, and whether it mentions another.
pub(super) fn mentions(expression: &Expression, seat: Seat) -> (bool, bool) {
    let mut found = (false, false);
    for (mentioned, _) in expression.mentioned() {
        if mentioned == seat {
            found.0 = true;
        } else {
            found.1 = true;
        }
    }
    found
}

/// Hands each distinct key a number in the order of arrival.
#[derive(Debug)]
pub(super) struct Interner<K> {
    numbers: BTreeMap<K, u32>,
}

impl<K: Ord> Interner<K> {
    pub(super) fn new() -> Self {
        Self {
            numbers: BTreeMap::new(),
        }
    }

    /// The key's number, and whether it is new.
    pub(super) fn number(&mut self, key: K) -> (u32, bool) {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        (number, number == next)
    }
}

/// The values of the features for one hand; an error is a value too, raised
/// only if a condition really comes to it.
pub(super) fn values(
    features: &[&Expression],
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
    /// Evaluates the terms for every pair of classes, given one hand of each.
    pub(super) fn new(
        condition: &Condition,
        terms: &[&Expression],
        seats: [Seat; 2],
        representatives: [Vec<HandCase>; 2],
        max_pairs: usize,
    ) -> Result<Self, ConditionError> {
        if terms.is_empty() {
            return Ok(Self::Free);
        }
        let [firsts, seconds] = &representatives;
        if firsts.len().saturating_mul(seconds.len()) > max_pairs {
            return Ok(Self::Direct {
                terms: terms.iter().map(|&term| term.clone()).collect(),
                seats,
                representatives,
            });
        }
        let holds: Result<Vec<bool>, EvaluationError> = firsts
            .par_iter()
            .flat_map_iter(|&first| {
                seconds.iter().map(move |&second| {
                    all_hold(
                        terms.iter().copied(),
                        &at_table([(seats[0], first), (seats[1], second)]),
                    )
                })
            })
            .collect();
        Ok(Self::Table {
            holds: holds.map_err(|error| condition.evaluation_error(&error))?,
            seconds: seconds.len(),
        })
    }

    pub(super) fn max_pairs() -> usize {
        MAX_PAIRS
    }

    /// Whether the joint conditions hold for hands of these classes.
    pub(super) fn holds(&self, first: u32, second: u32) -> Result<bool, EvaluationError> {
        let (first, second) = (first as usize, second as usize);
        match self {
            Self::Free => Ok(true),
            Self::Table { holds, seconds } => Ok(holds[first * seconds + second]),
            Self::Direct {
                terms,
                seats,
                representatives: [firsts, seconds],
            } => {
                let hands = at_table([(seats[0], firsts[first]), (seats[1], seconds[second])]);
                all_hold(terms.iter(), &hands)
            }
        }
    }

    pub(super) fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }
}

/// Whether all terms hold, asked in the order of the text.
pub(super) fn all_hold<'e>(
    terms: impl Iterator<Item = &'e Expression>,
    hands: &[HandCase; 4],
) -> Result<bool, EvaluationError> {
    for term in terms {
        if !term.holds(hands)? {
            return Ok(false);
        }
    }
    Ok(true)
}
