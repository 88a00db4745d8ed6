//! Deals, solves each candidate, and decides which is best.

use std::sync::Arc;
use std::time::Instant;

use super::request::{CandidateRequest, DEFAULT_CANDIDATE_DEALS};
use crate::bridge::Deal;
use crate::error::Error;
use crate::language::Script;
use crate::observer::{Observer, Stage};
use crate::population::cases::CaseBytes;
use crate::population::{Listings, Population};
use crate::report::{
    CandidateFinding, CandidateRecord, CandidateRow, CandidateTable, HostRecord, PROGRAM,
    PrintedColumn, Stopped, TableName,
};
use crate::run::{DealCount, DealStream, SearchEvent};
use crate::sampler::Workload;
use crate::solver::{Solver, SolverThreads};
use crate::stats::{BestMean, Finding};
use crate::tasks::prepare::{ConditionInput, PlannedScript, Prepared};
use crate::tasks::random::RandomWords;
use crate::tasks::solving::{DEFAULT_SOLVED_DEALS, identity};
use crate::threads::{Threads, Workers};

/// Number of deals between two looks, at which a table may end.
const LOOK: usize = 64;

/// Threads that solve the deals between two looks; more threads solve several looks ahead.
const THREADS_OF_A_LOOK: usize = 8;

/// The candidates of a table, and what each is worth on a deal.
pub(super) trait Candidates: Send + Sync + 'static {
    /// The name of their table.
    const TABLE: TableName;

    /// Its columns, without the first.
    const MEASURES: &'static [&'static str];

    /// The measures that people read, in their order.
    const PRINTED: &'static [PrintedColumn];

    /// The question that the table answers.
    fn question(&self) -> String;

    /// The names of the candidates, at least one.
    fn names(&self) -> Vec<String>;

    /// The criterion: its name, its place among the measures, its range, and the difference that
    /// counts as equal by default.
    fn criterion(&self) -> Criterion;

    /// The tricks that decide what the candidates are worth on a deal.
    fn solve(&self, solver: &mut Solver, deal: &Deal) -> Vec<u8>;

    /// The measures of each candidate on a deal with these tricks.
    fn measures(&self, tricks: &[u8]) -> Vec<Vec<f64>>;
}

/// The measure by which candidates are compared: a larger one is better.
pub(super) struct Criterion {
    pub(super) name: &'static str,
    pub(super) place: usize,
    pub(super) range: [f64; 2],
    pub(super) within: f64,
}

/// Deals until the best candidate is known, or as many deals as requested.
///
/// # Errors
///
/// If no deal satisfies the condition, the request contradicts itself, or something cannot be read.
pub(super) fn compare(
    candidates: impl Candidates,
    request: &CandidateRequest,
    script: &Script,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<CandidateTable, Error> {
    let criterion = candidates.criterion();
    let within = request.within.unwrap_or(criterion.within);
    if !(request.confidence > 0.0 && request.confidence < 1.0 && within > 0.0) {
        return Err(Error::usage(
            "the confidence is between 0 and 1, and the difference that counts as equal above 0",
        ));
    }
    let workers = Workers::take(request.threads.unwrap_or_else(Threads::all))?;
    workers.install(|| {
        let words = request.random.of_script(script).words()?;
        let most = request.deals.map(DealCount::get).or(script.produce);
        let planned = most.unwrap_or(DEFAULT_SOLVED_DEALS);
        let input = ConditionInput::Script(Box::new(script.clone()));
        let workload = |script: &Script| Workload::boards(planned, script.generate);
        let planned = PlannedScript::new(input, &request.sampling, workload, listings, observer)?;
        let most = most.unwrap_or(DEFAULT_CANDIDATE_DEALS);
        let record = CandidateRecord {
            program: PROGRAM.to_owned(),
            name: request.name.clone(),
            question: candidates.question(),
            identity: identity(script, &planned, &words, most),
            planning: planned.planning().clone(),
            criterion: criterion.name.to_owned(),
            confidence: request.confidence,
            within,
            compared: 0,
            finding: CandidateFinding::Open,
            best: Vec::new(),
            stopped: None,
            threads: rayon::current_num_threads(),
            seconds: 0.0,
            host: HostRecord::here(),
        };
        let prepared = planned.list(listings, observer)?;
        prepared.warn(observer);
        let comparing = Comparing::new(Arc::new(candidates), &criterion, request, record);
        comparing.finish(&prepared, &words, observer)
    })
}

/// A table that is being filled.
struct Comparing<'r, C> {
    candidates: Arc<C>,
    request: &'r CandidateRequest,
    record: CandidateRecord,
    /// Place of the criterion among the measures.
    place: usize,
    /// Sum of each measure of each candidate.
    sums: Vec<Vec<f64>>,
    best: BestMean,
}

impl<'r, C: Candidates> Comparing<'r, C> {
    fn new(
        candidates: Arc<C>,
        criterion: &Criterion,
        request: &'r CandidateRequest,
        record: CandidateRecord,
    ) -> Self {
        let (number, range) = (candidates.names().len(), criterion.range);
        Self {
            candidates,
            request,
            place: criterion.place,
            sums: vec![Vec::new(); number],
            best: BestMean::new(number, range, record.within, 1.0 - record.confidence),
            record,
        }
    }

