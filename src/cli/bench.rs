//! `fairdeal bench`

mod printing;

use std::io;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use fairdeal::bench::{
    BENCH_FOLDER, BenchError, BenchFolder, BenchHistory, BenchPlan, BenchRecord, BenchSubject,
    MeasuredRounds, Measurement, NAIVE_DEALS, ProcessMemory, timed, write_bench_rows,
};
use fairdeal::draw::SeededGenerator;
use fairdeal::language::{Scenario, Script};
use fairdeal::run::DealCount;
use fairdeal::sampler::{LONG_RUN, Workload};
use fairdeal::tally::TableChoice;
use fairdeal::tasks::Prepared;

use self::printing::BenchDocument;
use super::input::{InputOptions, LanguageOptions, SamplingOptions};
use super::terminal::Terminal;
use super::threads::ThreadOptions;
use super::{cache, json, output, values};
use fairdeal::Error;
use fairdeal::utc::UtcTime;

/// Exit code if any row is significantly slower.
const SLOWER: u8 = 1;

const EXAMPLES: &str = "\
Examples:
  fairdeal bench
  fairdeal bench nine-spades --threads 1 --save
  fairdeal bench nine-spades --threads 1 --against";

/// Measure how fast this machine deals and counts
///
/// Measures dealing and counting on 1, 2, .. all threads, alternating with a naive program (rand's
/// shuffle and a loop over all cards) that fills the same tables. Prints medians of processor
/// time, the ratio to the naive program, deals per second, and percentiles over blocks.
/// FAIRDEAL_PATH=portable, avx2, avx512 or neon selects the instructions.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct BenchArguments {
    /// Scenario, condition file (.dl) or case file (.cases)
    #[arg(value_name = "INPUT", default_value = "unconstrained")]
    input: String,

    /// Number of deals of each measurement
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        help_heading = "Measurement",
        default_value = "64Mi"
    )]
    deals: DealCount,

    /// Number of measurements of each kind; medians are printed
    #[arg(
        long,
        value_name = "R",
        help_heading = "Measurement",
        default_value = "5"
    )]
    rounds: MeasuredRounds,

    /// Tables that both programs fill
    #[arg(long, value_name = "NAME", help_heading = "Measurement", default_value = "all",
        value_parser = values::choice::<BenchTables>())]
    tables: BenchTables,

    /// Random number generator
    #[arg(long, value_name = "NAME", help_heading = "Measurement", default_value = SeededGenerator::default().name(),
        value_parser = values::named(SeededGenerator::ALL.into_iter().map(|rng| (rng, PossibleValue::new(rng.name())))))]
    rng: SeededGenerator,

    #[command(flatten)]
    language: LanguageOptions,

    #[command(flatten)]
    threads: ThreadOptions,

    /// Also write the rows to a CSV file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,

    /// Save the measurement in reports/bench/NAME [default: time and INPUT]
    #[arg(long, value_name = "NAME", help_heading = "Output", value_parser = plain_name)]
    save: Option<Option<String>>,

    /// Compare with saved measurements [default: all of the same kind]
    ///
    /// NAME is the name or the folder of one. Exit code 1 means that this measurement is
    /// significantly slower.
    #[arg(long, value_name = "NAME", help_heading = "Output", value_parser = name_or_folder)]
    against: Option<Option<String>>,

    /// Print one JSON document instead of the tables
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    options: SamplingOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BenchTables {
    /// Patterns and points of all seats and sides
    Points,
    /// As points, and the sides' suit lengths
    Fits,
    /// As fits, and the seat of every card
    All,
}

