//! The record of a run or of an audit: what a comparison and a page are about.

use std::path::Path;

use super::audit::AuditRecord;
use super::folder::{Folder, OnConflict, ReportError};
use super::record::{CommonRecord, RunRecord};
use crate::bridge::combinatorics::DEALS;

/// The record of a report.
#[derive(Clone, Debug)]
pub enum AnyRecord {
    /// Of a run.
    Run(Box<RunRecord>),
    /// Of an audit.
    Audit(Box<AuditRecord>),
}

impl From<&RunRecord> for AnyRecord {
    fn from(record: &RunRecord) -> Self {
        Self::Run(Box::new(record.clone()))
    }
}

impl From<&AuditRecord> for AnyRecord {
    fn from(record: &AuditRecord) -> Self {
        Self::Audit(Box::new(record.clone()))
    }
}

impl AnyRecord {
    /// [`Folder::take`] for the report of this record.
    ///
    /// # Errors
    ///
    /// As [`Folder::take`].
    pub fn take(&self, path: &Path, on_conflict: OnConflict) -> Result<Folder, ReportError> {
        match self {
            Self::Run(run) => {
                let part = run.part.map(|record| record.part);
                Folder::take::<RunRecord>(path, (&run.identity, part), on_conflict)
            }
            Self::Audit(audit) => Folder::take::<AuditRecord>(path, &audit.identity, on_conflict),
        }
    }

    /// The condition's text; empty if there is none.
    pub(crate) fn condition(&self) -> &str {
        match self {
            Self::Run(run) => &run.identity.condition,
            Self::Audit(audit) => &audit.identity.condition,
        }
    }

    /// Whether the deals are unconstrained.
    pub(crate) fn is_whole(&self) -> bool {
        let is_constrained = match self {
            Self::Run(run) => run.filter.is_some(),
            Self::Audit(_) => self.is_unknown(),
        };
        let common = self.common();
        !is_constrained && common.case_file.is_none() && common.total == DEALS.to_string()
    }

    /// Whether the condition is unknown.
    pub(crate) fn is_unknown(&self) -> bool {
        match self {
            Self::Run(_) => false,
            Self::Audit(audit) => audit.identity.options.any_condition,
        }
    }

    /// The fields that both records have.
    pub fn common(&self) -> &CommonRecord {
        match self {
            Self::Run(run) => &run.common,
            Self::Audit(audit) => &audit.common,
        }
    }
}

#[cfg(feature = "html")]
impl AnyRecord {
    /// The number of tested deals.
    pub fn deals(&self) -> u64 {
        match self {
            Self::Run(run) => run.dealt,
            Self::Audit(audit) => audit.deals,
        }
    }
}
