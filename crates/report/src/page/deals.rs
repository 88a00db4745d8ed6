//! Deals as diagrams around the compass.

use crate::bridge::{Deal, Seat};
use crate::formats::HandShown;
use crate::printable::printable;

/// A deal with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    pub(crate) name: String,
    pub(crate) hands: Vec<HandShown>,
}

/// Diagrams of deals with their names.
pub fn diagrams(samples: &[(String, Deal)]) -> Vec<Diagram> {
    let each = samples.iter().map(|(name, deal)| Diagram {
        name: printable(name).into_owned(),
        hands: Seat::ALL
            .map(|seat| HandShown::new(seat, deal.hand(seat)))
            .into(),
    });
    each.collect()
}
