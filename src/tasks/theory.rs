//! Exact theory of a condition, without dealing.

use std::path::Path;
use std::time::Instant;

use super::prepare::{ConditionInput, MOST_THEORY_BYTES, Prepared};
use crate::bridge::combinatorics::DEALS;
use crate::bridge::{Seat, Side};
use crate::draw::Aes128Ctr;
use crate::error::{Error, Remedy};
use crate::language::{Condition, MixType, Plan, PlanError, Script};
use crate::observer::{Observer, Stage, during};
use crate::population::cases::ListingError;
use crate::population::cells::{Budget, Cells, CellsError};
use crate::population::counting::{CountError, DealCounter};
use crate::population::{Listings, OpenListing, Population, order_of};
use crate::report::{
    EstimateRecord, ExactAnswer, Folder, PROGRAM, ProbabilityRecord, Table, TheoryDocument,
    TheoryRecord, TypeRecord, exact_answer_tables, fraction, theory_tables,
};
use crate::run::{DEFAULT_DEALS, DealStream};
use crate::sampler::{SamplerMethod, Sampling, Workload};
use crate::theory::{Ratio, Theory, null_laws};

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
    pub fn new(input: ConditionInput, sampling: &'r Sampling) -> Self {
        Self {
            input,
            given: None,
            sampling,
        }
    }
}

/// Computes the exact tables of a condition: from cells if it has any, otherwise by counting its
/// deals or from its listing.
///
/// # Errors
///
/// If no deal satisfies the condition, or it has none of these.
pub fn theory(
    request: TheoryRequest<'_>,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<ExactTheory, Error> {
    let (given, sampling) = (request.given, request.sampling);
    refuse_draws(given)?;
    let (script, listed) = opened(request.input, sampling, listings)?;
    let found = FoundDeals::listed(&script, listed, given, sampling, listings, observer)?;
    found.theory(sampling.max_cases, observer)
}

/// The shares of the types of a mix.
///
/// # Errors
///
/// As [`theory`].
pub(super) fn type_shares(
    input: ConditionInput,
    sampling: &Sampling,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<Vec<TypeTheory>, Error> {
    let (script, listed) = opened(input, sampling, listings)?;
    let found = FoundDeals::listed(&script, listed, None, sampling, listings, observer)?;
    found.types()
}

/// The script of a request, and its listing if it is a case file.
fn opened(
    input: ConditionInput,
    sampling: &Sampling,
    listings: &Listings,
) -> Result<(Script, Option<OpenListing>), Error> {
    match input {
        ConditionInput::CaseFile(path) => {
            sampling.refuse_order()?;
            let listed = listings.open(&path)?;
            let text = &listed.file.header().condition;
            let script = Script::parse(&path.display().to_string(), text)?;
            Ok((script, Some(listed)))
        }
        ConditionInput::Script(script) => Ok((*script, None)),
    }
}

/// The deals of a script, of which tables can be made.
struct FoundDeals<'r> {
    script: &'r Script,
    given: Option<&'r Condition>,
    /// The condition among what is given.
    condition: Condition,
    deals: ExactDeals,
    /// The number of deals that are given; `None` for all deals with the predealt cards.
    given_deals: Option<u128>,
    /// The numbers of deals of the types of a mix, or why they are not counted.
    type_deals: Vec<Result<u128, String>>,
}

