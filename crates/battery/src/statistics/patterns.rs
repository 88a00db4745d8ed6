//! T4 and T4p: 560 patterns and 39 shapes by seat, and shapes of all four seats.
//!
//! T4 uses multinomial counts with exact probabilities ([`MultinomialTest`]). T4p is a quadratic form of the
//! pooled counts with V = 4 (diag p - p p') + 12 (J - p p') ([`pooled`](crate::pooled)).

use super::{
    DetectableEffect, Detection, Expected, Look, Measured, MultinomialTest, Outcome, RunParameters,
    TableLaw, TestSubject, summed,
};
use crate::bridge::{Pattern, Seat, Shape};

/// The pattern of a hand.
pub(crate) const PATTERNS: MultinomialTest = MultinomialTest {
    law: |expected, subject| Some(TableLaw::new(expected.theory.patterns(subject.seat()?))),
    counts: |look, subject| Some(look.tally.patterns(subject.seat()?).to_vec()),
    cell: |subject, cell| name(subject, Pattern::all().nth(cell)),
};

/// The shape of a hand.
pub(crate) const SHAPES: MultinomialTest = MultinomialTest {
    law: |expected, subject| Some(TableLaw::new(&expected.theory.shapes(subject.seat()?))),
    counts: |look, subject| Some(look.tally.shapes(subject.seat()?).to_vec()),
    cell: |subject, cell| name(subject, Shape::all().nth(cell)),
};

fn name(subject: TestSubject, hand: Option<impl std::fmt::Display>) -> String {
    hand.map_or_else(String::new, |hand| format!("{subject} {hand}"))
}

/// T4p.
pub(crate) fn pooled_shapes(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = look.expected.unconstrained.as_ref()?;
    let sums = summed(Seat::ALL.map(|seat| look.tally.shapes(seat).to_vec()));
    laws.shapes.measure(&sums, look.tally.deals(), false)
}

/// Returns whether the declared number of deals is enough for T4p.
pub(crate) fn allows_pooled(expected: &Expected, _: TestSubject, terms: &RunParameters) -> bool {
    let laws = expected.unconstrained.as_ref();
    laws.is_none_or(|laws| laws.shapes.reaches(terms.deals, false))
}

/// The index of 4-4-3-2 among the shapes.
const FOUR_FOUR: usize = 1;

/// Returns the smallest detectable relative excess of 4-4-3-2 hands at a seat.
pub(crate) fn detectable(detection: &Detection<'_>) -> Option<DetectableEffect> {
    SHAPES.detectable(detection, FOUR_FOUR, Outcome::FourFourThreeTwo)
}
