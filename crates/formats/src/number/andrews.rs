//! Andrews' number of a deal by the squashed order (*Encoding Bridge Deals*).
//!
//! Cards are 0 = SA .. 51 = C2. North's hand is one of C(52,13) subsets, east's one of C(39,13) of
//! the cards that north leaves, and south's one of C(26,13) of the rest. The number is N × C(39,13)
//! C(26,13) + E × C(26,13) + S, with each subset's index in the squashed order (formula (\*): the
//! sum of C(x_k, k) over its members, where x_1 is the smallest). Positions among the remaining
//! cards need no list of cards: each member removed moves every card above it down by one.

use super::{OutOfRange, order};
use crate::bridge::Deal;
use crate::bridge::combinatorics::{DEALS, choose_u64};

/// Number of cards in a hand.
const HAND: usize = 13;
/// Number of south's hands.
const SOUTHS: u64 = choose_u64(26, HAND);
/// Number of east's and south's hands.
const PAIRS: u64 = choose_u64(39, HAND) * SOUTHS;

/// Returns the number of a deal, below D.
pub fn encode(deal: &Deal) -> u128 {
    number(deal.hands().map(order::by_suits))
}

/// Returns the deal with this number.
///
/// # Errors
///
/// [`OutOfRange`] if the number is not below D.
pub fn decode(number: u128) -> Result<Deal, OutOfRange> {
    let number = OutOfRange::check(number, DEALS)?;
    Ok(Deal::by_construction(hands(number).map(order::from_suits)))
}

/// Returns the number of hands, given as masks of cards with the first card lowest.
pub(super) fn number([north, mut east, mut south, _]: [u64; 4]) -> u128 {
    let norths = index(north, [&mut east, &mut south]);
    let easts = index(east, [&mut south]);
    let souths = index(south, []);
    // The number of east's and south's hands is below PAIRS, 57 bits.
    u128::from(norths) * u128::from(PAIRS) + u128::from(easts * SOUTHS + souths)
}

/// Returns the hands of a number below D, as masks of cards with the first card lowest.
pub(super) fn hands(number: u128) -> [u64; 4] {
    let (norths, pair) = divide_by_pairs(number);
    let [north, east, south] = members([norths, pair / SOUTHS, pair % SOUTHS]);
    let mask = |members: &[u8; HAND]| members.iter().fold(0, |mask, member| mask | 1 << member);
    let norths = mask(&north);
    let easts = opened(mask(&east), &north);
    let souths = opened(opened(mask(&south), &east), &north);
    let wests = (1 << 52) - 1 - norths - easts - souths;
    [norths, easts, souths, wests]
}

/// Returns the index of the subset, and removes its members from the positions of `others`.
fn index<const N: usize>(mut subset: u64, mut others: [&mut u64; N]) -> u64 {
    let mut index = 0;
    for (before, below) in BELOW[1..].iter().enumerate() {
        let member = subset.trailing_zeros() as usize;
        subset &= subset.wrapping_sub(1);
        index += below[member];
        // Lower members are already removed.
        let above = u64::MAX << (member - before);
        for other in &mut others {
            **other -= (**other & above) >> 1;
        }
    }
    index
}

/// Returns the members, ascending, of the subsets with these indices.
///
/// The largest member is the largest x for which C(x, 13) is at most the index; the remainder is
/// the index of the other members. The three searches run side by side, so that none waits for
/// another.
fn members(mut indexes: [u64; 3]) -> [[u8; HAND]; 3] {
    let mut members = [[0; HAND]; 3];
    for place in (0..HAND).rev() {
        let (below, least) = (&BELOW[place + 1], &LEAST[place]);
        for (index, members) in indexes.iter_mut().zip(&mut members) {
            let least = usize::from(least[bucket(*index)]);
            let member = least + usize::from(below[least + 1] <= *index);
            *index -= below[member];
            members[place] = member as u8;
        }
    }
    members
}

/// Returns these cards with positions inserted for other members.
// Not inlined: next to the search for members, compilers vectorise these shifts, and decoding takes
// twice as long.
#[inline(never)]
fn opened(mut cards: u64, members: &[u8; HAND]) -> u64 {
    for (before, member) in members.iter().enumerate().rev() {
        // Lower members are inserted later, and move this one up.
        cards += cards & u64::MAX << (usize::from(*member) - before);
    }
    cards
}

