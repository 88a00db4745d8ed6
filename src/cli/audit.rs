//! `fairdeal audit`

pub(super) mod summary;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;

use fairdeal::Error;
use fairdeal::audit::EventRule;
use fairdeal::battery::Level;
use fairdeal::bridge::Seat;
use fairdeal::formats::Format;
use fairdeal::printable::display_path;
use fairdeal::report::{AuditHeading, AuditRecord};
use fairdeal::run::{Checkpoints, DEFAULT_DEALS, DealCount, Part};
use fairdeal::sampler::LONG_RUN;
use fairdeal::tasks::audit::{
    AuditCondition, AuditOutcome, AuditReport, AuditRequest, DealerCommand, ReferenceSets,
    SessionSize, audit,
};
use fairdeal::tasks::squaredeal::TournamentFiles;

use super::battery::BatteryOptions;
use super::input::{InputOptions, LanguageOptions, LintOptions, ListingOptions};
use super::layout;
use super::report_options::ReportOptions;
use super::run::{LookOptions, print_finished};
use super::terminal::{LooksFormat, Terminal};
use super::values::{CommandWords, NameParser};
use super::{cache, failure, json, log, output, values};

/// Test deals from elsewhere: hand records or other programs
///
/// Reads deals in any supported format, plain, compressed by gzip, or in zip or tar archives, and
/// runs the tests of `run` on them. Boards with the same event, number and cards are replays and
/// count once; equal deals of different boards are evidence, unless the files are records of one
/// event that contradict each other. Boards that are not legal deals are reported with file, line
/// and reason, and make the verdict INVALID (exit code 3). Incomplete boards are reported and not
/// tested; lines of text that a script printed between the deals are counted and not read.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fairdeal audit club-2026-*.pbn
  fairdeal audit spring.sqd spring.sqk S*.pbn --organiser 'Our Club'
  dealer -s 1 script.dl | fairdeal audit -
  fairdeal audit --command 'mydealer --seed {seed}' --for 8h
  fairdeal deal nine-spades -n 100K --json | fairdeal audit -
  fairdeal audit practice.lin --where 'hcp(south) >= 15'
  fairdeal audit numbers.txt --format andrews --seed-search 10m")]
pub(super) struct AuditArguments {
    /// Files of deals or folders of such files, in reading order; - for standard
    /// input
    ///
    /// With the description (.sqd) and the keys (.sqk) of a SquareDeal tournament among them, the
    /// boards are also compared with those of the tournament, and the report says whether they
    /// agree.
    #[arg(value_name = "FILE", required_unless_present = "command")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    command: CommandOptions,

