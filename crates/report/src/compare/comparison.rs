//! The comparison of two reports: homogeneity of the samples, and speed.
//!
//! [`Comparison`] holds every result, for JSON, the page and the terminal.

use crate::TableName;
use crate::printable::thousands;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::identity::{self, DifferingField, Relation};
#[cfg(feature = "html")]
use super::page::comparison_page;
use super::report::Report;
use super::speed::Speed;
use crate::compare::{
    Difference, Differences, Homogeneity, HomogeneityRow, Likeness, Origin, common_means,
    common_tables, homogeneity, strongest,
};
use crate::error::Error;
use crate::printable::significant;
use crate::{
    AnyRecord, COMPARISON, CountTable, Folder, OnConflict, PROGRAM, Record, ReportError,
    ScriptMean, Table, table_of,
};

/// Maximum number of rows that are named per table with unequal counts.
const FIRST_ROWS: usize = 3;

/// One of the two reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportSide {
    /// The folder.
    pub path: String,
    /// `run` or `audit`.
    pub kind: &'static str,
    /// The program that wrote it, and its version.
    pub program: String,
    /// The compared deals: with a filter, the deals kept.
    pub deals: u64,
    /// The verdict of the report.
    pub verdict: String,
    /// The largest S of the report.
    pub s: Option<f64>,
}

/// A table of a repeated run with unequal counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unequal {
    /// The table.
    pub table: String,
    /// Cells that differ.
    pub cells: usize,
    /// The first of them, as text.
    pub first: Vec<String>,
}

/// The comparison of the counts of a repeated run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Identical {
    /// Tables that were compared, averages as one.
    pub tables: usize,
    /// The tables that differ.
    pub unequal: Vec<Unequal>,
}

/// The results of comparing two reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The program and its version.
    pub program: &'static str,
    /// The first report.
    pub a: ReportSide,
    /// The second.
    pub b: ReportSide,
    /// The condition of both; empty for unconstrained deals.
    pub condition: String,
    /// The relation of the samples.
    pub relation: Relation,
    /// Other differences between the reports.
    pub differs: Vec<DifferingField>,
    /// Warnings about the verdict.
    pub warnings: Vec<String>,
    /// The verdict.
    pub verdict: Likeness,
    /// S of the comparison; `None` for a repeated run.
    pub s: Option<f64>,
    /// The equality of the counts of a repeated run.
    pub identical: Option<Identical>,
    /// Every test and subject; none for a repeated run.
    pub tests: Vec<HomogeneityRow>,
    /// Effects that a comparison detects with a probability of 0.9.
    pub detectable_effects: Vec<String>,
    /// The cells with the largest differences.
    pub differences: Differences,
    /// The comparison of speeds.
    pub speed: Speed,
}

impl Comparison {
    /// Compares two reports.
    ///
    /// # Errors
    ///
    /// [`Error`] if their conditions differ, or one has no deals.
    pub fn of(a: &Report, b: &Report) -> Result<Self, Error> {
        identity::comparable(a, b)?;
        let relation = Relation::of(a, b);
        let mut warnings = identity::warnings(a, b, relation);
        warnings.extend(left_out(a, b));
        let is_whole = a.record.is_whole();
        let differences = Differences::between(&a.sample, &b.sample);
        let identical = (relation == Relation::Same).then(|| identical(a, b));
        let found = match &identical {
            Some(identical) => Homogeneity {
                verdict: match identical.unequal.is_empty() {
                    true => Likeness::Alike,
                    false => Likeness::Different,
                },
                s: None,
                rows: Vec::new(),
                detectable_effects: Vec::new(),
            },
            None if is_whole => homogeneity(&a.sample, &b.sample, Origin::Whole),
            None => homogeneity(&a.sample, &b.sample, Origin::Condition),
        };
        Ok(Self {
            program: PROGRAM,
            a: side(a),
            b: side(b),
            condition: match is_whole {
                true => String::new(),
                false => a.record.condition().to_owned(),
            },
            relation,
            differs: identity::differing(a, b),
            warnings,
            verdict: found.verdict,
            s: found.s,
            identical,
            tests: found.rows,
            detectable_effects: found.detectable_effects,
            differences,
            speed: Speed::of(a, b),
        })
    }
}

/// comparison.json, of which only the paths of the reports matter.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
struct ComparedFolders(serde_json::Value);

impl Record for ComparedFolders {
    const FILE: &'static str = COMPARISON;

    type Subject<'s> = [&'s Path; 2];

    fn difference(&self, folders: [&Path; 2]) -> Option<String> {
        let [a, b] = ["a", "b"].map(|side| self.0[side]["path"].as_str().unwrap_or_default());
        let is_same = [a, b] == folders.map(|path| path.display().to_string());
        (!is_same).then(|| format!("a comparison of {a} and {b}"))
    }
}

