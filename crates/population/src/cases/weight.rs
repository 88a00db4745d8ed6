//! The weight of a case: the number of ways to complete its hands.
//!
//! The formulas (docs/reference/case-file.md, "Weights") are those of the dealing-with-constraints
//! essay: with 9 spot cards per suit if honours are fixed and 13 cards if they are not, minus the
//! predealt cards.

use super::deck::{CardNumbers, Deck, SuitCards};
use crate::bridge::combinatorics::choose_u64;
use crate::language::HandCase;

/// Returns the number of ways to complete one or two hands; 0 if the case is impossible.
///
/// This is the reference that faster forms are tested against. Notation, for the first · second
/// hand:
///
/// - F cards and f spot cards of each suit are not predealt; f' is the sum of f over the suits.
/// - The hands have lengths n, m and honour counts h, k by suit, and |h|, |k| honours in all.
/// - P, Q cards and p, q spots of each suit are predealt to the hands; p', q' are sums over suits.
///
/// The weights:
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
/// The weight is 0 if a hand lacks one of its predealt honours, or has one predealt to another
/// seat.
///
/// Every weight is below 2^63: the largest, of 4=3=3=3 opposite 3=4=3=3 by pattern alone, is
/// 4,248,789,489,584,640,000.
///
/// # Panics
///
/// If a hand fixes nothing, or one hand is listed by pattern alone and the other by honours alone.
/// The weight of such a case has no product form, and no plan contains one.
#[must_use]
#[inline]
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
        Some(second) => ways_of_both(deck, first, Taken::new(deck, 1, second)),
    }
}

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

fn ways_of_both(deck: &Deck, first: Taken, second: Taken) -> u64 {
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
        // The remaining combinations are those above with the hands exchanged.
        (_, Spots { .. }) => ways_of_both(deck, second, first),
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

/// The form that tables are built from. If the deck allows both hands' honours and they are
/// disjoint, the weight is the product of the four suit factors and the whole-hand factor.
impl SuitCards {
    /// Returns one suit's factor of the weight.
    pub(super) fn suit_factor(&self, first: SuitCase, second: Option<SuitCase>) -> u64 {
        let CardNumbers { cards, spots } = self.free;
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

    /// Returns the weight's factor for hands listed by honours alone, whose spot cards come from
    /// all suits; 1 for other hands.
    pub(super) fn whole_factor(&self, first: WholeCase, second: Option<WholeCase>) -> u64 {
        let spots = self.free.spots;
        let room = |case: WholeCase, own: CardNumbers| {
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

/// The number of cards a hand takes of a suit, and of spots if its honours are fixed too.
fn taken(case: SuitCase, own: CardNumbers) -> (Option<i32>, Option<i32>) {
    let length = case.length.map(i32::from);
    let spots = length.zip(case.honours);
    (
        length.map(|n| n - own.cards),
        spots.map(|(n, h)| n - i32::from(h) - own.spots),
    )
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
