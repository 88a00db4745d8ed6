//! A condition as a formula over sums of the suits' values, and sets of shapes.

use std::collections::BTreeMap;

use super::error::CountError;
use crate::bridge::{PatternIndex, Seat, Suit};
use crate::language::{
    BinaryOperator, Condition, EvaluationError, Expression, HandCase, Measurable, Measure, Node,
    NodeId, UnaryOperator,
};

/// Maximum nesting of a formula.
const MAX_DEPTH: usize = 200;

/// Maximum factor of a value in a sum.
const MOST_FACTOR: i64 = 1 << 20;

/// Maximum number of sets of shapes of a hand.
const MOST_SETS: usize = 24;

/// A condition, by what it asks of suits and shapes.
#[derive(Debug, Default)]
pub(super) struct Formula {
    steps: Vec<FormulaStep>,
    root: usize,
    pub(super) sums: Vec<SumOfSuits>,
    /// By suit, the facts that every deal of the condition satisfies.
    pub(super) required: [Vec<Expression>; 4],
    /// By seat.
    pub(super) shapes: [ShapeSets; 4],
    /// Whether the arithmetic may fail for some deal.
    pub(super) may_fail: bool,
}

/// A number that is a sum over the suits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SumOfSuits {
    pub(super) parts: Vec<SumPart>,
    /// Whether only a sum of 0 is told apart: each suit adds 1 at most.
    pub(super) is_truth: bool,
    /// Its text in messages.
    pub(super) text: String,
}

impl SumOfSuits {
    /// A bound of the number of its values, in steps of the factors.
    pub(super) fn most_values(&self) -> u64 {
        let of_part = |part: &SumPart| {
            let [least, most] = match &part.value {
                PartValue::Measure(_, measure) => measure.bounds(),
                PartValue::CardPoints(_) => Measure::Evaluation.bounds(),
                PartValue::Value(_, expression) => expression.bounds(),
                PartValue::Shortness(_) => [0, 12],
                PartValue::Facts(..) => [0, 1],
            };
            most.saturating_sub(least).unsigned_abs()
        };
        match self.is_truth {
            true => 2,
            false => self.parts.iter().map(of_part).fold(1, u64::saturating_add),
        }
    }
}

/// A value of suits, times a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SumPart {
    pub(super) factor: i64,
    pub(super) value: PartValue,
}

/// A value of each suit, or of one suit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PartValue {
    /// The part that each suit has in a measure of a hand.
    Measure(Seat, Measure),
    /// Kaplan and Rubens' points of each suit, and its shortness.
    CardPoints(Seat),
    Shortness(Seat),
    /// The value of an expression that depends on one suit.
    Value(Suit, Expression),
    /// 1 if all of these facts about a suit hold, or any of them, otherwise 0.
    Facts(Suit, BinaryOperator, Vec<Expression>),
}

/// Sets of shapes of one hand that a formula asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeSets {
    /// The shapes of all deals of the condition, if it restricts them.
    pub(super) required: Option<Vec<bool>>,
    pub(super) sets: Vec<Vec<bool>>,
}

impl ShapeSets {
    pub(super) fn is_empty(&self) -> bool {
        self.required.is_none() && self.sets.is_empty()
    }
}

#[derive(Clone, Debug)]
enum FormulaStep {
    Number(i64),
    Sum(usize),
    /// Whether a seat's shape belongs to one of its sets.
    Shape(Seat, usize),
    /// Kaplan and Rubens' evaluation, by the sums of points and of shortness.
    Evaluation([usize; 2]),
    Unary(UnaryOperator, usize, NodeId),
    Binary(BinaryOperator, [usize; 2], NodeId),
    Conditional([usize; 3]),
}

/// The suits and the seats that a part of a condition depends on, a bit for each.
#[derive(Clone, Copy, Debug)]
struct Dependence {
    suits: u8,
    seats: u8,
    /// Whether it depends on lengths alone.
    is_of_shapes: bool,
    may_fail: bool,
}

impl Formula {
    pub(super) fn new(condition: &Condition) -> Result<Self, CountError> {
        let expression = condition.expression();
        let mut maker = FormulaMaker {
            depends: dependences(expression)?,
            expression,
            known: BTreeMap::new(),
            formula: Self::default(),
        };
        maker.make()?;
        Ok(maker.formula)
    }

    /// Number of steps to judge the sums of a deal.
    pub(super) fn steps_of_judging(&self) -> u64 {
        20 + 20 * self.sums.len() as u64 + 5 * self.steps.len() as u64
    }

