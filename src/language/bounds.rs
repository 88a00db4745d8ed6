//! Bounds of an expression's values: which comparisons are always true or always false, and
//! which arithmetic may fail.

use super::measure::Measure;
use super::operators::{BinaryOperator, UnaryOperator};

/// The least and the greatest value of an expression, and whether its arithmetic may fail.
///
/// For every deal, the value is within these bounds or the arithmetic fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueBounds {
    pub(super) least: i64,
    pub(super) most: i64,
    pub(super) may_fail: bool,
}

impl ValueBounds {
    const TRUTH: Self = Self::new(0, 1);

    pub(super) const fn new(least: i64, most: i64) -> Self {
        Self {
            least,
            most,
            may_fail: false,
        }
    }

    /// The only value, if there is one.
    pub(super) fn only(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    /// Whether all values are 0 or 1.
    pub(super) fn is_truth(self) -> bool {
        0 <= self.least && self.most <= 1
    }

    fn contains_zero(self) -> bool {
        self.least <= 0 && 0 <= self.most
    }

    fn is_zero(self) -> bool {
        (self.least, self.most) == (0, 0)
    }

    /// The same bounds, which may fail if any of the operands may fail.
    fn after(mut self, others: &[Self]) -> Self {
        self.may_fail |= others.iter().any(|other| other.may_fail);
        self
    }

    /// The bounds of exact results; results beyond 64 bits are failures.
    fn of(results: &[i128]) -> Self {
        let least = results.iter().copied().min();
        let least = least.expect("some corner is given");
        let most = results.iter().copied().max();
        let most = most.expect("some corner is given");
        let clamped = [least, most].map(|result| {
            let result = result.clamp(i64::MIN.into(), i64::MAX.into());
            result as i64
        });
        Self {
            least: clamped[0],
            most: clamped[1],
            may_fail: i128::from(clamped[0]) != least || i128::from(clamped[1]) != most,
        }
    }

    fn either(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            may_fail: self.may_fail || other.may_fail,
        }
    }

    pub(super) fn of_measure(measure: &Measure) -> Self {
        let [least, most] = measure.bounds();
        Self::new(least, most)
    }

    pub(super) fn unary(operator: UnaryOperator, of: Self) -> Self {
        let ends = [of.least, of.most];
        match operator {
            UnaryOperator::Not if of.is_zero() => Self::new(1, 1),
            UnaryOperator::Not if !of.contains_zero() => Self::new(0, 0),
            UnaryOperator::Not => Self::TRUTH,
            UnaryOperator::Negate => Self::of(&ends.map(|end| -i128::from(end))),
            // Both are non-decreasing in their operand.
            UnaryOperator::Imps | UnaryOperator::Score { .. } => {
                let values = ends.map(|end| operator.apply(end).map_or(0, i128::from));
                Self::of(&values)
            }
        }
        .after(&[of])
    }

    pub(super) fn binary(operator: BinaryOperator, left: Self, right: Self) -> Self {
        use BinaryOperator as B;
        let [a, b] = [left, right].map(|side| [side.least, side.most].map(i128::from));
        let magnitude = a[0].abs().max(a[1].abs());
        match operator {
            // The right side is evaluated only if the left one does not decide the result.
            B::And if left.is_zero() => left,
            B::Or if !left.contains_zero() => Self::new(1, 1).after(&[left]),
            B::Plus => Self::of(&[a[0] + b[0], a[1] + b[1]]).after(&[left, right]),
            B::Minus => Self::of(&[a[0] - b[1], a[1] - b[0]]).after(&[left, right]),
            B::Times => {
                let corners = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
                Self::of(&corners).after(&[left, right])
            }
            B::Divide | B::Remainder => {
                let mut bounds = Self::of(&[-magnitude, magnitude]).after(&[left, right]);
                bounds.may_fail |= right.contains_zero();
                bounds
            }
            B::And | B::Or => Self::TRUTH.after(&[left, right]),
            _ => {
                let truth = decided(operator, left, right).map(i64::from);
                let bounds = truth.map_or(Self::TRUTH, |truth| Self::new(truth, truth));
                bounds.after(&[left, right])
            }
        }
    }

