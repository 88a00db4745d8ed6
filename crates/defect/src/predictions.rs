//! The predictions of the list, computed as λ*/φ², where φ² is the increase of χ² per deal.

use super::cases::swapped;
use super::choices::{FLAT, GAME};
use super::habits::STRETCH;
use super::random::{Fair, Random};
use super::*;
use crate::bridge::combinatorics::choose;
use crate::bridge::{Hand, Honours, Pattern, Side};
use crate::language::Condition;
use crate::population::cells::{AliasColumn, Cells, Choosing, ListKind};
use crate::stats::elementary::ln;
use crate::theory::{Theory, null_laws};

/// λ* of a χ² test by its degrees of freedom, from the method.
fn needed(degrees: u32) -> f64 {
    match degrees {
        1 => 38.1,
        9 => 54.8,
        38 => 81.6,
        153 => 134.6,
        559 => 230.9,
        _ => panic!("no λ* for {degrees} degrees of freedom"),
    }
}

#[track_caller]
fn assert_predicted(name: &str, deals: f64) {
    let predicted = Defect::named(name).unwrap().predicted;
    let off = (predicted / deals - 1.0).abs();
    assert!(off < 0.05, "{name}: {predicted:e}, expected {deals:e}");
}

/// The probability of each place for each card: a row of 52 places per card.
#[derive(Clone)]
pub(super) struct PlaceProbabilities(Vec<[f64; 52]>);

impl PlaceProbabilities {
    fn sorted() -> Self {
        let row = |card| std::array::from_fn(|place| f64::from(u8::from(place == card)));
        Self((0..52).map(row).collect())
    }

    /// Swaps this place with another; `with` gives the probability of each.
    fn swap(&mut self, place: usize, with: impl Fn(usize) -> f64) {
        for row in &mut self.0 {
            let here = row[place];
            let mut comes = 0.0;
            for (other, chance) in row.iter_mut().enumerate() {
                comes += with(other) * *chance;
                if other != place {
                    *chance += with(other) * (here - *chance);
                }
            }
            row[place] = comes;
        }
    }

    /// Shuffles by the probability of each new place for each old one.
    fn shuffle(&mut self, by: &[[f64; 52]]) {
        for row in &mut self.0 {
            let before = *row;
            *row = [0.0; 52];
            for (chance, next) in before.iter().zip(by) {
                for (sum, step) in row.iter_mut().zip(next) {
                    *sum += chance * step;
                }
            }
        }
    }

    /// φ² of T6 if the deck was the hands of the last deal, each in the order in which it was dealt.
    fn noncentrality_of_stacked(&self, dealt: DealingOrder) -> f64 {
        let seats = self.seats(dealt);
        overlap(|seat, next| {
            let stacked = &seats[13 * seat..13 * seat + 13];
            stacked.iter().map(|chances| chances[next]).sum()
        })
    }

    /// The probability of each card at each seat.
    pub(super) fn seats(&self, dealt: DealingOrder) -> Vec<[f64; 4]> {
        let seat_of = |place: usize| match dealt {
            DealingOrder::RoundRobin => place % 4,
            DealingOrder::Blocks => place / 13,
        };
        let seats = |row: &[f64; 52]| {
            let mut seats = [0.0; 4];
            for (place, chance) in row.iter().enumerate() {
                seats[seat_of(place)] += chance;
            }
            seats
        };
        self.0.iter().map(seats).collect()
    }

    /// φ² of T1.
    fn noncentrality(&self, dealt: DealingOrder) -> f64 {
        let seats = self.seats(dealt).concat();
        let squares = seats.iter().map(|chance| (chance - 0.25).powi(2) / 0.25);
        51.0 / 52.0 * squares.sum::<f64>()
    }
}

pub(super) fn naive() -> PlaceProbabilities {
    let mut places = PlaceProbabilities::sorted();
    for place in 0..52 {
        places.swap(place, |_| 1.0 / 52.0);
    }
    places
}

