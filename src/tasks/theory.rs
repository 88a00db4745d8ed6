//! Exact theory of a condition, without dealing.

use std::time::Instant;

use super::prepare::ConditionInput;
use crate::bridge::combinatorics::DEALS;
use crate::error::Error;
use crate::language::{Condition, Plan, PlanError, Script};
use crate::observer::{Observer, during};
use crate::population::cases::ListingError;
use crate::population::cells::{Cells, CellsError};
use crate::population::{Listings, OpenListing, Population, order_of};
use crate::report::{Folder, PROGRAM, TheoryRecord, TypeRecord, fraction, theory_tables};
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
    /// The types of a mix; empty without a mix.
    pub types: Vec<TypeTheory>,
}

/// A type of a mix: its share of the mix, and its share of the deals of the condition.
#[derive(Clone, Debug)]
pub struct TypeTheory {
    /// Its name.
    pub name: String,
    /// Its share of the mix.
    pub share: Ratio,
    /// Its share of the deals that satisfy the condition.
    pub natural_share: Ratio,
    /// Its probability among all deals.
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
    let mut type_deals = Vec::new();
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
            let exact = exact(&script.condition, sampling, listings, observer)?;
            let (population, order) = exact.ok_or(ListingError::NoDeal)?;
            type_deals = deals_of_types(&script, sampling, listings, observer)?;
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
    let all = deals_of(probability);
    let types = type_deals.into_iter().map(|(name, parts, deals)| {
        let ratio = |ways, of| Ratio { ways, of }.reduced();
        TypeTheory {
            name,
            share: ratio(parts.0.into(), parts.1.into()),
            natural_share: ratio(deals, all),
            probability: ratio(deals, DEALS),
        }
    });
    let types: Vec<TypeTheory> = types.collect();
    let record = TheoryRecord {
        program: PROGRAM.to_owned(),
        condition,
        order,
        total: population.total().to_string(),
        cases,
        chance: fraction(probability),
        types: types.iter().map(TypeTheory::record).collect(),
    };
    Ok(ExactTheory {
        population,
        theory,
        record,
        probability,
        types,
    })
}

impl TypeTheory {
    fn record(&self) -> TypeRecord {
        TypeRecord {
            name: self.name.clone(),
            share: fraction(self.share),
            natural_share: fraction(self.natural_share),
            chance: fraction(self.probability),
        }
    }
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

/// A type's name, its parts and all parts of the mix, and its number of deals.
type TypeDeals = (String, (u64, u64), u128);

/// Counts the deals of each type of a script's mix.
fn deals_of_types(
    script: &Script,
    sampling: &Sampling,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<Vec<TypeDeals>, Error> {
    let Some(mix) = &script.mix else {
        return Ok(Vec::new());
    };
    let types = mix.types().iter().enumerate();
    let types = types.map(|(number, of)| {
        let condition = script.of_type(number)?.condition;
        let exact = exact(&condition, sampling, listings, observer)?;
        let probability = exact.and_then(|(population, _)| population.probability());
        let deals = probability.map_or(0, |(ways, of)| deals_of(Ratio { ways, of }));
        Ok((of.name.clone(), (of.parts, mix.parts()), deals))
    });
    types.collect()
}

/// The number of deals with this probability.
fn deals_of(probability: Ratio) -> u128 {
    let Ratio { ways, of } = probability.reduced();
    ways * (DEALS / of)
}

/// Returns the population of a condition, which needs no filter, and the order of the seats if a
/// listing has one or two hands; `None` if the cells show that there are no deals.
fn exact(
    condition: &Condition,
    sampling: &Sampling,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<Option<(Population, String)>, Error> {
    let order = sampling.order.as_deref();
    let plan = Plan::new(condition, order);
    if matches!(plan, Ok(Plan::Unconstrained)) {
        return Ok(Some((Population::every_deal(), String::new())));
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
                return Ok(Some((Population::of_cells(cells), order)));
            }
            Err(CellsError::NoDeal) => return Ok(None),
            Err(CellsError::Arithmetic(error)) => {
                return Err(condition.evaluation_error(&error).into());
            }
            Err(why) => tracing::debug!(target: "theory", %why, "no cells"),
        }
    }
    let listed = listings.listing(condition, order, sampling.max_cases, observer)?;
    let population = Population::of_listing(listed);
    let order = population.order();
    Ok(Some((population, order)))
}

/// The number of cases of a listing of one or two hands, in this order.
fn cases(population: &Population, order: &str) -> Option<u64> {
    let cases = population.cases().filter(|_| !order.is_empty())?;
    u64::try_from(cases).ok()
}
