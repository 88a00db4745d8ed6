//! Divides a condition into a part that is listed and a filter that is checked on each drawn deal.
//!
//! A listing fixes one or two hands. The rest of the condition is left to a *filter*: terms on
//! other hands, on specific spot cards, or with more cases than fit on disk. Deals are drawn from
//! the listing, and those that do not satisfy the filter are rejected. The drawn deals are uniform,
//! so the accepted deals are uniform too; the narrower the listing, the fewer are rejected.
//!
//! Every choice of one or two hands, each by pattern, by honours or by both, is a candidate: its
//! listing is the condition that the whole condition implies for these hands
//! ([`Expression::implied`]). Single hands are counted exactly. Pairs are ranked by an estimate
//! from each hand alone, and the best of them are counted exactly too. The cheapest candidate is
//! chosen: the one with the least product of deals to draw from (T × completions) and cost per
//! draw.

use super::census::{Census, census_within};
use super::listing::{Listing, ListingError};
use crate::bridge::Seat;
use crate::bridge::combinatorics::{DEALS, ways_to_deal};
use crate::language::{Condition, Expression, FixedProperties, Plan, PlanError};

/// Maximum number of pairs of hands that are counted exactly.
const COUNTED: usize = 16;

/// Maximum number of steps for counting and for listing a candidate: about ten seconds.
const MOST_STEPS: u64 = 1 << 36;

/// Maximum number of cases of a listing that has a filter: listing it and computing its theory
/// should not take longer than dealing.
const MOST_OF_A_PART: u64 = 1 << 23;

/// Limits on the size of a listing and on the work to find it.
#[derive(Clone, Copy, Debug)]
pub struct DivideLimits {
    /// Maximum number of cases.
    cases: u64,
    /// Maximum number of steps for counting a candidate, and for listing each of its hands.
    counting: u64,
    listing: u64,
}

impl DivideLimits {
    /// Limits the number of cases, and the steps of about a nanosecond to find and count them.
    pub fn of_steps(cases: u64, steps: u64) -> Self {
        Self::of_candidate(cases, steps / COUNTED as u64)
    }

    /// The same for a single choice of hands.
    pub fn of_candidate(cases: u64, steps: u64) -> Self {
        // Six steps of a census take a nanosecond; one step of listing takes six nanoseconds.
        Self {
            cases,
            counting: steps.saturating_mul(6),
            listing: steps / 6,
        }
    }
}

/// Estimated share of the cases of two hands that satisfy a term on both hands.
const JOINT_GUESS: f64 = 0.25;

/// A condition in two parts: a listing, and a filter that is checked on each drawn deal.
#[derive(Debug)]
pub struct Division {
    /// The listed part; `None` if deals are drawn from all deals.
    pub listed: Option<ListedPart>,
    /// The properties that the listing fixes; `None` if it covers the whole condition.
    pub fixed: Option<FixedProperties>,
    /// The other terms, in the order of the text; empty if the listing covers the whole condition.
    pub filter: Vec<Expression>,
    /// The share of all deals that the drawn deals come from.
    pub share: f64,
    /// All counted candidates, the cheapest first.
    pub considered: Vec<Candidate>,
}

impl Division {
    /// Unconstrained: no listing, no filter.
    pub fn every_deal() -> Self {
        Self {
            listed: None,
            fixed: None,
            filter: Vec::new(),
            share: 1.0,
            considered: Vec::new(),
        }
    }

    /// Lists the whole condition, without a filter.
    pub fn list_whole(condition: &Condition, listing: Listing, census: Census) -> Self {
        Self {
            share: share(listing.seats(), census.total),
            listed: Some(ListedPart {
                condition: condition.clone(),
                listing,
                census,
            }),
            ..Self::every_deal()
        }
    }
}

/// The listed part of a condition.
#[derive(Debug)]
pub struct ListedPart {
    /// The part as a condition of its own; the whole condition if there is no filter.
    pub condition: Condition,
    /// The listing of its hands.
    pub listing: Listing,
    /// Its number of cases, and T.
    pub census: Census,
}

/// One or two hands that could be listed.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The hands whose patterns and honours would be fixed.
    pub fixed: FixedProperties,
    /// Its number of cases, and T.
    pub census: Census,
    /// The share of all deals that drawn deals would come from.
    pub share: f64,
}

