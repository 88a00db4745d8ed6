//! Choice of the sampler for a request.

use super::choice::{ChoiceError, PopulationSource, SamplerChoice};
use super::cost::{self, RequestPurpose};
use super::options::{SamplerMethod, Sampling, Workload};
use super::pilot::{Pilot, PilotDeck};
use super::search::{
    Attempt, AttemptOutcome, FoundBase, SearchBudget, SearchResult, numbered_with_tables, search,
    search_hand, try_whole,
};
use crate::error::Error;
use crate::filter::Filter;
use crate::language::{Condition, Plan, PlanError};
use crate::observer::{Observer, Stage, during};
use crate::population::cases::{self, DEFAULT_MAX_CASES, DivideLimits, Division, ListingError};
use crate::population::cells::{Budget, Cells, CellsError};
use crate::population::counting::{CountError, NumberedDeals};
use crate::population::{Base, CELLS, CountedListing, Listings};

impl Sampling {
    /// Chooses a sampler, as [`choose`] does, unless an existing listing covers the whole condition.
    /// Nothing is written: [`SamplerChoice::population`] prepares the population.
    ///
    /// # Errors
    ///
    /// If no deal is found to satisfy the condition, its arithmetic fails for a sampled deal, or the
    /// requested sampler is not possible.
    pub fn choose(
        &self,
        condition: &Condition,
        workload: Workload,
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
        let stage = match is_listed {
            true => Stage::Count,
            false => Stage::Plan,
        };
        Ok(during(observer, stage, || {
            choose(condition, self, workload)
        })?)
    }
}

/// Chooses the sampler for a request: the one with the lowest cost, including the cost of the
/// search, unless `sampling` names another.
///
/// # Errors
///
/// [`ChoiceError`] if no deal is found to satisfy the condition, its arithmetic fails for a
/// sampled deal, the order does not match the condition, or the requested sampler is not possible.
pub fn choose(
    condition: &Condition,
    sampling: &Sampling,
    workload: Workload,
) -> Result<SamplerChoice, ChoiceError> {
    let is_run = workload.purpose == RequestPurpose::Statistics;
    match sampling.method {
        _ if sampling.lists_whole(condition) => listed_whole(condition, sampling),
        SamplerMethod::Rejection => rejection(condition, "rejection was requested"),
        SamplerMethod::Cells => choose_cells(condition, workload),
        SamplerMethod::Numbers => numbers(condition),
        SamplerMethod::Exact => exact(condition, sampling, workload),
        // With one sampler for any number of deals, a seed gives the same first deals.
        _ if is_run && sampling.is_of_scenario(condition) => match Cells::new(condition) {
            Ok(cells) if cells.can_be_drawn().is_ok() => {
                let why = "runs of a scenario use its cells".to_owned();
                Ok(SamplerChoice::of_cells(cells, why))
            }
            _ => cheapest(condition, sampling, workload),
        },
        _ => cheapest(condition, sampling, workload),
    }
}

/// Lists the whole condition, as requested.
fn listed_whole(condition: &Condition, sampling: &Sampling) -> Result<SamplerChoice, ChoiceError> {
    let order = sampling.order.as_deref();
    if matches!(Plan::new(condition, order), Ok(Plan::Unconstrained)) {
        return Ok(every_deal());
    }
    let CountedListing { listing, census } =
        CountedListing::new(condition, order, sampling.max_cases)?;
    let division = Division::list_whole(condition, listing, census);
    let why = "a listing was requested".to_owned();
    Ok(SamplerChoice::of_division(division, why))
}

/// Chooses the sampler with the lowest cost.
fn cheapest(
    condition: &Condition,
    sampling: &Sampling,
    workload: Workload,
) -> Result<SamplerChoice, ChoiceError> {
    if sampling.order.is_some() {
        let division = cases::divide(condition, sampling.order.as_deref(), sampling.max_cases)?;
        let why = "the order requires a listing".to_owned();
        return Ok(SamplerChoice::of_division(division, why));
    }
    let plan = Plan::new(condition, None);
    match &plan {
        Ok(Plan::Unconstrained) => return Ok(every_deal()),
        Ok(Plan::Impossible) => return Err(ListingError::NoDeal.into()),
        Err(PlanError::Condition(error)) if condition.expression().is_constant() => {
            return Err(error.clone().into());
        }
        Err(PlanError::Predeal) if condition.expression().is_constant() => {
            let cells = Cells::new(condition).map_err(|why| ChoiceError::of(condition, why))?;
            return Ok(SamplerChoice::of_cells(cells, EVERY_DEAL.to_owned()));
        }
        _ => {}
    }
    search_with_pilot(
        condition,
        sampling,
        workload,
        matches!(plan, Ok(Plan::Listed { .. })),
    )
}

