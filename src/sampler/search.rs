//! Search for cells that repay the cost of making them.

use super::cost::{self, Purpose};
use super::pilot::Deck;
use crate::filter::Filter;
use crate::language::{Condition, Expression, Fixed, Told, told};
use crate::population::cells::{Budget, Cells, Unfactored};

/// Divisors of the remaining budget for each attempt, in turn: for an attempt at the whole
/// condition, and for one at a part of it. Cells that are found cheaply end the search, unless more
/// could be saved than the next attempts cost.
const TIERS: [(u64, u64); 2] = [(8, 24), (2, 2)];

/// The same where the search was extended.
const EXTENDED: (u64, u64) = (1, 1);

/// Factor by which an attempt's budget must exceed that of the last one at the same part that was
/// too costly.
const ANEW: u64 = 2;

/// Divisor of the budget for finding the implied parts of a condition.
const IMPLYING: u64 = 8;

/// Number of attempts in a search after which no part is tried.
const MOST_ATTEMPTS: usize = 16;

/// Minimum number of steps granted to an attempt.
const LEAST: u64 = 20_000;

/// Factor by which a part of the condition must be simpler than one that was too costly.
const SIMPLER: f64 = 4.0;

/// Steps to find the implied condition of a node, to compare it and to compile it.
const STEPS_OF_A_NODE: f64 = 400.0;

/// Maximum number of properties of hands (the pattern or the honours of one) that are left out.
const MOST_LEFT_OUT: usize = 4;

/// One attempt to make cells.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The properties of hands that the cells fix.
    pub fixed: Fixed,
    /// Whether these properties determine the whole condition.
    pub is_whole: bool,
    /// The share of the kept deals that satisfy the part tried, if it was estimated.
    pub estimate: Option<f64>,
    /// Budget in steps.
    pub granted: u64,
    /// Steps taken.
    pub spent: u64,
    /// The result.
    pub outcome: Outcome,
}

/// The result of an attempt.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Cells that cover this exact share of all deals.
    Made {
        /// The share.
        share: f64,
        /// Number of cells.
        cells: u64,
    },
    /// No cells.
    Failed(Unfactored),
}

/// The result of a search.
pub(super) struct Found {
    pub(super) cells: Cells,
    pub(super) filter: Vec<Expression>,
    /// Steps expected for the whole request.
    price: f64,
}

impl Found {
    /// Combines cells with the filter for deals drawn from them, and estimates the cost.
    fn new(cells: Cells, filter: Vec<Expression>, goal: &Goal) -> Self {
        let asked = match &filter[..] {
            [] => 0.0,
            some => cost::filter(&Filter::new(some)),
        };
        let draw = cost::draw_from_cells(&cells) + asked;
        let drawn = goal.deals as f64 * (cells.share() / goal.rate).max(1.0);
        let kept = goal.deals as f64 * cost::kept(goal.purpose);
        Self {
            cells,
            filter,
            price: drawn * draw + kept,
        }
    }
}

/// The parts of a request that a search depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Number of deals that satisfy the condition.
    pub(super) deals: u64,
    pub(super) purpose: Purpose,
    /// The acceptance rate of rejection, as far as it is known, and the cost that follows from it.
    pub(super) rate: f64,
    pub(super) price: f64,
    /// The cost of a draw by rejection.
    pub(super) draw: f64,
    /// Steps and bytes of the search.
    pub(super) steps: u64,
    pub(super) bytes: u64,
    /// Number of steps known to be enough for the whole condition, or 0.
    pub(super) enough: u64,
}

impl Goal {
    /// Returns the divisors for its attempts. The search of a short run is too short to try
    /// anything twice.
    fn tiers(&self) -> &'static [(u64, u64)] {
        let is_short = self.purpose == Purpose::Statistics && self.deals < cost::MANY;
        match is_short && self.enough == 0 {
            true => &TIERS[1..],
            false => &TIERS,
        }
    }
}

/// A part of the condition that cells could be made of.
struct Part {
    fixed: Fixed,
    implied: Expression,
    /// The number of sampled deals that satisfy it, and their share.
    kept: u64,
    estimate: f64,
    complexity: f64,
}

