//! The JSON output of a run or an audit: its record and the tables that are read most.

use std::borrow::Borrow;

use serde::{Serialize, Serializer};

use super::table::{Cell, Table};
use super::table_name::TableName;

/// The tables in the document. The others have too many rows.
const TABLES: [TableName; 6] = [
    TableName::Averages,
    TableName::Frequencies,
    TableName::Bounds,
    TableName::Tests,
    TableName::Leads,
    TableName::Contracts,
];

/// A record with some tables of its report as arrays of objects: `averages`, `frequencies`,
/// `bounds`, `tests`, `leads` and `contracts`, as far as the report has them.
#[derive(Serialize)]
pub struct Document<'d, R: Serialize> {
    #[serde(flatten)]
    record: &'d R,
    #[serde(flatten)]
    tables: NamedTables<&'d Table>,
}

impl<'d, R: Serialize> Document<'d, R> {
    /// The document of a record and the tables of its report.
    pub fn new(record: &'d R, tables: &'d [Table]) -> Self {
        let table = |name| tables.iter().find(|table| table.name() == name);
        let tables = NamedTables(TABLES.into_iter().filter_map(table).collect());
        Self { record, tables }
    }
}

/// Tables by their names.
pub(super) struct NamedTables<T>(pub(super) Vec<T>);

impl<T: Borrow<Table>> Serialize for NamedTables<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tables = self.0.iter().map(Borrow::borrow);
        serializer.collect_map(tables.map(|table: &Table| (table.name().name(), table)))
    }
}

impl Serialize for Table {
    /// Writes the rows as objects with the names of the columns.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows().iter().map(|row| JsonRow(self, row)))
    }
}

/// A row of a table.
struct JsonRow<'t>(&'t Table, &'t [Cell]);

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.0.columns().iter().map(|column| column.name);
        serializer.collect_map(names.zip(self.1))
    }
}

impl Serialize for Cell {
    /// Writes numbers as numbers. Empty cells are null, and so are infinite numbers, which JSON
    /// does not support.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Empty => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Integer(number) => serializer.serialize_u64(*number),
            Self::Real(number) | Self::Measured(number) if number.is_finite() => {
                serializer.serialize_f64(*number)
            }
            Self::Real(_) | Self::Measured(_) => serializer.serialize_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{integer, real, text};
    use super::*;

    #[derive(Serialize)]
    struct SampleRecord {
        verdict: &'static str,
    }

    #[test]
    fn a_document_has_typed_rows_of_the_tables_that_there_are() {
        let columns = [text("test"), real("log10_p"), integer("looks")];
        let rows = [
            ["T1".into(), (-0.5).into(), 3u64.into()],
            ["T2".into(), Cell::Real(f64::NEG_INFINITY), 0u64.into()],
            ["T3".into(), Cell::Empty, 0u64.into()],
        ];
        let tables = [Table::of(TableName::Tests, columns, rows.into_iter())];
        let record = SampleRecord { verdict: "PASS" };
        let document = serde_json::to_value(Document::new(&record, &tables)).unwrap();
        let wanted = serde_json::json!({
            "verdict": "PASS",
            "tests": [
                {"test": "T1", "log10_p": -0.5, "looks": 3},
                {"test": "T2", "log10_p": null, "looks": 0},
                {"test": "T3", "log10_p": null, "looks": 0},
            ],
        });
        assert_eq!(document, wanted);
    }
}
