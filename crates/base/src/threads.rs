//! Numbers of threads, and the pools of workers that the tasks of a process share.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::{process, thread};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Remedy};

/// Whether this system has threads. WebAssembly does all work on the calling thread.
pub const ARE_SUPPORTED: bool = !cfg!(target_family = "wasm");

/// Maximum number of threads per processor, of a task and of all tasks together. More gain nothing,
/// and thousands make a machine unusable.
pub const THREADS_PER_PROCESSOR: usize = 4;

/// A number of threads: at least one, and at most [`THREADS_PER_PROCESSOR`] per processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Threads(NonZero<usize>);

/// Error: a number of threads is 0 or above the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{threads} threads: use 1 to {}, {THREADS_PER_PROCESSOR} per processor",
    Threads::most()
)]
pub struct ThreadsOutOfBounds {
    threads: u64,
}

impl Threads {
    /// One thread.
    pub const ONE: Self = Self(NonZero::<usize>::MIN);

    /// Checks a number of threads.
    ///
    /// # Errors
    ///
    /// If it is 0 or above the limit.
    pub fn new(threads: u64) -> Result<Self, ThreadsOutOfBounds> {
        let number = usize::try_from(threads).ok().and_then(NonZero::new);
        let number = number.map(Self).filter(|number| *number <= Self::most());
        number.ok_or(ThreadsOutOfBounds { threads })
    }

    /// One thread per processor.
    pub fn all() -> Self {
        Self(thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
    }

    /// The largest number.
    pub fn most() -> Self {
        let factor = NonZero::<usize>::MIN.saturating_add(THREADS_PER_PROCESSOR - 1);
        Self(Self::all().0.saturating_mul(factor))
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0.get()
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The pools of one process.
///
/// A forked process has none of its parent's threads, so it must not use the parent's pools, nor
/// wait for a lock that one of those threads holds. It adds an entry of its own to the list.
struct ProcessPools {
    process: u32,
    state: Mutex<PoolState>,
    /// Notified when a pool is free again.
    freed: Condvar,
    next: OnceLock<&'static Self>,
}

#[derive(Default)]
struct PoolState {
    /// Unused pools, by their number of threads.
    free: BTreeMap<usize, Vec<ThreadPool>>,
    /// Threads of all pools.
    threads: usize,
}

static POOLS: OnceLock<ProcessPools> = OnceLock::new();

impl ProcessPools {
    fn new(process: u32) -> Self {
        Self {
            process,
            state: Mutex::default(),
            freed: Condvar::new(),
            next: OnceLock::new(),
        }
    }

    /// The pools of this process.
    fn here() -> &'static Self {
        let process = process::id();
        let mut pools = POOLS.get_or_init(|| Self::new(process));
        while pools.process != process {
            // Leaked: a process is forked a few times at most on the way from the first one.
            pools = pools
                .next
                .get_or_init(|| Box::leak(Box::new(Self::new(process))));
        }
        pools
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an unused pool, or makes one. Waits while the pools in use have all threads that the
    /// process may have.
    fn take(&self, threads: Threads) -> Result<ThreadPool, Error> {
        let mut state = self.lock();
        loop {
            if let Some(pool) = state.free.get_mut(&threads.get()).and_then(Vec::pop) {
                return Ok(pool);
            }
            if state.threads + threads.get() <= Threads::most().get() {
                state.threads += threads.get();
                break;
            }
            if !state.end_unused() {
                let waited = self.freed.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
        }
        drop(state);
        let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
        pool.map_err(|error| {
            self.lock().threads -= threads.get();
            self.freed.notify_all();
            let message = format!("{threads} threads cannot be started ({error})");
            Error::io(message).with_remedy(Remedy::FewerThreads)
        })
    }

    fn give_back(&self, pool: ThreadPool) {
        let threads = pool.current_num_threads();
        self.lock().free.entry(threads).or_default().push(pool);
        self.freed.notify_all();
    }
}

impl PoolState {
    /// Ends an unused pool; returns false if there is none.
    fn end_unused(&mut self) -> bool {
        let Some(mut found) = self.free.first_entry() else {
            return false;
        };
        let threads = *found.key();
        if found.get_mut().pop().is_some() {
            self.threads -= threads;
        }
        if found.get().is_empty() {
            found.remove();
        }
        true
    }
}

/// Workers for a task: a pool that no other task uses until this is dropped, or the pool of the
/// task that needs them. The calling thread where it is the only one.
pub struct Workers(Option<(&'static ProcessPools, ThreadPool)>);

impl Workers {
    /// Takes workers. Waits while other tasks use all threads that the process may have.
    ///
    /// # Errors
    ///
    /// If they cannot be started.
    pub fn take(threads: Threads) -> Result<Self, Error> {
        if rayon::current_thread_index().is_some() || !ARE_SUPPORTED {
            return Ok(Self(None));
        }
        let pools = ProcessPools::here();
        Ok(Self(Some((pools, pools.take(threads)?))))
    }

    /// Does work on a worker, and waits for it.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some((_, pool)) => pool.install(work),
            None => work(),
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        if let Some((pools, pool)) = self.0.take() {
            pools.give_back(pool);
        }
    }
}

/// Does work on workers of this process, by default one per processor, and waits for it. Unlike
/// rayon's global pool, they also exist in a forked process.
///
/// # Errors
///
/// If they cannot be started, or the work fails.
#[doc(hidden)]
pub fn on_workers<T: Send>(
    threads: Option<Threads>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    Workers::take(threads.unwrap_or_else(Threads::all))?.install(work)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn numbers_of_threads_are_from_one_to_four_per_processor() {
        let most = Threads::most().get() as u64;
        assert_eq!(most, 4 * Threads::all().get() as u64);
        assert_eq!(
            Threads::new(most).map(|threads| threads.get() as u64),
            Ok(most)
        );
        for wrong in [0, most + 1, u64::MAX] {
            let error = Threads::new(wrong).unwrap_err();
            let wanted = format!("{wrong} threads: use 1 to {most}, 4 per processor");
            assert_eq!(error.to_string(), wanted);
        }
    }

    #[test]
    fn two_hundred_tasks_share_the_threads_of_the_process() {
        static BUSY: AtomicUsize = AtomicUsize::new(0);
        static MOST_BUSY: AtomicUsize = AtomicUsize::new(0);
        let begun = Barrier::new(200);
        thread::scope(|scope| {
            for task in 0..200 {
                let begun = &begun;
                scope.spawn(move || {
                    begun.wait();
                    let threads = Threads::new(1 + task % 3).expect("a few threads");
                    let workers = Workers::take(threads).expect("threads start");
                    let busy = BUSY.fetch_add(threads.get(), Ordering::SeqCst) + threads.get();
                    MOST_BUSY.fetch_max(busy, Ordering::SeqCst);
                    let sum: u64 = workers.install(|| {
                        // A task within a task uses the same workers.
                        let same = Workers::take(Threads::most()).expect("there are some");
                        same.install(|| (0..100u64).into_par_iter().sum())
                    });
                    BUSY.fetch_sub(threads.get(), Ordering::SeqCst);
                    assert_eq!(sum, 4_950);
                });
            }
        });
        assert!(MOST_BUSY.load(Ordering::SeqCst) <= Threads::most().get());
        assert!(ProcessPools::here().lock().threads <= Threads::most().get());
    }
}
