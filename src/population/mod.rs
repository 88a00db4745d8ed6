//! What deals are drawn from: one type for every kind of population.
//!
//! A [`Population`] is a *base* that can be drawn from directly, and a *filter* for the rest of the
//! condition. The base is every deal, the cases of a listing (in a file or in memory, perhaps
//! around fixed cards), or cells over suits. Dealers, theory, surveys and expected laws are all made
//! of a population: `Dealer::new`, `Theory::of`, `SurveyPlan::of`, `Expected::of`.
//!
//! [`Listings`] makes listings and keeps them: in memory, in a folder, or in the user's cache.

mod cache;
pub mod cases;
pub mod cells;
mod listings;

pub use cache::Pruned;
pub use listings::{
    Counted, DEFAULT_CACHE_LIMIT, Listed, Listings, order_of, seats_of, write_cases,
};

use crate::bridge::combinatorics::{DEALS, choose};
use crate::bridge::{Hand, Seat};
use crate::error::Error;
use crate::language::{Condition, EvaluationError, Expression};
use crate::population::cases::WatchError;
use crate::population::cells::Cells;

/// What deals are drawn from before the filter.
#[derive(Debug)]
pub enum Base {
    /// Every deal there is.
    EveryDeal,
    /// The cases of a listing.
    Listed(Box<Listed>),
    /// Cells over suits.
    Factored(Box<Cells>),
}

/// What tests may know of a population before any deal is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure {
    /// Any deal may come.
    EveryDeal,
    /// Draws from the cases of a listing of these seats.
    Listed(Seat, Option<Seat>),
    /// Draws from cells, which leave the rest of the deck to these seats.
    Factored(Vec<Seat>),
    /// Deals of an unknown condition, which treats these pairs of seats alike.
    Unknown(Vec<[Seat; 2]>),
}

/// What a run's identity says of its population beside the condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PopulationIdentity {
    /// The seats that are listed, separated by a comma; empty where nothing is.
    pub order: String,
    /// What of the condition the base stands for, as a condition of its own; empty if that is all or
    /// nothing.
    pub part: String,
    /// [`FACTORED`] for cells, otherwise empty.
    pub sampler: String,
    /// Whether there is no filter.
    pub is_exact: bool,
}

/// The name of a base of cells in a run's identity.
pub const FACTORED: &str = "factored";

/// What deals are drawn from, and what is asked of each.
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
    /// The condition of all deals; none where every deal is wanted.
    condition: Option<Condition>,
    base: Base,
    filter: Vec<Expression>,
}

impl Population {
    /// Every deal there is.
    #[must_use]
    pub fn every_deal() -> Self {
        Self {
            condition: None,
            base: Base::EveryDeal,
            filter: Vec::new(),
        }
    }

    /// All deals of a listing.
    #[must_use]
    pub fn listed(listed: Listed) -> Self {
        Self {
            condition: None,
            base: Base::Listed(Box::new(listed)),
            filter: Vec::new(),
        }
    }

    /// All deals of some cells.
    #[must_use]
    pub fn factored(cells: Cells) -> Self {
        Self {
            condition: Some(cells.condition().clone()),
            base: Base::Factored(Box::new(cells)),
            filter: Vec::new(),
        }
    }

    /// The deals of a base that satisfy all terms of a filter: together, those of a condition.
    #[must_use]
    pub fn new(condition: Condition, base: Base, filter: Vec<Expression>) -> Self {
        Self {
            condition: Some(condition),
            base,
            filter,
        }
    }

    /// The condition of all deals; none where every deal is wanted, and of a case file.
    #[must_use]
    pub fn condition(&self) -> Option<&Condition> {
        self.condition.as_ref()
    }

    /// What deals are drawn from before the filter.
    #[must_use]
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The terms that every deal drawn is asked, in order; empty if all that are drawn belong to
    /// the population.
    #[must_use]
    pub fn filter(&self) -> &[Expression] {
        &self.filter
    }

