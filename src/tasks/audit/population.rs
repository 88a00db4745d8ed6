//! The population of audited deals, and the laws that they are compared with.

use std::sync::Arc;

use super::super::prepare::{ConditionInput, Prepared};
use crate::battery::Expected;
use crate::bridge::{Hand, Seat};
use crate::error::{Error, Remedy};
use crate::language::Condition;
use crate::observer::{Observer, Stage, during};
use crate::population::cells::CellsError;
use crate::population::{Base, Listings, Population};
use crate::sampler::{SamplerMethod, Sampling, Workload};
use crate::theory::TheoryError;

/// The condition that audited deals should satisfy.
#[derive(Debug)]
pub enum AuditCondition {
    /// None: all deals are possible.
    None,
    /// A known condition.
    Known {
        /// The condition.
        input: Box<ConditionInput>,
        /// How to find its exact tables.
        sampling: Sampling,
        /// Number of deals that justifies the cost of preparing these tables:
        /// [`LONG_RUN`](crate::sampler::LONG_RUN) allows tables that take minutes.
        deals: u64,
    },
    /// An unknown condition on suit lengths and honours, in which these pairs of seats are
    /// interchangeable.
    Unknown(Vec<[Seat; 2]>),
}

/// The population of the audited deals.
#[derive(Debug)]
pub(super) enum AuditedPopulation {
    EveryDeal(Population),
    /// The expected values are there if the choice of the population needed them.
    Condition(Box<Prepared>, Option<Arc<Expected>>),
    Unknown(Vec<[Seat; 2]>),
}

/// What is known about the population of the audited deals.
#[derive(Clone, Debug)]
pub(super) struct Audited<'p> {
    pub(super) laws: ComparedLaws<'p>,
    /// The condition, if it is known.
    pub(super) condition: Option<&'p Condition>,
    /// The cache of perfect sets.
    pub(super) kept: Option<&'p Listings>,
}

/// Laws that the deals are compared with.
#[derive(Clone, Debug)]
pub(super) enum ComparedLaws<'p> {
    /// Exact tables of a population without a filter, and its expected values if they are known.
    Exact(&'p Population, Option<Arc<Expected>>),
    /// Laws of any condition that does not distinguish certain cards and seats.
    Symmetry {
        /// Cards that the condition does not distinguish within their suit.
        exchangeable: Hand,
        /// Pairs of interchangeable seats.
        alike: Vec<[Seat; 2]>,
        /// Why there are no exact tables.
        why: String,
    },
}

impl AuditedPopulation {
    pub(super) fn new(
        condition: AuditCondition,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        Ok(match condition {
            AuditCondition::None => Self::EveryDeal(Population::every_deal()),
            AuditCondition::Unknown(alike) => Self::Unknown(alike),
            AuditCondition::Known {
                mut input,
                sampling,
                deals,
            } => {
                if let ConditionInput::Script(script) = &mut *input {
                    let message = "an audit cannot check `rnd`";
                    let label = "drawn for each deal, and not recorded with it";
                    if let Some(error) = script.condition.error_at_draw(message, label) {
                        return Err(error.into());
                    }
                    // For deals from elsewhere, fixed cards are ordinary terms of the condition.
                    script.condition = script.condition.without_predeal()?;
                }
                let workload = |_: &_| Workload::statistics(deals);
                let mut prepared = Prepared::new(*input, &sampling, workload, listings, observer)?;
                let mut expected = None;
                if matches!(prepared.population.base(), Base::Numbered(_)) {
                    let of_numbers = || Expected::of(&prepared.population);
                    expected = Some(during(observer, Stage::Theory, of_numbers));
                }
                // The tables of numbered deals may take longer than was estimated.
                if matches!(expected, Some(Err(TheoryError::TooLong))) {
                    let input = ConditionInput::Script(Box::new(prepared.script));
                    let rejection = Sampling {
                        method: SamplerMethod::Rejection,
                        ..sampling
                    };
                    prepared = Prepared::new(input, &rejection, workload, listings, observer)?;
                    prepared.reasons.why = TheoryError::TooLong.to_string();
                }
                if !prepared.population.is_exact() {
                    let why = &prepared.reasons.why;
                    let warning = format!(
                        "no exact tables for this condition ({why}): only tests that need none are \
                         made"
                    );
                    match *why == CellsError::OverBudget.to_string() {
                        true => observer.advise(&warning, &Remedy::NoLimit),
                        false => observer.warn(&warning),
                    }
                }
                let expected = expected.and_then(Result::ok).map(Arc::new);
                Self::Condition(Box::new(prepared), expected)
            }
        })
    }

    pub(super) fn audited<'p>(&'p self, kept: &'p Listings) -> Audited<'p> {
        let audited = match self {
            Self::EveryDeal(population) => Audited {
                laws: ComparedLaws::Exact(population, None),
                condition: None,
                kept: None,
            },
            Self::Condition(prepared, expected) => {
                let condition = &prepared.script.condition;
                let mut audited =
                    Audited::of(&prepared.population, condition, &prepared.reasons.why);
                if let ComparedLaws::Exact(_, known) = &mut audited.laws {
                    known.clone_from(expected);
                }
                audited
            }
            Self::Unknown(alike) => Audited {
                laws: ComparedLaws::Symmetry {
                    exchangeable: Hand::SPOTS,
                    alike: alike.clone(),
                    why: "the condition is unknown".to_owned(),
                },
                condition: None,
                kept: None,
            },
        };
        Audited {
            kept: Some(kept),
            ..audited
        }
    }
}

impl<'p> Audited<'p> {
    /// Deals of a population that satisfy this condition; `why` explains its filter, if it has one.
    pub(super) fn of(population: &'p Population, condition: &'p Condition, why: &str) -> Self {
        let laws = match population.is_exact() {
            true => ComparedLaws::Exact(population, None),
            false => ComparedLaws::Symmetry {
                exchangeable: condition.exchangeable(),
                alike: Seat::pairs_of(&condition.unmentioned()),
                why: why.to_owned(),
            },
        };
        Self {
            laws,
            condition: Some(condition),
            kept: None,
        }
    }

    /// The population whose exact tables are known, if any.
    pub(super) fn population(&self) -> Option<&'p Population> {
        match self.laws {
            ComparedLaws::Exact(population, _) => Some(population),
            ComparedLaws::Symmetry { .. } => None,
        }
    }
}
