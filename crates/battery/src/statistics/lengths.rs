//! T3: suit lengths by seat, the fits of north-south by suit, and the longest fit of each side.
//!
//! Multinomial counts with exact probabilities ([`MultinomialTest`]). The fits of east-west follow from those
//! of north-south.

use super::{DetectableEffect, Detection, MultinomialTest, Outcome, TableLaw, TestSubject};
use crate::printable::with_noun;

/// The length of a suit in a hand.
pub(crate) const LENGTHS: MultinomialTest = MultinomialTest {
    law: |expected, subject| match subject {
        TestSubject::SeatSuit(seat, suit) => {
            Some(TableLaw::new(&expected.theory.suit_lengths(seat, suit)))
        }
        _ => None,
    },
    counts: |look, subject| match subject {
        TestSubject::SeatSuit(seat, suit) => Some(look.tally.suit_lengths(seat, suit).to_vec()),
        _ => None,
    },
    cell: |subject, cell| format!("{subject}, {}", with_noun(cell as u64, "card")),
};

/// A side's length of a suit.
pub(crate) const FITS: MultinomialTest = MultinomialTest {
    law: |expected, subject| match subject {
        TestSubject::SideSuit(side, suit) => Some(TableLaw::new(&expected.theory.fits(side, suit))),
        _ => None,
    },
    counts: |look, subject| match subject {
        TestSubject::SideSuit(side, suit) => Some(look.tally.fits(side, suit).to_vec()),
        _ => None,
    },
    cell: |subject, cell| format!("{subject}, {}", with_noun(cell as u64, "card")),
};

/// A side's longest suit.
pub(crate) const BEST_FITS: MultinomialTest = MultinomialTest {
    law: |expected, _| Some(expected.unconstrained.as_ref()?.best_fits.clone()),
    counts: |look, subject| match subject {
        TestSubject::Side(side) => Some(look.tally.best_fits(side).to_vec()),
        _ => None,
    },
    cell: |subject, cell| {
        format!(
            "{subject}, {} in the longest suit",
            with_noun(cell as u64, "card")
        )
    },
};

/// Returns the smallest detectable relative excess of five cards in a suit at a seat.
pub(crate) fn detectable(detection: &Detection<'_>) -> Option<DetectableEffect> {
    LENGTHS.detectable(detection, 5, Outcome::FiveCards)
}
