//! `fairdeal merge`

use std::path::PathBuf;

use clap::Args;

use fairdeal::Error;
use fairdeal::population::Listings;
use fairdeal::tasks::{MergeRequest, merge};

use super::layout::{self, Layout};
use super::run::summary::{self, Detail};
use super::tables::TableOptions;
use super::terminal::Terminal;
use super::{json, output};

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

    /// Print speed, sampler, looks, all bounds and detectable effects too
    #[arg(short, long, conflicts_with_all = ["quiet", "json"])]
    verbose: bool,

    /// Print run.json on standard output instead of the summary
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    #[command(flatten)]
    tables: TableOptions,
}

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    let request = MergeRequest {
        folders: arguments.folders.clone(),
        out: arguments.out.clone(),
        cases: arguments.cases.clone(),
        force: arguments.force,
        threads: arguments.threads.map(usize::from),
        formats: arguments.tables.formats(),
    };
    let terminal = Terminal::new(arguments.quiet);
    let report = merge(&request, &Listings::of_user()?, &terminal)?;
    let out = &mut layout::stdout();
    let detail = Detail {
        is_verdict_asked: true,
        is_verbose: arguments.verbose,
    };
    let printed = match (arguments.json, arguments.quiet) {
        (true, _) => json::document(out, &report.document(&report.tables())),
        (false, true) => Ok(()),
        (false, false) => summary::print(&mut Layout::new(out), &report, detail),
    };
    output::unless_closed(printed)?;
    Ok(report.level.exit_code())
}
