//! Reports: tables as CSV and Parquet, records as JSON, pages as HTML.
//!
//! Files are written atomically: under another name in the same folder, then renamed.
//! docs/reference/reports.md describes their names and columns.

mod audit;
mod document;
mod evidence;
mod folder;
mod listing;
mod number;
#[cfg(feature = "cli")]
pub(crate) mod page;
#[cfg(feature = "cli")]
mod parquet;
#[cfg(feature = "cli")]
mod plots;
mod record;
mod self_test;
mod statistics;
mod table;
mod table_name;
mod tables;
mod theory;

pub use audit::{
    AuditIdentity, AuditOptions, AuditRecord, STANDARD_INPUT, SeedSearchRecord, SourceRecord,
    problems_table, reference_table, repeats_table, sessions_table, sources_table,
};
pub use document::Document;
pub use evidence::{
    bounds_table, case_groups_table, heterogeneity_table, null_rows_table, parts_table, tests_table,
};
pub use folder::{
    Earlier, Folder, Lock, ReportError, TableFormat, first_free, folders_beside, run_record,
    write_file,
};
pub use listing::{ListingFormat, ListingRowError, write_listing};
pub use number::{
    counted, error_decimals, grouped, one_in, percent, probability, rounded, significant,
    three_digits, three_digits_log10, with_error,
};
pub(crate) use number::{decimal, fraction};
#[cfg(feature = "cli")]
pub use page::{PageSubject, Shown, page};
pub use record::{
    CaseFileRecord, CellsRecord, CheckpointRecord, EvidenceRecord, FilterRecord, HostRecord,
    Identity, ListingRecord, MergedPart, PROGRAM, PartRecord, ProbabilityRecord, RunRecord,
    TheoryRecord,
};
pub(crate) use record::{differences, name_of_part};
pub use self_test::SelfTestRecord;
pub use statistics::{AnswerCounts, Answered, statistics_tables};
pub(crate) use table::writer as csv_writer;
pub use table::{Cell, ColumnType, Table, TableColumn};
pub(crate) use table::{integer, real, text};
pub use table_name::TableName;
pub use tables::{counts_tables, latency_table, theory_tables};
pub use theory::TheoryDocument;
