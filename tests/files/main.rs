//! Deal numbers and file formats of other programs.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "cli")]
mod archives;
mod formats;
mod kinds;
mod not_deals;
mod numbers;
mod readers;
