//! Counts the deals of a condition, all together or by the outcomes of a table.

use std::sync::OnceLock;

use super::error::CountError;
use super::formula::{Formula, PartValue, ShapeSets, SumOfSuits, SumPart};
use super::halves::{Digits, ShapeClasses, SuitPairs, half, suit_pairs};
use super::judging::{Joining, Judged};
use super::passes::{AskedSuit, PassedSuit};
use super::seating::Seating;
use super::trail::Trail;
use crate::bridge::combinatorics::ways_to_deal;
use crate::bridge::pattern::PATTERN_COUNT;
use crate::bridge::{Hand, Seat, Suit};
use crate::cells::Budget;
use crate::language::{Condition, Measure};

/// Counts the deals of a condition around its predealt cards.
#[derive(Debug)]
pub struct DealCounter {
    condition: Condition,
    formula: Formula,
    judged: OnceLock<Judged>,
}

/// The suits of a condition after their cards are passed for a table.
#[derive(Debug)]
pub(super) struct PassedSuits {
    pub(super) sums: Vec<SumOfSuits>,
    pub(super) seating: Seating,
    pub(super) tables: [PassedSuit; 4],
    pub(super) digits: Digits,
    /// By place of a seat.
    shapes: Vec<Option<ShapeClasses>>,
    /// The place of the seat whose patterns are counted.
    pattern_of: Option<usize>,
}

impl PassedSuits {
    /// The pairs of suit states of a half.
    pub(super) fn pairs(&self, half: usize) -> SuitPairs {
        suit_pairs(half, &self.tables, &self.digits, &self.shapes)
    }
}

/// What deals are counted by.
pub(super) enum CountBy {
    Deals,
    /// By the value of a sum, which is 0 or more.
    Sum(SumOfSuits, usize),
    Pattern(Seat),
}

impl CountBy {
    /// The number of outcomes.
    fn outcomes(&self) -> usize {
        match self {
            Self::Deals => 1,
            Self::Sum(_, outcomes) => *outcomes,
            Self::Pattern(_) => PATTERN_COUNT,
        }
    }
}

impl DealCounter {
    /// Prepares to count the deals of a condition.
    ///
    /// # Errors
    ///
    /// [`CountError`] if the condition does not depend on the cards alone.
    pub fn new(condition: &Condition) -> Result<Self, CountError> {
        Ok(Self {
            formula: Formula::new(condition)?,
            condition: condition.clone(),
            judged: OnceLock::new(),
        })
    }

    /// The condition.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// Returns the number of deals that satisfy the condition, and the number of all deals with its
    /// predealt cards.
    ///
    /// # Errors
    ///
    /// [`CountError`] if the condition's arithmetic fails for some deal, or if it distinguishes too
    /// many deals.
    pub fn probability(&self, budget: &Budget) -> Result<(u128, u128), CountError> {
        Ok(self.share(&self.count(&CountBy::Deals, budget)?))
    }

    /// The number of these deals, and of all deals with the predealt cards.
    pub(super) fn share(&self, deals: &[u128]) -> (u128, u128) {
        (deals.iter().sum(), ways_to_deal(self.missing()))
    }

    /// Returns the deals by the sum of measures times factors, which is between 0 and `outcomes`,
    /// exclusive. Each measure is a sum over the suits.
    pub fn by_sum(
        &self,
        measures: &[(i64, Seat, Measure)],
        outcomes: usize,
        budget: &Budget,
    ) -> Result<Vec<u128>, CountError> {
        let parts = measures.iter().map(|(factor, seat, measure)| SumPart {
            factor: *factor,
            value: PartValue::Measure(*seat, measure.clone()),
        });
        let parts = parts.collect();
        let text = String::new();
        self.count(
            &CountBy::Sum(
                SumOfSuits {
                    parts,
                    is_truth: false,
                    text,
                },
                outcomes,
            ),
            budget,
        )
    }

    /// Returns the deals by the pattern of a seat.
    pub fn by_pattern(&self, seat: Seat, budget: &Budget) -> Result<Vec<u128>, CountError> {
        self.count(&CountBy::Pattern(seat), budget)
    }

    /// By suit, the cards that can be exchanged in all deals of the condition, in groups: first a
    /// group with most cards. Predealt cards belong to none.
    pub fn interchangeable(&self) -> [Vec<Hand>; 4] {
        let fixed = self.condition.predeal();
        let of_suit = |suit| AskedSuit::new(&self.formula, &self.formula.sums, suit, fixed);
        Suit::ALL.map(|suit| of_suit(suit).interchangeable())
    }

    /// The number of cards that each hand still needs.
    fn missing(&self) -> [usize; 4] {
        let predeal = self.condition.predeal();
        Seat::ALL.map(|seat| 13 - predeal.hand(seat).len() as usize)
    }

    fn count(&self, table: &CountBy, budget: &Budget) -> Result<Vec<u128>, CountError> {
        if !matches!(table, CountBy::Deals) && self.judged.get().is_none() {
            self.count(&CountBy::Deals, budget)?;
        }
        match self.passed(table, budget, None)? {
            Some(passed) => self.count_passed(table, &passed, budget),
            None => Ok(vec![0; table.outcomes()]),
        }
    }

