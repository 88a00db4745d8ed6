//! `fairdeal run`

mod answers;
mod explanation;
mod self_test;
pub(super) mod summary;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use fairdeal::Error;
use fairdeal::battery::Level;
use fairdeal::defect::Defect;
use fairdeal::population::Listings;
use fairdeal::printable::shown;
use fairdeal::report::{RunRecord, counted, folders_beside};
use fairdeal::run::{Checkpoints, Launched, Part};
use fairdeal::tasks::run::{
    self as task, End, ExactValues, Existing, RunOutcome, RunReport, RunRequest, Until,
};

use super::battery::BatteryOptions;
use super::input::{InputOptions, SamplingOptions};
use super::layout::{self, Layout};
use super::tables::TableOptions;
use super::terminal::Terminal;
use super::words::{self, WordsOptions};
use super::{failure, json, log, output, values};
use summary::Detail;

/// Deal, count, test, and write the report
///
/// Lists the condition's cases into a case file (kept in the cache folder and used again), maps
/// it, draws exactly so many deals on all cores, and writes the counts of every pattern, shape,
/// suit length, fit, HCP total and card as CSV. A battery of tests looks at the counts at 16,384
/// deals, at every doubling and at the end, and gives one verdict: PASS (exit code 0), SUSPICIOUS
/// (1), FAIL (2), INVALID (3), or INCONCLUSIVE (4) with fewer deals than --target. The same
/// condition, deals, batch, seed and generator give the same counts with any number of threads.
///
/// A run saves where it stands every half minute, and at each look. If it is interrupted, killed or
/// stopped by --for, the same command with --resume goes on from there, to the same counts.
#[derive(Args, Clone, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: InputOptions,

    /// How many deals; K, M, G, T are thousands, Ki, Mi, Gi, Ti 1,024s [default: what the script
    /// generates or produces, or 10485760; of each run of a self-test 65536]
    #[arg(long, value_name = "N", value_parser = values::deals)]
    deals: Option<u64>,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    battery: BatteryOptions,

    /// Deal with a planted defect instead, to see it caught; `--defect help` lists them
    #[arg(long, value_name = "NAME", conflicts_with = "rng", value_parser = words::defect)]
    defect: Option<&'static Defect>,

    /// Test the tests: so many runs of perfect deals, seeds counting up, and whether every
    /// statistic and p-value is as it should be
    #[arg(long, value_name = "RUNS", num_args = 0..=1, require_equals = true,
        default_missing_value = "200", conflicts_with_all = ["defect", "target", "force"],
        value_parser = clap::value_parser!(u32).range(10..=100_000))]
    self_test: Option<u32>,

    /// Most deals of a batch [default: 67108864]
    #[arg(long, value_name = "N", value_parser = values::batch)]
    batch: Option<u64>,

    /// Deal one part of the run alone: such as 3/7, the third of seven that have about as many
    /// deals, in whole batches; `fairdeal merge` makes one report of all of them
    #[arg(long, value_name = "I/N", conflicts_with_all = ["self_test", "until", "explain"])]
    part: Option<Part>,

    /// Where the report goes [default: reports/runs/NAME, of a part in a folder of it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace the report of another run, or one that is not finished
    #[arg(long)]
    force: bool,

    /// Stop after this time, such as 90s, 10m or 8h, and say what was seen by then; --resume goes on
    #[arg(long = "for", value_name = "TIME", conflicts_with = "self_test",
        value_parser = values::duration)]
    time: Option<Duration>,

    /// Stop at the first look with this verdict
    #[arg(long, value_name = "VERDICT", value_enum, conflicts_with = "self_test")]
    until: Option<UntilChoice>,

    /// Go on from the last checkpoint in the report's folder: seed, deals, generator and tests are
    /// as they were unless they are given, and must be the same
    #[arg(long, conflicts_with_all = ["force", "self_test", "explain"])]
    resume: bool,

    /// Time between checkpoints; looks are saved too, if the last is a second old
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = values::duration)]
    checkpoint: Duration,

    /// Work out the exact value of every average and frequency, however long it takes [default: within
    /// a quarter of the run's own time]
    #[arg(long, conflicts_with = "no_exact")]
    exact: bool,

    /// Work out no exact value of averages and frequencies
    #[arg(long)]
    no_exact: bool,

    /// Read the case file into memory instead of mapping it
    #[arg(long)]
    no_mmap: bool,

    /// No progress and no summary; a seed that was not given is still printed, on standard error
    #[arg(short, long)]
    quiet: bool,

    /// Print speed, sampler, looks, all bounds and detectable effects too
    #[arg(short, long, conflicts_with_all = ["quiet", "json"])]
    verbose: bool,

    /// End with exit code 4 if the verdict is INCONCLUSIVE; so do runs of scenarios and of
    /// `unconstrained`, and runs with --target, --until or --defect
    #[arg(long, conflicts_with_all = ["self_test", "explain"])]
    verdict: bool,

    /// Print run.json on standard output instead of the summary; of --explain and --self-test, what
    /// they print as JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// List the condition, print what is listed, what every deal is asked and the share of deals
    /// that are kept, and run nothing
    #[arg(long, conflicts_with_all = ["self_test", "quiet"])]
    explain: bool,

    #[command(flatten)]
    tables: TableOptions,

    #[command(flatten)]
    options: SamplingOptions,
}

