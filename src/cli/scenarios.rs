//! `fairdeal scenarios`

use std::io::{self, Write};

use clap::Args;

use fairdeal::condition::SCENARIOS;
use fairdeal::report::grouped;

use super::failure::Failure;

/// List the built-in scenarios
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Print their conditions too
    #[arg(long)]
    conditions: bool,

    /// Print their names alone, for scripts
    #[arg(long, conflicts_with = "conditions")]
    names: bool,
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if arguments.names {
        for scenario in SCENARIOS {
            writeln!(out, "{}", scenario.name)?;
        }
        return Ok(());
    }
    writeln!(
        out,
        "{:17}  {:>10}  {:>37}  CONDITION",
        "NAME", "CASES", "T"
    )?;
    for scenario in SCENARIOS {
        let cases = scenario.cases.map_or("none".to_owned(), grouped);
        let total = grouped(scenario.total);
        writeln!(
            out,
            "{:17}  {cases:>10}  {total:>37}  {}",
            scenario.name, scenario.summary
        )?;
        if arguments.conditions {
            for line in scenario.text.lines() {
                writeln!(out, "    {line}")?;
            }
        }
    }
    Ok(())
}
