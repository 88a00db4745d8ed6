//! `fairdeal scenarios`

use std::io::Write;

use clap::Args;

use fairdeal::Error;
use fairdeal::language::SCENARIOS;
use fairdeal::population::listing_size;
use fairdeal::printable::thousands;

use super::json;
use super::layout::{self, SummaryLayout};

/// Column where summaries start.
const SUMMARIES: usize = 20;

/// List the built-in conditions
#[derive(Args, Debug)]
pub(super) struct ScenariosArguments {
    /// Also print their sizes and conditions
    #[arg(long)]
    conditions: bool,

    /// Print only the names, for scripts
    #[arg(long, conflicts_with = "conditions")]
    names: bool,

    /// Print the scenarios with their conditions as JSON
    #[arg(long, conflicts_with_all = ["conditions", "names"])]
    json: bool,
}

pub(super) fn execute(arguments: &ScenariosArguments) -> Result<(), Error> {
    let mut out = layout::stdout();
    if arguments.json {
        return Ok(json::document(&mut out, &SCENARIOS)?);
    }
    if arguments.names {
        for scenario in SCENARIOS {
            writeln!(out, "{}", scenario.name)?;
        }
        return Ok(());
    }
    let layout = &mut SummaryLayout::new(&mut out);
    for scenario in SCENARIOS {
        layout.entry(scenario.name, SUMMARIES, scenario.summary)?;
        if !arguments.conditions {
            continue;
        }
        let size = match scenario.cases {
            Some(cases) => listing_size(cases, scenario.total),
            None => format!("{} deals", thousands(scenario.total)),
        };
        layout.entry("", SUMMARIES, &size)?;
        for line in scenario.text.lines() {
            layout.entry("", SUMMARIES, line)?;
        }
    }
    Ok(())
}
