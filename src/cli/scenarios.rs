//! `fairdeal scenarios`

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use fairdeal::language::{SCENARIOS, Scenario};
use fairdeal::report::grouped;

use super::json;
use fairdeal::Error;

/// List the built-in scenarios
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Print their conditions too
    #[arg(long)]
    conditions: bool,

    /// Print their names alone, for scripts
    #[arg(long, conflicts_with = "conditions")]
    names: bool,

    /// Print them as JSON, with their conditions
    #[arg(long, conflicts_with_all = ["conditions", "names"])]
    json: bool,
}

/// A scenario in JSON.
#[derive(Serialize)]
struct Record {
    name: &'static str,
    summary: &'static str,
    condition: &'static str,
    cases: Option<u64>,
    #[serde(serialize_with = "json::text")]
    total: u128,
}

impl Record {
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

pub(super) fn execute(arguments: &Arguments) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    if arguments.json {
        let records: Vec<Record> = SCENARIOS.iter().map(Record::new).collect();
        return Ok(json::document(&mut out, &records)?);
    }
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
