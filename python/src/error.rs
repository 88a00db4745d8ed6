//! The library's errors as Python's.

use fairdeal::Error;
use fairdeal::language::ConditionError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::remedies;
use crate::stream::GaveUp;

/// Returns the exception for an error of the library.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    if let Some(wrong) = error.cause::<ConditionError>() {
        return wrong_condition(py, wrong);
    }
    let class = match error {
        error if error.cause::<GaveUp>().is_some() => "SearchError",
        error if error.is_condition() => "ConditionError",
        error if error.is_usage() => "UsageError",
        error if error.is_io() => "SystemFailure",
        _ => "InputError",
    };
    made(py, class, |class| {
        class.call1((error.told(remedies::words),))
    })
}

/// Returns the exception for a condition with an error at some place of its text.
pub(crate) fn wrong_condition(py: Python<'_>, error: &ConditionError) -> PyErr {
    let (text, place) = (
        error.told(false, remedies::words),
        (error.line(), error.column()),
    );
    made(py, "ConditionError", |class| {
        class.call1((text, error.to_string(), place.0, place.1))
    })
}

/// Returns an exception of the package with this message.
pub(crate) fn failed(py: Python<'_>, class: &str, message: &str) -> PyErr {
    made(py, class, |class| class.call1((message,)))
}

fn made<'py>(
    py: Python<'py>,
    class: &str,
    make: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    let errors = py.import("fairdeal._errors");
    let class = errors.and_then(|errors| errors.getattr(class));
    match class.and_then(|class| make(&class)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
