//! Explains how a run would find its deals, without running it.

use std::time::Instant;

use serde::Serialize;

use super::super::prepare::{ConditionInput, Prepared, workload_of_run};
use super::super::random::RandomWords;
use super::RunRequest;
use crate::bridge::Seat;
use crate::draw::{DealScratch, DealSource as _, Dealer, Seeded};
use crate::error::Error;
use crate::filter::{self, Filter};
use crate::language::FixedProperties;
use crate::observer::Observer;
use crate::population::cases::{Candidate, CaseBytes};
use crate::population::cells::{Cells, CellsError};
use crate::population::{
    LISTING, Listings, NUMBERS, OpenListing, Population, REJECTION, listing_size,
};
use crate::printable::thousands;
use crate::report::decimal;
use crate::sampler::{Attempt, AttemptOutcome, Pilot, Price};

/// Number of deals drawn to estimate the acceptance rate of a filter.
const SAMPLE: u64 = 1 << 20;

/// Maximum number of listings in an explanation.
const LISTINGS_TOLD: usize = 8;

/// The sampler, the filter and its acceptance rate.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The sampler: `listing`, `cells`, `numbers`, `rejection` or `every deal`.
    pub sampler: &'static str,
    /// The reason in a sentence.
    pub why: String,
    /// Seconds to choose the sampler.
    pub planning_seconds: f64,
    /// The cells that deals are drawn from, if any.
    pub cells: Option<ExplainedCells>,
    /// The listing that deals are drawn from, if any.
    pub listed: Option<ExplainedListing>,
    /// The inverse of the population's share of all deals; `None` if it was not counted.
    pub one_deal_in: Option<f64>,
    /// Whether that share is of the deals with the fixed cards instead of all deals.
    pub predealt: bool,
    /// The terms that the filter checks on every deal.
    pub filter: Vec<String>,
    /// The acceptance rate of the filter; `None` without a filter, when every deal is accepted.
    pub acceptance: Option<Acceptance>,
    /// The samplers that were considered.
    pub considered: Vec<Considered>,
}

/// A listing that deals are drawn from.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedListing {
    /// What is listed, as a condition.
    pub condition: String,
    /// The seats, separated by a comma.
    pub order: String,
    /// The number of cases.
    pub cases: u64,
    /// Total weight T, the number of deals.
    #[serde(serialize_with = "decimal")]
    pub total: u128,
    /// Path of the file.
    pub file: String,
    /// Its price.
    pub price: Price,
}

/// Cells that deals are drawn from.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedCells {
    /// The condition that the cells represent.
    pub condition: String,
    /// The seats whose hands are dealt from cells.
    pub hands: Vec<&'static str>,
    /// Number of combinations of shapes of all these hands.
    pub shapes: usize,
    /// The number of cells.
    pub cells: u64,
    /// Number of cases that a listing of these hands would have.
    #[serde(serialize_with = "decimal")]
    pub cases: u128,
    /// Total weight T, the number of deals.
    #[serde(serialize_with = "decimal")]
    pub total: u128,
    /// Seconds to make the sampling lists.
    pub seconds: f64,
    /// Size of the sampling lists, in bytes.
    pub bytes: usize,
    /// The price of these cells.
    pub price: Price,
    /// The price of a listing of the same hands; `None` if a listing cannot hold them.
    pub price_of_listing: Option<Price>,
}

/// Acceptance rate of a filter, estimated from a sample.
#[derive(Clone, Debug, Serialize)]
pub struct Acceptance {
    /// Share of accepted deals.
    pub share: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Number of accepted deals.
    pub kept: u64,
    /// Number of deals drawn.
    pub drawn: u64,
}

