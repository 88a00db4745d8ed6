//! Sums over all deals of the cells, for theory.
//!
//! Theory needs the honours of all dealt hands, even of hands whose honours the cells do not fix.
//! The sums work suit by suit: placements that add the same vector of counts are grouped.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::shapes::{Link, spots_left};
use super::suit::{Lengths, Placement, placements};
use super::terms::{ConditionTerms, Roles};
use super::{Cells, CellsError};
use crate::bridge::Suit;
use crate::bridge::combinatorics::choose;

/// The distribution of a suit by role: the dealt hands, and one hand that has the rest.
#[derive(Clone, Copy, Debug)]
pub struct DealtSuit {
    /// The suit.
    pub suit: Suit,
    /// Lengths; for a dealt hand whose pattern is not fixed, its number of honours.
    pub lengths: [u8; 4],
    /// Honours of each hand: A K Q J are bits 3 to 0.
    pub honours: [u16; 4],
}

/// All placements of a suit's honours in hands of the given lengths.
#[derive(Debug)]
pub(super) struct PlacementTable {
    lengths: [u8; 4],
    /// The placements, by ascending vector.
    pub(super) placements: Vec<Placement>,
    pub(super) groups: Vec<PlacementGroup>,
}

/// Placements of a suit that add the same vector.
#[derive(Debug)]
pub(super) struct PlacementGroup {
    vector: u64,
    ways: u64,
    pub(super) places: Range<usize>,
}

/// Sums over all deals of the cells.
#[derive(Debug)]
pub struct CellSums<'c> {
    pub(super) cells: &'c Cells,
    roles: Roles,
    pub(super) suits: [BTreeMap<Lengths, PlacementTable>; 4],
}

impl<'c> CellSums<'c> {
    /// Tabulates the placements of every suit.
    ///
    /// # Errors
    ///
    /// [`CellsError`] if the condition does not factor, which cannot happen for existing cells.
    pub fn new(cells: &'c Cells) -> Result<Self, CellsError> {
        let roles = Roles {
            by_honours: cells.roles.dealt,
            ..cells.roles
        };
        let asked = cells.condition.terms();
        let terms = ConditionTerms::of(&asked, roles)?;
        let mut suits: [BTreeMap<Lengths, PlacementTable>; 4] = Default::default();
        for (half, shapes) in cells.shapes.halves.iter().enumerate() {
            for lengths in shapes.iter().flat_map(|shape| &shape.suits) {
                for (place, lengths) in lengths.iter().enumerate() {
                    let suit = Suit::ALL[2 * half + place];
                    let table = || PlacementTable::new(&terms, suit, lengths);
                    suits[suit.index()].entry(*lengths).or_insert_with(table);
                }
            }
        }
        Ok(Self {
            cells,
            roles,
            suits,
        })
    }

    /// The roles of the hands, with the honours of all dealt hands fixed.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Calls `each` with every follower of a left half and its link.
    pub(super) fn each_follower(&self, left: u32, mut each: impl FnMut(usize, usize)) {
        for (right, link) in self.cells.linked(left) {
            each(right as usize, link as usize);
        }
    }

    /// Returns, for each link, the number of ways to deal the spots of the hands without patterns,
    /// excluding the spots of the given hands, which are counted together. `hands` has a bit for
    /// each role.
    pub(super) fn links(&self, hands: u8) -> Vec<u128> {
        let roles = &self.cells.roles;
        let of_link = |link: &Link| {
            let honours = |role: usize| match role {
                3 => 16 - link.honours.iter().sum::<u8>().min(16),
                _ => link.honours[role],
            };
            let without = (roles.by_pattern..4).filter(|role| hands >> role & 1 == 1);
            let spots = without
                .map(|role| 13 - usize::from(honours(role).min(13)))
                .sum();
            let left = spots_left(roles, &link.honours).unwrap_or(0);
            link.ways / choose(left, spots).max(1)
        };
        self.cells.halves.links.iter().map(of_link).collect()
    }

