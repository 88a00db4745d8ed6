//! Reading a report's folder, without trusting its contents.

use std::io;
use std::path::{Path, PathBuf};

use crate::battery::Level;
use crate::bridge::combinatorics::DEALS;
use crate::bridge::{Card, Pattern};
use crate::compare::{CountKind, CountTable, Sample, ScriptMean};
use crate::printable::display_path;
use crate::regular_file;
use crate::report::{AuditRecord, Identity, RunRecord, Table, text_of_csv};
use crate::run::Pace;

/// Maximum size of a record or a table, in bytes.
const MOST_BYTES: u64 = 1 << 28;
/// Maximum number of rows of averages.csv and of frequencies.csv.
const MOST_ROWS: usize = 1 << 22;

/// A report that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadReportError {
    /// The report is incomplete.
    #[error("{path}: {what}", path = display_path(path))]
    Missing {
        /// The folder or file.
        path: PathBuf,
        /// The missing file, and the remedy.
        what: String,
    },
    /// A file is modified or corrupted.
    #[error(
        "{path}{at}: {what}; the report was modified or corrupted: create it again",
        path = display_path(path), at = line.map(|line| format!(", line {line}")).unwrap_or_default()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, if known.
        line: Option<u64>,
        /// The fault.
        what: String,
    },
    /// A file could not be read.
    #[error("{path} cannot be read", path = display_path(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// The record of a report.
#[derive(Clone, Debug)]
pub enum AnyRecord {
    /// Of a run.
    Run(Box<RunRecord>),
    /// Of an audit.
    Audit(Box<AuditRecord>),
}

impl AnyRecord {
    /// The parameters of a run's counts; `None` for an audit.
    #[must_use]
    pub(crate) fn identity(&self) -> Option<&Identity> {
        match self {
            Self::Run(run) => Some(&run.identity),
            Self::Audit(_) => None,
        }
    }

    /// The condition's text; empty if there is none.
    #[must_use]
    pub(crate) fn condition(&self) -> &str {
        match self {
            Self::Run(run) => &run.identity.condition,
            Self::Audit(audit) => &audit.identity.condition,
        }
    }

    /// Whether the deals are unconstrained.
    #[must_use]
    pub(crate) fn is_whole(&self) -> bool {
        let every = DEALS.to_string();
        match self {
            Self::Run(run) => run.filter.is_none() && run.case_file.is_none() && run.total == every,
            Self::Audit(audit) => {
                let asked = &audit.identity.options;
                !asked.any_condition && audit.case_file.is_none() && audit.total == every
            }
        }
    }

    /// Whether the condition is unknown.
    #[must_use]
    pub(crate) fn is_unknown(&self) -> bool {
        match self {
            Self::Run(_) => false,
            Self::Audit(audit) => audit.identity.options.any_condition,
        }
    }

    /// The verdict of the run or audit; empty if it has none.
    #[must_use]
    pub(crate) fn verdict(&self) -> &str {
        match self {
            Self::Run(run) => run.verdict.as_deref().unwrap_or_default(),
            Self::Audit(audit) => &audit.verdict,
        }
    }

    /// Deals in the tables: those that a filter kept, if there is one.
    fn deals(&self) -> u64 {
        match self {
            Self::Run(run) => run.filter.as_ref().map_or(run.dealt, |filter| filter.kept),
            Self::Audit(audit) => audit.deals,
        }
    }

    fn pace(&self) -> Option<&Pace> {
        match self {
            Self::Run(run) => run.pace.as_ref(),
            Self::Audit(_) => None,
        }
    }

    fn seconds(&self) -> f64 {
        match self {
            Self::Run(run) => run.seconds,
            Self::Audit(audit) => audit.seconds,
        }
    }
}

/// A report with all tables complete, in order and consistent with each other.
#[derive(Clone, Debug)]
pub struct Report {
    /// The folder.
    pub path: PathBuf,
    /// The record.
    pub record: AnyRecord,
    /// The counts.
    pub sample: Sample,
    /// Median nanoseconds per deal, if measured.
    pub median_ns: Option<f64>,
}

impl Report {
    /// Reads a folder that `run` or `audit` has written.
    ///
    /// # Errors
    ///
    /// [`ReadReportError`] for the first missing or invalid part.
    pub fn read(path: &Path) -> Result<Self, ReadReportError> {
        let record = record(path)?;
        Self::of(record, &ReportTables::Folder(path))
    }

