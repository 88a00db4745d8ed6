//! `fairdeal run`

pub(super) mod answers;
mod deal_files;
pub(super) mod explanation;
mod mixed;
pub(super) mod summary;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;

use fairdeal::Error;
use fairdeal::battery::Level;
use fairdeal::defect::Defect;
use fairdeal::population::Listings;
use fairdeal::printable::{display_path, with_noun};
use fairdeal::report::Stopped;
use fairdeal::run::{BatchSize, Checkpoints, DealCount, Launched, Part};
use fairdeal::tasks::ConditionInput;
use fairdeal::tasks::run::{self as task, ExactValues, RunOutcome, RunReport, RunRequest, Until};

use super::battery::BatteryOptions;
use super::input::{DealFileOptions, InputOptions, SamplingOptions, not_with_files};
use super::layout::SummaryLayout;
use super::report_options::ReportOptions;
use super::terminal::Terminal;
use super::values::NameParser;
use super::verdict::Detail;
use super::words::{self, WordsOptions};
use super::{cache, failure, json, log, values};

const EXAMPLES: &str = "\
Examples:
  fairdeal run flannery-misfit
  fairdeal run script.dl --deals 100M --seed 0x5eed
  fairdeal run --where 'hcp(west) >= 20 && hearts(east) == 0' --for 10m
  fairdeal run nine-spades --explain";

/// The options of deals that are drawn, tested and reported: deals of files are none of these.
pub(super) const DEALING: &str = "seed rng defect sampler order max_cases battery target keep verdict batch \
    part explain exact no_exact no_mmap time until resume checkpoint out force table_format";

/// Deal, count, test, and write a report
///
/// Draws deals of the condition on all cores and writes the counts of every pattern, shape, suit
/// length, fit, HCP total and card as CSV. A battery of tests compares the counts with their exact
/// laws at 16,384 deals, at every doubling and at the end. The verdict is also the exit code: PASS
/// (0), SUSPICIOUS (1), FAIL (2), INVALID (3) or INCONCLUSIVE (4). The same condition, deals,
/// batch size, seed and generator give the same counts with any number of threads.
///
/// A run saves a checkpoint every 30 seconds. After an interruption, the same command with
/// --resume continues from there and ends with the same counts.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, mut_args(not_with_files(DEALING)))]
pub(super) struct RunArguments {
    #[command(flatten)]
    input: InputOptions,

    /// Number of deals, such as 10M, 1.5M, 64Mi or 1e6
    ///
    /// K, M, G and T are powers of 1,000; Ki, Mi, Gi and Ti are powers of 1,024. The default is
    /// the script's `generate` or `produce`, or 10485760, or with --for no limit.
    #[arg(short = 'n', long, value_name = "N", help_heading = "Deals")]
    deals: Option<DealCount>,

    #[command(flatten)]
    files: DealFileOptions,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    battery: BatteryOptions,

    /// Plant a known defect; `--defect help` lists them
    ///
    /// The tests should detect it.
    #[arg(long, value_name = "NAME", help_heading = "Deals", hide_possible_values = true,
        conflicts_with = "rng", value_parser = words::defect())]
    defect: Option<&'static Defect>,

    /// Maximum batch size in deals [default: 67108864]
    #[arg(long, value_name = "N", help_heading = "Computation")]
    batch: Option<BatchSize>,

    /// Deal only one part of the run, such as 3/7
    ///
    /// 3/7 is the third of seven parts of about the same size, each of whole batches. `fairdeal
    /// merge` makes one report from all of them.
    #[arg(long, value_name = "I/N", help_heading = "Computation",
        conflicts_with_all = ["until", "explain"])]
    part: Option<Part>,

    /// Stop after this time, such as 90s, 10m or 8h
    ///
    /// Without --deals, only the time and the script's own limits end the run. The run reports its
    /// whole batches; --resume continues it.
    #[arg(long = "for", value_name = "TIME", help_heading = "Stopping and resuming",
        value_parser = values::duration)]
    time: Option<Duration>,

    #[command(flatten)]
    looks: LookOptions,

    /// Compute all exact averages and frequencies, however long it takes
    ///
    /// By default, they are computed if that takes at most a quarter of the run's own time.
    #[arg(long, help_heading = "Computation", conflicts_with = "no_exact")]
    exact: bool,

    /// Do not compute exact averages and frequencies
    #[arg(long, help_heading = "Computation")]
    no_exact: bool,

    /// Read the case file into memory instead of mapping it
    #[arg(long, help_heading = "Computation")]
    no_mmap: bool,

    /// Also print speed, sampler, looks, all bounds and detectable effects
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["quiet", "json"])]
    verbose: bool,

    /// End with exit code 4 if the verdict is INCONCLUSIVE
    ///
    /// Runs of scenarios and of `unconstrained`, and runs with --target, --until or --defect, do so
    /// without --verdict.
    #[arg(long, help_heading = "Tests", conflicts_with = "explain")]
    verdict: bool,

    /// Explain how deals would be found, and deal none
    ///
    /// Prints the sampler, the listing or the cells, the filter and its acceptance rate.
    #[arg(long, help_heading = "Computation", conflicts_with = "resume")]
    explain: bool,

    #[command(flatten)]
    report: ReportOptions,

    #[command(flatten)]
    options: SamplingOptions,
}

