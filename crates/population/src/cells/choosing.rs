//! The weighted lists that a draw chooses from.

use rayon::prelude::*;

use super::alias::{AliasColumn, List, limits, push};
use super::shapes::HalfShape;
use super::suit::{Holders, ways_in_suit};
use super::terms::Roles;
use super::{Cells, CellsError};
use crate::bridge::Suit;

/// Maximum number of cells in a single list. With more cells, a draw chooses a left half and then
/// its follower.
const MOST_IN_ONE_LIST: u64 = 1 << 17;

/// Maximum number of followers that are listed. More followers are searched during the draw.
pub(super) const MOST_FOLLOWERS: u64 = 1 << 23;

/// A half's shape and the holders of its honours, packed into one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HalfItem(pub(crate) u32);

impl HalfItem {
    /// Packs a shape and holders, which take `bits` bits: [`Roles::holder_bits`].
    pub(super) fn new(shape: u32, holders: Holders, bits: u32) -> Self {
        Self(shape << bits | u32::from(holders.bits()))
    }

    /// The index of the half's shape.
    #[inline]
    pub(crate) const fn shape(self, bits: u32) -> usize {
        (self.0 >> bits) as usize
    }

    /// The holders of the half's honours.
    #[inline]
    pub(crate) const fn holders(self, bits: u32) -> Holders {
        Holders::from_bits((self.0 & ((1 << bits) - 1)) as u16)
    }
}

/// The lists of all states of one kind.
#[derive(Debug, Default)]
struct StateLists {
    lists: Vec<List>,
    /// The number of items of each list.
    lens: Vec<u32>,
    columns: Vec<AliasColumn>,
}

/// The lists of the cells.
#[derive(Debug)]
pub struct Choosing<'c> {
    cells: &'c Cells,
    /// One list: of cells, or of left halves.
    top: StateLists,
    /// Both halves of each cell, if the cells are in one list.
    pairs: Option<Vec<[u32; 2]>>,
    /// The followers of each left half; `None` if the cells are in one list, or if there are too
    /// many followers.
    followers: Option<StateLists>,
    items: [StateLists; 2],
    /// The lengths of the dealt hands, by half and shape.
    shapes: [Vec<u32>; 2],
}

/// A kind of list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// The single list of cells, or of left halves.
    Top,
    /// Lists of the followers of each left half, if they are listed.
    Follower,
    /// Lists of the shapes and honours of each state of a half; 0 is the left half.
    Item(usize),
}

impl<'c> Choosing<'c> {
    /// Makes the lists of the cells.
    ///
    /// # Errors
    ///
    /// [`CellsError`] if the lists would be too long.
    pub fn new(cells: &'c Cells) -> Result<Self, CellsError> {
        cells.can_be_drawn()?;
        let lefts: Vec<u32> = (0..cells.lefts.len() as u32).collect();
        let pairs = (cells.cells() <= MOST_IN_ONE_LIST).then(|| {
            let followers =
                |&left: &u32| cells.followers(left).map(move |(right, _)| [left, right]);
            lefts.iter().flat_map(followers).collect::<Vec<_>>()
        });
        let weights = cells.top_weights(pairs.is_some());
        let all: Vec<u32> = (0..weights.len() as u32).collect();
        let top = StateLists::join(vec![list(&all, &weights)]);
        let items = [cells.items(0)?, cells.items(1)?];
        let shapes = [0, 1].map(|half| {
            let shapes = cells.shapes.halves[half].iter();
            shapes.map(|shape| packed(&cells.roles, shape)).collect()
        });
        Ok(Self {
            cells,
            top: top.ok_or(CellsError::TooLarge("cells"))?,
            followers: match pairs {
                Some(_) => None,
                None => cells.listed_followers(&lefts),
            },
            pairs,
            items,
            shapes,
        })
    }

