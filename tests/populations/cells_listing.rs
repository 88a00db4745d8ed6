//! A case file built from cells equals the one built from hands, byte for byte; and the cells are
//! used to prove a case file.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::path::Path;

use super::case_files::{Aligned, parts_of, reseal};
use crate::common::{KINDS, case_file, code, complaint, condition, fairdeal, folder, stdout};
use fairdeal::bridge::Seat;
use fairdeal::language::{Condition, SCENARIOS};
use fairdeal::population::cases::{self, CaseFile, Listing};
use fairdeal::population::cells::{CellCases, Cells, CellsError, Disagreement, agree};

/// The bytes of a condition's case file, from cells.
fn from_cells(folder: &Path, condition: &Condition, order: Option<&[Seat]>) -> Vec<u8> {
    let cells = Cells::listable(condition).unwrap_or_else(|error| panic!("{error}"));
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
        let (path, file) = case_file(folder.path(), condition, Some(&order));
        let cells = from_cells(folder.path(), condition, Some(&order));
        // No diff of megabytes.
        let same = std::fs::read(path).unwrap() == cells;
        assert!(same, "{order:?}: {}", condition.text());
        agree(&file).unwrap();
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
#[ignore = "nightly"]
fn files_of_small_conditions_are_the_same_in_both_orders() {
    for text in KINDS.iter().chain(&MORE) {
        is_the_same(&condition(text));
    }
}

#[test]
#[ignore = "long"]
fn files_of_the_scenarios_are_the_same_in_both_orders() {
    // The largest has 987 MB.
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

/// The bytes of a file whose header has this condition in the place of its own.
fn with_condition(bytes: &[u8], text: &str) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (header, _) = parts_of(&bytes);
    bytes[160..header].fill(0);
    bytes[160..160 + text.len()].copy_from_slice(text.as_bytes());
    bytes[56..60].copy_from_slice(&(text.len() as u32).to_le_bytes());
    reseal(&mut bytes);
    bytes
}

const TOTAL: u128 = (1 << 73) - 1;

/// The last record of a file altered, and T with it.
fn with_last_record(bytes: &[u8], alter: impl Fn(u128) -> u128) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (_, index) = parts_of(&bytes);
    let at = index - 16..index;
    let last = alter(u128::from_le_bytes(bytes[at.clone()].try_into().unwrap()));
    bytes[at].copy_from_slice(&last.to_le_bytes());
    bytes[16..32].copy_from_slice(&(last & TOTAL).to_le_bytes());
    reseal(&mut bytes);
    bytes
}

/// Files under right checksums that cells disagree with, and how.
fn forged() -> Vec<(Vec<u8>, &'static str)> {
    let folder = folder();
    let bytes = |text: &str| {
        let (path, _) = case_file(folder.path(), &condition(text), None);
        std::fs::read(path).unwrap()
    };
    let sound = bytes("spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6");
    let seven = "spades(west) == 9 && diamonds(east) == 7 && clubs(east) == 5";
    let honours = bytes("hcp(north) == 2 && hcp(south) <= 1");
    vec![
        // T and the last total are one more.
        (with_last_record(&sound, |last| last + 1), "T ="),
        // Of the same T, and other cases of the same number.
        (
            with_condition(&honours, "hcp(north) <= 1 && hcp(south) == 2"),
            "case 1",
        ),
        (with_condition(&sound, seven), "T ="),
        // A case in the place of another that weighs as much: other jacks and queens.
        (
            with_last_record(&honours, |last| last ^ 0x11 << 93),
            "case 38",
        ),
        // The same case twice.
        (twice(&honours), "case 2:"),
    ]
}

/// The second record with the hands of the first.
fn twice(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (header, _) = parts_of(&bytes);
    let record = |place: usize| {
        let at = header + 16 * place;
        u128::from_le_bytes(bytes[at..at + 16].try_into().unwrap())
    };
    let altered = record(0) & !TOTAL | record(1) & TOTAL;
    bytes[header + 16..header + 32].copy_from_slice(&altered.to_le_bytes());
    reseal(&mut bytes);
    bytes
}

#[test]
fn cells_disagree_with_files_that_are_forged() {
    for (bytes, wrong) in forged() {
        let file = CaseFile::new(Aligned::new(&bytes)).unwrap();
        let error = agree(&file).unwrap_err().to_string();
        assert!(error.contains(wrong) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_forged_file_is_refused_in_one_line() {
    let folder = folder();
    for (bytes, _) in forged() {
        std::fs::write(folder.path().join("forged.cases"), bytes).unwrap();
        let output = fairdeal(folder.path(), "cases verify forged.cases");
        assert_eq!(code(&output), 65);
        assert!(complaint(&output).contains("forged.cases is corrupted: "));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn a_file_of_which_there_are_no_cells_is_proved_all_the_same() {
    let folder = folder();
    let points = ["spades", "hearts", "diamonds", "clubs"].map(|suit| {
        format!(
            "hcp(west, {suit}) + hcp(east, {suit}) + losers(west, {suit}) + losers(east, {suit}) \
             + controls(west, {suit})"
        )
    });
    let text = format!(
        "spades(west) == 13 && hearts(east) == 13 && ({}) % 7 != 6",
        points.join(" + ")
    );
    let (_, file) = case_file(folder.path(), &condition(&text), None);
    let none = agree(&file);
    assert!(matches!(
        none,
        Err(Disagreement::NotMade(CellsError::TooLarge(_)))
    ));
    let output = fairdeal(folder.path(), "cases verify test.cases");
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("\ncells  not made: there are too many"));
}

#[test]
fn the_program_writes_the_same_file_from_cells() {
    let folder = folder();
    for order in [&[][..], &["--order", "south,north"]] {
        let files = [&[][..], &["--from-cells"]].map(|how| {
            let build = [
                "cases",
                "build",
                "north-2-south-0-1",
                "-o",
                "some.cases",
                "--force",
            ];
            let output = fairdeal(folder.path(), &[&build[..], order, how].concat());
            assert_eq!(code(&output), 0);
            let line = "some.cases: 38 cases, T = 122,891,799,377,692,800, 6,480 bytes\n";
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
        let error = crate::common::stderr(&output);
        assert!(error.contains(wrong), "{error}");
        assert!(!folder.path().join("x.cases").exists());
    }
}
