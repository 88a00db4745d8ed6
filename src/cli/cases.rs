//! `fairdeal cases build | list | info | verify | prune`

use std::fs;
use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use fairdeal::cards::{Honours, PatternIndex, Seat};
use fairdeal::cases::{self, Case, CaseBytes, CaseFile};
use fairdeal::condition::{Condition, HandCase};
use fairdeal::report::grouped;

use super::failure::Failure;
use super::input::{self, Input, ListingOptions, Source};
use super::values;

/// Make, print, describe and prove case files
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the cases of a condition into a file
    Build {
        #[command(flatten)]
        input: Input,
        /// The case file to write; one that is there is replaced when the new one is whole
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        #[command(flatten)]
        options: ListingOptions,
        /// No progress and no summary
        #[arg(short, long)]
        quiet: bool,
    },
    /// Print cases with their weights and cumulative totals
    List {
        #[command(flatten)]
        input: Input,
        /// For people or for programs
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
        /// Only these cases, from 1, both ends included: 1..30, 31.. or ..30
        #[arg(long, value_name = "A..B", value_parser = values::rows)]
        rows: Option<RangeInclusive<u64>>,
        #[command(flatten)]
        options: ListingOptions,
    },
    /// Describe a case file by its header
    Info {
        /// The case file
        file: PathBuf,
    },
    /// Prove a case file: every record, total and checksum, and its condition listed again
    Verify {
        /// The case file
        file: PathBuf,
        /// Print nothing if it is sound
        #[arg(short, long)]
        quiet: bool,
    },
    /// Empty the cache folder of the case files that `run` and `list` keep
    Prune,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Csv,
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Build {
            input,
            output,
            options,
            quiet,
        } => build(input, output, options, *quiet),
        Command::List {
            input,
            format,
            rows,
            options,
        } => list(input, *format, rows.clone(), options),
        Command::Info { file } => info(&cases::open(file)?),
        Command::Verify { file, quiet } => verify(file, *quiet),
        Command::Prune => prune(),
    }
}

fn build(
    input: &Input,
    output: &Path,
    options: &ListingOptions,
    quiet: bool,
) -> Result<(), Failure> {
    let (_, source) = input.resolve()?;
    let (condition, order) = match source {
        Source::Script(script) => (script.condition, None),
        // Built again from its condition, in its own order unless another is asked for.
        Source::CaseFile(path) => {
            let file = cases::open(&path)?;
            let header = file.header();
            let order = [Some(header.first), header.second]
                .into_iter()
                .flatten()
                .collect();
            let name = path.display().to_string();
            (Condition::parse(&name, &header.condition)?, Some(order))
        }
    };
    let counted = options.count(&condition, order)?;
    let written = counted.write(&condition, output, quiet)?;
    if !quiet {
        let (header, bytes) = (written.header, grouped(written.bytes));
        let size = input::size_of(header.cases, header.total);
        writeln!(io::stdout(), "{}: {size}, {bytes} bytes", output.display())?;
    }
    Ok(())
}

/// The case file of an input: the one named, or that of its condition.
fn case_file(input: &Input, options: &ListingOptions) -> Result<CaseFile<CaseBytes>, Failure> {
    let (_, source) = input.resolve()?;
    match source {
        Source::CaseFile(path) => {
            options.refuse_order()?;
            Ok(cases::open(&path)?)
        }
        Source::Script(script) => {
            let (_, file) = options.listed(&script.condition, false, |_| Ok(()))?;
            Ok(file)
        }
    }
}

