//! `fairdeal merge`

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use fairdeal::battery::{Battery, kept_heterogeneity};
use fairdeal::condition::SCENARIOS;
use fairdeal::draw::Seeded;
use fairdeal::report::{
    Answered, CheckpointRecord, Earlier, Folder, Lock, MergedPart, PartRecord, RunRecord, grouped,
    run_record,
};
use fairdeal::run::{self, CheckpointError, Checkpoints, Merging, RunError, Running, Sieve, State};
use fairdeal::sampler;
use fairdeal::tally::{Questions, Tally};

use super::battery::{self, BatteryOptions};
use super::deals::Deals;
use super::run::resume::most_of_state;
use super::run::writing::{Merged, Outcome};
use super::run::{samples, summary};
use super::tables::TableOptions;
use super::words::WordsOptions;
use super::{log, output, verdict};
use fairdeal::Error;

/// Make one report from the parts of one run
///
/// Takes the folders that `fairdeal run --part 1/n` to `n/n` have left, in any order, adds up what
/// they counted, and makes every look that the run would have made in one piece: counts, tests and
/// verdict are those of one process, and so is the exit code. Parts of different runs, parts that
/// overlap, and gaps between them are refused by name. Whether the parts differ from each other by
/// more than chance is said beside the verdict.
#[derive(Args, Clone, Debug)]
pub(super) struct Arguments {
    /// The folders of the parts, in any order
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Where the report goes
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// The case file that the parts drew from, if it is not where it was; without it the condition
    /// is listed again
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,

    /// Replace the report of another run
    #[arg(long)]
    force: bool,

    /// Threads [default: all cores]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// No progress and no summary
    #[arg(short, long)]
    quiet: bool,

    /// Print run.json on standard output instead of the summary
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    #[command(flatten)]
    tables: TableOptions,
}

/// A folder with a part of a run that was dealt to its end.
struct Found {
    folder: PathBuf,
    saved: CheckpointRecord,
    part: PartRecord,
    /// Its own report's record, if that is there.
    report: Option<RunRecord>,
}

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    let parts = find(&arguments.folders, arguments.quiet)?;
    let first = &parts[0].saved;
    let deals = Deals::again(first, arguments.cases.as_deref(), arguments.quiet)?;
    let out = &arguments.out;
    for part in &parts {
        if is_same(out, &part.folder) {
            return Err(Error::usage(format!(
                "{} is one of the parts: write the report elsewhere with --out",
                out.display()
            )));
        }
    }
    let earlier = match arguments.force {
        true => Earlier::Replaced,
        false => Earlier::Kept,
    };
    let folder = Folder::prepare(Lock::take(out)?, &first.identity, None, earlier)?;
    let folder = arguments.tables.apply(folder);
    let options = BatteryOptions::of_run(first, arguments.threads);
    let pool = battery::pool(options.threads())?;
    pool.install(|| merge(arguments, &parts, &deals, &options, &folder))
}

