//! The loop of a run: deals portions, makes looks and saves checkpoints until the end or a stop.

use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::super::input_files::break_if;
use crate::battery::{Battery, FIRST_LOOK, Level, counts_agree};
use crate::error::{Error, Remedy};
use crate::observer::{Observer, StageProgress};
use crate::population::Population;
use crate::report::{CheckpointRecord, Stopped};
use crate::run::{
    CheckpointError, Checkpoints, Contents, Durability, Pace, Pacing, RunCounts, RunError, RunStep,
    Running, WorkerCalls,
};
use crate::tally::Counts;

/// A look saves a checkpoint if the interval divided by this has passed since the last one.
const EARLY: u32 = 3;

/// The verdict at which a run stops before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// PASS, which requires the run's target of deals.
    Pass,
    /// SUSPICIOUS or worse.
    Suspicious,
    /// VERY SUSPICIOUS or worse.
    VerySuspicious,
    /// FAIL.
    Fail,
}

impl Until {
    /// Whether this verdict is reached. INVALID also ends the wait for PASS: more deals cannot
    /// help.
    pub(in super::super) fn is_reached(self, level: Level) -> bool {
        match self {
            Self::Pass => matches!(level, Level::Pass | Level::Invalid),
            Self::Suspicious => level >= Level::Suspicious,
            Self::VerySuspicious => level >= Level::VerySuspicious,
            Self::Fail => level >= Level::Fail,
        }
    }
}

/// Conditions that stop a run before its end.
#[derive(Clone, Copy)]
pub(super) struct RunLimits<'o> {
    pub(super) observer: &'o dyn Observer,
    /// No portion starts after this time.
    pub(super) deadline: Option<Instant>,
    pub(super) until: Option<Until>,
}

impl RunLimits<'_> {
    /// Why to stop now, if a condition holds.
    fn stopped(&self) -> Option<Stopped> {
        Stopped::now(self.observer, self.deadline)
    }
}

/// A run with its tests and its checkpoints.
pub(super) struct Driver<'r, 'f> {
    pub(super) population: &'r Population,
    pub(super) running: Running<'r, 'f>,
    pub(super) battery: Option<Battery>,
    /// `None` if the run cannot be resumed.
    pub(super) checkpoints: Option<Checkpoints>,
    /// The record for checkpoints; its seconds are those before the last start.
    pub(super) record: CheckpointRecord,
    /// Interval between checkpoints.
    pub(super) every: Duration,
    pub(super) limits: RunLimits<'r>,
    /// Speed since the start or the last resumption.
    pub(super) pace: Option<Pace>,
}

impl Driver<'_, '_> {
    /// Resumes from a checkpoint.
    pub(super) fn resume(self, contents: Contents) -> Result<Self, Error> {
        let unsound = |error: Error| error.context("the checkpoint cannot be resumed");
        let running = self.running.resumed(contents.state);
        let running = running.map_err(|error| match error {
            RunError::State(error) => unsound(Error::input(error)),
            other => other.of(self.population),
        })?;
        let battery = match (self.battery, contents.seen) {
            (None, None) => None,
            (Some(battery), Some(seen)) => {
                let battery = battery.having_seen(seen);
                Some(battery.map_err(|error| unsound(Error::input(error)))?)
            }
            _ => return Err(unsound(Error::input("it has different tests"))),
        };
        let deals = running.dealt();
        tracing::info!(target: "run", deals, "resumed from a checkpoint");
        Ok(Self {
            running,
            battery,
            ..self
        })
    }

    /// Deals, looks and saves on the threads of the current rayon pool, to the end. The last
    /// checkpoint may still be written then, while tests and the report are made.
    ///
    /// If it stops earlier, the last checkpoint contains all deals.
    pub(super) fn go(&mut self, stage: &dyn StageProgress) -> Result<Option<Stopped>, Error> {
        let pacing = Pacing::begin();
        let end = self.go_on(stage, &pacing);
        self.pace = Some(pacing.end()).filter(|pace| !pace.deals.is_empty());
        end
    }

    fn go_on(
        &mut self,
        stage: &dyn StageProgress,
        pacing: &Pacing,
    ) -> Result<Option<Stopped>, Error> {
        if self.is_verdict_reached() && !self.running.is_over() {
            return Ok(Some(Stopped::Verdict));
        }
        let begun = Instant::now();
        let mut saved = begun;
        loop {
            let (limits, every) = (&self.limits, self.every);
            let keeps = self.checkpoints.is_some();
            let is_due = || keeps && saved.elapsed() >= every;
            // With other processes, a turn is shared: it counts completely or not at all.
            let alone = !self.running.is_led();
            let work = WorkerCalls {
                pause: &|| match alone {
                    true => is_due() || limits.stopped().is_some(),
                    false => limits.observer.is_stop_asked(),
                },
                progress: &|deals| {
                    stage.advance(deals);
                    pacing.add(deals);
                },
            };
            let (battery, until) = (&mut self.battery, limits.until);
            let mut look = |counts: &Counts| look(battery.as_mut(), counts, until, stage);
            let step = self.running.step(&work, &mut look);
            let mut step = step.map_err(|error| error.of(self.population))?;
            let is_late = step == RunStep::Look && keeps && saved.elapsed() >= every / EARLY;
            if step != RunStep::LastLook && (is_due() || is_late || limits.stopped().is_some()) {
                match self.running.settle(&mut look) {
                    RunStep::Paused => {}
                    settled => step = settled,
                }
            }
            let is_over = self.running.is_over();
            let stopped = match step {
                _ if is_over => None,
                RunStep::Stopped => Some(Stopped::Interrupted),
                RunStep::LastLook => Some(Stopped::Verdict),
                _ => self.limits.stopped(),
            };
            // A part that is merged needs its last checkpoint.
            let is_last = stopped.is_some() || is_over && self.record.part.is_some();
            if is_due() || is_late || is_last {
                self.save(begun.elapsed(), stopped)?;
                saved = Instant::now();
            }
            if is_over || stopped.is_some() {
                self.record.seconds += begun.elapsed().as_secs_f64();
                return Ok(stopped);
            }
        }
    }

