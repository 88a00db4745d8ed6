//! A script and the population that its deals are drawn from.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::draw::Dealer;
use crate::error::{Error, Remedy};
use crate::language::Script;
use crate::observer::Observer;
use crate::population::cases::CaseBytes;
use crate::population::cells::Budget;
use crate::population::{Listings, Population, PopulationIdentity};
use crate::printable::{display_path, thousands};
use crate::report::{CaseFileRecord, CheckpointRecord, CountedAnswer};
use crate::run::{DEFAULT_DEALS, DealCount, KeepFilter, MOST_DEALS, RunCounts};
use crate::sampler::{Planning, Reasons, SamplerChoice, SamplerMethod, Sampling, Workload};
use crate::tally::ScriptQuestions;
use crate::theory::Theory;

/// Maximum size of the cells for exact tables, in bytes, unless `--exact` is given.
pub(super) const MOST_THEORY_BYTES: u64 = 256 << 20;

/// The condition of a task.
#[derive(Debug)]
pub enum ConditionInput {
    /// A script.
    Script(Box<Script>),
    /// A case file; its header contains the condition.
    CaseFile(PathBuf),
}

/// A script and the sampler chosen for it; nothing is listed yet.
#[derive(Debug)]
pub struct PlannedScript {
    /// The script; for a case file, the condition in its header.
    pub script: Script,
    planning: Planning,
    choice: SamplerChoice,
    seconds: f64,
}

/// A script whose population can be drawn from.
#[derive(Debug)]
pub struct Prepared {
    /// The script; for a case file, the condition in its header.
    pub script: Script,
    /// The population that deals are drawn from.
    pub population: Population,
    /// The inputs with which the sampler was chosen.
    pub planning: Planning,
    /// The reasons for the choice of sampler.
    pub reasons: Reasons,
    /// Seconds to choose the sampler.
    pub planning_seconds: f64,
}

/// Deals per second of a run that ends by time alone, for its planning: few, so that planning
/// takes a small part of the time.
const PLANNED_A_SECOND: f64 = 5e6;

/// What a run of a script needs: this number of deals, the script's limit, or the deals of this
/// time.
pub(crate) fn workload_of_run(
    deals: Option<DealCount>,
    time: Option<Duration>,
    script: &Script,
) -> Workload {
    let deals = deals.map(DealCount::get);
    let limit = script.produce.into_iter().chain(script.generate).min();
    let within = |time: Duration| (time.as_secs_f64() * PLANNED_A_SECOND) as u64;
    let by_time = time.map(|time| within(time).clamp(1, MOST_DEALS));
    Workload::statistics(deals.or(limit).or(by_time).unwrap_or(DEFAULT_DEALS))
}

impl PlannedScript {
    /// Opens a case file, or chooses the sampler for a script; writes nothing.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, is not a valid case file, or has no deals.
    pub(crate) fn new(
        input: ConditionInput,
        sampling: &Sampling,
        workload: impl FnOnce(&Script) -> Workload,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let clock = Instant::now();
        let (script, planning, choice) = match input {
            ConditionInput::CaseFile(path) => {
                sampling.refuse_order()?;
                let listed = listings.open(&path)?;
                let header = listed.file.header();
                let script = Script::parse(&path.display().to_string(), &header.condition)?;
                refuse_long_runs(&script)?;
                // Without the file, its condition is listed again.
                let sampling = Sampling {
                    method: SamplerMethod::Listing,
                    order: Some(std::iter::once(header.first).chain(header.second).collect()),
                    max_cases: sampling.max_cases.max(header.cases),
                };
                let workload = workload(&script);
                let why = "the input is a case file";
                (
                    script,
                    (sampling, workload),
                    SamplerChoice::of_listed(listed, why),
                )
            }
            ConditionInput::Script(script) => {
                refuse_mix(&script)?;
                refuse_long_runs(&script)?;
                refuse_tricks(&script)?;
                let workload = workload(&script);
                let condition = script.bare_condition();
                let choice = sampling.choose(&condition, workload, listings, observer)?;
                (*script, (sampling.clone(), workload), choice)
            }
        };
        let (sampling, workload) = planning;
        Ok(Self {
            script,
            planning: Planning {
                sampling,
                workload,
                fixed: choice.fixed,
            },
            choice,
            seconds: clock.elapsed().as_secs_f64(),
        })
    }

