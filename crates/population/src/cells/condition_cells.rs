//! The cells of a condition.

use std::ops::Range;

use rayon::prelude::*;

use super::budget::Budget;
use super::error::CellsError;
use super::halves::{Halves, SuitTables, VectorSum};
use super::shapes::Shapes;
use super::terms::{ConditionTerms, Roles};
use super::{choosing, halves, terms};
use crate::bridge::combinatorics::ways_to_deal;
use crate::bridge::{Hand, Seat};
use crate::language::{Condition, EvaluationError, HandCase, Predeal, Term};

/// Maximum number of combined shapes of all hands, for any budget.
pub(super) const MOST_SHAPES: usize = 20_000_000;

/// Maximum number of pairs of vectors that are judged.
pub(super) const MOST_JUDGED: u64 = 1 << 28;

/// Maximum number of honour placements in a half over all its shapes, accepted or not.
const MOST_PLACEMENTS: usize = 1 << 30;

/// Maximum number of shapes of a half: a shape and the holders of its honours share 32 bits.
const MOST_HALVES: usize = 1 << 22;

/// Maximum number of accepted honour placements in a half for drawing deals, which lists them.
const MOST_ITEMS: u64 = 1 << 24;

/// Number of steps per cell for all the sums that theory computes, and the same where the patterns
/// of only some dealt hands are fixed.
const SUMS: u64 = 500;
const SUMS_APART: u64 = 1_500;

/// Maximum number of distinct left halves.
const MOST_STATES: usize = 1 << 22;

/// The left half of a group of cells.
#[derive(Clone, Copy, Debug)]
pub struct LeftHalf {
    /// Its class of shapes and its class of vectors.
    pub(super) shapes: u32,
    pub(super) vectors: u32,
    /// The number of ways to deal it, and the number of its honour placements.
    pub(crate) ways: u64,
    pub(super) cases: u64,
    /// The number of ways to deal its followers. `ways` times `after` is the weight of its cells.
    pub after: u128,
}

/// The right half of a group of cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Right {
    pub(super) shapes: u32,
    pub(super) vectors: u32,
    pub(crate) ways: u64,
    pub(super) cases: u64,
}

/// Totals of the right halves of a class of shapes that follow a class of left vectors.
#[derive(Clone, Copy, Debug, Default)]
struct After {
    /// The number of ways to deal these right halves, and the number of their honour placements.
    ways: u64,
    cases: u64,
    /// Number of right halves.
    states: u64,
}

/// A condition as cells over suits.
#[derive(Debug)]
pub struct Cells {
    pub(super) condition: Condition,
    pub(super) roles: Roles,
    pub(super) shapes: Shapes,
    pub(super) tables: SuitTables,
    pub(super) halves: Halves,
    pub(super) lefts: Vec<LeftHalf>,
    pub(super) rights: Vec<Right>,
    /// The start of each class of right shapes in `rights`, and the end.
    right_starts: Vec<u32>,
    /// By class of right shapes and judge, the totals for each class of left vectors; and the index
    /// of these totals for each entry of each row.
    after: Vec<Vec<After>>,
    after_of_row: Vec<Vec<u32>>,
    pub(super) total: u128,
    pub(super) cases: u128,
    pub(super) cells: u64,
}

impl Cells {
    /// Makes the cells of a condition.
    ///
    /// # Errors
    ///
    /// [`CellsError`] if the condition mentions no hand and predeals no card, uses something that is
    /// not a sum over the suits, is satisfied by no deal, has arithmetic that fails, or takes too
    /// many cells.
    pub fn new(condition: &Condition) -> Result<Self, CellsError> {
        Self::within(condition, &Budget::unlimited())
    }

    /// Makes the cells of a condition within a budget.
    ///
    /// # Errors
    ///
    /// As [`Cells::new`], and [`CellsError::OverBudget`].
    pub fn within(condition: &Condition, budget: &Budget) -> Result<Self, CellsError> {
        terms::check(condition)?;
        Self::check_arithmetic(condition, budget)?;
        Self::of_terms(condition, &condition.terms(), budget)
    }

