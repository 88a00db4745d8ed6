//! Implied conditions: the part of a condition that a listing of some hands can evaluate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::measure::Measure;
use super::operators::{BinaryOperator, UnaryOperator};
use super::tree::{Expression, Node, Shared};
use crate::bridge::Seat;

/// The properties of each hand that a listing fixes, in the order of [`Seat::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedProperties {
    /// The hands' patterns.
    pub patterns: [bool; 4],
    /// The hands' honours.
    pub honours: [bool; 4],
}

impl FixedProperties {
    /// The number of hands with such properties.
    pub(crate) fn hands(&self) -> usize {
        let is_fixed = |seat: &usize| self.patterns[*seat] || self.honours[*seat];
        (0..4).filter(is_fixed).count()
    }

    /// Whether these are some, but not all, of the other properties.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        let is_subset = |own: [bool; 4], other: [bool; 4]| {
            own.iter().zip(other).all(|(own, other)| *own <= other)
        };
        self != other
            && is_subset(self.patterns, other.patterns)
            && is_subset(self.honours, other.honours)
    }
}

/// A hand, and whether its pattern (`true`) or its honours are needed.
pub(crate) type HandProperty = (Seat, bool);

/// The properties that a case must fix to evaluate these measures; measures that cannot be listed
/// add nothing.
pub(crate) fn needed_properties<'m>(
    mentioned: impl IntoIterator<Item = (Seat, &'m Measure)>,
) -> BTreeSet<HandProperty> {
    let listable = mentioned
        .into_iter()
        .filter(|(_, measure)| measure.is_listable());
    let told = listable.flat_map(|(seat, measure)| {
        let pattern = measure.needs_pattern().then_some((seat, true));
        let honours = measure.needs_honours().then_some((seat, false));
        pattern.into_iter().chain(honours)
    });
    told.collect()
}

impl FromIterator<HandProperty> for FixedProperties {
    fn from_iter<I: IntoIterator<Item = HandProperty>>(told: I) -> Self {
        let mut fixed = Self::default();
        for (seat, is_pattern) in told {
            let of_kind = match is_pattern {
                true => &mut fixed.patterns,
                false => &mut fixed.honours,
            };
            of_kind[seat.index()] = true;
        }
        fixed
    }
}

impl FixedProperties {
    /// Whether a case with these properties determines the measure of a seat's hand.
    #[must_use]
    pub(crate) fn tells(&self, seat: Seat, measure: &Measure) -> bool {
        let (pattern, honours) = (self.patterns[seat.index()], self.honours[seat.index()]);
        measure.is_listable()
            && (pattern || !measure.needs_pattern())
            && (honours || !measure.needs_honours())
    }

    /// Whether a case with these properties determines the value of an expression.
    #[must_use]
    pub fn tells_value(&self, expression: &Expression) -> bool {
        let mentioned = expression.mentioned();
        let mut mentioned = mentioned.iter();
        mentioned.all(|(seat, measure)| self.tells(*seat, measure))
    }
}

/// Maximum number of nested `?:` tests that are expanded. Each test appears in both branches, so
/// each one doubles the work.
const MOST_TESTS: u32 = 6;

/// Whether the expression (`true`) or its negation is meant, and how many tests may still be
/// expanded.
type Expansion = (bool, u32);

/// Implied conditions of shared nodes.
type Known = Shared<BTreeMap<Expansion, Option<Expression>>>;

impl Expression {
    /// The narrowest condition known to be implied that a listing with these properties can
    /// evaluate; `None` if there is none.
    ///
    /// Every deal that satisfies the expression satisfies the implied condition.
    #[must_use]
    pub fn implied(&self, fixed: &FixedProperties) -> Option<Self> {
        let mut known = Known::new();
        self.implied_of(fixed, (true, MOST_TESTS), &mut known)
    }

    /// The condition implied by the expression or its negation, with a limit on nested `?:` tests.
    fn implied_of(
        &self,
        fixed: &FixedProperties,
        asked: Expansion,
        known: &mut Known,
    ) -> Option<Self> {
        let of_self = known.get(self, |_| BTreeMap::new());
        if let Some(implied) = of_self.get(&asked) {
            return implied.clone();
        }
        let implied = self.implied_anew(fixed, asked, known);
        known.add(self, |of_self| {
            of_self.insert(asked, implied.clone());
        });
        implied
    }

