//! Files of deals: opening them, and errors of reading.

use std::io;
use std::path::Path;

use crate::error::Error;
use crate::formats::read::{Input, ReadError};
use crate::report::STANDARD_INPUT;

/// The inputs of a file, or of standard input if the path is `-`.
pub(super) fn open(path: &Path) -> Result<Vec<Input>, ReadError> {
    match path.as_os_str() == "-" {
        true => Input::of_reader(STANDARD_INPUT, io::stdin()),
        false => Input::open(path),
    }
}

/// As [`open`]; a file with a label has this name in reports and errors.
pub(super) fn open_as(path: &Path, label: Option<String>) -> Result<Vec<Input>, ReadError> {
    match label {
        Some(label) => Input::open_as(path, label),
        None => open(path),
    }
}

/// The error of a task that cannot read a file: bad input if its bytes are corrupted.
pub(super) fn failure_of(error: ReadError) -> Error {
    // Kinds of errors that decompressors report for corrupted bytes.
    let is_damage = |kind: io::ErrorKind| {
        use io::ErrorKind::{InvalidData, InvalidInput, NotFound, Other, UnexpectedEof};
        matches!(
            kind,
            InvalidData | InvalidInput | NotFound | Other | UnexpectedEof
        )
    };
    let remedy = error.remedy();
    let error = match &error {
        ReadError::Io { source, .. } if !is_damage(source.kind()) => Error::io(error),
        _ => Error::input(error),
    };
    error.with_remedy(remedy)
}