    /// Test this number of deals, such as 10M, 1.5M or 64Mi
    ///
    /// The default is all deals of files; of a command, 10485760, or with --for no limit.
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        help_heading = "Stopping and resuming"
    )]
    deals: Option<DealCount>,

    /// Stop after this time, such as 90s, 10m or 8h
    ///
    /// The audit reports the deals read so far; --resume continues it.
    #[arg(long = "for", value_name = "TIME", help_heading = "Stopping and resuming",
        value_parser = values::duration)]
    time: Option<Duration>,

    #[command(flatten)]
    looks: LookOptions,

    /// Format of the files [default: detected]; `--format help` lists them
    ///
    /// Files of numbers need --format, because the numbers of all schemes look alike.
    #[arg(long, value_name = "NAME", help_heading = "Files", hide_possible_values = true,
        value_parser = format())]
    format: Option<Format>,

    #[command(flatten)]
    condition: ConditionOptions,

    #[command(flatten)]
    battery: BatteryOptions,

    /// Stop at the first illegal deal, bad file or warning
    ///
    /// Files that cannot be read and warnings about the condition are errors too.
    #[arg(long, help_heading = "Files")]
    strict: bool,

    /// Boards per session, where files do not number them
    ///
    /// By default, a session is 2 to 128 boards of one event with increasing numbers.
    #[arg(long, value_name = "N", help_heading = "Files")]
    session: Option<SessionSize>,

    /// Treat all files as records of one event
    ///
    /// Boards with equal number and cards are replays, whatever the names of their events. Boards
    /// that contradict an earlier record are listed and not tested.
    #[arg(long, help_heading = "Files")]
    same_event: bool,

    /// Treat every file as an event of its own
    ///
    /// Equal deals of different files are evidence. By default, boards with equal number and cards
    /// of events that may be the same are one board. Boards on which two records of one event
    /// contradict each other are not tested then.
    #[arg(long, help_heading = "Files", conflicts_with = "same_event")]
    distinct_events: bool,

    /// Print the verdict so far at every look
    ///
    /// For pipes that run for days. Ctrl-C ends the audit with its report. With --json, prints a
    /// JSON line at every look, then audit.json on one line.
    #[arg(long, help_heading = "Output")]
    stream: bool,

    /// Search this long for the seed of the first deals
    ///
    /// Tries well-known generators with every seed. Such as 90s, 10m or 2h.
    #[arg(long, value_name = "TIME", help_heading = "Tests", value_parser = values::duration,
        conflicts_with = "any_condition")]
    seed_search: Option<Duration>,

    /// Also try the milliseconds of this day as seeds of Java's generator
    ///
    /// A day in UTC, such as 2026-11-22; the days before and after it are tried too.
    #[arg(long, value_name = "DATE", help_heading = "Tests", requires = "seed_search",
        value_parser = values::days)]
    seed_day: Option<Range<i64>>,

    /// Perfect sets of deals to compare with, below 16,384 deals
    ///
    /// For tests without an exact law for small samples. 0 turns them off.
    #[arg(
        long,
        value_name = "SETS",
        help_heading = "Tests",
        default_value = "999"
    )]
    reference: ReferenceSets,

    /// Name of the report [default: that of the first file or of the program]
    #[arg(long, value_name = "NAME", help_heading = "Output", value_parser = values::line)]
    name: Option<String>,

    /// Title of the page [default: event or name]
    ///
    /// By default, it is the name of the SquareDeal tournament, or what the events of all sessions
    /// have in common, or the name of the report.
    #[arg(long, value_name = "TEXT", help_heading = "Output", value_parser = values::line)]
    title: Option<String>,

    /// Organiser of the event, on the page
    #[arg(long, value_name = "TEXT", help_heading = "Output", value_parser = values::line)]
    organiser: Option<String>,

    /// Date of the event, on the page
    #[arg(long, value_name = "TEXT", help_heading = "Output", value_parser = values::line)]
    date: Option<String>,

    #[command(flatten)]
    report: ReportOptions,

    /// Also print looks, all bounds and detectable effects
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["quiet", "json"])]
    verbose: bool,
}

/// A program whose deals are tested.
#[derive(Args, Debug)]
#[command(next_help_heading = "Command")]
struct CommandOptions {
    // clap takes an n in braces for the end of a line.
    /// Test the deals that a command with {seed} prints
    ///
    /// The command is started as often as needed, one process per thread. In each, {seed} is
    /// replaced by another seed from 1 to 2^30, and the letter n in braces by --boards. Quotes group
    /// words, and no shell is involved. A process that fails, prints nothing for --stall, or prints
    /// something that is not a deal ends the audit with a report. Each process is an event of its
    /// own, so equal deals of two processes are evidence.
    #[arg(long, value_name = "COMMAND", conflicts_with = "files", value_parser = values::command_words)]
    command: Option<CommandWords>,

    /// Number that determines all seeds [default: a fresh one, in the record]
    #[arg(long, value_name = "N", requires = "command",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(DealerCommand::MOST_SEED)))]
    seed: Option<u32>,

    /// Boards asked of each process [default: 50000]
    #[arg(long, value_name = "N", requires = "command")]
    boards: Option<DealCount>,

