//! Resuming: the saved state of a run, and the options that a request takes from it.

use std::path::Path;

use crate::battery::Level;
use crate::report::{CheckpointRecord, Identity, Lock, OnConflict, PartRecord, RunRecord};
use crate::run::{Checkpoint, Checkpoints, Contents, StoredCheckpoint};

use super::RunRequest;
use crate::error::{Error, Remedy};
use crate::observer::Observer;
use crate::printable::display_path;
use crate::sampler::Planning;

/// The earlier run that a folder contains.
pub(super) enum Saved {
    /// There is none, or resuming was not requested.
    Nothing,
    /// An unfinished run.
    Unfinished(Box<CheckpointRecord>, Checkpoint),
    /// A finished run.
    Finished(Box<RunRecord>),
}

/// Finds the run to resume, and locks its folder.
pub(super) fn find(folder: &Path, observer: &dyn Observer) -> Result<(Saved, Option<Lock>), Error> {
    let nothing = || {
        let folder = display_path(folder);
        observer.note(&format!(
            "no checkpoint in {folder}; the run starts from its first deal"
        ));
    };
    if !folder.exists() {
        nothing();
        return Ok((Saved::Nothing, None));
    }
    let lock = Lock::take(folder)?;
    let saved = match (
        Checkpoints::of(folder).newest()?,
        lock.record::<RunRecord>(),
    ) {
        (Some(found), Some(run)) if is_finished_part(&found, &run) => {
            Saved::Finished(Box::new(run))
        }
        (Some(found), _) => unfinished(folder, found, observer)?,
        (None, Some(run)) if run.stopped.is_none() && run.part.is_some() => {
            let message = format!(
                "{} has the report of a part without its checkpoint, which merging needs",
                display_path(folder)
            );
            return Err(Error::input(message).with_remedy(Remedy::DealPartAgain));
        }
        (None, Some(run)) if run.stopped.is_none() => Saved::Finished(Box::new(run)),
        (None, Some(_)) => {
            let folder = display_path(folder);
            observer.note(&format!(
                "{folder} has the report of a stopped run without its checkpoints; the run starts from its first deal"
            ));
            Saved::Nothing
        }
        (None, None) => {
            nothing();
            Saved::Nothing
        }
    };
    Ok((saved, Some(lock)))
}

/// The condition of the run whose newest checkpoint is in this folder; `None` without one.
///
/// # Errors
///
/// If the checkpoint cannot be read, or is not that of a run.
pub fn saved_condition(folder: &Path) -> Result<Option<String>, Error> {
    let Some(found) = Checkpoints::of(folder).newest()? else {
        return Ok(None);
    };
    let record = serde_json::from_str::<CheckpointRecord>(&found.checkpoint.description);
    let record = record.map_err(|error| Error::input(error).context(display_path(folder)))?;
    Ok(Some(record.identity.condition))
}

/// Whether a checkpoint is that of a finished and reported part.
fn is_finished_part(found: &StoredCheckpoint, run: &RunRecord) -> bool {
    let record = serde_json::from_str::<CheckpointRecord>(&found.checkpoint.description);
    let is_whole = |saved: &CheckpointRecord, part: &PartRecord| {
        saved.part.as_ref() == Some(part)
            && saved.dealt == part.deals
            && saved.identity.difference(&run.identity).is_none()
    };
    run.stopped.is_none()
        && (record.ok().zip(run.part.as_ref())).is_some_and(|(saved, part)| is_whole(&saved, part))
}

/// Loads an unfinished run from its checkpoint.
fn unfinished(
    folder: &Path,
    found: StoredCheckpoint,
    observer: &dyn Observer,
) -> Result<Saved, Error> {
    Checkpoints::of(folder).put_aside(&found)?;
    let StoredCheckpoint {
        checkpoint,
        passed_over,
    } = found;
    if let Some((path, damage)) = passed_over {
        let path = display_path(&path);
        observer.warn(&format!(
            "{path} {damage}; the run resumes from the previous checkpoint"
        ));
    }
    let no_run = format!(
        "the checkpoint in {} does not describe a run",
        display_path(folder)
    );
    let record = serde_json::from_str::<CheckpointRecord>(&checkpoint.description);
    let record = record.map_err(|error| Error::input(error).context(&no_run))?;
    if !(record.seconds.is_finite() && record.seconds >= 0.0) {
        return Err(Error::input(no_run.to_string()));
    }
    Ok(Saved::Unfinished(Box::new(record), checkpoint))
}

