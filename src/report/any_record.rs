//! The record of a run or of an audit: what a comparison and a page are about.

use super::audit::AuditRecord;
use super::identity::Identity;
use super::record::{EvidenceRecord, HostRecord, RunRecord};
use crate::battery::Level;
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

/// A field that both records have.
macro_rules! of_both {
    ($any:expr, $record:ident => $field:expr) => {
        match $any {
            AnyRecord::Run($record) => $field,
            AnyRecord::Audit($record) => $field,
        }
    };
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
        of_both!(self, record => &record.identity.condition)
    }

    /// Whether the deals are unconstrained.
    #[must_use]
    pub(crate) fn is_whole(&self) -> bool {
        let is_constrained = match self {
            Self::Run(run) => run.filter.is_some(),
            Self::Audit(_) => self.is_unknown(),
        };
        let is_every = |total: &str| total == DEALS.to_string();
        !is_constrained
            && of_both!(self, record => record.case_file.is_none() && is_every(&record.total))
    }

    /// Whether the condition is unknown.
    #[must_use]
    pub(crate) fn is_unknown(&self) -> bool {
        match self {
            Self::Run(_) => false,
            Self::Audit(audit) => audit.identity.options.any_condition,
        }
    }

    /// The verdict of the run or audit.
    #[must_use]
    pub(crate) fn verdict(&self) -> Level {
        of_both!(self, record => record.verdict)
    }

    /// The evidence of the verdict, if a test was made.
    #[must_use]
    pub(crate) fn evidence(&self) -> Option<&EvidenceRecord> {
        of_both!(self, record => record.evidence.as_ref())
    }

    /// The program and its version.
    #[must_use]
    pub(crate) fn program(&self) -> &str {
        of_both!(self, record => &record.program)
    }

    /// The host.
    #[must_use]
    pub(crate) fn host(&self) -> &HostRecord {
        of_both!(self, record => &record.host)
    }

    /// Number of threads.
    #[must_use]
    pub(crate) fn threads(&self) -> usize {
        of_both!(self, record => record.threads)
    }
}

#[cfg(feature = "cli")]
impl AnyRecord {
    /// The number of tested deals.
    pub(crate) fn deals(&self) -> u64 {
        match self {
            Self::Run(run) => run.dealt,
            Self::Audit(audit) => audit.deals,
        }
    }

    /// `exact`, or the reason why expectations are empty.
    pub(crate) fn expected(&self) -> &str {
        of_both!(self, record => &record.expected)
    }
}
