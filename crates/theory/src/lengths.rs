//! Patterns and suit lengths of all hands and sides, from a summary.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::TheoryError::{self, Inconsistent};
use super::summary::{self, CLASSES, CaseSums, OFF, PATTERNS};
use crate::bridge::Pattern;
use crate::bridge::combinatorics::choose;
use crate::bridge::pattern::PATTERN_COUNT;
use crate::population::cells::DealtSuit;

/// Lengths of suits, as ways out of T.
pub(super) struct LengthWays {
    /// Ways of the first and the second hand, by pattern.
    pub(super) patterns: [Vec<u128>; 2],
    /// For each suit, ways indexed by the first hand's length times 14 plus the second's.
    pub(super) suits: [Vec<u128>; 4],
    /// Lengths of the remaining cards of each suit, with their ways.
    pub(super) left: Vec<([u8; 4], u128)>,
    /// Number of cards left: 26 or 39.
    pub(super) cards_left: usize,
}

/// Returns every pattern as lengths.
pub(super) fn patterns() -> Vec<[u8; 4]> {
    Pattern::all().map(Pattern::lengths).collect()
}

/// Returns the product over suits of C(from, take); 0 if a suit is too short.
pub(super) fn choices(from: &[u8; 4], take: &[u8; 4]) -> u128 {
    let suits = from.iter().zip(take);
    suits
        .map(|(&n, &k)| choose(usize::from(n), usize::from(k)))
        .product()
}

/// Subtracts lengths suit by suit; `None` if a suit is too short.
pub(super) fn less(a: &[u8; 4], b: &[u8; 4]) -> Option<[u8; 4]> {
    let mut left = [0; 4];
    for (left, (a, b)) in left.iter_mut().zip(a.iter().zip(b)) {
        *left = a.checked_sub(*b)?;
    }
    Some(left)
}

/// Returns lengths as digits to base 14.
pub(super) fn digits(lengths: &[u8; 4]) -> usize {
    let each = lengths.iter();
    each.fold(0, |index, &length| index * 14 + usize::from(length))
}

/// Ways of the remaining cards, by lengths as digits to base 14.
struct RemainingWays(Vec<u128>);

impl RemainingWays {
    fn new() -> Self {
        Self(vec![0; 14 * 14 * 14 * 14])
    }

    fn add(&mut self, left: &[u8; 4], ways: u128) {
        self.0[digits(left)] += ways;
    }

    fn entries(self) -> Vec<([u8; 4], u128)> {
        let lengths = |index: usize| {
            [index / 2744, index / 196 % 14, index / 14 % 14, index % 14].map(|n| n as u8)
        };
        let all = self.0.into_iter().enumerate();
        all.filter(|(_, ways)| *ways != 0)
            .map(|(index, ways)| (lengths(index), ways))
            .collect()
    }
}

const WHOLE: [u8; 4] = [13; 4];

impl LengthWays {
    pub(super) fn new(summary: &CaseSums) -> Result<Self, TheoryError> {
        let two = summary.second.is_some();
        let mut lengths = Self {
            patterns: [
                vec![0; PATTERN_COUNT],
                vec![0; if two { PATTERN_COUNT } else { 0 }],
            ],
            suits: std::array::from_fn(|_| vec![0; 14 * 14]),
            left: Vec::new(),
            cards_left: if two { 26 } else { 39 },
        };
        let mut left = RemainingWays::new();
        let by_pattern =
            summary.first.by_pattern && summary.second.is_none_or(|second| second.by_pattern);
        if by_pattern {
            lengths.by_pattern(summary, &mut left)?;
        } else if two {
            lengths.with_honours_alone(summary, &mut left)?;
        } else {
            lengths.one_by_honours(summary, &mut left)?;
        }
        lengths.left = left.entries();
        Ok(lengths)
    }

