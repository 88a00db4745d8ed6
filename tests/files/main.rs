//! Numbers and files of deals, as other programs have them.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "cli")]
mod archives;
mod formats;
mod numbers;
mod readers;
