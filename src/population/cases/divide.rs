//! Which part of a condition is listed, and which is asked of each deal that is drawn.
//!
//! A listing fixes one or two hands. What a condition says of others, of single spot
//! cards, or in more cases than fit on disk, is left to a *filter*: deals are drawn from
//! the listing, and those that do not satisfy the rest are dropped. As the deals drawn
//! are uniform, so are those kept; the narrower the listing, the fewer are dropped.
//!
//! Every choice of one or two hands, each by pattern, by honours or by both, is a
//! candidate: what the condition implies of them ([`Expression::implied`]) is listed.
//! Hands alone are counted exactly; pairs are ranked by how much they should narrow, each
//! hand by itself, and the first of the ranking are counted exactly too. The cheapest is
//! taken: the deals that would be drawn from, T x completions, times what a draw costs.

use super::census::{Census, census_within};
use super::listing::{Listing, ListingError};
use crate::bridge::Seat;
use crate::bridge::combinatorics::ways_to_deal;
use crate::language::{Condition, Expression, Fixed, Plan, PlanError, Predeal};

/// Candidates that are counted exactly, at most.
const COUNTED: usize = 16;

/// Most steps of counting and of listing a candidate that a plan waits for: about ten seconds.
const MOST_STEPS: u64 = 1 << 36;

/// Most cases of a part of a condition: listing them and their theory should not take
/// longer than the deals.
const MOST_OF_A_PART: u64 = 1 << 23;

/// What a listing may take.
#[derive(Clone, Copy, Debug)]
pub struct DivideLimits {
    /// Most cases.
    cases: u64,
    /// Most steps of counting a candidate, and of listing its hands one by one.
    counting: u64,
    listing: u64,
}

impl DivideLimits {
    /// At most this many cases, however long it takes to count them (about ten seconds for each
    /// candidate).
    #[must_use]
    pub fn of_cases(cases: u64) -> Self {
        Self {
            cases,
            counting: MOST_STEPS,
            listing: u64::MAX,
        }
    }

    /// At most this many cases, and about this many nanoseconds to find and count them.
    #[must_use]
    pub fn of_steps(cases: u64, steps: u64) -> Self {
        // Of a census, six steps take a nanosecond; of listing, one takes six.
        let of_candidate = steps / COUNTED as u64;
        Self {
            cases,
            counting: of_candidate.saturating_mul(6),
            listing: of_candidate / 6,
        }
    }
}

/// By how much a term that mentions both hands is guessed to narrow them.
const JOINT_GUESS: f64 = 0.25;

/// A condition in two parts: what is listed, and what is asked of every deal drawn.
#[derive(Debug)]
pub struct Division {
    /// What is listed; none if deals are drawn from all there are.
    pub listed: Option<ListedPart>,
    /// What else has to hold, in the order of the text; nothing if the listing says it all.
    pub filter: Vec<Expression>,
    /// The share of all deals with the fixed cards that deals are drawn from.
    pub share: f64,
    /// Everything that was counted, the cheapest first.
    pub considered: Vec<Candidate>,
}

impl Division {
    /// Every deal is drawn, and none is asked anything.
    #[must_use]
    pub fn every_deal() -> Self {
        Self {
            listed: None,
            filter: Vec::new(),
            share: 1.0,
            considered: Vec::new(),
        }
    }

    /// The whole condition is listed.
    #[must_use]
    pub fn whole(condition: &Condition, listing: Listing, census: Census) -> Self {
        Self {
            share: share(condition.predeal(), listing.seats(), census.total),
            listed: Some(ListedPart {
                condition: condition.clone(),
                listing,
                census,
            }),
            ..Self::every_deal()
        }
    }
}

/// What is listed of a condition.
#[derive(Debug)]
pub struct ListedPart {
    /// As a condition of its own: the whole one if there is no filter.
    pub condition: Condition,
    /// Its hands.
    pub listing: Listing,
    /// Its cases and T.
    pub census: Census,
}