/// A sampler that was considered.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Considered {
    /// The sampler: `rejection`, `cells`, `listing` or `numbers`.
    pub sampler: &'static str,
    /// The hands that it fixes, and by what.
    pub hands: String,
    /// The inverse of its share of all deals, estimated from a sample.
    pub estimated_one_deal_in: Option<f64>,
    /// The inverse of its share of all deals, by counting.
    pub one_deal_in: Option<f64>,
    /// Step limit of the search for it; a step takes about a nanosecond.
    pub granted_steps: Option<u64>,
    /// Steps that the search took.
    pub steps: Option<u64>,
    /// Its size, or why it does not exist.
    pub outcome: String,
}

/// Chooses the sampler of a run, prepares its population, and explains the choice.
///
/// # Errors
///
/// As the run itself.
pub fn explain(
    request: &RunRequest,
    input: ConditionInput,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<Explanation, Error> {
    let workload = |script: &_| workload_of_run(request.deals, request.time, script);
    let sampling = request.sampling.with_defect(request.defect.is_some());
    let prepared = Prepared::new(input, &sampling, workload, listings, observer)?;
    prepared.warn(observer);
    let words = request.random.of_script(&prepared.script).words()?;
    Explanation::of(&prepared, &words)
}

impl Explanation {
    /// Explains how deals of a prepared population are found.
    ///
    /// # Errors
    ///
    /// If deals cannot be drawn to estimate the acceptance rate.
    pub fn of(prepared: &Prepared, words: &RandomWords) -> Result<Self, Error> {
        let (population, reasons) = (&prepared.population, &prepared.reasons);
        let clock = Instant::now();
        let dealer = match (population.is_exact(), population.cells()) {
            (true, None) => None,
            _ => Some(prepared.dealer()?),
        };
        let seconds_of_lists = clock.elapsed().as_secs_f64();
        let acceptance = match &dealer {
            Some(dealer) if !population.is_exact() => {
                Some(Acceptance::of(sample(population, dealer, words)?))
            }
            _ => None,
        };
        let cells = population.cells().zip(dealer.as_ref());
        let cells = cells.map(|(cells, dealer)| {
            ExplainedCells::new(cells, dealer.guide_bytes(), seconds_of_lists)
        });
        Ok(Self {
            planning_seconds: prepared.planning_seconds,
            sampler: population.sampler_name(),
            why: reasons.why.clone(),
            cells,
            listed: population.listing().map(ExplainedListing::new),
            one_deal_in: reasons.share.map(|share| 1.0 / share),
            predealt: !prepared.script.condition.predeal().is_empty(),
            filter: population
                .filter()
                .iter()
                .map(ToString::to_string)
                .collect(),
            acceptance,
            considered: Considered::all(prepared),
        })
    }
}

impl ExplainedListing {
    fn new(listed: &OpenListing) -> Self {
        Self {
            condition: listed.file.header().condition.clone(),
            order: crate::population::order_of(listed.seats()),
            cases: listed.file.cases(),
            total: listed.file.total(),
            file: listed.name(),
            price: Price::of_listing(listed.file.cases().into(), true),
        }
    }
}

impl ExplainedCells {
    fn new(cells: &Cells, bytes: usize, seconds: f64) -> Self {
        Self {
            condition: cells.condition().text().to_owned(),
            hands: cells.seats().iter().map(|seat| seat.name()).collect(),
            shapes: cells.shapes(),
            cells: cells.cells(),
            cases: cells.cases(),
            total: cells.total(),
            seconds,
            bytes,
            price: Price::of_cells(cells),
            price_of_listing: (cells.seats().len() <= 2 && cells.condition().predeal().is_empty())
                .then(|| Price::of_listing(cells.cases(), false)),
        }
    }
}

impl Acceptance {
    fn of(pilot: Pilot) -> Self {
        Self {
            share: pilot.share(),
            standard_error: pilot.standard_error(),
            kept: pilot.kept,
            drawn: pilot.drawn,
        }
    }
}

impl Considered {
    /// All samplers that were considered.
    fn all(prepared: &Prepared) -> Vec<Self> {
        let reasons = &prepared.reasons;
        let rejection = reasons.pilot.map(|pilot| Self {
            sampler: REJECTION,
            estimated_one_deal_in: Some(1.0 / pilot.rate()),
            outcome: format!(
                "{} of {} deals{} satisfy the condition",
                thousands(pilot.kept),
                thousands(pilot.drawn),
                if pilot.of < 1.0 {
                    " from cells of one hand"
                } else {
                    ""
                }
            ),
            ..Self::default()
        });
        let cells = reasons.attempts.iter().map(Self::of_attempt);
        let listings = reasons.listings.iter().map(Self::of_listing);
        let listings = listings.take(LISTINGS_TOLD);
        rejection.into_iter().chain(cells).chain(listings).collect()
    }

    fn of_listing(candidate: &Candidate) -> Self {
        let census = &candidate.census;
        Self {
            sampler: LISTING,
            hands: hands(&candidate.fixed),
            one_deal_in: Some(1.0 / candidate.share),
            outcome: listing_size(census.cases, census.total),
            ..Self::default()
        }
    }

    fn of_attempt(attempt: &Attempt) -> Self {
        let (one_deal_in, outcome) = match &attempt.outcome {
            AttemptOutcome::Made { share, cells } => {
                let name = match attempt.sampler {
                    LISTING => "cases",
                    NUMBERS => "deals",
                    _ => "cells",
                };
                (Some(1.0 / share), format!("{} {name}", thousands(*cells)))
            }
            AttemptOutcome::Failed(why @ CellsError::OverBudget) => {
                let lacking = match attempt.needed {
                    Some(steps) => format!("at least {} steps", thousands(steps)),
                    None => "more memory".to_owned(),
                };
                (None, format!("{why}: it needs {lacking}"))
            }
            AttemptOutcome::Failed(why) => (None, why.to_string()),
        };
        Self {
            sampler: attempt.sampler,
            hands: match attempt.is_whole {
                true => "the whole condition".to_owned(),
                false => hands(&attempt.fixed),
            },
            estimated_one_deal_in: attempt.estimate.map(|share| 1.0 / share),
            one_deal_in,
            granted_steps: Some(attempt.granted),
            steps: Some(attempt.spent),
            outcome,
        }
    }
}

/// Names the hands that are fixed, and by what.
fn hands(fixed: &FixedProperties) -> String {
    let hand = |seat: Seat| {
        let how = match (fixed.patterns[seat.index()], fixed.honours[seat.index()]) {
            (true, true) => "by pattern and honours",
            (true, false) => "by pattern",
            (false, true) => "by honours",
            (false, false) => return None,
        };
        Some(format!("{seat} {how}"))
    };
    let hands: Vec<String> = Seat::ALL.into_iter().filter_map(hand).collect();
    hands.join(", ")
}

/// Estimates the acceptance rate from [`SAMPLE`] deals.
fn sample(
    population: &Population,
    dealer: &Dealer<'_, CaseBytes>,
    words: &RandomWords,
) -> Result<Pilot, Error> {
    let source = Seeded {
        dealer,
        generator: &*words.generator,
    };
    let filter = Filter::new(population.filter());
    let (mut scratch, mut filtering) = (DealScratch::default(), filter::FilterScratch::default());
    let (mut kept, mut failed) = (0, Ok(()));
    let portions = source.portions(0..SAMPLE);
    for portion in portions.map_err(|error| error.of(population))? {
        let mut sink = |packet: &_| match filter.accept(source.isa(), packet, &mut filtering) {
            Ok(passed) => kept += u64::from(passed.count_ones()),
            Err(error) => failed = Err(error),
        };
        let dealt = source.deal(&portion, &mut scratch, &mut sink);
        dealt.map_err(|error| error.of(population))?;
    }
    failed.map_err(|error| population.evaluation_error(&error))?;
    let drawn = SAMPLE;
    let of = 1.0;
    Ok(Pilot { drawn, kept, of })
}
