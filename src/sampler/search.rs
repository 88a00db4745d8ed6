//! The search for cells that repay the cost of making them.

use super::cost::{self, Purpose};
use super::pilot::Deck;
use crate::filter::Filter;
use crate::language::{Condition, Expression, Fixed, Told, told};
use crate::population::cells::{Budget, Cells, Unfactored};

/// Shares of what is left of the budget that an attempt may take, in turn: one at the whole
/// condition, and one at a part of it. Cells that are found cheaply end the search, unless more
/// could be saved than the next attempts take.
const TIERS: [(u64, u64); 2] = [(8, 24), (2, 2)];

/// The same where the search was extended.
const EXTENDED: (u64, u64) = (1, 1);

/// How much more an attempt has to be granted than the last one at the same that was too costly.
const ANEW: u64 = 2;

/// The share of the budget for what the condition implies.
const IMPLYING: u64 = 8;

/// Attempts of a search, after which no part is tried.
const MOST_ATTEMPTS: usize = 16;

/// Steps of an attempt that are always granted.
const LEAST: u64 = 20_000;

/// How many times simpler a part of the condition has to be than one that was too costly.
const SIMPLER: f64 = 4.0;

/// Steps to find the implied condition of a node, to compare it and to compile it.
const STEPS_OF_A_NODE: f64 = 400.0;

/// Most things told of hands (the pattern or the honours of one) that are left out.
const MOST_LEFT_OUT: usize = 4;

/// One attempt to make cells.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The properties of hands that the cells fix.
    pub fixed: Fixed,
    /// Whether they determine the whole condition.
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
    /// Cells, of this exact share of all deals.
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
    /// Cells, and the filter for deals drawn from them.
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
    /// The acceptance rate of rejection, as far as it is known, and the price by it.
    pub(super) rate: f64,
    pub(super) price: f64,
    /// The price of a draw by rejection.
    pub(super) draw: f64,
    /// Steps and bytes of the search.
    pub(super) steps: u64,
    pub(super) bytes: u64,
    /// Steps known to be enough for the whole condition, or 0.
    pub(super) enough: u64,
}

impl Goal {
    /// The shares of its attempts. The search of a short run is too short to try anything twice.
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
    /// How many of a few deals satisfy it, and which share.
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

/// Whether another attempt may do better than the last one at the same part.
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
    /// Steps that are left.
    left: u64,
    /// Parts of the condition, once they were asked for.
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

    /// Parts of the condition.
    fn take_parts(&mut self) -> Vec<Part> {
        self.parts.take().unwrap_or_else(|| {
            let steps = self.left.min(self.goal.steps / IMPLYING);
            let (parts, spent) = implied_parts(self.condition, self.deck, steps);
            self.left -= spent.min(self.left);
            parts
        })
    }

    /// Grants the search its share of what the deals that are needed would take from the part that
    /// was found; returns whether that is more than before.
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

    /// Steps that the request takes with the best sampler so far.
    fn price(&self) -> f64 {
        let rejection = cost::PART * self.goal.price;
        self.best.as_ref().map_or(rejection, |best| best.price)
    }

    /// Whether a better sampler could save these steps.
    fn is_worth(&self, steps: u64) -> bool {
        let best = cost::least_draw_from_cells() + cost::kept(self.goal.purpose);
        self.price() - self.goal.deals as f64 * best > steps as f64
    }

    /// A share of what is left.
    fn granted(&self, share: u64) -> u64 {
        (self.left / share).max(LEAST)
    }

    /// Deducts the cost of the last attempt.
    fn pay(&mut self, attempts: &[Attempt]) {
        let spent = attempts.last().map_or(0, |attempt| attempt.spent);
        self.left -= spent.min(self.left);
    }

    /// Tries parts in their order until there are cells of one: those after it are wider.
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

    /// Whether cells of this part would be cheaper than the best sampler so far, by the share of the
    /// kept deals that satisfy it; a share of 0 decides nothing.
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
/// As [`search`].
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
    /// Whether it failed in a way that a part of the condition may not.
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
        // With a text of its own: it is a part of a run's identity.
        (Ok(cells), Some(part)) => {
            let narrowed = condition.narrowed_to(Some(part.implied.clone())).ok();
            Ok(narrowed.map(|narrowed| cells.with_condition(narrowed)))
        }
        (Err(Unfactored::NoDeal), _) => Err(Unfactored::NoDeal),
        // Of a part, arithmetic may fail where the terms left out would not let it.
        (Err(Unfactored::Arithmetic(error)), None) => Err(Unfactored::Arithmetic(error)),
        (Err(_), _) => Ok(None),
    }
}

/// Conditions implied by fewer properties, the narrowest first by the kept deals.
///
/// Considers as many as the steps allow; also returns the steps taken.
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
            // What was left out may not have said anything; the fewer things, the simpler.
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

/// An estimate of the work of making cells with more properties.
fn complexity(kept: &[Told]) -> f64 {
    let of = |is_pattern: bool| if is_pattern { 100.0 } else { 20.0 };
    kept.iter().map(|(_, is_pattern)| of(*is_pattern)).product()
}

/// Every subset of `count` of these, in order.
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
