//! The weight of a case: the number of ways to complete its hands.
//!
//! The formulas (docs/reference/case-file.md, "Weights") are those of the dealing-with-constraints
//! essay: with 9 spot cards per suit if honours are fixed and 13 cards if they are not.

use crate::bridge::combinatorics::choose_u64;
use crate::language::HandCase;

/// Returns the number of ways to complete one or two hands; 0 if the case is impossible.
///
/// This is the reference that faster forms are tested against. The first and the second hand have
/// lengths n, m and honour counts h, k by suit, and |h|, |k| honours in all:
///
/// - pattern alone: product of C(13, n)
/// - pattern · pattern: product of C(13, n) C(13 - n, m)
/// - honours alone: C(36, x), where x = 13 - |h|
/// - honours · honours: C(36, x) C(36 - x, y), where y = 13 - |k|
/// - both alone: product of C(9, n - h)
/// - both · pattern: product of C(9, n - h) C(13 - n, m)
/// - both · honours: product of C(9, n - h), times C(36 - x, y)
/// - both · both: product of C(9, n - h) C(9 - (n - h), m - k)
///
/// Every weight is below 2^63: the largest, of 4=3=3=3 opposite 3=4=3=3 by pattern alone, is
/// 4,248,789,489,584,640,000.
///
/// # Panics
///
/// If a hand fixes nothing, or one hand is listed by pattern alone and the other by honours alone.
/// The weight of such a case has no product form, and no plan contains one.
#[inline]
pub fn weight(first: HandCase, second: Option<HandCase>) -> u64 {
    let honours = [first.honours, second.and_then(|second| second.honours)];
    if let [Some(h), Some(k)] = honours
        && !h.is_disjoint(k)
    {
        return 0;
    }
    let first = Taken::new(first);
    match second {
        None => alone(first),
        Some(second) => ways_of_both(first, Taken::new(second)),
    }
}

/// Number of cards and of spot cards of a suit, and of all spot cards.
const CARDS: i32 = 13;
const SPOTS: i32 = 9;
const ALL_SPOTS: i32 = 4 * SPOTS;

/// The cards that a hand takes from the deck besides its honours, by the way it is listed.
#[derive(Clone, Copy)]
enum Taken {
    /// By pattern alone: the number of cards of each suit.
    Cards([i32; 4]),
    /// By both: the number of cards of each suit including honours, and of spots.
    Spots { cards: [i32; 4], spots: [i32; 4] },
    /// By honours alone: the number of spots of any suit.
    Anywhere(i32),
}

impl Taken {
    fn new(case: HandCase) -> Self {
        let lengths = case.pattern.map(|index| index.pattern().lengths());
        match (lengths, case.honours) {
            (Some(n), None) => Self::Cards(n.map(i32::from)),
            (Some(n), Some(h)) => {
                let h = h.counts();
                Self::Spots {
                    cards: n.map(i32::from),
                    spots: std::array::from_fn(|s| i32::from(n[s]) - i32::from(h[s])),
                }
            }
            (None, Some(h)) => Self::Anywhere(13 - h.len() as i32),
            (None, None) => panic!("a listed hand fixes its pattern or its honours"),
        }
    }
}

fn alone(hand: Taken) -> u64 {
    match hand {
        Taken::Cards(n) => product(|s| ways(CARDS, n[s])),
        Taken::Spots { spots, .. } => product(|s| ways(SPOTS, spots[s])),
        Taken::Anywhere(x) => ways(ALL_SPOTS, x),
    }
}

