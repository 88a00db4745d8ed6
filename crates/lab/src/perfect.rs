//! Perfect deals: every statistic compared with its law, and verdicts on every scenario.

use std::ops::ControlFlow;

use clap::Args;
use fairdeal::battery::{Battery, Level};
use fairdeal::draw::{ChaCha8, DealSource, Seeded, SeededGenerator};
use fairdeal::language::SCENARIOS;
use fairdeal::run;
use fairdeal::stats::elementary::powf;
use fairdeal::tally::Depth;
use serde_json::json;

use crate::sheet::{Column, Sheet, kept};
use crate::subject::{Subject, tested};
use crate::{Failure, count};

/// The runs under the null hypothesis.
#[derive(Args)]
pub(crate) struct NullOptions {
    /// Runs of each input, by ChaCha8 with the seeds 1, 2, 3 ..
    #[arg(long, default_value = "200", value_parser = count)]
    runs: u64,
    /// Deals of a run
    #[arg(long, default_value = "128Ki", value_parser = count)]
    deals: u64,
    /// Scenarios and conditions
    #[arg(default_values = ["unconstrained", "nine-spades", "flannery-misfit", "north-2-south-0-1"])]
    inputs: Vec<String>,
}

const NULL: &[Column] = &[
    ("test", -24),
    ("subject", -24),
    ("mean", 9),
    ("law", 9),
    ("variance", 9),
    ("its law", 9),
    ("z mean", 7),
    ("z variance", 10),
    ("p uniform", 9),
    ("least p", 9),
];

pub(crate) fn null(options: &NullOptions, sheet: &mut Sheet) -> Result<(), Failure> {
    for input in &options.inputs {
        let subject = Subject::named(input, options.deals)?;
        let dealer = subject.dealer()?;
        let seeds = 1..=u128::from(options.runs);
        let generators: Vec<ChaCha8> = seeds.map(ChaCha8::new).collect();
        let sources = generators.iter().map(|generator| Seeded {
            dealer: &dealer,
            generator,
        });
        let sources: Vec<_> = sources.collect();
        let sources: Vec<_> = sources.iter().map(|one| one as &dyn DealSource).collect();
        let size = (options.deals, run::DEFAULT_BATCH);
        let plan = subject.plan(Depth::Full);
        let found = run::level_check(&sources, &plan, &subject.expected, size, &|_| ())?;
        sheet.section(&format!("{input}: statistics of {} runs", found.runs), NULL);
        for row in &found.rows {
            sheet.row(vec![
                json!(row.test.name()),
                json!(row.subject),
                json!(row.found.0),
                json!(row.expected.map(|(mean, _)| mean)),
                json!(row.found.1),
                json!(row.expected.map(|(_, variance)| variance)),
                json!(row.z.map(|(mean, _)| mean)),
                json!(row.z.map(|(_, variance)| variance)),
                json!(powf(10.0, row.uniform_log10)),
                json!(powf(10.0, row.least_log10)),
            ]);
        }
        sheet.section(
            &format!("{input}: all statistics together"),
            &[
                ("runs with S >= 1", 16),
                ("S >= 3", 6),
                ("log10 p", 8),
                ("promise", -7),
            ],
        );
        let log10_p = found.log10_p();
        sheet.row(vec![
            json!(found.reached(1.0)),
            json!(found.reached(3.0)),
            json!(log10_p),
            kept(log10_p > -6.0),
        ]);
    }
    Ok(())
}

/// The runs that must pass.
#[derive(Args)]
pub(crate) struct Options {
    /// Deals of a run
    #[arg(long, value_delimiter = ',', default_value = "10Mi,1G", value_parser = count)]
    deals: Vec<u64>,
    /// Generators
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "aes128ctr,chacha8,xoshiro256++"
    )]
    rng: Vec<SeededGenerator>,
    /// Seed of all runs
    #[arg(long, default_value_t = 20_261_122)]
    seed: u64,
}

const VERDICTS: &[Column] = &[
    ("scenario", -20),
    ("generator", -13),
    ("deals", 13),
    ("largest S", 9),
    ("verdict", -15),
    ("promise", -7),
];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    sheet.section("verdicts on perfect runs", VERDICTS);
    for &deals in &options.deals {
        for rng in &options.rng {
            let generator = rng.with_seed(options.seed.into());
            for scenario in &SCENARIOS {
                let subject = Subject::named(scenario.name, deals)?;
                let (plan, dealer) = (subject.plan(Depth::Standard), subject.dealer()?);
                let terms = run::terms(&plan, deals, run::DEFAULT_BATCH, deals);
                let mut battery = Battery::new(terms, subject.expected.clone());
                let source = Seeded {
                    dealer: &dealer,
                    generator: &*generator,
                };
                let goes_on = |_| ControlFlow::Continue(());
                let size = (deals, run::DEFAULT_BATCH);
                let counts = tested(&source, &plan, &mut battery, size, goes_on)?;
                let verdict = battery.verdict(&counts);
                let is_calm = matches!(verdict.level, Level::Pass | Level::Inconclusive);
                sheet.row(vec![
                    json!(scenario.name),
                    json!(rng.name()),
                    json!(verdict.deals),
                    json!(verdict.largest),
                    json!(verdict.level.name()),
                    kept(is_calm),
                ]);
            }
        }
    }
    Ok(())
}
