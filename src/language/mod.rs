//! Conditions in dealer's language: from text to a typed tree to a plan.
//!
//! ```text
//! text --token--> tokens --parse--> syntax --check--> tree --plan--> what is listed of which hand
//! ```
//!
//! A condition says which deals are wanted, a script also what to do with them.
//! [`Script::parse`] reads one and reports what is wrong with it as a
//! [`ConditionError`], which knows the place. [`Plan::new`] decides which one or
//! two hands are listed, and what of them (suit lengths, honours or both).
//!
//! The language is that of Hans van Staveren's and Henk Uijterwaal's `dealer`;
//! `tricks` alone is refused.

mod bounds;
mod check;
mod error;
mod implied;
mod kaplan_rubens;
mod lint;
mod measure;
mod names;
mod notation;
mod parse;
mod plan;
mod predeal;
mod print;
mod read;
mod scenarios;
mod score;
mod script;
mod term;
mod token;
mod tree;

pub use error::{ConditionError, ConditionWarning};
pub use implied::Fixed;
pub(crate) use implied::{Told, told};
pub use measure::{Count, HandCase, Hands, Measure, PatternSet, Values};
pub use plan::{ListedHand, Plan, PlanError};
pub use predeal::Predeal;
pub use scenarios::{SCENARIOS, Scenario};
pub use script::{Action, Axis, Piece, Script};
pub(crate) use term::Term;
pub(crate) use tree::{BinaryOperator, Node, Shared, UnaryOperator};
pub use tree::{EvaluationError, Expression};

use std::ops::Range;

use crate::bridge::{Hand, Seat};

/// A place in a condition's text, in bytes.
pub(crate) type Span = Range<usize>;

/// A condition that has been read and understood.
#[derive(Clone, Debug)]
pub struct Condition {
    name: String,
    text: String,
    expression: Expression,
    predeal: Predeal,
}

/// Longest condition that is read, because the case file's header holds it: 1 MiB.
pub const MAX_CONDITION_BYTES: usize = 1 << 20;

impl Condition {
    /// Reads a condition; `name` says where it comes from in messages.
    ///
    /// A text without a condition statement means every deal, as in dealer.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] with the place and what was expected there.
    ///
    /// ```
    /// use fairdeal::language::Condition;
    ///
    /// let condition = Condition::parse("example", "spades(west) == 9 // a heap of them")?;
    /// assert_eq!(condition.text(), "spades(west) == 9 // a heap of them");
    ///
    /// let wrong = Condition::parse("example", "spades(wset) == 9").unwrap_err();
    /// assert_eq!((wrong.line(), wrong.column()), (1, 8));
    /// # Ok::<(), fairdeal::language::ConditionError>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, ConditionError> {
        Ok(Script::parse(name, text)?.condition)
    }

    /// The text as it was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a value of the same script.
    #[must_use]
    pub fn text_of(&self, value: &Expression) -> &str {
        self.text.get(value.span.clone()).unwrap_or_default()
    }

    /// Where it comes from.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The typed tree, in which uses of a name share the nodes of its definition.
    #[must_use]
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The condition that an expression holds, with the cards that are fixed in this one.
    ///
    /// Its text says the same in fewer words; places in messages are places in it.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if what is printed is too long to be read again.
    pub fn narrowed_to(&self, expression: Option<Expression>) -> Result<Self, ConditionError> {
        let everything = Expression::number(1);
        let narrowed = Self {
            expression: expression.unwrap_or(everything),
            ..self.clone()
        };
        Self::parse(&self.name, &narrowed.to_string())
    }

    /// The condition with another expression, and still the text of this one: to be counted, and
    /// neither shown nor written.
    pub(crate) fn with_expression(&self, expression: Expression) -> Self {
        Self {
            expression,
            ..self.clone()
        }
    }

    /// The condition that also mentions what these values mention, and allows the same deals.
    ///
    /// It keeps its text; only a condition that is written into a file needs another.
    pub(crate) fn mentioning(&self, values: &[&Expression]) -> Self {
        let mut expression = self.expression.clone();
        for &value in values {
            // Nothing after `1 ||` is ever asked.
            let always = Expression::number(1);
            let mention = always.joined(BinaryOperator::Or, value.clone());
            expression = expression.joined(BinaryOperator::And, mention);
        }
        Self {
            expression,
            ..self.clone()
        }
    }

    /// The condition that allows the same deals without fixing a card: `predeal north SA` becomes
    /// `hascard(north, AS)`.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if what is printed is too long to be read again.
    pub fn without_predeal(&self) -> Result<Self, ConditionError> {
        if self.predeal.is_empty() {
            return Ok(self.clone());
        }
        let held = Seat::ALL.into_iter().flat_map(|seat| {
            let cards = self.predeal.hand(seat).cards();
            cards.map(move |card| Expression::new(Node::Hand(seat, Measure::Holds(card)), 0..0))
        });
        let terms = held.fold(self.expression.clone(), |terms, term| {
            term.joined(BinaryOperator::And, terms)
        });
        let free = Self {
            predeal: Predeal::NONE,
            ..self.clone()
        };
        free.narrowed_to(Some(terms))
    }

    /// The cards that it does not tell from others of their suit: how they fall, given how many
    /// each seat has, is not its doing.
    #[must_use]
    pub fn exchangeable(&self) -> Hand {
        let mentioned = self.expression.mentioned();
        let told = mentioned
            .into_iter()
            .map(|(_, measure)| measure.told_apart());
        let told = told
            .chain([self.predeal.all()])
            .fold(Hand::EMPTY, Hand::union);
        Hand::DECK.without(told)
    }

    /// The seats that it says nothing of: to it their hands are alike.
    #[must_use]
    pub fn unmentioned(&self) -> Vec<Seat> {
        let mentioned = self.expression.mentioned();
        let is_free = |seat: &Seat| {
            self.predeal.hand(*seat).is_empty() && mentioned.iter().all(|(of, _)| of != seat)
        };
        Seat::ALL.into_iter().filter(is_free).collect()
    }

    /// The cards that are fixed before any are dealt.
    #[must_use]
    pub fn predeal(&self) -> &Predeal {
        &self.predeal
    }

    /// Turns an error met while evaluating this condition into one with its place.
    pub(crate) fn error_at(&self, span: Span, message: String, label: &str) -> ConditionError {
        let place = error::Source {
            name: &self.name,
            text: &self.text,
        };
        place.error(span, message, label)
    }
}