    /// Makes the cells of these terms of a condition.
    fn of_terms(
        condition: &Condition,
        asked: &[Term],
        budget: &Budget,
    ) -> Result<Self, CellsError> {
        let terms = ConditionTerms::new(asked, condition.predeal(), true)?;
        let made = Self::of(condition, &terms, budget);
        let is_too_large = match &made {
            Ok(cells) => cells.can_be_drawn().is_err(),
            Err(why) => matches!(why, CellsError::TooLarge(_)),
        };
        if !is_too_large || !terms.roles.is_apart() {
            return made;
        }
        // Fixing the patterns of all hands, even where the condition does not use them, may need
        // less space.
        let terms = ConditionTerms::new(asked, condition.predeal(), false)?;
        match Self::of(condition, &terms, budget) {
            Ok(cells) if made.is_err() || cells.can_be_drawn().is_ok() => Ok(cells),
            _ => made,
        }
    }

    /// Refuses a condition that has no value for some deal. Cells evaluate terms in any order, so
    /// failures are searched first.
    fn check_arithmetic(condition: &Condition, budget: &Budget) -> Result<(), CellsError> {
        let nobody = [HandCase::default(); 4];
        for asked in condition.failures() {
            let Some(last) = asked.last() else {
                continue;
            };
            let is_constant = last.expression().is_constant();
            let failure = match Self::of_terms(condition, &asked, budget) {
                Ok(_) if is_constant => last.failure(&nobody),
                Ok(cells) => cells.failure(&ConditionTerms::of(&asked, cells.roles)?),
                Err(CellsError::NoDeal) => None,
                Err(CellsError::Unconstrained) => {
                    let is_reached = asked.iter().all(|term| term.holds(&nobody));
                    last.failure(&nobody).filter(|_| is_reached)
                }
                Err(why) => return Err(why),
            };
            if let Some(failure) = failure {
                return Err(failure.into());
            }
        }
        Ok(())
    }

    /// Returns the error of the first cell, for terms made to find a failure.
    fn failure(&self, terms: &ConditionTerms<'_>) -> Option<EvaluationError> {
        let (right, link) = self.linked(0).next()?;
        let (left, right) = (self.lefts.first()?, &self.rights[right as usize]);
        let [lefts, rights] = &self.halves.sides;
        let total =
            lefts.of_vector.member(left.vectors)? + rights.of_vector.member(right.vectors)?;
        let patterns = &self.shapes.judges[self.halves.judge(link) as usize];
        terms.failure(total, patterns)
    }

    /// Pays for making the lists that draws choose from.
    ///
    /// # Errors
    ///
    /// [`CellsError`] if the budget does not cover the lists, or if they exceed a fixed limit.
    pub fn pay_for_lists(&self, budget: &Budget) -> Result<(), CellsError> {
        self.can_be_drawn()?;
        let ([lefts, rights], followers) = (self.listed_placements(), self.most_followers());
        let lists = (self.lefts.len() + self.rights.len()) as u64;
        budget.spend(70 * (lefts + rights) + 70 * followers + 150 * lists)?;
        budget.reserve(self.bytes_of_lists())
    }

    /// Returns the size of the lists that draws choose from, in bytes, before they are made.
    pub fn bytes_of_lists(&self) -> u64 {
        let [lefts, rights] = self.listed_placements();
        24 * (lefts + rights + self.most_followers())
    }

    /// Returns the number of honour placements of all states of the left and of the right half.
    fn listed_placements(&self) -> [u64; 2] {
        let lefts = self.lefts.iter().map(|left| left.cases).sum();
        let rights = self.rights.iter().map(|right| right.cases).sum();
        [lefts, rights]
    }

    /// Returns the maximum number of followers in the lists.
    fn most_followers(&self) -> u64 {
        self.cells.min(choosing::MOST_FOLLOWERS)
    }

    /// Replaces the condition by an equivalent one with a different text.
    pub fn with_condition(self, condition: Condition) -> Self {
        Self { condition, ..self }
    }