fn up_to(other: usize, cards: usize) -> f64 {
    f64::from(u8::from(other < cards)) / cards as f64
}

#[test]
fn shuffles_of_independent_swaps_are_seen_when_their_matrices_say() {
    let of = |places: &PlaceProbabilities, dealt| needed(153) / places.noncentrality(dealt);
    assert_predicted("naive-shuffle-blocks", of(&naive(), DealingOrder::Blocks));
    assert_predicted(
        "naive-shuffle-round-robin",
        of(&naive(), DealingOrder::RoundRobin),
    );

    let mut sattolo = PlaceProbabilities::sorted();
    for last in (1..52).rev() {
        sattolo.swap(last, |other| up_to(other, last));
    }
    assert_predicted("sattolo-blocks", of(&sattolo, DealingOrder::Blocks));
    assert_predicted(
        "sattolo-round-robin",
        of(&sattolo, DealingOrder::RoundRobin),
    );

    for bits in [8, 10, 12, 15, 16, 24, 32] {
        let mut modulo = PlaceProbabilities::sorted();
        for last in (1..52).rev() {
            let (words, cards) = (1u64 << bits, last as u64 + 1);
            modulo.swap(last, |other| {
                let other = other as u64;
                let more = u64::from(other < words % cards);
                let chances = if other < cards {
                    words / cards + more
                } else {
                    0
                };
                chances as f64 / words as f64
            });
        }
        let name = format!("modulo-{bits}-bits");
        assert_predicted(&name, of(&modulo, DealingOrder::Blocks));
    }

    // A random swap retains 1 - 2/52 of the knowledge of a card's place.
    let mut swaps = PlaceProbabilities::sorted();
    for count in 1..=520 {
        let mut next = swaps.clone();
        for (row, before) in next.0.iter_mut().zip(&swaps.0) {
            for (chance, was) in row.iter_mut().zip(before) {
                // The card stays, or comes from any place: 2 of 52^2 swaps each.
                *chance = was * (50.0 / 52.0) + 2.0 / 52.0 / 52.0;
            }
        }
        swaps = next;
        if [104, 156, 208, 312, 520].contains(&count) {
            let name = format!("transpositions-{count}");
            assert_predicted(&name, of(&swaps, DealingOrder::RoundRobin));
            assert_predicted(&name, of(&swaps, DealingOrder::Blocks));
        }
    }
}

/// φ² of T6, from the number of cards of each seat that go to each seat in the next deal.
fn overlap(cards: impl Fn(usize, usize) -> f64) -> f64 {
    let cells = (0..16).map(|cell| (cards(cell / 4, cell % 4) - 3.25).powi(2));
    cells.sum::<f64>() * 51.0 / 169.0
}

#[test]
fn decks_that_are_not_reset_are_seen_by_what_swaps_leave_of_the_last_deal() {
    for (name, swaps) in [("52", 52), ("104", 104), ("156", 156)] {
        let known = (50.0f64 / 52.0).powi(swaps);
        let share = |seat, next| 0.25 + known * (f64::from(u8::from(seat == next)) - 0.25);
        let noncentrality = overlap(|seat, next| 13.0 * share(seat, next));
        // All of φ² is in V, the cards that stay with their seats.
        let deals = needed(1) / noncentrality;
        assert_predicted(&format!("deck-not-reset-{name}"), deals);
    }
}

#[test]
fn a_hand_that_comes_again_is_seen_by_the_cards_that_stay() {
    for (name, again) in [
        ("north-again-1-in-100", 0.01),
        ("north-again-1-in-1000", 0.001),
    ] {
        let noncentrality = overlap(|seat, next| {
            let when_again = match (seat, next) {
                (0, 0) => 13.0,
                (0, _) | (_, 0) => 0.0,
                _ => 13.0 / 3.0,
            };
            3.25 + again * (when_again - 3.25)
        });
        assert_predicted(name, needed(9) / noncentrality);
    }
}