    /// Counts the deals of suits whose cards are passed.
    pub(super) fn count_passed(
        &self,
        table: &CountBy,
        passed: &PassedSuits,
        budget: &Budget,
    ) -> Result<Vec<u128>, CountError> {
        let mut counted = vec![0; table.outcomes()];
        let too_large = || passed.seating.too_large(&passed.sums);
        let halves = [0, 1].map(|side| half(&passed.pairs(side), &passed.digits, budget));
        let [left, right] = halves;
        let halves = [left.ok_or_else(too_large)?, right.ok_or_else(too_large)?];
        let (least, unit) = passed.digits.outcomes(self.formula.sums.len());
        let joining = self.joining(passed, budget);
        let found = joining.count(&halves, counted.len(), &self.judged)?;
        let ways = self.ways_of_others(&passed.seating);
        for (place, deals) in found
            .into_iter()
            .enumerate()
            .filter(|(_, deals)| *deals > 0)
        {
            let outcome = match table {
                CountBy::Sum(..) => least + unit * place as i64,
                _ => place as i64,
            };
            counted[outcome as usize] = deals * ways;
        }
        Ok(counted)
    }

    /// Passes the cards of all suits, and keeps the ways back in `trails`; `None` if no suit can be
    /// dealt.
    pub(super) fn passed(
        &self,
        table: &CountBy,
        budget: &Budget,
        mut trails: Option<&mut [Option<Trail>; 4]>,
    ) -> Result<Option<PassedSuits>, CountError> {
        let formula = &self.formula;
        let mut sums = formula.sums.clone();
        if let CountBy::Sum(sum, _) = table {
            sums.push(sum.clone());
        }
        let fixed = self.condition.predeal();
        let suits = Suit::ALL.map(|suit| AskedSuit::new(formula, &sums, suit, fixed));
        let seating = self.seating(table, &sums, &suits);
        let mut tables: [PassedSuit; 4] = Default::default();
        for (place, suit) in suits.iter().enumerate() {
            let trail = trails.as_mut().map(|trails| &mut trails[place]);
            tables[place] = suit.pass(formula, &sums, &seating, budget, trail)?;
        }
        if tables.iter().any(|table| table.states.is_empty()) {
            return Ok(None);
        }
        let digits = Digits::new(&tables, sums.len()).ok_or_else(|| seating.too_large(&sums))?;
        let pattern_of = match table {
            CountBy::Pattern(seat) => seating.seats.iter().position(|other| other == seat),
            _ => None,
        };
        let classes = |(place, seat): (usize, &Seat)| {
            let sets: &ShapeSets = &formula.shapes[seat.index()];
            let by_pattern = pattern_of == Some(place);
            (by_pattern || !sets.is_empty()).then(|| ShapeClasses::new(sets, by_pattern))
        };
        let shapes = seating.seats.iter().enumerate().map(classes).collect();
        Ok(Some(PassedSuits {
            sums,
            seating,
            tables,
            digits,
            shapes,
            pattern_of,
        }))
    }

    pub(super) fn joining<'j>(
        &'j self,
        passed: &'j PassedSuits,
        budget: &'j Budget,
    ) -> Joining<'j> {
        Joining {
            formula: &self.formula,
            expression: self.condition.expression(),
            seating: &passed.seating,
            digits: &passed.digits,
            shapes: &passed.shapes,
            pattern_of: passed.pattern_of,
            budget,
        }
    }

    /// What is known of pairs of halves, once the deals are counted.
    pub(super) fn judged(&self) -> Option<&Judged> {
        self.judged.get()
    }

    /// The seats whose hands are told apart.
    fn seating(&self, table: &CountBy, sums: &[SumOfSuits], suits: &[AskedSuit; 4]) -> Seating {
        let mentioned = self.condition.expression().mentioned();
        let in_table = |seat: &Seat| {
            match table {
            CountBy::Deals => false,
            CountBy::Pattern(own) => own == seat,
            CountBy::Sum(..) => sums.last().is_some_and(|sum| {
                let of_seat =
                    |part: &SumPart| matches!(&part.value, PartValue::Measure(own, _) if own == seat);
                sum.parts.iter().any(of_seat)
            }),
        }
        };
        let is_told = |seat: &Seat| mentioned.iter().any(|(own, _)| own == seat) || in_table(seat);
        let seats: Vec<Seat> = Seat::ALL.into_iter().filter(is_told).collect();
        let by_length = seats.iter().map(|seat| {
            !self.formula.shapes[seat.index()].is_empty()
                || matches!(table, CountBy::Pattern(own) if own == seat)
                || suits.iter().any(|suit| suit.counts_anonymous(*seat))
        });
        Seating {
            by_length: by_length.collect(),
            seats,
            fixed: *self.condition.predeal(),
        }
    }

    /// The number of ways to deal their other cards to the seats that are not told apart.
    pub(super) fn ways_of_others(&self, seating: &Seating) -> u128 {
        let mut missing = self.missing();
        for seat in &seating.seats {
            missing[seat.index()] = 0;
        }
        ways_to_deal(missing)
    }
}
