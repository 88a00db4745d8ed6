//! Conditions and scripts: their theory, their deals and their runs.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use fairdeal::DealRow;
use fairdeal::defect::Defect;
use fairdeal::draw::Shares;
use fairdeal::filter::Filter;
use fairdeal::language::{SCENARIOS, Script as LibraryScript};
use fairdeal::population::Listings;
use fairdeal::run::{DEFAULT_DEALS, DealCount, MOST_TRIES, fill_rows, most_tries};
use fairdeal::sampler::{SamplerMethod, Sampling, Workload};
use fairdeal::tasks::boards::BoardRequest;
use fairdeal::tasks::run::{RunRequest, run_in_memory};
use fairdeal::tasks::{ConditionInput, Prepared, RandomRequest, TheoryRequest, theory};
use fairdeal::threads::on_workers;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{DealArray, unusable};
use crate::error::{UsageError, raised, wrong_condition};
use crate::remedies;
use crate::report::{Report, battery, limited};
use crate::stream::{DealStream, deal_mix, deal_one_by_one, gave_up};
use crate::theory::ExactTables;
use crate::work::{Watch, run, run_borrowing};

/// Number of deals that an endless stream is prepared for.
const STREAM_DEALS: u64 = 1_000;
/// Populations that are kept for the next request of the same size.
const MOST_KEPT: usize = 4;

/// A script in dealer's language.
#[pyclass(frozen, module = "fairdeal._fairdeal")]
pub(crate) struct Script {
    script: LibraryScript,
    text: String,
    /// Populations for a number of deals and a sampler, the last used one last.
    kept: Mutex<Vec<KeptPopulation>>,
}

struct KeptPopulation {
    deals: u64,
    method: SamplerMethod,
    prepared: Arc<Prepared>,
}

