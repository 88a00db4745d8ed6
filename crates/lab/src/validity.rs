//! How often fair deals look suspicious: S must reach s in at most one of 10^s runs, for every
//! condition that a user can write.

use clap::Args;
use fairdeal::battery::Battery;
use fairdeal::draw::{Aes128Ctr, DealSource, Seeded};
use fairdeal::run;
use fairdeal::tally::Depth;
use rayon::prelude::*;
use serde_json::json;

use crate::audited::audits;
use crate::random::RandomConditions;
use crate::sheet::{Column, Sheet, kept};
use crate::subject::{Reached, Subject, poisson_upper, small_set};
use crate::{Failure, count};

/// The parts and their sizes; a size of 0 leaves a part out.
#[derive(Args)]
pub(crate) struct Options {
    /// Perfect runs of each condition
    #[arg(long, default_value = "100k", value_parser = count)]
    runs: u64,
    /// Audits of each kind of perfect boards
    #[arg(long, default_value = "100k", value_parser = count)]
    audits: u64,
    /// Self-tests of each condition whose p-values have steps
    #[arg(long, default_value = "200", value_parser = count)]
    repeats: u64,
    /// Runs of each of these self-tests
    #[arg(long, default_value = "200", value_parser = count)]
    repeat_runs: u64,
    /// Measure only this condition
    #[arg(long, value_name = "CONDITION")]
    of: Option<String>,
    /// Measure only runs and audits of this number of deals
    #[arg(long, value_parser = count)]
    deals: Option<u64>,
    /// Measure only every K-th condition and kind of boards
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    #[command(flatten)]
    conditions: RandomConditions,
}

/// Deals of each run, and the condition. Groups name the special property of the cases.
const CONDITIONS: [(&str, &[(u64, &str)]); 8] = [
    (
        "cases of equal weight",
        &[
            (64, "shape(north, 7600 + 6700)"),
            (1024, "shape(north, 7600 + 6700)"),
            (64, "shape(north, 4333 + 3433)"),
            (64, "shape(north, any 4333)"),
            (64, "shape(north, any 7600)"),
            (64, "shape(north, any 9400)"),
            (64, "hcp(north) == 37"),
            (64, "hcp(north) == 36"),
            (64, "aces(north) == 4 && hcp(north) == 16"),
            (64, "spades(north) == 13 && hearts(east) == 12"),
            (64, "spades(north) == 12 && hearts(east) == 12"),
            (64, "shape(north, any 8500)"),
            (64, "spades(north) == 13 || hearts(north) == 13"),
            (64, "clubs(west) == 12"),
            (64, "diamonds(west) == 10 && clubs(west) == 3"),
            (64, "spades(north) == 11 && hearts(north) == 2"),
            (64, "spades(north) == 12"),
        ],
    ),
    (
        "weights that fall quickly",
        &[
            (64, "spades(west) >= 8"),
            (64, "spades(west) >= 9"),
            (64, "spades(west) >= 10"),
            (64, "spades(west) >= 11"),
            (64, "spades(west) >= 12"),
            (64, "hcp(north) >= 33"),
            (64, "hcp(north) >= 34"),
            (1024, "hcp(north) >= 34"),
            (64, "hcp(north) >= 35"),
            (64, "hcp(north) >= 36"),
            (64, "spades(north) + hearts(north) == 13"),
            (64, "spades(north) + hearts(north) >= 12"),
            (64, "clubs(east) >= 11"),
            (64, "hcp(north) == 35"),
            (64, "controls(north) >= 11"),
            (64, "hearts(south) + spades(south) == 0"),
        ],
    ),
    (
        "one dominant weight",
        &[
            (64, "hcp(north) <= 1"),
            (64, "hcp(north) == 0"),
            (64, "hcp(north) == 1"),
            (64, "hcp(north) == 2"),
            (64, "shape(north, 5332) || spades(north) == 13"),
            (64, "shape(north, 4432) || spades(north) >= 11"),
            (64, "controls(north) == 12 || controls(north) == 0"),
        ],
    ),
    (
        "two hands",
        &[
            (
                64,
                "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
            ),
            (64, "hcp(north) == 2 && hcp(south) <= 1"),
            (64, "shape(east, any 5332) && hcp(east) == 34"),
            (64, "hcp(north) == 3"),
            (64, "hcp(west) == 20 && aces(east) == 2 && hcp(east) == 8"),
            (64, "spades(north) == 7 && spades(south) == 6"),
            (64, "spades(north) == 13 && clubs(south) >= 12"),
            (64, "spades(north) == 10 && spades(south) == 3"),
            (64, "hcp(east) + hcp(west) == 40"),
        ],
    ),
    (
        "certain cards",
        &[
            (64, "hascard(north, SA) && hascard(south, SK)"),
            (64, "hcp(north) >= 30 && spades(north) == 6"),
            (64, "spades(north) == 13"),
            (64, "spades(north) == 13 && clubs(south) == 13"),
        ],
    ),
    (
        "few possible deals, from cells",
        &[
            (
                1,
                "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13",
            ),
            (
                64,
                "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13",
            ),
            (
                21,
                "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 12",
            ),
            (
                64,
                "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 12",
            ),
            (
                64,
                "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 11",
            ),
            (
                512,
                "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 11",
            ),
            (
                64,
                "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 10",
            ),
            (
                64,
                "aces(north) == 1 && aces(east) == 1 && aces(south) == 1",
            ),
            (
                64,
                "spades(north) == 13 && hcp(east) >= 25 && hcp(south) >= 4",
            ),
        ],
    ),
    (
        "a filter",
        &[
            (64, "hascard(north, 2C) && hcp(north) >= 34"),
            (64, "hascard(north, 2C)"),
            (64, "shape(north, 7600 + 6700) && hascard(south, 2C)"),
        ],
    ),
    (
        "any deal",
        &[
            (16, "unconstrained"),
            (36, "unconstrained"),
            (64, "unconstrained"),
            (200, "unconstrained"),
            (1000, "unconstrained"),
            (16_384, "unconstrained"),
        ],
    ),
];

