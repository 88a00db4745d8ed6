//! The population that deals are drawn from: one type for every sampler.
//!
//! A [`Population`] has a *base* that deals are drawn from directly, and a *filter* that checks the
//! rest of the condition on each deal. The base is every deal, the cases of a listing (in a file or
//! in memory, possibly with predealt cards), or cells over suits. Dealers, theory, surveys and
//! expected laws are all built from a population: `Dealer::new`, `Theory::of`, `SurveyPlan::of`,
//! `Expected::of`.
//!
//! [`Listings`] makes listings and stores them: in memory, in a folder, or in the user's cache.

mod cache;
pub mod cases;
pub mod cells;
mod listings;

pub use cache::Pruned;
pub use listings::{
    CountedListing, DEFAULT_CACHE_LIMIT, Listings, OpenListing, order_of, seats_of, write_cases,
};

use crate::bridge::combinatorics::{DEALS, choose};
use crate::bridge::{Hand, Seat};
use crate::error::Error;
use crate::language::{Condition, EvaluationError, Expression};
use crate::population::cases::WatchError;
use crate::population::cells::Cells;

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
    /// The part of a run's identity that describes a population with this base.
    pub(crate) fn identity(&self, is_exact: bool) -> PopulationIdentity {
        let (order, part, sampler) = match self {
            Self::EveryDeal => (String::new(), "", ""),
            Self::Listing(listed) => {
                let order = order_of(listed.seats());
                (order, &*listed.file.header().condition, "")
            }
            Self::Cells(cells) => (String::new(), cells.condition().text(), FACTORED),
        };
        PopulationIdentity::new(order, part, sampler, is_exact)
    }
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
    /// `FACTORED` for cells, otherwise empty.
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

/// The name of cells as a sampler, in a run's identity and in `--explain`.
pub(crate) const FACTORED: &str = "factored";

/// The deals of a condition: a base to draw from, and a filter that each deal must pass.
///
/// # Examples
///
/// ```
/// use fairdeal::{Need, Script};
///
/// let script = Script::parse("example", "hcp(north) >= 37")?;
/// let population = script.population_for(Need::boards(1_000_000, None))?;
/// let (ways, of) = population.probability().expect("there is no filter");
/// assert_eq!(of / ways, 635_013_559_600 / 4);
/// # Ok::<(), fairdeal::Error>(())
/// ```
#[derive(Debug)]
pub struct Population {
    /// The condition that all deals satisfy; `None` if every deal is wanted.
    condition: Option<Condition>,
    base: Base,
    filter: Vec<Expression>,
}

impl Population {
    /// Returns the population of all deals.
    #[must_use]
    pub fn every_deal() -> Self {
        Self {
            condition: None,
            base: Base::EveryDeal,
            filter: Vec::new(),
        }
    }

    /// Returns all deals of a listing.
    #[must_use]
    pub(crate) fn of_listing(listed: OpenListing) -> Self {
        Self {
            condition: None,
            base: Base::Listing(Box::new(listed)),
            filter: Vec::new(),
        }
    }

    /// Returns all deals of the cells.
    #[must_use]
    pub(crate) fn of_cells(cells: Cells) -> Self {
        Self {
            condition: Some(cells.condition().clone()),
            base: Base::Cells(Box::new(cells)),
            filter: Vec::new(),
        }
    }

    /// Returns the deals of a base that satisfy all terms of a filter. Base and filter together are
    /// equivalent to the condition.
    #[must_use]
    pub(crate) fn new(condition: Condition, base: Base, filter: Vec<Expression>) -> Self {
        Self {
            condition: Some(condition),
            base,
            filter,
        }
    }

    /// The condition that all deals satisfy; `None` if every deal is wanted, or for a case file.
    #[must_use]
    pub(crate) fn condition(&self) -> Option<&Condition> {
        self.condition.as_ref()
    }

    /// The base that deals are drawn from before the filter is applied.
    #[must_use]
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The terms that are checked on each drawn deal, in order; empty if every drawn deal belongs
    /// to the population.
    #[must_use]
    pub(crate) fn filter(&self) -> &[Expression] {
        &self.filter
    }

