//! An audit, from its request to its report.

mod planning;
mod reading;
mod report;
mod seed_search;

pub use report::AuditReport;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::battery::BatteryRequest;
use super::prepare::{ConditionInput, Prepared};
use super::run::Existing;
use crate::audit::EventRule;
use crate::bridge::combinatorics::DEALS;
use crate::bridge::{Deal, Hand, Seat};
use crate::error::Error;
use crate::formats::Format;
use crate::language::Condition;
use crate::observer::Observer;
use crate::population::cells::CellsError;
use crate::population::{Listings, Population, order_of};
use crate::report::{
    AuditIdentity, AuditOptions, AuditRecord, CaseFileRecord, EvidenceRecord, Folder, HostRecord,
    PROGRAM, STANDARD_INPUT, TableFormat, first_free,
};
use crate::sampler::{Need, Sampling};
use reading::{ReadInputs, ReadingStop};

/// Default number of perfect sets that small samples are compared with.
pub(crate) const DEFAULT_REFERENCE: u32 = 999;

/// The condition that audited deals should satisfy.
#[derive(Debug)]
pub enum AuditCondition {
    /// None: all deals are possible.
    None,
    /// A known condition.
    Known {
        /// The condition.
        input: Box<ConditionInput>,
        /// How to find its exact tables.
        sampling: Sampling,
        /// Number of deals that justifies the cost of preparing these tables:
        /// [`LONG_RUN`](crate::sampler::LONG_RUN) allows tables that take minutes.
        deals: u64,
    },
    /// An unknown condition on suit lengths and honours, in which these pairs of seats are
    /// interchangeable.
    Unknown(Vec<[Seat; 2]>),
}

/// The request of an audit.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// Name of the report.
    pub name: String,
    /// Folder of the report.
    pub folder: PathBuf,
    /// Treatment of an existing report: keep, write beside it, or replace. An audit cannot be
    /// resumed.
    pub existing: Existing,
    /// Formats of the tables in addition to CSV.
    pub formats: Vec<TableFormat>,
    /// Files and folders in reading order; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Format of the files; by default it is detected.
    pub format: Option<Format>,
    /// The tests.
    pub battery: BatteryRequest,
    /// Whether to stop at the first board that is not a legal deal, or file that cannot be read.
    pub strict: bool,
    /// Boards per session, for files that do not number them.
    pub session: Option<u64>,
    /// When boards with the same number and cards are the same board.
    pub events: EventRule,
    /// Time limit of the search for known seeds.
    pub seed_search: Option<Duration>,
    /// The day whose milliseconds are tried as seeds, in seconds since 1970.
    pub seed_day: Option<Range<i64>>,
    /// Number of perfect sets that samples below 16,384 deals are compared with.
    pub reference: u32,
}

/// Result of an audit.
#[derive(Debug)]
pub enum AuditOutcome {
    /// The deals were tested and reported.
    Reported(Box<AuditReport>),
    /// A strict audit stopped at this problem.
    Stopped(String),
}

/// The population of the audited deals.
#[derive(Debug)]
enum AuditedPopulation {
    EveryDeal(Population),
    Condition(Box<Prepared>),
    Unknown(Vec<[Seat; 2]>),
}

/// What is known about the population of the audited deals.
#[derive(Clone, Debug)]
struct Audited<'p> {
    laws: ComparedLaws<'p>,
    /// The condition, if it is known.
    condition: Option<&'p Condition>,
}

