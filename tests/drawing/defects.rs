//! Every planted defect is detected in time.
//!
//! The limit is the later of two points: eight times the number of deals at which its best test is
//! predicted to detect it, and the second look of that test.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(
    clippy::print_stdout,
    reason = "the table that scripts/defects.sh keeps"
)]

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use fairdeal::battery::{Battery, Expected, Level};
use fairdeal::defect::{Defect, Defective};
use fairdeal::population::cases::{CaseBytes, CaseFile, Runs};
use fairdeal::run::{self, DEFAULT_BATCH, Sieve};
use fairdeal::tally::{Depth, MOST_KEPT, SurveyPlan};

/// Beyond this a defect is listed and not run.
const DEAREST: f64 = 2e8;
/// Gates up to this many deals are run by `cargo test`, the others by `scripts/defects.sh`.
const CHEAP: u64 = 3_000_000;
const SEED: u128 = 0xDEFEC7;
/// Deals kept to find equal ones: those of seeds of 48 bits take more than the default
/// of 2^20 (`--keep 16Mi`).
fn kept(defect: &Defect) -> usize {
    match defect.name() {
        "seeds-48-bits" => 1 << 24,
        _ => MOST_KEPT,
    }
}

/// Deals by which a defect has to have failed.
fn gate(defect: &Defect) -> u64 {
    let second_look = match defect.best_test() {
        // Products between deals need 46,818 of them.
        "T7" => 1 << 17,
        _ => 1 << 15,
    };
    (8.0 * defect.predicted())
        .ceil()
        .max(f64::from(second_look)) as u64
}

struct Caught {
    level: Level,
    largest: f64,
    deals: u64,
    strongest: String,
    invalid: Option<String>,
}

/// Deals with a defect until it fails or the gate is reached.
fn caught(defect: &'static Defect, expected: &Arc<Expected>) -> Caught {
    let folder = crate::common::folder();
    let file = defect.scenario().map(|text| {
        let condition = crate::common::condition(text);
        crate::common::case_file(folder.path(), &condition, None).1
    });
    let (plan, expected) = match &file {
        None => (
            SurveyPlan::unconstrained(Depth::Standard),
            Arc::clone(expected),
        ),
        Some(file) => of_cases(file),
    };
    let plan = plan.keeping(kept(defect));
    let deals = gate(defect);
    let source = Defective::new(defect, SEED, file.as_ref()).unwrap();
    let mut battery = Battery::new(run::terms(&plan, deals, DEFAULT_BATCH, deals), expected);
    let mut look = |survey: &_| match Level::of_evidence(battery.look(survey)) {
        Level::Fail => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let surveyed = run::survey(
        &source,
        &plan,
        &Sieve::default(),
        (deals, DEFAULT_BATCH),
        &|_| (),
        &mut look,
    );
    let verdict = battery.verdict(&surveyed.unwrap().survey);
    Caught {
        level: verdict.level,
        largest: verdict.largest,
        deals: verdict.deals,
        strongest: verdict
            .strongest
            .first()
            .map_or_else(String::new, |e| e.test.clone()),
        invalid: verdict.invalid,
    }
}

fn of_cases(file: &CaseFile<CaseBytes>) -> (SurveyPlan<'_>, Arc<Expected>) {
    let expected = Expected::of_cases(file).unwrap();
    let plan = SurveyPlan::of_cases(Depth::Standard, Runs::new(file));
    (plan, Arc::new(expected))
}

fn unconstrained() -> Arc<Expected> {
    Arc::new(Expected::every_deal())
}

/// Whether the defect was caught as it should be: broken deals are invalid, the
/// others fail.
fn is_caught(defect: &Defect, caught: &Caught) -> bool {
    match defect.best_test() {
        "T0" => caught.level == Level::Invalid,
        _ => caught.level == Level::Fail && caught.deals <= gate(defect),
    }
}

#[test]
#[ignore = "nightly"]
fn every_cheap_defect_fails_in_time() {
    let expected = unconstrained();
    let cheap = Defect::all().iter().filter(|defect| gate(defect) <= CHEAP);
    let mut count = 0;
    for defect in cheap {
        let caught = caught(defect, &expected);
        let (level, s) = (caught.level.name(), caught.largest);
        assert!(
            is_caught(defect, &caught),
            "{}: {level} with S = {s:.1} after {} deals by {}; {:?}",
            defect.name(),
            caught.deals,
            caught.strongest,
            caught.invalid
        );
        count += 1;
    }
    assert!(count >= 30, "only {count} defects are cheap");
}

/// What scripts measure, which `cargo test` leaves out.
mod measurements {
    use super::*;

    /// Prints what `scripts/defects.sh` keeps in reports/defects.txt.
    #[test]
    #[ignore = "minutes: run by scripts/defects.sh"]
    fn every_affordable_defect_fails_in_time() {
        let expected = unconstrained();
        let mut missed = Vec::new();
        println!(
            "{:<30}{:<7}{:>10} {:>13} {:>13} {:>12} {:>7}  verdict, strongest",
            "defect", "test", "predicted", "to fail by", "failed at", "S", "s"
        );
        for defect in Defect::all() {
            let (name, best, predicted) = (defect.name(), defect.best_test(), defect.predicted());
            if predicted > DEAREST {
                println!("{name:<30}{best:<7}{predicted:>10.2e} {:>13}", "not run");
                continue;
            }
            let start = Instant::now();
            let caught = caught(defect, &expected);
            println!(
                "{name:<30}{best:<7}{predicted:>10.2e} {:>13} {:>13} {:>12.1} {:>7.1}  {}, {}",
                gate(defect),
                caught.deals,
                caught.largest,
                start.elapsed().as_secs_f64(),
                caught.level.name(),
                caught.strongest
            );
            if !is_caught(defect, &caught) {
                missed.push(name);
            }
        }
        assert!(missed.is_empty(), "missed: {missed:?}");
    }
}
