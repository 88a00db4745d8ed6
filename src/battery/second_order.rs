//! Tests of first and second order: the seat of every card, of every pair of
//! cards, and of cards in deals some way apart.
//!
//! The four seats of a card are coded by three signs: v1 tells north and east
//! from south and west, v2 north and south from east and west, v3 is their
//! product. m_i(c) is the sum of v_i(c) over deals, M_ij(a, b) that of v_i(a)
//! v_j(b) within deals, L_ij(a, b) that between deals. Deals are a permutation
//! module of the symmetric group: its irreducible parts are uncorrelated, which
//! gives the sums below their exact variances (METHODOLOGY.md).

use super::table_law::{Measured, percent, two_sided};
use crate::bridge::{Card, Seat};
use crate::stats::{binomial_lower_log10, binomial_upper_log10};
use crate::tally::{Overlaps, SecondOrder, Tally};

/// The sign rows of a seat: v1, v2, v3.
pub(super) const SIGNS: [[f64; 4]; 3] = [
    [1.0, 1.0, -1.0, -1.0],
    [1.0, -1.0, 1.0, -1.0],
    [1.0, -1.0, -1.0, 1.0],
];

/// Variance of a hand's HCP.
const HCP_VARIANCE: f64 = 290.0 / 17.0;

/// M_ij or L_ij: signs from 0, cards by their indices.
pub(super) fn product(sums: &SecondOrder, (i, a): (usize, usize), (j, b): (usize, usize)) -> f64 {
    sums.product_of_rows(3 * a + i, 3 * b + j) as f64
}

/// m_i(c) of the same deals: a card's two other signs multiply to each.
pub(super) fn first_order(sums: &SecondOrder) -> [[f64; 52]; 3] {
    first_order_sums(sums).map(|of_sign| of_sign.map(|sum| sum as f64))
}

/// The same as integers, which may have more bits than an `f64` takes.
pub(super) fn first_order_sums(sums: &SecondOrder) -> [[i64; 52]; 3] {
    let sum = |i, j, card| sums.product_of_rows(3 * card + i, 3 * card + j);
    [(1, 2), (0, 2), (0, 1)].map(|(i, j)| std::array::from_fn(|card| sum(i, j, card)))
}

fn square(value: f64) -> f64 {
    value * value
}

/// (51/52) sum over cards and seats of (O - N/4)^2 / (N/4).
fn card_seat_statistic(tally: &Tally) -> f64 {
    let quarter = tally.deals() as f64 / 4.0;
    let of_card = |card: Card| -> f64 {
        let of_seat = |seat| square(tally.card(seat, card) as f64 - quarter);
        Seat::ALL.into_iter().map(of_seat).sum()
    };
    51.0 / 52.0 * Card::all().map(of_card).sum::<f64>() / quarter
}

/// T1: chi-square with 153 degrees of freedom; `worst` says what differs most.
pub(super) fn card_seat(tally: &Tally, worst: &Measured) -> Measured {
    let statistic = card_seat_statistic(tally);
    Measured::two_sided_chi_square(tally.deals(), statistic, 153.0)
        .with_effect(worst.effect.clone())
}

/// The card and seat with the smallest exact binomial tail, times all 208 of them.
pub(super) fn worst_card(tally: &Tally, probability: impl Fn(Card, Seat) -> f64) -> Measured {
    let deals = tally.deals();
    let n = deals as f64;
    let (mut best, mut tests) = (Measured::new(deals, 0.0, 0.0), 0);
    for card in Card::all() {
        for seat in Seat::ALL {
            let (p, observed) = (probability(card, seat), tally.card(seat, card));
            tests += 1;
            if p <= 0.0 || p >= 1.0 {
                let impossible = if p <= 0.0 { observed } else { deals - observed };
                if impossible > 0 {
                    let effect = format!("{card} with {seat}: {observed}, which cannot be");
                    return Measured::impossible(deals, effect);
                }
                continue;
            }
            let z = (observed as f64 - n * p) / (n * p * (1.0 - p)).sqrt();
            // The exact tail only where it can be the smallest.
            if z.abs() < best.statistic.abs() / 2.0 {
                continue;
            }
            let upper = binomial_upper_log10(observed, deals, p);
            let lower = binomial_lower_log10(observed, deals, p);
            let log10_p = two_sided(upper, lower);
            if log10_p < best.log10_p || best.effect.is_empty() {
                let (was, is) = (percent(100.0 * observed as f64 / n), percent(100.0 * p));
                best = Measured::new(deals, z, log10_p)
                    .with_effect(format!("{card} with {seat}: {was} instead of {is}"));
            }
        }
    }
    best.log10_p = (best.log10_p + f64::from(tests).log10()).min(0.0);
    best
}

