//! The typed tree of a condition, and its value for given hands.
//!
//! Every value is an integer, as in dealer and C: 0 is false, other values are true.
//!
//! A chain such as `a && b && c` groups to the left: `(a && b) && c`. A chain can be as long as
//! the limit on tokens permits. So code that walks a tree follows the left sides in a loop
//! ([`Expression::left_sides`]) and recurses into other parts only: those nest no deeper than
//! [`MAX_DEPTH`], which fits on small stacks.
//!
//! Definitions are not expanded: all uses of a name share the nodes of its value. So a tree is an
//! acyclic graph, and cloning is cheap. Expanded, a script of sixty definitions may have 2^60
//! nodes. So walks visit shared nodes once ([`Shared`]); a plain walk is only for expressions that
//! are not large when expanded ([`Expression::is_large`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::Span;
use super::bounds::ValueBounds;
use super::measure::{Measurable, Measure};
use super::operators::{BinaryOperator, UnaryOperator, value_decided};
use crate::bridge::Seat;

/// Maximum nesting depth of a tree with its definitions expanded. A chain of operators of one
/// precedence counts as one level.
///
/// A walk needs less than 1 KiB of stack for each level, and so less than 256 KiB in all
/// (`tests/language/small_stacks.rs`).
pub(super) const MAX_DEPTH: usize = 256;

/// A condition or a part of one, with names replaced by their definitions.
///
/// Equality compares the trees, not their places in a text.
#[derive(Clone)]
pub struct Expression {
    pub(super) node: Node,
    pub(super) span: Span,
    /// Number of nodes with definitions expanded: a shared node counts once per use.
    written_out: u64,
    depth: u32,
    /// Bounds of its value.
    bounds: ValueBounds,
}

/// Maximum number of expanded nodes for plain walks.
const LARGE: u64 = 100_000;

/// Maximum number of expanded nodes for which evaluation is faster than a lookup.
const SMALL: u64 = 64;

/// Results of a walk, stored by shared node.
#[derive(Debug)]
pub(crate) struct Shared<T>(BTreeMap<usize, T>);

impl<T: Clone> Shared<T> {
    pub(crate) fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Returns the result for an expression, computed on first use if its node is shared.
    pub(crate) fn get(&mut self, expression: &Expression, make: impl FnOnce(&mut Self) -> T) -> T {
        let Some(key) = expression.shared() else {
            return make(self);
        };
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        let made = make(self);
        self.0.insert(key, made.clone());
        made
    }

    /// Changes the stored result of an expression, if there is one.
    pub(crate) fn add(&mut self, expression: &Expression, change: impl FnOnce(&mut T)) {
        let known = expression.shared().and_then(|key| self.0.get_mut(&key));
        if let Some(known) = known {
            change(known);
        }
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other, &mut BTreeMap::new())
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format_args!("{self}");
        f.debug_tuple("Expression").field(&text).finish()
    }
}

impl Drop for Expression {
    /// Drops the left sides of a chain in a loop, not by recursion.
    fn drop(&mut self) {
        let mut left = self.take_left();
        while let Some(mut expression) = left {
            left = expression.take_left();
        }
    }
}

impl Eq for Expression {}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Number(i64),
    Hand(Seat, Measure),
    Unary(UnaryOperator, Arc<Expression>),
    Binary(BinaryOperator, Arc<[Expression; 2]>),
    Conditional(Arc<[Expression; 3]>),
}

impl Node {
    /// Returns the bounds of the value, from those of the operands.
    fn bounds(&self) -> ValueBounds {
        match self {
            Self::Number(number) => ValueBounds::new(*number, *number),
            Self::Hand(_, measure) => ValueBounds::of_measure(measure),
            Self::Unary(operator, operand) => ValueBounds::unary(*operator, operand.bounds),
            Self::Binary(operator, sides) => {
                ValueBounds::binary(*operator, sides[0].bounds, sides[1].bounds)
            }
            Self::Conditional(parts) => {
                ValueBounds::conditional(parts[0].bounds, parts[1].bounds, parts[2].bounds)
            }
        }
    }
}

/// An arithmetic error: division by zero or overflow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{message}")]
pub struct EvaluationError {
    pub(super) start: usize,
    pub(super) end: usize,
    message: &'static str,
}

impl Expression {
    /// An expression with this node and this place in the text.
    pub(super) fn new(node: Node, span: Span) -> Self {
        let bounds = node.bounds();
        let mut whole = Self {
            node,
            span,
            written_out: 1,
            depth: 0,
            bounds,
        };
        let parts = whole.parts();
        let written_out = parts.iter().map(|part| part.written_out);
        let written_out = written_out.fold(1, u64::saturating_add);
        let depth = match &whole.node {
            Node::Binary(operator, sides) => {
                // A chain of operators of one precedence counts as one level.
                let below = match &sides[0].node {
                    Node::Binary(operator, _) => operator.level(),
                    _ => 8,
                };
                let left = sides[0].depth + u32::from(below != operator.level());
                left.max(1 + sides[1].depth)
            }
            _ => parts.iter().map(|part| 1 + part.depth).max().unwrap_or(0),
        };
        whole.written_out = written_out;
        whole.depth = depth;
        whole
    }

