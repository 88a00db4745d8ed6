//! `deal --filter-command`: a program that accepts or refuses deals.

use std::io;
use std::time::Duration;

use clap::Args;

use fairdeal::printable::{interval, printable, thousands, three_digits, with_noun};
use fairdeal::stats::binomial_interval;
use fairdeal::tasks::boards::{FilterCommand, FilterCounts};

use super::super::log;
use super::super::values::{self, CommandWords};

/// Options of the program.
#[derive(Args, Debug)]
#[command(next_help_heading = "Filter")]
pub(super) struct FilterOptions {
    /// Keep the deals for which a command prints 1
    ///
    /// The command is started once per thread. Each process reads deals from its standard input, one
    /// PBN deal string per line (the format line), and prints a line 1 (keep) or 0 (leave out) for
    /// each, flushed at once. The answer must depend on the deal alone; the same seed then gives the
    /// same boards with any number of processes. Hands have not moved yet. Quotes group words, and no
    /// shell is involved. Gives up after 1000000 refused deals in a row, or --max-tries.
    #[arg(long, value_name = "COMMAND", hide_short_help = true, value_parser = values::command_words,
        conflicts_with_all = ["dealer_output", "defect", "explain", "write_levelled", "check"])]
    filter_command: Option<CommandWords>,

    /// Silence that fails a process of --filter-command
    #[arg(long, value_name = "TIME", default_value = "5m", requires = "filter_command",
        hide_short_help = true, value_parser = values::duration)]
    stall: Duration,
}

impl FilterOptions {
    /// The request to the library.
    pub(super) fn request(&self) -> Option<FilterCommand> {
        let CommandWords { text, words } = self.filter_command.clone()?;
        let stall = self.stall;
        Some(FilterCommand { text, words, stall })
    }

    /// Prints how many deals the command kept.
    pub(super) fn tell(&self, counts: &[FilterCounts]) -> io::Result<()> {
        let Some(CommandWords { text, .. }) = &self.filter_command else {
            return Ok(());
        };
        for of in counts {
            let share = of.accepted as f64 / of.asked.max(1) as f64;
            let (low, high) = binomial_interval(of.accepted, of.asked.max(1), 0.999);
            let name = of.deal_type.as_ref();
            let name = name.map_or_else(String::new, |name| format!("type `{name}`: "));
            log::note(format!(
                "{name}`{}` accepted {} of {}, a share of {} ({} with 99.9 % confidence); an exact \
                 probability times this share is an estimate",
                printable(text),
                thousands(of.accepted),
                with_noun(of.asked, "deal"),
                three_digits(share),
                interval([low, high]),
            ))?;
        }
        Ok(())
    }
}
