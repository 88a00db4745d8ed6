//! In which formats tables are written.

use clap::{Args, ValueEnum};

use fairdeal::report::TableFormat;

/// `--format` of commands that write tables and read no deals.
#[derive(Args, Clone, Debug)]
pub(super) struct TableOptions {
    /// Write the tables in this format too; CSV is always written
    #[arg(
        long = "format",
        alias = "table-format",
        value_name = "FORMAT",
        value_enum
    )]
    table_format: Option<Choice>,
}

/// The same where `--format` is the format of deals.
#[derive(Args, Clone, Debug)]
pub(super) struct AuditTableOptions {
    /// Write the tables in this format too; CSV is always written
    #[arg(long, value_name = "FORMAT", value_enum)]
    table_format: Option<Choice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Text, by RFC 4180
    Csv,
    /// Columns with types, compressed, for notebooks
    Parquet,
}

impl TableOptions {
    /// Whether more than CSV was asked for.
    pub(super) fn is_more(&self) -> bool {
        self.table_format == Some(Choice::Parquet)
    }

    /// The formats beside CSV.
    pub(super) fn formats(&self) -> Vec<TableFormat> {
        formats(self.table_format)
    }
}

impl AuditTableOptions {
    /// The formats beside CSV.
    pub(super) fn formats(&self) -> Vec<TableFormat> {
        formats(self.table_format)
    }
}

fn formats(choice: Option<Choice>) -> Vec<TableFormat> {
    match choice {
        None | Some(Choice::Csv) => Vec::new(),
        Some(Choice::Parquet) => vec![TableFormat::Parquet],
    }
}
