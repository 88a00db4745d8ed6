//! The typed tree of a condition, and its value for given hands.
//!
//! Every value is an integer, as in dealer and C: 0 is false, other values are true.
//!
//! All nodes of a script are in one arena ([`Tree`]). A node refers to its operands by their
//! numbers, which are smaller than its own. An [`Expression`] is an arena and the number of a node.
//! Equal parts at two places of a text are two nodes, because messages show their places.
//!
//! Definitions are not expanded: all uses of a name have the node of its value. So a tree is an
//! acyclic graph. Expanded, a script of sixty definitions may have 2^60 nodes. So walks visit a
//! node once, and remember it by its number; a plain walk is only for expressions that are not
//! large when expanded ([`Expression::is_large`]).
//!
//! A chain such as `a && b && c` groups to the left: `(a && b) && c`. A chain can be as long as
//! the limit on tokens permits. So code that walks a tree by recursion follows the left sides in a
//! loop ([`Tree::left_sides`]), and recurses into other parts only: those nest no deeper than
//! [`MAX_DEPTH`], which fits on small stacks. A loop over the nodes needs no stack.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::Span;
use super::bounds::ValueBounds;
use super::measure::{Measurable, Measure};
use super::operators::{BinaryOperator, UnaryOperator};
use super::properties::FixedProperties;
use crate::bridge::Seat;

/// Maximum nesting depth of a tree with its definitions expanded. A chain of operators of one
/// precedence counts as one level.
///
/// A walk needs less than 1 KiB of stack for each level, and so less than 256 KiB in all
/// (`tests/language/small_stacks.rs`).
pub(super) const MAX_DEPTH: usize = 256;

/// Maximum number of expanded nodes for plain walks.
const LARGE: u64 = 100_000;

/// A condition or a part of one, with names replaced by their definitions.
///
/// Equality compares the trees, not their places in a text.
#[derive(Clone)]
pub struct Expression {
    /// Empty until all statements of the script are checked.
    tree: Arc<OnceLock<Tree>>,
    root: NodeId,
}

/// The number of a node in its arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(u32);

/// A node of an arena: a value, or an operator on other nodes.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Node {
    Number(i64),
    Hand(Seat, Measure),
    Unary(UnaryOperator, NodeId),
    Binary(BinaryOperator, [NodeId; 2]),
    Conditional([NodeId; 3]),
}

impl Node {
    /// The numbers of the operands.
    pub fn operands(&self) -> &[NodeId] {
        match self {
            Self::Number(_) | Self::Hand(..) => &[],
            Self::Unary(_, operand) => std::slice::from_ref(operand),
            Self::Binary(_, sides) => sides,
            Self::Conditional(parts) => parts,
        }
    }

    /// The bounds of the value, from those of the operands.
    fn bounds(&self, of: impl Fn(NodeId) -> ValueBounds) -> ValueBounds {
        match self {
            Self::Number(number) => ValueBounds::new(*number, *number),
            Self::Hand(_, measure) => ValueBounds::of_measure(measure),
            Self::Unary(operator, operand) => ValueBounds::unary(*operator, of(*operand)),
            Self::Binary(operator, sides) => {
                let [left, right] = sides.map(of);
                ValueBounds::binary(*operator, left, right)
            }
            Self::Conditional(parts) => {
                let [test, yes, no] = parts.map(of);
                ValueBounds::conditional(test, yes, no)
            }
        }
    }

    /// Whether both are equal, apart from their operands.
    fn has_same_head(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one == other,
            (Self::Hand(seat, one), Self::Hand(of, other)) => seat == of && one == other,
            (Self::Unary(one, _), Self::Unary(other, _)) => one == other,
            (Self::Binary(one, _), Self::Binary(other, _)) => one == other,
            (Self::Conditional(_), Self::Conditional(_)) => true,
            _ => false,
        }
    }
}

/// The nodes of the expressions of a script, each after its operands, with their places aside.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    facts: Vec<NodeFacts>,
    spans: Vec<Span>,
}

/// What is known of a node when it is made.
#[derive(Clone, Copy, Debug)]
struct NodeFacts {
    /// Bounds of its value.
    bounds: ValueBounds,
    /// Number of nodes with definitions expanded: a shared node counts once per use.
    written_out: u64,
    depth: u32,
    uses: u16,
}

