//! The command line: arguments, one file per command, and output.
//!
//! Only this module prints and knows exit codes.

#![warn(clippy::too_many_lines)]

mod audit;
mod battery;
mod bench;
mod board_output;
mod cache;
mod candidates;
mod cases;
mod compare;
mod completions;
mod contracts;
mod convert;
mod deal;
mod demo;
mod failure;
mod input;
mod json;
mod layout;
mod lead;
mod log;
mod man;
mod merge;
mod night;
mod number;
mod output;
mod output_options;
mod program;
mod remedies;
mod report_options;
mod run;
mod scenarios;
mod self_test;
#[cfg(feature = "serve")]
mod serve;
mod signals;
mod solve;
mod squaredeal;
mod tables;
mod terminal;
mod theory;
mod threads;
mod values;
mod verdict;
mod words;

pub(crate) use program::main;
