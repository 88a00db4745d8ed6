//! Choice of tests: the options that `run` and `audit` share.

use clap::Args;
use clap::builder::TypedValueParser;

use fairdeal::run::DealCount;
use fairdeal::tally::{Depth, KeptCount};
use fairdeal::tasks::BatteryRequest;

use super::threads::ThreadOptions;
use super::values::{self, NameParser};

/// Choice of tests and of what a PASS requires.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tests")]
pub(super) struct BatteryOptions {
    #[command(flatten)]
    tests: TestOptions,

    /// Sample size that a PASS requires [default: 1000000]
    ///
    /// A smaller sample without evidence against it is INCONCLUSIVE, and so is any sample below
    /// 1,000 deals.
    #[arg(long, value_name = "N")]
    target: Option<DealCount>,
}

/// Choice of tests.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tests")]
pub(super) struct TestOptions {
    /// Choose the tests [default: standard]
    #[arg(long, value_name = "NAME", value_parser = depths())]
    battery: Option<Depth>,

    /// Deals to keep for finding duplicates [default: 1048576]
    ///
    /// Each takes about 30 bytes of memory, with `--battery full` about 50. More deals detect
    /// generators with more seeds. From 1Ki to 4Gi.
    #[arg(long, value_name = "N")]
    keep: Option<KeptCount>,

    #[command(flatten)]
    threads: ThreadOptions,
}

/// Parser of `--battery`.
fn depths() -> NameParser<impl TypedValueParser<Value = Depth>> {
    let full = "All tests on every deal, and pairs of deals at all lags";
    let standard = "All tests; the slowest on a fixed share of the deals";
    let tables = "Tables and the seat of every card, at full speed";
    values::described([
        (Depth::Tables, "tables", tables),
        (Depth::Standard, "standard", standard),
        (Depth::Full, "full", full),
    ])
}

impl BatteryOptions {
    /// Whether the sample size for a PASS was given.
    pub(super) fn has_target(&self) -> bool {
        self.target.is_some()
    }

    /// The request to the library.
    pub(super) fn request(&self) -> BatteryRequest {
        BatteryRequest {
            target: self.target,
            ..self.tests.request()
        }
    }
}

impl TestOptions {
    /// The request to the library.
    pub(super) fn request(&self) -> BatteryRequest {
        BatteryRequest {
            depth: self.battery,
            target: None,
            keep: self.keep,
            threads: self.threads.number(),
        }
    }
}
