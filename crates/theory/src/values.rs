//! The exact law of a script's values, if a listing determines them or cards are predealt.
//!
//! The condition is listed again, with everything that the values need to know of the hands, and
//! enumerated without being written. Every case has one value and as many deals as its weight.
//! Values of one hand are computed once for each case of that hand, which comes first; values of
//! two hands are computed in every case. Around predealt cards, the deals are counted for every
//! value, whatever it depends on.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use super::ratio::{Ratio, reduced};
use crate::bridge::Seat;
use crate::language::{
    Condition, EvaluationError, Expression, HandCase, HandProperty, Measure, Plan,
    needed_properties,
};
use crate::population::cases::{Case, Listing, ListingError};
use crate::population::cells::Budget;
use crate::population::counting::{CountError, DealCounter};

/// Costs in steps of about a nanosecond: listing one hand, enumerating a pair of hands, and
/// evaluating a node.
const STEPS_OF_LISTING: u64 = 6;
const STEPS_OF_A_PAIR: u64 = 8;
const STEPS_OF_A_NODE: u64 = 3;
/// The steps of all questions together, in budgets of one question.
const TOGETHER: u64 = 16;
/// Maximum number of different values, which bounds the memory.
const MOST_VALUES: usize = 1 << 16;
/// Maximum memory to count the deals of a value around predealt cards.
const MOST_BYTES: u64 = 256 << 20;

/// The reason why a value has no exact distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLaw {
    /// Nobody asked for it.
    #[error("not computed")]
    NotComputed,
    /// Two hands do not determine it.
    #[error("with the condition it depends on more than two hands")]
    Hands,
    /// Suit lengths and honours do not determine it.
    #[error("it or the condition depends on spot cards")]
    SpotCards,
    /// It is random even if the deal is known.
    #[error("it or the condition depends on `rnd`")]
    Draws,
    /// It depends on solved deals.
    #[error("it or the condition depends on double-dummy tricks")]
    Tricks,
    /// Its calculation takes too long.
    #[error("its calculation exceeds the time limit")]
    Steps,
    /// Its calculation takes too much memory.
    #[error("its calculation needs too much memory")]
    Memory,
    /// It has too many different values.
    #[error("it has more than {MOST_VALUES} different values")]
    Values,
    /// It has no value for some deals, or its sum overflows.
    #[error("its arithmetic fails for some deals")]
    Arithmetic,
    /// No deal satisfies the condition.
    #[error("no deal satisfies the condition")]
    NoDeal,
}

/// Exact joint probabilities of values: ways out of all ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueLaw {
    ways: BTreeMap<Vec<i64>, u128>,
    of: u128,
}

/// The ways of a slice of cases, and of the last value until the next one.
#[derive(Default)]
struct Account {
    ways: BTreeMap<Vec<i64>, u128>,
    last: Option<(HandCase, Vec<i64>)>,
    waiting: u128,
}

impl NoLaw {
    fn of_listing(error: &ListingError) -> Self {
        match error {
            ListingError::NoDeal | ListingError::Unconstrained => Self::NoDeal,
            ListingError::Memory { .. } => Self::Memory,
            ListingError::Plan(_) | ListingError::Condition(_) => Self::Arithmetic,
            ListingError::Apart | ListingError::TooManyCases { .. } => Self::Steps,
        }
    }
}

impl From<EvaluationError> for NoLaw {
    fn from(_: EvaluationError) -> Self {
        Self::Arithmetic
    }
}

impl Account {
    fn settle(&mut self) -> Result<(), NoLaw> {
        let waiting = std::mem::take(&mut self.waiting);
        match self.last.take() {
            Some((_, values)) => self.add(values, waiting),
            None => Ok(()),
        }
    }

    fn add(&mut self, values: Vec<i64>, ways: u128) -> Result<(), NoLaw> {
        *self.ways.entry(values).or_default() += ways;
        match self.ways.len() {
            0..=MOST_VALUES => Ok(()),
            _ => Err(NoLaw::Values),
        }
    }

