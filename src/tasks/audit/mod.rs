//! An audit, from its request to its report.

mod planning;
mod reading;
mod report;
mod seed_search;

pub use report::AuditReport;

use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::battery::BatteryRequest;
use super::prepare::{Input, Prepared};
use crate::cards::Seat;
use crate::combinatorics::DEALS;
use crate::error::Error;
use crate::formats::read::InputFormat;
use crate::observer::Observer;
use crate::population::{Listings, Population, order_of};
use crate::report::{
    AuditIdentity, AuditOptions, AuditRecord, EvidenceRecord, Folder, HostRecord, PROGRAM,
    STANDARD_INPUT, TableFormat,
};
use crate::run::DEFAULT_DEALS;
use crate::sampler::{Need, Sampling};
use reading::Stop;

/// The condition that audited deals should satisfy.
#[derive(Debug)]
pub enum AuditCondition {
    /// None: any deal may come.
    None,
    /// A condition that is known.
    Known(Input, Sampling),
    /// An unknown condition of suit lengths and honours, which treats these pairs of seats alike.
    Unknown(Vec<[Seat; 2]>),
}

/// An audit that is asked for.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// What the report goes by.
    pub name: String,
    /// Where the report goes.
    pub folder: PathBuf,
    /// Whether another report is replaced.
    pub force: bool,
    /// Formats of the tables beside CSV.
    pub formats: Vec<TableFormat>,
    /// Files and folders in the order in which they are read; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// The format of the files; by default it is recognised.
    pub format: Option<InputFormat>,
    /// The tests.
    pub battery: BatteryRequest,
    /// Whether it stops at the first board that is not a legal deal, or file that cannot be read.
    pub strict: bool,
    /// Boards of a session, where files do not number them.
    pub session: Option<u64>,
    /// Time for which deals of known seeds are looked for.
    pub seed_search: Option<Duration>,
    /// The day whose milliseconds are tried as seeds, in seconds since 1970.
    pub seed_day: Option<Range<i64>>,
    /// Perfect sets that samples below 16,384 deals are compared with.
    pub reference: u32,
}

/// What became of an audit.
#[derive(Debug)]
pub enum AuditOutcome {
    /// It was tested and reported.
    Reported(Box<AuditReport>),
    /// It was strict, and stopped at this problem.
    Stopped(String),
}

/// What audited deals should come from.
#[derive(Debug)]
enum AuditedPopulation {
    EveryDeal(Population),
    Condition(Box<Prepared>),
    Unknown(Vec<[Seat; 2]>),
}

impl AuditedPopulation {
    fn new(
        condition: AuditCondition,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        Ok(match condition {
            AuditCondition::None => Self::EveryDeal(Population::every_deal()),
            AuditCondition::Unknown(alike) => Self::Unknown(alike),
            AuditCondition::Known(input, sampling) => {
                let need = |_: &_| Need::statistics(DEFAULT_DEALS);
                let prepared = Prepared::new(input, &sampling, need, listings, observer)?;
                Self::Condition(Box::new(prepared))
            }
        })
    }

    /// What is known of it; none of an unknown condition.
    fn population(&self) -> Option<&Population> {
        match self {
            Self::EveryDeal(population) => Some(population),
            Self::Condition(prepared) => Some(&prepared.population),
            Self::Unknown(_) => None,
        }
    }

    fn prepared(&self) -> Option<&Prepared> {
        match self {
            Self::Condition(prepared) => Some(prepared),
            Self::EveryDeal(_) | Self::Unknown(_) => None,
        }
    }
}

/// Reads, tests and reports deals from elsewhere.
///
/// # Errors
///
/// If no deal can be read, the condition has no exact laws, or the report cannot be written.
pub fn audit(
    request: &AuditRequest,
    condition: AuditCondition,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<AuditOutcome, Error> {
    let audited = AuditedPopulation::new(condition, listings, observer)?;
    let identity = request.identity(&audited);
    let mut folder = Folder::for_audit(&request.folder, &identity, request.force)?;
    for format in &request.formats {
        folder = folder.with_format(*format);
    }
    let pool = request.battery.pool()?;
    let (start, clock) = (Timestamp::now(), Instant::now());
    let (files, threads) = (request.files.len(), request.battery.threads());
    let place = request.folder.display().to_string();
    tracing::info!(target: "audit", files, threads, folder = place, "audit started");
    let read = pool.install(|| reading::read(request, &audited, observer))?;
    let (end, seconds) = (Timestamp::now(), clock.elapsed().as_secs_f64());
    if let Some(Stop::Strict(problem)) = &read.stop {
        return Ok(AuditOutcome::Stopped(problem.clone()));
    }
    let verdict = read.verdict();
    let level = read.level(verdict.as_ref());
    let prepared = audited.prepared();
    let record = AuditRecord {
        program: PROGRAM.to_owned(),
        identity,
        sources: read.sources(),
        deals: read.auditor.deals(),
        sessions: read.auditor.intake.session_count(),
        odd_dealers: read.auditor.intake.odd_dealers(),
        case_file: prepared.and_then(Prepared::case_file_record),
        total: prepared
            .map_or(DEALS, |prepared| prepared.population.total())
            .to_string(),
        seed_search: read.seeds.clone(),
        depth: read.depth.name().to_owned(),
        interrupted: read.stop.is_some(),
        threads,
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
                EvidenceRecord::new(verdict, tested.battery().looks(), request.battery.keep())
            }),
        expected: match read.any_condition {
            true => "none: the condition is not known".to_owned(),
            false => "exact".to_owned(),
        },
    };
    let notation = prepared.map(|prepared| prepared.script.condition.in_bridge_notation());
    let name = request.name.clone();
    let mut report = AuditReport::new(name, read, verdict, record, notation.unwrap_or_default());
    report.write(&folder)?;
    log_end(&report);
    Ok(AuditOutcome::Reported(Box::new(report)))
}

/// Logs what the audit came to.
fn log_end(report: &AuditReport) {
    let (deals, seconds) = (report.record.deals, report.record.seconds);
    if report.is_interrupted {
        tracing::warn!(target: "audit", deals, "interrupted");
    }
    let folder = report.folder().display().to_string();
    tracing::info!(target: "audit", folder, "report written");
    let verdict = report.level.name();
    let s = report.verdict.as_ref().map(|verdict| verdict.largest);
    tracing::info!(target: "audit", verdict, s, deals, seconds, "finished");
}

impl AuditRequest {
    fn identity(&self, audited: &AuditedPopulation) -> AuditIdentity {
        let files = self.files.iter().map(|path| match path.to_str() {
            Some("-") => STANDARD_INPUT.to_owned(),
            _ => path.display().to_string(),
        });
        let prepared = audited.prepared();
        let text = |prepared: &Prepared| prepared.script.condition.text().to_owned();
        let order = |prepared: &Prepared| prepared.population.order();
        let alike = match audited {
            AuditedPopulation::Unknown(alike) => &alike[..],
            _ => &[],
        };
        AuditIdentity {
            files: files.collect(),
            condition: prepared.map(text).unwrap_or_default(),
            order: prepared.map(order).unwrap_or_default(),
            options: AuditOptions {
                format: self.format.map(|format| format.name().to_owned()),
                any_condition: audited.population().is_none(),
                alike: alike
                    .iter()
                    .map(|pair| order_of((pair[0], Some(pair[1]))))
                    .collect(),
                battery: self.battery.depth().name().to_owned(),
                target: self.battery.target(),
                keep: self.battery.keep(),
                reference: self.reference,
                session: self.session,
                seed_search: self.seed_search.map(|time| time.as_secs()),
            },
        }
    }
}
