//! `evalcontract`: how often a contract makes, what it scores, and what it misses, as averages.

use super::Span;
use super::measure::Measure;
use super::operators::{BinaryOperator, UnaryOperator};
use super::score::Contract;
use super::tree::{Node, NodeId, Tree};
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
    /// The labels and values of the averages: the score, the percentage of deals on which the
    /// contract makes and, for the higher contracts of a game and a small slam in the strain, the
    /// percentage on which these would have been best and the IMPs lost to them. The place of each
    /// value is that of the action.
    ///
    /// The declarer is south or west, as in DealerV2_4.
    pub(super) fn averages(&self, tree: &mut Tree, span: &Span) -> Vec<(String, NodeId)> {
        use BinaryOperator::{And, GreaterOrEqual, Less, Minus, Times};
        let (contract, side) = (self.contract, self.side.letters());
        let vulnerable = if self.is_vulnerable { " vul" } else { "" };
        let name = format!("{}{vulnerable} by {side}", contract.name());
        let average = |what: &str, value| (format!("{name}: {what}"), value);
        let mut add = |node| tree.add(node, span.clone());
        let declarer = match self.side {
            Side::NorthSouth => Seat::South,
            Side::EastWest => Seat::West,
        };
        let tricks = add(Node::Hand(declarer, Measure::Tricks(contract.strain())));
        let hundred = add(Node::Number(100));
        let [makes, game_makes, slam_makes] = [contract, contract.game(), contract.small_slam()]
            .map(|contract| {
                let least = add(Node::Number(contract.tricks()));
                add(Node::Binary(GreaterOrEqual, [tricks, least]))
            });
        let scored = |contract| UnaryOperator::Score {
            vulnerable: self.is_vulnerable,
            contract,
        };
        let score = add(Node::Unary(scored(contract), tricks));
        let made = add(Node::Binary(Times, [hundred, makes]));
        let mut averages = vec![average("score", score), average("made, %", made)];
        let slam = add(Node::Number(SLAM));
        let below_slam = add(Node::Binary(Less, [tricks, slam]));
        let is_game = add(Node::Binary(And, [game_makes, below_slam]));
        for (missed, is_best, higher) in [
            ("game", is_game, contract.game()),
            ("slam", slam_makes, contract.small_slam()),
        ] {
            if higher.tricks() <= contract.tricks() {
                continue;
            }
            let percent = add(Node::Binary(Times, [hundred, is_best]));
            let higher = add(Node::Unary(scored(higher), tricks));
            let lost = add(Node::Binary(Minus, [higher, score]));
            let imps = add(Node::Unary(UnaryOperator::Imps, lost));
            let lost = add(Node::Binary(Times, [imps, is_best]));
            averages.push(average(&format!("{missed} missed, %"), percent));
            averages.push(average(&format!("IMPs lost to {missed}"), lost));
        }
        averages
    }
}
