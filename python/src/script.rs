//! Conditions and scripts: their theory, their deals and their runs.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use fairdeal::defect::Defect;
use fairdeal::draw::Shares;
use fairdeal::filter::Filter;
use fairdeal::language::{SCENARIOS, Script as LibraryScript};
use fairdeal::population::Listings;
use fairdeal::population::cases::ListingError;
use fairdeal::run::{
    DEFAULT_DEALS, DealCount, MOST_TRIES, fill_rows, mask_rows, most_tries, values_of_rows,
};
use fairdeal::sampler::{SamplerMethod, Sampling, Workload};
use fairdeal::tasks::boards::BoardRequest;
use fairdeal::tasks::run::{RunRequest, run_in_memory};
use fairdeal::tasks::{ConditionInput, Prepared, RandomRequest, TheoryRequest, theory};
use fairdeal::threads::on_workers;
use fairdeal::{DealRow, Error};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{DealArray, unusable};
use crate::error::{UsageError, raised, wrong_condition};
use crate::joint::{JointWays, joint_ways};
use crate::remedies;
use crate::report::{Report, battery, limited};
use crate::stream::{DealStream, deal_arrays, deal_mix, deal_mix_arrays, gave_up};
use crate::theory::ExactTables;
use crate::work::{Watch, run, run_borrowing};

/// Number of deals that every stream is prepared for: its first deals are always the same.
const STREAM_DEALS: u64 = 1 << 20;
/// Populations that are kept for the next request of the same size.
const MOST_KEPT: usize = 4;