    /// Computes lengths of hands with fixed patterns that are dealt suit by suit. `by_hand` has the
    /// ways of each hand by lengths as digits, and last those of all listed hands together; `suits`
    /// has the ways of every suit.
    pub(super) fn of_sums(by_hand: &[Vec<u128>], suits: &[(DealtSuit, u128)]) -> Self {
        let (two, patterns) = (by_hand.len() > 1, patterns());
        let of_hand = |hand: usize| match by_hand.get(hand) {
            Some(ways) if hand == 0 || two => {
                let patterns = patterns.iter();
                patterns.map(|pattern| ways[digits(pattern)]).collect()
            }
            _ => Vec::new(),
        };
        let mut left = RemainingWays::new();
        if let Some(together) = by_hand.last() {
            // The digits of the remaining lengths are those of all suits less those taken.
            left.0.clone_from(together);
            left.0.reverse();
        }
        let mut lengths = Self {
            patterns: [of_hand(0), of_hand(1)],
            suits: std::array::from_fn(|_| vec![0; 14 * 14]),
            left: left.entries(),
            cards_left: if two { 26 } else { 39 },
        };
        for (dealt, ways) in suits {
            let [one, other, ..] = dealt.lengths.map(usize::from);
            let other = if two { other } else { 0 };
            lengths.suits[dealt.suit.index()][one * 14 + other] += ways;
        }
        lengths
    }

    fn by_pattern(
        &mut self,
        summary: &CaseSums,
        left: &mut RemainingWays,
    ) -> Result<(), TheoryError> {
        let patterns = patterns();
        for (index, &ways) in summary.pattern_pairs.iter().enumerate() {
            if ways == 0 {
                continue;
            }
            let (first, second) = (index / PATTERNS, index % PATTERNS);
            let n = patterns.get(first).ok_or(Inconsistent)?;
            let nobody = [0; 4];
            let m = if second == OFF {
                &nobody
            } else {
                patterns.get(second).ok_or(Inconsistent)?
            };
            let rest = less(&WHOLE, n)
                .and_then(|rest| less(&rest, m))
                .ok_or(Inconsistent)?;
            self.patterns[0][first] += ways;
            if second != OFF {
                self.patterns[1][second] += ways;
            }
            for suit in 0..4 {
                self.suits[suit][usize::from(n[suit]) * 14 + usize::from(m[suit])] += ways;
            }
            left.add(&rest, ways);
        }
        Ok(())
    }

    /// Adds one hand, listed by honours only.
    fn one_by_honours(
        &mut self,
        summary: &CaseSums,
        left: &mut RemainingWays,
    ) -> Result<(), TheoryError> {
        let mut counts = vec![0; CLASSES];
        for (&(_, class, _), &ways) in &summary.suit_groups {
            add(&mut counts, usize::from(class), ways)?;
        }
        self.patterns[0] = patterns_of_counts(&counts)?;
        for (pattern, &ways) in patterns().iter().zip(&self.patterns[0]) {
            for (lengths, length) in self.suits.iter_mut().zip(pattern) {
                lengths[usize::from(*length) * 14] += ways;
            }
            left.add(&less(&WHOLE, pattern).ok_or(Inconsistent)?, ways);
        }
        Ok(())
    }