/// What an expression uses, a bit for each: from 0, 4 and 8 on the pattern, the honours and any
/// property of each hand.
const PATTERNS: u16 = 0xF;
const HONOURS: u16 = 0xF0;
const SEATS: u16 = 0xF00;
const DRAWS: u16 = 1 << 12;
const TABLE: u16 = 1 << 13;
/// Something that no case determines.
const UNLISTED: u16 = 1 << 14;

/// The bits of one measure.
fn uses(seat: Seat, measure: &Measure) -> u16 {
    let of_seat = 0x111 << seat.index();
    let all = [
        (true, SEATS & of_seat),
        (measure.needs_pattern(), PATTERNS & of_seat),
        (measure.needs_honours(), HONOURS & of_seat),
        (measure.is_random(), DRAWS),
        (measure.needs_table(), TABLE),
        (!measure.is_listable(), UNLISTED),
    ];
    all.iter()
        .map(|(is_used, bits)| u16::from(*is_used) * bits)
        .sum()
}

/// An arithmetic error: division by zero or overflow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{message}")]
pub struct EvaluationError {
    pub(super) start: usize,
    pub(super) end: usize,
    message: &'static str,
}

impl Tree {
    /// Adds a node with this place in the text.
    pub(super) fn add(&mut self, node: Node, span: Span) -> NodeId {
        let of = |id: &NodeId| self.facts[id.index()];
        let operands = node.operands().iter().map(of);
        let depth = match &node {
            Node::Binary(operator, [left, right]) => {
                // A chain of operators of one precedence counts as one level.
                let is_chain = matches!(self.node(*left), Node::Binary(below, _) if below.level() == operator.level());
                let left = of(left).depth + u32::from(!is_chain);
                left.max(1 + of(right).depth)
            }
            _ => operands.clone().map(|of| 1 + of.depth).max().unwrap_or(0),
        };
        let own = match &node {
            Node::Hand(seat, measure) => uses(*seat, measure),
            _ => 0,
        };
        let written_out = operands.clone().map(|of| of.written_out);
        let facts = NodeFacts {
            bounds: node.bounds(|id| of(&id).bounds),
            written_out: written_out.fold(1, u64::saturating_add),
            depth,
            uses: operands.fold(own, |all, of| all | of.uses),
        };
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.facts.push(facts);
        self.spans.push(span);
        id
    }

    /// Adds an operator whose place is that of its sides.
    pub(super) fn join(&mut self, operator: BinaryOperator, left: NodeId, right: NodeId) -> NodeId {
        let (of_left, of_right) = (self.span(left), self.span(right));
        let span = of_left.start.min(of_right.start)..of_left.end.max(of_right.end);
        self.add(Node::Binary(operator, [left, right]), span)
    }

    /// Adds the negation of a condition. Only whether it holds matters, not its value.
    pub(super) fn not(&mut self, id: NodeId) -> NodeId {
        if let Node::Unary(UnaryOperator::Not, operand) = self.node(id) {
            return *operand;
        }
        self.add(Node::Unary(UnaryOperator::Not, id), self.span(id).clone())
    }

    /// Adds the nodes of an expression in another arena.
    fn import(&mut self, other: &Expression) -> NodeId {
        let tree = other.tree();
        let mut known = BTreeMap::new();
        for id in tree.below(other.root) {
            let of = |id: NodeId| known[&id];
            let node = match tree.node(id) {
                node @ (Node::Number(_) | Node::Hand(..)) => node.clone(),
                Node::Unary(operator, operand) => Node::Unary(*operator, of(*operand)),
                Node::Binary(operator, sides) => Node::Binary(*operator, sides.map(of)),
                Node::Conditional(parts) => Node::Conditional(parts.map(of)),
            };
            known.insert(id, self.add(node, tree.span(id).clone()));
        }
        known[&other.root]
    }

    /// The nodes of an expression, each once and after its operands.
    pub fn below(&self, root: NodeId) -> BTreeSet<NodeId> {
        let (mut found, mut waiting) = (BTreeSet::new(), vec![root]);
        while let Some(id) = waiting.pop() {
            if found.insert(id) {
                waiting.extend(self.node(id).operands());
            }
        }
        found
    }

