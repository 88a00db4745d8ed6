//! The exact distribution of every table, from integers.
//!
//! Theory never sees a deal or a tally. Until it covers case files, it holds
//! the closed forms of unconstrained deals.

mod ratio;
mod unconstrained;

pub use ratio::{Distribution, Ratio};

use crate::cards::pattern::SHAPE_COUNT;
use crate::cards::{Card, PatternIndex, Seat, Side, Suit};

/// The exact distributions of the tables of a run.
#[derive(Clone, Debug)]
pub struct Theory {
    patterns: [Distribution; 4],
    hcp: [Distribution; 4],
    north_south_hcp: Distribution,
    north_south_lengths: [Distribution; 4],
    /// For each card, the seat that holds it.
    cards: Vec<Distribution>,
}

impl Theory {
    /// The theory of unconstrained deals.
    #[must_use]
    pub fn unconstrained() -> Self {
        unconstrained::theory()
    }

    /// A seat's patterns, by [`PatternIndex`].
    #[must_use]
    pub fn patterns(&self, seat: Seat) -> &Distribution {
        &self.patterns[seat.index()]
    }

    /// A seat's shapes, by shape index.
    #[must_use]
    pub fn shapes(&self, seat: Seat) -> Distribution {
        let shape = |index: PatternIndex| index.shape_index().get();
        self.grouped_patterns(seat, SHAPE_COUNT, shape)
    }

    /// A seat's lengths of a suit, 0..=13.
    #[must_use]
    pub fn suit_lengths(&self, seat: Seat, suit: Suit) -> Distribution {
        let length = |index: PatternIndex| usize::from(index.pattern().length(suit));
        self.grouped_patterns(seat, 14, length)
    }

    fn grouped_patterns(
        &self,
        seat: Seat,
        groups: usize,
        group: impl Fn(PatternIndex) -> usize,
    ) -> Distribution {
        let patterns = self.patterns(seat);
        let mut sums = vec![0; groups];
        for (index, ways) in PatternIndex::all().zip(patterns.ways()) {
            sums[group(index)] += ways;
        }
        Distribution::new(sums, patterns.of())
    }

    /// A side's lengths of a suit, 0..=13.
    #[must_use]
    pub fn fits(&self, side: Side, suit: Suit) -> Distribution {
        self.north_south_lengths[suit.index()].for_side(side)
    }

    /// A seat's points, 0..=37.
    #[must_use]
    pub fn hcp(&self, seat: Seat) -> &Distribution {
        &self.hcp[seat.index()]
    }

    /// A side's points, 0..=40.
    #[must_use]
    pub fn side_hcp(&self, side: Side) -> Distribution {
        self.north_south_hcp.for_side(side)
    }

    /// The seat that holds a card, north to west.
    #[must_use]
    pub fn card(&self, card: Card) -> &Distribution {
        &self.cards[card.index()]
    }
}