    /// Whether it holds for these sums of a deal, and the sets that each hand's shape belongs to.
    pub(super) fn holds(
        &self,
        sums: &[i64],
        sets: &[u32; 4],
        expression: &Expression,
    ) -> Result<bool, EvaluationError> {
        self.value(self.root, sums, sets, expression)
            .map(|value| value != 0)
    }

    fn value(
        &self,
        step: usize,
        sums: &[i64],
        sets: &[u32; 4],
        expression: &Expression,
    ) -> Result<i64, EvaluationError> {
        let of = |step: usize| self.value(step, sums, sets, expression);
        match &self.steps[step] {
            FormulaStep::Number(number) => Ok(*number),
            FormulaStep::Sum(sum) => Ok(sums[*sum]),
            FormulaStep::Shape(seat, set) => Ok(i64::from(sets[seat.index()] >> set & 1)),
            FormulaStep::Evaluation([points, shortness]) => {
                Ok(Measure::evaluation(sums[*points], sums[*shortness]))
            }
            FormulaStep::Unary(operator, operand, id) => {
                let value = of(*operand)?;
                let applied = operator.apply(value);
                applied.ok_or_else(|| expression.part(*id).failure(value))
            }
            FormulaStep::Binary(operator, [left, right], id) => {
                let left = of(*left)?;
                if let Some(value) = operator.decided_by(left) {
                    return Ok(value);
                }
                let right = of(*right)?;
                let joined = operator.apply(left, right);
                joined.ok_or_else(|| expression.part(*id).failure(right))
            }
            FormulaStep::Conditional([test, yes, no]) => match of(*test)? != 0 {
                true => of(*yes),
                false => of(*no),
            },
        }
    }
}

/// What every node of an expression depends on.
fn dependences(expression: &Expression) -> Result<BTreeMap<NodeId, Dependence>, CountError> {
    let tree = expression.tree();
    let mut all: BTreeMap<NodeId, Dependence> = BTreeMap::new();
    for id in tree.below(expression.root()) {
        let node = tree.node(id);
        let mut depends = Dependence {
            suits: 0,
            seats: 0,
            is_of_shapes: true,
            may_fail: expression.part(id).may_fail(),
        };
        if let Node::Hand(seat, measure) = node {
            depends.suits = suits_of(measure).ok_or(CountError::NotCards)?;
            depends.seats = 1 << seat.index();
            depends.is_of_shapes = matches!(measure, Measure::Length(_) | Measure::Pattern(_));
        }
        for operand in node.operands() {
            let of = &all[operand];
            depends.suits |= of.suits;
            depends.seats |= of.seats;
            depends.is_of_shapes &= of.is_of_shapes;
        }
        all.insert(id, depends);
    }
    Ok(all)
}

/// The suits that a measure depends on, a bit for each; `None` if it is not one of the cards.
fn suits_of(measure: &Measure) -> Option<u8> {
    let of = |suit: &Option<Suit>| suit.map_or(0xF, |suit| 1 << suit.index());
    match measure {
        Measure::Length(suit) | Measure::Quality(suit) => Some(of(&Some(*suit))),
        Measure::Holds(card) => Some(of(&Some(card.suit()))),
        Measure::Points { suit, .. } | Measure::Losers(suit) | Measure::HalfLosers(suit) => {
            Some(of(suit))
        }
        Measure::Pattern(_) | Measure::Evaluation => Some(0xF),
        Measure::Tricks(_) | Measure::Par(_) | Measure::Random { .. } => None,
    }
}

/// The operands of a chain, by what they depend on.
#[derive(Default)]
struct Operands {
    by_suit: [Vec<Expression>; 4],
    by_seat: [Vec<Expression>; 4],
    others: Vec<NodeId>,
}

/// The step of a sum and whether it is added or subtracted, if there is one, and a constant.
type Summed = (Option<(usize, bool)>, i64);

struct FormulaMaker<'c> {
    expression: &'c Expression,
    depends: BTreeMap<NodeId, Dependence>,
    known: BTreeMap<NodeId, usize>,
    formula: Formula,
}