impl Saved {
    /// How to treat the contents of the folder.
    pub(super) fn on_conflict(&self, requested: OnConflict) -> OnConflict {
        match self {
            Self::Nothing => requested,
            Self::Unfinished(..) => OnConflict::Replace,
            Self::Finished(_) => OnConflict::Keep,
        }
    }

    /// Fills in missing options with those of the saved run.
    pub(super) fn complete(&self, request: &mut RunRequest) {
        match self {
            Self::Nothing => {}
            Self::Unfinished(record, _) => complete(request, record),
            Self::Finished(record) => {
                let evidence = record.evidence.as_ref();
                let evidence = evidence.map(|evidence| (evidence.target, evidence.kept));
                let (target, keep) = evidence.unzip();
                request.complete(&record.identity);
                request.battery.complete(&record.battery, target, keep);
            }
        }
    }

    /// The inputs with which the saved run chose its sampler.
    pub(super) fn planning(&self) -> Option<&Planning> {
        match self {
            Self::Nothing => None,
            Self::Unfinished(record, _) => Some(&record.planning),
            Self::Finished(record) => Some(&record.planning),
        }
    }

    /// Rejects resuming a run that would never end.
    pub(super) fn refuse_endless(&self, request: &RunRequest) -> Result<(), Error> {
        match self {
            Self::Unfinished(saved, _)
                if saved.identity.is_endless() && (request.deals, request.time) == (None, None) =>
            {
                Err(Error::usage(
                    "the run has no number of deals and ended by time: give a time limit again",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Rejects a different run, as far as that is known before anything is listed.
    pub(super) fn refuse_other(&self, identity: &Identity) -> Result<(), Error> {
        match self {
            Self::Unfinished(saved, _) => match saved.identity.difference(identity) {
                Some(difference) => Err(another(&difference)),
                None => Ok(()),
            },
            Self::Nothing | Self::Finished(_) => Ok(()),
        }
    }

    /// The state to resume from; adds the time and resumptions so far to the record. Rejects a
    /// different run.
    pub(super) fn contents(&self, run: &mut CheckpointRecord) -> Result<Option<Contents>, Error> {
        let Self::Unfinished(saved, checkpoint) = self else {
            return Ok(None);
        };
        if let Some(difference) = saved.difference(run) {
            return Err(another(&difference));
        }
        saved.start.clone_into(&mut run.start);
        run.seconds = saved.seconds;
        run.resumed = saved.resumed.saturating_add(1);
        let contents = checkpoint.contents();
        let contents =
            contents.map_err(|damage| Error::input(format!("the checkpoint {damage}")))?;
        Ok(Some(contents))
    }

    /// The verdict of a finished run, if this is the same run; rejects different tests of it.
    pub(super) fn finished(
        &self,
        run: &CheckpointRecord,
    ) -> Result<Option<(&RunRecord, Level)>, Error> {
        let Self::Finished(record) = self else {
            return Ok(None);
        };
        let is_same =
            record.identity.difference(&run.identity).is_none() && record.part == run.part;
        let level = record.verdict.as_deref().and_then(Level::named);
        let Some(level) = level.filter(|_| is_same) else {
            return Ok(None);
        };
        if let Some(evidence) = &record.evidence
            && (&record.battery, evidence.target, evidence.kept)
                != (&run.battery, run.target, run.keep)
        {
            let message = format!(
                "the run is finished, with battery {}, target {} and {} deals kept",
                record.battery, evidence.target, evidence.kept
            );
            return Err(Error::usage(message).with_remedy(Remedy::WriteElsewhereOrStartAgain));
        }
        Ok(Some((record, level)))
    }
}

/// Fills in missing options with those of a saved run.
pub(super) fn complete(request: &mut RunRequest, record: &CheckpointRecord) {
    request.complete(&record.identity);
    let (target, keep) = (Some(record.target), Some(record.keep));
    request.battery.complete(&record.battery, target, keep);
}

/// The error for a saved run that differs from this one.
fn another(difference: &str) -> Error {
    let message = format!("the checkpoint belongs to a different run ({difference})");
    Error::usage(message).with_remedy(Remedy::ResumeTheSame)
}
