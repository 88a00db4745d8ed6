//! `fairdeal run --self-test`

use std::io::{self, Write};

use fairdeal::Error;
use fairdeal::population::Listings;
use fairdeal::printable::{display_path, printable, thousands};
use fairdeal::report::{SelfTestRecord, null_rows_table, write_file};
use fairdeal::run::{NullRow, SelfTestRuns};
use fairdeal::tasks::run::{self as task, SelfTest, SelfTestRequest};

use super::RunArguments;
use crate::cli::input::InputOptions;
use crate::cli::json;
use crate::cli::terminal::Terminal;

pub(super) fn execute(
    arguments: &RunArguments,
    runs: SelfTestRuns,
    listings: &Listings,
    terminal: &Terminal,
) -> Result<u8, Error> {
    let unconstrained = InputOptions::named("unconstrained");
    let (name, input) = match arguments.input.is_given() {
        true => arguments.input.resolve()?,
        false => unconstrained.resolve()?,
    };
    let request = SelfTestRequest {
        runs,
        deals: arguments.deals,
        batch: arguments.batch,
        random: arguments.words.request(),
        battery: arguments.battery.request(),
        sampling: arguments.options.sampling(),
    };
    let test = task::self_test(&request, input, listings, terminal)?;
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).map_err(|error| Error::of(display_path(folder), error))?;
        let table = null_rows_table(&test.found.rows);
        write_file(&folder.join("self_test.csv"), &table.to_csv())?;
    }
    let out = &mut io::stdout().lock();
    match (arguments.quiet, arguments.json) {
        (true, false) => {}
        (_, true) => {
            let record = SelfTestRecord::new(&name, &test.words, &test.found, test.level);
            json::document(out, &record)?;
        }
        (false, false) => print(out, &name, &test)?,
    }
    Ok(test.level.exit_code())
}

fn print(out: &mut impl Write, name: &str, test: &SelfTest) -> io::Result<()> {
    let SelfTest {
        words: seed,
        found,
        level,
        has_filter,
    } = test;
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
            true => format!("{:.4}", 10f64.powf(log10_p)),
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
