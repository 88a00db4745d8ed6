//! Costs of samplers, in steps of about a nanosecond on one thread.

use serde::{Deserialize, Serialize};

use crate::filter::Filter;
use crate::language::FixedProperties;
use crate::population::cases::CaseRecord;
use crate::population::cells::Cells;
use fairdeal_stats::elementary::log2;

/// Cost of a draw from all deals.
const DRAW: f64 = 10.0;
/// Cost of one step of a filter, for one deal of a packet. Most packets end at an early term.
const FILTER_STEP: f64 = 0.15;
/// Cost of a draw from cells: with the patterns of several hands; with the pattern of one hand,
/// where the other cards are drawn from 39; without patterns, where spot cards come from one pool.
const DRAW_FROM_CELLS: f64 = 20.0;
pub(super) const DRAW_OF_ONE_HAND: f64 = 25.0;
const DRAW_WITHOUT_PATTERNS: f64 = 40.0;
/// Cost of dealing the deal of a number.
pub(super) const DRAW_BY_NUMBER: f64 = 1_000.0;
/// Size of lists from which the processor's cache slows draws, in bytes, and the additional cost of
/// a draw for every doubling.
const BYTES_IN_CACHE: f64 = 4e6;
const OUTSIDE_CACHE: f64 = 5.0;
/// Its maximum for draws from a listing.
const MOST_OUTSIDE_CACHE: f64 = 20.0;
/// Cost per deal of the counts that a run keeps.
const TABLES: f64 = 15.0;

/// Fixed cost of a run: tests, laws of values and report.
const RUN: f64 = 1.5e8;

/// Cost of a draw from any cells in a long run, including its tests.
const LONG_RUN_DRAW: f64 = 100.0;

/// Cost of writing a case to a file and reading it for theory.
pub(super) const CASE: f64 = 45.0;

/// Number of steps granted to an attempt to list one hand, and charged if it was listed; and charged
/// if the listing was refused, which is known before most of the work.
pub(super) const LISTING_OF_ONE_HAND: u64 = 1_200_000_000;
pub(super) const REFUSED_LISTING: u64 = 20_000_000;

/// Cost of a request by rejection from which cells of one hand are tried before any other search,
/// the share of it that is granted to each hand, and the maximum: most take a millisecond.
pub(super) const REPAYS_ONE_HAND: f64 = 3e7;
const OF_ONE_HAND: f64 = 0.2;
const MOST_OF_ONE_HAND: f64 = 2e7;

/// Number of steps up to which a listing is always chosen, for its exact tests.
pub(super) const LEAST_LISTING: f64 = 2e7;

/// Number of cases up to which a listing is preferred to cells for exact laws: a fraction of a
/// second.
pub(super) const SMALL_LISTING: f64 = 4e6;

/// Returns the steps and bytes that exact tables may take: seconds, or minutes for a long run.
pub(super) fn table_budget(deals: u64) -> (u64, u64) {
    match deals {
        LONG_RUN.. => (300_000_000_000, 8 << 30),
        _ => (3_000_000_000, 512 << 20),
    }
}

/// Cost of a search for a better sampler, pilot sample included, as a share of the request's cost
/// without it. If the search fails, the total must stay below 1.3 times the cost of the best
/// sampler chosen by hand.
const SEARCH: f64 = 0.25;

/// The same as a share of the time in which a part of the condition would give the deals; cells of
/// the whole condition accept every deal.
const SEARCH_BESIDE_PART: f64 = 0.9;

/// Maximum number of these steps: about a second.
const MOST_BESIDE_PART: f64 = 1.8e9;

/// Maximum cost of exact tables in a short run: about a second.
const MOST_TABLES: u64 = 1_500_000_000;

/// Cost relative to rejection below which cells of a part of the condition are worth the risk of
/// the estimates.
pub(super) const PART: f64 = 0.7;

/// Steps and bytes of a search for cells that was requested.
pub(super) const SEARCH_ON_REQUEST: u64 = 30_000_000_000;
pub(super) const BYTES_ON_REQUEST: u64 = 4 << 30;

/// Steps that the exact value of an average or a frequency may take in any run, and per deal of a
/// long run. A step takes about 4 ns, a quarter of what a deal takes.
const LEAST_EXACT: f64 = 5e8;
const EXACT_OF_A_DEAL: f64 = 1.0;

/// Maximum number of steps of a pilot sample.
pub(super) const MOST_PILOT: u64 = 400_000_000;

/// Number of deals from which a request repays seconds of planning.
pub(super) const MANY: u64 = 100_000_000;

/// Number of deals from which a request repays minutes of planning, and gigabytes.
pub const LONG_RUN: u64 = 1_000_000_000;

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestPurpose {
    /// Boards to be written.
    Boards,
    /// Deals to be counted and tested: theory and tests are exact only for listings and cells.
    Statistics,
}

/// Returns the cost of one draw by rejection with its filter.
pub(super) fn draw_with_filter(filter: &Filter, has_fixed_cards: bool) -> f64 {
    let draw = match has_fixed_cards {
        // The cells of one hand's patterns.
        true => DRAW_OF_ONE_HAND,
        false => DRAW,
    };
    draw + self::filter(filter)
}

/// Returns the cost of a filter for one deal.
pub(super) fn filter(filter: &Filter) -> f64 {
    FILTER_STEP * filter.steps() as f64
}