    fn is_verdict_reached(&self) -> bool {
        is_reached(self.limits.until, self.battery.as_ref())
    }

    /// Saves a checkpoint, if the population is unchanged and the counts are consistent.
    ///
    /// A stop request must end the program at once, so its checkpoint is not synced: after a power
    /// cut within seconds, the checkpoint before it is resumed.
    fn save(&mut self, elapsed: Duration, stopped: Option<Stopped>) -> Result<(), Error> {
        let Some(checkpoints) = &mut self.checkpoints else {
            return Ok(());
        };
        self.population
            .check_unchanged()
            .map_err(|error| error.with_remedy(Remedy::Resume))?;
        if !counts_agree(&self.running.state().counted.counts) {
            return Err(Error::io(
                "the counts contradict each other: the memory or processor of this machine is \
                 faulty. The last checkpoint is intact; take it to another machine",
            )
            .with_remedy(Remedy::Resume));
        }
        let record = CheckpointRecord {
            seconds: self.record.seconds + elapsed.as_secs_f64(),
            dealt: self.running.dealt(),
            ..self.record.clone()
        };
        let description = serde_json::to_string(&record).map_err(Error::io)?;
        let seen = self.battery.as_ref().map(Battery::seen);
        let durability = match stopped {
            Some(Stopped::Interrupted) => Durability::Unsynced,
            _ => Durability::Synced,
        };
        let saved = checkpoints.save(&description, &(self.running.state(), seen), durability);
        saved.map_err(not_saved)
    }

    /// Checks that the case file was not modified since it was opened.
    pub(super) fn check_source(&self) -> Result<(), Error> {
        let checked = self.population.check_unchanged();
        match self.checkpoints {
            Some(_) => checked.map_err(|error| error.with_remedy(Remedy::Resume)),
            None => checked,
        }
    }

    /// Returns the counts of complete batches and their tests.
    ///
    /// A run that ended by its time limit makes one more look. After a stop request or a verdict,
    /// the last look is final.
    pub(super) fn finish(
        self,
        stopped: Option<Stopped>,
    ) -> (RunCounts, Option<Battery>, Option<Checkpoints>) {
        let mut battery = self.battery;
        let counted = self.running.finish();
        if let Some(battery) = battery
            .as_mut()
            .filter(|_| stopped == Some(Stopped::TimeLimit))
        {
            let deals = counted.counts.deals();
            let looked = battery.looks().last().map_or(0, |look| look.deals);
            if deals >= FIRST_LOOK.max(looked + 1) {
                let s = battery.look(&counted.counts);
                let so_far = battery.level().so_far();
                tracing::info!(target: "run", deals, s, so_far, "look");
            }
        }
        (counted, battery, self.checkpoints)
    }
}

/// Makes the tests on all counts so far. Breaks if their verdict ends the run.
fn look(
    battery: Option<&mut Battery>,
    counts: &Counts,
    until: Option<Until>,
    stage: &dyn StageProgress,
) -> ControlFlow<()> {
    let Some(battery) = battery else {
        return ControlFlow::Continue(());
    };
    let s = battery.look(counts);
    let so_far = battery.level().so_far();
    stage.looked(s, so_far);
    tracing::info!(target: "run", deals = counts.deals(), s, so_far, "look");
    break_if(is_reached(until, Some(battery)))
}

/// Whether the tests have the verdict at which the run stops.
fn is_reached(until: Option<Until>, battery: Option<&Battery>) -> bool {
    let reached = until.zip(battery.map(Battery::level));
    reached.is_some_and(|(until, level)| until.is_reached(level))
}

/// The error for a checkpoint that could not be written.
pub(in super::super) fn not_saved(error: CheckpointError) -> Error {
    let is_full = match &error {
        CheckpointError::Io { source, .. } => matches!(
            source.kind(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded
        ),
        CheckpointError::Damaged(_) => false,
    };
    let advice = match is_full {
        true => "the run stops; the last checkpoint is intact: make room",
        false => "the run stops; the last checkpoint is intact",
    };
    Error::from(error)
        .with_advice(advice)
        .with_remedy(Remedy::Resume)
}
