//! `fairdeal night`

mod schedule;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches as _, Subcommand};
use serde::Deserialize;

use fairdeal::observer::Observer as _;
use fairdeal::printable::{display_path, thousands};
use fairdeal::tasks::{NightFolder, NightResult};
use fairdeal::{Error, Level};

use super::terminal::Terminal;
use super::{audit, failure, json, layout, log, output, run, values};
use schedule::Scheduler;

/// Validate programs and scenarios every night
///
/// Carries out the tasks of a TOML file in turn, each with its report in the folder of the night,
/// and compares each with the night before. Writes a page with all nights and their evidence
/// together. A night that was interrupted goes on where it was. The exit code is that of the worst
/// verdict, including comparisons and the evidence of all nights together.
#[derive(Args, Debug)]
#[command(after_help = "\
Example of a file:
  folder = \"nights\"              # of all nights, beside the file
  keep = 30                      # nights whose reports are kept [default: all]
  options = [\"--for\", \"75m\", \"--battery\", \"full\"]

  [[task]]
  name = \"nine-spades\"
  run = [\"nine-spades\"]          # the arguments of `fairdeal run`

  [[task]]
  name = \"dealer\"
  audit = [\"--command\", \"dealer -s {seed} all.dl\"]

Examples:
  fairdeal night nights.toml
  fairdeal night nights.toml --schedule systemd --at 22:00")]
pub(super) struct NightArguments {
    /// The file with the tasks; paths in it are relative to its folder
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,

    /// Print what starts a night every day, and start none
    #[arg(long, value_name = "SCHEDULER", value_parser = values::choice::<Scheduler>())]
    schedule: Option<Scheduler>,

    /// Time of day for --schedule
    #[arg(long, value_name = "HH:MM", default_value = "22:00", value_parser = schedule::time)]
    at: (u8, u8),

    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    /// Print the results of the night as one line of JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The contents of the TOML file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NightFile {
    #[serde(default = "default_folder")]
    folder: PathBuf,
    keep: Option<usize>,
    /// Options of every task.
    #[serde(default)]
    options: Vec<String>,
    #[serde(rename = "task")]
    tasks: Vec<TaskRow>,
}

fn default_folder() -> PathBuf {
    "nights".into()
}

/// A task of the TOML file: the arguments of `run` or of `audit`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskRow {
    name: String,
    run: Option<Vec<String>>,
    audit: Option<Vec<String>>,
}

/// A task with its options.
#[derive(Debug, Subcommand)]
enum NightTask {
    Run(run::RunArguments),
    Audit(audit::AuditArguments),
}

impl NightTask {
    /// The task of these words: a command and its arguments. Of an option that is given twice, the
    /// last value counts.
    fn of(words: &[String]) -> Result<Self, clap::Error> {
        let parser = Self::augment_subcommands(clap::Command::new("fairdeal"));
        let parser = values::with_negative_numbers(parser);
        let parser = parser.mut_subcommands(|command| command.args_override_self(true));
        let parser = parser.no_binary_name(true);
        Self::from_arg_matches(&parser.try_get_matches_from(words)?)
    }

    /// Carries out the task; returns its exit code.
    fn execute(&self) -> u8 {
        failure::code_of(match self {
            Self::Run(arguments) => run::execute(arguments),
            Self::Audit(arguments) => audit::execute(arguments),
        })
    }
}

impl TaskRow {
    /// The words of its command, with its report in this folder.
    fn words(&self, options: &[String], out: &Path) -> Result<Vec<String>, String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if self.name.is_empty() || !self.name.chars().all(is_plain) {
            return Err("a name has letters, digits, - and _ only".to_owned());
        }
        let (command, arguments) = match (&self.run, &self.audit) {
            (Some(run), None) => ("run", run),
            (None, Some(audit)) => ("audit", audit),
            _ => return Err("give the arguments of either `run` or `audit`".to_owned()),
        };
        let out = format!("--out={}", out.display());
        let fixed = [out, "--resume".to_owned(), "--quiet".to_owned()];
        let words = [command.to_owned()].into_iter().chain(options.to_owned());
        Ok(words.chain(arguments.clone()).chain(fixed).collect())
    }

    /// The task with the options of all tasks.
    fn task(&self, options: &[String], out: &Path) -> Result<NightTask, Error> {
        let told = |message: String| Error::usage(format!("task `{}`: {message}", self.name));
        let words = self.words(options, out).map_err(told)?;
        NightTask::of(&words).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            told(first.trim_start_matches("error: ").to_owned())
        })
    }
}

