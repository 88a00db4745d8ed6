//! The answers of a run: the probability of its condition, averages and frequencies.

use super::Shown;
use super::counts::{PageCount, by_label, counts, is_of_two_values, table};
use super::facts::Fact;
use super::figures::{self, Figure};
use crate::printable::thousands;
use crate::printable::{about_one_in, interval, percent, probability, three_digits, with_error};
use crate::table::{Cell, Table, printed, table_of};
use crate::{AnyRecord, TableName};

/// Maximum number of cells of a two-value frequency on the page; frequencies.csv has all.
const MOST_CELLS: usize = 900;
/// Maximum number of averages on the page; averages.csv has all.
const MOST_AVERAGES: usize = 40;

/// A script's frequency: a figure with its table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frequency {
    pub(super) figure: Figure,
    pub(super) table: Table,
}

/// The facts about the condition: its probability.
pub(super) fn key_facts(shown: &Shown<'_>) -> Vec<Fact> {
    let mut all = Vec::new();
    let AnyRecord::Run(record) = shown.subject else {
        return all;
    };
    // Unconstrained deals have probability 1, which need not be shown.
    let found = record
        .probability
        .as_ref()
        .filter(|found| found.value < 1.0);
    if let Some(found) = found {
        let value = match found.bounds {
            None => format!("{}, exact", probability(found.value)),
            Some(bounds) => {
                let about = about_one_in("1", found.value, bounds);
                let (value, bounds) = (three_digits(found.value), interval(bounds));
                format!("{value} ({about}), {bounds} with 99.9 % confidence")
            }
        };
        all.push(Fact {
            name: "probability of the condition",
            value,
        });
    }
    all
}

/// The first averages of a script.
pub(super) fn averages(tables: &[Table]) -> Table {
    let rows = table(tables, TableName::Averages).map_or(&[][..], Table::rows);
    let rows = rows.iter().take(MOST_AVERAGES).map(|row| mean(row));
    table_of!(TableName::Averages, rows, |[label, mean, error, exact]| {
        text "quantity": label,
        printed "mean": mean,
        printed "standard error": error,
        printed "exact mean": exact,
    })
}

/// The label of an average, its mean, standard error and exact mean.
fn mean(row: &[Cell]) -> [String; 4] {
    let unknown = || "unknown".to_owned();
    let (label, exact) = (row[0].to_text(), row[4].number());
    let why = match row[5].to_text() {
        why if why.is_empty() => unknown(),
        why => format!("none: {why}"),
    };
    match (row[1].number(), row[2].number()) {
        (Some(mean), Some(error)) => {
            let (mean, error, exact) = with_error(mean, error, exact);
            [label, mean, error, exact.unwrap_or(why)]
        }
        (mean, _) => {
            let mean = mean.map_or_else(unknown, three_digits);
            [label, mean, unknown(), exact.map_or(why, three_digits)]
        }
    }
}

/// The first frequencies of a script, each with its figure and table.
pub(super) fn frequencies(tables: &[Table]) -> Vec<Frequency> {
    let cells = counts(tables, TableName::Frequencies);
    let figures = figures::frequencies(tables).into_iter();
    let each = figures.map(|figure| {
        let of_figure = |cell: &&PageCount| cell.names.first() == Some(&figure.title);
        let cells: Vec<&PageCount> = cells.iter().filter(of_figure).collect();
        let deals: u64 = cells.iter().map(|cell| cell.observed).sum();
        let is_possible = |cell: &&&PageCount| cell.observed > 0 || cell.probability > Some(0.0);
        let mut columns = ["value", "deals", "share"].map(printed).to_vec();
        let is_exact = cells.iter().any(|cell| cell.probability.is_some());
        columns.extend(is_exact.then(|| printed("exact share")));
        let mut table = Table::new(TableName::Frequencies, &columns);
        for cell in cells.iter().filter(is_possible) {
            let percent = |share| percent(share, 3);
            let share = percent(cell.observed as f64 / deals.max(1) as f64);
            let value = cell.names.last().cloned().unwrap_or_default();
            let mut row = vec![value.into(), thousands(cell.observed).into(), share.into()];
            let exact = || cell.probability.map_or_else(String::new, percent);
            row.extend(is_exact.then(|| exact().into()));
            table.push(row);
        }
        Frequency { figure, table }
    });
    each.collect()
}

/// A script's frequency of two values, without empty rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CrossTable {
    pub(super) title: String,
    /// The reason why there are no exact values.
    pub(super) no_exact: Option<String>,
    /// The second values.
    pub(super) columns: Vec<String>,
    /// Each first value with its counts.
    pub(super) rows: Vec<(String, Vec<String>)>,
}

/// The frequencies of two values.
pub(super) fn cross_tables(tables: &[Table]) -> Vec<CrossTable> {
    let counts = counts(tables, TableName::Frequencies);
    let of_one = by_label(&counts);
    let of_two = of_one.filter(|cells| is_of_two_values(cells) && cells.len() <= MOST_CELLS);
    of_two.map(cross_table).collect()
}

fn cross_table(cells: &[PageCount]) -> CrossTable {
    let values = |cell: &PageCount| -> (String, String) {
        let name = cell.names.last().and_then(|name| name.split_once(' '));
        let (first, second) = name.unwrap_or_default();
        (first.to_owned(), second.to_owned())
    };
    let rows = || cells.chunk_by(|one, other| values(one).0 == values(other).0);
    let width = rows().map(<[PageCount]>::len).max().unwrap_or(0);
    let is_used = |column: &usize| {
        let mut counts = rows().filter_map(|row| row.get(*column));
        counts.any(|cell| cell.observed > 0)
    };
    let used: Vec<usize> = (0..width).filter(is_used).collect();
    let cells_of = |row: &[PageCount]| -> Vec<PageCount> {
        let each = used.iter().filter_map(|&column| row.get(column));
        each.cloned().collect()
    };
    let second_values = |row: &[PageCount]| -> Vec<String> {
        let cells = cells_of(row);
        cells.iter().map(|cell| values(cell).1).collect()
    };
    let shown = rows().filter(|row| row.iter().any(|cell| cell.observed > 0));
    CrossTable {
        title: cells[0].subject(),
        no_exact: cells[0].no_exact.clone(),
        columns: rows().next().map_or_else(Vec::new, second_values),
        rows: shown
            .map(|row| {
                let counts = cells_of(row);
                let counts = counts.iter().map(|cell| thousands(cell.observed));
                (values(&row[0]).0, counts.collect())
            })
            .collect(),
    }
}

/// The note on frequencies that are too large for the page.
pub(super) fn left_out(tables: &[Table], shown: usize) -> Option<String> {
    let counts = counts(tables, TableName::Frequencies);
    match by_label(&counts).count().saturating_sub(shown) {
        0 => None,
        1 => Some("1 frequency is too large for this page".to_owned()),
        more => Some(format!("{more} frequencies are too large for this page")),
    }
}