/// One or two hands that could be listed.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// What would be fixed of which hands.
    pub fixed: Fixed,
    /// The cases and T.
    pub census: Census,
    /// The share of all deals with the fixed cards that would be drawn from.
    pub share: f64,
}

/// Divides a condition into what is listed, of at most so many cases, and a filter.
///
/// What one or two hands tell is listed whole if it has no more cases than that. `order`
/// says which hands may be listed, and which first.
///
/// # Errors
///
/// [`ListingError`] if no deal satisfies the condition, its arithmetic fails, or the order
/// does not fit.
pub fn divide(
    condition: &Condition,
    order: Option<&[Seat]>,
    max_cases: u64,
) -> Result<Division, ListingError> {
    divide_within(condition, order, DivideLimits::of_cases(max_cases))
}

/// [`divide`], with limits on what it takes.
///
/// # Errors
///
/// As [`divide`].
pub fn divide_within(
    condition: &Condition,
    order: Option<&[Seat]>,
    limits: DivideLimits,
) -> Result<Division, ListingError> {
    match Plan::new(condition, order) {
        Ok(Plan::Unconstrained) => return Ok(Division::every_deal()),
        Ok(_) => {
            if let Some(division) = listed_whole(condition, order, limits)? {
                return Ok(division);
            }
        }
        // A third hand, or what no case tells.
        Err(PlanError::Condition(error)) if condition.expression().mentioned().is_empty() => {
            return Err(error.into());
        }
        Err(PlanError::Condition(_)) => {}
        Err(error) => return Err(error.into()),
    }
    Candidates::new(condition, order, limits)?.cheapest()
}

/// The whole condition, if a listing of one or two hands tells it within these limits.
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
    Ok(census.map(|census| Division::whole(condition, listing, census)))
}

/// Draws from all there is, and asks everything of each deal.
///
/// # Errors
///
/// [`ListingError`] if fixed cards cannot be listed.
pub fn reject(condition: &Condition) -> Result<Division, ListingError> {
    let mut division = Division::every_deal();
    division.filter = terms_of(condition);
    if !condition.predeal().is_empty() {
        let limits = DivideLimits::of_cases(u64::MAX);
        let everything = Counted::new(condition, &Fixed::default(), None, limits)?;
        let everything = everything.expect("the patterns of one hand are always counted");
        division.listed = Some(everything.part);
    }
    Ok(division)
}

fn terms_of(condition: &Condition) -> Vec<Expression> {
    condition.conjuncts().into_iter().cloned().collect()
}

/// The share of all deals with the fixed cards that T of a listing stands for.
fn share(predeal: &Predeal, (first, second): (Seat, Option<Seat>), total: u128) -> f64 {
    let missing = Seat::ALL.map(|seat| 13 - predeal.hand(seat).len() as usize);
    let mut of_others = missing;
    for seat in [Some(first), second].into_iter().flatten() {
        of_others[seat.index()] = 0;
    }
    total as f64 * ways_to_deal(of_others) as f64 / ways_to_deal(missing) as f64
}

/// About what a draw with its tests takes, in nanoseconds: less if two hands are listed,
/// as one hand leaves thirteen of 39 cards to be drawn one by one, more if spot cards come
/// from all suits.
fn draw_cost(fixed: &Fixed) -> f64 {
    let listed = |seat: Seat| fixed.patterns[seat.index()] || fixed.honours[seat.index()];
    let hands = Seat::ALL.into_iter().filter(|seat| listed(*seat)).count();
    match hands {
        _ if !fixed.patterns.contains(&true) => 140.0,
        1 => 100.0,
        _ => 70.0,
    }
}

/// The same for a draw from every deal.
const UNLISTED_COST: f64 = 30.0;

/// A candidate that was listed, hand by hand, and counted.
struct Counted {
    candidate: Candidate,
    part: ListedPart,
}

