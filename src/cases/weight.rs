//! The weight of a case: in how many ways its hands can be completed.
//!
//! The formulas (FORMATS.md, "Weights") are those of the dealing-with-constraints essay, with 9
//! spot cards a suit where honours are fixed and 13 cards where they are not.

use crate::cards::Honours;
use crate::combinatorics::choose_u64;
use crate::condition::HandCase;

/// The number of ways to complete one or two hands; 0 if the case is impossible.
///
/// This is the plain form that everything faster is tested against. With
/// lengths n, m and honours h, k by suit (|h|, |k| in all), first · second:
///
/// - pattern alone: product of C(13, n)
/// - pattern · pattern: product of C(13, n) C(13 - n, m)
/// - honours alone: C(36, 13 - |h|)
/// - honours · honours: C(36, 13 - |h|) C(36 - (13 - |h|), 13 - |k|)
/// - both alone: product of C(9, n - h)
/// - both · pattern: product of C(9, n - h) C(13 - n, m)
/// - both · honours: product of C(9, n - h), times C(36 - (13 - |h|), 13 - |k|)
/// - both · both: product of C(9, n - h) C(9 - (n - h), m - k)
///
/// No weight reaches 2^63: the largest, 4=3=3=3 opposite 3=4=3=3
/// by pattern alone, is 4,248,789,489,584,640,000.
///
/// # Panics
///
/// If a hand fixes nothing, or one is listed by pattern alone and the other by
/// honours alone: such a case has no plain weight and a plan never asks for it.
#[must_use]
pub fn weight(first: HandCase, second: Option<HandCase>) -> u64 {
    let Some(second) = second else {
        return alone(first);
    };
    if let (Some(h), Some(k)) = (first.honours, second.honours)
        && !h.is_disjoint(k)
    {
        return 0;
    }
    match (
        lengths(first),
        first.honours,
        lengths(second),
        second.honours,
    ) {
        (Some(n), None, Some(m), None) => product(|s| ways(13, n[s]) * ways(13 - n[s], m[s])),
        (Some(n), Some(h), Some(m), None) => {
            let h = counts(h);
            product(|s| ways(9, n[s] - h[s]) * ways(13 - n[s], m[s]))
        }
        (Some(n), Some(h), Some(m), Some(k)) => {
            let (h, k) = (counts(h), counts(k));
            product(|s| ways(9, n[s] - h[s]) * ways(9 - (n[s] - h[s]), m[s] - k[s]))
        }
        (None, Some(h), None, Some(k)) => ways(36, room(h)) * ways(36 - room(h), room(k)),
        (Some(n), Some(h), None, Some(k)) => {
            let counts = counts(h);
            product(|s| ways(9, n[s] - counts[s])) * ways(36 - room(h), room(k))
        }
        // What remains is one of the above with the hands exchanged.
        (_, _, Some(_), Some(_)) => weight(second, Some(first)),
        _ => panic!("one hand by pattern alone and the other by honours alone has no plain weight"),
    }
}

fn alone(hand: HandCase) -> u64 {
    match (lengths(hand), hand.honours) {
        (Some(n), None) => product(|s| ways(13, n[s])),
        (None, Some(h)) => ways(36, room(h)),
        (Some(n), Some(h)) => {
            let h = counts(h);
            product(|s| ways(9, n[s] - h[s]))
        }
        (None, None) => panic!("a listed hand fixes its pattern or its honours"),
    }
}

/// What a case fixes of one suit in one hand: its length, its number of honours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SuitCase {
    pub(super) length: Option<u8>,
    pub(super) honours: Option<u8>,
}

/// One suit's factor of the weight, for two hands whose honours do not meet.
///
/// The weight is the product of the four suits' factors and [`whole_factor`]:
/// the form that tables are made of.
pub(super) fn suit_factor(first: SuitCase, second: Option<SuitCase>) -> u64 {
    let number = |field: Option<u8>| field.map(i32::from);
    let (n, h) = (number(first.length), number(first.honours));
    let Some(second) = second else {
        return n.map_or(1, |n| h.map_or_else(|| ways(13, n), |h| ways(9, n - h)));
    };
    let (m, k) = (number(second.length), number(second.honours));
    match (n, h, m, k) {
        (Some(n), None, Some(m), None) => ways(13, n) * ways(13 - n, m),
        (Some(n), Some(h), Some(m), None) | (Some(m), None, Some(n), Some(h)) => {
            ways(9, n - h) * ways(13 - n, m)
        }
        (Some(n), Some(h), Some(m), Some(k)) => ways(9, n - h) * ways(9 - (n - h), m - k),
        (Some(n), Some(h), None, _) | (None, _, Some(n), Some(h)) => ways(9, n - h),
        _ => 1,
    }
}

/// What a case fixes of a whole hand: whether its pattern, and how many honours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WholeCase {
    pub(super) by_pattern: bool,
    pub(super) honours: Option<u32>,
}

/// The weight's factor for hands by honours alone, whose spot cards come from
/// all suits; 1 for other hands.
pub(super) fn whole_factor(first: WholeCase, second: Option<WholeCase>) -> u64 {
    let room = |case: WholeCase| case.honours.map(|honours| 13 - honours as i32);
    let Some(second) = second else {
        return match (first.by_pattern, room(first)) {
            (false, Some(room)) => ways(36, room),
            _ => 1,
        };
    };
    match (
        first.by_pattern,
        room(first),
        second.by_pattern,
        room(second),
    ) {
        (false, Some(x), false, Some(y)) => ways(36, x) * ways(36 - x, y),
        (true, Some(x), false, Some(y)) | (false, Some(y), true, Some(x)) => ways(36 - x, y),
        _ => 1,
    }
}

/// C(from, take), and 0 where either is negative: there are not enough cards.
fn ways(from: i32, take: i32) -> u64 {
    match (usize::try_from(from), usize::try_from(take)) {
        (Ok(from), Ok(take)) => choose_u64(from, take),
        _ => 0,
    }
}

fn product(of_suit: impl Fn(usize) -> u64) -> u64 {
    (0..4).map(of_suit).product()
}

fn lengths(hand: HandCase) -> Option<[i32; 4]> {
    Some(hand.pattern?.pattern().lengths().map(i32::from))
}

fn counts(honours: Honours) -> [i32; 4] {
    honours.counts().map(i32::from)
}

/// Spot cards that a hand has room for beside its honours; negative if they do not fit.
fn room(honours: Honours) -> i32 {
    13 - honours.len() as i32
}
