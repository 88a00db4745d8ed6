//! The library's errors as Python's.

use std::io;

use fairdeal::Error;
use fairdeal::formats::read::ReadError;
use fairdeal::language::ConditionError as LibraryConditionError;
use fairdeal::report::ReportError;
use pyo3::import_exception;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::remedies;
use crate::stream::GaveUp;

import_exception!(fairdeal._errors, ArgumentTypeError);
import_exception!(fairdeal._errors, ConditionError);
import_exception!(fairdeal._errors, ExistingFileError);
import_exception!(fairdeal._errors, InputError);
import_exception!(fairdeal._errors, InternalError);
import_exception!(fairdeal._errors, MissingFileError);
import_exception!(fairdeal._errors, SearchError);
import_exception!(fairdeal._errors, SystemFailure);
import_exception!(fairdeal._errors, UnknownNameError);
import_exception!(fairdeal._errors, UsageError);

/// Returns the exception for an error of the library.
pub(crate) fn raised(error: &Error) -> PyErr {
    if let Some(wrong) = error.cause::<LibraryConditionError>() {
        return wrong_condition(wrong);
    }
    let told = error.told(remedies::words);
    let of_system = match error.cause::<ReadError>() {
        Some(ReadError::Io { source, .. }) => Some(source),
        _ => error.cause::<io::Error>(),
    };
    match of_system.map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => return MissingFileError::new_err(told),
        Some(io::ErrorKind::AlreadyExists) => return ExistingFileError::new_err(told),
        _ => {}
    }
    if let Some(ReportError::AnotherRun { .. } | ReportError::Unfinished { .. }) = error.cause() {
        return ExistingFileError::new_err(told);
    }
    match error {
        error if error.cause::<GaveUp>().is_some() => SearchError::new_err(told),
        error if error.is_condition() => ConditionError::new_err(told),
        error if error.is_usage() => UsageError::new_err(told),
        error if error.is_io() => SystemFailure::new_err(told),
        _ => InputError::new_err(told),
    }
}

/// Returns the exception for a condition with an error at some place of its text.
pub(crate) fn wrong_condition(error: &LibraryConditionError) -> PyErr {
    let text = error.told(false, remedies::words);
    ConditionError::new_err((text, error.to_string(), error.line(), error.column()))
}

/// An argument of a method as a Rust value; the error begins with the argument's name.
pub(crate) fn argument<'py, T>(name: &str, value: &Bound<'py, PyAny>, wanted: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    value.extract().map_err(|_| {
        let of_type = value.get_type().name();
        let of_type = of_type.map_or_else(|_| "a value".to_owned(), |name| name.to_string());
        ArgumentTypeError::new_err(format!("{name}: {of_type} instead of {wanted}"))
    })
}
