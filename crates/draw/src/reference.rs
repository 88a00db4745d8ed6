//! The slow, obvious path: integers in [0, T × completions) to deals and back.
//!
//! It shares no code with the fast path: cards are kept in lists, subsets are found by recursion on
//! their largest card, and the case is found by going through the records from the first. Tests
//! compare the fast path with it on sound files. On damaged files it may panic, which no other part
//! of the program may do.

use crate::bridge::{Card, Deal, Hand, Seat};
use crate::language::HandCase;
use crate::population::cases::{Case, CaseFile};

/// Returns the deal with this number, or `None` if the number is not below T × completions.
///
/// The number's quotient by the number of completions selects the case and fills its hands; the
/// remainder deals the other hands.
pub fn deal_of_number<D: AsRef<[u8]>>(file: &CaseFile<D>, number: u128) -> Option<Deal> {
    let (first, second) = file.seats();
    let completions = completions(first, second);
    let (place, completion) = (number / completions, number % completions);
    let case = file
        .records()
        .iter()
        .position(|record| record.total() > place)?;
    let rest = place - file.total_before(case as u64);
    let case = file.records()[case].case().ok()?;

    let mut table = CardOwners::new(case, first, second);
    let mut digits = rest;
    for (seat, pool, take) in table.choices(case, first, second) {
        let pool = table.left(pool);
        let ways = number_of_subsets(pool.len(), take);
        table.give(seat, &nth_subset(&pool, take, digits % ways));
        digits /= ways;
    }
    let mut completion = completion;
    let mut later = completions;
    for seat in others(first, second) {
        let left = table.left(Card::all());
        let take = table.missing(seat);
        later /= number_of_subsets(left.len(), take);
        table.give(seat, &nth_subset(&left, take, completion / later));
        completion %= later;
    }
    table.deal()
}

/// Returns the number of this deal, or `None` if the deal does not belong to the case file.
pub fn number_of_deal<D: AsRef<[u8]>>(file: &CaseFile<D>, deal: &Deal) -> Option<u128> {
    let (first, second) = file.seats();
    let fits = |seat: Seat, case: HandCase| {
        let hand = deal.hand(seat);
        case.pattern
            .is_none_or(|index| hand.pattern() == Some(index.pattern()))
            && case.honours.is_none_or(|honours| hand.honours() == honours)
    };
    let place = file.records().iter().position(|record| {
        record.case().is_ok_and(|case| {
            fits(first, case.first)
                && match (second, case.second) {
                    (Some(seat), Some(case)) => fits(seat, case),
                    _ => second.is_none(),
                }
        })
    })?;
    let case = file.records()[place].case().ok()?;

    let mut table = CardOwners::new(case, first, second);
    let (mut rest, mut base) = (0, 1);
    for (seat, pool, take) in table.choices(case, first, second) {
        let pool = table.left(pool);
        let chosen = held(deal, seat, &pool);
        rest += base * place_of_subset(&pool, &chosen);
        base *= number_of_subsets(pool.len(), take);
        table.give(seat, &chosen);
    }
    let mut completion = 0;
    for seat in others(first, second) {
        let left = table.left(Card::all());
        let chosen = held(deal, seat, &left);
        completion = completion * number_of_subsets(left.len(), chosen.len())
            + place_of_subset(&left, &chosen);
        table.give(seat, &chosen);
    }
    let place = file.total_before(place as u64) + rest;
    Some(place * completions(first, second) + completion)
}

/// The cards given out so far, by seat.
struct CardOwners {
    owners: [Option<Seat>; 52],
}

impl CardOwners {
    /// Gives out the honours of the case.
    fn new(case: Case, first: Seat, second: Option<Seat>) -> Self {
        let mut table = Self { owners: [None; 52] };
        let second = second.zip(case.second);
        for (seat, case) in [Some((first, case.first)), second].into_iter().flatten() {
            if let Some(honours) = case.honours {
                let cards: Vec<Card> = Hand::from_honours(honours).cards().collect();
                table.give(seat, &cards);
            }
        }
        table
    }

