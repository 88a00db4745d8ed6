//! `fairdeal self-test`

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use fairdeal::Error;
use fairdeal::printable::{display_path, printable, thousands};
use fairdeal::report::{LevelCheckRecord, null_rows_table, write_file};
use fairdeal::run::{BatchSize, DealCount, LevelCheckRuns, NullRow};
use fairdeal::stats::elementary::powf;
use fairdeal::tasks::{LevelCheck, LevelCheckRequest, level_check};

use super::battery::TestOptions;
use super::input::{InputOptions, SamplingOptions};
use super::output_options::PrintOptions;
use super::terminal::Terminal;
use super::words::WordsOptions;
use super::{cache, json};

const EXAMPLES: &str = "\
Examples:
  fairdeal self-test
  fairdeal self-test nine-spades --runs 1K --deals 10K --seed 1";

/// Test the tests on many runs of perfect deals
///
/// Checks whether every statistic and p-value follows its law. The runs use consecutive seeds; the
/// default INPUT is unconstrained. The verdict is also the exit code: PASS (0), SUSPICIOUS (1) or
/// FAIL (2).
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct SelfTestArguments {
    #[command(flatten)]
    input: InputOptions,

    /// Number of runs
    #[arg(
        long,
        value_name = "RUNS",
        help_heading = "Tests",
        default_value = "200"
    )]
    runs: LevelCheckRuns,

    /// Number of deals of each run, such as 10K or 64Ki [default: 65536]
    #[arg(short = 'n', long, value_name = "N", help_heading = "Deals")]
    deals: Option<DealCount>,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    tests: TestOptions,

    /// Maximum batch size in deals [default: 67108864]
    #[arg(long, value_name = "N", help_heading = "Computation")]
    batch: Option<BatchSize>,

    /// Also write the rows to self_test.csv in this folder
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    print: PrintOptions,

    /// Read the case file into memory instead of mapping it
    #[arg(long, help_heading = "Computation")]
    no_mmap: bool,

    #[command(flatten)]
    options: SamplingOptions,
}

pub(super) fn execute(arguments: &SelfTestArguments) -> Result<u8, Error> {
    arguments.words.refuse_same_source(&arguments.input)?;
    let (name, input) = match arguments.input.is_given() {
        true => arguments.input.resolve()?,
        false => InputOptions::named("unconstrained").resolve()?,
    };
    let request = LevelCheckRequest {
        runs: arguments.runs,
        deals: arguments.deals,
        batch: arguments.batch,
        random: arguments.words.request(),
        battery: arguments.tests.request(),
        sampling: arguments.options.sampling(),
    };
    let listings = cache::listings()?.copied(arguments.no_mmap);
    let check = level_check(
        &request,
        input,
        &listings,
        &Terminal::new(arguments.print.quiet),
    )?;
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).map_err(|error| Error::of(display_path(folder), error))?;
        let table = null_rows_table(&check.found.rows);
        write_file(&folder.join("self_test.csv"), &table.to_csv())?;
    }
    let out = &mut io::stdout().lock();
    match (arguments.print.quiet, arguments.print.json) {
        (true, false) => {}
        (_, true) => {
            let record = LevelCheckRecord::new(&name, &check.words, &check.found, check.level);
            json::document(out, &record)?;
        }
        (false, false) => print(out, &name, &check)?,
    }
    Ok(check.level.exit_code())
}

fn print(out: &mut impl Write, name: &str, check: &LevelCheck) -> io::Result<()> {
    let LevelCheck {
        words: seed,
        found,
        level,
        has_filter,
    } = check;
    let worst = found.log10_p();
    let largest = found.largest.iter().copied().fold(f64::MIN, f64::max);
    writeln!(
        out,
        "{}: {} runs of {} deals, {} and the next {} seeds",
        printable(name),
        found.runs,
        thousands(found.deals),
        seed,
        found.runs - 1
    )?;
    if *has_filter {
        writeln!(
            out,
            "the tests use the deals before the filter, as in every run with a filter"
        )?;
    }
    print_rows(out, &found.rows)?;
    writeln!(
        out,
        "verdict   {}  the smallest of these p-values, times their number: 10^{worst:.1}",
        level.name()
    )?;
    writeln!(
        out,
        "          largest S {largest:.2}; S >= 1 in {} runs, S >= 2 in {}, S >= 3 in {} of {}",
        found.reached(1.0),
        found.reached(2.0),
        found.reached(3.0),
        found.runs
    )
}

fn print_rows(out: &mut impl Write, rows: &[NullRow]) -> io::Result<()> {
    writeln!(
        out,
        "{:<24}{:<22}{:>11} {:>11} {:>11} {:>11} {:>6} {:>6} {:>8} {:>8}",
        "test", "subject", "mean", "of", "variance", "of", "z", "z", "uniform", "min p"
    )?;
    for row in rows {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let chance = |log10_p: f64| match row.is_judged {
            true => format!("{:.4}", powf(10.0, log10_p)),
            false => "-".to_owned(),
        };
        writeln!(
            out,
            "{:<24}{:<22}{:>11.2} {:>11} {:>11.2} {:>11} {:>6} {:>6} {:>8} {:>8}",
            row.test.name(),
            row.subject,
            row.found.0,
            number(row.expected.map(|(mean, _)| mean), 2),
            row.found.1,
            number(row.expected.map(|(_, variance)| variance), 2),
            number(row.z.map(|(mean, _)| mean), 2),
            number(row.z.map(|(_, variance)| variance), 2),
            chance(row.uniform_log10),
            chance(row.least_log10),
        )?;
    }
    Ok(())
}