/// Boards of the audits, and their conditions.
const AUDITS: [(u64, &str); 15] = [
    (16, "unconstrained"),
    (36, "unconstrained"),
    (128, "unconstrained"),
    (200, "unconstrained"),
    (1000, "unconstrained"),
    (16_384, "unconstrained"),
    (36, "shape(north, 7600 + 6700)"),
    (64, "spades(north) == 13 && hearts(east) == 12"),
    (36, "hcp(north) >= 34"),
    (64, "hcp(north) == 37"),
    (36, "spades(west) >= 10"),
    (
        64,
        "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
    ),
    (36, "hcp(north) == 2 && hcp(south) <= 1"),
    (64, "shape(east, any 5332) && hcp(east) == 34"),
    (36, "hascard(north, SA) && hascard(south, SK)"),
];

/// Conditions whose tables have two or three cells, so that p-values have steps.
const DISCRETE: [&str; 10] = [
    "hcp(north) >= 34",
    "hcp(north) >= 36",
    "hcp(north) == 37",
    "hcp(north) <= 1",
    "spades(west) >= 11",
    "shape(north, 7600 + 6700)",
    "spades(north) == 13",
    "spades(north) == 13 && hearts(east) == 12",
    "controls(north) == 12",
    "shape(north, 5332) || spades(north) == 13",
];

/// Deals of each run of a random condition.
const RANDOM_DEALS: u64 = 64;

const REACHED: &[Column] = &[
    ("cases", -31),
    ("deals", 6),
    ("runs", 9),
    ("S>=1", 8),
    ("S>=2", 8),
    ("S>=3", 8),
    ("largest S", 9),
    ("promise", -7),
    ("condition", -1),
];

