//! The record and the table of leads or contracts.

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::folder::{CANDIDATES, Folder, Record, ReportError};
use super::identity::Identity;
use super::record::{HostRecord, Stopped};
use super::table::{Cell, Table, real, text};
use super::table_name::TableName;
use crate::sampler::Planning;

/// The contents of candidates.json: leads or contracts that are compared on the same deals.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CandidateRecord {
    /// The program and its version.
    pub program: String,
    /// Name of the script.
    pub name: String,
    /// The question, such as `lead of west against 4S by south, vulnerable: none`.
    pub question: String,
    /// The parameters that determine the deals; `deals` is the largest number.
    #[serde(flatten)]
    pub identity: Identity,
    /// The inputs of the choice of the sampler.
    pub planning: Planning,
    /// The column by which candidates are compared.
    pub criterion: String,
    /// The confidence of the finding and of the limits.
    pub confidence: f64,
    /// The difference of means below which candidates count as equal.
    pub within: f64,
    /// Number of deals solved.
    pub compared: u64,
    /// What the deals show.
    pub finding: CandidateFinding,
    /// The best candidate, one that is equal to the best, or all that may be the best.
    pub best: Vec<String>,
    /// Why there are fewer deals than a finding needs, if there are.
    pub stopped: Option<Stopped>,
    /// Number of threads.
    pub threads: usize,
    /// Seconds from the first deal to the last.
    pub seconds: f64,
    /// The host.
    pub host: HostRecord,
}

impl Record for CandidateRecord {
    const FILE: &'static str = CANDIDATES;

    type Subject<'s> = [&'s str; 2];

    /// The question and the condition.
    fn difference(&self, subject: [&str; 2]) -> Option<String> {
        let is_same = subject == [&*self.question, &*self.identity.condition];
        (!is_same).then(|| format!("the {}", self.question))
    }
}

/// What the deals show about the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CandidateFinding {
    /// One is best.
    Best,
    /// No other is better than one of them by the difference that counts.
    Equal,
    /// Neither is known.
    Open,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateRow {
    /// Its name.
    pub name: String,
    /// The mean of each measure, in the order of the columns; not a number for one that is not asked.
    pub means: Vec<f64>,
    /// The standard error of the criterion.
    pub stderr: f64,
    /// The confidence limits of the criterion.
    pub limits: [f64; 2],
    /// Whether it may be the best.
    pub remains: bool,
}

/// A column of the table for people: its heading, the column of the report, and the form of its
/// numbers.
pub type PrintedColumn = (&'static str, &'static str, NumberForm);

/// How people read a mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberForm {
    /// As a percentage with two decimals.
    Percent,
    /// With this number of decimals.
    Decimals(usize),
}

impl NumberForm {
    fn text(self, number: f64) -> String {
        match self {
            Self::Percent => format!("{:.2} %", 100.0 * number),
            Self::Decimals(decimals) => format!("{number:.decimals$}"),
        }
    }
}

impl CandidateRecord {
    /// The confidence as a percentage.
    pub(super) fn confidence_percent(&self) -> String {
        format!("{} %", (1e8 * self.confidence).round() / 1e6)
    }

    /// What the deals show, as a sentence without its full stop.
    pub fn answer(&self) -> String {
        let confidence = format!("{} confidence", self.confidence_percent());
        let (best, criterion) = (self.best.join(", "), &self.criterion);
        match self.finding {
            CandidateFinding::Best => {
                format!("{best} has the best mean of {criterion}, {confidence}")
            }
            CandidateFinding::Equal => format!(
                "{best} is within {} {criterion} of the best mean, {confidence}",
                self.within
            ),
            CandidateFinding::Open => {
                format!("{best} may have the best mean of {criterion}, {confidence}")
            }
        }
    }
}