/// Adds up the parts, makes the tests and writes the report.
fn merge(
    arguments: &Arguments,
    parts: &[Found],
    deals: &Deals,
    options: &BatteryOptions,
    folder: &Folder,
) -> Result<u8, Error> {
    let first = &parts[0].saved;
    let (size, depth) = (
        (first.identity.deals, first.identity.batch),
        options.battery().depth(),
    );
    let (plan, expected) = options.planned(deals, depth, arguments.quiet)?;
    let terms = run::terms(&plan, size.0, size.1, first.target);
    let mut battery = expected.map(|expected| Battery::new(terms, expected));
    let mut words = WordsOptions::NONE;
    words.complete(&first.identity.seed, &first.identity.generator);
    let words = words.words()?;
    let dealer = deals.dealer(size.0)?;
    let generator = &*words.generator;
    let source = Seeded {
        dealer: &dealer,
        generator,
    };
    let script = &deals.script;
    let actions = script.actions.as_deref().unwrap_or_default();
    let sieve = Sieve::new(&deals.filter, Questions::of(actions), None);
    let running = || Running::new(&source, &plan, &sieve, size);

    let bar = output::progress("deals", size.0, arguments.quiet);
    let mut merging = Merging::default();
    let mut tallies: Vec<Tally> = Vec::with_capacity(parts.len());
    let mut kept = Vec::with_capacity(parts.len());
    for (place, part) in parts.iter().enumerate() {
        let state = part.state(running())?;
        tallies.push(state.surveyed.survey.tally());
        kept.push((part.part.deals, state.surveyed.sifted.kept));
        merging.add(state, place + 1 == parts.len(), &mut |survey| {
            if let Some(battery) = &mut battery {
                battery.look(survey);
            }
        });
        bar.inc(part.part.deals);
    }
    bar.finish_and_clear();
    let Some(surveyed) = merging.finish() else {
        return Err(Error::usage("there are no parts"));
    };
    let verdict = battery
        .as_ref()
        .map(|battery| battery.verdict(&surveyed.survey));
    let mut between = battery
        .as_ref()
        .map_or_else(Vec::new, |battery| battery.heterogeneity(&tallies));
    if sieve.filters() {
        between.extend(kept_heterogeneity(&kept));
    }
    let outcome = Outcome {
        deals,
        surveyed: &surveyed,
        answered: &Answered::all(
            &script.condition,
            actions,
            &surveyed.sifted.statistics,
            sampler::exact_steps(size.0),
        ),
        battery: battery.as_ref(),
        verdict: verdict.as_ref(),
        run: CheckpointRecord {
            part: None,
            start: earliest(parts),
            seconds: parts.iter().map(|part| part.saved.seconds).sum(),
            resumed: parts.iter().map(|part| part.saved.resumed).sum(),
            case_file: deals.case_file_record(),
            ..first.clone()
        },
        pace: None,
        stopped: None,
        threads: most_threads(parts),
        path: path_of(parts),
        end: latest(parts),
        merged: Some(Merged {
            parts: parts.iter().map(Found::record).collect(),
            between,
        }),
        processes: None,
    };
    let (record, level) = (outcome.record(), outcome.level());
    let shown = match first.identity.generator.starts_with("defect ") {
        false => samples::samples(deals, generator, surveyed.survey.deals())?,
        true => Vec::new(),
    };
    let name = name_of(&first.identity.condition);
    deals.check_again()?;
    let json = outcome.write(folder, &record, &name, &shown)?;
    tracing::info!(
        target: "run",
        parts = parts.len(),
        deals = record.dealt,
        verdict = record.verdict,
        s = record.evidence.as_ref().and_then(|evidence| evidence.largest_s),
        folder = folder.path().display().to_string(),
        "merged"
    );
    let out = &mut io::stdout().lock();
    let printed = match (arguments.json, arguments.quiet) {
        (true, _) => out.write_all(&json),
        (false, true) => Ok(()),
        (false, false) => print(out, (&name, deals), &record, &outcome, folder.path()),
    };
    output::unless_closed(printed)?;
    Ok(level.exit_code())
}

fn print(
    out: &mut impl Write,
    what: (&str, &Deals),
    record: &RunRecord,
    outcome: &Outcome<'_>,
    folder: &Path,
) -> io::Result<()> {
    let (surveyed, answered) = (outcome.surveyed, outcome.answered);
    summary::print(out, what, record, surveyed, answered, folder)?;
    match outcome.verdict {
        Some(found) => verdict::print(out, found),
        None => writeln!(
            out,
            "verdict   {}  no test was made: {}",
            outcome.level().name(),
            record.expected
        ),
    }
}

