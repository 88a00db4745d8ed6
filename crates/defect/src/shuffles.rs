//! Unfair shuffles, and fair ones with a seed that is too short.
//!
//! Each begins with the sorted deck. All except the last consist of independent swaps of two cards,
//! so that the distribution of each card's place is known exactly: the tests multiply the matrices.

use super::DealingOrder;
use super::random::{Random, ShuffledDeck, Task, deck_of_seed};

/// Swaps each place of the deck with any place: 52^52 outcomes do not divide evenly into 52! decks.
pub(super) fn naive(dealt: DealingOrder, task: &mut Task<'_>) {
    from_sorted(dealt, task, |deck, random| {
        for place in 0..52 {
            deck.0.swap(place, random.below(52));
        }
    });
}

/// Sattolo's shuffle, that of Fisher and Yates with an index that is one too small: a single cycle,
/// so that no card keeps its place.
pub(super) fn sattolo(dealt: DealingOrder, task: &mut Task<'_>) {
    from_sorted(dealt, task, |deck, random| {
        deck.fisher_yates(|cards| random.below(cards - 1));
    });
}

/// Swaps two random cards a number of times. First-order tests see no difference between the two
/// ways of dealing.
pub(super) fn transpositions(count: u32, task: &mut Task<'_>) {
    from_sorted(DealingOrder::RoundRobin, task, |deck, random| {
        deck.transpose(count, random);
    });
}

/// A correct Fisher-Yates shuffle, except that its indices are random bits modulo the number of
/// cards: the first cards are chosen slightly too often.
pub(super) fn modulo(bits: u32, task: &mut Task<'_>) {
    from_sorted(DealingOrder::Blocks, task, |deck, random| {
        deck.fisher_yates(|cards| ((random.bits() >> (64 - bits)) as u32 % cards) as usize);
    });
}

/// Shuffles each deal fairly with its own generator, one of only 2^bits.
pub(super) fn seeds(bits: u32, task: &mut Task<'_>) {
    task.each(|random| {
        let deck = deck_of_seed(random.bits() >> (64 - bits));
        deck.hands(DealingOrder::RoundRobin)
    });
}

fn from_sorted(
    dealt: DealingOrder,
    task: &mut Task<'_>,
    shuffle: impl Fn(&mut ShuffledDeck, &mut Random),
) {
    task.each(|random| {
        let mut deck = ShuffledDeck::SORTED;
        shuffle(&mut deck, random);
        deck.hands(dealt)
    });
}
