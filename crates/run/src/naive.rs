//! The naive program for comparison: shuffles, then counts every card.

use rand::Rng;
use rand::seq::SliceRandom;

use crate::bridge::Card;
use crate::tally::{NaiveTallying, TableChoice, Tally};

/// Shuffles the deck `deals` times with rand's `shuffle`, and counts each deal card by card.
///
/// Compiled by itself, so that its time does not depend on its caller.
#[inline(never)]
pub fn shuffle(deals: u64, tables: TableChoice, rng: &mut impl Rng) -> Tally {
    let mut deck: Vec<Card> = Card::all().collect();
    let mut tallying = NaiveTallying::new(tables);
    let deck: &mut [Card; Card::COUNT] = (&mut *deck).try_into().expect("a deck has 52 cards");
    for _ in 0..deals {
        deck.shuffle(rng);
        tallying.count(deck);
    }
    tallying.finish()
}
