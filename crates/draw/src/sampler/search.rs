//! Search for cells that repay the cost of making them.

use super::cost::{self, RequestPurpose};
use super::pilot::PilotDeck;
use crate::bridge::Seat;
use crate::filter::Filter;
use crate::language::{Condition, Expression, FixedProperties, HandProperty, needed_properties};
use crate::population::cases::{self, DivideLimits, ListedPart, ListingError};
use crate::population::cells::{Budget, Cells, CellsError};
use crate::population::counting::{CountError, NumberedDeals};
use crate::population::{CELLS, LISTING, NUMBERS};

/// Divisor of the budget for the first attempt at the whole condition, whose cells end the search, and
/// for numbering its deals after a search without such cells.
const OF_WHOLE: u64 = 4;

/// Factor by which an attempt's budget must exceed the steps that the last one at the same part took
/// before it was too costly.
const ANEW: u64 = 2;

/// Divisor of the budget for finding the implied parts of a condition.
const IMPLYING: u64 = 8;

/// Number of attempts in a search after which no part is tried.
const MOST_ATTEMPTS: usize = 32;

/// Minimum number of steps granted to an attempt.
const LEAST: u64 = 20_000;

/// Factor by which a part of the condition must be simpler than one that was too costly.
const SIMPLER: f64 = 4.0;

/// Minimum number of sampled deals that satisfy two parts equally often before the part with more
/// properties is dropped.
const LEAST_KEPT: u64 = 4;

/// Steps to find the implied condition of a node, to compare it and to compile it.
const STEPS_OF_A_NODE: f64 = 400.0;

/// Maximum number of properties of hands (the pattern or the honours of one) that are left out.
const MOST_LEFT_OUT: usize = 4;

/// One attempt to make cells, to list one hand, or to number the deals.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The properties of hands that the cells fix.
    pub fixed: FixedProperties,
    /// Whether these properties determine the whole condition.
    pub is_whole: bool,
    /// The sampler that was tried: cells, a listing of one hand, or numbers.
    pub sampler: &'static str,
    /// The share of the kept deals that satisfy the part tried, if it was estimated.
    pub estimate: Option<f64>,
    /// Budget in steps.
    pub granted: u64,
    /// Steps taken.
    pub spent: u64,
    /// If the budget was exceeded: the steps that an attempt needs to get further, or `None` if it
    /// needs more memory.
    pub needed: Option<u64>,
    /// Whether these steps are enough: only the lists to draw from were too costly.
    pub is_nearly_made: bool,
    /// The result.
    pub outcome: AttemptOutcome,
}

/// The result of an attempt.
#[derive(Clone, Debug)]
pub enum AttemptOutcome {
    /// Cells, or a listing, that cover this exact share of all deals.
    Made {
        /// The share.
        share: f64,
        /// Number of cells, of cases or of deals.
        cells: u128,
    },
    /// Neither.
    Failed(CellsError),
}

/// The result of a search.
pub(super) struct SearchResult {
    pub(super) base: FoundBase,
    /// The properties that the base fixes; `None` if it expresses the whole condition.
    pub(super) fixed: Option<FixedProperties>,
    pub(super) filter: Vec<Expression>,
    /// Exact share of all deals that deals are drawn from.
    pub(super) share: f64,
    /// Steps of a draw, with its filter.
    pub(super) draw: f64,
    /// Steps expected for the whole request.
    price: f64,
}

/// What a search found to draw from.
pub(super) enum FoundBase {
    Cells(Box<Cells>),
    /// A listing of one hand.
    Listing(Box<ListedPart>),
    Numbered(Box<NumberedDeals>),
}

impl SearchResult {
    /// Combines cells with the filter for deals drawn from them, and estimates the cost.
    fn of_cells(
        cells: Cells,
        fixed: Option<FixedProperties>,
        filter: Vec<Expression>,
        budget: &SearchBudget,
    ) -> Self {
        let tables = match budget.purpose {
            RequestPurpose::Statistics => cells.steps_of_sums() as f64,
            RequestPurpose::Boards => 0.0,
        };
        let share = cells.share();
        let draw = cost::draw_from_cells(&cells) + filter_of(&filter);
        let price = budget.price_of(share, draw) + tables;
        Self {
            base: FoundBase::Cells(Box::new(cells)),
            fixed,
            filter,
            share,
            draw,
            price,
        }
    }

