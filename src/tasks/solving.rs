//! Runs whose deals are solved double-dummy: the deals and their tricks go to a file in the report's
//! folder, and the script is then asked of that file.
//!
//! The file has the deals in the order in which they are drawn. A run that was stopped goes on after
//! the last deal in it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::deal_files::{DealFiles, FileDeal, read_deals};
use super::input_files::break_if;
use super::prepare::{ConditionInput, PlannedScript, Prepared};
use super::random::{RandomRequest, RandomWords};
use super::solved_file::SolvedFile;
use crate::draw::{Isa, STREAMS_VERSION};
use crate::error::{Error, Remedy};
use crate::formats::Format;
use crate::language::{AskedTricks, Expression, Script};
use crate::observer::{Observer, Silent, Stage};
use crate::population::Listings;
use crate::printable::{display_path, thousands};
use crate::report::{
    CountedAnswer, CsvReport, DealGenerator, Document, Folder, HostRecord, Identity, Lock,
    OnConflict, PROGRAM, ProbabilityRecord, SolvedRecord, Stopped, Table, TableFormat, TrickCounts,
    statistics_tables,
};
use crate::run::{
    AnswerCounter, DEFAULT_BATCH, DealCount, DealStream, MOST_DEALS, SearchEvent, SolvedStream,
    hold,
};
use crate::sampler::{Sampling, Workload};
use crate::solver::SolverTeam;
use crate::tally::ScriptQuestions;
use crate::threads::{Threads, Workers};

/// Number of deals that are solved by default.
pub const DEFAULT_SOLVED_DEALS: u64 = 1_000;

/// Deals solved per second of a time limit, for planning.
const PLANNED_A_SECOND: f64 = 1e3;

/// Time between two syncs of the file of solved deals.
const SYNC: Duration = Duration::from_secs(5);

/// Maximum number of rows of `csvrpt`.
const MOST_ROWS: u64 = 1 << 16;

/// The request of a run whose deals are solved.
#[derive(Clone, Debug)]
pub struct SolvingRequest {
    /// Name of the report.
    pub name: String,
    /// Folder of the report.
    pub folder: PathBuf,
    /// Treatment of an earlier run in the folder.
    pub on_conflict: OnConflict,
    /// Formats of the tables in addition to CSV.
    pub formats: Vec<TableFormat>,
    /// Number of deals that satisfy the condition; by default the script's limit, or as the time
    /// limit allows, or [`DEFAULT_SOLVED_DEALS`].
    pub deals: Option<DealCount>,
    /// Whether all twenty numbers of tricks of each deal are solved, even if the script asks fewer.
    pub is_whole: bool,
    /// The random words.
    pub random: RandomRequest,
    /// Number of threads: all cores by default.
    pub threads: Option<Threads>,
    /// Time limit.
    pub time: Option<Duration>,
    /// Choice of the sampler.
    pub sampling: Sampling,
}

impl SolvingRequest {
    /// Number of deals that satisfy the condition.
    fn wanted(&self, script: &Script) -> u64 {
        let deals = self.deals.map(DealCount::get);
        deals.or(script.produce).unwrap_or(match self.time {
            Some(_) => MOST_DEALS,
            None => DEFAULT_SOLVED_DEALS,
        })
    }

    /// Fills in options that are not given with those of an earlier session.
    fn complete(&mut self, identity: &Identity) -> Result<(), Error> {
        self.random.complete(identity);
        if identity.is_endless() && (self.deals, self.time) == (None, None) {
            return Err(Error::usage(
                "the run has no number of deals and ended by time: give a time limit again",
            ));
        }
        self.deals = self.deals.or(DealCount::new(identity.deals).ok());
        Ok(())
    }

    /// Number of deals for which the sampler is chosen.
    fn planned(&self, wanted: u64) -> u64 {
        let seconds = self.time.map_or(f64::INFINITY, |time| time.as_secs_f64());
        wanted.min((seconds * PLANNED_A_SECOND).max(1.0) as u64)
    }

    /// The random words, which can be drawn again.
    fn words(&self) -> Result<RandomWords, Error> {
        match self.random.is_read() {
            true => Err(Error::usage(
                "a run whose deals are solved needs a generator with a seed, not random words from \
                 a file or standard input",
            )),
            false => self.random.words(),
        }
    }
}

