//! HCP, controls and aces of all hands and sides, from a summary.
//!
//! A **scale** gives the values of A K Q J. If the honours of every listed hand are listed, an
//! unlisted hand takes any thirteen of the remaining cards. Its points depend only on the number of
//! remaining aces, kings, queens and jacks: the coefficient of u^13 in (1 + u)^spots × product over
//! remaining honours of (1 + u t^points).
//!
//! A hand listed by pattern only, or an unlisted hand beside one, takes its length of each suit
//! from a **pool**: the cards outside the hand whose honours are listed. For a suit with q cards in
//! the pool, length y gives the sum over sets of the honours in the pool of C(q - honours in the
//! pool, y - taken) t^points. Patterns and honours are processed in halves: spades with hearts, and
//! diamonds with clubs.

use rayon::prelude::*;

use super::TheoryError;
use super::lengths::{LengthWays, choices, divide, less, patterns};
use super::summary::{CLASSES, CaseSums, OFF, PATTERNS, digits};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Honours, Pattern, PatternIndex};

/// The values of A K Q J.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointScale {
    pub(super) values: [u32; 4],
    /// Number of outcomes of a hand: 0 to its maximum.
    pub(super) of_hand: usize,
}

pub(super) const HCP: PointScale = PointScale {
    values: [4, 3, 2, 1],
    of_hand: 38,
};
pub(super) const CONTROLS: PointScale = PointScale {
    values: [2, 1, 0, 0],
    of_hand: 13,
};
pub(super) const ACES: PointScale = PointScale {
    values: [1, 0, 0, 0],
    of_hand: 5,
};

impl PointScale {
    fn points(self, ranks: [u8; 4]) -> usize {
        let each = self.values.iter().zip(ranks);
        each.map(|(value, count)| *value as usize * usize::from(count))
            .sum()
    }

    /// Returns all points of a suit.
    fn of_suit(self) -> usize {
        self.values.iter().sum::<u32>() as usize
    }

    /// Returns the number of outcomes of two hands: 0 to all points of the deck.
    fn outcomes(self) -> usize {
        4 * self.of_suit() + 1
    }
}

/// Ways of points, for each listed hand and for an unlisted hand.
pub(super) struct Points {
    /// Ways out of T.
    pub(super) listed: [Vec<u128>; 2],
    /// Ways out of T times the choices of the hand from the remaining cards.
    pub(super) unlisted: Vec<u128>,
}

/// Returns the ways of each total of points of a hand of `cards` of the remaining cards, by the
/// class of remaining honours by rank.
fn unlisted_by_class(scale: PointScale, cards_left: usize, cards: usize) -> Vec<Vec<u128>> {
    let of_class = |class| of_class(scale, class, cards_left, cards);
    (0..CLASSES as u16).into_par_iter().map(of_class).collect()
}

/// Returns the same ways for one class of remaining honours.
fn of_class(scale: PointScale, class: u16, cards_left: usize, cards: usize) -> Vec<u128> {
    let ranks = digits(class);
    let honours: usize = ranks.iter().map(|&count| usize::from(count)).sum();
    let mut ways = vec![0; scale.outcomes()];
    // Take a number of each rank, and spots for the rest of the hand.
    for code in 0..CLASSES as u16 {
        let taken = digits(code);
        let count: usize = taken.iter().map(|&count| usize::from(count)).sum();
        let sets = choices(&ranks, &taken);
        if sets != 0 && count <= cards && honours <= cards_left {
            let spots = choose(cards_left - honours, cards - count);
            ways[scale.points(taken)] += sets * spots;
        }
    }
    ways
}

/// Returns the class of all ranks less those of a class.
fn complement(class: u16) -> u16 {
    (CLASSES as u16 - 1) - class
}

/// Adds `ways` times a distribution, shifted by `shift` points.
fn add_shifted(sums: &mut [u128], ways: u128, distribution: &[u128], shift: usize) {
    for (sum, way) in sums.iter_mut().skip(shift).zip(distribution) {
        *sum += ways * way;
    }
}