    /// Checks that deals can be drawn. Theory has fewer requirements.
    ///
    /// # Errors
    ///
    /// [`CellsError::TooLarge`] if the lists of honour placements would be too long.
    pub fn can_be_drawn(&self) -> Result<(), CellsError> {
        let [lefts, rights] = self.listed_placements();
        match lefts.max(rights) > MOST_ITEMS {
            true => Err(CellsError::TooLarge("honour placements in two suits")),
            false => Ok(()),
        }
    }

    /// Makes the cells of a condition with the patterns of all hands fixed, or of none. Only such
    /// cells can be listed.
    ///
    /// # Errors
    ///
    /// As [`Cells::new`].
    pub fn listable(condition: &Condition) -> Result<Self, CellsError> {
        Self::listable_within(condition, &Budget::unlimited())
    }

    /// Like [`Cells::listable`], within a budget.
    ///
    /// # Errors
    ///
    /// As [`Cells::within`].
    pub fn listable_within(condition: &Condition, budget: &Budget) -> Result<Self, CellsError> {
        terms::check(condition)?;
        Self::check_arithmetic(condition, budget)?;
        let asked = condition.terms();
        let terms = ConditionTerms::new(&asked, condition.predeal(), false)?;
        Self::of(condition, &terms, budget)
    }

    /// Pays for the sums over all cells that theory computes.
    ///
    /// # Errors
    ///
    /// [`CellsError::OverBudget`] if the budget does not cover the sums.
    pub fn pay_for_sums(&self, budget: &Budget) -> Result<(), CellsError> {
        budget.spend(self.steps_of_sums())
    }

    /// Returns the steps of the sums over all cells that theory computes.
    pub fn steps_of_sums(&self) -> u64 {
        let of_cell = match self.roles.is_apart() {
            true => SUMS_APART,
            false => SUMS,
        };
        of_cell.saturating_mul(self.cells)
    }

    fn of(
        condition: &Condition,
        terms: &ConditionTerms<'_>,
        budget: &Budget,
    ) -> Result<Self, CellsError> {
        let shapes = Shapes::new(terms, budget)?;
        let tables = SuitTables::new(terms, &shapes, budget)?;
        let roles = terms.roles;
        let mut least_vectors = [0, 0];
        for (half, all) in shapes.halves.iter().enumerate() {
            if all.len() > MOST_HALVES.min(1 << (32 - roles.holder_bits())) {
                return Err(CellsError::TooLarge("shapes of two suits"));
            }
            let placements = tables.placements(half, all, budget)?;
            if placements.iter().sum::<usize>() > MOST_PLACEMENTS {
                return Err(CellsError::TooLarge("honour placements in two suits"));
            }
            if let Some(widest) = (0..all.len()).max_by_key(|shape| placements[*shape]) {
                least_vectors[half] = tables.vectors(half, &all[widest], terms.totals(), budget)?;
            }
        }
        halves::refuse_too_many(least_vectors, shapes.judges.len(), budget)?;
        let halves = Halves::new(terms, &shapes, &tables, budget)?;
        let mut cells = Self {
            condition: condition.clone(),
            roles,
            shapes,
            tables,
            halves,
            lefts: Vec::new(),
            rights: Vec::new(),
            right_starts: vec![0],
            after: Vec::new(),
            after_of_row: Vec::new(),
            total: 0,
            cases: 0,
            cells: 0,
        };
        cells.join(budget)?;
        if cells.total == 0 {
            return Err(CellsError::NoDeal);
        }
        Ok(cells)
    }

