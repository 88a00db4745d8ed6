//! The properties of hands that a listing fixes, and those that measures need.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::measure::Measure;
use crate::bridge::Seat;

/// The properties of each hand that a listing fixes, in the order of [`Seat::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedProperties {
    /// The hands' patterns.
    pub patterns: [bool; 4],
    /// The hands' honours.
    pub honours: [bool; 4],
}

impl FixedProperties {
    /// The number of hands with such properties.
    pub fn hands(&self) -> usize {
        let is_fixed = |seat: &usize| self.patterns[*seat] || self.honours[*seat];
        (0..4).filter(is_fixed).count()
    }

    /// Whether these are some, but not all, of the other properties.
    pub fn is_within(&self, other: &Self) -> bool {
        let is_subset = |own: [bool; 4], other: [bool; 4]| {
            own.iter().zip(other).all(|(own, other)| *own <= other)
        };
        self != other
            && is_subset(self.patterns, other.patterns)
            && is_subset(self.honours, other.honours)
    }
}

/// A hand, and whether its pattern (`true`) or its honours are needed.
pub type HandProperty = (Seat, bool);

/// The properties that a case must fix to evaluate these measures; measures that cannot be listed
/// add nothing.
pub fn needed_properties<'m>(
    mentioned: impl IntoIterator<Item = (Seat, &'m Measure)>,
) -> BTreeSet<HandProperty> {
    let listable = mentioned
        .into_iter()
        .filter(|(_, measure)| measure.is_listable());
    let told = listable.flat_map(|(seat, measure)| {
        let pattern = measure.needs_pattern().then_some((seat, true));
        let honours = measure.needs_honours().then_some((seat, false));
        pattern.into_iter().chain(honours)
    });
    told.collect()
}

impl FromIterator<HandProperty> for FixedProperties {
    fn from_iter<I: IntoIterator<Item = HandProperty>>(told: I) -> Self {
        let mut fixed = Self::default();
        for (seat, is_pattern) in told {
            let of_kind = match is_pattern {
                true => &mut fixed.patterns,
                false => &mut fixed.honours,
            };
            of_kind[seat.index()] = true;
        }
        fixed
    }
}
