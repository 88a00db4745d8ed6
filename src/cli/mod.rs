//! The command line: arguments, one file a command, and what is printed.
//!
//! Only this module prints, and only it knows exit codes.

#![warn(clippy::too_many_lines)]

mod audit;
mod battery;
mod bench;
mod cases;
mod compare;
mod deal;
mod failure;
mod input;
mod json;
mod layout;
mod log;
mod merge;
mod number;
mod output;
mod run;
mod scenarios;
mod signals;
mod tables;
mod terminal;
mod theory;
mod values;
mod verdict;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use fairdeal::Error;
use fairdeal::run::Launched;

const AFTER_HELP: &str = "\
INPUT is a scenario's name, a condition file (.dl), a case file (.cases), - for a \
condition on standard input, or --where 'CONDITION'.

Examples:
  fairdeal run flannery-misfit
  fairdeal run --where 'hcp(west) >= 20 && hearts(east) == 0' --deals 100M --seed 0x5eed
  fairdeal theory nine-spades
  fairdeal cases list nine-spades
  fairdeal cases build flat-three-suiter -o flat.cases && fairdeal cases verify flat.cases

Exit codes: 0 done, or PASS; of run and audit: 1 SUSPICIOUS or VERY SUSPICIOUS, 2 FAIL, 3 INVALID, \
4 INCONCLUSIVE, 130 interrupted; of compare: 0 ALIKE, 1 SUSPICIOUS or VERY SUSPICIOUS, 2 DIFFERENT or \
TOO ALIKE, 4 INCONCLUSIVE; of bench --against: 1 slower; 64 wrong usage; 65 bad input, such as a \
condition or a damaged case file; 74 reading or writing failed.";

/// What is said when a mapped file ends before its end.
const CUT_SHORT: &str = "error: a case file was cut short, or its disk failed, while it was read: \
what was saved before is intact; build the file again, then start again, a run with --resume\n";

/// Deals exactly uniform bridge hands under any constraint, and tells whether
/// dealt hands are truly random.
#[derive(Debug, Parser)]
#[command(name = "fairdeal", version, after_help = AFTER_HELP, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// When output has colours
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        global = true,
        help_heading = "Logs"
    )]
    color: layout::Colour,

    #[command(flatten)]
    log: log::LogOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Audit(audit::Arguments),
    Compare(compare::Arguments),
    Merge(merge::Arguments),
    Cases(cases::Arguments),
    Theory(theory::Arguments),
    Deal(deal::Arguments),
    Number(number::Arguments),
    Scenarios(scenarios::Arguments),
    Bench(bench::Arguments),
}

/// Reads the arguments, does what they ask, and says how it ended.
pub(crate) fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too, on standard output and as a success.
            let code = if error.use_stderr() {
                failure::USAGE
            } else {
                0
            };
            if Launched::here().is_some_and(|launched| launched.place > 0) {
                // The first of those that were started together says the same.
                return ExitCode::from(code);
            }
            log::guess_format(std::env::args_os());
            if log::is_json() && error.use_stderr() {
                log::rendered_error(&error.render().to_string());
                return ExitCode::from(code);
            }
            return match error.print() {
                Ok(()) => ExitCode::from(code),
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                    ExitCode::from(code)
                }
                Err(_) => ExitCode::from(failure::IO),
            };
        }
    };
    arguments.color.begin();
    arguments.log.begin();
    if let Some(error) = failure::unknown_path() {
        return ended(Err(error));
    }
    let last_words = fairdeal::population::cases::leave_when_cut_short(
        log::last_words(CUT_SHORT),
        failure::INPUT,
    );
    if let Err(error) = last_words
        .map_err(Error::io)
        .and_then(|()| battery::start_workers())
    {
        return ended(Err(error));
    }
    let done = match &arguments.command {
        Command::Run(arguments) => return ended(run::execute(arguments)),
        Command::Audit(arguments) => return ended(audit::execute(arguments)),
        Command::Compare(arguments) => return ended(compare::execute(arguments)),
        Command::Merge(arguments) => return ended(merge::execute(arguments)),
        Command::Cases(arguments) => cases::execute(arguments),
        Command::Theory(arguments) => theory::execute(arguments),
        Command::Deal(arguments) => deal::execute(arguments),
        Command::Number(arguments) => number::execute(arguments),
        Command::Scenarios(arguments) => scenarios::execute(arguments),
        Command::Bench(arguments) => return ended(bench::execute(arguments)),
    };
    ended(done.map(|()| 0))
}

/// How a command ended.
fn ended(done: Result<u8, Error>) -> ExitCode {
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        // An error of the system without a name of its own comes of printing.
        Err(error) => {
            let is_unnamed = error.cause::<std::io::Error>().is_some();
            let error = match is_unnamed {
                true => error.or_context("standard output"),
                false => error,
            };
            ExitCode::from(failure::report(&error))
        }
    }
}