    /// The bounds of `test ? yes : no`.
    pub(super) fn conditional(test: Self, yes: Self, no: Self) -> Self {
        match test {
            test if test.is_zero() => no.after(&[test]),
            test if !test.contains_zero() => yes.after(&[test]),
            test => yes.either(no).after(&[test]),
        }
    }
}

/// The result of a comparison, if it is the same for all values within the bounds.
fn decided(operator: BinaryOperator, left: ValueBounds, right: ValueBounds) -> Option<bool> {
    use BinaryOperator as B;
    let less = |a: ValueBounds, b: ValueBounds| match (a.most < b.least, a.least >= b.most) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let equal = || match (left.only(), right.only()) {
        (Some(a), Some(b)) => Some(a == b),
        _ => (left.most < right.least || right.most < left.least).then_some(false),
    };
    match operator {
        B::Equal => equal(),
        B::NotEqual => equal().map(|equal| !equal),
        B::Less => less(left, right),
        B::Greater => less(right, left),
        B::LessOrEqual => less(right, left).map(|greater| !greater),
        B::GreaterOrEqual => less(left, right).map(|less| !less),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Expression;

    #[test]
    fn bounds_hold_every_value_and_tell_of_every_failure() {
        let numbers: [i64; 7] = [i64::MIN, -3, -1, 0, 1, 4, i64::MAX];
        let pairs = || {
            numbers.into_iter().flat_map(move |least| {
                let above = numbers.into_iter().filter(move |most| least <= *most);
                above.map(move |most| (least, most))
            })
        };
        let number = Expression::number;
        let nobody = [crate::language::HandCase::default(); 4];
        for operator in [
            BinaryOperator::And,
            BinaryOperator::Or,
            BinaryOperator::Equal,
            BinaryOperator::NotEqual,
            BinaryOperator::Less,
            BinaryOperator::LessOrEqual,
            BinaryOperator::Greater,
            BinaryOperator::GreaterOrEqual,
            BinaryOperator::Plus,
            BinaryOperator::Minus,
            BinaryOperator::Times,
            BinaryOperator::Divide,
            BinaryOperator::Remainder,
        ] {
            for ((a, b), (c, d)) in pairs().flat_map(|left| pairs().map(move |right| (left, right)))
            {
                let bounds =
                    ValueBounds::binary(operator, ValueBounds::new(a, b), ValueBounds::new(c, d));
                for (left, right) in [(a, c), (a, d), (b, c), (b, d)] {
                    let value = number(left).joined(operator, number(right)).value(&nobody);
                    let is_within = match value {
                        Ok(value) => bounds.least <= value && value <= bounds.most,
                        Err(_) => bounds.may_fail,
                    };
                    assert!(is_within, "{left} {operator} {right}: {bounds:?}");
                }
            }
        }
    }

    #[test]
    fn points_are_bounded_by_the_best_and_the_worst_thirteen_cards() {
        let bounds = |text: &str| {
            let condition = crate::language::Condition::parse("test", text).expect(text);
            let ValueBounds { least, most, .. } = condition.expression().bounds();
            (least, most)
        };
        for (text, wanted) in [
            ("hcp(north)", (0, 37)),
            ("hcp(north, spades)", (0, 10)),
            ("controls(north)", (0, 12)),
            ("aces(north)", (0, 4)),
            ("c13(north)", (0, 49)),
            ("losers(north)", (0, 12)),
            ("losers(north, spades)", (0, 3)),
            ("spades(west) - spades(east)", (-13, 13)),
            ("pointcount 1 1 1 1 1 1 1 1 1 1 1 1 1 hcp(north)", (13, 13)),
            ("pointcount -1 -1 -1 hcp(north)", (-12, 0)),
            (
                "pointcount 5 0 0 0 0 0 0 0 0 0 0 0 -2 hcp(north, hearts)",
                (-2, 5),
            ),
            ("hcp(north) < 38", (1, 1)),
            ("hcp(north) >= 38", (0, 0)),
            ("spades(west) <= 13 && spades(west) != 14", (0, 1)),
            ("!(spades(west) > 13)", (1, 1)),
            ("shape(west, any 4333) == 2", (0, 0)),
            ("hcp(north) < 37", (0, 1)),
        ] {
            assert_eq!(bounds(text), wanted, "{text}");
        }
    }
}
