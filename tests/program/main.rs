//! The program as it is typed, and the examples of the documents.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod documents;
mod inputs;
mod options;