    fn merge(mut self, mut other: Self) -> Result<Self, NoLaw> {
        self.settle()?;
        other.settle()?;
        for (values, ways) in other.ways {
            self.add(values, ways)?;
        }
        Ok(self)
    }
}

impl ValueLaw {
    /// Computes the law of these values among the deals of a condition.
    ///
    /// # Errors
    ///
    /// The reason if two hands do not determine the values, or their arithmetic fails for a deal.
    pub fn of(condition: &Condition, values: &[&Expression]) -> Result<Self, NoLaw> {
        let mut laws = Self::all(condition, &[values.to_vec()], u64::MAX);
        laws.pop().unwrap_or(Err(NoLaw::NotComputed))
    }

    /// Computes the laws of several questions, each about some values, if it takes at most `steps`
    /// (of about a nanosecond) for each, and `TOGETHER` times as many for all. Questions about
    /// the same hands share one pass over the cases.
    pub fn all(
        condition: &Condition,
        questions: &[Vec<&Expression>],
        steps: u64,
    ) -> Vec<Result<Self, NoLaw>> {
        if steps == 0 {
            return vec![Err(NoLaw::NotComputed); questions.len()];
        }
        let mut laws = vec![Err(NoLaw::Steps); questions.len()];
        let mut left = steps.saturating_mul(TOGETHER);
        // By first hand and required properties of each hand, the indices of the questions.
        let mut passes: Vec<(Seat, BTreeSet<HandProperty>, Vec<usize>)> = Vec::new();
        for (place, values) in questions.iter().enumerate() {
            let mentioned = values.iter().flat_map(|value| value.mentioned());
            let mentioned: Vec<(Seat, &Measure)> = mentioned.collect();
            let Some(&(first, _)) = mentioned.first() else {
                laws[place] = Self::of_constants(values);
                continue;
            };
            let why = undetermined(condition, &mentioned);
            if !condition.predeal().is_empty() && !matches!(why, Some(NoLaw::Draws | NoLaw::Tricks))
            {
                let budget = Budget::new(steps.min(left), MOST_BYTES);
                laws[place] = Self::counted(condition, values, &budget);
                left = left.saturating_sub(budget.spent());
                continue;
            }
            if let Some(why) = why {
                laws[place] = Err(why);
                continue;
            }
            let told = needed_properties(mentioned);
            let same =
                |pass: &&mut (Seat, BTreeSet<HandProperty>, _)| pass.0 == first && pass.1 == told;
            match passes.iter_mut().find(same) {
                Some((_, _, places)) => places.push(place),
                None => passes.push((first, told, vec![place])),
            }
        }
        for (first, told, places) in passes {
            let of_one = told.iter().all(|(seat, _)| *seat == first);
            let of_pass = places.iter().map(|place| (*place, &*questions[*place]));
            let limit = steps.min(left);
            let pass = QuestionPass::new(condition, first, of_one, of_pass.collect(), limit, left);
            match pass {
                Ok(pass) => {
                    left = left.saturating_sub(pass.steps);
                    for (place, law) in pass.laws() {
                        laws[place] = law;
                    }
                }
                Err(why) => places.iter().for_each(|place| laws[*place] = Err(why)),
            }
        }
        laws
    }

    /// Counts the deals of every combination of values.
    fn counted(
        condition: &Condition,
        values: &[&Expression],
        budget: &Budget,
    ) -> Result<Self, NoLaw> {
        let mut counts = ValueCounts {
            budget,
            ways: BTreeMap::new(),
        };
        counts.add(condition, values, &mut Vec::new())?;
        let of = counts.ways.values().sum();
        let ways = counts.ways;
        (of > 0).then_some(Self { ways, of }).ok_or(NoLaw::NoDeal)
    }

    /// Returns the law of values that do not depend on the deal.
    fn of_constants(values: &[&Expression]) -> Result<Self, NoLaw> {
        let nobody = [HandCase::default(); 4];
        let values: Result<Vec<i64>, _> = values.iter().map(|value| value.value(&nobody)).collect();
        let ways = BTreeMap::from([(values?, 1)]);
        Ok(Self { ways, of: 1 })
    }

