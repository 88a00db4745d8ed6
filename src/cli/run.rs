//! `fairdeal run`

mod course;
mod explain;
pub(super) mod resume;
pub(super) mod samples;
mod self_test;
pub(super) mod summary;
mod team;
pub(super) mod writing;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use jiff::Timestamp;

use fairdeal::battery::Battery;
use fairdeal::condition::Script;
use fairdeal::defect::Defect;
use fairdeal::draw::{Path, STREAMS_VERSION, Seeded, Source};
use fairdeal::report::{
    Answered, CheckpointRecord, Folder, Identity, Lock, PartRecord, RunRecord, grouped,
};
use fairdeal::run::{
    self, Checkpoints, DEFAULT_BATCH, DEFAULT_DEALS, Launched, Part, Running, Sieve, Stretch,
};
use fairdeal::sampler;
use fairdeal::tally::Questions;
use fairdeal::theory::TheoryError;

use super::battery::{self, BatteryOptions};
use super::deals::{Deals, SamplingOptions, need_of_run};
use super::failure;
use super::input::Input;
use super::signals::Interrupt;
use super::tables::TableOptions;
use super::words::{self, Words, WordsOptions};
use super::{log, output, values, verdict};
use course::{Course, End, Limits, Until};
use fairdeal::Error;
use resume::Saved;
use team::Meeting;
use writing::Outcome;

/// Deals of each run of a self-test.
const SELF_TEST_DEALS: u64 = 1 << 16;

/// Most batches of a run.
const MOST_BATCHES: u64 = 1 << 28;

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
    input: Input,

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
    until: Option<Until>,

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

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    match Launched::here() {
        // Parts are dealt apart, whoever starts them.
        Some(launched) if launched.processes > 1 && arguments.part.is_none() => {
            arguments.execute_together(launched)
        }
        _ => execute_with(arguments, None),
    }
}

