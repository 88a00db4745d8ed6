//! Names of files and events, which strangers choose.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;

use crate::common::{code, fairdeal, folder, rows};

/// A board of PBN of this event, and one with a card twice.
fn boards(event: &str) -> String {
    format!(
        "[Event \"{event}\"]\n[Board \"1\"]\n\
         [Deal \"N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\"]\n\n\
         [Event \"{event}\"]\n[Board \"2\"]\n\
         [Deal \"N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.2\"]\n\n"
    )
}

// A spreadsheet computed such a cell, which may start a program.
#[test]
fn no_cell_of_csv_is_a_formula() {
    let folder = folder();
    let (formula, sum) = ("=cmd|'!A0.pbn", "-2+A1\t.pbn");
    fs::write(folder.path().join(formula), boards("@SUM(A1:A9)")).unwrap();
    fs::write(folder.path().join(sum), boards("+A1")).unwrap();
    let audit = ["audit", "-q", "--out", "out", "--", formula, sum];
    assert_eq!(code(&fairdeal(folder.path(), &audit)), 3);
    let cells = |table: &str, column: &str| {
        let rows = rows(&folder.path().join("out").join(table));
        let mut cells: Vec<String> = rows.iter().map(|row| row[column].clone()).collect();
        cells.sort();
        cells
    };
    let names = cells("sources.csv", "file");
    assert_eq!(names, ["'-2+A1\\t.pbn", "'=cmd|'!A0.pbn"]);
    assert_eq!(cells("problems.csv", "file"), names);
    let record = fs::read_to_string(folder.path().join("out/audit.json")).unwrap();
    assert!(record.contains(r#""=cmd|'!A0.pbn""#), "{record}");
}