impl Comparison {
    /// Writes the comparison into a folder: tables and page, the record last.
    ///
    /// # Errors
    ///
    /// [`ReportError`] if the folder cannot be written, or holds another report and `force` is not
    /// set.
    pub fn write(&self, folder: &Path, force: bool) -> Result<(), ReportError> {
        let reports = [&self.a.path, &self.b.path].map(Path::new);
        let on_conflict = OnConflict::by_force(force);
        let folder = Folder::take::<ComparedFolders>(folder, reports, on_conflict)?;
        folder.begin()?;
        folder.write_tables(&[
            homogeneity_table(&self.tests),
            differences_table(&self.differences.largest),
        ])?;
        #[cfg(feature = "html")]
        folder.write(Folder::COMPARISON_PAGE, comparison_page(self).as_bytes())?;
        folder.write_record(self)
    }

    /// Returns the rows with evidence, the largest contribution to S first.
    pub fn strongest(&self, count: usize) -> Vec<&HomogeneityRow> {
        strongest(&self.tests, count)
    }
}

fn side(report: &Report) -> ReportSide {
    let record = &report.record;
    ReportSide {
        path: report.path.display().to_string(),
        kind: match record {
            AnyRecord::Run(_) => "run",
            AnyRecord::Audit(_) => "audit",
        },
        program: record.common().program.clone(),
        deals: report.sample.deals,
        verdict: record.common().verdict.name().to_owned(),
        s: record
            .common()
            .evidence
            .as_ref()
            .and_then(|evidence| evidence.largest_s),
    }
}

/// The warning about averages and frequencies that only one report has.
fn left_out(a: &Report, b: &Report) -> Option<String> {
    let count = |report: &Report| report.sample.tables.len() + report.sample.means.len();
    let common =
        common_tables(&a.sample, &b.sample).len() + common_means(&a.sample, &b.sample).len();
    let only = count(a) + count(b) - 2 * common;
    (only > 0)
        .then(|| format!("averages and frequencies in only one report were not compared ({only})"))
}

/// Compares the counts of a repeated run.
fn identical(a: &Report, b: &Report) -> Identical {
    let tables = common_tables(&a.sample, &b.sample);
    let means = common_means(&a.sample, &b.sample);
    let mut unequal: Vec<Unequal> = tables
        .iter()
        .filter_map(|pair| unequal_table(*pair))
        .collect();
    unequal.extend(unequal_means(&means));
    Identical {
        tables: tables.len() + usize::from(!means.is_empty()),
        unequal,
    }
}

fn unequal_table((table, other): (&CountTable, &CountTable)) -> Option<Unequal> {
    let mut rows = Vec::new();
    let both = table.counts.iter().zip(&other.counts).zip(&table.subjects);
    for ((a, b), subject) in both {
        for ((a, b), cell) in a.iter().zip(b).zip(&table.cells) {
            if a != b {
                rows.push(format!(
                    "{subject} {cell}: {} and {}",
                    thousands(*a),
                    thousands(*b)
                ));
            }
        }
    }
    unequal(table.to_string(), rows)
}

fn unequal_means(means: &[(&ScriptMean, &ScriptMean)]) -> Option<Unequal> {
    let different = means
        .iter()
        .filter(|(a, b)| (a.mean, a.error) != (b.mean, b.error));
    let rows = different.map(|(a, b)| {
        let [one, other] = [a.mean, b.mean].map(significant);
        format!("{}: {one} and {other}", a.label)
    });
    unequal("averages".to_owned(), rows.collect())
}

fn unequal(table: String, mut rows: Vec<String>) -> Option<Unequal> {
    let cells = rows.len();
    rows.truncate(FIRST_ROWS);
    (cells > 0).then_some(Unequal {
        table,
        cells,
        first: rows,
    })
}

/// `homogeneity`: a row for every test and subject.
fn homogeneity_table(rows: &[HomogeneityRow]) -> Table {
    table_of!(TableName::Homogeneity, rows, |row| {
        text "test": row.test.clone(),
        text "subject": row.subject.clone(),
        real "statistic": row.statistic,
        real "dof": row.dof,
        real "log10_p": row.log10_p,
        real "log10_e": row.log10_e,
        real "weight": row.weight,
    })
}

/// `differences`: the cells with the largest |z|, the largest first.
fn differences_table(largest: &[Difference]) -> Table {
    table_of!(TableName::Differences, largest, |found| {
        text "table": found.table.clone(),
        text "subject": found.subject.clone(),
        text "cell": found.cell.clone(),
        integer "observed_a": found.observed[0],
        integer "observed_b": found.observed[1],
        real "share_a": found.shares[0],
        real "share_b": found.shares[1],
        real "z": found.z,
        real "log10_p": found.log10_p,
    })
}
