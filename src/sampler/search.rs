//! The search for cells that repay what making them takes.

use super::cost::{self, Purpose};
use super::pilot::Deck;
use crate::cells::{Budget, Cells, Unfactored};
use crate::condition::{Condition, Expression, Fixed, Told, told};
use crate::filter::Filter;

/// Shares of the budget that an attempt may take, in turn: one at the whole condition, and one at
/// a part of it. Cells that are found cheaply end the search, unless more could be saved than the
/// next attempts take.
const TIERS: [(u64, u64); 2] = [(16, 48), (2, 10)];

/// Attempts of a search, after which no part is tried.
const MOST_ATTEMPTS: usize = 10;

/// Steps of an attempt that are always granted.
const LEAST: u64 = 20_000;

/// How many times simpler a part of the condition has to be than one that was too costly.
const SIMPLER: f64 = 4.0;

/// Steps to find out what a node implies, to compare it and to compile it.
const STEPS_OF_A_NODE: f64 = 400.0;

/// Most things told of hands (the pattern or the honours of one) that are left out.
const MOST_LEFT_OUT: usize = 4;

/// One attempt to make cells.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What is told of which hands.
    pub fixed: Fixed,
    /// Whether that is the whole condition.
    pub is_whole: bool,
    /// The share of a few deals that satisfy what was tried; none where that was not asked.
    pub estimate: Option<f64>,
    /// Steps that were granted, and taken.
    pub granted: u64,
    /// Steps that were taken.
    pub spent: u64,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Cells, of this exact share of all deals.
    Made {
        /// The share.
        share: f64,
        /// Number of cells.
        cells: u64,
    },
    /// None.
    Failed(Unfactored),
}

/// What a search found.
pub(super) struct Found {
    pub(super) cells: Cells,
    pub(super) filter: Vec<Expression>,
    /// Steps expected for the whole request.
    pub(super) price: f64,
}

/// A request, as far as a search depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Satisfying deals.
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
    /// Steps that are known to be enough for the whole condition; 0 if that is not known.
    pub(super) enough: u64,
}

/// A part of the condition that cells could be made of.
struct Part {
    fixed: Fixed,
    implied: Expression,
    /// The share of a few deals that satisfy it.
    estimate: f64,
    complexity: f64,
}

/// Looks for cells that draw the request for less than rejection; keeps a list of the attempts.
///
/// # Errors
///
/// [`Unfactored`] if no deal satisfies the condition or its arithmetic fails; anything else
/// ends in no cells.
pub(super) fn search(
    condition: &Condition,
    deck: &Deck<'_>,
    goal: &Goal,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<Found>, Unfactored> {
    let mut best: Option<Found> = None;
    let mut parts: Option<Vec<Part>> = None;
    for (of_whole, of_part) in TIERS {
        let granted = (goal.steps / of_whole).max(LEAST).max(goal.enough);
        let price = best.as_ref().map_or(goal.price, |best| best.price);
        // What no sampler saves: drawing the deals themselves.
        let least = goal.deals as f64 * cost::draw_from_cells(goal.purpose);
        if price - least <= granted as f64 {
            break;
        }
        if let Some(found) = try_whole(condition, granted, goal, attempts)? {
            return Ok(Some(found));
        }
        let whole = attempts.last().expect("the whole condition was tried");
        if !whole.is_worth_dividing() {
            break;
        }
        // The first part may take what the whole condition left.
        let later = (goal.steps / of_part).max(LEAST);
        let mut granted = later.max(whole.granted - whole.spent);
        let parts = parts.get_or_insert_with(|| implied_parts(condition, deck, goal.steps / 8));
        let mut simpler_than = f64::INFINITY;
        for part in parts {
            if attempts.len() >= MOST_ATTEMPTS {
                break;
            }
            if part.complexity * SIMPLER > simpler_than {
                continue;
            }
            let Some(cells) = attempt(condition, Some(part), granted, goal, attempts)? else {
                simpler_than = part.complexity;
                granted = later;
                continue;
            };
            let filter = condition.untold(&part.fixed);
            let price = price_with_filter(&cells, &filter, goal);
            if price < best.as_ref().map_or(goal.price, |best| best.price) {
                best = Some(Found {
                    cells,
                    filter,
                    price,
                });
            }
            // The parts after it are wider.
            break;
        }
    }
    Ok(best)
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
    Ok(cells.map(|cells| Found {
        cells,
        filter: Vec::new(),
        price: goal.deals as f64 * cost::draw_from_cells(goal.purpose),
    }))
}

impl Attempt {
    /// Whether it failed in a way that a part of the condition may not.
    fn is_worth_dividing(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::Failed(
                Unfactored::Cards(_) | Unfactored::TooLarge(_) | Unfactored::OverBudget
            )
        )
    }
}

/// Steps to draw the request from cells of a part, asking a filter about every deal.
fn price_with_filter(cells: &Cells, filter: &[Expression], goal: &Goal) -> f64 {
    let draw = cost::draw_from_cells(goal.purpose) + cost::filter(&Filter::new(filter));
    goal.deals as f64 * draw * (cells.share() / goal.rate).max(1.0)
}

/// Makes cells of a part of the condition, or of all of it, and notes what came of it.
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

/// What the condition implies of fewer things, the narrowest first by a few deals.
///
/// No more are looked at than the steps cover.
fn implied_parts(condition: &Condition, deck: &Deck<'_>, steps: u64) -> Vec<Part> {
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
            let estimate = deck.share(&filter).rate();
            parts.push(Part {
                fixed,
                implied,
                estimate,
                complexity: complexity(&kept),
            });
        }
    }
    let order = |one: &Part, other: &Part| {
        let shares = one.estimate.total_cmp(&other.estimate);
        shares.then(one.complexity.total_cmp(&other.complexity))
    };
    parts.sort_by(order);
    parts
}

/// A guess at how much more work cells of more things are.
fn complexity(kept: &[Told]) -> f64 {
    let of = |is_pattern: bool| if is_pattern { 100.0 } else { 20.0 };
    kept.iter().map(|(_, is_pattern)| of(*is_pattern)).product()
}

/// Every choice of `count` of these, in order.
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
