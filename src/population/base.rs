//! What deals are drawn from, and what each kind of it says of itself.

use super::cells::Cells;
use super::listings::{OpenListing, order_of};
use crate::bridge::combinatorics::{DEALS, choose};
use crate::bridge::{Hand, Seat};
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
}

impl Base {
    /// The name of the sampler that draws from this base, as in `--explain --json`.
    pub(crate) fn sampler_name(&self, is_exact: bool) -> &'static str {
        match self {
            Self::EveryDeal if is_exact => "every deal",
            Self::EveryDeal => REJECTION,
            Self::Listing(_) => LISTING,
            Self::Cells(_) => CELLS,
        }
    }

    /// The sampler and its size in a line.
    pub(super) fn description(&self, is_exact: bool) -> String {
        match self {
            Self::EveryDeal if is_exact => "every deal".to_owned(),
            Self::EveryDeal => "rejection from every deal".to_owned(),
            Self::Listing(listed) => format!(
                "listing, {} ({}), {}",
                listing_size(listed.file.cases(), listed.file.total()),
                order_of(listed.seats()),
                listed.name()
            ),
            Self::Cells(cells) => {
                let seats: Vec<&str> = cells.seats().iter().map(|seat| seat.name()).collect();
                format!(
                    "cells, {} cells ({}), T = {}",
                    thousands(cells.cells()),
                    seats.join(","),
                    thousands(cells.total())
                )
            }
        }
    }

    /// The part of a run's identity that describes a population with this base.
    pub(crate) fn identity(&self, is_exact: bool) -> PopulationIdentity {
        let (order, part, sampler) = match self {
            Self::EveryDeal => (String::new(), "", ""),
            Self::Listing(listed) => {
                let order = order_of(listed.seats());
                (order, &*listed.file.header().condition, "")
            }
            Self::Cells(cells) => (String::new(), cells.condition().text(), CELLS),
        };
        PopulationIdentity::new(order, part, sampler, is_exact)
    }

    /// T: the sum of the cases' weights, the ways of all cells, or the number of all deals.
    pub(super) fn total(&self) -> u128 {
        match self {
            Self::EveryDeal => DEALS,
            Self::Listing(listed) => listed.file.total(),
            Self::Cells(cells) => cells.total(),
        }
    }

    /// The number of cases, if the base has them.
    pub(super) fn cases(&self) -> Option<u128> {
        match self {
            Self::EveryDeal => None,
            Self::Listing(listed) => Some(listed.file.cases().into()),
            Self::Cells(cells) => Some(cells.cases()),
        }
    }

    /// The probability that a deal belongs to the base, as numerator and denominator; `None` with
    /// predealt cards, which leave it unknown.
    pub(super) fn probability(&self) -> Option<(u128, u128)> {
        match self {
            Self::EveryDeal => Some((1, 1)),
            Self::Listing(listed) if !listed.file.predeal().is_empty() => None,
            Self::Listing(listed) => {
                let hands = match listed.file.header().second {
                    Some(_) => choose(52, 13) * choose(39, 13),
                    None => choose(52, 13),
                };
                Some((listed.file.total(), hands))
            }
            Self::Cells(cells) => Some(cells.chance()),
        }
    }

    /// Properties that tests may use.
    pub(super) fn structure(&self) -> Structure {
        match self {
            Self::EveryDeal => Structure::EveryDeal,
            Self::Listing(listed) => {
                let (first, second) = listed.seats();
                Structure::Listing(first, second)
            }
            Self::Cells(cells) => {
                let rest = Seat::ALL.into_iter();
                Structure::Cells(rest.filter(|seat| !cells.seats().contains(seat)).collect())
            }
        }
    }

    /// The cards that the base treats as interchangeable within their suits; `None` for every
    /// deal, which has no condition.
    pub(super) fn exchangeable(&self) -> Option<Hand> {
        match self {
            Self::EveryDeal => None,
            Self::Listing(listed) => Some(listed.exchangeable()),
            Self::Cells(cells) => Some(cells.exchangeable()),
        }
    }
}

/// The size of a listing: `61,700,584 cases, T = 1,975,..`.
#[must_use]
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
    /// Draws from cells, which deal the rest of the deck to these seats.
    Cells(Vec<Seat>),
    /// Deals of an unknown condition under which the seats of each of these pairs are
    /// interchangeable.
    Unknown(Vec<[Seat; 2]>),
}

/// The part of a run's identity that describes its population, in addition to the condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PopulationIdentity {
    /// The listed seats, separated by a comma; empty without a listing.
    pub order: String,
    /// The part of the condition that the base satisfies, as a condition of its own; empty if there
    /// is no filter or the base is every deal.
    pub part: String,
    /// `cells` for cells, otherwise empty.
    pub sampler: String,
    /// Whether there is no filter.
    pub is_exact: bool,
}

impl PopulationIdentity {
    pub(crate) fn new(order: String, part: &str, sampler: &str, is_exact: bool) -> Self {
        let part = if is_exact { "" } else { part };
        Self {
            order,
            part: part.to_owned(),
            sampler: sampler.to_owned(),
            is_exact,
        }
    }
}

/// The name of rejection as a sampler, in `--explain`.
pub(crate) const REJECTION: &str = "rejection";

/// The name of listings as a sampler, in `--explain`.
pub(crate) const LISTING: &str = "listing";

/// The name of cells as a sampler, in a run's identity and in `--explain`.
pub(crate) const CELLS: &str = "cells";