    /// The cells.
    #[inline]
    pub fn cells(&self) -> &'c Cells {
        self.cells
    }

    /// The memory of the lists in bytes.
    pub fn bytes(&self) -> usize {
        let of = |items: &StateLists| size_of_val(&*items.lists) + size_of_val(&*items.columns);
        let all = self.items.iter().chain(&self.followers).chain([&self.top]);
        let pairs = self.pairs.as_ref().map_or(0, |pairs| size_of_val(&**pairs));
        pairs + all.map(of).sum::<usize>()
    }

    /// Both halves of each cell; `None` if the cells are not in one list.
    #[inline]
    pub fn pairs(&self) -> Option<&[[u32; 2]]> {
        self.pairs.as_deref()
    }

    /// Whether the followers of each left half are listed.
    #[inline]
    pub fn has_followers(&self) -> bool {
        self.followers.is_some()
    }

    /// The lists of a kind and their columns; empty if there are no such lists.
    #[inline]
    pub fn lists(&self, kind: ListKind) -> (&[List], &[AliasColumn]) {
        match self.of(kind) {
            Some(items) => (&items.lists, &items.columns),
            None => (&[], &[]),
        }
    }

    /// The columns of the list of cells or left halves, for planted defects.
    #[doc(hidden)]
    pub fn top_columns(&mut self) -> &mut [AliasColumn] {
        &mut self.top.columns
    }

    fn of(&self, kind: ListKind) -> Option<&StateLists> {
        match kind {
            ListKind::Top => Some(&self.top),
            ListKind::Follower => self.followers.as_ref(),
            ListKind::Item(half) => Some(&self.items[half]),
        }
    }

    /// Recomputes the exact limit of a column, and W.
    #[inline]
    pub fn limit(&self, kind: ListKind, state: u32, place: u32) -> (u128, u128) {
        let weights = self.weights(kind, state);
        let limit = limits(&weights)[place as usize].limit;
        (limit, weights.iter().sum())
    }

    /// Returns the weights of a list's items.
    fn weights(&self, kind: ListKind, state: u32) -> Vec<u128> {
        let cells = self.cells;
        match kind {
            ListKind::Top => cells.top_weights(self.pairs.is_some()),
            ListKind::Follower => cells.followers(state).map(|(_, ways)| ways).collect(),
            ListKind::Item(half) => {
                let items = &self.items[half];
                let columns = &items.columns[items.lists[state as usize].start as usize..];
                let columns = columns.iter().take(items.lens[state as usize] as usize);
                let weight =
                    |column: &AliasColumn| u128::from(cells.ways_of(half, HalfItem(column.own)));
                columns.map(weight).collect()
            }
        }
    }

    /// The lengths of the dealt hands, by half and shape. Bits from 8 n and from 8 n + 4 hold the
    /// two lengths of the n-th dealt hand; 0 if its pattern is not fixed.
    #[inline]
    pub fn shapes(&self) -> [&[u32]; 2] {
        self.shapes.each_ref().map(Vec::as_slice)
    }
}

impl Cells {
    /// Returns the weights of all cells, or of all left halves.
    fn top_weights(&self, by_cell: bool) -> Vec<u128> {
        let lefts = (0..).zip(&self.lefts);
        let ways = |left: &super::LeftHalf| u128::from(left.ways);
        if !by_cell {
            return lefts.map(|(_, left)| ways(left) * left.after).collect();
        }
        let of_left = |(number, left)| {
            self.followers(number)
                .map(move |(_, after)| ways(left) * after)
        };
        lefts.flat_map(of_left).collect()
    }

    /// Returns the number of ways to deal a half with this shape and these honours.
    pub(super) fn ways_of(&self, half: usize, item: HalfItem) -> u64 {
        let bits = self.roles.holder_bits();
        let shape = &self.shapes.halves[half][item.shape(bits)];
        let holders = item.holders(bits).suits();
        let suits = (2 * half..).zip(shape.suits[0]).zip(holders);
        suits
            .map(|((suit, lengths), holders)| {
                ways_in_suit(&self.roles, Suit::ALL[suit], &lengths, holders)
            })
            .product()
    }

