//! What deals are drawn from, and what each kind of it says of itself.

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::counting::NumberedDeals;
use super::listings::{OpenListing, order_of};
use crate::bridge::Seat;
use crate::printable::thousands;

/// The deals that are drawn from before the filter is applied.
#[derive(Debug)]
pub enum Base {
    /// All possible deals.
    EveryDeal,
    /// The cases of a listing.
    Listing(Box<OpenListing>),
    /// Cells over suits.
    Cells(Box<Cells>),
    /// Numbered deals, with any cards.
    Numbered(Box<NumberedDeals>),
}

impl Base {
    /// The part of a run's identity that describes a population with this base.
    pub fn identity(&self, is_exact: bool) -> PopulationIdentity {
        let (order, part, sampler) = match self {
            Self::EveryDeal => (String::new(), "", ""),
            Self::Listing(listed) => {
                let order = order_of(listed.seats());
                (order, &*listed.file.header().condition, "")
            }
            Self::Cells(cells) => (String::new(), cells.condition().text(), CELLS),
            Self::Numbered(deals) => (String::new(), deals.condition().text(), NUMBERS),
        };
        PopulationIdentity::new(order, part, sampler, is_exact)
    }
}

/// The size of a listing: `61,700,584 cases, T = 1,975,..`.
pub fn listing_size(cases: u64, total: u128) -> String {
    format!("{} cases, T = {}", thousands(cases), thousands(total))
}

/// Properties of a population that tests may use before any deal is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure {
    /// All deals are possible.
    EveryDeal,
    /// Draws from the cases of a listing of these seats.
    Listing(Seat, Option<Seat>),
    /// Draws from cells or by number: these seats have no predealt card, and are dealt the rest of
    /// the deck.
    Cells(Vec<Seat>),
    /// Deals of an unknown condition under which the seats of each of these pairs are
    /// interchangeable.
    Unknown(Vec<[Seat; 2]>),
}

/// The part of a run's identity that describes its population, in addition to the condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PopulationIdentity {
    /// The listed seats, separated by a comma; empty without a listing.
    pub order: String,
    /// The part of the condition that the base satisfies, as a condition of its own; empty if there
    /// is no filter or the base is every deal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub listed: String,
    /// `cells` for cells, `numbers` for numbered deals, otherwise empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sampler: String,
}

impl PopulationIdentity {
    /// Describes a base by its order, the part of the condition that it satisfies, and its sampler.
    pub fn new(order: String, part: &str, sampler: &str, is_exact: bool) -> Self {
        let listed = if is_exact { "" } else { part };
        Self {
            order,
            listed: listed.to_owned(),
            sampler: sampler.to_owned(),
        }
    }
}

/// The name of rejection as a sampler, in `--explain`.
pub const REJECTION: &str = "rejection";

/// The name of listings as a sampler, in `--explain`.
pub const LISTING: &str = "listing";

/// The name of cells as a sampler, in a run's identity and in `--explain`.
pub const CELLS: &str = "cells";

/// The name of numbered deals as a sampler, in a run's identity and in `--explain`.
pub const NUMBERS: &str = "numbers";
