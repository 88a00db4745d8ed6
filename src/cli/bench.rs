//! `fairdeal bench`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;

use fairdeal::draw::{GENERATORS, Generator, seeded};
use fairdeal::report::{HostRecord, grouped, write_file};
use fairdeal::run::{self, DEFAULT_BATCH};
use fairdeal::tally::{Latency, TableChoice};

use super::deals::{Deals, SamplingOptions};
use super::failure::Failure;
use super::input::Input;
use super::{output, values};

/// Deals of a measurement of the naive program.
const NAIVE_DEALS: u64 = 1_000_000;

/// Measure how fast this machine deals and counts
///
/// Deals and counts on 1, 2 .. all threads, several times in turn with a naive program (rand's
/// shuffle and a look at every card) that fills the same tables, and prints medians: processor
/// time and the ratio to the naive program, deals a second, and percentiles over blocks.
/// FAIRDEAL_PATH=portable, avx2 or avx512 forces the instructions.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A scenario's name, a condition file (.dl) or a case file (.cases)
    #[arg(value_name = "INPUT", default_value = "unconstrained")]
    input: String,

    /// Deals of each measurement
    #[arg(long, value_name = "N", default_value_t = 1 << 26, value_parser = values::deals)]
    deals: u64,

    /// Measurements of each kind, of which medians are printed
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,

    /// The tables that both programs fill
    #[arg(long, value_enum, default_value_t = Tables::All)]
    tables: Tables,

    /// The generator of random words
    #[arg(long, value_name = "NAME", default_value = GENERATORS[0], value_parser = GENERATORS)]
    rng: String,

    /// Most threads [default: all cores]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Write the rows as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    options: SamplingOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tables {
    /// Patterns and points of all seats and sides
    Points,
    /// Those and the sides' suit lengths
    Fits,
    /// All: the seat of every card too
    All,
}

impl Tables {
    fn choice(self) -> TableChoice {
        TableChoice {
            fits: self != Self::Points,
            cards: self == Self::All,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Fits => "fits",
            Self::All => "all",
        }
    }
}

/// A line of the table.
#[derive(Serialize)]
struct Row {
    program: &'static str,
    input: String,
    tables: &'static str,
    generator: String,
    path: String,
    threads: usize,
    deals: u64,
    cpu_ns_per_deal: f64,
    ratio_to_naive: f64,
    deals_per_second: f64,
    block_ns_p50: Option<f64>,
    block_ns_p90: Option<f64>,
    block_ns_p99: Option<f64>,
    block_ns_max: Option<f64>,
}

/// What one kind of measurement has taken, round after round.
#[derive(Default)]
struct Taken {
    cpu: Vec<f64>,
    wall: Vec<f64>,
    latency: Latency,
}

impl Taken {
    /// Measures one round of so many deals.
    fn measure<T>(&mut self, deals: u64, work: impl FnOnce() -> T) -> T {
        let (clock, cpu) = (Instant::now(), cpu_seconds());
        let result = work();
        let wall = clock.elapsed().as_secs_f64();
        self.wall.push(wall / deals as f64);
        self.cpu.push((cpu_seconds() - cpu) / deals as f64);
        result
    }
}

/// The middle one, or the mean of the two in the middle.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    (sorted[(sorted.len() - 1) / 2] + sorted[middle]) / 2.0
}

/// Processor time of this process; the time of day where it cannot be had.
fn cpu_seconds() -> f64 {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}

/// Bytes of memory that this process has taken at most, and how many of those it
/// has now are pages of files; only where Linux tells.
fn memory() -> Option<(f64, f64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bytes = |name: &str| -> Option<f64> {
        let line = status.lines().find(|line| line.starts_with(name))?;
        let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024.0)
    };
    Some((bytes("VmHWM:")?, bytes("RssFile:")?))
}

