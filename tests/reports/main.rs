//! Output: tables, pages, JSON, comparisons and terminal text.

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod compare;
mod json;
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod snapshots;
