//! A run of a mix: of every type, and one verdict for all of them.

use std::path::{Path, PathBuf};

use super::super::prepare::ConditionInput;
use super::super::random::RandomSource;
use super::{End, Existing, RunOutcome, RunRequest, run};
use crate::battery::Level;
use crate::error::Error;
use crate::language::Script;
use crate::observer::Observer;
use crate::population::Listings;
use crate::report::{MixRecord, MixTypeRecord, PROGRAM, folders_beside, run_record, write_mix};
use crate::run::{Checkpoints, DEFAULT_DEALS};

/// Result of a run of a mix.
#[derive(Debug)]
pub struct MixReport {
    /// The contents of mix.json.
    pub record: MixRecord,
    /// The level of the verdict.
    pub level: Level,
    /// Folder of mix.json and of the types' reports.
    pub folder: PathBuf,
}

/// Runs every type of a script's mix with its share of the deals and of the time, each with a
/// report in a folder of its own within that of the request. Passes each outcome with its folder
/// to `tell`. Writes mix.json last.
///
/// Returns `None` if a type was interrupted.
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
) -> Result<Option<MixReport>, Error> {
    let name = &request.name;
    let Some(mix) = &script.mix else {
        return Err(Error::usage(format!("{name} has no mix")));
    };
    if script.needs_tables() {
        return Err(Error::usage(format!(
            "{name} is a mix that asks double-dummy tricks: run one type, with --type NAME"
        )));
    }
    let limit = script.produce.into_iter().chain(script.generate).min();
    let all = request.deals.or(limit).unwrap_or(DEFAULT_DEALS);
    let (folder, mut random) = (folder_of(request), request.random.clone());
    let (mut types, mut levels, mut seed) = (Vec::new(), Vec::new(), String::new());
    for (place, deals) in mix.numbers(all).into_iter().enumerate() {
        if deals == 0 {
            continue;
        }
        let of = &mix.types()[place];
        let path = folder.join(&of.name);
        let of_type = RunRequest {
            name: format!("{name}-{}", of.name),
            existing: existing_of_type(request.existing, &path),
            folder: path,
            deals: Some(deals),
            time: (request.time).map(|time| time.mul_f64(deals as f64 / all as f64)),
            random: random.clone(),
            ..request.clone()
        };
        let input = ConditionInput::Script(Box::new(script.of_type(place)?));
        let outcome = run(&of_type, input, listings, observer);
        let outcome = outcome.map_err(|error| error.context(format!("type `{}`", of.name)))?;
        tell(&outcome, &of_type.folder)?;
        let (record, level) = match &outcome {
            RunOutcome::Reported(report) if report.end == End::Interrupted => return Ok(None),
            RunOutcome::Reported(report) => (&report.record, report.level),
            RunOutcome::Finished { record, level } => (&**record, *level),
        };
        // A generated seed is that of all types.
        random.seed = random.seed.or(record.identity.seed_number());
        let source = || RandomSource::Seeded(record.identity.generator.clone());
        random.source.get_or_insert_with(source);
        seed.clone_from(&record.identity.seed);
        let evidence = record.evidence.as_ref();
        types.push(MixTypeRecord {
            name: of.name.clone(),
            parts: of.parts,
            of: mix.parts(),
            dealt: record.dealt,
            largest_s: evidence.and_then(|evidence| evidence.largest_s),
            verdict: level.name().to_owned(),
            folder: of.name.clone(),
        });
        levels.push(level);
    }
    let largest_s = largest(&types);
    let level = level_of(&levels, largest_s);
    let record = MixRecord {
        program: PROGRAM.to_owned(),
        name: name.clone(),
        seed,
        dealt: types.iter().map(|of| of.dealt).sum(),
        largest_s,
        verdict: level.name().to_owned(),
        types,
    };
    write_mix(&folder, &record)?;
    Ok(Some(MixReport {
        record,
        level,
        folder,
    }))
}

/// Returns the folder of the mix: with [`Existing::Beside`], the first that does not exist.
fn folder_of(request: &RunRequest) -> PathBuf {
    let free = match request.existing {
        Existing::Beside => folders_beside(&request.folder).find(|path| !path.exists()),
        Existing::Keep | Existing::Replace | Existing::Resume => None,
    };
    free.unwrap_or_else(|| request.folder.clone())
}

/// Returns the treatment of an earlier run of a type. Of a mix that is resumed, some types may not
/// have begun.
fn existing_of_type(of_mix: Existing, folder: &Path) -> Existing {
    match of_mix {
        Existing::Beside => Existing::Keep,
        Existing::Resume if !Checkpoints::of(folder).exist() && run_record(folder).is_none() => {
            Existing::Keep
        }
        other => other,
    }
}

/// Returns the largest of the types' S + log10(share).
fn largest(types: &[MixTypeRecord]) -> Option<f64> {
    let lessened = |of: &MixTypeRecord| {
        let share = of.parts as f64 / of.of as f64;
        of.largest_s.map(|s| s + share.log10())
    };
    types.iter().filter_map(lessened).reduce(f64::max)
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
        let lessened = level_of(&[L::Pass, L::Suspicious], Some(2.5));
        assert_eq!(lessened, L::Inconclusive);
        assert_eq!(level_of(&[L::Pass, L::Fail], Some(9.1)), L::Fail);
        assert_eq!(level_of(&[L::Pass, L::Invalid], Some(-0.3)), L::Invalid);
    }

    #[test]
    fn evidence_is_lessened_by_the_share() {
        let of = |parts, largest_s| MixTypeRecord {
            name: String::new(),
            parts,
            of: 100,
            dealt: 1,
            largest_s,
            verdict: String::new(),
            folder: String::new(),
        };
        assert_eq!(largest(&[of(100, None)]), None);
        assert_eq!(largest(&[of(10, Some(3.5)), of(90, None)]), Some(2.5));
    }
}
