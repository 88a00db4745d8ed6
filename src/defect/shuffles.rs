//! Shuffles that are not fair, and good ones that begin with too small a seed.
//!
//! Each begins with the sorted deck. All but the last are made of steps that
//! are independent of each other and swap two cards, so that where every card
//! goes is known exactly: the tests multiply the matrices out.

use super::Dealt;
use super::random::{Deck, Output, Random, deck_of_seed};
use crate::draw::Block;

/// For every place of the deck, a swap with any place: 52^52 ways do not divide
/// evenly into 52! decks.
pub(super) fn naive(dealt: Dealt, random: &mut Random, block: Block, out: &mut Output<'_>) {
    from_sorted(dealt, block, out, |deck| {
        for place in 0..52 {
            deck.0.swap(place, random.below(52));
        }
    });
}

/// Fisher and Yates's shuffle with an index that is one too small, which is
/// Sattolo's: a single cycle, so that no card stays where it was.
pub(super) fn sattolo(dealt: Dealt, random: &mut Random, block: Block, out: &mut Output<'_>) {
    from_sorted(dealt, block, out, |deck| {
        deck.fisher_yates(|cards| random.below(cards - 1));
    });
}

/// A number of swaps of two random cards. First-order tests see no difference
/// between the two ways of dealing.
pub(super) fn transpositions(count: u32, random: &mut Random, block: Block, out: &mut Output<'_>) {
    from_sorted(Dealt::RoundRobin, block, out, |deck| {
        deck.transpose(count, random);
    });
}

/// A true Fisher-Yates shuffle whose index is some random bits modulo the number
/// of cards: the first cards are taken a little too often.
pub(super) fn modulo(bits: u32, random: &mut Random, block: Block, out: &mut Output<'_>) {
    from_sorted(Dealt::Blocks, block, out, |deck| {
        deck.fisher_yates(|cards| ((random.bits() >> (64 - bits)) as u32 % cards) as usize);
    });
}

/// Each deal fairly shuffled by a generator of its own, of which there are only
/// 2^bits.
pub(super) fn seeds(bits: u32, random: &mut Random, block: Block, out: &mut Output<'_>) {
    for _ in 0..block.deals {
        let deck = deck_of_seed(random.bits() >> (64 - bits));
        out.push(deck.hands(Dealt::RoundRobin));
    }
}

fn from_sorted(
    dealt: Dealt,
    block: Block,
    out: &mut Output<'_>,
    mut shuffle: impl FnMut(&mut Deck),
) {
    for _ in 0..block.deals {
        let mut deck = Deck::SORTED;
        shuffle(&mut deck);
        out.push(deck.hands(dealt));
    }
}
