//! Saved measurements: where they are, which can be compared, and what came of it.

use std::path::{Path, PathBuf};

use serde::Serialize;

use fairdeal::change::{self, Change, ENOUGH_MEASUREMENTS, Finding, median};
use fairdeal::condition::Scenario;
use fairdeal::report::{BenchRecord, BenchRounds, SavedBench};

use fairdeal::Error;

/// Where measurements are saved.
const SAVED: &str = "reports/bench";
/// The chance that any row is told slower though nothing changed.
const ALPHA: f64 = 0.01;

/// A name for a measurement: a folder of `reports/bench`.
pub(super) fn name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
    if text.starts_with(['.', '-']) || !text.chars().all(plain) || text.is_empty() {
        return Err("a name has letters, digits and `-`, `_`, `.` or `+` between".to_owned());
    }
    no_input(text)
}

/// The name of a saved measurement, or its folder.
pub(super) fn name_or_folder(text: &str) -> Result<String, String> {
    match text {
        "" => Err("a name or a folder is missing".to_owned()),
        _ => no_input(text),
    }
}

/// INPUT may follow an option that may come without a name: it is not taken for one.
fn no_input(text: &str) -> Result<String, String> {
    let is_file = [".dl", ".cases"].iter().any(|end| text.ends_with(end));
    match is_file || Scenario::named(text).is_some() {
        true => Err("that is an INPUT: write it before the options".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Where a measurement of this input that begins now is saved.
pub(super) fn folder(name: Option<&str>, start: jiff::Timestamp, input: &str) -> PathBuf {
    let saved = Path::new(SAVED);
    match name {
        Some(name) => saved.join(name),
        None => saved.join(format!("{}-{input}", start.strftime("%Y%m%dT%H%M%SZ"))),
    }
}

/// Earlier measurements of the same, with their rounds.
pub(super) struct Earlier(Vec<(SavedBench, BenchRounds)>);

impl Earlier {
    /// The one of that name or in that folder, or all that can be compared.
    pub(super) fn of(name: Option<&str>, record: &BenchRecord) -> Result<Self, Error> {
        let found = match name {
            Some(name) => vec![named(name, record)?],
            None => SavedBench::all(Path::new(SAVED)).map_err(Error::from)?,
        };
        let mut earlier: Vec<(SavedBench, BenchRounds)> = Vec::new();
        let all = found.len();
        for saved in found {
            if saved.record.difference(record).is_some() {
                continue;
            }
            let rounds = saved.rounds()?;
            // A copy tells nothing of the noise.
            if earlier.iter().all(|(_, other)| *other != rounds) {
                earlier.push((saved, rounds));
            }
        }
        if earlier.is_empty() {
            return Err(Error::input(format!(
                "none of {all} measurements saved in {SAVED} is of this input, tables, generator, \
                 instructions, deals and processor: save one with --save"
            )));
        }
        Ok(Self(earlier))
    }

    /// Holds new rounds of 1, 2 .. threads against them.
    pub(super) fn compare(&self, new: &BenchRounds, threads: usize) -> Against {
        let most = self.0.iter().map(|(saved, _)| saved.record.threads).max();
        let compared = threads.min(most.unwrap_or(0));
        let alpha = ALPHA / compared.max(1) as f64;
        let medians = |of: &dyn Fn(&BenchRounds) -> Vec<f64>| {
            let earlier = self.0.iter().map(|(_, rounds)| median(&of(rounds)));
            median(&earlier.filter(|ns| !ns.is_nan()).collect::<Vec<_>>())
        };
        let rows = (1..=compared).filter_map(|threads| {
            let earlier = self.0.iter().map(|(_, rounds)| rounds.log_ratios(threads));
            let earlier: Vec<_> = earlier.filter(|rounds| !rounds.is_empty()).collect();
            let change = change::compare(&earlier, &new.log_ratios(threads), alpha)?;
            let then = medians(&|rounds| rounds.cpu_ns(threads));
            let now = median(&new.cpu_ns(threads));
            Some(Judged::new(threads, [then, now], change, alpha))
        });
        Against {
            alpha: ALPHA,
            saved: self.0.iter().map(|(saved, _)| saved.path.clone()).collect(),
            between: self.0.len() >= ENOUGH_MEASUREMENTS,
            naive_then_ns: medians(&BenchRounds::naive_ns),
            naive_now_ns: median(&new.naive_ns()),
            rows: rows.collect(),
        }
    }
}

/// The saved measurement of a name, or in a folder; an error if it is of something else.
fn named(name: &str, record: &BenchRecord) -> Result<SavedBench, Error> {
    let saved = Path::new(SAVED).join(name);
    let folder = if saved.is_dir() { saved } else { name.into() };
    let saved = SavedBench::open(&folder)?;
    match saved.record.difference(record) {
        None => Ok(saved),
        Some(difference) => Err(Error::input(format!(
            "{} cannot be compared: {difference}",
            folder.display()
        ))),
    }
}

/// What came of a comparison.
#[derive(Debug, Serialize)]
pub(super) struct Against {
    /// The chance that any row is told slower though nothing changed.
    alpha: f64,
    /// The measurements compared with.
    pub(super) saved: Vec<PathBuf>,
    /// Whether the noise is that between measurements; else that between rounds.
    pub(super) between: bool,
    pub(super) naive_then_ns: f64,
    pub(super) naive_now_ns: f64,
    pub(super) rows: Vec<Judged>,
}

impl Against {
    /// Whether anything is slower.
    pub(super) fn is_slower(&self) -> bool {
        self.rows.iter().any(|row| row.verdict == SLOWER)
    }
}

const SLOWER: &str = "slower";

/// A row of a comparison.
#[derive(Debug, Serialize)]
pub(super) struct Judged {
    pub(super) threads: usize,
    pub(super) then_cpu_ns: f64,
    pub(super) now_cpu_ns: f64,
    pub(super) change_percent: f64,
    pub(super) noise_percent: Option<f64>,
    pub(super) p: f64,
    pub(super) verdict: &'static str,
    /// The earlier measurements, and the rounds of each that were used.
    measurements: usize,
    rounds: usize,
    /// How many rounds it would take, if those are too few.
    pub(super) rounds_needed: Option<usize>,
}

impl Judged {
    fn new(threads: usize, [then, now]: [f64; 2], change: Change, alpha: f64) -> Self {
        let percent = |ln: f64| ln.exp_m1() * 100.0;
        let verdict = match change.finding {
            Finding::Slower => SLOWER,
            Finding::Faster => "faster",
            Finding::AsBefore => "as before",
            Finding::TooFewRounds => "too few rounds to tell",
        };
        let too_few = change.finding == Finding::TooFewRounds;
        Self {
            threads,
            then_cpu_ns: then,
            now_cpu_ns: now,
            change_percent: percent(change.change),
            noise_percent: change.noise.map(percent),
            p: change.p,
            verdict,
            measurements: change.measurements,
            rounds: change.rounds,
            rounds_needed: too_few.then(|| change::rounds_needed(change.measurements, alpha)),
        }
    }
}
