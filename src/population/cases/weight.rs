//! The weight of a case: in how many ways its hands can be completed.
//!
//! The formulas (docs/reference/case-file.md, "Weights") are those of the dealing-with-constraints essay, with 9
//! spot cards a suit where honours are fixed and 13 cards where they are not, less what is
//! predealt.

use super::deck::{Count, Deck, Part};
use crate::bridge::combinatorics::choose_u64;
use crate::language::HandCase;

/// The number of ways to complete one or two hands; 0 if the case is impossible.
///
/// This is the plain form that everything faster is tested against. With F cards
/// and f spot cards of each suit that are not predealt (f in all suits: f'), with
/// lengths n, m and honours h, k by suit (|h|, |k| in all), of which P, Q cards and
/// p, q spots are predealt to the hand (p', q' in all), first · second:
///
/// - pattern alone: product of C(F, n - P)
/// - pattern · pattern: product of C(F, n - P) C(F - (n - P), m - Q)
/// - honours alone: C(f', x), where x = 13 - |h| - p'
/// - honours · honours: C(f', x) C(f' - x, y), where y = 13 - |k| - q'
/// - both alone: product of C(f, n - h - p)
/// - both · pattern: product of C(f, n - h - p) C(F - (n - P), m - Q)
/// - both · honours: product of C(f, n - h - p), times C(f' - x, y)
/// - both · both: product of C(f, n - h - p) C(f - (n - h - p), m - k - q)
///
/// A hand that lacks one of its predealt honours, or has another's, weighs nothing.
///
/// No weight reaches 2^63: the largest, 4=3=3=3 opposite 3=4=3=3
/// by pattern alone, is 4,248,789,489,584,640,000.
///
/// # Panics
///
/// If a hand fixes nothing, or one is listed by pattern alone and the other by
/// honours alone: such a case has no plain weight and a plan never asks for it.
#[must_use]
pub fn weight(deck: &Deck, first: HandCase, second: Option<HandCase>) -> u64 {
    let honours = [first.honours, second.and_then(|second| second.honours)];
    for (hand, honours) in honours.into_iter().enumerate() {
        if honours.is_some_and(|honours| !deck.allows(hand, honours)) {
            return 0;
        }
    }
    if let [Some(h), Some(k)] = honours
        && !h.is_disjoint(k)
    {
        return 0;
    }
    let first = Taken::new(deck, 0, first);
    match second {
        None => alone(deck, first),
        Some(second) => together(deck, first, Taken::new(deck, 1, second)),
    }
}

/// What a hand takes of the deck beside its honours, by what is listed of it.
#[derive(Clone, Copy)]
enum Taken {
    /// By pattern alone: so many cards of each suit.
    Cards([i32; 4]),
    /// By both: so many cards of each suit with its honours, so many without.
    Spots { cards: [i32; 4], spots: [i32; 4] },
    /// By honours alone: so many spots of any suit.
    Anywhere(i32),
}

impl Taken {
    fn new(deck: &Deck, hand: usize, case: HandCase) -> Self {
        let own = deck.suits.map(|suit| suit.own[hand]);
        let lengths = case.pattern.map(|index| index.pattern().lengths());
        let cards = |n: [u8; 4]| std::array::from_fn(|s| i32::from(n[s]) - own[s].cards);
        match (lengths, case.honours) {
            (Some(n), None) => Self::Cards(cards(n)),
            (Some(n), Some(h)) => {
                let h = h.counts();
                let spots = |s: usize| i32::from(n[s]) - i32::from(h[s]) - own[s].spots;
                Self::Spots {
                    cards: cards(n),
                    spots: std::array::from_fn(spots),
                }
            }
            (None, Some(h)) => Self::Anywhere(13 - h.len() as i32 - deck.whole.own[hand].spots),
            (None, None) => panic!("a listed hand fixes its pattern or its honours"),
        }
    }
}

fn alone(deck: &Deck, hand: Taken) -> u64 {
    let free = deck.suits.map(|suit| suit.free);
    match hand {
        Taken::Cards(n) => product(|s| ways(free[s].cards, n[s])),
        Taken::Spots { spots, .. } => product(|s| ways(free[s].spots, spots[s])),
        Taken::Anywhere(x) => ways(deck.whole.free.spots, x),
    }
}

