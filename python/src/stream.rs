//! Arrays of deals one after the other, and the deals of a mix: dealt ahead on a thread of their own.

use std::fmt;
use std::mem::take;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use fairdeal::filter::Filter;
use fairdeal::language::Script;
use fairdeal::population::Listings;
use fairdeal::run::{MOST_TRIES, RowStream, SearchEvent, most_tries};
use fairdeal::tasks::boards::{BoardRequest, SearchEnd, Set};
use fairdeal::tasks::{ConditionInput, Prepared};
use fairdeal::threads::on_workers;
use fairdeal::{DealRow, Error};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::error::{UsageError, raised};
use crate::work::Watch;

/// Interval between two looks at signals while no deal is found.
const POLL: Duration = Duration::from_millis(50);
/// Arrays that wait to be taken, at most.
const ARRAYS_AHEAD: usize = 1;

/// The rows of an array of deals.
pub(crate) enum Rows {
    Hands(Vec<[u64; 4]>),
    Seats(Vec<[u8; 52]>),
}

impl From<Vec<[u64; 4]>> for Rows {
    fn from(rows: Vec<[u64; 4]>) -> Self {
        Self::Hands(rows)
    }
}

impl From<Vec<[u8; 52]>> for Rows {
    fn from(rows: Vec<[u8; 52]>) -> Self {
        Self::Seats(rows)
    }
}

impl Rows {
    /// The array of the rows, without a copy.
    fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Hands(rows) => {
                let shape = [rows.len(), 4];
                let array = PyArray1::from_vec(py, rows.into_flattened());
                array.reshape(shape)?.into_any()
            }
            Self::Seats(rows) => {
                let shape = [rows.len(), 52];
                let array = PyArray1::from_vec(py, rows.into_flattened());
                array.reshape(shape)?.into_any()
            }
        })
    }
}

/// Takes rows; returns whether more are wanted.
pub(crate) type GiveRows<'g> = &'g mut dyn FnMut(Rows) -> bool;

/// An iterator over arrays of deals.
#[pyclass(frozen, module = "fairdeal._fairdeal")]
pub(crate) struct DealStream {
    arrays: Mutex<Receiver<Result<Rows, Error>>>,
    watch: Watch,
    /// The process in which the deals are dealt.
    process: u32,
}

impl Drop for DealStream {
    fn drop(&mut self) {
        self.watch.stop();
    }
}

