//! Perfect deals: every statistic follows its law, every verdict is PASS, and results do not
//! depend on the number of threads or the instruction set.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::ops::ControlFlow;
use std::sync::Arc;

use fairdeal::battery::{Battery, Expected, FIRST_LOOK, Level, RunParameters, Test, TestRow};
use fairdeal::draw::{Aes128Ctr, ChaCha8, DealSource, Dealer, Isa, Seeded};
use fairdeal::population::cases::{CaseBytes, CaseFile, Runs};
use fairdeal::run::{self, Calibration, DEFAULT_BATCH, KeepFilter};
use fairdeal::stats::calibrated_log10;
use fairdeal::stats::elementary::log10;
use fairdeal::tally::{CountPlan, Depth};

const RUNS: u64 = 200;

fn unconstrained() -> Arc<Expected> {
    Arc::new(Expected::every_deal())
}

fn of_cases(file: &CaseFile<CaseBytes>, depth: Depth) -> (CountPlan<'_>, Arc<Expected>) {
    let expected = Expected::of_cases(file).unwrap();
    let plan = CountPlan::of_cases(depth, Runs::new(file));
    (plan, Arc::new(expected))
}

/// 200 runs of a dealer by ChaCha8, each with a seed of its own.
fn calibrated<D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    plan: &CountPlan<'_>,
    expected: &Arc<Expected>,
    deals: u64,
) -> Calibration {
    let generators: Vec<ChaCha8> = (0..RUNS).map(|seed| ChaCha8::new(seed.into())).collect();
    let seeded = generators
        .iter()
        .map(|generator| Seeded { dealer, generator });
    let seeded: Vec<_> = seeded.collect();
    let sources: Vec<&dyn DealSource> = seeded
        .iter()
        .map(|source| source as &dyn DealSource)
        .collect();
    run::level_check(&sources, plan, expected, (deals, DEFAULT_BATCH), &|_| ()).unwrap()
}

/// Every mean, variance and distribution of p-values together, and no run suspicious.
fn assert_null(found: &Calibration) {
    let worst = found.log10_p();
    assert!(worst > -3.0, "10^{worst}: {:#?}", found.rows);
    assert_eq!(found.reached(3.0), 0, "{:?}", found.largest);
    // P(S >= 1) is at most a tenth, and far less in practice.
    assert!(found.reached(1.0) <= 8, "{:?}", found.largest);
    for row in &found.rows {
        let (mean, variance) = row.z.unwrap_or_default();
        assert!(mean.abs() < 4.5 && variance.abs() < 5.0, "{row:?}");
    }
}

#[test]
#[ignore = "nightly"]
fn unconstrained_deals_give_every_statistic_by_its_law() {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    let plan = CountPlan::unconstrained(Depth::Full);
    // Enough for every test but birthday spacings and comparisons of groups.
    let found = calibrated(&dealer, &plan, &unconstrained(), 1 << 17);
    assert_eq!(found.rows.len(), 87, "a test was left out");
    assert_null(&found);
}

#[test]
#[ignore = "nightly"]
fn draws_from_cases_give_every_statistic_by_its_law() {
    let folder = crate::common::folder();
    for (place, text) in [
        "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
        "hcp(north) == 2 && hcp(south) <= 1",
        "hcp(west) >= 15 && spades(west) >= 10 && hcp(south) >= 12",
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder.path().join(place.to_string());
        std::fs::create_dir(&folder).unwrap();
        let (_, file) = crate::common::case_file(&folder, &crate::common::condition(text), None);
        let (plan, expected) = of_cases(&file, Depth::Full);
        let dealer = Dealer::of_cases(&file).unwrap();
        assert_null(&calibrated(&dealer, &plan, &expected, 1 << 15));
    }
}

#[test]
#[ignore = "long"]
fn a_handful_of_perfect_deals_is_never_suspicious() {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    let plan = CountPlan::unconstrained(Depth::Full);
    let expected = unconstrained();
    for deals in [1, 2, 3, 5, 10, 36, 100, 700, 1_500, 5_000] {
        let found = calibrated(&dealer, &plan, &expected, deals);
        assert_eq!(found.reached(3.0), 0, "{deals}: {:?}", found.largest);
        assert!(found.reached(1.0) <= 8, "{deals}: {:?}", found.largest);
    }
    let folder = crate::common::folder();
    let text = "shape(east, any 5332) && hcp(east) == 34";
    let (_, file) = crate::common::case_file(folder.path(), &crate::common::condition(text), None);
    let (plan, expected) = of_cases(&file, Depth::Full);
    for deals in [1, 2, 5, 20, 100, 1_500] {
        let dealer = Dealer::of_cases(&file).unwrap();
        let found = calibrated(&dealer, &plan, &expected, deals);
        assert_eq!(found.reached(3.0), 0, "{deals}: {:?}", found.largest);
    }
}

/// The battery on perfect deals of a condition, or of none.
fn tested(text: Option<&str>, depth: Depth, deals: u64, cap: u64) -> (Vec<TestRow>, f64) {
    tested_to(text, depth, (deals, cap), false)
}

/// The same of a run that may be `open`, as if more deals could come.
fn tested_to(
    text: Option<&str>,
    depth: Depth,
    (deals, cap): (u64, u64),
    open: bool,
) -> (Vec<TestRow>, f64) {
    let folder = crate::common::folder();
    let file = text.map(|text| {
        let condition = crate::common::condition(text);
        crate::common::case_file(folder.path(), &condition, None).1
    });
    let (plan, expected) = match &file {
        None => (CountPlan::unconstrained(depth), unconstrained()),
        Some(file) => of_cases(file, depth),
    };
    let dealer = match &file {
        None => Dealer::unconstrained(),
        Some(file) => Dealer::of_cases(file).unwrap(),
    };
    let (dealer, generator) = (&dealer, &Aes128Ctr::new(3));
    let source = Seeded { dealer, generator };
    let terms = RunParameters {
        open,
        ..run::terms(&plan, deals, cap, 1)
    };
    let mut battery = Battery::new(terms, expected);
    let mut look = |counts: &_| {
        battery.look(counts);
        ControlFlow::Continue(())
    };
    run::count(
        &source,
        &plan,
        &KeepFilter::default(),
        (deals, cap),
        &|_| (),
        &mut look,
    )
    .unwrap();
    (battery.rows(), battery.largest())
}