    /// Bounds of the value over all deals.
    pub(super) fn bounds(&self) -> ValueBounds {
        self.bounds
    }

    /// A literal number, without a place in a text.
    pub(super) fn number(number: i64) -> Self {
        Self::new(Node::Number(number), 0..0)
    }

    /// The address of the node, if it is shared.
    fn shared(&self) -> Option<usize> {
        let shared = |count: usize, address: usize| (count > 1).then_some(address);
        match &self.node {
            Node::Number(_) | Node::Hand(..) => None,
            Node::Unary(_, operand) => {
                shared(Arc::strong_count(operand), Arc::as_ptr(operand).addr())
            }
            Node::Binary(_, sides) => shared(Arc::strong_count(sides), Arc::as_ptr(sides).addr()),
            Node::Conditional(parts) => shared(Arc::strong_count(parts), Arc::as_ptr(parts).addr()),
        }
    }

    /// Whether plain walks, which ignore sharing, would take too long.
    pub(crate) fn is_large(&self) -> bool {
        self.written_out > LARGE
    }

    /// Maximum number of nodes visited to compute a value; a node that is looked up counts as 100.
    pub(crate) fn steps(&self) -> u64 {
        match self.is_large() {
            false => self.written_out,
            true => 100 * self.size(),
        }
    }

    /// Whether both trees are equal, given pairs of shared nodes that are known to be equal.
    fn is_same(&self, other: &Self, known: &mut BTreeMap<usize, usize>) -> bool {
        let (mut one, mut other) = (self, other);
        loop {
            if one.written_out != other.written_out {
                return false;
            }
            let (key, same) = (one.shared(), other.shared());
            if key.is_some() && key == same {
                return true;
            }
            // As a rule, a node is compared with one other node only: the last one is stored.
            if let (Some(key), Some(same)) = (key, same) {
                if known.get(&key) == Some(&same) {
                    return true;
                }
                // If the nodes differ, the whole trees differ, and the entry is not used again.
                known.insert(key, same);
            }
            match (&one.node, &other.node) {
                (Node::Binary(a, of_one), Node::Binary(b, of_other)) => {
                    if a != b || !of_one[1].is_same(&of_other[1], known) {
                        return false;
                    }
                    (one, other) = (&of_one[0], &of_other[0]);
                }
                (Node::Unary(a, of_one), Node::Unary(b, of_other)) => {
                    return a == b && of_one.is_same(of_other, known);
                }
                (Node::Conditional(of_one), Node::Conditional(of_other)) => {
                    let mut pairs = of_one.iter().zip(&**of_other);
                    return pairs.all(|(one, other)| one.is_same(other, known));
                }
                (Node::Number(a), Node::Number(b)) => return a == b,
                (Node::Hand(a, of_one), Node::Hand(b, of_other)) => {
                    return a == b && of_one == of_other;
                }
                _ => return false,
            }
        }
    }

    /// The value for these hands: four cases in the order of [`Seat::ALL`], or a deal.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] where the arithmetic divides by zero or overflows.
    ///
    /// # Panics
    ///
    /// If a case does not fix the properties that the expression depends on.
    pub fn value(&self, hands: &impl Measurable) -> Result<i64, EvaluationError> {
        if self.is_large() {
            return self.value_of_shared(hands, &mut Shared::new());
        }
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

    /// As [`Expression::value`], evaluating every shared node once.
    fn value_of_shared(
        &self,
        hands: &impl Measurable,
        known: &mut Shared<Result<i64, EvaluationError>>,
    ) -> Result<i64, EvaluationError> {
        if self.written_out <= SMALL {
            return self.value(hands);
        }
        known.get(self, |known| match &self.node {
            Node::Binary(..) => {
                let mut chain: Vec<&Self> = self.left_sides().collect();
                let innermost = chain.pop().expect("a chain has an innermost side");
                // Left sides may be shared too: the first one with a known value ends the chain.
                let mut value = innermost.value_of_shared(hands, known)?;
                for expression in chain.iter().rev() {
                    if let Node::Binary(operator, sides) = &expression.node {
                        value = match value_decided(*operator, value) {
                            Some(value) => value,
                            None => {
                                let right = sides[1].value_of_shared(hands, known)?;
                                expression.joined_values(value, *operator, right)?
                            }
                        };
                    }
                }
                Ok(value)
            }
            Node::Unary(operator, operand) => {
                let value = operator.apply(operand.value_of_shared(hands, known)?);
                value.ok_or_else(|| self.overflow())
            }
            Node::Conditional(parts) => {
                let [test, yes, no] = &**parts;
                let holds = test.value_of_shared(hands, known)? != 0;
                if holds { yes } else { no }.value_of_shared(hands, known)
            }
            Node::Number(_) | Node::Hand(..) => self.value(hands),
        })
    }

    /// The value of a chain of operators, evaluated from the innermost left side.
    fn chain_value(&self, hands: &impl Measurable) -> Result<i64, EvaluationError> {
        // Most chains are short: they need no allocation.
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
        hands: &impl Measurable,
    ) -> Result<i64, EvaluationError> {
        match value_decided(operator, left) {
            Some(value) => Ok(value),
            None => self.joined_values(left, operator, right.value(hands)?),
        }
    }

    /// The value of an operator whose sides have values.
    fn joined_values(
        &self,
        left: i64,
        operator: BinaryOperator,
        right: i64,
    ) -> Result<i64, EvaluationError> {
        use BinaryOperator as B;
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
                return Err(self.failed("division by zero for some hands"));
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
        self.failed("the result does not fit in 64 bits")
    }

    /// The expression, its left side, the left side of that and so on, down to one that is not an
    /// operator with two operands.
    pub(crate) fn left_sides(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |expression| match &expression.node {
            Node::Binary(_, sides) => Some(&sides[0]),
            _ => None,
        })
    }