/// T10: the sum of the groups' card-seat statistics less that of all.
pub(super) fn card_seat_heterogeneity(groups: &[Tally]) -> Option<Measured> {
    let dealt: Vec<&Tally> = groups.iter().filter(|group| group.deals() > 0).collect();
    if dealt.len() < 2 {
        return None;
    }
    let mut all = Tally::default();
    let mut sum = 0.0;
    for group in &dealt {
        all.merge(group);
        sum += card_seat_statistic(group);
    }
    let dof = 153.0 * (dealt.len() as f64 - 1.0);
    let statistic = sum - card_seat_statistic(&all);
    let size = size(statistic, dof, all.deals());
    Some(Measured::chi_square(all.deals(), statistic, dof).with_effect(size))
}

/// The sums within deals, with the first-order sums of the same deals.
struct Within<'s> {
    sums: &'s SecondOrder,
    deals: f64,
    /// m_i(c)
    first_order: [[f64; 52]; 3],
}

impl<'s> Within<'s> {
    fn new(sums: &'s SecondOrder) -> Self {
        Self {
            sums,
            deals: sums.pairs() as f64,
            first_order: first_order(sums),
        }
    }

    fn product(&self, i: usize, a: usize, j: usize, b: usize) -> f64 {
        product(self.sums, (i, a), (j, b))
    }

    /// S_ii(a, b) = M_ii(a, b) + N/51, for the three signs.
    fn same(&self, a: usize, b: usize) -> [f64; 3] {
        std::array::from_fn(|i| self.product(i, a, i, b) + self.deals / 51.0)
    }
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..52).flat_map(|a| (a + 1..52).map(move |b| (a, b)))
}

/// T2a to T2d, and all together.
pub(super) fn within_deals(sums: &SecondOrder) -> [Measured; 5] {
    let within = Within::new(sums);
    let n = within.deals;
    let [mut a, mut b, mut c, mut d] = [0.0; 4];
    for (x, y) in pairs() {
        let [s1, s2, s3] = within.same(x, y);
        a += square(s1 + s2 + s3) / 3.0;
        b += square(s1 - s2) / 2.0 + square(s1 + s2 - 2.0 * s3) / 6.0;
        for (i, j, k) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            let (one, other) = (within.product(i, x, j, y), within.product(i, y, j, x));
            let m = &within.first_order[k];
            c += square(one + other + (m[x] + m[y]) / 25.0);
            d += square(one - other);
        }
    }
    let parts = [
        (a / (n * 832.0 / 833.0), 1_274.0),
        (b / (n * 52.0 / 49.0), 2_548.0),
        (c / (n * 2_496.0 / 1_225.0), 3_822.0),
        (d / (n * 2_704.0 / 1_275.0), 3_825.0),
    ];
    let all: f64 = parts.iter().map(|(statistic, _)| statistic).sum();
    let deals = sums.pairs();
    let test = |(statistic, dof)| {
        Measured::two_sided_chi_square(deals, statistic, dof)
            .with_effect(size(statistic, dof, deals))
    };
    let [a, b, c, d] = parts.map(test);
    [a, b, c, d, test((all, 11_469.0))]
}

/// How far from chance, a deal: the root of the noncentrality.
pub(super) fn size(statistic: f64, dof: f64, deals: u64) -> String {
    let phi = ((statistic - dof).max(0.0) / deals as f64).sqrt();
    format!("departure {phi:.4} a deal")
}

/// Pairs of cards whose processes in a hand is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contrast {
    /// Neighbours in a suit.
    SuitNeighbours,
    /// Cards of the same rank.
    SameRank,
    /// Neighbours in the deck, from suit to suit too.
    DeckNeighbours,
    /// Aces and kings.
    AcesAndKings,
}

impl Contrast {
    pub(super) const ALL: [Self; 4] = [
        Self::SuitNeighbours,
        Self::SameRank,
        Self::DeckNeighbours,
        Self::AcesAndKings,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SuitNeighbours => "suit neighbours",
            Self::SameRank => "same rank",
            Self::DeckNeighbours => "deck neighbours",
            Self::AcesAndKings => "aces and kings",
        }
    }

    fn holds(self, a: usize, b: usize) -> bool {
        match self {
            Self::SuitNeighbours => a / 13 == b / 13 && a.abs_diff(b) == 1,
            Self::SameRank => a % 13 == b % 13,
            Self::DeckNeighbours => a.abs_diff(b) == 1,
            Self::AcesAndKings => a % 13 < 2 && b % 13 < 2,
        }
    }
}

