//! Drawing of deals: exact uniformity, and independence of the number of threads.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod dealer;
mod draws;
mod filters;
mod mixes;
mod portions;
mod predeal;
mod same_counts;