impl Counted {
    fn new(
        condition: &Condition,
        fixed: &Fixed,
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
        let share = share(condition.predeal(), listing.seats(), census.total);
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
}

/// A choice of hands, and a guess at its share of all deals and its cases.
#[derive(Clone)]
struct Guess {
    fixed: Fixed,
    order: Vec<Seat>,
    share: f64,
    cases: f64,
}

/// The choices of hands, the narrowest guess first.
struct Candidates<'c> {
    condition: &'c Condition,
    /// The hands that are to be listed, if that was asked for.
    order: Option<&'c [Seat]>,
    limits: DivideLimits,
    counted: Vec<Counted>,
    pairs: Vec<Guess>,
}

impl<'c> Candidates<'c> {
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

    /// What can be listed of one hand, counted.
    fn singles(&mut self, seat: Seat) -> Result<Vec<Guess>, ListingError> {
        let mut guesses: Vec<Guess> = Vec::new();
        let mut seen: Vec<Option<Expression>> = vec![None];
        for (by_pattern, by_honours) in [(true, false), (false, true), (true, true)] {
            let mut fixed = Fixed::default();
            fixed.patterns[seat.index()] = by_pattern;
            fixed.honours[seat.index()] = by_honours;
            let order = vec![seat];
            let implied = self.condition.expression().implied(&fixed);
            // Alone it says nothing new, but perhaps with another hand.
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
                    // Too much to count, or arithmetic that only fails where other terms would
                    // not let it.
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

    /// Two hands, if the condition says of both together what it does not say with less.
    fn pair(&mut self, first: &Guess, second: &Guess) {
        let mut fixed = first.fixed;
        for seat in Seat::ALL.map(Seat::index) {
            fixed.patterns[seat] |= second.fixed.patterns[seat];
            fixed.honours[seat] |= second.fixed.honours[seat];
        }
        let Some(implied) = self.condition.expression().implied(&fixed) else {
            return;
        };
        // Everything that is fixed is needed.
        let mut needed = Fixed::default();
        for (seat, measure) in implied.mentioned() {
            needed.patterns[seat.index()] |= measure.needs_pattern();
            needed.honours[seat.index()] |= measure.needs_honours();
        }
        if needed != fixed {
            return;
        }
        let joint = implied.conjuncts().into_iter().any(|term| {
            let mentioned = term.mentioned();
            let mentions = |seat| mentioned.iter().any(|(other, _)| *other == seat);
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

    fn count(&self, guess: &Guess) -> Result<Option<Counted>, ListingError> {
        let order = Some(&*guess.order);
        Counted::new(self.condition, &guess.fixed, order, self.limits)
    }

    /// Counts the pairs that promise most, and takes the cheapest of all.
    fn cheapest(mut self) -> Result<Division, ListingError> {
        let fits = |counted: &Counted| counted.candidate.census.cases <= self.limits.cases;
        self.counted.retain(fits);
        let cheapest = |counted: &[Counted]| {
            counted
                .iter()
                .map(Counted::cost)
                .fold(UNLISTED_COST, f64::min)
        };
        let mut count = 0;
        for guess in std::mem::take(&mut self.pairs) {
            // A guess may be too large, and a draw costs more than one of every deal.
            let hopeless = guess.share * UNLISTED_COST / 4.0 > cheapest(&self.counted);
            if count == COUNTED || hopeless {
                break;
            }
            // Most pairs of honours share a card: one in ten cases may be left.
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
        // Hands that were asked for are listed even if rejection were faster.
        let must = self.order.is_some() || !self.condition.predeal().is_empty();
        let best = self.counted.into_iter().next();
        let Some(best) = best.filter(|best| must || best.cost() < UNLISTED_COST) else {
            if let Some(order) = self.order {
                return Err(PlanError::order(order, &[]).into());
            }
            let everything = reject(self.condition)?;
            return Ok(Division {
                considered,
                ..everything
            });
        };
        Ok(Division {
            filter: self.condition.untold(&best.candidate.fixed),
            listed: Some(best.part),
            share: best.candidate.share,
            considered,
        })
    }
}
