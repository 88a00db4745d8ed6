//! What a page shows.

use super::super::audit::AuditRecord;
use super::super::record::{EvidenceRecord, RunRecord};
use super::super::table::Table;
use crate::battery::{Level, TestRow};
use crate::bridge::Deal;

/// The record of a run or of an audit.
#[derive(Clone, Copy, Debug)]
pub enum PageSubject<'r> {
    /// A run.
    Run(&'r RunRecord),
    /// An audit.
    Audit(&'r AuditRecord),
}

impl<'r> PageSubject<'r> {
    pub(super) fn evidence(self) -> Option<&'r EvidenceRecord> {
        match self {
            Self::Run(record) => record.evidence.as_ref(),
            Self::Audit(record) => record.evidence.as_ref(),
        }
    }

    pub(super) fn verdict(self) -> Level {
        let name = match self {
            Self::Run(record) => record.verdict.as_deref(),
            Self::Audit(record) => Some(record.verdict.as_str()),
        };
        name.and_then(Level::named).unwrap_or(Level::Inconclusive)
    }

    /// The number of tested deals.
    pub(super) fn deals(self) -> u64 {
        match self {
            Self::Run(record) => record.dealt,
            Self::Audit(record) => record.deals,
        }
    }

    pub(super) fn program(self) -> &'r str {
        match self {
            Self::Run(record) => &record.program,
            Self::Audit(record) => &record.program,
        }
    }
}

/// The contents of a page.
#[derive(Clone, Debug)]
pub struct Shown<'s> {
    /// The name of the report: that of a scenario or a file.
    pub name: &'s str,
    /// The record.
    pub subject: PageSubject<'s>,
    /// All tables of the report.
    pub tables: &'s [Table],
    /// The tests, as in the table `tests`.
    pub tests: &'s [TestRow],
    /// The terms of the condition in bridge notation; empty for unconstrained deals.
    pub condition: &'s [String],
    /// Some deals, each with its name.
    pub samples: &'s [(String, Deal)],
}
