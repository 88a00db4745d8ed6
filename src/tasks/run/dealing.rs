//! The stages of a run: plan, lock, list, deal, conclude.

use std::time::Instant;

use jiff::Timestamp;

use super::super::battery::pool;
use super::super::prepare::{Input, Planned, Prepared, need_of_run};
use super::super::random::{RandomWords, defective};
use super::driver::{Driver, End, Limits, not_saved};
use super::processes::Processes;
use super::report::{Conclusion, RunReport, description};
use super::resume::{self, Saved};
use super::samples::samples;
use super::{Existing, RunOutcome, RunRequest};
use crate::battery::Battery;
use crate::draw::{Path, Seeded, Source, WithDraws};
use crate::error::Error;
use crate::observer::Observer;
use crate::population::Listings;
use crate::report::{Answered, CheckpointRecord, Folder, Identity, Lock, PartRecord, first_free};
use crate::run::{self, Checkpoints, Contents, Pace, Running, Stretch, Surveyed};
use crate::theory::TheoryError;

/// A run that is ready to be dealt.
struct Job<'j> {
    request: &'j RunRequest,
    words: &'j RandomWords,
    prepared: &'j Prepared,
    /// Folder of the checkpoints; `None` for a run in memory.
    folder: Option<&'j Folder>,
    observer: &'j dyn Observer,
    processes: Option<&'j Processes<'j>>,
    stretch: Stretch,
    /// The record for checkpoints.
    record: CheckpointRecord,
    begun: Instant,
}

/// A run after dealing, complete or not.
struct Dealt {
    surveyed: Surveyed,
    battery: Option<Battery>,
    record: CheckpointRecord,
    pace: Option<Pace>,
    /// The last one may still be written.
    checkpoints: Option<Checkpoints>,
    end: End,
    threads: usize,
    processes: Option<usize>,
    path: Path,
}

/// Runs alone or as the leader of other processes.
pub(super) fn run(
    request: &RunRequest,
    input: Input,
    listings: &Listings,
    observer: &dyn Observer,
    processes: Option<&Processes<'_>>,
) -> Result<RunOutcome, Error> {
    let begun = Instant::now();
    let mut request = request.clone();
    let is_resumed = request.existing == Existing::Resume;
    if is_resumed && request.random.is_read() {
        return Err(Error::usage(
            "a run on random words from a file or standard input cannot be resumed",
        ));
    }
    let (saved, lock) = match is_resumed {
        false => (Saved::Nothing, None),
        true => resume::find(&request.folder, observer)?,
    };
    saved.complete(&mut request);
    let words = request.random.words()?;
    if request.part.is_some() {
        words.refuse_parts()?;
    }
    if processes.is_some() {
        words.refuse_processes()?;
    }
    // The folder is taken after the input is known to be valid, and before anything is listed or
    // dealt.
    let need = |script: &_| need_of_run(request.deals, script);
    let sampling = request.sampling.with_defect(request.defect.is_some());
    let planned = Planned::new(input, &sampling, need, listings, observer)?;
    let identity = request.identity(&planned.script, planned.identity(), &words);
    let stretch = request.stretch(&identity, observer)?;
    saved.refuse_other(&identity)?;
    let folder = folder_for(&request, &saved, lock, &identity)?;
    let prepared = planned.list(listings, observer)?;
    if !observer.is_quiet() {
        prepared.warn(observer);
    }
    let start = Timestamp::now().to_string();
    let mut record = description(&prepared, identity, &request.battery, start);
    record.part = request.part.map(|part| PartRecord::new(part, &stretch));
    if let Some((record, level)) = saved.finished(&record)? {
        return Ok(RunOutcome::Finished {
            record: Box::new(record.clone()),
            level,
        });
    }
    let contents = saved.contents(&mut record)?;
    let job = Job {
        request: &request,
        words: &words,
        prepared: &prepared,
        folder: Some(&folder),
        observer,
        processes,
        stretch,
        record,
        begun,
    };
    let threads = job.threads();
    let pool = pool(threads)?;
    let dealt = job.deal(&pool, threads, contents)?;
    let (conclusion, mut checkpoints) =
        pool.install(|| conclude(&request, &words, &prepared, dealt))?;
    let mut report = conclusion.report(prepared);
    pool.install(|| report.write(&folder))?;
    if let Some(checkpoints) = &mut checkpoints {
        checkpoints.finish().map_err(not_saved)?;
    }
    log_end(&report);
    // A complete, reported run needs no checkpoint, except a part that will be merged.
    if report.end == End::Whole
        && let Some(checkpoints) = &mut checkpoints
    {
        match request.part {
            None => checkpoints.remove()?,
            Some(_) => checkpoints.keep_newest()?,
        }
    }
    Ok(RunOutcome::Reported(Box::new(report)))
}

