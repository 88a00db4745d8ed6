//! Exact theory of a condition, without dealing.

use std::path::Path;
use std::time::Instant;

use super::prepare::{ConditionInput, MOST_THEORY_BYTES, Prepared};
use crate::bridge::combinatorics::DEALS;
use crate::bridge::{Seat, Side};
use crate::draw::Aes128Ctr;
use crate::error::{Error, Remedy};
use crate::language::{Condition, Mix, MixType, Plan, PlanError, Script};
use crate::observer::{Observer, Stage, during};
use crate::population::cases::ListingError;
use crate::population::cells::{Budget, Cells, CellsError};
use crate::population::{Listings, Population, order_of};
use crate::report::{
    EstimateRecord, ExactAnswer, Folder, PROGRAM, ProbabilityRecord, Table, TheoryDocument,
    TheoryRecord, TypeRecord, exact_answer_tables, fraction, theory_tables,
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
    /// The probability of the condition among all deals, or among those that are given.
    pub probability: Ratio,
    /// The side whose two hands are all that the condition mentions.
    pub partners: Option<Side>,
    /// The types of a mix; empty without a mix.
    pub types: Vec<TypeTheory>,
    /// The script's averages and frequencies.
    pub answers: Vec<ExactAnswer>,
}

/// Steps for exact values of a script's averages and frequencies, for each case that a listing may
/// have: about a microsecond.
const STEPS_OF_A_CASE: u64 = 1_000;

