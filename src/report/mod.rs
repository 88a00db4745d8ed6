//! What a run leaves behind: tables as CSV and the run itself as JSON.
//!
//! Files are written whole or not at all: beside their place, then renamed.
//! The names and columns are those of FORMATS.md.

mod audit;
mod dealer;
mod evidence;
mod folder;
mod number;
mod record;
mod statistics;
mod tables;

pub use audit::{
    AuditIdentity, AuditOptions, AuditRecord, STANDARD_INPUT, SeedSearchRecord, SourceRecord,
    write_problems, write_reference, write_repeats, write_sessions, write_sources,
};
pub use dealer::{DealerPrinter, Effort, PrintError};
pub use evidence::{write_bounds, write_case_groups, write_null_rows, write_tests};
pub use folder::{Earlier, Folder, Lock, ReportError, write_file};
pub use number::{grouped, significant};
pub use record::{
    CaseFileRecord, CheckpointRecord, EvidenceRecord, FilterRecord, HostRecord, Identity, PROGRAM,
    RunRecord, TheoryRecord,
};
pub use statistics::{Answered, Found, write_statistics};
pub use tables::{write_counts, write_tables, write_theory};
