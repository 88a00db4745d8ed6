//! Result of an audit, and the files of its report.

use std::path::{Path, PathBuf};

use super::reading::ReadInputs;
use crate::audit::{BoardCounts, Intake};
use crate::battery::{Battery, Level, Verdict};
use crate::bridge::Deal;
use crate::error::Error;
#[cfg(feature = "html")]
use crate::report::{AnyRecord, Shown, page};
use crate::report::{
    AuditRecord, Document, Folder, ReportFile, Sample, Stopped, Table, TableFormat, bounds_table,
    case_groups_table, conflicts_table, counted_files, counts_tables, problems_table,
    reference_table, repeats_table, sessions_table, sources_table, tests_table,
};
use crate::tally::{Counts, Tally};
use crate::theory::null_laws;

/// Result of an audit.
#[derive(Debug)]
pub struct AuditReport {
    /// Name of the report.
    pub name: String,
    /// The contents of audit.json.
    pub record: AuditRecord,
    /// Counts of boards, problems and sessions.
    pub intake: Intake,
    /// Names of the files that were read, by their index in `intake`.
    pub files: Vec<String>,
    /// The counts and the tests; `None` if no deal was tested.
    pub tested: Option<(Counts, Battery)>,
    /// The verdict; `None` if no deal was tested.
    pub verdict: Option<Verdict>,
    /// The level of the verdict.
    pub level: Level,
    /// Whether it was stopped before everything was read.
    pub is_interrupted: bool,
    /// Whether there is a checkpoint to resume from, if the report is written.
    pub can_go_on: bool,
    /// The first file that could not be read completely.
    pub unread: Option<Error>,
    /// Files of folders and archives that contain no deals.
    pub left_out: Vec<String>,
    /// Folder of the report, if it was written.
    pub folder: Option<PathBuf>,
    /// The condition in bridge notation; empty without one.
    #[cfg_attr(not(feature = "html"), allow(dead_code, reason = "shown by the page"))]
    notation: Vec<String>,
    has_theory: bool,
    #[cfg_attr(not(feature = "html"), allow(dead_code, reason = "shown by the page"))]
    samples: Vec<(String, Deal)>,
}

impl AuditReport {
    pub(super) fn new(
        name: String,
        read: ReadInputs<'_>,
        verdict: Option<Verdict>,
        record: AuditRecord,
        notation: Vec<String>,
        can_go_on: bool,
    ) -> Self {
        Self {
            can_go_on,
            name,
            samples: samples(&read),
            files: read.names(),
            level: read.level(verdict.as_ref()),
            is_interrupted: read.stopped() == Some(Stopped::Interrupted),
            has_theory: read.has_theory,
            tested: read.tested.map(crate::audit::AuditTests::into_parts),
            intake: read.state.auditor.intake,
            unread: read.unread,
            left_out: read.state.left_out,
            folder: None,
            record,
            verdict,
            notation,
        }
    }

    /// Counts of boards of all files.
    pub fn total(&self) -> BoardCounts {
        let mut total = BoardCounts::default();
        for counts in &self.intake.counts {
            total.add(counts);
        }
        total
    }

    /// Number of deals that do not satisfy the condition.
    pub fn foreign(&self) -> u64 {
        let tested = self.tested.as_ref();
        tested.map_or(0, |(counts, _)| counts.foreign)
    }

    /// The counts of the tested deals.
    pub fn counts(&self) -> Sample {
        let tested = self.tested.as_ref();
        let tally = tested.map_or_else(Tally::default, |(counts, _)| counts.tally());
        Sample::new(&tally, &[])
    }

    /// Every table of the report.
    pub fn tables(&self) -> Vec<Table> {
        let (intake, names) = (&self.intake, &self.files);
        let is_any = self.record.identity.condition.is_empty() && self.has_theory;
        let laws = (is_any && !intake.sessions().is_empty()).then(null_laws);
        let mut tables = vec![
            sources_table(&self.record.sources),
            problems_table(names, intake),
            repeats_table(names, intake),
        ];
        tables.extend(conflicts_table(names, intake));
        tables.extend(sessions_table(names, intake.sessions(), laws.as_ref()));
        if let (Some((counts, battery)), Some(verdict)) = (&self.tested, &self.verdict) {
            let theory = self.has_theory.then(|| battery.expected().theory());
            let rows = battery.rows();
            tables.extend(counts_tables(&self.counts(), theory));
            tables.extend([tests_table(&rows), bounds_table(&verdict.bounds)]);
            tables.extend(reference_table(&rows, &battery.placed()));
            let groups = battery.case_groups(counts);
            tables.extend((!groups.is_empty()).then(|| case_groups_table(&groups)));
        }
        tables
    }

    /// The record with the most important tables, for JSON.
    pub fn document<'d>(&'d self, tables: &'d [Table]) -> Document<'d, AuditRecord> {
        Document::new(&self.record, tables)
    }

    /// The report as a self-contained HTML page. Requires the feature `html`.
    #[cfg(feature = "html")]
    pub fn page(&self) -> String {
        self.page_of(&self.tables())
    }

    #[cfg(feature = "html")]
    fn page_of(&self, tables: &[Table]) -> String {
        let rows = self.tested.as_ref().map(|(_, battery)| battery.rows());
        page(&Shown {
            name: &self.name,
            subject: &AnyRecord::from(&self.record),
            tables,
            tests: &rows.unwrap_or_default(),
            detectable: self.verdict.as_ref().map(|of| &of.detectable),
            condition: &self.notation,
            samples: &self.samples,
        })
    }

    /// The files of the report, the record last; tables in these formats.
    pub fn files(&self, formats: &[TableFormat]) -> Vec<ReportFile> {
        let tables = self.tables();
        #[cfg(feature = "html")]
        let page = [(Folder::PAGE.to_owned(), self.page_of(&tables).into_bytes())];
        #[cfg(not(feature = "html"))]
        let page = [];
        counted_files(&tables, formats, page, &self.counts(), (&self.record, None))
    }

    /// Writes every file, and the record last: a folder with an audit.json is complete.
    pub(super) fn write(&mut self, folder: &Folder) -> Result<(), Error> {
        folder.write_report(&self.files(folder.formats()))?;
        self.folder = Some(folder.path().to_owned());
        Ok(())
    }

    /// Folder of the report; empty if it was not written.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new(""))
    }
}

/// The first tested deals, and where they were read.
fn samples(read: &ReadInputs<'_>) -> Vec<(String, Deal)> {
    let names = read.names();
    let first = read.state.auditor.first().iter().map(|(place, deal)| {
        let file = Path::new(&names[place.input as usize]).file_name();
        let file = file.unwrap_or_default().to_string_lossy();
        (format!("{file}, line {}", place.line), *deal)
    });
    first.collect()
}