fn together(deck: &Deck, first: Taken, second: Taken) -> u64 {
    use Taken::{Anywhere, Cards, Spots};
    let free = deck.suits.map(|suit| suit.free);
    let all = deck.whole.free.spots;
    match (first, second) {
        (Cards(n), Cards(m)) => {
            product(|s| ways(free[s].cards, n[s]) * ways(free[s].cards - n[s], m[s]))
        }
        (Spots { cards: n, spots }, Cards(m)) => {
            product(|s| ways(free[s].spots, spots[s]) * ways(free[s].cards - n[s], m[s]))
        }
        (Spots { spots: x, .. }, Spots { spots: y, .. }) => {
            product(|s| ways(free[s].spots, x[s]) * ways(free[s].spots - x[s], y[s]))
        }
        (Anywhere(x), Anywhere(y)) => ways(all, x) * ways(all - x, y),
        (Spots { spots, .. }, Anywhere(y)) => {
            let x: i32 = spots.iter().sum();
            product(|s| ways(free[s].spots, spots[s])) * ways(all - x, y)
        }
        // What remains is one of the above with the hands exchanged.
        (_, Spots { .. }) => together(deck, second, first),
        _ => panic!("one hand by pattern alone and the other by honours alone has no plain weight"),
    }
}

/// What a case fixes of one suit in one hand: its length, its number of honours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SuitCase {
    pub(super) length: Option<u8>,
    pub(super) honours: Option<u8>,
}

/// What a case fixes of a whole hand: whether its pattern, and how many honours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WholeCase {
    pub(super) by_pattern: bool,
    pub(super) honours: Option<u32>,
}

/// The form that tables are made of: the weight of hands whose honours the deck
/// allows and do not meet is the product of the four suits' factors and the whole's.
impl Part {
    /// One suit's factor of the weight.
    pub(super) fn suit_factor(&self, first: SuitCase, second: Option<SuitCase>) -> u64 {
        let Count { cards, spots } = self.free;
        let (n, x) = taken(first, self.own[0]);
        let Some(second) = second else {
            return n.map_or(1, |n| x.map_or_else(|| ways(cards, n), |x| ways(spots, x)));
        };
        let (m, y) = taken(second, self.own[1]);
        match (n, x, m, y) {
            (Some(n), None, Some(m), None) => ways(cards, n) * ways(cards - n, m),
            (Some(n), Some(x), Some(m), None) | (Some(m), None, Some(n), Some(x)) => {
                ways(spots, x) * ways(cards - n, m)
            }
            (Some(_), Some(x), Some(_), Some(y)) => ways(spots, x) * ways(spots - x, y),
            (Some(_), Some(x), None, _) | (None, _, Some(_), Some(x)) => ways(spots, x),
            _ => 1,
        }
    }

    /// The weight's factor for hands by honours alone, whose spot cards come from
    /// all suits; 1 for other hands.
    pub(super) fn whole_factor(&self, first: WholeCase, second: Option<WholeCase>) -> u64 {
        let spots = self.free.spots;
        let room = |case: WholeCase, own: Count| {
            let honours = case.honours.map(|honours| honours as i32);
            honours.map(|honours| 13 - honours - own.spots)
        };
        let x = room(first, self.own[0]);
        let Some(second) = second else {
            return match (first.by_pattern, x) {
                (false, Some(x)) => ways(spots, x),
                _ => 1,
            };
        };
        let y = room(second, self.own[1]);
        match (first.by_pattern, x, second.by_pattern, y) {
            (false, Some(x), false, Some(y)) => ways(spots, x) * ways(spots - x, y),
            (true, Some(x), false, Some(y)) | (false, Some(y), true, Some(x)) => ways(spots - x, y),
            _ => 1,
        }
    }
}

/// What a hand takes of a suit: cards, and spots where its honours are fixed too.
fn taken(case: SuitCase, own: Count) -> (Option<i32>, Option<i32>) {
    let length = case.length.map(i32::from);
    let spots = length.zip(case.honours);
    (
        length.map(|n| n - own.cards),
        spots.map(|(n, h)| n - i32::from(h) - own.spots),
    )
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