/// Searches for cells that are cheaper for the request than rejection, and records the attempts.
///
/// # Errors
///
/// [`Unfactored`] if no deal satisfies the condition or its arithmetic fails; other failures
/// are attempts without cells.
pub(super) fn search(
    condition: &Condition,
    deck: &Deck<'_>,
    goal: &Goal,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<Found>, Unfactored> {
    let mut search = Search {
        condition,
        deck,
        goal,
        left: goal.steps,
        parts: None,
        best: None,
    };
    for tier in goal.tiers() {
        if let Some(found) = search.go_through(*tier, attempts)? {
            return Ok(Some(found));
        }
    }
    if search.extend()
        && let Some(found) = search.go_through(EXTENDED, attempts)?
    {
        return Ok(Some(found));
    }
    Ok(search.best)
}

/// Returns whether another attempt may do better than the last one at the same part.
fn is_worth_trying(attempts: &[Attempt], is_same: impl Fn(&Attempt) -> bool, granted: u64) -> bool {
    let last = attempts.iter().rev().find(|attempt| is_same(attempt));
    last.is_none_or(|last| match last.outcome {
        Outcome::Failed(Unfactored::OverBudget) => granted >= ANEW * last.granted,
        _ => false,
    })
}

/// The state of a search.
struct Search<'s> {
    condition: &'s Condition,
    deck: &'s Deck<'s>,
    goal: &'s Goal,
    /// Remaining steps.
    left: u64,
    /// Parts of the condition, once they were computed.
    parts: Option<Vec<Part>>,
    /// The best cells so far.
    best: Option<Found>,
}

impl Search<'_> {
    /// Tries the whole condition, whose cells end the search, and then its parts.
    fn go_through(
        &mut self,
        (of_whole, of_part): (u64, u64),
        attempts: &mut Vec<Attempt>,
    ) -> Result<Option<Found>, Unfactored> {
        let granted = self.granted(of_whole).max(self.goal.enough);
        if !self.is_worth(granted) {
            return Ok(None);
        }
        if is_worth_trying(attempts, |attempt| attempt.is_whole, granted) {
            if let Some(found) = try_whole(self.condition, granted, self.goal, attempts)? {
                return Ok(Some(found));
            }
            self.pay(attempts);
        }
        let mut whole = attempts.iter().rev().filter(|attempt| attempt.is_whole);
        if whole.next().is_some_and(Attempt::is_worth_dividing) {
            let parts = self.take_parts();
            self.try_parts(&parts, of_part, attempts)?;
            self.parts = Some(parts);
        }
        Ok(None)
    }

    /// Returns the parts of the condition, computing them the first time.
    fn take_parts(&mut self) -> Vec<Part> {
        self.parts.take().unwrap_or_else(|| {
            let steps = self.left.min(self.goal.steps / IMPLYING);
            let (parts, spent) = implied_parts(self.condition, self.deck, steps);
            self.left -= spent.min(self.left);
            parts
        })
    }

    /// Extends the budget to a share of the cost of all deals with the cells found so far, which
    /// are of a part. Returns whether the budget grew.
    fn extend(&mut self) -> bool {
        let goal = self.goal;
        let of_part = match (&self.best, goal.purpose) {
            (Some(best), Purpose::Statistics) => cost::search_steps_of_part(best.price, goal.deals),
            _ => 0,
        };
        let more = of_part.saturating_sub(goal.steps);
        self.left += more;
        more > 0
    }

    /// Returns the steps that the request takes with the best sampler so far.
    fn price(&self) -> f64 {
        let rejection = cost::PART * self.goal.price;
        self.best.as_ref().map_or(rejection, |best| best.price)
    }

    /// Returns whether a better sampler could save this number of steps.
    fn is_worth(&self, steps: u64) -> bool {
        let best = cost::least_draw_from_cells() + cost::kept(self.goal.purpose);
        self.price() - self.goal.deals as f64 * best > steps as f64
    }

    /// Returns the remaining steps divided by `share`, at least the minimum.
    fn granted(&self, share: u64) -> u64 {
        (self.left / share).max(LEAST)
    }

    /// Deducts the cost of the last attempt.
    fn pay(&mut self, attempts: &[Attempt]) {
        let spent = attempts.last().map_or(0, |attempt| attempt.spent);
        self.left -= spent.min(self.left);
    }

    /// Tries parts in order until cells of one are made; the parts after it are wider.
    fn try_parts(
        &mut self,
        parts: &[Part],
        share: u64,
        attempts: &mut Vec<Attempt>,
    ) -> Result<(), Unfactored> {
        let mut simpler_than = f64::INFINITY;
        for part in parts {
            if attempts.len() >= MOST_ATTEMPTS || !self.may_repay(part) {
                break;
            }
            if part.complexity * SIMPLER > simpler_than {
                continue;
            }
            let granted = self.granted(share);
            let is_same = |attempt: &Attempt| !attempt.is_whole && attempt.fixed == part.fixed;
            if !is_worth_trying(attempts, is_same, granted) {
                continue;
            }
            let cells = attempt(self.condition, Some(part), granted, self.goal, attempts)?;
            self.pay(attempts);
            let Some(cells) = cells else {
                simpler_than = part.complexity;
                continue;
            };
            let filter = self.condition.untold(&part.fixed);
            let found = Found::new(cells, filter, self.goal);
            if found.price < self.price() {
                self.best = Some(found);
            }
            break;
        }
        Ok(())
    }

    /// Returns whether cells of this part would be cheaper than the best sampler so far, by the
    /// share of sampled deals that satisfy it. A share of 0 decides nothing.
    fn may_repay(&self, part: &Part) -> bool {
        let goal = self.goal;
        let share = match part.kept {
            0 => goal.rate,
            _ => part.estimate,
        };
        let drawn = goal.deals as f64 * (share / goal.rate).max(1.0);
        let kept = goal.deals as f64 * cost::kept(goal.purpose);
        drawn * cost::draw_of_part(&part.fixed) + kept < self.price()
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
    goal: &Goal,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<Found>, Unfactored> {
    let cells = attempt(condition, None, granted, goal, attempts)?;
    Ok(cells.map(|cells| Found::new(cells, Vec::new(), goal)))
}

impl Attempt {
    /// Returns whether the attempt failed in a way that a part of the condition may not.
    fn is_worth_dividing(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::Failed(
                Unfactored::Cards(_)
                    | Unfactored::Draws
                    | Unfactored::TooLarge(_)
                    | Unfactored::OverBudget
            )
        )
    }
}

