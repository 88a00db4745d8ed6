//! The stages of a run: plan, lock, list, deal, conclude.

use std::time::Instant;

use super::super::prepare::{ConditionInput, Prepared};
use super::super::random::{RandomWords, defective};
use super::driver::{Driver, RunLimits, not_saved};
use super::processes::Processes;
use super::report::{Conclusion, DealtRun, RunReport, description};
use super::request::MOST_BATCHES;
use super::resume;
use super::samples::FirstDeals;
use super::{RunOutcome, RunRequest};
use crate::battery::Battery;
use crate::draw::{DealSource, Seeded, WithDraws};
use crate::error::Error;
use crate::observer::{Observer, Stage};
use crate::population::Listings;
use crate::report::{CheckpointRecord, Folder, PartRecord, Stopped};
use crate::run::{self, Checkpoints, Contents, DEFAULT_DEALS, PartRange, Running};
use crate::theory::TheoryError;
use crate::threads::{Threads, Workers};
use crate::utc::UtcTime;

/// A run that is ready to be dealt.
struct ReadyRun<'j> {
    request: &'j RunRequest,
    words: &'j RandomWords,
    prepared: &'j Prepared,
    /// Folder of the checkpoints; `None` for a run in memory.
    folder: Option<&'j Folder>,
    observer: &'j dyn Observer,
    processes: Option<&'j Processes<'j>>,
    range: PartRange,
    /// The record for checkpoints.
    record: CheckpointRecord,
    begun: Instant,
}

/// Runs alone or as the leader of other processes.
pub(super) fn run(
    request: &RunRequest,
    input: ConditionInput,
    listings: &Listings,
    observer: &dyn Observer,
    processes: Option<&Processes<'_>>,
) -> Result<RunOutcome, Error> {
    let begun = Instant::now();
    let mut request = request.clone();
    let (start, lock) = resume::find(&mut request, observer)?;
    if let ConditionInput::Script(script) = &input {
        request.random = request.random.of_script(script);
    }
    let words = request.random.words()?;
    words.refuse_division(request.part.is_some(), processes.is_some())?;
    // The folder is taken after the input is known to be valid, and before anything is listed or
    // dealt.
    let planned = start.plan(&request, input, listings, observer)?;
    let identity = request.identity(&planned.script, planned.identity(), &words);
    let range = request.range(&identity, observer)?;
    let folder = start.folder(lock, &request, &identity)?;
    let prepared = planned.list(listings, observer)?;
    if !observer.is_quiet() {
        prepared.warn(observer);
    }
    let mut record = description(&prepared, identity, &request.battery);
    record.part = request.part.map(|part| PartRecord::new(part, &range));
    if let Some(outcome) = start.outcome(&record)? {
        return Ok(outcome);
    }
    let contents = start.contents(&mut record)?;
    let job = ReadyRun {
        request: &request,
        words: &words,
        prepared: &prepared,
        folder: Some(&folder),
        observer,
        processes,
        range,
        record,
        begun,
    };
    let (workers, conclusion, checkpoints) = job.conclusion(contents)?;
    let mut report = conclusion.report(prepared);
    workers.install(|| report.write(&folder))?;
    if let Some(checkpoints) = checkpoints {
        close(checkpoints, report.record.stopped, request.part.is_some())?;
    }
    log_end(&report);
    Ok(RunOutcome::Reported(Box::new(report)))
}

/// Completes the checkpoints of a reported run. A complete run needs none, except a part that will
/// be merged.
fn close(
    mut checkpoints: Checkpoints,
    stopped: Option<Stopped>,
    is_part: bool,
) -> Result<(), Error> {
    checkpoints.finish().map_err(not_saved)?;
    match (stopped, is_part) {
        (None, false) => checkpoints.remove()?,
        (None, true) => checkpoints.keep_newest()?,
        _ => {}
    }
    Ok(())
}

/// Deals and tests without a folder: writes nothing, and cannot be resumed. The folder, parts and
/// checkpoints of the request are not used.
///
/// # Errors
///
/// If the request contradicts itself, or deals cannot be drawn.
pub fn run_in_memory(
    request: &RunRequest,
    prepared: Prepared,
    observer: &dyn Observer,
) -> Result<RunReport, Error> {
    let begun = Instant::now();
    let words = request.random.of_script(&prepared.script).words()?;
    let identity = request.identity_of(&prepared, &words);
    let range = request.range(&identity, observer)?;
    let record = description(&prepared, identity, &request.battery);
    let job = ReadyRun {
        request,
        words: &words,
        prepared: &prepared,
        folder: None,
        observer,
        processes: None,
        range,
        record,
        begun,
    };
    let (_, conclusion, _) = job.conclusion(None)?;
    Ok(conclusion.report(prepared))
}