    /// The operators and sets of patterns that these expressions use more than once, in their order.
    pub(super) fn shared(&self, roots: Vec<NodeId>) -> impl Iterator<Item = NodeId> + use<> {
        let (mut uses, mut waiting) = (BTreeMap::new(), roots);
        while let Some(id) = waiting.pop() {
            let operands = self.node(id).operands();
            let is_set = matches!(self.node(id), Node::Hand(_, Measure::Pattern(_)));
            if is_set || !operands.is_empty() {
                let uses = uses.entry(id).or_insert(0);
                *uses += 1;
                if *uses == 1 {
                    waiting.extend(operands);
                }
            }
        }
        let shared = uses.into_iter().filter(|(_, uses)| *uses > 1);
        shared.map(|(id, _)| id)
    }

    /// The node of an id of this arena.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn span(&self, id: NodeId) -> &Span {
        &self.spans[id.index()]
    }

    /// Bounds of the value over all deals.
    pub(super) fn bounds(&self, id: NodeId) -> ValueBounds {
        self.facts[id.index()].bounds
    }

    /// Depth of the tree below a node; a chain of operators of one precedence counts once.
    pub(super) fn depth(&self, id: NodeId) -> usize {
        self.facts[id.index()].depth as usize
    }

    /// Whether a case with these properties determines the value.
    pub(super) fn is_told(&self, id: NodeId, fixed: &FixedProperties) -> bool {
        let bits = |flags: [bool; 4]| (0..4).fold(0, |all, i| all | u16::from(flags[i]) << i);
        let told = bits(fixed.patterns) | bits(fixed.honours) << 4;
        let needed = PATTERNS | HONOURS | UNLISTED;
        self.facts[id.index()].uses & needed & !told == 0
    }

    /// The node, its left side, the left side of that and so on, down to one that is not an
    /// operator with two operands.
    pub(super) fn left_sides(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |id| match self.node(*id) {
            Node::Binary(_, [left, _]) => Some(*left),
            _ => None,
        })
    }

    /// The value of a node. `known` has the values of the nodes that have one already, or is empty.
    fn value(
        &self,
        id: NodeId,
        hands: &impl Measurable,
        known: &mut [Option<i64>],
    ) -> Result<i64, EvaluationError> {
        // The operators of a chain, outermost first. Most chains are short: they need no allocation.
        let (mut first, mut count, mut rest) = ([id; 8], 0, Vec::new());
        let mut innermost = id;
        let mut value = loop {
            if let Some(Some(value)) = known.get(innermost.index()) {
                break *value;
            }
            let value = match self.node(innermost) {
                Node::Binary(_, [left, _]) => {
                    match first.get_mut(count) {
                        Some(place) => *place = innermost,
                        None => rest.push(innermost),
                    }
                    count += 1;
                    innermost = *left;
                    continue;
                }
                Node::Number(number) => *number,
                Node::Hand(seat, measure) => hands.measure(*seat, measure),
                Node::Unary(operator, operand) => {
                    let value = self.value(*operand, hands, known)?;
                    let applied = operator.apply(value);
                    applied.ok_or_else(|| self.failed(innermost, value))?
                }
                Node::Conditional([test, yes, no]) => {
                    let holds = self.value(*test, hands, known)? != 0;
                    self.value(if holds { *yes } else { *no }, hands, known)?
                }
            };
            if let Some(place) = known.get_mut(innermost.index()) {
                *place = Some(value);
            }
            break value;
        };
        let first = &first[..count.min(first.len())];
        for id in rest.iter().rev().chain(first.iter().rev()) {
            if let Node::Binary(operator, [_, right]) = self.node(*id) {
                value = match operator.decided_by(value) {
                    Some(value) => value,
                    None => {
                        let right = self.value(*right, hands, known)?;
                        let joined = operator.apply(value, right);
                        joined.ok_or_else(|| self.failed(*id, right))?
                    }
                };
                if let Some(place) = known.get_mut(id.index()) {
                    *place = Some(value);
                }
            }
        }
        Ok(value)
    }

    /// The error of arithmetic with this last operand.
    #[cold]
    fn failed(&self, id: NodeId, last: i64) -> EvaluationError {
        use BinaryOperator::{Divide, Remainder};
        let is_division = matches!(self.node(id), Node::Binary(Divide | Remainder, _));
        let message = match is_division && last == 0 {
            true => "division by zero for some hands",
            false => "the result does not fit in 64 bits",
        };
        let Span { start, end } = *self.span(id);
        EvaluationError {
            start,
            end,
            message,
        }
    }
}

