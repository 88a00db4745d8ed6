//! Output: tables, pages, JSON, comparisons and terminal text.

mod bench;
mod compare;
mod json;
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod snapshots;
