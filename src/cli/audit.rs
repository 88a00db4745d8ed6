//! `fairdeal audit`

mod planning;
mod reading;
mod seeds;
mod summary;
mod writing;

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use jiff::Timestamp;

use fairdeal::battery::{Level, Verdict};
use fairdeal::cards::Seat;
use fairdeal::combinatorics::DEALS;
use fairdeal::condition::Script;
use fairdeal::formats::read::InputFormat;
use fairdeal::report::{
    AuditIdentity, AuditOptions, AuditRecord, EvidenceRecord, Folder, HostRecord, PROGRAM,
    STANDARD_INPUT,
};
use fairdeal::run::DEFAULT_DEALS;
use fairdeal::sampler::Need;

use super::battery::BatteryOptions;
use super::deals::{Deals, SamplingOptions};
use super::failure;
use super::input::{self, Input, ListingOptions};
use super::tables::AuditTableOptions;
use super::{log, output, values};
use fairdeal::Error;
use reading::{Read, Stop};

/// Test deals from elsewhere: hand records, other dealers, other generators
///
/// Reads deals in any format that is known here, plain, gzip, zstd or in zip archives, and makes
/// the tests of `run` on them: one look below 16,384 deals, then one at every doubling and at the
/// end. Boards that come again with the same event, number and cards were played at other tables
/// and count once; equal deals of different boards are evidence. Boards that are no deals are
/// reported with file, line and reason, and make the verdict INVALID (exit code 3); incomplete
/// ones are reported and left out.
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
    format: Option<InputFormat>,

    #[command(flatten)]
    condition: ConditionOptions,

    #[command(flatten)]
    battery: BatteryOptions,

    /// Stop at the first board that is no deal, or file that cannot be read
    #[arg(long)]
    strict: bool,

    /// Boards of a session, where files do not number them: every so many that follow each other
    /// in a file [default: boards of one event whose numbers rise, 2 to 128 of them]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=128))]
    session: Option<u64>,

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

    /// Print audit.json on standard output instead of the summary; with --stream a line of JSON at
    /// every look, then audit.json as a line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

/// What every deal should satisfy.
#[derive(Args, Debug)]
struct ConditionOptions {
    /// A condition in dealer's language that every deal satisfies; it may tell of two hands
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

    #[command(flatten)]
    listing: ListingOptions,
}

impl ConditionOptions {
    /// Whether any deal may come.
    fn is_none(&self) -> bool {
        self.condition.is_none() && self.input.is_none() && !self.any_condition
    }

    /// The condition with its listing, if there is one.
    fn resolve(&self, quiet: bool) -> Result<Option<Deals>, Error> {
        let input = match (&self.condition, &self.input) {
            (Some(text), _) => Input::of_condition(text),
            (None, Some(name)) => Input::named(name),
            (None, None) => return Ok(None),
        };
        let (_, source) = input.resolve()?;
        let options = SamplingOptions::whole(&self.listing);
        let need = |_: &Script| Need::statistics(DEFAULT_DEALS);
        Ok(Some(Deals::ready(source, &options, need, quiet)?))
    }
}

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    let condition = arguments.condition.resolve(arguments.quiet)?;
    let identity = arguments.identity(condition.as_ref());
    let out = arguments.out.clone();
    let out = out.unwrap_or_else(|| ["reports", "runs", &arguments.name()].iter().collect());
    let folder = Folder::for_audit(&out, &identity, arguments.force)?;
    let folder = arguments.tables.apply(folder);
    let pool = arguments.battery.pool()?;
    let (start, clock) = (Timestamp::now(), Instant::now());
    let files = arguments.files.len();
    let (threads, out) = (arguments.battery.threads(), out.display().to_string());
    tracing::info!(target: "audit", files, threads, folder = out, "audit started");
    let read = pool.install(|| reading::read(arguments, condition.as_ref()))?;
    let (end, seconds) = (Timestamp::now(), clock.elapsed().as_secs_f64());
    if let Some(Stop::Strict(problem)) = &read.stop {
        log::error(problem);
        return Ok(Level::Invalid.exit_code());
    }

    let verdict = read.verdict();
    let level = match &verdict {
        Some(verdict) => verdict.level,
        None if read.total().invalid > 0 => Level::Invalid,
        None => Level::Inconclusive,
    };
    let record = AuditRecord {
        program: PROGRAM.to_owned(),
        identity,
        sources: read.sources(),
        deals: read.auditor.deals(),
        sessions: read.auditor.intake.session_count(),
        odd_dealers: read.auditor.intake.odd_dealers(),
        case_file: condition.as_ref().and_then(Deals::case_file_record),
        total: condition.as_ref().map_or(DEALS, Deals::total).to_string(),
        seed_search: read.seeds.clone(),
        depth: super::battery::name_of(read.depth).to_owned(),
        interrupted: read.stop.is_some(),
        threads: arguments.battery.threads(),
        start: start.to_string(),
        end: end.to_string(),
        seconds,
        host: HostRecord::here(),
        verdict: level.name().to_owned(),
        evidence: read
            .tested
            .as_ref()
            .zip(verdict.as_ref())
            .map(|(tested, verdict)| {
                EvidenceRecord::new(verdict, tested.battery().looks(), arguments.battery.keep())
            }),
        expected: match arguments.condition.any_condition {
            true => "none: the condition is not known".to_owned(),
            false => "exact".to_owned(),
        },
    };
    let notation = condition.as_ref();
    let notation = notation.map(|deals| deals.script.condition.in_bridge_notation());
    let named = (&*arguments.name(), &*notation.unwrap_or_default());
    let json = writing::write(&folder, &read, verdict.as_ref(), &record, named)?;
    let (deals, s) = (
        record.deals,
        verdict.as_ref().map(|verdict| verdict.largest),
    );
    let (verdict_name, interrupted) = (level.name(), record.interrupted);
    if interrupted {
        tracing::warn!(target: "audit", deals, "interrupted");
    }
    tracing::info!(target: "audit", folder = out, "report written");
    tracing::info!(target: "audit", verdict = verdict_name, s, deals, seconds, "finished");
    let printed = arguments.print(&json, &record, &read, verdict.as_ref(), folder.path());
    output::unless_closed(printed)?;
    Ok(match (&read.stop, &read.unread) {
        (Some(_), _) => failure::INTERRUPTED,
        (None, Some(unread)) => failure::code(unread),
        (None, None) => level.exit_code(),
    })
}

