//! What the tests found, as CSV.

use std::path::Path;

use super::folder::{Folder, ReportError, write_file};
use super::number::significant;
use super::tables::writer;
use crate::battery::{Bound, CaseGroup, TestRow};
use crate::run::NullRow;

/// Writes tests.csv: a row for every test and subject.
///
/// # Errors
///
/// [`ReportError::Io`] if it cannot be written.
pub fn write_tests(folder: &Folder, rows: &[TestRow]) -> Result<(), ReportError> {
    let number = |value: Option<f64>| value.map_or_else(String::new, significant);
    let header = [
        "test",
        "subject",
        "statistic",
        "dof",
        "log10_p",
        "log10_e",
        "weight",
        "looks",
        "verdict",
    ];
    let rows = rows.iter().map(|row| {
        [
            row.test.name().to_owned(),
            row.subject.clone(),
            number(row.statistic),
            number(row.dof),
            number(row.log10_p),
            number(row.log10_e),
            significant(row.weight),
            row.looks.to_string(),
            row.level.of_test(row.looks).to_owned(),
        ]
    });
    write(folder, "tests.csv", header, rows)
}

/// Writes bounds.csv: what can still be wrong, and how much.
///
/// # Errors
///
/// As [`write_tests`].
pub fn write_bounds(folder: &Folder, bounds: &[Bound]) -> Result<(), ReportError> {
    let rows = bounds.iter().map(|bound| {
        [
            bound.quantity.clone(),
            significant(bound.value),
            significant(bound.confidence),
        ]
    });
    let header = ["quantity", "relative_bound", "confidence"];
    write(folder, "bounds.csv", header, rows)
}

/// Writes case_groups.csv: cases in file order, so many together as expect enough draws.
///
/// # Errors
///
/// As [`write_tests`].
pub fn write_case_groups(folder: &Folder, groups: &[CaseGroup]) -> Result<(), ReportError> {
    let header = [
        "group",
        "first_case",
        "last_case",
        "observed",
        "expected",
        "z",
    ];
    let rows = groups.iter().enumerate().map(|(place, group)| {
        let (expected, p) = (group.expected(), group.probability);
        let spread = (expected * (1.0 - p)).sqrt();
        let z = if spread > 0.0 {
            significant((group.observed as f64 - expected) / spread)
        } else {
            String::new()
        };
        [
            (place + 1).to_string(),
            (group.first_case + 1).to_string(),
            (group.last_case + 1).to_string(),
            group.observed.to_string(),
            significant(expected),
            z,
        ]
    });
    write(folder, "case_groups.csv", header, rows)
}

/// Writes what a self-test found of every test.
///
/// # Errors
///
/// As [`write_tests`].
pub fn write_null_rows(path: &Path, rows: &[NullRow]) -> Result<(), ReportError> {
    let number = |value: Option<f64>| value.map_or_else(String::new, significant);
    let header = [
        "test",
        "subject",
        "runs",
        "mean",
        "expected_mean",
        "variance",
        "expected_variance",
        "z_mean",
        "z_variance",
        "log10_p_uniform",
        "log10_least_p_times_runs",
    ];
    let rows = rows.iter().map(|row| {
        [
            row.test.name().to_owned(),
            row.subject.clone(),
            row.runs.to_string(),
            significant(row.found.0),
            number(row.expected.map(|(mean, _)| mean)),
            significant(row.found.1),
            number(row.expected.map(|(_, variance)| variance)),
            number(row.z.map(|(mean, _)| mean)),
            number(row.z.map(|(_, variance)| variance)),
            number(row.uniform_log10),
            significant(row.least_log10),
        ]
    });
    write_file(path, &csv(header, rows))
}

pub(super) fn write<const N: usize>(
    folder: &Folder,
    file: &'static str,
    header: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Result<(), ReportError> {
    folder.write(file, &csv(header, rows))
}

fn csv<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Vec<u8> {
    let mut table = writer();
    let written = "every row of a table has the same length, and memory takes all";
    table.write_record(header).expect(written);
    for row in rows {
        table.write_record(row).expect(written);
    }
    table.into_inner().expect(written)
}