#[test]
fn cards_that_stick_together_are_seen_by_the_squares() {
    // Two ordered pairs share a hand with probability 1 instead of 12/51.
    let noncentrality = (2.0f64 * 39.0 / 51.0).powi(2) / (2_530_944.0 / 14_161.0);
    assert_predicted("sticky-cards", needed(1) / noncentrality);
}

#[test]
fn places_are_seen_by_the_points_that_move() {
    let mut random = Random::of_run(3);
    let mut fair = Fair::new(&mut random);
    let (mut strongest, mut apart) = (0, 0);
    let deals = 20_000;
    for _ in 0..deals {
        let [north, east, south] = fair.deal();
        let hands = [
            north,
            east,
            south,
            super::random::west([north, east, south]),
        ];
        let points = hands.map(|hand| Hand::from_bits(hand).hcp());
        strongest += points.into_iter().max().unwrap();
        apart += (points[0] + points[2]).abs_diff(20);
    }
    let theory = Theory::unconstrained();
    let variance = |law: &crate::theory::Distribution| {
        let values = || (0..law.ways().len()).map(|x| (x as f64, law.probability(x).to_f64()));
        let mean: f64 = values().map(|(x, p)| x * p).sum();
        values().map(|(x, p)| (x - mean).powi(2) * p).sum::<f64>()
    };
    let dealer = 0.1 * (f64::from(strongest) / f64::from(deals) - 10.0);
    let dealer = dealer.powi(2) / variance(theory.hcp(crate::bridge::Seat::North));
    assert_predicted("strong-dealer-1-in-10", needed(1) / dealer);
    let apart = f64::from(apart) / f64::from(deals);
    let noncentrality = apart.powi(2) / variance(&theory.side_hcp(Side::NorthSouth));
    assert_predicted("favoured-halves-1-in-10", needed(1) / 0.01 / noncentrality);
    assert_predicted("strong-board-17", 46.7 * 36.0 / noncentrality);
}

