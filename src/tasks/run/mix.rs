//! A run of a mix: of every type, and one verdict for all of them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::prepare::ConditionInput;
use super::super::random::RandomRequest;
use super::{RunOutcome, RunRequest, run};
use crate::battery::Level;
use crate::error::{Error, Remedy};
use crate::language::{Mix, MixType, Script};
use crate::observer::Observer;
use crate::population::Listings;
use crate::report::{
    Folder, MixRecord, MixSubject, MixTypeRecord, OnConflict, PROGRAM, RunRecord, Stopped,
    record_in,
};
use crate::run::{Checkpoints, DEFAULT_DEALS, DealCount, MOST_DEALS};
use crate::stats::elementary::log10;

/// Result of a run of a mix.
#[derive(Debug)]
pub struct MixReport {
    /// The contents of mix.json.
    pub record: MixRecord,
    /// Folder of mix.json and of the types' reports.
    pub folder: PathBuf,
    /// Whether a type was interrupted, so that the other types are missing and mix.json is too.
    pub is_interrupted: bool,
}

/// Runs every type of a script's mix with its share of the deals and of the time, each with a
/// report in a folder of its own within that of the request. Passes each outcome with its folder
/// to `tell`. Writes mix.json last.
///
/// # Errors
///
/// As [`run`], with the name of the type; if the script has no mix or asks double-dummy tricks; the
/// errors of `tell`.
pub fn run_mix(
    request: &RunRequest,
    script: &Script,
    listings: &Listings,
    observer: &dyn Observer,
    tell: &mut dyn FnMut(&RunOutcome, &Path) -> Result<(), Error>,
) -> Result<MixReport, Error> {
    let name = &request.name;
    let Some(mix) = &script.mix else {
        return Err(Error::usage(format!("{name} has no mix")));
    };
    if script.needs_tables() {
        let message = format!("{name} is a mix that asks double-dummy tricks");
        return Err(Error::usage(message).with_remedy(Remedy::ChooseType));
    }
    let numbers = numbers_of_types(request, script, mix);
    let planned = mix.types().iter().zip(&numbers).enumerate();
    let planned: Vec<_> = planned.filter(|(_, (_, deals))| **deals > 0).collect();
    let wanted = planned
        .iter()
        .map(|(_, (of, deals))| (&*of.name, of.parts, **deals));
    let seed = request.random.seed.map(|seed| format!("{seed:#x}"));
    let subject = MixSubject {
        types: &wanted.collect::<Vec<_>>(),
        seed: seed.as_deref(),
        is_resumed: request.on_conflict == OnConflict::Resume,
    };
    let folder = Folder::take::<MixRecord>(&request.folder, subject, request.on_conflict)?;
    if request.on_conflict == OnConflict::Replace {
        // Otherwise an earlier mix.json is that of the same mix, whose types stay.
        folder.begin()?;
    }
    let mut finished = FinishedTypes {
        random: request.random.clone(),
        ..FinishedTypes::default()
    };
    let mut is_interrupted = false;
    for (place, (of, &deals)) in planned {
        let of_deals = DealCount::new(deals).map_err(|error| error.named("the number of deals"))?;
        let path = folder.path().join(&of.name);
        let of_type = RunRequest {
            name: format!("{name}-{}", of.name),
            on_conflict: on_conflict_of_type(request.on_conflict, &path),
            folder: path,
            deals: Some(of_deals).filter(|deals| *deals < DealCount::MOST),
            time: request
                .time
                .map(|time| time_of_type(time, of.parts, mix.parts())),
            random: finished.random.clone(),
            ..request.clone()
        };
        let mut of_mix = script.of_type(place)?;
        // `produce` is a number of boards of all types.
        of_mix.produce = None;
        let input = ConditionInput::Script(Box::new(of_mix));
        let outcome = run(&of_type, input, listings, observer);
        let outcome = outcome.map_err(|error| error.context(format!("type `{}`", of.name)))?;
        tell(&outcome, &of_type.folder)?;
        finished.add((of, mix.parts()), deals, &outcome);
        is_interrupted = matches!(&outcome, RunOutcome::Reported(report) if report.record.stopped == Some(Stopped::Interrupted));
        if is_interrupted {
            break;
        }
    }
    let record = finished.record(name);
    if !is_interrupted {
        folder.write_record(&record)?;
    }
    Ok(MixReport {
        record,
        folder: folder.path().to_owned(),
        is_interrupted,
    })
}

/// The number of deals of each type.
fn numbers_of_types(request: &RunRequest, script: &Script, mix: &Mix) -> Vec<u64> {
    let limit = request.deals.map(DealCount::get).or(script.generate);
    match (limit, request.time) {
        // Only time ends each type.
        (None, Some(_)) => vec![MOST_DEALS; mix.types().len()],
        // Resuming the mix must give the same numbers before its seed is known.
        _ => mix.rounded(limit.unwrap_or(DEFAULT_DEALS)).first(),
    }
}

