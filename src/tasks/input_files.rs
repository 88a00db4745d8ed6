//! Files of deals: opening and reading them, and errors of reading.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::formats::Format;
use crate::formats::read::{self, Input, InputEntry, ReadError};
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

/// Passes the entries of files to `sink` in their order, with their records if they are kept, each
/// with the place of its input in the list that is returned and the input's name, until it or
/// `watch` breaks. The names of the files are their `labels`, if there are any. `watch` gets the
/// number of bytes so far. Returns the names of the inputs with deals.
///
/// # Errors
///
/// If a file cannot be read or has no deals, unless it is one of several in an archive.
pub(super) fn read_entries(
    files: &[PathBuf],
    labels: &[String],
    format: Option<Format>,
    keeps_records: bool,
    sink: &mut dyn FnMut(usize, &str, InputEntry<'_>) -> ControlFlow<()>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Vec<String>, Error> {
    let (mut names, mut before) = (Vec::new(), 0);
    let read = match keeps_records {
        true => read::read_records,
        false => read::read,
    };
    for (place, path) in files.iter().enumerate() {
        let inputs = open_as(path, labels.get(place).cloned()).map_err(failure_of)?;
        let is_alone = inputs.len() == 1;
        for input in inputs {
            for input in input.unpack().map_err(failure_of)? {
                let (place, name, mut reached) = (names.len(), input.name().to_owned(), 0);
                let found = read(
                    input,
                    format,
                    &mut |entry| sink(place, &name, entry),
                    &mut |bytes| {
                        reached = bytes;
                        watch(before + bytes)
                    },
                );
                before += reached;
                match found {
                    Ok(summary) => {
                        names.push(name);
                        if !summary.is_whole {
                            return Ok(names);
                        }
                    }
                    // Archives contain other files too.
                    Err(
                        ReadError::Unknown { .. }
                        | ReadError::Empty { .. }
                        | ReadError::Other { .. },
                    ) if !is_alone => {}
                    Err(error) => return Err(failure_of(error)),
                }
            }
        }
    }
    Ok(names)
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

/// Breaks off the reading of files if it is over.
pub(super) fn break_if(is_over: bool) -> ControlFlow<()> {
    match is_over {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
