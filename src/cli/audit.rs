//! `fairdeal audit`

mod summary;

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use fairdeal::Error;
use fairdeal::audit::EventRule;
use fairdeal::battery::Level;
use fairdeal::bridge::Seat;
use fairdeal::formats::Format;
use fairdeal::population::Listings;
use fairdeal::run::DEFAULT_DEALS;
use fairdeal::sampler::LONG_RUN;
use fairdeal::tasks::audit::{AuditCondition, AuditOutcome, AuditReport, AuditRequest, audit};
use fairdeal::tasks::run::Existing;

use super::battery::BatteryOptions;
use super::input::{InputOptions, LintOptions, ListingOptions};
use super::layout::{self, Layout};
use super::tables::AuditTableOptions;
use super::terminal::{Looks, Terminal};
use super::{failure, json, log, output, values};

/// Test deals from elsewhere: hand records, other dealers, other generators
///
/// Reads deals in any format that is known here, plain, compressed by gzip, zstd, xz or bzip2, or
/// in zip or tar archives, and makes the tests of `run` on them: one look below 16,384 deals, then
/// one at every doubling and at the end. Boards that come again with the same event, number and
/// cards were played at other tables and count once; equal deals of different boards are evidence.
/// Boards that are no deals are reported with file, line and reason, and make the verdict INVALID
/// (exit code 3); incomplete ones are reported and left out.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fairdeal audit club-2026-*.pbn
  fairdeal audit hands.zip --out reports/runs/club
  dealer -p 10000000 -s 1 script.dl | fairdeal audit --stream -
  fairdeal audit practice.lin --where 'hcp(south) >= 15'
  fairdeal audit numbers.txt --format andrews --seed-search 10m")]
pub(super) struct Arguments {
    /// Files with deals, or folders of them, in the order in which they are to be read; - for
    /// standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The format of the files [default: by their contents]; `--format help` lists them
    #[arg(long, value_name = "NAME", value_parser = format)]
    format: Option<Format>,

    #[command(flatten)]
    condition: ConditionOptions,

    #[command(flatten)]
    battery: BatteryOptions,

    /// Stop at the first board that is not a legal deal and the first file that cannot be read;
    /// treat warnings about the condition as errors
    #[arg(long)]
    strict: bool,

    /// Boards of a session, where files do not number them: every so many that follow each other
    /// in a file [default: boards of one event whose numbers rise, 2 to 128 of them]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=128))]
    session: Option<u64>,

    /// Boards with the same number and cards are the same board, played at another table, whatever
    /// the files call their events
    #[arg(long)]
    same_event: bool,

    /// Boards with the same number and cards are different boards if their files name the event
    /// differently or not at all: equal deals count as evidence [default: boards of events that
    /// may be the same are one board]
    #[arg(long, conflicts_with = "same_event")]
    distinct_events: bool,

    /// Print the verdict so far at every look, as a line: for pipes that go on for days. Ctrl-C
    /// ends the audit with its report
    #[arg(long)]
    stream: bool,

    /// Look for the first deals among those of well-known generators with every seed, for so long
    /// at most: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = values::duration,
        conflicts_with = "any_condition")]
    seed_search: Option<Duration>,

    /// Also look for deals by Java's generator seeded with a millisecond of this day (UTC), such as
    /// 2026-11-22, or of the days beside it
    #[arg(long, value_name = "DATE", requires = "seed_search", value_parser = values::days)]
    seed_day: Option<Range<i64>>,

    /// Below 16,384 deals: perfect sets of as many deals that every statistic is compared with,
    /// for the tests that have no exact law; 0 for none
    #[arg(long, value_name = "SETS", default_value_t = 999,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    reference: u32,

    /// Where the report goes [default: reports/runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace another report
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    tables: AuditTableOptions,

    /// No progress and no summary
    #[arg(short, long)]
    quiet: bool,

    /// Print looks, all bounds and detectable effects too
    #[arg(short, long, conflicts_with_all = ["quiet", "json"])]
    verbose: bool,

    /// Print audit.json on standard output instead of the summary; with --stream a line of JSON at
    /// every look, then audit.json as a line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

/// What every deal should satisfy.
#[derive(Args, Debug)]
struct ConditionOptions {
    /// A condition in dealer's language that every deal satisfies: whatever `run` takes
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,

    /// The same as a scenario, a condition file (.dl) or a case file (.cases)
    #[arg(long = "condition", value_name = "INPUT", conflicts_with = "condition")]
    input: Option<String>,

