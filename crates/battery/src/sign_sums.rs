//! Sums of the signs of cards' seats, shared by the tests of pairs of cards.
//!
//! Three signs encode the four seats of a card: v1 distinguishes north and east from south and
//! west, v2 distinguishes north and south from east and west, and v3 is their product. m_i(c) is
//! the sum of v_i(c) over deals. M_ij(a, b) is the sum of v_i(a) v_j(b) within deals, and L_ij(a,
//! b) the sum between deals. Deals form a permutation module of the symmetric group. Its
//! irreducible parts are uncorrelated, which gives sums of squares their exact variances
//! (docs/methodology.md).

use crate::tally::SecondOrder;

/// The signs v1, v2 and v3 by seat.
pub(crate) const SIGNS: [[f64; 4]; 3] = [
    [1.0, 1.0, -1.0, -1.0],
    [1.0, -1.0, 1.0, -1.0],
    [1.0, -1.0, -1.0, 1.0],
];

/// Returns all pairs of signs i and j of two cards.
pub(crate) fn sign_pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..3).flat_map(|i| (0..3).map(move |j| (i, j)))
}

/// Returns M_ij or L_ij: signs counted from 0, cards by index.
pub(crate) fn product(sums: &SecondOrder, (i, a): (usize, usize), (j, b): (usize, usize)) -> f64 {
    sums.product_of_rows(3 * a + i, 3 * b + j) as f64
}

/// Returns m_i(c) of the same deals: each sign of a card is the product of its two others.
pub(crate) fn first_order(sums: &SecondOrder) -> [[f64; 52]; 3] {
    first_order_sums(sums).map(|of_sign| of_sign.map(|sum| sum as f64))
}

/// Returns the same sums as integers, which may have more bits than an `f64` can hold.
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
