//! The Parquet files of a report have the same contents as its CSV files.
//!
//! `scripts/readers.sh parquet` checks the same with other programs.

#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::fs::{self, File};
use std::path::Path;

use crate::common::{code, fairdeal, folder};
use fairdeal::printable::significant;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// As CSV has it; of numbers that were measured, not computed, only nearly.
fn text(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Long(number) => number.to_string(),
        Field::Double(number) => significant(*number),
        other => panic!("{other:?} is of no kind that tables have"),
    }
}

/// Compares both files of a table, and gives its number of cells.
fn compare(csv: &Path) -> usize {
    let file = File::open(csv.with_extension("parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let mut lines = csv::Reader::from_path(csv).unwrap();
    let header = lines.headers().unwrap().clone();
    let mut cells = 0;
    let mut found = reader.get_row_iter(None).unwrap();
    for line in lines.records() {
        let (line, row) = (line.unwrap(), found.next().unwrap().unwrap());
        let row: Vec<(&String, &Field)> = row.get_column_iter().collect();
        assert!(row.iter().map(|(name, _)| *name).eq(&header));
        for ((name, field), expected) in row.iter().zip(&line) {
            let found = text(field);
            let same = found == expected || found.parse::<f64>().ok() == expected.parse().ok();
            assert!(same, "{}: {name} {found} {expected}", csv.display());
            cells += 1;
        }
    }
    assert!(found.next().is_none());
    cells
}

fn files(folder: &Path, extension: &str) -> Vec<std::path::PathBuf> {
    let all = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

#[test]
fn every_table_is_there_twice_with_the_same_cells() {
    let folder = folder();
    let at = folder.path();
    let deals = fairdeal(at, "deal unconstrained -n 50");
    fs::write(at.join("fifty.txt"), deals.stdout).unwrap();
    let audit = ["audit", "fifty.txt", "--table-format", "parquet"];
    let run = [
        "run",
        "nine-spades",
        "--target=1",
        "--sampler=listing",
        "--seed=1",
        "--deals=100k",
        "--table-format=parquet",
    ];
    let theory = ["theory", "unconstrained", "--table-format", "parquet"];
    for (command, tables) in [(&audit[..], 12), (&run, 11), (&theory, 16)] {
        let out = at.join(command[0]);
        let all = [command, &["-q", "--out", command[0]]].concat();
        assert!([0, 4].contains(&code(&fairdeal(at, &all))), "{all:?}");
        let csv = files(&out, "csv");
        assert!(csv.len() >= tables, "{csv:?}");
        assert_eq!(csv.len(), files(&out, "parquet").len());
        assert!(csv.iter().map(|csv| compare(csv)).sum::<usize>() > 10_000);
    }

    // Another report leaves nothing of the first.
    let again = [
        "run",
        "nine-spades",
        "--target=1",
        "--seed=1",
        "--force",
        "--out=run",
    ];
    let again = [&again[..], &["--deals=1k"]].concat();
    assert_eq!(code(&fairdeal(at, &again)), 0);
    assert!(files(&at.join("run"), "parquet").is_empty());
}
