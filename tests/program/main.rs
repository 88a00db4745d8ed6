//! The program as it is typed, and the README's examples.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod readme;
