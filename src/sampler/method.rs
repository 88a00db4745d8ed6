//! Requested samplers, and the preparation of the chosen population.

use serde::{Deserialize, Serialize};

use super::choose::{Need, PopulationSource, SamplerChoice, choose};
use crate::bridge::Seat;
use crate::error::{Error, Remedy};
use crate::language::{Condition, Plan, Scenario};
use crate::observer::{Observer, during};
use crate::population::cases::DEFAULT_MAX_CASES;
use crate::population::{Base, CountedListing, Listings, Population, PopulationIdentity, order_of};

/// The requested sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SamplerMethod {
    /// The sampler with the lowest cost.
    #[default]
    Auto,
    /// A listing of the whole condition.
    Listing,
    /// Cells of as much of the condition as they can express, and a filter for the rest.
    Cells,
    /// All deals and a filter.
    Rejection,
    /// A listing or cells of the whole condition, for exact laws; rejection if neither is found
    /// within a fixed budget.
    Exact,
}

/// Options for the choice of a sampler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampling {
    /// The sampler.
    pub method: SamplerMethod,
    /// The order of the listed hands, if a listing is requested.
    pub order: Option<Vec<Seat>>,
    /// Maximum number of cases of a listing.
    pub max_cases: u64,
}

/// The inputs of the choice of a sampler beside the condition: with them, the choice is made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planning {
    /// The options.
    #[serde(flatten)]
    pub sampling: Sampling,
    /// The need.
    #[serde(flatten)]
    pub need: Need,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            method: SamplerMethod::Auto,
            order: None,
            max_cases: DEFAULT_MAX_CASES,
        }
    }
}

impl Sampling {
    /// Returns this sampler with default options.
    #[must_use]
    pub fn by(method: SamplerMethod) -> Self {
        Self {
            method,
            ..Self::default()
        }
    }

    /// Returns the options for deals with a planted defect, if there is one. Defects are planted in
    /// cases, so the whole condition is listed unless a sampler is requested.
    #[must_use]
    pub fn with_defect(&self, has_defect: bool) -> Self {
        match self.method {
            SamplerMethod::Auto if has_defect => Self {
                method: SamplerMethod::Listing,
                ..self.clone()
            },
            _ => self.clone(),
        }
    }

    /// Rejects an order for a case file, because a case file has its own.
    ///
    /// # Errors
    ///
    /// If an order is requested.
    pub fn refuse_order(&self) -> Result<(), Error> {
        match self.order {
            Some(_) => {
                Err(Error::usage("a case file has its own order").with_remedy(Remedy::NoOrder))
            }
            None => Ok(()),
        }
    }

    /// Chooses a sampler. Nothing is written: [`SamplerChoice::population`] prepares the population.
    ///
    /// # Errors
    ///
    /// If no deal is found to satisfy the condition, its arithmetic fails for a sampled deal, or the
    /// requested sampler is not possible.
    pub(crate) fn choose(
        &self,
        condition: &Condition,
        need: Need,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<SamplerChoice, Error> {
        let order = self.order.as_deref();
        let is_listed = self.lists_whole(condition);
        if is_listed
            && matches!(Plan::new(condition, order), Ok(Plan::Listed { .. }))
            && let Ok(Some(kept)) = listings.find(condition, order, self.max_cases)
        {
            let why = "an existing listing covers the whole condition";
            return Ok(SamplerChoice::of_listed(kept, why));
        }
        let stage = if is_listed { "count" } else { "plan" };
        Ok(during(observer, stage, || choose(condition, self, need))?)
    }

    /// Whether the whole condition is listed, whatever that costs.
    pub(super) fn lists_whole(&self, condition: &Condition) -> bool {
        match self.method {
            SamplerMethod::Listing => true,
            SamplerMethod::Exact => self.order.is_some() || self.is_of_scenario(condition),
            _ => false,
        }
    }

    /// Whether this samples a scenario in the order that the program chooses.
    pub(super) fn is_of_scenario(&self, condition: &Condition) -> bool {
        self.order.is_none() && Scenario::has_condition(condition)
    }
}

impl SamplerChoice {
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
