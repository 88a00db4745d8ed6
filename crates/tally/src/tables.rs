//! The tables of counts.

use std::slice;

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

use super::saved;
use crate::bridge::honours::HCP_COUNT;
use crate::bridge::pattern::{PATTERN_COUNT, SHAPE_COUNT};
use crate::bridge::{Card, PatternIndex, Seat, Side, Suit};

/// Number of HCP totals of a side, 0..=40.
pub const SIDE_HCP_COUNT: usize = 41;
/// Number of lengths of a suit, 0..=13.
const LENGTH_COUNT: usize = 14;

/// The counts of a run, or of a part of one.
///
/// The tables are on the heap, because workers pass tallies to each other and twenty kilobytes for
/// each would fill their stacks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub(super) deals: u64,
    #[serde(with = "saved::table")]
    pub(super) tables: Box<TallyTables>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct TallyTables {
    pub(super) patterns: [[u64; PATTERN_COUNT]; 4],
    pub(super) hcp: [[u64; HCP_COUNT]; 4],
    pub(super) north_south_hcp: [u64; SIDE_HCP_COUNT],
    pub(super) north_south_lengths: [[u64; LENGTH_COUNT]; 4],
    /// The longest suit of north-south and of east-west.
    pub(super) best_fits: [[u64; LENGTH_COUNT]; 2],
    /// By seat and card; west's counts follow from the others.
    pub(super) cards: [[u64; Card::COUNT]; 3],
}

impl Default for TallyTables {
    fn default() -> Self {
        Self::zeroed()
    }
}

/// The tables to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableChoice {
    /// Lengths of each suit, by side.
    pub fits: bool,
    /// The seat of every card.
    pub cards: bool,
}

impl TableChoice {
    /// All tables.
    pub const ALL: Self = Self {
        fits: true,
        cards: true,
    };
}

impl Tally {
    /// Returns the number of deals.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns the count of each pattern at a seat.
    pub fn patterns(&self, seat: Seat) -> &[u64; PATTERN_COUNT] {
        &self.tables.patterns[seat.index()]
    }

    /// Returns the count of each shape at a seat.
    pub fn shapes(&self, seat: Seat) -> [u64; SHAPE_COUNT] {
        let mut shapes = [0; SHAPE_COUNT];
        for (index, count) in PatternIndex::all().zip(self.patterns(seat)) {
            shapes[index.shape_index().get()] += count;
        }
        shapes
    }

    /// Returns the count of each length of a suit at a seat.
    pub fn suit_lengths(&self, seat: Seat, suit: Suit) -> [u64; LENGTH_COUNT] {
        let mut lengths = [0; LENGTH_COUNT];
        for (index, count) in PatternIndex::all().zip(self.patterns(seat)) {
            lengths[usize::from(index.pattern().length(suit))] += count;
        }
        lengths
    }

    /// Returns the count of each length of a suit for a side.
    pub fn fits(&self, side: Side, suit: Suit) -> [u64; LENGTH_COUNT] {
        let mut lengths = self.tables.north_south_lengths[suit.index()];
        if side == Side::EastWest {
            lengths.reverse();
        }
        lengths
    }

    /// Returns the count of each length of a side's longest suit.
    pub fn best_fits(&self, side: Side) -> &[u64; LENGTH_COUNT] {
        &self.tables.best_fits[side as usize]
    }

    /// Returns the count of each number of points at a seat.
    pub fn hcp(&self, seat: Seat) -> &[u64; HCP_COUNT] {
        &self.tables.hcp[seat.index()]
    }

    /// Returns the count of each number of points for a side.
    pub fn side_hcp(&self, side: Side) -> [u64; SIDE_HCP_COUNT] {
        let mut points = self.tables.north_south_hcp;
        if side == Side::EastWest {
            points.reverse();
        }
        points
    }

    /// Returns the number of deals in which a seat holds a card.
    pub fn card(&self, seat: Seat, card: Card) -> u64 {
        let held = |seat: Seat| self.tables.cards[seat.index()][card.index()];
        match seat {
            Seat::West => self.deals - held(Seat::North) - held(Seat::East) - held(Seat::South),
            other => held(other),
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Self) {
        if other.deals > 0 {
            self.deals += other.deals;
            let mine = bytemuck::cast_slice_mut(slice::from_mut(&mut *self.tables));
            add(mine, bytemuck::cast_slice(slice::from_ref(&*other.tables)));
        }
    }
}

/// Adds counts cell by cell.
pub(super) fn add(mine: &mut [u64], theirs: &[u64]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}
