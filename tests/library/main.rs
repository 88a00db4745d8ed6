//! The public library interface.

#[path = "../common/mod.rs"]
mod common;

mod examples;
mod extremes;
mod facade;
