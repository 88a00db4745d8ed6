//! Cost of planning for scripts like those of bridge teachers.
//!
//! `deal -n 36` with the chosen sampler may take at most half a second of processor time more than
//! by rejection, and 300 MB. With `--runs`, `run` may take at most 1.3 times as long as with the
//! best of the three samplers by hand, in all or for each deal kept, and planning at most two
//! seconds. Scripts that fewer than one deal in a million satisfies are shown but not judged.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Failure;
use crate::program::{Finished, absolute, fairdeal, output};
use crate::sheet::{Column, Sheet, kept};

/// The scripts.
#[derive(Args)]
pub(crate) struct Options {
    /// Measure `run` with every sampler too
    #[arg(long)]
    runs: bool,
    /// Deals of a run
    #[arg(long, default_value = "10M")]
    deals: String,
    /// Measure only every K-th script
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Most seconds of processor time of one command
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Folders of scripts (.dl, .dlr)
    #[arg(default_value = "fixtures/practice")]
    folders: Vec<PathBuf>,
}

const MOST_EXTRA: f64 = 0.5;
const MOST_BYTES: u64 = 300_000_000;
/// The same for scripts in a folder `hostile`, which suit no sampler and may be refused.
const MOST_HOSTILE_BYTES: u64 = 512_000_000;
const RAREST: f64 = 1e-6;
const REFUSED: i32 = 65;

const MOST_RATIO: f64 = 1.3;
/// Measurements of a fraction of a second vary by more than the ratio.
const LEAST_SECONDS: f64 = 0.5;
const MOST_PLANNING: f64 = 2.0;
const SAMPLERS: [&str; 3] = ["rejection", "cells", "listing"];

const DEALS: &[Column] = &[
    ("deal -n 36", -44),
    ("one deal in", 12),
    ("chosen, s", 9),
    ("reject, s", 9),
    ("MB", 6),
    ("limits", -6),
];

const RUNS: &[Column] = &[
    ("run", -44),
    ("chosen", -9),
    ("plan, s", 8),
    ("run, s", 8),
    ("reject", 8),
    ("cells", 8),
    ("listing", 8),
    ("ratio", 6),
    ("a deal", 6),
    ("MB", 6),
    ("limits", -6),
];

/// Runs commands with a limit of processor time, each in a new folder with an empty cache.
struct Laboratory {
    fairdeal: String,
    timeout: u64,
}

impl Laboratory {
    fn measured<T>(
        &self,
        command: &str,
        read: impl FnOnce(&Path, &Finished) -> T,
    ) -> Result<(Finished, T), Failure> {
        let folder = TempDir::new()?;
        let command = format!(
            "ulimit -t {}; exec {} {command}",
            self.timeout, self.fairdeal
        );
        let finished = output(&command, folder.path())?;
        let value = read(folder.path(), &finished);
        Ok((finished, value))
    }

    fn finished(&self, command: &str) -> Result<Finished, Failure> {
        Ok(self.measured(command, |_, _| ())?.0)
    }
}

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let (fairdeal, timeout) = (fairdeal()?, options.timeout);
    let laboratory = Laboratory { fairdeal, timeout };
    for folder in &options.folders {
        let mut scripts = Vec::new();
        scripts_below(folder, &mut scripts)?;
        scripts.sort();
        let chosen = scripts.iter().step_by(options.every as usize);
        sheet.section(&format!("{}: boards", folder.display()), DEALS);
        for script in chosen.clone() {
            deals(&laboratory, (folder, script), sheet)?;
        }
        if options.runs {
            sheet.section(&format!("{}: runs", folder.display()), RUNS);
            for script in chosen {
                runs(&laboratory, (folder, script), &options.deals, sheet)?;
            }
        }
    }
    Ok(())
}

fn scripts_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder);
    let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let is_script = path
            .extension()
            .is_some_and(|end| end == "dl" || end == "dlr");
        match path.is_dir() {
            true => scripts_below(&path, found)?,
            false => found.extend(is_script.then_some(path)),
        }
    }
    Ok(())
}

fn name_of((folder, script): (&Path, &Path)) -> String {
    let name = script.strip_prefix(folder).unwrap_or(script);
    name.with_extension("").display().to_string()
}

fn is_hostile(script: &Path) -> bool {
    script.iter().any(|part| part == "hostile")
}