/// The result of a run whose deals are solved.
#[derive(Debug)]
pub struct SolvingReport {
    /// The record.
    pub record: SolvedRecord,
    /// The averages and frequencies over the deals that satisfy the condition.
    pub answered: Vec<CountedAnswer>,
    /// Their tricks, if all are solved.
    pub tricks: Option<TrickCounts>,
    /// Folder of the report.
    pub folder: PathBuf,
    /// File of the solved deals.
    pub file: PathBuf,
    /// The generated seed, if none was given.
    pub fresh_seed: Option<String>,
}

impl SolvingReport {
    /// The tables of the report.
    pub fn tables(&self) -> Vec<Table> {
        let tricks = self.tricks.as_ref().map(TrickCounts::table);
        let answers = statistics_tables(self.record.kept, &self.answered);
        tricks.into_iter().chain(answers).collect()
    }

    /// The record and the tables as JSON.
    pub fn document<'d>(&'d self, tables: &'d [Table]) -> Document<'d, SolvedRecord> {
        Document::new(&self.record, tables)
    }
}

/// Deals, solves, asks the script, and writes the report.
///
/// # Errors
///
/// If the program has no solver, the request contradicts itself or the contents of its folder, the
/// script uses `rnd`, or something cannot be read or written. The deals solved so far remain.
pub fn run_solved(
    request: &SolvingRequest,
    script: &Script,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<SolvingReport, Error> {
    if script.has_draws() {
        let message = format!(
            "{}: `rnd` is not supported in a run whose deals are solved",
            script.condition.name()
        );
        return Err(Error::usage(message).with_remedy(Remedy::PrintOutput));
    }
    let workers = Workers::take(request.threads.unwrap_or_else(Threads::all))?;
    workers.install(|| Solving::new(request, script, listings, observer)?.finish(observer))
}

/// A run whose deals are solved.
struct Solving<'s> {
    request: SolvingRequest,
    script: &'s Script,
    asked: AskedTricks,
    /// The terms of the condition that need tricks.
    terms: Vec<Expression>,
    prepared: Prepared,
    words: RandomWords,
    folder: Folder,
    /// File of the solved deals.
    file: PathBuf,
    record: SolvedRecord,
}

impl<'s> Solving<'s> {
    /// Chooses the sampler, takes the folder and writes the first record.
    fn new(
        request: &SolvingRequest,
        script: &'s Script,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let mut request = request.clone();
        let asked = match (request.is_whole, script.asked_tricks()) {
            (false, Some(asked)) => asked,
            _ => AskedTricks::All,
        };
        let (saved, lock) = earlier(&request)?;
        if let Some(saved) = &saved {
            request.complete(&saved.identity)?;
        }
        request.random = request.random.of_script(script);
        let words = request.words()?;
        let wanted = request.wanted(script);
        let (before, terms) = script.before_solving()?;
        let is_kept = |saved: &&SolvedRecord| {
            let sampling = &request.sampling;
            let is_kept = *sampling == Sampling::default() || *sampling == saved.planning.sampling;
            is_kept && script.condition.text() == saved.identity.condition
        };
        let planned = match saved.as_ref().filter(is_kept) {
            Some(saved) => {
                let population = &saved.identity.population;
                PlannedScript::again(before, population, &saved.planning, listings)?
            }
            None => {
                let input = ConditionInput::Script(Box::new(before));
                let planned = request.planned(wanted);
                let workload = |script: &Script| Workload::boards(planned, script.generate);
                PlannedScript::new(input, &request.sampling, workload, listings, observer)?
            }
        };
        let record = SolvedRecord {
            program: PROGRAM.to_owned(),
            name: request.name.clone(),
            identity: identity(script, &planned, &words, wanted),
            planning: planned.planning().clone(),
            tricks: asked.to_string(),
            tried: None,
            solved: 0,
            kept: 0,
            probability: None,
            stopped: Some(Stopped::Unfinished),
            threads: rayon::current_num_threads(),
            seconds: 0.0,
            host: HostRecord::here(),
        };
        let folder = take_folder(&request, lock, &record, saved.is_some())?;
        let prepared = planned.list(listings, observer)?;
        let file = folder.path().join(match asked {
            AskedTricks::All => Folder::SOLVED_DEALS,
            AskedTricks::Some(_) => Folder::PARTLY_SOLVED_DEALS,
        });
        let mut solving = Self {
            request,
            script,
            asked,
            terms,
            prepared,
            words,
            folder,
            file,
            record,
        };
        match saved {
            Some(saved) => solving.go_on_from(&saved, observer)?,
            None => solving.folder.begin()?,
        }
        solving.folder.write_record(&solving.record)?;
        Ok(solving)
    }

