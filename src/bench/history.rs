//! Compares a new measurement with saved ones of the same kind.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::change::{self, ENOUGH_MEASUREMENTS, SpeedFinding, median};
use super::{BENCH_FOLDER, BenchError, BenchRecord, BenchRounds, SavedBench};
use crate::stats::elementary::exp_m1;

/// Probability that any row is reported slower although nothing changed.
const ALPHA: f64 = 0.01;

/// Saved measurements of the same kind as a new one.
#[derive(Clone, Debug)]
pub struct BenchHistory(Vec<SavedBench>);

impl BenchHistory {
    /// Finds the measurement of this name in [`BENCH_FOLDER`] or in the folder of this path.
    /// Without a name, finds all in [`BENCH_FOLDER`] that are comparable with the new one.
    ///
    /// # Errors
    ///
    /// [`BenchError`] if none is comparable, or one cannot be read.
    pub fn find(name: Option<&str>, new: &BenchRecord) -> Result<Self, BenchError> {
        let folder = Path::new(BENCH_FOLDER);
        let found = match name {
            Some(name) => vec![named(name, new)?],
            None => SavedBench::all(folder)?,
        };
        let all = found.len();
        let mut history: Vec<SavedBench> = Vec::new();
        for saved in found {
            let measurements =
                |of: &SavedBench| of.record.measurements == saved.record.measurements;
            // A copy gives no information about the noise.
            if saved.record.difference(new).is_none() && !history.iter().any(measurements) {
                history.push(saved);
            }
        }
        if history.is_empty() {
            let path = folder.to_owned();
            return Err(BenchError::NoneComparable { path, saved: all });
        }
        Ok(Self(history))
    }

    /// Compares the new rounds of 1, 2 .. threads with these measurements.
    pub fn compare(&self, new: &BenchRecord) -> BenchComparison {
        let records = || self.0.iter().map(|saved| &saved.record);
        let most = records().map(|record| record.threads).max();
        let (new, compared) = (&new.measurements, new.threads.min(most.unwrap_or(0)));
        let alpha = ALPHA / compared.max(1) as f64;
        let medians = |of: &dyn Fn(&BenchRounds) -> Vec<f64>| {
            let earlier = records().map(|record| median(&of(&record.measurements)));
            median(&earlier.filter(|ns| !ns.is_nan()).collect::<Vec<_>>())
        };
        let rows = (1..=compared).filter_map(|threads| {
            let earlier = records().map(|record| record.measurements.log_ratios(threads));
            let earlier: Vec<_> = earlier.filter(|rounds| !rounds.is_empty()).collect();
            let change = change::compare(&earlier, &new.log_ratios(threads), alpha)?;
            let percent = |ln: f64| exp_m1(ln) * 100.0;
            let too_few = change.finding == SpeedFinding::TooFewRounds;
            Some(SpeedChange {
                threads,
                then_cpu_ns: medians(&|rounds| rounds.cpu_ns(threads)),
                now_cpu_ns: median(&new.cpu_ns(threads)),
                change_percent: percent(change.change),
                noise_percent: change.noise.map(percent),
                p: change.p,
                verdict: change.finding,
                measurements: change.measurements,
                rounds: change.rounds,
                rounds_needed: too_few.then(|| change::rounds_needed(change.measurements, alpha)),
            })
        });
        BenchComparison {
            alpha: ALPHA,
            saved: self.0.iter().map(|saved| saved.path.clone()).collect(),
            between: self.0.len() >= ENOUGH_MEASUREMENTS,
            naive_then_ns: medians(&BenchRounds::naive_ns),
            naive_now_ns: median(&new.naive_ns()),
            rows: rows.collect(),
        }
    }
}

/// Opens the saved measurement of a name or folder, if it is comparable with the new one.
fn named(name: &str, new: &BenchRecord) -> Result<SavedBench, BenchError> {
    let saved = Path::new(BENCH_FOLDER).join(name);
    let path = if saved.is_dir() { saved } else { name.into() };
    let saved = SavedBench::open(&path)?;
    match saved.record.difference(new) {
        None => Ok(saved),
        Some(difference) => Err(BenchError::Incomparable { path, difference }),
    }
}

/// A new measurement compared with saved ones.
#[derive(Clone, Debug, Serialize)]
pub struct BenchComparison {
    /// Probability that any row is reported slower although nothing changed.
    pub alpha: f64,
    /// Folders of the saved measurements.
    pub saved: Vec<PathBuf>,
    /// Whether the noise is that between measurements, or that between rounds.
    pub between: bool,
    /// Earlier median processor time of the naive program, in nanoseconds per deal.
    pub naive_then_ns: f64,
    /// New median processor time of the naive program, in nanoseconds per deal.
    pub naive_now_ns: f64,
    /// The engine on 1, 2 .. threads.
    pub rows: Vec<SpeedChange>,
}

impl BenchComparison {
    /// Whether any row is slower.
    pub fn is_slower(&self) -> bool {
        self.rows
            .iter()
            .any(|row| row.verdict == SpeedFinding::Slower)
    }
}

/// Earlier and new speed of the engine on a number of threads.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedChange {
    /// Number of threads.
    pub threads: usize,
    /// Earlier median processor time, in nanoseconds per deal.
    pub then_cpu_ns: f64,
    /// New median processor time, in nanoseconds per deal.
    pub now_cpu_ns: f64,
    /// Change of the engine's time in relation to the naive program, in per cent.
    pub change_percent: f64,
    /// The smallest change that would be reported, in per cent; null if no change could be.
    pub noise_percent: Option<f64>,
    /// Probability of a change at least this large, in its direction, if nothing changed.
    pub p: f64,
    /// Result of the comparison.
    pub verdict: SpeedFinding,
    /// Number of saved measurements used.
    pub measurements: usize,
    /// Number of rounds used of each.
    pub rounds: usize,
    /// Number of rounds needed, if these are too few.
    pub rounds_needed: Option<usize>,
}