impl NodeId {
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (self.tree(), other.tree());
        let (mut waiting, mut known) = (vec![(self.root, other.root)], BTreeMap::new());
        while let Some((a, b)) = waiting.pop() {
            if std::ptr::eq(one, two) && a == b {
                continue;
            }
            let written_out = |tree: &Tree, id: NodeId| tree.facts[id.index()].written_out;
            let (node, same) = (one.node(a), two.node(b));
            if written_out(one, a) != written_out(two, b) || !node.has_same_head(same) {
                return false;
            }
            // As a rule, a node is compared with one other node only: the last one is stored.
            if !node.operands().is_empty() && known.insert(a, b) != Some(b) {
                let pairs = node.operands().iter().zip(same.operands());
                waiting.extend(pairs.map(|(a, b)| (*a, *b)));
            }
        }
        true
    }
}

impl Eq for Expression {}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format_args!("{self}");
        f.debug_tuple("Expression").field(&text).finish()
    }
}

impl Expression {
    /// A node of an arena, which may still grow.
    pub(super) fn new(tree: &Arc<OnceLock<Tree>>, root: NodeId) -> Self {
        let tree = tree.clone();
        Self { tree, root }
    }

    /// An expression in an arena of its own.
    pub(super) fn made(make: impl FnOnce(&mut Tree) -> NodeId) -> Self {
        let mut tree = Tree::default();
        let root = make(&mut tree);
        Self::made_in(tree, root)
    }

    /// An expression in this arena.
    pub(super) fn made_in(tree: Tree, root: NodeId) -> Self {
        let tree = Arc::new(tree.into());
        Self { tree, root }
    }