/// Makes cells of a part of the condition, or of all of it, and records the result.
fn attempt(
    condition: &Condition,
    part: Option<&Part>,
    granted: u64,
    goal: &Goal,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<Cells>, Unfactored> {
    let budget = Budget::new(granted, goal.bytes);
    let narrowed = part.map(|part| condition.with_expression(part.implied.clone()));
    let made = Cells::within(narrowed.as_ref().unwrap_or(condition), &budget)
        .and_then(|cells| cells.pay_for_lists(&budget).map(|()| cells));
    let outcome = match &made {
        Ok(cells) => Outcome::Made {
            share: cells.share(),
            cells: cells.cells(),
        },
        Err(why) => Outcome::Failed(why.clone()),
    };
    let mentioned = || {
        told(condition.expression().mentioned())
            .into_iter()
            .collect()
    };
    attempts.push(Attempt {
        fixed: part.map_or_else(mentioned, |part| part.fixed),
        is_whole: part.is_none(),
        estimate: part.map(|part| part.estimate),
        granted,
        spent: budget.spent(),
        outcome,
    });
    match (made, part) {
        (Ok(cells), None) => Ok(Some(cells)),
        // A part needs its own text, which belongs to the identity of a run.
        (Ok(cells), Some(part)) => {
            let narrowed = condition.narrowed_to(Some(part.implied.clone())).ok();
            Ok(narrowed.map(|narrowed| cells.with_condition(narrowed)))
        }
        (Err(Unfactored::NoDeal), _) => Err(Unfactored::NoDeal),
        // In a part, arithmetic may fail where the omitted terms would have prevented it.
        (Err(Unfactored::Arithmetic(error)), None) => Err(Unfactored::Arithmetic(error)),
        (Err(_), _) => Ok(None),
    }
}

/// Returns the conditions implied by fewer properties, the narrowest first by the sampled deals,
/// and the steps taken. Considers only as many conditions as the steps allow.
fn implied_parts(condition: &Condition, deck: &Deck<'_>, steps: u64) -> (Vec<Part>, u64) {
    let told: Vec<Told> = told(condition.expression().mentioned())
        .into_iter()
        .collect();
    let mut left = steps as f64;
    let steps_of_implying = STEPS_OF_A_NODE * condition.expression().size() as f64;
    let mut parts: Vec<Part> = Vec::new();
    for left_out in 0..=MOST_LEFT_OUT.min(told.len().saturating_sub(1)) {
        for kept in subsets(&told, told.len() - left_out) {
            left -= steps_of_implying;
            if left < 0.0 {
                break;
            }
            let fixed: Fixed = kept.iter().copied().collect();
            let Some(implied) = condition.expression().implied(&fixed) else {
                continue;
            };
            // The omitted properties may have had no effect; fewer properties are simpler.
            let same = |part: &&mut Part| part.implied == implied;
            if let Some(known) = parts.iter_mut().find(same) {
                known.complexity = known.complexity.min(complexity(&kept));
                continue;
            }
            let filter = Filter::new(std::slice::from_ref(&implied));
            left -= deck.sample_size() as f64 * cost::filter(&filter);
            let sample = deck.share(&filter);
            parts.push(Part {
                fixed,
                implied,
                kept: sample.kept,
                estimate: sample.rate(),
                complexity: complexity(&kept),
            });
        }
    }
    let order = |one: &Part, other: &Part| {
        let shares = one.estimate.total_cmp(&other.estimate);
        shares.then(one.complexity.total_cmp(&other.complexity))
    };
    parts.sort_by(order);
    (parts, steps - left.max(0.0) as u64)
}

/// Estimates the work of making cells; it grows with the number of properties.
fn complexity(kept: &[Told]) -> f64 {
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
