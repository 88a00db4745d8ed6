//! report.html: the page of a run or an audit, or of leads or contracts.
//!
//! An audit begins with a summary of one printed page. Of a run, the answers of a script come first, then the verdict with its picture (FAIL) or its confidence
//! bounds (PASS), then a table of contents and the details. The page is one file, made from the
//! report's record and tables; it loads nothing and has no scripts. It computes bands, confidence
//! bars and sums; all other numbers are those of the CSV files.

mod answers;
mod candidates;
mod counts;
mod deals;
pub(crate) mod facts;
pub(crate) mod figures;
mod report_page;
mod summary;
#[cfg(feature = "pages")]
mod theory_figures;
mod words;

pub(crate) use candidates::candidate_page;
#[cfg(feature = "pages")]
pub(crate) use candidates::candidate_result;
#[cfg(feature = "pages")]
pub(crate) use deals::{Diagram, diagrams};
pub(crate) use report_page::{STYLES, larger_s, rendered};
pub use report_page::{Shown, page};
#[cfg(feature = "pages")]
pub(crate) use theory_figures::{TheoryFigure, theory_figures};
#[cfg(feature = "pages")]
pub(crate) use words::PageWords;
pub(crate) use words::class;
