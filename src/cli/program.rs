//! The program: arguments, the command, the exit code.

use std::ffi::OsString;
use std::io;
use std::io::Write as _;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::{ArgMatches, FromArgMatches, Parser, Subcommand};
use fairdeal::Error;
use fairdeal::run::Launched;

#[cfg(feature = "serve")]
use super::serve;
use super::{
    audit, bench, cases, compare, completions, contracts, convert, deal, demo, failure, layout,
    lead, log, man, merge, night, number, run, scenarios, self_test, signals, solve, squaredeal,
    theory, threads, values,
};

const AFTER_HELP: &str = "\
INPUT is a scenario's name, a condition file (.dl), a case file (.cases), - for
a condition on standard input, or --where 'CONDITION'.

Examples:
  fairdeal demo
  fairdeal run flannery-misfit
  fairdeal run --where 'hcp(west) >= 20 && hearts(east) == 0' --deals 100M
  fairdeal audit club.pbn
  fairdeal deal nine-spades -n 36 --format pbn
  fairdeal convert club.pbn -o club.lin
  fairdeal theory nine-spades
  fairdeal cases list nine-spades

Exit codes:
   0  done, or PASS (run, audit, night, merge, self-test) or ALIKE (compare)
   1  SUSPICIOUS or VERY SUSPICIOUS; bench --against: slower;
      squaredeal verify: boards are missing
   2  FAIL; compare: DIFFERENT or TOO ALIKE; squaredeal verify: boards or
      keys differ
   3  INVALID
   4  INCONCLUSIVE
   5  deal, solve, lead, contracts: gave up before all deals were found
  64  wrong usage
  65  bad input, such as a condition with an error or a corrupted file
  74  reading or writing failed
 130  interrupted

Environment:
  FAIRDEAL_CACHE        folder of the cache of listings
  FAIRDEAL_CACHE_LIMIT  size of the cache, such as 500M [default: 2Gi]; 0: none
  RAYON_NUM_THREADS     threads that list conditions, at most 4 per processor
  NO_COLOR              print no colours";

/// What `fairdeal` without arguments prints.
const FIRST_STEPS: &str = "\
fairdeal deals exactly uniform bridge hands under any constraint, and tests
whether dealt hands are truly random. Try:

  fairdeal demo                              deal, test, catch a broken dealer
  fairdeal deal --where 'hcp(north) >= 20'   boards under a condition
  fairdeal theory nine-spades                exact probabilities
  fairdeal audit club.pbn                    are these hands random?
  fairdeal serve                             all of it as pages in a browser

`fairdeal help` lists all commands.
";

/// Message if a mapped file is truncated while it is read.
const CUT_SHORT: &str = "error: a case file was truncated, or its disk failed, while it was read; \
saved results are intact; rebuild the file, then start again (a run with --resume)\n";

/// Deals exactly uniform bridge hands under any constraint, and tests whether
/// dealt hands are truly random.
#[derive(Debug, Parser)]
#[command(name = "fairdeal", version, after_help = AFTER_HELP, max_term_width = 80)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// When to print colours
    #[arg(long, value_name = "WHEN", value_parser = layout::colours(), default_value = "auto",
        global = true, help_heading = "Logs")]
    color: ColorChoice,

    #[command(flatten)]
    log: log::LogOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::DemoArguments),
    Run(run::RunArguments),
    Audit(audit::AuditArguments),
    Night(night::NightArguments),
    Compare(compare::CompareArguments),
    Merge(merge::MergeArguments),
    Cases(cases::CasesArguments),
    Theory(theory::TheoryArguments),
    Deal(deal::DealArguments),
    Convert(convert::ConvertArguments),
    Solve(solve::SolveArguments),
    Lead(lead::LeadArguments),
    Contracts(contracts::ContractsArguments),
    Number(number::NumberArguments),
    #[command(name = "squaredeal")]
    SquareDeal(squaredeal::SquareDealArguments),
    Scenarios(scenarios::ScenariosArguments),
    Bench(bench::BenchArguments),
    SelfTest(self_test::SelfTestArguments),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}

/// The program's arguments as a clap command.
pub(super) fn command() -> clap::Command {
    values::with_negative_numbers(<Arguments as clap::CommandFactory>::command())
}

/// The arguments, and whether the command has `--quiet`.
fn parse() -> Result<(Arguments, bool), clap::Error> {
    let matches = command().try_get_matches()?;
    let arguments = Arguments::from_arg_matches(&matches);
    let arguments = arguments.map_err(|error| error.format(&mut command()))?;
    Ok((arguments, is_quiet(&matches)))
}

