//! Long work on a thread of its own, while the caller watches for signals and reports progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use fairdeal::Error;
use fairdeal::error::Remedy;
use fairdeal::observer::{Observer, Stage, StageProgress};
use pyo3::prelude::*;

use crate::error::{InternalError, raised};
use crate::remedies;

/// Interval between two looks at the work.
const POLL: Duration = Duration::from_millis(50);
/// Time that work gets to end after a request to stop.
const PATIENCE: Duration = Duration::from_secs(2);
/// The length of a stage whose length is unknown.
const UNKNOWN: u64 = u64::MAX;

/// Progress of work, and the request to stop it.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Shared>);

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    stage: Mutex<&'static str>,
    done: AtomicU64,
    of: AtomicU64,
    warnings: Mutex<Vec<String>>,
}

impl Watch {
    /// Asks the work to stop.
    pub(crate) fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// Raises the exception of a signal, and calls `progress` with the stage, the units done and
    /// their number.
    pub(crate) fn look(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        py.check_signals()?;
        let Some(progress) = progress else {
            return Ok(());
        };
        let stage = *lock(&self.0.stage);
        if stage.is_empty() {
            return Ok(());
        }
        let of = self.0.of.load(Ordering::Relaxed);
        let of = Some(of).filter(|of| *of != UNKNOWN);
        let done = self.0.done.load(Ordering::Relaxed);
        progress.call1(py, (stage, done, of)).map(|_| ())
    }

    /// Issues the warnings of the work.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let warnings = std::mem::take(&mut *lock(&self.0.warnings));
        warnings.iter().try_for_each(|warning| warned(py, warning))
    }
}

/// Issues a warning at the caller's line.
pub(crate) fn warned(py: Python<'_>, warning: &str) -> PyResult<()> {
    let warn = py.import("fairdeal._warnings")?.getattr("warn")?;
    warn.call1((warning,)).map(|_| ())
}

/// Locks a mutex whose data is sound at any time.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Watch {
    fn stage(&self, stage: Stage, length: Option<u64>) -> Box<dyn StageProgress> {
        self.0.done.store(0, Ordering::Relaxed);
        let of = length.unwrap_or(UNKNOWN);
        self.0.of.store(of, Ordering::Relaxed);
        *lock(&self.0.stage) = stage.name();
        Box::new(self.clone())
    }

    fn warn(&self, warning: &str) {
        lock(&self.0.warnings).push(warning.to_owned());
    }

    fn advise(&self, warning: &str, remedy: &Remedy) {
        match remedies::words(remedy) {
            Some(words) => Observer::warn(self, &format!("{warning}; {words}")),
            None => Observer::warn(self, warning),
        }
    }

    fn note(&self, _: &str) {}

    fn is_stop_asked(&self) -> bool {
        self.is_stopped()
    }
}

impl StageProgress for Watch {
    fn advance(&self, more: u64) {
        self.0.done.fetch_add(more, Ordering::Relaxed);
    }

    fn reached(&self, done: u64, of: Option<u64>) {
        self.0.done.store(done, Ordering::Relaxed);
        if let Some(of) = of {
            self.0.of.store(of, Ordering::Relaxed);
        }
    }

    fn begin_at(&self, done: u64) {
        self.0.done.store(done, Ordering::Relaxed);
    }

    fn looked(&self, _: f64, _: &'static str) {}
}

/// Work on a thread of its own.
pub(crate) struct Work<T> {
    watch: Watch,
    result: Receiver<Result<T, Error>>,
}

impl<T: Send + 'static> Work<T> {
    /// Starts work.
    pub(crate) fn start(
        work: impl FnOnce(&Watch) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<Self> {
        let watch = Watch::default();
        let (sender, result) = mpsc::sync_channel(1);
        let observer = watch.clone();
        let builder = thread::Builder::new().name("fairdeal".to_owned());
        let started = builder.spawn(move || {
            // The receiver is gone if an exception was raised.
            let _ = sender.send(work(&observer));
        });
        started.map_err(|error| raised(&Error::io(error)))?;
        Ok(Self { watch, result })
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Looks at the work once; asks it to stop if an exception was raised.
    fn look(&mut self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let looked = self.watch.look(py, progress);
        if looked.is_err() {
            self.give_up(py);
        }
        looked
    }

    /// Asks the work to stop, and gives it some time. Work that cannot stop ends later by itself.
    fn give_up(&mut self, py: Python<'_>) {
        self.watch.stop();
        let result = &mut self.result;
        py.detach(move || {
            let _ = result.recv_timeout(PATIENCE);
        });
    }

    /// Waits for the result. Meanwhile, signals raise their exceptions.
    pub(crate) fn wait(mut self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<T> {
        loop {
            let result = &mut self.result;
            match py.detach(move || result.recv_timeout(POLL)) {
                Ok(result) => {
                    self.look(py, progress)?;
                    self.watch.warn(py)?;
                    return result.map_err(|error| raised(&error));
                }
                Err(RecvTimeoutError::Timeout) => self.look(py, progress)?,
                Err(RecvTimeoutError::Disconnected) => return Err(panicked()),
            }
        }
    }
}

/// Does work on a thread of its own, and returns its result.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    Work::start(work)?.wait(py, progress)
}

/// Does work that borrows from the caller, as [`run`] does; it must end soon after a request to
/// stop.
pub(crate) fn run_borrowing<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let observer = watch.clone();
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (sender, result) = mpsc::sync_channel(1);
            scope.spawn(move || {
                let _ = sender.send(work(&observer));
            });
            loop {
                match result.recv_timeout(POLL) {
                    Ok(result) => return Ok(result),
                    Err(RecvTimeoutError::Timeout) => {
                        let looked = Python::attach(|py| watch.look(py, progress));
                        looked.inspect_err(|_| watch.stop())?;
                    }
                    Err(RecvTimeoutError::Disconnected) => return Err(panicked()),
                }
            }
        })
    })?;
    watch.look(py, progress)?;
    watch.warn(py)?;
    done.map_err(|error| raised(&error))
}

fn panicked() -> PyErr {
    InternalError::new_err("fairdeal failed: please report this, with the lines above")
}
