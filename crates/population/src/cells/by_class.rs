//! Counts all deals of the cells by a number that is a sum over the suits.
//!
//! The deals with the same number form a **class**: for example the ranks of a hand's honours, or
//! its lengths, as digits. The ways of every number are computed from the cells without a listing:
//! for each left half, its ways by number are combined with those of all its followers.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::suit::Lengths;
use super::sums::{CellSums, DealtSuit, PlacementGroup, PlacementTable, add_all, stretch};
use crate::bridge::Suit;

/// Maximum number of sums of a class of shapes that are computed at a time.
const MOST_SUMS: usize = 1 << 21;

/// A number below `size` that is a sum over the suits.
pub struct SumClass {
    size: usize,
    adds: Adds,
    /// Hands whose spots are dealt together with the numbers of the suits, if some hands' patterns
    /// are not fixed: a bit for each role.
    spots_of: u8,
}

/// The numbers that a suit can add, each with its ways.
type Adds = Box<dyn Fn(&DealtSuit) -> Vec<(usize, u64)> + Sync>;

impl SumClass {
    /// Makes a class from the number that each suit adds. The sum for a deal must be below `size`.
    pub fn new(size: usize, adds: impl Fn(&DealtSuit) -> usize + Sync + 'static) -> Self {
        Self {
            size,
            adds: Box::new(move |dealt| vec![(adds(dealt), 1)]),
            spots_of: 0,
        }
    }

    /// Like [`SumClass::new`], for suits that can add several numbers, depending on how many of the
    /// suit's spots these hands hold.
    pub fn by_spots(
        size: usize,
        hands: u8,
        adds: impl Fn(&DealtSuit) -> Vec<(usize, u64)> + Sync + 'static,
    ) -> Self {
        Self {
            size,
            adds: Box::new(adds),
            spots_of: hands,
        }
    }
}

/// The indices of each state's numbers, with their ways.
type States = Vec<Vec<(u32, u64)>>;

/// The numbers that each group of a suit's placements adds, with their ways.
type Added = Vec<Vec<(usize, u64)>>;

/// The contribution of one half to a class.
struct OfHalf {
    /// Indexed by suit of the half and lengths.
    suits: [BTreeMap<Lengths, Added>; 2],
    /// For each link, the ways to deal the spots that the suits do not include.
    links: Vec<u128>,
    /// Every number that the half can add, and the index of each.
    numbers: Vec<usize>,
    place_of: Vec<u32>,
    states: States,
}

