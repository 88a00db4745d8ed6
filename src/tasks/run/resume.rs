//! Resuming: the saved state of a run, and the options that a request takes from it.

use std::path::Path;

use crate::language::Script;
use crate::population::Listings;
use crate::report::{CheckpointRecord, Folder, Identity, Lock, OnConflict, PartRecord, RunRecord};
use crate::run::{Checkpoint, Checkpoints, Contents, StoredCheckpoint};

use super::super::prepare::{ConditionInput, PlannedScript, workload_of_run};
use super::{RunOutcome, RunRequest};
use crate::error::{Error, Remedy};
use crate::observer::Observer;
use crate::printable::display_path;
use crate::sampler::{Planning, Sampling};

/// How a run starts.
pub(super) enum Start {
    /// From its first deal.
    Fresh,
    /// From a checkpoint.
    Resume(Box<CheckpointRecord>, Checkpoint),
    /// Not at all: it is finished.
    Finished(Box<RunRecord>),
}

/// Finds how a requested run starts, and locks the folder of a run to resume. Fills in options of
/// the request with those of the earlier run.
pub(super) fn find(
    request: &mut RunRequest,
    observer: &dyn Observer,
) -> Result<(Start, Option<Lock>), Error> {
    if request.on_conflict != OnConflict::Resume {
        return Ok((Start::Fresh, None));
    }
    if request.random.is_read() {
        return Err(Error::usage(
            "a run on random words from a file or standard input cannot be resumed",
        ));
    }
    let folder = request.folder.clone();
    let place = display_path(&folder);
    let fresh = |lock| {
        observer.note(&format!(
            "no checkpoint in {place}; the run starts from its first deal"
        ));
        Ok((Start::Fresh, lock))
    };
    if !folder.exists() {
        return fresh(None);
    }
    let lock = Lock::take(&folder)?;
    let start = match (
        Checkpoints::of(&folder).newest()?,
        lock.record::<RunRecord>(),
    ) {
        (Some(found), Some(run)) if is_finished_part(&found, &run) => {
            Start::Finished(Box::new(run))
        }
        (Some(found), _) => unfinished(&folder, found, observer)?,
        (None, Some(run)) if run.stopped.is_none() && run.part.is_some() => {
            let message = format!(
                "{place} has the report of a part without its checkpoint, which merging needs"
            );
            return Err(Error::input(message).with_remedy(Remedy::DealPartAgain));
        }
        (None, Some(run)) if run.stopped.is_none() => Start::Finished(Box::new(run)),
        (None, Some(_)) => {
            observer.note(&format!(
                "{place} has the report of a stopped run without its checkpoints; the run starts from its first deal"
            ));
            Start::Fresh
        }
        (None, None) => return fresh(Some(lock)),
    };
    start.complete(request)?;
    Ok((start, Some(lock)))
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

/// The valid checkpoint that was found in a folder. Puts a rejected one aside, with a warning.
pub(in super::super) fn stored(
    folder: &Path,
    found: StoredCheckpoint,
    observer: &dyn Observer,
) -> Result<Checkpoint, Error> {
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
    Ok(checkpoint)
}

/// Loads an unfinished run from its checkpoint.
fn unfinished(
    folder: &Path,
    found: StoredCheckpoint,
    observer: &dyn Observer,
) -> Result<Start, Error> {
    let checkpoint = stored(folder, found, observer)?;
    let no_run = format!(
        "the checkpoint in {} does not describe a run",
        display_path(folder)
    );
    let record = serde_json::from_str::<CheckpointRecord>(&checkpoint.description);
    let record = record.map_err(|error| Error::input(error).context(&no_run))?;
    if !(record.seconds.is_finite() && record.seconds >= 0.0) {
        return Err(Error::input(no_run.to_string()));
    }
    Ok(Start::Resume(Box::new(record), checkpoint))
}

impl Start {
    /// Fills in options that are not given with those of the earlier run. Rejects a run that would
    /// never end.
    fn complete(&self, request: &mut RunRequest) -> Result<(), Error> {
        match self {
            Self::Fresh => {}
            Self::Resume(saved, _) => {
                let is_endless = saved.identity.is_endless();
                if is_endless && (request.deals, request.time) == (None, None) {
                    return Err(Error::usage(
                        "the run has no number of deals and ended by time: give a time limit again",
                    ));
                }
                complete(request, saved);
            }
            Self::Finished(record) => {
                let evidence = record.common.evidence.as_ref();
                let evidence = evidence.map(|evidence| (evidence.target, evidence.kept));
                let (target, keep) = evidence.unzip();
                request.complete(&record.identity);
                request.battery.complete(&record.battery, target, keep);
            }
        }
        Ok(())
    }

    /// The identity and the plan of the earlier run.
    fn earlier(&self) -> Option<(&Identity, &Planning)> {
        match self {
            Self::Fresh => None,
            Self::Resume(saved, _) => Some((&saved.identity, &saved.planning)),
            Self::Finished(record) => Some((&record.identity, &record.planning)),
        }
    }

    /// Chooses the sampler of the run: that of the earlier run, unless another condition or other
    /// options are given.
    pub(super) fn plan(
        &self,
        request: &RunRequest,
        input: ConditionInput,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<PlannedScript, Error> {
        let sampling = request.sampling.with_defect(request.defect.is_some());
        let is_kept = |planning: &Planning| {
            request.sampling == Sampling::default() || sampling == planning.sampling
        };
        let (earlier, input) = match (self.earlier(), input) {
            (Some((identity, planning)), ConditionInput::Script(script))
                if is_kept(planning) && script.condition.text() == identity.condition =>
            {
                let population = &identity.population;
                return PlannedScript::again(*script, population, planning, listings);
            }
            (earlier, input) => (earlier, input),
        };
        let workload = |script: &Script| match earlier {
            Some((_, planning)) => planning.workload,
            None => workload_of_run(request.deals, request.time, script),
        };
        PlannedScript::new(input, &sampling, workload, listings, observer)
    }

    /// Takes the folder of the report; fails if it holds something that must not be replaced, or the
    /// checkpoint of a different run.
    pub(super) fn folder(
        &self,
        lock: Option<Lock>,
        request: &RunRequest,
        identity: &Identity,
    ) -> Result<Folder, Error> {
        let on_conflict = match self {
            Self::Fresh => request.on_conflict,
            Self::Resume(saved, _) => match saved.identity.difference(identity) {
                Some(difference) => return Err(another(&difference)),
                None => OnConflict::Replace,
            },
            Self::Finished(_) => OnConflict::Keep,
        };
        let subject = (identity, request.part);
        let folder = match lock {
            Some(lock) => Folder::locked::<RunRecord>(lock, subject, on_conflict)?,
            None => Folder::take::<RunRecord>(&request.folder, subject, on_conflict)?,
        };
        Ok(folder.with_formats(&request.formats))
    }

    /// The state to resume from; adds the time and resumptions so far to the record. Rejects a
    /// different run.
    pub(super) fn contents(&self, run: &mut CheckpointRecord) -> Result<Option<Contents>, Error> {
        let Self::Resume(saved, checkpoint) = self else {
            return Ok(None);
        };
        if let Some(difference) = saved.difference(run) {
            return Err(another(&difference));
        }
        saved.start.clone_into(&mut run.start);
        run.seconds = saved.seconds;
        run.resumed = saved.resumed.saturating_add(1);
        let contents = checkpoint.contents::<Contents>();
        let contents =
            contents.map_err(|damage| Error::input(format!("the checkpoint {damage}")))?;
        Ok(Some(contents))
    }

    /// The outcome of a finished run, if this is the same run; rejects different tests of it.
    pub(super) fn outcome(&self, run: &CheckpointRecord) -> Result<Option<RunOutcome>, Error> {
        let Self::Finished(record) = self else {
            return Ok(None);
        };
        let is_same =
            record.identity.difference(&run.identity).is_none() && record.part == run.part;
        if !is_same {
            return Ok(None);
        }
        if let Some(evidence) = &record.common.evidence
            && (&record.battery, evidence.target, evidence.kept)
                != (&run.battery, run.target, run.keep)
        {
            let message = format!(
                "the run is finished, with battery {}, target {} and {} deals kept",
                record.battery, evidence.target, evidence.kept
            );
            return Err(Error::usage(message).with_remedy(Remedy::WriteElsewhereOrStartAgain));
        }
        Ok(Some(RunOutcome::Finished(record.clone())))
    }
}

/// Fills in missing options with those of a saved run.
pub(super) fn complete(request: &mut RunRequest, record: &CheckpointRecord) {
    request.complete(&record.identity);
    let (target, keep) = (Some(record.target), Some(record.keep));
    request.battery.complete(&record.battery, target, keep);
}

/// The error for a saved run that differs from this one.
pub(in super::super) fn another(difference: &str) -> Error {
    let message = format!("the checkpoint belongs to a different run ({difference})");
    Error::usage(message).with_remedy(Remedy::ResumeTheSame)
}
