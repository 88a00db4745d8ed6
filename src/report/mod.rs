//! Reports: tables as CSV and Parquet, counts and records as JSON, pages as HTML.
//!
//! Files are written atomically: under another name in the same folder, then renamed.
//! docs/reference/reports.md describes their names and columns.

mod any_record;
mod audit;
mod candidates;
mod csv_report;
mod document;
mod evidence;
mod folder;
mod identity;
mod level_check;
mod listing;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod long_runs;
mod mix;
mod number;
#[cfg(feature = "html")]
pub mod page;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "html")]
mod plots;
mod record;
mod sample;
mod solved;
mod statistics;
mod table;
mod table_name;
mod tables;
mod theory;

pub use any_record::AnyRecord;
pub use audit::{
    AuditHeading, AuditIdentity, AuditOptions, AuditRecord, CommandIdentity, MergedAudit,
    NamedBoards, SeedSearchRecord, SourceRecord, SquareDealRecord,
};
pub(crate) use audit::{
    STANDARD_INPUT, conflicts_table, problems_table, reference_table, repeats_table,
    sessions_table, sources_table,
};
pub use candidates::{
    CandidateFinding, CandidateRecord, CandidateRow, CandidateTable, NumberForm, PrintedColumn,
};
pub(crate) use csv_report::CsvReport;
pub use document::Document;
pub use evidence::null_rows_table;
pub(crate) use evidence::{
    bounds_table, case_groups_table, heterogeneity_table, parts_table, tests_table,
};
pub(crate) use folder::{AUDIT, COMPARISON, COUNTS, CountedRecord, RUN, read_json, record_in};
pub use folder::{
    Folder, Lock, OnConflict, Record, ReportError, TableFormat, folders_beside, write_file,
};
pub(crate) use identity::differences;
pub use identity::{DealGenerator, Identity};
pub use level_check::LevelCheckRecord;
pub use listing::{ListingFormat, ListingRowError, write_listing};
pub use mix::{MixRecord, MixSubject, MixTypeRecord};
pub(crate) use number::{decimal, fraction};
#[cfg(feature = "html")]
pub(crate) use page::Shown;
#[cfg(feature = "html")]
pub use page::page;
pub use record::{
    CaseFileRecord, CellsRecord, CommonRecord, EstimateRecord, EvidenceRecord, FilterRecord,
    HostRecord, ListingRecord, MergedPart, PROGRAM, PartRecord, ProbabilityRecord, RunRecord,
    Stopped, TheoryRecord, TypeRecord,
};
pub(crate) use record::{CheckpointRecord, host_name, name_of_part};
pub use sample::{CountKind, CountTable, Sample, ScriptMean};
pub use solved::{SolvedRecord, TrickCounts};
pub use statistics::{CountedAnswer, ExactAnswer};
pub(crate) use statistics::{exact_answer_tables, statistics_tables};
#[cfg(feature = "html")]
pub(crate) use table::printed;
pub use table::{Cell, Table};
pub(crate) use table::{integer, real, table_of, text, writer as csv_writer};

pub use table_name::TableName;
pub(crate) use tables::{counts_tables, latency_table, theory_tables};
pub use theory::TheoryDocument;
