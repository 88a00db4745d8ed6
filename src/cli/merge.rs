//! `fairdeal merge`

use std::io;
use std::path::PathBuf;

use clap::Args;

use fairdeal::Error;
use fairdeal::report::OnConflict;
use fairdeal::tasks::audit::{AuditReport, are_audits, merge_audits};
use fairdeal::tasks::{MergeRequest, merge};

use super::output_options::PrintOptions;
use super::run::summary;
use super::tables::TableOptions;
use super::terminal::Terminal;
use super::threads::ThreadOptions;
use super::verdict::Detail;
use super::{audit, cache};

const EXAMPLES: &str = "\
Examples:
  fairdeal run big.dl --deals 1T --seed 1 --part 1/2
  fairdeal run big.dl --deals 1T --seed 1 --part 2/2
  fairdeal merge reports/runs/big/part-*-of-2 -o reports/runs/big";

/// Make one report from the parts of a run or of an audit
///
/// Adds up the counts of the parts that `fairdeal run --part 1/N` to `N/N` dealt, and makes every
/// look of the whole run. Counts, tests, verdict and exit code are those of a single process.
/// Parts of different runs, overlapping parts and gaps are errors. Also tests whether the parts
/// differ from each other. The parts of `fairdeal audit --command .. --part 1/N` to `N/N` are added
/// up too, and tested at the end.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct MergeArguments {
    /// Folders of the parts, in any order
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Folder of the report
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    out: PathBuf,

    /// Case file of the parts, if it has moved
    ///
    /// Without it, the condition is listed again.
    #[arg(long, value_name = "FILE", help_heading = "Computation")]
    cases: Option<PathBuf>,

    /// Overwrite an existing report
    #[arg(long, help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    threads: ThreadOptions,

    #[command(flatten)]
    print: PrintOptions,

    /// Also print speed, sampler, looks, all bounds and detectable effects
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["quiet", "json"])]
    verbose: bool,

    #[command(flatten)]
    tables: TableOptions,
}

impl MergeArguments {
    /// Prints the summary of an audit, or JSON.
    fn print_audit(&self, report: &AuditReport) -> io::Result<()> {
        self.print
            .print(&report.document(&report.tables()), |layout| {
                let options = &report.record.identity;
                let is_any = options.condition.is_empty() && !options.options.any_condition;
                audit::summary::print(layout, report, is_any, self.verbose)
            })
    }
}

pub(super) fn execute(arguments: &MergeArguments) -> Result<u8, Error> {
    let request = MergeRequest {
        folders: arguments.folders.clone(),
        out: arguments.out.clone(),
        cases: arguments.cases.clone(),
        on_conflict: OnConflict::by_force(arguments.force),
        threads: arguments.threads.number(),
        formats: arguments.tables.formats(),
    };
    let terminal = Terminal::new(arguments.print.quiet);
    if are_audits(&request.folders) {
        let report = merge_audits(&request, &cache::listings()?, &terminal)?;
        arguments.print_audit(&report)?;
        return Ok(report.level.exit_code());
    }
    let report = merge(&request, &cache::listings()?, &terminal)?;
    let detail = Detail {
        is_verdict_asked: true,
        is_verbose: arguments.verbose,
    };
    let (print, tables) = (arguments.print, report.tables());
    print.print(&report.document(&tables), |layout| {
        summary::print(layout, &report, detail)
    })?;
    Ok(report.level.exit_code())
}