impl FormulaMaker<'_> {
    fn make(&mut self) -> Result<(), CountError> {
        let root = self.expression.root();
        self.formula.may_fail = self.depends[&root].may_fail;
        if self.formula.may_fail {
            self.formula.root = self.step(root, 0)?;
            return Ok(());
        }
        let mut operands = self.operands(BinaryOperator::And, root);
        self.formula.required = std::mem::take(&mut operands.by_suit);
        for (seat, facts) in Seat::ALL
            .into_iter()
            .zip(std::mem::take(&mut operands.by_seat))
        {
            if !facts.is_empty() {
                let set = shapes(seat, BinaryOperator::And, &facts);
                self.formula.shapes[seat.index()].required = Some(set);
            }
        }
        self.formula.root = self.joined(BinaryOperator::And, operands, root, 0)?;
        Ok(())
    }

    fn add(&mut self, step: FormulaStep) -> usize {
        self.formula.steps.push(step);
        self.formula.steps.len() - 1
    }

    /// The step that computes a node.
    fn step(&mut self, id: NodeId, depth: usize) -> Result<usize, CountError> {
        if let Some(step) = self.known.get(&id) {
            return Ok(*step);
        }
        if depth > MAX_DEPTH {
            return Err(CountError::TooLarge(format!(
                "`{}`",
                self.expression.part(id)
            )));
        }
        let step = self.new_step(id, depth + 1)?;
        self.known.insert(id, step);
        Ok(step)
    }

    fn new_step(&mut self, id: NodeId, depth: usize) -> Result<usize, CountError> {
        use BinaryOperator::{And, Minus, Or, Plus};
        if let Some((sum, constant)) = self.sum(&[(id, 1)], false)? {
            let constant = self.add(FormulaStep::Number(constant));
            return Ok(match sum {
                Some((sum, true)) => self.add(FormulaStep::Binary(Plus, [constant, sum], id)),
                Some((sum, false)) => self.add(FormulaStep::Binary(Minus, [constant, sum], id)),
                None => constant,
            });
        }
        let depends = self.depends[&id];
        let is_truth = |node: &Node| match node {
            Node::Hand(_, measure) => matches!(measure, Measure::Pattern(_)),
            Node::Unary(operator, _) => *operator == UnaryOperator::Not,
            Node::Binary(operator, _) => operator.is_comparison(),
            _ => false,
        };
        let node = self.expression.tree().node(id).clone();
        if self.is_shape(&depends) && is_truth(&node) {
            let seat = Seat::ALL[depends.seats.trailing_zeros() as usize];
            return self.shape(seat, And, &[self.expression.part(id)]);
        }
        let step = match node {
            Node::Hand(seat, _) => {
                // Kaplan and Rubens' evaluation is the only measure left.
                let values = [PartValue::CardPoints(seat), PartValue::Shortness(seat)];
                let text = self.expression.part(id).to_string();
                let [points, shortness] = values.map(|value| {
                    let parts = vec![SumPart { factor: 1, value }];
                    self.number_of(parts, false, &text)
                });
                FormulaStep::Evaluation([points, shortness])
            }
            Node::Number(number) => FormulaStep::Number(number),
            Node::Binary(operator @ (And | Or), sides) if !depends.may_fail => {
                let operands = self.operands(operator, id);
                debug_assert_eq!(sides.len(), 2);
                return self.joined(operator, operands, id, depth);
            }
            Node::Binary(operator, [left, right]) if operator.is_comparison() => {
                // left - right is compared with 0.
                let sides = match self.sum(&[(left, 1), (right, -1)], true)? {
                    Some((Some((sum, true)), constant)) => {
                        [sum, self.add(FormulaStep::Number(-constant))]
                    }
                    Some((Some((sum, false)), constant)) => {
                        [self.add(FormulaStep::Number(constant)), sum]
                    }
                    Some((None, constant)) => {
                        [constant, 0].map(|number| self.add(FormulaStep::Number(number)))
                    }
                    None => [self.step(left, depth)?, self.step(right, depth)?],
                };
                FormulaStep::Binary(operator, sides, id)
            }
            Node::Binary(operator, [left, right]) => {
                let sides = [self.step(left, depth)?, self.step(right, depth)?];
                FormulaStep::Binary(operator, sides, id)
            }
            Node::Unary(operator, operand) => {
                FormulaStep::Unary(operator, self.step(operand, depth)?, id)
            }
            Node::Conditional([test, yes, no]) => {
                let test = self.step(test, depth)?;
                FormulaStep::Conditional([test, self.step(yes, depth)?, self.step(no, depth)?])
            }
        };
        Ok(self.add(step))
    }

    /// Whether a part depends on the shape of one hand alone.
    fn is_shape(&self, depends: &Dependence) -> bool {
        depends.is_of_shapes && depends.seats.count_ones() == 1 && !depends.may_fail
    }

    /// The operands of a chain of an operator, none of which may fail, in groups.
    fn operands(&self, operator: BinaryOperator, id: NodeId) -> Operands {
        let tree = self.expression.tree();
        let (mut operands, mut waiting) = (Operands::default(), vec![id]);
        while let Some(id) = waiting.pop() {
            let depends = &self.depends[&id];
            let part = || self.expression.part(id);
            if depends.suits.count_ones() == 1 {
                operands.by_suit[depends.suits.trailing_zeros() as usize].push(part());
                continue;
            }
            match tree.node(id) {
                Node::Binary(other, sides) if *other == operator => {
                    waiting.extend(sides.iter().rev());
                }
                _ if self.is_shape(depends) => {
                    operands.by_seat[depends.seats.trailing_zeros() as usize].push(part());
                }
                _ => operands.others.push(id),
            }
        }
        operands
    }

    /// The steps that join the operands of a chain.
    fn joined(
        &mut self,
        operator: BinaryOperator,
        operands: Operands,
        id: NodeId,
        depth: usize,
    ) -> Result<usize, CountError> {
        let is_and = operator == BinaryOperator::And;
        let mut steps = Vec::new();
        let facts = Suit::ALL.into_iter().zip(operands.by_suit);
        let facts = facts.filter(|(_, facts)| !facts.is_empty());
        let parts: Vec<SumPart> = facts
            .map(|(suit, facts)| SumPart {
                factor: 1,
                value: PartValue::Facts(suit, operator, facts),
            })
            .collect();
        if !parts.is_empty() {
            let wanted = if is_and { parts.len() as i64 } else { 0 };
            let text = self.expression.part(id).to_string();
            let sum = self.number_of(parts, false, &text);
            let sides = [
                self.add(FormulaStep::Sum(sum)),
                self.add(FormulaStep::Number(wanted)),
            ];
            let compared = match is_and {
                true => BinaryOperator::Equal,
                false => BinaryOperator::Greater,
            };
            steps.push(self.add(FormulaStep::Binary(compared, sides, id)));
        }
        for (seat, facts) in Seat::ALL.into_iter().zip(operands.by_seat) {
            if !facts.is_empty() {
                steps.push(self.shape(seat, operator, &facts)?);
            }
        }
        for operand in operands.others {
            // A root that is not a chain is its own operand.
            let step = match operand == id {
                true => self.new_step(operand, depth + 1)?,
                false => self.step(operand, depth)?,
            };
            steps.push(step);
        }
        let joined = steps.into_iter().reduce(|left, right| {
            self.formula
                .steps
                .push(FormulaStep::Binary(operator, [left, right], id));
            self.formula.steps.len() - 1
        });
        Ok(joined.unwrap_or_else(|| self.add(FormulaStep::Number(i64::from(is_and)))))
    }

    /// The step that asks whether a seat's shape satisfies all of these facts, or any.
    fn shape(
        &mut self,
        seat: Seat,
        operator: BinaryOperator,
        facts: &[Expression],
    ) -> Result<usize, CountError> {
        let set = shapes(seat, operator, facts);
        let sets = &mut self.formula.shapes[seat.index()].sets;
        let place = sets.iter().position(|other| *other == set);
        let place = place.unwrap_or_else(|| {
            sets.push(set);
            sets.len() - 1
        });
        match place < MOST_SETS {
            true => Ok(self.add(FormulaStep::Shape(seat, place))),
            false => Err(CountError::TooLarge(format!("`{}`", facts[0]))),
        }
    }

    /// The step of a sum of nodes times factors, and the constant that is added to it; `None` if it
    /// is not a sum over the suits. If the sum is only compared, its value may be another one with
    /// the same order to the constant.
    fn sum(
        &mut self,
        nodes: &[(NodeId, i64)],
        is_compared: bool,
    ) -> Result<Option<Summed>, CountError> {
        let tree = self.expression.tree();
        let (mut parts, mut constant): (Vec<SumPart>, i64) = (Vec::new(), 0);
        let mut waiting: Vec<(NodeId, i64)> = nodes.iter().rev().copied().collect();
        while let Some((id, factor)) = waiting.pop() {
            let depends = &self.depends[&id];
            if depends.may_fail || factor.abs() > MOST_FACTOR {
                return Ok(None);
            }
            let part = self.expression.part(id);
            if depends.seats == 0 {
                let value = part.value(&[HandCase::default(); 4])?;
                let product = value.checked_mul(factor);
                match product.and_then(|product| constant.checked_add(product)) {
                    Some(sum) if sum.abs() < 1 << 40 => constant = sum,
                    _ => return Ok(None),
                }
                continue;
            }
            if depends.suits.count_ones() == 1 {
                let suit = Suit::ALL[depends.suits.trailing_zeros() as usize];
                let value = PartValue::Value(suit, part);
                parts.push(SumPart { factor, value });
                continue;
            }
            match tree.node(id) {
                Node::Hand(_, Measure::Pattern(_) | Measure::Evaluation) => return Ok(None),
                Node::Hand(seat, measure) => {
                    let value = PartValue::Measure(*seat, measure.clone());
                    parts.push(SumPart { factor, value });
                }
                Node::Unary(UnaryOperator::Negate, operand) => waiting.push((*operand, -factor)),
                Node::Binary(BinaryOperator::Plus, [left, right]) => {
                    waiting.extend([(*right, factor), (*left, factor)]);
                }
                Node::Binary(BinaryOperator::Minus, [left, right]) => {
                    waiting.extend([(*right, -factor), (*left, factor)]);
                }
                Node::Binary(BinaryOperator::Times, [left, right]) => {
                    let constant = |id: &NodeId| {
                        let part = self.expression.part(*id);
                        let is_number = self.depends[id].seats == 0;
                        is_number.then(|| part.value(&[HandCase::default(); 4]))
                    };
                    let (value, other) = match (constant(left), constant(right)) {
                        (Some(value), _) => (value?, *right),
                        (_, Some(value)) => (value?, *left),
                        _ => return Ok(None),
                    };
                    match value.checked_mul(factor) {
                        Some(factor) => waiting.push((other, factor)),
                        None => return Ok(None),
                    }
                }
                _ => return Ok(None),
            }
        }
        if parts.is_empty() {
            return Ok(Some((None, constant)));
        }
        let is_added = parts[0].factor > 0;
        if !is_added {
            parts.iter_mut().for_each(|part| part.factor = -part.factor);
        }
        let text = self.expression.part(nodes[0].0).to_string();
        let is_truth = is_compared && constant == 0 && parts.iter().all(SumPart::is_never_negative);
        let number = self.number_of(parts, is_truth, &text);
        let step = self.add(FormulaStep::Sum(number));
        Ok(Some((Some((step, is_added)), constant)))
    }

    /// The number of a sum; equal sums are one.
    fn number_of(&mut self, parts: Vec<SumPart>, is_truth: bool, text: &str) -> usize {
        let sums = &mut self.formula.sums;
        let is_same = |sum: &SumOfSuits| sum.is_truth == is_truth && sum.parts == parts;
        let place = sums.iter().position(is_same);
        place.unwrap_or_else(|| {
            let text = text.to_owned();
            sums.push(SumOfSuits {
                parts,
                is_truth,
                text,
            });
            sums.len() - 1
        })
    }
}