/// Draws pilot samples and searches, more the rarer the deals are.
fn search_with_pilot(
    condition: &Condition,
    sampling: &Sampling,
    workload: Workload,
    is_listable: bool,
) -> Result<SamplerChoice, ChoiceError> {
    let no_cells = |why| ChoiceError::of(condition, why);
    let mut filter = Filter::new(std::slice::from_ref(condition.expression()));
    let mut deck = PilotDeck::new(condition.predeal());
    let (mut pilot, mut spent) = (None, 0);
    // The cells of one hand from which samples are drawn, and the attempts so far.
    let (mut hand, mut attempts) = (None::<SearchResult>, Vec::new());
    loop {
        let sample = deck.sample(&filter, pilot, hand.as_ref().and_then(SearchResult::cells));
        let sample = sample.map_err(|error| condition.evaluation_error(&error))?;
        pilot = Some(sample);
        let draw = match &hand {
            Some(hand) => hand.draw,
            None => cost::draw_with_filter(&filter, !condition.predeal().is_empty()),
        };
        let budget = search_budget(condition, workload, draw, sample, spent);
        let next = (sample.next_size() as f64 * budget.draw) as u64;
        let room = match budget.purpose {
            // The acceptance rate is still unknown: assume the maximum cost of rejection.
            RequestPurpose::Boards if sample.kept == 0 => {
                let draws = workload.draws.unwrap_or(u64::MAX);
                (draws as f64 * budget.draw) as u64
            }
            // The lower the acceptance rate, the more a search repays.
            RequestPurpose::Boards => budget.steps,
            RequestPurpose::Statistics => budget.steps / 2,
        };
        let is_last = sample.is_enough() || next > room.min(cost::MOST_PILOT);
        if !is_last {
            // The next sample gives more information, and costs as much as trying the whole
            // condition first.
            let found = try_whole(condition, next, &budget, &mut attempts).map_err(no_cells)?;
            if found.is_some() {
                let choice = decide(condition, sampling, &budget, is_listable, found, &attempts)?;
                return Ok(choice.after(sample, attempts));
            }
            // The search tries the whole condition again.
            spent += attempts.pop().map_or(0, |attempt| attempt.spent);
        }
        if attempts.is_empty() && may_repay_hand(&budget, sample) {
            hand = search_hand(condition, &deck, &budget, &mut attempts).map_err(no_cells)?;
            if let Some(hand) = &hand {
                filter = Filter::new(&hand.filter);
                pilot = None;
                continue;
            }
        }
        if is_last {
            let found = search(condition, &deck, &budget, hand, &mut attempts).map_err(no_cells)?;
            let choice = decide(condition, sampling, &budget, is_listable, found, &attempts)?;
            return Ok(choice.after(sample, attempts));
        }
    }
}

/// Whether boards are so rare, as far as is known, that cells of one hand repay their cost.
fn may_repay_hand(budget: &SearchBudget, sample: Pilot) -> bool {
    budget.purpose == RequestPurpose::Boards
        && !sample.is_enough()
        && budget.price > cost::REPAYS_ONE_HAND
}

/// Returns the budget of a search after this pilot sample, whose draws cost `draw` each; `spent`
/// steps were taken before it.
fn search_budget(
    condition: &Condition,
    workload: Workload,
    draw: f64,
    pilot: Pilot,
    spent: u64,
) -> SearchBudget {
    let Workload {
        deals,
        draws,
        purpose,
    } = workload;
    let most = draws.map_or(f64::INFINITY, |draws| draws as f64);
    let drawn = (deals as f64 * pilot.of / pilot.rate()).min(most) * draw;
    let price = drawn + deals as f64 * cost::kept(purpose);
    let taken = match purpose {
        RequestPurpose::Boards => 0,
        RequestPurpose::Statistics => spent + (pilot.drawn as f64 * draw) as u64,
    };
    SearchBudget {
        deals,
        purpose,
        rate: pilot.rate(),
        price,
        steps: cost::search_steps(price, draw, deals, purpose).saturating_sub(taken),
        bytes: cost::search_bytes(deals),
        draw,
        may_list: purpose == RequestPurpose::Statistics && condition.predeal().is_empty(),
        may_number: true,
        tables: match purpose {
            RequestPurpose::Boards => u64::MAX,
            RequestPurpose::Statistics => cost::most_tables(deals),
        },
        enough: 0,
    }
}