    /// Takes the left side out of an operator, if it is an operator with two operands too.
    fn take_left(&mut self) -> Option<Self> {
        let Node::Binary(_, sides) = &mut self.node else {
            return None;
        };
        // A shared node is not dropped.
        let left = &mut Arc::get_mut(sides)?[0];
        matches!(left.node, Node::Binary(..)).then(|| std::mem::replace(left, Self::number(0)))
    }

    /// Whether the value for these hands is not 0.
    ///
    /// # Errors
    ///
    /// As [`Expression::value`].
    pub fn holds(&self, hands: &impl Measurable) -> Result<bool, EvaluationError> {
        self.value(hands).map(|value| value != 0)
    }

    /// The node.
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// Calls `visit` with every measure, in the order of the text.
    pub(super) fn measures<'e>(&'e self, visit: &mut impl FnMut(Seat, &'e Measure, &'e Span)) {
        self.nodes(&mut |expression| {
            if let Node::Hand(seat, measure) = &expression.node {
                visit(*seat, measure, &expression.span);
            }
        });
    }

    /// Calls `visit` with every node, in the order of the text; with shared nodes only at their
    /// first use.
    fn nodes<'e>(&'e self, visit: &mut impl FnMut(&'e Self)) {
        let (mut waiting, mut seen) = (vec![self], BTreeSet::new());
        while let Some(expression) = waiting.pop() {
            let shared = expression.shared();
            if shared.is_some_and(|key| !seen.insert(key)) {
                continue;
            }
            visit(expression);
            waiting.extend(expression.parts().iter().rev());
        }
    }

    /// All seats and measures, in the order of the text; shared nodes are visited once.
    pub(crate) fn mentioned(&self) -> Vec<(Seat, &Measure)> {
        let mut found = Vec::new();
        self.measures(&mut |seat, measure, _| found.push((seat, measure)));
        found
    }

    /// Whether the value depends on random draws (`rnd`).
    #[must_use]
    pub(crate) fn has_draws(&self) -> bool {
        let mentioned = self.mentioned();
        mentioned.iter().any(|(_, measure)| measure.is_random())
    }

    /// Whether the value depends on double-dummy tricks.
    #[must_use]
    pub(crate) fn needs_table(&self) -> bool {
        let mentioned = self.mentioned();
        mentioned.iter().any(|(_, measure)| measure.needs_table())
    }

    /// Whether the value depends on the suit lengths of any hand.
    pub(crate) fn needs_pattern(&self) -> bool {
        let mentioned = self.mentioned();
        mentioned.iter().any(|(_, measure)| measure.needs_pattern())
    }

    /// Whether the value depends on the honours of any hand.
    pub(crate) fn needs_honours(&self) -> bool {
        let mentioned = self.mentioned();
        mentioned.iter().any(|(_, measure)| measure.needs_honours())
    }

    /// The operands of the expression.
    pub(crate) fn parts(&self) -> &[Expression] {
        match &self.node {
            Node::Number(_) | Node::Hand(..) => &[],
            Node::Unary(_, operand) => std::slice::from_ref(operand),
            Node::Binary(_, sides) => &**sides,
            Node::Conditional(parts) => &**parts,
        }
    }

    /// Depth of the tree below this node; a chain of operators of one precedence counts once.
    pub(super) fn depth(&self) -> usize {
        self.depth as usize
    }

    /// Number of distinct nodes.
    pub(crate) fn size(&self) -> u64 {
        let mut size = 0;
        self.nodes(&mut |_| size += 1);
        size
    }

    /// The terms of the outermost chain of `and`, in the order of the text.
    pub(crate) fn conjuncts(&self) -> Vec<&Self> {
        self.chained(BinaryOperator::And)
    }

    /// The operands of a chain of this operator, in the order of the text.
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
