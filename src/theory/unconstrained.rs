//! Closed forms for unconstrained deals.

use super::{Distribution, Theory};
use crate::cards::honours::HCP_COUNT;
use crate::cards::{Card, Honours, PatternIndex, Suit};
use crate::combinatorics::choose;

/// - a hand's pattern n: product of C(13, n_s) out of C(52, 13);
/// - its HCP: the sum over its honours, k in number, of C(36, 13 - k);
/// - a side's length l of a suit: C(13, l) C(39, 26 - l) out of C(52, 26);
/// - its HCP: the sum over its honours of C(36, 26 - k);
/// - the seat of a card: 1/4 each.
pub(super) fn theory() -> Theory {
    let patterns: Vec<u128> = PatternIndex::all()
        .map(|index| {
            let lengths = index.pattern().lengths();
            lengths
                .iter()
                .map(|&n| choose(13, usize::from(n)))
                .product()
        })
        .collect();
    let hcp = points(13, HCP_COUNT);
    let side_hcp = points(26, 41);
    let lengths: Vec<u128> = (0..=13)
        .map(|l| choose(13, l) * choose(39, 26 - l))
        .collect();

    let of_hand = |ways: &Vec<u128>| Distribution::new(ways.clone(), choose(52, 13));
    let of_side = |ways: &Vec<u128>| Distribution::new(ways.clone(), choose(52, 26));
    Theory {
        patterns: std::array::from_fn(|_| of_hand(&patterns)),
        hcp: std::array::from_fn(|_| of_hand(&hcp)),
        north_south_hcp: of_side(&side_hcp),
        north_south_lengths: Suit::ALL.map(|_| of_side(&lengths)),
        cards: Card::all()
            .map(|_| Distribution::new(vec![1; 4], 4))
            .collect(),
    }
}

/// Ways of so many cards by points: every set of honours that fits, filled up with spots.
fn points(cards: usize, totals: usize) -> Vec<u128> {
    let mut ways = vec![0; totals];
    for map in (0..=u16::MAX).map(Honours::from_bits) {
        if let Some(spots) = cards.checked_sub(map.len() as usize)
            && let Some(ways) = ways.get_mut(map.hcp() as usize)
        {
            *ways += choose(36, spots);
        }
    }
    ways
}
