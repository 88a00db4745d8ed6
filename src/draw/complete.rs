//! From a case and numbers to a deal: the spots of the listed hands, then the rest.

use crate::bridge::combinatorics::{choose_u64, subset, ways_to_deal};
use crate::bridge::{Deal, Hand, Seat, Suit};
use crate::language::{HandCase, Predeal};
use crate::population::cases::{Case, CaseFile, DamagedRecord};

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
    #[error("a case is corrupted")]
    Record(#[from] DamagedRecord),
    /// The totals do not rise from case to case up to T.
    #[error("the totals do not increase to T")]
    Totals,
    /// The record's hands cannot be dealt, or not in as many ways as its totals say.
    #[error("the weight of a case does not match its totals")]
    Weight,
}

/// Whose hands a case file lists, and the cards that they have before any are dealt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    first: Seat,
    second: Option<Seat>,
    predeal: Predeal,
    /// All cards that are predealt.
    fixed: Hand,
}

impl Table {
    /// The table of a file.
    pub(super) fn of<D: AsRef<[u8]>>(file: &CaseFile<D>) -> Self {
        let (first, second) = (file.header().first, file.header().second);
        Self {
            first,
            second,
            predeal: *file.predeal(),
            fixed: file.predeal().all(),
        }
    }

    /// Whether no card is predealt.
    pub(super) fn is_empty(&self) -> bool {
        self.fixed.is_empty()
    }

    /// The deal of a case, of a number below its weight and one below the completions.
    pub(super) fn deal(
        &self,
        case: Case,
        (rest, weight): (u64, u64),
        completion: u64,
    ) -> Result<Deal, DamagedCase> {
        let filled = self.listed_hands(case, rest, weight)?;
        let mut hands = Seat::ALL.map(|seat| self.predeal.hand(seat));
        for (seat, hand) in self.listed().zip(filled) {
            if hand.len() != 13 {
                return Err(DamagedCase::Weight);
            }
            hands[seat.index()] = hand;
        }
        remaining_hands(hands, self.missing(), completion)
    }

    /// [`Table::deal`] undone: the number below the case's weight and the one below the
    /// completions, if the deal is of the case.
    pub(super) fn numbers(
        &self,
        case: Case,
        deal: &Deal,
        weight: u64,
    ) -> Result<(u64, u64), DamagedCase> {
        if !self.predeal.is_in(deal) {
            return Err(DamagedCase::Weight);
        }
        let mut hands = [Hand::EMPTY; 2];
        for (hand, seat) in hands.iter_mut().zip(self.listed()) {
            *hand = deal.hand(seat);
        }
        let rest = self.number_of_hands(case, hands, weight)?;
        let dealt = self.listed().map(|seat| deal.hand(seat));
        let left = dealt.fold(Hand::DECK.without(self.fixed), Hand::without);
        Ok((rest, completion_of(deal, left, self.missing())))
    }

    /// In how many ways the seats that are not listed can be dealt the rest.
    pub(super) fn completions(&self) -> u64 {
        ways_to_deal(self.missing()) as u64
    }

    fn listed(&self) -> impl Iterator<Item = Seat> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    fn is_listed(&self, seat: Seat) -> bool {
        seat == self.first || Some(seat) == self.second
    }

    /// How many cards each seat lacks, 0 for those that are listed.
    fn missing(&self) -> [usize; 4] {
        Seat::ALL.map(|seat| {
            if self.is_listed(seat) {
                0
            } else {
                13 - self.predeal.hand(seat).len() as usize
            }
        })
    }

    /// The two hands of a case filled up, in the order first, second; one if one is listed.
    ///
    /// `rest` is a number below the case's weight, and every such number is
    /// another pair of hands: its digits, the lowest first, in the mixed base of
    /// the factors of the weight, are the places of the chosen cards in squashed
    /// order. A hand by both comes before one by pattern or by honours alone;
    /// otherwise the first hand comes first; within a hand spades come first.
    /// The factors must come to the weight that the case file's totals gave.
    fn listed_hands(&self, case: Case, rest: u64, weight: u64) -> Result<[Hand; 2], DamagedCase> {
        let mut digits = rest;
        let (hands, product) = self.fill(case, |choice| {
            let digit = digits % choice.ways;
            digits /= choice.ways;
            Ok(choice.cards(digit))
        })?;
        if digits == 0 && product == weight {
            Ok(hands)
        } else {
            Err(DamagedCase::Weight)
        }
    }

    /// [`Table::listed_hands`] undone: the number below the case's weight of these hands,
    /// if they are of the case.
    fn number_of_hands(
        &self,
        case: Case,
        hands: [Hand; 2],
        weight: u64,
    ) -> Result<u64, DamagedCase> {
        let (mut rest, mut base) = (0, 1);
        let (filled, product) = self.fill(case, |choice| {
            let (chosen, digit) = choice.of(hands[choice.hand])?;
            // Below the product of all ways so far, which fits in 64 bits.
            rest += base * digit;
            base *= choice.ways;
            Ok(chosen)
        })?;
        if filled == hands && product == weight {
            Ok(rest)
        } else {
            Err(DamagedCase::Weight)
        }
    }

