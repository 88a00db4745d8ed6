//! The audit itself: reading, tests and record.

use std::time::Instant;

use super::population::AuditCondition;
use super::population::{Audited, AuditedPopulation, ComparedLaws};
use super::reading::{self, ReadInputs, ReadingStop};
use super::report::AuditReport;
use super::request::{AuditOutcome, AuditRequest};
use super::saving::{self, AuditCheckpoint, AuditStart, SavedAudit, Saving};
use crate::bridge::Deal;
use crate::bridge::combinatorics::DEALS;
use crate::error::Error;
use crate::language::Condition;
use crate::observer::Observer;
use crate::population::{Listings, Population};
use crate::report::{
    AuditIdentity, AuditRecord, CaseFileRecord, CommonRecord, EvidenceRecord, HostRecord,
    NamedBoards, PROGRAM,
};
use crate::threads::on_workers;
use crate::utc::UtcTime;

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
    let audited = population.audited(listings);
    let request = &mut request.clone();
    let identity = |request: &AuditRequest| request.identity(&audited);
    let (folder, mut saving, saved) = match saving::begin(request, identity, observer)? {
        AuditStart::Ready(folder, saving, saved) => (folder, saving, saved),
        AuditStart::Finished(record) => return Ok(AuditOutcome::Finished(record)),
    };
    let folder = folder.with_formats(&request.formats);
    let saved = saved.map(|saved| *saved);
    match read_and_test(request, &audited, Some(&mut *saving), saved, observer)? {
        Err(problem) => Ok(AuditOutcome::Stopped(problem)),
        Ok(mut report) => {
            report.write(&folder)?;
            saving.close(report.can_go_on || request.part().is_some())?;
            log_end(&report);
            Ok(AuditOutcome::Reported(Box::new(report)))
        }
    }
}

/// Reads and tests deals from elsewhere without writing anything.
///
/// # Errors
///
/// As [`audit`], and if a strict audit stopped.
pub fn audit_in_memory(
    request: &AuditRequest,
    condition: AuditCondition,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<AuditReport, Error> {
    let population = AuditedPopulation::new(condition, listings, observer)?;
    let audited = population.audited(listings);
    read_and_test(request, &audited, None, None, observer)?.map_err(Error::input)
}

/// Reads and tests; returns the problem at which a strict audit stopped instead of a report.
fn read_and_test(
    request: &AuditRequest,
    audited: &Audited<'_>,
    mut saving: Option<&mut Saving>,
    saved: Option<SavedAudit>,
    observer: &dyn Observer,
) -> Result<Result<AuditReport, String>, Error> {
    let workers = request.battery.workers()?;
    let clock = match &saving {
        None => Clock::start(),
        Some(saving) => Clock::resumed(&saving.description),
    };
    let (files, threads) = (request.files.len(), request.battery.threads().get());
    let place = request.folder.display().to_string();
    tracing::info!(target: "audit", files, threads, folder = place, "audit started");
    // The tournament comes first: an error in its files ends the audit before anything is tested.
    let squaredeal = request.squaredeal.as_ref();
    let squaredeal = squaredeal
        .map(|of| of.verify(&request.files, &request.labels, request.format, observer))
        .transpose()?;
    let read =
        workers.install(|| reading::read(request, audited, saving.take(), saved, observer))?;
    if let Some(ReadingStop::Strict(problem)) = &read.stop {
        return Ok(Err(problem.clone()));
    }
    let identity = request.identity(audited);
    let mut report = clock.report(request, audited, identity, read);
    report.record.squaredeal = squaredeal.map(|verified| verified.record());
    Ok(Ok(report))
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
            laws: ComparedLaws::Exact(population, None),
            condition,
            kept: None,
        },
        Some(condition) => Audited::of(population, condition, "the condition needs a filter"),
    };
    audit_one_by_one(request, &audited, deals, observer)
}

/// Tests deals that are given one by one, and should satisfy this condition, without writing
/// anything. The files, formats and folder of the request are not used.
///
/// # Errors
///
/// If there is no deal, or the condition has an error.
pub fn audit_given_deals(
    request: &AuditRequest,
    condition: AuditCondition,
    listings: &Listings,
    deals: impl IntoIterator<Item = Deal>,
    observer: &dyn Observer,
) -> Result<AuditReport, Error> {
    let threads = request.battery.threads;
    let population = || AuditedPopulation::new(condition, listings, observer);
    let population = on_workers(threads, population)?;
    audit_one_by_one(request, &population.audited(listings), deals, observer)
}