impl Arguments {
    /// Prints what was asked for.
    fn print(
        &self,
        json: &[u8],
        record: &AuditRecord,
        read: &Read<'_>,
        verdict: Option<&Verdict>,
        folder: &Path,
    ) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if self.json && self.stream {
            return super::json::line(&mut stdout, record);
        }
        if self.json {
            return stdout.write_all(json);
        }
        if self.quiet {
            return Ok(());
        }
        summary::print(&mut stdout, &self.name(), record, read, folder)?;
        match verdict {
            Some(verdict) => {
                super::verdict::print(&mut stdout, verdict)?;
                if self.condition.is_none() && may_have_condition(verdict) {
                    writeln!(
                        stdout,
                        "          tested as deals of which any may be: if they were dealt to a \
                         condition, give it by --where, or say --any-condition"
                    )?;
                }
                Ok(())
            }
            None => writeln!(stdout, "verdict   {}  no deal was tested", record.verdict),
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

    fn identity(&self, condition: Option<&Deals>) -> AuditIdentity {
        let files = self.files.iter().map(|path| match path.to_str() {
            Some("-") => STANDARD_INPUT.to_owned(),
            _ => path.display().to_string(),
        });
        let text = |deals: &Deals| deals.script.condition.text().to_owned();
        AuditIdentity {
            files: files.collect(),
            condition: condition.map(text).unwrap_or_default(),
            order: condition
                .map(|deals| deals.order.clone())
                .unwrap_or_default(),
            options: AuditOptions {
                format: self.format.map(|format| format.name().to_owned()),
                any_condition: self.condition.any_condition,
                alike: self
                    .condition
                    .alike
                    .iter()
                    .map(|pair| input::order_of((pair[0], Some(pair[1]))))
                    .collect(),
                battery: self.battery.battery().name().to_owned(),
                target: self.battery.target(),
                keep: self.battery.keep(),
                reference: self.reference,
                session: self.session,
                seed_search: self.seed_search.map(|time| time.as_secs()),
            },
        }
    }
}

/// Whether what speaks against deals is what a condition makes of hands.
fn may_have_condition(verdict: &Verdict) -> bool {
    let of_hands = ["T1 ", "T1max", "T3", "T4", "T5", "F "];
    let is_against = (Level::Suspicious..=Level::Fail).contains(&verdict.level);
    let strongest = verdict.strongest.first();
    is_against
        && strongest.is_some_and(|first| of_hands.iter().any(|test| first.test.starts_with(test)))
}

/// The format of that name.
fn format(name: &str) -> Result<InputFormat, String> {
    let all = InputFormat::all().map(|format| (format.name(), format.description()));
    values::listed(name, InputFormat::named(name), all)
}
