//! Number of threads: `--threads` and `RAYON_NUM_THREADS`, and the limit on both.

use clap::Args;

use fairdeal::Error;
use fairdeal::threads::{THREADS_PER_PROCESSOR, Threads};

use super::{log, values};

/// Variable that sets rayon's number of threads.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// `--threads`
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct ThreadOptions {
    /// Number of threads, at most 4 per processor [default: one per processor]
    #[arg(long, value_name = "K", help_heading = "Computation",
        value_parser = values::count)]
    threads: Option<u64>,
}

impl ThreadOptions {
    /// The requested number of threads, limited; warns if it was above the limit.
    pub(super) fn number(self) -> Option<Threads> {
        self.threads.map(|threads| capped("--threads ", threads))
    }
}

/// Limits the number of threads of this option or variable.
fn capped(name: &str, threads: u64) -> Threads {
    Threads::new(threads).unwrap_or_else(|_| {
        let most = Threads::most();
        // Ignored if standard error is closed.
        let _ = log::warning(format!(
            "{name}{threads}: using {most} threads, {THREADS_PER_PROCESSOR} per processor"
        ));
        most
    })
}

/// Starts the worker threads that list conditions and check listings: one per processor, or the
/// number in the environment.
pub(super) fn start_workers() -> Result<(), Error> {
    let named = std::env::var(VARIABLE).ok();
    let named = named.and_then(|value| value.trim().parse::<u64>().ok());
    let threads = match named {
        // As in rayon.
        None | Some(0) => Threads::all(),
        Some(threads) => capped(&format!("{VARIABLE}="), threads),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
    pool.build_global().map_err(|error| {
        Error::io(format!(
            "cannot start {threads} threads ({error}): set {VARIABLE} to a smaller number, or \
             allow more memory or processes (ulimit -v, ulimit -u)"
        ))
    })
}