/// Divides a condition into a listing of at most `max_cases` cases and a filter.
///
/// A condition that depends on one or two hands is listed whole if it has at most `max_cases`
/// cases. `order` names the hands that may be listed, and which comes first. Finding and counting
/// each candidate may take about ten seconds.
///
/// # Errors
///
/// [`ListingError`] if no deal satisfies the condition, its arithmetic fails, cards are predealt, or
/// the order does not match the hands it mentions.
pub fn divide(
    condition: &Condition,
    order: Option<&[Seat]>,
    max_cases: u64,
) -> Result<Division, ListingError> {
    if !condition.predeal().is_empty() {
        return Err(PlanError::Predeal.into());
    }
    let limits = DivideLimits {
        cases: max_cases,
        counting: MOST_STEPS,
        listing: u64::MAX,
    };
    match Plan::new(condition, order) {
        Ok(Plan::Unconstrained) => return Ok(Division::every_deal()),
        Ok(_) => {
            if let Some(division) = listed_whole(condition, order, limits)? {
                return Ok(division);
            }
        }
        // Depends on a third hand or on specific cards: divided below.
        Err(PlanError::Condition(error)) if condition.expression().is_constant() => {
            return Err(error.into());
        }
        Err(PlanError::Condition(_)) => {}
        Err(error) => return Err(error.into()),
    }
    ListingCandidates::new(condition, order, limits)?.cheapest()
}

/// Lists the whole condition; `None` if it depends on more than one or two hands' patterns and
/// honours, or exceeds the limits.
///
/// # Errors
///
/// [`ListingError`] if no deal satisfies the condition or its arithmetic fails.
pub fn whole(
    condition: &Condition,
    limits: DivideLimits,
) -> Result<Option<Division>, ListingError> {
    match Plan::new(condition, None) {
        Ok(Plan::Listed { .. }) => listed_whole(condition, None, limits),
        Ok(Plan::Impossible) => Err(ListingError::NoDeal),
        _ => Ok(None),
    }
}

fn listed_whole(
    condition: &Condition,
    order: Option<&[Seat]>,
    limits: DivideLimits,
) -> Result<Option<Division>, ListingError> {
    let Some(listing) = Listing::within(condition, order, limits.listing)? else {
        return Ok(None);
    };
    let census = census_within(condition, &listing, limits.counting)?;
    let census = census.filter(|census| census.cases <= limits.cases);
    Ok(census.map(|census| Division::list_whole(condition, listing, census)))
}

/// Lists the part of a condition that these properties of one or two hands imply, and filters by
/// the rest; `None` if the listing exceeds the limits.
///
/// # Errors
///
/// [`ListingError`] if no deal satisfies the part or its arithmetic fails.
pub fn part(
    condition: &Condition,
    fixed: &FixedProperties,
    limits: DivideLimits,
) -> Result<Option<Division>, ListingError> {
    let counted = CountedCandidate::new(condition, fixed, None, limits)?;
    let counted = counted.filter(|counted| counted.candidate.census.cases <= limits.cases);
    Ok(counted.map(|counted| counted.division(condition, Vec::new())))
}

/// Draws from all deals, and filters by the whole condition.
pub fn reject(condition: &Condition) -> Division {
    Division {
        fixed: Some(FixedProperties::default()),
        filter: condition.conjuncts(),
        ..Division::every_deal()
    }
}

/// Returns the share of all deals that a listing with this T covers.
fn share((_, second): (Seat, Option<Seat>), total: u128) -> f64 {
    let others = match second {
        Some(_) => [13, 13, 0, 0],
        None => [13, 13, 13, 0],
    };
    total as f64 * ways_to_deal(others) as f64 / DEALS as f64
}

/// Returns the approximate cost of a draw and its tests in nanoseconds. It is least if two hands are
/// listed; one hand leaves 13 of 39 cards to be drawn. It is more if spot cards come from all suits.
fn draw_cost(fixed: &FixedProperties) -> f64 {
    match fixed.hands() {
        _ if !fixed.patterns.contains(&true) => 95.0,
        1 => 75.0,
        _ => 70.0,
    }
}

/// Approximate cost of a draw from all deals, in nanoseconds.
const UNLISTED_COST: f64 = 30.0;