/// Candidates compared on the same deals.
#[derive(Clone, Debug)]
pub struct CandidateTable {
    /// The record.
    pub record: CandidateRecord,
    /// The candidates, by the criterion, the best first.
    pub rows: Vec<CandidateRow>,
    /// The columns of the means.
    pub columns: &'static [&'static str],
    /// The means that people read, in their order.
    pub printed: &'static [PrintedColumn],
    /// The table's name.
    pub name: TableName,
    /// The generated seed, if none was given.
    pub fresh_seed: Option<String>,
}

impl CandidateTable {
    /// The name of the column of the candidates.
    pub fn first_column(&self) -> &'static str {
        match self.name {
            TableName::Contracts => "contract",
            _ => "lead",
        }
    }

    /// The mean of the criterion of a candidate.
    pub fn value(&self, row: &CandidateRow) -> f64 {
        let place = self.place(&self.record.criterion);
        place.map_or(f64::NAN, |place| row.means[place])
    }

    fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|name| *name == column)
    }

    /// The form of the criterion's numbers.
    pub(super) fn form(&self) -> NumberForm {
        let of = |(_, column, _): &&PrintedColumn| *column == self.record.criterion;
        let column = self.printed.iter().find(of);
        column.map_or(NumberForm::Decimals(2), |(.., form)| *form)
    }

    /// The headings, then a line for each candidate: its name, the means that are asked, and the
    /// limits of the criterion.
    pub fn lines(&self) -> Vec<Vec<String>> {
        let asked = self.printed.iter().filter_map(|(heading, column, form)| {
            let place = self.place(column)?;
            let is_asked = !self.rows.first()?.means[place].is_nan();
            is_asked.then_some((*heading, place, *form))
        });
        let asked: Vec<(&str, usize, NumberForm)> = asked.collect();
        let headings = asked.iter().map(|(heading, ..)| *heading);
        let headings = [self.first_column()].into_iter().chain(headings);
        let headings = headings.chain(["low", "high"]).map(str::to_owned);
        let line = |row: &CandidateRow| {
            let means = asked
                .iter()
                .map(|(_, place, form)| form.text(row.means[*place]));
            let limits = row.limits.map(|limit| self.form().text(limit));
            [row.name.clone()]
                .into_iter()
                .chain(means)
                .chain(limits)
                .collect()
        };
        [headings.collect()]
            .into_iter()
            .chain(self.rows.iter().map(line))
            .collect()
    }

    /// The table of a report.
    pub fn table(&self) -> Table {
        let measures = self.columns.iter().map(|name| real(name));
        let others = [real("stderr"), real("low"), real("high"), text("remains")];
        let columns: Vec<_> = [text(self.first_column())]
            .into_iter()
            .chain(measures)
            .chain(others)
            .collect();
        let mut table = Table::new(self.name, &columns);
        for row in &self.rows {
            let number = |number: f64| Cell::from(Some(number).filter(|number| !number.is_nan()));
            let means = row.means.iter().copied().map(number);
            let [low, high] = row.limits.map(number);
            let remains = if row.remains { "yes" } else { "no" };
            let others = [number(row.stderr), low, high, remains.into()];
            table.push(
                [Cell::from(&*row.name)]
                    .into_iter()
                    .chain(means)
                    .chain(others)
                    .collect(),
            );
        }
        table
    }

    /// The record and the table as JSON.
    pub fn document<'d>(&'d self, tables: &'d [Table]) -> Document<'d, CandidateRecord> {
        Document::new(&self.record, tables)
    }

    /// Writes the table, the page and the record.
    ///
    /// # Errors
    ///
    /// [`ReportError`] if a file cannot be written.
    pub fn write(&self, folder: &Folder) -> Result<(), ReportError> {
        folder.begin()?;
        folder.write_tables(&[self.table()])?;
        #[cfg(feature = "html")]
        folder.write(Folder::PAGE, super::page::candidate_page(self).as_bytes())?;
        folder.write_record(&self.record)
    }
}