/// Runs, alone or at the head of other processes.
fn execute_with(arguments: &Arguments, meeting: Option<&Meeting<'_>>) -> Result<u8, Error> {
    let begun = Instant::now();
    arguments.words.refuse_same_source(&arguments.input)?;
    if let Some(runs) = arguments.self_test {
        return self_test::execute(arguments, runs);
    }
    let (name, source) = arguments.input.resolve()?;
    let out = arguments.folder(&name);
    let mut arguments = arguments.clone();
    if arguments.resume && arguments.words.are_read() {
        return Err(Error::usage(
            "--resume cannot go on: words of a file or of standard input cannot be had again",
        ));
    }
    let (saved, lock) = match arguments.resume {
        false => (Saved::Nothing, None),
        true => resume::find(&out, arguments.quiet)?,
    };
    saved.complete(&mut arguments);
    let words = arguments.words.words()?;
    if arguments.explain {
        return explain::execute(&arguments, source, &words);
    }
    if arguments.part.is_some() {
        words.refuse_parts()?;
    }
    if meeting.is_some() {
        words.refuse_processes()?;
    }
    let (generator, tables) = (&*words.generator, arguments.tables.clone());
    // The folder is made ready when the input is known to be good, and before
    // anything is listed or dealt.
    let need = |script: &Script| need_of_run(arguments.deals, script);
    let how = (arguments.no_mmap, arguments.quiet);
    let options = arguments.options.with_defect(arguments.defect);
    let mut deals = Deals::plan(source, &options, need, how)?;
    let identity = arguments.identity(&deals, &words);
    refuse_many_batches(&identity)?;
    let stretch = arguments.stretch(&identity)?;
    saved.refuse_other(&identity)?;
    let lock = lock.map_or_else(|| Lock::take(&out), Ok)?;
    let earlier = saved.earlier(arguments.force, arguments.resume);
    let folder = Folder::prepare(lock, &identity, arguments.part, earlier)?;
    let folder = tables.apply(folder);
    deals.list(how)?;
    if !arguments.quiet {
        deals.warn()?;
    }
    let start = Timestamp::now().to_string();
    let mut run = writing::description(&deals, identity, &arguments.battery, start);
    run.part = arguments.part.map(|part| PartRecord::new(part, &stretch));
    if let Some((record, level)) = saved.finished(&run)? {
        let (out, is_json) = (&mut io::stdout().lock(), arguments.json);
        if !arguments.quiet {
            let printed = resume::print_finished(out, record, level, folder.path(), is_json);
            output::unless_closed(printed)?;
        }
        if arguments.tables.is_more() {
            let path = folder.path().display();
            log::warning(format!(
                "{path} was written before, and stays as it is: --force with the seed writes the \
                 tables in other formats"
            ))?;
        }
        return Ok(level.exit_code());
    }
    let contents = saved.contents(&mut run)?;

    let threads = if generator.is_one_sequence() {
        1
    } else {
        arguments.threads(meeting)
    };
    let pool = battery::pool(threads)?;
    let size = (run.identity.deals, run.identity.batch);
    let (dealer, tested) = pool.install(|| {
        let dealer = deals.dealer(stretch.count())?;
        Ok::<_, Error>((dealer, {
            let depth = arguments.battery.battery().depth();
            arguments.battery.planned(&deals, depth, arguments.quiet)?
        }))
    })?;
    let (plan, expected) = tested;
    let target = arguments.battery.target();
    let terms = run::terms_of_part(&plan, &stretch, size.1, target);
    let seeded = Seeded {
        dealer: &dealer,
        generator,
    };
    let defective;
    let source: &dyn Source = match arguments.defect {
        None => &seeded,
        Some(defect) => {
            defective = words::defective(defect, &words, &deals)?;
            &defective
        }
    };
    if source.is_one_sequence() && (arguments.part.is_some() || meeting.is_some()) {
        return Err(Error::usage(
            "this defect deals one sequence, which one process deals from its first deal: leave \
             out --part, and start the program alone",
        ));
    }
    let actions = deals.script.actions.as_deref().unwrap_or_default();
    let sieve = Sieve::new(
        &deals.filter,
        Questions::of(actions),
        arguments.enough(&deals),
    );
    let crew = meeting
        .map(|meeting| meeting.start(&run, threads))
        .transpose()?;
    let mut running = Running::new(source, &plan, &sieve, size);
    if let Some((crew, _)) = crew {
        running = running.with_crew(crew);
    }
    let count = stretch.count();
    let mut course = Course {
        deals: &deals,
        running: match arguments.part {
            None => running,
            Some(_) => running.part(stretch),
        },
        battery: expected.map(|expected| Battery::new(terms, expected)),
        checkpoints: (!generator.is_one_sequence()).then(|| Checkpoints::of(folder.path())),
        record: run,
        every: arguments.checkpoint,
        limits: Limits {
            interrupt: Interrupt::listen()?,
            deadline: arguments.time.and_then(|time| begun.checked_add(time)),
            until: arguments.until,
        },
        pace: None,
    };
    match contents {
        Some(contents) => course = pool.install(|| course.take_up(contents))?,
        // Those of another run, which --force replaces.
        None => Checkpoints::of(folder.path()).remove()?,
    }
    if course.battery.is_none() && arguments.until.is_some() {
        let why = TheoryError::Predeal;
        log::warning(format!("--until waits in vain: no test is made ({why})"))?;
    }
    log_start(&name, &deals, &course.record, threads);
    let bar = output::progress("deals", count, arguments.quiet);
    bar.go_on_from(course.running.dealt());
    let end = pool.install(|| course.go(&bar));
    bar.finish_and_clear();
    let end = end?;
    if let Some(meeting) = meeting {
        let dismissed = course.running.dismiss();
        dismissed.map_err(|error| deals.broken(error))?;
        if let Err(failure) = meeting.end() {
            // What they had counted is in them.
            if let Some(checkpoints) = &mut course.checkpoints {
                checkpoints.remove()?;
            }
            return Err(failure);
        }
    }
    let done = Done {
        arguments: &arguments,
        name: &name,
        words: &words,
        deals: &deals,
        folder: &folder,
        threads: crew.map_or(threads, |(_, threads)| threads),
        processes: crew.map(|(crew, _)| crew.team.processes()),
        path: source.path(),
    };
    pool.install(|| done.conclude(course, end))
}

/// A run that has been dealt, to its end or not.
struct Done<'d> {
    arguments: &'d Arguments,
    name: &'d str,
    words: &'d Words,
    deals: &'d Deals,
    folder: &'d Folder,
    threads: usize,
    processes: Option<usize>,
    path: Path,
}