    /// The deals satisfy a condition that nobody knows, of suit lengths and honours: only what
    /// needs no knowledge of it is tested
    #[arg(long, conflicts_with_all = ["condition", "input"])]
    any_condition: bool,

    /// Two seats that the unknown condition treats alike, such as north,south: their hands are
    /// tested for it
    #[arg(long, value_name = "A,B", requires = "any_condition", value_parser = values::pair)]
    alike: Vec<[Seat; 2]>,

    /// Compute exact tables of the condition whatever they cost [default: within seconds; without
    /// tables, only the tests that need none are made]
    #[arg(long, conflicts_with = "any_condition")]
    exact: bool,

    #[command(flatten)]
    listing: ListingOptions,
}

impl ConditionOptions {
    /// Whether any deal may come.
    fn is_none(&self) -> bool {
        self.condition.is_none() && self.input.is_none() && !self.any_condition
    }

    /// The condition that every deal should satisfy.
    fn resolve(&self, strict: bool) -> Result<AuditCondition, Error> {
        let input = match (&self.condition, &self.input) {
            (Some(text), _) => InputOptions::of_condition(text),
            (None, Some(name)) => InputOptions::named(name),
            (None, None) if self.any_condition => {
                return Ok(AuditCondition::Unknown(self.alike.clone()));
            }
            (None, None) => return Ok(AuditCondition::None),
        };
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

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    let condition = arguments.condition.resolve(arguments.strict)?;
    let looks = match (arguments.stream, arguments.json) {
        (false, _) => Looks::None,
        (true, false) => Looks::Text,
        (true, true) => Looks::Json,
    };
    let terminal = Terminal::new(arguments.quiet).with_looks(looks);
    let listings = Listings::of_user()?;
    match audit(&arguments.request(), condition, &listings, &terminal)? {
        AuditOutcome::Stopped(problem) => {
            log::error(problem);
            Ok(Level::Invalid.exit_code())
        }
        AuditOutcome::Reported(report) => {
            output::unless_closed(arguments.print(&report))?;
            Ok(match (report.is_interrupted, &report.unread) {
                (true, _) => failure::INTERRUPTED,
                (false, Some(unread)) => failure::code(unread),
                (false, None) => report.level.exit_code(),
            })
        }
    }
}

impl Arguments {
    /// What is asked for.
    fn request(&self) -> AuditRequest {
        let name = self.name();
        let default = || ["reports", "runs", &name].iter().collect();
        AuditRequest {
            folder: self.out.clone().unwrap_or_else(default),
            name,
            existing: match (self.force, &self.out) {
                (true, _) => Existing::Replace,
                (false, Some(_)) => Existing::Keep,
                (false, None) => Existing::Beside,
            },
            formats: self.tables.formats(),
            files: self.files.clone(),
            format: self.format,
            battery: self.battery.request(),
            strict: self.strict,
            session: self.session,
            events: self.events(),
            seed_search: self.seed_search,
            seed_day: self.seed_day.clone(),
            reference: self.reference,
        }
    }

    fn events(&self) -> EventRule {
        match (self.same_event, self.distinct_events) {
            (true, _) => EventRule::Same,
            (_, true) => EventRule::Distinct,
            _ => EventRule::Compatible,
        }
    }

    /// Prints the summary, or JSON.
    fn print(&self, report: &AuditReport) -> io::Result<()> {
        let out = &mut layout::stdout();
        match (self.json, self.stream, self.quiet) {
            (true, true, _) => json::line(out, &report.document(&report.tables())),
            (true, false, _) => json::document(out, &report.document(&report.tables())),
            (false, _, true) => Ok(()),
            (false, _, false) => {
                let is_any = self.condition.is_none();
                summary::print(&mut Layout::new(out), report, is_any, self.verbose)
            }
        }
    }

    /// What the report goes by: the first file's name, and how many others there are.
    fn name(&self) -> String {
        let first = &self.files[0];
        if first.as_os_str() == "-" {
            return "standard-input".to_owned();
        }
        let stem = first.file_stem().unwrap_or_default().to_string_lossy();
        let stem = match stem.trim_start_matches('.') {
            "" => "audit",
            stem => stem,
        };
        match self.files.len() - 1 {
            0 => stem.to_owned(),
            more => format!("{stem}-and-{more}-more"),
        }
    }
}

/// The format of that name, of those that are read.
fn format(name: &str) -> Result<Format, String> {
    let all = Format::read().map(|format| (format.name(), format.description()));
    let found = Format::read().find(|format| format.names().contains(&name));
    values::listed(name, found, all)
}
