//! The command line, and the examples in the documents.

mod commands;
mod conversions;
mod dialects;
mod documents;
mod exact_values;
#[cfg(unix)] // Its programs are scripts of a shell.
mod filter_commands;
mod inputs;
mod leads;
mod mixes;
#[cfg(unix)] // Its tests follow links.
mod nights;
mod options;
mod script_files;
mod sets;
mod solving;
mod squaredeal;
