//! Cases as rows: a table for people, CSV or JSON for programs.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use serde::Serialize;

use super::number::decimal;
use crate::bridge::{Honours, PatternIndex, Seat};
use crate::language::HandCase;
use crate::population::cases::{self, Case, CaseFile, DamagedRecord, Header};
use crate::printable::thousands;

/// How rows of cases are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingFormat {
    /// Aligned columns, for people.
    Table,
    /// CSV by RFC 4180, with a header.
    Csv,
    /// JSON lines: one object per case, with the column names of the CSV.
    Json,
}

/// An error of writing case rows.
#[derive(Debug, thiserror::Error)]
pub enum ListingRowError {
    /// A record of the file is corrupted.
    #[error("case {case}: {damage}")]
    Damaged {
        /// The case, from 1.
        case: u64,
        /// The fault.
        damage: DamagedRecord,
    },
    /// A record's total is not the sum of the previous total and the case's weight.
    #[error("case {0}: its weight does not match the totals in the file")]
    Weight(u64),
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<ListingRowError> for crate::error::Error {
    fn from(error: ListingRowError) -> Self {
        match error {
            ListingRowError::Damaged { .. } | ListingRowError::Weight(_) => Self::input(error),
            ListingRowError::Io(error) => error.into(),
        }
    }
}

/// Writes rows of a case file, each case with its weight and the cumulative total. Rows count from
/// 1; rows past the last case are left out.
///
/// # Errors
///
/// [`ListingRowError`] if a record is corrupted, or writing fails.
pub fn write_listing<D: AsRef<[u8]>>(
    out: impl Write,
    format: ListingFormat,
    file: &CaseFile<D>,
    rows: RangeInclusive<u64>,
) -> Result<(), ListingRowError> {
    let (first, last) = rows.into_inner();
    let first = first.max(1);
    let mut writer = RowWriter::new(out, format, file, first)?;
    let header = file.header();
    let mut before = file.total_before((first - 1).min(file.cases()));
    for case in first..=last.min(file.cases()) {
        let record = file.records()[(case - 1) as usize];
        let hands = record
            .case()
            .map_err(|damage| ListingRowError::Damaged { case, damage })?;
        let weight = cases::weight(hands.first, hands.second).into();
        let total = record.total();
        if before.checked_add(weight) != Some(total) {
            return Err(ListingRowError::Weight(case));
        }
        writer.write(&CaseRow::new(header, case, hands, [weight, total]))?;
        before = total;
    }
    Ok(writer.finish()?)
}

/// A case: a row of the CSV, a line of JSON.
#[derive(Serialize)]
struct CaseRow {
    case: u64,
    first_seat: &'static str,
    first_pattern: Option<String>,
    first_honours: Option<String>,
    second_seat: Option<&'static str>,
    second_pattern: Option<String>,
    second_honours: Option<String>,
    #[serde(serialize_with = "decimal")]
    combinations: u128,
    #[serde(serialize_with = "decimal")]
    cumulative: u128,
}

impl CaseRow {
    fn new(header: &Header, case: u64, hands: Case, [weight, total]: [u128; 2]) -> Self {
        let [first_pattern, first_honours] = hand_texts(Some(hands.first));
        let [second_pattern, second_honours] = hand_texts(hands.second);
        Self {
            case,
            first_seat: header.first.name(),
            first_pattern,
            first_honours,
            second_seat: header.second.map(Seat::name),
            second_pattern,
            second_honours,
            combinations: weight,
            cumulative: total,
        }
    }

    /// Returns the pattern and honours of both hands, as far as they are listed.
    fn hands(&self) -> [&Option<String>; 4] {
        [
            &self.first_pattern,
            &self.first_honours,
            &self.second_pattern,
            &self.second_honours,
        ]
    }
}

/// Returns a hand's pattern and honours, as far as they are listed.
fn hand_texts(case: Option<HandCase>) -> [Option<String>; 2] {
    let case = case.unwrap_or_default();
    let pattern = |index: PatternIndex| index.pattern().to_string();
    [
        case.pattern.map(pattern),
        case.honours.as_ref().map(Honours::to_string),
    ]
}

enum RowWriter<W: Write> {
    Table { out: W, widths: [[usize; 2]; 2] },
    Csv(Box<csv::Writer<W>>),
    Json(W),
}

/// Widths of the columns: the longest pattern, and the longest text of 13 honours.
const WIDEST: [usize; 2] = ["13=0=0=0".len(), "A-K-Q-J A-K-Q-J A-K-Q-J A".len()];

impl<W: Write> RowWriter<W> {
    fn new<D: AsRef<[u8]>>(
        out: W,
        format: ListingFormat,
        file: &CaseFile<D>,
        first: u64,
    ) -> io::Result<Self> {
        match format {
            ListingFormat::Table => {
                let widths = widths(file, first);
                Self::table(out, file.header(), widths)
            }
            ListingFormat::Csv => {
                let out = csv::WriterBuilder::new()
                    .terminator(csv::Terminator::CRLF)
                    .from_writer(out);
                Ok(Self::Csv(Box::new(out)))
            }
            ListingFormat::Json => Ok(Self::Json(out)),
        }
    }

    /// Begins a table with its header.
    fn table(mut out: W, header: &Header, widths: [[usize; 2]; 2]) -> io::Result<Self> {
        write!(out, "{:>11}", "CASE")?;
        let seats = [Some(header.first), header.second];
        for (seat, [pattern, honours]) in seats.into_iter().zip(widths) {
            let width = pattern + honours + usize::from(pattern * honours > 0) * 2;
            if let Some(seat) = seat {
                write!(out, "  {:width$}", seat.name().to_uppercase())?;
            }
        }
        writeln!(out, "  {:>30}  {:>30}", "COMBINATIONS", "CUMULATIVE TOTAL")?;
        Ok(Self::Table { out, widths })
    }

    fn write(&mut self, row: &CaseRow) -> io::Result<()> {
        match self {
            Self::Table { out, widths } => {
                write!(out, "{:>11}", thousands(row.case))?;
                for (text, width) in row.hands().into_iter().zip(widths.as_flattened()) {
                    if *width > 0 {
                        write!(out, "  {:width$}", text.as_deref().unwrap_or_default())?;
                    }
                }
                let [weight, total] = [row.combinations, row.cumulative].map(thousands);
                writeln!(out, "  {weight:>30}  {total:>30}")
            }
            Self::Csv(out) => out.serialize(row).map_err(io_error),
            Self::Json(out) => {
                serde_json::to_writer(&mut *out, row)?;
                writeln!(out)
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Table { mut out, .. } | Self::Json(mut out) => out.flush(),
            Self::Csv(mut out) => out.flush(),
        }
    }
}

/// Returns the column widths of both hands, from the first row to write: every record lists the
/// same parts of a hand. The width is 0 if a column is not listed.
fn widths<D: AsRef<[u8]>>(file: &CaseFile<D>, first: u64) -> [[usize; 2]; 2] {
    let place = (first - 1).min(file.cases().saturating_sub(1)) as usize;
    let sample = file.records().get(place);
    let hands = sample.and_then(|record| record.case().ok());
    let first = hands.map(|hands| hands.first);
    let second = hands.and_then(|hands| hands.second);
    [first, second].map(|hand| {
        let texts = hand_texts(hand);
        [0, 1].map(|column| texts[column].as_ref().map_or(0, |_| WIDEST[column]))
    })
}

/// Returns the I/O error of a CSV writer.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
