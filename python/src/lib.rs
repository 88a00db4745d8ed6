//! The extension module `fairdeal._fairdeal`: fairdeal's library for the Python package around it.
//!
//! The package's Python files have the documented interface; this crate converts arguments and
//! results. Long work runs on threads of its own, without the interpreter (`work.rs`).

// Arguments as PyO3 hands them over, and the keywords of Python.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]

mod arrays;
mod audit;
mod candidates;
mod deal;
mod error;
mod files;
mod joint;
mod remedies;
mod report;
mod script;
mod stream;
mod theory;
mod tricks;
mod work;

use pyo3::prelude::*;

/// The compiled part of fairdeal.
#[pymodule]
mod _fairdeal {
    use super::*;

    #[pymodule_export]
    use super::audit::{audit_deals, audit_files};
    #[pymodule_export]
    use super::candidates::leads;
    #[pymodule_export]
    use super::deal::{Deal, Hand};
    #[pymodule_export]
    use super::files::{convert_files, read_files, write_file};
    #[pymodule_export]
    use super::report::{Report, compare};
    #[pymodule_export]
    use super::script::Script;
    #[pymodule_export]
    use super::stream::DealStream;
    #[pymodule_export]
    use super::theory::{ExactTables, null_law};
    #[pymodule_export]
    use super::tricks::{par, tricks};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("PROGRAM", fairdeal::report::PROGRAM)?;
        module.add("SCENARIOS", super::script::scenarios())?;
        module.add("FORMATS", super::files::format_names())?;
        module.add("SHAPES", super::theory::shape_names())?;
        module.add("PATTERNS", super::theory::pattern_names())
    }
}
