//! Conditions: an expression with its text and its predealt cards.

use std::ops::Range;

use super::error;
use super::error::ConditionError;
use super::measure::Measure;
use super::operators::BinaryOperator;
use super::predeal::Predeal;
use super::script::Script;
use super::tree::{Expression, Node};
use crate::bridge::{Hand, Seat};

/// A range of a condition's text, in bytes.
pub type Span = Range<usize>;

/// A parsed condition.
#[derive(Clone, Debug)]
pub struct Condition {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) expression: Expression,
    pub(super) predeal: Predeal,
}

/// Maximum length of a condition in bytes (1 MiB): the header of a case file stores it.
pub const MAX_CONDITION_BYTES: usize = 1 << 20;

impl Condition {
    /// Parses a condition; `name` is the name of its source in messages.
    ///
    /// A text without a condition statement means every deal, as in dealer.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] with the place and the expected syntax.
    ///
    /// ```
    /// use fairdeal_language::Condition;
    ///
    /// let condition = Condition::parse("example", "spades(west) == 9 // a heap of them")?;
    /// assert_eq!(condition.text(), "spades(west) == 9 // a heap of them");
    ///
    /// let wrong = Condition::parse("example", "spades(wset) == 9").unwrap_err();
    /// assert_eq!((wrong.line(), wrong.column()), (1, 8));
    /// # Ok::<(), fairdeal_language::ConditionError>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, ConditionError> {
        Ok(Script::parse(name, text)?.condition)
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a value of the same script.
    pub fn text_of(&self, value: &Expression) -> &str {
        self.text.get(value.span().clone()).unwrap_or_default()
    }

    /// The name of its source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The typed tree, in which uses of a name share the nodes of its definition.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The condition of another expression, with the same predealt cards.
    ///
    /// Its text is printed from the expression, and places in messages refer to that text.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if the printed text is too long to be parsed.
    pub fn narrowed_to(&self, expression: Option<Expression>) -> Result<Self, ConditionError> {
        let everything = Expression::number(1);
        let narrowed = Self {
            expression: expression.unwrap_or(everything),
            ..self.clone()
        };
        Self::parse(&self.name, &narrowed.to_string())
    }

    /// The condition with another expression and the text of this one: only for counting, not to be
    /// shown or written.
    pub fn with_expression(&self, expression: Expression) -> Self {
        Self {
            expression,
            ..self.clone()
        }
    }

    /// The condition of those of its deals for which a value is within these bounds: only for
    /// counting, as [`Condition::with_expression`].
    pub fn with_value(&self, value: &Expression, [least, most]: [i64; 2]) -> Self {
        let at_least = Expression::number(least).joined(BinaryOperator::LessOrEqual, value);
        let at_most = value.joined(BinaryOperator::LessOrEqual, &Expression::number(most));
        self.with_expression(Expression::all(&[
            self.expression.clone(),
            at_least,
            at_most,
        ]))
    }

    /// The condition with a whole predealt hand; `None` if it contradicts the predealt cards.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if the printed text is too long to be parsed.
    pub fn with_hand(&self, seat: Seat, hand: Hand) -> Result<Option<Self>, ConditionError> {
        let Some(predeal) = self.predeal.with_hand(seat, hand) else {
            return Ok(None);
        };
        let fixed = Self {
            predeal,
            ..self.clone()
        };
        fixed.narrowed_to(Some(self.expression.clone())).map(Some)
    }

    /// The condition of the deals that satisfy both this one and `given`, which is evaluated first.
    /// Predealt cards become terms, and the text is printed from the terms.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if the printed text is too long to be parsed.
    pub fn and_given(&self, given: &Self) -> Result<Self, ConditionError> {
        let terms = [given.whole_deck_terms(), self.whole_deck_terms()].concat();
        let name = format!("{} and {}", self.name, given.name);
        self.of_whole_deck(name, Expression::all(&terms))
    }

    /// The condition of the deals that satisfy this one, `other`, or both. Predealt cards become
    /// terms, and the text is printed from the terms.
    ///
    /// # Errors
    ///
    /// As [`Condition::and_given`].
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal_language::Condition;
    ///
    /// let major = Condition::parse("hearts", "hearts(north) >= 5")?
    ///     .or(&Condition::parse("spades", "spades(north) >= 5")?)?;
    /// assert_eq!(major.text(), "condition hearts(north) >= 5 || spades(north) >= 5");
    /// assert_eq!(major.negated()?.text(), "condition (hearts(north) >= 5 || spades(north) >= 5) == 0");
    /// # Ok::<(), fairdeal_language::ConditionError>(())
    /// ```
    pub fn or(&self, other: &Self) -> Result<Self, ConditionError> {
        let [terms, others] = [self, other].map(|of| Expression::all(&of.whole_deck_terms()));
        let name = format!("{} or {}", self.name, other.name);
        self.of_whole_deck(name, terms.joined(BinaryOperator::Or, &others))
    }