    /// Returns the ways of every possible combination of values.
    pub fn ways(&self) -> impl Iterator<Item = (&[i64], Ratio)> {
        let of = self.of;
        let each = self.ways.iter();
        each.map(move |(values, &ways)| (&values[..], Ratio { ways, of }))
    }

    /// Returns the mean of the first value as a fraction in lowest terms; `None` if its sum
    /// overflows 128 bits.
    pub fn exact_mean(&self) -> Option<(i128, u128)> {
        let mut sum = 0i128;
        for (values, &ways) in &self.ways {
            let ways = i128::try_from(ways).ok()?;
            sum = sum.checked_add(ways.checked_mul(i128::from(*values.first()?))?)?;
        }
        let (of_sum, of) = reduced(sum.unsigned_abs(), self.of);
        Some((i128::try_from(of_sum).ok()? * sum.signum(), of))
    }

    /// Returns the mean of the first value, correct to within one rounding; `None` if its sum
    /// overflows 128 bits.
    pub fn mean(&self) -> Option<f64> {
        let (sum, of) = self.exact_mean()?;
        let signed = i128::try_from(of).ok()?;
        // Integer part and remainder separately, so that the remainder keeps all its digits.
        let (whole, rest) = (sum.div_euclid(signed), sum.rem_euclid(signed) as u128);
        Some(whole as f64 + Ratio { ways: rest, of }.to_f64())
    }
}

/// The deals of every combination of values, counted by halving the range of each value.
struct ValueCounts<'b> {
    budget: &'b Budget,
    ways: BTreeMap<Vec<i64>, u128>,
}

impl ValueCounts<'_> {
    /// Adds the deals of a condition by these values; `found` are the values before.
    fn add(
        &mut self,
        condition: &Condition,
        values: &[&Expression],
        found: &mut Vec<i64>,
    ) -> Result<(), NoLaw> {
        let Some(value) = values.first() else {
            return Ok(());
        };
        // Arithmetic that fails for a deal fails here, even if only one value is possible.
        let deals = self.deals(&condition.with_value(value, value.bounds()))?;
        self.split(condition, values, (value.bounds(), deals), found)
    }

    /// Adds those deals, a number that is known, for which the first value is within these bounds.
    fn split(
        &mut self,
        condition: &Condition,
        values: &[&Expression],
        ([least, most], deals): ([i64; 2], u128),
        found: &mut Vec<i64>,
    ) -> Result<(), NoLaw> {
        if deals == 0 {
            return Ok(());
        }
        if least < most {
            let middle = least.wrapping_add((most.abs_diff(least) / 2).cast_signed());
            let lower = self.deals(&condition.with_value(values[0], [least, middle]))?;
            self.split(condition, values, ([least, middle], lower), found)?;
            let upper = ([middle + 1, most], deals - lower);
            return self.split(condition, values, upper, found);
        }
        found.push(least);
        match &values[1..] {
            [] => {
                self.ways.insert(found.clone(), deals);
            }
            others => self.add(&condition.with_value(values[0], [least; 2]), others, found)?,
        }
        found.pop();
        match self.ways.len() {
            0..=MOST_VALUES => Ok(()),
            _ => Err(NoLaw::Values),
        }
    }

    fn deals(&self, condition: &Condition) -> Result<u128, NoLaw> {
        let counted =
            DealCounter::new(condition).and_then(|counter| counter.probability(self.budget));
        counted
            .map(|(deals, _)| deals)
            .map_err(|error| match error {
                CountError::Arithmetic(_) => NoLaw::Arithmetic,
                CountError::NoDeal => NoLaw::NoDeal,
                CountError::NotCards => NoLaw::SpotCards,
                CountError::TooLarge(_) => NoLaw::Steps,
            })
    }
}

