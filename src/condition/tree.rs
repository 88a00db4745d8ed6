//! The typed tree of a condition, and its value for given hands.
//!
//! Every value is an integer, as in dealer and C: 0 is false, all else true.
//!
//! A chain such as `a && b && c` leans to the left: `(a && b) && c`. Chains are as long as the
//! limit on tokens permits, so that everything that walks a tree goes down its left sides in a
//! loop ([`Expression::left_sides`]), and recurses to other parts alone: those nest no deeper
//! than [`MAX_DEPTH`], which the smallest stacks have room for.

use std::fmt;

use super::Span;
use super::measure::{Hands, Measure};
use super::score::{Contract, imps, score};
use crate::cards::Seat;

/// Deepest nesting of a tree, definitions expanded: operands within operands, where the left
/// side of a chain of operators of one precedence counts as the chain does.
///
/// A walk takes less than 1 KiB of stack for each level, and so 256 KiB in all
/// (`tests/small_stacks.rs`).
pub(super) const MAX_DEPTH: usize = 256;

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

impl BinaryOperator {
    /// How tightly the operator binds: C's precedence, from 1 for `||` to 6 for `*`.
    pub(super) fn level(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Equal | Self::NotEqual => 3,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => 4,
            Self::Plus | Self::Minus => 5,
            Self::Times | Self::Divide | Self::Remainder => 6,
        }
    }
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
pub struct Expression {
    pub(super) node: Node,
    pub(super) span: Span,
}

impl Clone for Expression {
    fn clone(&self) -> Self {
        let copy = |expression: &Self| Self {
            node: expression.node.clone(),
            span: expression.span.clone(),
        };
        self.fold_left(copy, |whole, left, operator, right| Self {
            node: Node::Binary(operator, Box::new([left, right.clone()])),
            span: whole.span.clone(),
        })
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        let (mut one, mut other) = (self, other);
        while let (Node::Binary(a, of_one), Node::Binary(b, of_other)) = (&one.node, &other.node) {
            if a != b || of_one[1] != of_other[1] {
                return false;
            }
            (one, other) = (&of_one[0], &of_other[0]);
        }
        one.node == other.node
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format_args!("{self}");
        f.debug_tuple("Expression").field(&text).finish()
    }
}

impl Drop for Expression {
    /// Drops the left sides of a chain one after the other.
    fn drop(&mut self) {
        let mut left = self.take_left();
        while let Some(mut expression) = left {
            left = expression.take_left();
        }
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
        match &self.node {
            Node::Number(number) => Ok(*number),
            Node::Hand(seat, measure) => Ok(hands.measure(*seat, measure)),
            Node::Unary(operator, operand) => {
                let value = operator.apply(operand.value(hands)?);
                value.ok_or_else(|| self.overflow())
            }
            Node::Conditional(parts) => {
                let [test, yes, no] = &**parts;
                if test.value(hands)? != 0 { yes } else { no }.value(hands)
            }
            Node::Binary(..) => self.chain_value(hands),
        }
    }

    /// The value of operators and their left sides, innermost first.
    fn chain_value(&self, hands: &impl Hands) -> Result<i64, EvaluationError> {
        // Most chains are short: those take no memory.
        let (mut short, mut long) = ([self; 8], Vec::new());
        let length = self.left_sides().count();
        let chain: &mut [&Self] = match short.get_mut(..length) {
            Some(short) => short,
            None => {
                long.resize(length, self);
                &mut long
            }
        };
        for (place, side) in chain.iter_mut().zip(self.left_sides()) {
            *place = side;
        }
        let Some((innermost, operators)) = chain.split_last() else {
            return Ok(0);
        };
        let mut value = innermost.value(hands)?;
        for expression in operators.iter().rev() {
            if let Node::Binary(operator, sides) = &expression.node {
                value = expression.join(value, *operator, &sides[1], hands)?;
            }
        }
        Ok(value)
    }

