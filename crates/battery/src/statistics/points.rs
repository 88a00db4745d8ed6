//! T5 and T5p: points by seat and of north-south, controls by seat, and points of all four seats.
//!
//! T5 uses multinomial counts with exact probabilities ([`MultinomialTest`]). T5p is a quadratic form of the
//! pooled counts ([`pooled`](crate::pooled)) in the directions that their fixed sum leaves
//! free.

use super::{
    Expected, Look, Measured, MultinomialTest, RunParameters, TableLaw, TestSubject, summed,
};
use crate::bridge::Seat;
use crate::printable::with_noun;

/// Points of a hand.
pub(crate) const POINTS: MultinomialTest = MultinomialTest {
    law: |expected, subject| Some(TableLaw::new(expected.theory.hcp(subject.seat()?))),
    counts: |look, subject| Some(look.tally.hcp(subject.seat()?).to_vec()),
    cell: |subject, cell| format!("{subject}, {cell} HCP"),
};

/// Points of a side.
pub(crate) const SIDE_POINTS: MultinomialTest = MultinomialTest {
    law: |expected, subject| match subject {
        TestSubject::Side(side) => Some(TableLaw::new(&expected.theory.side_hcp(side))),
        _ => None,
    },
    counts: |look, subject| match subject {
        TestSubject::Side(side) => Some(look.tally.side_hcp(side).to_vec()),
        _ => None,
    },
    cell: POINTS.cell,
};

/// Controls of a hand.
pub(crate) const CONTROLS: MultinomialTest = MultinomialTest {
    law: |expected, subject| Some(TableLaw::new(expected.theory.controls(subject.seat()?))),
    counts: |look, subject| Some(look.counts.spread.controls(subject.seat()?).to_vec()),
    cell: |subject, cell| format!("{subject}, {}", with_noun(cell as u64, "control")),
};

/// T5p.
pub(crate) fn pooled_points(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = look.expected.unconstrained.as_ref()?;
    let sums = summed(Seat::ALL.map(|seat| look.tally.hcp(seat).to_vec()));
    laws.points.measure(&sums, look.tally.deals(), true)
}

/// Returns whether the declared number of deals is enough for T5p.
pub(crate) fn allows_pooled(expected: &Expected, _: TestSubject, terms: &RunParameters) -> bool {
    let laws = expected.unconstrained.as_ref();
    laws.is_none_or(|laws| laws.points.reaches(terms.deals, true))
}
