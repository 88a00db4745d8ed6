//! Sums of the signs of cards' seats, which the tests of pairs of cards share.
//!
//! The four seats of a card are coded by three signs: v1 tells north and east
//! from south and west, v2 north and south from east and west, v3 is their
//! product. m_i(c) is the sum of v_i(c) over deals, M_ij(a, b) that of v_i(a)
//! v_j(b) within deals, L_ij(a, b) that between deals. Deals are a permutation
//! module of the symmetric group: its irreducible parts are uncorrelated, which
//! gives sums of squares their exact variances (docs/methodology.md).

use crate::tally::SecondOrder;

/// The sign rows of a seat: v1, v2, v3.
pub(crate) const SIGNS: [[f64; 4]; 3] = [
    [1.0, 1.0, -1.0, -1.0],
    [1.0, -1.0, 1.0, -1.0],
    [1.0, -1.0, -1.0, 1.0],
];

/// Signs of two cards: i and j.
pub(crate) fn sign_pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..3).flat_map(|i| (0..3).map(move |j| (i, j)))
}

/// M_ij or L_ij: signs from 0, cards by their indices.
pub(crate) fn product(sums: &SecondOrder, (i, a): (usize, usize), (j, b): (usize, usize)) -> f64 {
    sums.product_of_rows(3 * a + i, 3 * b + j) as f64
}

/// m_i(c) of the same deals: a card's two other signs multiply to each.
pub(crate) fn first_order(sums: &SecondOrder) -> [[f64; 52]; 3] {
    first_order_sums(sums).map(|of_sign| of_sign.map(|sum| sum as f64))
}

/// The same as integers, which may have more bits than an `f64` takes.
pub(crate) fn first_order_sums(sums: &SecondOrder) -> [[i64; 52]; 3] {
    let sum = |i, j, card| sums.product_of_rows(3 * card + i, 3 * card + j);
    [(1, 2), (0, 2), (0, 1)].map(|(i, j)| std::array::from_fn(|card| sum(i, j, card)))
}

pub(crate) fn square(value: f64) -> f64 {
    value * value
}

#[cfg(test)]
mod tests {
    use crate::bridge::{Card, Rank, Suit};

    #[test]
    fn cards_are_counted_as_thirteen_times_suit_plus_rank_aces_first() {
        let ace = Card::all().next().unwrap();
        assert_eq!(
            (ace.suit(), ace.rank()),
            (Suit::Spades, Rank::all().next().unwrap())
        );
    }
}
