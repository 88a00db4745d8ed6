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
    let mut digits = rest;
    let (hands, product) = fill(case, |choice| {
        let digit = digits % choice.ways;
        digits /= choice.ways;
        let cards = choice.pool.len() as usize;
        let subset = if cards <= subset::SUIT {
            subset::unrank_in_suit(digit, choice.take)
        } else {
            subset::unrank(digit, cards, choice.take)
        };
        Ok(subset::deposit(subset, choice.pool))
    })?;
    if digits == 0 && product == weight {
        Ok(hands)
    } else {
        Err(DamagedCase::Weight)
    }
}

/// [`listed_hands`] undone: the number below the case's weight of these hands, if they
/// are of the case.
pub(super) fn number_of_hands(
    case: Case,
    hands: [Hand; 2],
    weight: u64,
) -> Result<u64, DamagedCase> {
    let (mut rest, mut base) = (0, 1);
    let (filled, product) = fill(case, |choice| {
        let chosen = hands[choice.hand].intersection(choice.pool);
        if chosen.len() as usize != choice.take {
            return Err(DamagedCase::Weight);
        }
        // Below the product of all ways so far, which fits in 64 bits.
        rest += base * subset::rank(subset::extract(chosen, choice.pool));
        base *= choice.ways;
        Ok(chosen)
    })?;
    if filled == hands && product == weight {
        Ok(rest)
    } else {
        Err(DamagedCase::Weight)
    }
}

/// Cards to be chosen for a hand of a case.
struct Choice {
    /// 0 the first hand, 1 the second.
    hand: usize,
    pool: Hand,
    take: usize,
    /// In how many ways, at least one.
    ways: u64,
}

/// The hands of a case, filled by one choice after the other, and the product of their ways.
fn fill(
    case: Case,
    mut choose: impl FnMut(Choice) -> Result<Hand, DamagedCase>,
) -> Result<([Hand; 2], u64), DamagedCase> {
    let honours = |hand: HandCase| Hand::from_honours(hand.honours.unwrap_or(Honours::NONE));
    let cases = [case.first, case.second.unwrap_or_default()];
    let mut hands = cases.map(honours);
    if !hands[0].intersection(hands[1]).is_empty() {
        return Err(DamagedCase::Weight);
    }
    let by_both = |hand: HandCase| hand.pattern.is_some() && hand.honours.is_some();
    let first_to_fill = usize::from(by_both(cases[1]) && !by_both(cases[0]));
    let mut product: u64 = 1;
    for hand in [first_to_fill, 1 - first_to_fill] {
        for (pool, take) in open(cases[hand])? {
            let pool = pool.without(hands[0]).without(hands[1]);
            let ways = choose_u64(pool.len() as usize, take);
            if ways == 0 {
                return Err(DamagedCase::Weight);
            }
            product = product.checked_mul(ways).ok_or(DamagedCase::Weight)?;
            let chosen = choose(Choice {
                hand,
                pool,
                take,
                ways,
            })?;
            hands[hand] = hands[hand].union(chosen);
        }
    }
    Ok((hands, product))
}

/// From which cards, and how many of them, a hand is filled beside its fixed honours:
/// suit by suit, or from all at once and then from none.
fn open(hand: HandCase) -> Result<[(Hand, usize); 4], DamagedCase> {
    let mut choices = [(Hand::EMPTY, 0); 4];
    // Honours that are fixed are not to be chosen again.
    let pool = match hand.honours {
        Some(_) => Hand::SPOTS,
        None => Hand::DECK,
    };
    let honours = hand.honours.unwrap_or(Honours::NONE);
    match hand.pattern {
        Some(index) => {
            let (lengths, held) = (index.pattern().lengths(), honours.counts());
            for (choice, suit) in choices.iter_mut().zip(Suit::ALL) {
                let take = lengths[suit.index()].checked_sub(held[suit.index()]);
                let take = take.ok_or(DamagedCase::Weight)?;
                *choice = (pool.intersection(Hand::whole_suit(suit)), take.into());
            }
        }
        None if hand.honours.is_some() => {
            choices[0] = (pool, 13usize.saturating_sub(honours.len() as usize));
        }
        None => {}
    }
    Ok(choices)
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

/// [`remaining_hands`] undone: the number below the completions of a deal.
pub(super) fn completion_of(deal: &Deal, listed: [bool; 4]) -> u64 {
    let taken = |left: Hand, seat: Seat| left.without(deal.hand(seat));
    let is_listed = |seat: &Seat| listed[seat.index()];
    let mut left = Seat::ALL
        .into_iter()
        .filter(is_listed)
        .fold(Hand::DECK, taken);
    let mut completion = 0;
    for seat in Seat::ALL.into_iter().filter(|seat| !is_listed(seat)) {
        let place = subset::rank(subset::extract(deal.hand(seat), left));
        left = taken(left, seat);
        completion += place * completions_of(left.len() as usize);
    }
    completion
}

/// In how many ways so many cards are dealt to hands of thirteen.
pub(super) const fn completions_of(cards: usize) -> u64 {
    match cards {
        26 => choose_u64(26, 13),
        39 => choose_u64(39, 13) * choose_u64(26, 13),
        _ => 1,
    }
}
