//! Pavlicek's number of a deal (*Mapping Bridge Deals*, 1999).
//!
//! The cards in the order SA HA DA CA SK .. C2 go one by one to north, east, south or
//! west: the number counts the deals in which the first card to differ goes to an
//! earlier seat. 0 gives north the first thirteen cards, east the next, then
//! south; D - 1 gives them to west, south, east.

use std::sync::LazyLock;

use super::partition::{self, PLACES};
use super::{OutOfRange, order};
use crate::cards::{Card, Deal, Hand};
use crate::combinatorics::{DEALS, choose};

/// Cards still to come for each seat, none unused.
const LEFT: [u8; PLACES] = [13, 13, 13, 13, 0];

/// The deal's number, below D.
#[must_use]
pub fn encode(deal: &Deal) -> u128 {
    number(deal.hands().map(order::by_ranks))
}

/// The deal of this number.
///
/// # Errors
///
/// [`OutOfRange`] from D on.
pub fn decode(number: u128) -> Result<Deal, OutOfRange> {
    Ok(Deal::by_construction(hands(number)?.map(order::from_ranks)))
}

/// The number of hands as masks of cards in the order of the numbering.
pub(super) fn number([_, east, south, west]: [u64; 4]) -> u128 {
    number_of_masks(east | west, south | west)
}

/// The deal's number by two sides: what east and west hold, what south and west hold.
pub(crate) fn number_of_sides(east_west: Hand, south_west: Hand) -> u128 {
    number_of_masks(order::by_ranks(east_west), order::by_ranks(south_west))
}

/// With c cards still to come for each seat the rest can be dealt in (sum c)! /
/// product c! ways: a table of them gives the number by additions.
fn number_of_masks(mut east_west: u64, mut south_west: u64) -> u128 {
    let ways = ways();
    let mut state = 14 * STEPS.iter().sum::<usize>();
    let mut rest = ways[state];
    let mut number = 0;
    for _ in 0..Card::COUNT {
        let (odd, upper) = (east_west & 1, south_west & 1);
        let seat = (upper << 1 | odd) as usize;
        // The ways to give the card to a seat before: none before north, north's
        // before east, all but south's and west's before south, all but west's.
        let given = ways[state - STEPS[seat]];
        let other = ways[state - OTHERS[seat]];
        let (inner, upper) = (all_ones(odd ^ upper), all_ones(upper));
        // Subtracted where the card is south's: -x is !x + 1.
        number += ((rest - given) & upper)
            .wrapping_add(other & inner ^ upper)
            .wrapping_sub(upper);
        rest = given;
        state -= STEPS[seat];
        east_west >>= 1;
        south_west >>= 1;
    }
    number
}

/// Digits of a state: one more than the cards still to come for north, east, south
/// and west, so that a seat without any has a place before it, of no ways.
const STEPS: [usize; 4] = [1, 15, 15 * 15, 15 * 15 * 15];

/// What a seat's part is reckoned with: north's ways for east, west's for south.
const OTHERS: [usize; 4] = [STEPS[0], STEPS[0], STEPS[3], STEPS[3]];

/// Ways to deal the rest by state.
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

/// All ones for 1, zeros for 0.
fn all_ones(bit: u64) -> u128 {
    let half = bit.wrapping_neg();
    u128::from(half) << 64 | u128::from(half)
}

/// The hands of a number as masks of cards in the order of the numbering.
pub(super) fn hands(number: u128) -> Result<[u64; 4], OutOfRange> {
    let number = OutOfRange::check(number, DEALS)?;
    Ok(partition::decode(number, DEALS, LEFT))
}