    /// Finds the states of both halves, and the followers of the left ones.
    fn join(&mut self, budget: &Budget) -> Result<(), CellsError> {
        let halves = &self.halves;
        let [left, right] = &halves.sides;
        let links: usize = halves.rows.iter().map(Vec::len).sum();
        budget.spend(30 * links as u64)?;
        budget.reserve(24 * links as u64)?;
        for (shapes, sums) in (0..).zip(&right.sums) {
            self.rights.extend(sums.iter().map(|sum| Right {
                shapes,
                vectors: sum.vector as u32,
                ways: sum.ways,
                cases: sum.cases,
            }));
            self.right_starts.push(self.rights.len() as u32);
        }
        // Totals of the right shapes, by class of left vectors.
        let vectors = halves.left_vectors();
        let of_pair = |&(of_right, judge): &(u32, u32)| -> Vec<After> {
            let wanted = |vector| {
                let sums = right.sums[of_right as usize].iter();
                let wanted = sums.filter(|sum| halves.wants(judge, vector, sum.vector as u32));
                wanted.fold(After::default(), |after, sum: &VectorSum| After {
                    ways: after.ways + sum.ways,
                    cases: after.cases + sum.cases,
                    states: after.states + 1,
                })
            };
            (0..vectors).map(wanted).collect()
        };
        let judged = |&(right, link): &(u32, u32)| (right, halves.judge(link));
        let mut pairs: Vec<(u32, u32)> = halves.rows.iter().flatten().map(judged).collect();
        pairs.par_sort_unstable();
        pairs.dedup();
        let states = |(right_class, _): &(u32, u32)| right.sums[*right_class as usize].len() as u64;
        let judged_states: u64 = pairs.iter().map(states).sum();
        budget.spend(u64::from(vectors) * judged_states)?;
        budget.reserve(24 * u64::from(vectors) * pairs.len() as u64)?;
        let rows = left.sums.iter().zip(&halves.rows);
        let followed: usize = rows.map(|(sums, row)| sums.len() * row.len()).sum();
        budget.spend(10 * followed as u64)?;
        self.after = pairs.par_iter().map(of_pair).collect();
        let place = |pair| {
            let place = pairs.binary_search(&judged(pair));
            place.expect("the pairs are those of all rows") as u32
        };
        let rows = halves.rows.iter();
        self.after_of_row = rows.map(|row| row.iter().map(place).collect()).collect();
        for ((shapes, sums), row) in (0..).zip(&left.sums).zip(&halves.rows) {
            for sum in sums {
                let (mut after, mut cases) = (0, 0);
                for ((_, link), place) in row.iter().zip(&self.after_of_row[shapes as usize]) {
                    let of_right = &self.after[*place as usize][sum.vector as usize];
                    after += halves.links[*link as usize].ways * u128::from(of_right.ways);
                    cases += u128::from(of_right.cases);
                    self.cells += of_right.states;
                }
                if after > 0 {
                    self.total += u128::from(sum.ways) * after;
                    self.cases += u128::from(sum.cases) * cases;
                    self.lefts.push(LeftHalf {
                        shapes,
                        vectors: sum.vector as u32,
                        ways: sum.ways,
                        cases: sum.cases,
                        after,
                    });
                }
            }
            if self.lefts.len() > MOST_STATES {
                return Err(CellsError::TooLarge("distinct halves"));
            }
        }
        Ok(())
    }

    /// The condition.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// T, the number of ways to deal the hands that the condition mentions. With three or four
    /// hands, this is the number of deals.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The number of cases that a listing of these hands would have.
    pub fn cases(&self) -> u128 {
        self.cases
    }

    /// The number of compatible pairs of half shapes: combined shapes of all dealt hands.
    pub fn shapes(&self) -> usize {
        self.shapes.pairs.len()
    }

    /// The number of cells.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// The seats that are dealt by cells, in order; the others have the rest.
    pub fn seats(&self) -> &[Seat] {
        &self.roles.seats[..self.roles.dealt]
    }

    /// The cards of a suit that the condition treats as interchangeable: all thirteen if it does
    /// not use honours, otherwise the nine spot cards, without the predealt cards.
    pub(crate) fn exchangeable(&self) -> Hand {
        let told = match self.roles.by_honours {
            0 => Hand::EMPTY,
            _ => Hand::HONOURS,
        };
        Hand::DECK.without(told).without(self.predeal().all())
    }

    /// The predealt cards.
    pub fn predeal(&self) -> &Predeal {
        self.condition.predeal()
    }

