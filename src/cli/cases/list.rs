//! `fairdeal cases list`

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;

use serde::Serialize;

use fairdeal::cards::{Honours, PatternIndex, Seat};
use fairdeal::cases::{self, Case, CaseBytes, CaseFile};
use fairdeal::condition::HandCase;
use fairdeal::report::grouped;

use super::{Format, case_file};
use crate::cli::input::{InputOptions, ListingOptions};
use crate::cli::json;
use fairdeal::Error;

pub(super) fn execute(
    input: &InputOptions,
    format: Format,
    rows: Option<RangeInclusive<u64>>,
    options: &ListingOptions,
) -> Result<(), Error> {
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
            Error::input(format!(
                "case {case}: {damage}; run `fairdeal cases verify`"
            ))
        })?;
        let weight = cases::weight(&deck, hands.first, hands.second);
        if before.checked_add(weight.into()) != Some(record.total()) {
            return Err(Error::input(format!(
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
    Json {
        out: W,
        seats: [Option<Seat>; 2],
    },
}

/// A case as a line of JSON, with the names of the columns of the CSV.
#[derive(Serialize)]
struct Row<'r> {
    case: u64,
    first_seat: Option<&'static str>,
    first_pattern: Option<&'r str>,
    first_honours: Option<&'r str>,
    second_seat: Option<&'static str>,
    second_pattern: Option<&'r str>,
    second_honours: Option<&'r str>,
    #[serde(serialize_with = "json::text")]
    combinations: u128,
    #[serde(serialize_with = "json::text")]
    cumulative: u128,
}

/// A rank or a gap and as many suits: `A-K-Q-J A-K A-Q -` at its longest.
const WIDEST: [usize; 2] = ["13=0=0=0".len(), "A-K-Q-J A-K-Q-J A-K-Q-J A".len()];

impl<W: Write> Printer<W> {
    fn new(out: W, format: Format, file: &CaseFile<CaseBytes>, first: u64) -> Result<Self, Error> {
        let header = file.header();
        let seats = [Some(header.first), header.second];
        match format {
            Format::Json => Ok(Self::Json { out, seats }),
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

    fn table_head(&mut self) -> Result<(), Error> {
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

    fn row(&mut self, case: u64, hands: Case, weight: u128, total: u128) -> Result<(), Error> {
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
            Self::Json { out, seats } => {
                let [first_seat, second_seat] = seats.map(|seat| seat.map(Seat::name));
                let [
                    [first_pattern, first_honours],
                    [second_pattern, second_honours],
                ] = fields
                    .each_ref()
                    .map(|fields| fields.each_ref().map(|text| some(text)));
                let row = Row {
                    case,
                    first_seat,
                    first_pattern,
                    first_honours,
                    second_seat,
                    second_pattern,
                    second_honours,
                    combinations: weight,
                    cumulative: total,
                };
                json::line(out, &row)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        match self {
            Self::Table { mut out, .. } => out.flush()?,
            Self::Csv { mut out, .. } => out.flush()?,
            Self::Json { mut out, .. } => out.flush()?,
        }
        Ok(())
    }
}

/// A text, unless it is empty.
fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// What the CSV writer met is what standard output said.
fn csv_failure(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => Error::io(format!("{other:?}")),
    }
}