impl<'r> FoundDeals<'r> {
    /// Finds the deals of a script among those that are given; `exact` finds those of a condition,
    /// if there are any.
    fn new(
        script: &'r Script,
        given: Option<&'r Condition>,
        exact: &dyn Fn(&Condition) -> Result<Option<ExactDeals>, Error>,
    ) -> Result<Self, Error> {
        let condition = among(&script.condition, given)?;
        let deals = exact(&condition)?.ok_or(ListingError::NoDeal)?;
        let given_deals = match given {
            None => None,
            Some(given) => {
                let deals = exact(&given.without_predeal()?)?.ok_or(ListingError::NoDeal)?;
                Some(deals.deals().0)
            }
        };
        let types = script.mix.iter().flat_map(|mix| mix.types()).enumerate();
        let type_deals = types.map(|(number, of)| {
            match exact(&among(&script.of_type(number)?.condition, given)?) {
                Ok(deals) => Ok(Ok(deals.map_or(0, |deals| deals.deals().0))),
                Err(why) if is_unavailable(&why) => Ok(Err(format!("type `{}`: {why}", of.name))),
                Err(why) => Err(why),
            }
        });
        Ok(Self {
            script,
            given,
            type_deals: type_deals.collect::<Result<_, Error>>()?,
            condition,
            deals,
            given_deals,
        })
    }

    /// Takes the deals of a listing, or finds those of a script.
    fn listed(
        script: &'r Script,
        listed: Option<OpenListing>,
        given: Option<&'r Condition>,
        sampling: &Sampling,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        match (listed, given) {
            (Some(listed), None) => Ok(Self {
                script,
                given,
                condition: script.condition.clone(),
                deals: ExactDeals::of(Population::of_listing(listed), &Budget::unlimited())?,
                given_deals: None,
                type_deals: Vec::new(),
            }),
            _ => Self::new(script, given, &|condition| {
                ExactDeals::new(condition, sampling, listings, observer)
            }),
        }
    }

    /// The number of deals that probabilities are shares of.
    fn every(&self) -> u128 {
        self.given_deals.unwrap_or(self.deals.deals().1)
    }

    /// The probability of the condition.
    fn probability(&self) -> Ratio {
        let (ways, of) = (self.deals.deals().0, self.every());
        Ratio { ways, of }.reduced()
    }

