//! Processor time and memory of the commands in speed.toml, of one program or of two in turns.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Failure;
use crate::program::{absolute, fairdeal, output_with};
use crate::sheet::{Column, Sheet};

/// The commands and the programs.
#[derive(Args)]
pub(crate) struct Options {
    /// Groups of rows, or names of rows [default: `change`]
    groups: Vec<String>,
    /// Compare with this program, which takes turns with the one of FAIRDEAL
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// Measurements of each command, after one that is not counted; medians are printed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Divide the number of deals of every command, for a trial
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    divide: u64,
    /// Print the groups with their rows, and measure nothing
    #[arg(long)]
    list: bool,
}

impl Options {
    /// The name of the folder of reports: `speed-GROUP`.
    pub(crate) fn name(&self) -> String {
        match self.groups.as_slice() {
            [] => "speed-change".to_owned(),
            groups => format!("speed-{}", groups.join("-").replace([' ', ',', '/'], "_")),
        }
    }
}

/// The table of commands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    row: Vec<Row>,
}

/// A command that is measured.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    group: String,
    name: String,
    /// Number of deals that the command deals, reads or solves: `$deals` in the command.
    deals: u64,
    /// In bash, in a folder of its own. `$fairdeal` is the program; `$fixtures`, `$inputs`
    /// and `$scenarios` are the folders fixtures/, crates/lab/inputs/ and crates/language/scenarios/.
    command: String,
    /// Makes files for the command, once.
    setup: Option<String>,
    /// Whether it is measured with every instruction set of this processor.
    #[serde(default)]
    each_isa: bool,
    /// Whether the command is `bench --json`, which measures its deals alone.
    #[serde(default)]
    is_bench: bool,
    /// Fails where the command cannot run.
    needs: Option<String>,
}

const ROWS: &str = include_str!("../speed.toml");

const COLUMNS: &[Column] = &[
    ("group", -12),
    ("command", -50),
    ("deals", 14),
    ("cpu ns a deal", 13),
    ("M deals/s", 9),
    ("seconds", 8),
    ("MB", 7),
];

const AGAINST: &[Column] = &[
    ("group", -12),
    ("command", -50),
    ("deals", 14),
    ("before, cpu ns", 14),
    ("after, cpu ns", 13),
    ("ratio", 7),
    ("lower quartile", 14),
    ("upper quartile", 14),
];

/// Processor time and elapsed time of a deal in ns, and peak memory in MB.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    elapsed: f64,
    peak: f64,
}

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let table: Table = toml::from_str(ROWS)?;
    let chosen: Vec<&str> = match options.groups.as_slice() {
        [] if options.list => Vec::new(),
        [] => vec!["change"],
        groups => groups.iter().map(String::as_str).collect(),
    };
    let is_chosen = |row: &&Row| {
        chosen.is_empty() || chosen.contains(&&*row.group) || chosen.contains(&&*row.name)
    };
    let rows: Vec<&Row> = table.row.iter().filter(is_chosen).collect();
    if rows.is_empty() {
        return Err("speed.toml has no such group or row; --list prints them".into());
    }
    if options.list {
        sheet.section("rows of speed.toml", &[("group", -12), ("command", -50)]);
        for row in rows {
            sheet.row(vec![json!(row.group), json!(row.name)]);
        }
        return Ok(());
    }
    let fairdeal = fairdeal()?;
    let before = options.against.as_deref().map(absolute).transpose()?;
    let (title, columns) = match &before {
        None => (
            "medians; processor time of a whole command, divided by its deals",
            COLUMNS,
        ),
        Some(_) => (
            "medians, and the middle half of the ratios of neighbouring measurements",
            AGAINST,
        ),
    };
    sheet.section(&format!("{title}; {} rounds", options.rounds), columns);
    for row in rows {
        for isa in isas(row, &fairdeal)? {
            measured(row, isa, &fairdeal, before.as_deref(), options, sheet)?;
        }
    }
    Ok(())
}

/// The instruction sets that a row is measured with; `None` is the program's choice.
fn isas(row: &Row, fairdeal: &str) -> Result<Vec<Option<&'static str>>, Failure> {
    if !row.each_isa {
        return Ok(vec![None]);
    }
    let folder = TempDir::new()?;
    let mut found = Vec::new();
    for isa in ["portable", "avx2", "avx512", "neon"] {
        let command = format!("{fairdeal} scenarios --names");
        let tried = output_with(&command, folder.path(), &[("FAIRDEAL_PATH", isa)])?;
        found.extend((tried.code == 0).then_some(Some(isa)));
    }
    Ok(found)
}

