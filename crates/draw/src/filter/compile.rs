//! Compilation of expressions to columns: a loop over the nodes of the arena, each of which gets its
//! columns from those of its operands.
//!
//! Both sides of `&&` and `||` and both branches of `? :` are computed for every deal. If such a
//! part divides by zero where the language would not have evaluated it, that is not an error. Each
//! part therefore has, besides its values, a column of the deals for which its evaluation fails.

use std::collections::BTreeMap;

use super::graph::Graph;
use super::measure;
use crate::bridge::Hand;
use crate::kernels::{Answers, ColumnIndex, Pairing};
use crate::language::{
    BinaryOperator, Expression, Measure, Node, NodeId, UnaryOperator, ValueBounds,
};

/// Compiler of expressions to columns.
#[derive(Debug, Default)]
pub(super) struct Compiler {
    pub(super) graph: Graph,
    pub(super) questions: CellQuestions,
}

/// The questions that steps ask cell by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct CellQuestions(Vec<CellQuestion>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum CellQuestion {
    Hand(Measure),
    Value(UnaryOperator),
}

impl CellQuestions {
    fn number(&mut self, question: CellQuestion) -> usize {
        let known = self.0.iter().position(|other| *other == question);
        known.unwrap_or_else(|| {
            self.0.push(question);
            self.0.len() - 1
        })
    }
}

impl Answers for CellQuestions {
    fn of_hand(&self, question: usize, hand: u64) -> i32 {
        match self.0.get(question) {
            // The result is in the interval given for it, which fits in 32 bits.
            Some(CellQuestion::Hand(measure)) => measure.of_hand(Hand::from_bits(hand)) as i32,
            _ => 0,
        }
    }

    fn of_value(&self, question: usize, value: i32) -> i32 {
        match self.0.get(question) {
            Some(CellQuestion::Value(operator)) => operator.apply(value.into()).unwrap_or(0) as i32,
            _ => 0,
        }
    }
}

/// The column of a part's values, and the column of its failures if it can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CompiledPart {
    pub(super) values: ColumnIndex,
    pub(super) failing: Option<ColumnIndex>,
}

impl CompiledPart {
    /// Returns the columns of the part.
    pub(super) fn places(&self) -> impl Iterator<Item = ColumnIndex> + use<> {
        std::iter::once(self.values).chain(self.failing)
    }
}

impl Compiler {
    /// Returns a part that fails for every deal, for expressions that columns cannot evaluate.
    pub(super) fn slow(&mut self) -> CompiledPart {
        let always = self.graph.known_truth(true);
        CompiledPart {
            values: always,
            failing: Some(always),
        }
    }

    /// Compiles an expression; returns `None` if some value of it may exceed 32 bits.
    pub(super) fn part(&mut self, expression: &Expression) -> Option<CompiledPart> {
        let mut parts = BTreeMap::new();
        for id in expression.tree().below(expression.root()) {
            let part = self.node(expression.tree().node(id), &parts)?;
            parts.insert(id, part);
        }
        parts.remove(&expression.root())
    }

