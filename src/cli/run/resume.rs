//! `--resume`: what was saved of a run, and the options that are as they were.

use std::io::{self, Write};
use std::path::Path;

use fairdeal::battery::Level;
use fairdeal::defect::Defect;
use fairdeal::report::{CheckpointRecord, Earlier, Lock, RunRecord, grouped};
use fairdeal::run::{Checkpoint, Checkpoints, Contents, Found};

use super::Arguments;
use crate::cli::failure::Failure;
use crate::cli::values;

/// What a folder holds of an earlier run.
pub(super) enum Saved {
    /// Nothing to go on from, or nobody asked.
    Nothing,
    /// A run that is not finished.
    Unfinished(Box<CheckpointRecord>, Checkpoint),
    /// A run that came to its end.
    Finished(Box<RunRecord>),
}

/// Finds what there is to go on from, in a folder that nobody else writes to from now on.
pub(super) fn find(folder: &Path) -> Result<(Saved, Option<Lock>), Failure> {
    let nothing = || {
        let folder = folder.display();
        writeln!(
            io::stderr(),
            "note: nothing was saved in {folder}: the run begins with its first deal"
        )
    };
    if !folder.exists() {
        nothing()?;
        return Ok((Saved::Nothing, None));
    }
    let lock = Lock::take(folder)?;
    let saved = match (Checkpoints::of(folder).newest()?, lock.run()) {
        (Some(found), _) => unfinished(folder, found)?,
        (None, Some(run)) if run.stopped.is_none() => Saved::Finished(Box::new(run)),
        (None, _) => {
            nothing()?;
            Saved::Nothing
        }
    };
    Ok((saved, Some(lock)))
}

/// A run that goes on from the checkpoint that was found.
fn unfinished(folder: &Path, found: Found) -> Result<Saved, Failure> {
    let Found {
        checkpoint,
        passed_over,
    } = found;
    if let Some((path, damage)) = passed_over {
        let path = path.display();
        writeln!(
            io::stderr(),
            "warning: {path} {damage}: the run goes on from the checkpoint before it"
        )?;
    }
    let record = serde_json::from_str(&checkpoint.description).map_err(|error| {
        let context = format!("the checkpoint in {} describes no run", folder.display());
        Failure::input(anyhow::Error::new(error).context(context))
    })?;
    Ok(Saved::Unfinished(Box::new(record), checkpoint))
}

impl Saved {
    /// What becomes of what is in the folder.
    pub(super) fn earlier(&self, (force, resume): (bool, bool)) -> Earlier {
        match self {
            Self::Unfinished(..) => Earlier::Resumed,
            Self::Nothing if resume => Earlier::Begun,
            _ if force => Earlier::Replaced,
            _ => Earlier::Kept,
        }
    }

    /// Gives options that were not given the values that they had.
    pub(super) fn complete(&self, arguments: &mut Arguments) {
        let (identity, battery, target, keep) = match self {
            Self::Nothing => return,
            Self::Unfinished(record, _) => (
                &record.identity,
                &record.battery,
                Some(record.target),
                Some(record.keep),
            ),
            Self::Finished(record) => {
                let evidence = record.evidence.as_ref();
                let evidence = evidence.map(|evidence| (evidence.target, evidence.kept));
                let (target, keep) = evidence.unzip();
                (&record.identity, &record.battery, target, keep)
            }
        };
        let defect = identity.generator.strip_prefix("defect ");
        arguments.defect = arguments.defect.or_else(|| Defect::named(defect?));
        arguments
            .words
            .complete(&identity.seed, &identity.generator);
        // What no run can be of is left to be found different.
        let batch = || values::allowed(identity.batch, values::batch);
        arguments.batch = arguments.batch.or_else(batch);
        // Where the script limits what is kept, it says how many are drawn.
        if identity.produce.is_none() {
            let deals = || values::allowed(identity.deals, values::deals);
            arguments.deals = arguments.deals.or_else(deals);
        }
        arguments.battery.complete(battery, target, keep);
    }

    /// Where to go on, and what the run took so far; refuses another run's.
    pub(super) fn contents(&self, run: &mut CheckpointRecord) -> Result<Option<Contents>, Failure> {
        let Self::Unfinished(saved, checkpoint) = self else {
            return Ok(None);
        };
        if let Some(difference) = saved.difference(run) {
            return Err(Failure::usage(format!(
                "the checkpoint is of another run ({difference}): go on with the same options, \
                 write elsewhere with --out, or begin again with --force and without --resume"
            )));
        }
        saved.start.clone_into(&mut run.start);
        run.seconds = saved.seconds;
        run.resumed = saved.resumed + 1;
        let contents = checkpoint.contents();
        let contents = contents
            .map_err(|damage| Failure::input(anyhow::anyhow!("the checkpoint {damage}")))?;
        Ok(Some(contents))
    }

    /// The verdict of a run that needs no more deals, if this is the run.
    pub(super) fn finished(&self, run: &CheckpointRecord) -> Option<(&RunRecord, Level)> {
        let Self::Finished(record) = self else {
            return None;
        };
        let level = record.verdict.as_deref().and_then(Level::named)?;
        let has_same_tests = record.evidence.as_ref().is_none_or(|evidence| {
            (&record.battery, evidence.target, evidence.kept)
                == (&run.battery, run.target, run.keep)
        });
        let is_same = record.identity.difference(&run.identity).is_none();
        (is_same && has_same_tests).then_some((record, level))
    }
}

/// Says that nothing is left to do.
pub(super) fn print_finished(
    out: &mut impl Write,
    record: &RunRecord,
    level: Level,
    folder: &Path,
    is_json: bool,
) -> io::Result<()> {
    if is_json {
        return writeln!(out, "{}", serde_json::to_string_pretty(record)?);
    }
    let (deals, folder) = (grouped(record.dealt), folder.display());
    writeln!(out, "finished  {deals} deals were dealt before: {folder}")?;
    writeln!(out, "verdict   {}", level.name())
}