fn measured(
    row: &Row,
    isa: Option<&str>,
    fairdeal: &str,
    before: Option<&str>,
    options: &Options,
    sheet: &mut Sheet,
) -> Result<(), Failure> {
    let deals = (row.deals / options.divide).max(1);
    let name = match isa {
        None => row.name.clone(),
        Some(isa) => format!("{}, {isa}", row.name),
    };
    let head = [json!(row.group), json!(name), json!(deals)];
    let folder = TempDir::new()?;
    if let Some(test) = &row.needs
        && output_with(test, folder.path(), &[])?.code != 0
    {
        sheet.row(head.into_iter().chain([json!("NOT RUN")]).collect());
        return Ok(());
    }
    let place = Place {
        row,
        isa,
        deals,
        folder: folder.path(),
    };
    if let Some(setup) = &row.setup {
        place.run(fairdeal, setup)?;
    }
    // The first round of each program fills its cache.
    let programs: Vec<&str> = [Some(fairdeal), before].into_iter().flatten().collect();
    for program in &programs {
        place.cost(program)?;
    }
    let (mut after_costs, mut before_costs) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        if let Some(before) = before {
            before_costs.push(place.cost(before)?);
        }
        after_costs.push(place.cost(fairdeal)?);
    }
    let cpu = |costs: &[Cost]| median(costs.iter().map(|cost| cost.cpu));
    let tail = match before {
        None => {
            let elapsed = median(after_costs.iter().map(|cost| cost.elapsed));
            let peak = median(after_costs.iter().map(|cost| cost.peak));
            let seconds = elapsed * deals as f64 * 1e-9;
            vec![
                json!(cpu(&after_costs)),
                json!(1e3 / elapsed),
                json!(seconds),
                json!(peak),
            ]
        }
        Some(_) => {
            let pairs = after_costs.iter().zip(&before_costs);
            let mut ratios: Vec<f64> = pairs
                .map(|(after, before)| after.cpu / before.cpu)
                .collect();
            ratios.sort_by(f64::total_cmp);
            let quantile =
                |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
            vec![
                json!(cpu(&before_costs)),
                json!(cpu(&after_costs)),
                json!(cpu(&after_costs) / cpu(&before_costs)),
                json!(quantile(0.25)),
                json!(quantile(0.75)),
            ]
        }
    };
    sheet.row(head.into_iter().chain(tail).collect());
    Ok(())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Where and how a row is measured.
struct Place<'r> {
    row: &'r Row,
    isa: Option<&'r str>,
    deals: u64,
    folder: &'r Path,
}

impl Place<'_> {
    fn run(&self, program: &str, command: &str) -> Result<crate::program::Finished, Failure> {
        let _ = fs::remove_dir_all(self.folder.join("report"));
        let (fixtures, deals) = (absolute(Path::new("fixtures"))?, self.deals.to_string());
        let inputs = absolute(Path::new("crates/lab/inputs"))?;
        let scenarios = absolute(Path::new("crates/language/scenarios"))?;
        let mut environment = vec![
            ("fairdeal", program),
            ("fixtures", &*fixtures),
            ("inputs", &*inputs),
            ("scenarios", &*scenarios),
            ("deals", &*deals),
        ];
        environment.extend(self.isa.map(|isa| ("FAIRDEAL_PATH", isa)));
        let finished = output_with(command, self.folder, &environment)?.checked();
        finished.map_err(|error| format!("{}: {error}", self.row.name).into())
    }

    fn cost(&self, program: &str) -> Result<Cost, Failure> {
        let finished = self.run(program, &self.row.command)?;
        if self.row.is_bench {
            return bench(&finished.stdout).ok_or_else(|| "bench prints no row of fairdeal".into());
        }
        Ok(Cost {
            cpu: finished.cpu_seconds * 1e9 / self.deals as f64,
            elapsed: finished.seconds * 1e9 / self.deals as f64,
            peak: finished.peak as f64 * 1e-6,
        })
    }
}

/// The last row of the program in the JSON of `bench`: all threads.
fn bench(stdout: &str) -> Option<Cost> {
    let document: Value = serde_json::from_str(stdout).ok()?;
    let mut rows = document["rows"].as_array()?.iter().rev();
    let row = rows.find(|row| row["program"] == "fairdeal")?;
    Some(Cost {
        cpu: row["cpu_ns_per_deal"].as_f64()?,
        elapsed: 1e9 / row["deals_per_second"].as_f64()?,
        peak: document["peak_bytes"].as_f64()? * 1e-6,
    })
}