    /// Returns the choices for the listed hands that remain: seat, cards, number of cards.
    fn choices(
        &self,
        case: Case,
        first: Seat,
        second: Option<Seat>,
    ) -> Vec<(Seat, Vec<Card>, usize)> {
        let mut hands = vec![(first, case.first)];
        hands.extend(second.zip(case.second));
        let both = |case: &HandCase| case.pattern.is_some() && case.honours.is_some();
        hands.sort_by_key(|(_, case)| !both(case));
        let mut choices = Vec::new();
        for (seat, case) in hands {
            let open = |card: &Card| case.honours.is_none() || !card.rank().is_honour();
            let held = |suit| {
                let mine = |card: &Card| card.suit() == suit && self.owner(*card) == Some(seat);
                Card::all().filter(mine).count()
            };
            match case.pattern {
                Some(index) => {
                    for suit in crate::bridge::Suit::ALL {
                        let pool = Card::all().filter(|card| card.suit() == suit).filter(open);
                        let length = usize::from(index.pattern().length(suit));
                        choices.push((seat, pool.collect(), length - held(suit)));
                    }
                }
                None => {
                    let take = self.missing(seat);
                    choices.push((seat, Card::all().filter(open).collect(), take));
                }
            }
        }
        choices
    }

    /// Returns the number of cards that a seat lacks.
    fn missing(&self, seat: Seat) -> usize {
        let mine = |card: &Card| self.owner(*card) == Some(seat);
        13 - Card::all().filter(mine).count()
    }

    /// Those of the cards that nobody has.
    fn left(&self, cards: impl IntoIterator<Item = Card>) -> Vec<Card> {
        let cards = cards.into_iter();
        cards.filter(|&card| self.owner(card).is_none()).collect()
    }

    fn owner(&self, card: Card) -> Option<Seat> {
        self.owners[card.index()]
    }

    fn give(&mut self, seat: Seat, cards: &[Card]) {
        for card in cards {
            self.owners[card.index()] = Some(seat);
        }
    }

    fn deal(&self) -> Option<Deal> {
        let hand = |seat| {
            Card::all()
                .filter(|&card| self.owner(card) == Some(seat))
                .collect()
        };
        Deal::new(Seat::ALL.map(hand)).ok()
    }
}

/// Those of the cards that a seat has.
fn held(deal: &Deal, seat: Seat, cards: &[Card]) -> Vec<Card> {
    let cards = cards.iter().copied();
    cards
        .filter(|&card| deal.hand(seat).contains(card))
        .collect()
}

/// Returns the seats that are not listed.
fn others(first: Seat, second: Option<Seat>) -> Vec<Seat> {
    Seat::ALL
        .into_iter()
        .filter(|&seat| seat != first && Some(seat) != second)
        .collect()
}

fn completions(first: Seat, second: Option<Seat>) -> u128 {
    let others = others(first, second).len();
    let ways = (1..=others).map(|hands| number_of_subsets(13 * hands, 13));
    ways.product()
}

/// Returns n choose k, by multiplication.
fn number_of_subsets(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (1..=k as u128).fold(1, |ways, i| ways * (n as u128 - k as u128 + i) / i)
}

/// In squashed order, the subsets without the last card come before those with it.
fn nth_subset(cards: &[Card], take: usize, place: u128) -> Vec<Card> {
    let Some((&last, before)) = cards.split_last() else {
        return Vec::new();
    };
    let without = number_of_subsets(before.len(), take);
    if place < without {
        return nth_subset(before, take, place);
    }
    let mut subset = nth_subset(before, take - 1, place - without);
    subset.push(last);
    subset
}

fn place_of_subset(cards: &[Card], subset: &[Card]) -> u128 {
    let Some((last, before)) = cards.split_last() else {
        return 0;
    };
    match subset.split_last() {
        Some((top, rest)) if top == last => {
            number_of_subsets(before.len(), subset.len()) + place_of_subset(before, rest)
        }
        _ => place_of_subset(before, subset),
    }
}
