//! The exact law of a script's values, if a listing determines them.
//!
//! The condition is listed again, with everything that the values need to know of the hands, and
//! enumerated without being written. Every case has one value and as many deals as its weight.
//! Values of one hand are computed once for each case of that hand, which comes first; values of
//! two hands are computed in every case.

use std::collections::{BTreeMap, BTreeSet};

use super::ratio::Ratio;
use crate::bridge::Seat;
use crate::language::{
    Condition, EvaluationError, Expression, HandCase, HandProperty, Measure, Plan,
    needed_properties,
};
use crate::population::cases::{Case, Listing};

/// Maximum number of pairs of hands to enumerate.
const MOST_PAIRS: u64 = 1 << 30;
/// Maximum number of expression nodes to evaluate.
const MOST_WORK: u64 = 1 << 31;
/// Maximum number of nodes of the values, which listings evaluate hand by hand.
const MOST_NODES: u64 = 1 << 10;
/// Costs in steps of about a nanosecond: listing one hand, enumerating a pair of hands, and
/// evaluating a node.
const STEPS_OF_LISTING: u64 = 6;
const STEPS_OF_A_PAIR: u64 = 8;
const STEPS_OF_A_NODE: u64 = 3;
/// Maximum number of different values.
const MOST_VALUES: usize = 1 << 16;

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

/// The error for a law that is not available.
struct Unknown;

impl From<EvaluationError> for Unknown {
    fn from(_: EvaluationError) -> Self {
        Self
    }
}

impl Account {
    fn settle(&mut self) -> Result<(), Unknown> {
        let waiting = std::mem::take(&mut self.waiting);
        match self.last.take() {
            Some((_, values)) => self.add(values, waiting),
            None => Ok(()),
        }
    }

    fn add(&mut self, values: Vec<i64>, ways: u128) -> Result<(), Unknown> {
        *self.ways.entry(values).or_default() += ways;
        match self.ways.len() {
            0..=MOST_VALUES => Ok(()),
            _ => Err(Unknown),
        }
    }

    fn merge(mut self, mut other: Self) -> Result<Self, Unknown> {
        self.settle()?;
        other.settle()?;
        for (values, ways) in other.ways {
            self.add(values, ways)?;
        }
        Ok(self)
    }
}

impl ValueLaw {
    /// Computes the law of these values among the deals of a condition. `None` if together they
    /// need more than two hands, single spot cards or too much work, or if arithmetic fails for a
    /// deal.
    #[must_use]
    pub fn of(condition: &Condition, values: &[&Expression]) -> Option<Self> {
        let mut laws = Self::all(condition, &[values.to_vec()], u64::MAX);
        laws.pop().flatten()
    }

    /// Computes the laws of several questions, each about some values. Questions about the same
    /// hands share one pass over the cases. Passes are made in the order of their first questions
    /// while `steps` (of about a nanosecond) are left.
    #[must_use]
    pub(crate) fn all(
        condition: &Condition,
        questions: &[Vec<&Expression>],
        mut steps: u64,
    ) -> Vec<Option<Self>> {
        let mut laws: Vec<Option<Self>> = questions.iter().map(|_| None).collect();
        // By first hand and required properties of each hand, the indices of the questions.
        let mut passes: Vec<(Seat, BTreeSet<HandProperty>, Vec<usize>)> = Vec::new();
        for (place, values) in questions.iter().enumerate() {
            let mentioned = values.iter().flat_map(|value| value.mentioned());
            let mentioned: Vec<(Seat, &Measure)> = mentioned.collect();
            let Some(&(first, _)) = mentioned.first() else {
                laws[place] = Self::of_constants(values);
                continue;
            };
            if mentioned.iter().any(|(_, measure)| !measure.is_listable()) {
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
            let of_pass: Vec<&[&Expression]> =
                places.iter().map(|place| &*questions[*place]).collect();
            let of_one = told.iter().all(|(seat, _)| *seat == first);
            let Some(pass) = QuestionPass::new(condition, first, of_one, &of_pass, steps) else {
                continue;
            };
            steps = steps.saturating_sub(pass.steps);
            for (place, law) in places.iter().zip(pass.laws()) {
                laws[*place] = law;
            }
        }
        laws
    }

    /// Returns the law of values that do not depend on the deal.
    fn of_constants(values: &[&Expression]) -> Option<Self> {
        let nobody = [HandCase::default(); 4];
        let values: Result<Vec<i64>, _> = values.iter().map(|value| value.value(&nobody)).collect();
        let ways = BTreeMap::from([(values.ok()?, 1)]);
        Some(Self { ways, of: 1 })
    }

    /// Returns the ways of every possible combination of values.
    pub fn ways(&self) -> impl Iterator<Item = (&[i64], Ratio)> {
        let of = self.of;
        let each = self.ways.iter();
        each.map(move |(values, &ways)| (&values[..], Ratio { ways, of }))
    }

    /// Returns the mean of the first value, correct to within one rounding; `None` if its sum
    /// overflows 128 bits.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let mut sum = 0i128;
        for (values, &ways) in &self.ways {
            let ways = i128::try_from(ways).ok()?;
            sum = sum.checked_add(ways.checked_mul(i128::from(*values.first()?))?)?;
        }
        let of = i128::try_from(self.of).ok()?;
        // Integer part and remainder separately, so that the remainder keeps all its digits.
        let (whole, rest) = (sum.div_euclid(of), sum.rem_euclid(of) as u128);
        let rest = Ratio {
            ways: rest,
            of: self.of,
        };
        Some(whole as f64 + rest.to_f64())
    }
}

