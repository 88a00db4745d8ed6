//! What is written: tables, pages, JSON, comparisons, and what the program prints.

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod compare;
mod json;
mod pages;
mod parquet;
mod snapshots;