#[pymethods]
impl Script {
    #[new]
    #[pyo3(signature = (text, name = "condition"))]
    fn new(text: &str, name: &str) -> PyResult<Self> {
        let script = LibraryScript::parse(name, text);
        let script = script.map_err(|error| wrong_condition(&error))?;
        Ok(Self::of(script, text))
    }

    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The warnings about the text, each with its line and a caret.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let all = self.script.warnings.iter();
        all.map(|warning| warning.told(false, remedies::words))
            .collect()
    }

    /// The condition in bridge notation.
    #[getter]
    fn notation(&self) -> Vec<String> {
        self.script.condition.in_bridge_notation()
    }

    /// The names of the types of a mix, and the parts of each.
    #[getter]
    fn types(&self) -> Vec<(String, u64)> {
        let types = self.script.mix.iter().flat_map(|mix| mix.types());
        types.map(|of| (of.name.clone(), of.parts)).collect()
    }

    /// The script of one type of the mix.
    fn of_type(&self, place: usize) -> PyResult<Self> {
        if place >= self.types().len() {
            return Err(UsageError::new_err("the mix has no such type"));
        }
        let script = self.script.of_type(place);
        let script = script.map_err(|error| wrong_condition(&error))?;
        let text = script.to_string();
        Ok(Self::of(script, &text))
    }

    /// The exact tables.
    #[pyo3(signature = (given = None, progress = None))]
    fn theory(
        &self,
        py: Python<'_>,
        given: Option<&Self>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<ExactTables> {
        let (input, sampling) = (self.input(), Sampling::default());
        let given = given.map(|given| given.script.condition.clone());
        run(py, progress.as_ref(), move |watch| {
            let listings = Listings::in_memory();
            on_workers(None, || {
                let request = TheoryRequest {
                    given: given.as_ref(),
                    ..TheoryRequest::new(input, &sampling)
                };
                let exact = theory(request, &listings, watch)?;
                Ok(ExactTables::new(exact))
            })
        })
    }

    /// Fills an array with the deals of a seed.
    #[pyo3(signature = (array, seed, sampler = "auto", progress = None))]
    fn fill(
        &self,
        py: Python<'_>,
        array: DealArray<'_>,
        seed: u128,
        sampler: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        match array {
            DealArray::Hands(array) => {
                let mut array = array
                    .try_readwrite()
                    .map_err(|error| unusable("out", &error))?;
                let columns = array.shape()[1];
                let cells = array
                    .as_slice_mut()
                    .map_err(|_| scattered("out"))?
                    .as_chunks_mut::<4>()
                    .0;
                refuse_columns(columns, 4)?;
                self.fill_rows(py, cells, seed, sampler, progress)
            }
            DealArray::Seats(array) => {
                let mut array = array
                    .try_readwrite()
                    .map_err(|error| unusable("out", &error))?;
                let columns = array.shape()[1];
                let cells = array
                    .as_slice_mut()
                    .map_err(|_| scattered("out"))?
                    .as_chunks_mut::<52>()
                    .0;
                refuse_columns(columns, 52)?;
                self.fill_rows(py, cells, seed, sampler, progress)
            }
        }
    }

    /// Fills an array with the deals of a mix, and another with the numbers of their types.
    #[pyo3(signature = (array, types, seed, sampler, shares, progress = None))]
    fn fill_mix(
        &self,
        py: Python<'_>,
        array: DealArray<'_>,
        types: Bound<'_, PyArray1<u8>>,
        seed: u128,
        sampler: &str,
        shares: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let mut types = types
            .try_readwrite()
            .map_err(|error| unusable("types", &error))?;
        let types = types.as_slice_mut().map_err(|_| scattered("types"))?;
        let request = self.mix_request(types.len() as u64, seed, sampler, shares)?;
        match array {
            DealArray::Hands(array) => {
                let mut array = array
                    .try_readwrite()
                    .map_err(|error| unusable("out", &error))?;
                let rows = array
                    .as_slice_mut()
                    .map_err(|_| scattered("out"))?
                    .as_chunks_mut::<4>()
                    .0;
                fill_types(py, request, (rows, types), progress)
            }
            DealArray::Seats(array) => {
                let mut array = array
                    .try_readwrite()
                    .map_err(|error| unusable("out", &error))?;
                let rows = array
                    .as_slice_mut()
                    .map_err(|_| scattered("out"))?
                    .as_chunks_mut::<52>()
                    .0;
                fill_types(py, request, (rows, types), progress)
            }
        }
    }

    /// The deals of a seed one after the other: `deals` of them, or without end.
    #[pyo3(signature = (deals, seed, sampler = "auto", shares = "exact"))]
    fn stream(
        &self,
        py: Python<'_>,
        deals: Option<u64>,
        seed: u128,
        sampler: &str,
        shares: &str,
    ) -> PyResult<DealStream> {
        if self.script.mix.is_some() {
            let Some(deals) = deals else {
                let message = "n: a mix needs the number of deals";
                return Err(UsageError::new_err(message));
            };
            let (script, request) = self.mix_request(deals, seed, sampler, shares)?;
            return DealStream::start(move |watch, give| match deals {
                0 => Ok(()),
                _ => deal_mix(script, request, watch, &mut |deal, _| give(deal)),
            });
        }
        let wanted = deals.unwrap_or(STREAM_DEALS);
        let prepared = self.prepared(py, wanted, sampling(sampler)?, None)?;
        DealStream::start(move |watch, give| {
            let mut left = deals.unwrap_or(u64::MAX);
            if left == 0 {
                return Ok(());
            }
            deal_one_by_one(&prepared, seed, watch, &mut |deal| {
                left -= 1;
                give(deal) && left > 0
            })
        })
    }

    /// The sampler that deals this number of deals, in a line.
    #[pyo3(signature = (deals, sampler = "auto"))]
    fn sampler(&self, py: Python<'_>, deals: u64, sampler: &str) -> PyResult<String> {
        let prepared = self.prepared(py, deals, sampling(sampler)?, None)?;
        Ok(prepared.population.description())
    }

    /// Deals, counts and tests.
    #[pyo3(signature = (deals, seed, sampler = "auto", defect = None, depth = None, target = None,
        threads = None, name = "run", progress = None))]
    fn run(
        &self,
        py: Python<'_>,
        deals: Option<u64>,
        seed: u128,
        sampler: &str,
        defect: Option<&str>,
        depth: Option<&str>,
        target: Option<u64>,
        threads: Option<u64>,
        name: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let defect = defect.map(|name| {
            let found = Defect::named(name);
            found.ok_or_else(|| UsageError::new_err(format!("defect: `{name}` is not a defect")))
        });
        let request = RunRequest {
            deals: limited("deals", deals)?,
            random: RandomRequest::of_seed(seed),
            battery: battery(py, depth, target, threads)?,
            defect: defect.transpose()?,
            sampling: sampling(sampler)?,
            ..RunRequest::new(name, Path::new(""))
        };
        let input = self.input();
        run(py, progress.as_ref(), move |watch| {
            let sampling = request.sampling.with_defect(request.defect.is_some());
            let workload = |script: &LibraryScript| {
                let limit = script.produce.into_iter().chain(script.generate).min();
                let deals = request.deals.map(DealCount::get);
                Workload::statistics(deals.or(limit).unwrap_or(DEFAULT_DEALS))
            };
            let listings = Listings::in_memory();
            on_workers(request.battery.threads, || {
                let prepared = Prepared::new(input, &sampling, workload, &listings, watch)?;
                Report::of_run(&run_in_memory(&request, prepared, watch)?)
            })
        })
    }
}

impl Script {
    fn of(script: LibraryScript, text: &str) -> Self {
        Self {
            script,
            text: text.to_owned(),
            kept: Mutex::default(),
        }
    }

    /// The script as the condition of a task.
    pub(crate) fn input(&self) -> ConditionInput {
        ConditionInput::Script(Box::new(self.script.clone()))
    }