    /// Calls `each` for every accepted placement of the honours in a half of this shape, with the
    /// class of its vector, the holders, and the number of ways to deal the half.
    pub(super) fn each_way(
        &self,
        half: usize,
        shape: u32,
        mut each: impl FnMut(u32, Holders, u64),
    ) {
        let classes = &self.halves.sides[half].of_vector;
        for lengths in &self.shapes.halves[half][shape as usize].suits {
            let [first, second] = self.tables.of(half, lengths);
            for one in &first.placements {
                for other in &second.placements {
                    if let Some(vectors) = classes.get(one.vector + other.vector) {
                        each(
                            vectors,
                            one.holders.beside(other.holders),
                            one.ways * other.ways,
                        );
                    }
                }
            }
        }
    }

    /// Applies `of_items` to the items of each state of a half, which come with their ways.
    pub(super) fn of_states<R: Send>(
        &self,
        half: usize,
        of_items: impl Fn(&[(u32, HalfItem, u64)]) -> R + Sync,
    ) -> Vec<R> {
        let bits = self.roles.holder_bits();
        let shapes = &self.halves.sides[half].shapes;
        let of_class = |class: usize| {
            let states = self.states_of(half, class);
            let state_of = self.state_of(half, states.clone());
            // The number of items of every state is known: each goes to its place at once.
            let mut places = vec![0];
            for state in states {
                let last = places[places.len() - 1];
                places.push(last + self.cases_of(half, state) as usize);
            }
            let mut items = vec![(0, HalfItem(0), 0); places[places.len() - 1]];
            for &shape in &shapes[class] {
                self.each_way(half, shape, |vectors, holders, ways| {
                    if let Some(state) = state_of.get(vectors) {
                        items[places[state]] = (vectors, HalfItem::new(shape, holders, bits), ways);
                        places[state] += 1;
                    }
                });
            }
            let mut rest = &items[..];
            let mut from = 0;
            let ends = &places[..places.len() - 1];
            let of_state = ends.iter().map(|&end| {
                let (own, others) = rest.split_at(end - from);
                (rest, from) = (others, end);
                of_items(own)
            });
            of_state.collect::<Vec<R>>()
        };
        let classes = (0..shapes.len()).into_par_iter();
        let of_classes: Vec<Vec<R>> = classes.map(of_class).collect();
        of_classes.into_iter().flatten().collect()
    }

    /// Makes the lists of a half's items.
    fn items(&self, half: usize) -> Result<StateLists, CellsError> {
        let lists = self.of_states(half, |items| {
            let own: Vec<u32> = items.iter().map(|(_, item, _)| item.0).collect();
            let ways: Vec<u128> = items.iter().map(|item| item.2.into()).collect();
            list(&own, &ways)
        });
        let lists = StateLists::join(lists);
        lists.ok_or(CellsError::TooLarge("honour placements in two suits"))
    }

    /// Makes the lists of each left half's followers; `None` if there are too many.
    fn listed_followers(&self, lefts: &[u32]) -> Option<StateLists> {
        if self.cells > MOST_FOLLOWERS {
            return None;
        }
        let of_left = |&left: &u32| {
            let (own, ways): (Vec<u32>, Vec<u128>) = self.followers(left).unzip();
            list(&own, &ways)
        };
        StateLists::join(lefts.par_iter().map(of_left).collect())
    }
}

/// Packs the lengths of the dealt hands whose patterns are fixed, four bits each.
fn packed(roles: &Roles, shape: &HalfShape) -> u32 {
    let [first, second] = shape.suits[0];
    let of_role = |role: usize| u32::from(first[role] | second[role] << 4) << (8 * role);
    (0..roles.by_pattern).map(of_role).sum()
}

/// Returns the number of items of a list, and its columns.
fn list(own: &[u32], ways: &[u128]) -> (u32, Vec<AliasColumn>) {
    let mut columns = Vec::new();
    push(&mut columns, own, ways);
    (own.len() as u32, columns)
}

impl StateLists {
    /// Joins all lists; `None` if their positions need more than 32 bits.
    fn join(lists: Vec<(u32, Vec<AliasColumn>)>) -> Option<Self> {
        let mut items = Self::default();
        for (len, columns) in lists {
            let start = u32::try_from(items.columns.len()).ok()?;
            let bits = len.next_power_of_two().trailing_zeros();
            items.lists.push(List { start, bits });
            items.lens.push(len);
            items.columns.extend(columns);
        }
        u32::try_from(items.columns.len()).ok()?;
        Some(items)
    }
}
