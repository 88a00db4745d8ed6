//! The stages of a run: plan, lock, list, deal, conclude.

use std::time::Instant;

use super::super::prepare::{ConditionInput, Prepared};
use super::super::random::{RandomWords, defective};
use super::driver::{Driver, Limits, not_saved};
use super::processes::Processes;
use super::report::{Conclusion, RunReport, description};
use super::request::MOST_BATCHES;
use super::resume;
use super::samples::FirstDeals;
use super::{RunOutcome, RunRequest};
use crate::battery::Battery;
use crate::draw::{DealSource, Isa, Seeded, WithDraws};
use crate::error::Error;
use crate::observer::{Observer, Stage};
use crate::population::Listings;
use crate::report::{CheckpointRecord, CountedAnswer, Folder, PartRecord, Stopped};
use crate::run::{self, Checkpoints, Contents, DEFAULT_DEALS, Pace, PartRange, RunCounts, Running};
use crate::theory::TheoryError;
use crate::threads::{Threads, Workers};
use crate::utc::UtcTime;

/// A run that is ready to be dealt.
struct Job<'j> {
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

/// A run after dealing, complete or not.
struct DealtRun {
    counted: RunCounts,
    battery: Option<Battery>,
    record: CheckpointRecord,
    pace: Option<Pace>,
    /// The last one may still be written.
    checkpoints: Option<Checkpoints>,
    stopped: Option<Stopped>,
    threads: usize,
    processes: Option<usize>,
    isa: Isa,
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
    if request.part.is_some() {
        words.refuse_parts()?;
    }
    if processes.is_some() {
        words.refuse_processes()?;
    }
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
    let job = Job {
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
    let threads = job.threads();
    let workers = Workers::take(threads)?;
    let dealt = job.deal(&workers, threads, contents)?;
    let (conclusion, checkpoints) =
        workers.install(|| conclude(&request, &words, &prepared, dealt))?;
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

/// Runs without a folder: writes nothing, and cannot be resumed.
pub(super) fn run_in_memory(
    request: &RunRequest,
    prepared: Prepared,
    observer: &dyn Observer,
) -> Result<RunReport, Error> {
    let begun = Instant::now();
    let words = request.random.of_script(&prepared.script).words()?;
    let identity = request.identity_of(&prepared, &words);
    let range = request.range(&identity, observer)?;
    let record = description(&prepared, identity, &request.battery);
    let job = Job {
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
    let threads = job.threads();
    let workers = Workers::take(threads)?;
    let dealt = job.deal(&workers, threads, None)?;
    let (conclusion, _) = workers.install(|| conclude(request, &words, &prepared, dealt))?;
    Ok(conclusion.report(prepared))
}

impl Job<'_> {
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

    /// Deals, looks and saves until the end or a stop.
    fn deal(
        &self,
        workers: &Workers,
        threads: Threads,
        contents: Option<Contents>,
    ) -> Result<DealtRun, Error> {
        let threads = threads.get();
        let (request, words, prepared) = (self.request, self.words, self.prepared);
        let observer = self.observer;
        let planned = self.planned();
        let (dealer, tests) = workers.install(|| {
            let (battery, population) = (&request.battery, &prepared.population);
            let tests = battery.tests(population, battery.depth(), observer)?;
            Ok::<_, Error>((prepared.dealer(planned.count())?, tests))
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
        let mut terms = run::terms_of_part(&plan, &planned, size.1, request.battery.target());
        terms.open = self.is_endless();
        let battery = expected.map(|expected| Battery::new(terms, expected));
        let mut driver = self.driver(running, battery)?;
        match (contents, self.folder) {
            (Some(contents), _) => driver = workers.install(|| driver.resume(contents))?,
            // Checkpoints of another run are replaced.
            (None, Some(folder)) => Checkpoints::of(folder.path()).remove()?,
            (None, None) => {}
        }
        if driver.battery.is_none() && request.until.is_some() {
            let why = TheoryError::Predeal;
            let warning = format!("no verdict can stop this run: no tests are possible ({why})");
            self.observer.warn(&warning);
        }
        self.log_start(threads);
        let known = (!self.is_endless()).then(|| self.range.count());
        let stage = self.observer.stage(Stage::Deals, known);
        stage.begin_at(driver.running.dealt());
        let stopped = workers.install(|| driver.go(&*stage));
        drop(stage);
        let stopped = stopped?;
        self.dismiss(&mut driver)?;
        driver.check_source()?;
        let record = driver.record.clone();
        let pace = driver.pace.take();
        let (counted, battery, checkpoints) = workers.install(|| driver.finish(stopped));
        Ok(DealtRun {
            counted,
            battery,
            record,
            pace,
            checkpoints,
            stopped,
            threads: others.map_or(threads, |(_, threads)| threads),
            processes: others.map(|(others, _)| others.team.processes()),
            isa: source.isa(),
        })
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
            limits: Limits {
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

    /// Logs the start of the run.
    fn log_start(&self, threads: usize) {
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
    words: &RandomWords,
    prepared: &Prepared,
    mut dealt: DealtRun,
) -> Result<(Conclusion, Option<Checkpoints>), Error> {
    let checkpoints = dealt.checkpoints.take();
    let script = &prepared.script;
    let actions = script.actions.as_deref().unwrap_or_default();
    let deals = dealt.counted.counts.deals();
    let answered = CountedAnswer::all(
        &script.condition,
        actions,
        &dealt.counted.kept_counts.statistics,
        request.exact_steps(deals),
    );
    let begins_later = request.part.is_some_and(|part| part.part > 1);
    let first_deals = match request.defect {
        // Samples start with the run's first deal, and sampling would deal without the defect.
        None if !begins_later => {
            let is_interrupted = dealt.stopped == Some(Stopped::Interrupted);
            FirstDeals::find(prepared, &*words.generator, &dealt.counted, is_interrupted)?
        }
        _ => FirstDeals::default(),
    };
    let conclusion = Conclusion {
        name: request.name.clone(),
        counted: dealt.counted,
        answered,
        battery: dealt.battery,
        run: dealt.record,
        pace: dealt.pace,
        stopped: dealt.stopped,
        is_saved: checkpoints.is_some(),
        fresh_seed: words.is_fresh.then(|| words.seed.clone()),
        threads: dealt.threads,
        path: dealt.isa.to_string(),
        ended: UtcTime::now().to_string(),
        merged: None,
        processes: dealt.processes,
        first_deals,
        kept_theory: prepared.kept_theory(request.exact_steps(deals)),
    };
    Ok((conclusion, checkpoints))
}

/// Logs the result of the run.
fn log_end(report: &RunReport) {
    let record = &report.record;
    let (dealt, seconds) = (record.dealt, record.seconds);
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
    let evidence = record.evidence.as_ref();
    // Unfinished batches took time too.
    let is_whole = record.stopped.is_none();
    let per_second = is_whole.then(|| dealt as f64 / seconds.max(1e-9));
    tracing::info!(
        target: "run",
        verdict = record.verdict,
        s = evidence.and_then(|evidence| evidence.largest_s),
        deals = dealt,
        part = record.part.map(|record| record.part.to_string()),
        seconds,
        per_second,
        "finished"
    );
}
