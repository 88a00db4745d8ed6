//! `evalcontract`: how often a contract makes, what it scores, and what it misses, as averages.

use std::sync::Arc;

use super::Span;
use super::measure::Measure;
use super::operators::{BinaryOperator, UnaryOperator};
use super::score::Contract;
use super::script::Action;
use super::tree::{Expression, Node};
use crate::bridge::{Seat, Side};

/// Tricks of a small slam.
const SLAM: i64 = 12;

/// A contract that a side plays on every deal.
pub(super) struct EvaluatedContract {
    pub(super) side: Side,
    pub(super) contract: Contract,
    pub(super) is_vulnerable: bool,
}

impl EvaluatedContract {
    /// The averages: the score, the percentage of deals on which the contract makes and, for the
    /// higher contracts of a game and a small slam in the strain, the percentage on which these
    /// would have been best and the IMPs lost to them.
    ///
    /// The declarer is south or west, as in DealerV2_4.
    pub(super) fn averages(&self, span: &Span) -> Vec<Action> {
        let part = Parts { span };
        let (contract, side) = (self.contract, self.side.letters());
        let vulnerable = if self.is_vulnerable { " vul" } else { "" };
        let name = format!("{}{vulnerable} by {side}", contract.name());
        let tricks = || part.tricks(self.declarer(), contract);
        let score = |contract| part.score(self.is_vulnerable, contract, tricks());
        let at_least =
            |least| part.joined(BinaryOperator::GreaterOrEqual, tricks(), part.number(least));
        let average = |what: &str, value| Action::Average {
            label: format!("{name}: {what}"),
            value,
        };
        let mut averages = vec![
            average("score", score(contract)),
            average("made, %", part.percent(at_least(contract.tricks()))),
        ];
        let (game, slam) = (contract.game(), contract.small_slam());
        let below_slam = part.joined(BinaryOperator::Less, tricks(), part.number(SLAM));
        let is_game = part.joined(BinaryOperator::And, at_least(game.tricks()), below_slam);
        for (missed, is_best, higher) in [("game", is_game, game), ("slam", at_least(SLAM), slam)] {
            if higher.tricks() <= contract.tricks() {
                continue;
            }
            let lost = part.joined(BinaryOperator::Minus, score(higher), score(contract));
            let imps = part.unary(UnaryOperator::Imps, lost);
            let lost = part.joined(BinaryOperator::Times, imps, is_best.clone());
            averages.push(average(
                &format!("{missed} missed, %"),
                part.percent(is_best),
            ));
            averages.push(average(&format!("IMPs lost to {missed}"), lost));
        }
        averages
    }

    fn declarer(&self) -> Seat {
        match self.side {
            Side::NorthSouth => Seat::South,
            Side::EastWest => Seat::West,
        }
    }
}

/// Makes expressions whose place is the action.
struct Parts<'s> {
    span: &'s Span,
}

impl Parts<'_> {
    fn of(&self, node: Node) -> Expression {
        Expression::new(node, self.span.clone())
    }

    fn number(&self, number: i64) -> Expression {
        self.of(Node::Number(number))
    }

    fn tricks(&self, declarer: Seat, contract: Contract) -> Expression {
        self.of(Node::Hand(declarer, Measure::Tricks(contract.strain())))
    }

    fn unary(&self, operator: UnaryOperator, operand: Expression) -> Expression {
        self.of(Node::Unary(operator, Arc::new(operand)))
    }

    fn joined(&self, operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
        self.of(Node::Binary(operator, Arc::new([left, right])))
    }

    fn score(&self, vulnerable: bool, contract: Contract, tricks: Expression) -> Expression {
        let operator = UnaryOperator::Score {
            vulnerable,
            contract,
        };
        self.unary(operator, tricks)
    }

    fn percent(&self, condition: Expression) -> Expression {
        self.joined(BinaryOperator::Times, self.number(100), condition)
    }
}
