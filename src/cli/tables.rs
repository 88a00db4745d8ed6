//! File formats of tables.

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};

use fairdeal::report::TableFormat;

use super::values;

/// `--table-format`
#[derive(Args, Clone, Debug)]
pub(super) struct TableOptions {
    /// Also write the tables in this format; CSV is always written
    #[arg(long, value_name = "FORMAT", help_heading = "Output",
        value_parser = values::choice::<TablesChoice>().try_map(TablesChoice::built))]
    table_format: Option<TablesChoice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TablesChoice {
    /// Text, by RFC 4180
    Csv,
    /// Typed, compressed columns, for notebooks and databases
    Parquet,
}

impl TablesChoice {
    /// The choice, or why this program does not have it.
    fn built(self) -> Result<Self, &'static str> {
        match self {
            Self::Parquet if cfg!(not(feature = "parquet")) => {
                Err("this program was built without Parquet; build it with --features parquet")
            }
            choice => Ok(choice),
        }
    }
}

impl TableOptions {
    /// Whether a format other than CSV was requested.
    pub(super) fn is_more(&self) -> bool {
        self.table_format == Some(TablesChoice::Parquet)
    }

    /// The formats other than CSV.
    pub(super) fn formats(&self) -> Vec<TableFormat> {
        match self.table_format {
            #[cfg(feature = "parquet")]
            Some(TablesChoice::Parquet) => vec![TableFormat::Parquet],
            _ => Vec::new(),
        }
    }
}
