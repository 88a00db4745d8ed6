//! Completion of a case to a deal: the spot cards of the listed hands, then the other hands.

use crate::bridge::combinatorics::{choose_u64, subset, ways_to_deal};
use crate::bridge::{Deal, Hand, Seat, Suit};
use crate::language::HandCase;
use crate::population::cases::{Case, CaseFile, DamagedRecord};

/// A case that cannot be dealt, because the case file was modified after it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamagedCase {
    /// No record contains the number that was drawn.
    #[error("no case contains number {0}")]
    NoCase(u128),
    /// The number of ways to deal the other hands is not above this completion.
    #[error("completion {0} is out of range")]
    NoCompletion(u64),
    /// The record contains bits that fairdeal never writes.
    #[error("a case is corrupted")]
    Record(#[from] DamagedRecord),
    /// The totals do not increase from case to case up to T.
    #[error("the totals do not increase to T")]
    Totals,
    /// The record's hands cannot be dealt, or their number of ways differs from the totals.
    #[error("the weight of a case does not match its totals")]
    Weight,
}

/// The seats that a case file lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompletionTable {
    first: Seat,
    second: Option<Seat>,
}

impl CompletionTable {
    /// Returns the table of a file.
    pub(super) fn of<D: AsRef<[u8]>>(file: &CaseFile<D>) -> Self {
        let (first, second) = file.seats();
        Self { first, second }
    }

    /// Returns the deal with this case, this number `rest` below its weight, and this completion.
    ///
    /// Every number below the weight gives a different pair of hands. Its digits, the lowest first,
    /// are in mixed base: the bases are the factors of the weight, and the digits are the ranks of
    /// the chosen cards in squashed order. A hand with pattern and honours comes before a hand with
    /// only one of them; otherwise the first hand comes first. Within a hand, spades come first.
    pub(super) fn deal(
        &self,
        case: Case,
        (rest, weight): (u64, u64),
        completion: u64,
    ) -> Result<Deal, DamagedCase> {
        let mut digits = rest;
        let filled = self.fill(case, weight, |choice| {
            let digit = digits % choice.ways;
            digits /= choice.ways;
            Ok(choice.cards(digit))
        })?;
        let mut hands = [Hand::EMPTY; 4];
        for (seat, hand) in self.listed().zip(filled) {
            if hand.len() != 13 || digits != 0 {
                return Err(DamagedCase::Weight);
            }
            hands[seat.index()] = hand;
        }
        remaining_hands(hands, self.missing(), completion)
    }

    /// Inverse of [`CompletionTable::deal`]: returns the number below the case's weight and the completion of
    /// a deal.
    ///
    /// # Errors
    ///
    /// [`DamagedCase::Weight`] if the deal does not belong to the case.
    pub(super) fn numbers(
        &self,
        case: Case,
        deal: &Deal,
        weight: u64,
    ) -> Result<(u64, u64), DamagedCase> {
        let mut hands = [Hand::EMPTY; 2];
        for (hand, seat) in hands.iter_mut().zip(self.listed()) {
            *hand = deal.hand(seat);
        }
        let (mut rest, mut base) = (0, 1);
        let filled = self.fill(case, weight, |choice| {
            let (chosen, digit) = choice.of(hands[choice.hand])?;
            // Less than the product of all ways so far, which fits in 64 bits.
            rest += base * digit;
            base *= choice.ways;
            Ok(chosen)
        })?;
        if filled != hands {
            return Err(DamagedCase::Weight);
        }
        let dealt = self.listed().map(|seat| deal.hand(seat));
        let left = dealt.fold(Hand::DECK, Hand::without);
        Ok((rest, completion_of(deal, left, self.missing())))
    }

    /// Returns the number of ways to deal the remaining cards to the seats that are not listed.
    pub(super) fn completions(&self) -> u64 {
        ways_to_deal(self.missing()) as u64
    }

    fn listed(&self) -> impl Iterator<Item = Seat> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    fn is_listed(&self, seat: Seat) -> bool {
        seat == self.first || Some(seat) == self.second
    }