/// Laws that the deals are compared with.
#[derive(Clone, Debug)]
enum ComparedLaws<'p> {
    /// Exact tables of a population without a filter.
    Exact(&'p Population),
    /// Laws of any condition that does not distinguish certain cards and seats.
    Symmetry {
        /// Cards that the condition does not distinguish within their suit.
        exchangeable: Hand,
        /// Pairs of interchangeable seats.
        alike: Vec<[Seat; 2]>,
        /// Why there are no exact tables.
        why: String,
    },
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
            AuditCondition::Known {
                mut input,
                sampling,
                deals,
            } => {
                if let ConditionInput::Script(script) = &mut *input {
                    let message = "an audit cannot check `rnd`";
                    let label = "drawn for each deal, and not recorded with it";
                    if let Some(error) = script.condition.error_at_draw(message, label) {
                        return Err(error.into());
                    }
                    // For deals from elsewhere, fixed cards are ordinary terms of the condition.
                    script.condition = script.condition.without_predeal()?;
                }
                let need = |_: &_| Need::statistics(deals);
                let prepared = Prepared::new(*input, &sampling, need, listings, observer)?;
                if !prepared.population.is_exact() {
                    let why = &prepared.reasons.why;
                    let advice = match *why == CellsError::OverBudget.to_string() {
                        true => "; --exact lifts the limit",
                        false => "",
                    };
                    observer.warn(&format!(
                        "no exact tables for this condition ({why}): only tests that need none are \
                         made{advice}"
                    ));
                }
                Self::Condition(Box::new(prepared))
            }
        })
    }

    fn audited(&self) -> Audited<'_> {
        match self {
            Self::EveryDeal(population) => Audited {
                laws: ComparedLaws::Exact(population),
                condition: None,
            },
            Self::Condition(prepared) => {
                let condition = &prepared.script.condition;
                Audited::of(&prepared.population, condition, &prepared.reasons.why)
            }
            Self::Unknown(alike) => Audited {
                laws: ComparedLaws::Symmetry {
                    exchangeable: Hand::SPOTS,
                    alike: alike.clone(),
                    why: "the condition is unknown".to_owned(),
                },
                condition: None,
            },
        }
    }
}

impl<'p> Audited<'p> {
    /// Deals of a population that satisfy this condition; `why` explains its filter, if it has one.
    fn of(population: &'p Population, condition: &'p Condition, why: &str) -> Self {
        let laws = match population.is_exact() {
            true => ComparedLaws::Exact(population),
            false => ComparedLaws::Symmetry {
                exchangeable: condition.exchangeable(),
                alike: Seat::pairs_of(&condition.unmentioned()),
                why: why.to_owned(),
            },
        };
        Self {
            laws,
            condition: Some(condition),
        }
    }

