//! Tests a dealing program: here a shuffle that swaps each card with any other, a common mistake.
//!
//!     cargo run --example judge_generator

#![allow(clippy::print_stdout, reason = "an example")]

use fairdeal::{Card, Deal, Error, Hand, audit};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Returns a deal from a shuffle that looks right.
fn deal(random: &mut impl RngExt) -> Deal {
    let mut deck: Vec<Card> = Card::all().collect();
    for place in 0..52 {
        deck.swap(place, random.random_range(0..52));
    }
    let hand = |seat: usize| deck[13 * seat..][..13].iter().copied().collect::<Hand>();
    Deal::new([0, 1, 2, 3].map(hand)).expect("a deck has all cards, once")
}

fn main() -> Result<(), Error> {
    let mut random = SmallRng::seed_from_u64(1);
    let report = audit((0..20_000).map(|_| deal(&mut random)))?;
    println!("verdict: {}", report.level.name());
    if let Some(strongest) = report
        .verdict
        .as_ref()
        .and_then(|verdict| verdict.strongest.first())
    {
        println!("because of {}: {}", strongest.looks_at, strongest.effect);
    }
    Ok(())
}