/// The shapes of a hand that satisfy all of these facts, or any.
fn shapes(seat: Seat, operator: BinaryOperator, facts: &[Expression]) -> Vec<bool> {
    let holds = |index: PatternIndex| {
        let mut hands = [HandCase::default(); 4];
        hands[seat.index()].pattern = Some(index);
        hold(operator, facts, &hands)
    };
    PatternIndex::all().map(holds).collect()
}

/// Whether all of these facts hold for these hands, or any.
fn hold(operator: BinaryOperator, facts: &[Expression], hands: &impl Measurable) -> bool {
    let mut facts = facts.iter().map(|fact| fact.holds(hands) == Ok(true));
    match operator {
        BinaryOperator::And => facts.all(|holds| holds),
        _ => facts.any(|holds| holds),
    }
}

impl SumPart {
    fn is_never_negative(&self) -> bool {
        let [least, _] = match &self.value {
            PartValue::Measure(_, measure) => measure.bounds(),
            PartValue::Value(_, expression) => expression.bounds(),
            _ => return false,
        };
        least >= 0 && self.factor > 0
    }
}

impl SumOfSuits {
    /// What a suit adds, for hands of which the suit's cards are known.
    pub(super) fn of_suit(&self, suit: Suit, hands: &impl SuitHands) -> i64 {
        let value = |part: &SumPart| match &part.value {
            PartValue::Measure(seat, measure) => hands.measure(*seat, measure),
            PartValue::CardPoints(seat) => hands.card_points(*seat),
            PartValue::Shortness(seat) => hands.shortness(*seat),
            PartValue::Value(of, expression) if *of == suit => expression.value(hands).unwrap_or(0),
            PartValue::Facts(of, operator, facts) if *of == suit => {
                i64::from(hold(*operator, facts, hands))
            }
            PartValue::Value(..) | PartValue::Facts(..) => 0,
        };
        let parts = self.parts.iter().map(|part| part.factor * value(part));
        match (self.is_truth, parts.sum()) {
            (true, sum) => i64::from(sum != 0),
            (false, sum) => sum,
        }
    }
}

/// Hands of which the cards of one suit are known.
pub(super) trait SuitHands: Measurable {
    fn card_points(&self, seat: Seat) -> i64;
    fn shortness(&self, seat: Seat) -> i64;
}
