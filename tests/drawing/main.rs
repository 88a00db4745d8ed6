//! Drawing of deals: exact uniformity, independence of the number of threads, and planted defects.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod dealer;
mod defects;
mod draws;
mod filters;
mod mixes;
mod portions;
mod predeal;
mod same_counts;
