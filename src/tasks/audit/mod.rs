//! An audit, from its request to its report.

mod command;
mod deals_hash;
mod driver;
mod merging;
mod perfect_sets;
mod planning;
mod population;
mod reading;
mod report;
mod request;
mod saving;
mod seed_search;
mod state;

pub use command::DealerCommand;
pub(crate) use driver::audit_deals;
pub use driver::{audit, audit_given_deals, audit_in_memory};
pub use merging::{are_audits, merge_audits};
pub use population::AuditCondition;
pub use report::AuditReport;
pub use request::{AuditOutcome, AuditRequest, ReferenceSets};

pub use crate::audit::SessionSize;

use population::{Audited, ComparedLaws};
