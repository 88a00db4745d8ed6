//! Exact theory of a condition, without dealing.

use std::time::Instant;

use super::prepare::ConditionInput;
use crate::error::Error;
use crate::language::{Condition, Plan, PlanError};
use crate::observer::{Observer, during};
use crate::population::cases::ListingError;
use crate::population::cells::{Cells, CellsError};
use crate::population::{Listings, OpenListing, Population, order_of};
use crate::report::{Folder, PROGRAM, TheoryRecord, fraction, theory_tables};
use crate::sampler::Sampling;
use crate::theory::{Ratio, Theory, null_laws};

/// The exact tables of a condition.
#[derive(Debug)]
pub struct ExactTheory {
    /// The deals that the tables describe.
    pub population: Population,
    /// The tables.
    pub theory: Theory,
    /// The contents of theory.json.
    pub record: TheoryRecord,
    /// The probability that a deal belongs to the population.
    pub probability: Ratio,
}

/// Computes the exact tables of a condition on one to four hands, from cells if it has any,
/// otherwise from its listing.
///
/// # Errors
///
/// If the condition has neither, no deal satisfies it, or it fixes cards.
pub fn theory(
    input: ConditionInput,
    sampling: &Sampling,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<ExactTheory, Error> {
    let (condition, population, order) = match input {
        ConditionInput::CaseFile(path) => {
            sampling.refuse_order()?;
            let listed = OpenListing::open(&path, listings.copies())?;
            let condition = listed.file.header().condition.clone();
            let population = Population::of_listing(listed);
            let order = population.order();
            (condition, population, order)
        }
        ConditionInput::Script(script) => {
            let (population, order) = exact(&script.condition, sampling, listings, observer)?;
            (script.condition.text().to_owned(), population, order)
        }
    };
    let clock = Instant::now();
    let theory = during(observer, "theory", || Theory::of(&population))?;
    let (cases, seconds) = (cases(&population, &order), clock.elapsed().as_secs_f64());
    tracing::info!(target: "theory", cases, seconds, "theory made");
    let (ways, of) = population
        .probability()
        .expect("theory is refused around fixed cards, and there is no filter");
    let probability = Ratio { ways, of };
    let record = TheoryRecord {
        program: PROGRAM.to_owned(),
        condition,
        order,
        total: population.total().to_string(),
        cases,
        chance: fraction(probability),
    };
    Ok(ExactTheory {
        population,
        theory,
        record,
        probability,
    })
}

impl ExactTheory {
    /// Writes every table, and the record last.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Folder) -> Result<(), Error> {
        folder.begin()?;
        let is_every_deal = self.population.is_unconstrained();
        let laws = is_every_deal.then(null_laws);
        folder.write_tables(&theory_tables(&self.theory, laws.as_ref()))?;
        folder.write_theory(&self.record)?;
        let folder = folder.path().display().to_string();
        tracing::info!(target: "theory", folder, "tables written");
        Ok(())
    }
}

/// Returns the population of a condition, which needs no filter, and the order of the seats if a
/// listing has one or two hands.
fn exact(
    condition: &Condition,
    sampling: &Sampling,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<(Population, String), Error> {
    let order = sampling.order.as_deref();
    let plan = Plan::new(condition, order);
    if matches!(plan, Ok(Plan::Unconstrained)) {
        return Ok((Population::every_deal(), String::new()));
    }
    let more_hands = matches!(plan, Err(PlanError::Condition(_))) && order.is_none();
    if plan.is_ok() || more_hands {
        match during(observer, "count", || Cells::new(condition)) {
            Ok(cells) => {
                let order = match plan {
                    Ok(Plan::Listed { first, second }) => {
                        order_of((first.seat, second.map(|hand| hand.seat)))
                    }
                    _ => String::new(),
                };
                return Ok((Population::of_cells(cells), order));
            }
            Err(CellsError::NoDeal) => return Err(ListingError::NoDeal.into()),
            Err(CellsError::Arithmetic(error)) => {
                return Err(condition.evaluation_error(&error).into());
            }
            Err(why) => tracing::debug!(target: "theory", %why, "no cells"),
        }
    }
    let listed = listings.listing(condition, order, sampling.max_cases, observer)?;
    let population = Population::of_listing(listed);
    let order = population.order();
    Ok((population, order))
}

/// The number of cases of a listing of one or two hands, in this order.
fn cases(population: &Population, order: &str) -> Option<u64> {
    let cases = population.cases().filter(|_| !order.is_empty())?;
    u64::try_from(cases).ok()
}