    /// The population whose exact tables are known, if any.
    fn population(&self) -> Option<&'p Population> {
        match self.laws {
            ComparedLaws::Exact(population) => Some(population),
            ComparedLaws::Symmetry { .. } => None,
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
    let population = AuditedPopulation::new(condition, listings, observer)?;
    let audited = population.audited();
    let identity = request.identity(&audited);
    let force = request.existing == Existing::Replace;
    let take = |path: &Path| Folder::for_audit(path, &identity, force);
    let folder = match request.existing {
        Existing::Beside => first_free(&request.folder, take)?,
        _ => take(&request.folder)?,
    };
    let folder = folder.with_formats(&request.formats);
    let mut outcome = read_and_test(request, &audited, observer)?;
    if let AuditOutcome::Reported(report) = &mut outcome {
        report.write(&folder)?;
        log_end(report);
    }
    Ok(outcome)
}

/// Reads and tests deals from elsewhere without writing anything.
///
/// # Errors
///
/// As [`audit`].
pub(crate) fn audit_in_memory(
    request: &AuditRequest,
    condition: AuditCondition,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<AuditOutcome, Error> {
    let population = AuditedPopulation::new(condition, listings, observer)?;
    read_and_test(request, &population.audited(), observer)
}

fn read_and_test(
    request: &AuditRequest,
    audited: &Audited<'_>,
    observer: &dyn Observer,
) -> Result<AuditOutcome, Error> {
    let pool = request.battery.pool()?;
    let clock = Clock::start();
    let (files, threads) = (request.files.len(), request.battery.threads());
    let place = request.folder.display().to_string();
    tracing::info!(target: "audit", files, threads, folder = place, "audit started");
    let read = pool.install(|| reading::read(request, audited, observer))?;
    if let Some(ReadingStop::Strict(problem)) = &read.stop {
        return Ok(AuditOutcome::Stopped(problem.clone()));
    }
    let identity = request.identity(audited);
    let report = clock.report(request, audited, identity, read);
    Ok(AuditOutcome::Reported(Box::new(report)))
}

/// Tests deals that are given one by one, without writing anything. The files, formats and folder
/// of the request are not used.
///
/// # Errors
///
/// If there is no deal, or the population has no exact laws.
pub(crate) fn audit_deals(
    request: &AuditRequest,
    population: &Population,
    condition: Option<&Condition>,
    deals: impl IntoIterator<Item = Deal>,
    observer: &dyn Observer,
) -> Result<AuditReport, Error> {
    let audited = match condition {
        None => Audited {
            laws: ComparedLaws::Exact(population),
            condition,
        },
        Some(condition) => Audited::of(population, condition, "the condition needs a filter"),
    };
    let pool = request.battery.pool()?;
    let clock = Clock::start();
    let read = reading::read_deals(request, &audited, deals, &pool, observer)?;
    let identity = request.identity(&audited);
    Ok(clock.report(request, &audited, identity, read))
}

/// Start time of an audit.
struct Clock {
    start: Timestamp,
    clock: Instant,
}

impl Clock {
    fn start() -> Self {
        Self {
            start: Timestamp::now(),
            clock: Instant::now(),
        }
    }

    /// The report of the boards read since the start, not yet written.
    fn report(
        &self,
        request: &AuditRequest,
        audited: &Audited<'_>,
        identity: AuditIdentity,
        read: ReadInputs<'_>,
    ) -> AuditReport {
        let (end, seconds) = (Timestamp::now(), self.clock.elapsed().as_secs_f64());
        let verdict = read.verdict();
        let level = read.level(verdict.as_ref());
        let known = audited.population().filter(|_| audited.condition.is_some());
        let evidence = read.tested.as_ref().zip(verdict.as_ref());
        let record = AuditRecord {
            program: PROGRAM.to_owned(),
            identity,
            sources: read.sources(),
            deals: read.auditor.deals(),
            sessions: read.auditor.intake.session_count(),
            odd_dealers: read.auditor.intake.odd_dealers(),
            undecided: read.auditor.intake.undecided_count(),
            case_file: known.and_then(Population::listing).map(CaseFileRecord::new),
            total: match (known, audited.condition) {
                (None, Some(_)) => String::new(),
                (known, _) => known.map_or(DEALS, Population::total).to_string(),
            },
            seed_search: read.seeds.clone(),
            depth: read.depth.name().to_owned(),
            interrupted: read.stop.is_some(),
            threads: request.battery.threads(),
            start: self.start.to_string(),
            end: end.to_string(),
            seconds,
            host: HostRecord::here(),
            verdict: level.name().to_owned(),
            evidence: evidence.map(|(tested, verdict)| {
                EvidenceRecord::new(verdict, tested.battery().looks(), request.battery.keep())
            }),
            expected: match &audited.laws {
                ComparedLaws::Symmetry { why, .. } => format!("none: {why}"),
                ComparedLaws::Exact(_) => "exact".to_owned(),
            },
        };
        let notation = audited.condition.map(Condition::in_bridge_notation);
        let name = request.name.clone();
        AuditReport::new(name, read, verdict, record, notation.unwrap_or_default())
    }
}

/// Logs the result of the audit.
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
    /// An audit with default options and no files.
    #[must_use]
    pub(crate) fn new(name: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            folder: folder.into(),
            existing: Existing::Keep,
            formats: Vec::new(),
            files: Vec::new(),
            format: None,
            battery: BatteryRequest::default(),
            strict: false,
            session: None,
            events: EventRule::default(),
            seed_search: None,
            seed_day: None,
            reference: DEFAULT_REFERENCE,
        }
    }

    fn identity(&self, audited: &Audited<'_>) -> AuditIdentity {
        let files = self.files.iter().map(|path| match path.to_str() {
            Some("-") => STANDARD_INPUT.to_owned(),
            _ => path.display().to_string(),
        });
        let condition = audited.condition;
        let known = audited.population().filter(|_| condition.is_some());
        let alike = match &audited.laws {
            ComparedLaws::Symmetry { alike, .. } if condition.is_none() => &alike[..],
            _ => &[],
        };
        AuditIdentity {
            files: files.collect(),
            condition: condition.map_or_else(String::new, |condition| condition.text().to_owned()),
            order: known.map_or_else(String::new, Population::order),
            options: AuditOptions {
                format: self.format.map(|format| format.name().to_owned()),
                any_condition: audited.population().is_none() && condition.is_none(),
                alike: alike
                    .iter()
                    .map(|pair| order_of((pair[0], Some(pair[1]))))
                    .collect(),
                battery: self.battery.depth().name().to_owned(),
                target: self.battery.target(),
                keep: self.battery.keep(),
                reference: self.reference,
                session: self.session,
                events: self.events.name().to_owned(),
                seed_search: self.seed_search.map(|time| time.as_secs()),
            },
        }
    }
}