/// What a run or an audit does at its looks and between them.
#[derive(Args, Clone, Debug)]
pub(super) struct LookOptions {
    /// Stop at the first look with this verdict
    #[arg(long, value_name = "VERDICT", help_heading = "Stopping and resuming",
        value_parser = until())]
    pub(super) until: Option<Until>,

    /// Interval between checkpoints
    #[arg(long, value_name = "TIME", help_heading = "Stopping and resuming",
        default_value = "30s", value_parser = values::duration)]
    pub(super) checkpoint: Duration,
}

/// Parser of `--until`.
fn until() -> NameParser<impl TypedValueParser<Value = Until>> {
    values::described([
        (Until::Pass, "pass", "PASS, which requires --target deals"),
        (Until::Suspicious, "suspicious", "SUSPICIOUS or worse"),
        (
            Until::VerySuspicious,
            "very-suspicious",
            "VERY SUSPICIOUS or worse",
        ),
        (Until::Fail, "fail", "FAIL"),
    ])
}

pub(super) fn execute(arguments: &RunArguments) -> Result<u8, Error> {
    match Launched::here() {
        // Each part is a separate run, even if MPI starts it.
        Some(launched) if launched.processes > 1 && arguments.part.is_none() => {
            arguments.execute_together(launched)
        }
        _ => arguments.execute_alone(),
    }
}

impl RunArguments {
    /// Runs in this process only.
    fn execute_alone(&self) -> Result<u8, Error> {
        if self.files.is_given() {
            return self.ask_files();
        }
        self.words.refuse_same_source(&self.input)?;
        let (listings, terminal) = (self.listings()?, Terminal::new(self.report.print.quiet));
        let (name, input) = self.input.resolve_with_mix()?;
        if let ConditionInput::Script(script) = &input
            && script.mix.is_some()
        {
            return self.run_mix(&name, script, &listings);
        }
        let request = self.request(name);
        if self.explain {
            let found = task::explain(&request, input, &listings, &terminal)?;
            let out = &mut io::stdout().lock();
            match (self.report.print.json, self.report.print.quiet) {
                (true, _) => json::document(out, &found)?,
                (false, true) => {}
                (false, false) => explanation::print(out, &found)?,
            }
            return Ok(0);
        }
        let outcome = task::run(&request, input, &listings, &terminal)?;
        self.tell(&outcome, &request.folder)
    }

    /// Runs together with the other MPI processes.
    #[cfg(feature = "mpi")]
    fn execute_together(&self, launched: Launched) -> Result<u8, Error> {
        if self.explain || self.files.is_given() {
            if launched.place > 0 {
                // One message is enough.
                return Ok(failure::USAGE);
            }
            return Err(Error::usage(
                "--explain and --from do not run in several MPI processes: leave them out, or start \
                 one process",
            ));
        }
        let lead = || {
            self.words.refuse_same_source(&self.input)?;
            let (name, input) = self.input.resolve()?;
            Ok((self.request(name), input))
        };
        let (listings, quiet) = (
            self.listings()?,
            self.report.print.quiet || launched.place > 0,
        );
        let (assist, terminal) = (self.request(String::new()), Terminal::new(quiet));
        let outcome = task::run_together(lead, &assist, &listings, &terminal, &failure::report)?;
        match outcome {
            Some(outcome) => {
                let folder = match &outcome {
                    RunOutcome::Reported(report) => report.folder().to_owned(),
                    RunOutcome::Finished(_) => self.folder(&self.input.read()?.0),
                };
                self.tell(&outcome, &folder)
            }
            None => Ok(0),
        }
    }

