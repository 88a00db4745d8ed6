//! Deals that depend on the previous one: poorly shuffled decks, repeated hands and deals, selected
//! sessions.

use super::DealingOrder;
use super::play;
use super::random::{Fair, Random, ShuffledDeck, Task, ThreeHands, flatness};
use crate::bridge::Hand;
use crate::draw::Block;

/// Number of deals of a thread before the other one repeats them.
pub(super) const STRETCH: u64 = 1 << 14;

/// Boards of a session.
const SESSION: usize = 36;

/// Two threads with one seed: deal i is deal i - 2^14 where bit 14 of i is set.
///
/// The deals do not depend on the boundaries of blocks.
pub(super) fn two_threads(task: &mut Task<'_>) {
    let end = task.block.first_deal + task.block.deals;
    let mut number = task.block.first_deal;
    while number < end {
        let both = Block {
            first_deal: number & !(2 * STRETCH - 1),
            deals: 2 * STRETCH,
        };
        let mut fair = Fair::new(&mut Random::of_block(task.seed, both));
        let done = number % STRETCH;
        let deals = (STRETCH - done).min(end - number);
        for _ in 0..done {
            fair.deal();
        }
        for _ in 0..deals {
            task.push(fair.deal());
        }
        number += deals;
    }
}

/// Once in `one_in` deals, repeats an earlier deal of this block.
pub(super) fn reused(one_in: u32, task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut dealt: Vec<ThreeHands> = Vec::with_capacity(task.block.deals as usize);
    task.each(|random| {
        let again = random.once_in(one_in) && !dealt.is_empty();
        let hands = if again {
            dealt[random.below(dealt.len() as u32)]
        } else {
            fair.deal()
        };
        dealt.push(hands);
        hands
    });
}

/// Once in `one_in` deals, north has the hand of the previous deal; the other cards are dealt
/// fairly.
pub(super) fn north_again(one_in: u32, task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut north: Option<u64> = None;
    task.each(|random| {
        let mut hands = fair.deal();
        if let Some(north) = north
            && random.once_in(one_in)
        {
            let [east, south] = random.split_39(Hand::DECK.bits() & !north);
            hands = [north, east, south];
        }
        north = Some(hands[0]);
        hands
    });
}

/// Shuffles the deck of the previous deal further, by too few swaps, instead of starting from a
/// sorted deck. The first deck is fair.
pub(super) fn deck_not_reset(transpositions: u32, task: &mut Task<'_>) {
    let mut deck = ShuffledDeck::fair(&mut task.random);
    task.each(|random| {
        let hands = deck.hands(DealingOrder::RoundRobin);
        deck.transpose(transpositions, random);
        hands
    });
}

/// Rubber bridge: the deck is collected after play, riffled and dealt one card at a time.
pub(super) fn rubber(riffles: u32, task: &mut Task<'_>) {
    let mut deck = ShuffledDeck::fair(&mut task.random);
    task.each(|random| {
        deck = play::collected(&deck, random);
        for _ in 0..riffles {
            deck = riffled(&deck, random);
        }
        deck.hands(DealingOrder::RoundRobin)
    });
}

/// Duplicate: the four hands of a board are stacked, north's on top, each in the
/// order in which it was dealt, then riffled and dealt one card at a time.
pub(super) fn duplicate(riffles: u32, task: &mut Task<'_>) {
    let mut deck = ShuffledDeck::fair(&mut task.random);
    task.each(|random| {
        deck = ShuffledDeck(std::array::from_fn(|place| {
            deck.0[4 * (place % 13) + place / 13]
        }));
        for _ in 0..riffles {
            deck = riffled(&deck, random);
        }
        deck.hands(DealingOrder::RoundRobin)
    });
}

/// A riffle by the model of Gilbert, Shannon and Reeds: 52 fair bits choose the packet from which
/// each card falls, and so the sizes of the packets.
fn riffled(deck: &ShuffledDeck, random: &mut Random) -> ShuffledDeck {
    let bits = random.bits() >> 12;
    // The place of the next card of each packet.
    let mut packets = [0, 52 - bits.count_ones() as usize];
    ShuffledDeck(std::array::from_fn(|place| {
        let packet = &mut packets[(bits >> place & 1) as usize];
        *packet += 1;
        deck.0[*packet - 1]
    }))
}

/// Deals three sessions and plays the wildest. A block begins with a new session and may end in the
/// middle of one.
pub(super) fn wildest_session(task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut left = task.block.deals as usize;
    while left > 0 {
        let sessions: [[ThreeHands; SESSION]; 3] =
            std::array::from_fn(|_| std::array::from_fn(|_| fair.deal()));
        let wildness = |session: &&[ThreeHands; SESSION]| {
            session.iter().map(|&hands| flatness(hands)).sum::<u32>()
        };
        if let Some(wildest) = sessions.iter().max_by_key(wildness) {
            for &hands in wildest.iter().take(left) {
                task.push(hands);
            }
        }
        left = left.saturating_sub(SESSION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_riffle_keeps_each_packet_in_order() {
        let block = Block {
            first_deal: 0,
            deals: 0,
        };
        let mut random = Random::of_block(1, block);
        for _ in 0..100 {
            let deck = riffled(&ShuffledDeck::SORTED, &mut random);
            let falls = deck.0.windows(2).filter(|pair| pair[0] > pair[1]).count();
            let mut sorted = deck.0;
            sorted.sort_unstable();
            assert_eq!(sorted, ShuffledDeck::SORTED.0);
            // The inverse of a riffle has at most one descent: two rising sequences.
            let place = |card| deck.0.iter().position(|&other| other == card);
            let rising = ShuffledDeck::SORTED.0.windows(2);
            let breaks = rising.filter(|pair| place(pair[0]) > place(pair[1]));
            assert!(breaks.count() <= 1 && falls > 0);
        }
    }
}