/// Returns the points of `cards` of the whole deck.
pub(super) fn of_deck(scale: PointScale, cards: usize) -> Vec<u128> {
    of_class(scale, complement(0), 52, cards)
}

impl Points {
    /// Computes the points of the listed hands and of an unlisted one.
    pub(super) fn new(
        scale: PointScale,
        summary: &CaseSums,
        lengths: &LengthWays,
    ) -> Result<Self, TheoryError> {
        let mut listed = [Vec::new(), Vec::new()];
        for (hand, listed) in listed.iter_mut().enumerate() {
            let kind = if hand == 0 {
                Some(summary.first)
            } else {
                summary.second
            };
            *listed = match kind {
                None => Vec::new(),
                Some(kind) if kind.by_honours => of_ranks(scale, &summary.ranks[hand]),
                Some(_) => HandPools::of_listed(summary, lengths, hand)?.points(scale, false),
            };
        }
        let unlisted = if summary.honours_are_known() {
            let by_left = unlisted_by_class(scale, lengths.cards_left, 13);
            let mut ways = vec![0; scale.outcomes()];
            for (taken, weight) in by_class(&summary.union) {
                let left = usize::from(complement(taken));
                add_shifted(&mut ways, weight, &by_left[left], 0);
            }
            ways
        } else {
            HandPools::of_unlisted(summary, lengths)?.points(scale, false)
        };
        Ok(Self { listed, unlisted })
    }
}

/// Returns the HCP of the two listed hands combined: ways out of T.
pub(super) fn of_both(summary: &CaseSums, lengths: &LengthWays) -> Result<Vec<u128>, TheoryError> {
    if summary.honours_are_known() {
        return Ok(of_ranks(HCP, &summary.union));
    }
    if !summary.first.by_honours && summary.second.is_some_and(|second| !second.by_honours) {
        return union_by_pattern(summary, |second, _| vec![(*second, 1)]);
    }
    let pattern_hand = usize::from(summary.first.by_honours);
    Ok(HandPools::of_listed(summary, lengths, pattern_hand)?.points(HCP, true))
}

/// Returns the HCP of the first hand and an unlisted one combined: ways out of T times C(cards
/// left, 13).
pub(super) fn of_first_and_unlisted(
    summary: &CaseSums,
    lengths: &LengthWays,
) -> Result<Vec<u128>, TheoryError> {
    let mut ways = vec![0; HCP.outcomes()];
    if summary.honours_are_known() {
        let by_left = unlisted_by_class(HCP, lengths.cards_left, 13);
        if summary.second.is_none() {
            for (taken, weight) in by_class(&summary.union) {
                let left = usize::from(complement(taken));
                add_shifted(&mut ways, weight, &by_left[left], HCP.points(digits(taken)));
            }
        }
        let beside = summary.beside.chunks(CLASSES).enumerate();
        for (hcp, of_hcp) in beside {
            for (taken, weight) in by_class(of_hcp) {
                let left = usize::from(complement(taken));
                add_shifted(&mut ways, weight, &by_left[left], hcp);
            }
        }
        return Ok(ways);
    }
    match summary.second {
        Some(second) if summary.first.by_honours || second.by_honours => {
            // The hand listed by pattern and honours, with an unlisted hand. If the former is the
            // second hand, the result is the HCP of the other two hands.
            let mut ways = HandPools::of_unlisted(summary, lengths)?.points(HCP, true);
            if !summary.first.by_honours {
                ways.reverse();
            }
            Ok(ways)
        }
        _ => {
            let patterns = patterns();
            union_by_pattern(summary, |_, left| {
                let taken = |x: &[u8; 4]| (*x, choices(left, x));
                patterns
                    .iter()
                    .map(taken)
                    .filter(|(_, ways)| *ways != 0)
                    .collect()
            })
        }
    }
}

/// Returns points from the ways by class of ranks of a hand.
pub(super) fn of_ranks(scale: PointScale, ranks: &[u128]) -> Vec<u128> {
    let mut ways = vec![0; scale.outcomes()];
    for (class, weight) in by_class(ranks) {
        ways[scale.points(digits(class))] += weight;
    }
    ways
}