/// A candidate whose hands were each listed, and whose cases were counted.
struct CountedCandidate {
    candidate: Candidate,
    part: ListedPart,
}

impl CountedCandidate {
    fn new(
        condition: &Condition,
        fixed: &FixedProperties,
        order: Option<&[Seat]>,
        limits: DivideLimits,
    ) -> Result<Option<Self>, ListingError> {
        let narrowed = condition.narrowed_to(condition.expression().implied(fixed))?;
        let Some(listing) = Listing::within(&narrowed, order, limits.listing)? else {
            return Ok(None);
        };
        let Some(census) = census_within(&narrowed, &listing, limits.counting)? else {
            return Ok(None);
        };
        let share = share(listing.seats(), census.total);
        Ok(Some(Self {
            candidate: Candidate {
                fixed: *fixed,
                census,
                share,
            },
            part: ListedPart {
                condition: narrowed,
                listing,
                census,
            },
        }))
    }

    fn cost(&self) -> f64 {
        self.candidate.share * draw_cost(&self.candidate.fixed)
    }

    /// Divides the condition into this listing and a filter for the rest.
    fn division(self, condition: &Condition, considered: Vec<Candidate>) -> Division {
        Division {
            fixed: Some(self.candidate.fixed),
            filter: condition.untold(&self.candidate.fixed),
            listed: Some(self.part),
            share: self.candidate.share,
            considered,
        }
    }
}

/// A choice of hands, with estimates of its share of all deals and of its number of cases.
#[derive(Clone)]
struct Guess {
    fixed: FixedProperties,
    order: Vec<Seat>,
    share: f64,
    cases: f64,
}

/// The choices of hands, by ascending estimated share.
struct ListingCandidates<'c> {
    condition: &'c Condition,
    /// The hands to list, if the caller named them.
    order: Option<&'c [Seat]>,
    limits: DivideLimits,
    counted: Vec<CountedCandidate>,
    pairs: Vec<Guess>,
}

impl<'c> ListingCandidates<'c> {
    fn new(
        condition: &'c Condition,
        order: Option<&'c [Seat]>,
        limits: DivideLimits,
    ) -> Result<Self, ListingError> {
        let mut candidates = Self {
            condition,
            order,
            limits: DivideLimits {
                cases: limits.cases.min(MOST_OF_A_PART),
                ..limits
            },
            counted: Vec::new(),
            pairs: Vec::new(),
        };
        let mut mentioned: Vec<Seat> = Vec::new();
        for (seat, _) in condition.expression().mentioned() {
            if !mentioned.contains(&seat) {
                mentioned.push(seat);
            }
        }
        let seats = order.map_or_else(|| mentioned.clone(), <[Seat]>::to_vec);
        let repeated = seats.len() == 2 && seats[0] == seats[1];
        if repeated || seats.iter().any(|seat| !mentioned.contains(seat)) {
            return Err(PlanError::order(&seats, &mentioned).into());
        }
        let singles: Vec<Vec<Guess>> = seats
            .iter()
            .map(|&seat| candidates.singles(seat))
            .collect::<Result<_, _>>()?;
        for (place, firsts) in singles.iter().enumerate() {
            for (first, second) in firsts.iter().flat_map(|first| {
                singles[place + 1..]
                    .iter()
                    .flatten()
                    .map(move |second| (first, second))
            }) {
                candidates.pair(first, second);
            }
        }
        let pairs = &mut candidates.pairs;
        pairs.sort_by(|a, b| {
            a.share
                .total_cmp(&b.share)
                .then(a.cases.total_cmp(&b.cases))
        });
        Ok(candidates)
    }

