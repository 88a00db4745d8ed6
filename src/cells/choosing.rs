//! The lists that a draw chooses from.

use rayon::prelude::*;

use super::alias::{Column, Limit, List, limits, push};
use super::suit::{Holders, ways_in_suit};
use super::{Cells, Unfactored};

/// Most cells that are one list: where there are more, a left half is chosen, and then what
/// follows it.
const MOST_IN_ONE_LIST: u64 = 1 << 17;

/// Most followers that are listed; where there are more, they are found when they are drawn.
const MOST_FOLLOWERS: u64 = 1 << 23;

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
    /// Of cells, or of left halves.
    top: Vec<Column>,
    /// Both halves of each cell, if cells are one list.
    pairs: Option<Vec<[u32; 2]>>,
    /// By left half, its followers; nothing if cells are one list, or they are too many.
    followers: Option<Items>,
    items: [Items; 2],
    /// By half, dealt hand and shape, what it adds to the key of the hand's pattern.
    keys: [[Vec<u16>; 3]; 2],
}

/// Lists of the same kind, one for each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of what follows a left half, where that is listed.
    Follower,
    /// Of the shapes and honours of a half, 0 the left.
    Item(usize),
}

/// One of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Of cells, or of left halves.
    Top,
    /// Of what follows a left half.
    Follower(u32),
    /// Of the shapes and honours of a state of a half, 0 the left.
    Item(usize, u32),
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
        let mut top = Vec::new();
        push(&mut top, &all, &weights);
        let items = [cells.items(0)?, cells.items(1)?];
        let keys = [0, 1].map(|half| {
            [0, 1, 2].map(|role| {
                let shapes = cells.shapes.halves[half].iter();
                let lengths = shapes.map(|shape| shape.suits[0].map(|lengths| lengths[role]));
                let key = |[first, second]: [u8; 2]| match half {
                    0 => u16::from(first) * 196 + u16::from(second) * 14,
                    _ => u16::from(first),
                };
                lengths.map(key).collect()
            })
        });
        Ok(Self {
            cells,
            top,
            followers: match pairs {
                Some(_) => None,
                None => cells.listed_followers(&lefts),
            },
            pairs,
            items,
            keys,
        })
    }

    /// The cells.
    pub(crate) fn cells(&self) -> &'c Cells {
        self.cells
    }

    /// Bytes of the lists.
    pub(crate) fn bytes(&self) -> usize {
        let of = |items: &Items| size_of_val(&*items.lists) + size_of_val(&*items.columns);
        let followers = self.followers.as_ref().map_or(0, of);
        let pairs = self.pairs.as_ref().map_or(0, |pairs| size_of_val(&**pairs));
        size_of_val(&*self.top) + pairs + followers + self.items.iter().map(of).sum::<usize>()
    }

    /// Both halves of each cell, if cells are one list.
    pub(crate) fn pairs(&self) -> Option<&[[u32; 2]]> {
        self.pairs.as_deref()
    }

    /// The columns of all lists of a kind, and where those of each are.
    pub(crate) fn lists(&self, kind: Kind) -> Option<(&[List], &[Column])> {
        let items = match kind {
            Kind::Follower => self.followers.as_ref()?,
            Kind::Item(half) => &self.items[half],
        };
        Some((&items.lists, &items.columns))
    }

    /// The columns of a list.
    pub(crate) fn columns(&self, which: Which) -> &[Column] {
        let of = |items: &Items, state: u32| items.lists[state as usize];
        let (columns, list) = match which {
            Which::Top => return &self.top,
            Which::Follower(left) => match &self.followers {
                None => return &[],
                Some(followers) => (&followers.columns, of(followers, left)),
            },
            Which::Item(half, state) => (&self.items[half].columns, of(&self.items[half], state)),
        };
        let start = list.start as usize;
        &columns[start..start + (1 << list.bits)]
    }

    /// The exact limit of a list's column, the column, and W: made anew.
    pub(crate) fn limit(&self, which: Which, place: u32) -> (Limit, Column, u128) {
        let weights = self.weights(which);
        let limit = limits(&weights)[place as usize];
        let column = self.columns(which)[place as usize];
        (limit, column, weights.iter().sum())
    }

    fn weights(&self, which: Which) -> Vec<u128> {
        let cells = self.cells;
        match which {
            Which::Top => cells.top_weights(self.pairs.is_some()),
            Which::Follower(left) => cells.followers(left).map(|(_, ways)| ways).collect(),
            Which::Item(half, state) => {
                let len = self.items[half].lens[state as usize];
                let columns = self.columns(which).iter().take(len as usize);
                let weight = |column: &Column| u128::from(cells.ways_of(half, Item(column.own)));
                columns.map(weight).collect()
            }
        }
    }

    /// By half and shape, what it adds to the key of a dealt hand's pattern:
    /// 14^2 s + 14 h + d.
    pub(crate) fn pattern_keys(&self, role: usize) -> [&[u16]; 2] {
        [0, 1].map(|half| &*self.keys[half][role])
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

    /// The number of states of a half.
    fn states(&self, half: usize) -> usize {
        match half {
            0 => self.lefts.len(),
            _ => self.rights.len(),
        }
    }

    /// The items of every state of a class of a half's shapes, by its vectors.
    pub(super) fn items_of(&self, half: usize, class: usize) -> Vec<(u32, Item, u64)> {
        let side = &self.halves.sides[half];
        let bits = self.roles.holder_bits();
        let mut items = Vec::new();
        for &number in &side.shapes[class] {
            let shape = &self.shapes.halves[half][number as usize];
            for lengths in &shape.suits {
                let [first, second] = self.tables.of(half, lengths);
                for one in &first.placements {
                    for other in &second.placements {
                        let vector = one.vector + other.vector;
                        if let Some(vectors) = side.of_vector.get(vector) {
                            let item = Item::new(number, one.holders.beside(other.holders), bits);
                            items.push((vectors, item, one.ways * other.ways));
                        }
                    }
                }
            }
        }
        items.sort_by_key(|(vectors, ..)| *vectors);
        items
    }

    /// The first state of each class of a half's shapes, and the end.
    pub(super) fn state_starts(&self, half: usize) -> Vec<u32> {
        if half == 1 {
            return self.right_starts.clone();
        }
        let classes = self.halves.rows.len() as u32;
        let start = |class| self.lefts.partition_point(|left| left.shapes < class) as u32;
        (0..=classes).map(start).collect()
    }

    /// The lists of a half's items.
    fn items(&self, half: usize) -> Result<Items, Unfactored> {
        let starts = self.state_starts(half);
        let vectors = |state: usize| match half {
            0 => self.lefts[state].vectors,
            _ => self.rights[state].vectors,
        };
        let of_class = |class: usize| {
            let items = self.items_of(half, class);
            let states = starts[class] as usize..starts[class + 1] as usize;
            let of_state = |state: usize| {
                let [from, to] = [0, 1]
                    .map(|after| items.partition_point(|(of, ..)| *of < vectors(state) + after));
                let items = &items[from..to];
                let mut columns = Vec::new();
                let own: Vec<u32> = items.iter().map(|(_, item, _)| item.0).collect();
                let ways: Vec<u128> = items.iter().map(|item| item.2.into()).collect();
                push(&mut columns, &own, &ways);
                (own.len() as u32, columns)
            };
            states.map(of_state).collect::<Vec<_>>()
        };
        let classes = 0..starts.len() - 1;
        let lists: Vec<Vec<_>> = classes.into_par_iter().map(of_class).collect();
        let lists = Items::join(lists.into_iter().flatten(), self.states(half));
        lists.ok_or(Unfactored::TooLarge("ways to lay the honours of two suits"))
    }

    /// The lists of what follows each left half, if they are not too many.
    fn listed_followers(&self, lefts: &[u32]) -> Option<Items> {
        let count = |&left: &u32| self.followers(left).count() as u64;
        let mut all = 0;
        for chunk in lefts.chunks(1 << 12) {
            all += chunk.par_iter().map(count).sum::<u64>();
            if all > MOST_FOLLOWERS {
                return None;
            }
        }
        let of_left = |&left: &u32| {
            let (own, ways): (Vec<u32>, Vec<u128>) = self.followers(left).unzip();
            let mut columns = Vec::new();
            push(&mut columns, &own, &ways);
            (own.len() as u32, columns)
        };
        let lists: Vec<_> = lefts.par_iter().map(of_left).collect();
        Items::join(lists.into_iter(), lefts.len())
    }
}

impl Items {
    /// All lists, one after the other; nothing if places would need more than 32 bits.
    fn join(lists: impl Iterator<Item = (u32, Vec<Column>)>, states: usize) -> Option<Self> {
        let mut items = Self::default();
        items.lists.reserve_exact(states);
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
