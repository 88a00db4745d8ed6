//! Terms of a condition's outermost `&&`, to be evaluated in any order.
//!
//! The language evaluates a term only where every term before it holds. Samplers order terms
//! by the hands that they mention. Both come to the same deals if a term whose arithmetic
//! fails counts as false, and to the same error if each term that may fail is looked up once:
//! is there a deal for which all terms before it hold and it fails ([`Condition::failures`])?

use std::borrow::Borrow;

use super::measure::{Hands, Measure};
use super::tree::{BinaryOperator, Expression, Node, Shared, UnaryOperator};
use super::{Condition, EvaluationError};

/// A term that is evaluated without regard to the terms before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term<E> {
    expression: E,
    /// Whether the term is satisfied where its arithmetic fails, and nowhere else.
    by_failing: bool,
}

impl<E: Borrow<Expression>> Term<E> {
    /// Returns whether these hands satisfy the term; hands for which its arithmetic fails do
    /// not, unless the term looks for them.
    pub(crate) fn holds(&self, hands: &impl Hands) -> bool {
        match self.expression.borrow().holds(hands) {
            Ok(holds) => holds && !self.by_failing,
            Err(_) => self.by_failing,
        }
    }

    /// The error that a term which looks for failures finds for these hands.
    pub(crate) fn failure(&self, hands: &impl Hands) -> Option<EvaluationError> {
        let value = self
            .by_failing
            .then(|| self.expression.borrow().value(hands));
        value?.err()
    }
}

impl<'c> Term<&'c Expression> {
    pub(crate) fn expression(&self) -> &'c Expression {
        self.expression
    }

    pub(crate) fn cloned(&self) -> Term<Expression> {
        Term {
            expression: self.expression.clone(),
            by_failing: self.by_failing,
        }
    }
}

impl Condition {
    /// The terms joined by the outermost `&&`, in the order of the text.
    pub(crate) fn terms(&self) -> Vec<Term<&Expression>> {
        let term = |expression| Term {
            expression,
            by_failing: false,
        };
        self.conjuncts().into_iter().map(term).collect()
    }

    /// For each term that may fail, the terms before it and that it fails: a deal that
    /// satisfies them all is one for which the condition has no value.
    pub(crate) fn failures(&self) -> Vec<Vec<Term<&Expression>>> {
        let terms = self.terms();
        let may_fail =
            |(_, term): &(usize, &Term<&Expression>)| term.expression().bounds().may_fail;
        let failing = terms.iter().enumerate().filter(may_fail);
        let looked_up = failing.map(|(place, _)| {
            let mut looked_up = terms[..=place].to_vec();
            looked_up[place].by_failing = true;
            looked_up
        });
        looked_up.collect()
    }
}

/// The least and the greatest value of an expression, and whether its arithmetic may fail:
/// for every deal it is within these bounds or fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    least: i64,
    most: i64,
    may_fail: bool,
}

impl Bounds {
    const TRUTH: Self = Self::new(0, 1);

    const fn new(least: i64, most: i64) -> Self {
        Self {
            least,
            most,
            may_fail: false,
        }
    }

    fn contains_zero(self) -> bool {
        self.least <= 0 && 0 <= self.most
    }

    fn is_zero(self) -> bool {
        (self.least, self.most) == (0, 0)
    }

    /// The same values, with failures of what they are made of.
    fn after(mut self, others: &[Self]) -> Self {
        self.may_fail |= others.iter().any(|other| other.may_fail);
        self
    }

    /// Bounds of exact results, which fail beyond 64 bits.
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

    fn of_measure(measure: &Measure) -> Self {
        match measure {
            Measure::Length(_) => Self::new(0, 13),
            Measure::Pattern(_) | Measure::Holds(_) => Self::TRUTH,
            Measure::Points { values, .. } => {
                // Thirteen cards, whatever they are.
                let of =
                    |value: Option<&i32>| 13 * i64::from(*value.expect("every rank has a value"));
                let (least, most) = (values.iter().min(), values.iter().max());
                Self::new(of(least).min(0), of(most).max(0))
            }
            Measure::Losers(_) => Self::new(0, 12),
            // Hundredths, of evaluations well below a hundred.
            Measure::Evaluation | Measure::Quality(_) => Self::new(-10_000, 10_000),
        }
    }