    /// The same for cells of a part of the condition.
    fn of_part(
        cells: Cells,
        part: &ConditionPart,
        condition: &Condition,
        budget: &SearchBudget,
    ) -> Self {
        let filter = condition.untold(&part.fixed);
        Self::of_cells(cells, Some(part.fixed), filter, budget)
    }

    /// Returns the cells, if these were found.
    pub(super) fn cells(&self) -> Option<&Cells> {
        match &self.base {
            FoundBase::Cells(cells) => Some(cells),
            _ => None,
        }
    }

    /// The same for numbered deals of the whole condition.
    fn of_numbered(deals: NumberedDeals, price: f64) -> Self {
        Self {
            fixed: None,
            filter: Vec::new(),
            share: deals.share(),
            draw: cost::DRAW_BY_NUMBER,
            price,
            base: FoundBase::Numbered(Box::new(deals)),
        }
    }

    /// The same for a listing of one hand.
    fn of_listing(
        part: ListedPart,
        share: f64,
        (fixed, filter): (FixedProperties, Vec<Expression>),
        budget: &SearchBudget,
    ) -> Self {
        let cases = part.census.cases as f64 * cost::CASE;
        let draw = cost::DRAW_OF_ONE_HAND + filter_of(&filter);
        let price = budget.price_of(share, draw) + cases;
        Self {
            base: FoundBase::Listing(Box::new(part)),
            fixed: Some(fixed),
            filter,
            share,
            draw,
            price,
        }
    }
}

/// The parts of a request that a search depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchBudget {
    /// Number of deals that satisfy the condition.
    pub(super) deals: u64,
    pub(super) purpose: RequestPurpose,
    /// The acceptance rate of rejection, as far as it is known, and the cost that follows from it.
    pub(super) rate: f64,
    pub(super) price: f64,
    /// The cost of a draw by rejection.
    pub(super) draw: f64,
    /// Steps and bytes of the search.
    pub(super) steps: u64,
    pub(super) bytes: u64,
    /// Maximum steps of exact tables.
    pub(super) tables: u64,
    /// Whether one hand may be listed.
    pub(super) may_list: bool,
    /// Whether the deals may be numbered.
    pub(super) may_number: bool,
    /// Number of steps known to be enough for the whole condition, or 0.
    pub(super) enough: u64,
}

impl SearchBudget {
    /// Returns the steps for all deals, drawn from this share of all deals at this cost.
    fn price_of(&self, share: f64, draw: f64) -> f64 {
        let drawn = self.deals as f64 * (share / self.rate).max(1.0);
        drawn * draw + self.deals as f64 * cost::kept(self.purpose)
    }
}

/// Returns the cost of these terms for one deal.
fn filter_of(terms: &[Expression]) -> f64 {
    match terms {
        [] => 0.0,
        some => cost::filter(&Filter::new(some)),
    }
}

/// A part of the condition that cells could be made of.
struct ConditionPart {
    fixed: FixedProperties,
    implied: Expression,
    /// The number of sampled deals that satisfy it, and their share.
    kept: u64,
    estimate: f64,
    complexity: f64,
}

impl ConditionPart {
    /// The part that these properties imply, by the sampled deals that its filter accepts.
    fn new(
        implied: Expression,
        filter: &Filter,
        told: &[HandProperty],
        deck: &PilotDeck<'_>,
    ) -> Self {
        let sample = deck.share(filter);
        Self {
            fixed: told.iter().copied().collect(),
            implied,
            kept: sample.kept,
            estimate: sample.rate(),
            complexity: complexity(told),
        }
    }
}

