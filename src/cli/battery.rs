//! Which tests are made, and by how many threads: the options that `run` and `audit` share.

use clap::{Args, ValueEnum};

use fairdeal::Error;
use fairdeal::tally::Depth;
use fairdeal::tasks::BatteryRequest;

use super::values;

/// Which tests are made.
#[derive(Args, Clone, Debug)]
pub(super) struct BatteryOptions {
    /// Which tests are made [default: standard]
    #[arg(long, value_enum)]
    battery: Option<BatteryChoice>,

    /// Deals that a PASS takes; fewer are INCONCLUSIVE [default: 1000000]
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

impl BatteryOptions {
    /// Whether the number of deals for a PASS is given.
    pub(super) fn has_target(&self) -> bool {
        self.target.is_some()
    }

    /// What is asked for.
    pub(super) fn request(&self) -> BatteryRequest {
        BatteryRequest {
            depth: self.battery.map(|choice| match choice {
                BatteryChoice::Tables => Depth::Tables,
                BatteryChoice::Standard => Depth::Standard,
                BatteryChoice::Full => Depth::Full,
            }),
            target: self.target,
            keep: self.keep,
            threads: self.threads.map(usize::from),
        }
    }
}

/// Starts the workers that list, and check what is listed: one for each processor.
pub(super) fn start_workers() -> Result<(), Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new();
    pool.build_global().map_err(|error| {
        Error::io(format!(
            "{threads} threads cannot be started ({error}): set RAYON_NUM_THREADS to fewer, or allow \
             more memory or processes (ulimit -v, ulimit -u)"
        ))
    })
}