    /// Counts the ways to list one hand.
    fn singles(&mut self, seat: Seat) -> Result<Vec<Guess>, ListingError> {
        let mut guesses: Vec<Guess> = Vec::new();
        let mut seen: Vec<Option<Expression>> = vec![None];
        for (by_pattern, by_honours) in [(true, false), (false, true), (true, true)] {
            let mut fixed = FixedProperties::default();
            fixed.patterns[seat.index()] = by_pattern;
            fixed.honours[seat.index()] = by_honours;
            let order = vec![seat];
            let implied = self.condition.expression().implied(&fixed);
            // Even if this choice implies nothing new alone, it may do so with another hand.
            let mut guess = Guess {
                fixed,
                order,
                share: 1.0,
                cases: if by_honours { 65_399.0 } else { 1.0 },
            };
            if by_pattern {
                guess.cases *= 560.0;
            }
            if !seen.contains(&implied) {
                match self.count(&guess) {
                    Ok(Some(counted)) => {
                        guess.share = counted.candidate.share;
                        guess.cases = counted.candidate.census.cases as f64;
                        self.counted.push(counted);
                    }
                    Err(ListingError::NoDeal) => return Err(ListingError::NoDeal),
                    // Too much to count, or arithmetic that fails only where other terms do not
                    // hold.
                    Ok(None) | Err(_) => continue,
                }
                seen.push(implied);
            } else if let Some(same) = guesses
                .iter()
                .find(|guess| self.condition.expression().implied(&guess.fixed) == implied)
            {
                (guess.share, guess.cases) = (same.share, guess.cases.min(same.cases * 560.0));
            }
            guesses.push(guess);
        }
        Ok(guesses)
    }

    /// Adds two hands, if the condition's implication for them uses everything that is fixed.
    fn pair(&mut self, first: &Guess, second: &Guess) {
        let mut fixed = first.fixed;
        for seat in Seat::ALL.map(Seat::index) {
            fixed.patterns[seat] |= second.fixed.patterns[seat];
            fixed.honours[seat] |= second.fixed.honours[seat];
        }
        let Some(implied) = self.condition.expression().implied(&fixed) else {
            return;
        };
        // A choice that fixes more than the implication needs is skipped.
        let mut needed = FixedProperties::default();
        for (seat, measure) in implied.mentioned() {
            needed.patterns[seat.index()] |= measure.needs_pattern();
            needed.honours[seat.index()] |= measure.needs_honours();
        }
        if needed != fixed {
            return;
        }
        let joint = implied.conjuncts().into_iter().any(|term| {
            let mentions = |seat| term.mentions(seat).0;
            mentions(first.order[0]) && mentions(second.order[0])
        });
        let narrowed = if joint { JOINT_GUESS } else { 1.0 };
        self.pairs.push(Guess {
            fixed,
            order: vec![first.order[0], second.order[0]],
            share: first.share * second.share * narrowed,
            cases: first.cases * second.cases * narrowed,
        });
    }

    fn count(&self, guess: &Guess) -> Result<Option<CountedCandidate>, ListingError> {
        let order = Some(&*guess.order);
        CountedCandidate::new(self.condition, &guess.fixed, order, self.limits)
    }

    /// Counts the most promising pairs, and chooses the cheapest candidate of all.
    fn cheapest(mut self) -> Result<Division, ListingError> {
        let fits = |counted: &CountedCandidate| counted.candidate.census.cases <= self.limits.cases;
        self.counted.retain(fits);
        let cheapest = |counted: &[CountedCandidate]| {
            counted
                .iter()
                .map(CountedCandidate::cost)
                .fold(UNLISTED_COST, f64::min)
        };
        let mut count = 0;
        for guess in std::mem::take(&mut self.pairs) {
            // The estimate may be too large by a factor of 4, and a draw from a listing costs at
            // least as much as one from all deals.
            let hopeless = guess.share * UNLISTED_COST / 4.0 > cheapest(&self.counted);
            if count == COUNTED || hopeless {
                break;
            }
            // Most pairs of honours share a card: one case in ten may remain.
            if guess.cases > 10.0 * self.limits.cases as f64 {
                continue;
            }
            count += 1;
            match self.count(&guess) {
                Ok(Some(counted)) if counted.candidate.census.cases <= self.limits.cases => {
                    self.counted.push(counted);
                }
                Err(ListingError::NoDeal) => return Err(ListingError::NoDeal),
                _ => {}
            }
        }
        self.counted.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        let considered = self
            .counted
            .iter()
            .map(|counted| counted.candidate)
            .collect();
        // Hands that the caller named are listed even if rejection is faster.
        let best = self.counted.into_iter().next();
        let Some(best) = best.filter(|best| self.order.is_some() || best.cost() < UNLISTED_COST)
        else {
            if let Some(order) = self.order {
                return Err(PlanError::order(order, &[]).into());
            }
            let everything = reject(self.condition);
            return Ok(Division {
                considered,
                ..everything
            });
        };
        Ok(best.division(self.condition, considered))
    }
}