/// `--until`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UntilChoice {
    /// PASS, which takes --target deals
    Pass,
    /// SUSPICIOUS or worse
    Suspicious,
    /// VERY SUSPICIOUS or worse
    VerySuspicious,
    /// FAIL
    Fail,
}

impl UntilChoice {
    fn until(self) -> Until {
        match self {
            Self::Pass => Until::Pass,
            Self::Suspicious => Until::Suspicious,
            Self::VerySuspicious => Until::VerySuspicious,
            Self::Fail => Until::Fail,
        }
    }
}

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    match Launched::here() {
        // Parts are dealt apart, whoever starts them.
        Some(launched) if launched.processes > 1 && arguments.part.is_none() => {
            arguments.execute_together(launched)
        }
        _ => arguments.execute_alone(),
    }
}

impl Arguments {
    /// Runs without other processes.
    fn execute_alone(&self) -> Result<u8, Error> {
        self.words.refuse_same_source(&self.input)?;
        let (listings, terminal) = (self.listings()?, Terminal::new(self.quiet));
        if let Some(runs) = self.self_test {
            return self_test::execute(self, runs, &listings, &terminal);
        }
        let (name, input) = self.input.resolve()?;
        let request = self.request(name);
        if self.explain {
            let found = task::explain(&request, input, &listings, &terminal)?;
            let out = &mut io::stdout().lock();
            match self.json {
                true => json::document(out, &found)?,
                false => explanation::print(out, &found)?,
            }
            return Ok(0);
        }
        let outcome = task::run(&request, input, &listings, &terminal)?;
        self.tell(&outcome, &request.folder)
    }

    /// Runs with the other processes that were started together.
    #[cfg(feature = "mpi")]
    fn execute_together(&self, launched: Launched) -> Result<u8, Error> {
        if self.self_test.is_some() || self.explain {
            if launched.place > 0 {
                // One line is enough.
                return Ok(failure::USAGE);
            }
            return Err(Error::usage(
                "processes that MPI starts deal one run: leave out --self-test and --explain, or start \
                 the program alone",
            ));
        }
        let lead = || {
            self.words.refuse_same_source(&self.input)?;
            let (name, input) = self.input.resolve()?;
            Ok((self.request(name), input))
        };
        let (listings, quiet) = (self.listings()?, self.quiet || launched.place > 0);
        let (assist, terminal) = (self.request(String::new()), Terminal::new(quiet));
        let outcome = task::run_together(lead, &assist, &listings, &terminal, &failure::report)?;
        match outcome {
            Some(outcome) => {
                let folder = match &outcome {
                    RunOutcome::Reported(report) => report.folder().to_owned(),
                    RunOutcome::Finished { .. } => self.folder(&self.input.read()?.0),
                };
                self.tell(&outcome, &folder)
            }
            None => Ok(0),
        }
    }

    /// Says that it takes another program.
    #[cfg(not(feature = "mpi"))]
    fn execute_together(&self, launched: Launched) -> Result<u8, Error> {
        let Launched { processes, place } = launched;
        if place > 0 {
            // One line is enough.
            return Ok(failure::USAGE);
        }
        Err(Error::usage(format!(
            "{processes} processes were started to deal one run, and this program was built without \
             MPI: build it with --features mpi, or deal parts of the run with --part 1/{processes} \
             to {processes}/{processes}"
        )))
    }

    fn listings(&self) -> Result<Listings, Error> {
        Ok(Listings::of_user()?.copied(self.no_mmap))
    }

    /// Where the report goes.
    fn folder(&self, name: &str) -> PathBuf {
        let default = || {
            let mut path: PathBuf = ["reports", "runs", name].iter().collect();
            path.extend(
                self.part
                    .map(|part| format!("part-{}-of-{}", part.part, part.of)),
            );
            path
        };
        match &self.out {
            Some(out) => out.clone(),
            None if self.resume && self.part.is_none() => resumable(&default()),
            None => default(),
        }
    }

