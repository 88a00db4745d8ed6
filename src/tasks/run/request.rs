//! What a run is asked for.

use std::path::PathBuf;
use std::time::Duration;

use super::super::battery::BatteryRequest;
use super::super::prepare::Prepared;
use super::super::random::{RandomRequest, RandomWords};
use super::driver::Until;
use super::report::RunReport;
use crate::defect::Defect;
use crate::draw::STREAMS_VERSION;
use crate::error::{Error, Remedy};
use crate::language::Script;
use crate::observer::Observer;
use crate::population::PopulationIdentity;
use crate::printable::thousands;
use crate::report::{DealGenerator, Identity, OnConflict, RunRecord, TableFormat};
use crate::run::{BatchSize, DEFAULT_BATCH, DEFAULT_DEALS, DealCount, MOST_DEALS, Part, PartRange};
use crate::sampler;
use crate::sampler::Sampling;

/// Maximum number of batches of a run: counting more would take long before the first deal.
pub(super) const MOST_BATCHES: u64 = 1 << 28;

/// Default interval between checkpoints.
pub const DEFAULT_CHECKPOINT: Duration = Duration::from_secs(30);

/// When to compute exact values of a script's averages and frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExactValues {
    /// If it takes at most a quarter of the run's own time.
    #[default]
    WithinBudget,
    /// However long it takes.
    Always,
    /// Never.
    Never,
}

/// The request of a run. `None` means as in the resumed run, or the default.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// Name of the report.
    pub name: String,
    /// Folder of the report.
    pub folder: PathBuf,
    /// Treatment of an earlier run in the folder.
    pub on_conflict: OnConflict,
    /// Formats of the tables in addition to CSV.
    pub formats: Vec<TableFormat>,
    /// Number of deals drawn; by default the script's limit, or those of the time limit, or
    /// [`DEFAULT_DEALS`].
    pub deals: Option<DealCount>,
    /// Maximum batch size in deals.
    pub batch: Option<BatchSize>,
    /// The random words.
    pub random: RandomRequest,
    /// The tests.
    pub battery: BatteryRequest,
    /// A known defect to deal with.
    pub defect: Option<&'static Defect>,
    /// The part of the run to deal.
    pub part: Option<Part>,
    /// Time limit of the run.
    pub time: Option<Duration>,
    /// The verdict at which the run stops.
    pub until: Option<Until>,
    /// Interval between checkpoints.
    pub checkpoint: Duration,
    /// Exact values of averages and frequencies.
    pub exact: ExactValues,
    /// Choice of the sampler.
    pub sampling: Sampling,
}

impl RunRequest {
    /// A run with default options, with its report in this folder.
    pub fn new(name: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            folder: folder.into(),
            on_conflict: OnConflict::Keep,
            formats: Vec::new(),
            deals: None,
            batch: None,
            random: RandomRequest::default(),
            battery: BatteryRequest::default(),
            defect: None,
            part: None,
            time: None,
            until: None,
            checkpoint: DEFAULT_CHECKPOINT,
            exact: ExactValues::WithinBudget,
            sampling: Sampling::default(),
        }
    }
}

/// Result of a run.
#[derive(Debug)]
pub enum RunOutcome {
    /// It was dealt, completely or until it was stopped.
    Reported(Box<RunReport>),
    /// It had already finished, and nothing was dealt.
    Finished(Box<RunRecord>),
}

impl RunRequest {
    /// Number of deals drawn: as requested, or within the script's limits.
    fn draws(&self, script: &Script, is_exact: bool) -> u64 {
        let Script {
            generate, produce, ..
        } = script;
        // Without a filter, every deal drawn is produced.
        let produce = produce.filter(|_| is_exact);
        let limit = generate.iter().copied().chain(produce).min();
        self.deals
            .map(DealCount::get)
            .or(limit)
            .unwrap_or(match self.time {
                Some(_) => MOST_DEALS,
                None => DEFAULT_DEALS,
            })
    }