/// Returns the classes with nonzero weight.
fn by_class(weights: &[u128]) -> impl Iterator<Item = (u16, u128)> + '_ {
    let all = (0..).zip(weights);
    all.filter(|(_, weight)| **weight != 0)
        .map(|(class, weight)| (class, *weight))
}

/// Returns the HCP of two hands combined if no honours are listed: their cards of a suit are any of
/// the thirteen. From the second hand's lengths and the remaining lengths, `beside` returns the
/// lengths of the hand that joins the first, with their ways.
fn union_by_pattern(
    summary: &CaseSums,
    beside: impl Fn(&[u8; 4], &[u8; 4]) -> Vec<([u8; 4], u128)> + Sync,
) -> Result<Vec<u128>, TheoryError> {
    let patterns = patterns();
    let sums = (0..PATTERNS)
        .into_par_iter()
        .map(|first| {
            let mut sums = vec![0u128; 14 * 14 * 14 * 14];
            let row = &summary.pattern_pairs[first * PATTERNS..(first + 1) * PATTERNS];
            for (second, &weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0) {
                let n = patterns.get(first).ok_or(TheoryError::Inconsistent)?;
                let m = patterns.get(second).copied().unwrap_or([0; 4]);
                let left = less(&[13; 4], n).and_then(|left| less(&left, &m));
                let left = left.ok_or(TheoryError::Inconsistent)?;
                for (x, ways) in beside(&m, &left) {
                    let index = n
                        .iter()
                        .zip(&x)
                        .fold(0, |index, (n, x)| index * 14 + usize::from((n + x).min(13)));
                    sums[index] += weight * ways;
                }
            }
            Ok(sums)
        })
        .try_reduce(
            || vec![0u128; 14 * 14 * 14 * 14],
            |mut sums, others| {
                sums.iter_mut()
                    .zip(others)
                    .for_each(|(sum, other)| *sum += other);
                Ok(sums)
            },
        )?;
    let mut points = vec![0; HCP.outcomes()];
    let suit: Vec<Vec<u128>> = (0..=13)
        .map(|length| in_suit(HCP, 0, 13, length, false))
        .collect();
    for (index, &weight) in sums.iter().enumerate().filter(|(_, weight)| **weight != 0) {
        let union = [index / 2744, index / 196 % 14, index / 14 % 14, index % 14];
        let each = divide(weight, choices(&[13; 4], &union.map(|n| n as u8)))?;
        let [s, h, d, c] = union.map(|length| &suit[length]);
        let all = convolve(&convolve(s, h), &convolve(d, c));
        add_shifted(&mut points, each, &all, 0);
    }
    Ok(points)
}

/// Returns the points of `take` cards from a suit's pool of `pool` cards that excludes the honours
/// `held`. With `include`, the points of `held` are added.
fn in_suit(scale: PointScale, held: u16, pool: usize, take: usize, include: bool) -> Vec<u128> {
    let points = |nibble: u16| {
        (0..4)
            .filter(|rank| nibble & (8 >> rank) != 0)
            .map(|rank| scale.values[rank] as usize)
            .sum::<usize>()
    };
    let free = !held & 15;
    let mut ways = vec![0; scale.of_suit() + 1];
    for set in (0..16u16).filter(|set| set & !free == 0) {
        let count = set.count_ones() as usize;
        let spots = pool
            .checked_sub(free.count_ones() as usize)
            .zip(take.checked_sub(count));
        if let Some((spots, take)) = spots {
            let shift = if include { points(held) } else { 0 };
            ways[points(set) + shift] += choose(spots, take);
        }
    }
    ways
}

fn convolve(a: &[u128], b: &[u128]) -> Vec<u128> {
    let mut product = vec![0; a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        for (sum, y) in product[i..].iter_mut().zip(b) {
            *sum += x * y;
        }
    }
    product
}