/// T2z: how often such cards are in one hand, beyond what their seats say.
pub(super) fn contrast(sums: &SecondOrder, contrast: Contrast) -> Measured {
    let within = Within::new(sums);
    let weight = |a: usize, b: usize| f64::from(contrast.holds(a, b));
    let rows: Vec<f64> = (0..52)
        .map(|a| (0..52).filter(|&b| b != a).map(|b| weight(a, b)).sum())
        .collect();
    let total: f64 = rows.iter().sum();
    let (mut sum, mut squares) = (0.0, 0.0);
    let (mut together, mut chosen) = (0.0, 0.0);
    for (a, b) in pairs() {
        // Without what is of first order or constant.
        let projected = weight(a, b) - (rows[a] + rows[b]) / 50.0 + total / (51.0 * 50.0);
        let signs: f64 = (0..3).map(|i| within.product(i, a, i, b)).sum();
        let same_hand = (within.deals + signs) / 4.0;
        sum += projected * same_hand;
        squares += square(projected);
        together += weight(a, b) * same_hand;
        chosen += weight(a, b);
    }
    let z = sum / (within.deals * 156.0 / 833.0 * squares).sqrt();
    let share = percent(100.0 * together / (chosen * within.deals));
    let is = percent(400.0 / 17.0);
    Measured::normal(sums.pairs(), z)
        .with_effect(format!("such cards in one hand: {share} instead of {is}"))
}

/// T6: the cards that deals give to each pair of seats, at the lag of this place.
pub(super) fn overlap(overlaps: &Overlaps, lag: usize) -> [Measured; 2] {
    let pairs = overlaps.pairs(lag);
    let n = pairs as f64;
    let table = overlaps.table(lag);
    let mut statistic = 0.0;
    let mut stayed = 0.0;
    for (from, row) in table.iter().enumerate() {
        for (to, &cards) in row.iter().enumerate() {
            statistic += square(cards as f64 - 3.25 * n);
            if from == to {
                stayed += cards as f64;
            }
        }
    }
    let z = (stayed - 13.0 * n) / (n * 169.0 / 17.0).sqrt();
    let mean = stayed / n;
    let effect = format!("{mean:.4} cards stay with their seat instead of 13");
    [
        Measured::two_sided_chi_square(pairs, statistic / (n * 169.0 / 51.0), 9.0)
            .with_effect(effect.clone()),
        Measured::normal(pairs, z).with_effect(effect),
    ]
}

/// T7: every card of a deal with every card of another, so far apart.
pub(super) fn cross(sums: &SecondOrder) -> Measured {
    let mut statistic = 0.0;
    for (i, j) in signs() {
        for a in 0..52 {
            for b in 0..52 {
                statistic += square(product(sums, (i, a), (j, b)));
            }
        }
    }
    statistic *= square(51.0 / 52.0) / sums.pairs() as f64;
    Measured::two_sided_chi_square(sums.pairs(), statistic, 23_409.0).with_effect(size(
        statistic,
        23_409.0,
        sums.pairs(),
    ))
}

fn signs() -> impl Iterator<Item = (usize, usize)> {
    (0..3).flat_map(|i| (0..3).map(move |j| (i, j)))
}

/// T7h: the HCP of each seat with those of each seat in another deal.
///
/// h_s - 10 is a quarter of the sum over cards of their points and over signs of
/// the seat's sign times v_i, so the products follow from the same sums.
pub(super) fn points_cross(sums: &SecondOrder) -> Measured {
    let points = |card: usize| 4.0 - (card % 13).min(4) as f64;
    let mut of_signs = [[0.0; 3]; 3];
    for (i, j) in signs() {
        for a in (0..52).filter(|&a| points(a) > 0.0) {
            for b in (0..52).filter(|&b| points(b) > 0.0) {
                of_signs[i][j] += points(a) * points(b) * product(sums, (i, a), (j, b));
            }
        }
    }
    let mut statistic = 0.0;
    for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
        let term = |(i, j): (usize, usize)| SIGNS[i][from] * SIGNS[j][to] * of_signs[i][j];
        statistic += square(signs().map(term).sum::<f64>() / 16.0);
    }
    // The four seats' points sum to 40: of their covariance, a third more along
    // each of three directions.
    statistic /= sums.pairs() as f64 * square(HCP_VARIANCE * 4.0 / 3.0);
    Measured::two_sided_chi_square(sums.pairs(), statistic, 9.0).with_effect(size(
        statistic,
        9.0,
        sums.pairs(),
    ))
}