fn ways_of_both(first: Taken, second: Taken) -> u64 {
    use Taken::{Anywhere, Cards, Spots};
    match (first, second) {
        (Cards(n), Cards(m)) => product(|s| ways(CARDS, n[s]) * ways(CARDS - n[s], m[s])),
        (Spots { cards: n, spots }, Cards(m)) => {
            product(|s| ways(SPOTS, spots[s]) * ways(CARDS - n[s], m[s]))
        }
        (Spots { spots: x, .. }, Spots { spots: y, .. }) => {
            product(|s| ways(SPOTS, x[s]) * ways(SPOTS - x[s], y[s]))
        }
        (Anywhere(x), Anywhere(y)) => ways(ALL_SPOTS, x) * ways(ALL_SPOTS - x, y),
        (Spots { spots, .. }, Anywhere(y)) => {
            let x: i32 = spots.iter().sum();
            product(|s| ways(SPOTS, spots[s])) * ways(ALL_SPOTS - x, y)
        }
        // The remaining combinations are those above with the hands exchanged.
        (_, Spots { .. }) => ways_of_both(second, first),
        _ => panic!("one hand by pattern alone and the other by honours alone has no plain weight"),
    }
}

/// What a case fixes in one suit of one hand: the length, the number of honours, or both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SuitCase {
    pub(super) length: Option<u8>,
    pub(super) honours: Option<u8>,
}

/// What a case fixes in a whole hand: whether it fixes the pattern, and the number of honours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WholeCase {
    pub(super) by_pattern: bool,
    pub(super) honours: Option<u32>,
}

/// Returns one suit's factor of the weight. If the honours of two hands are disjoint, the weight is
/// the product of the four suit factors and of [`whole_factor`].
pub(super) fn suit_factor(first: SuitCase, second: Option<SuitCase>) -> u64 {
    let (n, x) = first.taken();
    let Some(second) = second else {
        return n.map_or(1, |n| x.map_or_else(|| ways(CARDS, n), |x| ways(SPOTS, x)));
    };
    let (m, y) = second.taken();
    match (n, x, m, y) {
        (Some(n), None, Some(m), None) => ways(CARDS, n) * ways(CARDS - n, m),
        (Some(n), Some(x), Some(m), None) | (Some(m), None, Some(n), Some(x)) => {
            ways(SPOTS, x) * ways(CARDS - n, m)
        }
        (Some(_), Some(x), Some(_), Some(y)) => ways(SPOTS, x) * ways(SPOTS - x, y),
        (Some(_), Some(x), None, _) | (None, _, Some(_), Some(x)) => ways(SPOTS, x),
        _ => 1,
    }
}

/// Returns the weight's factor for hands listed by honours alone, whose spot cards come from all
/// suits; 1 for other hands.
pub(super) fn whole_factor(first: WholeCase, second: Option<WholeCase>) -> u64 {
    let room = |case: WholeCase| case.honours.map(|honours| 13 - honours as i32);
    let x = room(first);
    let Some(second) = second else {
        return match (first.by_pattern, x) {
            (false, Some(x)) => ways(ALL_SPOTS, x),
            _ => 1,
        };
    };
    let y = room(second);
    match (first.by_pattern, x, second.by_pattern, y) {
        (false, Some(x), false, Some(y)) => ways(ALL_SPOTS, x) * ways(ALL_SPOTS - x, y),
        (true, Some(x), false, Some(y)) | (false, Some(y), true, Some(x)) => ways(ALL_SPOTS - x, y),
        _ => 1,
    }
}

impl SuitCase {
    /// The number of cards a hand takes of a suit, and of spots if its honours are fixed too.
    fn taken(self) -> (Option<i32>, Option<i32>) {
        let length = self.length.map(i32::from);
        let spots = length.zip(self.honours);
        (length, spots.map(|(n, h)| n - i32::from(h)))
    }
}

/// C(from, take); 0 if either is negative, which means that there are not enough cards.
fn ways(from: i32, take: i32) -> u64 {
    match (usize::try_from(from), usize::try_from(take)) {
        (Ok(from), Ok(take)) => choose_u64(from, take),
        _ => 0,
    }
}

fn product(of_suit: impl Fn(usize) -> u64) -> u64 {
    (0..4).map(of_suit).product()
}
