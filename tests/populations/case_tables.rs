//! The case tables of the dealing-with-constraints essay, row by row.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::path::Path;

use crate::common::{case_file, condition, folder, scenario};
use fairdeal::bridge::Honours;
use fairdeal::language::HandCase;
use fairdeal::population::cases::{CaseBytes, CaseFile};

/// The columns of `cases list`, from a fixture that was made from the essay's text.
fn essay_rows(name: &str) -> Vec<Vec<String>> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/essay");
    let mut reader = csv::Reader::from_path(fixtures.join(format!("{name}.csv"))).unwrap();
    let rows = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

fn listed_rows(file: &CaseFile<CaseBytes>) -> Vec<Vec<String>> {
    let hand = |case: Option<HandCase>| {
        let case = case.unwrap_or_default();
        let pattern = case.pattern.map(|index| index.pattern().to_string());
        let honours = case.honours.map(|honours: Honours| honours.to_string());
        [pattern.unwrap_or_default(), honours.unwrap_or_default()]
    };
    let header = file.header();
    let mut before = 0;
    let mut rows = Vec::new();
    for (number, record) in (1..).zip(file.records()) {
        let case = record.case().unwrap();
        let [[p1, h1], [p2, h2]] = [hand(Some(case.first)), hand(case.second)];
        let second_seat = header.second.map_or("", |seat| seat.name()).to_owned();
        let weight = (record.total() - before).to_string();
        before = record.total();
        rows.push(vec![
            number.to_string(),
            header.first.name().to_owned(),
            p1,
            h1,
            second_seat,
            p2,
            h2,
            weight,
            before.to_string(),
        ]);
    }
    rows
}

fn agrees_with_the_essay(name: &str, rows: usize) {
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario(name), None);
    let essay = essay_rows(name);
    assert_eq!(essay.len(), rows);
    for (listed, wanted) in listed_rows(&file).iter().zip(&essay) {
        assert_eq!(listed, wanted);
    }
    assert_eq!(file.cases() as usize, rows);
    file.verify().unwrap();
}

#[test]
fn the_30_rows_of_nine_spades_are_the_essays() {
    agrees_with_the_essay("nine-spades", 30);
}

#[test]
fn the_15_rows_of_west_nine_spades_begin_and_end_as_the_essay_says() {
    agrees_with_the_essay("west-nine-spades", 15);
    let rows = essay_rows("west-nine-spades");
    let totals: Vec<&str> = rows.iter().map(|row| row[8].as_str()).collect();
    assert_eq!(totals[..2], ["9425130", "18850260"]);
    assert_eq!(totals.last(), Some(&"58809465"));
}

#[test]
fn the_24_rows_of_north_3_hcp_are_the_essays() {
    agrees_with_the_essay("north-3-hcp", 24);
}

#[test]
fn the_38_rows_of_north_2_south_0_1_are_the_essays() {
    agrees_with_the_essay("north-2-south-0-1", 38);
}

#[test]
fn the_48_rows_of_east_5332_34_are_the_essays() {
    agrees_with_the_essay("east-5332-34", 48);
}

/// The case, from 1, that a number below T selects.
fn case_of(file: &CaseFile<CaseBytes>, number: u128) -> u64 {
    file.locate(number).unwrap().case + 1
}

#[test]
fn the_essays_random_numbers_fall_in_its_cases() {
    let folder = folder();
    let (_, nine_spades) = case_file(folder.path(), &scenario("nine-spades"), None);
    assert_eq!(case_of(&nine_spades, 277_777_777_777_777), 8);
    let (_, north_3_hcp) = case_file(folder.path(), &scenario("north-3-hcp"), None);
    assert_eq!(case_of(&north_3_hcp, 8_673_163_632), 15);
}

#[test]
fn both_ends_of_every_case_of_nine_spades_select_it() {
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("nine-spades"), None);
    for case in 1..=30 {
        let (before, total) = (file.total_before(case - 1), file.total_before(case));
        assert_eq!(case_of(&file, before), case);
        assert_eq!(case_of(&file, total - 1), case);
    }
    assert_eq!(file.locate(file.total()), None);
}

#[test]
#[ignore = "long"]
fn a_mixed_listing_lists_west_by_both_in_either_order() {
    let text = "spades(east) == 6 && hcp(west) == 12";
    let swapped = "hcp(west) == 12 && spades(east) == 6";
    let mut totals = Vec::new();
    for (text, first_has_honours) in [(text, false), (swapped, true)] {
        let folder = folder();
        let (_, file) = case_file(folder.path(), &condition(text), None);
        assert_eq!(file.cases(), 8_844_897);
        let case = file.records()[0].case().unwrap();
        let second = case.second.unwrap();
        assert_eq!(case.first.honours.is_some(), first_has_honours);
        assert_eq!(second.honours.is_some(), !first_has_honours);
        assert!(case.first.pattern.is_some() && second.pattern.is_some());
        file.verify().unwrap();
        totals.push(file.total());
    }
    assert_eq!(totals[0], totals[1]);
}
