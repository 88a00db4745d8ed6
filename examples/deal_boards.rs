//! Deals 36 boards that satisfy a condition, the same for the same seed.
//!
//!     cargo run --example deal_boards

#![allow(clippy::print_stdout, reason = "an example")]

use fairdeal::{Error, Script};

fn main() -> Result<(), Error> {
    let text =
        "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)";
    let population = Script::parse("strong notrump", text)?.population()?;
    for (number, deal) in (1..=36).zip(population.deals(2026)?) {
        println!("{number:2}  {}", deal?);
    }
    Ok(())
}
