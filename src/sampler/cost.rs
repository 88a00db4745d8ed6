//! Prices of samplers, in steps of about a nanosecond on one thread.

use crate::filter::Filter;

/// A draw from all deals, and from all deals around fixed cards.
const DRAW: f64 = 12.0;
const DRAW_AROUND_FIXED_CARDS: f64 = 900.0;
/// A draw from cells.
const DRAW_FROM_CELLS: f64 = 40.0;
/// Counts and tests of a deal drawn, in a run.
const TESTS: f64 = 120.0;
/// One step of a filter, for one of the deals of a packet.
const FILTER_STEP: f64 = 0.5;

/// Writing a case into a file, and going through it for theory.
pub(super) const CASE: f64 = 45.0;

/// The share of a run that a listing may take where there are cells as well.
pub(super) const LISTING: f64 = 0.25;

/// Steps of a listing that are always worth it: its exact tests are.
pub(super) const LEAST_LISTING: f64 = 2e7;

/// The share of what a request would cost otherwise that looking for a better sampler may cost.
const SEARCH: f64 = 0.25;

/// Steps that a search may take for a run, however short: exact tables are worth a fifth of a
/// second.
const LEAST_SEARCH_OF_A_RUN: f64 = 2e8;

/// Steps and bytes of a search for cells that were asked for.
pub(super) const SEARCH_ON_REQUEST: u64 = 30_000_000_000;
pub(super) const BYTES_ON_REQUEST: u64 = 4 << 30;

/// Steps that exact values of averages and frequencies may take in any run.
const LEAST_EXACT: f64 = 5e8;

/// Steps of a pilot sample, at most.
pub(super) const MOST_PILOT: u64 = 400_000_000;

/// Deals from which a request repays seconds of planning.
const MANY: u64 = 100_000_000;

/// Deals from which a request repays minutes of planning, and gigabytes.
pub const LONG_RUN: u64 = 1_000_000_000;

/// What deals are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be written: nothing else is done with them.
    Boards,
    /// To be counted and tested: theory and tests are exact only of what is listed or in cells.
    Statistics,
}

/// The price of one draw and of asking a filter about it.
pub(super) fn draw_with_filter(filter: &Filter, has_fixed_cards: bool, purpose: Purpose) -> f64 {
    let draw = match has_fixed_cards {
        true => DRAW_AROUND_FIXED_CARDS,
        false => DRAW,
    };
    draw + self::filter(filter) + tests(purpose)
}

/// The price of asking a filter about a deal.
pub(super) fn filter(filter: &Filter) -> f64 {
    FILTER_STEP * filter.steps() as f64
}

/// The price of a draw from cells, without a filter.
pub(super) fn draw_from_cells(purpose: Purpose) -> f64 {
    DRAW_FROM_CELLS + tests(purpose)
}

fn tests(purpose: Purpose) -> f64 {
    match purpose {
        Purpose::Boards => 0.0,
        Purpose::Statistics => TESTS,
    }
}

/// Steps that a search for a better sampler may take, where the request costs `price` without.
pub(super) fn search_steps(price: f64, deals: u64, purpose: Purpose) -> u64 {
    let (price, least) = match purpose {
        Purpose::Boards => (price, 0.0),
        // A run draws as many deals by rejection as otherwise, and keeps fewer.
        Purpose::Statistics => {
            let drawn = deals as f64 * draw_from_cells(purpose);
            (price.min(drawn), LEAST_SEARCH_OF_A_RUN)
        }
    };
    let most = match deals {
        LONG_RUN.. => 1e11,
        MANY.. => 1e10,
        _ => 1.2e9,
    };
    (price * SEARCH).max(least).min(most) as u64
}

/// Steps that exact values of a script's averages and frequencies may take in a run of this many
/// deals, unless they are asked for.
#[must_use]
pub fn exact_steps(deals: u64) -> u64 {
    let price = deals as f64 * draw_from_cells(Purpose::Statistics);
    (price * SEARCH).max(LEAST_EXACT) as u64
}

/// Bytes that making cells may take.
pub(super) fn search_bytes(deals: u64) -> u64 {
    match deals {
        LONG_RUN.. => 8 << 30,
        _ => 256 << 20,
    }
}
