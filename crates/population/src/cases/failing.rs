//! Search for deals for which a condition's arithmetic fails, before anything is listed.

use std::ops::Range;

use super::census::count_within;
use super::joint::{self, Joint, MAX_PAIRS};
use super::listing::{Listing, ListingError, Made, Narrowed};
use super::record::Case;
use crate::language::Condition;

/// Number of units that are searched for a failing deal before cases are counted.
const MOST_LOOKED_AT: u64 = 1 << 16;

impl Listing {
    /// Searches for hands for which the condition has no value: hands that satisfy all terms before
    /// a term that fails. Returns whether it is certain that there are none, which is not the case
    /// if counting takes more than `most_steps`.
    ///
    /// # Errors
    ///
    /// [`ListingError::Condition`] if there are such hands; [`ListingError::Memory`].
    pub(super) fn check_arithmetic(
        &self,
        condition: &Condition,
        most_steps: u64,
    ) -> Result<bool, ListingError> {
        let hands = match &self.outer {
            Some(outer) => (outer.hand, Some(self.inner.hand)),
            None => (self.inner.hand, None),
        };
        let mut certain = true;
        for terms in condition.failures() {
            let limits = (MAX_PAIRS, most_steps);
            let failing = match Self::of_terms(&terms, hands, limits)? {
                Made::Whole(failing) => failing,
                Made::Nothing => continue,
                Made::TooLong => {
                    certain = false;
                    continue;
                }
            };
            if failing.joint.as_ref().is_some_and(Joint::never_hold) {
                continue;
            }
            let units = failing.units();
            let first = units.min(MOST_LOOKED_AT);
            let mut case = failing.first_case(0..first);
            if case.is_none() && first < units {
                match count_within(&failing, most_steps)? {
                    Some(census) if census.cases > 0 => case = failing.first_case(first..units),
                    Some(_) => {}
                    None => certain = false,
                }
            }
            let Some(Case { first, second }) = case else {
                continue;
            };
            let (of_first, of_second) = hands;
            let mut hands = joint::at_table([(of_first.seat, first)]);
            if let (Some(hand), Some(case)) = (of_second, second) {
                hands[hand.seat.index()] = case;
            }
            if let Some(failure) = terms.last().and_then(|term| term.failure(&hands)) {
                return Err(condition.evaluation_error(&failure).into());
            }
        }
        Ok(certain)
    }

    /// Returns the first case of these units, if there is one.
    fn first_case(&self, units: Range<u64>) -> Option<Case> {
        let mut narrowed = Narrowed::new(self.rows());
        let mut first = None;
        for unit in units {
            self.visit_unit(unit, &mut narrowed, |case, _| {
                first.get_or_insert(case);
            });
            if first.is_some() {
                break;
            }
        }
        first
    }
}