impl ReadyRun<'_> {
    /// Number of threads that deal.
    fn threads(&self) -> Threads {
        match (self.request.battery.threads, self.processes) {
            _ if self.words.generator.is_one_sequence() => Threads::ONE,
            (None, Some(processes)) => processes.threads(),
            _ => self.request.battery.threads(),
        }
    }

    /// Whether only time or a verdict ends the run.
    fn is_endless(&self) -> bool {
        self.record.identity.is_endless()
    }

    /// The deals for which buffers and tests are planned: all, or those that a run without an end
    /// may reach.
    fn planned(&self) -> PartRange {
        match self.is_endless() {
            false => self.range.clone(),
            true => {
                let batch = self.record.identity.batch;
                let deals = self.record.planning.workload.deals.max(DEFAULT_DEALS);
                PartRange::whole(deals.min(MOST_BATCHES.saturating_mul(batch)), batch)
            }
        }
    }

    /// Refuses to deal one sequence of deals in parts or processes.
    fn refuse_division(&self, source: &dyn DealSource) -> Result<(), Error> {
        if source.is_one_sequence() && (self.request.part.is_some() || self.processes.is_some()) {
            return Err(Error::usage(
                "this defect deals one sequence, which cannot be dealt in parts or by several processes",
            ));
        }
        Ok(())
    }

    /// Deals the run and collects its results, on these workers. Its last checkpoint may still be
    /// written.
    fn conclusion(
        &self,
        contents: Option<Contents>,
    ) -> Result<(Workers, Conclusion, Option<Checkpoints>), Error> {
        let threads = self.threads();
        let workers = Workers::take(threads)?;
        let (dealt, checkpoints) = self.deal(&workers, threads, contents)?;
        let (request, is_saved) = (self.request, checkpoints.is_some());
        // The other processes, which a job has, stay on this thread.
        let source = (self.words, self.prepared);
        let conclusion = workers.install(|| conclude(request, source, dealt, is_saved))?;
        Ok((workers, conclusion, checkpoints))
    }

    /// Deals, looks and saves until the end or a stop.
    fn deal(
        &self,
        workers: &Workers,
        threads: Threads,
        contents: Option<Contents>,
    ) -> Result<(DealtRun, Option<Checkpoints>), Error> {
        let threads = threads.get();
        let (request, words, prepared) = (self.request, self.words, self.prepared);
        let observer = self.observer;
        let planned = self.planned();
        let (dealer, tests) = workers.install(|| {
            let (battery, population) = (&request.battery, &prepared.population);
            let tests = battery.tests(population, battery.depth(), observer)?;
            Ok::<_, Error>((prepared.dealer()?, tests))
        })?;
        let seeded = Seeded {
            dealer: &dealer,
            generator: &*words.generator,
        };
        let defective = request
            .defect
            .map(|defect| defective(defect, words, prepared))
            .transpose()?;
        let source: &dyn DealSource = match &defective {
            None => &seeded,
            Some(defective) => defective,
        };
        let source = &WithDraws::new(source, &*words.generator, prepared.script.has_draws());
        self.refuse_division(source)?;
        let others = self
            .processes
            .map(|processes| processes.start(&self.record, threads))
            .transpose()?;
        let (plan, expected) = tests;
        let keep_filter = prepared.keep_filter(self.record.identity.produce);
        let size = (self.record.identity.deals, self.record.identity.batch);
        let mut running = Running::new(source, &plan, &keep_filter, size);
        if let Some((others, _)) = others {
            running = running.with_other_processes(others);
        }
        if request.part.is_some() {
            running = running.part(self.range.clone());
        }
        let battery = expected.map(|expected| {
            let target = request.battery.target();
            let mut terms = run::terms_of_part(&plan, &planned, size.1, target);
            terms.open = self.is_endless();
            Battery::new(terms, expected)
        });
        let mut driver = self.driver(running, battery)?;
        match (contents, self.folder) {
            (Some(contents), _) => driver = workers.install(|| driver.resume(contents))?,
            // Checkpoints of another run are replaced.
            (None, Some(folder)) => Checkpoints::of(folder.path()).remove()?,
            (None, None) => {}
        }
        self.log_start(threads, driver.battery.is_some());
        let known = (!self.is_endless()).then(|| self.range.count());
        let stage = self.observer.stage(Stage::Deals, known);
        stage.begin_at(driver.running.dealt());
        let stopped = workers.install(|| driver.go(&*stage));
        drop(stage);
        let stopped = stopped?;
        self.dismiss(&mut driver)?;
        driver.check_source()?;
        let (record, pace) = (driver.record.clone(), driver.pace.take());
        let (counted, battery, checkpoints) = workers.install(|| driver.finish(stopped));
        let dealt = DealtRun {
            counted,
            battery,
            record,
            pace,
            stopped,
            threads: others.map_or(threads, |(_, threads)| threads),
            processes: others.map(|(others, _)| others.team.processes()),
            path: source.isa().to_string(),
        };
        Ok((dealt, checkpoints))
    }

    /// A run before its first deal.
    fn driver<'r, 'p>(
        &'r self,
        running: Running<'r, 'p>,
        battery: Option<Battery>,
    ) -> Result<Driver<'r, 'p>, Error> {
        self.observer.allow_stop()?;
        let keeps = !self.words.generator.is_one_sequence();
        let time = self.request.time;
        Ok(Driver {
            population: &self.prepared.population,
            running,
            battery,
            checkpoints: self
                .folder
                .filter(|_| keeps)
                .map(|folder| Checkpoints::of(folder.path())),
            record: self.record.clone(),
            every: self.request.checkpoint,
            limits: RunLimits {
                observer: self.observer,
                deadline: time.and_then(|time| self.begun.checked_add(time)),
                until: self.request.until,
            },
            pace: None,
        })
    }

    /// Ends the other processes, if any, and checks that the population of each was unchanged.
    fn dismiss(&self, driver: &mut Driver<'_, '_>) -> Result<(), Error> {
        let Some(processes) = self.processes else {
            return Ok(());
        };
        let dismissed = driver.running.dismiss();
        dismissed.map_err(|error| error.of(&self.prepared.population))?;
        processes.end().inspect_err(|_| {
            // The checkpoints contain counts of the failed processes.
            if let Some(checkpoints) = &mut driver.checkpoints {
                let _ = checkpoints.remove();
            }
        })
    }

    /// Logs the start of the run. Warns if it waits for a verdict without tests.
    fn log_start(&self, threads: usize, is_tested: bool) {
        if !is_tested && self.request.until.is_some() {
            let why = TheoryError::TooLong;
            let warning = format!("no verdict can stop this run: no tests are possible ({why})");
            self.observer.warn(&warning);
        }
        let (identity, case_file) = (&self.record.identity, self.record.case_file.as_ref());
        tracing::info!(
            target: "run",
            name = self.request.name,
            condition = identity.condition,
            deals = identity.deals,
            part = self.record.part.map(|record| record.part.to_string()),
            seed = identity.seed,
            generator = %identity.generator,
            threads,
            case_file = case_file.map(|file| file.path.as_str()),
            total = self.prepared.population.total(),
            "run started"
        );
    }
}

