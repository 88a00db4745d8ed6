//! Counting one card after the other, as most programs do: the baseline of
//! [`Tallying`](super::Tallying), and its test.
//!
//! A baseline must not change from build to build: [`NaiveTallying::count`] is compiled by itself,
//! with the small functions that it calls inlined.

use super::{TableChoice, Tally};
use crate::bridge::{Card, Pattern, Seat};

/// Counts decks, dealt thirteen cards at a time.
#[derive(Clone, Debug)]
pub struct NaiveTallying {
    choice: TableChoice,
    tally: Tally,
}

impl NaiveTallying {
    /// Creates a counter of these tables.
    pub fn new(choice: TableChoice) -> Self {
        Self {
            choice,
            tally: Tally::default(),
        }
    }

    /// Counts one deal: north has the first thirteen cards, then east, south, west.
    ///
    /// # Panics
    ///
    /// If the deck does not hold every card once.
    #[inline(never)]
    pub fn count(&mut self, deck: &[Card; Card::COUNT]) {
        let tables = &mut *self.tally.tables;
        self.tally.deals += 1;
        let mut points = [0; 4];
        let mut lengths = [[0; 4]; 4];
        for (seat, hand) in deck.chunks_exact(13).enumerate() {
            for card in hand {
                points[seat] += 4usize.saturating_sub(card.rank().index());
                lengths[seat][card.suit().index()] += 1;
            }
            let pattern = Pattern::new(lengths[seat]).expect("thirteen cards");
            tables.patterns[seat][pattern.index().get()] += 1;
            tables.hcp[seat][points[seat]] += 1;
        }
        let [north, south] = [Seat::North.index(), Seat::South.index()];
        tables.north_south_hcp[points[north] + points[south]] += 1;
        if self.choice.fits {
            let partners = lengths[north].iter().zip(&lengths[south]);
            for (counts, (north, south)) in tables.north_south_lengths.iter_mut().zip(partners) {
                counts[usize::from(north + south)] += 1;
            }
            let fits = (0..4).map(|suit| usize::from(lengths[north][suit] + lengths[south][suit]));
            let (least, most) = fits.fold((13, 0), |(least, most), n| (n.min(least), n.max(most)));
            tables.best_fits[0][most] += 1;
            tables.best_fits[1][13 - least] += 1;
        }
        if self.choice.cards {
            for (hand, counts) in deck.chunks_exact(13).zip(&mut tables.cards) {
                for card in hand {
                    counts[card.index()] += 1;
                }
            }
        }
    }

    /// Returns the counts.
    pub fn finish(self) -> Tally {
        self.tally
    }
}