/// C(x, k), by k and x.
static BELOW: [[u64; 54]; HAND + 1] = {
    // No index reaches the last entry, because there are no more cards.
    let mut below = [[u64::MAX; 54]; HAND + 1];
    let mut size = 0;
    while size <= HAND {
        let mut member = 0;
        while member <= 52 {
            below[size][member] = choose_u64(member, size);
            member += 1;
        }
        size += 1;
    }
    below
};

/// Returns the bucket of an index: up to 63 the index itself, above by its highest six bits.
const fn bucket(index: u64) -> usize {
    let shift = 58 - (index | 32).leading_zeros();
    (shift * 32) as usize + (index >> shift) as usize
}

const BUCKETS: usize = bucket(choose_u64(52, HAND) - 1) + 1;

/// By k - 1 and bucket: the largest x for which C(x, k) is at most the bucket's first index. For
/// other indices of the bucket, x is the same or one more.
static LEAST: [[u8; BUCKETS]; HAND] = {
    let mut least = [[0; BUCKETS]; HAND];
    let mut size = 1;
    while size <= HAND {
        let (mut at, mut member) = (0, size - 1);
        while at < BUCKETS {
            let shift = (at / 32).saturating_sub(1);
            let first = ((at - 32 * shift) as u64) << shift;
            let last = first + (1 << shift) - 1;
            assert!(bucket(first) == at && bucket(last) == at);
            while member < 51 && choose_u64(member + 1, size) <= first {
                member += 1;
            }
            least[size - 1][at] = member as u8;
            assert!(member >= 50 || choose_u64(member + 2, size) > last);
            at += 1;
        }
        size += 1;
    }
    least
};

/// Returns quotient and remainder of a number below D by [`PAIRS`].
fn divide_by_pairs(number: u128) -> (u64, u64) {
    // The upper 56 bits of the number are multiplied by an inverse that is less than one in 2^63
    // too small, so the quotient is at most one too small.
    const INVERSE: u64 = ((1 << 120) / PAIRS as u128) as u64;
    const _: () = assert!(((1u128 << 120) / PAIRS as u128) >> 64 == 0);
    let upper = (number >> 40) as u64;
    let quotient = ((u128::from(upper) * u128::from(INVERSE)) >> 80) as u64;
    let rest = (number - u128::from(quotient) * u128::from(PAIRS)) as u64;
    let one_more = rest >= PAIRS;
    (
        quotient + u64::from(one_more),
        rest - PAIRS * u64::from(one_more),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::combinatorics::subset as squashed;

    #[test]
    fn the_quotient_by_pairs_is_the_quotient() {
        let pairs = u128::from(PAIRS);
        let norths = DEALS / pairs;
        for quotient in (0..1_000)
            .chain((0..1_000).map(|i| norths * i / 1_000))
            .chain([norths - 1])
        {
            for rest in [0, 1, pairs / 2, pairs - 2, pairs - 1] {
                let divided = divide_by_pairs(quotient * pairs + rest);
                assert_eq!(divided, (quotient as u64, rest as u64));
            }
        }
    }

    fn bits(members: &[u8]) -> u64 {
        members.iter().map(|member| 1 << member).sum()
    }

    #[test]
    fn subsets_are_those_of_the_squashed_order() {
        for cards in [26, 39, 52] {
            let all = choose_u64(cards, 13);
            let some = (0..all).step_by(all as usize / 20_000);
            for at in some.chain(0..100).chain(all - 100..all) {
                let slow = squashed::unrank(at, cards, 13);
                let found = members([at, all - 1 - at, 0]);
                assert_eq!(bits(&found[0]), slow);
                assert_eq!(bits(&found[1]), squashed::unrank(all - 1 - at, cards, 13));
                assert_eq!(bits(&found[2]), (1 << 13) - 1);
                assert_eq!(index(slow, []), at);
            }
        }
    }

    #[test]
    fn places_are_taken_out_and_opened() {
        let members = [0, 3, 5, 6, 8, 40, 41, 42, 43, 44, 45, 46, 47];
        let (mut one, mut other) = (0b0_1001_0110, 0b0_0000_0010);
        index(bits(&members), [&mut one, &mut other]);
        assert_eq!((one, other), (0b1111, 0b1));
        let opened = [one, other].map(|cards| opened(cards, &members));
        assert_eq!(opened, [0b0_1001_0110, 0b0_0000_0010]);
    }
}
