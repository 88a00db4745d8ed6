//! The deals of a condition: a base to draw from, and a filter for the rest.

use super::base::{
    Base, CELLS, LISTING, NUMBERS, PopulationIdentity, REJECTION, Structure, listing_size,
};
use super::cells::Cells;
use super::listings::{OpenListing, order_of};
use crate::bridge::combinatorics::{DEALS, ways_to_deal};
use crate::bridge::{Hand, Seat};
use crate::error::Error;
use crate::language::{Condition, EvaluationError, Expression};
use crate::printable::thousands;

/// The deals of a condition: a base to draw from, and a filter that each deal must pass.
#[derive(Debug)]
pub struct Population {
    /// The condition that all deals satisfy; `None` if every deal is wanted.
    condition: Option<Condition>,
    base: Base,
    filter: Vec<Expression>,
}

impl Population {
    /// Returns the population of all deals.
    pub fn every_deal() -> Self {
        Self::whole(None, Base::EveryDeal)
    }

    /// Returns all deals of a listing.
    pub fn of_listing(listed: OpenListing) -> Self {
        Self::whole(None, Base::Listing(Box::new(listed)))
    }

    /// Returns all deals of the cells.
    pub fn of_cells(cells: Cells) -> Self {
        let condition = cells.condition().clone();
        Self::whole(Some(condition), Base::Cells(Box::new(cells)))
    }

    fn whole(condition: Option<Condition>, base: Base) -> Self {
        let filter = Vec::new();
        Self {
            condition,
            base,
            filter,
        }
    }

    /// Returns the deals of a base that satisfy all terms of a filter. Base and filter together are
    /// equivalent to the condition.
    pub fn new(condition: Condition, base: Base, filter: Vec<Expression>) -> Self {
        Self {
            condition: Some(condition),
            base,
            filter,
        }
    }

    /// The condition that all deals satisfy; `None` if every deal is wanted, or for a case file.
    pub fn condition(&self) -> Option<&Condition> {
        self.condition.as_ref()
    }

    /// The base that deals are drawn from before the filter is applied.
    #[inline]
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The terms that are checked on each drawn deal, in order; empty if every drawn deal belongs
    /// to the population.
    #[inline]
    pub fn filter(&self) -> &[Expression] {
        &self.filter
    }

    /// Whether every deal drawn belongs to the population.
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.filter.is_empty()
    }

    /// Whether every deal is possible: there is neither a condition nor a filter.
    pub fn is_unconstrained(&self) -> bool {
        matches!(self.base, Base::EveryDeal) && self.is_exact()
    }

    /// The listing that deals are drawn from; `None` with another base.
    pub fn listing(&self) -> Option<&OpenListing> {
        match &self.base {
            Base::Listing(listed) => Some(listed),
            _ => None,
        }
    }

    /// The cells that deals are drawn from; `None` with another base.
    pub fn cells(&self) -> Option<&Cells> {
        match &self.base {
            Base::Cells(cells) => Some(cells),
            _ => None,
        }
    }

    /// The probability that a deal with the predealt cards belongs to the population, as numerator
    /// and denominator; `None` with a filter, which leaves it unknown.
    pub fn probability(&self) -> Option<(u128, u128)> {
        self.is_exact().then(|| self.base_probability())
    }

    /// The listed seats, separated by a comma; empty without a listing.
    pub fn order(&self) -> String {
        let listing = self.listing();
        listing.map_or_else(String::new, |listed| order_of(listed.seats()))
    }

    /// The part of a run's identity that describes this population.
    pub fn identity(&self) -> PopulationIdentity {
        self.base.identity(self.is_exact())
    }

    /// Converts an arithmetic error of the filter, and marks its place in the text of the
    /// condition.
    pub fn evaluation_error(&self, error: &EvaluationError) -> Error {
        match &self.condition {
            Some(condition) => condition.evaluation_error(error).into(),
            None => Error::condition(error.clone()),
        }
    }

    /// Checks that the listing's file was not modified since it was opened.
    ///
    /// # Errors
    ///
    /// If its size or the time of its last write differs.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        match self.listing() {
            Some(listed) if !listed.file.is_unchanged() => Err(Error::input(format!(
                "{} was modified during the run: no results are reported; rebuild it",
                listed.name()
            ))),
            _ => Ok(()),
        }
    }

    /// Attributes an error to a modified listing, and names its file.
    pub fn altered(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        let name = self.listing().map(OpenListing::name).unwrap_or_default();
        Error::input(error).context(format!(
            "{name} was modified after it was written: rebuild it"
        ))
    }
}