    /// Takes the counts of a report that was not written; `name` stands for its folder.
    ///
    /// # Errors
    ///
    /// [`ReadReportError`] if a table is missing.
    pub fn in_memory(
        name: &str,
        record: AnyRecord,
        tables: &[Table],
    ) -> Result<Self, ReadReportError> {
        Self::of(record, &ReportTables::Memory(Path::new(name), tables))
    }

    fn of(record: AnyRecord, files: &ReportTables<'_>) -> Result<Self, ReadReportError> {
        let mut tables = Vec::new();
        for kind in CountKind::ALL {
            tables.push(files.table(kind)?);
        }
        let deals = files.deals(&record, &tables)?;
        files.sums(&tables, deals)?;
        files.agreement(&tables)?;
        tables.extend(files.frequencies(deals)?);
        let means = files.averages(deals)?;
        Ok(Self {
            path: files.path().to_owned(),
            record,
            sample: Sample {
                deals,
                tables,
                means,
            },
            median_ns: files.median()?,
        })
    }
}

/// Reads the record in a folder.
fn record(folder: &Path) -> Result<AnyRecord, ReadReportError> {
    let missing = |what: &str| ReadReportError::Missing {
        path: folder.to_owned(),
        what: what.to_owned(),
    };
    if !folder.is_dir() {
        return Err(missing(
            "no such folder: give the folder of a report of `run` or `audit`",
        ));
    }
    let has = |name: &str| folder.join(name).exists();
    let record = match (has("run.json"), has("audit.json")) {
        (true, true) => {
            return Err(missing(
                "both run.json and audit.json found: keep one report per folder",
            ));
        }
        (true, false) => AnyRecord::Run(Box::new(json(&folder.join("run.json"))?)),
        (false, true) => AnyRecord::Audit(Box::new(json(&folder.join("audit.json"))?)),
        (false, false) if has("checkpoint") || has("checkpoint.previous") => {
            return Err(missing("the run is not finished; resume it first"));
        }
        (false, false) => {
            return Err(missing(
                "no run.json or audit.json: give the folder of a finished report of `run` or \
                 `audit`",
            ));
        }
    };
    let damaged = |what: &str| ReadReportError::Damaged {
        path: folder.join(match record {
            AnyRecord::Run(_) => "run.json",
            AnyRecord::Audit(_) => "audit.json",
        }),
        line: None,
        what: what.to_owned(),
    };
    if !(record.seconds().is_finite() && record.seconds() >= 0.0) {
        return Err(damaged("`seconds` is invalid"));
    }
    if Level::named(record.verdict()).is_none() {
        return Err(damaged("`verdict` is missing or invalid"));
    }
    if record.pace().is_some_and(|pace| !pace.is_sound()) {
        return Err(damaged("`pace` is invalid"));
    }
    Ok(record)
}

fn json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, ReadReportError> {
    let bytes = bytes(path)?;
    serde_json::from_slice(&bytes).map_err(|error| ReadReportError::Damaged {
        path: path.to_owned(),
        line: Some(error.line() as u64),
        what: "not a record of a run or an audit".to_owned(),
    })
}

fn missing_file(path: &Path) -> ReadReportError {
    ReadReportError::Missing {
        path: path.to_owned(),
        what: "no such file; the report is incomplete: create it again".to_owned(),
    }
}

/// Reads a whole file, up to the maximum size.
fn bytes(path: &Path) -> Result<Vec<u8>, ReadReportError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => missing_file(path),
        _ => ReadReportError::Io {
            path: path.to_owned(),
            source,
        },
    };
    regular_file::read(path, MOST_BYTES).map_err(failed)
}

/// The tables of a report.
enum ReportTables<'t> {
    /// The files of a folder.
    Folder(&'t Path),
    /// A name instead of the folder, and the tables.
    Memory(&'t Path, &'t [Table]),
}

/// The rows of a table, with access to the wanted columns.
struct ReportRows {
    path: PathBuf,
    reader: csv::Reader<io::Cursor<Vec<u8>>>,
    /// The place of each wanted column.
    columns: Vec<usize>,
    row: csv::StringRecord,
}