/// Does work on the rows of an array of deals in either form and on another array.
macro_rules! for_rows {
    ($py:ident, $progress:ident, $array:ident, $outcomes:ident, |$rows:ident, $places:ident, $watch:ident| $work:expr) => {{
        let outcomes = $outcomes.try_readwrite();
        let mut outcomes = outcomes.map_err(|error| unusable("out", &error))?;
        let $places = outcomes.as_slice_mut().map_err(|_| scattered("out"))?;
        match $array {
            DealArray::Hands(array) => {
                let array = array.try_readonly();
                let array = array.map_err(|error| unusable("array", &error))?;
                let $rows = array.as_slice().map_err(|_| scattered("array"))?;
                let $rows = $rows.as_chunks::<4>().0;
                run_borrowing($py, $progress.as_ref(), |$watch| on_workers(None, || $work))
            }
            DealArray::Seats(array) => {
                let array = array.try_readonly();
                let array = array.map_err(|error| unusable("array", &error))?;
                let $rows = array.as_slice().map_err(|_| scattered("array"))?;
                let $rows = $rows.as_chunks::<52>().0;
                run_borrowing($py, $progress.as_ref(), |$watch| on_workers(None, || $work))
            }
        }
    }};
}

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

    /// The text of the condition of deals that satisfy this condition and another, either, or not
    /// this one.
    #[pyo3(signature = (operator, other = None))]
    fn combined(&self, operator: &str, other: Option<&Self>) -> PyResult<String> {
        let condition = &self.script.condition;
        let combined = match (operator, other) {
            ("and", Some(other)) => other.script.condition.and_given(condition),
            ("or", Some(other)) => condition.or(&other.script.condition),
            _ => condition.negated(),
        };
        let combined = combined.map_err(|error| wrong_condition(&error))?;
        Ok(combined.text().to_owned())
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
                match theory(request, &listings, watch) {
                    Ok(exact) => Ok(ExactTables::new(exact)),
                    Err(error) if is_impossible(&error) => {
                        // What is given must be possible.
                        if let Some(given) = &given {
                            let known = LibraryScript::parse(given.name(), given.text())?;
                            let input = ConditionInput::Script(Box::new(known));
                            theory(TheoryRequest::new(input, &sampling), &listings, watch)?;
                        }
                        Ok(ExactTables::impossible())
                    }
                    Err(error) => Err(error),
                }
            })
        })
    }

    /// The ways of each combination of these values among the deals of the condition, and all ways.
    #[pyo3(signature = (values, progress = None))]
    fn joint(
        &self,
        py: Python<'_>,
        values: Vec<String>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(JointWays, u128)> {
        let values = values
            .iter()
            .map(|text| LibraryScript::parse("quantity", text));
        let values: Result<Vec<LibraryScript>, _> = values.collect();
        let values = values.map_err(|error| wrong_condition(&error))?;
        let condition = self.script.condition.clone();
        run(py, progress.as_ref(), move |_| {
            on_workers(None, || joint_ways(&condition, &values))
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
                let cells = rows_of::<_, 4>(&mut array)?;
                refuse_columns(columns, 4)?;
                self.fill_rows(py, cells, seed, sampler, progress)
            }
            DealArray::Seats(array) => {
                let mut array = array
                    .try_readwrite()
                    .map_err(|error| unusable("out", &error))?;
                let columns = array.shape()[1];
                let cells = rows_of::<_, 52>(&mut array)?;
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
                let rows = rows_of::<_, 4>(&mut array)?;
                fill_types(py, request, (rows, types), progress)
            }
            DealArray::Seats(array) => {
                let mut array = array
                    .try_readwrite()
                    .map_err(|error| unusable("out", &error))?;
                let rows = rows_of::<_, 52>(&mut array)?;
                fill_types(py, request, (rows, types), progress)
            }
        }
    }

    /// The deals of a seed in arrays of `size` rows: `deals` of them, or without end.
    #[pyo3(signature = (deals, seed, size, seats, sampler, shares))]
    fn stream(
        &self,
        py: Python<'_>,
        deals: Option<u64>,
        seed: u128,
        size: usize,
        seats: bool,
        sampler: &str,
        shares: &str,
    ) -> PyResult<DealStream> {
        if self.script.mix.is_some() {
            let Some(deals) = deals else {
                let message = "n: a mix needs the number of deals";
                return Err(UsageError::new_err(message));
            };
            let (script, request) = self.mix_request(deals, seed, sampler, shares)?;
            return DealStream::start(move |watch, give| match (deals, seats) {
                (0, _) => Ok(()),
                (_, false) => deal_mix_arrays::<[u64; 4]>(script, request, size, watch, give),
                (_, true) => deal_mix_arrays::<[u8; 52]>(script, request, size, watch, give),
            });
        }
        let prepared = self.prepared(py, STREAM_DEALS, sampling(sampler)?, None)?;
        let sizes = (deals.unwrap_or(u64::MAX), size);
        DealStream::start(move |watch, give| match seats {
            false => deal_arrays::<[u64; 4]>(&prepared, seed, sizes, watch, give),
            true => deal_arrays::<[u8; 52]>(&prepared, seed, sizes, watch, give),
        })
    }

    /// Sets a mask to whether the deal of each row satisfies the condition.
    #[pyo3(signature = (array, mask, progress = None))]
    fn mask(
        &self,
        py: Python<'_>,
        array: DealArray<'_>,
        mask: Bound<'_, PyArray1<bool>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let condition = &self.script.condition;
        for_rows!(py, progress, array, mask, |rows, mask, watch| mask_rows(
            condition, rows, mask, watch
        ))
    }

    /// Sets a column to the value of the expression for the deal of each row.
    #[pyo3(signature = (array, column, progress = None))]
    fn column(
        &self,
        py: Python<'_>,
        array: DealArray<'_>,
        column: Bound<'_, PyArray1<i64>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let condition = &self.script.condition;
        for_rows!(py, progress, array, column, |rows, values, watch| {
            values_of_rows(condition, rows, values, watch)
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

/// Whether an error says that no deal satisfies a condition.
fn is_impossible(error: &Error) -> bool {
    matches!(error.cause(), Some(ListingError::NoDeal))
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

/// The rows of an array that is filled.
fn rows_of<'a, T: Element, const COLUMNS: usize>(
    array: &'a mut PyReadwriteArray2<'_, T>,
) -> PyResult<&'a mut [[T; COLUMNS]]> {
    let cells = array.as_slice_mut().map_err(|_| scattered("out"))?;
    Ok(cells.as_chunks_mut().0)
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
        "listing" => SamplerMethod::Listing,
        "cells" => SamplerMethod::Cells,
        "numbers" => SamplerMethod::Numbers,
        "rejection" => SamplerMethod::Rejection,
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
