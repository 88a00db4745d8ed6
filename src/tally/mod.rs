//! Counts of deals: dense tables of `u64`, merged by addition.
//!
//! Packets are counted in sparse 16-bit tables that fit in the fastest cache. Before a counter can
//! overflow, they are added to 64-bit tables, and at the end to the tables of the reports.
//! Redundant tables are not counted: shapes and suit lengths follow from patterns, and the fits and
//! points of east-west from those of north-south.
//!
//! No counter overflows in the longest run, [`MOST_DEALS`]. If a counter grows by more than one per
//! deal, an assertion beside it checks that its integers are large enough:
//!
//! | counts | maximum per deal |
//! |---|---|
//! | cells of tables, flatness, controls, numbers, runs and classes of cases, frequencies | 1 |
//! | [`SecondOrder`]: products of signs, and their sums over all cards | 1 and 52 |
//! | [`Overlaps`]: cards of one seat at another, and squares of all | 13 and 676 |
//! | [`FillingSums`]: products of two seats' cards of a suit | 169 |
//! | [`Session`]: flatness, of fewer than 2^28 boards | 676 |
//! | [`GroupDraws`], of 128 bits: pairs and sets of three draws of a batch | 2^23 and 2^46 |
//! | [`ValueSums`], of 128 bits: values; their squares saturate | 2^63 |
//!
//! [`MOST_DEALS`]: crate::draw::MOST_DEALS

mod buckets;
mod case_counters;
mod cases;
mod collection;
mod counts;
mod duplicates;
mod filling;
mod gram;
mod hands;
mod kept_deals;
mod latency;
mod naive;
mod numbers;
mod overlap;
mod places;
mod saved;
mod script_answers;
mod seeds;
mod sessions;
mod spread;
mod tables;
mod tallying;

pub(crate) use crate::kernels::FLATNESS_COUNT;
pub use cases::{CaseTally, Coincidences, GroupDraws};
pub(crate) use collection::Collection;
pub(crate) use counts::{Batch, CLOSE_SHARE, GROUPS, NUMBER_SHARE, Share};
pub use counts::{CountPlan, Counting, Counts, Depth};
pub use duplicates::{DuplicateDeals, KeptCount, MOST_KEPT};
pub use filling::FillingSums;
pub use gram::{Gram, GramTallying, SecondOrder};
pub(crate) use hands::HAND_DEALS;
pub use hands::Hands;
pub(crate) use latency::write_interval_log;
pub use latency::{Interval, Latency};
pub(crate) use naive::NaiveTallying;
pub use numbers::DealNumbers;
pub(crate) use numbers::{LOW_CELLS, PLACE_CELLS, SPACED};
pub(crate) use overlap::LAGS;
pub use overlap::{OverlapTallying, Overlaps};
pub(crate) use places::{BoardValue, HandValue, Places};
pub use script_answers::{Answer, ScriptAnswers, ScriptQuestions, ValueSums};
pub use seeds::Seeds;
pub use sessions::{Session, Sessions};
pub(crate) use sessions::{SessionCounts, SessionSum};
pub use spread::Spread;
pub use tables::{SIDE_HCP_COUNT, TableChoice, Tally};
pub use tallying::Tallying;

use tables::{TallyTables, add};