    /// The population for this number of deals, as `fairdeal deal` prepares it.
    fn prepared(
        &self,
        py: Python<'_>,
        deals: u64,
        sampling: Sampling,
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<Arc<Prepared>> {
        let method = sampling.method;
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |kept: &KeptPopulation| kept.deals == deals && kept.method == method;
        if let Some(kept) = lock().iter().find(|kept| is_same(kept)) {
            return Ok(Arc::clone(&kept.prepared));
        }
        let input = self.input();
        let prepared = run(py, progress, move |watch| {
            let workload = |script: &LibraryScript| Workload::boards(deals, script.generate);
            let listings = Listings::in_memory();
            on_workers(None, || {
                let prepared = Prepared::new(input, &sampling, workload, &listings, watch)?;
                prepared.warn(watch);
                Ok(Arc::new(prepared))
            })
        })?;
        let mut kept = lock();
        if kept.len() == MOST_KEPT {
            kept.remove(0);
        }
        kept.push(KeptPopulation {
            deals,
            method,
            prepared: Arc::clone(&prepared),
        });
        Ok(prepared)
    }

    fn fill_rows<R: DealRow + Send>(
        &self,
        py: Python<'_>,
        rows: &mut [R],
        seed: u128,
        sampler: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let deals = rows.len() as u64;
        let prepared = self.prepared(py, deals, sampling(sampler)?, progress.as_ref())?;
        let filled = run_borrowing(py, progress.as_ref(), |watch| {
            on_workers(None, || fill_rows(&prepared.population, seed, rows, watch))
        })?;
        match filled as u64 {
            filled if filled == deals => Ok(()),
            filled => {
                let found = format!("{filled} of {deals} deals found");
                let filter = Filter::of(&prepared.population);
                let tries = filter.map_or(MOST_TRIES, |filter| most_tries(&filter));
                Err(raised(&gave_up(tries).context(found)))
            }
        }
    }

    /// The script, and the request of these deals of its mix.
    fn mix_request(
        &self,
        deals: u64,
        seed: u128,
        sampler: &str,
        shares: &str,
    ) -> PyResult<(LibraryScript, BoardRequest)> {
        let shares = match shares {
            "exact" => Shares::Exact,
            "random" => Shares::Random,
            _ => {
                let message = format!("shares: `{shares}` is not `exact` or `random`");
                return Err(UsageError::new_err(message));
            }
        };
        let request = BoardRequest {
            boards: limited("deals", Some(deals.max(1)))?,
            shares,
            random: RandomRequest::of_seed(seed),
            sampling: sampling(sampler)?,
            ..BoardRequest::default()
        };
        Ok((self.script.clone(), request))
    }
}

/// Fills rows with the deals of a mix, and `types` with the numbers of their types.
fn fill_types<R: DealRow + Send>(
    py: Python<'_>,
    (script, request): (LibraryScript, BoardRequest),
    (rows, types): (&mut [R], &mut [u8]),
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    if rows.len() != types.len() {
        return Err(UsageError::new_err("the arrays differ in length"));
    }
    if rows.is_empty() {
        return Ok(());
    }
    run_borrowing(py, progress.as_ref(), |watch: &Watch| {
        let mut places = rows.iter_mut().zip(types);
        let mut give = |deal: fairdeal::Deal, of_type| match places.next() {
            Some((row, place)) => {
                *row = R::of_hands(deal.hands().map(fairdeal::Hand::bits));
                *place = of_type;
                true
            }
            None => false,
        };
        deal_mix(script, request, watch, &mut give)
    })
}

fn scattered(name: &str) -> PyErr {
    UsageError::new_err(format!(
        "{name}: the rows of the array are not one after the other"
    ))
}

fn refuse_columns(columns: usize, wanted: usize) -> PyResult<()> {
    match columns == wanted {
        true => Ok(()),
        false => Err(UsageError::new_err(format!(
            "out: the array has {columns} columns instead of {wanted}"
        ))),
    }
}

/// The sampler with this name, as in the command's option.
pub(crate) fn sampling(name: &str) -> PyResult<Sampling> {
    let method = match name {
        "auto" => SamplerMethod::Auto,
        "listing" | "cases" => SamplerMethod::Listing,
        "cells" | "factored" => SamplerMethod::Cells,
        "numbers" => SamplerMethod::Numbers,
        "rejection" | "reject" => SamplerMethod::Rejection,
        _ => {
            return Err(UsageError::new_err(format!(
                "sampler: `{name}` is not a sampler: auto, listing, cells, numbers or rejection"
            )));
        }
    };
    Ok(Sampling::by(method))
}

/// The names, summaries and texts of the scenarios.
pub(crate) fn scenarios() -> Vec<(&'static str, &'static str, &'static str)> {
    let all = SCENARIOS.iter();
    all.map(|of| (of.name, of.summary, of.text)).collect()
}