    /// Compiles a node whose operands are compiled.
    fn node(
        &mut self,
        node: &Node,
        parts: &BTreeMap<NodeId, CompiledPart>,
    ) -> Option<CompiledPart> {
        let never = |values| CompiledPart {
            values,
            failing: None,
        };
        match node {
            Node::Number(number) => self.graph.number(*number).map(never),
            Node::Hand(seat, measure) => {
                let question = || self.questions.number(CellQuestion::Hand(measure.clone()));
                measure::column(&mut self.graph, *seat, measure, question).map(never)
            }
            Node::Unary(operator, operand) => {
                let CompiledPart { values, failing } = parts[operand];
                let values = match operator {
                    UnaryOperator::Not => self.graph.not(values),
                    UnaryOperator::Negate => self.graph.negated(values)?,
                    UnaryOperator::Imps | UnaryOperator::Score { .. } => {
                        let question = self.questions.number(CellQuestion::Value(*operator));
                        let answer = |value| operator.apply(value).unwrap_or(0);
                        self.graph.ask(values, question, answer)?
                    }
                };
                Some(CompiledPart { values, failing })
            }
            Node::Binary(operator, [left, right]) => {
                self.pair(*operator, parts[left], parts[right])
            }
            Node::Conditional(operands) => {
                let [test, yes, no] = operands.map(|operand| parts[&operand]);
                let holds = self.graph.truth(test.values);
                let fails_not = self.graph.not(holds);
                let of_yes = self.if_both(holds, yes.failing);
                let of_no = self.if_both(fails_not, no.failing);
                let of_branches = self.if_either(of_yes, of_no);
                Some(CompiledPart {
                    values: self.graph.choose(holds, yes.values, no.values),
                    failing: self.if_either(test.failing, of_branches),
                })
            }
        }
    }

    fn pair(
        &mut self,
        operator: BinaryOperator,
        left: CompiledPart,
        right: CompiledPart,
    ) -> Option<CompiledPart> {
        use BinaryOperator as B;
        let (a, b) = (left.values, right.values);
        let mut failing = self.if_either(left.failing, right.failing);
        let graph = &mut self.graph;
        let values = match operator {
            B::And | B::Or => return Some(self.join(operator == B::And, left, right)),
            B::Equal => graph.compare(Pairing::Equal, a, b),
            B::NotEqual => {
                let equal = graph.compare(Pairing::Equal, a, b);
                graph.not(equal)
            }
            B::Less => graph.compare(Pairing::Less, a, b),
            B::LessOrEqual => graph.compare(Pairing::LessOrEqual, a, b),
            B::Greater => graph.compare(Pairing::Less, b, a),
            B::GreaterOrEqual => graph.compare(Pairing::LessOrEqual, b, a),
            B::Plus => graph.arithmetic(Pairing::Plus, a, b)?,
            B::Minus => graph.arithmetic(Pairing::Minus, a, b)?,
            B::Times => graph.arithmetic(Pairing::Times, a, b)?,
            B::Divide | B::Remainder => {
                let pairing = match operator {
                    B::Divide => Pairing::Divide,
                    _ => Pairing::Remainder,
                };
                let by_zero = graph.between(b, ValueBounds::new(0, 0));
                let values = graph.arithmetic(pairing, a, b)?;
                failing = self.if_either(failing, Some(by_zero));
                values
            }
        };
        Some(CompiledPart { values, failing })
    }

    /// Joins the sides of `&&` or `||`; the second side is evaluated only if the first leaves the
    /// result open.
    fn join(&mut self, and: bool, left: CompiledPart, right: CompiledPart) -> CompiledPart {
        let [a, b] = [left.values, right.values].map(|values| self.graph.truth(values));
        let (values, open) = if and {
            (self.graph.and(a, b), a)
        } else {
            (self.graph.or(a, b), self.graph.not(a))
        };
        let of_right = self.if_both(open, right.failing);
        CompiledPart {
            values,
            failing: self.if_either(left.failing, of_right),
        }
    }

    fn if_both(&mut self, truth: ColumnIndex, failing: Option<ColumnIndex>) -> Option<ColumnIndex> {
        let both = self.graph.and(truth, failing?);
        self.unless_never(both)
    }

    fn if_either(&mut self, a: Option<ColumnIndex>, b: Option<ColumnIndex>) -> Option<ColumnIndex> {
        let either = match (a, b) {
            (Some(a), Some(b)) => self.graph.or(a, b),
            (one, other) => one.or(other)?,
        };
        self.unless_never(either)
    }

    fn unless_never(&self, failing: ColumnIndex) -> Option<ColumnIndex> {
        (self.graph.interval(failing).only() != Some(0)).then_some(failing)
    }
}
