//! Prints the exact probability of a condition on two hands, as a fraction.
//!
//!     cargo run --example exact_probability

#![allow(clippy::print_stdout, reason = "an example")]

use fairdeal::{Error, Script};

fn main() -> Result<(), Error> {
    let text = "hcp(north) + hcp(south) >= 33 && aces(north) + aces(south) == 4";
    let exact = Script::parse("slam values", text)?.theory()?;
    let probability = exact.probability.reduced();
    println!("{} / {}", probability.ways, probability.of);
    println!("1 in {:.1}", 1.0 / probability.to_f64());
    Ok(())
}