impl Done<'_> {
    /// Writes the report and prints what it comes to; the exit code.
    fn conclude(&self, mut course: Course<'_, '_>, end: End) -> Result<u8, Error> {
        course.check_source()?;
        let (run, mut checkpoints) = (course.record.clone(), course.checkpoints.take());
        let pace = course.pace.take();
        let (surveyed, battery) = course.finish(end);
        let verdict = battery
            .as_ref()
            .map(|battery| battery.verdict(&surveyed.survey));
        let script = &self.deals.script;
        let actions = script.actions.as_deref().unwrap_or_default();
        let statistics = &surveyed.sifted.statistics;
        let exact_steps = self.arguments.exact_steps(surveyed.survey.deals());
        let outcome = Outcome {
            deals: self.deals,
            surveyed: &surveyed,
            answered: &Answered::all(&script.condition, actions, statistics, exact_steps),
            battery: battery.as_ref(),
            verdict: verdict.as_ref(),
            run,
            pace,
            stopped: end.stopped(),
            threads: self.threads,
            path: self.path.to_string(),
            end: Timestamp::now().to_string(),
            merged: None,
            processes: self.processes,
        };
        let (record, level) = (outcome.record(), outcome.level());
        let samples = match self.arguments.defect {
            // They begin with the run's first deal.
            None if self.arguments.part.is_some_and(|part| part.part > 1) => Vec::new(),
            None => samples::samples(self.deals, &*self.words.generator, surveyed.survey.deals())?,
            // What is shown would be dealt well.
            Some(_) => Vec::new(),
        };
        let json = outcome.write(self.folder, &record, self.name, &samples)?;
        self.log_end(&record, end);
        // What was reported whole needs no checkpoint, unless it is to be merged.
        if let Some(checkpoints) = checkpoints.as_mut().filter(|_| end == End::Whole) {
            match self.arguments.part {
                None => checkpoints.remove()?,
                Some(_) => checkpoints.keep_newest()?,
            }
        }

        if self.arguments.quiet && self.words.is_fresh {
            log::tell(format!("seed {}", self.words.seed))?;
        }
        let out = &mut io::stdout().lock();
        let printed = match (self.arguments.json, self.arguments.quiet) {
            (true, _) => out.write_all(&json),
            (false, true) => Ok(()),
            (false, false) => self.print(out, &outcome, &record, (end, checkpoints.is_some())),
        };
        output::unless_closed(printed)?;
        match end {
            End::Interrupted => Ok(failure::INTERRUPTED),
            // No verdict of a part that is not whole: it has to go on to be merged.
            End::Time if self.arguments.part.is_some() => Ok(failure::INTERRUPTED),
            _ => Ok(level.exit_code()),
        }
    }

    /// Logs what the run came to.
    fn log_end(&self, record: &RunRecord, end: End) {
        let (dealt, seconds) = (record.dealt, record.seconds);
        match end {
            End::Whole => {}
            End::Interrupted => tracing::warn!(target: "run", deals = dealt, "interrupted"),
            End::Time | End::Verdict => {
                let why = record.stopped.as_deref();
                tracing::info!(target: "run", deals = dealt, why, "stopped");
            }
        }
        let folder = self.folder.path().display().to_string();
        tracing::info!(target: "run", folder, "report written");
        let evidence = record.evidence.as_ref();
        // What was dealt of unfinished batches took its time too.
        let is_whole = record.stopped.is_none();
        let per_second = is_whole.then(|| dealt as f64 / seconds.max(1e-9));
        tracing::info!(
            target: "run",
            verdict = record.verdict,
            s = evidence.and_then(|evidence| evidence.largest_s),
            deals = dealt,
            part = record.part.map(|record| record.part.to_string()),
            seconds,
            per_second,
            "finished"
        );
    }

    fn print(
        &self,
        out: &mut impl Write,
        outcome: &Outcome<'_>,
        record: &RunRecord,
        (end, is_saved): (End, bool),
    ) -> io::Result<()> {
        let (what, folder) = ((self.name, self.deals), self.folder.path());
        summary::print(
            out,
            what,
            record,
            outcome.surveyed,
            outcome.answered,
            folder,
        )?;
        summary::print_stop(out, end, record, is_saved)?;
        match outcome.verdict {
            Some(verdict) => verdict::print(out, verdict),
            None => {
                let (level, why) = (outcome.level().name(), TheoryError::Predeal);
                writeln!(out, "verdict   {level}  no test was made: {why}")
            }
        }
    }
}