/// Chooses a listing if it is cheap compared with the run, otherwise the cells found, otherwise
/// rejection.
fn decide(
    condition: &Condition,
    sampling: &Sampling,
    budget: &SearchBudget,
    is_listable: bool,
    found: Option<SearchResult>,
    attempts: &[Attempt],
) -> Result<SamplerChoice, ChoiceError> {
    let whole = matches!(&found, Some(found) if found.filter.is_empty());
    if is_listable && budget.purpose == RequestPurpose::Statistics {
        let cases = match &found {
            Some(SearchResult {
                base: FoundBase::Cells(cells),
                ..
            }) if whole => Some(cells.cases()),
            _ => None,
        };
        if let Some(choice) = listing(condition, sampling, budget, cases)? {
            return Ok(choice);
        }
    }
    match found {
        Some(found) => {
            let source = match found.base {
                FoundBase::Cells(_) => "cells express",
                FoundBase::Numbered(_) => "numbers select the deals of",
                FoundBase::Listing(_) => "a listing of one hand expresses",
            };
            let failed = |attempt: &Attempt| match &attempt.outcome {
                AttemptOutcome::Failed(why) if attempt.is_whole && attempt.sampler == CELLS => {
                    Some(why.to_string())
                }
                _ => None,
            };
            let why = match whole {
                true => format!("{source} the whole condition"),
                false => {
                    let why = attempts.iter().rev().find_map(failed);
                    let why = why.map_or_else(String::new, |why| format!(": {why}"));
                    format!("{source} a part of the condition, and a filter checks the rest{why}")
                }
            };
            Ok(SamplerChoice::of_found(found, why))
        }
        None if attempts.is_empty() => rejection(condition, COMMON),
        None => rejection(condition, "found no cells that repay their cost"),
    }
}

/// Reason to prefer a listing of the whole condition.
const LISTABLE: &str = "the whole condition fits in a listing, which allows the most exact tests";

/// Reason to draw without a filter and without a search.
const EVERY_DEAL: &str = "the condition allows every deal";

/// Reason for rejection without an alternative.
const COMMON: &str = "deals are common enough that no preparation repays its cost";

/// Filters all deals by the whole condition. Around predealt cards, these are deals of cells too.
fn rejection(condition: &Condition, why: &str) -> Result<SamplerChoice, ChoiceError> {
    let rejected = SamplerChoice::of_division(cases::reject(condition), why.to_owned());
    if condition.predeal().is_empty() {
        return Ok(rejected);
    }
    let every_deal = condition.narrowed_to(None)?;
    let cells = Cells::new(&every_deal).map_err(|why| ChoiceError::of(condition, why))?;
    let source = PopulationSource::Ready(Base::Cells(Box::new(cells)));
    Ok(SamplerChoice { source, ..rejected })
}

/// Returns a listing of the whole condition if it is cheap compared with the run: more tests have
/// exact laws for its draws. `cases` is the number of cases, if cells have counted them.
fn listing(
    condition: &Condition,
    sampling: &Sampling,
    budget: &SearchBudget,
    cases: Option<u128>,
) -> Result<Option<SamplerChoice>, ChoiceError> {
    let affordable = (budget.steps as f64).max(cost::LEAST_LISTING);
    let most = sampling.max_cases.min((affordable / cost::CASE) as u64);
    if cases.is_some_and(|cases| cases > u128::from(most)) {
        return Ok(None);
    }
    let division = cases::whole(condition, DivideLimits::of_steps(most, affordable as u64))?;
    Ok(division.map(|division| SamplerChoice::of_division(division, LISTABLE.to_owned())))
}

