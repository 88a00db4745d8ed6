//! Pavlicek's number of a deal (*Mapping Bridge Deals*, 1999).
//!
//! The cards in the order SA HA DA CA SK .. C2 go one by one to north, east, south or west. The
//! number counts the deals in which the first different card goes to an earlier seat. 0 gives north
//! the first thirteen cards, east the next, then south; D - 1 gives them to west, south, east.

mod decode;
mod earlier;

use std::sync::LazyLock;

use super::{OutOfRange, order, partition};
use crate::bridge::combinatorics::{DEALS, choose};
use crate::bridge::{Card, Deal, Hand};
use earlier::{EARLIER, EarlierDeals};

/// Returns the number of a deal, below D.
pub fn encode(deal: &Deal) -> u128 {
    number(deal.hands().map(order::by_ranks))
}

/// Returns the deal with this number.
///
/// # Errors
///
/// [`OutOfRange`] if the number is not below D.
pub fn decode(number: u128) -> Result<Deal, OutOfRange> {
    self::deal(number, order::from_ranks)
}

/// Returns the number of hands, given as masks of cards in the order of the numbering.
pub(super) fn number([_, east, south, west]: [u64; 4]) -> u128 {
    number_of_masks(east | west, south | west)
}

/// Returns the number of a deal, given the cards of east and west and those of south and west.
pub fn number_of_sides(east_west: Hand, south_west: Hand) -> u128 {
    number_of_masks(order::by_ranks(east_west), order::by_ranks(south_west))
}

/// Adds, two cards at a time, the deals in which one of them goes to an earlier seat.
fn number_of_masks(mut east_west: u64, mut south_west: u64) -> u128 {
    let EarlierDeals { earlier, late } = &*EARLIER;
    let mut state = FIRST_STATE;
    let mut next = || {
        let seats = (east_west & 3 | (south_west & 3) << 2) as usize;
        let half = state / 2;
        state -= STEPS_OF_TWO[seats];
        east_west >>= 2;
        south_west >>= 2;
        (half, seats)
    };
    let (mut number, mut rest) = (0, 0);
    for _ in 0..(Card::COUNT - LATE) / 2 {
        let (half, seats) = next();
        number += earlier[half][seats];
    }
    for _ in 0..LATE / 2 {
        let (half, seats) = next();
        rest += late[half][seats];
    }
    number + u128::from(rest)
}

/// Number of last cards that can be dealt in fewer than 2^64 ways, however many of them each seat
/// has.
const LATE: usize = 34;

/// Digits of a state: one more than the number of cards left for north, east, south and west, so
/// that for a seat without cards the state before has 0 ways.
const STEPS: [usize; 4] = [1, 15, 15 * 15, 15 * 15 * 15];

/// The state before the first card.
const FIRST_STATE: usize = 14 * (STEPS[0] + STEPS[1] + STEPS[2] + STEPS[3]);

/// The seats of two cards, by the lower bits of both and then the upper ones.
const fn seats_of_two(seats: usize) -> [usize; 2] {
    [seats & 1 | seats >> 1 & 2, seats >> 1 & 1 | seats >> 2 & 2]
}

/// By the seats of two cards: the steps of both.
const STEPS_OF_TWO: [usize; 16] = {
    let mut steps = [0; 16];
    let mut seats = 0;
    while seats < 16 {
        let [first, second] = seats_of_two(seats);
        steps[seats] = STEPS[first] + STEPS[second];
        seats += 1;
    }
    steps
};

/// Returns the number of ways to deal the rest, by state: with c cards left for each seat,
/// (sum c)! / product c!.
fn ways() -> &'static [u128] {
    static WAYS: LazyLock<Vec<u128>> = LazyLock::new(|| {
        let of = |state: usize| {
            let [n, e, s, w] = STEPS.map(|step| (state / step % 15).checked_sub(1));
            let (Some(n), Some(e), Some(s), Some(w)) = (n, e, s, w) else {
                return 0;
            };
            choose(n + e + s + w, n) * choose(e + s + w, e) * choose(s + w, s)
        };
        (0..15 * 15 * 15 * 15).map(of).collect()
    });
    &WAYS
}

/// Returns the deal with a number, with cards in the order that `hand` converts from.
pub(super) fn deal(number: u128, hand: fn(u64) -> Hand) -> Result<Deal, OutOfRange> {
    let number = OutOfRange::check(number, DEALS)?;
    let [east_west, south_west] = match decode::owners(number) {
        Some(owners) => [mask(owners), mask(owners >> 1)],
        None => {
            let [_, east, south, west] = partition::decode(number, DEALS, [13, 13, 13, 13, 0]);
            [east | west, south | west]
        }
    };
    let (east_west, south_west) = (hand(east_west), hand(south_west));
    let west = east_west.intersection(south_west);
    Ok(Deal::by_construction([
        Hand::DECK.without(east_west).without(south_west),
        east_west.without(west),
        south_west.without(west),
        west,
    ]))
}

/// Returns the lower bit of each pair as a mask, the highest pair first.
fn mask(pairs: u128) -> u64 {
    order::lower_bits(pairs).reverse_bits() >> (64 - Card::COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns numbers from the whole range.
    fn numbers() -> impl Iterator<Item = u128> {
        let mut word = 1u128;
        std::iter::repeat_with(move || {
            word = word.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645) + 1;
            (word >> 16) % DEALS
        })
    }

    /// Returns the hands of [`deal`], and of the slow loop.
    fn both_ways(number: u128) -> [[u64; 4]; 2] {
        let fast = decode(number).unwrap().hands().map(order::by_ranks);
        [fast, partition::decode(number, DEALS, [13, 13, 13, 13, 0])]
    }

    #[test]
    fn the_fast_way_deals_nearly_all_numbers_and_as_the_slow_loop_does() {
        for number in numbers().take(100_000) {
            assert!(decode::owners(number).is_some());
            let [fast, slow] = both_ways(number);
            assert_eq!(fast, slow, "{number}");
        }
    }

    #[test]
    fn the_first_numbers_of_cells_are_right_though_the_fast_way_leaves_them() {
        // After any number of cards of a deal, the rest is in the order of the seats: the first
        // number of a cell. The piece that begins before it belongs to another cell.
        let mut left = 0;
        for cards in 1..52 {
            for number in numbers().take(500) {
                let [hands, _] = both_ways(number);
                let known = hands.map(|hand| hand & ((1 << cards) - 1));
                let mut first = known;
                let mut seat = 0;
                for card in cards..52 {
                    while first[seat].count_ones() == 13 {
                        seat += 1;
                    }
                    first[seat] |= 1 << card;
                }
                let number = self::number(first);
                left += u32::from(decode::owners(number).is_none());
                for beside in [number.saturating_sub(1), number, number + 1] {
                    let [fast, slow] = both_ways(beside);
                    assert_eq!(fast, slow, "{beside}");
                }
                assert_eq!(both_ways(number)[0], first);
            }
        }
        assert!(left > 2_500, "{left}");
    }
}
