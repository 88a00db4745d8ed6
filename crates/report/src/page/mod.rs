//! report.html: the page of a run or an audit, or of leads or contracts.
//!
//! An audit begins with a summary of one printed page. Of a run, the answers of a script come first,
//! then the verdict and a table of contents, its picture (FAIL) or its confidence bounds (PASS), and
//! the details. The page is one file, made from the report's record and tables; it loads nothing and
//! has no scripts. It computes bands, confidence bars and sums; all other numbers are those of the
//! CSV files.

mod answers;
mod candidates;
mod counts;
mod deals;
pub(crate) mod facts;
pub(crate) mod figures;
mod nights;
mod parts;
mod report_page;
mod summary;
mod theory_figures;
mod words;

pub use candidates::{candidate_page, candidate_result};
pub use deals::{Diagram, diagrams};
pub use facts::{EvidenceTable, evidence_table};
pub use figures::Plot;
pub use nights::{NightRow, NightsPage, TaskSection};
pub use report_page::{STYLES, Shown, larger_s, page, rendered};
pub use theory_figures::{TheoryFigure, theory_figures};
pub use words::{PageWords, class};
