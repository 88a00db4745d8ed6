//! Converts a deal to its number and back.
//!
//!     cargo run --example number_deal

#![allow(clippy::print_stdout, reason = "an example")]

use fairdeal::number::{andrews, pavlicek};
use fairdeal::{Deal, Error};

fn main() -> Result<(), Error> {
    let text = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";
    let deal: Deal = text.parse()?;
    let number = pavlicek::encode(&deal);
    println!("pavlicek  {number}");
    println!("andrews   {}", andrews::encode(&deal));
    assert_eq!(pavlicek::decode(number)?, deal);
    println!("{deal}");
    Ok(())
}