/// Returns the reason why a listing of a condition and of these measures cannot exist.
fn undetermined(condition: &Condition, mentioned: &[(Seat, &Measure)]) -> Option<NoLaw> {
    let all = condition.expression().mentioned();
    let all: Vec<_> = all.iter().chain(mentioned).collect();
    let unlisted = all.iter().find(|(_, measure)| !measure.is_listable());
    if let Some((_, measure)) = unlisted {
        return Some(match measure {
            measure if measure.is_random() => NoLaw::Draws,
            measure if measure.needs_table() => NoLaw::Tricks,
            _ => NoLaw::SpotCards,
        });
    }
    let seats: BTreeSet<Seat> = all.iter().map(|(seat, _)| *seat).collect();
    (seats.len() > 2).then_some(NoLaw::Hands)
}

/// A question by its index, and its values.
type Question<'v> = (usize, &'v [&'v Expression]);

/// One pass over the cases for questions about the same hands.
struct QuestionPass<'v> {
    listing: Listing,
    questions: Vec<Question<'v>>,
    /// Whether one hand determines all values.
    of_one: bool,
    /// Cost of the pass, in steps.
    steps: u64,
}

impl<'v> QuestionPass<'v> {
    /// Plans a pass for the questions that need at most `limit` steps each, in their order while
    /// they need at most `all` together.
    fn new(
        condition: &Condition,
        first: Seat,
        of_one: bool,
        questions: Vec<Question<'v>>,
        limit: u64,
        all: u64,
    ) -> Result<Self, NoLaw> {
        let values: Vec<&Expression> = questions.iter().flat_map(|(_, of)| *of).copied().collect();
        let wide = condition.mentioning(&values);
        // The hand of the values comes first: one value serves a run of cases.
        let Ok(Plan::Listed { first: one, second }) = Plan::new(&wide, None) else {
            return Err(NoLaw::Hands);
        };
        let hands = [Some(one.seat), second.map(|hand| hand.seat)];
        let others = hands.into_iter().flatten().filter(|other| *other != first);
        let order: Vec<Seat> = [first].into_iter().chain(others).collect();
        let listing = Listing::within(&wide, Some(&order), limit / STEPS_OF_LISTING);
        let listing = listing
            .map_err(|error| NoLaw::of_listing(&error))?
            .ok_or(NoLaw::Steps)?;
        let (firsts, pairs) = listing.sizes();
        let valued = if of_one { firsts } else { pairs };
        let enumeration = pairs.saturating_mul(STEPS_OF_A_PAIR);
        let mut steps = enumeration;
        let questions = questions.into_iter().filter(|(_, values)| {
            let nodes: u64 = values.iter().map(|value| value.steps()).sum();
            let work = valued.saturating_mul(nodes.saturating_mul(STEPS_OF_A_NODE));
            let with_it = steps.saturating_add(work);
            let is_taken = enumeration.saturating_add(work) <= limit && with_it <= all;
            if is_taken {
                steps = with_it;
            }
            is_taken
        });
        let questions: Vec<Question<'v>> = questions.collect();
        match questions.is_empty() {
            true => Err(NoLaw::Steps),
            false => Ok(Self {
                listing,
                questions,
                of_one,
                steps,
            }),
        }
    }

    /// Computes the laws of the questions, each with the index of its question.
    fn laws(&self) -> Vec<(usize, Result<ValueLaw, NoLaw>)> {
        let visit = |accounts: &mut Accounts, case: Case, weight: u64| {
            if accounts.0.is_empty() {
                let account = |_| Ok(Account::default());
                accounts.0 = self.questions.iter().map(account).collect();
            }
            for (account, (_, values)) in accounts.0.iter_mut().zip(&self.questions) {
                let done = match account {
                    Ok(account) => self.visit(account, values, case, weight),
                    Err(_) => continue,
                };
                if let Err(why) = done {
                    *account = Err(why);
                }
            }
            Ok::<(), Infallible>(())
        };
        let merge = |one: Accounts, other: Accounts| Ok(one.merge(other));
        let Ok(accounts) = self.listing.account(visit, merge);
        let law = |account: Result<Account, NoLaw>| {
            let mut account = account?;
            account.settle()?;
            let ways = account.ways;
            let of = ways.values().sum();
            Ok(ValueLaw { ways, of })
        };
        let laws = accounts.0.into_iter().map(law);
        // Without cases there are no accounts.
        let laws = laws.chain(std::iter::repeat(Err(NoLaw::NoDeal)));
        let places = self.questions.iter().map(|(place, _)| *place);
        places.zip(laws).collect()
    }