impl CellSums<'_> {
    /// Returns the ways of every number of each class.
    pub fn by_class(&self, classes: &[SumClass]) -> Vec<Vec<u128>> {
        let halves = [0, 1].map(|half| {
            let mut all: Vec<OfHalf> = classes
                .iter()
                .map(|class| OfHalf::new(self, half, class))
                .collect();
            self.fill(half, &mut all);
            all
        });
        let zero = || -> Vec<Vec<u128>> {
            let sizes = classes.iter().map(|class| class.size);
            sizes.map(|size| vec![0; size]).collect()
        };
        let lefts: Vec<u32> = (0..self.cells.lefts.len() as u32).collect();
        lefts
            .par_chunks(stretch(lefts.len()))
            .map(|lefts| {
                let mut sums = zero();
                self.add_lefts(lefts, &halves, &mut sums);
                sums
            })
            .reduce_with(|mut sums, others| {
                for (sums, others) in sums.iter_mut().zip(others) {
                    add_all(sums, &others);
                }
                sums
            })
            .unwrap_or_else(zero)
    }

    /// Adds the deals of these left halves.
    fn add_lefts(&self, lefts: &[u32], [left, right]: &[Vec<OfHalf>; 2], sums: &mut [Vec<u128>]) {
        let size = |half: &OfHalf| vec![0u128; half.numbers.len()];
        let mut after: Vec<Vec<u128>> = right.iter().map(size).collect();
        let mut list: Vec<(usize, u128)> = Vec::new();
        for &state in lefts {
            for after in &mut after {
                after.fill(0);
            }
            self.each_follower(state, |follower, link| {
                for (after, right) in after.iter_mut().zip(right) {
                    let states = right.states[follower].iter();
                    let of_place = states.map(|&(place, ways)| (place as usize, u128::from(ways)));
                    // If all patterns are fixed, every link has one way.
                    match right.links[link] {
                        1 => of_place.for_each(|(place, ways)| after[place] += ways),
                        link => of_place.for_each(|(place, ways)| after[place] += link * ways),
                    }
                }
            });
            let of_classes = left.iter().zip(right).zip(&after).zip(&mut *sums);
            for (((left, right), after), sums) in of_classes {
                let all = right.numbers.iter().copied().zip(after.iter().copied());
                list.clear();
                list.extend(all.filter(|(_, ways)| *ways != 0));
                for &(place, ways) in &left.states[state as usize] {
                    let sums = &mut sums[left.numbers[place as usize]..];
                    for (number, after) in &list {
                        sums[*number] += u128::from(ways) * after;
                    }
                }
            }
        }
    }

    /// Computes the ways of every state of a half.
    fn fill(&self, half: usize, all: &mut [OfHalf]) {
        let classes = 0..self.cells.halves.sides[half].shapes.len();
        let filled: Vec<Vec<States>> = classes
            .into_par_iter()
            .map(|class| {
                let of_class = all.iter().map(|of| self.of_states(half, class, of));
                of_class.collect()
            })
            .collect();
        for of_class in filled {
            for (of, states) in all.iter_mut().zip(of_class) {
                of.states.extend(states);
            }
        }
    }

    /// Returns the states of a class of shapes.
    fn of_states(&self, half: usize, class: usize, of: &OfHalf) -> States {
        let states = self.cells.states_of(half, class);
        let state_of = self.cells.state_of(half, states.clone());
        let width = of.numbers.len();
        let most = (MOST_SUMS / width.max(1)).max(1);
        let mut found = Vec::with_capacity(states.len());
        for from in (0..states.len()).step_by(most) {
            let mut sums = vec![0u64; most.min(states.len() - from) * width];
            for suits in self.cells.suits_of(half, class) {
                let [one, other] = [0, 1].map(|place| &of.suits[place][&suits[place]]);
                self.each_state(half, &state_of, suits, |[a, b], state| {
                    let start = state.checked_sub(from).map(|state| state * width);
                    let Some(sums) = start.and_then(|start| sums.get_mut(start..start + width))
                    else {
                        return;
                    };
                    for (x, ways) in &one[a] {
                        for (y, ways_too) in &other[b] {
                            sums[of.place_of[x + y] as usize] += ways * ways_too;
                        }
                    }
                });
            }
            found.extend(sums.chunks(width.max(1)).map(|sums| {
                let all = (0..).zip(sums.iter().copied());
                all.filter(|(_, ways)| *ways != 0).collect()
            }));
        }
        found
    }
}

impl PlacementTable {
    /// Returns the numbers that each group adds to a class.
    fn added(&self, suit: Suit, class: &SumClass) -> Added {
        let of_group = |group: &PlacementGroup| {
            let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
            for placement in &self.placements[group.places.clone()] {
                for (number, ways) in (class.adds)(&self.dealt(suit, placement)) {
                    *sums.entry(number).or_default() += placement.ways * ways;
                }
            }
            sums.into_iter().collect()
        };
        self.groups.iter().map(of_group).collect()
    }
}

impl OfHalf {
    fn new(sums: &CellSums<'_>, half: usize, class: &SumClass) -> Self {
        let suits = [0, 1].map(|place| {
            let suit = Suit::ALL[2 * half + place];
            let tables = sums.suits[suit.index()].iter();
            let added = |(lengths, table): (&Lengths, &PlacementTable)| {
                (*lengths, table.added(suit, class))
            };
            tables.map(added).collect::<BTreeMap<_, _>>()
        });
        let numbers = suits.each_ref().map(|tables| {
            let adds = tables.values().flatten().flatten();
            let mut numbers: Vec<usize> = adds.map(|(number, _)| *number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        });
        let pairs = numbers[0].iter();
        let pairs = pairs.flat_map(|one| numbers[1].iter().map(move |other| one + other));
        let mut numbers: Vec<usize> = pairs.filter(|number| *number < class.size).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut place_of = vec![0; class.size];
        for (place, number) in (0..).zip(&numbers) {
            place_of[*number] = place;
        }
        Self {
            suits,
            links: sums.links(class.spots_of),
            numbers,
            place_of,
            states: Vec::new(),
        }
    }
}
