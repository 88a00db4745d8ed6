//! Merging: one report from the parts of an audit of a command.

use std::path::{Path, PathBuf};

use super::super::battery::BatteryRequest;
use super::super::merge::MergeRequest;
use super::super::prepare::ConditionInput;
use super::driver::Clock;
use super::planning::{self, BoardsBefore, PlannedTests};
use super::population::{Audited, AuditedPopulation};
use super::reading::ReadInputs;
use super::saving;
use super::state::ReadState;
use super::{AuditCondition, AuditReport, AuditRequest, DealerCommand, ReferenceSets, SessionSize};
use crate::audit::{AuditTests, Auditor, EventRule};
use crate::bridge::Seat;
use crate::error::{Error, Remedy};
use crate::formats::Format;
use crate::language::Script;
use crate::observer::{Observer, Stage};
use crate::population::Listings;
use crate::printable::{display_path, thousands};
use crate::report::{AuditIdentity, AuditRecord, Folder, MergedAudit, record_in};
use crate::run::{Checkpoints, DEFAULT_DEALS, Part};
use crate::sampler::{LONG_RUN, SamplerMethod, Sampling};

/// A folder with the report of a part.
struct AuditPart {
    folder: PathBuf,
    part: Part,
    record: AuditRecord,
}

/// Whether these folders have parts of an audit.
pub fn are_audits(folders: &[PathBuf]) -> bool {
    let mut each = folders.iter();
    each.any(|folder| matches!(record_in::<AuditRecord>(folder), Ok(Some(_))))
}

/// Makes one report from all parts of an audit. Its counts are those of the parts together, and it
/// has one look, at the end. Boards of two parts are not compared one by one, but their duplicates
/// are tested.
///
/// # Errors
///
/// If the folders do not contain all parts of one audit, each complete, or something cannot be read
/// or written.
pub fn merge_audits(
    request: &MergeRequest,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<AuditReport, Error> {
    let parts = find(&request.folders)?;
    let first = &parts[0].record;
    let identity = whole(&first.identity);
    let asked = request_of(&identity, request)?;
    let condition = condition_of(first)?;
    let population = AuditedPopulation::new(condition, listings, observer)?;
    let audited = population.audited(listings);
    if asked.identity(&audited) != identity {
        return Err(Error::input(
            "the exact tables of the audit cannot be made again: another version made its parts",
        ));
    }
    let folder = Folder::take::<AuditRecord>(&request.out, &identity, request.on_conflict)?;
    let folder = folder.with_formats(&request.formats);
    let workers = asked.battery.workers()?;
    let read = workers.install(|| add_up(&parts, &asked, &audited, observer))?;
    let records = || parts.iter().map(|part| &part.record);
    let clock = Clock {
        start: records()
            .map(|record| record.common.start.clone())
            .min()
            .unwrap_or_default(),
        before: records().map(|record| record.common.seconds).sum(),
        ..Clock::start()
    };
    let mut report = workers.install(|| clock.report(&asked, &audited, identity, read));
    report.record.parts = parts.iter().map(AuditPart::merged).collect();
    workers.install(|| report.write(&folder))?;
    tracing::info!(
        target: "audit",
        parts = parts.len(),
        deals = report.record.deals,
        verdict = report.level.name(),
        folder = folder.path().display().to_string(),
        "merged"
    );
    Ok(report)
}

/// Adds up the parts and makes the tests.
fn add_up<'d>(
    parts: &[AuditPart],
    request: &AuditRequest,
    audited: &'d Audited<'d>,
    observer: &dyn Observer,
) -> Result<ReadInputs<'d>, Error> {
    let deals = parts.iter().map(|part| part.record.deals).sum();
    let plan = |before, sets| planning::plan(request, audited, before, Some(deals), sets, observer);
    let mut counted = plan(BoardsBefore::default(), 0)?.tested;
    let mut state = ReadState {
        auditor: Auditor::new(request.session, request.events),
        ..ReadState::default()
    };
    let stage = observer.stage(Stage::Deals, Some(deals));
    for part in parts {
        state.append(part.count(&mut counted)?);
        stage.advance(part.record.deals);
    }
    drop(stage);
    state.planned = BoardsBefore::of(&state.auditor.intake);
    let PlannedTests { tested, depth } = plan(state.planned, request.reference.get() as u32)?;
    let mut tested = tested.counted_by(counted);
    tested.look();
    Ok(ReadInputs {
        state,
        tested: (deals > 0).then_some(tested),
        has_theory: audited.population().is_some(),
        depth,
        stop: None,
        unread: None,
    })
}

/// The identity of the whole audit.
fn whole(part: &AuditIdentity) -> AuditIdentity {
    let mut identity = part.clone();
    if let Some(command) = &mut identity.command {
        command.part = None;
    }
    identity
}

/// The request of the whole audit.
fn request_of(identity: &AuditIdentity, merge: &MergeRequest) -> Result<AuditRequest, Error> {
    let options = &identity.options;
    let name = merge.out.file_name().unwrap_or_default().to_string_lossy();
    let mut request = AuditRequest::new(name, &merge.out);
    let invalid = |_| Error::input("the record of a part is invalid");
    let session = options.session.map(SessionSize::new);
    request.session = session.transpose().map_err(invalid)?;
    request.reference = ReferenceSets::new(options.reference.into()).map_err(invalid)?;
    request.command = identity.command.as_ref().map(|command| DealerCommand {
        text: command.command.clone(),
        words: Vec::new(),
        seed: Some(command.seed),
        boards: command.boards,
        stall: std::time::Duration::ZERO,
        part: None,
    });
    request.deals = options.limit;
    request.format = options.format.as_deref().and_then(Format::named);
    request.events = EventRule::named(&options.events).unwrap_or_default();
    request.battery = BatteryRequest {
        threads: merge.threads,
        ..BatteryRequest::default()
    };
    let (target, keep) = (Some(options.target), Some(options.keep));
    request.battery.complete(&options.battery, target, keep);
    Ok(request)
}

