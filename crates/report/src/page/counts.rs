//! The rows of a table of counts.

use crate::TableName;
use crate::table::{Cell, Table};

/// A count with its expectation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PageCount {
    /// The outcome: a seat and a shape.
    pub(super) names: Vec<String>,
    pub(super) observed: u64,
    pub(super) expected: Option<f64>,
    pub(super) probability: Option<f64>,
    pub(super) z: Option<f64>,
    /// The reason why there is no expectation, if the table has one.
    pub(super) no_exact: Option<String>,
}

impl PageCount {
    /// All names as one text: `west, 5-3-3-2`.
    pub(super) fn name(&self) -> String {
        self.names.join(", ")
    }

    /// All names except the last: the seat, suit or label.
    pub(super) fn subject(&self) -> String {
        let subject = self.names.split_last().map_or(&[][..], |(_, first)| first);
        subject.join(" ")
    }

    /// Whether the outcome is neither impossible nor certain.
    pub(super) fn is_open(&self) -> bool {
        self.z.is_some() || self.probability.is_none()
    }
}

/// The rows of the table with this name; empty if the table is missing.
pub(super) fn counts(tables: &[Table], name: TableName) -> Vec<PageCount> {
    let Some(table) = table(tables, name) else {
        return Vec::new();
    };
    let place = |name: &str| {
        table
            .columns()
            .iter()
            .position(|column| column.name == name)
    };
    let (observed, expected) = (place("observed"), place("expected"));
    let (probability, z) = (place("probability"), place("z"));
    let why = place("no_exact");
    let names = observed.unwrap_or(0);
    let number = |row: &[Cell], place: Option<usize>| place.and_then(|place| row[place].number());
    let rows = table.rows().iter().map(|row| PageCount {
        names: row[..names].iter().map(Cell::to_text).collect(),
        observed: match observed.map(|place| &row[place]) {
            Some(Cell::Integer(observed)) => *observed,
            _ => 0,
        },
        expected: number(row, expected),
        probability: number(row, probability),
        z: number(row, z),
        no_exact: why
            .map(|place| row[place].to_text())
            .filter(|why| !why.is_empty()),
    });
    rows.collect()
}

/// The cells of each frequency, by its label.
pub(super) fn by_label(counts: &[PageCount]) -> impl Iterator<Item = &[PageCount]> {
    counts.chunk_by(|one, other| one.names.first() == other.names.first())
}

/// Whether a frequency has two values, whose names are separated by a space.
pub(super) fn is_of_two_values(cells: &[PageCount]) -> bool {
    let name = cells.first().and_then(|cell| cell.names.last());
    name.is_some_and(|name| name.contains(' '))
}

/// The table with this name.
pub(super) fn table(tables: &[Table], name: TableName) -> Option<&Table> {
    tables.iter().find(|table| table.name() == name)
}