    fn finish(
        mut self,
        prepared: &Prepared,
        words: &RandomWords,
        observer: &dyn Observer,
    ) -> Result<CandidateTable, Error> {
        observer.allow_stop()?;
        let begun = Instant::now();
        let (candidates, request) = (Arc::clone(&self.candidates), self.request);
        let (threads, most) = (self.record.threads, self.record.identity.deals);
        let population = &prepared.population;
        let limit = prepared.script.generate.unwrap_or(u64::MAX);
        let mut stream = DealStream::of(population, &*words.generator)?.limited_to(limit);
        let is_fixed = request.deals.is_some();
        let stage = observer.stage(Stage::Solved, is_fixed.then_some(most));
        let deadline = request.time.and_then(|time| begun.checked_add(time));
        let ended = || Stopped::now(observer, deadline);
        let is_over = || ended().is_some();
        let solve = move |solver: &mut Solver, deal: &Deal| candidates.solve(solver, deal);
        let (solve, solvers) = (Arc::new(solve), SolverThreads::start(threads)?);
        let ahead = (LOOK * threads.div_ceil(THREADS_OF_A_LOOK)) as u64;
        self.record.stopped = loop {
            let wanted = ahead.min(most - self.record.compared);
            let (deals, is_end) = draw(&mut stream, population, wanted, &is_over)?;
            let solved = solvers.solve(&deals, &solve, is_over);
            let is_decided = solved.iter().any(|tricks| {
                self.add(tricks);
                stage.advance(1);
                let is_look = self.record.compared.is_multiple_of(LOOK as u64);
                is_look && !is_fixed && self.best.finding() != Finding::Open
            });
            if is_decided || self.record.compared == most {
                break None;
            }
            if let Some(stopped) = ended() {
                break Some(stopped);
            }
            if is_end {
                break Some(Stopped::NoMoreDeals);
            }
        };
        drop(stage);
        population.check_unchanged()?;
        self.record.seconds = begun.elapsed().as_secs_f64();
        Ok(self.table(words))
    }

    /// Adds a deal with these tricks.
    fn add(&mut self, tricks: &[u8]) {
        let measures = self.candidates.measures(tricks);
        let values = measures.iter().map(|measures| measures[self.place]);
        let values: Vec<f64> = values.collect();
        self.best.add(&values);
        for (sums, measures) in self.sums.iter_mut().zip(measures) {
            sums.resize(measures.len(), 0.0);
            for (sum, measure) in sums.iter_mut().zip(measures) {
                *sum += measure;
            }
        }
        self.record.compared += 1;
    }

    /// The table, the best candidate first; without rows if there are no deals.
    fn table(mut self, words: &RandomWords) -> CandidateTable {
        let names = self.candidates.names();
        let best = &self.best;
        let remaining: Vec<usize> = best.remaining().collect();
        (self.record.finding, self.record.best) = match best.finding() {
            Finding::Best(candidate) => (CandidateFinding::Best, vec![names[candidate].clone()]),
            Finding::Equal(candidate) => (CandidateFinding::Equal, vec![names[candidate].clone()]),
            Finding::Open => {
                let names = remaining.iter().map(|candidate| names[*candidate].clone());
                (CandidateFinding::Open, names.collect())
            }
        };
        let deals = self.record.compared as f64;
        let sums = self.sums.iter().filter(|sums| !sums.is_empty());
        let rows = names.into_iter().zip(sums).enumerate();
        let rows = rows.map(|(candidate, (name, sums))| CandidateRow {
            name,
            means: sums.iter().map(|sum| sum / deals).collect(),
            stderr: best.standard_error(candidate),
            limits: best.limits(candidate),
            remains: remaining.contains(&candidate),
        });
        let mut rows: Vec<CandidateRow> = rows.collect();
        let place = self.place;
        rows.sort_by(|one, other| other.means[place].total_cmp(&one.means[place]));
        CandidateTable {
            record: self.record,
            rows,
            columns: C::MEASURES,
            printed: C::PRINTED,
            name: C::TABLE,
            fresh_seed: words.is_fresh.then(|| words.seed.clone()),
        }
    }
}

/// Draws this number of deals, or fewer once it is over, and tells whether there are no more.
fn draw(
    stream: &mut DealStream<'_, CaseBytes>,
    population: &Population,
    wanted: u64,
    is_over: &dyn Fn() -> bool,
) -> Result<(Vec<Deal>, bool), Error> {
    let mut deals = Vec::new();
    while (deals.len() as u64) < wanted {
        let next = stream.next().transpose();
        match next.map_err(|error| error.of(population))? {
            Some(SearchEvent::Next(deal)) => deals.push(deal.deal),
            Some(SearchEvent::Misses(_)) if is_over() => break,
            Some(SearchEvent::Misses(_)) => {}
            None => return Ok((deals, true)),
        }
    }
    Ok((deals, false))
}