/// Whether a command, or the command within it, has `--quiet`.
fn is_quiet(matches: &ArgMatches) -> bool {
    let quiet = matches.try_get_one::<bool>("quiet").ok().flatten();
    let within = matches.subcommand().map(|(_, within)| is_quiet(within));
    quiet.is_some_and(|quiet| *quiet) || within == Some(true)
}

/// Parses the arguments and executes the command; returns its exit code.
pub(crate) fn main() -> ExitCode {
    let (arguments, is_quiet) = match parse() {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version also arrive here, for standard output and as a success.
            let code = if error.use_stderr() {
                failure::USAGE
            } else {
                0
            };
            if Launched::here().is_some_and(|launched| launched.place > 0) {
                // The first of the MPI processes prints the same message.
                return ExitCode::from(code);
            }
            log::guess_format(std::env::args_os());
            if log::is_json() && error.use_stderr() {
                log::rendered_error(&error.render().to_string());
                return ExitCode::from(code);
            }
            let printed = match values::asked_list(&error) {
                Some(list) => io::stdout().write_all(list.as_bytes()),
                None if std::env::args_os().len() == 1 => {
                    io::stderr().write_all(FIRST_STEPS.as_bytes())
                }
                None => error.print(),
            };
            return match printed {
                Ok(()) => ExitCode::from(code),
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                    ExitCode::from(code)
                }
                Err(_) => ExitCode::from(failure::IO),
            };
        }
    };
    arguments.color.write_global();
    arguments.log.begin();
    if is_quiet {
        log::silence_warnings();
    }
    if let Some(error) = failure::unknown_path() {
        return ExitCode::from(failure::code_of(Err(error)));
    }
    let last_words = fairdeal::population::cases::leave_when_cut_short(
        log::last_words(CUT_SHORT),
        failure::INPUT,
    );
    if let Err(error) = last_words
        .map_err(Error::io)
        .and_then(|()| signals::outlive_large_files())
        .and_then(|()| threads::start_workers())
    {
        return ExitCode::from(failure::code_of(Err(error)));
    }
    ExitCode::from(failure::code_of(execute(&arguments.command)))
}

/// Carries out a command of these words.
fn carry_out(words: Vec<OsString>) -> Result<u8, Error> {
    let words = std::iter::once("fairdeal".into()).chain(words);
    let arguments = Arguments::try_parse_from(words);
    execute(
        &arguments
            .map_err(|error| Error::usage(error.to_string()))?
            .command,
    )
}

fn execute(command: &Command) -> Result<u8, Error> {
    let done = match command {
        Command::Demo(arguments) => return demo::execute(arguments, carry_out),
        Command::Run(arguments) => return run::execute(arguments),
        Command::Audit(arguments) => return audit::execute(arguments),
        Command::Night(arguments) => return night::execute(arguments),
        Command::Compare(arguments) => return compare::execute(arguments),
        Command::Merge(arguments) => return merge::execute(arguments),
        Command::Cases(arguments) => cases::execute(arguments),
        Command::Theory(arguments) => theory::execute(arguments),
        Command::Deal(arguments) => return deal::execute(arguments),
        Command::Convert(arguments) => return convert::execute(arguments),
        Command::Solve(arguments) => return solve::execute(arguments),
        Command::Lead(arguments) => return lead::execute(arguments),
        Command::Contracts(arguments) => return contracts::execute(arguments),
        Command::SelfTest(arguments) => return self_test::execute(arguments),
        Command::Number(arguments) => number::execute(arguments),
        Command::SquareDeal(arguments) => return squaredeal::execute(arguments),
        Command::Scenarios(arguments) => scenarios::execute(arguments),
        Command::Bench(arguments) => return bench::execute(arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::execute(arguments),
        Command::Completions(arguments) => completions::execute(arguments),
        Command::Man(arguments) => man::execute(arguments),
    };
    done.map(|()| 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // A name of no option would exclude nothing, without a word.
    #[test]
    fn every_option_of_deals_that_are_drawn_excludes_files() {
        let command = command();
        for (name, identifiers) in [("deal", deal::DEALING), ("run", run::DEALING)] {
            let command = command.find_subcommand(name).unwrap();
            for identifier in identifiers.split_whitespace() {
                let mut options = command.get_arguments();
                let option = options.find(|option| option.get_id() == identifier);
                let excluded = command.get_arg_conflicts_with(option.expect(identifier));
                let excludes_files = excluded.iter().any(|other| other.get_id() == "from");
                assert!(excludes_files, "{name}: {identifier}");
            }
        }
    }
}
