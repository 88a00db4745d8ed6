//! Tests whether the hand records of a PBN file are fair.
//!
//!     cargo run --example audit_pbn [FILE]

#![allow(clippy::print_stdout, reason = "an example")]

use std::path::PathBuf;

use fairdeal::{Error, audit_files};

fn main() -> Result<(), Error> {
    let file = std::env::args_os().nth(1);
    let file = file.unwrap_or_else(|| "fixtures/records/sm0807.pbn".into());
    let report = audit_files([PathBuf::from(file)])?;
    println!("{} boards tested", report.record.deals);
    println!("verdict: {}", report.level.name());
    for problem in &report.intake.problems {
        println!("line {}: {}", problem.place.line, problem.reason);
    }
    Ok(())
}