/// The condition of the deals.
fn condition_of(record: &AuditRecord) -> Result<AuditCondition, Error> {
    let AuditIdentity {
        condition,
        order,
        options,
        ..
    } = &record.identity;
    if options.any_condition {
        let pairs = options.alike.iter().map(|pair| seats(pair));
        let pairs = pairs.filter_map(|pair| <[Seat; 2]>::try_from(pair).ok());
        return Ok(AuditCondition::Unknown(pairs.collect()));
    }
    if condition.is_empty() {
        return Ok(AuditCondition::None);
    }
    let script = Script::parse("the audit's condition", condition)?;
    Ok(AuditCondition::Known {
        input: Box::new(ConditionInput::Script(Box::new(script))),
        sampling: Sampling {
            order: (!order.is_empty()).then(|| seats(order)),
            ..Sampling::by(SamplerMethod::Exact)
        },
        deals: match record.common.expected == "exact" {
            true => LONG_RUN,
            false => DEFAULT_DEALS,
        },
    })
}

/// The seats of a list of names.
fn seats(names: &str) -> Vec<Seat> {
    let named = |name| Seat::ALL.into_iter().find(|seat| seat.name() == name);
    names.split(',').filter_map(named).collect()
}

/// Reads the records of the parts, in the order of their numbers; rejects an incomplete audit.
fn find(folders: &[PathBuf]) -> Result<Vec<AuditPart>, Error> {
    let read = folders.iter().map(|folder| AuditPart::read(folder));
    let mut parts = read.collect::<Result<Vec<_>, Error>>()?;
    parts.sort_by_key(|part| part.part);
    let first = &parts[0];
    for pair in parts.windows(2) {
        let [one, other] = [&pair[0], &pair[1]].map(|part| display_path(&part.folder));
        if pair[0].part == pair[1].part {
            let part = pair[0].part;
            return Err(Error::input(format!(
                "{one} and {other} are both part {part}"
            )));
        }
    }
    for part in &parts {
        let is_same = whole(&part.record.identity) == whole(&first.record.identity)
            && part.part.of() == first.part.of()
            && part.record.common.program == first.record.common.program;
        if !is_same {
            return Err(Error::input(format!(
                "{} and {} are parts of different audits; merge the parts of one audit",
                display_path(&first.folder),
                display_path(&part.folder)
            )));
        }
    }
    let of = first.part.of();
    let has = |number: u64| parts.iter().any(|part| part.part.number() == number);
    if let Some(missing) = (1..=of).find(|number| !has(*number)) {
        return Err(Error::input(format!("part {missing}/{of} is missing")));
    }
    Ok(parts)
}

impl AuditPart {
    /// Reads the record of a folder.
    fn read(folder: &Path) -> Result<Self, Error> {
        let place = display_path(folder);
        let record = record_in::<AuditRecord>(folder);
        let record = record.map_err(|error| Error::of(place.clone(), error))?;
        let command = record
            .as_ref()
            .and_then(|record| record.identity.command.as_ref());
        let part = command.and_then(|command| command.part);
        let (Some(record), Some(part)) = (record, part) else {
            return Err(Error::input(format!(
                "{place} has no report of a part of an audit"
            )));
        };
        let limit = record.identity.options.limit.map(|deals| part.share(deals));
        if let Some(deals) = limit.filter(|deals| record.deals < *deals) {
            let (counted, deals) = (thousands(record.deals), thousands(deals));
            let message =
                format!("unfinished: part {part} ({counted} of {deals} deals in {place})");
            return Err(Error::input(message).with_remedy(Remedy::Resume));
        }
        Ok(Self {
            folder: folder.to_owned(),
            part,
            record,
        })
    }

    /// Adds its deals to the counts, and returns what it has read.
    fn count(&self, counted: &mut AuditTests<'_>) -> Result<ReadState, Error> {
        let place = display_path(&self.folder);
        let unsound = |what: &str| {
            let error = Error::input(format!("the checkpoint in {place} {what}"));
            error.with_remedy(Remedy::DealPartAgain)
        };
        let found = Checkpoints::of(&self.folder).newest()?;
        let found = found.ok_or_else(|| unsound("is missing"))?;
        let (saved, (mut state, tests)) = saving::read(&found.checkpoint)?;
        let is_same = saved.identity == self.record.identity;
        let appended = counted.append(&mut state.auditor, tests);
        let is_sound = is_same && appended.map_err(Error::input)?;
        match is_sound && state.auditor.deals() == self.record.deals {
            true => Ok(state),
            false => Err(unsound("is not that of its report")),
        }
    }

    /// Its entry in the merged report.
    fn merged(&self) -> MergedAudit {
        let common = &self.record.common;
        MergedAudit {
            part: self.part,
            path: self.folder.display().to_string(),
            deals: self.record.deals,
            seconds: common.seconds,
            host: common.host.name.clone(),
            verdict: common.verdict,
        }
    }
}