    /// Read only one part of the processes, such as 3/7
    ///
    /// The parts have no seed in common, and each tests its share of --deals. All need the same
    /// --seed. `fairdeal merge` makes one report from the reports of all parts.
    #[arg(long, value_name = "I/N", requires_all = ["command", "seed"],
        conflicts_with = "seed_search")]
    part: Option<Part>,

    /// Silence that fails a process
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = values::duration)]
    stall: Duration,
}

impl CommandOptions {
    /// The request to the library.
    fn request(&self) -> Option<DealerCommand> {
        let CommandWords { text, words } = self.command.clone()?;
        Some(DealerCommand {
            text,
            words,
            seed: self.seed,
            boards: self
                .boards
                .map_or(DealerCommand::DEFAULT_BOARDS, DealCount::get),
            stall: self.stall,
            part: self.part,
        })
    }
}

/// The condition that every deal satisfies.
#[derive(Args, Debug)]
#[command(next_help_heading = "Condition")]
struct ConditionOptions {
    /// Condition that every deal satisfies, in dealer's language
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,

    /// The condition as a scenario, condition file (.dl) or case file (.cases)
    #[arg(long = "condition", value_name = "INPUT", conflicts_with = "condition")]
    input: Option<String>,

    /// The deals satisfy an unknown condition on suit lengths and honours
    ///
    /// Only tests that do not need the condition are made.
    #[arg(long, conflicts_with_all = ["condition", "input"])]
    any_condition: bool,

    /// Two seats that are interchangeable in the unknown condition
    ///
    /// Such as north,south. Their hands are tested for equal distributions.
    #[arg(long, value_name = "A,B", requires = "any_condition", value_parser = values::pair)]
    alike: Vec<[Seat; 2]>,

    /// Compute exact tables of the condition, however long it takes
    ///
    /// By default, they are computed if that takes seconds. Without them, only tests that do not
    /// need them are made.
    #[arg(long, conflicts_with = "any_condition")]
    exact: bool,

    #[command(flatten)]
    language: LanguageOptions,

    #[command(flatten)]
    listing: ListingOptions,
}

impl ConditionOptions {
    /// Whether no condition was given.
    fn is_none(&self) -> bool {
        self.condition.is_none() && self.input.is_none() && !self.any_condition
    }

    /// Resolves the condition that every deal should satisfy.
    fn resolve(&self, strict: bool) -> Result<AuditCondition, Error> {
        if self.any_condition {
            return Ok(AuditCondition::Unknown(self.alike.clone()));
        }
        if self.is_none() {
            return Ok(AuditCondition::None);
        }
        let input = InputOptions::of(self.condition.as_ref(), self.input.as_ref());
        let input = input.with_language(self.language.clone());
        let (_, input) = input.with_lints(LintOptions { strict }).resolve()?;
        Ok(AuditCondition::Known {
            input: Box::new(input),
            sampling: self.listing.exact(),
            deals: match self.exact {
                true => LONG_RUN,
                false => DEFAULT_DEALS,
            },
        })
    }
}

pub(super) fn execute(arguments: &AuditArguments) -> Result<u8, Error> {
    let condition = arguments.condition.resolve(arguments.strict)?;
    let looks = match (arguments.stream, arguments.report.print.json) {
        (false, _) => LooksFormat::None,
        (true, false) => LooksFormat::Text,
        (true, true) => LooksFormat::Json,
    };
    let terminal = Terminal::new(arguments.report.print.quiet).with_looks(looks);
    let listings = cache::listings()?;
    let request = arguments.request()?;
    match audit(&request, condition, &listings, &terminal)? {
        AuditOutcome::Finished(record) => {
            let (level, print) = (record.common.verdict, arguments.report.print);
            print.print(&record, |layout| {
                print_finished(layout, level, None, record.deals, &request.folder)
            })?;
            Ok(level.exit_code())
        }
        AuditOutcome::Stopped(problem) => {
            log::error(problem);
            Ok(Level::Invalid.exit_code())
        }
        AuditOutcome::Reported(report) => {
            arguments.print(&report)?;
            Ok(match (report.is_interrupted, &report.unread) {
                (true, _) => failure::INTERRUPTED,
                (false, Some(unread)) => failure::code(unread),
                // It must be resumed before it can be merged.
                (false, None) if is_unfinished_part(&report.record) => failure::INTERRUPTED,
                (false, None) => report.level.exit_code(),
            })
        }
    }
}

