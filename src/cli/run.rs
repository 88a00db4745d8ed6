//! `fairdeal run`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use jiff::Timestamp;

use fairdeal::draw::STREAMS_VERSION;
use fairdeal::report::{
    CaseFileRecord, Folder, HostRecord, Identity, PROGRAM, RunRecord, grouped, write_tables,
};
use fairdeal::run::{self, DEFAULT_BATCH, DEFAULT_DEALS, Outcome};
use fairdeal::theory::Theory;

use super::deals::Deals;
use super::failure::Failure;
use super::input::{self, Input, ListingOptions};
use super::words::{Words, WordsOptions};
use super::{output, values};

/// Deal, count, and write the report
///
/// Lists the condition's cases into a case file (kept in the cache folder and used again), maps
/// it, draws exactly so many deals on all cores, and writes the counts of every pattern, shape,
/// suit length, fit, HCP total and card as CSV. The same condition, deals, batch, seed and
/// generator give the same counts with any number of threads.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// How many deals; K, M, G, T are thousands, Ki, Mi, Gi, Ti 1,024s
    #[arg(long, value_name = "N", default_value_t = DEFAULT_DEALS, value_parser = values::count)]
    deals: u64,

    #[command(flatten)]
    words: WordsOptions,

    /// Threads that deal [default: all cores]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

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

    #[command(flatten)]
    options: ListingOptions,
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Failure> {
    arguments.words.refuse_same_source(&arguments.input)?;
    let (name, source) = arguments.input.resolve()?;
    let words = arguments.words.words()?;
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| ["reports", "runs", &name].iter().collect());
    // The folder is made ready when the input is known to be good, and before
    // anything is listed or dealt.
    let prepare = |condition: &str, order: &str| {
        let identity = arguments.identity(condition, order, &words);
        let folder = Folder::prepare(&out, &identity, arguments.force)?;
        Ok::<_, Failure>((identity, folder))
    };
    let (options, copy) = (&arguments.options, arguments.no_mmap);
    let (deals, (identity, folder)) = Deals::of(source, options, copy, arguments.quiet, prepare)?;

    let generator = &*words.generator;
    let threads = match arguments.threads.map(usize::from) {
        _ if generator.is_one_sequence() => 1,
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(Failure::io)?;
    let dealer = pool.install(|| deals.dealer(arguments.deals))?;
    let bar = output::progress("deals", arguments.deals, arguments.quiet);
    let (start, clock) = (Timestamp::now(), Instant::now());
    let outcome = pool.install(|| {
        let progress = |deals| bar.inc(deals);
        run::run(
            &dealer,
            generator,
            arguments.deals,
            arguments.batch,
            &progress,
        )
    });
    bar.finish_and_clear();
    let outcome = outcome.map_err(|error| deals.failed(error))?;
    let seconds = clock.elapsed().as_secs_f64();

    pool.install(|| deals.check_again())?;
    let theory = pool.install(|| match &deals.file {
        None => Ok(Theory::unconstrained()),
        Some((_, file)) => Theory::of_cases(file),
    });
    let theory = theory.map_err(|error| deals.damaged(error))?;
    let record = RunRecord {
        program: PROGRAM.to_owned(),
        identity,
        case_file: deals.file.as_ref().map(|(path, file)| CaseFileRecord {
            path: path.display().to_string(),
            records_blake3: blake3::Hash::from_bytes(file.header().records_hash).to_string(),
        }),
        total: deals.total().to_string(),
        cases: deals.file.as_ref().map(|(_, file)| file.cases()),
        threads,
        path: dealer.path().to_string(),
        start: start.to_string(),
        end: Timestamp::now().to_string(),
        seconds,
        host: HostRecord::here(),
        battery: "none".to_owned(),
        verdict: None,
        expected: "exact".to_owned(),
    };
    folder.begin()?;
    write_tables(&folder, &outcome.tally, Some(&theory), &outcome.latency)?;
    // The record comes last: a folder with a run.json is whole.
    let json = folder.write_run(&record)?;

    if arguments.quiet && words.is_fresh {
        writeln!(io::stderr(), "seed {}", words.seed)?;
    }
    let mut stdout = io::stdout().lock();
    if arguments.json {
        stdout.write_all(&json)?;
    } else if !arguments.quiet {
        summary(&mut stdout, &name, &deals, &record, &outcome, folder.path())?;
    }
    Ok(())
}

impl Arguments {
    fn identity(&self, condition: &str, order: &str, words: &Words) -> Identity {
        Identity {
            condition: condition.to_owned(),
            order: order.to_owned(),
            deals: self.deals,
            batch: self.batch,
            seed: words.seed.clone(),
            generator: words.generator.name(),
            format_version: STREAMS_VERSION,
        }
    }
}

fn summary(
    out: &mut impl Write,
    name: &str,
    deals: &Deals,
    record: &RunRecord,
    outcome: &Outcome,
    folder: &Path,
) -> io::Result<()> {
    let count = outcome.tally.deals();
    let rate = count as f64 / record.seconds.max(1e-9);
    let threads = match record.threads {
        1 => "1 thread".to_owned(),
        many => format!("{many} threads"),
    };
    writeln!(
        out,
        "{name}: {} deals in {:.2} s on {threads}, {:.2} million a second",
        grouped(count),
        record.seconds,
        rate / 1e6
    )?;
    if let Some(median) = outcome.latency.ns_at(50.0) {
        let slow = outcome.latency.ns_at(99.0).unwrap_or(median);
        writeln!(
            out,
            "a deal    {median:.1} ns (median of blocks), {slow:.1} ns (99th percentile), by {}",
            record.path
        )?;
    }
    match &deals.file {
        Some((path, file)) => {
            let size = input::size_of(file.cases(), file.total());
            writeln!(
                out,
                "cases     {size} ({}), {}",
                deals.order,
                path.display()
            )?;
        }
        None => writeln!(out, "cases     none: every deal is allowed")?,
    }
    writeln!(
        out,
        "seed      {} ({})",
        record.identity.seed, record.identity.generator
    )?;
    writeln!(out, "report    {}", folder.display())?;
    writeln!(
        out,
        "verdict   none: this version counts and does not test yet"
    )
}
