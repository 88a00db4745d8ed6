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
#[cfg(test)]
mod small_spaces;
mod speed;

pub use comparison::{Comparison, Identical, ReportSide, Unequal};
pub use homogeneity::{
    Difference, Differences, Homogeneity, HomogeneityRow, Likeness, Origin, homogeneity,
};
pub(crate) use homogeneity::{common_means, common_tables, strongest};
pub use identity::{DifferingField, Relation};
pub use report::Report;
pub use speed::{Speed, SpeedOf};