/// Whether this is a part that stopped before its share of the deals.
fn is_unfinished_part(record: &AuditRecord) -> bool {
    let command = record.identity.command.as_ref();
    let is_part = command.is_some_and(|command| command.part.is_some());
    is_part && record.identity.options.limit.is_some() && record.stopped.is_some()
}

impl AuditArguments {
    /// The request to the library.
    fn request(&self) -> Result<AuditRequest, Error> {
        let (name, command) = (self.name(), self.command.request());
        let named = |path: &PathBuf| (path.clone(), display_path(path));
        let mut files: Vec<(PathBuf, String)> = self.files.iter().map(named).collect();
        let squaredeal = TournamentFiles::take_from(&mut files)?;
        if files.is_empty() && command.is_none() {
            let message = "a tournament needs hand records: add their files";
            return Err(Error::usage(message));
        }
        let is_unfinished = |path: &Path| Checkpoints::of(path).exist();
        Ok(AuditRequest {
            heading: AuditHeading {
                title: self.title.clone(),
                organiser: self.organiser.clone(),
                date: self.date.clone(),
            },
            squaredeal,
            folder: self.report.folder(&name, self.command.part, is_unfinished),
            name,
            on_conflict: self.report.on_conflict(self.command.part),
            formats: self.report.tables.formats(),
            files: files.into_iter().map(|(path, _)| path).collect(),
            deals: match (self.deals, self.time, &command) {
                (Some(deals), ..) => Some(deals.get()),
                (None, None, Some(_)) => Some(DEFAULT_DEALS),
                (None, ..) => None,
            },
            command,
            time: self.time,
            until: self.looks.until,
            checkpoint: Some(self.looks.checkpoint),
            labels: Vec::new(),
            format: self.format,
            battery: self.battery.request(),
            strict: self.strict,
            session: self.session,
            events: self.events(),
            seed_search: self.seed_search,
            seed_day: self.seed_day.clone(),
            reference: self.reference,
        })
    }

    fn events(&self) -> EventRule {
        match (self.same_event, self.distinct_events) {
            (true, _) => EventRule::Same,
            (_, true) => EventRule::Distinct,
            _ if self.command.command.is_some() => EventRule::Distinct,
            _ => EventRule::Compatible,
        }
    }

    /// Prints the summary, or JSON.
    fn print(&self, report: &AuditReport) -> io::Result<()> {
        let tables = report.tables();
        let document = &report.document(&tables);
        if self.report.print.json && self.stream {
            return output::unless_closed(json::line(&mut layout::stdout(), document));
        }
        self.report.print.print(document, |layout| {
            summary::print(layout, report, self.condition.is_none(), self.verbose)
        })
    }

    /// Name of the report: that of the program, or that of the first file and the number of the
    /// others.
    fn name(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let first = match &self.command.command {
            Some(command) => Path::new(&command.words[0]),
            None => &*self.files[0],
        };
        if first.as_os_str() == "-" {
            return "standard-input".to_owned();
        }
        let stem = first.file_stem().unwrap_or_default().to_string_lossy();
        let stem = match stem.trim_start_matches('.') {
            "" => "audit",
            stem => stem,
        };
        match self.files.len().saturating_sub(1) {
            0 => stem.to_owned(),
            more => format!("{stem}-and-{more}-more"),
        }
    }
}

/// Parser of the names of readable formats.
fn format() -> NameParser<impl TypedValueParser<Value = Format>> {
    super::deal::formats(Format::read())
}
