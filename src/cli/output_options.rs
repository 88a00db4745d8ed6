//! Options that commands with a result share.

use std::path::PathBuf;

use clap::Args;

/// What is printed.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct PrintOptions {
    /// Print nothing but errors
    ///
    /// A generated seed is printed to standard error.
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Print the result as JSON instead of the summary
    #[arg(long)]
    pub(super) json: bool,
}

/// Where a result is written, if it is, and what is printed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputOptions {
    /// Write the result and its tables into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,

    /// Overwrite an existing report
    #[arg(long, requires = "out")]
    pub(super) force: bool,

    #[command(flatten)]
    pub(super) print: PrintOptions,
}
