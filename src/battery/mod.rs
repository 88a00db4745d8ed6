//! The battery: tests of fair dealing with exact laws, and one verdict.
//!
//! ```text
//! tally::Counts --measure--> p-values and e-values of every test, at every look
//!     --evidence--> one e-value a test --weights--> S = log10 of their mean --> verdict
//! theory --expected--^                                          bounds <--------'
//! ```
//!
//! An e-value is the capital of a gambler who starts with one unit and bets against the null
//! hypothesis. Under fair dealing its expectation is at most 1 at any time, whatever the dependence
//! between tests. The weighted mean E* of all e-values is an e-value too. So S = log10 E* ever
//! reaches s with a probability of at most 10^-s, for any number of looks (Ville's inequality).
//! docs/methodology.md describes the tests, their laws and the weights.
//!
//! Only the battery and reports use floating point; counts and expectations are exact integers.

#[cfg(any(feature = "html", test))]
mod band;
mod bounds;
mod catalogue;
mod detectable;
mod evidence;
mod expected;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod long_runs;
mod look;
mod looks;
mod measure;
mod parameters;
mod plan;
mod pooled;
mod power;
mod reference;
mod row;
mod sign_sums;
mod small_sample_laws;
#[cfg(test)]
mod small_spaces;
mod statistics;
mod subject;
mod table_law;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "for tests")]
pub(crate) mod test_support;
mod verdict;

#[cfg(feature = "html")]
pub(crate) use band::band;
pub use bounds::Bound;
pub(crate) use bounds::{needed, seen};
pub use catalogue::Test;
pub use detectable::{DetectableEffect, DetectableEffects, Outcome};
pub use evidence::{BatteryState, LookRecord, OtherTests};
pub use expected::Expected;
pub use looks::Battery;
pub(crate) use looks::counts_agree;
pub use parameters::RunParameters;
pub(crate) use reference::PerfectSetPosition;
pub use reference::Reference;
pub(crate) use statistics::cases::CaseGroup;
pub use statistics::heterogeneity::Heterogeneity;
pub(crate) use statistics::heterogeneity::kept_heterogeneity;
pub(crate) use table_law::{TableLaw, two_shares, two_sided};
pub(crate) use verdict::by_contribution;
pub use verdict::{Evidence, LEAST_TARGET, Level, TestRow, Verdict, strongest};

/// Number of deals at the first look. A run or collection with fewer deals has a single look, at
/// its end.
pub const FIRST_LOOK: u64 = 1 << 14;