    /// Fails: this program was built without MPI.
    #[cfg(not(feature = "mpi"))]
    fn execute_together(&self, launched: Launched) -> Result<u8, Error> {
        let Launched { processes, place } = launched;
        if place > 0 {
            // One message is enough.
            return Ok(failure::USAGE);
        }
        Err(Error::usage(format!(
            "MPI started {processes} processes, but this program was built without MPI: build it \
             with --features mpi, or deal parts of the run with --part 1/{processes} to \
             {processes}/{processes}"
        )))
    }

    fn listings(&self) -> Result<Listings, Error> {
        Ok(cache::listings()?.copied(self.no_mmap))
    }

    /// Folder of the report.
    fn folder(&self, name: &str) -> PathBuf {
        let is_unfinished = |path: &Path| Checkpoints::of(path).exist();
        self.report.folder(name, self.part, is_unfinished)
    }

    /// The request to the library.
    fn request(&self, name: String) -> RunRequest {
        let folder = self.folder(&name);
        RunRequest {
            on_conflict: self.report.on_conflict(self.part),
            formats: self.report.tables.formats(),
            deals: self.deals,
            batch: self.batch,
            random: self.words.request(),
            battery: self.battery.request(),
            defect: self.defect,
            part: self.part,
            time: self.time,
            until: self.looks.until,
            checkpoint: self.looks.checkpoint,
            exact: match (self.exact, self.no_exact) {
                (true, _) => ExactValues::Always,
                (false, true) => ExactValues::Never,
                (false, false) => ExactValues::WithinBudget,
            },
            sampling: self.options.sampling(),
            ..RunRequest::new(name, folder)
        }
    }

    /// Whether an INCONCLUSIVE verdict sets the exit code.
    fn is_verdict_asked(&self) -> bool {
        self.verdict
            || self.battery.has_target()
            || self.looks.until.is_some()
            || self.defect.is_some()
            || self.input.is_scenario()
    }

    /// Prints the summary of the run and returns the exit code.
    fn tell(&self, outcome: &RunOutcome, folder: &Path) -> Result<u8, Error> {
        match outcome {
            RunOutcome::Reported(report) => self.tell_report(report),
            RunOutcome::Finished(record) => {
                self.report.print.print(record, |layout| {
                    let part = record.part.map(|record| format!("part {}", record.part));
                    print_finished(layout, record.common.verdict, part, record.dealt, folder)
                })?;
                if self.report.tables.is_more() {
                    let path = display_path(folder);
                    log::warning(format!(
                        "{path} is an earlier report and was not changed: to write its tables in other \
                         formats, use --force with the same seed"
                    ))?;
                }
                Ok(self.exit_code(record.common.verdict))
            }
        }
    }

    fn tell_report(&self, report: &RunReport) -> Result<u8, Error> {
        let print = self.report.print;
        print.tell_seed(report.fresh_seed.as_deref())?;
        print.print(&report.document(&report.tables()), |layout| {
            let detail = Detail {
                is_verdict_asked: self.is_verdict_asked(),
                is_verbose: self.verbose,
            };
            summary::print(layout, report, detail)
        })?;
        match report.record.stopped {
            Some(Stopped::Interrupted) => Ok(failure::INTERRUPTED),
            // An incomplete part has no verdict: it must be resumed before it can be merged.
            Some(Stopped::TimeLimit) if self.part.is_some() => Ok(failure::INTERRUPTED),
            _ => Ok(self.exit_code(report.level)),
        }
    }

    /// Exit code of a run with this verdict.
    fn exit_code(&self, level: Level) -> u8 {
        match level {
            Level::Inconclusive if !self.is_verdict_asked() => 0,
            level => level.exit_code(),
        }
    }
}

/// Prints that a run or an audit is already finished.
pub(super) fn print_finished(
    layout: &mut SummaryLayout<'_>,
    level: Level,
    part: Option<String>,
    deals: u64,
    folder: &Path,
) -> io::Result<()> {
    let deals = with_noun(deals, "deal");
    let parts = [part, Some(format!("{deals}, already finished"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    layout.headline(level.name(), level.into(), &parts)?;
    layout.report(folder, "report.html")
}
