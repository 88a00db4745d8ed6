//! The exact law of a script's values, where a listing tells them.
//!
//! The condition is listed once more, this time with all that the values need of the
//! hands, and gone through without being written: every case has one value, and as many
//! deals as its weight. A value of one hand is worked out once a case of that hand, which
//! is put outermost; one of two hands in every case.

use std::collections::BTreeMap;

use super::ratio::Ratio;
use crate::cards::Seat;
use crate::cases::{Case, Listing};
use crate::condition::{Condition, EvaluationError, Expression, HandCase, Plan};

/// Most pairs of hands that are gone through.
const MOST_PAIRS: u64 = 1 << 30;
/// Most nodes of values that are worked out in all.
const MOST_WORK: u64 = 1 << 31;
/// Most nodes of the values, which listings look at hand by hand.
const MOST_NODES: u64 = 1 << 10;
/// Most different values.
const MOST_VALUES: usize = 1 << 16;

/// How often some values come together, exactly: ways out of all ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueLaw {
    ways: BTreeMap<Vec<i64>, u128>,
    of: u128,
}

/// The ways of a stretch of cases, and of the last value until another comes.
#[derive(Default)]
struct Account {
    ways: BTreeMap<Vec<i64>, u128>,
    last: Option<(HandCase, Vec<i64>)>,
    waiting: u128,
}

/// A law that is not known.
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
    /// The law of these values among the deals of a condition; `None` where the condition
    /// and they need more than two hands, single spot cards or too much work, or where
    /// arithmetic fails for some deal.
    #[must_use]
    pub fn of(condition: &Condition, values: &[&Expression]) -> Option<Self> {
        let mentioned: Vec<_> = values.iter().flat_map(|value| value.mentioned()).collect();
        let Some(&(seat, _)) = mentioned.first() else {
            let nobody = [HandCase::default(); 4];
            let values: Result<Vec<i64>, _> =
                values.iter().map(|value| value.value(&nobody)).collect();
            let ways = BTreeMap::from([(values.ok()?, 1)]);
            return Some(Self { ways, of: 1 });
        };
        let nodes = values.iter().map(|value| value.size()).sum::<u64>();
        if nodes > MOST_NODES {
            return None;
        }
        let of_one = mentioned.iter().all(|(other, _)| *other == seat);
        let wide = condition.mentioning(values);
        // The hand of the values goes first: one value serves a run of cases.
        let Ok(Plan::Listed { first, second }) = Plan::new(&wide, None) else {
            return None;
        };
        let hands = [Some(first.seat), second.map(|hand| hand.seat)];
        let others = hands.into_iter().flatten().filter(|other| *other != seat);
        let order: Vec<Seat> = [seat].into_iter().chain(others).collect();
        let listing = Listing::new(&wide, Some(&order)).ok()?;
        let (firsts, pairs) = listing.sizes();
        let valued = if of_one { firsts } else { pairs };
        if pairs > MOST_PAIRS || valued.saturating_mul(nodes) > MOST_WORK {
            return None;
        }
        let visit = |account: &mut Account, case: Case, weight: u64| {
            let last = account.last.as_ref();
            if !of_one || last.is_none_or(|(hand, _)| *hand != case.first) {
                account.settle()?;
                account.last = Some((case.first, values_of(values, &listing, case)?));
            }
            account.waiting += u128::from(weight);
            Ok(())
        };
        let mut account = listing.account(visit, Account::merge).ok()?;
        account.settle().ok()?;
        let of = account.ways.values().sum();
        let ways = account.ways;
        (of > 0).then_some(Self { ways, of })
    }

    /// The ways of every combination of values that can come.
    pub fn ways(&self) -> impl Iterator<Item = (&[i64], Ratio)> {
        let of = self.of;
        let each = self.ways.iter();
        each.map(move |(values, &ways)| (&values[..], Ratio { ways, of }))
    }

    /// The mean of the first value, to the nearest floating-point number but for one
    /// rounding; `None` if its sum leaves 128 bits.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let mut sum = 0i128;
        for (values, &ways) in &self.ways {
            let ways = i128::try_from(ways).ok()?;
            sum = sum.checked_add(ways.checked_mul(i128::from(*values.first()?))?)?;
        }
        let of = i128::try_from(self.of).ok()?;
        // Whole and rest apart, so that the rest keeps all its digits.
        let (whole, rest) = (sum.div_euclid(of), sum.rem_euclid(of) as u128);
        let rest = Ratio {
            ways: rest,
            of: self.of,
        };
        Some(whole as f64 + rest.to_f64())
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
    use crate::condition::{Action, Script};

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
        // One deal in 10^12 has no such value: neither has the mean.
        assert_eq!(mean("action average 1 / (37 - hcp(north))"), None);
        assert_eq!(
            mean("action average hearts(north) + hearts(south) + hearts(east)"),
            None
        );
    }

    #[test]
    fn a_hand_that_is_not_listed_is_listed_for_its_value() {
        // Seven of thirteen spades are with west: of the other six each has a third.
        assert_eq!(
            mean("spades(west) == 7 action average spades(east)"),
            Some(2.0)
        );
        // A third of the points that are left are east's.
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
