//! In which formats tables are written.

use clap::{Args, ValueEnum};

use fairdeal::report::{Folder, TableFormat};

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

    /// A folder that writes tables as was asked for.
    pub(super) fn apply(&self, folder: Folder) -> Folder {
        with(self.table_format, folder)
    }
}

impl AuditTableOptions {
    /// A folder that writes tables as was asked for.
    pub(super) fn apply(&self, folder: Folder) -> Folder {
        with(self.table_format, folder)
    }
}

fn with(choice: Option<Choice>, folder: Folder) -> Folder {
    match choice {
        None | Some(Choice::Csv) => folder,
        Some(Choice::Parquet) => folder.with_format(TableFormat::Parquet),
    }
}