#[test]
fn stacked_hands_are_seen_by_where_riffles_bring_their_cards() {
    // Probabilities from each place to each by one riffle, as numbers of 2^52 falls.
    let mut riffle = vec![[0.0; 52]; 52];
    for (from, row) in riffle.iter_mut().enumerate() {
        for (to, chance) in row.iter_mut().enumerate() {
            for size in 0..=52 {
                // The card is the n-th of its packet: the top `size` cards, or the rest.
                let (n, of) = if from < size {
                    (from, size)
                } else {
                    (from - size, 52 - size)
                };
                if n <= to && of - 1 - n <= 51 - to {
                    let falls = choose(to, n) * choose(51 - to, of - 1 - n);
                    *chance += falls as f64 / (1u64 << 52) as f64;
                }
            }
        }
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let mut places = PlaceProbabilities::sorted();
    for riffles in 1..=7 {
        places.shuffle(&riffle);
        let orders: &[_] = match riffles {
            3 => &[(DealingOrder::RoundRobin, "")],
            5 | 7 => &[
                (DealingOrder::RoundRobin, ""),
                (DealingOrder::Blocks, "-blocks"),
            ],
            _ => &[],
        };
        for (dealt, suffix) in orders {
            let name = format!("duplicate-{riffles}-riffles{suffix}");
            assert_predicted(&name, needed(9) / places.noncentrality_of_stacked(*dealt));
        }
    }
}

#[test]
fn small_seeds_are_seen_when_two_deals_are_equal_nine_times_in_ten() {
    for bits in [16, 24, 32, 40, 48] {
        let deals = (2.0 * ln(10.0) * 2f64.powi(bits)).sqrt();
        assert_predicted(&format!("seeds-{bits}-bits"), deals);
    }
    assert_predicted("reused-deals", ln(10.0) * 1_000.0);
    assert_predicted("truncated-hands", ln(10.0) * 16_384.0);
    assert_predicted("two-threads-one-seed", 2.0 * STRETCH as f64);
}

#[test]
fn flat_deals_that_are_removed_raise_the_mean_of_f() {
    let law = null_laws().flatness;
    let chances: Vec<f64> = (0..=676).map(|f| law.probability(f).to_f64()).collect();
    let mean_of = |kept: &dyn Fn(usize) -> f64| {
        let weights = chances
            .iter()
            .enumerate()
            .map(|(f, p)| (f as f64, p * kept(f)));
        let (sum, all) = weights.fold((0.0, 0.0), |(sum, all), (f, w)| (sum + f * w, all + w));
        sum / all
    };
    let fair = mean_of(&|_| 1.0);
    for (name, removed) in [("10", 0.1), ("100", 0.01)] {
        let kept = |f| {
            if f <= FLAT as usize {
                1.0 - removed
            } else {
                1.0
            }
        };
        let noncentrality = (mean_of(&kept) - fair).powi(2) / (2_530_944.0 / 14_161.0);
        let deals = needed(1) / noncentrality;
        assert_predicted(&format!("flat-removed-1-in-{name}"), deals);
    }
}

#[test]
fn non_game_deals_that_are_removed_are_seen_by_the_points_of_a_side() {
    let law = Theory::unconstrained().side_hcp(Side::NorthSouth);
    let share: f64 = (0..GAME as usize)
        .map(|hcp| law.probability(hcp).to_f64())
        .sum();
    for (name, removed) in [("10", 0.1), ("100", 0.01)] {
        let noncentrality = (removed / (1.0 - removed * share)).powi(2) * share * (1.0 - share);
        // λ* of 38 and of 40 degrees of freedom differ by 2.
        let deals = (needed(38) + 1.0) / noncentrality;
        assert_predicted(&format!("non-game-removed-1-in-{name}"), deals);
    }
}

/// The share of hands with these patterns.
fn share(wanted: impl Fn(Pattern) -> bool) -> f64 {
    let ways = |pattern: Pattern| {
        let of_suit = |length| choose(13, usize::from(length));
        pattern.lengths().map(of_suit).iter().product::<u128>()
    };
    let sum: u128 = Pattern::all().filter(|&one| wanted(one)).map(ways).sum();
    sum as f64 / choose(52, 13) as f64
}

#[test]
fn weights_of_patterns_are_seen_by_the_patterns() {
    let p = share(|pattern| pattern.shape().lengths() == [4, 4, 3, 2]);
    let of = |by: f64| p * (1.0 - p) * by * by;
    assert_predicted("lookup-entry-20-percent-low", needed(559) / of(0.2));
    assert_predicted("lookup-entry-0.6-percent-high", needed(38) / of(0.006));
    assert_predicted("west-4432-5-percent", needed(38) / of(0.05));
    assert_predicted("west-4432-1-percent", needed(38) / of(0.01));
    let first = share(|pattern| pattern.lengths() == [4, 3, 3, 3]);
    let second = share(|pattern| pattern.lengths() == [3, 4, 3, 3]);
    let moved = 0.03 * first;
    let noncentrality = moved * moved * (1.0 / first + 1.0 / second);
    assert_predicted("cumulative-entry-3-percent", needed(559) / noncentrality);
}

#[test]
fn one_card_of_208_cells_is_seen_at_a_208th_of_the_threshold() {
    for (name, once_in, by) in [("5", 60.0, 0.05), ("1", 300.0, 0.01)] {
        let moved: f64 = 0.75 / once_in;
        assert!((moved - 0.25 * by).abs() < 1e-15);
        // 5.85 for 10^-6 / 208, two-sided, and 1.28 for a probability of 0.9.
        let needed = (5.85f64 + 1.28).powi(2);
        let deals = needed / (moved * moved / (0.25 * 0.75));
        assert_predicted(&format!("spade-ace-north-{name}-percent"), deals);
    }
}

#[test]
fn swapped_honours_are_seen_by_one_card_and_leave_points_alone() {
    const LENGTHS: [u8; 4] = [5, 3, 3, 2];
    // Weights of the hands with each honour, when fair and as dealt.
    let mut total = 0;
    let mut with = [[0; 16]; 2];
    for map in (0..=u16::MAX).map(Honours::from_bits) {
        let spots = map.counts().into_iter().zip(LENGTHS);
        let ways = spots.map(|(held, length)| {
            let spots = length.checked_sub(held);
            spots.map_or(0, |spots| choose(9, usize::from(spots)))
        });
        let weight: u128 = ways.product();
        if weight == 0 || !(15..=17).contains(&map.hcp()) {
            continue;
        }
        total += weight;
        let dealt = swapped(map, LENGTHS);
        assert_eq!(dealt.hcp(), map.hcp());
        for (map, with) in [map, dealt].into_iter().zip(&mut with) {
            for (bit, sum) in with.iter_mut().enumerate() {
                *sum += weight * u128::from(map.bits() >> bit & 1);
            }
        }
    }
    let share = |weight: u128| weight as f64 / total as f64;
    let noncentrality = |bit: usize| {
        let (fair, dealt) = (share(with[0][bit]), share(with[1][bit]));
        (dealt - fair).powi(2) / (fair * (1.0 - fair))
    };
    let best = (0..16).map(noncentrality).fold(0.0, f64::max);
    assert_predicted("honours-swapped", 50.8 / best);
    // Hearts and diamonds, bits 4 to 11, are fair.
    assert!((4..12).all(|bit| noncentrality(bit) == 0.0));
}

#[test]
fn the_heaviest_case_is_seen_by_the_thirty() {
    // 75.5 for 29 degrees of freedom, between the method's 70.9 and 80.9.
    let p = 0.158_918_918_918_918_9;
    assert_predicted(
        "case-weight-5-percent",
        75.5 / (p * (1.0 - p) * 0.05 * 0.05),
    );
}

#[test]
fn wrong_columns_of_cells_are_seen_by_the_cells() {
    let condition = Condition::parse("test", super::cells::CONDITION).unwrap();
    let cells = Cells::new(&condition).unwrap();
    let choosing = Choosing::new(&cells).unwrap();
    let (_, columns) = choosing.lists(ListKind::Top);
    // The probabilities of the cells, from their shares of the columns.
    let probabilities = |columns: &[AliasColumn]| {
        let mut probabilities = vec![0.0; cells.cells() as usize];
        for column in columns {
            let own = f64::from(column.threshold) / 2f64.powi(32);
            probabilities[column.own as usize] += own / columns.len() as f64;
            probabilities[column.alias as usize] += (1.0 - own) / columns.len() as f64;
        }
        probabilities
    };
    let fair = probabilities(columns);
    for name in ["cell-alias-lost", "cell-thresholds-exchanged"] {
        let PlantedFault::CellList(alter) = Defect::named(name).unwrap().fault else {
            panic!("{name} is a fault of cells");
        };
        let mut columns = columns.to_vec();
        alter(&mut columns);
        let pairs = fair.iter().zip(probabilities(&columns));
        let excesses = pairs.map(|(p, dealt)| (dealt - p).max(0.0).powi(2) / (p * (1.0 - p)));
        // 6.03 for 10^-6 / 1,225, and 1.28 for a probability of 0.9.
        let needed = (6.03f64 + 1.28).powi(2);
        assert_eq!(fair.len(), 1_225);
        assert_predicted(name, needed / excesses.fold(0.0, f64::max));
    }
}

#[test]
fn hands_that_are_passed_overhand_are_seen_by_where_their_cards_come() {
    let mut pass = vec![[0.0; 52]; 52];
    for first in 0..52 {
        let mut chance = if first == 0 { 1.0 } else { 0.2 };
        for end in first + 1..=52 {
            let ends = if end == 52 { 1.0 } else { 0.2 };
            for from in first..end {
                pass[from][52 - end + from - first] += chance * ends;
            }
            chance *= 0.8;
        }
    }
    let mut places = PlaceProbabilities::sorted();
    for _ in 0..20 {
        places.shuffle(&pass);
    }
    let noncentrality = places.noncentrality_of_stacked(DealingOrder::RoundRobin);
    assert_predicted("overhand-20", needed(9) / noncentrality);
}
