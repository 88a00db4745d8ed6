//! Checkpoints of an audit, and how an audit starts from one.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::super::run::{another, not_saved, stored};
use super::request::AuditRequest;
use super::state::ReadState;
use crate::audit::{AuditTests, SavedTests};
use crate::error::{Error, Remedy};
use crate::observer::Observer;
use crate::printable::display_path;
use crate::report::{AuditIdentity, AuditRecord, Folder, Lock, OnConflict, PROGRAM};
use crate::run::{Checkpoint, Checkpoints, Durability};
use crate::utc::UtcTime;

/// The description of a checkpoint of an audit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AuditCheckpoint {
    program: String,
    #[serde(flatten)]
    pub(super) identity: AuditIdentity,
    /// Start time of the audit.
    pub(super) start: String,
    /// Time taken so far.
    pub(super) seconds: f64,
    /// Deals tested so far.
    deals: u64,
}

/// The state of an audit in a checkpoint.
pub(super) type SavedAudit = (ReadState, Option<SavedTests>);

/// How an audit starts.
pub(super) enum AuditStart {
    /// With its checkpoints, and the state to go on from.
    Ready(Folder, Box<Saving>, Option<Box<SavedAudit>>),
    /// Not at all: it is finished.
    Finished(Box<AuditRecord>),
}

/// The checkpoints of an audit.
pub(super) struct Saving {
    checkpoints: Checkpoints,
    pub(super) description: AuditCheckpoint,
    /// Interval between checkpoints; `None` if none are saved.
    every: Option<Duration>,
    begun: Instant,
    saved: Instant,
}

impl Saving {
    fn new(request: &AuditRequest, folder: &Folder, description: AuditCheckpoint) -> Self {
        Self {
            checkpoints: Checkpoints::of(folder.path()),
            description,
            every: request.checkpoint,
            begun: Instant::now(),
            saved: Instant::now(),
        }
    }

    /// Whether the last checkpoint is old.
    pub(super) fn is_due(&self) -> bool {
        self.every
            .is_some_and(|every| self.saved.elapsed() >= every)
    }

    /// Saves a checkpoint; it is not synced if the audit was asked to stop.
    pub(super) fn save(
        &mut self,
        state: &ReadState,
        tests: Option<&AuditTests<'_>>,
        durability: Durability,
    ) -> Result<(), Error> {
        if self.every.is_none() {
            return Ok(());
        }
        let tests = match tests.map(AuditTests::saved) {
            Some(None) => {
                return Err(Error::io(
                    "the counts contradict each other: the memory or processor of this machine is \
                     faulty. The last checkpoint is intact; take it to another machine",
                )
                .with_remedy(Remedy::Resume));
            }
            tests => tests.flatten(),
        };
        let description = AuditCheckpoint {
            seconds: self.description.seconds + self.begun.elapsed().as_secs_f64(),
            deals: state.auditor.deals(),
            ..self.description.clone()
        };
        let description = serde_json::to_string(&description).map_err(Error::io)?;
        let saved = self
            .checkpoints
            .save(&description, &(state, tests), durability);
        self.saved = Instant::now();
        saved.map_err(not_saved)
    }

    /// Ends the checkpoints of a reported audit, which are kept if it can be continued.
    pub(super) fn close(mut self, is_kept: bool) -> Result<(), Error> {
        self.checkpoints.finish().map_err(not_saved)?;
        match is_kept {
            true => Ok(()),
            false => Ok(self.checkpoints.remove()?),
        }
    }
}

/// Locks the folder of an audit and finds how it starts. Fills in the seed of the request with that
/// of the earlier audit, or a fresh one. `identity` is that of the request.
pub(super) fn begin(
    request: &mut AuditRequest,
    identity: impl Fn(&AuditRequest) -> AuditIdentity,
    observer: &dyn Observer,
) -> Result<AuditStart, Error> {
    let place = display_path(&request.folder);
    let fresh = |request: &mut AuditRequest, lock: Option<Lock>| {
        if let Some(command) = &mut request.command {
            command.choose_seed()?;
        }
        let identity = identity(request);
        let folder = match lock {
            Some(lock) => Folder::locked::<AuditRecord>(lock, &identity, request.on_conflict)?,
            None => Folder::take::<AuditRecord>(&request.folder, &identity, request.on_conflict)?,
        };
        Checkpoints::of(folder.path()).remove()?;
        let description = AuditCheckpoint {
            program: PROGRAM.to_owned(),
            identity,
            start: UtcTime::now().to_string(),
            seconds: 0.0,
            deals: 0,
        };
        let saving = Saving::new(request, &folder, description);
        Ok(AuditStart::Ready(folder, Box::new(saving), None))
    };
    if request.on_conflict != OnConflict::Resume {
        return fresh(request, None);
    }
    let lock = Lock::take(&request.folder)?;
    let found = Checkpoints::of(&request.folder).newest()?;
    if let Some(record) = lock.record::<AuditRecord>() {
        request.complete(&record.identity);
        // A part that is finished keeps its checkpoint.
        let is_whole = match &found {
            None => record.stopped.is_none(),
            Some(_) => request.part().is_some() && request.share() == Some(record.deals),
        };
        if is_whole && record.identity == identity(request) {
            return Ok(AuditStart::Finished(Box::new(record)));
        }
    }
    let Some(found) = found else {
        observer.note(&format!(
            "no checkpoint in {place}; the audit starts from its first board"
        ));
        return fresh(request, Some(lock));
    };
    let checkpoint = stored(&request.folder, found, observer)?;
    let (description, state) = read(&checkpoint)
        .map_err(|error| error.context(format!("the checkpoint in {place} is not of an audit")))?;
    request.complete(&description.identity);
    let identity = identity(request);
    if description.identity != identity || description.program != PROGRAM {
        return Err(another("an audit of other files or with other options"));
    }
    let folder = Folder::locked::<AuditRecord>(lock, &identity, OnConflict::Replace)?;
    let saving = Saving::new(request, &folder, description);
    let deals = state.0.auditor.deals();
    tracing::info!(target: "audit", deals, "resumed from a checkpoint");
    Ok(AuditStart::Ready(
        folder,
        Box::new(saving),
        Some(Box::new(state)),
    ))
}

/// The description and the state of a checkpoint.
pub(super) fn read(checkpoint: &Checkpoint) -> Result<(AuditCheckpoint, SavedAudit), Error> {
    let description = serde_json::from_str::<AuditCheckpoint>(&checkpoint.description);
    let description = description.map_err(Error::input)?;
    if !(description.seconds.is_finite() && description.seconds >= 0.0) {
        return Err(Error::input("its time is invalid"));
    }
    let state = checkpoint.contents::<SavedAudit>();
    Ok((description, state.map_err(Error::input)?))
}