/// What depends on the base.
impl Population {
    /// The name of the sampler, as in `--explain --json`.
    pub fn sampler_name(&self) -> &'static str {
        match &self.base {
            Base::EveryDeal if self.is_exact() => "every deal",
            Base::EveryDeal => REJECTION,
            Base::Listing(_) => LISTING,
            Base::Cells(_) => CELLS,
            Base::Numbered(_) => NUMBERS,
        }
    }

    /// The sampler and its size in a line.
    pub fn description(&self) -> String {
        match &self.base {
            Base::EveryDeal if self.is_exact() => "every deal".to_owned(),
            Base::EveryDeal => "rejection from every deal".to_owned(),
            Base::Listing(listed) => format!(
                "listing, {} ({}), {}",
                listing_size(listed.file.cases(), listed.file.total()),
                order_of(listed.seats()),
                listed.name()
            ),
            Base::Cells(cells) => {
                let seats: Vec<&str> = cells.seats().iter().map(|seat| seat.name()).collect();
                format!(
                    "cells, {} cells ({}), T = {}",
                    thousands(cells.cells()),
                    seats.join(","),
                    thousands(cells.total())
                )
            }
            Base::Numbered(deals) => format!("numbers, {} deals", thousands(deals.total())),
        }
    }

    /// T of the base: the sum of the cases' weights, the ways of all cells, or the number of deals.
    pub fn total(&self) -> u128 {
        match &self.base {
            Base::EveryDeal => DEALS,
            Base::Listing(listed) => listed.file.total(),
            Base::Cells(cells) => cells.total(),
            Base::Numbered(deals) => deals.total(),
        }
    }

    /// The number of cases of the base, if it has them.
    pub fn cases(&self) -> Option<u128> {
        match &self.base {
            Base::EveryDeal | Base::Numbered(_) => None,
            Base::Listing(listed) => Some(listed.file.cases().into()),
            Base::Cells(cells) => Some(cells.cases()),
        }
    }

    /// The probability that a deal with the predealt cards belongs to the base, as numerator and
    /// denominator.
    pub fn base_probability(&self) -> (u128, u128) {
        match &self.base {
            Base::EveryDeal => (1, 1),
            Base::Listing(listed) => {
                let others = match listed.seats() {
                    (_, Some(_)) => [13, 13, 0, 0],
                    (_, None) => [13, 13, 13, 0],
                };
                (listed.file.total() * ways_to_deal(others), DEALS)
            }
            Base::Cells(cells) => cells.chance(),
            Base::Numbered(deals) => deals.probability(),
        }
    }

    /// Properties of the base that tests may use.
    pub fn structure(&self) -> Structure {
        match &self.base {
            Base::EveryDeal => Structure::EveryDeal,
            Base::Listing(listed) => {
                let (first, second) = listed.seats();
                Structure::Listing(first, second)
            }
            Base::Cells(cells) => {
                let missing = Seat::ALL.into_iter().zip(cells.missing());
                let rest = missing.filter(|(_, missing)| *missing == 13);
                Structure::Cells(rest.map(|(seat, _)| seat).collect())
            }
            Base::Numbered(deals) => Structure::Cells(deals.condition().unmentioned()),
        }
    }

    /// The cards that the base treats as interchangeable within their suits; `None` for the base of
    /// all deals, which has no condition.
    pub fn exchangeable(&self) -> Option<Hand> {
        match &self.base {
            Base::EveryDeal => None,
            Base::Listing(listed) => Some(listed.exchangeable()),
            Base::Cells(cells) => Some(cells.exchangeable()),
            Base::Numbered(deals) => {
                let groups = deals.counter().interchangeable();
                let most = groups.iter().filter_map(|of_suit| of_suit.first());
                Some(most.fold(Hand::EMPTY, |cards, group| cards.union(*group)))
            }
        }
    }
}
