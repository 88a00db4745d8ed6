//! How often p-values and e-values of small perfect sets are small, by test: from how many deals on
//! the laws of the battery hold.

use std::collections::BTreeMap;

use clap::Args;
use fairdeal::battery::{Battery, TestRow};
use fairdeal::draw::Aes128Ctr;
use fairdeal::run;
use fairdeal::stats::elementary::log10;
use fairdeal::tally::Depth;
use rayon::prelude::*;
use serde_json::json;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

use crate::sheet::{Column, Sheet, kept};
use crate::subject::{Reached, Subject, small_set};
use crate::{Failure, count};

/// Sizes of sets, and their number.
#[derive(Args)]
pub(crate) struct Options {
    /// Deals of a set
    #[arg(long, value_delimiter = ',', default_value = "16,36,64,128,250,500,1000,4000,4096", value_parser = count)]
    sizes: Vec<u64>,
    /// Sets of each size
    #[arg(long, default_value = "1M", value_parser = count)]
    sets: u64,
    /// The deals: a scenario or a condition
    #[arg(long, value_name = "INPUT", default_value = "unconstrained")]
    of: String,
}

/// log10 of p and e of a test, negated so that small p-values are large.
#[derive(Clone, Copy)]
struct TestCounts {
    /// p of the battery.
    used: Reached,
    /// Both tails of the plain chi-square, or normal, law of the statistic.
    upper: Reached,
    lower: Reached,
    evidence: Reached,
}

const NONE: TestCounts = TestCounts {
    used: Reached::NONE,
    upper: Reached::NONE,
    lower: Reached::NONE,
    evidence: Reached::NONE,
};

type Counts = BTreeMap<&'static str, TestCounts>;

const COLUMNS: &[Column] = &[
    ("deals", 6),
    ("test", -24),
    ("value", -20),
    ("values", 11),
    ("k = 1", 7),
    ("2", 7),
    ("3", 7),
    ("4", 7),
    ("5", 7),
    ("6", 7),
    ("promise", -7),
];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    sheet.section(
        "frequency of p <= 10^-k and e >= 10^k, times 10^k; `plain` is the chi-square or normal law alone",
        COLUMNS,
    );
    for &deals in &options.sizes {
        for (test, counts) in counted(&options.of, deals, options.sets)? {
            let values = [
                ("p, used", counts.used),
                ("p, plain, upper", counts.upper),
                ("p, plain, lower", counts.lower),
                ("e", counts.evidence),
            ];
            for (name, reached) in values.into_iter().filter(|(_, reached)| reached.runs > 0) {
                let promise = match name {
                    "e" => kept(reached.keeps_its_promise()),
                    _ => json!(null),
                };
                let shares = (1..).zip(reached.counts).map(|(power, count)| {
                    json!(count as f64 / reached.runs as f64 * 10f64.powi(power))
                });
                let head = [json!(deals), json!(test), json!(name), json!(reached.runs)];
                sheet.row(head.into_iter().chain(shares).chain([promise]).collect());
            }
        }
    }
    Ok(())
}

fn counted(input: &str, deals: u64, sets: u64) -> Result<Counts, Failure> {
    let subject = Subject::named(input, deals)?;
    let (plan, dealer) = (subject.plan(Depth::Full), subject.dealer()?);
    let terms = run::terms(&plan, deals, run::DEFAULT_BATCH, 1);
    let battery = Battery::new(terms, subject.expected.clone());
    let one = |seed: u64| {
        let generator = Aes128Ctr::new(36 + u128::from(seed));
        Ok(small_set((&dealer, &generator), &plan, &battery, deals)?.rows())
    };
    let rows = (0..sets).into_par_iter().map(one);
    rows.try_fold(
        Counts::new,
        |counts, rows: Result<Vec<TestRow>, Failure>| Ok(rows?.iter().fold(counts, with_row)),
    )
    .try_reduce(Counts::new, |one, other| {
        Ok(other.into_iter().fold(one, merged))
    })
}

fn with_row(mut counts: Counts, row: &TestRow) -> Counts {
    let (Some(statistic), Some(log10_p)) = (row.statistic, row.log10_p) else {
        return counts;
    };
    let mine = counts.entry(row.test.name()).or_insert(NONE);
    mine.used = mine.used.and(-log10_p);
    mine.evidence = mine.evidence.and(row.log10_e.unwrap_or(f64::NEG_INFINITY));
    if let Some([upper, lower]) = plain(row, statistic) {
        mine.upper = mine.upper.and(-log10(upper));
        mine.lower = mine.lower.and(-log10(lower));
    }
    counts
}

/// Both tails of a statistic by the law for many deals.
fn plain(row: &TestRow, statistic: f64) -> Option<[f64; 2]> {
    match row.dof {
        Some(dof) => {
            let law = ChiSquared::new(dof).ok()?;
            Some([law.sf(statistic), law.cdf(statistic)])
        }
        None if row.test.is_normal() => {
            let law = Normal::standard();
            Some([law.sf(statistic), law.cdf(statistic)])
        }
        None => None,
    }
}

fn merged(mut counts: Counts, (test, theirs): (&'static str, TestCounts)) -> Counts {
    let mine = counts.entry(test).or_insert(NONE);
    *mine = TestCounts {
        used: mine.used.merge(theirs.used),
        upper: mine.upper.merge(theirs.upper),
        lower: mine.lower.merge(theirs.lower),
        evidence: mine.evidence.merge(theirs.evidence),
    };
    counts
}
