//! Measures the naive program and the engine alternately.

use std::time::{Duration, Instant, SystemTime};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::change::median;
use super::{BenchRound, BenchRounds, BenchRow, BenchSubject, ENGINE, NAIVE, NAIVE_GENERATOR};
use crate::count::Count;
use crate::draw::{DealCount, Dealer, Generator};
use crate::error::Error;
use crate::observer::{Observer, Stage};
use crate::population::Population;
use crate::population::cases::CaseBytes;
use crate::run::{self, DEFAULT_BATCH};
use crate::tally::{Interval, Latency, TableChoice};

/// Maximum number of deals per measurement of the naive program; never more than the engine's.
pub const NAIVE_DEALS: u64 = 1_000_000;

/// A number of measurements of each kind.
pub type MeasuredRounds = Count<1, 1_000>;

/// Plan of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct BenchPlan<'p> {
    /// The population of the engine, before its filter.
    pub population: &'p Population,
    /// The dealer of that population.
    pub dealer: &'p Dealer<'p, CaseBytes>,
    /// Generator of the engine.
    pub generator: &'p dyn Generator,
    /// The tables that both programs fill.
    pub tables: TableChoice,
    /// Deals per measurement of the engine.
    pub deals: DealCount,
    /// Deals per measurement of the naive program.
    pub naive_deals: u64,
    /// Number of measurements of each kind.
    pub rounds: MeasuredRounds,
    /// Maximum number of threads; each number from 1 on is measured.
    pub threads: usize,
}

/// Times of the naive program and the engine, round by round.
#[derive(Debug)]
pub struct Measurement {
    began: SystemTime,
    /// The naive program with either generator.
    naive: [(&'static str, Timings); 2],
    /// The engine on 1, 2 .. threads.
    engine: Vec<Timings>,
}

/// Times of one kind of measurement, one per round.
#[derive(Debug, Default)]
struct Timings {
    /// Processor time per deal, in seconds.
    cpu: Vec<f64>,
    wall: Vec<f64>,
    /// Start and duration of each round.
    times: Vec<(Duration, Duration)>,
    latency: Latency,
    /// Samples of each round.
    samples: Vec<Vec<(u64, u64)>>,
}

impl Timings {
    /// Measures one round of `deals` deals; times are relative to `began`.
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

/// Runs `work`; returns its result and its processor time in seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let cpu = cpu_seconds();
    let result = work();
    (result, cpu_seconds() - cpu)
}

/// Processor time of this process; wall time if the system does not report it.
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
    /// Makes all rounds, as the stage `rounds`.
    ///
    /// # Errors
    ///
    /// If deals cannot be drawn, or threads cannot be started.
    pub fn make(plan: &BenchPlan<'_>, observer: &dyn Observer) -> Result<Self, Error> {
        let mut made = Self {
            began: SystemTime::now(),
            naive: [NAIVE_GENERATOR, "SmallRng"].map(|name| (name, Timings::default())),
            engine: (0..plan.threads).map(|_| Timings::default()).collect(),
        };
        let clock = Instant::now();
        let stage = observer.stage(Stage::Rounds, Some(plan.rounds.get()));
        for round in 0..plan.rounds.get() {
            let [(_, first), (_, second)] = &mut made.naive;
            naive(first, clock, plan, &mut rand::rng());
            naive(second, clock, plan, &mut SmallRng::seed_from_u64(round));
            for (threads, taken) in (1..).zip(&mut made.engine) {
                engine(taken, clock, plan, threads)?;
            }
            stage.advance(1);
        }
        Ok(made)
    }

    /// Start of the first round.
    pub(crate) fn began(&self) -> SystemTime {
        self.began
    }

    /// Medians over the rounds.
    pub fn rows(&self, subject: &BenchSubject) -> Vec<BenchRow> {
        let base = median(&self.naive[0].1.cpu);
        let row = |program: &str, generator: &str, threads, deals, taken: &Timings| BenchRow {
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

    /// All rounds; `generator` is the engine's.
    pub fn rounds(&self, generator: &str) -> BenchRounds {
        let base = &self.naive[0].1.cpu;
        let mut rounds = Vec::new();
        for (index, base) in base.iter().enumerate() {
            let mut push = |program: &str, generator: &str, threads, taken: &Timings| {
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

    /// Samples of every round and number of threads, in order.
    pub(crate) fn intervals(&self) -> impl Iterator<Item = Interval> {
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

    /// Samples of all rounds, for 1, 2 .. threads.
    pub(crate) fn latencies(&self) -> Vec<&Latency> {
        self.engine.iter().map(|taken| &taken.latency).collect()
    }
}

/// Measures the naive program with this generator.
fn naive(taken: &mut Timings, began: Instant, plan: &BenchPlan<'_>, rng: &mut impl Rng) {
    taken.measure(began, plan.naive_deals, || {
        run::shuffle(plan.naive_deals, plan.tables, rng)
    });
}

/// Measures the engine on this number of threads.
fn engine(
    taken: &mut Timings,
    began: Instant,
    plan: &BenchPlan<'_>,
    threads: usize,
) -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(Error::io)?;
    let (generator, cap, progress) = (plan.generator, DEFAULT_BATCH, &|_| ());
    let deal = || {
        run::run_into(
            plan.tables,
            plan.dealer,
            generator,
            plan.deals.get(),
            cap,
            progress,
        )
    };
    let outcome = taken.measure(began, plan.deals.get(), || pool.install(deal));
    let outcome = outcome.map_err(|error| error.of(plan.population))?;
    taken.latency.merge(&outcome.latency);
    taken.samples.push(outcome.latency.recorded().collect());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Aes128Ctr;
    use crate::observer::Silent;

    #[test]
    fn every_round_measures_the_naive_program_and_each_number_of_threads() {
        let population = Population::every_deal();
        let plan = BenchPlan {
            population: &population,
            dealer: &Dealer::new(&population).unwrap(),
            generator: &Aes128Ctr::new(1),
            tables: TableChoice::ALL,
            deals: DealCount::constant(1_000),
            naive_deals: 100,
            rounds: MeasuredRounds::constant(3),
            threads: 2,
        };
        let measured = Measurement::make(&plan, &Silent).unwrap();
        let rounds = measured.rounds("aes128ctr");
        assert_eq!(rounds.0.len(), 3 * 4);
        assert_eq!(rounds.naive_ns().len(), 3);
        for threads in 1..=2 {
            assert_eq!(rounds.log_ratios(threads).len(), 3);
        }
        assert!(rounds.log_ratios(3).is_empty());
        assert_eq!(measured.intervals().count(), 3 * 2);
        assert_eq!(measured.latencies().len(), 2);
    }
}