fn deals(
    laboratory: &Laboratory,
    (folder, script): (&Path, &Path),
    sheet: &mut Sheet,
) -> Result<(), Failure> {
    let path = absolute(script)?;
    let command = format!("deal '{path}' -n 36 --seed 1");
    let reject = laboratory.finished(&format!("{command} --sampler rejection"))?;
    let mut chosen = laboratory.finished(&command)?;
    // Narrow failures are measured again, because other programs run too.
    for _ in 0..2 {
        let more = chosen.cpu_seconds - reject.cpu_seconds;
        if (MOST_EXTRA..2.0 * MOST_EXTRA).contains(&more) {
            let again = laboratory.finished(&command)?;
            chosen = if again.cpu_seconds < chosen.cpu_seconds {
                again
            } else {
                chosen
            };
        }
    }
    let share = match reject.code {
        0 => share_kept(laboratory, &path)?,
        _ => None,
    };
    let is_hostile = is_hostile(script);
    let beside = if reject.code == 0 {
        reject.cpu_seconds
    } else {
        0.0
    };
    let most = if is_hostile {
        MOST_HOSTILE_BYTES
    } else {
        MOST_BYTES
    };
    let is_within = (chosen.code == 0 || is_hostile && chosen.code == REFUSED)
        && chosen.cpu_seconds <= beside + MOST_EXTRA
        && chosen.peak <= most;
    let is_rare = !is_hostile && share.is_some_and(|share| share <= RAREST);
    sheet.row(vec![
        json!(name_of((folder, script))),
        json!(share.map(|share| (1.0 / share).round())),
        seconds(&chosen),
        seconds(&reject),
        json!(chosen.peak / 1_000_000),
        if is_rare {
            json!("rare")
        } else {
            kept(is_within)
        },
    ]);
    Ok(())
}

/// Seconds of processor time, or how the command ended.
fn seconds(finished: &Finished) -> Value {
    match finished.code {
        0..=4 => json!(finished.cpu_seconds),
        REFUSED => json!("refused"),
        code => json!(format!("ends {code}")),
    }
}

/// The approximate share of deals that a script keeps.
fn share_kept(laboratory: &Laboratory, path: &str) -> Result<Option<f64>, Failure> {
    let command = format!("deal '{path}' -n 36 --sampler rejection --seed 2 --dealer-output");
    let told = laboratory.finished(&command)?;
    let number = |word: &str| {
        let line = told.stdout.lines().find(|line| line.starts_with(word))?;
        line.split(' ').nth(1)?.parse::<f64>().ok()
    };
    Ok(match (number("Generated"), number("Produced")) {
        (Some(generated), Some(produced)) if generated > 0.0 => Some(produced / generated),
        _ => None,
    })
}

/// A run with its number of kept deals, if it came to a verdict.
struct Run(Finished, Option<f64>);

impl Run {
    fn per_deal(&self) -> Option<f64> {
        Some(self.0.cpu_seconds / self.1?)
    }

    fn total(&self) -> Option<f64> {
        self.1.map(|_| self.0.cpu_seconds)
    }
}

fn runs(
    laboratory: &Laboratory,
    (folder, script): (&Path, &Path),
    deals: &str,
    sheet: &mut Sheet,
) -> Result<(), Failure> {
    let path = absolute(script)?;
    let planned = laboratory.finished(&format!("run '{path}' --deals {deals} --explain --json"))?;
    let sampler = serde_json::from_str::<Value>(&planned.stdout).unwrap_or_default();
    let run = |sampler: &str| -> Result<Run, Failure> {
        let command = format!(
            "run '{path}' --deals {deals} --battery tables --seed 1 --sampler {sampler} --quiet --out report"
        );
        let (finished, kept) = laboratory.measured(&command, kept_deals)?;
        Ok(Run(finished, kept))
    };
    let chosen = run("auto")?;
    let by_hand = SAMPLERS.map(run);
    let by_hand: Vec<Run> = by_hand.into_iter().collect::<Result<_, _>>()?;
    let ratio = |of: fn(&Run) -> Option<f64>| {
        let best = by_hand.iter().filter_map(of).reduce(f64::min)?;
        Some(of(&chosen)? / best)
    };
    let (ratio, per_deal) = (ratio(Run::total), ratio(Run::per_deal));
    let is_refused = is_hostile(script) && chosen.0.code == REFUSED;
    let is_slow = [ratio, per_deal]
        .iter()
        .all(|one| one.is_some_and(|one| one > MOST_RATIO));
    let is_within = (chosen.1.is_some() || is_refused)
        && planned.cpu_seconds <= MOST_PLANNING
        && !(is_slow && chosen.0.cpu_seconds > LEAST_SECONDS);
    let head = [
        json!(name_of((folder, script))),
        json!(sampler["sampler"].as_str().unwrap_or("-")),
        json!(planned.cpu_seconds),
        seconds(&chosen.0),
    ];
    let others = by_hand.iter().map(|run| seconds(&run.0));
    let tail = [
        json!(ratio),
        json!(per_deal),
        json!(chosen.0.peak / 1_000_000),
        kept(is_within),
    ];
    sheet.row(head.into_iter().chain(others).chain(tail).collect());
    Ok(())
}

/// The number of deals that a finished run kept.
fn kept_deals(folder: &Path, finished: &Finished) -> Option<f64> {
    if !matches!(finished.code, 0 | 1 | 4) {
        return None;
    }
    let record = fs::read(folder.join("report/run.json")).ok()?;
    let record: Value = serde_json::from_slice(&record).ok()?;
    let kept = record["filter"]["kept"].as_f64();
    kept.or_else(|| record["deals"].as_f64())
        .filter(|kept| *kept > 0.0)
}
