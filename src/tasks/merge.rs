//! Merging: one report from the parts of one run.

use std::fs;
use std::path::{Path, PathBuf};

use super::battery::BatteryRequest;
use super::condition_text::hash_name;
use super::prepare::Prepared;
use super::random::RandomRequest;
use super::run::{Conclusion, DealtRun, FirstDeals, MergedParts, RunReport};
use crate::battery::{Battery, kept_heterogeneity};
use crate::draw::Seeded;
use crate::error::{Error, Remedy};
use crate::language::SCENARIOS;
use crate::observer::{Observer, Stage};
use crate::population::Listings;
use crate::printable::{display_path, thousands};
use crate::report::{
    CheckpointRecord, Folder, MergedPart, OnConflict, PartRecord, RunRecord, TableFormat, record_in,
};
use crate::run::{
    self, CheckpointError, Checkpoints, Contents, Merging, RunError, RunState, Running,
};
use crate::sampler;
use crate::tally::Tally;
use crate::threads::Threads;
use crate::utc::UtcTime;

/// The request of a merge.
#[derive(Clone, Debug)]
pub struct MergeRequest {
    /// Folders of the parts, in any order.
    pub folders: Vec<PathBuf>,
    /// Folder of the report.
    pub out: PathBuf,
    /// The case file that the parts drew from, if it has moved.
    pub cases: Option<PathBuf>,
    /// Treatment of a report in that folder.
    pub on_conflict: OnConflict,
    /// Number of threads; by default all cores.
    pub threads: Option<Threads>,
    /// Formats of the tables in addition to CSV.
    pub formats: Vec<TableFormat>,
}

/// A folder with a finished part of a run.
struct PartFolder {
    folder: PathBuf,
    saved: CheckpointRecord,
    part: PartRecord,
    /// The record of the part's own report, if it exists.
    report: Option<RunRecord>,
}

