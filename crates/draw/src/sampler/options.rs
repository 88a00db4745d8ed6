//! The options of a request for a sampler.

use serde::{Deserialize, Serialize};

use super::cost::RequestPurpose;
use crate::bridge::Seat;
use crate::error::{Error, Remedy};
use crate::language::{Condition, FixedProperties, Scenario};
use crate::population::cases::DEFAULT_MAX_CASES;

/// The purpose and number of the deals of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workload {
    /// Number of deals that satisfy the condition.
    pub deals: u64,
    /// Maximum number of deals that rejection draws, if there is one.
    pub draws: Option<u64>,
    /// The purpose.
    pub purpose: RequestPurpose,
}

impl Workload {
    /// The workload of boards to be written, from at most `draws` deals drawn.
    pub fn boards(deals: u64, draws: Option<u64>) -> Self {
        let purpose = RequestPurpose::Boards;
        Self {
            deals,
            draws,
            purpose,
        }
    }

    /// The workload of deals to be counted and tested.
    pub fn statistics(deals: u64) -> Self {
        Self {
            deals,
            draws: None,
            purpose: RequestPurpose::Statistics,
        }
    }
}

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
    /// Numbered deals of the whole condition.
    Numbers,
    /// All deals and a filter.
    Rejection,
    /// A listing, cells or numbered deals of the whole condition, for exact laws; rejection if none
    /// is found within a fixed budget.
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

/// The inputs of the choice of a sampler beside the condition, and its outcome: with them, an
/// earlier run is drawn again without a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planning {
    /// The options.
    #[serde(flatten)]
    pub sampling: Sampling,
    /// The need.
    #[serde(flatten)]
    pub workload: Workload,
    /// The properties of hands by which the base expresses a part of the condition, and a filter
    /// the rest; `None` if the base expresses the whole condition.
    #[serde(deserialize_with = "Option::deserialize")]
    pub fixed: Option<FixedProperties>,
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
    pub fn by(method: SamplerMethod) -> Self {
        Self {
            method,
            ..Self::default()
        }
    }

    /// Returns the options for deals with a planted defect, if there is one. Defects are planted in
    /// cases, so the whole condition is listed unless a sampler is requested.
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