    fn unary(operator: UnaryOperator, of: Self) -> Self {
        let ends = [of.least, of.most];
        match operator {
            UnaryOperator::Not => Self::TRUTH,
            UnaryOperator::Negate => Self::of(&ends.map(|end| -i128::from(end))),
            // Neither falls where its operand rises.
            UnaryOperator::Imps | UnaryOperator::Score { .. } => {
                let values = ends.map(|end| operator.apply(end).map_or(0, i128::from));
                Self::of(&values)
            }
        }
        .after(&[of])
    }

    fn binary(operator: BinaryOperator, left: Self, right: Self) -> Self {
        use BinaryOperator as B;
        let [a, b] = [left, right].map(|side| [side.least, side.most].map(i128::from));
        let magnitude = a[0].abs().max(a[1].abs());
        match operator {
            // The right side counts only where the left one leaves it open.
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
            _ => Self::TRUTH.after(&[left, right]),
        }
    }
}

impl Expression {
    fn bounds(&self) -> Bounds {
        self.bounds_with(&mut Shared::new())
    }

    /// The bounds, with those of shared nodes that are known.
    fn bounds_with(&self, known: &mut Shared<Bounds>) -> Bounds {
        known.get(self, |known| {
            let mut chain: Vec<&Self> = self.left_sides().collect();
            let innermost = chain.pop().expect("a chain has an innermost side");
            let mut bounds = innermost.bounds_of_parts(known);
            for expression in chain.iter().rev() {
                if let Node::Binary(operator, sides) = expression.node() {
                    bounds = Bounds::binary(*operator, bounds, sides[1].bounds_with(known));
                }
            }
            bounds
        })
    }

    /// The bounds of what is not an operator of two operands.
    fn bounds_of_parts(&self, known: &mut Shared<Bounds>) -> Bounds {
        match self.node() {
            Node::Number(number) => Bounds::new(*number, *number),
            Node::Hand(_, measure) => Bounds::of_measure(measure),
            Node::Unary(operator, operand) => Bounds::unary(*operator, operand.bounds_with(known)),
            Node::Binary(..) => self.bounds_with(known),
            Node::Conditional(parts) => {
                let [test, yes, no] = &**parts;
                let [test, yes, no] = [test, yes, no].map(|part| part.bounds_with(known));
                match test {
                    test if test.is_zero() => no.after(&[test]),
                    test if !test.contains_zero() => yes.after(&[test]),
                    test => yes.either(no).after(&[test]),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_up(text: &str) -> Vec<String> {
        let condition = Condition::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
        let failures = condition.failures();
        let last =
            |terms: &Vec<Term<&Expression>>| terms.last().map(|term| term.expression().to_string());
        failures.iter().filter_map(last).collect()
    }

    #[test]
    fn only_terms_that_may_fail_are_looked_up() {
        for sound in [
            "hcp(north) / 3 > 2 && hcp(north) % 7 == 1",
            "hcp(north) / (1 + hcp(east)) > 1",
            "12 % (14 + -spades(north)) == 0 && imps(score(vul, x3N, hcp(east))) > 1",
            "1 || 1 / 0",
            "0 && 1 / 0 > 1 || hcp(north)",
            "0 ? 1 / 0 : hcp(north)",
            "hcp(north) * 1000000000 * 1000 > 3",
        ] {
            assert_eq!(looked_up(sound), Vec::<String>::new(), "{sound}");
        }
        let failing = "hcp(north) > 3 && hcp(east) / hcp(north) && (1 > 2 || 3 % spades(west)) \
             && hcp(north) * 1000000000 * 2000000000 > 3 && 1 / 0";
        let wanted = [
            "hcp(east) / hcp(north)",
            "1 > 2 || 3 % spades(west)",
            "hcp(north) * 1000000000 * 2000000000 > 3",
            "1 / 0",
        ];
        assert_eq!(looked_up(failing), wanted);
    }

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
            BinaryOperator::Less,
            BinaryOperator::Plus,
            BinaryOperator::Minus,
            BinaryOperator::Times,
            BinaryOperator::Divide,
            BinaryOperator::Remainder,
        ] {
            for ((a, b), (c, d)) in pairs().flat_map(|left| pairs().map(move |right| (left, right)))
            {
                let bounds = Bounds::binary(operator, Bounds::new(a, b), Bounds::new(c, d));
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
}
