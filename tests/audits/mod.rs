//! Audits of deals from other sources.

mod audit;
#[cfg(unix)] // Shell scripts, and SIGKILL.
mod commands;
mod conditions;
#[cfg(unix)] // Windows has no such names.
mod names;
mod pipes;
mod real_files;
mod same_event;
