//! `fairdeal solve`

use std::io;
use std::time::Duration;

use clap::Args;

use fairdeal::Error;
use fairdeal::bridge::{Seat, Strain};
use fairdeal::printable::{display_path, thousands, with_noun};
use fairdeal::report::{Stopped, TrickCounts};
use fairdeal::run::DealCount;
use fairdeal::tasks::{SolvingReport, SolvingRequest, run_solved};

use super::input::{InputOptions, SamplingOptions, script_of};
use super::layout::{SummaryLayout, Tone};
use super::report_options::ReportOptions;
use super::run::{answers, summary};
use super::terminal::Terminal;
use super::threads::ThreadOptions;
use super::words::WordsOptions;
use super::{cache, failure, output, values};

const EXAMPLES: &str = "\
Examples:
  fairdeal solve game.dl --seed 1
  fairdeal solve unconstrained --deals 10K --for 1h
  fairdeal solve game.dl --resume

Exit codes: 0 done; 5 no more deals; 64 wrong usage; 65 bad input;
74 reading or writing failed; 130 interrupted.";

/// Solve deals double-dummy, and answer a script's averages
///
/// Solves each deal on all cores and keeps the deals with their tricks: `run --from` and other
/// programs can read them. Only the tricks that the script asks are solved, if these are at most
/// eight. Makes no tests.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct SolveArguments {
    #[command(flatten)]
    input: InputOptions,

    /// Number of deals that satisfy the condition, such as 1K or 1e4
    ///
    /// The default is the script's `produce`, or 1000, or with --for no limit.
    #[arg(short = 'n', long, value_name = "N", help_heading = "Deals")]
    deals: Option<DealCount>,

    /// Solve all twenty numbers of tricks of each deal, even if the script asks fewer
    #[arg(long, help_heading = "Deals")]
    all: bool,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    threads: ThreadOptions,

    /// Stop after this time, such as 90s, 10m or 8h
    ///
    /// --resume continues the run.
    #[arg(long = "for", value_name = "TIME", help_heading = "Stopping and resuming",
        value_parser = values::duration)]
    time: Option<Duration>,

    /// Read the case file into memory instead of mapping it
    #[arg(long, help_heading = "Computation")]
    no_mmap: bool,

    #[command(flatten)]
    report: ReportOptions,

    #[command(flatten)]
    options: SamplingOptions,
}

pub(super) fn execute(arguments: &SolveArguments) -> Result<u8, Error> {
    let options = &arguments.report;
    arguments.words.refuse_same_source(&arguments.input)?;
    let (name, input) = arguments.input.clone().with_tables().resolve()?;
    let script = script_of(input, "solve")?;
    let request = SolvingRequest {
        folder: options.folder(&name, None, |_| false),
        name,
        on_conflict: options.on_conflict(None),
        formats: options.tables.formats(),
        deals: arguments.deals,
        is_whole: arguments.all,
        random: arguments.words.request(),
        threads: arguments.threads.number(),
        time: arguments.time,
        sampling: arguments.options.sampling(),
    };
    let listings = cache::listings()?.copied(arguments.no_mmap);
    let report = run_solved(
        &request,
        &script,
        &listings,
        &Terminal::new(options.print.quiet),
    )?;
    let (options, tables) = (options.print, report.tables());
    options.tell_seed(report.fresh_seed.as_deref())?;
    options.print(&report.document(&tables), |layout| print(layout, &report))?;
    Ok(match report.record.stopped {
        None | Some(Stopped::TimeLimit) => 0,
        Some(Stopped::Interrupted) => failure::INTERRUPTED,
        Some(_) => failure::GAVE_UP,
    })
}

/// Prints the number of deals, the answers, and the mean tricks.
fn print(layout: &mut SummaryLayout<'_>, report: &SolvingReport) -> io::Result<()> {
    let record = &report.record;
    let solved = with_noun(record.solved, "deal");
    let deals = match record.probability {
        Some(_) => format!("{} kept of {solved} solved", thousands(record.kept)),
        None => format!("{solved} solved"),
    };
    let deals = format!("{deals} in {}", output::seconds(record.seconds));
    let word = if record.stopped.is_some() {
        "STOPPED"
    } else {
        "DONE"
    };
    let seed = format!("seed {}", record.identity.seed);
    layout.headline(word, Tone::Neutral, &[record.name.clone(), deals, seed])?;
    if let Some(probability) = &record.probability {
        summary::probability(layout, probability, [record.kept, record.solved])?;
    }
    match (record.stopped, record.tried) {
        (None, _) => {}
        (Some(_), Some(tried)) => {
            let tried = thousands(tried);
            layout.more(&format!("no more deals among the {tried} tried"))?;
        }
        (Some(_), None) => layout.more("the same command with --resume goes on from here")?,
    }
    answers::print(layout, record.kept, &report.answered)?;
    if let Some(tricks) = report.tricks.as_ref().filter(|_| record.kept > 0) {
        print_means(layout, tricks)?;
    }
    layout.line("Solved", &display_path(&report.file).to_string())?;
    layout.report(&report.folder, "solved.json")
}

/// Prints the mean tricks of each declarer in each strain.
fn print_means(layout: &mut SummaryLayout<'_>, tricks: &TrickCounts) -> io::Result<()> {
    let row = |cells: [String; Strain::COUNT]| {
        let cells = cells.map(|cell| format!("{cell:>7}"));
        cells.concat()
    };
    let names = row(Strain::ALL.map(|strain| strain.name().to_owned()));
    layout.line("Tricks", &format!("mean  {names}"))?;
    for seat in Seat::ALL {
        let mean = |strain| tricks.mean(seat, strain).unwrap_or_default();
        let means = row(Strain::ALL.map(|strain| format!("{:.3}", mean(strain))));
        layout.more(&format!("{:<6}{means}", seat.name()))?;
    }
    Ok(())
}