impl BenchTables {
    fn choice(self) -> TableChoice {
        TableChoice {
            fits: self != Self::Points,
            cards: self == Self::All,
        }
    }

    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

pub(super) fn execute(arguments: &BenchArguments) -> Result<u8, Error> {
    let input = InputOptions::named(&arguments.input);
    let input = input.with_language(arguments.language.clone());
    let (name, input) = input.resolve()?;
    // Measures the sampler of a long run, even with few deals.
    let workload = |_: &Script| Workload::statistics(LONG_RUN.max(arguments.deals.get()));
    let (listings, sampling) = (cache::listings()?, arguments.options.sampling());
    let terminal = Terminal::new(arguments.quiet);
    let deals = Prepared::new(input, &sampling, workload, &listings, &terminal)?;
    if !deals.population.is_exact() {
        return Err(Error::usage(
            "bench cannot measure a condition that needs a filter: use one that has cells or a listing",
        ));
    }
    let (dealer, guide_seconds) = timed(|| deals.dealer());
    let dealer = dealer?;
    let start = UtcTime::now();
    let subject = arguments.subject(&deals, name, dealer.isa().name());
    let (rounds, threads) = (arguments.rounds, arguments.threads.number());
    let threads = threads.map(|threads| threads.get() as u16);
    let mut record = BenchRecord {
        guide_bytes: dealer.guide_bytes(),
        guide_seconds,
        ..BenchRecord::begun(subject, rounds.get() as u16, threads, start.to_string())
    };
    // Errors of saving and comparing are reported before anything is measured.
    let history = arguments.history(&record)?;
    let folder = arguments.folder(&record, start)?;
    let plan = BenchPlan {
        population: &deals.population,
        dealer: &dealer,
        generator: &*arguments.rng.with_seed(1),
        tables: arguments.tables.choice(),
        deals: arguments.deals,
        naive_deals: record.subject.naive_deals,
        rounds,
        threads: record.threads,
    };
    let measured = Measurement::make(&plan, &terminal)?;
    record.end = UtcTime::now().to_string();
    let memory = ProcessMemory::now();
    record.peak_bytes = memory.map(|memory| memory.peak_bytes);

    let rows = measured.rows(&record.subject);
    record.measurements = measured.rounds(&record.subject.generator);
    let against = history.map(|history| history.compare(&record));
    // The result is printed even if it cannot be written.
    let written = || -> Result<(), Error> {
        if let Some(csv) = &arguments.csv {
            write_bench_rows(csv, &rows)?;
        }
        match &folder {
            Some(folder) => Ok(folder.write(&record, &measured)?),
            None => Ok(()),
        }
    };
    let written = written();
    let saved = folder.as_ref().filter(|_| written.is_ok());
    let document = BenchDocument {
        record: &record,
        rows: &rows,
        against: against.as_ref(),
        saved: saved.map(BenchFolder::path),
    };
    let out = &mut io::stdout().lock();
    output::unless_closed(match (arguments.json, arguments.quiet) {
        (true, _) => json::document(out, &document),
        (false, true) => Ok(()),
        (false, false) => printing::print(out, &document, memory),
    })?;
    written?;
    let is_slower = against.is_some_and(|against| against.is_slower());
    Ok(if is_slower { SLOWER } else { 0 })
}

impl BenchArguments {
    /// Description of the measurement.
    fn subject(&self, deals: &Prepared, input: String, path: &str) -> BenchSubject {
        BenchSubject {
            input,
            condition: deals.script.condition.text().to_owned(),
            order: deals.population.order(),
            case_file: deals.case_file_record(),
            sampler: deals.population.identity().sampler,
            tables: self.tables.name(),
            generator: self.rng.name().to_owned(),
            path: path.to_owned(),
            deals: self.deals.get(),
            naive_deals: NAIVE_DEALS.min(self.deals.get()),
        }
    }

    /// The measurements to compare with, if requested.
    fn history(&self, record: &BenchRecord) -> Result<Option<BenchHistory>, Error> {
        let name = self.against.as_ref();
        let history = name.map(|name| BenchHistory::find(name.as_deref(), record));
        history.transpose().map_err(|error| match error {
            BenchError::NoneComparable { .. } => {
                Error::from(error).with_advice("save one with --save")
            }
            error => error.into(),
        })
    }

    /// The folder to save in, if requested.
    fn folder(&self, record: &BenchRecord, start: UtcTime) -> Result<Option<BenchFolder>, Error> {
        let Some(name) = &self.save else {
            return Ok(None);
        };
        let name = name.clone().unwrap_or_else(|| {
            let time = format!("{start:.1}").replace(['-', ':'], "");
            let seconds = time.split('.').next().unwrap_or_default();
            format!("{seconds}Z-{}", record.subject.input)
        });
        let folder = BenchFolder::prepare(&Path::new(BENCH_FOLDER).join(name))?;
        Ok(Some(folder))
    }
}

/// Parses a name for a measurement: a folder in `reports/bench`.
fn plain_name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
    if text.starts_with(['.', '-']) || !text.chars().all(plain) || text.is_empty() {
        return Err(
            "not a name: use letters, digits, `-`, `_`, `.` and `+`, and no `.` or `-` first"
                .to_owned(),
        );
    }
    no_input(text)
}

/// Parses the name of a saved measurement, or its folder.
fn name_or_folder(text: &str) -> Result<String, String> {
    match text {
        "" => Err("the name or folder is empty".to_owned()),
        _ => no_input(text),
    }
}

/// Rejects an INPUT after an option with an optional name, which would be read as that name.
fn no_input(text: &str) -> Result<String, String> {
    let is_file = [".dl", ".cases"].iter().any(|end| text.ends_with(end));
    match is_file || Scenario::named(text).is_some() {
        true => Err("this is an INPUT: write it before the options".to_owned()),
        false => Ok(text.to_owned()),
    }
}