    /// Whether every deal drawn belongs to the population.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.filter.is_empty()
    }

    /// The listing that deals are drawn from, if they are.
    #[must_use]
    pub fn listing(&self) -> Option<&Listed> {
        match &self.base {
            Base::Listed(listed) => Some(listed),
            _ => None,
        }
    }

    /// The cells that deals are drawn from, if they are.
    #[must_use]
    pub fn cells(&self) -> Option<&Cells> {
        match &self.base {
            Base::Factored(cells) => Some(cells),
            _ => None,
        }
    }

    /// T of the base: the sum of the cases' weights, the ways of all cells, or the number of all
    /// deals.
    #[must_use]
    pub fn total(&self) -> u128 {
        match &self.base {
            Base::EveryDeal => DEALS,
            Base::Listed(listed) => listed.file.total(),
            Base::Factored(cells) => cells.total(),
        }
    }

    /// The probability that a deal belongs to the population, as numerator and denominator; `None`
    /// where a filter or fixed cards leave it unknown.
    #[must_use]
    pub fn probability(&self) -> Option<(u128, u128)> {
        self.base_probability().filter(|_| self.is_exact())
    }

    /// The probability that a deal belongs to the population before its filter, as numerator and
    /// denominator; `None` where fixed cards leave it unknown.
    #[must_use]
    pub fn base_probability(&self) -> Option<(u128, u128)> {
        if self.has_fixed_cards() {
            return None;
        }
        Some(match &self.base {
            Base::EveryDeal => (1, 1),
            Base::Listed(listed) => {
                let hands = match listed.file.header().second {
                    Some(_) => choose(52, 13) * choose(39, 13),
                    None => choose(52, 13),
                };
                (listed.file.total(), hands)
            }
            Base::Factored(cells) => cells.chance(),
        })
    }

    /// Whether some cards are fixed before any are dealt. Theory and tests do not follow them.
    #[must_use]
    pub fn has_fixed_cards(&self) -> bool {
        let listing = self.listing();
        listing.is_some_and(|listed| !listed.file.predeal().is_empty())
    }

    /// What tests may know of the base.
    #[must_use]
    pub fn structure(&self) -> Structure {
        match &self.base {
            Base::EveryDeal => Structure::EveryDeal,
            Base::Listed(listed) => {
                let (first, second) = listed.seats();
                Structure::Listed(first, second)
            }
            Base::Factored(cells) => {
                let rest = Seat::ALL.into_iter();
                Structure::Factored(rest.filter(|seat| !cells.seats().contains(seat)).collect())
            }
        }
    }

    /// Cards that are alike within their suits to whatever the base asks of deals; `None` of every
    /// deal, which asks nothing.
    #[must_use]
    pub fn exchangeable(&self) -> Option<Hand> {
        match &self.base {
            Base::EveryDeal => None,
            Base::Listed(listed) => Some(listed.exchangeable()),
            Base::Factored(cells) => Some(cells.alike()),
        }
    }

    /// The seats that are listed, separated by a comma; empty where nothing is.
    #[must_use]
    pub fn order(&self) -> String {
        let listing = self.listing();
        listing.map_or_else(String::new, |listed| order_of(listed.seats()))
    }

    /// What a run's identity says of it.
    #[must_use]
    pub fn identity(&self) -> PopulationIdentity {
        let (part, sampler) = match &self.base {
            Base::EveryDeal => ("", ""),
            Base::Listed(listed) => (&*listed.file.header().condition, ""),
            Base::Factored(cells) => (cells.condition().text(), FACTORED),
        };
        PopulationIdentity {
            order: self.order(),
            part: match self.is_exact() {
                true => String::new(),
                false => part.to_owned(),
            },
            sampler: sampler.to_owned(),
            is_exact: self.is_exact(),
        }
    }

    /// An error of the filter's arithmetic, shown in the text of the condition.
    #[must_use]
    pub fn evaluation_error(&self, error: &EvaluationError) -> Error {
        match &self.condition {
            Some(condition) => condition.evaluation_error(error).into(),
            None => Error::condition(error.clone()),
        }
    }

    /// Checks that the file of the listing is what it was when it was opened, by its time stamps.
    ///
    /// # Errors
    ///
    /// [`WatchError`] if it vanished, was replaced or altered.
    pub fn check_unchanged(&self) -> Result<(), WatchError> {
        match self.listing() {
            Some(listed) => listed.file.check_unchanged(),
            None => Ok(()),
        }
    }

    /// Checks that deals came from the records that the listing had when it was opened, by their
    /// checksum.
    ///
    /// # Errors
    ///
    /// If they did not.
    pub fn check_records(&self) -> Result<(), Error> {
        match self.listing() {
            Some(listed) if !listed.file.records_are_sound() => Err(Error::input(format!(
                "{} was modified during the run: no results are reported; rebuild it",
                listed.name()
            ))),
            _ => Ok(()),
        }
    }

    /// An error that an altered listing explains, with the name of its file.
    pub(crate) fn altered(
        &self,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        let name = self.listing().map(Listed::name).unwrap_or_default();
        Error::input(error).context(format!(
            "{name} was modified after it was written: rebuild it"
        ))
    }
}
