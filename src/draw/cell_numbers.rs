//! The deals of cells by number: every integer in [0, T × completions) is one.
//!
//! The quotient by the completions chooses what cells choose, in their order; what is left
//! of it are the places in squashed order of the spots, or the cards, of the dealt hands, in
//! the mixed base of their ways, the lowest digit first. The remainder deals the rest, as
//! of a case file.

use super::complete::{self, completion_of, remaining_hands};
use crate::bridge::combinatorics::choose_u64;
use crate::bridge::{Deal, Hand, Seat};
use crate::population::cells::{Cells, Choice, Numbers};

/// The deals of some cells, by number.
#[derive(Debug)]
pub struct CellNumbers<'c> {
    cells: &'c Cells,
    numbers: Numbers<'c>,
}

impl<'c> CellNumbers<'c> {
    /// Orders the choices: as long as making the cells took.
    #[must_use]
    pub fn new(cells: &'c Cells) -> Self {
        let numbers = Numbers::new(cells);
        Self { cells, numbers }
    }

    /// T × completions: how many deals satisfy the condition.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.cells.chance().0
    }

    /// The deal of a number; nothing if it is not below [`Self::count`].
    #[must_use]
    pub fn deal(&self, number: u128) -> Option<Deal> {
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
        let mut hands = [Hand::EMPTY; 4];
        for (&seat, hand) in self.cells.seats().iter().zip(filled) {
            hands[seat.index()] = hand;
        }
        remaining_hands(hands, self.missing(), completion).ok()
    }

    /// The number of a deal; nothing if it does not satisfy the condition.
    #[must_use]
    pub fn number(&self, deal: &Deal) -> Option<u128> {
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
        let left = dealt.fold(Hand::DECK, Hand::without);
        let completion = completion_of(deal, left, self.missing());
        let place = choice.first + rest;
        Some(place * u128::from(self.cells.completions()) + u128::from(completion))
    }

    /// How many cards each seat lacks when the dealt hands are.
    fn missing(&self) -> [usize; 4] {
        let dealt = self.cells.seats();
        Seat::ALL.map(|seat| if dealt.contains(&seat) { 0 } else { 13 })
    }

    /// The dealt hands by role, filled by one choice after the other.
    fn fill(
        &self,
        choice: &Choice,
        mut choose: impl FnMut(complete::Choice) -> Option<Hand>,
    ) -> Option<[Hand; 3]> {
        let cases = self.numbers.hands(choice);
        let mut hands = cases.map(|case| case.honours.map_or(Hand::EMPTY, Hand::from_honours));
        let mut product: u128 = 1;
        for role in 0..self.cells.seats().len() {
            for (pool, take) in complete::open(cases[role], hands[role]).ok()? {
                let pool = hands.iter().fold(pool, |pool, &hand| pool.without(hand));
                let ways = choose_u64(pool.len() as usize, take);
                product *= u128::from(ways);
                if ways == 0 {
                    return None;
                }
                let chosen = choose(complete::Choice {
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