/// A hand that takes its cards from pools, for one pattern of the hand whose honours are listed and
/// for those of its honour maps with the same opposite patterns.
struct PoolHand {
    /// Lengths of the hand whose honours are listed; `None` if no honours are listed.
    both: Option<[u8; 4]>,
    maps: Vec<u16>,
    /// By pattern, the ways of everything except the choice of the hand's own cards.
    ways: Vec<u128>,
}

struct HandPools(Vec<PoolHand>);

impl HandPools {
    /// Creates the pools of a hand listed by pattern only.
    fn of_listed(
        summary: &CaseSums,
        lengths: &LengthWays,
        hand: usize,
    ) -> Result<Self, TheoryError> {
        if summary.opposite.is_empty() {
            return Self::without_honours(&lengths.patterns[hand]);
        }
        let members = |set: &[u64; 9], _: &[u8; 4]| {
            let member = |index: usize| u128::from(set[index / 64] >> (index % 64) & 1);
            (0..OFF).map(member).collect()
        };
        Self::beside_honours(summary, members)
    }

    /// Creates the pools of an unlisted hand.
    fn of_unlisted(summary: &CaseSums, lengths: &LengthWays) -> Result<Self, TheoryError> {
        if summary.opposite.is_empty() {
            return Self::without_honours(&lengths.unlisted_patterns());
        }
        let patterns = patterns();
        // The hand takes x of the pool, and the listed hand takes m of the rest.
        let ways = |set: &[u64; 9], pool: &[u8; 4]| {
            let opposite: Vec<&[u8; 4]> = (0..OFF)
                .filter(|index| set[index / 64] >> (index % 64) & 1 == 1)
                .map(|index| &patterns[index])
                .collect();
            let of_pattern = |x: &[u8; 4]| {
                less(pool, x).map_or(0, |left| opposite.iter().map(|m| choices(&left, m)).sum())
            };
            patterns.iter().map(of_pattern).collect()
        };
        Self::beside_honours(summary, ways)
    }

    /// Creates the pool if no honours are listed: the whole suit.
    fn without_honours(by_pattern: &[u128]) -> Result<Self, TheoryError> {
        let patterns = patterns();
        let each = by_pattern.iter().zip(&patterns);
        let ways: Result<Vec<u128>, TheoryError> = each
            .map(|(&ways, lengths)| divide(ways, choices(&[13; 4], lengths)))
            .collect();
        Ok(Self(vec![PoolHand {
            both: None,
            maps: vec![0],
            ways: ways?,
        }]))
    }

    fn beside_honours(
        summary: &CaseSums,
        ways: impl Fn(&[u64; 9], &[u8; 4]) -> Vec<u128> + Sync,
    ) -> Result<Self, TheoryError> {
        let mut groups: Vec<([u8; 4], [u64; 9], Vec<u16>)> = Vec::new();
        for (&pattern, opposite) in &summary.opposite {
            let index = PatternIndex::new(pattern).ok_or(TheoryError::Inconsistent)?;
            let lengths = index.pattern().lengths();
            let mut by_set = std::collections::BTreeMap::<[u64; 9], Vec<u16>>::new();
            for (&map, set) in opposite.maps.iter().zip(&opposite.sets) {
                let held = Honours::from_bits(map).counts();
                if less(&lengths, &held).is_none() {
                    return Err(TheoryError::Inconsistent);
                }
                by_set.entry(*set).or_default().push(map);
            }
            groups.extend(by_set.into_iter().map(|(set, maps)| (lengths, set, maps)));
        }
        let pool = |(lengths, set, maps): ([u8; 4], [u64; 9], Vec<u16>)| {
            let pool = lengths.map(|n| 13 - n);
            PoolHand {
                both: Some(lengths),
                maps,
                ways: ways(&set, &pool),
            }
        };
        Ok(Self(groups.into_par_iter().map(pool).collect()))
    }

