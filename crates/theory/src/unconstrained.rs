//! Closed forms for unconstrained deals.

use super::lengths::{choices, patterns};
use super::points::{self, ACES, CONTROLS, HCP, PointScale};
use super::{Distribution, Theory};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Card, Suit};

/// Computes the theory of unconstrained deals from these formulas:
///
/// - a hand's pattern n: product of C(13, n_s) out of C(52, 13);
/// - its points: the sum over its honours, k in number, of C(36, 13 - k);
/// - a side's length l of a suit: C(13, l) C(39, 26 - l) out of C(52, 26);
/// - its HCP: the sum over its honours of C(36, 26 - k);
/// - the seat of a card: 1/4 each.
pub(super) fn theory() -> Theory {
    let of_pattern = |lengths: &[u8; 4]| choices(&[13; 4], lengths);
    let length = |l: usize| choose(13, l) * choose(39, 26 - l);
    let of_hand = |ways: Vec<u128>| {
        let distribution = Distribution::new(ways, choose(52, 13));
        std::array::from_fn(|_| distribution.clone())
    };
    let of_side = |ways| Distribution::new(ways, choose(52, 26));
    let of_points = |scale: PointScale| {
        let mut ways = points::of_deck(scale, 13);
        ways.truncate(scale.of_hand);
        of_hand(ways)
    };
    Theory {
        patterns: of_hand(patterns().iter().map(of_pattern).collect()),
        hcp: of_points(HCP),
        aces: of_points(ACES),
        controls: of_points(CONTROLS),
        north_south_hcp: of_side(points::of_deck(HCP, 26)),
        north_south_lengths: Suit::ALL.map(|_| of_side((0..14).map(length).collect())),
        cards: Card::all()
            .map(|_| Distribution::new(vec![1; 4], 4))
            .collect(),
    }
}