    fn visit(
        &self,
        account: &mut Account,
        values: &[&Expression],
        case: Case,
        weight: u64,
    ) -> Result<(), NoLaw> {
        let last = account.last.as_ref();
        if !self.of_one || last.is_none_or(|(hand, _)| *hand != case.first) {
            account.settle()?;
            account.last = Some((case.first, values_of(values, &self.listing, case)?));
        }
        account.waiting += u128::from(weight);
        Ok(())
    }
}

/// An account for each question; empty before the first case.
#[derive(Default)]
struct Accounts(Vec<Result<Account, NoLaw>>);

impl Accounts {
    fn merge(self, other: Self) -> Self {
        match (self.0.is_empty(), other.0.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => {
                let pairs = self.0.into_iter().zip(other.0);
                let merged = pairs.map(|(one, other)| one?.merge(other?));
                Self(merged.collect())
            }
        }
    }
}

fn values_of(
    values: &[&Expression],
    listing: &Listing,
    case: Case,
) -> Result<Vec<i64>, EvaluationError> {
    let (first, second) = listing.seats();
    let mut hands = [HandCase::default(); 4];
    hands[first.index()] = case.first;
    if let (Some(seat), Some(hand)) = (second, case.second) {
        hands[seat.index()] = hand;
    }
    values.iter().map(|value| value.value(&hands)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Action, Script};

    fn law(text: &str) -> Result<ValueLaw, NoLaw> {
        let script = Script::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
        let actions = script.actions.unwrap_or_default();
        let values: Vec<&Expression> = actions.iter().flat_map(Action::values).collect();
        ValueLaw::of(&script.condition, &values)
    }

    fn mean(text: &str) -> Option<f64> {
        law(text).ok()?.mean()
    }

    #[test]
    fn means_of_every_deal_are_known() {
        assert_eq!(mean("action average hcp(north)"), Some(10.0));
        assert_eq!(mean("action average 0 - hcp(north)"), Some(-10.0));
        assert_eq!(mean("action average spades(south)"), Some(3.25));
        assert_eq!(mean("action average hascard(south, AS)"), Some(0.25));
        assert_eq!(mean("action average 7"), Some(7.0));
        assert_eq!(mean("action average tens(south)"), None);
        // One deal in 10^12 has no such value, so the mean does not exist.
        assert_eq!(mean("action average 1 / (37 - hcp(north))"), None);
        assert_eq!(
            mean("action average hearts(north) + hearts(south) + hearts(east)"),
            None
        );
    }

    #[test]
    fn a_hand_that_is_not_listed_is_listed_for_its_value() {
        // West holds seven of thirteen spades; each of the other hands has a third of the other
        // six.
        assert_eq!(
            mean("spades(west) == 7 action average spades(east)"),
            Some(2.0)
        );
        // East has a third of the remaining points.
        let together = mean("hcp(west) == 3 action average hcp(west) * 3 + hcp(east)");
        assert_eq!(together, Some(21.0 + 1.0 / 3.0));
    }

    #[test]
    fn two_values_have_a_joint_law_that_sums_to_one() {
        let text = "spades(west) >= 11 action frequency (spades(west), 0, 13, hcp(west), 0, 37)";
        let law = law(text).expect("one hand tells both");
        let total: u128 = law.ways().map(|(_, ratio)| ratio.ways).sum();
        assert_eq!(total, law.of);
        assert!(
            law.ways()
                .all(|(values, _)| values[0] >= 11 && values[1] >= 3)
        );
        assert!(law.ways().count() > 20);
    }

    #[test]
    fn a_mean_is_a_fraction_in_lowest_terms() {
        let exact = |text| law(text).unwrap().exact_mean();
        let aces = "aces(north) >= 1 action average 100 * (aces(north) >= 2)";
        assert_eq!(exact(aces), Some((267_950, 7_249)));
        let below = "aces(north) >= 1 action average 0 - 100 * (aces(north) >= 2)";
        assert_eq!(exact(below), Some((-267_950, 7_249)));
        assert_eq!(exact("action average 0"), Some((0, 1)));
    }

    #[test]
    fn each_value_without_a_law_has_its_reason() {
        let why = |text| law(text).unwrap_err();
        assert_eq!(why("action average tens(south)"), NoLaw::SpotCards);
        let three = "action average hearts(north) + hearts(south) + hearts(east)";
        assert_eq!(why(three), NoLaw::Hands);
        let third = "hcp(east) > hcp(west) action average hcp(north)";
        assert_eq!(why(third), NoLaw::Hands);
        assert_eq!(why("action average rnd(7)"), NoLaw::Draws);
        assert_eq!(
            why("action average 1 / (37 - hcp(north))"),
            NoLaw::Arithmetic
        );
        let never = "hcp(north) > 37 action average hcp(north)";
        assert_eq!(why(never), NoLaw::NoDeal);
    }

    #[test]
    fn around_predealt_cards_the_deals_of_every_value_are_counted() {
        let exact =
            |text: &str| law(&format!("predeal north SA {text}")).map(|law| law.exact_mean());
        // South has 13 of the 51 other cards, which have 36 points, four tens and 13 hearts.
        let points = exact("action average hcp(south)");
        assert_eq!(points, Ok(Some((156, 17))));
        assert_eq!(exact("action average tens(south)"), Ok(Some((52, 51))));
        let hearts = "action average hearts(north) + hearts(south) + hearts(east)";
        assert_eq!(exact(hearts), Ok(Some((494, 51))));
        assert_eq!(exact("action average rnd(7)"), Err(NoLaw::Draws));
        let failing = "action average 1 / (34 - hcp(south))";
        assert_eq!(exact(failing), Err(NoLaw::Arithmetic));
        let never = "hcp(south) > 36 action average hcp(north)";
        assert_eq!(exact(never), Err(NoLaw::NoDeal));
    }

    /// The laws of averages of both hands, each in at most so many steps.
    fn laws_within(averages: usize, steps: u64) -> Vec<Result<ValueLaw, NoLaw>> {
        let values: Vec<String> = (1..=averages)
            .map(|factor| format!("average {factor} * hcp(north) + hcp(south)"))
            .collect();
        let condition = "aces(north) == 4 && hcp(south) >= 23";
        let text = format!("{condition} action {}", values.join(", "));
        let script = Script::parse("test", &text).unwrap();
        let actions = script.actions.unwrap();
        let questions: Vec<Vec<&Expression>> = actions
            .iter()
            .map(|action| action.values().collect())
            .collect();
        ValueLaw::all(&script.condition, &questions, steps)
    }

    #[test]
    fn each_value_has_a_budget_of_its_own() {
        let one = laws_within(1, u64::MAX);
        // The fewest steps for one average suffice for every one of eight.
        let steps = (0..40).map(|power| 1u64 << power);
        let least = steps
            .clone()
            .find(|&steps| laws_within(1, steps)[0].is_ok());
        let many = laws_within(8, least.unwrap());
        assert_eq!(many[0], one[0]);
        assert!(many.iter().all(Result::is_ok));
        // All questions together have a limit too, and nothing is computed without steps.
        let too_many = laws_within(200, least.unwrap());
        assert_eq!(too_many.last(), Some(&Err(NoLaw::Steps)));
        assert_eq!(laws_within(1, 1), [Err(NoLaw::Steps)]);
        assert_eq!(laws_within(1, 0), [Err(NoLaw::NotComputed)]);
    }
}
