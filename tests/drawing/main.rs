//! Deals as they are drawn: exactly uniform, the same with any threads, and broken on purpose.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod dealer;
mod defects;
mod draws;
mod filters;
mod portions;
mod predeal;
mod same_counts;
