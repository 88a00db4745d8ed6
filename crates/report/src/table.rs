//! Tables with named columns, and rows of texts and numbers. CSV, Parquet, JSON and the tables of
//! pages (`page/templates/rows.html`) are made from them.

use super::table_name::TableName;
use crate::printable::printable;
use crate::printable::significant;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Text.
    Text,
    /// Integers from 0 on.
    Integer,
    /// Real numbers; infinite ones are allowed.
    Real,
    /// Numbers as text, with the digits that people read; only pages have them.
    Printed,
}

/// A named column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name, unique in its table.
    pub name: &'static str,
    /// Its type.
    pub kind: ColumnType,
}

/// A column of text.
pub(crate) const fn text(name: &'static str) -> TableColumn {
    let kind = ColumnType::Text;
    TableColumn { name, kind }
}

/// A column of integers.
pub(crate) const fn integer(name: &'static str) -> TableColumn {
    let kind = ColumnType::Integer;
    TableColumn { name, kind }
}

/// A column of real numbers.
pub(crate) const fn real(name: &'static str) -> TableColumn {
    let kind = ColumnType::Real;
    TableColumn { name, kind }
}

/// A column of numbers with the digits that people read.
#[cfg(feature = "html")]
pub(crate) const fn printed(name: &'static str) -> TableColumn {
    let kind = ColumnType::Printed;
    TableColumn { name, kind }
}

#[cfg(feature = "html")]
impl TableColumn {
    /// Whether its cells are aligned as numbers.
    pub(crate) fn is_number(&self) -> bool {
        self.kind != ColumnType::Text
    }
}

/// One cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Empty: the number does not exist.
    Empty,
    /// Text.
    Text(String),
    /// A count, or another integer.
    Integer(u64),
    /// A real number, written with 17 significant digits.
    Real(f64),
    /// A measured real number, written with the fewest digits that restore it.
    Measured(f64),
}

impl Cell {
    /// Returns the cell in CSV, where a text is never a formula.
    fn to_csv(&self) -> String {
        match self {
            Self::Text(text) => csv_text(text),
            number => number.to_text(),
        }
    }

