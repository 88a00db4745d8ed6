//! Intervals of values: which comparisons are always true or always false, which arithmetic may
//! fail, and which values fit in 32 bits.

use super::measure::Measure;
use super::operators::{BinaryOperator, UnaryOperator};

/// The least and the greatest value of an expression, and whether its arithmetic may fail.
///
/// For every deal, the value is within these bounds or the arithmetic fails.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    pub least: i64,
    pub most: i64,
    pub(super) may_fail: bool,
}

impl ValueBounds {
    /// False and true.
    pub const TRUTH: Self = Self::new(0, 1);

    pub const fn new(least: i64, most: i64) -> Self {
        Self {
            least,
            most,
            may_fail: false,
        }
    }

    /// The only value, if there is one.
    pub fn only(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    /// Whether all values are 0 or 1.
    pub(super) fn is_truth(self) -> bool {
        0 <= self.least && self.most <= 1
    }

    pub const fn contains(self, value: i64) -> bool {
        self.least <= value && value <= self.most
    }

    fn is_zero(self) -> bool {
        (self.least, self.most) == (0, 0)
    }

    /// The number of values.
    pub fn count(self) -> u64 {
        self.most.abs_diff(self.least) + 1
    }

    /// Both bounds with 32 bits, if they fit.
    pub fn in_32_bits(self) -> Option<[i32; 2]> {
        Some([self.least.try_into().ok()?, self.most.try_into().ok()?])
    }

    /// The same bounds, which may fail if any of the operands may fail.
    fn after(mut self, others: &[Self]) -> Self {
        self.may_fail |= others.iter().any(|other| other.may_fail);
        self
    }

    /// The bounds of exact results, of which there are some; results beyond 64 bits are failures.
    pub fn of(results: impl IntoIterator<Item = i128>) -> Self {
        let ends = |(least, most): (i128, i128), result| (least.min(result), most.max(result));
        let (least, most) = results.into_iter().fold((i128::MAX, i128::MIN), ends);
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

    /// The bounds of the results for the ends of two operands.
    fn corners(self, other: Self, of: impl Fn(i128, i128) -> i128) -> Self {
        let [a, b] = [self, other].map(|side| [side.least, side.most].map(i128::from));
        Self::of(a.into_iter().flat_map(|a| b.map(|b| of(a, b)))).after(&[self, other])
    }

    pub fn plus(self, other: Self) -> Self {
        self.corners(other, |a, b| a + b)
    }

    pub fn minus(self, other: Self) -> Self {
        self.corners(other, |a, b| a - b)
    }

    pub fn times(self, other: Self) -> Self {
        self.corners(other, |a, b| a * b)
    }

    /// The bounds of quotients rounded towards zero, and of 0 if the divisor may be 0.
    pub fn divided_by(self, divisor: Self) -> Self {
        // For divisors of one sign, the quotients at the ends are the extremes.
        let negative = Self::new(divisor.least, divisor.most.min(-1));
        let positive = Self::new(divisor.least.max(1), divisor.most);
        let zero = divisor.contains(0).then_some(Self::new(0, 0));
        let parts = [negative, positive].into_iter();
        let parts = parts.filter(|part| part.least <= part.most);
        let quotients = parts.map(|part| self.corners(part, |a, b| a / b));
        let all = quotients.chain(zero).reduce(Self::either);
        all.unwrap_or(Self::new(0, 0))
    }

    /// The bounds of remainders, which have the sign of the dividend, and of 0.
    pub fn remainder_by(self, divisor: Self) -> Self {
        let largest = i128::from(
            divisor
                .least
                .unsigned_abs()
                .max(divisor.most.unsigned_abs()),
        ) - 1;
        let most = |value: i64| i128::from(value.unsigned_abs()).min(largest).max(0);
        Self::of([0, -most(self.least.min(0)), most(self.most.max(0))])
    }

    /// The bounds of both.
    pub fn either(self, other: Self) -> Self {
        Self::new(self.least.min(other.least), self.most.max(other.most)).after(&[self, other])
    }

    pub fn of_measure(measure: &Measure) -> Self {
        let [least, most] = measure.bounds();
        Self::new(least, most)
    }

    pub(super) fn unary(operator: UnaryOperator, of: Self) -> Self {
        let ends = [of.least, of.most];
        match operator {
            UnaryOperator::Not if of.is_zero() => Self::new(1, 1),
            UnaryOperator::Not if !of.contains(0) => Self::new(0, 0),
            UnaryOperator::Not => Self::TRUTH,
            UnaryOperator::Negate => Self::new(0, 0).minus(of),
            // Both are non-decreasing in their operand.
            UnaryOperator::Imps | UnaryOperator::Score { .. } => {
                Self::of(ends.map(|end| operator.apply(end).map_or(0, i128::from)))
            }
        }
        .after(&[of])
    }

    pub(super) fn binary(operator: BinaryOperator, left: Self, right: Self) -> Self {
        use BinaryOperator as B;
        match operator {
            // The right side is evaluated only if the left one does not decide the result.
            B::And if left.is_zero() => left,
            B::Or if !left.contains(0) => Self::new(1, 1).after(&[left]),
            B::Plus => left.plus(right),
            B::Minus => left.minus(right),
            B::Times => left.times(right),
            B::Divide | B::Remainder => {
                let magnitude = left.least.unsigned_abs().max(left.most.unsigned_abs());
                let magnitude = i128::from(magnitude);
                let mut bounds = Self::of([-magnitude, magnitude]).after(&[left, right]);
                bounds.may_fail |= right.contains(0);
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
            test if !test.contains(0) => yes.after(&[test]),
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
    use crate::Expression;

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
        let nobody = [crate::HandCase::default(); 4];
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
                    let value = number(left).joined(operator, &number(right)).value(&nobody);
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
            let condition = crate::Condition::parse("test", text).expect(text);
            let expression = condition.expression();
            let ValueBounds { least, most, .. } = expression.tree().bounds(expression.root());
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

    #[test]
    fn every_result_is_within_its_interval() {
        let all = || {
            (-5..=5).flat_map(|least| (least..=5).map(move |most| ValueBounds::new(least, most)))
        };
        for a in all() {
            for b in all() {
                for x in a.least..=a.most {
                    for y in b.least..=b.most {
                        assert!(a.plus(b).contains(x + y));
                        assert!(a.minus(b).contains(x - y));
                        assert!(a.times(b).contains(x * y));
                        let (quotient, rest) = (x.checked_div(y), x.checked_rem(y));
                        assert!(a.divided_by(b).contains(quotient.unwrap_or(0)));
                        assert!(a.remainder_by(b).contains(rest.unwrap_or(0)));
                    }
                }
                let sums = (a.least..=a.most).flat_map(|x| (b.least..=b.most).map(move |y| x * y));
                assert_eq!(ValueBounds::of(sums.map(i128::from)), a.times(b));
            }
        }
    }
}