/// One pass over the cases for questions about the same hands.
struct QuestionPass<'v> {
    listing: Listing,
    questions: Vec<&'v [&'v Expression]>,
    /// Whether one hand determines all values.
    of_one: bool,
    /// Cost of the pass, in steps.
    steps: u64,
}

impl<'v> QuestionPass<'v> {
    /// Plans a pass; `None` if two hands do not determine the values, or if it needs more than
    /// `steps`.
    fn new(
        condition: &Condition,
        first: Seat,
        of_one: bool,
        questions: &[&'v [&'v Expression]],
        steps: u64,
    ) -> Option<Self> {
        let values: Vec<&Expression> = questions.concat();
        let nodes = values.iter().map(|value| value.steps()).sum::<u64>();
        if nodes > MOST_NODES * questions.len() as u64 {
            return None;
        }
        let wide = condition.mentioning(&values);
        // The hand of the values comes first: one value serves a run of cases.
        let Ok(Plan::Listed { first: one, second }) = Plan::new(&wide, None) else {
            return None;
        };
        let hands = [Some(one.seat), second.map(|hand| hand.seat)];
        let others = hands.into_iter().flatten().filter(|other| *other != first);
        let order: Vec<Seat> = [first].into_iter().chain(others).collect();
        let listing = Listing::within(&wide, Some(&order), steps / STEPS_OF_LISTING);
        let listing = listing.ok().flatten()?;
        let (firsts, pairs) = listing.sizes();
        let valued = if of_one { firsts } else { pairs };
        let work = valued.saturating_mul(nodes);
        let taken = pairs * STEPS_OF_A_PAIR + work.saturating_mul(STEPS_OF_A_NODE);
        (pairs <= MOST_PAIRS && work <= MOST_WORK && taken <= steps).then(|| Self {
            listing,
            questions: questions.to_vec(),
            of_one,
            steps: taken,
        })
    }

    /// Computes the laws; `None` for each that is not available.
    fn laws(&self) -> Vec<Option<ValueLaw>> {
        let visit = |accounts: &mut Accounts, case: Case, weight: u64| {
            if accounts.0.is_empty() {
                let account = |_| Ok(Account::default());
                accounts.0 = self.questions.iter().map(account).collect();
            }
            for (account, values) in accounts.0.iter_mut().zip(&self.questions) {
                let done = match account {
                    Ok(account) => self.visit(account, values, case, weight),
                    Err(_) => continue,
                };
                if let Err(unknown) = done {
                    *account = Err(unknown);
                }
            }
            Ok::<(), Unknown>(())
        };
        let merge = |one: Accounts, other: Accounts| Ok(one.merge(other));
        let Ok(accounts) = self.listing.account(visit, merge) else {
            return self.questions.iter().map(|_| None).collect();
        };
        let law = |account: Result<Account, Unknown>| {
            let mut account = account.ok()?;
            account.settle().ok()?;
            let of = account.ways.values().sum();
            let ways = account.ways;
            (of > 0).then_some(ValueLaw { ways, of })
        };
        accounts.0.into_iter().map(law).collect()
    }

    fn visit(
        &self,
        account: &mut Account,
        values: &[&Expression],
        case: Case,
        weight: u64,
    ) -> Result<(), Unknown> {
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
struct Accounts(Vec<Result<Account, Unknown>>);

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

    fn law(text: &str) -> Option<ValueLaw> {
        let script = Script::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
        let actions = script.actions.unwrap_or_default();
        let values: Vec<&Expression> = actions.iter().flat_map(Action::values).collect();
        ValueLaw::of(&script.condition, &values)
    }

    fn mean(text: &str) -> Option<f64> {
        law(text)?.mean()
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
}
