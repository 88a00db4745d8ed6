//! Tests of homogeneity of two samples of counts.
//!
//! Samples A and B count independent deals. If both come from one source then, given the deals of
//! both, the assignment of deals to A and B is random: cells are pooled by their sums, and every
//! statistic has the law under this permutation. The tables of one seat are multinomial and are
//! compared by Pearson's chi-square of homogeneity. Seats are never pooled, because the four hands
//! of a deal depend on each other. The table of cards by seat has thirteen cards per seat and deal,
//! with a covariance of its own.
//!
//! Each subject's p-value becomes an e-value, as in the battery, and the weighted mean of the
//! e-values gives the verdict. docs/methodology.md has the weights.

mod differences;
mod likeness;
mod power;
mod rows;
mod statistic;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests;

pub use differences::{Difference, Differences};
pub use likeness::Likeness;
pub use rows::{Homogeneity, HomogeneityRow, Origin, homogeneity};
pub(crate) use rows::{common_means, common_tables, strongest};
#[cfg(test)]
pub(crate) use tests::{two_by_many_log10, two_means_log10};