    /// Makes the tables.
    fn theory(&self, max_cases: u64, observer: &dyn Observer) -> Result<ExactTheory, Error> {
        let (script, deals, clock) = (self.script, &self.deals, Instant::now());
        let types = self.types()?;
        let theory = during(observer, Stage::Theory, || deals.theory())?;
        let (cases, seconds) = (deals.cases(), clock.elapsed().as_secs_f64());
        tracing::info!(target: "theory", cases, seconds, "theory made");
        let probability = self.probability();
        let record = TheoryRecord {
            program: PROGRAM.to_owned(),
            condition: script.condition.text().to_owned(),
            order: deals.order.clone(),
            total: deals.total().to_string(),
            cases,
            given: self.given.map(|given| given.text().to_owned()),
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
        Ok(ExactTheory {
            total: deals.total(),
            is_unconstrained: deals.is_unconstrained(),
            theory,
            record,
            probability,
            partners: Side::ALL.into_iter().find(are_mentioned),
            types,
            answers: answers(script, &self.condition, max_cases, observer),
        })
    }

    /// The types of a mix.
    fn types(&self) -> Result<Vec<TypeTheory>, Error> {
        let types = mix_shares(self.script).zip(&self.type_deals);
        let types = types.map(|((of, share), deals)| {
            let deals = deals.clone().map_err(Error::condition)?;
            Ok(self.type_theory(of, share, deals))
        });
        types.collect()
    }

    /// The records of the types of a mix, of which some may not be counted.
    fn type_records(&self) -> Vec<TypeRecord> {
        let types = mix_shares(self.script).zip(&self.type_deals);
        let types = types.map(|((of, share), deals)| match deals {
            Ok(deals) => self.type_theory(of, share, *deals).record(),
            Err(why) => uncounted(of, share, Err(why.clone())),
        });
        types.collect()
    }

    fn type_theory(&self, of: &MixType, share: Ratio, deals: u128) -> TypeTheory {
        let ratio = |of| Ratio { ways: deals, of }.reduced();
        TypeTheory {
            name: of.name.clone(),
            share,
            natural_share: ratio(self.deals.deals().0),
            probability: ratio(self.every()),
        }
    }
}

/// The record of a type without a natural share: its probability, or why it is not counted.
fn uncounted(of: &MixType, share: Ratio, probability: Result<Ratio, String>) -> TypeRecord {
    TypeRecord {
        name: of.name.clone(),
        share: fraction(share),
        natural_share: None,
        why: probability.as_ref().err().cloned(),
        probability: probability.ok().map(ProbabilityRecord::exact),
    }
}

/// The types of a mix and their shares of it; none without a mix.
fn mix_shares(script: &Script) -> impl Iterator<Item = (&MixType, Ratio)> {
    script.mix.iter().flat_map(|mix| {
        let share = |of: &MixType| Ratio::from((of.parts.into(), mix.parts().into())).reduced();
        mix.types().iter().map(move |of| (of, share(of)))
    })
}

/// The condition among the deals of another, if there is one.
fn among(condition: &Condition, given: Option<&Condition>) -> Result<Condition, Error> {
    match given {
        None => Ok(condition.clone()),
        Some(given) => Ok(condition.and_given(given)?),
    }
}

/// Refuses to take random draws as what is known of the deals.
fn refuse_draws(given: Option<&Condition>) -> Result<(), Error> {
    let (message, label) = (
        "what is given is decided by the cards",
        "`rnd` is drawn for each deal",
    );
    match given.and_then(|given| given.error_at_draw(message, label)) {
        Some(error) => Err(error.into()),
        None => Ok(()),
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
    refuse_draws(given)?;
    let budget = Budget::new(PAGE_STEPS, MOST_THEORY_BYTES);
    let exact = |condition: &Condition| -> Result<Option<ExactDeals>, Error> {
        let workload = |_: &Script| Workload::statistics(DEFAULT_DEALS);
        let mut script = Box::new(script.clone());
        script.condition = condition.clone();
        let input = ConditionInput::Script(script);
        let prepared = Prepared::new(input, &sampling, workload, listings, observer)?;
        if prepared.population.is_exact() {
            return ExactDeals::of(prepared.population, &budget).map(Some);
        }
        match ExactDeals::counted(condition, &budget).ok().flatten() {
            Some(counted) => Ok(Some(counted)),
            None => {
                let why = &prepared.reasons.why;
                let error = Error::condition(format!("no exact tables within the budget: {why}"));
                Err(error.with_remedy(Remedy::DrawInstead))
            }
        }
    };
    FoundDeals::new(script, given, &exact)?.theory(max_cases, observer)
}

/// Steps to count the deals of a condition for a page: some seconds.
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
    let plan = Plan::new(condition, None);
    match plan {
        Ok(Plan::Unconstrained) => {
            return Ok(Likelihood::Exact(Ratio { ways: 1, of: 1 }));
        }
        Ok(Plan::Impossible) => return Err(ListingError::NoDeal.into()),
        _ => {}
    }
    let budget = || Budget::new(QUICK_STEPS / 2, QUICK_BYTES);
    let mut found = match condition.predeal().is_empty() {
        true => ExactDeals::of_cells(condition, &plan, &budget()),
        false => Err(CountError::NotCards),
    };
    if matches!(found, Err(CountError::NotCards)) {
        found = ExactDeals::counted(condition, &budget());
    }
    match found {
        Ok(Some(deals)) => Ok(Likelihood::Exact(deals.probability())),
        Ok(None) => Err(ListingError::NoDeal.into()),
        Err(error @ CountError::Arithmetic(_)) => Err(error_of(condition, error)),
        Err(_) => {
            let (kept, drawn) = sampled(script, None, observer)?;
            Ok(Likelihood::Estimated { kept, drawn })
        }
    }
}

/// What is known of a condition without dealing many deals.
#[derive(Debug)]
pub enum TheoryAnswer {
    /// Its exact tables.
    Exact(Box<ExactTheory>),
    /// Its probability alone, or an estimate of it, because exact tables are not available.
    Estimated(Box<EstimateRecord>),
}

/// Computes the exact tables of a condition as [`theory`] does. If it has none, computes its
/// probability, or estimates it from a sample.
///
/// # Errors
///
/// If no deal satisfies the condition, its arithmetic fails, or a file cannot be read.
pub fn theory_or_estimate(
    request: TheoryRequest<'_>,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<TheoryAnswer, Error> {
    let (given, sampling) = (request.given, request.sampling);
    refuse_draws(given)?;
    let (script, listed) = opened(request.input, sampling, listings)?;
    let is_script = listed.is_none();
    let found = FoundDeals::listed(&script, listed, given, sampling, listings, observer);
    let (why, probability, drawn, types) = match found {
        Ok(found) => match found.theory(sampling.max_cases, observer) {
            Ok(exact) => return Ok(TheoryAnswer::Exact(Box::new(exact))),
            Err(why) if is_script && is_unavailable(&why) => {
                let probability = ProbabilityRecord::exact(found.probability());
                (why, probability, 0, found.type_records())
            }
            Err(why) => return Err(why),
        },
        Err(why) if is_script && can_be_sampled(&script, given) && is_unavailable(&why) => {
            let (kept, drawn) = sampled(&script, given, observer)?;
            let types = counted_types(&script, given, sampling, listings, observer)?;
            (why, ProbabilityRecord::of_share(kept, drawn), drawn, types)
        }
        Err(why) => return Err(why),
    };
    Ok(TheoryAnswer::Estimated(Box::new(EstimateRecord {
        program: PROGRAM.to_owned(),
        condition: script.condition.text().to_owned(),
        given: given.map(|given| given.text().to_owned()),
        probability,
        drawn,
        types,
        why: why.to_string(),
    })))
}

/// The types of a mix whose condition is not counted; the probability of each that is.
fn counted_types(
    script: &Script,
    given: Option<&Condition>,
    sampling: &Sampling,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<Vec<TypeRecord>, Error> {
    let types = mix_shares(script).enumerate().map(|(number, (of, share))| {
        let of_type = script.of_type(number)?;
        let found = FoundDeals::listed(&of_type, None, given, sampling, listings, observer);
        match found {
            Ok(found) => Ok(uncounted(of, share, Ok(found.probability()))),
            Err(why) if is_unavailable(&why) => Ok(uncounted(of, share, Err(why.to_string()))),
            Err(why) if has_no_deal(&why) => Ok(uncounted(of, share, Ok((0, 1).into()))),
            Err(why) => Err(why),
        }
    });
    types.collect()
}

/// Whether a sample of deals decides the condition: of those with the predealt cards, or of those that
/// are given, which have none.
fn can_be_sampled(script: &Script, given: Option<&Condition>) -> bool {
    (given.is_none() || script.condition.predeal().is_empty()) && !script.needs_tables()
}

/// Whether an error says that a condition is valid and has no exact tables.
fn is_unavailable(error: &Error) -> bool {
    match error.cause::<ListingError>() {
        Some(_) => !has_no_deal(error),
        None => error.is_condition(),
    }
}

/// Whether an error says that no deal satisfies a condition.
fn has_no_deal(error: &Error) -> bool {
    matches!(error.cause(), Some(ListingError::NoDeal))
}

/// Draws a sample of all deals with the predealt cards, or of those that are given; returns how many of
/// it satisfy a script's condition, and its size.
fn sampled(
    script: &Script,
    given: Option<&Condition>,
    observer: &dyn Observer,
) -> Result<(u64, u64), Error> {
    let condition = &script.condition;
    let mut drawn_from = Box::new(script.clone());
    drawn_from.mix = None;
    let mut method = SamplerMethod::Rejection;
    if let Some(given) = given {
        drawn_from.condition = given.clone();
        method = SamplerMethod::Auto;
    }
    let input = ConditionInput::Script(drawn_from);
    let workload = |_: &Script| Workload::statistics(QUICK_SAMPLE);
    let (sampling, listings) = (Sampling::by(method), Listings::in_memory());
    let prepared = Prepared::new(input, &sampling, workload, &listings, observer)?;
    let population = &prepared.population;
    let stream = DealStream::of(population, Aes128Ctr::new(QUICK_SEED))?;
    let mut stream = stream.with_draws(script.has_draws());
    if given.is_none() {
        stream = stream.limited_to(QUICK_SAMPLE);
    }
    let (mut passed, mut kept) = (0, 0);
    while passed < QUICK_SAMPLE
        && let Some(deal) = stream.next_deal().map_err(|error| error.of(population))?
    {
        passed += 1;
        // Without `given`, the population's filter is the condition.
        let holds = given.map_or(Ok(true), |_| condition.expression().holds(&deal));
        kept += u64::from(holds.map_err(|error| condition.evaluation_error(&error))?);
    }
    match (given, passed) {
        (None, _) => Ok((kept, QUICK_SAMPLE)),
        (Some(_), 0) => Err(ListingError::NoDeal.into()),
        (Some(_), drawn) => Ok((kept, drawn)),
    }
}

impl TypeTheory {
    fn record(&self) -> TypeRecord {
        TypeRecord {
            name: self.name.clone(),
            share: fraction(self.share),
            natural_share: Some(fraction(self.natural_share)),
            probability: Some(ProbabilityRecord::exact(self.probability)),
            why: None,
        }
    }
}

impl ExactTheory {
    /// Every table.
    pub fn tables(&self) -> Vec<Table> {
        let laws = self.is_unconstrained.then(null_laws);
        let mut tables = theory_tables(&self.theory, laws.as_ref());
        tables.extend(exact_answer_tables(&self.answers));
        tables
    }

    /// The record with its tables, for JSON. Tables that were written to a folder are left out.
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
    deals: DealsOf,
    /// The order of the seats of a listing of one or two hands; empty otherwise.
    order: String,
}

/// How the deals are described.
enum DealsOf {
    /// A population without a filter.
    Population(Population),
    /// The deals of a condition that are counted, and their share of all deals.
    Counted(Box<DealCounter>, Ratio),
}

/// Steps to make the cells of three or four hands, before their deals are counted instead, and if
/// they cannot be counted.
const STEPS_OF_CELLS: u64 = 1_000_000_000;
const MORE_STEPS_OF_CELLS: u64 = 20_000_000_000;

/// Steps to count the deals of a condition, and to count them again for the tables: some seconds.
const COUNT_STEPS: u64 = 8_000_000_000;
const COUNT_BYTES: u64 = 400 << 20;

fn counting_budget() -> Budget {
    Budget::new(COUNT_STEPS, COUNT_BYTES)
}

impl ExactDeals {
    /// Those of a population without a filter. The deals around predealt cards are counted within a
    /// budget.
    fn of(population: Population, budget: &Budget) -> Result<Self, Error> {
        let condition = population.condition();
        if let Some(condition) = condition.filter(|condition| !condition.predeal().is_empty()) {
            let counted = Self::counted(condition, budget);
            let counted = counted.map_err(|error| error_of(condition, error))?;
            return counted.ok_or_else(|| ListingError::NoDeal.into());
        }
        Ok(Self {
            order: population.order(),
            deals: DealsOf::Population(population),
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
        let unlimited = Budget::unlimited();
        if matches!(plan, Ok(Plan::Unconstrained)) {
            return Ok(Some(Self::of(Population::every_deal(), &unlimited)?));
        }
        let is_listable = plan.is_ok();
        let few_steps = Budget::new(STEPS_OF_CELLS, MOST_THEORY_BYTES);
        let more_steps = Budget::new(MORE_STEPS_OF_CELLS, MOST_THEORY_BYTES);
        let tries = match (is_listable, order) {
            _ if !condition.predeal().is_empty() => vec![None],
            (true, _) => vec![Some(&unlimited), None],
            (false, None) => vec![Some(&few_steps), None, Some(&more_steps)],
            (false, Some(_)) => Vec::new(),
        };
        let mut refused = None;
        for of_cells in tries {
            let found = during(observer, Stage::Count, || match of_cells {
                Some(budget) => Self::of_cells(condition, &plan, budget),
                None => Self::counted(condition, &counting_budget()),
            });
            match found {
                Ok(found) => return Ok(found),
                Err(error @ CountError::Arithmetic(_)) => return Err(error_of(condition, error)),
                Err(error @ CountError::TooLarge(_)) => refused = refused.or(Some(error)),
                Err(why) => tracing::debug!(target: "theory", %why, "no exact deals"),
            }
        }
        if let Some(error) = refused.filter(|_| !is_listable) {
            return Err(error_of(condition, error));
        }
        let listed = listings.listing(condition, order, sampling.max_cases, observer)?;
        Ok(Some(Self::of(Population::of_listing(listed), &unlimited)?))
    }

    /// Those of the cells of a condition; `None` if there are none.
    fn of_cells(
        condition: &Condition,
        plan: &Result<Plan, PlanError>,
        budget: &Budget,
    ) -> Result<Option<Self>, CountError> {
        let order = match plan {
            Ok(Plan::Listed { first, second }) => {
                order_of((first.seat, second.map(|hand| hand.seat)))
            }
            _ => String::new(),
        };
        match Cells::within(condition, budget) {
            Ok(cells) => Ok(Some(Self {
                deals: DealsOf::Population(Population::of_cells(cells)),
                order,
            })),
            Err(CellsError::NoDeal) => Ok(None),
            Err(CellsError::Arithmetic(error)) => Err(error.into()),
            Err(why) => {
                tracing::debug!(target: "theory", %why, "no cells");
                Err(CountError::NotCards)
            }
        }
    }

    /// Those that are counted; `None` if there are none.
    fn counted(condition: &Condition, budget: &Budget) -> Result<Option<Self>, CountError> {
        let counter = DealCounter::new(condition)?;
        let (ways, of) = counter.probability(budget)?;
        tracing::info!(target: "theory", steps = budget.spent(), "deals counted");
        Ok((ways > 0).then(|| Self {
            deals: DealsOf::Counted(Box::new(counter), Ratio { ways, of }),
            order: String::new(),
        }))
    }

    fn theory(&self) -> Result<Theory, Error> {
        match &self.deals {
            DealsOf::Population(population) => Ok(Theory::of(population)?),
            DealsOf::Counted(counter, _) => {
                let budget = counting_budget();
                let theory = Theory::of_counted(counter, &budget);
                tracing::info!(target: "theory", steps = budget.spent(), "tables counted");
                theory.map_err(|error| error_of(counter.condition(), error))
            }
        }
    }

    /// The probability of a deal to be one of them.
    fn probability(&self) -> Ratio {
        match &self.deals {
            DealsOf::Population(population) => population.base_probability().into(),
            DealsOf::Counted(_, probability) => *probability,
        }
    }

    /// The number of these deals, and of all deals with the predealt cards.
    fn deals(&self) -> (u128, u128) {
        match &self.deals {
            DealsOf::Population(_) => (self.probability().deals(), DEALS),
            DealsOf::Counted(_, Ratio { ways, of }) => (*ways, *of),
        }
    }

    /// The ways to deal the hands that the condition mentions, or the number of deals.
    fn total(&self) -> u128 {
        match &self.deals {
            DealsOf::Population(population) => population.total(),
            DealsOf::Counted(_, probability) => probability.ways,
        }
    }

    fn is_unconstrained(&self) -> bool {
        matches!(&self.deals, DealsOf::Population(population) if population.is_unconstrained())
    }

    /// The number of cases of a listing of one or two hands.
    fn cases(&self) -> Option<u64> {
        let DealsOf::Population(population) = &self.deals else {
            return None;
        };
        let cases = population.cases().filter(|_| !self.order.is_empty())?;
        u64::try_from(cases).ok()
    }
}

/// Why the deals of a condition are not counted.
fn error_of(condition: &Condition, error: CountError) -> Error {
    match error {
        CountError::Arithmetic(error) => condition.evaluation_error(&error).into(),
        error => Error::condition(error),
    }
}
