//! `fairdeal bench`

mod history;
mod measuring;
mod printing;

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use fairdeal::condition::Script;
use fairdeal::draw::{GENERATORS, Generator, seeded};
use fairdeal::population::Listings;
use fairdeal::report::{
    BENCH_VERSION, BenchFolder, BenchRecord, BenchSubject, HostRecord, PROGRAM, write_bench_rows,
};
use fairdeal::sampler::{LONG_RUN, Need};
use fairdeal::tally::TableChoice;
use fairdeal::tasks::Prepared;

use self::history::Earlier;
use self::measuring::{Measurement, NAIVE_DEALS, Plan, timed};
use self::printing::{Document, memory};
use super::input::{InputOptions, SamplingOptions};
use super::terminal::Terminal;
use super::{json, output, values};
use fairdeal::Error;

/// The exit code if something is slower than it was.
const SLOWER: u8 = 1;

/// Measure how fast this machine deals and counts
///
/// Deals and counts on 1, 2 .. all threads, several times in turn with a naive program (rand's
/// shuffle and a look at every card) that fills the same tables, and prints medians: processor
/// time and the ratio to the naive program, deals a second, and percentiles over blocks.
/// FAIRDEAL_PATH=portable, avx2 or avx512 forces the instructions. --save keeps the measurement,
/// --against holds it against those kept before: exit code 1 if it is slower by more than noise.
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

    /// Save the measurement in reports/bench/NAME [default: the time and INPUT]
    #[arg(long, value_name = "NAME", value_parser = history::name)]
    save: Option<Option<String>>,

    /// Compare with a saved measurement, by its name or folder [default: all of the same]; exit
    /// code 1 if this one is slower by more than the noise
    #[arg(long, value_name = "NAME", value_parser = history::name_or_folder)]
    against: Option<Option<String>>,

    /// Print one JSON document on standard output instead of the tables
    #[arg(long)]
    json: bool,

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

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    let (name, input) = InputOptions::named(&arguments.input).resolve()?;
    // What is measured is the sampler of a long run, however few deals measure it.
    let need = |_: &Script| Need::statistics(LONG_RUN.max(arguments.deals));
    let (listings, sampling) = (Listings::of_user()?, arguments.options.sampling());
    let deals = Prepared::new(input, &sampling, need, &listings, &Terminal::new(false))?;
    if !deals.population.is_exact() {
        return Err(Error::usage(
            "a bench takes a condition that is listed or made of cells whole: this one leaves a filter",
        ));
    }
    let generator: Box<dyn Generator> = seeded(&arguments.rng, 1).expect("the name was checked");
    let (dealer, guide_seconds) = timed(|| deals.dealer(arguments.deals));
    let dealer = dealer?;
    let start = Timestamp::now();
    let mut record = BenchRecord {
        guide_bytes: dealer.guide_bytes(),
        guide_seconds,
        ..arguments.record(&deals, name, dealer.path().name(), start)
    };
    // What cannot be saved or compared is said before anything is measured.
    let earlier = arguments.against.as_ref();
    let earlier = earlier.map(|name| Earlier::of(name.as_deref(), &record));
    let earlier = earlier.transpose()?;
    let folder = arguments.save.as_ref().map(|name| {
        let folder = history::folder(name.as_deref(), start, &record.subject.input);
        BenchFolder::prepare(&folder)
    });
    let folder = folder.transpose()?;

    let measured = Measurement::make(&Plan {
        deals: &deals,
        dealer: &dealer,
        generator: &*generator,
        tables: arguments.tables.choice(),
        count: arguments.deals,
        naive_count: record.subject.naive_deals,
        rounds: arguments.rounds,
        threads: record.threads,
    })?;
    record.end = Timestamp::now().to_string();
    record.peak_bytes = memory().map(|(peak, _)| peak);

    let rows = measured.rows(&record.subject);
    let rounds = measured.rounds(&record.subject.generator);
    let against = earlier.map(|earlier| earlier.compare(&rounds, record.threads));
    // What cannot be written is printed all the same.
    let written = || -> Result<(), Error> {
        if let Some(csv) = &arguments.csv {
            write_bench_rows(csv, &rows)?;
        }
        if let Some(folder) = &folder {
            let (intervals, latencies) = (measured.intervals(), measured.latencies());
            folder.write(
                &record,
                &rows,
                &rounds,
                measured.began,
                intervals,
                &latencies,
            )?;
        }
        Ok(())
    };
    let written = written();
    let document = Document {
        record: &record,
        rows: &rows,
        against: against.as_ref(),
        saved: folder
            .as_ref()
            .filter(|_| written.is_ok())
            .map(BenchFolder::path),
    };
    let out = &mut io::stdout().lock();
    output::unless_closed(match arguments.json {
        true => json::document(out, &document),
        false => printing::print(out, &document),
    })?;
    written?;
    let is_slower = against.is_some_and(|against| against.is_slower());
    Ok(if is_slower { SLOWER } else { 0 })
}

impl Arguments {
    /// What is going to be measured.
    fn record(&self, deals: &Prepared, input: String, path: &str, start: Timestamp) -> BenchRecord {
        let host = HostRecord::here();
        BenchRecord {
            program: PROGRAM.to_owned(),
            format_version: BENCH_VERSION,
            subject: BenchSubject {
                input,
                condition: deals.script.condition.text().to_owned(),
                order: deals.population.order(),
                case_file: deals.case_file_record(),
                sampler: deals.population.identity().sampler,
                tables: self.tables.name().to_owned(),
                generator: self.rng.clone(),
                path: path.to_owned(),
                deals: self.deals,
                naive_deals: NAIVE_DEALS.min(self.deals),
            },
            rounds: self.rounds.into(),
            threads: self.threads.map_or(host.processors, usize::from),
            start: start.to_string(),
            end: String::new(),
            guide_bytes: 0,
            guide_seconds: 0.0,
            peak_bytes: None,
            host,
        }
    }
}