    /// What is asked for.
    fn request(&self, name: String) -> RunRequest {
        let folder = self.folder(&name);
        RunRequest {
            existing: match (self.resume, self.force, &self.out) {
                (true, ..) => Existing::Resume,
                (_, true, _) => Existing::Replace,
                // A part stays where its whole will be looked for.
                (_, _, None) if self.part.is_none() => Existing::Beside,
                _ => Existing::Keep,
            },
            formats: self.tables.formats(),
            deals: self.deals,
            batch: self.batch,
            random: self.words.request(),
            battery: self.battery.request(),
            defect: self.defect,
            part: self.part,
            time: self.time,
            until: self.until.map(UntilChoice::until),
            checkpoint: self.checkpoint,
            exact: match (self.exact, self.no_exact) {
                (true, _) => ExactValues::Always,
                (false, true) => ExactValues::Never,
                (false, false) => ExactValues::WithinBudget,
            },
            sampling: self.options.sampling(),
            ..RunRequest::new(name, folder)
        }
    }

    /// Whether the exit code is to say that a verdict is INCONCLUSIVE.
    fn is_verdict_asked(&self) -> bool {
        self.verdict
            || self.battery.has_target()
            || self.until.is_some()
            || self.defect.is_some()
            || self.input.is_scenario()
    }

    /// Prints the summary of the run; the exit code.
    fn tell(&self, outcome: &RunOutcome, folder: &Path) -> Result<u8, Error> {
        match outcome {
            RunOutcome::Reported(report) => self.tell_report(report),
            RunOutcome::Finished { record, level } => {
                let out = &mut layout::stdout();
                let printed = match (self.json, self.quiet) {
                    (true, _) => json::document(out, record),
                    (false, true) => Ok(()),
                    (false, false) => print_finished(&mut Layout::new(out), record, *level, folder),
                };
                output::unless_closed(printed)?;
                if self.tables.is_more() {
                    let path = shown(folder);
                    log::warning(format!(
                        "{path} is an earlier report and was not changed: to write its tables in other \
                         formats, use --force with the same seed"
                    ))?;
                }
                Ok(self.exit_code(*level))
            }
        }
    }

    fn tell_report(&self, report: &RunReport) -> Result<u8, Error> {
        if let Some(seed) = report.fresh_seed.as_ref().filter(|_| self.quiet) {
            log::tell(format!("seed {seed}"))?;
        }
        let out = &mut layout::stdout();
        let printed = match (self.json, self.quiet) {
            (true, _) => json::document(out, &report.document(&report.tables())),
            (false, true) => Ok(()),
            (false, false) => {
                let detail = Detail {
                    is_verdict_asked: self.is_verdict_asked(),
                    is_verbose: self.verbose,
                };
                summary::print(&mut Layout::new(out), report, detail)
            }
        };
        output::unless_closed(printed)?;
        match report.end {
            End::Interrupted => Ok(failure::INTERRUPTED),
            // No verdict of a part that is not whole: it has to go on to be merged.
            End::Time if self.part.is_some() => Ok(failure::INTERRUPTED),
            _ => Ok(self.exit_code(report.level)),
        }
    }

    /// The exit code of a run with this verdict.
    fn exit_code(&self, level: Level) -> u8 {
        match level {
            Level::Inconclusive if !self.is_verdict_asked() => 0,
            level => level.exit_code(),
        }
    }
}

/// Of a folder and those beside it, the last with a checkpoint; without any, the last that is there.
fn resumable(default: &Path) -> PathBuf {
    let there: Vec<PathBuf> = folders_beside(default)
        .take_while(|path| path.is_dir())
        .collect();
    let unfinished = there.iter().rfind(|path| Checkpoints::of(path).exist());
    let found = unfinished.or(there.last());
    found.map_or_else(|| default.to_owned(), Clone::clone)
}

/// Says that nothing is left to do.
fn print_finished(
    layout: &mut Layout<'_>,
    record: &RunRecord,
    level: Level,
    folder: &Path,
) -> io::Result<()> {
    let part = record.part.map(|record| format!("part {}", record.part));
    let deals = counted(record.dealt, "deal");
    let parts = [part, Some(format!("{deals}, already finished"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    layout.headline(level.name(), level.into(), &parts)?;
    layout.line("Report", &folder.join("report.html").display().to_string())
}
