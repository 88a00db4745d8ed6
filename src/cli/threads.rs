//! How many threads work: `--threads` and `RAYON_NUM_THREADS`, with a limit on both.

use std::thread;

use clap::Args;

use fairdeal::Error;

use super::{log, values};

/// More threads than this many for each processor are never started: they gain nothing, and
/// thousands of them make a machine unusable.
const PER_PROCESSOR: usize = 4;

/// The variable by which rayon is told how many threads to start.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// `--threads`
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct ThreadOptions {
    /// Number of threads, at most 4 per processor [default: one per processor]
    #[arg(long, value_name = "K", help_heading = "Computation", allow_negative_numbers = true,
        value_parser = values::count)]
    threads: Option<u64>,
}

impl ThreadOptions {
    /// The number of threads asked for; warns if it is too many.
    pub(super) fn number(self) -> Option<usize> {
        self.threads
            .map(|threads| capped("--threads ", threads as usize))
    }
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The number of threads of this option or variable, or the most that are started.
fn capped(name: &str, threads: usize) -> usize {
    let most = PER_PROCESSOR * processors();
    if threads <= most {
        return threads;
    }
    // Nothing is left to do if standard error is gone.
    let _ = log::warning(format!(
        "{name}{threads}: using {most} threads, {PER_PROCESSOR} per processor"
    ));
    most
}

/// Starts the threads that list, and check what is listed: one for each processor, or as many as
/// the environment says.
pub(super) fn start_workers() -> Result<(), Error> {
    let named = std::env::var(VARIABLE).ok();
    let named = named.and_then(|value| value.trim().parse::<usize>().ok());
    let threads = match named {
        // As rayon reads it.
        None | Some(0) => processors(),
        Some(threads) => capped(&format!("{VARIABLE}="), threads),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|error| {
        Error::io(format!(
            "cannot start {threads} threads ({error}): set {VARIABLE} to a smaller number, or \
             allow more memory or processes (ulimit -v, ulimit -u)"
        ))
    })
}