/// The parts in these folders, in the order of their deals; refuses what is no whole run.
fn find(folders: &[PathBuf], quiet: bool) -> Result<Vec<Found>, Error> {
    let (mut parts, mut others) = (Vec::with_capacity(folders.len()), Vec::new());
    for (place, folder) in folders.iter().enumerate() {
        if folders[..place].iter().any(|other| is_same(other, folder)) {
            let folder = folder.display();
            return Err(Error::usage(format!("{folder} is named twice")));
        }
        match Found::read(folder)? {
            Ok(part) => parts.push(part),
            Err(what) => others.push(format!("{} ({what})", folder.display())),
        }
    }
    let Some(first) = parts.first() else {
        return Err(Error::input(format!(
            "no part of a run is in {}: merge takes the folders that `fairdeal run --part` writes",
            named(&others)
        )));
    };
    if !others.is_empty() && !quiet {
        log::note(format!(
            "passed over, as it holds no part: {}",
            named(&others)
        ))?;
    }
    for part in &parts[1..] {
        if let Some(difference) = part.saved.run_differs(&first.saved) {
            return Err(Error::input(format!(
                "{} is a part of another run than {} ({difference}): merge the parts of one run",
                part.folder.display(),
                first.folder.display()
            )));
        }
    }
    parts.sort_by_key(|part| part.part.first_deal);
    refuse_overlaps(&parts)?;
    let lacks: Vec<String> = [gaps(&parts), unfinished(&parts)]
        .into_iter()
        .flatten()
        .collect();
    match lacks.is_empty() {
        true => Ok(parts),
        false => Err(Error::input(lacks.join("; ").to_string())),
    }
}

/// The first of many, and how many more.
fn named(all: &[String]) -> String {
    const NAMED: usize = 8;
    match all.len() {
        0..=NAMED => all.join(", "),
        more => format!("{} and {} more", all[..NAMED].join(", "), more - NAMED),
    }
}