fn list(
    input: &Input,
    format: Format,
    rows: Option<RangeInclusive<u64>>,
    options: &ListingOptions,
) -> Result<(), Failure> {
    let file = case_file(input, options)?;
    let (first, last) = rows.map_or((1, u64::MAX), RangeInclusive::into_inner);
    let last = last.min(file.cases());
    let out = BufWriter::new(io::stdout().lock());
    let mut printer = Printer::new(out, format, &file, first)?;
    let mut before = file.total_before((first - 1).min(file.cases()));
    let deck = file.deck();
    for case in first..=last {
        let record = file.records()[(case - 1) as usize];
        let hands = record.case().map_err(|damage| {
            Failure::input(anyhow::anyhow!(
                "case {case}: {damage}; run `fairdeal cases verify`"
            ))
        })?;
        let weight = cases::weight(&deck, hands.first, hands.second);
        if before.checked_add(weight.into()) != Some(record.total()) {
            return Err(Failure::input(anyhow::anyhow!(
                "case {case} does not weigh what its totals say; run `fairdeal cases verify`"
            )));
        }
        printer.row(case, hands, weight.into(), record.total())?;
        before = record.total();
    }
    printer.finish()
}

/// A hand's pattern and honours as text, empty where they are off.
fn hand_text(case: Option<HandCase>) -> [String; 2] {
    let case = case.unwrap_or_default();
    let pattern = |index: PatternIndex| index.pattern().to_string();
    [
        case.pattern.map(pattern).unwrap_or_default(),
        case.honours
            .as_ref()
            .map(Honours::to_string)
            .unwrap_or_default(),
    ]
}

enum Printer<W: Write> {
    Table {
        out: W,
        seats: [Option<Seat>; 2],
        widths: [[usize; 2]; 2],
    },
    Csv {
        out: Box<csv::Writer<W>>,
        seats: [&'static str; 2],
    },
}

/// A rank or a gap and as many suits: `A-K-Q-J A-K A-Q -` at its longest.
const WIDEST: [usize; 2] = ["13=0=0=0".len(), "A-K-Q-J A-K-Q-J A-K-Q-J A".len()];

impl<W: Write> Printer<W> {
    fn new(
        out: W,
        format: Format,
        file: &CaseFile<CaseBytes>,
        first: u64,
    ) -> Result<Self, Failure> {
        let header = file.header();
        let seats = [Some(header.first), header.second];
        match format {
            Format::Csv => {
                let mut out = csv::WriterBuilder::new()
                    .terminator(csv::Terminator::CRLF)
                    .from_writer(out);
                let columns = [
                    "case",
                    "first_seat",
                    "first_pattern",
                    "first_honours",
                    "second_seat",
                    "second_pattern",
                    "second_honours",
                    "combinations",
                    "cumulative",
                ];
                out.write_record(columns).map_err(csv_failure)?;
                Ok(Self::Csv {
                    out: Box::new(out),
                    seats: seats.map(|seat| seat.map_or("", Seat::name)),
                })
            }
            Format::Table => {
                // What is listed of a hand is the same in every record.
                let sample = file
                    .records()
                    .get((first - 1).min(file.cases() - 1) as usize);
                let hands = sample.and_then(|record| record.case().ok());
                let listed = [
                    hands.map(|hands| hands.first),
                    hands.and_then(|hands| hands.second),
                ];
                let widths = listed.map(|case| {
                    let fields = hand_text(case);
                    [0, 1].map(|field| {
                        if fields[field].is_empty() {
                            0
                        } else {
                            WIDEST[field]
                        }
                    })
                });
                let mut printer = Self::Table { out, seats, widths };
                printer.table_head()?;
                Ok(printer)
            }
        }
    }

    fn table_head(&mut self) -> Result<(), Failure> {
        let Self::Table { out, seats, widths } = self else {
            return Ok(());
        };
        write!(out, "{:>11}", "CASE")?;
        for (seat, widths) in seats.iter().zip(widths) {
            let width = widths[0] + widths[1] + usize::from(widths[0] * widths[1] > 0) * 2;
            if let Some(seat) = seat {
                write!(out, "  {:width$}", seat.name().to_uppercase())?;
            }
        }
        writeln!(out, "  {:>30}  {:>30}", "COMBINATIONS", "CUMULATIVE TOTAL")?;
        Ok(())
    }