/// Makes cells of the hand that the condition narrows most, which take less than a search and turn
/// rare deals into common ones.
///
/// # Errors
///
/// The same as [`search`].
pub(super) fn search_hand(
    condition: &Condition,
    deck: &PilotDeck<'_>,
    budget: &SearchBudget,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<SearchResult>, CellsError> {
    let of_hand = |told: &[HandProperty]| {
        let fixed = told.iter().copied().collect();
        // Cells of the whole condition were tried.
        let implied = match condition.untold(&fixed).is_empty() {
            true => None,
            false => condition.expression().implied(&fixed),
        }?;
        let filter = Filter::new(std::slice::from_ref(&implied));
        Some(ConditionPart::new(implied, &filter, told, deck))
    };
    let of_seat = |seat| {
        let properties = [(seat, true), (seat, false)];
        [&properties[..], &properties[..1], &properties[1..]].map(of_hand)
    };
    let parts = Seat::ALL.into_iter().flat_map(of_seat).flatten().collect();
    let mut parts = without_needless(parts);
    // Of parts that the sample does not tell apart, the one with more properties is narrower.
    parts.sort_by(|one, other| {
        let shares = one.estimate.total_cmp(&other.estimate);
        shares.then(other.complexity.total_cmp(&one.complexity))
    });
    let granted = cost::steps_of_one_hand(budget.price);
    for part in parts.iter().filter(|part| part.estimate < cost::PART) {
        if let Some(cells) = attempt(condition, Some(part), granted, budget, attempts)? {
            let found = SearchResult::of_part(cells, part, condition, budget);
            return Ok((found.price < cost::PART * budget.price).then_some(found));
        }
    }
    Ok(None)
}

/// Searches for cells that are cheaper for the request than rejection, or than the cells of one
/// hand, and records the attempts.
///
/// # Errors
///
/// [`CellsError`] if no deal satisfies the condition or its arithmetic fails; other failures
/// are attempts without cells.
pub(super) fn search(
    condition: &Condition,
    deck: &PilotDeck<'_>,
    budget: &SearchBudget,
    hand: Option<SearchResult>,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<SearchResult>, CellsError> {
    let price = budget.price;
    let search = CellSearch {
        condition,
        deck,
        budget,
        attempts,
        spent: 0,
        best: hand.map(|hand| SearchResult { price, ..hand }),
    };
    search.run()
}

/// The state of a search.
struct CellSearch<'s> {
    condition: &'s Condition,
    deck: &'s PilotDeck<'s>,
    budget: &'s SearchBudget,
    attempts: &'s mut Vec<Attempt>,
    /// Steps taken.
    spent: u64,
    /// The best source so far.
    best: Option<SearchResult>,
}

impl CellSearch<'_> {
    /// Searches for cells, and numbers the deals if that costs less than the cells found.
    fn run(mut self) -> Result<Option<SearchResult>, CellsError> {
        match self.search_cells()? {
            Some(found) if found.filter.is_empty() => Ok(Some(found)),
            found if !self.budget.may_number => Ok(found),
            found => {
                self.best = found;
                self.try_numbers()
            }
        }
    }

    /// Numbers the deals of the whole condition if that repays its cost.
    fn try_numbers(mut self) -> Result<Option<SearchResult>, CellsError> {
        let price = self.budget.deals as f64 * cost::DRAW_BY_NUMBER
            + self.budget.deals as f64 * cost::kept(self.budget.purpose);
        let saving = self.price() - price;
        let left = self.budget.steps.saturating_sub(self.spent);
        let granted = left.max(self.budget.steps / OF_WHOLE);
        let granted = granted.min(saving.max(0.0) as u64);
        if granted < LEAST {
            return Ok(self.best);
        }
        let budget = Budget::new(granted, self.budget.bytes);
        let numbered = numbered_with_tables(self.condition, &budget, self.budget.tables);
        let outcome = match &numbered {
            Ok(deals) => AttemptOutcome::Made {
                share: deals.share(),
                cells: deals.total(),
            },
            Err(why) => AttemptOutcome::Failed(match why {
                CountError::NoDeal => return Err(CellsError::NoDeal),
                CountError::Arithmetic(error) => return Err(error.clone().into()),
                CountError::NotCards => CellsError::Draws,
                CountError::TooLarge(_) => CellsError::OverBudget,
            }),
        };
        self.attempts.push(Attempt {
            fixed: FixedProperties::default(),
            is_whole: true,
            sampler: NUMBERS,
            estimate: None,
            granted,
            spent: budget.spent(),
            needed: budget.needed(),
            is_nearly_made: false,
            outcome,
        });
        Ok(match numbered {
            Ok(deals) => Some(SearchResult::of_numbered(deals, price)),
            Err(_) => self.best.take(),
        })
    }

    /// Tries the whole condition, and then divides the remaining budget among the whole condition
    /// and the parts that may still repay an attempt, until none is left.
    fn search_cells(&mut self) -> Result<Option<SearchResult>, CellsError> {
        let granted = (self.left() / OF_WHOLE).max(LEAST).max(self.budget.enough);
        if self.saving(None) <= granted as f64 {
            return Ok(self.best.take());
        }
        if let Some(found) = self.try_whole(granted)? {
            return Ok(Some(found));
        }
        if !self.attempts.last().is_some_and(Attempt::is_worth_dividing) {
            return Ok(self.best.take());
        }
        let parts = self.implied_parts();
        loop {
            let before = self.attempts.len();
            let candidates = self.candidates(&parts);
            if let Some(found) = self.pass(&candidates, candidates.len() as u64)? {
                return Ok(Some(found));
            }
            // A share may be too little for every candidate, and all that is left enough for one.
            if self.attempts.len() == before
                && let Some(found) = self.pass(&candidates, 1)?
            {
                return Ok(Some(found));
            }
            if self.attempts.len() == before {
                return Ok(self.best.take());
            }
        }
    }

    /// Returns the whole condition, as `None`, and the parts in order, that may repay an attempt
    /// with the remaining budget.
    fn candidates<'p>(&self, parts: &'p [ConditionPart]) -> Vec<Option<&'p ConditionPart>> {
        let left = self.left();
        let parts = parts.iter().map(Some);
        let all = [None].into_iter().chain(parts);
        all.filter(|part| self.may_try(*part, left)).collect()
    }

    /// Tries the candidates in order, each with an equal share of the remaining budget, until cells
    /// of one are made. Returns cells of the whole condition.
    fn pass(
        &mut self,
        candidates: &[Option<&ConditionPart>],
        mut shares: u64,
    ) -> Result<Option<SearchResult>, CellsError> {
        let mut simpler_than = f64::INFINITY;
        for part in candidates {
            let granted = self.granted(*part, shares);
            shares = (shares - 1).max(1);
            let is_simpler = part.is_none_or(|part| part.complexity * SIMPLER <= simpler_than);
            if !is_simpler || self.attempts.len() >= MOST_ATTEMPTS || !self.may_try(*part, granted)
            {
                continue;
            }
            let granted = granted.min(self.saving(*part) as u64);
            match part {
                None => {
                    if let Some(found) = self.try_whole(granted)? {
                        return Ok(Some(found));
                    }
                }
                Some(part) => {
                    if self.try_part(part, granted)? || self.try_listing(part)? {
                        break;
                    }
                    simpler_than = part.complexity;
                }
            }
        }
        Ok(None)
    }

    fn try_whole(&mut self, granted: u64) -> Result<Option<SearchResult>, CellsError> {
        let found = try_whole(self.condition, granted, self.budget, self.attempts)?;
        self.pay();
        Ok(found)
    }

    /// Tries to make cells of a part; returns whether they were made.
    fn try_part(&mut self, part: &ConditionPart, granted: u64) -> Result<bool, CellsError> {
        let cells = attempt(
            self.condition,
            Some(part),
            granted,
            self.budget,
            self.attempts,
        )?;
        self.pay();
        let Some(cells) = cells else {
            return Ok(false);
        };
        self.keep_if_better(SearchResult::of_part(
            cells,
            part,
            self.condition,
            self.budget,
        ));
        Ok(true)
    }

    fn keep_if_better(&mut self, found: SearchResult) {
        if found.price < self.price() {
            self.best = Some(found);
        }
    }

    /// Tries to list a part on one hand whose cells are too costly; returns whether it was listed.
    fn try_listing(&mut self, part: &ConditionPart) -> Result<bool, CellsError> {
        let granted = cost::LISTING_OF_ONE_HAND;
        let is_same = |attempt: &Attempt| attempt.sampler == LISTING && attempt.fixed == part.fixed;
        if !self.budget.may_list
            || part.fixed.hands() != 1
            || self.left() < granted
            || self.saving(Some(part)) < granted as f64
            || self.attempts.iter().any(is_same)
        {
            return Ok(false);
        }
        let limits = DivideLimits::of_candidate(cost::SMALL_LISTING as u64, granted);
        let listed = match cases::part(self.condition, &part.fixed, limits) {
            Err(ListingError::NoDeal) => return Err(CellsError::NoDeal),
            // Arithmetic may fail where the omitted terms would have prevented it.
            Err(_) => None,
            Ok(division) => division.and_then(|division| {
                let (share, filter) = (division.share, division.filter);
                division.listed.map(|listed| (listed, share, filter))
            }),
        };
        let (spent, outcome) = match &listed {
            Some((listed, share, _)) => {
                let (share, cells) = (*share, listed.census.cases.into());
                (granted, AttemptOutcome::Made { share, cells })
            }
            None => {
                let why = CellsError::TooLarge("cases for a short listing");
                (cost::REFUSED_LISTING, AttemptOutcome::Failed(why))
            }
        };
        self.attempts.push(Attempt {
            fixed: part.fixed,
            is_whole: false,
            sampler: LISTING,
            estimate: Some(part.estimate),
            granted,
            spent,
            needed: None,
            is_nearly_made: false,
            outcome,
        });
        self.pay();
        let Some((listed, share, filter)) = listed else {
            return Ok(false);
        };
        self.keep_if_better(SearchResult::of_listing(
            listed,
            share,
            (part.fixed, filter),
            self.budget,
        ));
        Ok(true)
    }

    /// Returns the least budget worth another attempt at a part, or at the whole condition for
    /// `None`; `None` if no budget is.
    fn least_grant(&self, part: Option<&ConditionPart>) -> Option<u64> {
        match self.last(part) {
            None => Some(LEAST),
            Some(last) if !last.is_over_budget() => None,
            Some(last) => last.least_for_another(),
        }
    }

    /// Returns the last attempt at a part, or at the whole condition for `None`.
    fn last(&self, part: Option<&ConditionPart>) -> Option<&Attempt> {
        let is_same = |attempt: &&Attempt| match part {
            // The properties of the whole condition are also those of its narrowest part.
            Some(part) => {
                attempt.fixed == part.fixed && (!attempt.is_whole || attempt.is_too_costly())
            }
            None => attempt.is_whole,
        };
        let of_cells = self
            .attempts
            .iter()
            .filter(|attempt| attempt.sampler == CELLS);
        of_cells.rev().find(is_same)
    }

    /// Returns the budget of an attempt in a pass with this number of shares: more than a share if
    /// its exact cost is known.
    fn granted(&self, part: Option<&ConditionPart>, shares: u64) -> u64 {
        let left = self.left();
        let last = self.last(part).filter(|last| last.is_nearly_made);
        let known = last.and_then(|last| last.needed);
        let known = known.filter(|known| *known <= left);
        known.unwrap_or_default().max(left / shares)
    }

    /// Returns whether an attempt with this budget may succeed and repay its cost.
    fn may_try(&self, part: Option<&ConditionPart>, granted: u64) -> bool {
        let is_enough = |least| granted >= least && self.saving(part) > least as f64;
        self.least_grant(part).is_some_and(is_enough)
    }

    /// Returns the parts of the condition.
    fn implied_parts(&mut self) -> Vec<ConditionPart> {
        let steps = self.left().min(self.budget.steps / IMPLYING);
        let (parts, spent) = implied_parts(self.condition, self.deck, steps);
        self.spent += spent;
        parts
    }

    /// Returns the remaining steps. Once cells of a part are found, the search may take a share of
    /// the cost of all deals with them.
    fn left(&self) -> u64 {
        let budget = self.budget;
        let of_part = match (&self.best, budget.purpose) {
            (Some(best), RequestPurpose::Statistics) => {
                cost::search_steps_of_part(best.price, budget.deals)
            }
            _ => None,
        };
        of_part.unwrap_or(budget.steps).saturating_sub(self.spent)
    }

    /// Returns the steps that the request takes with the best sampler so far.
    fn price(&self) -> f64 {
        let rejection = cost::PART * self.budget.price;
        self.best.as_ref().map_or(rejection, |best| best.price)
    }

    /// Returns the steps that cells of a part, or of the whole condition for `None`, could save at
    /// most, by the share of sampled deals that satisfy it. A share of 0 decides nothing.
    fn saving(&self, part: Option<&ConditionPart>) -> f64 {
        let budget = self.budget;
        let (share, draw) = match part {
            None => (budget.rate, cost::least_draw_from_cells()),
            Some(part) if part.kept == 0 => (budget.rate, cost::draw_of_part(&part.fixed)),
            Some(part) => (part.estimate, cost::draw_of_part(&part.fixed)),
        };
        let is_wider = |best: &SearchResult| best.share <= share;
        if self.best.as_ref().is_some_and(is_wider) {
            return 0.0;
        }
        self.price() - budget.price_of(share, draw)
    }

    /// Deducts the cost of the last attempt.
    fn pay(&mut self) {
        self.spent += self.attempts.last().map_or(0, |attempt| attempt.spent);
    }
}