    /// Returns the points of the hand; with `include`, combined with the hand whose honours are
    /// listed.
    fn points(&self, scale: PointScale, include: bool) -> Vec<u128> {
        let zero = || vec![0u128; scale.outcomes()];
        self.0
            .par_iter()
            .map(|pool| pool.points(scale, include))
            .reduce(zero, |mut sums, others| {
                sums.iter_mut()
                    .zip(others)
                    .for_each(|(sum, other)| *sum += other);
                sums
            })
    }
}

/// Returns the lengths of two suits with at most thirteen cards in total.
fn pairs() -> Vec<[usize; 2]> {
    (0..=13)
        .flat_map(|a| (0..=13 - a).map(move |b| [a, b]))
        .collect()
}

impl PoolHand {
    fn points(&self, scale: PointScale, include: bool) -> Vec<u128> {
        // by_suit[suit][nibble held by the other hand][length]
        let by_suit: [Vec<Vec<Vec<u128>>>; 4] = std::array::from_fn(|suit| {
            let of_nibble = |held: u16| {
                let count = held.count_ones() as usize;
                let both = self.both.map_or(0, |lengths| usize::from(lengths[suit]));
                // The other hand's own spots in the suit.
                let spots = both.checked_sub(count).map_or(0, |spots| choose(9, spots));
                let spots = if self.both.is_some() { spots } else { 1 };
                (0..=13)
                    .map(|length| {
                        let points = in_suit(scale, held, 13 - both, length, include);
                        points.iter().map(|ways| ways * spots).collect()
                    })
                    .collect()
            };
            (0..16).map(of_nibble).collect()
        });
        let pairs = pairs();
        let width = 2 * scale.of_suit() + 1;
        let mut ways_of = vec![0u128; 14 * 14 * 14];
        for (pattern, &ways) in Pattern::all().zip(&self.ways) {
            let [s, h, d, _] = pattern.lengths().map(usize::from);
            ways_of[(s * 14 + h) * 14 + d] = ways;
        }
        // For the low byte (diamonds, clubs) and lengths of the majors: points of all matching
        // minors.
        let minors = |low: usize| -> Vec<Vec<u128>> {
            let (d_held, c_held) = (low >> 4, low & 15);
            let products: Vec<Vec<u128>> = pairs
                .iter()
                .map(|&[d, c]| convolve(&by_suit[2][d_held][d], &by_suit[3][c_held][c]))
                .collect();
            let of_majors = |&[s, h]: &[usize; 2]| {
                let mut sums = vec![0; width];
                for (&[d, c], product) in pairs.iter().zip(&products) {
                    let is_hand = s + h + d + c == 13;
                    let ways = if is_hand {
                        ways_of[(s * 14 + h) * 14 + d]
                    } else {
                        0
                    };
                    if ways != 0 {
                        add_shifted(&mut sums, ways, product, 0);
                    }
                }
                sums
            };
            pairs.iter().map(of_majors).collect()
        };
        let mut of_low: Vec<Option<Vec<Vec<u128>>>> = vec![None; 256];
        for &map in &self.maps {
            let low = usize::from(map & 255);
            of_low[low].get_or_insert_with(|| minors(low));
        }
        let mut by_high: Vec<Vec<usize>> = vec![Vec::new(); 256];
        for &map in &self.maps {
            by_high[usize::from(map >> 8)].push(usize::from(map & 255));
        }
        let mut points = vec![0; scale.outcomes()];
        for (high, lows) in by_high
            .iter()
            .enumerate()
            .filter(|(_, lows)| !lows.is_empty())
        {
            for (place, &[s, h]) in pairs.iter().enumerate() {
                let mut sums = vec![0; width];
                for minors in lows.iter().filter_map(|&low| of_low[low].as_ref()) {
                    add_shifted(&mut sums, 1, &minors[place], 0);
                }
                if sums.iter().all(|&sum| sum == 0) {
                    continue;
                }
                let majors = convolve(&by_suit[0][high >> 4][s], &by_suit[1][high & 15][h]);
                let product = convolve(&majors, &sums);
                add_shifted(&mut points, 1, &product, 0);
            }
        }
        points
    }
}
