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

use fairdeal_base::count;
use fairdeal_bridge as bridge;
use fairdeal_draw as draw;
use fairdeal_draw::filter;
use fairdeal_formats::number;
use fairdeal_kernels as kernels;
use fairdeal_language as language;
use fairdeal_population as population;

pub use crate::kernels::FLATNESS_COUNT;
pub use cases::{CaseTally, Coincidences, GroupDraws};
pub use collection::Collection;
pub use counts::{
    Batch, CLOSE_SHARE, CountPlan, Counting, Counts, Depth, GROUPS, NUMBER_SHARE, Share,
};
pub use duplicates::{DuplicateDeals, KeptCount, MOST_KEPT};
pub use filling::FillingSums;
pub use gram::{Gram, GramTallying, SecondOrder};
use hands::HAND_DEALS;
pub use hands::Hands;
pub use latency::{Interval, Latency, write_interval_log};
pub use naive::NaiveTallying;
pub use numbers::{DealNumbers, LOW_CELLS, PLACE_CELLS, SPACED};
pub use overlap::{LAGS, OverlapTallying, Overlaps};
pub use places::{BoardValue, HandValue, Neighbours, Places, SamePlace};
pub use script_answers::{Answer, ScriptAnswers, ScriptQuestions, ValueSums};
pub use seeds::Seeds;
pub use sessions::{Session, SessionCounts, SessionSum, Sessions};
pub use spread::Spread;
pub use tables::{SIDE_HCP_COUNT, TableChoice, Tally};
pub use tallying::Tallying;

use tables::{TallyTables, add};