    /// Takes over the time of an earlier session of the same run.
    fn go_on_from(&mut self, saved: &SolvedRecord, observer: &dyn Observer) -> Result<(), Error> {
        let same = saved.identity.difference(&self.record.identity);
        let tricks = (saved.tricks != self.record.tricks)
            .then(|| format!("tricks {}, not {}", saved.tricks, self.record.tricks));
        if let Some(difference) = same.or(tricks) {
            let folder = display_path(self.folder.path());
            let message = format!("{folder} has the deals of a different run ({difference})");
            return Err(Error::usage(message).with_remedy(Remedy::ResumeTheSame));
        }
        self.record.seconds = saved.seconds;
        let there = SolvedFile::open(&self.file)?.deals();
        if there < saved.solved {
            observer.warn(&format!(
                "{} has {} of the {} deals that were solved; the others are solved again",
                display_path(&self.file),
                thousands(there),
                thousands(saved.solved)
            ));
        }
        Ok(())
    }

    /// Solves what is left, asks the script, and writes the report.
    fn finish(mut self, observer: &dyn Observer) -> Result<SolvingReport, Error> {
        observer.allow_stop()?;
        let begun = Instant::now();
        let before = self.record.seconds;
        self.prepared.warn(observer);
        self.record.stopped = self.solve(observer)?;
        self.prepared.population.check_unchanged()?;
        self.record.seconds = before + begun.elapsed().as_secs_f64();
        let (answered, tricks, rows) = self.ask()?;
        let (kept, solved) = (self.record.kept, self.record.solved);
        self.record.probability = (!self.terms.is_empty() && solved > 0)
            .then(|| ProbabilityRecord::of_share(kept, solved));
        let report = SolvingReport {
            answered,
            tricks: (self.asked == AskedTricks::All).then_some(tricks),
            folder: self.folder.path().to_owned(),
            file: self.file,
            fresh_seed: self.words.is_fresh.then(|| self.words.seed.clone()),
            record: self.record,
        };
        self.folder.write_tables(&report.tables())?;
        if let Some(rows) = rows {
            self.folder.write(Folder::CSV_REPORT, &rows.into_bytes())?;
        }
        self.folder.write_record(&report.record)?;
        Ok(report)
    }

    /// Appends solved deals to the file, and counts those in it. Returns why it ended before all were
    /// found, if it did.
    fn solve(&mut self, observer: &dyn Observer) -> Result<Option<Stopped>, Error> {
        let (begun, mut synced) = (Instant::now(), Instant::now());
        let wanted = self.record.identity.deals;
        let population = &self.prepared.population;
        let is_endless = self.record.identity.is_endless();
        let stage = observer.stage(Stage::Solved, (!is_endless).then_some(wanted));
        let mut file = SolvedFile::open(&self.file)?;
        let generator = &*self.words.generator;
        let limit = self.script.generate.unwrap_or(u64::MAX);
        let mut stream = DealStream::of(population, generator)?.limited_to(limit);
        let mut kept = file.go_on(&mut stream, &self.prepared, self.script, &self.terms)?;
        let mut stream = SolvedStream::new(stream, self.asked.clone());
        // Dropped before the report is written: its threads then take no more strains.
        let mut team = SolverTeam::new(rayon::current_num_threads())?;
        stage.begin_at(kept);
        let deadline = self.request.time.and_then(|time| begun.checked_add(time));
        let stopped = loop {
            if kept >= wanted {
                break None;
            }
            if let Some(stopped) = Stopped::now(observer, deadline) {
                break Some(stopped);
            }
            let most = match self.terms.is_empty() {
                true => wanted - kept,
                false => u64::MAX,
            };
            let next = stream.next(&mut team, most);
            match next.map_err(|error| error.of(population))? {
                Some(SearchEvent::Next(deal)) => {
                    let holds = hold(&self.terms, &deal);
                    let holds = holds.map_err(|error| population.evaluation_error(&error))?;
                    file.add(&deal)?;
                    kept += u64::from(holds);
                    stage.advance(holds.into());
                }
                Some(SearchEvent::Misses(_)) => {}
                None => {
                    self.record.tried = Some(stream.unsolved().tried());
                    break Some(Stopped::NoMoreDeals);
                }
            }
            if synced.elapsed() >= SYNC {
                file.sync()?;
                synced = Instant::now();
            }
        };
        file.sync()?;
        self.record.solved = file.deals();
        Ok(stopped)
    }