/// Returns the cost of a draw from cells, without a filter.
pub(super) fn draw_from_cells(cells: &Cells) -> f64 {
    let roles = cells.roles();
    let draw = match (roles.by_pattern, roles.dealt) {
        (1, 1) => DRAW_OF_ONE_HAND,
        (by_pattern, dealt) if by_pattern == dealt => DRAW_FROM_CELLS,
        _ => DRAW_WITHOUT_PATTERNS,
    };
    let in_cache = cells.bytes_of_lists() as f64 / BYTES_IN_CACHE;
    draw + OUTSIDE_CACHE * log2(1.0 + in_cache)
}

/// What drawing from a base costs, on one thread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Price {
    /// Nanoseconds of a draw, about.
    pub of_a_draw: f64,
    /// Nanoseconds before the first draw, about.
    pub before: f64,
}

impl Price {
    /// The price of cells that are there.
    pub fn of_cells(cells: &Cells) -> Self {
        Self {
            of_a_draw: draw_from_cells(cells),
            before: 0.0,
        }
    }

    /// The price of a listing that is to be written, or is there.
    pub fn of_listing(cases: u128, is_there: bool) -> Self {
        let in_cache = cases as f64 * size_of::<CaseRecord>() as f64 / BYTES_IN_CACHE;
        // Draws come in the order of the cases: however long the file, its next bytes are near.
        let outside = (OUTSIDE_CACHE * log2(1.0 + in_cache)).min(MOST_OUTSIDE_CACHE);
        Self {
            of_a_draw: DRAW_FROM_CELLS + outside,
            before: if is_there { 0.0 } else { cases as f64 * CASE },
        }
    }
}

/// Returns a lower bound of the cost of a draw from such cells.
pub(super) fn draw_of_part(fixed: &FixedProperties) -> f64 {
    let is_told = |seat: &usize| fixed.patterns[*seat] || fixed.honours[*seat];
    let mut told = (0..4).filter(is_told);
    let has_honours = told.clone().all(|seat| fixed.honours[seat]);
    let has_patterns = told.all(|seat| fixed.patterns[seat]);
    match fixed.hands() {
        1 => DRAW_OF_ONE_HAND,
        _ if has_honours && !has_patterns => DRAW_WITHOUT_PATTERNS,
        _ => DRAW_FROM_CELLS,
    }
}

/// Returns the cost of the cheapest draw from cells.
pub(super) fn least_draw_from_cells() -> f64 {
    DRAW_FROM_CELLS
}

/// Returns the maximum cost of the exact tables of a run, which are summed over all cells.
pub(super) fn most_tables(deals: u64) -> u64 {
    match deals {
        MANY.. => u64::MAX,
        _ => MOST_TABLES,
    }
}

/// Steps of the exact tables of numbered deals, which are counted again for each: always, and for
/// each step of counting them once.
const TABLES_OF_NUMBERS: u64 = 500_000_000;
const TABLES_OF_A_COUNT: u64 = 100;

/// Returns the estimated cost of the exact tables of deals that were counted in these steps.
pub(super) fn tables_of_numbers(counting: u64) -> u64 {
    TABLES_OF_NUMBERS + TABLES_OF_A_COUNT * counting
}

/// Returns the cost of processing an accepted deal.
pub(super) fn kept(purpose: RequestPurpose) -> f64 {
    match purpose {
        RequestPurpose::Boards => 0.0,
        RequestPurpose::Statistics => TABLES,
    }
}

/// Returns the steps that a search for a better sampler may take, including its pilot sample. With
/// rejection, one draw costs `draw`, and all deals together cost `price`.
pub(super) fn search_steps(price: f64, draw: f64, deals: u64, purpose: RequestPurpose) -> u64 {
    let price = match (purpose, deals) {
        (RequestPurpose::Boards, _) => price,
        // The cost of all draws. Their number is the same, however few deals are accepted.
        (RequestPurpose::Statistics, ..MANY) => RUN + deals as f64 * draw,
        (RequestPurpose::Statistics, _) => price.min(deals as f64 * LONG_RUN_DRAW),
    };
    (price * SEARCH).min(most_steps(deals)) as u64
}

/// Returns the same for a short run from cells of a part of the condition, from which all deals
/// together would cost `price`. `None` for many deals: their search was granted enough before.
pub(super) fn search_steps_of_part(price: f64, deals: u64) -> Option<u64> {
    let steps = ((RUN + price) * SEARCH_BESIDE_PART).min(MOST_BESIDE_PART);
    (deals < MANY).then_some(steps as u64)
}

/// Returns the steps granted to the cells of one hand, if rejection costs `price`.
pub(super) fn steps_of_one_hand(price: f64) -> u64 {
    (price * OF_ONE_HAND).min(MOST_OF_ONE_HAND) as u64
}

/// Returns the maximum number of steps of a search, whatever the request costs.
fn most_steps(deals: u64) -> f64 {
    match deals {
        LONG_RUN.. => 1e11,
        MANY.. => 1e10,
        _ => 1.2e9,
    }
}

/// Returns the steps that the exact value of an average or a frequency may take in a run with this
/// number of deals, unless exact values are requested.
pub fn exact_steps(deals: u64) -> u64 {
    (deals as f64 * EXACT_OF_A_DEAL).max(LEAST_EXACT) as u64
}

/// Returns the bytes that making cells may take.
pub(super) fn search_bytes(deals: u64) -> u64 {
    match deals {
        LONG_RUN.. => 8 << 30,
        _ => 440 << 20,
    }
}
