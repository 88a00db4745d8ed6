//! The card table of constrained deals: every card and seat against its exact probability.
//!
//! The p-value is the exact binomial tail of the worst card and seat, times 208, as for T1max.

use super::card_seat::detectable_by_tail;
use super::{DetectableEffect, Detection, Expected, Outcome, RunParameters, TestSubject};
use crate::bridge::Card;

/// Returns whether any card has two or more possible seats.
pub(crate) fn allows(expected: &Expected, _: TestSubject, _: &RunParameters) -> bool {
    Card::all().any(|card| {
        let ways = expected.theory.card(card).ways().iter();
        ways.filter(|ways| **ways > 0).count() > 1
    })
}

/// Returns the smallest detectable excess of a card at one seat.
pub(crate) fn detectable(detection: &Detection<'_>) -> Option<DetectableEffect> {
    detectable_by_tail(detection, Outcome::OrdinaryCard)
}