    /// An expression that is made of others, or of one.
    pub(super) fn made_of<'e>(
        parts: impl IntoIterator<Item = &'e Self>,
        make: impl FnOnce(&mut Tree, Vec<NodeId>) -> NodeId,
    ) -> Self {
        let mut parts = parts.into_iter().peekable();
        let first = parts.peek().map(|part| part.tree());
        Self::made(|tree| {
            tree.clone_from(first.unwrap_or(&Tree::default()));
            let is_in = |part: &Self| first.is_some_and(|first| std::ptr::eq(first, part.tree()));
            let ids = parts.map(|part| match is_in(part) {
                true => part.root,
                false => tree.import(part),
            });
            let ids = ids.collect();
            make(tree, ids)
        })
    }

    /// A literal number, without a place in a text.
    pub(super) fn number(number: i64) -> Self {
        Self::made(|tree| tree.add(Node::Number(number), 0..0))
    }

    /// The expression `self operator right`.
    pub(super) fn joined(&self, operator: BinaryOperator, right: &Self) -> Self {
        Self::made_of([self, right], |tree, ids| {
            tree.join(operator, ids[0], ids[1])
        })
    }

    /// The conjunction of these terms.
    pub(super) fn all(terms: &[Self]) -> Self {
        Self::made_of(terms, |tree, ids| {
            let joined = ids.into_iter();
            let joined = joined.reduce(|left, right| tree.join(BinaryOperator::And, left, right));
            joined.unwrap_or_else(|| tree.add(Node::Number(1), 0..0))
        })
    }

    /// The least and the greatest value that it may have.
    pub fn bounds(&self) -> [i64; 2] {
        let bounds = self.tree().bounds(self.root);
        [bounds.least, bounds.most]
    }

    /// The arena.
    #[inline]
    pub fn tree(&self) -> &Tree {
        self.tree.get_or_init(Tree::default)
    }

    /// The number of its node.
    #[inline]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The node.
    pub(crate) fn node(&self) -> &Node {
        self.tree().node(self.root)
    }

    /// The place in the text.
    pub(super) fn span(&self) -> &Span {
        self.tree().span(self.root)
    }

    /// The part of the expression with this number.
    pub fn part(&self, id: NodeId) -> Self {
        Self::new(&self.tree, id)
    }

    /// The operands of the expression.
    pub fn parts(&self) -> Vec<Self> {
        let operands = self.node().operands().iter();
        operands.map(|id| self.part(*id)).collect()
    }

    fn facts(&self) -> &NodeFacts {
        &self.tree().facts[self.root.index()]
    }

    /// Number of nodes with definitions expanded.
    pub(super) fn written_out(&self) -> u64 {
        self.facts().written_out
    }

    /// Whether both are in one arena.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree)
    }

    /// Whether plain walks, which ignore sharing, would take too long.
    pub(crate) fn is_large(&self) -> bool {
        self.written_out() > LARGE
    }

    /// Maximum number of nodes visited to compute a value; a node that is looked up counts as 100.
    pub fn steps(&self) -> u64 {
        match self.is_large() {
            false => self.facts().written_out,
            true => 100 * self.size(),
        }
    }

    /// Whether the arithmetic may fail for some deal.
    pub fn may_fail(&self) -> bool {
        self.facts().bounds.may_fail
    }

    /// The error of its arithmetic, with this last operand.
    pub fn failure(&self, last: i64) -> EvaluationError {
        self.tree().failed(self.root, last)
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
        let mut known = match self.is_large() {
            true => vec![None; self.root.index() + 1],
            false => Vec::new(),
        };
        self.tree().value(self.root, hands, &mut known)
    }

    /// Whether the value for these hands is not 0.
    ///
    /// # Errors
    ///
    /// As [`Expression::value`].
    pub fn holds(&self, hands: &impl Measurable) -> Result<bool, EvaluationError> {
        self.value(hands).map(|value| value != 0)
    }

    /// Calls `visit` with every measure, in the order of the text.
    pub(super) fn measures<'e>(&'e self, visit: &mut impl FnMut(Seat, &'e Measure, &'e Span)) {
        self.nodes(&mut |id| {
            if let Node::Hand(seat, measure) = self.tree().node(id) {
                visit(*seat, measure, self.tree().span(id));
            }
        });
    }

    /// Calls `visit` with every node, in the order of the text; with nodes that have operands only
    /// at their first use.
    fn nodes(&self, visit: &mut impl FnMut(NodeId)) {
        let (mut waiting, mut seen) = (vec![self.root], BTreeSet::new());
        while let Some(id) = waiting.pop() {
            let operands = self.tree().node(id).operands();
            if operands.is_empty() || seen.insert(id) {
                visit(id);
                waiting.extend(operands.iter().rev());
            }
        }
    }

    /// All seats and measures, in the order of the text; definitions are visited once.
    pub fn mentioned(&self) -> Vec<(Seat, &Measure)> {
        let mut found = Vec::new();
        self.measures(&mut |seat, measure, _| found.push((seat, measure)));
        found
    }

    /// Whether the expression uses any of these.
    fn uses(&self, bits: u16) -> bool {
        self.facts().uses & bits != 0
    }

    /// Whether the value depends on no hand and no draw.
    pub fn is_constant(&self) -> bool {
        !self.uses(SEATS)
    }

    /// Whether the expression mentions this seat, and whether it mentions another.
    pub fn mentions(&self, seat: Seat) -> (bool, bool) {
        let own = SEATS & 0x111 << seat.index();
        (self.uses(own), self.uses(SEATS & !own))
    }

    /// Whether the value depends on random draws (`rnd`).
    pub fn has_draws(&self) -> bool {
        self.uses(DRAWS)
    }

    /// Whether the value depends on double-dummy tricks.
    pub(crate) fn needs_table(&self) -> bool {
        self.uses(TABLE)
    }

    /// Whether the value depends on the suit lengths of any hand.
    pub fn needs_pattern(&self) -> bool {
        self.uses(PATTERNS)
    }

    /// Whether the value depends on the honours of any hand.
    pub fn needs_honours(&self) -> bool {
        self.uses(HONOURS)
    }

    /// Number of distinct nodes.
    pub fn size(&self) -> u64 {
        let mut size = 0;
        self.nodes(&mut |_| size += 1);
        size
    }

    /// The terms of the outermost chain of `and`, in the order of the text.
    pub fn conjuncts(&self) -> Vec<Self> {
        self.chained(BinaryOperator::And)
    }

    /// The operands of a chain of this operator, in the order of the text.
    pub(super) fn chained(&self, operator: BinaryOperator) -> Vec<Self> {
        let (mut found, mut waiting) = (Vec::new(), vec![self.root]);
        while let Some(id) = waiting.pop() {
            match self.tree().node(id) {
                Node::Binary(other, [left, right]) if *other == operator => {
                    waiting.extend([right, left]);
                }
                _ => found.push(self.part(id)),
            }
        }
        found
    }
}