#[test]
fn a_single_look_has_all_of_a_tests_evidence() {
    for (deals, share) in [(36, 1.0), (FIRST_LOOK - 1, 1.0), (FIRST_LOOK, 0.5f64)] {
        let (rows, _) = tested(None, Depth::Standard, deals, 1 << 26);
        let row = rows.iter().find(|row| row.test == Test::CardSeat).unwrap();
        let expected = log10(share) + calibrated_log10(row.log10_p.unwrap());
        assert!((row.log10_e.unwrap() - expected).abs() < 1e-12, "{deals}");
    }
}

#[test]
#[ignore = "long"]
fn every_test_that_has_a_weight_is_made() {
    let conditions = [
        None,
        Some("spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6"),
        Some("hcp(north) == 2 && hcp(south) <= 1"),
        Some("shape(north, 4333 + 3433) || spades(north) == 13 || hearts(north) == 13"),
        Some("spades(north) == 13 && clubs(south) == 13"),
        Some("hcp(north) == 37"),
    ];
    for text in conditions {
        for depth in [Depth::Tables, Depth::Standard, Depth::Full] {
            for (deals, cap) in [
                (1, 1 << 26),
                (17, 1 << 26),
                (36, 1 << 26),
                (700, 1 << 26),
                (40_000, 10),
                (300_000, 1 << 26),
            ] {
                let (rows, largest) = tested(text, depth, deals, cap);
                let idle = rows.iter().filter(|row| row.looks == 0);
                let idle: Vec<_> = idle.map(|row| (row.test, &row.subject)).collect();
                assert!(
                    idle.is_empty(),
                    "{text:?} {depth:?} {deals} {cap}: {idle:?}"
                );
                assert!(largest < 3.0, "{text:?} {depth:?} {deals} {cap}: {largest}");
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn deals_that_must_come_again_are_no_evidence() {
    // Two hands are fixed: there are 10,400,600 deals.
    let fixed = Some("spades(north) == 13 && clubs(south) == 13");
    for deals in [1_000_000, 3_000_000, 20_000_000] {
        let (rows, largest) = tested(fixed, Depth::Standard, deals, 1 << 26);
        assert!(largest < 1.0, "{deals}: {largest} {rows:#?}");
        let compared = rows.iter().any(|row| row.test == Test::Duplicates);
        assert_eq!(compared, deals < 1_300_000);
    }
    // Where it is not known how many will come, they are compared until they are too many.
    for (deals, looks) in [(1_000_000, 7), (3_000_000, 7)] {
        let run = (deals, 1 << 26);
        let (rows, largest) = tested_to(fixed, Depth::Standard, run, true);
        assert!(largest < 1.0, "{deals}: {largest} {rows:#?}");
        let row = rows.iter().find(|row| row.test == Test::Duplicates);
        assert_eq!(row.unwrap().looks, looks);
    }
}

/// What a battery says of a source, with so many threads.
fn said(
    source: &dyn DealSource,
    plan: &CountPlan<'_>,
    expected: &Arc<Expected>,
    threads: usize,
) -> (Vec<TestRow>, Vec<u64>, Level) {
    const DEALS: u64 = 1_300_000;
    let terms = run::terms(plan, DEALS, 1 << 18, DEALS);
    let mut battery = Battery::new(terms, Arc::clone(expected));
    let mut look = |counts: &_| {
        battery.look(counts);
        ControlFlow::Continue(())
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let counted = pool.unwrap().install(|| {
        run::count(
            source,
            plan,
            &KeepFilter::default(),
            (DEALS, 1 << 18),
            &|_| (),
            &mut look,
        )
        .unwrap()
    });
    let verdict = battery.verdict(&counted.counts);
    let looks = battery.looks().iter().map(|look| look.s.to_bits());
    (battery.rows(), looks.collect(), verdict.level)
}

#[test]
#[ignore = "long"]
fn verdicts_depend_on_neither_threads_nor_instructions() {
    let generator = Aes128Ctr::new(8);
    let plan = CountPlan::unconstrained(Depth::Standard);
    let expected = unconstrained();
    let mut results = Vec::new();
    for isa in Isa::available() {
        let dealer = Dealer::<Vec<u8>>::unconstrained().with_isa(*isa);
        let (dealer, generator) = (&dealer, &generator);
        let source = Seeded { dealer, generator };
        for threads in [1, 2, 7] {
            results.push(said(&source, &plan, &expected, threads));
        }
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!((results[0].2, results[0].1.len()), (Level::Pass, 8));

    let folder = crate::common::folder();
    let (_, file) = crate::common::case_file(
        folder.path(),
        &crate::common::scenario("north-2-south-0-1"),
        None,
    );
    let (plan, expected) = of_cases(&file, Depth::Standard);
    let mut results = Vec::new();
    for isa in Isa::available() {
        let dealer = Dealer::of_cases(&file).unwrap().with_isa(*isa);
        let (dealer, generator) = (&dealer, &generator);
        let source = Seeded { dealer, generator };
        for threads in [1, 3] {
            results.push(said(&source, &plan, &expected, threads));
        }
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(results[0].2, Level::Pass);
}