    fn row(&mut self, case: u64, hands: Case, weight: u128, total: u128) -> Result<(), Failure> {
        let fields = [hand_text(Some(hands.first)), hand_text(hands.second)];
        match self {
            Self::Table { out, widths, .. } => {
                write!(out, "{:>11}", grouped(case))?;
                for (text, width) in fields.iter().flatten().zip(widths.iter().flatten()) {
                    if *width > 0 {
                        write!(out, "  {text:width$}")?;
                    }
                }
                writeln!(out, "  {:>30}  {:>30}", grouped(weight), grouped(total))?;
            }
            Self::Csv { out, seats } => {
                let [[p1, h1], [p2, h2]] = &fields;
                let (case, weight, total) =
                    (case.to_string(), weight.to_string(), total.to_string());
                out.write_record([&case, seats[0], p1, h1, seats[1], p2, h2, &weight, &total])
                    .map_err(csv_failure)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Table { mut out, .. } => out.flush()?,
            Self::Csv { mut out, .. } => out.flush()?,
        }
        Ok(())
    }
}

/// What the CSV writer met is what standard output said.
fn csv_failure(error: csv::Error) -> Failure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => Failure::io(anyhow::anyhow!("{other:?}")),
    }
}

fn info(file: &CaseFile<CaseBytes>) -> Result<(), Failure> {
    let header = file.header();
    let hex = |hash: &[u8; 32]| blake3::Hash::from_bytes(*hash).to_hex();
    let mut out = io::stdout().lock();
    writeln!(out, "format version  {}", cases::FORMAT_VERSION)?;
    writeln!(
        out,
        "hands           {}",
        input::order_of((header.first, header.second))
    )?;
    writeln!(out, "cases           {}", grouped(header.cases))?;
    writeln!(out, "T               {}", grouped(header.total))?;
    writeln!(
        out,
        "bytes           {}",
        grouped(file.bytes().len() as u64)
    )?;
    writeln!(
        out,
        "index           every {} cases",
        grouped(header.interval)
    )?;
    writeln!(out, "records BLAKE3  {}", hex(&header.records_hash))?;
    writeln!(out, "index BLAKE3    {}", hex(&header.index_hash))?;
    writeln!(out, "condition")?;
    for line in header.condition.lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

fn verify(path: &Path, quiet: bool) -> Result<(), Failure> {
    let file = cases::open(path)?;
    file.verify().map_err(|error| {
        Failure::input(anyhow::anyhow!(
            "{} is damaged: {error}; build it again with `fairdeal cases build`",
            path.display()
        ))
    })?;
    if !quiet {
        let size = input::size_of(file.cases(), file.total());
        writeln!(
            io::stdout(),
            "{}: sound. {size}; every record, weight, total and checksum holds, and the condition lists these cases",
            path.display()
        )?;
    }
    Ok(())
}

fn prune() -> Result<(), Failure> {
    let folder = input::cache_folder()?;
    let (mut files, mut bytes, mut left) = (0u64, 0u64, 0u64);
    let failed = |error| Failure::of(folder.display(), error);
    if folder.try_exists().map_err(failed)? {
        let parts = cases::remove_abandoned_parts(&folder).map_err(failed)?;
        (files, bytes, left) = (parts.removed, parts.bytes, parts.left);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|ending| ending == "cases") {
                let length = remove(&path).map_err(|error| Failure::of(path.display(), error))?;
                files += u64::from(length.is_some());
                bytes += length.unwrap_or(0);
            }
        }
    }
    let being_written = match left {
        0 => String::new(),
        left => format!("; {} being written, left", grouped(left)),
    };
    writeln!(
        io::stdout(),
        "{}: {} case files removed, {} bytes{being_written}",
        folder.display(),
        grouped(files),
        grouped(bytes)
    )?;
    Ok(())
}

/// Removes a file and gives its length; none if another process was faster.
fn remove(path: &Path) -> io::Result<Option<u64>> {
    let removed = fs::metadata(path).and_then(|file| {
        fs::remove_file(path)?;
        Ok(Some(file.len()))
    });
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other,
    }
}
