//! The list of defects, with a prediction for each.
//!
//! The predictions are λ*/φ², the number of deals from which a χ² test at 10^-6 detects the defect
//! with a probability of 0.9. φ² is the increase of χ² per deal; λ* is 38.1 for 1 degree of
//! freedom, 54.8 for 9, 81.6 for 38, 134.6 for 153 and 230.9 for 559. Predictions for duplicate
//! deals are the number of deals of which nine runs in ten contain a pair. `predictions.rs`
//! computes the figures that have a formula; comments mark figures from simulation.

use super::PlantedFault::{CaseWeight, CellList, Deals, HonoursSwapped};
use super::random::flatness;
use super::{DealingOrder, Defect, Index, PlantedFault};
use super::{cells, choices, generators, habits, shuffles};

const NEVER: f64 = f64::INFINITY;

const fn defect(
    name: &'static str,
    fault: PlantedFault,
    best_test: &'static str,
    predicted: f64,
    summary: &'static str,
) -> Defect {
    Defect {
        name,
        summary,
        fault,
        best_test,
        predicted,
    }
}

/// In the order of the method's list.
#[rustfmt::skip]
pub(super) static ALL: &[Defect] = &[
    defect("naive-shuffle-blocks", Deals(|task| shuffles::naive(DealingOrder::Blocks, task)), "T1", 3.3e2,
        "each card is swapped with any of the 52; cards are dealt 13 at a time"),
    defect("naive-shuffle-round-robin", Deals(|task| shuffles::naive(DealingOrder::RoundRobin, task)), "T1", 3.46e4,
        "each card is swapped with any of the 52; cards are dealt one at a time"),
    defect("sattolo-blocks", Deals(|task| shuffles::sattolo(DealingOrder::Blocks, task)), "T1", 2.29e3,
        "Sattolo's shuffle: no card keeps its place; cards are dealt 13 at a time"),
    defect("sattolo-round-robin", Deals(|task| shuffles::sattolo(DealingOrder::RoundRobin, task)), "T1", 2.29e3,
        "Sattolo's shuffle: no card keeps its place; cards are dealt one at a time"),
    defect("transpositions-104", Deals(|task| shuffles::transpositions(104, task)), "T1", 3.07e3,
        "the sorted deck is shuffled by 104 swaps of two random cards"),
    defect("transpositions-156", Deals(|task| shuffles::transpositions(156, task)), "T1", 1.81e5,
        "the sorted deck is shuffled by 156 swaps of two random cards"),
    defect("transpositions-208", Deals(|task| shuffles::transpositions(208, task)), "T1", 1.07e7,
        "the sorted deck is shuffled by 208 swaps of two random cards"),
    defect("transpositions-312", Deals(|task| shuffles::transpositions(312, task)), "T1", 3.73e10,
        "the sorted deck is shuffled by 312 swaps of two random cards"),
    defect("transpositions-520", Deals(|task| shuffles::transpositions(520, task)), "T1", 4.53e17,
        "the sorted deck is shuffled by 520 swaps of two random cards"),
    defect("modulo-8-bits", Deals(|task| shuffles::modulo(8, task)), "T1", 3.94e3,
        "indices of the shuffle are 8 random bits modulo the number of cards"),
    defect("modulo-10-bits", Deals(|task| shuffles::modulo(10, task)), "T1", 5.79e4,
        "indices of the shuffle are 10 random bits modulo the number of cards"),
    defect("modulo-12-bits", Deals(|task| shuffles::modulo(12, task)), "T1", 1.12e6,
        "indices of the shuffle are 12 random bits modulo the number of cards"),
    defect("modulo-15-bits", Deals(|task| shuffles::modulo(15, task)), "T1", 4.6e7,
        "indices of the shuffle are 15 random bits modulo the number of cards"),
    defect("modulo-16-bits", Deals(|task| shuffles::modulo(16, task)), "T1", 1.44e8,
        "indices of the shuffle are 16 random bits modulo the number of cards"),
    defect("modulo-24-bits", Deals(|task| shuffles::modulo(24, task)), "T1", 1.48e13,
        "indices of the shuffle are 24 random bits modulo the number of cards"),
    defect("modulo-32-bits", Deals(|task| shuffles::modulo(32, task)), "T1", 1.3e18,
        "indices of the shuffle are 32 random bits modulo the number of cards"),
    // sqrt(2 S ln 10) deals of S possible ones, if the test keeps every deal. If it keeps 2^20,
    // seeds of 40 and 48 bits need 6.4e6 and 1.6e9 deals.
    defect("seeds-16-bits", Deals(|task| shuffles::seeds(16, task)), "T8", 5.5e2,
        "each deal has a 16-bit seed: only 65,536 different deals"),
    defect("seeds-24-bits", Deals(|task| shuffles::seeds(24, task)), "T8", 8.8e3,
        "each deal has a 24-bit seed: only 17 million different deals"),
    defect("seeds-32-bits", Deals(|task| shuffles::seeds(32, task)), "T8", 1.41e5,
        "each deal has a 32-bit seed: only 4 billion different deals"),
    defect("seeds-40-bits", Deals(|task| shuffles::seeds(40, task)), "T8", 2.25e6,
        "each deal has a 40-bit seed"),
    defect("seeds-48-bits", Deals(|task| shuffles::seeds(48, task)), "T8", 3.6e7,
        "each deal has a 48-bit seed"),
    // The method's figure, for about 2^27 kept deals.
    defect("seeds-64-bits", Deals(|task| shuffles::seeds(64, task)), "T8", 5.9e11,
        "each deal has a 64-bit seed"),
    // The second deal, if threads alternated; here each deals 2^14 at a time.
    defect("two-threads-one-seed", Deals(habits::two_threads), "T8", 32_768.0,
        "two threads share a seed: blocks of 16,384 deals are dealt twice"),
    // One of the first ln 10 × 1,000 deals, with a probability of 0.9.
    defect("reused-deals", Deals(|task| habits::reused(1_000, task)), "T8", 2.3e3,
        "one deal in 1,000 is a copy of an earlier deal"),
    // The method's simulations detected them here, on a grid that begins at 512 deals. For seeds by
    // time, simulation gives φ² = 1.83 in T7, whose λ* is 1,335.
    defect("randu-high-bits", Deals(|task| generators::randu(Index::HighBits, task)), "T2", 524_288.0,
        "RANDU, IBM's generator of the 1960s, using its high bits"),
    defect("randu-low-bits", Deals(|task| generators::randu(Index::LowBits, task)), "T1", 512.0,
        "RANDU, IBM's generator of the 1960s, using its low bits"),
    defect("ansi-rand-low-bits", Deals(generators::ansi_rand), "T1", 512.0,
        "the rand() of the C standard, using its low bits"),
    defect("ms-rand-by-time", Deals(generators::ms_rand_by_time), "T7", 7.3e2,
        "Microsoft's rand(), seeded with the time before every deal"),
    defect("ms-rand-stream", Deals(generators::ms_rand_stream), "T9s", NEVER,
        "Microsoft's rand() with 32 bits, seeded once"),
    defect("lrand48-stream", Deals(generators::lrand48_stream), "T9s", NEVER,
        "lrand48(), seeded once"),
    defect("mt19937-seeds-in-order", Deals(generators::mt19937_in_order), "T9s", NEVER,
        "the Mersenne Twister, seeded with the number of the deal"),
    defect("deck-not-reset-52", Deals(|task| habits::deck_not_reset(52, task)), "T6", 15.0,
        "the deck of the previous deal is shuffled by 52 swaps of two random cards"),
    defect("deck-not-reset-104", Deals(|task| habits::deck_not_reset(104, task)), "T6", 8.7e2,
        "the deck of the previous deal is shuffled by 104 swaps of two random cards"),
    defect("deck-not-reset-156", Deals(|task| habits::deck_not_reset(156, task)), "T6", 5.1e4,
        "the deck of the previous deal is shuffled by 156 swaps of two random cards"),
    defect("north-again-1-in-100", Deals(|task| habits::north_again(100, task)), "T6", 1.07e4,
        "one deal in 100 repeats north's hand of the previous deal"),
    defect("north-again-1-in-1000", Deals(|task| habits::north_again(1_000, task)), "T6", 1.07e6,
        "one deal in 1,000 repeats north's hand of the previous deal"),
    // As above. In simulation F is 219 instead of 199, which 17 deals would show.
    defect("random-unfilled-hand", Deals(choices::random_unfilled_hand), "F", 512.0,
        "a BASIC program of the 1980s: each card goes to a random hand with room"),
    // 4-4-3-2 has p = 0.2155 of all hands, and φ² = p (1 - p) e²: among 560 patterns for the first,
    // among 39 shapes for the second.
    defect("lookup-entry-20-percent-low", Deals(|task| choices::lookup_entry(-200, task)), "T4", 3.4e4,
        "the table of north's patterns gives shape 4-4-3-2 a weight 20 % too low"),
    defect("lookup-entry-0.6-percent-high", Deals(|task| choices::lookup_entry(6, task)), "T4", 1.34e7,
        "the table of north's patterns gives shape 4-4-3-2 a weight 0.6 % too high"),
    defect("next-pattern", Deals(choices::next_pattern), "T4", 512.0,
        "an index off by one: north gets the next pattern of the table"),
    // φ² = 2 p e² with p = 0.0263 for 4=3=3=3 and for 3=4=3=3.
    defect("cumulative-entry-3-percent", Deals(choices::cumulative_entry), "T4", 4.9e6,
        "a cumulative weight of north's patterns is too large by 3 % of a pattern"),
    // From the simulated probability that two places of the played deck have the same suit, and the
    // exact probability that riffles and dealing bring two places into one hand. The mean of F is
    // too low by 0.67, 0.034 and 0.0021: two riffles divide the deviation by 16.
    defect("rubber-3-riffles", Deals(|task| habits::rubber(3, task)), "F", 1.5e4,
        "rubber bridge: tricks are collected, riffled three times and dealt"),
    defect("rubber-5-riffles", Deals(|task| habits::rubber(5, task)), "F", 5.7e6,
        "rubber bridge: tricks are collected, riffled five times and dealt"),
    defect("rubber-7-riffles", Deals(|task| habits::rubber(7, task)), "F", 1.5e9,
        "rubber bridge: tricks are collected, riffled seven times and dealt"),
    defect("duplicate-3-riffles", Deals(|task| habits::duplicate(3, DealingOrder::RoundRobin, task)), "T6", 1.79e4,
        "the four hands are stacked, riffled three times and dealt"),
    defect("duplicate-5-riffles", Deals(|task| habits::duplicate(5, DealingOrder::RoundRobin, task)), "T6", 2.86e5,
        "the four hands are stacked, riffled five times and dealt"),
    defect("duplicate-7-riffles", Deals(|task| habits::duplicate(7, DealingOrder::RoundRobin, task)), "T6", 4.58e6,
        "the four hands are stacked, riffled seven times and dealt"),
    defect("duplicate-5-riffles-blocks", Deals(|task| habits::duplicate(5, DealingOrder::Blocks, task)), "T6", 1.69e3,
        "the four hands are stacked, riffled five times and dealt 13 cards at a time"),
    defect("duplicate-7-riffles-blocks", Deals(|task| habits::duplicate(7, DealingOrder::Blocks, task)), "T6", 2.71e4,
        "the four hands are stacked, riffled seven times and dealt 13 cards at a time"),
    // Simulated: z of T6 squares is 28 at 4,000 deals.
    defect("overhand-10", Deals(|task| habits::overhand(10, task)), "T6", 2.0e2,
        "the four hands are stacked, passed overhand ten times in packets of five and dealt"),
    defect("overhand-20", Deals(|task| habits::overhand(20, task)), "T6", 5.2e3,
        "the four hands are stacked, passed overhand twenty times in packets of five and dealt"),
    defect("flat-removed-1-in-10", Deals(|task| choices::flat_removed(10, task)), "F", 3.42e4,
        "one flat deal in 10 is discarded and redealt"),
    defect("flat-removed-1-in-100", Deals(|task| choices::flat_removed(100, task)), "F", 3.62e6,
        "one flat deal in 100 is discarded and redealt"),
    // One of 208 cells, tested at 10^-6 / 208: λ* is 50.8 and φ² = e² / 3.
    defect("spade-ace-north-5-percent", Deals(|task| choices::ace_to_north(60, task)), "T1max", 6.1e4,
        "north has the ace of spades 5 % too often"),
    defect("spade-ace-north-1-percent", Deals(|task| choices::ace_to_north(300, task)), "T1max", 1.52e6,
        "north has the ace of spades 1 % too often"),
    // 82 % of deals are refused with this probability; 41 totals have λ* = 82.
    defect("non-game-removed-1-in-10", Deals(|task| choices::non_game_removed(10, task)), "T5", 4.8e4,
        "one deal in 10 with fewer than 25 HCP for north-south is redealt"),
    defect("non-game-removed-1-in-100", Deals(|task| choices::non_game_removed(100, task)), "T5", 5.6e6,
        "one deal in 100 with fewer than 25 HCP for north-south is redealt"),
    // φ² = p (1 - p) e² with p = 0.2155.
    defect("west-4432-5-percent", Deals(|task| choices::west_4432(21, task)), "T4", 1.95e5,
        "the weight of shape 4-4-3-2 at west is 5 % too high"),
    defect("west-4432-1-percent", Deals(|task| choices::west_4432(101, task)), "T4", 4.8e6,
        "the weight of shape 4-4-3-2 at west is 1 % too high"),
    defect("honours-swapped", HonoursSwapped, "cards", 4.2e2,
        "north 5=3=3=2 with 15-17 HCP: the honours of spades and clubs are exchanged"),
    // 16 % of the deals, among 30 cases: λ* = 75.5.
    defect("case-weight-5-percent", CaseWeight, "cases", 2.3e5,
        "the weight of the heaviest of the 30 cases of `nine-spades` is 5 % too high"),
    // The cell that comes too often, tested at 10^-6 / 1,225: λ* is 53.4.
    defect("cell-alias-lost", CellList(cells::lost_alias), "cases", 2.56e5,
        "west has 20 HCP or more, dealt from cells: the alias of one cell is lost"),
    defect("cell-thresholds-exchanged", CellList(cells::thresholds_exchanged), "cases", 1.18e5,
        "west has 20 HCP or more, dealt from cells: two cells have each other's thresholds"),
    // 51 sessions, by the method.
    defect("wildest-of-3-sessions", Deals(habits::wildest_session), "F", 1_836.0,
        "of three sessions of 36 boards, the wildest is played"),
    // Two equal hands, whose e-value is 10^7, among hands of which a tenth return: 3.9 returns with a
    // probability of 0.9.
    defect("returning-hand", Deals(|task| habits::returning_hand(1, task)), "T8h", 39.0,
        "on one board in ten, a random seat has a hand of the previous board"),
    defect("returning-hand-of-36", Deals(|task| habits::returning_hand(36, task)), "T8h", 39.0,
        "on one board in ten, a random seat has a hand of one of the last 36 boards"),
    // Two returns of the hand of board 17 of the first session.
    defect("travelling-hand", Deals(habits::travelling_hand), "T8h", 89.0,
        "board 17 of every session of 36 has the same hand, a seat further each time"),
    // One of 36 places, tested at 10^-6 / 36: λ* is 46.7. The mean distance as above.
    defect("strong-board-17", Deals(habits::strong_board), "place", 2.7e3,
        "on board 17 of every session of 36, the stronger pair sits north-south"),
    // Simulated: z of T6 squares is 10 at 100,800 deals.
    defect("tricks-3-riffles-cut", Deals(|task| habits::stacked_tricks(3, task)), "T6", 3.84e4,
        "tricks are stacked, riffled three times, cut and dealt"),
    // The two ordered pairs of the cards share a hand with probability 1 instead of 12/51: the sum of
    // squares is too large by 78/51.
    defect("sticky-cards", Deals(habits::sticky_cards), "T6", 2.91e3,
        "two cards of one hand stick together, so that one seat has both in the next deal"),
    // The mean of the strongest hand is 15.1 points, simulated.
    defect("strong-dealer-1-in-10", Deals(habits::strong_dealer), "place", 2.5e3,
        "on one board in ten, the dealer has the strongest hand"),
    // The mean distance of a side's points from 20 is 3.8, simulated.
    defect("favoured-halves-1-in-10", Deals(habits::favoured_halves), "place", 6.0e3,
        "on one board in ten, the stronger pair sits north-south in the first half of a session of 36, \
         east-west in the second"),
    // log10 3 digits for each three boards, 6 digits and the weight.
    defect("sessions-by-flatness", Deals(|task| habits::ordered_sessions(flatness, task)), "place", 72.0,
        "the boards of a session of 36 are in the order of their flatness"),
    defect("sessions-by-points", Deals(|task| habits::ordered_sessions(habits::side_points, task)), "place", 72.0,
        "the boards of a session of 36 are in the order of north-south's points"),
    defect("voids-removed-1-in-20", Deals(habits::voids_removed), "voids", 5.0e3,
        "one session of 36 boards in twenty is dealt without voids"),
    // One of the first ln 10 × 2^14 deals, with a probability of 0.9.
    defect("truncated-hands", Deals(|task| choices::truncated(1 << 14, task)), "T0", 3.8e4,
        "once in 16,384 deals north has 12 cards and west 14"),
];