    /// Takes the sampler of an earlier run of a script, without a search.
    ///
    /// # Errors
    ///
    /// If the population is not one of the script's condition.
    pub(crate) fn again(
        script: Script,
        earlier: &PopulationIdentity,
        planning: &Planning,
        listings: &Listings,
    ) -> Result<Self, Error> {
        let clock = Instant::now();
        let condition = script.bare_condition();
        let choice = SamplerChoice::again(&condition, earlier, planning.fixed, listings)?;
        Ok(Self {
            script,
            planning: planning.clone(),
            choice,
            seconds: clock.elapsed().as_secs_f64(),
        })
    }

    /// The population's part of a run's identity, and whether every deal drawn satisfies the
    /// condition.
    pub(crate) fn identity(&self) -> (PopulationIdentity, bool) {
        (self.choice.identity(), self.choice.filter.is_empty())
    }

    /// The inputs of the choice of the sampler.
    pub(crate) fn planning(&self) -> &Planning {
        &self.planning
    }

    /// Prepares the population for drawing: writes the chosen listing, unless the cache has it.
    ///
    /// # Errors
    ///
    /// If a listing cannot be made.
    pub(crate) fn list(
        self,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Prepared, Error> {
        let Self {
            script,
            planning,
            choice,
            seconds,
        } = self;
        let reasons = choice.reasons.clone();
        let population = choice.population(&script.condition, listings, observer)?;
        Ok(Prepared {
            script,
            population,
            planning,
            reasons,
            planning_seconds: seconds,
        })
    }
}

/// Rejects a script that asks double-dummy tricks: its deals must be solved first
/// ([`Script::before_solving`]).
fn refuse_tricks(script: &Script) -> Result<(), Error> {
    match script.needs_tables() {
        true => Err(Error::input(format!(
            "{}: `tricks` needs solved deals; `deal`, `solve` and files of solved deals have them",
            script.condition.name()
        ))),
        false => Ok(()),
    }
}

/// Rejects a script with a mix: each type has a population of its own.
fn refuse_mix(script: &Script) -> Result<(), Error> {
    match script.mix {
        Some(_) => Err(Error::usage(format!(
            "{} is a mix of types, each with deals of its own: choose one of them",
            script.condition.name()
        ))),
        None => Ok(()),
    }
}

/// Rejects a script whose limits exceed those of a run.
fn refuse_long_runs(script: &Script) -> Result<(), Error> {
    for (word, limit) in [("generate", script.generate), ("produce", script.produce)] {
        if let Some(deals) = limit.filter(|deals| *deals > MOST_DEALS) {
            return Err(Error::input(format!(
                "{}: {word} {}: a run has at most {} deals",
                script.condition.name(),
                thousands(deals),
                thousands(MOST_DEALS)
            )));
        }
    }
    Ok(())
}

impl Prepared {
    /// Combines [`PlannedScript::new`] and [`PlannedScript::list`].
    ///
    /// # Errors
    ///
    /// As these.
    pub fn new(
        input: ConditionInput,
        sampling: &Sampling,
        workload: impl FnOnce(&Script) -> Workload,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        PlannedScript::new(input, sampling, workload, listings, observer)?.list(listings, observer)
    }

    /// Warns if dealing may take very long.
    pub fn warn(&self, observer: &dyn Observer) {
        let in_vain = self
            .reasons
            .pilot
            .filter(|pilot| pilot.kept == 0 && !self.population.is_exact());
        if let Some(pilot) = in_vain {
            observer.warn(&format!(
                "none of {} sampled deals satisfies the condition; dealing may take very long",
                thousands(pilot.drawn)
            ));
        }
    }

