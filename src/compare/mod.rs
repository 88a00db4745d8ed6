//! Comparison of two reports: homogeneity of the samples, and speed.
//!
//! [`Report`] reads the record and the counts in a report's folder. [`homogeneity()`] tests
//! whether two samples come from one distribution. [`Comparison`] holds all results, for JSON and
//! for other output.

mod comparison;
mod homogeneity;
mod identity;
#[cfg(feature = "html")]
mod page;
mod report;
mod speed;

pub use comparison::{Comparison, Identical, ReportSide, Unequal};
pub use homogeneity::{
    Difference, Differences, Homogeneity, HomogeneityRow, Likeness, Origin, homogeneity,
};
pub(crate) use homogeneity::{common_means, common_tables, strongest};
#[cfg(test)]
pub(crate) use homogeneity::{two_by_many_log10, two_means_log10};
pub use identity::{DifferingField, Relation};
pub use report::Report;
pub use speed::{Speed, SpeedOf};
