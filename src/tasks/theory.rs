//! Exact theory of a condition, without dealing.

use std::path::Path;
use std::time::Instant;

use super::prepare::{ConditionInput, MOST_THEORY_BYTES, Prepared};
use crate::bridge::combinatorics::DEALS;
use crate::draw::Aes128Ctr;
use crate::error::{Error, Remedy};
use crate::language::{Condition, Plan, PlanError, Script};
use crate::observer::{Observer, Stage, during};
use crate::population::cases::ListingError;
use crate::population::cells::{Budget, Cells, CellsError};
use crate::population::{Listings, Population, order_of};
use crate::report::{
    ExactAnswer, Folder, PROGRAM, Table, TheoryDocument, TheoryRecord, TypeRecord,
    exact_answer_tables, fraction, theory_tables,
};
use crate::run::{DEFAULT_DEALS, DealStream};
use crate::sampler::{SamplerMethod, Sampling, Workload};
use crate::theory::{Ratio, Theory, TheoryError, null_laws};

/// The exact tables of a condition.
#[derive(Debug)]
pub struct ExactTheory {
    /// The ways to deal the hands that the condition mentions, or the number of deals.
    pub total: u128,
    /// Whether the tables describe every deal.
    pub is_unconstrained: bool,
    /// The tables.
    pub theory: Theory,
    /// The contents of theory.json.
    pub record: TheoryRecord,
    /// The probability that a deal belongs to the population.
    pub probability: Ratio,
    /// The types of a mix; empty without a mix.
    pub types: Vec<TypeTheory>,
    /// The script's averages and frequencies.
    pub answers: Vec<ExactAnswer>,
}

/// Steps for exact values of a script's averages and frequencies, for each case that a listing may
/// have: about a microsecond.
const STEPS_OF_A_CASE: u64 = 1_000;

/// The averages and frequencies of a script, each within a budget that grows with the maximum
/// number of cases.
fn answers(script: &Script, max_cases: u64, observer: &dyn Observer) -> Vec<ExactAnswer> {
    let actions = script.actions.as_deref().unwrap_or_default();
    let steps = max_cases.saturating_mul(STEPS_OF_A_CASE);
    during(observer, Stage::Theory, || {
        ExactAnswer::all(&script.condition, actions, steps)
    })
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
    let (mut type_deals, mut answered) = (Vec::new(), Vec::new());
    let (condition, deals) = match input {
        ConditionInput::CaseFile(path) => {
            sampling.refuse_order()?;
            let listed = listings.open(&path)?;
            let condition = listed.file.header().condition.clone();
            (condition, ExactDeals::of(Population::of_listing(listed))?)
        }
        ConditionInput::Script(script) => {
            let exact = ExactDeals::new(&script.condition, sampling, listings, observer)?;
            let deals = exact.ok_or(ListingError::NoDeal)?;
            type_deals = deals_of_types(&script, sampling, listings, observer)?;
            answered = answers(&script, sampling.max_cases, observer);
            (script.condition.text().to_owned(), deals)
        }
    };
    let theory = ExactTheory::of(condition, &deals, type_deals, observer)?;
    Ok(theory.with_answers(answered))
}

/// Computes the exact tables of a condition as [`theory`] does, if that takes seconds and a part of
/// the memory.
///
/// # Errors
///
/// As [`theory`], and if it takes more.
pub fn theory_within_budget(
    script: Box<Script>,
    max_cases: u64,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<ExactTheory, Error> {
    let sampling = Sampling {
        max_cases,
        ..Sampling::by(SamplerMethod::Exact)
    };
    let workload = |_: &Script| Workload::statistics(DEFAULT_DEALS);
    let input = ConditionInput::Script(script);
    let prepared = Prepared::new(input, &sampling, workload, listings, observer)?;
    let condition = &prepared.script.condition;
    let deals = if prepared.population.is_exact() {
        ExactDeals::of(prepared.population)?
    } else {
        let budget = Budget::new(PAGE_STEPS, MOST_THEORY_BYTES);
        ExactDeals::except(condition, &budget).ok_or_else(|| {
            let why = &prepared.reasons.why;
            let error = Error::condition(format!("no exact tables within the budget: {why}"));
            error.with_remedy(Remedy::DrawInstead)
        })?
    };
    let answered = answers(&prepared.script, max_cases, observer);
    let theory = ExactTheory::of(condition.text().to_owned(), &deals, Vec::new(), observer)?;
    Ok(theory.with_answers(answered))
}

/// Steps to count the deals that a condition refuses, for a page: some seconds.
const PAGE_STEPS: u64 = 3_000_000_000;

/// How likely a deal satisfies a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likelihood {
    /// Exactly this.
    Exact(Ratio),
    /// Of a sample of this size, this number did.
    Estimated {
        /// Number of deals that satisfied the condition.
        kept: u64,
        /// Sample size.
        drawn: u64,
    },
}

