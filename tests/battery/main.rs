//! The test battery on perfect deals.

#[path = "../common/mod.rs"]
mod common;

mod null;
