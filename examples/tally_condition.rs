//! Counts south's spades opposite a weak two, and prints the exact mean for comparison.
//!
//!     cargo run --example tally_condition

#![allow(clippy::print_stdout, reason = "an example")]

use fairdeal::{Error, Script, Seat, Suit};

fn main() -> Result<(), Error> {
    let text = "spades(north) == 6 && hcp(north) >= 5 && hcp(north) <= 10";
    let script = Script::parse("weak two", text)?;
    let (mut counts, mut deals) = ([0u32; 14], 0);
    for deal in script.population()?.deals(1)?.take(20_000) {
        let spades = deal?.hand(Seat::South).holding(Suit::Spades).len();
        counts[spades as usize] += 1;
        deals += 1;
    }
    let exact = script
        .theory()?
        .theory
        .suit_lengths(Seat::South, Suit::Spades);
    println!("spades  dealt      expected");
    for (length, count) in counts.iter().enumerate().take(8) {
        let expected = f64::from(deals) * exact.probability(length).to_f64();
        println!("{length:6}  {count:5}  {expected:12.1}");
    }
    Ok(())
}