    /// Returns every distribution of each suit, with the number of deals that have it.
    pub fn by_suit(&self) -> Vec<(DealtSuit, u128)> {
        let cells = self.cells;
        // The ways of everything that is compatible with each state of a half.
        let lefts: Vec<u128> = cells.lefts.iter().map(|left| left.after).collect();
        let numbers: Vec<u32> = (0..lefts.len() as u32).collect();
        let zero = || vec![0u128; cells.rights.len()];
        let rights = numbers
            .par_chunks(stretch(lefts.len()))
            .map(|numbers| {
                let mut before = zero();
                for &number in numbers {
                    let ways = u128::from(cells.lefts[number as usize].ways);
                    self.each_follower(number, |right, link| {
                        before[right] += ways * cells.halves.links[link].ways;
                    });
                }
                before
            })
            .reduce_with(|mut before, others| {
                add_all(&mut before, &others);
                before
            })
            .unwrap_or_else(zero);
        let mut all = Vec::new();
        for (half, others) in [lefts, rights].iter().enumerate() {
            let beside = self.beside(half, others);
            for (place, beside) in beside.iter().enumerate() {
                let suit = Suit::ALL[2 * half + place];
                for (table, beside) in self.suits[suit.index()].values().zip(beside) {
                    for (group, beside) in table.groups.iter().zip(beside) {
                        let placements = &table.placements[group.places.clone()];
                        all.extend(placements.iter().map(|placement| {
                            let ways = u128::from(placement.ways) * beside;
                            (table.dealt(suit, placement), ways)
                        }));
                    }
                }
            }
        }
        all.retain(|(_, ways)| *ways != 0);
        all
    }

    /// Returns the ways of all other suits, indexed by suit of the half, lengths and group.
    /// `others` has the ways of everything that is compatible with each state of the half.
    fn beside(&self, half: usize, others: &[u128]) -> [Vec<Vec<u128>>; 2] {
        let tables = [0, 1].map(|place| &self.suits[2 * half + place]);
        let numbers = tables.map(|tables| tables.keys().zip(0..).collect::<BTreeMap<_, usize>>());
        let zero = || {
            tables.map(|tables| {
                let groups = tables.values().map(|table| table.groups.len());
                groups.map(|groups| vec![0u128; groups]).collect::<Vec<_>>()
            })
        };
        let add_class = |[first, second]: &mut [Vec<Vec<u128>>; 2], class: usize| {
            let states = self.cells.states_of(half, class);
            let others = &others[states.clone()];
            let state_of = self.cells.state_of(half, states);
            for suits in self.cells.suits_of(half, class) {
                let [one, other] = self.tables(half, suits);
                let first = &mut first[numbers[0][&suits[0]]];
                let second = &mut second[numbers[1][&suits[1]]];
                self.each_state(half, &state_of, suits, |[a, b], state| {
                    first[a] += others[state] * u128::from(other.groups[b].ways);
                    second[b] += others[state] * u128::from(one.groups[a].ways);
                });
            }
        };
        let classes: Vec<usize> = (0..self.cells.halves.sides[half].shapes.len()).collect();
        classes
            .par_chunks(stretch(classes.len()))
            .map(|classes| {
                let mut sums = zero();
                for &class in classes {
                    add_class(&mut sums, class);
                }
                sums
            })
            .reduce_with(|mut sums, others| {
                let others = others.iter().flatten();
                for (sums, others) in sums.iter_mut().flatten().zip(others) {
                    add_all(sums, others);
                }
                sums
            })
            .unwrap_or_else(zero)
    }

    /// The tables of the two suits of a half with these lengths.
    fn tables(&self, half: usize, suits: &[Lengths; 2]) -> [&PlacementTable; 2] {
        [0, 1].map(|place| &self.suits[2 * half + place][&suits[place]])
    }