fn audit_one_by_one(
    request: &AuditRequest,
    audited: &Audited<'_>,
    deals: impl IntoIterator<Item = Deal>,
    observer: &dyn Observer,
) -> Result<AuditReport, Error> {
    let clock = Clock::start();
    let read = reading::read_deals(request, audited, deals, observer)?;
    let identity = request.identity(audited);
    let report = || Ok(clock.report(request, audited, identity, read));
    on_workers(request.battery.threads, report)
}

/// Start time of an audit.
pub(super) struct Clock {
    pub(super) start: String,
    pub(super) clock: Instant,
    /// Time taken before it was resumed, or by its parts.
    pub(super) before: f64,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self {
            start: UtcTime::now().to_string(),
            clock: Instant::now(),
            before: 0.0,
        }
    }

    fn resumed(earlier: &AuditCheckpoint) -> Self {
        Self {
            start: earlier.start.clone(),
            before: earlier.seconds,
            ..Self::start()
        }
    }

    /// The report of the boards read since the start, not yet written.
    pub(super) fn report(
        &self,
        request: &AuditRequest,
        audited: &Audited<'_>,
        identity: AuditIdentity,
        read: ReadInputs<'_>,
    ) -> AuditReport {
        let (end, seconds) = (
            UtcTime::now(),
            self.before + self.clock.elapsed().as_secs_f64(),
        );
        let verdict = read.verdict();
        let level = read.level(verdict.as_ref());
        let known = audited.population().filter(|_| audited.condition.is_some());
        let names = read.names();
        let evidence = read.tested.as_ref().zip(verdict.as_ref());
        let common = CommonRecord {
            program: PROGRAM.to_owned(),
            case_file: known.and_then(Population::listing).map(CaseFileRecord::new),
            total: match (known, audited.condition) {
                (None, Some(_)) => String::new(),
                (known, _) => known.map_or(DEALS, Population::total).to_string(),
            },
            threads: request.battery.threads().get(),
            start: self.start.clone(),
            end: end.to_string(),
            seconds,
            host: HostRecord::here(),
            verdict: level,
            evidence: evidence.map(|(tested, verdict)| {
                EvidenceRecord::new(verdict, tested.battery().looks(), request.battery.keep())
            }),
            expected: match &audited.laws {
                ComparedLaws::Symmetry { why, .. } => format!("none: {why}"),
                ComparedLaws::Exact(..) => "exact".to_owned(),
            },
        };
        let record = AuditRecord {
            common,
            identity,
            sources: read.sources(request.command.as_ref()),
            processes: (request.command.as_ref()).map(|_| read.state.files.len() as u64),
            deals: read.state.auditor.deals(),
            sessions: read.state.auditor.intake.session_count(),
            odd_dealers: read.state.auditor.intake.odd_dealers,
            undecided: read.state.auditor.intake.undecided_count,
            conflicts: NamedBoards::conflicts(&names, &read.state.auditor.intake),
            repeats: NamedBoards::repeats(&names, &read.state.auditor.intake),
            seed_search: read.state.seeds.clone(),
            heading: request.heading.clone(),
            squaredeal: None,
            depth: read.depth.name().to_owned(),
            stopped: read.stopped(),
            parts: Vec::new(),
        };
        let notation = audited.condition.map(Condition::in_bridge_notation);
        let name = request.name.clone();
        let can_go_on = read.can_go_on(request);
        let notation = notation.unwrap_or_default();
        AuditReport::new(name, read, verdict, record, notation, can_go_on)
    }
}

/// Logs the result of the audit.
fn log_end(report: &AuditReport) {
    let (deals, seconds) = (report.record.deals, report.record.common.seconds);
    if report.is_interrupted {
        tracing::warn!(target: "audit", deals, "interrupted");
    }
    let folder = report.folder().display().to_string();
    tracing::info!(target: "audit", folder, "report written");
    let verdict = report.level.name();
    let s = report.verdict.as_ref().map(|verdict| verdict.largest);
    tracing::info!(target: "audit", verdict, s, deals, seconds, "finished");
}
