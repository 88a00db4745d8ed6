//! The typed tree of a condition, and its value for given hands.
//!
//! Every value is an integer, as in dealer and C: 0 is false, all else true.

use super::Span;
use super::measure::{Hands, Measure};
use super::score::{Contract, imps, score};
use crate::cards::Seat;

/// An operator of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UnaryOperator {
    Not,
    Negate,
    /// A difference of scores as IMPs.
    Imps,
    /// What a contract scores with so many tricks.
    Score {
        vulnerable: bool,
        contract: Contract,
    },
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BinaryOperator {
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
}

impl UnaryOperator {
    /// Its value; `None` if it leaves 64 bits.
    pub(crate) fn apply(self, value: i64) -> Option<i64> {
        match self {
            Self::Not => Some(i64::from(value == 0)),
            Self::Negate => value.checked_neg(),
            Self::Imps => Some(imps(value)),
            Self::Score {
                vulnerable,
                contract,
            } => Some(score(vulnerable, contract, value)),
        }
    }
}

/// A condition or a part of one, definitions expanded.
///
/// Two are equal if they say the same; where they stand in a text does not matter.
#[derive(Clone, Debug)]
pub struct Expression {
    pub(super) node: Node,
    pub(super) span: Span,
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl Eq for Expression {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Number(i64),
    Hand(Seat, Measure),
    Unary(UnaryOperator, Box<Expression>),
    Binary(BinaryOperator, Box<[Expression; 2]>),
    Conditional(Box<[Expression; 3]>),
}

/// Arithmetic that has no result for some hands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{message}")]
pub struct EvaluationError {
    pub(super) start: usize,
    pub(super) end: usize,
    message: &'static str,
}

impl Expression {
    /// The value for these hands: cases in the order of [`Seat::ALL`], or a deal.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] where the arithmetic divides by zero or overflows.
    ///
    /// # Panics
    ///
    /// If the expression mentions something of a hand that its case does not fix.
    pub fn value(&self, hands: &impl Hands) -> Result<i64, EvaluationError> {
        use BinaryOperator::{
            And, Divide, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Minus, NotEqual, Or,
            Plus, Remainder, Times,
        };
        let failed = |message| EvaluationError {
            start: self.span.start,
            end: self.span.end,
            message,
        };
        let overflow = || failed("the arithmetic leaves 64 bits");
        Ok(match &self.node {
            Node::Number(number) => *number,
            Node::Hand(seat, measure) => hands.measure(*seat, measure),
            Node::Unary(operator, operand) => {
                let value = operator.apply(operand.value(hands)?);
                value.ok_or_else(overflow)?
            }
            Node::Conditional(parts) => {
                let [test, yes, no] = &**parts;
                if test.value(hands)? != 0 { yes } else { no }.value(hands)?
            }
            Node::Binary(And, sides) => i64::from(sides[0].holds(hands)? && sides[1].holds(hands)?),
            Node::Binary(Or, sides) => i64::from(sides[0].holds(hands)? || sides[1].holds(hands)?),
            Node::Binary(operator, sides) => {
                let left = sides[0].value(hands)?;
                let right = sides[1].value(hands)?;
                match operator {
                    Equal => i64::from(left == right),
                    NotEqual => i64::from(left != right),
                    Less => i64::from(left < right),
                    LessOrEqual => i64::from(left <= right),
                    Greater => i64::from(left > right),
                    GreaterOrEqual => i64::from(left >= right),
                    Plus => left.checked_add(right).ok_or_else(overflow)?,
                    Minus => left.checked_sub(right).ok_or_else(overflow)?,
                    Times => left.checked_mul(right).ok_or_else(overflow)?,
                    Divide | Remainder if right == 0 => {
                        return Err(failed("some hands make this divide by zero"));
                    }
                    Divide => left.checked_div(right).ok_or_else(overflow)?,
                    Remainder => left.checked_rem(right).ok_or_else(overflow)?,
                    And | Or => unreachable!("evaluated above, one side at a time"),
                }
            }
        })
    }

    /// Whether the value for these hands is not 0.
    ///
    /// # Errors
    ///
    /// As [`Expression::value`].
    pub fn holds(&self, hands: &impl Hands) -> Result<bool, EvaluationError> {
        self.value(hands).map(|value| value != 0)
    }

    /// What it is.
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// Calls `visit` with every measure, in the order of the text.
    pub(super) fn measures<'e>(&'e self, visit: &mut impl FnMut(Seat, &'e Measure, &'e Span)) {
        match &self.node {
            Node::Number(_) => {}
            Node::Hand(seat, measure) => visit(*seat, measure, &self.span),
            _ => self.parts().iter().for_each(|part| part.measures(visit)),
        }
    }

    /// Every seat that is measured, with what is measured, in the order of the text.
    pub(crate) fn mentioned(&self) -> Vec<(Seat, &Measure)> {
        let mut found = Vec::new();
        self.measures(&mut |seat, measure, _| found.push((seat, measure)));
        found
    }

    /// Whether the value depends on some hand's suit lengths.
    pub(crate) fn needs_pattern(&self) -> bool {
        let mentioned = self.mentioned();
        mentioned.iter().any(|(_, measure)| measure.needs_pattern())
    }

    /// Whether the value depends on some hand's honours.
    pub(crate) fn needs_honours(&self) -> bool {
        let mentioned = self.mentioned();
        mentioned.iter().any(|(_, measure)| measure.needs_honours())
    }

    /// The expressions that this one is made of.
    pub(crate) fn parts(&self) -> &[Expression] {
        match &self.node {
            Node::Number(_) | Node::Hand(..) => &[],
            Node::Unary(_, operand) => std::slice::from_ref(operand),
            Node::Binary(_, sides) => &**sides,
            Node::Conditional(parts) => &**parts,
        }
    }

    /// Levels below this one.
    pub(super) fn depth(&self) -> usize {
        let below = self.parts().iter().map(|part| 1 + part.depth());
        below.max().unwrap_or(0)
    }

    /// Number of nodes.
    pub(crate) fn size(&self) -> u64 {
        1 + self.parts().iter().map(Self::size).sum::<u64>()
    }

    /// The terms of the outermost chain of `and`, in the order of the text.
    pub(crate) fn conjuncts(&self) -> Vec<&Expression> {
        match &self.node {
            Node::Binary(BinaryOperator::And, sides) => {
                let [left, right] = &**sides;
                let mut all = left.conjuncts();
                all.extend(right.conjuncts());
                all
            }
            _ => vec![self],
        }
    }
}