    /// Calls `each` with the indices of every pair of groups of both suits, and the state of the
    /// half that the pair forms.
    #[inline]
    pub(super) fn each_state(
        &self,
        half: usize,
        states: &StateOf,
        suits: &[Lengths; 2],
        mut each: impl FnMut([usize; 2], usize),
    ) {
        let [one, other] = self.tables(half, suits);
        let classes = &self.cells.halves.sides[half].of_vector;
        for (a, first) in one.groups.iter().enumerate() {
            for (b, second) in other.groups.iter().enumerate() {
                let vectors = classes.get(first.vector + second.vector);
                if let Some(state) = vectors.and_then(|vectors| states.get(vectors)) {
                    each([a, b], state);
                }
            }
        }
    }
}

impl PlacementTable {
    fn new(terms: &ConditionTerms<'_>, suit: Suit, lengths: &Lengths) -> Self {
        let mut placements = placements(terms, suit, lengths);
        placements.sort_by_key(|placement| placement.vector);
        let mut groups: Vec<PlacementGroup> = Vec::new();
        for (place, &Placement { vector, ways, .. }) in placements.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if group.vector == vector => {
                    group.ways += ways;
                    group.places.end = place + 1;
                }
                _ => groups.push(PlacementGroup {
                    vector,
                    ways,
                    places: place..place + 1,
                }),
            }
        }
        let [a, b, c, _] = *lengths;
        Self {
            lengths: [a, b, c, 13 - (a + b + c).min(13)],
            placements,
            groups,
        }
    }

    pub(super) fn dealt(&self, suit: Suit, placement: &Placement) -> DealtSuit {
        DealtSuit {
            suit,
            lengths: self.lengths,
            honours: placement.holders.of_suit(),
        }
    }
}

/// The states of a class of shapes, indexed by class of vectors and counted from the first state.
pub(super) struct StateOf(Vec<u32>);

impl StateOf {
    const NONE: u32 = u32::MAX;

    #[inline]
    pub(super) fn get(&self, vectors: u32) -> Option<usize> {
        let state = self.0.get(vectors as usize);
        state
            .filter(|state| **state != Self::NONE)
            .map(|state| *state as usize)
    }
}

impl Cells {
    /// The states of a class of a half's shapes.
    pub(super) fn states_of(&self, half: usize, class: usize) -> Range<usize> {
        let class = class as u32;
        if half == 1 {
            let rights = self.rights_of(class);
            return rights.start as usize..rights.end as usize;
        }
        let start = |class| self.lefts.partition_point(|left| left.shapes < class);
        start(class)..start(class + 1)
    }

    /// The class of vectors of a state of a half.
    pub(super) fn vectors_of(&self, half: usize, state: usize) -> u32 {
        match half {
            0 => self.lefts[state].vectors,
            _ => self.rights[state].vectors,
        }
    }

    /// The number of honour placements of a state of a half.
    pub(super) fn cases_of(&self, half: usize, state: usize) -> u64 {
        match half {
            0 => self.lefts[state].cases,
            _ => self.rights[state].cases,
        }
    }

    /// Maps the classes of vectors to these states.
    pub(super) fn state_of(&self, half: usize, states: Range<usize>) -> StateOf {
        let vectors = |state| self.vectors_of(half, state);
        let count = states.clone().map(|state| vectors(state) + 1).max();
        let mut places = vec![StateOf::NONE; count.unwrap_or(0) as usize];
        for (place, state) in (0..).zip(states) {
            places[vectors(state) as usize] = place;
        }
        StateOf(places)
    }

    /// The lengths of both suits of a half, for all shapes of a class.
    pub(super) fn suits_of(
        &self,
        half: usize,
        class: usize,
    ) -> impl Iterator<Item = &[Lengths; 2]> {
        let shapes = self.halves.sides[half].shapes[class].iter();
        shapes.flat_map(move |shape| &self.shapes.halves[half][*shape as usize].suits)
    }
}

/// Returns the number of items per task, for this number of items.
pub(super) fn stretch(count: usize) -> usize {
    count.div_ceil(4 * rayon::current_num_threads()).max(1)
}

pub(super) fn add_all(sums: &mut [u128], others: &[u128]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}
