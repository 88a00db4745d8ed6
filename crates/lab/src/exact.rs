//! Exact probabilities compared with those of an independent counter, and what they cost.
//!
//! To count the deals and to deal one by number may take two seconds of processor time and 500 MB; if
//! the condition mentions two hands at most, 0.2 seconds. `theory` counts them again for each of its
//! tables, and is shown beside.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use fairdeal::language::Condition;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Failure;
use crate::program::{Finished, fairdeal, output};
use crate::sheet::{Column, Sheet, kept};

/// The conditions.
#[derive(Args)]
pub(crate) struct Options {
    /// Measure only every K-th condition
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Columns `condition`, `deals` and `of`, as fixtures/make/exact_conditions.py counts them
    #[arg(default_value = "fixtures/reference/exact-conditions.csv")]
    file: PathBuf,
}

const MOST_SECONDS: f64 = 2.0;
const MOST_SECONDS_OF_TWO_HANDS: f64 = 0.2;
const MOST_BYTES: u64 = 500_000_000;

const COLUMNS: &[Column] = &[
    ("condition", -60),
    ("hands", 5),
    ("deal, s", 9),
    ("deal, MB", 10),
    ("cost", -6),
    ("theory, s", 9),
    ("theory, MB", 10),
    ("equal", -6),
];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let fairdeal = fairdeal()?;
    sheet.section(&options.file.display().to_string(), COLUMNS);
    let text = fs::read_to_string(&options.file)?;
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    for row in rows.records().step_by(options.every as usize) {
        let row = row?;
        let [condition, deals, of] = [0, 1, 2].map(|column| row[column].to_owned());
        let hands = hands_of(&condition)?;
        let folder = TempDir::new()?;
        fs::write(folder.path().join("condition"), &condition)?;
        let run = |command: &str| {
            let command = format!("{fairdeal} {command} --where \"$(cat condition)\" --quiet");
            output(&command, folder.path())
        };
        let theory = run("theory --json")?;
        let deal = run("deal --sampler numbers -n 1 --seed 1")?;
        let most = if hands <= 2 {
            MOST_SECONDS_OF_TWO_HANDS
        } else {
            MOST_SECONDS
        };
        let is_cheap = deal.cpu_seconds <= most && deal.peak <= MOST_BYTES;
        let found = probability(&theory);
        sheet.row(vec![
            json!(shortened(&condition)),
            json!(hands),
            json!(deal.cpu_seconds),
            json!(deal.peak / 1_000_000),
            kept(is_cheap),
            json!(theory.cpu_seconds),
            json!(theory.peak / 1_000_000),
            kept(found == format!("{deals}/{of}")),
        ]);
    }
    Ok(())
}

/// As much of a condition as its column takes.
fn shortened(condition: &str) -> String {
    match condition.char_indices().nth(58) {
        Some((end, _)) => format!("{}..", &condition[..end]),
        None => condition.to_owned(),
    }
}

/// The number of hands that a condition mentions, predealt ones apart.
fn hands_of(condition: &str) -> Result<usize, Failure> {
    let condition = Condition::parse("condition", condition)?;
    let mentioned = condition.expression().mentioned();
    let hands: BTreeSet<_> = mentioned.iter().map(|(seat, _)| *seat).collect();
    Ok(hands.len())
}

/// The fraction that `theory` prints; that of no deal if there is none.
fn probability(theory: &Finished) -> String {
    if theory.stderr.contains("no deal") {
        return "0/1".to_owned();
    }
    let document: Value = serde_json::from_str(&theory.stdout).unwrap_or_default();
    document["probability"]["fraction"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}