#[pymethods]
impl DealStream {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.process != std::process::id() {
            let message =
                "deals are dealt in the process that asked for them: ask for them in this one";
            return Err(UsageError::new_err(message));
        }
        let arrays = self.arrays.lock_py_attached(py);
        let mut arrays = arrays.unwrap_or_else(PoisonError::into_inner);
        loop {
            let arrays = &mut *arrays;
            match py.detach(move || arrays.recv_timeout(POLL)) {
                Ok(Ok(rows)) => return rows.array(py).map(Some),
                Ok(Err(error)) => return Err(raised(&error)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

impl DealStream {
    /// Starts dealing. `deal` gives rows to its argument until that returns false.
    pub(crate) fn start(
        deal: impl FnOnce(&Watch, GiveRows<'_>) -> Result<(), Error> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, arrays) = sync_channel(ARRAYS_AHEAD);
        let watch = Watch::default();
        let mine = watch.clone();
        let builder = thread::Builder::new().name("fairdeal stream".to_owned());
        let started = builder.spawn(move || {
            let dealt = deal(&mine, &mut |rows| sender.send(Ok(rows)).is_ok());
            if let Err(error) = dealt {
                // The receiver is gone if the iterator was dropped.
                let _ = sender.send(Err(error));
            }
        });
        started.map_err(|error| raised(&Error::io(error)))?;
        Ok(Self {
            arrays: Mutex::new(arrays),
            watch,
            process: std::process::id(),
        })
    }
}

/// Deals the population of one condition in arrays of `size` rows, `deals` in all, until `give`
/// returns false or the work is stopped.
pub(crate) fn deal_arrays<R: DealRow + Clone + Send>(
    prepared: &Prepared,
    seed: u128,
    (mut deals, size): (u64, usize),
    watch: &Watch,
    give: GiveRows<'_>,
) -> Result<(), Error>
where
    Rows: From<Vec<R>>,
{
    let population = &prepared.population;
    // On workers, too: those of the parent are not in a forked process.
    let mut stream = on_workers(None, || RowStream::new(population, seed))?;
    while deals > 0 && !watch.is_stopped() {
        let wanted = usize::try_from(deals).unwrap_or(usize::MAX).min(size);
        let mut rows = room(wanted)?;
        // Not the whole work: a stream waits until its arrays are taken.
        let filled = on_workers(None, || stream.fill(&mut rows, watch))?;
        rows.truncate(filled);
        deals -= filled as u64;
        if !rows.is_empty() && !give(rows.into()) {
            break;
        }
        if filled < wanted && !watch.is_stopped() {
            let filter = Filter::of(population);
            return Err(gave_up(
                filter.map_or(MOST_TRIES, |filter| most_tries(&filter)),
            ));
        }
    }
    Ok(())
}

/// Rows that are to be filled, if there is memory for them.
fn room<R: DealRow + Clone>(rows: usize) -> Result<Vec<R>, Error> {
    let mut room = Vec::new();
    let reserved = room.try_reserve_exact(rows);
    reserved.map_err(|_| Error::io(format!("not enough memory for {rows} deals")))?;
    room.resize(rows, R::of_hands([0; 4]));
    Ok(room)
}

/// Deals a mix in arrays of `size` rows.
pub(crate) fn deal_mix_arrays<R: DealRow>(
    script: Script,
    request: BoardRequest,
    size: usize,
    watch: &Watch,
    give: GiveRows<'_>,
) -> Result<(), Error>
where
    Rows: From<Vec<R>>,
{
    let mut rows = Vec::new();
    deal_mix(script, request, watch, &mut |deal, _| {
        rows.push(R::of_hands(deal.hands().map(fairdeal::Hand::bits)));
        rows.len() < size || give(take(&mut rows).into())
    })?;
    if !rows.is_empty() {
        give(rows.into());
    }
    Ok(())
}

/// Gives each deal of a mix and the number of its type to `give`, until that returns false or the
/// work is stopped. The deals are those of `fairdeal deal` with the same request.
pub(crate) fn deal_mix(
    script: Script,
    request: BoardRequest,
    watch: &Watch,
    give: &mut dyn FnMut(fairdeal::Deal, u8) -> bool,
) -> Result<(), Error> {
    let (input, listings) = (
        ConditionInput::Script(Box::new(script)),
        Listings::in_memory(),
    );
    let set = on_workers(None, || Set::new(request, input, &listings, watch))?;
    // Here: the streams of random words stay on their thread.
    let mut boards = set.boards(watch)?;
    while !watch.is_stopped() {
        match boards.next().transpose()? {
            Some(SearchEvent::Next(next)) if give(next.dealt.deal, next.deal_type as u8) => {}
            Some(SearchEvent::Next(_)) => break,
            Some(SearchEvent::Misses(_)) => {}
            None => {
                let of_type = |end: &SearchEnd| {
                    let name = end.deal_type.as_deref().unwrap_or_default();
                    gave_up(end.tries).context(format!("type `{name}`"))
                };
                return boards.end().map_or(Ok(()), |end| Err(of_type(end)));
            }
        }
    }
    Ok(())
}

/// The cause of the error of a search that found no deal for too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GaveUp {
    /// Number of deals in a row.
    tries: u64,
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "gave up after {} deals in a row without one that satisfies the condition",
            self.tries
        )
    }
}

impl std::error::Error for GaveUp {}

pub(crate) fn gave_up(tries: u64) -> Error {
    Error::input(GaveUp { tries })
}
