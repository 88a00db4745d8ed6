//! Measures the naive program and the engine in turn.

use std::time::{Duration, Instant, SystemTime};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use fairdeal::change::median;
use fairdeal::draw::Generator;
use fairdeal::report::{
    BenchRound, BenchRounds, BenchRow, BenchSubject, ENGINE, NAIVE, NAIVE_GENERATOR,
};
use fairdeal::run::{self, DEFAULT_BATCH};
use fairdeal::tally::{Interval, Latency, TableChoice};
use fairdeal::tasks::Prepared;

use super::super::output;
use fairdeal::Error;

/// Deals of a measurement of the naive program, at most as many as of the engine.
pub(super) const NAIVE_DEALS: u64 = 1_000_000;

/// What is measured, and how often.
pub(super) struct Plan<'a> {
    pub(super) deals: &'a Prepared,
    pub(super) dealer: &'a fairdeal::draw::Dealer<'a, fairdeal::cases::CaseBytes>,
    pub(super) generator: &'a dyn Generator,
    pub(super) tables: TableChoice,
    pub(super) count: u64,
    pub(super) naive_count: u64,
    pub(super) rounds: u16,
    pub(super) threads: usize,
}

/// All that was measured.
pub(super) struct Measurement {
    pub(super) began: SystemTime,
    /// The naive program with either generator.
    naive: [(&'static str, Taken); 2],
    /// The engine with 1, 2 .. threads.
    engine: Vec<Taken>,
}

/// What one kind of measurement has taken, round after round.
#[derive(Default)]
struct Taken {
    /// Seconds a deal.
    cpu: Vec<f64>,
    wall: Vec<f64>,
    /// When each round began, and how long it took.
    times: Vec<(Duration, Duration)>,
    latency: Latency,
    /// The samples of each round.
    samples: Vec<Vec<(u64, u64)>>,
}

impl Taken {
    /// Measures one round of so many deals; times are those since `began`.
    fn measure<T>(&mut self, began: Instant, deals: u64, work: impl FnOnce() -> T) -> T {
        let start = began.elapsed();
        let (clock, cpu) = (Instant::now(), cpu_seconds());
        let result = work();
        let length = clock.elapsed();
        self.cpu.push((cpu_seconds() - cpu) / deals as f64);
        self.wall.push(length.as_secs_f64() / deals as f64);
        self.times.push((start, length));
        result
    }
}

/// What work takes of processor time, in seconds.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let cpu = cpu_seconds();
    let result = work();
    (result, cpu_seconds() - cpu)
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

impl Measurement {
    /// Makes all rounds.
    pub(super) fn make(plan: &Plan<'_>) -> Result<Self, Error> {
        let mut made = Self {
            began: SystemTime::now(),
            naive: [NAIVE_GENERATOR, "SmallRng"].map(|name| (name, Taken::default())),
            engine: (0..plan.threads).map(|_| Taken::default()).collect(),
        };
        let clock = Instant::now();
        let bar = output::progress("rounds", plan.rounds.into(), false);
        for round in 0..plan.rounds.into() {
            let [(_, first), (_, second)] = &mut made.naive;
            naive(first, clock, plan, &mut rand::rng());
            naive(second, clock, plan, &mut SmallRng::seed_from_u64(round));
            for (threads, taken) in (1..).zip(&mut made.engine) {
                engine(taken, clock, plan, threads)?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(made)
    }

    /// Medians over the rounds.
    pub(super) fn rows(&self, subject: &BenchSubject) -> Vec<BenchRow> {
        let base = median(&self.naive[0].1.cpu);
        let row = |program: &str, generator: &str, threads, deals, taken: &Taken| BenchRow {
            program: program.to_owned(),
            input: subject.input.clone(),
            tables: subject.tables.clone(),
            generator: generator.to_owned(),
            path: String::new(),
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
        let naive = self.naive.iter().map(|(generator, taken)| BenchRow {
            input: "unconstrained".to_owned(),
            ..row(NAIVE, generator, 1, subject.naive_deals, taken)
        });
        let engine = (1..).zip(&self.engine).map(|(threads, taken)| BenchRow {
            path: subject.path.clone(),
            ..row(ENGINE, &subject.generator, threads, subject.deals, taken)
        });
        naive.chain(engine).collect()
    }

    /// Round by round.
    pub(super) fn rounds(&self, generator: &str) -> BenchRounds {
        let base = &self.naive[0].1.cpu;
        let mut rounds = Vec::new();
        for (index, base) in base.iter().enumerate() {
            let mut push = |program: &str, generator: &str, threads, taken: &Taken| {
                rounds.push(BenchRound {
                    round: index + 1,
                    program: program.to_owned(),
                    generator: generator.to_owned(),
                    threads,
                    cpu_ns_per_deal: taken.cpu[index] * 1e9,
                    wall_ns_per_deal: taken.wall[index] * 1e9,
                    ratio_to_naive: base / taken.cpu[index],
                });
            };
            for (generator, taken) in &self.naive {
                push(NAIVE, generator, 1, taken);
            }
            for (threads, taken) in (1..).zip(&self.engine) {
                push(ENGINE, generator, threads, taken);
            }
        }
        BenchRounds(rounds)
    }

    /// The samples of every round and number of threads, in the order in which they were taken.
    pub(super) fn intervals(&self) -> impl Iterator<Item = Interval> {
        let rounds = 0..self.naive[0].1.times.len();
        rounds.flat_map(|round| {
            (1..).zip(&self.engine).map(move |(threads, taken)| {
                let (start, length) = taken.times[round];
                Interval {
                    tag: format!("threads={threads}"),
                    start,
                    length,
                    latency: Latency::from(taken.samples[round].clone()),
                }
            })
        })
    }

    /// The samples of all rounds, of 1, 2 .. threads.
    pub(super) fn latencies(&self) -> Vec<&Latency> {
        self.engine.iter().map(|taken| &taken.latency).collect()
    }
}

/// A measurement of the naive program with this generator.
fn naive(taken: &mut Taken, began: Instant, plan: &Plan<'_>, rng: &mut impl Rng) {
    taken.measure(began, plan.naive_count, || {
        run::shuffle(plan.naive_count, plan.tables, rng)
    });
}

/// A measurement of the engine with so many threads.
fn engine(taken: &mut Taken, began: Instant, plan: &Plan<'_>, threads: usize) -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(Error::io)?;
    let outcome = taken.measure(began, plan.count, || {
        pool.install(|| {
            let (generator, cap, progress) = (plan.generator, DEFAULT_BATCH, &|_| ());
            run::run_into(
                plan.tables,
                plan.dealer,
                generator,
                plan.count,
                cap,
                progress,
            )
        })
    });
    let outcome = outcome.map_err(|error| error.of(&plan.deals.population))?;
    taken.latency.merge(&outcome.latency);
    taken.samples.push(outcome.latency.recorded().collect());
    Ok(())
}