/// Collects the results of a run after dealing.
fn conclude(
    request: &RunRequest,
    (words, prepared): (&RandomWords, &Prepared),
    dealt: DealtRun,
    is_saved: bool,
) -> Result<Conclusion, Error> {
    let steps = request.exact_steps(dealt.counted.counts.deals());
    let begins_later = request.part.is_some_and(|part| part.part > 1);
    let first_deals = match request.defect {
        // Samples start with the run's first deal, and sampling would deal without the defect.
        None if !begins_later => {
            let is_interrupted = dealt.stopped == Some(Stopped::Interrupted);
            FirstDeals::find(prepared, &*words.generator, &dealt.counted, is_interrupted)?
        }
        _ => FirstDeals::default(),
    };
    Ok(Conclusion {
        name: request.name.clone(),
        answered: prepared.answers(&dealt.counted, steps),
        dealt,
        is_saved,
        fresh_seed: words.is_fresh.then(|| words.seed.clone()),
        ended: UtcTime::now().to_string(),
        merged: None,
        first_deals,
        kept_theory: prepared.kept_theory(steps),
    })
}

/// Logs the result of the run.
fn log_end(report: &RunReport) {
    let record = &report.record;
    let (dealt, seconds) = (record.dealt, record.common.seconds);
    match record.stopped {
        None => {}
        Some(Stopped::Interrupted) => {
            tracing::warn!(target: "run", deals = dealt, "interrupted");
        }
        Some(stopped) => {
            let why = stopped.name();
            tracing::info!(target: "run", deals = dealt, why, "stopped");
        }
    }
    let folder = report.folder().display().to_string();
    tracing::info!(target: "run", folder, "report written");
    let evidence = record.common.evidence.as_ref();
    // Unfinished batches took time too.
    let is_whole = record.stopped.is_none();
    let per_second = is_whole.then(|| dealt as f64 / seconds.max(1e-9));
    tracing::info!(
        target: "run",
        verdict = record.common.verdict.name(),
        s = evidence.and_then(|evidence| evidence.largest_s),
        deals = dealt,
        part = record.part.map(|record| record.part.to_string()),
        seconds,
        per_second,
        "finished"
    );
}
