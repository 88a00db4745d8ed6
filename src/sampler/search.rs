//! The search for cells that repay what making them takes.

use super::cost::{self, Purpose};
use super::pilot::Deck;
use crate::cards::Seat;
use crate::cells::{Budget, Cells, Unfactored};
use crate::condition::{Condition, Expression, Fixed};
use crate::filter::Filter;

/// Shares of the budget that an attempt may take, in turn: one at the whole condition, and one at
/// a part of it. Cells that are found cheaply end the search, unless more could be saved than the
/// next attempts take.
const TIERS: [(u64, u64); 2] = [(16, 48), (2, 10)];

/// Attempts of a tier.
const ATTEMPTS: usize = 5;

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
    /// None for the whole condition.
    implied: Option<Expression>,
    estimate: Option<f64>,
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
        let whole = attempt(condition, &Part::whole(condition), granted, goal, attempts)?;
        match whole {
            Some(cells) => {
                let price = cells_price(&cells, None, goal);
                if best.as_ref().is_none_or(|best| price < best.price) {
                    let filter = Vec::new();
                    best = Some(Found {
                        cells,
                        filter,
                        price,
                    });
                }
                break;
            }
            None if !is_worth_dividing(attempts) => break,
            None => {}
        }
        // The first part may take what the whole condition left.
        let unspent = attempts
            .last()
            .map_or(0, |whole| whole.granted - whole.spent);
        let later = (goal.steps / of_part).max(LEAST);
        let mut granted = later.max(unspent);
        let parts = parts.get_or_insert_with(|| implied_parts(condition, deck, goal.steps / 8));
        let mut simpler_than = f64::INFINITY;
        for part in parts.iter().filter(|part| part.implied.is_some()) {
            let enough = attempts.len() >= ATTEMPTS * TIERS.len();
            if enough || part.complexity * SIMPLER > simpler_than {
                continue;
            }
            let Some(cells) = attempt(condition, part, granted, goal, attempts)? else {
                simpler_than = part.complexity;
                granted = later;
                continue;
            };
            let filter = conjuncts_left(condition, &part.fixed);
            let price = cells_price(&cells, Some(&filter), goal);
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

/// Whether these steps tell that the whole condition has cells, or no deal at all.
pub(super) fn whole_is_decided(condition: &Condition, goal: &Goal, steps: u64) -> bool {
    let budget = Budget::new(steps, goal.bytes);
    let made = Cells::within(condition, &budget).and_then(|cells| cells.pay_for_lists(&budget));
    matches!(
        made,
        Ok(()) | Err(Unfactored::NoDeal | Unfactored::Arithmetic(_))
    )
}

/// Whether the last attempt failed in a way that a part of the condition may not.
fn is_worth_dividing(attempts: &[Attempt]) -> bool {
    let last = attempts.last().map(|attempt| &attempt.outcome);
    matches!(
        last,
        Some(Outcome::Failed(
            Unfactored::Cards(_) | Unfactored::TooLarge(_) | Unfactored::OverBudget
        ))
    )
}

/// Steps to draw the request from cells whose deals a filter is asked about.
fn cells_price(cells: &Cells, filter: Option<&[Expression]>, goal: &Goal) -> f64 {
    let draw = cost::draw_from_cells(goal.purpose);
    let (ways, of) = cells.chance();
    let share = ways as f64 / of as f64;
    match filter {
        None => goal.deals as f64 * draw,
        Some(terms) => {
            let draw = draw + cost::filter(&Filter::new(terms));
            goal.deals as f64 * draw * (share / goal.rate).max(1.0)
        }
    }
}

fn conjuncts_left(condition: &Condition, fixed: &Fixed) -> Vec<Expression> {
    let terms = condition.conjuncts().into_iter();
    terms
        .filter(|term| !fixed.tells_value(term))
        .cloned()
        .collect()
}

/// Makes cells of a part, and notes what came of it.
fn attempt(
    condition: &Condition,
    part: &Part,
    granted: u64,
    goal: &Goal,
    attempts: &mut Vec<Attempt>,
) -> Result<Option<Cells>, Unfactored> {
    let budget = Budget::new(granted, goal.bytes);
    let narrowed = part.implied.as_ref();
    let narrowed = narrowed.map(|implied| condition.with_expression(implied.clone()));
    let made = Cells::within(narrowed.as_ref().unwrap_or(condition), &budget)
        .and_then(|cells| cells.pay_for_lists(&budget).map(|()| cells));
    let outcome = match &made {
        Ok(cells) => {
            let (ways, of) = cells.chance();
            Outcome::Made {
                share: ways as f64 / of as f64,
                cells: cells.cells(),
            }
        }
        Err(why) => Outcome::Failed(why.clone()),
    };
    attempts.push(Attempt {
        fixed: part.fixed,
        is_whole: part.implied.is_none(),
        estimate: part.estimate,
        granted,
        spent: budget.spent(),
        outcome,
    });
    match made {
        Ok(cells) => match &part.implied {
            None => Ok(Some(cells)),
            // With a text of its own: it is a part of a run's identity.
            Some(implied) => {
                let narrowed = condition.narrowed_to(Some(implied.clone())).ok();
                Ok(narrowed.map(|narrowed| cells.with_condition(narrowed)))
            }
        },
        Err(Unfactored::NoDeal) => Err(Unfactored::NoDeal),
        // Of a part, arithmetic may fail where the terms left out would not let it.
        Err(Unfactored::Arithmetic(error)) if part.implied.is_none() => {
            Err(Unfactored::Arithmetic(error))
        }
        Err(_) => Ok(None),
    }
}

impl Part {
    fn whole(condition: &Condition) -> Self {
        let told = told(condition.expression());
        Self {
            fixed: fixed(&told),
            implied: None,
            estimate: None,
            complexity: f64::INFINITY,
        }
    }
}

/// What is told of hands: the seat, and whether that is its pattern or its honours.
fn told(expression: &Expression) -> Vec<(Seat, bool)> {
    let mut told = Vec::new();
    for (seat, measure) in expression.mentioned() {
        if measure.is_listable() {
            let seen = [
                (measure.needs_pattern(), true),
                (measure.needs_honours(), false),
            ];
            let seen = seen.into_iter().filter(|(seen, _)| *seen);
            told.extend(seen.map(|(_, is_pattern)| (seat, is_pattern)));
        }
    }
    told.sort_unstable();
    told.dedup();
    told
}

/// What the condition implies of fewer things, the narrowest first by a few deals.
///
/// No more are looked at than the steps cover.
fn implied_parts(condition: &Condition, deck: &Deck<'_>, steps: u64) -> Vec<Part> {
    let told = told(condition.expression());
    let mut left = steps as f64;
    let steps_of_implying = STEPS_OF_A_NODE * condition.expression().size() as f64;
    let mut parts: Vec<Part> = Vec::new();
    for left_out in 0..=MOST_LEFT_OUT.min(told.len().saturating_sub(1)) {
        for kept in subsets(&told, told.len() - left_out) {
            left -= steps_of_implying;
            if left < 0.0 {
                break;
            }
            let fixed = fixed(&kept);
            let Some(implied) = condition.expression().implied(&fixed) else {
                continue;
            };
            // What was left out may not have said anything; the fewer things, the simpler.
            let same = |part: &&mut Part| part.implied.as_ref() == Some(&implied);
            if let Some(known) = parts.iter_mut().find(same) {
                known.complexity = known.complexity.min(complexity(&kept));
                continue;
            }
            let filter = Filter::new(std::slice::from_ref(&implied));
            left -= deck.sample_size() as f64 * cost::filter(&filter);
            let estimate = deck.share(&filter).rate();
            parts.push(Part {
                fixed,
                implied: Some(implied),
                estimate: Some(estimate),
                complexity: complexity(&kept),
            });
        }
    }
    let order = |one: &Part, other: &Part| {
        let shares = one.estimate.partial_cmp(&other.estimate);
        let shares = shares.unwrap_or(std::cmp::Ordering::Equal);
        shares.then(one.complexity.total_cmp(&other.complexity))
    };
    parts.sort_by(order);
    parts
}

/// A guess at how much more work cells of more things are.
fn complexity(kept: &[(Seat, bool)]) -> f64 {
    let of = |is_pattern: bool| if is_pattern { 100.0 } else { 20.0 };
    kept.iter().map(|(_, is_pattern)| of(*is_pattern)).product()
}

fn fixed(kept: &[(Seat, bool)]) -> Fixed {
    let mut fixed = Fixed::default();
    for &(seat, is_pattern) in kept {
        let of_kind = match is_pattern {
            true => &mut fixed.patterns,
            false => &mut fixed.honours,
        };
        of_kind[seat.index()] = true;
    }
    fixed
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
