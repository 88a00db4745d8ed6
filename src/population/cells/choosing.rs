//! The lists that a draw chooses from.

use rayon::prelude::*;

use super::alias::{Column, List, limits, push};
use super::shapes::HalfShape;
use super::suit::{Holders, ways_in_suit};
use super::terms::Roles;
use super::{Cells, Unfactored};

/// Most cells that are one list: where there are more, a left half is chosen, and then what
/// follows it.
const MOST_IN_ONE_LIST: u64 = 1 << 17;

/// Most followers that are listed; where there are more, they are found when they are drawn.
pub(super) const MOST_FOLLOWERS: u64 = 1 << 23;

/// A half's shape and the holders of its honours, as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item(pub(crate) u32);

impl Item {
    /// `bits` of it are for the holders: [`Roles::holder_bits`].
    pub(super) fn new(shape: u32, holders: Holders, bits: u32) -> Self {
        Self(shape << bits | u32::from(holders.bits()))
    }

    /// The number of the half's shape.
    #[inline]
    pub(crate) const fn shape(self, bits: u32) -> usize {
        (self.0 >> bits) as usize
    }

    /// Who has its honours.
    #[inline]
    pub(crate) const fn holders(self, bits: u32) -> Holders {
        Holders::from_bits((self.0 & ((1 << bits) - 1)) as u16)
    }
}

/// Items of a half's states, and where those of each are.
#[derive(Debug, Default)]
struct Items {
    lists: Vec<List>,
    /// How many items each has.
    lens: Vec<u32>,
    columns: Vec<Column>,
}

/// The lists of some cells.
#[derive(Debug)]
pub(crate) struct Choosing<'c> {
    cells: &'c Cells,
    /// One list, of cells or of left halves.
    top: Items,
    /// Both halves of each cell, if cells are one list.
    pairs: Option<Vec<[u32; 2]>>,
    /// By left half, its followers; nothing if cells are one list, or they are too many.
    followers: Option<Items>,
    items: [Items; 2],
    /// By half and shape, the lengths of the dealt hands.
    shapes: [Vec<u32>; 2],
}

/// Lists of the same kind, one for each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One list, of cells or of left halves.
    Top,
    /// Of what follows a left half, where that is listed.
    Follower,
    /// Of the shapes and honours of a half, 0 the left.
    Item(usize),
}

