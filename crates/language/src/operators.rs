//! The operators of expressions.

use super::dialect::Dialect;
use super::score::{Contract, imps, score};

/// An operator with one operand.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnaryOperator {
    Not,
    Negate,
    /// Converts a difference of scores to IMPs.
    Imps,
    /// The score of a contract for a number of tricks.
    Score {
        vulnerable: bool,
        contract: Contract,
    },
}

/// An operator with two operands.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinaryOperator {
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
    /// Precedence of the operator, that of C, from 1 for `||` to 6 for `*`.
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

impl BinaryOperator {
    /// Precedence of the operator in a dialect, from 1 for `||`; larger values bind tighter.
    pub(super) fn precedence(self, dialect: Dialect) -> u16 {
        let within = match self {
            _ if !dialect.has_separate_precedences() => 0,
            Self::NotEqual | Self::LessOrEqual | Self::Divide => 1,
            Self::Greater | Self::Remainder => 2,
            Self::GreaterOrEqual => 3,
            _ => 0,
        };
        let level = match self.level() {
            4 if dialect.has_chained_comparisons() => 3,
            level => level,
        };
        4 * u16::from(level) + within
    }

    /// The value of the operator, if the left side does not decide it; `None` for a division by 0,
    /// or if the result does not fit in 64 bits.
    #[inline]
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::And => Some(i64::from(left != 0 && right != 0)),
            Self::Or => Some(i64::from(left != 0 || right != 0)),
            Self::Equal => Some(i64::from(left == right)),
            Self::NotEqual => Some(i64::from(left != right)),
            Self::Less => Some(i64::from(left < right)),
            Self::LessOrEqual => Some(i64::from(left <= right)),
            Self::Greater => Some(i64::from(left > right)),
            Self::GreaterOrEqual => Some(i64::from(left >= right)),
            Self::Plus => left.checked_add(right),
            Self::Minus => left.checked_sub(right),
            Self::Times => left.checked_mul(right),
            Self::Divide => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
        }
    }

    /// Whether the operator compares two values.
    pub fn is_comparison(self) -> bool {
        matches!(self.level(), 3 | 4)
    }
}

/// Precedence of `!` and of the sign, in every dialect.
pub(super) const UNARY_PRECEDENCE: u16 = 32;

impl UnaryOperator {
    /// Applies the operator; `None` if the result does not fit in 64 bits.
    #[inline]
    pub fn apply(self, value: i64) -> Option<i64> {
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

impl BinaryOperator {
    /// The value of the operator, if its left side decides it.
    #[inline]
    pub fn decided_by(self, left: i64) -> Option<i64> {
        match self {
            Self::And if left == 0 => Some(0),
            Self::Or if left != 0 => Some(1),
            _ => None,
        }
    }
}