impl ReportRows {
    fn new(path: PathBuf, bytes: Vec<u8>, wanted: &[&str]) -> Result<Self, ReadReportError> {
        let mut rows = Self {
            path,
            reader: csv::Reader::from_reader(io::Cursor::new(bytes)),
            columns: Vec::new(),
            row: csv::StringRecord::new(),
        };
        let header = rows.reader.headers().cloned();
        let header = header.map_err(|error| rows.unreadable(&error))?;
        for name in wanted {
            let mut places = (0..header.len()).filter(|&place| header[place] == **name);
            match (places.next(), places.next()) {
                (Some(place), None) => rows.columns.push(place),
                (None, _) => return Err(rows.wrong(Some(1), format!("no column `{name}`"))),
                _ => return Err(rows.wrong(Some(1), format!("two columns `{name}`"))),
            }
        }
        Ok(rows)
    }

    fn wrong(&self, line: Option<u64>, what: String) -> ReadReportError {
        ReadReportError::Damaged {
            path: self.path.clone(),
            line,
            what,
        }
    }

    fn unreadable(&self, error: &csv::Error) -> ReadReportError {
        let line = error.position().map(|position| self.line_of(position));
        let what = match error.kind() {
            csv::ErrorKind::Utf8 { .. } => "not UTF-8 text".to_owned(),
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => format!("{len} fields, expected {expected_len}"),
            _ => "not valid CSV".to_owned(),
        };
        self.wrong(line, what)
    }

    /// Reads the next row; returns whether there is one.
    fn next(&mut self) -> Result<bool, ReadReportError> {
        let mut row = std::mem::take(&mut self.row);
        let read = self.reader.read_record(&mut row);
        self.row = row;
        read.map_err(|error| self.unreadable(&error))
    }

    /// Returns the line of the row at a position. The reader's own line number is too low if lines
    /// end with CR LF, because it counts the LF with the next line.
    fn line_of(&self, position: &csv::Position) -> u64 {
        let bytes = self.reader.get_ref().get_ref();
        let place =
            usize::try_from(position.byte()).map_or(bytes.len(), |place| place.min(bytes.len()));
        let (before, after) = bytes.split_at(place);
        let ends = after
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let is_end = |byte: &&u8| **byte == b'\n';
        1 + (before.iter().filter(is_end).count() + ends.filter(is_end).count()) as u64
    }

    fn line(&self) -> Option<u64> {
        self.row.position().map(|position| self.line_of(position))
    }

    fn field(&self, column: usize) -> &str {
        text_of_csv(&self.row[self.columns[column]])
    }

    fn here(&self, what: String) -> ReadReportError {
        self.wrong(self.line(), what)
    }

    fn count(&self, column: usize) -> Result<u64, ReadReportError> {
        let text = self.field(column);
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let count = text.parse().ok().filter(|_| is_plain);
        count.ok_or_else(|| self.here(format!("`{text}` is not a count")))
    }

    /// Reads a finite number; `None` for an empty field.
    fn number(&self, column: usize) -> Result<Option<f64>, ReadReportError> {
        let text = self.field(column);
        if text.is_empty() {
            return Ok(None);
        }
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number
            .map(Some)
            .ok_or_else(|| self.here(format!("`{text}` is not a number")))
    }

    fn is_over(&mut self) -> Result<(), ReadReportError> {
        match self.next()? {
            true => Err(self.here("unexpected row".to_owned())),
            false => Ok(()),
        }
    }
}