/// Tries to make cells of the whole condition.
///
/// # Errors
///
/// The same as [`search`].
pub(super) fn try_whole(
    condition: &Condition,
    granted: u64,
    budget: &SearchBudget,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<SearchResult>, CellsError> {
    let cells = attempt(condition, None, granted, budget, attempts)?;
    Ok(cells.map(|cells| SearchResult::of_cells(cells, None, Vec::new(), budget)))
}

impl Attempt {
    /// Returns the least budget with which another attempt may succeed; `None` if none may.
    fn least_for_another(&self) -> Option<u64> {
        self.needed.map(|needed| match self.is_nearly_made {
            true => needed,
            // More work follows the work that was refused.
            false => (needed + needed / 2).max(ANEW * self.spent),
        })
    }

    fn is_over_budget(&self) -> bool {
        matches!(self.outcome, AttemptOutcome::Failed(CellsError::OverBudget))
    }

    fn is_too_costly(&self) -> bool {
        use CellsError::{OverBudget, TooLarge};
        matches!(
            self.outcome,
            AttemptOutcome::Failed(OverBudget | TooLarge(_))
        )
    }

    /// Returns whether the attempt failed in a way that a part of the condition may not.
    fn is_worth_dividing(&self) -> bool {
        matches!(
            self.outcome,
            AttemptOutcome::Failed(
                CellsError::Cards(_)
                    | CellsError::Draws
                    | CellsError::TooLarge(_)
                    | CellsError::OverBudget
            )
        )
    }
}

/// Makes cells of a part of the condition, or of all of it, and records the result.
fn attempt(
    condition: &Condition,
    part: Option<&ConditionPart>,
    granted: u64,
    budget: &SearchBudget,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<Cells>, CellsError> {
    let steps = Budget::new(granted, budget.bytes);
    let narrowed = part.map(|part| condition.with_expression(part.implied.clone()));
    let made = Cells::within(narrowed.as_ref().unwrap_or(condition), &steps);
    let is_made = made.is_ok();
    let made = made.and_then(|cells| {
        cells.pay_for_lists(&steps)?;
        match cells.steps_of_sums() > budget.tables {
            true => Err(CellsError::TooLarge(
                "cells for exact tables in a short run",
            )),
            false => Ok(cells),
        }
    });
    let outcome = match &made {
        Ok(cells) => AttemptOutcome::Made {
            share: cells.share(),
            cells: cells.cells().into(),
        },
        Err(why) => AttemptOutcome::Failed(why.clone()),
    };
    let mentioned = || {
        needed_properties(condition.expression().mentioned())
            .into_iter()
            .collect()
    };
    attempts.push(Attempt {
        fixed: part.map_or_else(mentioned, |part| part.fixed),
        is_whole: part.is_none(),
        sampler: CELLS,
        estimate: part.map(|part| part.estimate),
        granted,
        spent: steps.spent(),
        needed: steps.needed(),
        is_nearly_made: is_made && matches!(made, Err(CellsError::OverBudget)),
        outcome,
    });
    match (made, part) {
        (Ok(cells), None) => Ok(Some(cells)),
        // A part needs its own text, which belongs to the identity of a run.
        (Ok(cells), Some(part)) => {
            let narrowed = condition.narrowed_to(Some(part.implied.clone())).ok();
            Ok(narrowed.map(|narrowed| cells.with_condition(narrowed)))
        }
        (Err(CellsError::NoDeal), _) => Err(CellsError::NoDeal),
        // In a part, arithmetic may fail where the omitted terms would have prevented it.
        (Err(CellsError::Arithmetic(error)), None) => Err(CellsError::Arithmetic(error)),
        (Err(_), _) => Ok(None),
    }
}

/// Numbers the deals of a condition if their exact tables are likely to take no more than these
/// steps.
pub(super) fn numbered_with_tables(
    condition: &Condition,
    budget: &Budget,
    tables: u64,
) -> Result<NumberedDeals, CountError> {
    let deals = NumberedDeals::new(condition, budget)?;
    match cost::tables_of_numbers(budget.spent()) > tables {
        true => Err(CountError::TooLarge(condition.text().to_owned())),
        false => Ok(deals),
    }
}

/// Returns the conditions implied by fewer properties, the narrowest first by the sampled deals,
/// and the steps taken. Considers only as many conditions as the steps allow.
fn implied_parts(
    condition: &Condition,
    deck: &PilotDeck<'_>,
    steps: u64,
) -> (Vec<ConditionPart>, u64) {
    let told: Vec<HandProperty> = needed_properties(condition.expression().mentioned())
        .into_iter()
        .collect();
    let mut left = steps as f64;
    let steps_of_implying = STEPS_OF_A_NODE * condition.expression().size() as f64;
    let mut parts: Vec<ConditionPart> = Vec::new();
    for left_out in 0..=MOST_LEFT_OUT.min(told.len().saturating_sub(1)) {
        for kept in subsets(&told, told.len() - left_out) {
            left -= steps_of_implying;
            if left < 0.0 {
                break;
            }
            let fixed: FixedProperties = kept.iter().copied().collect();
            let Some(implied) = condition.expression().implied(&fixed) else {
                continue;
            };
            // The omitted properties may have had no effect; fewer properties are simpler.
            let same = |part: &&mut ConditionPart| part.implied == implied;
            if let Some(known) = parts.iter_mut().find(same) {
                known.complexity = known.complexity.min(complexity(&kept));
                continue;
            }
            let filter = Filter::new(std::slice::from_ref(&implied));
            left -= deck.sample_size() as f64 * cost::filter(&filter);
            parts.push(ConditionPart::new(implied, &filter, &kept, deck));
        }
    }
    let order = |one: &ConditionPart, other: &ConditionPart| {
        let shares = one.estimate.total_cmp(&other.estimate);
        shares.then(one.complexity.total_cmp(&other.complexity))
    };
    parts.sort_by(order);
    let parts = without_needless(parts);
    (parts, steps - left.max(0.0) as u64)
}

/// Drops the parts that as many sampled deals satisfy as a part with fewer properties: they are more
/// work and hardly narrower.
fn without_needless(parts: Vec<ConditionPart>) -> Vec<ConditionPart> {
    let is_needless = |part: &ConditionPart| {
        let is_simpler = |other: &ConditionPart| {
            part.kept >= LEAST_KEPT && other.kept == part.kept && other.fixed.is_within(&part.fixed)
        };
        parts.iter().any(is_simpler)
    };
    let needless: Vec<bool> = parts.iter().map(is_needless).collect();
    let all = parts.into_iter().zip(needless);
    all.filter_map(|(part, is_needless)| (!is_needless).then_some(part))
        .collect()
}

/// Estimates the work of making cells; it grows with the number of properties.
fn complexity(kept: &[HandProperty]) -> f64 {
    let of = |is_pattern: bool| if is_pattern { 100.0 } else { 20.0 };
    kept.iter().map(|(_, is_pattern)| of(*is_pattern)).product()
}

/// Returns every subset with `count` elements, in order.
fn subsets<T: Copy>(all: &[T], count: usize) -> Vec<Vec<T>> {
    let is_chosen = |mask: &u32| mask.count_ones() as usize == count;
    let of_mask = |mask: u32| {
        let places = (0..all.len()).filter(move |place| mask >> place & 1 == 1);
        places.map(|place| all[place]).collect()
    };
    (0..1u32 << all.len())
        .filter(is_chosen)
        .map(of_mask)
        .collect()
}