    /// Asks the script of the file's deals, and counts those that satisfy the condition.
    fn ask(&mut self) -> Result<(Vec<CountedAnswer>, TrickCounts, Option<CsvReport>), Error> {
        let (script, wanted) = (self.script, self.record.identity.deals);
        let actions = script.actions.as_deref().unwrap_or_default();
        let questions = ScriptQuestions::of(actions);
        let mut answer_counter = AnswerCounter::new(&questions, Isa::chosen());
        let mut tricks = TrickCounts::default();
        let items = script.csv_report();
        let mut rows = (!items.is_empty()).then(|| CsvReport::new(&items, &script.condition));
        let failed = |error| Error::from(script.condition.evaluation_error(&error));
        let mut kept = 0;
        let solved = DealFiles {
            files: vec![self.file.clone()],
            format: Some(Format::Zrd),
            is_partly_solved: true,
            ..DealFiles::default()
        };
        if self.record.solved > 0 {
            // Also after a request to stop: what is solved is reported.
            read_deals(script, &solved, &Silent, &mut |found: FileDeal| {
                let deal = &found.dealt;
                kept += 1;
                answer_counter.ask(deal).map_err(failed)?;
                tricks.add(deal.tricks.expect("a solved deal"));
                if let Some(rows) = rows
                    .as_mut()
                    .filter(|rows| kept <= MOST_ROWS && !rows.is_full())
                {
                    rows.add(&items, kept, deal).map_err(failed)?;
                }
                Ok(break_if(kept == wanted))
            })?;
        }
        self.record.kept = kept;
        let statistics = answer_counter.answers().map_err(failed)?;
        let answered = CountedAnswer::all(&script.condition, actions, &statistics, 0);
        Ok((answered, tricks, rows))
    }
}

/// The parameters that determine the deals.
pub(super) fn identity(
    script: &Script,
    planned: &PlannedScript,
    words: &RandomWords,
    wanted: u64,
) -> Identity {
    Identity {
        condition: script.condition.text().to_owned(),
        population: planned.identity().0,
        deals: wanted,
        produce: None,
        batch: DEFAULT_BATCH,
        seed: words.seed.clone(),
        generator: DealGenerator::Fair(words.source.clone()),
        format_version: STREAMS_VERSION,
    }
}

/// The record of the run to go on with, and the lock of its folder.
fn earlier(request: &SolvingRequest) -> Result<(Option<SolvedRecord>, Option<Lock>), Error> {
    if request.on_conflict != OnConflict::Resume || !request.folder.exists() {
        return Ok((None, None));
    }
    let lock = Lock::take(&request.folder)?;
    Ok((lock.record(), Some(lock)))
}

/// Takes the folder of the report; fails if it holds something that must not be replaced.
fn take_folder(
    request: &SolvingRequest,
    lock: Option<Lock>,
    record: &SolvedRecord,
    is_resumed: bool,
) -> Result<Folder, Error> {
    let on_conflict = match is_resumed {
        // The deals so far are compared with those of this run before any is added.
        true => OnConflict::Replace,
        false => request.on_conflict,
    };
    let folder = match lock {
        Some(lock) => Folder::locked::<SolvedRecord>(lock, record, on_conflict)?,
        None => Folder::take::<SolvedRecord>(&request.folder, record, on_conflict)?,
    };
    Ok(folder.with_formats(&request.formats))
}