    /// The number of cards that each seat lacks once the hands of the cells are dealt.
    pub fn missing(&self) -> [usize; 4] {
        let is_dealt = |seat| self.seats().contains(&seat);
        Seat::ALL.map(|seat| match is_dealt(seat) {
            true => 0,
            false => 13 - self.predeal().hand(seat).len() as usize,
        })
    }

    /// Whether tables must be summed over different cells of the same condition, made by
    /// [`Cells::listable`], because these fix the pattern of only one of two hands.
    pub fn are_summed_together(&self) -> bool {
        self.roles.dealt < 3 && self.roles.is_apart() && self.predeal().is_empty()
    }

    /// The number of ways to deal the rest to the seats that are not dealt by cells: without
    /// predealt cards 1 for three dealt hands, C(26,13) for two, C(39,13) C(26,13) for one.
    pub fn completions(&self) -> u64 {
        ways_to_deal(self.missing()) as u64
    }

    /// The probability that a deal with the predealt cards satisfies the condition, as numerator and
    /// denominator.
    pub fn chance(&self) -> (u128, u128) {
        let all = Seat::ALL.map(|seat| 13 - self.predeal().hand(seat).len() as usize);
        (
            self.total * u128::from(self.completions()),
            ways_to_deal(all),
        )
    }

    /// [`Cells::chance`] as a floating-point number.
    pub fn share(&self) -> f64 {
        let (ways, of) = self.chance();
        ways as f64 / of as f64
    }

    /// The seats by role.
    #[inline]
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The left halves, in the order of their numbers.
    #[inline]
    pub fn lefts(&self) -> &[LeftHalf] {
        &self.lefts
    }

    /// Returns the right halves of a class of shapes.
    pub(super) fn rights_of(&self, class: u32) -> Range<u32> {
        self.right_starts[class as usize]..self.right_starts[class as usize + 1]
    }

    /// Returns the followers of a left half, each with its link.
    pub(super) fn linked(&self, left: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let left = &self.lefts[left as usize];
        let row = self.halves.rows[left.shapes as usize].iter();
        row.flat_map(move |&(shapes, link)| {
            let judge = self.halves.judge(link);
            let wanted = move |right: &u32| {
                let right = &self.rights[*right as usize];
                self.halves.wants(judge, left.vectors, right.vectors)
            };
            let rights = self.rights_of(shapes).filter(wanted);
            rights.map(move |right| (right, link))
        })
    }

    /// Returns the number of ways to deal a right half and the rest of the hands, by this link.
    fn ways_with(&self, right: u32, link: u32) -> u128 {
        let ways = u128::from(self.rights[right as usize].ways);
        self.halves.links[link as usize].ways * ways
    }

    /// Returns the followers of a left half, each with the number of ways to deal it and the rest
    /// of the hands.
    pub(crate) fn followers(&self, left: u32) -> impl Iterator<Item = (u32, u128)> + '_ {
        let linked = self.linked(left);
        linked.map(|(right, link)| (right, self.ways_with(right, link)))
    }

    /// Returns the follower of a left half that a number below its `after` selects, and the
    /// remainder of the number.
    #[inline]
    pub fn follower(&self, left: u32, mut number: u128) -> Option<(u32, u128)> {
        let left = &self.lefts[left as usize];
        let row = self.halves.rows[left.shapes as usize].iter();
        // Most classes of shapes are skipped by their total ways.
        for (&(shapes, link), after) in row.zip(&self.after_of_row[left.shapes as usize]) {
            let after = &self.after[*after as usize][left.vectors as usize];
            let of_row = self.halves.links[link as usize].ways * u128::from(after.ways);
            if number >= of_row {
                number -= of_row;
                continue;
            }
            let judge = self.halves.judge(link);
            for right in self.rights_of(shapes) {
                let vectors = self.rights[right as usize].vectors;
                if self.halves.wants(judge, left.vectors, vectors) {
                    let of_right = self.ways_with(right, link);
                    if number < of_right {
                        return Some((right, number));
                    }
                    number -= of_right;
                }
            }
        }
        None
    }
}