    /// The condition of the deals that do not satisfy this one.
    ///
    /// # Errors
    ///
    /// As [`Condition::and_given`].
    pub fn negated(&self) -> Result<Self, ConditionError> {
        let terms = Expression::all(&self.whole_deck_terms());
        let negated = terms.joined(BinaryOperator::Equal, &Expression::number(0));
        self.of_whole_deck(format!("not {}", self.name), negated)
    }

    /// The condition of an expression without predealt cards.
    fn of_whole_deck(&self, name: String, terms: Expression) -> Result<Self, ConditionError> {
        let free = Self {
            name,
            predeal: Predeal::NONE,
            ..self.clone()
        };
        free.narrowed_to(Some(terms))
    }

    /// A condition for the same deals that also mentions the measures of these values.
    ///
    /// It keeps the text of this one: only a condition written to a file needs a new text.
    pub fn mentioning(&self, values: &[&Expression]) -> Self {
        let parts = [&self.expression].into_iter().chain(values.iter().copied());
        let expression = Expression::made_of(parts, |tree, ids| {
            ids[1..].iter().fold(ids[0], |terms, value| {
                // Nothing after `1 ||` is ever evaluated.
                let always = tree.add(Node::Number(1), 0..0);
                let mention = tree.join(BinaryOperator::Or, always, *value);
                tree.join(BinaryOperator::And, terms, mention)
            })
        });
        Self {
            expression,
            ..self.clone()
        }
    }

    /// The terms that a deal of the whole deck must satisfy: the predealt cards and the expression.
    pub fn whole_deck_terms(&self) -> Vec<Expression> {
        self.held().chain([self.expression.clone()]).collect()
    }

    /// A term for each predealt card.
    fn held(&self) -> impl Iterator<Item = Expression> {
        Seat::ALL.into_iter().flat_map(|seat| {
            let cards = self.predeal.hand(seat).cards();
            cards.map(move |card| {
                let node = Node::Hand(seat, Measure::Holds(card));
                Expression::made(|tree| tree.add(node, 0..0))
            })
        })
    }

    /// A condition for the same deals without predealt cards: `predeal north SA` becomes
    /// `hascard(north, AS)`.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if the printed text is too long to be parsed.
    pub fn without_predeal(&self) -> Result<Self, ConditionError> {
        if self.predeal.is_empty() {
            return Ok(self.clone());
        }
        let terms = self.held().fold(self.expression.clone(), |terms, term| {
            term.joined(BinaryOperator::And, &terms)
        });
        let free = Self {
            predeal: Predeal::NONE,
            ..self.clone()
        };
        free.narrowed_to(Some(terms))
    }

    /// The cards that the condition does not distinguish from others of their suit. Given the
    /// number of them in each hand, they are dealt at random.
    pub fn exchangeable(&self) -> Hand {
        let mentioned = self.expression.mentioned();
        let told = mentioned
            .into_iter()
            .map(|(_, measure)| measure.distinguished_cards());
        let told = told
            .chain([self.predeal.all()])
            .fold(Hand::EMPTY, Hand::union);
        Hand::DECK.without(told)
    }

    /// The seats that the condition does not mention, whose hands are interchangeable.
    pub fn unmentioned(&self) -> Vec<Seat> {
        let mentioned = self.expression.mentioned();
        let is_free = |seat: &Seat| {
            let is_of = |(of, measure): &(Seat, &Measure)| of == seat && !measure.is_random();
            self.predeal.hand(*seat).is_empty() && !mentioned.iter().any(is_of)
        };
        Seat::ALL.into_iter().filter(is_free).collect()
    }

    /// Whether the condition uses random draws (`rnd`), so that the cards of a deal alone do not
    /// decide whether it is satisfied.
    pub fn has_draws(&self) -> bool {
        self.expression.has_draws()
    }

    /// The predealt cards.
    pub fn predeal(&self) -> &Predeal {
        &self.predeal
    }

    /// An error at the first random draw, for an operation that does not support random draws;
    /// `None` if the condition has no draws.
    pub fn error_at_draw(&self, message: &str, label: &str) -> Option<ConditionError> {
        let mut place = None;
        self.expression.measures(&mut |_, measure, span| {
            if measure.is_random() && place.is_none() {
                place = Some(span.clone());
            }
        });
        place.map(|place| self.error_at(place, message.to_owned(), label))
    }

    /// An error at a place in this condition.
    pub(crate) fn error_at(&self, span: Span, message: String, label: &str) -> ConditionError {
        let place = error::SourceText {
            name: &self.name,
            text: &self.text,
        };
        place.error(span, message, label)
    }
}
