//! The rows of a table of counts.

use crate::report::TableName;
use crate::report::table::{Cell, Table};

/// A count beside what was expected.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Count {
    /// What was counted: a seat and a shape.
    pub(super) names: Vec<String>,
    pub(super) observed: u64,
    pub(super) expected: Option<f64>,
    pub(super) probability: Option<f64>,
    pub(super) z: Option<f64>,
}

impl Count {
    /// Its names in one: `west, 5-3-3-2`.
    pub(super) fn name(&self) -> String {
        self.names.join(", ")
    }

    /// Whether it was neither impossible nor certain.
    pub(super) fn is_open(&self) -> bool {
        self.z.is_some() || self.probability.is_none()
    }
}

/// The rows of the table of that name; none if there is no such table.
pub(super) fn counts(tables: &[Table], name: TableName) -> Vec<Count> {
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
    let names = observed.unwrap_or(0);
    let number = |row: &[Cell], place: Option<usize>| place.and_then(|place| row[place].number());
    let rows = table.rows().iter().map(|row| Count {
        names: row[..names].iter().map(Cell::to_text).collect(),
        observed: match observed.map(|place| &row[place]) {
            Some(Cell::Integer(observed)) => *observed,
            _ => 0,
        },
        expected: number(row, expected),
        probability: number(row, probability),
        z: number(row, z),
    });
    rows.collect()
}

/// The table of that name.
pub(super) fn table(tables: &[Table], name: TableName) -> Option<&Table> {
    tables.iter().find(|table| table.name() == name)
}