    fn implied_anew(
        &self,
        fixed: &FixedProperties,
        (holds, tests): Expansion,
        known: &mut Known,
    ) -> Option<Self> {
        use BinaryOperator::{And, Or};
        let all = |left: Option<Self>, right: Option<Self>| match (left, right) {
            (Some(left), Some(right)) => Some(left.joined(And, right)),
            (left, right) => left.or(right),
        };
        // A side that never holds adds nothing to the other side.
        let never = |side: &Self| matches!(side.node, Node::Number(0));
        let any = |left: Option<Self>, right: Option<Self>| match (left?, right?) {
            (left, right) if never(&right) => Some(left),
            (left, right) if never(&left) => Some(right),
            (left, right) => Some(left.joined(Or, right)),
        };
        let whole = |told: &Self| if holds { told.clone() } else { told.not() };
        let chain: Vec<&Self> = self.left_sides().collect();
        // The longest left side that the case determines: all its parts are determined too.
        let is_told = |expression: &&Self, so_far: bool| match &expression.node {
            Node::Binary(_, sides) => so_far && fixed.tells_value(&sides[1]),
            _ => fixed.tells_value(expression),
        };
        let mut told = vec![true; chain.len() + 1];
        for (place, expression) in chain.iter().enumerate().rev() {
            told[place] = is_told(expression, told[place + 1]);
        }
        let is_end = |(place, expression): &(usize, &&Self)| {
            let is_join = matches!(expression.node, Node::Binary(And | Or, _));
            told[*place] || !is_join
        };
        let (end, last) = chain.iter().enumerate().find(is_end)?;
        let mut implied = match &last.node {
            _ if told[end] => Some(whole(last)),
            Node::Unary(UnaryOperator::Not, operand) => {
                operand.implied_of(fixed, (!holds, tests), known)
            }
            Node::Conditional(parts) if tests > 0 => {
                let [test, yes, no] = &**parts;
                let mut branch = |taken: bool, value: &Self| {
                    all(
                        test.implied_of(fixed, (taken, tests - 1), known),
                        value.implied_of(fixed, (holds, tests), known),
                    )
                };
                any(branch(true, yes), branch(false, no))
            }
            _ => None,
        };
        for expression in chain[..end].iter().rev() {
            if let Node::Binary(operator, sides) = &expression.node {
                let right = sides[1].implied_of(fixed, (holds, tests), known);
                implied = match (*operator == And) == holds {
                    true => all(implied, right),
                    false => any(implied, right),
                };
            }
        }
        implied
    }

    pub(super) fn not(&self) -> Self {
        // Only whether the condition holds matters, not its value.
        if let Node::Unary(UnaryOperator::Not, operand) = &self.node {
            return Self::clone(operand);
        }
        let node = Node::Unary(UnaryOperator::Not, Arc::new(self.clone()));
        Self::new(node, self.span.clone())
    }

    /// The expression `self operator right`.
    pub(super) fn joined(self, operator: BinaryOperator, right: Self) -> Self {
        let span = self.span.start.min(right.span.start)..self.span.end.max(right.span.end);
        let node = Node::Binary(operator, Arc::new([self, right]));
        Self::new(node, span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Condition;

    fn implied(text: &str, patterns: &[Seat], honours: &[Seat]) -> String {
        let of = |seats: &[Seat]| Seat::ALL.map(|seat| seats.contains(&seat));
        let fixed = FixedProperties {
            patterns: of(patterns),
            honours: of(honours),
        };
        let condition = Condition::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
        let implied = condition.expression().implied(&fixed);
        implied.map_or_else(|| "-".to_owned(), |implied| implied.to_string())
    }

    #[test]
    fn what_is_implied_is_what_the_hands_can_tell() {
        let (n, e, w) = (Seat::North, Seat::East, Seat::West);
        let text = "hcp(west) > 9 && (spades(west) > 4 || hcp(east) > 9 && spades(west) == 4)";
        assert_eq!(implied(text, &[w], &[w, e]), text);
        assert_eq!(
            implied(text, &[w], &[w]),
            "hcp(west) > 9 && (spades(west) > 4 || spades(west) == 4)"
        );
        assert_eq!(
            implied(text, &[w], &[]),
            "spades(west) > 4 || spades(west) == 4"
        );
        assert_eq!(implied(text, &[e], &[e]), "-");
        assert_eq!(implied(text, &[], &[w]), "hcp(west) > 9");
        // One side of a disjunction or of a negated conjunction is not implied.
        assert_eq!(implied("hcp(west) > 9 || hcp(east) > 9", &[], &[w]), "-");
        assert_eq!(implied("!(hcp(west) > 9 && hcp(east) > 9)", &[], &[w]), "-");
        assert_eq!(
            implied("!(hcp(west) > 9 || hcp(east) > 9)", &[], &[w]),
            "!(hcp(west) > 9)"
        );
        assert_eq!(
            implied("hcp(west) > 9 ? hcp(north) : hcp(west) == 3", &[], &[w]),
            "hcp(west) > 9 || !(hcp(west) > 9) && hcp(west) == 3"
        );
        // No case determines spot cards.
        assert_eq!(
            implied("tens(north) == 4 && hcp(north)", &[n], &[n]),
            "hcp(north)"
        );
    }
}
