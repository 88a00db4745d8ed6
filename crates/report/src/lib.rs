//! Reports: tables as CSV and Parquet, counts and records as JSON, pages as HTML.
//!
//! Files are written atomically: under another name in the same folder, then renamed.
//! docs/reference/reports.md describes their names and columns.

mod any_record;
mod audit;
mod candidates;
pub mod compare;
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

use fairdeal_base::{atomic_file, error, observer, printable, regular_file};
use fairdeal_battery as battery;
use fairdeal_bridge as bridge;
use fairdeal_defect as defect;
use fairdeal_draw as draw;
use fairdeal_draw::sampler;
#[cfg(feature = "html")]
use fairdeal_formats as formats;
use fairdeal_language as language;
use fairdeal_population as population;
use fairdeal_run as run;
use fairdeal_stats as stats;
use fairdeal_tally as tally;

pub use any_record::AnyRecord;
pub use audit::{
    AuditHeading, AuditIdentity, AuditOptions, AuditRecord, CommandIdentity, MergedAudit,
    NamedBoards, STANDARD_INPUT, SeedSearchRecord, SourceRecord, SquareDealRecord, conflicts_table,
    problems_table, reference_table, repeats_table, sessions_table, sources_table,
};
pub use candidates::{
    CandidateFinding, CandidateRecord, CandidateRow, CandidateTable, NumberForm, PrintedColumn,
};
pub use csv_report::CsvReport;
pub use document::Document;
pub use evidence::{
    bounds_table, case_groups_table, heterogeneity_table, null_rows_table, parts_table, tests_table,
};
pub(crate) use folder::{AUDIT, COMPARISON, COUNTS, CountedRecord, MOST_RECORD, RUN};
pub use folder::{
    Folder, Lock, OnConflict, Record, ReportError, ReportFile, TableFormat, counted_files,
    folders_beside, read_json, record_in, write_file,
};
pub use identity::{DealGenerator, Identity, differences};
pub use level_check::LevelCheckRecord;
pub use listing::{ListingFormat, ListingRowError, write_listing};
pub use mix::{MixRecord, MixSubject, MixTypeRecord};
pub use number::{decimal, fraction};
#[cfg(feature = "html")]
pub use page::{Shown, page};
pub(crate) use record::name_of_part;
pub use record::{
    CaseFileRecord, CellsRecord, CheckpointRecord, CommonRecord, EstimateRecord, EvidenceRecord,
    FilterRecord, HostRecord, ListingRecord, MergedPart, PROGRAM, PartRecord, ProbabilityRecord,
    RunRecord, Stopped, TheoryRecord, TypeRecord, host_name,
};
pub use sample::{CountKind, CountTable, Sample, ScriptMean};
pub use solved::{SolvedRecord, TrickCounts};
pub use statistics::{CountedAnswer, ExactAnswer, exact_answer_tables, statistics_tables};
#[cfg(feature = "html")]
pub(crate) use table::printed;
pub use table::writer as csv_writer;
pub use table::{Cell, ColumnType, Table, TableColumn};
pub(crate) use table::{integer, real, table_of, text};

pub use table_name::TableName;
pub use tables::{counts_tables, latency_table, theory_tables};
pub use theory::TheoryDocument;