/// Logs what is run.
fn log_start(name: &str, deals: &Deals, record: &CheckpointRecord, threads: usize) {
    let (identity, case_file) = (&record.identity, record.case_file.as_ref());
    tracing::info!(
        target: "run",
        name,
        condition = identity.condition,
        deals = identity.deals,
        part = record.part.map(|record| record.part.to_string()),
        seed = identity.seed,
        generator = identity.generator,
        threads,
        case_file = case_file.map(|file| file.path.as_str()),
        total = deals.total(),
        "run started"
    );
}

/// So many batches would take long to be counted, before the first is dealt.
fn refuse_many_batches(identity: &Identity) -> Result<(), Error> {
    let batches = identity.deals / identity.batch;
    match batches > MOST_BATCHES {
        false => Ok(()),
        true => Err(Error::usage(format!(
            "{} batches are too many: give a larger --batch",
            grouped(batches)
        ))),
    }
}

impl Arguments {
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
        team::mpi::execute(self)
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

    /// Threads that deal.
    fn threads(&self, meeting: Option<&Meeting<'_>>) -> usize {
        match (self.battery.threads_asked(), meeting) {
            (None, Some(meeting)) => meeting.threads(),
            _ => self.battery.threads(),
        }
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
        self.out.clone().unwrap_or_else(default)
    }

    /// The batches that are dealt: all of the run's, or those of a part.
    fn stretch(&self, identity: &Identity) -> Result<Stretch, Error> {
        let (deals, batch) = (identity.deals, identity.batch);
        let Some(part) = self.part else {
            return Ok(Stretch::whole(deals, batch));
        };
        if identity.produce.is_some() {
            return Err(Error::usage(
                "no part of a run can know when all have kept enough: say with --deals how many \
                 are drawn",
            ));
        }
        let stretches = Part::stretches(part.of, deals, batch)
            .map_err(|error| Error::usage(error.to_string()))?;
        let largest = stretches.iter().map(Stretch::count).max().unwrap_or(0);
        let fair = deals.div_ceil(part.of);
        if part.part == 1 && largest > 2 * fair && !self.quiet {
            log::note(format!(
                "the largest of {} parts has {:.0} % of the deals: with --batch {} all would have \
                 about as many",
                part.of,
                100.0 * largest as f64 / deals as f64,
                (fair / 4).max(1)
            ))?;
        }
        let place = usize::try_from(part.part - 1).expect("parts are few");
        Ok(stretches[place].clone())
    }

    /// Deals of each run of a self-test.
    fn deals(&self) -> u64 {
        self.deals.unwrap_or(SELF_TEST_DEALS)
    }

    /// Deals that are drawn: as many as were asked for, or as the script's limits allow.
    fn draws(&self, deals: &Deals) -> u64 {
        let Script {
            generate, produce, ..
        } = deals.script;
        // Without a filter, what is drawn is what is produced.
        let produce = produce.filter(|_| deals.filter.is_empty());
        let limit = generate.into_iter().chain(produce).min();
        self.deals.or(limit).unwrap_or(DEFAULT_DEALS)
    }

    /// Steps that exact values of averages and frequencies may take.
    fn exact_steps(&self, deals: u64) -> u64 {
        match (self.exact, self.no_exact) {
            (true, _) => u64::MAX,
            (_, true) => 0,
            _ => sampler::exact_steps(deals),
        }
    }

    /// Deals kept by a filter that are enough.
    fn enough(&self, deals: &Deals) -> Option<u64> {
        let filtered = self.deals.is_none() && !deals.filter.is_empty();
        deals.script.produce.filter(|_| filtered)
    }

    fn identity(&self, deals: &Deals, words: &Words) -> Identity {
        Identity {
            condition: deals.script.condition.text().to_owned(),
            order: deals.order.clone(),
            listed: deals.listed.clone(),
            sampler: deals.sampler(),
            deals: self.draws(deals),
            produce: self.enough(deals),
            batch: self.batch.unwrap_or(DEFAULT_BATCH),
            seed: words.seed.clone(),
            generator: match self.defect {
                None => words.generator.name(),
                Some(defect) => format!("defect {}", defect.name()),
            },
            format_version: STREAMS_VERSION,
        }
    }
}