    /// Whether every deal drawn belongs to the population.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.filter.is_empty()
    }

    /// The name of the sampler, as in `--explain --json`.
    pub(crate) fn sampler_name(&self) -> &'static str {
        match (&self.base, self.is_exact()) {
            (Base::EveryDeal, true) => "every deal",
            (Base::EveryDeal, false) => "reject",
            (Base::Listing(_), _) => "cases",
            (Base::Cells(_), _) => FACTORED,
        }
    }

    /// The listing that deals are drawn from; `None` with another base.
    #[must_use]
    pub(crate) fn listing(&self) -> Option<&OpenListing> {
        match &self.base {
            Base::Listing(listed) => Some(listed),
            _ => None,
        }
    }

    /// The cells that deals are drawn from; `None` with another base.
    #[must_use]
    pub(crate) fn cells(&self) -> Option<&Cells> {
        match &self.base {
            Base::Cells(cells) => Some(cells),
            _ => None,
        }
    }

    /// T of the base: the sum of the cases' weights, the ways of all cells, or the number of all
    /// deals.
    #[must_use]
    pub fn total(&self) -> u128 {
        match &self.base {
            Base::EveryDeal => DEALS,
            Base::Listing(listed) => listed.file.total(),
            Base::Cells(cells) => cells.total(),
        }
    }

    /// The probability that a deal belongs to the population, as numerator and denominator; `None`
    /// with a filter or predealt cards, which leave it unknown.
    #[must_use]
    pub fn probability(&self) -> Option<(u128, u128)> {
        self.base_probability().filter(|_| self.is_exact())
    }

    /// The probability that a deal belongs to the base, as numerator and denominator; `None` with
    /// predealt cards, which leave it unknown.
    #[must_use]
    pub(crate) fn base_probability(&self) -> Option<(u128, u128)> {
        if self.has_fixed_cards() {
            return None;
        }
        Some(match &self.base {
            Base::EveryDeal => (1, 1),
            Base::Listing(listed) => {
                let hands = match listed.file.header().second {
                    Some(_) => choose(52, 13) * choose(39, 13),
                    None => choose(52, 13),
                };
                (listed.file.total(), hands)
            }
            Base::Cells(cells) => cells.chance(),
        })
    }

    /// Whether some cards are predealt. Theory and tests do not support predealt cards.
    #[must_use]
    pub(crate) fn has_fixed_cards(&self) -> bool {
        let listing = self.listing();
        listing.is_some_and(|listed| !listed.file.predeal().is_empty())
    }

    /// Properties of the base that tests may use.
    #[must_use]
    pub(crate) fn structure(&self) -> Structure {
        match &self.base {
            Base::EveryDeal => Structure::EveryDeal,
            Base::Listing(listed) => {
                let (first, second) = listed.seats();
                Structure::Listing(first, second)
            }
            Base::Cells(cells) => {
                let rest = Seat::ALL.into_iter();
                Structure::Cells(rest.filter(|seat| !cells.seats().contains(seat)).collect())
            }
        }
    }

    /// The cards that the base treats as interchangeable within their suits; `None` for the base of
    /// all deals, which has no condition.
    #[must_use]
    pub(crate) fn exchangeable(&self) -> Option<Hand> {
        match &self.base {
            Base::EveryDeal => None,
            Base::Listing(listed) => Some(listed.exchangeable()),
            Base::Cells(cells) => Some(cells.exchangeable()),
        }
    }

    /// The listed seats, separated by a comma; empty without a listing.
    #[must_use]
    pub fn order(&self) -> String {
        let listing = self.listing();
        listing.map_or_else(String::new, |listed| order_of(listed.seats()))
    }

    /// The part of a run's identity that describes this population.
    #[must_use]
    pub fn identity(&self) -> PopulationIdentity {
        self.base.identity(self.is_exact())
    }

    /// Converts an arithmetic error of the filter, and marks its place in the text of the
    /// condition.
    #[must_use]
    pub fn evaluation_error(&self, error: &EvaluationError) -> Error {
        match &self.condition {
            Some(condition) => condition.evaluation_error(error).into(),
            None => Error::condition(error.clone()),
        }
    }

    /// Checks that the listing's file has not changed since it was opened ([`cases::Watch`]).
    ///
    /// # Errors
    ///
    /// [`WatchError`] if the file disappeared, cannot be read, or was replaced or modified.
    pub(crate) fn check_unchanged(&self) -> Result<(), WatchError> {
        match self.listing() {
            Some(listed) => listed.file.check_unchanged(),
            None => Ok(()),
        }
    }

    /// Checks by the checksum that the listing's records are still those its header was written
    /// for.
    ///
    /// # Errors
    ///
    /// If the checksum does not match.
    pub fn check_records(&self) -> Result<(), Error> {
        match self.listing() {
            Some(listed) if !listed.file.records_are_sound() => Err(Error::input(format!(
                "{} was modified during the run: no results are reported; rebuild it",
                listed.name()
            ))),
            _ => Ok(()),
        }
    }

    /// Attributes an error to a modified listing, and names its file.
    pub(crate) fn altered(
        &self,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        let name = self.listing().map(OpenListing::name).unwrap_or_default();
        Error::input(error).context(format!(
            "{name} was modified after it was written: rebuild it"
        ))
    }
}