    /// Number of kept deals that ends a filtered run.
    fn enough(&self, script: &Script, is_exact: bool) -> Option<u64> {
        let is_filtered = self.deals.is_none() && !is_exact;
        script.produce.filter(|_| is_filtered)
    }

    /// Step limit for exact values of averages and frequencies.
    pub(super) fn exact_steps(&self, deals: u64) -> u64 {
        match self.exact {
            ExactValues::Always => u64::MAX,
            ExactValues::Never => 0,
            ExactValues::WithinBudget => sampler::exact_steps(deals),
        }
    }

    /// Whether a run with this identity ends by its time alone.
    pub(super) fn is_endless(&self, identity: &Identity) -> bool {
        self.deals.is_none() && identity.is_endless()
    }

    /// Everything that determines the counts of the run.
    pub(super) fn identity(
        &self,
        script: &Script,
        (population, is_exact): (PopulationIdentity, bool),
        words: &RandomWords,
    ) -> Identity {
        Identity {
            condition: script.condition.text().to_owned(),
            population,
            deals: self.draws(script, is_exact),
            produce: self.enough(script, is_exact),
            batch: self.batch.map_or(DEFAULT_BATCH, BatchSize::get),
            seed: words.seed.clone(),
            generator: match self.defect {
                None => DealGenerator::Fair(words.source.clone()),
                Some(defect) => DealGenerator::Defect(defect),
            },
            format_version: STREAMS_VERSION,
        }
    }

    /// The same for a population that is ready.
    pub(super) fn identity_of(&self, prepared: &Prepared, words: &RandomWords) -> Identity {
        let population = &prepared.population;
        let (identity, is_exact) = (population.identity(), population.is_exact());
        self.identity(&prepared.script, (identity, is_exact), words)
    }

    /// The batches to deal: all of the run, or those of its part.
    pub(super) fn range(
        &self,
        identity: &Identity,
        observer: &dyn Observer,
    ) -> Result<PartRange, Error> {
        let (deals, batch) = (identity.deals, identity.batch);
        let is_endless = self.is_endless(identity);
        let batches = deals / batch;
        if batches > MOST_BATCHES && !is_endless {
            let message = format!("{} batches are too many", thousands(batches));
            return Err(Error::usage(message).with_remedy(Remedy::LargerBatches));
        }
        let Some(part) = self.part else {
            return Ok(PartRange::whole(deals, batch));
        };
        if is_endless {
            return Err(Error::usage(
                "a part needs the number of deals of all parts: a time limit alone does not give it",
            )
            .with_remedy(Remedy::GiveDeals));
        }
        if identity.produce.is_some() {
            return Err(Error::usage(
                "a part cannot know when all parts together have kept enough deals",
            )
            .with_remedy(Remedy::GiveDeals));
        }
        let stretches = Part::stretches(part.of, deals, batch)
            .map_err(|error| Error::usage(error).with_remedy(Remedy::SmallerBatches))?;
        let largest = stretches.iter().map(PartRange::count).max().unwrap_or(0);
        let fair = deals.div_ceil(part.of);
        if part.part == 1 && largest > 2 * fair {
            observer.note(&format!(
                "the largest of {} parts has {:.0} % of the deals; batches of {} would make the parts about equal",
                part.of,
                100.0 * largest as f64 / deals as f64,
                (fair / 4).max(1)
            ));
        }
        let place = usize::try_from(part.part - 1).expect("parts are few");
        Ok(stretches[place].clone())
    }

    /// Fills in the options that determine a run's counts from its identity.
    pub(super) fn complete(&mut self, identity: &Identity) {
        if self.random.source.is_none() {
            self.defect = self.defect.or(identity.generator.defect());
        }
        self.random.complete(identity);
        // An impossible batch size is ignored here and reported as a difference later.
        self.batch = self.batch.or(BatchSize::new(identity.batch).ok());
        // If the script limits the kept deals, it also sets the number drawn.
        if identity.produce.is_none() && !identity.is_endless() {
            self.deals = self.deals.or(DealCount::new(identity.deals).ok());
        }
    }
}
