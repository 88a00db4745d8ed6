//! Unfair shuffles, and fair ones with a seed that is too short.
//!
//! Each begins with the sorted deck. All except the last consist of independent swaps of two cards,
//! so that the distribution of each card's place is known exactly: the tests multiply the matrices.

use super::DealingOrder;
use super::random::{Output, Random, ShuffledDeck, deck_of_seed};
use crate::draw::Block;

/// Swaps each place of the deck with any place: 52^52 outcomes do not divide evenly into 52! decks.
pub(super) fn naive(dealt: DealingOrder, random: &mut Random, block: Block, out: &mut Output<'_>) {
    from_sorted(dealt, block, out, |deck| {
        for place in 0..52 {
            deck.0.swap(place, random.below(52));
        }
    });
}

/// Sattolo's shuffle, that of Fisher and Yates with an index that is one too small: a single cycle,
/// so that no card keeps its place.
pub(super) fn sattolo(
    dealt: DealingOrder,
    random: &mut Random,
    block: Block,
    out: &mut Output<'_>,
) {
    from_sorted(dealt, block, out, |deck| {
        deck.fisher_yates(|cards| random.below(cards - 1));
    });
}

/// Swaps two random cards a number of times. First-order tests see no difference between the two
/// ways of dealing.
pub(super) fn transpositions(count: u32, random: &mut Random, block: Block, out: &mut Output<'_>) {
    from_sorted(DealingOrder::RoundRobin, block, out, |deck| {
        deck.transpose(count, random);
    });
}

/// A correct Fisher-Yates shuffle, except that its indices are random bits modulo the number of
/// cards: the first cards are chosen slightly too often.
pub(super) fn modulo(bits: u32, random: &mut Random, block: Block, out: &mut Output<'_>) {
    from_sorted(DealingOrder::Blocks, block, out, |deck| {
        deck.fisher_yates(|cards| ((random.bits() >> (64 - bits)) as u32 % cards) as usize);
    });
}

/// Shuffles each deal fairly with its own generator, one of only 2^bits.
pub(super) fn seeds(bits: u32, random: &mut Random, block: Block, out: &mut Output<'_>) {
    for _ in 0..block.deals {
        let deck = deck_of_seed(random.bits() >> (64 - bits));
        out.push(deck.hands(DealingOrder::RoundRobin));
    }
}

fn from_sorted(
    dealt: DealingOrder,
    block: Block,
    out: &mut Output<'_>,
    mut shuffle: impl FnMut(&mut ShuffledDeck),
) {
    for _ in 0..block.deals {
        let mut deck = ShuffledDeck::SORTED;
        shuffle(&mut deck);
        out.push(deck.hands(dealt));
    }
}