impl Options {
    /// The name of the folder of reports.
    pub(crate) fn name(&self) -> &'static str {
        match self.conditions.random {
            0 => "validity",
            _ => "validity-random",
        }
    }

    fn asks(&self, condition: &str) -> bool {
        self.of.as_deref().is_none_or(|of| of == condition)
    }

    fn asks_row(&self, (deals, condition): (u64, &str)) -> bool {
        self.asks(condition) && self.deals.is_none_or(|asked| asked == deals)
    }
}

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    if options.conditions.random > 0 {
        sheet.section("perfect runs: how often S reached 1, 2, 3", REACHED);
        for random in options.conditions.subjects() {
            let (text, subject) = random?;
            let reached = runs(&subject, RANDOM_DEALS, options.runs)?;
            row(
                sheet,
                "a random condition",
                (RANDOM_DEALS, text.as_str()),
                &reached,
            );
        }
        return Ok(());
    }
    let step = options.every as usize;
    if options.runs > 0 {
        sheet.section("perfect runs: how often S reached 1, 2, 3", REACHED);
        let each = CONDITIONS.iter().flat_map(|(group, conditions)| {
            let conditions = conditions.iter();
            conditions.map(move |(deals, condition)| (group, *deals, *condition))
        });
        let asked = each.filter(|row| options.asks_row((row.1, row.2)));
        for (group, deals, condition) in asked.step_by(step) {
            let reached = runs(&Subject::named(condition, deals)?, deals, options.runs)?;
            row(sheet, group, (deals, condition), &reached);
        }
    }
    if options.audits > 0 {
        sheet.section("perfect boards, audited", REACHED);
        for (deals, condition) in AUDITS
            .into_iter()
            .filter(|row| options.asks_row(*row))
            .step_by(step)
        {
            let reached = audits(condition, deals, options.audits)?;
            row(sheet, "an audit", (deals, condition), &reached);
        }
    }
    if options.repeats > 0 {
        repeats(options, sheet)?;
    }
    Ok(())
}

fn row(sheet: &mut Sheet, group: &str, (deals, condition): (u64, &str), reached: &Reached) {
    let [one, two, three, ..] = reached.counts;
    sheet.row(vec![
        json!(group),
        json!(deals),
        json!(reached.runs),
        json!(one),
        json!(two),
        json!(three),
        json!(reached.largest.is_finite().then_some(reached.largest)),
        kept(reached.keeps_its_promise()),
        json!(condition),
    ]);
}

/// The levels of S in runs with the seeds 1, 2, 3 ..
fn runs(subject: &Subject, deals: u64, runs: u64) -> Result<Reached, Failure> {
    let (plan, dealer) = (subject.plan(Depth::Standard), subject.dealer()?);
    let terms = run::terms(&plan, deals, run::DEFAULT_BATCH, 1);
    let battery = Battery::new(terms, subject.expected.clone());
    let one = |seed: u64| {
        let generator = Aes128Ctr::new(seed.into());
        Ok(small_set((&dealer, &generator), &plan, &battery, deals)?.largest())
    };
    let largest = (1..=runs).into_par_iter().map(one);
    largest
        .try_fold(
            || Reached::NONE,
            |reached, s: Result<f64, Failure>| Ok(reached.and(s?)),
        )
        .try_reduce(|| Reached::NONE, |one, other| Ok(one.merge(other)))
}

/// Repeats self-tests of conditions with discrete counts, and counts their verdicts.
fn repeats(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    const DEALS: u64 = 1 << 10;
    sheet.section(
        "self-tests of 1,024 deals each: PASS (p > 10^-3), SUSPICIOUS, FAIL (p < 10^-6)",
        &[
            ("condition", -45),
            ("pass", 6),
            ("suspicious", 10),
            ("fail", 6),
            ("promise", -7),
        ],
    );
    for condition in (DISCRETE
        .into_iter()
        .filter(|condition| options.asks(condition)))
    .step_by(options.every as usize)
    {
        let subject = Subject::named(condition, DEALS)?;
        let (plan, dealer) = (subject.plan(Depth::Standard), subject.dealer()?);
        let mut verdicts = [0u64; 3];
        for place in 0..options.repeats {
            let seeds = (0..options.repeat_runs).map(|run| u128::from(place << 32 | run));
            let generators: Vec<Aes128Ctr> = seeds.map(Aes128Ctr::new).collect();
            let sources = generators.iter().map(|generator| Seeded {
                dealer: &dealer,
                generator,
            });
            let sources: Vec<_> = sources.collect();
            let sources: Vec<_> = sources.iter().map(|one| one as &dyn DealSource).collect();
            let size = (DEALS, run::DEFAULT_BATCH);
            let found = run::level_check(&sources, &plan, &subject.expected, size, &|_| ())?;
            verdicts[match found.log10_p() {
                p if p < -6.0 => 2,
                p if p < -3.0 => 1,
                _ => 0,
            }] += 1;
        }
        let [passed, suspicious, failed] = verdicts;
        let is_rare = poisson_upper(suspicious, options.repeats as f64 / 1000.0) > 0.001;
        sheet.row(vec![
            json!(condition),
            json!(passed),
            json!(suspicious),
            json!(failed),
            kept(failed == 0 && is_rare),
        ]);
    }
    Ok(())
}
