//! The chosen sampler, its reasons, and the preparation of its population.

use super::pilot::Pilot;
use super::search::{Attempt, FoundBase, SearchResult};
use crate::error::{Error, Remedy};
use crate::language::{Condition, ConditionError, Expression};
use crate::observer::Observer;
use crate::population::cases::{self, Division, ListedPart, ListingError};
use crate::population::cells::{Cells, CellsError};
use crate::population::{
    Base, CountedListing, Listings, OpenListing, Population, PopulationIdentity, order_of,
};

/// The source of the deals.
#[derive(Debug)]
pub enum PopulationSource {
    /// A base that can be drawn from.
    Ready(Base),
    /// A listing that has been counted and not yet written.
    Listing(Box<ListedPart>),
}

impl From<FoundBase> for PopulationSource {
    fn from(found: FoundBase) -> Self {
        match found {
            FoundBase::Cells(cells) => Self::Ready(Base::Cells(cells)),
            FoundBase::Listing(part) => Self::Listing(part),
        }
    }
}

/// The sampler chosen for a request.
#[derive(Debug)]
pub struct SamplerChoice {
    /// The source of the deals.
    pub source: PopulationSource,
    /// The terms of the filter, in the order of the text; empty if every deal drawn satisfies the
    /// condition.
    pub filter: Vec<Expression>,
    /// The reasons for the choice.
    pub reasons: Reasons,
}

/// The reasons for a choice, and the alternatives considered.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// The reason in a sentence.
    pub why: String,
    /// The source's share of all deals around the predealt cards, if it was counted.
    pub share: Option<f64>,
    /// The last pilot sample of rejection, if one was drawn.
    pub pilot: Option<Pilot>,
    /// Attempts to make cells, in order.
    pub attempts: Vec<Attempt>,
    /// Listings that were counted, the cheapest first.
    pub listings: Vec<cases::Candidate>,
}

/// Why no sampler can be chosen.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ChoiceError {
    /// No deal satisfies the condition, or the requested listing is not possible.
    #[error(transparent)]
    Listing(#[from] ListingError),
    /// The arithmetic fails for some deal.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// Cells were requested and cannot be made.
    #[error("the condition has no cells ({0})")]
    NoCells(CellsError),
}

impl ChoiceError {
    pub(super) fn of(condition: &Condition, why: CellsError) -> Self {
        match why {
            CellsError::NoDeal => ListingError::NoDeal.into(),
            CellsError::Arithmetic(error) => condition.evaluation_error(&error).into(),
            why => Self::NoCells(why),
        }
    }
}

impl SamplerChoice {
    /// Returns the choice of a division into a listing and a filter.
    #[must_use]
    pub(crate) fn of_division(division: Division, why: String) -> Self {
        Self {
            source: match division.listed {
                Some(part) => PopulationSource::Listing(Box::new(part)),
                None => PopulationSource::Ready(Base::EveryDeal),
            },
            filter: division.filter,
            reasons: Reasons {
                why,
                share: Some(division.share),
                listings: division.considered,
                ..Reasons::default()
            },
        }
    }

    pub(super) fn of_found(found: SearchResult, why: String) -> Self {
        Self {
            reasons: Reasons {
                why,
                share: Some(found.share),
                ..Reasons::default()
            },
            source: found.base.into(),
            filter: found.filter,
        }
    }

    pub(super) fn of_cells(cells: Cells, why: String) -> Self {
        Self {
            reasons: Reasons {
                why,
                share: Some(cells.share()),
                ..Reasons::default()
            },
            source: PopulationSource::Ready(Base::Cells(Box::new(cells))),
            filter: Vec::new(),
        }
    }

    /// Returns the choice of an existing listing.
    #[must_use]
    pub(crate) fn of_listed(listed: OpenListing, why: &str) -> Self {
        Self {
            source: PopulationSource::Ready(Base::Listing(Box::new(listed))),
            filter: Vec::new(),
            reasons: Reasons {
                why: why.to_owned(),
                ..Reasons::default()
            },
        }
    }

    pub(super) fn after(mut self, pilot: Pilot, attempts: Vec<Attempt>) -> Self {
        self.reasons.pilot = Some(pilot);
        self.reasons.attempts = attempts;
        self
    }

    /// Returns the identity of the population, for the record of a run.
    #[must_use]
    pub(crate) fn identity(&self) -> PopulationIdentity {
        let is_exact = self.filter.is_empty();
        match &self.source {
            PopulationSource::Ready(base) => base.identity(is_exact),
            PopulationSource::Listing(part) => {
                let order = order_of(part.listing.seats());
                PopulationIdentity::new(order, part.condition.text(), "", is_exact)
            }
        }
    }

    /// Prepares the population: writes the chosen listing unless it is in the cache.
    ///
    /// # Errors
    ///
    /// If a listing cannot be made.
    pub(crate) fn population(
        self,
        condition: &Condition,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Population, Error> {
        let base = match self.source {
            PopulationSource::Ready(base) => base,
            PopulationSource::Listing(part) => {
                let counted = CountedListing {
                    listing: part.listing,
                    census: part.census,
                };
                let listed = listings.make(&part.condition, &counted, observer)?;
                Base::Listing(Box::new(listed))
            }
        };
        Ok(Population::new(condition.clone(), base, self.filter))
    }
}

impl From<ChoiceError> for Error {
    fn from(error: ChoiceError) -> Self {
        match error {
            ChoiceError::Listing(error) => error.into(),
            ChoiceError::Condition(error) => error.into(),
            ChoiceError::NoCells(_) => Self::input(error).with_remedy(Remedy::ChooseSampler),
        }
    }
}
