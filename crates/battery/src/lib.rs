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

mod band;
mod bounds;
mod catalogue;
mod detectable;
mod evidence;
mod expected;
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
mod statistics;
mod subject;
mod table_law;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "for tests")]
mod test_support;
mod verdict;

use fairdeal_base::printable;
use fairdeal_bridge as bridge;
#[cfg(test)]
use fairdeal_defect as defect;
use fairdeal_draw as draw;
#[cfg(test)]
use fairdeal_language as language;
use fairdeal_population as population;
use fairdeal_stats as stats;
use fairdeal_tally as tally;
use fairdeal_theory as theory;

pub use band::{Band, band};
pub use bounds::{Bound, needed, seen};
pub use catalogue::Test;
pub use detectable::{DetectableEffect, DetectableEffects, Outcome};
pub use evidence::{BatteryState, LookRecord, OtherTests};
pub use expected::Expected;
pub use looks::{Battery, counts_agree};
pub use parameters::RunParameters;
pub use reference::{PerfectSetPosition, Reference};
pub use statistics::cases::CaseGroup;
pub use statistics::heterogeneity::{Heterogeneity, kept_heterogeneity};
#[doc(hidden)]
pub use statistics::{cases::coincidences_log10, filling::filling_of, interchange::interchange_of};
pub use table_law::{Measured, TableLaw, two_shares, two_sided};
pub use verdict::{Evidence, LEAST_TARGET, Level, TestRow, Verdict, by_contribution, strongest};

/// Number of deals at the first look. A run or collection with fewer deals has a single look, at
/// its end.
pub const FIRST_LOOK: u64 = 1 << 14;