/// Steps and bytes of [`likelihood`]: a part of a second.
const QUICK_STEPS: u64 = 300_000_000;
const QUICK_BYTES: u64 = 64 << 20;

/// Sample size if the exact number exceeds these, and the seed of its words.
const QUICK_SAMPLE: u64 = 1 << 17;
const QUICK_SEED: u128 = 1;

/// Computes the probability of a script's condition in a part of a second: exactly, or by a sample.
///
/// # Errors
///
/// If no deal satisfies the condition, its arithmetic fails, or it needs solved deals.
pub fn likelihood(script: &Script, observer: &dyn Observer) -> Result<Likelihood, Error> {
    let condition = &script.condition;
    match Plan::new(condition, None) {
        Ok(Plan::Unconstrained) => {
            return Ok(Likelihood::Exact(Ratio { ways: 1, of: 1 }));
        }
        Ok(Plan::Impossible) => return Err(ListingError::NoDeal.into()),
        _ => {}
    }
    match Cells::within(condition, &Budget::new(QUICK_STEPS, QUICK_BYTES)) {
        Ok(cells) => {
            let probability = Population::of_cells(cells).probability();
            if let Some((ways, of)) = probability {
                return Ok(Likelihood::Exact(Ratio { ways, of }));
            }
        }
        Err(CellsError::NoDeal) => return Err(ListingError::NoDeal.into()),
        Err(CellsError::Arithmetic(error)) => {
            return Err(condition.evaluation_error(&error).into());
        }
        Err(_) => {}
    }
    estimated(script, observer)
}

/// The share of a sample that satisfies a condition.
fn estimated(script: &Script, observer: &dyn Observer) -> Result<Likelihood, Error> {
    let input = ConditionInput::Script(Box::new(script.clone()));
    let sampling = Sampling::by(SamplerMethod::Rejection);
    let workload = |_: &Script| Workload::statistics(QUICK_SAMPLE);
    let listings = Listings::in_memory();
    let prepared = Prepared::new(input, &sampling, workload, &listings, observer)?;
    let (population, generator) = (&prepared.population, Aes128Ctr::new(QUICK_SEED));
    let stream = DealStream::of(population, QUICK_SAMPLE, generator)?;
    let stream = stream.limited_to(QUICK_SAMPLE);
    let mut stream = stream.with_draws(script.has_draws());
    let mut kept = 0;
    while stream
        .next_deal()
        .map_err(|error| error.of(population))?
        .is_some()
    {
        kept += 1;
    }
    Ok(Likelihood::Estimated {
        kept,
        drawn: QUICK_SAMPLE,
    })
}

impl ExactTheory {
    fn of(
        condition: String,
        deals: &ExactDeals,
        type_deals: Vec<TypeDeals>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let clock = Instant::now();
        let theory = during(observer, Stage::Theory, || deals.theory())?;
        let (cases, seconds) = (deals.cases(), clock.elapsed().as_secs_f64());
        tracing::info!(target: "theory", cases, seconds, "theory made");
        let probability = deals.probability();
        let all = probability.deals();
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
            order: deals.order.clone(),
            total: deals.total().to_string(),
            cases,
            chance: fraction(probability),
            types: types.iter().map(TypeTheory::record).collect(),
        };
        Ok(ExactTheory {
            total: deals.total(),
            is_unconstrained: deals.is_unconstrained(),
            theory,
            record,
            probability,
            types,
            answers: Vec::new(),
        })
    }

    fn with_answers(self, answers: Vec<ExactAnswer>) -> Self {
        Self { answers, ..self }
    }
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
    /// Every table.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let laws = self.is_unconstrained.then(null_laws);
        let mut tables = theory_tables(&self.theory, laws.as_ref());
        tables.extend(exact_answer_tables(&self.answers));
        tables
    }

    /// The record with its tables, for JSON. Tables that were written to a folder are left out.
    #[must_use]
    pub fn document(&self, folder: Option<&Path>) -> TheoryDocument<'_> {
        let (theory, answers) = (&self.theory, &self.answers);
        TheoryDocument::new(&self.record, self.probability, theory, answers, folder)
    }

    /// Writes every table, and the record last.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Folder) -> Result<(), Error> {
        folder.begin()?;
        folder.write_tables(&self.tables())?;
        folder.write_record(&self.record)?;
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
        let exact = ExactDeals::new(&condition, sampling, listings, observer)?;
        let deals = exact.map_or(0, |deals| deals.probability().deals());
        Ok((of.name.clone(), (of.parts, mix.parts()), deals))
    });
    types.collect()
}

