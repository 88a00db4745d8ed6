//! Implied conditions: the part of a condition that a listing of some hands can evaluate.

use std::collections::BTreeMap;

use super::operators::{BinaryOperator, UnaryOperator};
use super::properties::FixedProperties;
use super::tree::{Expression, Node, NodeId, Tree};

impl FixedProperties {
    /// Whether a case with these properties determines the value of an expression.
    pub fn tells_value(&self, expression: &Expression) -> bool {
        expression.tree().is_told(expression.root(), self)
    }
}

/// Maximum number of nested `?:` tests that are expanded. Each test appears in both branches, so
/// each one doubles the work.
const MOST_TESTS: u32 = 6;

/// Whether the expression (`true`) or its negation is meant, and how many tests may still be
/// expanded.
type Expansion = (bool, u32);

/// The implied conditions of the nodes of a tree, which are added to it.
struct Implying<'f> {
    tree: Tree,
    fixed: &'f FixedProperties,
    known: BTreeMap<(NodeId, Expansion), Option<NodeId>>,
}

impl Expression {
    /// The narrowest condition known to be implied that a listing with these properties can
    /// evaluate; `None` if there is none.
    ///
    /// Every deal that satisfies the expression satisfies the implied condition.
    pub fn implied(&self, fixed: &FixedProperties) -> Option<Self> {
        if fixed.tells_value(self) {
            return Some(self.clone());
        }
        let (tree, known) = (self.tree().clone(), BTreeMap::new());
        let mut implying = Implying { tree, fixed, known };
        let implied = implying.of(self.root(), (true, MOST_TESTS))?;
        Some(Self::made_in(implying.tree, implied))
    }
}

impl Implying<'_> {
    /// The condition implied by a node or its negation, with a limit on nested `?:` tests.
    fn of(&mut self, id: NodeId, asked: Expansion) -> Option<NodeId> {
        if let Some(implied) = self.known.get(&(id, asked)) {
            return *implied;
        }
        let implied = self.anew(id, asked);
        self.known.insert((id, asked), implied);
        implied
    }

    fn anew(&mut self, id: NodeId, (holds, tests): Expansion) -> Option<NodeId> {
        use BinaryOperator::{And, Or};
        let chain: Vec<NodeId> = self.tree.left_sides(id).collect();
        // The longest left side that the case determines, or the first that is no join.
        let is_told = |id: NodeId| self.tree.is_told(id, self.fixed);
        let is_join = |id: NodeId| matches!(self.tree.node(id), Node::Binary(And | Or, _));
        let end = chain.iter().position(|id| is_told(*id) || !is_join(*id))?;
        let last = chain[end];
        let mut implied = match self.tree.node(last).clone() {
            _ if is_told(last) => Some(match holds {
                true => last,
                false => self.tree.not(last),
            }),
            Node::Unary(UnaryOperator::Not, operand) => self.of(operand, (!holds, tests)),
            Node::Conditional([test, yes, no]) if tests > 0 => {
                let mut branch = |taken: bool, value: NodeId| {
                    let test = self.of(test, (taken, tests - 1));
                    let value = self.of(value, (holds, tests));
                    self.all(test, value)
                };
                let (yes, no) = (branch(true, yes), branch(false, no));
                self.any(yes, no)
            }
            _ => None,
        };
        for id in chain[..end].iter().rev() {
            if let Node::Binary(operator, [_, right]) = *self.tree.node(*id) {
                let right = self.of(right, (holds, tests));
                implied = match (operator == And) == holds {
                    true => self.all(implied, right),
                    false => self.any(implied, right),
                };
            }
        }
        implied
    }

    fn all(&mut self, left: Option<NodeId>, right: Option<NodeId>) -> Option<NodeId> {
        match (left, right) {
            (Some(left), Some(right)) => Some(self.tree.join(BinaryOperator::And, left, right)),
            (left, right) => left.or(right),
        }
    }

    fn any(&mut self, left: Option<NodeId>, right: Option<NodeId>) -> Option<NodeId> {
        // A side that never holds adds nothing to the other side.
        let never = |side| matches!(self.tree.node(side), Node::Number(0));
        match (left?, right?) {
            (left, right) if never(right) => Some(left),
            (left, right) if never(left) => Some(right),
            (left, right) => Some(self.tree.join(BinaryOperator::Or, left, right)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Condition;
    use crate::bridge::Seat;

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
