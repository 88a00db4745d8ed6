//! Numbers of a condition's deals, without a listing: every integer in [0, T × completions) is the
//! number of one deal.
//!
//! The quotient by the number of completions selects the choice from the cells, in their order. Its
//! remainder within that choice gives the ranks (in squashed order) of the spot cards, or of all
//! cards, of the dealt hands. These ranks are digits in mixed base, the lowest first; the bases are
//! the numbers of ways. The remainder by the number of completions deals the other hands, as for a
//! case file. For the same condition these numbers differ from those of a case file in
//! [`cases`](super::cases). docs/reference/numbers.md has the details.

use super::OutOfRange;
use crate::bridge::combinatorics::choose_u64;
use crate::bridge::{Deal, Hand, Seat};
use crate::draw::{CardChoice, completion_of, open, remaining_hands};
use crate::population::cells::{CellChoice, Cells, Numbers};

/// The numbering of a condition's deals by cells.
#[derive(Debug)]
pub struct CellNumbering<'c> {
    cells: &'c Cells,
    numbers: Numbers<'c>,
}

/// The error for a deal without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deal does not satisfy the condition")]
pub struct NotTheCondition;

impl<'c> CellNumbering<'c> {
    /// Orders the choices. This takes as long as making the cells took.
    pub fn new(cells: &'c Cells) -> Self {
        let numbers = Numbers::new(cells);
        Self { cells, numbers }
    }

    /// Returns T × completions, at most D.
    pub fn count(&self) -> u128 {
        self.cells.chance().0
    }

    /// Returns the deal with this number.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the number is not below [`Self::count`].
    pub fn decode(&self, number: u128) -> Result<Deal, OutOfRange> {
        let count = self.count();
        OutOfRange::check(number, count)?;
        self.deal(number).ok_or(OutOfRange { number, count })
    }

    fn deal(&self, number: u128) -> Option<Deal> {
        let completions = u128::from(self.cells.completions());
        let (place, completion) = (number / completions, (number % completions) as u64);
        let choice = self.numbers.choice(place)?;
        let mut digits = place - choice.first;
        let filled = self.fill(&choice, |choice| {
            let ways = u128::from(choice.ways);
            let digit = (digits % ways) as u64;
            digits /= ways;
            Some(choice.cards(digit))
        })?;
        let mut hands = Seat::ALL.map(|seat| self.cells.predeal().hand(seat));
        for (&seat, hand) in self.cells.seats().iter().zip(filled) {
            hands[seat.index()] = hand;
        }
        remaining_hands(hands, self.cells.missing(), completion).ok()
    }

    /// Returns the number of a deal, below [`Self::count`].
    ///
    /// # Errors
    ///
    /// [`NotTheCondition`] if the deal does not satisfy the condition.
    pub fn encode(&self, deal: &Deal) -> Result<u128, NotTheCondition> {
        self.number(deal).ok_or(NotTheCondition)
    }

    fn number(&self, deal: &Deal) -> Option<u128> {
        let choice = self.numbers.choice_of(deal)?;
        let seats = self.cells.seats();
        let (mut rest, mut base) = (0, 1);
        self.fill(&choice, |choice| {
            let (chosen, digit) = choice.of(deal.hand(seats[choice.hand])).ok()?;
            rest += base * u128::from(digit);
            base *= u128::from(choice.ways);
            Some(chosen)
        })?;
        let dealt = seats.iter().map(|&seat| deal.hand(seat));
        let free = Hand::DECK.without(self.cells.predeal().all());
        let left = dealt.fold(free, Hand::without);
        let completion = completion_of(deal, left, self.cells.missing());
        let place = choice.first + rest;
        Some(place * u128::from(self.cells.completions()) + u128::from(completion))
    }

    /// Fills the dealt hands, one choice after the other, and returns them by role.
    fn fill(
        &self,
        choice: &CellChoice,
        mut choose: impl FnMut(CardChoice) -> Option<Hand>,
    ) -> Option<[Hand; 3]> {
        let cases = self.numbers.hands(choice);
        let mut hands = cases.map(|case| case.honours.map_or(Hand::EMPTY, Hand::from_honours));
        let predeal = self.cells.predeal();
        for (hand, &seat) in hands.iter_mut().zip(self.cells.seats()) {
            *hand = hand.union(predeal.hand(seat));
        }
        let mut product: u128 = 1;
        for role in 0..self.cells.seats().len() {
            for (pool, take) in open(cases[role], hands[role]).ok()? {
                let pool = pool.without(predeal.all());
                let pool = hands.iter().fold(pool, |pool, &hand| pool.without(hand));
                let ways = choose_u64(pool.len() as usize, take);
                product *= u128::from(ways);
                if ways == 0 {
                    return None;
                }
                let chosen = choose(CardChoice {
                    hand: role,
                    pool,
                    take,
                    ways,
                })?;
                hands[role] = hands[role].union(chosen);
            }
        }
        debug_assert_eq!(product, choice.ways);
        Some(hands)
    }
}