/// Which parts are not finished, if some are not.
fn unfinished(parts: &[Found]) -> Option<String> {
    let unfinished = parts
        .iter()
        .filter(|part| part.saved.dealt != part.part.deals);
    let words = unfinished.map(|part| {
        format!(
            "part {} ({} of {} deals in {})",
            part.part.part,
            grouped(part.saved.dealt),
            grouped(part.part.deals),
            part.folder.display()
        )
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| {
        format!(
            "not finished: {}: start what dealt them again, with --resume",
            named(&words)
        )
    })
}

fn refuse_overlaps(parts: &[Found]) -> Result<(), Error> {
    for pair in parts.windows(2) {
        let [a, b] = [&pair[0], &pair[1]];
        let end = a.part.first_deal.saturating_add(a.part.deals);
        if b.part.first_deal < end {
            let until = end.min(b.part.first_deal.saturating_add(b.part.deals));
            return Err(Error::input(format!(
                "{} (part {}) and {} (part {}) both have deals {} to {}: leave one of them out",
                a.folder.display(),
                a.part.part,
                b.folder.display(),
                b.part.part,
                grouped(b.part.first_deal + 1),
                grouped(until)
            )));
        }
    }
    Ok(())
}

/// Which deals are in no part, if some are not.
fn gaps(parts: &[Found]) -> Option<String> {
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
    let of = |(from, to): &(u64, u64)| format!("{} to {}", grouped(from + 1), grouped(*to));
    let ranges: Vec<String> = gaps.iter().map(of).collect();
    // Where all are of one division, the missing have numbers.
    let of = parts[0].part.part.of;
    let is_one = parts.iter().all(|part| part.part.part.of == of);
    let has = |number: &u64| parts.iter().any(|part| part.part.part.part == *number);
    let missing = (1..=of).filter(|number| is_one && !has(number));
    let missing: Vec<String> = missing.map(|number| format!("{number}/{of}")).collect();
    let missing = match missing.is_empty() {
        true => String::new(),
        false => format!(": part {}", named(&missing)),
    };
    let (ranges, deals) = (named(&ranges), grouped(deals));
    Some(format!(
        "deals {ranges} of {deals} are in none of the folders{missing}"
    ))
}

/// The newest checkpoint of a folder.
fn newest(folder: &Path) -> Result<Option<run::Found>, Error> {
    let newest = Checkpoints::of(folder).newest(&most_of_state);
    newest.map_err(|error| match error {
        CheckpointError::Damaged(_) => {
            Error::input(error).with_advice("deal that part again, with --force")
        }
        CheckpointError::Io { .. } => error.into(),
    })
}

impl Found {
    /// What a folder holds, without what was counted; or what it is, if it is no part.
    fn read(folder: &Path) -> Result<Result<Self, &'static str>, Error> {
        let place = folder.display();
        if !folder.exists() {
            return Err(Error::input(format!("{place} is not there")));
        }
        if !folder.is_dir() {
            return Ok(Err("a file"));
        }
        let report = run_record(folder);
        let Some(found) = newest(folder)? else {
            return match &report {
                Some(report) if report.part.is_none() => Ok(Err("a whole run")),
                Some(_) => Err(Error::input(format!(
                    "{place} has the report of a part, whose checkpoint is gone: deal it again with \
                     --force and without --resume"
                ))),
                None => Ok(Err("nothing that was saved")),
            };
        };
        let saved = serde_json::from_str::<CheckpointRecord>(&found.checkpoint.description);
        let Ok(saved) = saved else {
            return Err(Error::input(format!(
                "the checkpoint in {place} describes no run"
            )));
        };
        let Some(part) = saved.part else {
            return Ok(Err("a whole run that is not finished"));
        };
        // Its report may be of an earlier run, which was replaced and not yet reported again.
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

    /// What it counted, if a part of this run can have counted that.
    fn state(&self, running: Running<'_, '_>) -> Result<State, Error> {
        let place = self.folder.display();
        let unsound =
            |error: Error| error.context(format!("the checkpoint in {place} cannot be merged"));
        let found = newest(&self.folder)?;
        let contents = found.map(|found| found.checkpoint.contents());
        let contents = contents.ok_or_else(|| unsound(Error::input("it is gone")))?;
        let contents = contents.map_err(|damage| unsound(Error::input(damage)))?;
        let stretch = self
            .part
            .stretch()
            .ok_or_else(|| unsound(Error::input("it is no part of such a run")))?;
        let running = running.part(stretch).resumed(contents.state);
        let running = running.map_err(|error| match error {
            RunError::State(error) => unsound(Error::input(error)),
            other => Error::input(other),
        })?;
        match running.is_over() {
            true => Ok(running.into_state()),
            false => Err(unsound(Error::input("it is not of a whole part"))),
        }
    }

    /// What the merged report says of it.
    fn record(&self) -> MergedPart {
        let report = self.report.as_ref();
        MergedPart {
            part: self.part,
            path: self.folder.display().to_string(),
            seconds: self.saved.seconds,
            start: self.saved.start.clone(),
            resumed: self.saved.resumed,
            threads: report.map(|report| report.threads),
            host: report.map_or_else(String::new, |report| report.host.name.clone()),
            verdict: report.and_then(|report| report.verdict.clone()),
        }
    }
}

/// What runs of this condition are called.
fn name_of(condition: &str) -> String {
    let scenario = SCENARIOS.iter().find(|scenario| scenario.text == condition);
    match scenario {
        Some(scenario) => scenario.name.to_owned(),
        None => {
            let hash = blake3::hash(condition.as_bytes()).to_hex();
            format!("condition-{}", &hash[..12])
        }
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// When the first began.
fn earliest(parts: &[Found]) -> String {
    let starts = parts.iter().map(|part| part.saved.start.clone());
    starts.min().unwrap_or_default()
}

/// When the last ended.
fn latest(parts: &[Found]) -> String {
    let ends = parts
        .iter()
        .filter_map(|part| Some(part.report.as_ref()?.end.clone()));
    ends.max().unwrap_or_else(|| Timestamp::now().to_string())
}

/// Threads of the part that had most: seconds are those of all parts one after the other.
fn most_threads(parts: &[Found]) -> usize {
    let threads = parts
        .iter()
        .filter_map(|part| Some(part.report.as_ref()?.threads));
    threads.max().unwrap_or(1)
}

/// The instructions that parts used.
fn path_of(parts: &[Found]) -> String {
    let paths = parts
        .iter()
        .filter_map(|part| Some(part.report.as_ref()?.path.clone()));
    let mut paths: Vec<String> = paths.collect();
    paths.sort();
    paths.dedup();
    paths.join(", ")
}
