//! The library as others use it.

#[path = "../common/mod.rs"]
mod common;

mod examples;
mod facade;
