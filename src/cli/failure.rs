//! Failures of a command: exit codes, and the message on standard error.

use std::io::{self, IsTerminal};

use fairdeal::Error;
use fairdeal::draw::{Isa, PATH_VARIABLE};
use fairdeal::language::{ConditionError, ConditionWarning};
use fairdeal::printable::printable;

use super::{log, remedies};

/// Fewer deals than requested were found.
pub(super) const GAVE_UP: u8 = 5;
/// Wrong usage.
pub(super) const USAGE: u8 = 64;
/// Bad input.
pub(super) const INPUT: u8 = 65;
/// Input or output failed.
pub(super) const IO: u8 = 74;

/// Interrupted, with everything saved.
pub(super) const INTERRUPTED: u8 = 130;

/// Exit code of an error.
pub(super) fn code(error: &Error) -> u8 {
    if error.is_usage() {
        USAGE
    } else if error.is_io() {
        IO
    } else {
        INPUT
    }
}

/// Whether messages on standard error are coloured.
fn is_coloured() -> bool {
    !log::is_json()
        && io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints a warning about a condition on standard error.
pub(super) fn warn(warning: &ConditionWarning) -> io::Result<()> {
    log::rendered_warning(&warning.told(is_coloured(), remedies::words))
}

/// Prints an error on standard error and returns its exit code.
pub(super) fn report(error: &Error) -> u8 {
    match error.cause::<ConditionError>() {
        Some(error) => log::rendered_error(&error.told(is_coloured(), remedies::words)),
        None => log::error(printable(&error.told(remedies::words))),
    }
    code(error)
}

/// Exit code of a command's result.
pub(super) fn code_of(done: Result<u8, Error>) -> u8 {
    match done {
        Ok(code) => code,
        Err(error) if error.is_broken_pipe() => 0,
        // A bare I/O error comes from printing.
        Err(error) => {
            let is_unnamed = error.cause::<io::Error>().is_some();
            let error = match is_unnamed {
                true => error.or_context("standard output"),
                false => error,
            };
            report(&error)
        }
    }
}

/// The error if `FAIRDEAL_PATH` names instructions that this processor does not support.
pub(super) fn unknown_path() -> Option<Error> {
    let name = std::env::var_os(PATH_VARIABLE)?;
    let name = name.to_string_lossy();
    if Isa::named(&name).is_some() {
        return None;
    }
    let names: Vec<&str> = Isa::available().iter().map(|isa| isa.name()).collect();
    Some(Error::usage(format!(
        "{PATH_VARIABLE} is `{name}`, which this processor does not support: use {}",
        names.join(", ")
    )))
}
