//! `fairdeal scenarios`

use std::io::Write;

use clap::Args;
use serde::Serialize;

use fairdeal::Error;
use fairdeal::language::{SCENARIOS, Scenario};
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

/// A scenario in JSON.
#[derive(Serialize)]
struct ScenarioObject {
    name: &'static str,
    summary: &'static str,
    condition: &'static str,
    cases: Option<u64>,
    #[serde(serialize_with = "json::text")]
    total: u128,
}

impl ScenarioObject {
    fn new(scenario: &Scenario) -> Self {
        let &Scenario {
            name,
            summary,
            text: condition,
            cases,
            total,
        } = scenario;
        Self {
            name,
            summary,
            condition,
            cases,
            total,
        }
    }
}

pub(super) fn execute(arguments: &ScenariosArguments) -> Result<(), Error> {
    let mut out = layout::stdout();
    if arguments.json {
        let records: Vec<ScenarioObject> = SCENARIOS.iter().map(ScenarioObject::new).collect();
        return Ok(json::document(&mut out, &records)?);
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
