//! What a condition implies of some hands alone: what can be listed of it.

use super::measure::Measure;
use super::tree::{BinaryOperator, Expression, Node, UnaryOperator};
use crate::cards::Seat;

/// What a listing may fix of each hand, in the order of [`Seat::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The hands' patterns.
    pub patterns: [bool; 4],
    /// The hands' honours.
    pub honours: [bool; 4],
}

impl Fixed {
    /// Whether a case that fixes this much tells the measure of a seat's hand.
    #[must_use]
    pub fn tells(&self, seat: Seat, measure: &Measure) -> bool {
        let (pattern, honours) = (self.patterns[seat.index()], self.honours[seat.index()]);
        measure.is_listable()
            && (pattern || !measure.needs_pattern())
            && (honours || !measure.needs_honours())
    }

    /// Whether it tells the value of an expression.
    #[must_use]
    pub fn tells_value(&self, expression: &Expression) -> bool {
        match expression.node() {
            Node::Hand(seat, measure) => self.tells(*seat, measure),
            _ => {
                let mut parts = expression.parts().iter();
                parts.all(|part| self.tells_value(part))
            }
        }
    }
}

impl Expression {
    /// The narrowest that the condition is known to imply and a listing that fixes this
    /// much can tell; `None` if it implies nothing.
    ///
    /// Every deal that satisfies the expression satisfies what is implied.
    #[must_use]
    pub fn implied(&self, fixed: &Fixed) -> Option<Self> {
        self.implied_of(fixed, true)
    }

    /// What the expression implies, or its contrary.
    fn implied_of(&self, fixed: &Fixed, holds: bool) -> Option<Self> {
        use BinaryOperator::{And, Or};
        if fixed.tells_value(self) {
            return Some(if holds { self.clone() } else { self.not() });
        }
        let all = |left: Option<Self>, right: Option<Self>| match (left, right) {
            (Some(left), Some(right)) => Some(left.joined(And, right)),
            (left, right) => left.or(right),
        };
        // What never holds implies everything, and leaves the other alone.
        let never = |side: &Self| side.node == Node::Number(0);
        let any = |left: Option<Self>, right: Option<Self>| match (left?, right?) {
            (left, right) if never(&right) => Some(left),
            (left, right) if never(&left) => Some(right),
            (left, right) => Some(left.joined(Or, right)),
        };
        match &self.node {
            Node::Unary(UnaryOperator::Not, operand) => operand.implied_of(fixed, !holds),
            Node::Binary(operator @ (And | Or), sides) => {
                let [left, right] = [0, 1].map(|side| sides[side].implied_of(fixed, holds));
                if (*operator == And) == holds {
                    all(left, right)
                } else {
                    any(left, right)
                }
            }
            Node::Conditional(parts) => {
                let [test, yes, no] = &**parts;
                let branch = |taken: bool, value: &Self| {
                    all(
                        test.implied_of(fixed, taken),
                        value.implied_of(fixed, holds),
                    )
                };
                any(branch(true, yes), branch(false, no))
            }
            _ => None,
        }
    }

    fn not(&self) -> Self {
        // As a condition: all that counts is whether it holds.
        if let Node::Unary(UnaryOperator::Not, operand) = &self.node {
            return Self::clone(operand);
        }
        Self {
            node: Node::Unary(UnaryOperator::Not, Box::new(self.clone())),
            span: self.span.clone(),
        }
    }

    /// Two expressions and an operator between them.
    pub(super) fn joined(self, operator: BinaryOperator, right: Self) -> Self {
        let span = self.span.start.min(right.span.start)..self.span.end.max(right.span.end);
        let node = Node::Binary(operator, Box::new([self, right]));
        Self { node, span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Condition;

    fn implied(text: &str, patterns: &[Seat], honours: &[Seat]) -> String {
        let of = |seats: &[Seat]| Seat::ALL.map(|seat| seats.contains(&seat));
        let fixed = Fixed {
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
        // A part of a disjunction or of a negated conjunction alone is not implied.
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
        // Spot cards are told by no case.
        assert_eq!(
            implied("tens(north) == 4 && hcp(north)", &[n], &[n]),
            "hcp(north)"
        );
    }
}