impl NightFile {
    fn read(path: &Path) -> Result<Self, Error> {
        let place = display_path(path);
        let text = fs::read_to_string(path).map_err(|error| Error::of(place.clone(), error))?;
        let wrong = |what: String| Error::input(format!("{place}: {what}"));
        let file: Self = toml::from_str(&text).map_err(|error| {
            let line = error
                .span()
                .map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            wrong(format!(
                "line {line}: {}",
                error.message().replace('\n', " ")
            ))
        })?;
        let mut names = BTreeSet::new();
        let again = file.tasks.iter().find(|task| !names.insert(&task.name));
        match again {
            Some(task) => Err(wrong(format!("two tasks have the name `{}`", task.name))),
            None => Ok(file),
        }
    }
}

pub(super) fn execute(arguments: &NightArguments) -> Result<u8, Error> {
    let path = &arguments.file;
    let file = NightFile::read(path)?;
    if let Some(scheduler) = arguments.schedule {
        let absolute = std::path::absolute(path).map_err(Error::io)?;
        let program = std::env::current_exe().map_err(Error::io)?;
        let text = scheduler.lines(&program, &absolute, arguments.at);
        io::stdout().write_all(text.as_bytes())?;
        return Ok(0);
    }
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        std::env::set_current_dir(parent).map_err(Error::io)?;
    }
    let mut night = NightFolder::begin(file.folder.clone())?;
    let each = file.tasks.iter();
    let tasks = each.map(|row| row.task(&file.options, &night.of_task(&row.name)));
    let tasks = tasks.collect::<Result<Vec<_>, Error>>()?;
    let terminal = Terminal::new(true);
    terminal.allow_stop()?;
    night.save()?;
    let mut failed = None;
    for (row, task) in file.tasks.iter().zip(tasks) {
        if night.is_done(&row.name) {
            continue;
        }
        let code = task.execute();
        if code == failure::INTERRUPTED || terminal.is_stop_asked() {
            return Ok(failure::INTERRUPTED);
        }
        if code >= failure::USAGE {
            log::error(format!("task `{}` ended with exit code {code}", row.name));
            failed.get_or_insert(code);
        } else {
            night.add(&row.name)?;
        }
    }
    if failed.is_none() {
        night.finish(file.keep)?;
    }
    output::unless_closed(print(arguments, &night))?;
    let worst = night.results().map(NightResult::level).max();
    Ok(failed.unwrap_or(worst.map_or(0, Level::exit_code)))
}

/// Prints the results of the night.
fn print(arguments: &NightArguments, night: &NightFolder) -> io::Result<()> {
    let out = &mut layout::stdout();
    match (arguments.json, arguments.quiet) {
        (true, _) => json::line(out, &night.results().collect::<Vec<_>>()),
        (false, true) => Ok(()),
        (false, false) => night.results().try_for_each(|result| {
            let s = result.s.map_or_else(String::new, |s| format!("{s:.2}"));
            let compared = result.compared.as_ref();
            writeln!(
                out,
                "{} {:<20} {:<15} {:>19} deals  S = {s:>6}  together {:>6.2}  {}",
                result.night,
                result.task,
                result.verdict.name(),
                thousands(result.deals),
                result.combined_s,
                compared.map_or("", |(verdict, _)| verdict),
            )
        }),
    }
}
