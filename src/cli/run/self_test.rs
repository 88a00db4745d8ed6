//! `fairdeal run --self-test`

use std::io::{self, Write};

use serde::Serialize;

use fairdeal::battery::Level;
use fairdeal::condition::Script;
use fairdeal::draw::{Seeded, Source};
use fairdeal::report::{PROGRAM, grouped, null_rows_table, write_file};
use fairdeal::run::{self, Calibration, DEFAULT_BATCH, NullRow};
use fairdeal::sampler::Need;
use fairdeal::theory::TheoryError;

use super::Arguments;
use crate::cli::deals::Deals;
use crate::cli::input::Input;
use crate::cli::{json, output};
use fairdeal::Error;

/// log10 of the p-value of the whole calibration below which something seems wrong, or is.
const ODD_LOG10: f64 = -3.0;
const WRONG_LOG10: f64 = -6.0;

pub(super) fn execute(arguments: &Arguments, runs: u32) -> Result<u8, Error> {
    let (name, source) = if arguments.input.is_given() {
        arguments.input.resolve()?
    } else {
        Input::named("unconstrained").resolve()?
    };
    let quiet = arguments.quiet;
    let need = |_: &Script| Need::statistics(arguments.deals());
    let how = (arguments.no_mmap, quiet);
    let mut deals = Deals::plan(source, &arguments.options, need, how)?;
    deals.list(how)?;
    let (seed, generators) = arguments.words.many(runs)?;
    let dealer = deals.dealer(arguments.deals())?;
    let options = &arguments.battery;
    let (plan, expected) = options.planned(&deals, options.battery().depth(), quiet)?;
    let expected = expected.ok_or(TheoryError::Predeal)?;
    let seeded = generators.iter().map(|generator| Seeded {
        dealer: &dealer,
        generator: &**generator,
    });
    let sources: Vec<_> = seeded.collect();
    let sources: Vec<&dyn Source> = sources.iter().map(|source| source as &dyn Source).collect();
    let bar = output::progress("runs", runs.into(), quiet);
    let pool = options.pool()?;
    let size = (arguments.deals(), arguments.batch.unwrap_or(DEFAULT_BATCH));
    let found =
        pool.install(|| run::self_test(&sources, &plan, &expected, size, &|runs| bar.inc(runs)));
    bar.finish_and_clear();
    let found = found.map_err(|error| deals.broken(error))?;
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).map_err(|error| Error::of(folder.display(), error))?;
        let table = null_rows_table(&found.rows);
        write_file(&folder.join("self_test.csv"), &table.to_csv())?;
    }

    let worst = found.log10_p();
    let largest = found.largest.iter().copied().fold(f64::MIN, f64::max);
    let level = if worst < WRONG_LOG10 {
        Level::Fail
    } else if worst < ODD_LOG10 {
        Level::Suspicious
    } else {
        Level::Pass
    };
    if quiet {
        return Ok(level.exit_code());
    }
    let mut out = io::stdout().lock();
    if arguments.json {
        let record = Record::new(&name, &seed, &found, level);
        json::document(&mut out, &record)?;
        return Ok(level.exit_code());
    }
    writeln!(
        out,
        "{name}: {} runs of {} deals, {} and the {} seeds after it",
        found.runs,
        grouped(found.deals),
        seed,
        found.runs - 1
    )?;
    if !deals.filter.is_empty() {
        writeln!(
            out,
            "tested are the deals before the filter, as in every run with one"
        )?;
    }
    writeln!(
        out,
        "{:<24}{:<22}{:>11} {:>11} {:>11} {:>11} {:>6} {:>6} {:>8} {:>8}",
        "test", "subject", "mean", "of", "variance", "of", "z", "z", "uniform", "least p"
    )?;
    for row in &found.rows {
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
    writeln!(
        out,
        "verdict   {}  the least of all these p-values, times their number: 10^{worst:.1}",
        level.name()
    )?;
    writeln!(
        out,
        "          largest S {largest:.2}; S >= 1 in {} runs, S >= 2 in {}, S >= 3 in {} of {}",
        found.reached(1.0),
        found.reached(2.0),
        found.reached(3.0),
        found.runs
    )?;
    Ok(level.exit_code())
}

/// What a self-test found, in JSON.
#[derive(Serialize)]
struct Record<'r> {
    program: &'static str,
    name: &'r str,
    runs: usize,
    deals: u64,
    /// The first run's generator and seed; the others' follow it.
    words: &'r str,
    tests: Vec<Row<'r>>,
    /// Of the least of all p-values, times their number.
    log10_p: f64,
    largest_s: Option<f64>,
    /// Runs whose S was 1 or more, 2 or more .. 6 or more.
    reached: [usize; 6],
    verdict: &'static str,
}

/// A test, with the columns of self_test.csv.
#[derive(Serialize)]
struct Row<'r> {
    test: &'static str,
    subject: &'r str,
    runs: usize,
    mean: f64,
    expected_mean: Option<f64>,
    variance: f64,
    expected_variance: Option<f64>,
    z_mean: Option<f64>,
    z_variance: Option<f64>,
    log10_p_uniform: Option<f64>,
    log10_least_p_times_runs: Option<f64>,
}

impl<'r> Record<'r> {
    fn new(name: &'r str, words: &'r str, found: &'r Calibration, level: Level) -> Self {
        let largest = found.largest.iter().copied().reduce(f64::max);
        Self {
            program: PROGRAM,
            name,
            runs: found.runs,
            deals: found.deals,
            words,
            tests: found.rows.iter().map(Row::new).collect(),
            log10_p: found.log10_p(),
            largest_s: largest.filter(|s| s.is_finite()),
            reached: [1, 2, 3, 4, 5, 6].map(|s| found.reached(s.into())),
            verdict: level.name(),
        }
    }
}

impl<'r> Row<'r> {
    fn new(row: &'r NullRow) -> Self {
        let (expected_mean, expected_variance) = row.expected.unzip();
        let (z_mean, z_variance) = row.z.unzip();
        Self {
            test: row.test.name(),
            subject: &row.subject,
            runs: row.runs,
            mean: row.found.0,
            expected_mean,
            variance: row.found.1,
            expected_variance,
            z_mean,
            z_variance,
            log10_p_uniform: row.is_judged.then_some(row.uniform_log10),
            log10_least_p_times_runs: row.is_judged.then_some(row.least_log10),
        }
    }
}
