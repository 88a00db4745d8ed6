//! Converts the choices of a draw to a number and back.
//!
//! A number below T selects, in order, a left half, its follower, and the items of the left and of
//! the right half, ordered by shape and holders. The remainder of the number deals the spots.

use super::Cells;
use super::choosing::HalfItem;
use super::search::StateSearch;
use super::suit::Lengths;
use crate::bridge::{Deal, Honours, Pattern};
use crate::language::HandCase;

/// The items of all states of a half, with cumulative ways.
#[derive(Debug, Default)]
struct StateItems {
    starts: Vec<usize>,
    items: Vec<HalfItem>,
    /// The ways of the state's items up to and including each item.
    upto: Vec<u64>,
}

/// The choices that a number below T selects before the spots are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellChoice {
    /// The shapes and honours of both halves.
    items: [HalfItem; 2],
    /// The first number that selects these choices.
    pub first: u128,
    /// How many numbers select them: the number of ways to deal the spots.
    pub ways: u128,
}

/// The choices of the cells, in order.
#[derive(Debug)]
pub struct Numbers<'c> {
    cells: &'c Cells,
    /// The ways before each left half.
    before: Vec<u128>,
    items: [StateItems; 2],
    search: StateSearch,
}

impl<'c> Numbers<'c> {
    /// Prepares the sums before each half.
    pub fn new(cells: &'c Cells) -> Self {
        let before = cells.lefts.iter().scan(0, |sum, left| {
            let before = *sum;
            *sum += u128::from(left.ways) * left.after;
            Some(before)
        });
        Self {
            cells,
            before: before.collect(),
            items: [StateItems::new(cells, 0), StateItems::new(cells, 1)],
            search: StateSearch::new(cells),
        }
    }

    /// Returns the choices that a number selects; `None` from T on.
    pub fn choice(&self, number: u128) -> Option<CellChoice> {
        let cells = self.cells;
        let left = self.before.partition_point(|&before| before <= number);
        let left = left.checked_sub(1)?;
        let ways = u128::from(cells.lefts[left].ways);
        let (right, rest) = cells.follower(left as u32, (number - self.before[left]) / ways)?;
        let states = [left as u32, right];
        let mut rest = rest * ways + (number - self.before[left]) % ways;
        let mut later = cells.link_ways(states)? * u128::from(cells.rights[right as usize].ways);
        let mut earlier = 1;
        let mut items = [HalfItem(0); 2];
        for (half, state) in states.into_iter().enumerate() {
            let (item, before, own) =
                self.items[half].at(state, (rest / (earlier * later)) as u64)?;
            items[half] = item;
            rest -= u128::from(before) * earlier * later;
            earlier *= u128::from(own);
            later = cells.link_ways(states)?;
        }
        Some(CellChoice {
            items,
            first: number - rest,
            ways: earlier * later,
        })
    }

    /// Returns the choices that produce a deal; `None` if it does not satisfy the condition.
    pub fn choice_of(&self, deal: &Deal) -> Option<CellChoice> {
        let cells = self.cells;
        let [left, right] = self.search.find(cells, deal)?;
        let states = [left.0, right.0];
        let link = cells.link_ways(states)?;
        let mut before = None;
        let mut sum = 0;
        for (follower, ways) in cells.followers(left.0) {
            if follower == right.0 {
                before = Some(sum);
                break;
            }
            sum += ways;
        }
        let [of_left, of_right] = [
            cells.lefts[left.0 as usize].ways,
            cells.rights[right.0 as usize].ways,
        ];
        let (first, own) = self.items[0].of(left.0, left.1)?;
        let (second, other) = self.items[1].of(right.0, right.1)?;
        let [first, second, own, other] = [first, second, own, other].map(u128::from);
        let first = self.before[left.0 as usize]
            + before? * u128::from(of_left)
            + first * u128::from(of_right) * link
            + second * own * link;
        Some(CellChoice {
            items: [left.1, right.1],
            first,
            ways: own * other * link,
        })
    }

    /// Returns the patterns and honours of the dealt hands, by role; empty for other roles.
    pub fn hands(&self, choice: &CellChoice) -> [HandCase; 3] {
        let roles = &self.cells.roles;
        let [left, right] = choice.items;
        let lengths = [0, 1].map(|half| {
            let shape = choice.items[half].shape(roles.holder_bits());
            self.cells.shapes.halves[half][shape].suits[0]
        });
        [0, 1, 2].map(|role| {
            let [[s, h], [d, c]] = lengths.map(|suits: [Lengths; 2]| suits.map(|suit| suit[role]));
            let pattern = Pattern::new([s, h, d, c]).map(Pattern::index);
            let [high, low] = [left, right].map(|item| item.holders(roles.holder_bits()).of(role));
            let bits = u16::from(high) << 8 | u16::from(low);
            HandCase {
                pattern: pattern.filter(|_| role < roles.by_pattern),
                honours: (role < roles.by_honours).then_some(Honours::from_bits(bits)),
            }
        })
    }
}

impl StateItems {
    fn new(cells: &Cells, half: usize) -> Self {
        let of_states = cells.of_states(half, |items| {
            let mut items: Vec<(HalfItem, u64)> =
                items.iter().map(|(_, item, ways)| (*item, *ways)).collect();
            items.sort_unstable_by_key(|(item, _)| item.0);
            items
        });
        let mut all = Self::default();
        for items in of_states {
            all.starts.push(all.items.len());
            let mut upto = 0;
            for (item, ways) in items {
                upto += ways;
                all.items.push(item);
                all.upto.push(upto);
            }
        }
        all.starts.push(all.items.len());
        all
    }

    fn of_state(&self, state: u32) -> std::ops::Range<usize> {
        self.starts[state as usize]..self.starts[state as usize + 1]
    }

    /// Returns the item that a number below a state's ways selects, the ways before it, and its
    /// ways.
    fn at(&self, state: u32, number: u64) -> Option<(HalfItem, u64, u64)> {
        let of_state = self.of_state(state);
        let upto = &self.upto[of_state.clone()];
        let place = upto.partition_point(|&upto| upto <= number);
        let before = place.checked_sub(1).map_or(0, |place| upto[place]);
        let end = upto.get(place)?;
        Some((self.items[of_state][place], before, end - before))
    }

    /// Returns the ways before an item of a state, and its ways.
    fn of(&self, state: u32, item: HalfItem) -> Option<(u64, u64)> {
        let of_state = self.of_state(state);
        let items = &self.items[of_state.clone()];
        let place = items.binary_search_by_key(&item.0, |item| item.0).ok()?;
        let upto = &self.upto[of_state];
        let before = place.checked_sub(1).map_or(0, |place| upto[place]);
        Some((before, upto[place] - before))
    }
}