/// The types that were run.
#[derive(Default)]
struct FinishedTypes {
    types: Vec<MixTypeRecord>,
    seeds: Vec<String>,
    /// The random words of the other types: a generated seed is that of all types.
    random: RandomRequest,
}

impl FinishedTypes {
    /// Adds a type, of this number of parts, that was to have this number of deals.
    fn add(&mut self, (of, parts): (&MixType, u64), deals: u64, outcome: &RunOutcome) {
        let record = match outcome {
            RunOutcome::Reported(report) => &report.record,
            RunOutcome::Finished(record) => record,
        };
        let random = &mut self.random;
        random.complete(&record.identity);
        self.seeds.push(record.identity.seed.clone());
        let evidence = record.common.evidence.as_ref();
        self.types.push(MixTypeRecord {
            name: of.name.clone(),
            parts: of.parts,
            of: parts,
            deals,
            dealt: record.dealt,
            stopped: record.stopped,
            largest_s: evidence.and_then(|evidence| evidence.largest_s),
            verdict: record.common.verdict,
            folder: of.name.clone(),
        });
    }

    /// Returns the record of the mix.
    fn record(mut self, name: &str) -> MixRecord {
        self.seeds.dedup();
        let largest_s = largest(&self.types);
        let levels: Vec<Level> = self.types.iter().map(|of| of.verdict).collect();
        MixRecord {
            program: PROGRAM.to_owned(),
            name: name.to_owned(),
            seed: self.seeds.pop().filter(|_| self.seeds.is_empty()),
            dealt: self.types.iter().map(|of| of.dealt).sum(),
            largest_s,
            verdict: level_of(&levels, largest_s),
            types: self.types,
        }
    }
}

/// Whether a folder has a checkpoint or a readable record of a run.
fn is_begun(folder: &Path) -> bool {
    Checkpoints::of(folder).exist() || matches!(record_in::<RunRecord>(folder), Ok(Some(_)))
}

/// Returns the treatment of an earlier run of a type. In a resumed mix, some types may not have
/// started.
fn on_conflict_of_type(of_mix: OnConflict, folder: &Path) -> OnConflict {
    match of_mix {
        OnConflict::Beside => OnConflict::Keep,
        OnConflict::Resume if !is_begun(folder) => OnConflict::Keep,
        other => other,
    }
}

/// Returns the time of a type with this number of all parts.
fn time_of_type(time: Duration, parts: u64, all: u64) -> Duration {
    time.mul_f64(parts as f64 / all as f64)
}

/// Returns the largest of the types' S + log10(share).
fn largest(types: &[MixTypeRecord]) -> Option<f64> {
    let reduced = |of: &MixTypeRecord| {
        let share = of.parts as f64 / of.of as f64;
        of.largest_s.map(|s| s + log10(share))
    };
    types.iter().filter_map(reduced).reduce(f64::max)
}

/// Returns the level of a mix with types of these levels.
///
/// Fair deals of a type with share w reach S = s + log10(1/w) at most once in 10^s / w runs, so any
/// of the types does so at most once in 10^s.
fn level_of(levels: &[Level], largest_s: Option<f64>) -> Level {
    match Level::of_evidence(largest_s.unwrap_or_default()) {
        _ if levels.contains(&Level::Invalid) => Level::Invalid,
        Level::Pass if levels.iter().all(|level| *level == Level::Pass) => Level::Pass,
        Level::Pass => Level::Inconclusive,
        level => level,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_passes_if_every_type_passes() {
        use Level as L;
        assert_eq!(level_of(&[L::Pass, L::Pass], Some(-0.3)), L::Pass);
        let undecided = level_of(&[L::Pass, L::Inconclusive], Some(-0.3));
        assert_eq!(undecided, L::Inconclusive);
        assert_eq!(level_of(&[L::Inconclusive], None), L::Inconclusive);
        // One type of ten with S = 3.5 says little about the mix.
        let reduced = level_of(&[L::Pass, L::Suspicious], Some(2.5));
        assert_eq!(reduced, L::Inconclusive);
        assert_eq!(level_of(&[L::Pass, L::Fail], Some(9.1)), L::Fail);
        assert_eq!(level_of(&[L::Pass, L::Invalid], Some(-0.3)), L::Invalid);
    }

    #[test]
    fn evidence_and_time_are_reduced_by_the_share() {
        let of = |parts, largest_s| MixTypeRecord {
            name: String::new(),
            parts,
            of: 100,
            deals: 1,
            dealt: 1,
            stopped: None,
            largest_s,
            verdict: Level::Pass,
            folder: String::new(),
        };
        assert_eq!(largest(&[of(100, None)]), None);
        assert_eq!(largest(&[of(10, Some(3.5)), of(90, None)]), Some(2.5));
        let minute = Duration::from_secs(60);
        assert_eq!(time_of_type(minute, 1_000, 4_000), minute / 4);
    }
}
