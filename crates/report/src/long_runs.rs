//! Counts of the longest possible runs: sums, looks, verdicts and reports of 10^16 deals.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Folder, OnConflict, Sample, TheoryRecord, counts_tables};
use crate::battery::{Battery, Expected, Level, RunParameters, counts_agree};
use crate::bridge::{Card, Seat, Side, Suit};
use crate::draw::{Aes128Ctr, Dealer, MOST_DEALS, Seeded};
use crate::language::Condition;
use crate::population::cases::{CaseBytes, CaseFile, Listing, Runs, census, list};
use crate::run::{self, KeepFilter};
use crate::tally::{CountPlan, Counts, Depth, Tally};
use fairdeal_theory::Theory;

/// A number of deals that, doubled [`DOUBLINGS`] times, is nearly the maximum of a run.
const DEALS: u64 = 9_000;
const DOUBLINGS: u32 = 40;
const ALL: u64 = DEALS << DOUBLINGS;

const _: () = assert!(ALL <= MOST_DEALS && ALL > MOST_DEALS / 100 * 98);

/// The case file of the condition that west has nine spades and at least twelve points.
fn nine_spades() -> CaseFile<CaseBytes> {
    let condition = Condition::parse("test", "spades(west) == 9 && hcp(west) >= 12").unwrap();
    let listing = Listing::new(&condition, None).unwrap();
    let census = census(&condition, &listing).unwrap();
    list(&condition, &listing, census, &|_| ()).unwrap()
}

/// Counts the plan's deals and doubles the counts [`DOUBLINGS`] times.
fn longest(plan: &CountPlan<'_>, dealer: &Dealer<'_, impl AsRef<[u8]> + Sync>) -> Counts {
    let generator = &Aes128Ctr::new(8);
    let source = Seeded { dealer, generator };
    let size = (DEALS, run::LARGEST_BATCH);
    let (all, look) = (KeepFilter::default(), &mut |_: &Counts| {
        ControlFlow::Continue(())
    });
    let counted = run::count(&source, plan, &all, size, &|_| (), look);
    let mut counts = counted.unwrap().counts;
    for _ in 0..DOUBLINGS {
        counts = counts.doubled();
    }
    counts
}

/// Looks at counts once, and asserts that it fails with finite statistics.
fn looked_at(terms: RunParameters, expected: Expected, counts: &Counts) -> Battery {
    let mut battery = Battery::new(terms, Arc::new(expected));
    let s = battery.look(counts);
    assert!(!s.is_nan() && s > 1e6, "{s}");
    let verdict = battery.verdict(counts);
    assert_eq!((verdict.level, verdict.deals), (Level::Fail, ALL));
    for row in battery.rows().iter().filter(|row| row.looks > 0) {
        let numbers = [row.statistic, row.log10_p, row.log10_e];
        let is_number = |number: &Option<f64>| number.is_some_and(|number| !number.is_nan());
        assert!(numbers.iter().all(is_number), "{row:?}");
        assert!(row.statistic.is_some_and(f64::is_finite), "{row:?}");
    }
    battery
}

/// Asserts that every table sums to the number of deals and is written with finite numbers only.
fn tables_are_whole(tally: &Tally, theory: &Theory) {
    assert_eq!(tally.deals(), ALL);
    for seat in Seat::ALL {
        assert_eq!(tally.patterns(seat).iter().sum::<u64>(), ALL);
        assert_eq!(tally.hcp(seat).iter().sum::<u64>(), ALL);
        let held = Card::all().map(|card| tally.card(seat, card));
        assert_eq!(held.sum::<u64>(), 13 * ALL);
    }
    for suit in Suit::ALL {
        let fits = tally.fits(Side::EastWest, suit);
        assert_eq!(fits.iter().sum::<u64>(), ALL);
    }
    let folder = tempfile::tempdir().unwrap();
    let report = Folder::take::<TheoryRecord>(folder.path(), "1", OnConflict::Keep).unwrap();
    report
        .write_tables(&counts_tables(&Sample::new(tally, &[]), Some(theory)))
        .unwrap();
    for file in ["patterns.csv", "shapes.csv", "hcp.csv", "cards.csv"] {
        let mut rows = csv::Reader::from_path(folder.path().join(file)).unwrap();
        let headers = rows.headers().unwrap().clone();
        let column = |name| headers.iter().position(|header| header == name).unwrap();
        let columns = ["observed", "expected", "z"].map(column);
        for row in rows.records() {
            let row = row.unwrap();
            let numbers = columns.map(|column| row[column].parse::<f64>().unwrap_or(0.0));
            assert!(numbers.iter().all(|number| number.is_finite()), "{row:?}");
            let [observed, expected, z] = numbers;
            assert!((observed - expected) * z >= 0.0, "{row:?}");
        }
    }
}

#[test]
fn counts_of_the_longest_run_are_summed_tested_and_written() {
    let plan = CountPlan::unconstrained(Depth::Full);
    let counts = longest(&plan, &Dealer::<Vec<u8>>::unconstrained());
    assert!(counts_agree(&counts));
    let expected = Expected::every_deal();
    let terms = run::terms(&plan, ALL, run::LARGEST_BATCH, run::DEFAULT_TARGET);
    let battery = looked_at(terms, expected, &counts);
    tables_are_whole(&counts.tally(), battery.expected().theory());
}

#[test]
fn counts_of_the_longest_run_of_a_case_file_are_summed_and_tested() {
    let file = nine_spades();
    let dealer = Dealer::of_cases(&file).unwrap();
    let plan = CountPlan::of_cases(Depth::Full, Runs::new(&file));
    let counts = longest(&plan, &dealer);
    assert!(counts_agree(&counts));
    assert_eq!(counts.cases.runs().iter().sum::<u64>(), ALL);
    let found = counts.cases.coincidences();
    let pairs: u128 = found.groups.iter().map(|group| group.pairs).sum();
    assert!(found.same > 0 && pairs > found.same);
    assert!(found.same.trailing_zeros().min(pairs.trailing_zeros()) >= DOUBLINGS);
    let expected = Expected::of_cases(&file).unwrap();
    let terms = run::terms(&plan, ALL, run::LARGEST_BATCH, run::DEFAULT_TARGET);
    let battery = looked_at(terms, expected, &counts);
    tables_are_whole(&counts.tally(), battery.expected().theory());
}