/// Deals whose exact tables can be computed.
struct ExactDeals {
    /// A population without a filter.
    population: Population,
    /// The order of the seats of a listing of one or two hands; empty otherwise.
    order: String,
    /// Whether the deals are all except those of the population.
    are_others: bool,
}

impl ExactDeals {
    /// Those of a population without a filter, unless it fixes cards.
    fn of(population: Population) -> Result<Self, TheoryError> {
        if population.has_fixed_cards() {
            return Err(TheoryError::Predeal);
        }
        Ok(Self {
            order: population.order(),
            population,
            are_others: false,
        })
    }

    /// Those of a condition, which need no filter; `None` if there are none.
    fn new(
        condition: &Condition,
        sampling: &Sampling,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Option<Self>, Error> {
        let order = sampling.order.as_deref();
        let plan = Plan::new(condition, order);
        if matches!(plan, Ok(Plan::Unconstrained)) {
            return Ok(Some(Self::of(Population::every_deal())?));
        }
        let more_hands = matches!(plan, Err(PlanError::Condition(_))) && order.is_none();
        if plan.is_ok() || more_hands {
            match during(observer, Stage::Count, || Cells::new(condition)) {
                Ok(cells) => {
                    let order = match plan {
                        Ok(Plan::Listed { first, second }) => {
                            order_of((first.seat, second.map(|hand| hand.seat)))
                        }
                        _ => String::new(),
                    };
                    let population = Population::of_cells(cells);
                    return Ok(Some(Self {
                        order,
                        ..Self::of(population)?
                    }));
                }
                Err(CellsError::NoDeal) => return Ok(None),
                Err(CellsError::Arithmetic(error)) => {
                    return Err(condition.evaluation_error(&error).into());
                }
                Err(why) => tracing::debug!(target: "theory", %why, "no cells"),
            }
        }
        if more_hands {
            let budget = Budget::unlimited();
            let others = during(observer, Stage::Count, || Self::except(condition, &budget));
            if others.is_some() {
                return Ok(others);
            }
        }
        let listed = listings.listing(condition, order, sampling.max_cases, observer)?;
        Ok(Some(Self::of(Population::of_listing(listed))?))
    }

    /// Those of a condition whose negation has cells within this budget.
    fn except(condition: &Condition, budget: &Budget) -> Option<Self> {
        let cells = Cells::within(&condition.negated()?, budget).ok()?;
        let (refused, of) = cells.chance();
        let these = Self::of(Population::of_cells(cells)).ok()?;
        (refused < of).then(|| Self {
            are_others: true,
            order: String::new(),
            ..these
        })
    }

    fn theory(&self) -> Result<Theory, TheoryError> {
        let of_population = Theory::of(&self.population)?;
        match self.are_others {
            true => of_population.complement(self.of_population()),
            false => Ok(of_population),
        }
    }

    /// The probability of a deal to be one of them.
    fn probability(&self) -> Ratio {
        match self.are_others {
            true => self.of_population().complement(),
            false => self.of_population(),
        }
    }

    fn of_population(&self) -> Ratio {
        let probability = self.population.probability();
        let probability = probability.expect("no cards are fixed, and there is no filter");
        probability.into()
    }

    /// The ways to deal the hands that the condition mentions, or the number of deals.
    fn total(&self) -> u128 {
        match self.are_others {
            true => self.probability().deals(),
            false => self.population.total(),
        }
    }

    fn is_unconstrained(&self) -> bool {
        self.population.is_unconstrained()
    }

    /// The number of cases of a listing of one or two hands.
    fn cases(&self) -> Option<u64> {
        let cases = self.population.cases().filter(|_| !self.order.is_empty())?;
        u64::try_from(cases).ok()
    }
}