/// A measurement of the naive program with this generator.
fn naive(taken: &mut Taken, tables: TableChoice, rng: &mut impl Rng) {
    taken.measure(NAIVE_DEALS, || run::shuffle(NAIVE_DEALS, tables, rng));
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let (name, source) = Input::named(&arguments.input).resolve()?;
    let (deals, ()) = Deals::of(source, &arguments.options, false, false, |_| Ok(()))?;
    if !deals.filter.is_empty() {
        return Err(Failure::usage(
            "a bench takes a condition that is listed whole: this one leaves a filter",
        ));
    }
    let generator: Box<dyn Generator> = seeded(&arguments.rng, 1).expect("the name was checked");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = arguments.threads.map_or(processors, usize::from);
    let mut guide = Taken::default();
    let dealer = guide.measure(1, || deals.dealer(arguments.deals))?;
    let tables = arguments.tables.choice();

    let mut shuffles = [Taken::default(), Taken::default()];
    let mut engine: Vec<Taken> = (0..most).map(|_| Taken::default()).collect();
    let rounds = u64::from(arguments.rounds);
    let bar = output::progress("rounds", rounds, false);
    for round in 0..rounds {
        naive(&mut shuffles[0], tables, &mut rand::rng());
        naive(
            &mut shuffles[1],
            tables,
            &mut SmallRng::seed_from_u64(round),
        );
        for (threads, taken) in (1..).zip(&mut engine) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(Failure::io)?;
            let count = arguments.deals;
            let outcome = taken.measure(count, || {
                pool.install(|| {
                    let (cap, progress) = (DEFAULT_BATCH, &|_| ());
                    run::run_into(tables, &dealer, &*generator, count, cap, progress)
                })
            });
            let outcome = outcome.map_err(|error| deals.failed(error))?;
            taken.latency.merge(&outcome.latency);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();

    let base = median(&shuffles[0].cpu);
    let row = |program, (generator, path): (&str, &str), threads, deals, taken: &Taken| Row {
        program,
        input: name.clone(),
        tables: arguments.tables.name(),
        generator: generator.to_owned(),
        path: path.to_owned(),
        threads,
        deals,
        cpu_ns_per_deal: median(&taken.cpu) * 1e9,
        ratio_to_naive: base / median(&taken.cpu),
        deals_per_second: 1.0 / median(&taken.wall),
        block_ns_p50: taken.latency.ns_at(50.0),
        block_ns_p90: taken.latency.ns_at(90.0),
        block_ns_p99: taken.latency.ns_at(99.0),
        block_ns_max: taken.latency.ns_at(100.0),
    };
    let mut rows = Vec::new();
    for (generator, taken) in ["rand::rng", "SmallRng"].iter().zip(&shuffles) {
        let mut row = row("naive", (generator, ""), 1, NAIVE_DEALS, taken);
        "unconstrained".clone_into(&mut row.input);
        rows.push(row);
    }
    let path = dealer.path();
    for (threads, taken) in (1..).zip(&engine) {
        let by = (&*arguments.rng, path.name());
        rows.push(row("fairdeal", by, threads, arguments.deals, taken));
    }
    print(&rows, dealer.guide_bytes(), guide.cpu[0])?;
    if let Some(csv) = &arguments.csv {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &rows {
            writer.serialize(row).map_err(Failure::io)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Failure::io(error.into_error()))?;
        write_file(csv, &bytes)?;
    }
    Ok(())
}

fn print(rows: &[Row], guide_bytes: usize, guide_seconds: f64) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let host = HostRecord::here();
    writeln!(
        out,
        "{} ({} processors, {})",
        host.processor, host.processors, host.os
    )?;
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    writeln!(
        out,
        "{}, tables: {}, {} deals a measurement",
        last.input,
        first.tables,
        grouped(last.deals)
    )?;
    if let Some((peak, mapped)) = memory() {
        writeln!(
            out,
            "memory: {:.1} MB at most, {:.1} MB of it files' pages",
            peak / 1e6,
            mapped / 1e6,
        )?;
    }
    if guide_bytes > 0 {
        writeln!(
            out,
            "guide: {:.1} MB, made in {:.0} ms of processor time, which the draws below leave out",
            guide_bytes as f64 / 1e6,
            guide_seconds * 1e3
        )?;
    }
    writeln!(
        out,
        "{:<9} {:<11} {:<9} {:>7} {:>9} {:>7} {:>10} {:>7} {:>7} {:>7}",
        "program",
        "generator",
        "path",
        "threads",
        "cpu ns",
        "ratio",
        "M deals/s",
        "p50",
        "p90",
        "p99"
    )?;
    for row in rows {
        let percentile =
            |ns: Option<f64>| ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.1}"));
        let path = if row.path.is_empty() { "-" } else { &row.path };
        writeln!(
            out,
            "{:<9} {:<11} {:<9} {:>7} {:>9.2} {:>7.1} {:>10.2} {:>7} {:>7} {:>7}",
            row.program,
            row.generator,
            path,
            row.threads,
            row.cpu_ns_per_deal,
            row.ratio_to_naive,
            row.deals_per_second / 1e6,
            percentile(row.block_ns_p50),
            percentile(row.block_ns_p90),
            percentile(row.block_ns_p99),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(super::median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(super::median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