    /// Adds two hands listed by honours, at least one of them without a pattern.
    fn with_honours_alone(
        &mut self,
        summary: &CaseSums,
        left: &mut RemainingWays,
    ) -> Result<(), TheoryError> {
        let patterns = patterns();
        let first_has_pattern = summary.first.by_pattern;
        let mut alone = HonoursAlone::new();
        // The patterns of a hand listed by honours depend on the spots available to its group;
        // groups that differ only in the other hand are merged.
        for (&(pattern, first, second), &ways) in &summary.suit_groups {
            let held = [first, second].map(summary::digits);
            let room = held.map(|held| 13 - held.iter().map(|&k| i32::from(k)).sum::<i32>());
            let [Ok(x), Ok(y)] = room.map(usize::try_from) else {
                return Err(TheoryError::Inconsistent);
            };
            if usize::from(pattern) == OFF {
                alone.add([first, second], held, [x, y], ways)?;
                continue;
            }
            // The hand listed by pattern and honours is dealt first; the other takes spots from the
            // rest.
            let both = usize::from(!first_has_pattern);
            let other = 1 - both;
            let lengths = patterns.get(usize::from(pattern)).ok_or(Inconsistent)?;
            let taken = less(lengths, &held[both]).ok_or(Inconsistent)?;
            let pool = less(&[9; 4], &taken).ok_or(Inconsistent)?;
            let size: usize = pool.iter().map(|&n| usize::from(n)).sum();
            let each = divide(ways, choose(size, [x, y][other]))?;
            self.patterns[both][usize::from(pattern)] += ways;
            for (index, m) in patterns.iter().enumerate() {
                let fills = less(m, &held[other]).map_or(0, |spots| choices(&pool, &spots));
                if fills == 0 {
                    continue;
                }
                let ways = each * fills;
                self.patterns[other][index] += ways;
                for suit in 0..4 {
                    let mut pair = [0; 2];
                    (pair[both], pair[other]) = (lengths[suit], m[suit]);
                    self.suits[suit][usize::from(pair[0]) * 14 + usize::from(pair[1])] += ways;
                }
                let rest = less(&WHOLE, lengths).and_then(|rest| less(&rest, m));
                left.add(&rest.ok_or(Inconsistent)?, ways);
            }
        }
        self.both_alone(&alone, left)
    }