impl<'c> Choosing<'c> {
    /// # Errors
    ///
    /// [`Unfactored`] if the lists would be too long.
    pub(crate) fn new(cells: &'c Cells) -> Result<Self, Unfactored> {
        cells.can_be_drawn()?;
        let lefts: Vec<u32> = (0..cells.lefts.len() as u32).collect();
        let pairs = (cells.cells() <= MOST_IN_ONE_LIST).then(|| {
            let followers =
                |&left: &u32| cells.followers(left).map(move |(right, _)| [left, right]);
            lefts.iter().flat_map(followers).collect::<Vec<_>>()
        });
        let weights = cells.top_weights(pairs.is_some());
        let all: Vec<u32> = (0..weights.len() as u32).collect();
        let top = Items::join(vec![list(&all, &weights)]);
        let items = [cells.items(0)?, cells.items(1)?];
        let shapes = [0, 1].map(|half| {
            let shapes = cells.shapes.halves[half].iter();
            shapes.map(|shape| packed(&cells.roles, shape)).collect()
        });
        Ok(Self {
            cells,
            top: top.ok_or(Unfactored::TooLarge("cells"))?,
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
    pub(crate) fn cells(&self) -> &'c Cells {
        self.cells
    }

    /// Bytes of the lists.
    pub(crate) fn bytes(&self) -> usize {
        let of = |items: &Items| size_of_val(&*items.lists) + size_of_val(&*items.columns);
        let all = self.items.iter().chain(&self.followers).chain([&self.top]);
        let pairs = self.pairs.as_ref().map_or(0, |pairs| size_of_val(&**pairs));
        pairs + all.map(of).sum::<usize>()
    }

    /// Both halves of each cell, if cells are one list.
    pub(crate) fn pairs(&self) -> Option<&[[u32; 2]]> {
        self.pairs.as_deref()
    }

    /// Whether what follows each left half is listed.
    pub(crate) fn has_followers(&self) -> bool {
        self.followers.is_some()
    }

    /// Where the columns of each list of a kind are, and the columns; none if there are no such
    /// lists.
    pub(crate) fn lists(&self, kind: Kind) -> (&[List], &[Column]) {
        match self.of(kind) {
            Some(items) => (&items.lists, &items.columns),
            None => (&[], &[]),
        }
    }

    fn of(&self, kind: Kind) -> Option<&Items> {
        match kind {
            Kind::Top => Some(&self.top),
            Kind::Follower => self.followers.as_ref(),
            Kind::Item(half) => Some(&self.items[half]),
        }
    }

    /// The exact limit of a column, and W: made anew.
    pub(crate) fn limit(&self, kind: Kind, state: u32, place: u32) -> (u128, u128) {
        let weights = self.weights(kind, state);
        let limit = limits(&weights)[place as usize].limit;
        (limit, weights.iter().sum())
    }

    /// The weights of a list's items.
    fn weights(&self, kind: Kind, state: u32) -> Vec<u128> {
        let cells = self.cells;
        match kind {
            Kind::Top => cells.top_weights(self.pairs.is_some()),
            Kind::Follower => cells.followers(state).map(|(_, ways)| ways).collect(),
            Kind::Item(half) => {
                let items = &self.items[half];
                let columns = &items.columns[items.lists[state as usize].start as usize..];
                let columns = columns.iter().take(items.lens[state as usize] as usize);
                let weight = |column: &Column| u128::from(cells.ways_of(half, Item(column.own)));
                columns.map(weight).collect()
            }
        }
    }

    /// By half and shape, of the n-th dealt hand both lengths, from bits 8 n and 8 n + 4 on;
    /// 0 if its pattern is not fixed.
    pub(crate) fn shapes(&self) -> [&[u32]; 2] {
        self.shapes.each_ref().map(Vec::as_slice)
    }
}

impl Cells {
    /// The weights of all cells, or of all left halves.
    fn top_weights(&self, by_cell: bool) -> Vec<u128> {
        let lefts = (0..).zip(&self.lefts);
        let ways = |left: &super::Left| u128::from(left.ways);
        if !by_cell {
            return lefts.map(|(_, left)| ways(left) * left.after).collect();
        }
        let of_left = |(number, left)| {
            self.followers(number)
                .map(move |(_, after)| ways(left) * after)
        };
        lefts.flat_map(of_left).collect()
    }

    /// In how many ways a half of this shape with these honours can be dealt.
    pub(super) fn ways_of(&self, half: usize, item: Item) -> u64 {
        let bits = self.roles.holder_bits();
        let shape = &self.shapes.halves[half][item.shape(bits)];
        let holders = item.holders(bits).suits();
        let suits = shape.suits[0].iter().zip(holders);
        suits
            .map(|(lengths, holders)| ways_in_suit(&self.roles, lengths, holders))
            .product()
    }

    /// Calls with every way to lay the honours of a half of this shape that is wanted: the
    /// class of its vector, who has them, and in how many ways the half can be dealt.
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

    /// What is made of the items of each state of a half, with their ways.
    pub(super) fn of_states<R: Send>(
        &self,
        half: usize,
        of_items: impl Fn(&[(u32, Item, u64)]) -> R + Sync,
    ) -> Vec<R> {
        let bits = self.roles.holder_bits();
        let shapes = &self.halves.sides[half].shapes;
        let of_class = |class: usize| {
            let mut items = Vec::new();
            for &shape in &shapes[class] {
                self.each_way(half, shape, |vectors, holders, ways| {
                    items.push((vectors, Item::new(shape, holders, bits), ways));
                });
            }
            items.sort_by_key(|(vectors, ..)| *vectors);
            let of_state = |state| {
                let vectors = self.vectors_of(half, state);
                let [from, to] = [vectors, vectors + 1]
                    .map(|vectors| items.partition_point(|(of, ..)| *of < vectors));
                of_items(&items[from..to])
            };
            let states = self.states_of(half, class);
            states.map(of_state).collect::<Vec<R>>()
        };
        let classes = (0..shapes.len()).into_par_iter();
        let of_classes: Vec<Vec<R>> = classes.map(of_class).collect();
        of_classes.into_iter().flatten().collect()
    }

    /// The lists of a half's items.
    fn items(&self, half: usize) -> Result<Items, Unfactored> {
        let lists = self.of_states(half, |items| {
            let own: Vec<u32> = items.iter().map(|(_, item, _)| item.0).collect();
            let ways: Vec<u128> = items.iter().map(|item| item.2.into()).collect();
            list(&own, &ways)
        });
        let lists = Items::join(lists);
        lists.ok_or(Unfactored::TooLarge("ways to lay the honours of two suits"))
    }

    /// The lists of what follows each left half, if they are not too many.
    fn listed_followers(&self, lefts: &[u32]) -> Option<Items> {
        if self.cells > MOST_FOLLOWERS {
            return None;
        }
        let of_left = |&left: &u32| {
            let (own, ways): (Vec<u32>, Vec<u128>) = self.followers(left).unzip();
            list(&own, &ways)
        };
        Items::join(lefts.par_iter().map(of_left).collect())
    }
}

/// The lengths of the dealt hands whose patterns are fixed, four bits each.
fn packed(roles: &Roles, shape: &HalfShape) -> u32 {
    let [first, second] = shape.suits[0];
    let of_role = |role: usize| u32::from(first[role] | second[role] << 4) << (8 * role);
    (0..roles.by_pattern).map(of_role).sum()
}

/// The number of items of a list, and its columns.
fn list(own: &[u32], ways: &[u128]) -> (u32, Vec<Column>) {
    let mut columns = Vec::new();
    push(&mut columns, own, ways);
    (own.len() as u32, columns)
}

impl Items {
    /// All lists, one after the other; nothing if places would need more than 32 bits.
    fn join(lists: Vec<(u32, Vec<Column>)>) -> Option<Self> {
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