/// Chooses cells, as requested, for as much of the condition as they can express.
fn choose_cells(condition: &Condition, workload: Workload) -> Result<SamplerChoice, ChoiceError> {
    let no_cells = |why| ChoiceError::of(condition, why);
    match Plan::new(condition, None) {
        Ok(Plan::Unconstrained) => return Err(no_cells(CellsError::Unconstrained)),
        Ok(Plan::Impossible) => return Err(no_cells(CellsError::NoDeal)),
        _ => {}
    }
    let filter = Filter::new(std::slice::from_ref(condition.expression()));
    let mut deck = PilotDeck::new(condition.predeal());
    let sample = deck.sample(&filter, None, None);
    let sample = sample.map_err(|error| condition.evaluation_error(&error))?;
    let draw = cost::draw_with_filter(&filter, !condition.predeal().is_empty());
    let budget = SearchBudget {
        // The cost of rejection does not limit a requested search.
        price: f64::INFINITY,
        steps: cost::SEARCH_ON_REQUEST,
        bytes: cost::BYTES_ON_REQUEST,
        tables: u64::MAX,
        may_list: false,
        may_number: false,
        enough: cost::SEARCH_ON_REQUEST,
        ..search_budget(condition, workload, draw, sample, 0)
    };
    let mut attempts = Vec::new();
    let found = search(condition, &deck, &budget, None, &mut attempts).map_err(no_cells)?;
    let Some(found) = found else {
        let failed = |attempt: &Attempt| match &attempt.outcome {
            AttemptOutcome::Failed(why) => Some(why.clone()),
            AttemptOutcome::Made { .. } => None,
        };
        let why = attempts.iter().find_map(failed);
        return Err(no_cells(why.unwrap_or(CellsError::OverBudget)));
    };
    let why = "cells were requested".to_owned();
    let choice = SamplerChoice::of_found(found, why);
    Ok(choice.after(sample, attempts))
}

/// Numbers the deals, as requested.
fn numbers(condition: &Condition) -> Result<SamplerChoice, ChoiceError> {
    let budget = Budget::new(cost::SEARCH_ON_REQUEST, cost::BYTES_ON_REQUEST);
    let deals = NumberedDeals::new(condition, &budget);
    let deals = deals.map_err(|why| ChoiceError::of_count(condition, why))?;
    let why = "numbers were requested".to_owned();
    Ok(SamplerChoice::of_numbered(deals, why))
}

/// Chooses a source with exact laws: cells, a listing or numbered deals of the whole condition.
/// Chooses rejection, with the reason, if none is found within a budget.
///
/// A small listing comes first, because more tests have exact laws for its draws.
fn exact(
    condition: &Condition,
    sampling: &Sampling,
    workload: Workload,
) -> Result<SamplerChoice, ChoiceError> {
    let plan = Plan::new(condition, None);
    match &plan {
        Ok(Plan::Unconstrained) => return Ok(every_deal()),
        Ok(Plan::Impossible) => return Err(ListingError::NoDeal.into()),
        _ => {}
    }
    let listing = |cases: f64| -> Result<_, ChoiceError> {
        let most = sampling.max_cases.min(cases as u64);
        let limits = DivideLimits::of_steps(most, (cases * cost::CASE) as u64);
        let whole = cases::whole(condition, limits)?;
        Ok(whole.map(|whole| SamplerChoice::of_division(whole, LISTABLE.to_owned())))
    };
    if let Some(choice) = listing(cost::SMALL_LISTING)? {
        return Ok(choice);
    }
    let (steps, bytes) = cost::table_budget(workload.deals);
    let budget = Budget::new(steps, bytes);
    match cells_with_tables(condition, &budget) {
        Ok(cells) => {
            let why = "cells express the whole condition".to_owned();
            Ok(SamplerChoice::of_cells(cells, why))
        }
        Err(why @ (CellsError::NoDeal | CellsError::Arithmetic(_))) => {
            Err(ChoiceError::of(condition, why))
        }
        Err(why) => match listing(DEFAULT_MAX_CASES as f64)? {
            Some(choice) => Ok(choice),
            None => match numbered_with_tables(condition, &Budget::new(steps, bytes), steps) {
                Ok(deals) => {
                    let why = "numbers select the deals of the whole condition".to_owned();
                    Ok(SamplerChoice::of_numbered(deals, why))
                }
                Err(error @ (CountError::NoDeal | CountError::Arithmetic(_))) => {
                    Err(ChoiceError::of_count(condition, error))
                }
                Err(_) => rejection(condition, &why.to_string()),
            },
        },
    }
}

/// Makes cells that can be drawn from and whose exact tables can be summed, all within a budget.
fn cells_with_tables(condition: &Condition, budget: &Budget) -> Result<Cells, CellsError> {
    let cells = Cells::within(condition, budget)?;
    cells.pay_for_lists(budget)?;
    match cells.are_summed_together() {
        true => Cells::listable_within(condition, budget)?.pay_for_sums(budget)?,
        false => cells.pay_for_sums(budget)?,
    }
    Ok(cells)
}

/// Chooses every deal, without a filter.
fn every_deal() -> SamplerChoice {
    SamplerChoice::of_division(Division::every_deal(), EVERY_DEAL.to_owned())
}