    /// Adds two hands listed by honours only: x of 36 spots, then y of the rest.
    fn both_alone(
        &mut self,
        alone: &HonoursAlone,
        left: &mut RemainingWays,
    ) -> Result<(), TheoryError> {
        if alone.in_suit.is_empty() {
            return Ok(());
        }
        for (patterns, counts) in self.patterns.iter_mut().zip(&alone.each) {
            *patterns = patterns_of_counts(counts)?;
        }
        for (&(suit, [h, k], [x, y]), &ways) in &alone.in_suit {
            let each = divide(ways, choose(36, x) * choose(36 - x, y))?;
            for i in 0..=x.min(9) {
                for j in 0..=y.min(9 - i) {
                    let in_suit = choose(9, i) * choose(9 - i, j);
                    let elsewhere = choose(27, x - i) * choose(27 - (x - i), y - j);
                    let (a, b) = (usize::from(h) + i, usize::from(k) + j);
                    self.suits[suit][a * 14 + b] += each * in_suit * elsewhere;
                }
            }
        }
        // Together they hold any x + y of the 36 spots.
        for (held, spots, each) in spots_apart(&alone.together, 26) {
            let each = each?;
            for s in 0..=spots.min(9) {
                for h in 0..=(spots - s).min(9) {
                    for d in 0..=(spots - s - h).min(9) {
                        let c = spots - s - h - d;
                        if c > 9 {
                            continue;
                        }
                        let taken = [s, h, d, c].map(|n| n as u8);
                        let rest = less(&WHOLE, &held).and_then(|rest| less(&rest, &taken));
                        left.add(&rest.ok_or(Inconsistent)?, each * choices(&[9; 4], &taken));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the patterns of an unlisted hand, which takes any thirteen of the remaining cards:
    /// ways out of T times C(cards left, 13).
    pub(super) fn unlisted_patterns(&self) -> Vec<u128> {
        let of_pattern = |pattern: &[u8; 4]| {
            self.left
                .iter()
                .map(|(left, ways)| ways * choices(left, pattern))
                .sum()
        };
        patterns().par_iter().map(of_pattern).collect()
    }

    /// Returns the combined lengths of a suit in the first hand and an unlisted hand: ways out of T
    /// times C(cards left, 13).
    pub(super) fn with_unlisted(&self, suit: usize) -> Vec<u128> {
        let mut ways = vec![0; 27];
        for (index, &pair) in self.suits[suit]
            .iter()
            .enumerate()
            .filter(|(_, ways)| **ways != 0)
        {
            let (a, b) = (index / 14, index % 14);
            let left = 13usize.saturating_sub(a + b);
            for taken in 0..=left {
                let rest = choose(self.cards_left - left, 13 - taken);
                ways[a + taken] += pair * choose(left, taken) * rest;
            }
        }
        ways.truncate(14);
        ways
    }

    /// Returns the combined lengths of a suit in the two listed hands: ways out of T.
    pub(super) fn of_both(&self, suit: usize) -> Vec<u128> {
        let mut ways = vec![0; 27];
        for (index, pair) in self.suits[suit].iter().enumerate() {
            ways[index / 14 + index % 14] += pair;
        }
        ways.truncate(14);
        ways
    }
}

/// Two hands listed by honours only, by the quantities that determine their lengths.
struct HonoursAlone {
    /// By class of suits for each hand; `together` has the class of both hands combined.
    each: [Vec<u128>; 2],
    together: Vec<u128>,
    /// By suit, both hands' honours in it, and their total numbers of spots.
    in_suit: BTreeMap<(usize, [u8; 2], [usize; 2]), u128>,
}

impl HonoursAlone {
    fn new() -> Self {
        Self {
            each: [vec![0; CLASSES], vec![0; CLASSES]],
            together: vec![0; CLASSES],
            in_suit: BTreeMap::new(),
        }
    }

    fn add(
        &mut self,
        classes: [u16; 2],
        [one, other]: [[u8; 4]; 2],
        spots: [usize; 2],
        ways: u128,
    ) -> Result<(), TheoryError> {
        let classes = classes.map(usize::from);
        add(&mut self.each[0], classes[0], ways)?;
        add(&mut self.each[1], classes[1], ways)?;
        add(&mut self.together, classes[0] + classes[1], ways)?;
        for (suit, held) in one.into_iter().zip(other).enumerate() {
            let key = (suit, held.into(), spots);
            *self.in_suit.entry(key).or_default() += ways;
        }
        Ok(())
    }
}

/// Adds ways to a class.
fn add(sums: &mut [u128], class: usize, ways: u128) -> Result<(), TheoryError> {
    *sums.get_mut(class).ok_or(Inconsistent)? += ways;
    Ok(())
}

/// Returns the patterns of a hand listed by honours only, from its ways by class of suits. Its
/// spots are any 13 - |h| of 36.
pub(super) fn patterns_of_counts(counts: &[u128]) -> Result<Vec<u128>, TheoryError> {
    let patterns = patterns();
    let mut sums = vec![0; patterns.len()];
    for (held, _, each) in spots_apart(counts, 13) {
        let each = each?;
        for (sum, pattern) in sums.iter_mut().zip(&patterns) {
            if let Some(spots) = less(pattern, &held) {
                *sum += each * choices(&[9; 4], &spots);
            }
        }
    }
    Ok(sums)
}

/// Returns, for each class, the numbers of honours by suit among `cards` cards, the number of
/// spots, and the ways without the choice of the spots from 36.
pub(super) fn spots_apart(
    counts: &[u128],
    cards: usize,
) -> impl Iterator<Item = ([u8; 4], usize, Result<u128, TheoryError>)> + '_ {
    let all = (0..).zip(counts).filter(|(_, ways)| **ways != 0);
    all.map(move |(class, ways)| {
        let held = summary::digits(class);
        let honours = held.iter().map(|&held| usize::from(held)).sum();
        match cards.checked_sub(honours) {
            Some(spots) => (held, spots, divide(*ways, choose(36, spots))),
            None => (held, 0, Err(Inconsistent)),
        }
    })
}

/// Returns an exact quotient, or an error if there is a remainder: then the weights do not belong
/// to a listing.
pub(super) fn divide(ways: u128, by: u128) -> Result<u128, TheoryError> {
    match (ways.checked_div(by), ways.checked_rem(by)) {
        (Some(quotient), Some(0)) => Ok(quotient),
        _ => Err(TheoryError::Inconsistent),
    }
}
