//! The command line, and the examples in the documents.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod conversions;
mod dialects;
mod documents;
mod exact_values;
mod inputs;
mod mixes;
mod options;
mod script_files;
mod sets;
mod squaredeal;