    /// The hands of a case, filled by one choice after the other, and the product of their ways.
    fn fill(
        &self,
        case: Case,
        mut choose: impl FnMut(Choice) -> Result<Hand, DamagedCase>,
    ) -> Result<([Hand; 2], u64), DamagedCase> {
        let cases = [case.first, case.second.unwrap_or_default()];
        let own = [Some(self.first), self.second]
            .map(|seat| seat.map_or(Hand::EMPTY, |seat| self.predeal.hand(seat)));
        let mut hands = own;
        for ((hand, own), case) in hands.iter_mut().zip(own).zip(cases) {
            if let Some(honours) = case.honours {
                // Those that are predealt, and no others that are.
                let honours = Hand::from_honours(honours);
                if honours.intersection(self.fixed) != own.intersection(Hand::HONOURS) {
                    return Err(DamagedCase::Weight);
                }
                *hand = own.union(honours);
            }
        }
        if !hands[0].intersection(hands[1]).is_empty() {
            return Err(DamagedCase::Weight);
        }
        let by_both = |hand: HandCase| hand.pattern.is_some() && hand.honours.is_some();
        let first_to_fill = usize::from(by_both(cases[1]) && !by_both(cases[0]));
        let mut product: u64 = 1;
        for hand in [first_to_fill, 1 - first_to_fill] {
            for (pool, take) in open(cases[hand], hands[hand])? {
                let pool = pool.without(self.fixed).without(hands[0]).without(hands[1]);
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
}

/// Deals what is left of the deck to the seats that lack cards.
///
/// `completion` is a number below [`completions`](super::completions): the seats in the
/// order north, east, south, west, its quotient by the ways to deal the others is
/// the place in squashed order of the cards that the first lacks among those that
/// are left, and so on with the remainder.
pub(super) fn remaining_hands(
    mut hands: [Hand; 4],
    mut missing: [usize; 4],
    completion: u64,
) -> Result<Deal, DamagedCase> {
    let mut left = hands
        .iter()
        .fold(Hand::DECK, |left, &hand| left.without(hand));
    if left.len() as usize != missing.iter().sum::<usize>() {
        return Err(DamagedCase::Weight);
    }
    let mut rest = completion;
    for seat in Seat::ALL {
        let take = std::mem::take(&mut missing[seat.index()]);
        if take == 0 {
            continue;
        }
        let cards = left.len() as usize;
        let chosen = if take == cards {
            left
        } else {
            let later = ways_to_deal(missing) as u64;
            let place = rest / later;
            rest %= later;
            subset::deposit(subset::unrank(place, cards, take), left)
        };
        hands[seat.index()] = hands[seat.index()].union(chosen);
        left = left.without(chosen);
    }
    Ok(Deal::by_construction(hands))
}

/// [`remaining_hands`] undone: the number below the completions of a deal, of which the
/// cards in `left` were dealt to the seats that lack cards.
pub(super) fn completion_of(deal: &Deal, mut left: Hand, mut missing: [usize; 4]) -> u64 {
    let mut completion = 0;
    for seat in Seat::ALL {
        if std::mem::take(&mut missing[seat.index()]) == 0 {
            continue;
        }
        let chosen = deal.hand(seat).intersection(left);
        let place = subset::rank(subset::extract(chosen, left));
        left = left.without(chosen);
        completion += place * ways_to_deal(missing) as u64;
    }
    completion
}

/// Cards to be chosen for a hand of a case.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// 0 the first hand, 1 the second; of cells, its role.
    pub(super) hand: usize,
    pub(super) pool: Hand,
    pub(super) take: usize,
    /// In how many ways, at least one.
    pub(super) ways: u64,
}

impl Choice {
    /// The cards of a number below the ways: their place in squashed order.
    pub(super) fn cards(&self, place: u64) -> Hand {
        let cards = self.pool.len() as usize;
        let subset = if cards <= subset::SUIT {
            subset::unrank_in_suit(place, self.take)
        } else {
            subset::unrank(place, cards, self.take)
        };
        subset::deposit(subset, self.pool)
    }

    /// The cards that a hand chose, and their place.
    pub(super) fn of(&self, hand: Hand) -> Result<(Hand, u64), DamagedCase> {
        let chosen = hand.intersection(self.pool);
        if chosen.len() as usize != self.take {
            return Err(DamagedCase::Weight);
        }
        let place = subset::rank(subset::extract(chosen, self.pool));
        Ok((chosen, place))
    }
}

/// From which cards, and how many of them, a hand is filled beside those that it holds:
/// suit by suit, or from all at once and then from none.
pub(super) fn open(hand: HandCase, held: Hand) -> Result<[(Hand, usize); 4], DamagedCase> {
    let mut choices = [(Hand::EMPTY, 0); 4];
    // Honours that are fixed are not to be chosen again.
    let pool = match hand.honours {
        Some(_) => Hand::SPOTS,
        None => Hand::DECK,
    };
    match hand.pattern {
        Some(index) => {
            let (lengths, held) = (index.pattern().lengths(), held.lengths());
            for (choice, suit) in choices.iter_mut().zip(Suit::ALL) {
                let take = lengths[suit.index()].checked_sub(held[suit.index()]);
                let take = take.ok_or(DamagedCase::Weight)?;
                *choice = (pool.intersection(Hand::whole_suit(suit)), take.into());
            }
        }
        None if hand.honours.is_some() => {
            let take = 13usize.checked_sub(held.len() as usize);
            choices[0] = (pool, take.ok_or(DamagedCase::Weight)?);
        }
        None => {}
    }
    Ok(choices)
}

impl From<DamagedCase> for crate::error::Error {
    fn from(error: DamagedCase) -> Self {
        Self::input(error)
    }
}