    /// Returns the number of cards that each seat lacks, 0 for the listed seats.
    fn missing(&self) -> [usize; 4] {
        Seat::ALL.map(|seat| if self.is_listed(seat) { 0 } else { 13 })
    }

    /// Fills the hands of a case, first and second, one choice after the other. The product of
    /// their ways must equal the weight that follows from the case file's totals.
    fn fill(
        &self,
        case: Case,
        weight: u64,
        mut choose: impl FnMut(CardChoice) -> Result<Hand, DamagedCase>,
    ) -> Result<[Hand; 2], DamagedCase> {
        let cases = [case.first, case.second.unwrap_or_default()];
        let mut hands = cases.map(|case| case.honours.map_or(Hand::EMPTY, Hand::from_honours));
        if !hands[0].intersection(hands[1]).is_empty() {
            return Err(DamagedCase::Weight);
        }
        let by_both = |hand: HandCase| hand.pattern.is_some() && hand.honours.is_some();
        let first_to_fill = usize::from(by_both(cases[1]) && !by_both(cases[0]));
        let mut product: u64 = 1;
        for hand in [first_to_fill, 1 - first_to_fill] {
            for (pool, take) in open(cases[hand], hands[hand])? {
                let pool = pool.without(hands[0]).without(hands[1]);
                let ways = choose_u64(pool.len() as usize, take);
                if ways == 0 {
                    return Err(DamagedCase::Weight);
                }
                product = product.checked_mul(ways).ok_or(DamagedCase::Weight)?;
                let chosen = choose(CardChoice {
                    hand,
                    pool,
                    take,
                    ways,
                })?;
                hands[hand] = hands[hand].union(chosen);
            }
        }
        match product == weight {
            true => Ok(hands),
            false => Err(DamagedCase::Weight),
        }
    }
}

/// Deals the rest of the deck to the seats that lack cards.
///
/// `completion` is a number below [`completions`](super::completions). The seats come in the order
/// north, east, south, west. The quotient of `completion` by the number of ways to deal the later
/// seats is the rank, in squashed order, of the first seat's cards among the cards that remain. The
/// remainder deals the later seats in the same way.
pub fn remaining_hands(
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

/// Inverse of [`remaining_hands`]: returns the completion of a deal, where the cards in `left` were
/// dealt to the seats that lack cards.
pub fn completion_of(deal: &Deal, mut left: Hand, mut missing: [usize; 4]) -> u64 {
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

/// A choice of cards for one hand of a case.
#[derive(Clone, Copy)]
pub struct CardChoice {
    /// 0 for the first hand, 1 for the second; for cells, the role.
    pub hand: usize,
    /// The cards that it chooses from.
    pub pool: Hand,
    /// The number of cards that it takes.
    pub take: usize,
    /// Number of ways to choose, at least one.
    pub ways: u64,
}

impl CardChoice {
    /// Returns the cards with this rank in squashed order; the rank is below the number of ways.
    pub fn cards(&self, place: u64) -> Hand {
        let cards = self.pool.len() as usize;
        let subset = if cards <= subset::SUIT {
            subset::unrank_in_suit(place, self.take)
        } else {
            subset::unrank(place, cards, self.take)
        };
        subset::deposit(subset, self.pool)
    }

    /// Returns the cards of the pool that a hand holds, and their rank.
    pub fn of(&self, hand: Hand) -> Result<(Hand, u64), DamagedCase> {
        let chosen = hand.intersection(self.pool);
        if chosen.len() as usize != self.take {
            return Err(DamagedCase::Weight);
        }
        let place = subset::rank(subset::extract(chosen, self.pool));
        Ok((chosen, place))
    }
}

/// Returns, for each step, the cards to choose from and how many to choose to complete a hand.
/// Steps are suits if the pattern is known; otherwise the first step takes all cards.
pub fn open(hand: HandCase, held: Hand) -> Result<[(Hand, usize); 4], DamagedCase> {
    let mut choices = [(Hand::EMPTY, 0); 4];
    // The honours are fixed and must not be chosen again.
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
