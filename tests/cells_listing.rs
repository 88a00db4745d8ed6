//! A case file from cells is the case file from hands, byte for byte.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

mod common;

use std::path::Path;

use common::{KINDS, case_file, code, condition, fairdeal, folder, stdout};
use fairdeal::cards::Seat;
use fairdeal::cases::{self, Listing};
use fairdeal::cells::{CellCases, Cells};
use fairdeal::condition::{Condition, SCENARIOS};

/// The bytes of a condition's case file, from cells.
fn from_cells(folder: &Path, condition: &Condition, order: Option<&[Seat]>) -> Vec<u8> {
    let cells = Cells::new(condition).unwrap_or_else(|error| panic!("{error}"));
    let cases = CellCases::new(&cells, order, u64::MAX).unwrap();
    let path = folder.join("cells.cases");
    cases::write(condition, &cases, cases.census(), &path, &|_| ()).unwrap();
    std::fs::read(path).unwrap()
}

/// Both orders of a condition's hands.
fn orders(condition: &Condition) -> Vec<Vec<Seat>> {
    let (first, second) = Listing::new(condition, None).unwrap().seats();
    match second {
        None => vec![vec![first]],
        Some(second) => vec![vec![first, second], vec![second, first]],
    }
}

fn is_the_same(condition: &Condition) {
    for order in orders(condition) {
        let folder = folder();
        let (path, _) = case_file(folder.path(), condition, Some(&order));
        let cells = from_cells(folder.path(), condition, Some(&order));
        // No diff of megabytes.
        let same = std::fs::read(path).unwrap() == cells;
        assert!(same, "{order:?}: {}", condition.text());
    }
}

/// Kinds that are listed otherwise than cells are dealt, and what is counted.
const MORE: [&str; 14] = [
    "losers(west) <= 1 && hearts(west) == 7 && losers(east) <= 2 && hcp(east) <= 9",
    "losers(west) == 0 && losers(east) <= 2 && spades(west) >= 9",
    "aces(west) == 4 && hcp(east) >= 19",
    "aces(west) >= 2 && kings(west) >= 3 && controls(east) >= 5 && hcp(east) >= 15",
    "aces(east) + aces(south) == 4 && hcp(east) >= 23 && hcp(south) >= 12",
    "hcp(west) + hcp(east) == 40",
    "hcp(west) > hcp(east) + 33",
    "hcp(west) + spades(west) >= 36 && spades(east) + spades(west) == 13",
    "hearts(west) == hearts(east) + 9 && spades(west) + spades(east) >= 9",
    "hascard(west, SA) && hcp(west) >= 31",
    "hcp(west) >= 31 && clubs(west) <= 13",
    "spades(north) >= 9 && hcp(north) + hcp(south) >= 39 && hcp(south) >= 12",
    "hcp(north, spades) == 10 && hcp(north) >= 30 && spades(south) >= 9",
    "(hcp(west) >= 34 || spades(west) >= 12) && (spades(east) >= 0)",
];

#[test]
fn files_of_small_conditions_are_the_same_in_both_orders() {
    for text in KINDS.iter().chain(&MORE) {
        is_the_same(&condition(text));
    }
}

#[test]
fn files_of_the_scenarios_are_the_same_in_both_orders() {
    // The largest is for scripts/cells-files.sh: 987 MB.
    let listed = SCENARIOS.iter().filter(|scenario| {
        scenario.name != "unconstrained" && scenario.name != "flat-three-suiter"
    });
    let mut count = 0;
    for scenario in listed {
        is_the_same(&scenario.condition());
        count += 1;
    }
    assert_eq!(count, 8);
}

#[test]
fn the_program_writes_the_same_file_from_cells() {
    let folder = folder();
    for order in [&[][..], &["--order", "south,north"]] {
        let files = [&[][..], &["--from-cells"]].map(|how| {
            let build = ["cases", "build", "north-2-south-0-1", "-o", "some.cases"];
            let output = fairdeal(folder.path(), &[&build[..], order, how].concat());
            assert_eq!(code(&output), 0);
            let line = "some.cases: 38 cases, T = 122,891,799,377,692,800, 4,720 bytes\n";
            assert_eq!(stdout(&output), line);
            std::fs::read(folder.path().join("some.cases")).unwrap()
        });
        assert!(files[0] == files[1]);
    }
    for (condition, exit, wrong) in [
        ("hcp(west) >= 38", 65, "no deal satisfies the condition"),
        ("hcp(west) >= 10", 65, "more than the 1000 allowed"),
        (
            "hcp(west) + hcp(east) + hcp(south) > 39",
            65,
            "south would be a third hand",
        ),
    ] {
        let build = ["cases", "build", "--where", condition, "-o", "x.cases"];
        let how = ["--from-cells", "--max-cases", "1000"];
        let output = fairdeal(folder.path(), &[&build[..], &how].concat());
        assert_eq!(code(&output), exit, "{condition}");
        let error = common::stderr(&output);
        assert!(error.contains(wrong), "{error}");
        assert!(!folder.path().join("x.cases").exists());
    }
}