/// Makes one report from all parts of a run; counts, tests and verdict are those of a single
/// process.
///
/// # Errors
///
/// If the folders do not contain all parts of one run, each complete, or something cannot be read
/// or written.
pub fn merge(
    request: &MergeRequest,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<RunReport, Error> {
    let parts = find(&request.folders, observer)?;
    let first = &parts[0].saved;
    let prepared = Prepared::again(first, request.cases.as_deref(), listings, observer)?;
    let out = &request.out;
    if parts.iter().any(|part| is_same(out, &part.folder)) {
        let message = format!("{} is one of the parts", display_path(out));
        return Err(Error::usage(message).with_remedy(Remedy::WriteElsewhere));
    }
    let folder = Folder::take::<RunRecord>(out, (&first.identity, None), request.on_conflict)?;
    let folder = folder.with_formats(&request.formats);
    let battery = BatteryRequest::of_run(first, request.threads);
    let workers = battery.workers()?;
    let merged = workers.install(|| add_up(&parts, &prepared, &battery, observer))?;
    let mut report = merged.report(prepared);
    report.prepared.population.check_unchanged()?;
    workers.install(|| report.write(&folder))?;
    let record = &report.record;
    tracing::info!(
        target: "run",
        parts = parts.len(),
        deals = record.dealt,
        verdict = record.common.verdict.name(),
        s = record.common.evidence.as_ref().and_then(|evidence| evidence.largest_s),
        folder = folder.path().display().to_string(),
        "merged"
    );
    Ok(report)
}

/// Adds up the parts and makes the tests.
fn add_up(
    parts: &[PartFolder],
    prepared: &Prepared,
    request: &BatteryRequest,
    observer: &dyn Observer,
) -> Result<Conclusion, Error> {
    let first = &parts[0].saved;
    let identity = &first.identity;
    let size = (identity.deals, identity.batch);
    let (plan, expected) = request.tests(&prepared.population, request.depth(), observer)?;
    let terms = run::terms(&plan, size.0, size.1, first.target);
    let mut battery = expected.map(|expected| Battery::new(terms, expected));
    let mut random = RandomRequest::default();
    random.complete(identity);
    let words = random.words()?;
    let dealer = prepared.dealer()?;
    let source = Seeded {
        dealer: &dealer,
        generator: &*words.generator,
    };
    let keep_filter = prepared.keep_filter(None);
    let running = || Running::new(&source, &plan, &keep_filter, size);

    let stage = observer.stage(Stage::Deals, Some(size.0));
    let mut merging = Merging::default();
    let mut tallies: Vec<Tally> = Vec::with_capacity(parts.len());
    let mut kept = Vec::with_capacity(parts.len());
    for (place, part) in parts.iter().enumerate() {
        let state = part.state(running())?;
        tallies.push(state.counted.counts.tally());
        kept.push((part.part.deals, state.counted.kept_counts.kept));
        merging.add(state, place + 1 == parts.len(), &mut |counts| {
            if let Some(battery) = &mut battery {
                battery.look(counts);
            }
        });
        stage.advance(part.part.deals);
    }
    drop(stage);
    let Some(counted) = merging.finish() else {
        return Err(Error::usage("no parts"));
    };
    let mut between = battery
        .as_ref()
        .map_or_else(Vec::new, |battery| battery.heterogeneity(&tallies));
    if keep_filter.filters() {
        between.extend(kept_heterogeneity(&kept));
    }
    let first_deals = match identity.generator.defect() {
        None => FirstDeals::find(prepared, &*words.generator, &counted, false)?,
        Some(_) => FirstDeals::default(),
    };
    let steps = sampler::exact_steps(size.0);
    Ok(Conclusion {
        name: name_of(&identity.condition),
        answered: prepared.answers(&counted, steps),
        dealt: DealtRun {
            counted,
            battery,
            record: record_of(parts, prepared),
            pace: None,
            stopped: None,
            threads: most_threads(parts),
            processes: None,
            path: path_of(parts),
        },
        is_saved: false,
        fresh_seed: None,
        ended: latest(parts),
        merged: Some(MergedParts {
            parts: parts.iter().map(PartFolder::record).collect(),
            between,
        }),
        first_deals,
        kept_theory: prepared.kept_theory(steps),
    })
}

/// The checkpoint record that a run in one piece would have.
fn record_of(parts: &[PartFolder], prepared: &Prepared) -> CheckpointRecord {
    CheckpointRecord {
        part: None,
        start: parts
            .iter()
            .map(|part| part.saved.start.clone())
            .min()
            .unwrap_or_default(),
        seconds: parts.iter().map(|part| part.saved.seconds).sum(),
        resumed: parts.iter().map(|part| part.saved.resumed).sum(),
        case_file: prepared.case_file_record(),
        ..parts[0].saved.clone()
    }
}

/// Reads the parts in these folders, in the order of their deals; rejects an incomplete run.
fn find(folders: &[PathBuf], observer: &dyn Observer) -> Result<Vec<PartFolder>, Error> {
    let (mut parts, mut others) = (Vec::with_capacity(folders.len()), Vec::new());
    for (place, folder) in folders.iter().enumerate() {
        if folders[..place].iter().any(|other| is_same(other, folder)) {
            let folder = display_path(folder);
            return Err(Error::usage(format!("{folder} is named twice")));
        }
        match PartFolder::read(folder)? {
            Ok(part) => parts.push(part),
            Err(what) => others.push(format!("{} ({what})", display_path(folder))),
        }
    }
    let Some(first) = parts.first() else {
        let message = format!("no part of a run in {}", named(&others));
        return Err(Error::input(message).with_remedy(Remedy::NameParts));
    };
    if !others.is_empty() {
        observer.note(&format!("skipped, not a part of a run: {}", named(&others)));
    }
    for part in &parts[1..] {
        if let Some(difference) = part.saved.run_differs(&first.saved) {
            return Err(Error::input(format!(
                "{} and {} are parts of different runs ({difference}); merge the parts of one run",
                display_path(&part.folder),
                display_path(&first.folder)
            )));
        }
    }
    parts.sort_by_key(|part| part.part.first_deal);
    refuse_overlaps(&parts)?;
    let unfinished = unfinished(&parts);
    let remedy = unfinished.as_ref().map(|_| Remedy::Resume);
    let lacks: Vec<String> = [gaps(&parts), unfinished].into_iter().flatten().collect();
    match lacks.is_empty() {
        true => Ok(parts),
        false => Err(Error::input(lacks.join("; ")).with_remedy(remedy)),
    }
}

/// The first items of a list, and the number of the others.
fn named(all: &[String]) -> String {
    const NAMED: usize = 8;
    match all.len() {
        0..=NAMED => all.join(", "),
        more => format!("{} and {} more", all[..NAMED].join(", "), more - NAMED),
    }
}

/// Names the unfinished parts, if any.
fn unfinished(parts: &[PartFolder]) -> Option<String> {
    let unfinished = parts
        .iter()
        .filter(|part| part.saved.dealt != part.part.deals);
    let words = unfinished.map(|part| {
        format!(
            "part {} ({} of {} deals in {})",
            part.part.part,
            thousands(part.saved.dealt),
            thousands(part.part.deals),
            display_path(&part.folder)
        )
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("unfinished: {}", named(&words)))
}

fn refuse_overlaps(parts: &[PartFolder]) -> Result<(), Error> {
    for pair in parts.windows(2) {
        let [a, b] = [&pair[0], &pair[1]];
        let end = a.part.first_deal.saturating_add(a.part.deals);
        if b.part.first_deal < end {
            let until = end.min(b.part.first_deal.saturating_add(b.part.deals));
            return Err(Error::input(format!(
                "{} (part {}) and {} (part {}) both have deals {} to {}; leave out one of them",
                display_path(&a.folder),
                a.part.part,
                display_path(&b.folder),
                b.part.part,
                thousands(b.part.first_deal + 1),
                thousands(until)
            )));
        }
    }
    Ok(())
}

/// Names the deals that no part has, if any.
fn gaps(parts: &[PartFolder]) -> Option<String> {
    let deals = parts[0].saved.identity.deals;
    let mut gaps = Vec::new();
    let mut end = 0;
    for part in parts {
        if part.part.first_deal > end {
            gaps.push((end, part.part.first_deal));
        }
        end = part.part.first_deal.saturating_add(part.part.deals);
    }
    if end < deals {
        gaps.push((end, deals));
    }
    if gaps.is_empty() {
        return None;
    }
    let of = |(from, to): &(u64, u64)| format!("{} to {}", thousands(from + 1), thousands(*to));
    let ranges: Vec<String> = gaps.iter().map(of).collect();
    // Missing parts have numbers if all parts belong to the same plan.
    let of = parts[0].part.part.of;
    let is_one = parts.iter().all(|part| part.part.part.of == of);
    let has = |number: &u64| parts.iter().any(|part| part.part.part.part == *number);
    let missing = (1..=of).filter(|number| is_one && !has(number));
    let missing: Vec<String> = missing.map(|number| format!("{number}/{of}")).collect();
    let missing = match missing.is_empty() {
        true => String::new(),
        false => format!(": part {}", named(&missing)),
    };
    let (ranges, deals) = (named(&ranges), thousands(deals));
    Some(format!("deals {ranges} of {deals} are missing{missing}"))
}

/// The newest checkpoint of a folder.
fn newest(folder: &Path) -> Result<Option<run::StoredCheckpoint>, Error> {
    let newest = Checkpoints::of(folder).newest();
    newest.map_err(|error| match error {
        CheckpointError::Damaged(_) => Error::input(error).with_remedy(Remedy::DealPartAgain),
        CheckpointError::Io { .. } => error.into(),
    })
}

impl PartFolder {
    /// Reads a folder without its counts; returns a description if it is not a part.
    fn read(folder: &Path) -> Result<Result<Self, &'static str>, Error> {
        let place = display_path(folder);
        if !folder.exists() {
            return Err(Error::input(format!("{place} does not exist")));
        }
        if !folder.is_dir() {
            return Ok(Err("a file"));
        }
        let report = record_in::<RunRecord>(folder).ok().flatten();
        let Some(found) = newest(folder)? else {
            return match &report {
                Some(report) if report.part.is_none() => Ok(Err("a whole run")),
                Some(_) => {
                    let message =
                        format!("{place} has the report of a part without its checkpoint");
                    Err(Error::input(message).with_remedy(Remedy::DealPartAgain))
                }
                None => Ok(Err("no saved state")),
            };
        };
        let saved = serde_json::from_str::<CheckpointRecord>(&found.checkpoint.description);
        let Ok(saved) = saved else {
            return Err(Error::input(format!(
                "the checkpoint in {place} does not describe a run"
            )));
        };
        let Some(part) = saved.part else {
            return Ok(Err("an unfinished run that is not a part"));
        };
        // The report may be that of an earlier run: a replaced part that is not yet reported.
        let report = report.filter(|report| {
            report.part == Some(part) && report.identity.difference(&saved.identity).is_none()
        });
        Ok(Ok(Self {
            folder: folder.to_owned(),
            saved,
            part,
            report,
        }))
    }

    /// Loads the counts, if a part of this run can have them.
    fn state(&self, running: Running<'_, '_>) -> Result<RunState, Error> {
        let place = display_path(&self.folder);
        let unsound =
            |error: Error| error.context(format!("the checkpoint in {place} cannot be merged"));
        let found = newest(&self.folder)?;
        let contents = found.map(|found| found.checkpoint.contents::<Contents>());
        let contents = contents.ok_or_else(|| unsound(Error::input("it no longer exists")))?;
        let contents = contents.map_err(|damage| unsound(Error::input(damage)))?;
        let range = self
            .part
            .range()
            .ok_or_else(|| unsound(Error::input("not a part of this run")))?;
        let running = running.part(range).resumed(contents.state);
        let running = running.map_err(|error| match error {
            RunError::State(error) => unsound(Error::input(error)),
            other => Error::input(other),
        })?;
        match running.is_over() {
            true => Ok(running.into_state()),
            false => Err(unsound(Error::input("the part is incomplete"))),
        }
    }

    /// The part's entry in the merged report.
    fn record(&self) -> MergedPart {
        let report = self.report.as_ref();
        MergedPart {
            part: self.part,
            path: self.folder.display().to_string(),
            seconds: self.saved.seconds,
            start: self.saved.start.clone(),
            resumed: self.saved.resumed,
            threads: report.map(|report| report.common.threads),
            host: report.map_or_else(String::new, |report| report.common.host.name.clone()),
            verdict: report.map(|report| report.common.verdict),
        }
    }
}

/// Name of runs of this condition.
fn name_of(condition: &str) -> String {
    let scenario = SCENARIOS.iter().find(|scenario| scenario.text == condition);
    scenario.map_or_else(|| hash_name(condition), |known| known.name.to_owned())
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// The reports of the parts that have one.
fn reports(parts: &[PartFolder]) -> impl Iterator<Item = &RunRecord> {
    parts.iter().filter_map(|part| part.report.as_ref())
}

/// End of the latest part.
fn latest(parts: &[PartFolder]) -> String {
    let ends = reports(parts).map(|report| report.common.end.clone());
    ends.max().unwrap_or_else(|| UtcTime::now().to_string())
}

/// The largest number of threads of any part; the seconds of all parts are added up.
fn most_threads(parts: &[PartFolder]) -> usize {
    let threads = reports(parts).map(|report| report.common.threads);
    threads.max().unwrap_or(1)
}

/// The instructions that the parts used.
fn path_of(parts: &[PartFolder]) -> String {
    let mut paths: Vec<&str> = reports(parts).map(|report| &*report.path).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.join(", ")
}