    /// Returns the text of the cell.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => text.clone(),
            Self::Integer(number) => number.to_string(),
            Self::Real(number) => significant(*number),
            Self::Measured(number) => number.to_string(),
        }
    }

    /// Returns the number, if the cell has one.
    #[cfg(feature = "html")]
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Empty | Self::Text(_) => None,
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) | Self::Measured(number) => Some(*number),
        }
    }

    fn is_of(&self, kind: ColumnType) -> bool {
        match self {
            Self::Empty => true,
            Self::Text(_) => matches!(kind, ColumnType::Text | ColumnType::Printed),
            Self::Integer(_) => kind == ColumnType::Integer,
            Self::Real(_) | Self::Measured(_) => kind == ColumnType::Real,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Integer(number)
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::Integer(number as u64)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

/// A table of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    name: TableName,
    columns: Vec<TableColumn>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows; its file is `name`.csv.
    pub(crate) fn new(name: TableName, columns: &[TableColumn]) -> Self {
        Self {
            name,
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// A table with these columns and rows.
    pub(crate) fn of<const N: usize>(
        name: TableName,
        columns: [TableColumn; N],
        rows: impl Iterator<Item = [Cell; N]>,
    ) -> Self {
        let mut table = Self::new(name, &columns);
        rows.for_each(|row| table.push(row.into()));
        table
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If the number or the types of the cells do not match the columns.
    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        let fits = |(cell, column): (&Cell, &TableColumn)| cell.is_of(column.kind);
        assert!(
            row.len() == self.columns.len() && row.iter().zip(&self.columns).all(fits),
            "a row of {} is {row:?}",
            self.name
        );
        self.rows.push(row);
    }

    /// Keeps these rows alone.
    pub(crate) fn retain(&mut self, keep: impl Fn(&[Cell]) -> bool) {
        self.rows.retain(|row| keep(row));
    }

    /// The name of its file without extension.
    pub fn name(&self) -> TableName {
        self.name
    }

    /// Its columns, in order.
    pub(crate) fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// Its rows, in order, each with a cell for each column.
    pub(crate) fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table as CSV by RFC 4180, with a header.
    pub fn to_csv(&self) -> Vec<u8> {
        let written = "every row has a cell for each column, and writing to memory cannot fail";
        let mut out = writer();
        let names = self.columns.iter().map(|column| column.name);
        out.write_record(names).expect(written);
        for row in &self.rows {
            out.write_record(row.iter().map(Cell::to_csv))
                .expect(written);
        }
        out.into_inner().expect(written)
    }
}

/// A table with a row for each item: the columns, each with its type, its name and its cell.
macro_rules! table_of {
    ($name:expr, $items:expr, |$item:pat_param| { $($kind:ident $column:literal: $cell:expr,)+ }) => {
        $crate::Table::of(
            $name,
            [$($crate::$kind($column)),+],
            $items.into_iter().map(|$item| [$($crate::Cell::from($cell)),+]),
        )
    };
}
pub(crate) use table_of;

/// Whether a spreadsheet may take a text for a formula. Text of digits, dots, spaces and signs
/// alone, such as the value `-3`, is harmless.
fn is_formula(text: &str) -> bool {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | ' ');
    text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && !text.chars().all(is_number)
}

/// Returns a text as a cell of CSV: without control characters, and with an apostrophe before
/// anything that a spreadsheet may take for a formula. Texts such as names of files and events come
/// from strangers.
pub(crate) fn csv_text(text: &str) -> String {
    let text = printable(text);
    match is_formula(text.trim_start_matches('\'')) {
        true => format!("'{text}"),
        false => text.into_owned(),
    }
}

/// A CSV writer by RFC 4180: lines end with CR LF.
pub fn writer() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let columns = [text("label"), integer("n"), real("z")];
        let rows = [
            ["one, two".into(), 7u64.into(), (1.0 / 3.0).into()],
            ["\"quoted\"".into(), Cell::Empty, Cell::Measured(99.9)],
            ["".into(), 0u64.into(), f64::INFINITY.into()],
        ];
        Table::of(TableName::Averages, columns, rows.into_iter())
    }

    #[test]
    fn csv_quotes_what_has_to_be_and_leaves_empty_what_is_not_there() {
        let expected = "label,n,z\r\n\"one, two\",7,0.33333333333333331\r\n\
                        \"\"\"quoted\"\"\",,99.9\r\n,0,inf\r\n";
        assert_eq!(String::from_utf8(table().to_csv()).unwrap(), expected);
    }

    #[test]
    fn no_text_in_csv_is_a_formula_and_numbers_stay() {
        for (text, cell) in [
            ("=cmd|' /C calc'!A0.pbn", "'=cmd|' /C calc'!A0.pbn"),
            ("+1+cmd|'!A0", "'+1+cmd|'!A0"),
            ("-2+3*A1", "'-2+3*A1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("＝1+A1", "'＝1+A1"),
            ("'=A1", "''=A1"),
            ("\t=A1\r\n", "\\t=A1\\r\\n"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("-3", "-3"),
            ("-3 -5", "-3 -5"),
            ("-", "-"),
            ("'tis", "'tis"),
            ("club night.pbn", "club night.pbn"),
            ("Été", "Été"),
        ] {
            assert_eq!(csv_text(text), cell);
        }
        let columns = [text("file"), real("z")];
        let row = ["=A1".into(), (-0.5).into()];
        let table = Table::of(TableName::Averages, columns, [row].into_iter());
        assert_eq!(table.to_csv(), b"file,z\r\n'=A1,-0.5\r\n");
    }

    #[test]
    #[should_panic(expected = "a row of averages is")]
    fn a_row_of_other_cells_is_refused() {
        table().push(vec!["text".into(), "no integer".into(), 0.0.into()]);
    }
}
