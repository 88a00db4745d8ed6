//! Comparison of two reports: homogeneity of the samples, and speed.
//!
//! [`Report`] reads a folder again and trusts nothing in it; [`homogeneity()`] tells whether two
//! samples are of one law; [`Comparison`] is all that is found, plain, for JSON and for whoever
//! lays it out.

mod comparison;
mod homogeneity;
mod identity;
#[cfg(feature = "cli")]
mod page;
mod report;
mod speed;

pub use comparison::{Comparison, Identical, Side, Unequal};
pub use homogeneity::{
    CountKind, CountTable, Difference, Differences, Homogeneity, Likeness, Mean, Origin, Row,
    Sample, homogeneity,
};
pub(crate) use homogeneity::{common_means, common_tables, strongest};
#[cfg(test)]
pub(crate) use homogeneity::{two_by_many_log10, two_means_log10};
pub use identity::{Differing, Relation, UnlikeReports};
pub use report::{AnyRecord, ReadReportError, Report};
pub use speed::{Speed, SpeedOf};