/// Runs without a folder: writes nothing, and cannot be resumed.
pub(super) fn run_in_memory(
    request: &RunRequest,
    prepared: Prepared,
    observer: &dyn Observer,
) -> Result<RunReport, Error> {
    let begun = Instant::now();
    let words = request.random.words()?;
    let population = prepared.population.identity();
    let identity = request.identity(&prepared.script, population, &words);
    let stretch = request.stretch(&identity, observer)?;
    let start = Timestamp::now().to_string();
    let record = description(&prepared, identity, &request.battery, start);
    let job = Job {
        request,
        words: &words,
        prepared: &prepared,
        folder: None,
        observer,
        processes: None,
        stretch,
        record,
        begun,
    };
    let threads = job.threads();
    let pool = pool(threads)?;
    let dealt = job.deal(&pool, threads, None)?;
    let (conclusion, _) = pool.install(|| conclude(request, &words, &prepared, dealt))?;
    Ok(conclusion.report(prepared))
}

/// Takes the folder of the report; fails if it holds something that must not be replaced.
fn folder_for(
    request: &RunRequest,
    saved: &Saved,
    lock: Option<Lock>,
    identity: &Identity,
) -> Result<Folder, Error> {
    let earlier = saved.earlier(request.existing);
    let take = |lock| Folder::prepare(lock, identity, request.part, earlier);
    let folder = match (lock, request.existing) {
        (Some(lock), _) => take(lock)?,
        (None, Existing::Beside) => first_free(&request.folder, |path| take(Lock::take(path)?))?,
        (None, _) => take(Lock::take(&request.folder)?)?,
    };
    Ok(folder.with_formats(&request.formats))
}