/// The averages and frequencies of a script over the deals of this condition, each within a budget
/// that grows with the maximum number of cases.
fn answers(
    script: &Script,
    condition: &Condition,
    max_cases: u64,
    observer: &dyn Observer,
) -> Vec<ExactAnswer> {
    // The labels are parts of the script's own text.
    let condition = script
        .condition
        .with_expression(condition.expression().clone());
    let actions = script.actions.as_deref().unwrap_or_default();
    let steps = max_cases.saturating_mul(STEPS_OF_A_CASE);
    during(observer, Stage::Theory, || {
        ExactAnswer::all(&condition, actions, steps)
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
    /// Its probability among the same deals as that of the condition.
    pub probability: Ratio,
}

/// The deals whose exact tables are wanted.
#[derive(Debug)]
pub struct TheoryRequest<'r> {
    /// The condition.
    pub input: ConditionInput,
    /// What is known of the deals: probabilities and tables are those among the deals that satisfy
    /// this condition too.
    pub given: Option<&'r Condition>,
    /// How the deals may be found.
    pub sampling: &'r Sampling,
}

impl<'r> TheoryRequest<'r> {
    /// Requests the tables of a condition among all deals.
    #[must_use]
    pub fn new(input: ConditionInput, sampling: &'r Sampling) -> Self {
        Self {
            input,
            given: None,
            sampling,
        }
    }
}

/// Computes the exact tables of a condition on one to four hands, from cells if it has any,
/// otherwise from its listing.
///
/// # Errors
///
/// If the condition has neither, no deal satisfies it, or it fixes cards.
pub fn theory(
    request: TheoryRequest<'_>,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<ExactTheory, Error> {
    let (sampling, given) = (request.sampling, request.given);
    let exact = |condition: &Condition| ExactDeals::new(condition, sampling, listings, observer);
    let (script, whole) = match request.input {
        ConditionInput::CaseFile(path) => {
            sampling.refuse_order()?;
            let listed = listings.open(&path)?;
            let script =
                Script::parse(&path.display().to_string(), &listed.file.header().condition)?;
            let deals = match given {
                None => Some(ExactDeals::of(Population::of_listing(listed))?),
                Some(_) => None,
            };
            (script, deals)
        }
        ConditionInput::Script(script) => (*script, None),
    };
    let condition = among(&script.condition, given)?;
    let deals = match whole {
        Some(deals) => deals,
        None => exact(&condition)?.ok_or(ListingError::NoDeal)?,
    };
    let given_deals = match given {
        None => DEALS,
        Some(given) => {
            let deals = exact(&given.without_predeal()?)?.ok_or(ListingError::NoDeal)?;
            deals.probability().deals()
        }
    };
    let mut type_deals = Vec::new();
    for (number, of) in script.mix.iter().flat_map(|mix| mix.types()).enumerate() {
        let condition = among(&script.of_type(number)?.condition, given)?;
        let deals = exact(&condition)?.map_or(0, |deals| deals.probability().deals());
        type_deals.push((of, deals));
    }
    let theory = ExactTheory::of(&script, (given, given_deals), &deals, &type_deals, observer)?;
    Ok(theory.with_answers(answers(&script, &condition, sampling.max_cases, observer)))
}

/// The condition among the deals of another, if there is one.
fn among(condition: &Condition, given: Option<&Condition>) -> Result<Condition, Error> {
    match given {
        None => Ok(condition.clone()),
        Some(given) => Ok(condition.and_given(given)?),
    }
}

/// Computes the exact tables of a condition as [`theory`] does, if that takes seconds and a part of
/// the memory.
///
/// # Errors
///
/// As [`theory`], and if it takes more.
pub fn theory_within_budget(
    script: &Script,
    given: Option<&Condition>,
    max_cases: u64,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<ExactTheory, Error> {
    let sampling = Sampling {
        max_cases,
        ..Sampling::by(SamplerMethod::Exact)
    };
    let exact = |condition: &Condition| -> Result<ExactDeals, Error> {
        let workload = |_: &Script| Workload::statistics(DEFAULT_DEALS);
        let mut script = Box::new(script.clone());
        script.condition = condition.clone();
        let input = ConditionInput::Script(script);
        let prepared = Prepared::new(input, &sampling, workload, listings, observer)?;
        if prepared.population.is_exact() {
            return Ok(ExactDeals::of(prepared.population)?);
        }
        let budget = Budget::new(PAGE_STEPS, MOST_THEORY_BYTES);
        ExactDeals::except(condition, &budget).ok_or_else(|| {
            let why = &prepared.reasons.why;
            let error = Error::condition(format!("no exact tables within the budget: {why}"));
            error.with_remedy(Remedy::DrawInstead)
        })
    };
    let condition = among(&script.condition, given)?;
    let deals = exact(&condition)?;
    let given_deals = match given {
        None => DEALS,
        Some(given) => exact(&given.without_predeal()?)?.probability().deals(),
    };
    let theory = ExactTheory::of(script, (given, given_deals), &deals, &[], observer)?;
    Ok(theory.with_answers(answers(script, &condition, max_cases, observer)))
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

/// What is known of a condition without dealing many deals.
#[derive(Debug)]
pub enum TheoryAnswer {
    /// Its exact tables.
    Exact(Box<ExactTheory>),
    /// An estimate of its probability, because exact tables are not available.
    Estimated(Box<EstimateRecord>),
}

/// Computes the exact tables of a condition as [`theory`] does, or estimates its probability from a
/// sample if it has none.
///
/// # Errors
///
/// If no deal satisfies the condition, its arithmetic fails, or a file cannot be read.
pub fn theory_or_estimate(
    request: TheoryRequest<'_>,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<TheoryAnswer, Error> {
    let script = match &request.input {
        ConditionInput::Script(script) => Some(script.clone()),
        ConditionInput::CaseFile(_) => None,
    };
    let given = request.given;
    match (theory(request, listings, observer), script) {
        (Ok(exact), _) => Ok(TheoryAnswer::Exact(Box::new(exact))),
        (Err(why), Some(script)) if can_be_sampled(&script) && is_unavailable(&why) => {
            let (kept, drawn) = sampled(&script.condition, given, observer)?;
            Ok(TheoryAnswer::Estimated(Box::new(EstimateRecord {
                program: PROGRAM.to_owned(),
                condition: script.condition.text().to_owned(),
                given: given.map(|given| given.text().to_owned()),
                probability: ProbabilityRecord::of_share(kept, drawn),
                drawn,
                why: why.to_string(),
            })))
        }
        (Err(why), _) => Err(why),
    }
}

/// Whether deals of the whole deck decide the condition.
fn can_be_sampled(script: &Script) -> bool {
    script.condition.predeal().is_empty() && !script.needs_tables()
}

/// Whether an error says that a condition is valid and has no exact tables.
fn is_unavailable(error: &Error) -> bool {
    match error.cause::<ListingError>() {
        Some(ListingError::NoDeal) => false,
        Some(_) => true,
        None => error.is_condition(),
    }
}

/// Draws a sample of all deals, or of those that are given; returns how many of it satisfy a
/// condition, and its size.
fn sampled(
    condition: &Condition,
    given: Option<&Condition>,
    observer: &dyn Observer,
) -> Result<(u64, u64), Error> {
    let population = match given {
        None => Population::every_deal(),
        Some(given) => {
            let script = Script::parse(given.name(), given.text())?;
            let input = ConditionInput::Script(Box::new(script));
            let workload = |_: &Script| Workload::statistics(QUICK_SAMPLE);
            let (sampling, listings) = (Sampling::default(), Listings::in_memory());
            Prepared::new(input, &sampling, workload, &listings, observer)?.population
        }
    };
    let stream = DealStream::of(&population, Aes128Ctr::new(QUICK_SEED))?;
    let mut stream = stream.with_draws(condition.has_draws());
    let (mut kept, mut drawn) = (0, 0);
    while drawn < QUICK_SAMPLE {
        let next = stream.next_deal().map_err(|error| error.of(&population))?;
        let Some(deal) = next else { break };
        let holds = condition.expression().holds(&deal);
        kept += u64::from(holds.map_err(|error| condition.evaluation_error(&error))?);
        drawn += 1;
    }
    match drawn {
        0 => Err(ListingError::NoDeal.into()),
        _ => Ok((kept, drawn)),
    }
}

/// The share of a sample that satisfies a condition.
fn estimated(script: &Script, observer: &dyn Observer) -> Result<Likelihood, Error> {
    let input = ConditionInput::Script(Box::new(script.clone()));
    let sampling = Sampling::by(SamplerMethod::Rejection);
    let workload = |_: &Script| Workload::statistics(QUICK_SAMPLE);
    let listings = Listings::in_memory();
    let prepared = Prepared::new(input, &sampling, workload, &listings, observer)?;
    let (population, generator) = (&prepared.population, Aes128Ctr::new(QUICK_SEED));
    let stream = DealStream::of(population, generator)?;
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
    /// The tables of these deals, which are those of a script among `given_deals` others.
    fn of(
        script: &Script,
        (given, given_deals): (Option<&Condition>, u128),
        deals: &ExactDeals,
        type_deals: &[(&MixType, u128)],
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let clock = Instant::now();
        let theory = during(observer, Stage::Theory, || deals.theory())?;
        let (cases, seconds) = (deals.cases(), clock.elapsed().as_secs_f64());
        tracing::info!(target: "theory", cases, seconds, "theory made");
        let ratio = |ways, of| Ratio { ways, of }.reduced();
        let all = deals.probability().deals();
        let probability = ratio(all, given_deals);
        let parts = script.mix.as_ref().map_or(1, Mix::parts);
        let types = type_deals.iter().map(|(of, deals)| TypeTheory {
            name: of.name.clone(),
            share: ratio(of.parts.into(), parts.into()),
            natural_share: ratio(*deals, all),
            probability: ratio(*deals, given_deals),
        });
        let types: Vec<TypeTheory> = types.collect();
        let record = TheoryRecord {
            program: PROGRAM.to_owned(),
            condition: script.condition.text().to_owned(),
            order: deals.order.clone(),
            total: deals.total().to_string(),
            cases,
            given: given.map(|given| given.text().to_owned()),
            probability: ProbabilityRecord::exact(probability),
            types: types.iter().map(TypeTheory::record).collect(),
        };
        let others = script.condition.unmentioned();
        let are_mentioned = |side: &Side| {
            let mentions = |seat: Seat| !others.contains(&seat);
            Seat::ALL
                .into_iter()
                .all(|seat| mentions(seat) == (seat.side() == *side))
        };
        let partners = Side::ALL.into_iter().find(are_mentioned);
        Ok(ExactTheory {
            total: deals.total(),
            is_unconstrained: deals.is_unconstrained(),
            theory,
            record,
            probability,
            partners,
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
            probability: ProbabilityRecord::exact(self.probability),
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
        let (probability, are_partners) = (self.probability, self.partners.is_some());
        TheoryDocument::new(
            &self.record,
            probability,
            theory,
            answers,
            are_partners,
            folder,
        )
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