    /// The value of an operator whose left side has a value.
    fn join(
        &self,
        left: i64,
        operator: BinaryOperator,
        right: &Self,
        hands: &impl Hands,
    ) -> Result<i64, EvaluationError> {
        use BinaryOperator as B;
        match operator {
            B::And if left == 0 => return Ok(0),
            B::Or if left != 0 => return Ok(1),
            _ => {}
        }
        let right = right.value(hands)?;
        let value = match operator {
            B::And | B::Or => Some(i64::from(right != 0)),
            B::Equal => Some(i64::from(left == right)),
            B::NotEqual => Some(i64::from(left != right)),
            B::Less => Some(i64::from(left < right)),
            B::LessOrEqual => Some(i64::from(left <= right)),
            B::Greater => Some(i64::from(left > right)),
            B::GreaterOrEqual => Some(i64::from(left >= right)),
            B::Plus => left.checked_add(right),
            B::Minus => left.checked_sub(right),
            B::Times => left.checked_mul(right),
            B::Divide | B::Remainder if right == 0 => {
                return Err(self.failed("some hands make this divide by zero"));
            }
            B::Divide => left.checked_div(right),
            B::Remainder => left.checked_rem(right),
        };
        value.ok_or_else(|| self.overflow())
    }

    #[cold]
    fn failed(&self, message: &'static str) -> EvaluationError {
        EvaluationError {
            start: self.span.start,
            end: self.span.end,
            message,
        }
    }

    #[cold]
    fn overflow(&self) -> EvaluationError {
        self.failed("the arithmetic leaves 64 bits")
    }

    /// The expression, its left side, the left side of that and so on: the last is no operator
    /// of two operands.
    pub(crate) fn left_sides(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |expression| match &expression.node {
            Node::Binary(_, sides) => Some(&sides[0]),
            _ => None,
        })
    }

    /// Goes up from the innermost left side: `first` gives what it comes to, and `next` what each
    /// operator makes of its left side's and of its right side.
    pub(super) fn fold_left<'e, T>(
        &'e self,
        first: impl FnOnce(&'e Self) -> T,
        mut next: impl FnMut(&'e Self, T, BinaryOperator, &'e Self) -> T,
    ) -> T {
        let mut chain: Vec<&Self> = self.left_sides().collect();
        let innermost = chain.pop().unwrap_or(self);
        let join = |left, expression: &&'e Self| match &expression.node {
            Node::Binary(operator, sides) => next(expression, left, *operator, &sides[1]),
            _ => left,
        };
        chain.iter().rev().fold(first(innermost), join)
    }

    /// Takes the left side out of an operator, if it is one of two operands as well.
    fn take_left(&mut self) -> Option<Self> {
        let Node::Binary(_, sides) = &mut self.node else {
            return None;
        };
        let left = &mut sides[0];
        let nothing = Self {
            node: Node::Number(0),
            span: 0..0,
        };
        matches!(left.node, Node::Binary(..)).then(|| std::mem::replace(left, nothing))
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
        let mut waiting = vec![self];
        while let Some(expression) = waiting.pop() {
            match &expression.node {
                Node::Hand(seat, measure) => visit(*seat, measure, &expression.span),
                _ => waiting.extend(expression.parts().iter().rev()),
            }
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

    /// How deep parts nest below this one; chains of operators of one level count once.
    pub(super) fn depth(&self) -> usize {
        let of_parts = |expression: &Self| {
            let below = expression.parts().iter().map(|part| 1 + part.depth());
            (8, below.max().unwrap_or(0))
        };
        let (_, depth) = self.fold_left(of_parts, |_, (below, left), operator, right| {
            let level = operator.level();
            let left = left + usize::from(below != level);
            (level, left.max(1 + right.depth()))
        });
        depth
    }

    /// Number of nodes.
    pub(crate) fn size(&self) -> u64 {
        let (mut size, mut waiting) = (0, vec![self]);
        while let Some(expression) = waiting.pop() {
            size += 1;
            waiting.extend(expression.parts());
        }
        size
    }

    /// The terms of the outermost chain of `and`, in the order of the text.
    pub(crate) fn conjuncts(&self) -> Vec<&Self> {
        self.chained(BinaryOperator::And)
    }

    /// What this operator joins, in the order of the text.
    pub(super) fn chained(&self, operator: BinaryOperator) -> Vec<&Self> {
        let (mut found, mut waiting) = (Vec::new(), vec![self]);
        while let Some(expression) = waiting.pop() {
            match &expression.node {
                Node::Binary(other, sides) if *other == operator => {
                    waiting.extend([&sides[1], &sides[0]]);
                }
                _ => found.push(expression),
            }
        }
        found
    }
}
