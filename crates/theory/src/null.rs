//! Laws of unconstrained deals for tests of whole deals.
//!
//! Counting them takes 20 ms, so every program reads them from `null/laws.csv`, and a test counts
//! them again (`null/counted.rs`).

#[cfg(test)]
mod counted;

use super::Distribution;
use crate::bridge::combinatorics::{DEALS, choose};
use crate::bridge::honours::HCP_COUNT;
use crate::bridge::pattern::SHAPE_COUNT;

/// The laws: name, outcome and number of ways of every outcome with any.
const LAWS: &str = include_str!("null/laws.csv");

/// The laws. Each numerator counts deals, hands or pairs of hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NullLaws {
    /// Two seats' shapes, indexed by the first's shape index times 39 plus the second's.
    pub joint_shapes: Distribution,
    /// Two seats' HCP, indexed by the first's times 38 plus the second's.
    pub joint_hcp: Distribution,
    /// The flatness F, the sum of the squares of a deal's sixteen suit lengths, 0..=676.
    pub flatness: Distribution,
    /// The number of voids in a deal, 0..=12.
    pub voids: Distribution,
    /// The overlap V: the number of cards that two independent deals give to the same seat, 0..=52.
    pub overlap: Distribution,
    /// The longest suit in any of the four hands of a deal, 0..=13.
    pub longest_suit: Distribution,
    /// The longest suit of a hand, 0..=13.
    pub longest_of_hand: Distribution,
    /// The longest combined suit of two hands, 0..=13.
    pub best_fit: Distribution,
}

/// Returns the laws, which are kept in the program.
///
/// # Panics
///
/// Never: a test reads all of them.
pub fn null_laws() -> NullLaws {
    let hands = choose(52, 13);
    let pairs = hands * choose(39, 13);
    NullLaws {
        joint_shapes: law("joint shapes", SHAPE_COUNT * SHAPE_COUNT, pairs),
        joint_hcp: law("joint HCP", HCP_COUNT * HCP_COUNT, pairs),
        flatness: law("flatness", 677, DEALS),
        voids: law("voids", 13, DEALS),
        overlap: law("overlap", 53, DEALS),
        longest_suit: law("longest suit", 14, DEALS),
        longest_of_hand: law("longest of hand", 14, hands),
        best_fit: law("best fit", 14, choose(52, 26)),
    }
}

/// Returns the law of this name. The check that its ways sum to `of` covers the whole file.
fn law(name: &str, outcomes: usize, of: u128) -> Distribution {
    let mut ways = vec![0; outcomes];
    for line in LAWS.lines() {
        let fields = line
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(','));
        let Some((outcome, count)) = fields.and_then(|fields| fields.split_once(',')) else {
            continue;
        };
        let outcome: usize = outcome.parse().expect("an outcome is an integer");
        ways[outcome] = count.parse().expect("a number of ways is an integer");
    }
    Distribution::new(ways, of)
}
