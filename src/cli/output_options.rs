//! Options that commands with a result share.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::layout::{self, SummaryLayout};
use super::{json, log, output};

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

impl PrintOptions {
    /// Prints a result as a document or as text, unless nothing is to be printed. A reader who left
    /// is not an error.
    pub(super) fn print(
        self,
        document: &impl Serialize,
        text: impl FnOnce(&mut SummaryLayout<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let out = &mut layout::stdout();
        let printed = match (self.json, self.quiet) {
            (true, _) => json::document(out, document),
            (false, true) => Ok(()),
            (false, false) => text(&mut SummaryLayout::new(out)),
        };
        output::unless_closed(printed.and_then(|()| out.flush()))
    }

    /// Prints a seed that was generated to standard error if nothing else tells it.
    pub(super) fn tell_seed(self, fresh_seed: Option<&str>) -> io::Result<()> {
        match fresh_seed.filter(|_| self.quiet) {
            Some(seed) => log::tell(format!("seed {seed}")),
            None => Ok(()),
        }
    }
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