impl ReportTables<'_> {
    /// The folder.
    fn path(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::Memory(path, _) => path,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(format!("{name}.csv"))
    }

    /// Opens the table of this name; `None` if the report has no such table.
    fn open(&self, name: &str, wanted: &[&str]) -> Result<Option<ReportRows>, ReadReportError> {
        let path = self.file(name);
        let bytes = match self {
            Self::Folder(_) if !path.exists() => return Ok(None),
            Self::Folder(_) => bytes(&path)?,
            Self::Memory(_, tables) => {
                let table = tables.iter().find(|table| table.name().name() == name);
                match table {
                    Some(table) => table.to_csv(),
                    None => return Ok(None),
                }
            }
        };
        ReportRows::new(path, bytes, wanted).map(Some)
    }

    fn damaged(&self, kind: CountKind, what: String) -> ReadReportError {
        ReadReportError::Damaged {
            path: self.file(kind.name()),
            line: None,
            what,
        }
    }

    /// Reads a table and checks that all rows are there in order.
    fn table(&self, kind: CountKind) -> Result<CountTable, ReadReportError> {
        let names = kind.columns();
        let wanted: Vec<&str> = names.iter().copied().chain(["observed"]).collect();
        let rows = self.open(kind.name(), &wanted)?;
        let mut rows = rows.ok_or_else(|| missing_file(&self.file(kind.name())))?;
        let (subjects, cells) = (kind.subjects(), kind.cells());
        let mut counts = Vec::with_capacity(subjects.len());
        for subject in &subjects {
            let mut of_subject = Vec::with_capacity(cells.len());
            for cell in &cells {
                let expected = format!("{subject} {cell}");
                if !rows.next()? {
                    let what = format!("ends before `{expected}`");
                    return Err(rows.wrong(None, what));
                }
                let fields: Vec<&str> = (0..names.len()).map(|name| rows.field(name)).collect();
                let found = fields.join(" ");
                if found != expected {
                    return Err(rows.here(format!("expected `{expected}`, found `{found}`")));
                }
                of_subject.push(rows.count(names.len())?);
            }
            counts.push(of_subject);
        }
        rows.is_over()?;
        Ok(CountTable {
            kind,
            label: String::new(),
            subjects,
            cells,
            counts,
        })
    }

    /// Returns the number of deals in the tables. Deals that are not legal or do not satisfy the
    /// condition are in the record, but in no table.
    fn deals(&self, record: &AnyRecord, tables: &[CountTable]) -> Result<u64, ReadReportError> {
        let told = record.deals();
        if record.verdict() != "INVALID" {
            return Ok(told);
        }
        let first = tables
            .iter()
            .find(|table| table.kind == CountKind::Patterns);
        let counted = first.and_then(|table| sum(&table.counts[0]));
        match counted.filter(|&counted| counted <= told) {
            Some(counted) => Ok(counted),
            None => {
                let what = format!("has more deals than the record ({told})");
                Err(self.damaged(CountKind::Patterns, what))
            }
        }
    }

    /// Checks that the counts of each subject sum to the number of deals.
    fn sums(&self, tables: &[CountTable], deals: u64) -> Result<(), ReadReportError> {
        for table in tables {
            let expected = u128::from(deals) * u128::from(table.kind.of_each_deal());
            for (subject, counts) in table.subjects.iter().zip(&table.counts) {
                let found: u128 = counts.iter().map(|&count| u128::from(count)).sum();
                if found != expected {
                    let what =
                        format!("the counts of {subject} sum to {found}, expected {expected}");
                    return Err(self.damaged(table.kind, what));
                }
            }
        }
        Ok(())
    }

    /// Checks that tables agree on shared counts.
    fn agreement(&self, tables: &[CountTable]) -> Result<(), ReadReportError> {
        // The tables are in the order of `CountKind::ALL`.
        let [patterns, shapes, lengths, fits, hcp, side_hcp, cards] = tables else {
            return Ok(());
        };
        let contradicts = |table: &CountTable, subject: &str, other: &CountTable| {
            let (file, other) = (table.kind, other.kind.name());
            self.damaged(
                file,
                format!("the counts of {subject} contradict {other}.csv"),
            )
        };
        for (seat, name) in patterns.subjects.iter().enumerate() {
            let mut by_shape = vec![0; shapes.cells.len()];
            let mut by_length = vec![vec![0; 14]; 4];
            for (pattern, &count) in Pattern::all().zip(&patterns.counts[seat]) {
                by_shape[pattern.index().shape_index().get()] += count;
                for (suit, length) in pattern.lengths().into_iter().enumerate() {
                    by_length[suit][usize::from(length)] += count;
                }
            }
            if by_shape != shapes.counts[seat] {
                return Err(contradicts(shapes, name, patterns));
            }
            for (suit, expected) in by_length.into_iter().enumerate() {
                let place = 4 * seat + suit;
                if expected != lengths.counts[place] {
                    return Err(contradicts(lengths, &lengths.subjects[place], patterns));
                }
            }
            // The sums of cards by suit, and of points.
            let mut of_suit = [0u128; 4];
            let mut points = 0u128;
            for (card, &count) in Card::all().zip(&cards.counts[seat]) {
                of_suit[card.suit().index()] += u128::from(count);
                points += u128::from(count) * 4u128.saturating_sub(card.rank().index() as u128);
            }
            let told = |suit: usize| weighted(&lengths.counts[4 * seat + suit]);
            if (0..4).any(|suit| of_suit[suit] != told(suit)) {
                return Err(contradicts(cards, name, lengths));
            }
            if points != weighted(&hcp.counts[seat]) {
                return Err(contradicts(hcp, name, cards));
            }
        }
        for card in 0..Card::COUNT {
            let held: u128 = cards.counts.iter().map(|seat| u128::from(seat[card])).sum();
            let deals: u128 = patterns.counts[0]
                .iter()
                .map(|&count| u128::from(count))
                .sum();
            if held != deals {
                let what = format!("{} occurs {held} times in {deals} deals", cards.cells[card]);
                return Err(self.damaged(CountKind::Cards, what));
            }
        }
        // In these tables, the counts of the second side are those of the first in reverse order.
        for table in [fits, side_hcp] {
            let (first, second) = table.counts.split_at(table.counts.len() / 2);
            for (place, (one, other)) in first.iter().zip(second).enumerate() {
                if !one.iter().eq(other.iter().rev()) {
                    let subject = &table.subjects[place + first.len()];
                    return Err(contradicts(table, subject, table));
                }
            }
        }
        Ok(())
    }

    /// Reads a script's frequencies, if there are any.
    fn frequencies(&self, deals: u64) -> Result<Vec<CountTable>, ReadReportError> {
        let Some(mut rows) = self.open("frequencies", &["label", "value", "observed"])? else {
            return Ok(Vec::new());
        };
        let mut tables: Vec<CountTable> = Vec::new();
        let mut number = 0;
        while rows.next()? {
            number += 1;
            if number > MOST_ROWS {
                return Err(rows.here("too many rows".to_owned()));
            }
            let (label, value, count) = (rows.field(0), rows.field(1), rows.count(2)?);
            // Every frequency begins with the cell below its range.
            if matches!(value, "low" | "low low") {
                tables.push(CountTable {
                    kind: CountKind::Frequency,
                    label: label.to_owned(),
                    subjects: vec!["all".to_owned()],
                    cells: Vec::new(),
                    counts: vec![Vec::new()],
                });
            }
            match tables.last_mut().filter(|table| table.label == label) {
                Some(table) => {
                    table.cells.push(value.to_owned());
                    table.counts[0].push(count);
                }
                None => return Err(rows.here(format!("the first value of `{label}` is not `low`"))),
            }
        }
        for table in &tables {
            if sum(&table.counts[0]) != Some(deals) {
                let what = format!("the counts of `{}` do not sum to {deals}", table.label);
                return Err(rows.wrong(None, what));
            }
        }
        Ok(tables)
    }

    /// Reads a script's averages, if there are any. Averages without a standard error (too few
    /// deals) are left out.
    fn averages(&self, deals: u64) -> Result<Vec<ScriptMean>, ReadReportError> {
        let Some(mut rows) = self.open("averages", &["label", "mean", "stderr", "n"])? else {
            return Ok(Vec::new());
        };
        let mut means = Vec::new();
        while rows.next()? {
            if means.len() >= MOST_ROWS {
                return Err(rows.here("too many rows".to_owned()));
            }
            let (mean, error, n) = (rows.number(1)?, rows.number(2)?, rows.count(3)?);
            if n != deals {
                return Err(rows.here(format!("average of {n} deals, expected {deals}")));
            }
            if error.is_some_and(|error| error < 0.0) {
                return Err(rows.here("negative standard error".to_owned()));
            }
            let is_huge = |number: f64| !(number * number).is_finite();
            if mean.is_some_and(is_huge) || error.is_some_and(is_huge) {
                return Err(rows.here("average out of range".to_owned()));
            }
            if let (Some(mean), Some(error)) = (mean, error) {
                let label = rows.field(0).to_owned();
                means.push(ScriptMean { label, mean, error });
            }
        }
        Ok(means)
    }

    /// Reads the median in latency.csv, if there is one.
    fn median(&self) -> Result<Option<f64>, ReadReportError> {
        let Some(mut rows) = self.open("latency", &["percentile", "ns_per_deal"])? else {
            return Ok(None);
        };
        let mut median = None;
        while rows.next()? {
            let (percentile, ns) = (rows.number(0)?, rows.number(1)?);
            if percentile == Some(50.0) {
                median = ns.filter(|ns| *ns > 0.0);
            }
        }
        Ok(median)
    }
}

/// The sum of counts; `None` on overflow.
fn sum(counts: &[u64]) -> Option<u64> {
    counts
        .iter()
        .try_fold(0u64, |sum, count| sum.checked_add(*count))
}

/// The sum of counts times their places.
fn weighted(counts: &[u64]) -> u128 {
    (0..)
        .zip(counts)
        .map(|(place, &count)| place * u128::from(count))
        .sum()
}

impl From<ReadReportError> for crate::error::Error {
    fn from(error: ReadReportError) -> Self {
        match error {
            ReadReportError::Io { .. } => Self::io(error),
            _ => Self::input(error),
        }
    }
}
