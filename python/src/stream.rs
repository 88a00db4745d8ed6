//! Deals one after the other, and the deals of a mix: dealt ahead on a thread of their own.

use std::fmt;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use fairdeal::Error;
use fairdeal::draw::Aes128Ctr;
use fairdeal::language::Script;
use fairdeal::population::Listings;
use fairdeal::run::{DealStream as Stream, SearchEvent};
use fairdeal::tasks::boards::{BoardRequest, SearchEnd, Set};
use fairdeal::tasks::{ConditionInput, Prepared};
use fairdeal::threads::on_workers;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::deal::Deal;
use crate::error::{UsageError, raised};
use crate::work::Watch;

/// Interval between two looks at signals while no deal is found.
const POLL: Duration = Duration::from_millis(50);
/// Deals that are sent together, at most; the first ones come one by one.
const LARGEST_CHUNK: usize = 1 << 10;
/// Chunks that wait to be taken, at most.
const CHUNKS_AHEAD: usize = 4;

type Chunk = Result<Vec<fairdeal::Deal>, Error>;

/// An iterator over deals.
#[pyclass(frozen, module = "fairdeal._fairdeal")]
pub(crate) struct DealStream {
    state: Mutex<State>,
    watch: Watch,
    /// The process in which the deals are dealt.
    process: u32,
}

struct State {
    chunks: Receiver<Chunk>,
    /// Deals of the last chunk, the next one last.
    waiting: Vec<fairdeal::Deal>,
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

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Deal>> {
        if self.process != std::process::id() {
            let message =
                "deals are dealt in the process that asked for them: ask for them in this one";
            return Err(UsageError::new_err(message));
        }
        let state = self.state.lock_py_attached(py);
        let mut state = state.unwrap_or_else(std::sync::PoisonError::into_inner);
        loop {
            if let Some(deal) = state.waiting.pop() {
                return Ok(Some(Deal(deal)));
            }
            let chunks = &mut state.chunks;
            match py.detach(move || chunks.recv_timeout(POLL)) {
                Ok(Ok(mut deals)) => {
                    deals.reverse();
                    state.waiting = deals;
                }
                Ok(Err(error)) => return Err(raised(&error)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

impl DealStream {
    /// Starts dealing. `deal` gives each deal to its argument until that returns false.
    pub(crate) fn start(
        deal: impl FnOnce(&Watch, &mut dyn FnMut(fairdeal::Deal) -> bool) -> Result<(), Error>
        + Send
        + 'static,
    ) -> PyResult<Self> {
        let (sender, chunks) = sync_channel(CHUNKS_AHEAD);
        let watch = Watch::default();
        let mine = watch.clone();
        let builder = thread::Builder::new().name("fairdeal stream".to_owned());
        let started = builder.spawn(move || {
            let mut chunker = Chunker::new(&sender);
            let dealt = deal(&mine, &mut |deal| chunker.add(deal));
            chunker.send();
            if let Err(error) = dealt {
                // The receiver is gone if the iterator was dropped.
                let _ = sender.send(Err(error));
            }
        });
        started.map_err(|error| raised(&Error::io(error)))?;
        let waiting = Vec::new();
        Ok(Self {
            state: Mutex::new(State { chunks, waiting }),
            watch,
            process: std::process::id(),
        })
    }
}

/// Collects deals in chunks that become larger.
struct Chunker<'s> {
    sender: &'s SyncSender<Chunk>,
    chunk: Vec<fairdeal::Deal>,
    size: usize,
}

impl<'s> Chunker<'s> {
    fn new(sender: &'s SyncSender<Chunk>) -> Self {
        Self {
            sender,
            chunk: Vec::new(),
            size: 1,
        }
    }

    /// Adds a deal; returns whether more are wanted.
    fn add(&mut self, deal: fairdeal::Deal) -> bool {
        self.chunk.push(deal);
        if self.chunk.len() < self.size {
            return true;
        }
        self.size = (2 * self.size).min(LARGEST_CHUNK);
        self.send()
    }

    fn send(&mut self) -> bool {
        let chunk = std::mem::take(&mut self.chunk);
        chunk.is_empty() || self.sender.send(Ok(chunk)).is_ok()
    }
}

/// Deals the population of one condition until `give` returns false or the work is stopped.
pub(crate) fn deal_one_by_one(
    prepared: &Prepared,
    seed: u128,
    watch: &Watch,
    give: &mut dyn FnMut(fairdeal::Deal) -> bool,
) -> Result<(), Error> {
    let population = &prepared.population;
    // Not the whole work: a stream waits until its deals are taken.
    let stream = || Stream::of(population, Aes128Ctr::new(seed));
    let mut stream = on_workers(None, stream)?;
    while !watch.is_stopped() {
        let event = stream.next().transpose();
        match event.map_err(|error| error.of(population))? {
            Some(SearchEvent::Next(next)) if give(next.deal) => {}
            Some(SearchEvent::Next(_)) => break,
            Some(SearchEvent::Misses(_)) => {}
            None => return Err(gave_up(stream.misses())),
        }
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