impl Job<'_> {
    /// Number of threads that deal.
    fn threads(&self) -> usize {
        match (self.request.battery.threads, self.processes) {
            _ if self.words.generator.is_one_sequence() => 1,
            (None, Some(processes)) => processes.threads(),
            _ => self.request.battery.threads(),
        }
    }

    /// Deals, looks and saves until the end or a stop.
    fn deal(
        &self,
        pool: &rayon::ThreadPool,
        threads: usize,
        contents: Option<Contents>,
    ) -> Result<Dealt, Error> {
        let (request, words, prepared) = (self.request, self.words, self.prepared);
        let (deals, observer) = (self.stretch.count(), self.observer);
        let (dealer, tests) = pool.install(|| {
            let (battery, population) = (&request.battery, &prepared.population);
            let tests = battery.tests(population, battery.depth(), observer)?;
            Ok::<_, Error>((prepared.dealer(deals)?, tests))
        })?;
        let seeded = Seeded {
            dealer: &dealer,
            generator: &*words.generator,
        };
        let defective = match request.defect {
            None => None,
            Some(defect) => Some(defective(defect, words, prepared)?),
        };
        let source: &dyn Source = match &defective {
            None => &seeded,
            Some(defective) => defective,
        };
        let source = &WithDraws::new(source, &*words.generator, prepared.script.has_draws());
        if source.is_one_sequence() && (request.part.is_some() || self.processes.is_some()) {
            return Err(Error::usage(
                "this defect deals one sequence in one process; leave out --part, and start one process",
            ));
        }
        let others = match self.processes {
            None => None,
            Some(processes) => Some(processes.start(&self.record, threads)?),
        };
        let (plan, expected) = tests;
        let sieve = prepared.sieve(self.record.identity.produce);
        let size = (self.record.identity.deals, self.record.identity.batch);
        let mut running = Running::new(source, &plan, &sieve, size);
        if let Some((others, _)) = others {
            running = running.with_other_processes(others);
        }
        if request.part.is_some() {
            running = running.part(self.stretch.clone());
        }
        let terms = run::terms_of_part(&plan, &self.stretch, size.1, request.battery.target());
        let battery = expected.map(|expected| Battery::new(terms, expected));
        let mut course = self.course(running, battery)?;
        match contents {
            Some(contents) => course = pool.install(|| course.take_up(contents))?,
            // Checkpoints of another run are replaced.
            None => {
                if let Some(folder) = self.folder {
                    Checkpoints::of(folder.path()).remove()?;
                }
            }
        }
        if course.battery.is_none() && request.until.is_some() {
            let why = TheoryError::Predeal;
            let warning = format!("--until has no effect: no tests are possible ({why})");
            self.observer.warn(&warning);
        }
        self.log_start(threads);
        let stage = self.observer.stage("deals", Some(self.stretch.count()));
        stage.begin_at(course.running.dealt());
        let end = pool.install(|| course.go(&*stage));
        drop(stage);
        let end = end?;
        self.dismiss(&mut course)?;
        course.check_source()?;
        let record = course.record.clone();
        let pace = course.pace.take();
        let (surveyed, battery, checkpoints) = pool.install(|| course.finish(end));
        Ok(Dealt {
            surveyed,
            battery,
            record,
            pace,
            checkpoints,
            end,
            threads: others.map_or(threads, |(_, threads)| threads),
            processes: others.map(|(others, _)| others.team.processes()),
            path: source.path(),
        })
    }

    /// A run before its first deal.
    fn course<'r, 'p>(
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
    fn dismiss(&self, course: &mut Driver<'_, '_>) -> Result<(), Error> {
        let Some(processes) = self.processes else {
            return Ok(());
        };
        let dismissed = course.running.dismiss();
        dismissed.map_err(|error| error.of(&self.prepared.population))?;
        processes.end().inspect_err(|_| {
            // The checkpoints contain counts of the failed processes.
            if let Some(checkpoints) = &mut course.checkpoints {
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
            generator = identity.generator,
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
    mut dealt: Dealt,
) -> Result<(Conclusion, Option<Checkpoints>), Error> {
    let checkpoints = dealt.checkpoints.take();
    let script = &prepared.script;
    let actions = script.actions.as_deref().unwrap_or_default();
    let deals = dealt.surveyed.survey.deals();
    let answered = Answered::all(
        &script.condition,
        actions,
        &dealt.surveyed.sifted.statistics,
        request.exact_steps(deals),
    );
    let begins_later = request.part.is_some_and(|part| part.part > 1);
    let samples = match request.defect {
        // Samples start with the run's first deal, and sampling would deal without the defect.
        None if !begins_later => {
            let is_interrupted = dealt.end == End::Interrupted;
            samples(prepared, &*words.generator, &dealt.surveyed, is_interrupted)?
        }
        _ => Vec::new(),
    };
    let conclusion = Conclusion {
        name: request.name.clone(),
        surveyed: dealt.surveyed,
        answered,
        battery: dealt.battery,
        run: dealt.record,
        pace: dealt.pace,
        end: dealt.end,
        is_saved: checkpoints.is_some(),
        fresh_seed: words.is_fresh.then(|| words.seed.clone()),
        threads: dealt.threads,
        path: dealt.path.to_string(),
        ended: Timestamp::now().to_string(),
        merged: None,
        processes: dealt.processes,
        samples,
        kept_theory: prepared.kept_theory(request.exact_steps(deals)),
    };
    Ok((conclusion, checkpoints))
}

/// Logs the result of the run.
fn log_end(report: &RunReport) {
    let record = &report.record;
    let (dealt, seconds) = (record.dealt, record.seconds);
    match report.end {
        End::Whole => {}
        End::Interrupted => tracing::warn!(target: "run", deals = dealt, "interrupted"),
        End::Time | End::Verdict => {
            let why = record.stopped.as_deref();
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
