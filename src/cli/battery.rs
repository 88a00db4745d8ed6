//! Which tests are made, of what, and by how many threads: what `run` and `audit` share.

use std::sync::Arc;

use clap::{Args, ValueEnum};

use fairdeal::battery::Expected;
use fairdeal::cases::Runs;
use fairdeal::draw::completions;
use fairdeal::report::CheckpointRecord;
use fairdeal::run::DEFAULT_TARGET;
use fairdeal::tally::{Depth, MOST_KEPT, SurveyPlan, exchangeable};
use fairdeal::theory::{CaseLaw, Theory, TheoryError, null_laws};

use super::deals::Deals;
use super::input::Opened;
use super::{output, values};
use fairdeal::Error;

/// Which tests are made.
#[derive(Args, Clone, Debug)]
pub(super) struct BatteryOptions {
    /// Which tests are made [default: standard]
    #[arg(long, value_enum)]
    battery: Option<BatteryChoice>,

    /// Deals that a PASS takes; fewer are INCONCLUSIVE [default: 1048576]
    #[arg(long, value_name = "N", value_parser = values::deals)]
    target: Option<u64>,

    /// Deals that are kept to find equal ones, of 16 bytes each: more find deals from more seeds
    /// [default: 1048576]
    #[arg(long, value_name = "N", value_parser = values::kept)]
    keep: Option<u64>,

    /// Threads [default: all cores]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// `--battery`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BatteryChoice {
    /// Tables and the seat of every card, at full speed
    Tables,
    /// All tests; the dearest on a fixed share of the blocks
    Standard,
    /// All tests on every block, and pairs of deals at all lags
    Full,
}

impl BatteryChoice {
    pub(super) fn depth(self) -> Depth {
        match self {
            Self::Tables => Depth::Tables,
            Self::Standard => Depth::Standard,
            Self::Full => Depth::Full,
        }
    }

    pub(super) fn name(self) -> &'static str {
        name_of(self.depth())
    }
}

/// What `--battery` calls a depth.
pub(super) fn name_of(depth: Depth) -> &'static str {
    match depth {
        Depth::Tables => "tables",
        Depth::Standard => "standard",
        Depth::Full => "full",
    }
}

/// What is looked at, and what it is compared with, if theory follows it.
pub(super) type Planned<'d> = (SurveyPlan<'d>, Option<Arc<Expected>>);

impl BatteryOptions {
    /// Those of another run, made by so many threads.
    pub(super) fn of_run(saved: &CheckpointRecord, threads: Option<u16>) -> Self {
        let mut options = Self {
            battery: None,
            target: None,
            keep: None,
            threads,
        };
        options.complete(&saved.battery, Some(saved.target), Some(saved.keep));
        options
    }

    /// Which tests are made.
    pub(super) fn battery(&self) -> BatteryChoice {
        self.battery.unwrap_or(BatteryChoice::Standard)
    }

    /// Deals that a PASS takes.
    pub(super) fn target(&self) -> u64 {
        self.target.unwrap_or(DEFAULT_TARGET)
    }

    /// Deals that are kept to find equal ones.
    pub(super) fn keep(&self) -> u64 {
        self.keep.unwrap_or(MOST_KEPT as u64)
    }

    /// With the tests of another run where none are asked for.
    pub(super) fn complete(&mut self, battery: &str, target: Option<u64>, keep: Option<u64>) {
        let battery = BatteryChoice::from_str(battery, false).ok();
        self.battery = self.battery.or(battery);
        self.target = self.target.or(target);
        self.keep = self
            .keep
            .or(keep.and_then(|keep| values::allowed(keep, values::kept)));
    }

    /// Threads, if a number was asked for.
    pub(super) fn threads_asked(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    pub(super) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// Workers: as many as were asked for.
    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        pool(self.threads())
    }

    /// What is looked at in deals like these.
    pub(super) fn plan<'d>(&self, deals: &'d Deals, depth: Depth) -> SurveyPlan<'d> {
        if let Some(cells) = &deals.cells {
            return self.keeping(SurveyPlan::of_cells(depth, cells));
        }
        let Some(Opened { file, .. }) = &deals.file else {
            return self.keeping(SurveyPlan::unconstrained(depth));
        };
        let runs = Runs::new(file);
        match file.predeal().is_empty() {
            true => self.keeping(SurveyPlan::of_cases(depth, runs)),
            // Nothing is tested: theory does not follow fixed cards.
            false => SurveyPlan::of_cases(Depth::Tables, runs),
        }
    }

    /// What is looked at in deals like these, and what it is compared with.
    pub(super) fn planned<'d>(
        &self,
        deals: &'d Deals,
        depth: Depth,
        quiet: bool,
    ) -> Result<Planned<'d>, Error> {
        let plan = self.plan(deals, depth);
        if let Some(cells) = &deals.cells {
            let theory = output::during("theory", quiet, || Theory::of_cells(cells));
            let possible = cells.chance().0;
            let expected =
                Expected::of_cells(theory.map_err(Error::input)?, possible, cells.alike());
            return Ok((plan, Some(Arc::new(expected))));
        }
        let Some(Opened { file, .. }) = &deals.file else {
            let (_, expected) = self.unconstrained(depth);
            return Ok((plan, Some(expected)));
        };
        let theory = output::during("theory", quiet, || Theory::of_cases(file));
        let theory = match theory {
            Ok(theory) => theory,
            Err(TheoryError::Predeal) => return Ok((plan, None)),
            Err(damage) => return Err(deals.damaged(damage)),
        };
        let runs = Runs::new(file);
        let (law, pool) = (CaseLaw::of(&runs), exchangeable(&runs));
        let completions = completions(file);
        let expected = Expected::of_cases(theory, law, completions, pool);
        Ok((plan, Some(Arc::new(expected))))
    }

    /// The same of deals among which any may be.
    pub(super) fn unconstrained<'d>(&self, depth: Depth) -> (SurveyPlan<'d>, Arc<Expected>) {
        let expected = Expected::unconstrained(Theory::unconstrained(), &null_laws());
        let plan = self.keeping(SurveyPlan::unconstrained(depth));
        (plan, Arc::new(expected))
    }

    /// A plan that keeps as many deals as was asked for.
    pub(super) fn keeping<'d>(&self, plan: SurveyPlan<'d>) -> SurveyPlan<'d> {
        plan.keeping(usize::try_from(self.keep()).unwrap_or(usize::MAX))
    }
}

/// So many workers.
pub(super) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let advice = "ask for fewer with --threads";
    pool.build()
        .map_err(|error| no_threads(threads, advice, &error))
}

/// Starts the workers that list, and check what is listed: one for each processor.
pub(super) fn start_workers() -> Result<(), Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let advice = "set RAYON_NUM_THREADS to fewer";
    let pool = rayon::ThreadPoolBuilder::new();
    pool.build_global()
        .map_err(|error| no_threads(threads, advice, &error))
}

fn no_threads(threads: usize, advice: &str, error: &rayon::ThreadPoolBuildError) -> Error {
    Error::io(format!(
        "{threads} threads cannot be started ({error}): {advice}, or allow more memory or \
         processes (ulimit -v, ulimit -u)"
    ))
}