    /// A dealer of the population before its filter.
    ///
    /// # Errors
    ///
    /// If the listing or the cells cannot be drawn from.
    pub fn dealer(&self) -> Result<Dealer<'_, CaseBytes>, Error> {
        Dealer::new(&self.population).map_err(|error| error.of(&self.population))
    }

    /// The answers to the script's questions, with the exact laws that these steps compute.
    pub(super) fn answers(&self, counted: &RunCounts, steps: u64) -> Vec<CountedAnswer> {
        let actions = self.script.actions.as_deref().unwrap_or_default();
        let statistics = &counted.kept_counts.statistics;
        CountedAnswer::all(&self.script.condition, actions, statistics, steps)
    }

    /// Exact tables of the deals that the filter keeps, if `steps` suffice; `None` without a
    /// filter.
    pub(super) fn kept_theory(&self, steps: u64) -> Option<Theory> {
        if self.population.is_exact() {
            return None;
        }
        let bytes = match steps {
            u64::MAX => u64::MAX,
            _ => MOST_THEORY_BYTES,
        };
        Theory::within(&self.script.condition, &Budget::new(steps, bytes))
    }

    /// The filter and the questions that a run applies to every deal.
    pub(super) fn keep_filter(&self, enough: Option<u64>) -> KeepFilter {
        let actions = self.script.actions.as_deref().unwrap_or_default();
        let questions = ScriptQuestions::of(actions);
        KeepFilter::new(self.population.filter(), questions, enough)
    }

    /// The record of the case file, if there is one.
    pub fn case_file_record(&self) -> Option<CaseFileRecord> {
        self.population.listing().map(CaseFileRecord::new)
    }

    /// Opens the population of an earlier run: its case file, which `file` names if it has moved,
    /// or the same condition with the same sampler.
    pub(super) fn again(
        saved: &CheckpointRecord,
        file: Option<&Path>,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (identity, planning) = (&saved.identity, &saved.planning);
        let script = Script::parse("the run's condition", &identity.condition)?;
        // A case file that lists the whole condition also contains its text.
        let is_whole = saved.case_file.is_some() && identity.population.listed.is_empty();
        let recorded = saved.case_file.as_ref().map(|file| Path::new(&file.path));
        let there = recorded.filter(|path| path.exists());
        if let Some(path) = file.or(there).filter(|_| is_whole) {
            let (input, sampling) = (
                ConditionInput::CaseFile(path.to_owned()),
                Sampling::default(),
            );
            let opened = Self::new(input, &sampling, |_| planning.workload, listings, observer);
            match (opened, file) {
                (Ok(prepared), _) if prepared.is_of(saved) => return Ok(prepared),
                (Err(error), Some(_)) => return Err(error),
                (Ok(_), Some(path)) => {
                    let message = format!("{} is not the case file of the run", display_path(path));
                    return Err(Error::input(message).with_remedy(Remedy::NameCaseFile));
                }
                // The file at the recorded place has changed: list the condition again.
                (_, None) => {}
            }
        }
        let planned = PlannedScript::again(script, &identity.population, planning, listings)?;
        let prepared = planned.list(listings, observer)?;
        match prepared.is_of(saved) {
            true => Ok(prepared),
            false => Err(Error::input(
                "the deals of the run cannot be chosen again: its case file is missing, or it was made by another version",
            )
            .with_remedy(Remedy::FindCaseFile)),
        }
    }

    /// Whether this is the population of an earlier run.
    fn is_of(&self, saved: &CheckpointRecord) -> bool {
        let hash = |file: Option<CaseFileRecord>| file.map(|file| file.records_blake3);
        let identity = &saved.identity;
        self.script.condition.text() == identity.condition
            && self.population.identity() == identity.population
            && hash(self.case_file_record()) == hash(saved.case_file.clone())
    }
}
