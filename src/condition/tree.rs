//! The typed tree of a condition, and its value for given hands.
//!
//! Every value is an integer, as in dealer and C: 0 is false, all else true.

use super::Span;
use crate::cards::pattern::PATTERN_COUNT;
use crate::cards::{Honours, PatternIndex, Seat, Suit};

/// What a case fixes of one hand: its pattern, its honours, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandCase {
    /// The pattern, if it is fixed.
    pub pattern: Option<PatternIndex>,
    /// The honours, if they are fixed.
    pub honours: Option<Honours>,
}

/// Something that can be measured on one hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Number of cards in a suit: `spades(west)`.
    Length(Suit),
    /// Whether the pattern is one of a set: `shape(west, any 4333)`.
    Pattern(Box<PatternSet>),
    /// Points for honours, in the whole hand or one suit: `hcp`, `control`, `aces`, `c13` ..
    Points {
        /// What A K Q J count.
        values: [u8; 4],
        /// One suit, or all four.
        suit: Option<Suit>,
    },
    /// Whether the hand holds this honour: `hascard(west, SA)`.
    Holds(Honours),
    /// Losing tricks by dealer's rule, in the whole hand or one suit: `loser(west)`.
    Losers(Option<Suit>),
}

/// A set of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternSet([bool; PATTERN_COUNT]);

impl PatternSet {
    pub(super) fn empty() -> Box<Self> {
        Box::new(Self([false; PATTERN_COUNT]))
    }

    pub(super) fn set(&mut self, index: PatternIndex, member: bool) {
        self.0[index.get()] = member;
    }

    pub(super) fn contains(&self, index: PatternIndex) -> bool {
        self.0[index.get()]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnaryOperator {
    Not,
    Negate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOperator {
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

/// A condition or a part of one.
#[derive(Clone, Debug)]
pub struct Expression {
    pub(super) node: Node,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
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

impl Measure {
    /// Whether the value depends on the suit lengths.
    #[must_use]
    pub fn needs_pattern(&self) -> bool {
        matches!(self, Self::Length(_) | Self::Pattern(_) | Self::Losers(_))
    }

    /// Whether the value depends on the honours.
    #[must_use]
    pub fn needs_honours(&self) -> bool {
        matches!(self, Self::Points { .. } | Self::Holds(_) | Self::Losers(_))
    }

    fn value(&self, hand: HandCase) -> i64 {
        let pattern = || {
            hand.pattern
                .expect("a hand whose lengths are mentioned is listed by pattern")
        };
        let honours = || {
            hand.honours
                .expect("a hand whose honours are mentioned is listed by honours")
        };
        match self {
            Self::Length(suit) => i64::from(pattern().pattern().length(*suit)),
            Self::Pattern(set) => i64::from(set.contains(pattern())),
            Self::Points { values, suit } => {
                let held = suit.map_or(honours(), |suit| honours().only(suit));
                i64::from(held.weighted(values.map(u32::from)))
            }
            Self::Holds(card) => i64::from(!honours().is_disjoint(*card)),
            Self::Losers(suit) => {
                let losers = |suit: Suit| {
                    losers_in_suit(pattern().pattern().length(suit), honours().suit(suit))
                };
                suit.map_or_else(|| Suit::ALL.into_iter().map(losers).sum(), losers)
            }
        }
    }
}

/// Three cards or more: 3 less one for each of A, K, Q; a doubleton loses two
/// less one for A and K; a singleton one unless it is the ace.
fn losers_in_suit(length: u8, honours: u16) -> i64 {
    let counted = match length {
        0 => 0,
        1 => 0b1000,
        2 => 0b1100,
        _ => 0b1110u16,
    };
    i64::from(length.min(3)) - i64::from((honours & counted).count_ones())
}

impl Expression {
    /// The value for these hands, in the order of [`Seat::ALL`].
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] where the arithmetic divides by zero or overflows.
    ///
    /// # Panics
    ///
    /// If the expression mentions something of a hand that its case does not fix.
    pub fn value(&self, hands: &[HandCase; 4]) -> Result<i64, EvaluationError> {
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
            Node::Hand(seat, measure) => measure.value(hands[seat.index()]),
            Node::Unary(UnaryOperator::Not, operand) => i64::from(operand.value(hands)? == 0),
            Node::Unary(UnaryOperator::Negate, operand) => {
                operand.value(hands)?.checked_neg().ok_or_else(overflow)?
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
    pub fn holds(&self, hands: &[HandCase; 4]) -> Result<bool, EvaluationError> {
        self.value(hands).map(|value| value != 0)
    }

    /// Calls `visit` with every measure, in the order of the text.
    pub(super) fn measures<'e>(&'e self, visit: &mut impl FnMut(Seat, &'e Measure, &'e Span)) {
        match &self.node {
            Node::Number(_) => {}
            Node::Hand(seat, measure) => visit(*seat, measure, &self.span),
            _ => self.children().iter().for_each(|part| part.measures(visit)),
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
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Expression> {
        self.children().iter()
    }

    fn children(&self) -> &[Expression] {
        match &self.node {
            Node::Number(_) | Node::Hand(..) => &[],
            Node::Unary(_, operand) => std::slice::from_ref(operand),
            Node::Binary(_, sides) => &**sides,
            Node::Conditional(parts) => &**parts,
        }
    }

    /// The terms of the outermost chain of `and`, in the order of the text.
    pub(super) fn conjuncts(&self) -> Vec<&Expression> {
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
