//! `fairdeal run`

mod explain;
mod self_test;
mod summary;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use jiff::Timestamp;

use fairdeal::battery::{Battery, Level};
use fairdeal::condition::{Expression, Script};
use fairdeal::defect::Defect;
use fairdeal::draw::{STREAMS_VERSION, Seeded, Source};
use fairdeal::report::{
    Answered, CaseFileRecord, EvidenceRecord, FilterRecord, Folder, HostRecord, Identity, PROGRAM,
    RunRecord, write_bounds, write_case_groups, write_statistics, write_tables, write_tests,
};
use fairdeal::run::{self, DEFAULT_BATCH, DEFAULT_DEALS, Sieve};
use fairdeal::tally::Questions;
use fairdeal::theory::TheoryError;

use super::battery::{self, BatteryOptions};
use super::deals::{Deals, SamplingOptions};
use super::failure::Failure;
use super::input::Input;
use super::words::{self, Words, WordsOptions};
use super::{output, values, verdict};

/// Deals of each run of a self-test.
const SELF_TEST_DEALS: u64 = 1 << 16;

/// Deal, count, test, and write the report
///
/// Lists the condition's cases into a case file (kept in the cache folder and used again), maps
/// it, draws exactly so many deals on all cores, and writes the counts of every pattern, shape,
/// suit length, fit, HCP total and card as CSV. A battery of tests looks at the counts at 16,384
/// deals, at every doubling and at the end, and gives one verdict: PASS (exit code 0), SUSPICIOUS
/// (1), FAIL (2), INVALID (3), or INCONCLUSIVE (4) with fewer deals than --target. The same
/// condition, deals, batch, seed and generator give the same counts with any number of threads.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// How many deals; K, M, G, T are thousands, Ki, Mi, Gi, Ti 1,024s [default: what the script
    /// generates or produces, or 10485760; of each run of a self-test 65536]
    #[arg(long, value_name = "N", value_parser = values::count)]
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
        default_missing_value = "200", conflicts_with_all = ["defect", "json", "target", "force"],
        value_parser = clap::value_parser!(u32).range(10..=100_000))]
    self_test: Option<u32>,

    /// Most deals of a batch
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BATCH, value_parser = values::batch)]
    batch: u64,

    /// Where the report goes [default: reports/runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace the report of another run
    #[arg(long)]
    force: bool,

    /// Read the case file into memory instead of mapping it
    #[arg(long)]
    no_mmap: bool,

    /// No progress and no summary; a seed that was not given is still printed, on standard error
    #[arg(short, long)]
    quiet: bool,

    /// Print run.json on standard output instead of the summary
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// List the condition, print what is listed, what every deal is asked and the share of deals
    /// that are kept, and run nothing
    #[arg(long, conflicts_with_all = ["self_test", "json", "quiet"])]
    explain: bool,

    #[command(flatten)]
    options: SamplingOptions,
}

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Failure> {
    arguments.words.refuse_same_source(&arguments.input)?;
    if let Some(runs) = arguments.self_test {
        return self_test::execute(arguments, runs);
    }
    let (name, source) = arguments.input.resolve()?;
    let words = arguments.words.words()?;
    if arguments.explain {
        return explain::execute(arguments, source, &words);
    }
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| ["reports", "runs", &name].iter().collect());
    // The folder is made ready when the input is known to be good, and before
    // anything is listed or dealt.
    let prepare = |deals: &Deals| {
        let identity = arguments.identity(deals, &words);
        let folder = Folder::prepare(&out, &identity, arguments.force)?;
        Ok::<_, Failure>((identity, folder))
    };
    let (options, copy) = (&arguments.options, arguments.no_mmap);
    let (deals, (identity, folder)) = Deals::of(source, options, copy, arguments.quiet, prepare)?;
    if !arguments.quiet {
        deals.warn()?;
    }

    let generator = &*words.generator;
    let threads = if generator.is_one_sequence() {
        1
    } else {
        arguments.battery.threads()
    };
    let pool = battery::pool(threads)?;
    let size = (arguments.draws(&deals), arguments.batch);
    let (dealer, tested) = pool.install(|| {
        let dealer = deals.dealer(size.0)?;
        Ok::<_, Failure>((dealer, {
            let depth = arguments.battery.battery.depth();
            arguments.battery.planned(&deals, depth)?
        }))
    })?;
    let (plan, expected) = tested;
    let terms = run::terms(&plan, size.0, size.1, arguments.battery.target);
    let mut battery = expected.map(|expected| Battery::new(terms, expected));
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
    let actions = deals.script.actions.as_deref().unwrap_or_default();
    let sieve = Sieve::new(
        &deals.filter,
        Questions::of(actions),
        arguments.enough(&deals),
    );
    let bar = output::progress("deals", size.0, arguments.quiet);
    let (start, clock) = (Timestamp::now(), Instant::now());
    let surveyed = pool.install(|| {
        run::survey(
            source,
            &plan,
            &sieve,
            size,
            &|deals| bar.inc(deals),
            &mut |survey| {
                if let Some(battery) = &mut battery {
                    let s = battery.look(survey);
                    bar.set_message(format!("S = {s:.1}"));
                }
                ControlFlow::Continue(())
            },
        )
    });
    bar.finish_and_clear();
    let surveyed = surveyed.map_err(|error| deals.broken(error))?;
    let (seconds, end) = (clock.elapsed().as_secs_f64(), Timestamp::now());

    pool.install(|| deals.check_again())?;
    let verdict = battery
        .as_ref()
        .map(|battery| battery.verdict(&surveyed.survey));
    let level = match &verdict {
        Some(verdict) => verdict.level,
        None if surveyed.survey.illegal + surveyed.survey.cases.foreign() > 0 => Level::Invalid,
        None => Level::Inconclusive,
    };
    let condition = &deals.script.condition;
    let statistics = &surveyed.sifted.statistics;
    let answered = pool.install(|| Answered::all(condition, actions, statistics));
    let filter = sieve.filters().then(|| FilterRecord {
        terms: deals.filter.iter().map(Expression::to_string).collect(),
        drawn: surveyed.survey.deals(),
        kept: surveyed.sifted.kept,
    });
    let record = RunRecord {
        program: PROGRAM.to_owned(),
        identity,
        case_file: deals
            .file
            .as_ref()
            .map(|(path, file)| CaseFileRecord::new(path, file)),
        total: deals.total().to_string(),
        cases: deals.file.as_ref().map(|(_, file)| file.cases()),
        expected: match (&filter, &battery) {
            (Some(_), _) => "none: theory does not follow the filter".to_owned(),
            (None, None) => format!("none: {}", TheoryError::Predeal),
            (None, Some(_)) => "exact".to_owned(),
        },
        filter,
        threads,
        path: source.path().to_string(),
        start: start.to_string(),
        end: end.to_string(),
        seconds,
        host: HostRecord::here(),
        battery: match battery {
            Some(_) => arguments.battery.battery.name().to_owned(),
            None => "none".to_owned(),
        },
        verdict: Some(level.name().to_owned()),
        evidence: battery
            .as_ref()
            .zip(verdict.as_ref())
            .map(|(battery, verdict)| {
                EvidenceRecord::new(verdict, battery.looks(), arguments.battery.keep)
            }),
    };
    folder.begin()?;
    if sieve.filters() {
        write_tables(&folder, &surveyed.sifted.tally, None, &surveyed.latency)?;
    } else {
        let tally = surveyed.survey.tally();
        let theory = battery.as_ref().map(|battery| battery.expected().theory());
        write_tables(&folder, &tally, theory, &surveyed.latency)?;
    }
    write_statistics(&folder, surveyed.sifted.statistics.deals(), &answered)?;
    if let (Some(battery), Some(verdict)) = (&battery, &verdict) {
        write_tests(&folder, &battery.rows())?;
        write_bounds(&folder, &verdict.bounds)?;
        let groups = battery.case_groups(&surveyed.survey);
        if !groups.is_empty() {
            write_case_groups(&folder, &groups)?;
        }
    }
    // The record comes last: a folder with a run.json is whole.
    let json = folder.write_run(&record)?;

    if arguments.quiet && words.is_fresh {
        writeln!(io::stderr(), "seed {}", words.seed)?;
    }
    let print = |out: &mut io::StdoutLock<'_>| -> io::Result<()> {
        if arguments.json {
            return out.write_all(&json);
        }
        if arguments.quiet {
            return Ok(());
        }
        let (what, folder) = ((&*name, &deals), folder.path());
        summary::print(out, what, &record, &surveyed, &answered, folder)?;
        match &verdict {
            Some(verdict) => verdict::print(out, verdict),
            None => {
                let (level, why) = (level.name(), TheoryError::Predeal);
                writeln!(out, "verdict   {level}  no test was made: {why}")
            }
        }
    };
    output::unless_closed(print(&mut io::stdout().lock()))?;
    Ok(level.exit_code())
}

impl Arguments {
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
            deals: self.draws(deals),
            produce: self.enough(deals),
            batch: self.batch,
            seed: words.seed.clone(),
            generator: match self.defect {
                None => words.generator.name(),
                Some(defect) => format!("defect {}", defect.name()),
            },
            format_version: STREAMS_VERSION,
        }
    }
}
