//! From a case and numbers to a deal: the spots of the listed hands, then the rest.

use crate::cards::{Deal, Hand, Honours, Seat, Suit};
use crate::cases::{Case, DamagedRecord};
use crate::combinatorics::{choose_u64, subset};
use crate::condition::HandCase;

/// A case that cannot be dealt: the case file was altered after it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamagedCase {
    /// No record fits the number that was drawn.
    #[error("no case holds number {0}")]
    NoCase(u128),
    /// The hands that are left cannot be dealt in so many ways.
    #[error("there is no completion {0}")]
    NoCompletion(u64),
    /// The record holds what is never written.
    #[error("a case is damaged")]
    Record(#[from] DamagedRecord),
    /// The totals do not rise from case to case up to T.
    #[error("the totals do not rise to T")]
    Totals,
    /// The record's hands cannot be dealt, or not in as many ways as its totals say.
    #[error("a case does not weigh what its totals say")]
    Weight,
}

/// The two hands of a case filled up, in the order first, second; one if one is listed.
///
/// `rest` is a number below the case's weight, and every such number is
/// another pair of hands: its digits, the lowest first, in the mixed base of
/// the factors of the weight, are the places of the chosen cards in squashed
/// order. A hand by both comes before one by pattern or by honours alone;
/// otherwise the first hand comes first; within a hand spades come first.
/// The factors must come to the weight that the case file's totals gave.
pub(super) fn listed_hands(case: Case, rest: u64, weight: u64) -> Result<[Hand; 2], DamagedCase> {
    let honours = |hand: HandCase| Hand::from_honours(hand.honours.unwrap_or(Honours::NONE));
    let second = case.second.unwrap_or_default();
    let mut hands = [honours(case.first), honours(second)];
    let mut digits = Digits {
        rest,
        product: 1,
        used: hands[0].union(hands[1]),
    };
    if !hands[0].intersection(hands[1]).is_empty() {
        return Err(DamagedCase::Weight);
    }
    let cases = [case.first, second];
    let by_both = |hand: HandCase| hand.pattern.is_some() && hand.honours.is_some();
    let first_to_fill = usize::from(by_both(second) && !by_both(case.first));
    for place in [first_to_fill, 1 - first_to_fill] {
        let filled = digits.fill(cases[place])?;
        hands[place] = hands[place].union(filled);
    }
    if digits.rest == 0 && digits.product == weight {
        Ok(hands)
    } else {
        Err(DamagedCase::Weight)
    }
}

struct Digits {
    rest: u64,
    product: u64,
    used: Hand,
}

impl Digits {
    /// The cards of a hand beside its fixed honours.
    fn fill(&mut self, hand: HandCase) -> Result<Hand, DamagedCase> {
        match (hand.pattern, hand.honours) {
            (Some(index), honours) => {
                // Honours that are fixed are not to be chosen again.
                let pool = if honours.is_some() {
                    Hand::SPOTS
                } else {
                    Hand::DECK
                };
                let held = honours.unwrap_or(Honours::NONE).counts();
                let lengths = index.pattern().lengths();
                let mut filled = Hand::EMPTY;
                for suit in Suit::ALL {
                    let take = lengths[suit.index()].checked_sub(held[suit.index()]);
                    let take = take.ok_or(DamagedCase::Weight)?;
                    let pool = pool.intersection(Hand::whole_suit(suit));
                    let chosen = self.choose(pool, usize::from(take), subset::unrank_in_suit)?;
                    filled = filled.union(chosen);
                }
                Ok(filled)
            }
            (None, Some(honours)) => {
                let take = 13usize.saturating_sub(honours.len() as usize);
                self.choose(Hand::SPOTS, take, |index, take| {
                    subset::unrank(index, 36, take)
                })
            }
            (None, None) => Ok(Hand::EMPTY),
        }
    }

    /// Takes so many cards of the pool that are not used yet, by the next digit.
    fn choose(
        &mut self,
        pool: Hand,
        take: usize,
        unrank: impl Fn(u64, usize) -> u64,
    ) -> Result<Hand, DamagedCase> {
        let pool = pool.without(self.used);
        let ways = choose_u64(pool.len() as usize, take);
        if ways == 0 {
            return Err(DamagedCase::Weight);
        }
        let chosen = subset::deposit(unrank(self.rest % ways, take), pool);
        self.rest /= ways;
        self.product = self.product.checked_mul(ways).ok_or(DamagedCase::Weight)?;
        self.used = self.used.union(chosen);
        Ok(chosen)
    }
}

/// Deals what is left to the seats that are not listed.
///
/// `completion` is a number below [`completions`](super::completions): with two seats left the
/// first in the order north, east, south, west takes the thirteen of the 26
/// cards at that place in squashed order; with three the quotient by C(26,13)
/// gives the first seat's thirteen of 39, and the remainder the second's.
pub(super) fn remaining_hands(
    mut hands: [Hand; 4],
    listed: [bool; 4],
    completion: u64,
) -> Result<Deal, DamagedCase> {
    let mut left = hands
        .iter()
        .fold(Hand::DECK, |left, &hand| left.without(hand));
    let others = Seat::ALL.into_iter().filter(|seat| !listed[seat.index()]);
    let mut rest = completion;
    for seat in others {
        let cards = left.len() as usize;
        let hand = match cards {
            13 => left,
            26 | 39 => {
                let later = completions_of(cards - 13);
                let place = rest / later;
                rest %= later;
                subset::deposit(subset::unrank(place, cards, 13), left)
            }
            _ => return Err(DamagedCase::Weight),
        };
        hands[seat.index()] = hand;
        left = left.without(hand);
    }
    Ok(Deal::by_construction(hands))
}

/// In how many ways so many cards are dealt to hands of thirteen.
pub(super) const fn completions_of(cards: usize) -> u64 {
    match cards {
        26 => choose_u64(26, 13),
        39 => choose_u64(39, 13) * choose_u64(26, 13),
        _ => 1,
    }
}
