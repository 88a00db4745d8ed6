//! Fair deals, some of which are then refused or have cards exchanged, and deals with north's
//! pattern from a wrong table.

use super::random::{CARDS, Fair, Random, Task, ThreeHands, flatness, lengths, west};
use crate::bridge::combinatorics::{choose_u64, subset};
use crate::bridge::{Hand, Pattern};

/// Deals up to this F are flat: 31 % of them.
pub(super) const FLAT: u32 = 190;

/// The smallest north-south HCP of a game.
pub(super) const GAME: u32 = 25;

/// Refuses one flat deal in `one_in`.
pub(super) fn flat_removed(one_in: u32, task: &mut Task<'_>) {
    refusing(one_in, task, |hands| flatness(hands) <= FLAT);
}

/// Refuses one deal in `one_in` without a game for north-south.
pub(super) fn non_game_removed(one_in: u32, task: &mut Task<'_>) {
    refusing(one_in, task, |[north, _, south]| hcp(north | south) < GAME);
}

/// Refuses one deal in `one_in` in which west has another shape than 4-4-3-2. With 101, the weight
/// of 4-4-3-2 is 1 % too high.
pub(super) fn west_4432(one_in: u32, task: &mut Task<'_>) {
    refusing(one_in, task, |hands| !is_4432(west(hands)));
}

/// Deals fairly, but refuses one in `one_in` unwanted deals.
fn refusing(one_in: u32, task: &mut Task<'_>, unwanted: impl Fn(ThreeHands) -> bool) {
    let mut fair = Fair::new(&mut task.random);
    task.each(|random| {
        let mut hands = fair.deal();
        while unwanted(hands) && random.once_in(one_in) {
            hands = fair.deal();
        }
        hands
    });
}

/// Once in `one_in` deals, north exchanges a random card for the ace of spades if another seat has
/// it. With 60, north has it with probability 1/4 + 3/4 × 1/60, 5 % too often.
pub(super) fn ace_to_north(one_in: u32, task: &mut Task<'_>) {
    let ace = CARDS[0];
    let mut fair = Fair::new(&mut task.random);
    task.each(|random| {
        let mut hands = fair.deal();
        if random.once_in(one_in) && hands[0] & ace == 0 {
            let given = random.card_of(hands[0]);
            hands[0] ^= ace | given;
            // West holds the remaining cards.
            for hand in &mut hands[1..] {
                if *hand & ace != 0 {
                    *hand ^= ace | given;
                }
            }
        }
        hands
    });
}

/// Once in `one_in` deals, north loses a random card, which becomes west's fourteenth.
pub(super) fn truncated(one_in: u32, task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    task.each(|random| {
        let mut hands = fair.deal();
        if random.once_in(one_in) {
            hands[0] ^= random.card_of(hands[0]);
        }
        hands
    });
}

/// The BASIC program of the 1980s: each card in turn goes to a random hand that is not full, with
/// equal probability however many cards it has. The last cards go where there is room.
pub(super) fn random_unfilled_hand(task: &mut Task<'_>) {
    task.each(|random| {
        let mut hands = [0; 4];
        let mut held = [0; 4];
        for card in CARDS {
            let seat = loop {
                let seat = (random.bits() >> 62) as usize;
                if held[seat] < 13 {
                    break seat;
                }
            };
            hands[seat] |= card;
            held[seat] += 1;
        }
        let [north, east, south, _] = hands;
        [north, east, south]
    });
}

/// The table's weights of shape 4-4-3-2 are too high by this number of thousandths.
pub(super) fn lookup_entry(per_mille: i64, task: &mut Task<'_>) {
    let table = Pattern::all().map(|pattern| {
        let wrong = pattern.shape().lengths() == [4, 4, 3, 2];
        let factor = if wrong { 1_000 + per_mille } else { 1_000 };
        (pattern, ways(pattern) * factor.unsigned_abs())
    });
    by_table(table.collect(), task);
}

/// Gives north the pattern after the drawn one. Patterns are in the order of the lengths of spades,
/// hearts and diamonds from 0 to 13; the first follows the last.
pub(super) fn next_pattern(task: &mut Task<'_>) {
    let mut patterns: Vec<Pattern> = Pattern::all().collect();
    patterns.sort_unstable();
    let next = patterns.iter().cycle().skip(1);
    let table = patterns.iter().zip(next);
    let table = table.map(|(&found, &next)| (next, ways(found)));
    by_table(table.collect(), task);
}

/// Moves the end of the first cell, 4=3=3=3, into the second, 3=4=3=3, which has the same weight,
/// by 3 % of that weight.
pub(super) fn cumulative_entry(task: &mut Task<'_>) {
    let weights = |pattern| (pattern, 100 * ways(pattern));
    let mut table: Vec<(Pattern, u64)> = Pattern::all().map(weights).collect();
    let moved = table[0].1 * 3 / 100;
    table[0].1 += moved;
    table[1].1 -= moved;
    by_table(table, task);
}

/// Draws north's pattern by these weights; everything else is fair.
fn by_table(table: Vec<(Pattern, u64)>, task: &mut Task<'_>) {
    let mut total = 0;
    let mut ends = Vec::with_capacity(table.len());
    let mut patterns = Vec::with_capacity(table.len());
    for (pattern, weight) in table {
        total += weight;
        ends.push(total);
        patterns.push(pattern.lengths().map(usize::from));
    }
    task.each(|random| {
        let number = below(random, total);
        let found = ends.partition_point(|&end| end <= number);
        let mut north = 0;
        for (suit, length) in patterns[found].into_iter().enumerate() {
            let index = random.below(choose_u64(13, length) as u32) as u64;
            north |= subset::unrank_in_suit(index, length) << (16 * suit);
        }
        let [east, south] = random.split_39(Hand::DECK.bits() & !north);
        [north, east, south]
    });
}

/// The number of hands with this pattern.
fn ways(pattern: Pattern) -> u64 {
    let of_suit = |length| choose_u64(13, usize::from(length));
    pattern.lengths().map(of_suit).iter().product()
}

/// A uniform number below a bound of at most 63 bits.
fn below(random: &mut Random, bound: u64) -> u64 {
    let unused = (bound - 1).leading_zeros();
    loop {
        let number = random.bits() >> unused;
        if number < bound {
            return number;
        }
    }
}

fn is_4432(hand: u64) -> bool {
    let lengths = lengths(hand);
    // If the lengths are 2, 3 and 4 and no others, the one that occurs twice must be 4.
    let lane = |suit: u32| 1 << (lengths >> (16 * suit) & 0xF);
    (0..4).fold(0u32, |seen, suit| seen | lane(suit)) == 0b1_1100
}

fn hcp(cards: u64) -> u32 {
    let held = |rank: u32| (cards & 0x0001_0001_0001_0001 << rank).count_ones();
    4 * held(0) + 3 * held(1) + 2 * held(2) + held(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_points_and_flatness_are_those_of_hands() {
        let mut fair = Fair::new(&mut Random::of_run(2));
        for _ in 0..2_000 {
            let hands = fair.deal();
            let mut squares = 0;
            for bits in [hands[0], hands[1], hands[2], west(hands)] {
                let hand = Hand::from_bits(bits);
                let shape = hand.pattern().unwrap().shape();
                assert_eq!(is_4432(bits), shape.lengths() == [4, 4, 3, 2]);
                assert_eq!(hcp(bits), hand.hcp());
                squares += hand
                    .lengths()
                    .map(|n| u32::from(n).pow(2))
                    .iter()
                    .sum::<u32>();
            }
            assert_eq!(flatness(hands), squares);
        }
    }
}
