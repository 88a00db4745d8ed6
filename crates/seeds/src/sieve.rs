//! The sieve: three indices rule out most seeds, by tables that give the possible finishes of a
//! deal.
//!
//! Every shuffle except the last two brings a card to its final place with each index, if growing
//! shuffles are run backwards. Three indices therefore leave one finish in 64. For the shuffle that
//! swaps every card with any, and for sorting, the places where three cards end are known. The
//! remaining finishes are checked card by card, and what then remains is checked once more,
//! exactly.

use super::dictionary::{DealingMethod, SeedSource};
use super::draw::SeedColumn;
use super::shuffle::{DOWN, Dealing, DeckOrder, Fits, SORTED, Shuffle, seats};
use crate::bridge::{Card, Deal};
use crate::kernels::{
    DrawKind, IndexTriples, Isa, NumberRows, PAIRED, PLACES, SCATTERED, SEEDS, place, places,
    scattered,
};

/// Number of finishes of a shuffle: pairs of a deck order and a dealing, each a bit of a byte.
const FINISHES: usize = DeckOrder::ALL.len() * Dealing::ALL.len();
const ALL_FINISHES: u8 = u8::MAX;

const _: () = assert!(FINISHES == u8::BITS as usize);

/// Tables of the finishes of one deal that three indices leave possible.
pub(super) struct FinishTables {
    deal: Deal,
    fits: Fits,
    /// By the first indices of the four shuffles whose bounds begin with 52.
    down: [Vec<u8>; DOWN.len()],
    /// By the last indices of growing shuffles.
    growing: Vec<u8>,
    /// By the final places of the first three cards, and of the three after them.
    any: [Vec<u8>; 2],
}

impl FinishTables {
    pub(super) fn new(deal: &Deal) -> Self {
        let fits = fits(deal);
        Self {
            deal: *deal,
            down: DOWN.map(|shuffle| by_indices(shuffle, &fits)),
            growing: by_indices(Shuffle::Growing, &fits),
            any: [0, 3].map(|card| by_ends(card, &fits)),
            fits,
        }
    }

    /// Returns the deal that is searched for.
    pub(super) fn deal(&self) -> &Deal {
        &self.deal
    }

    fn table(&self, which: DrawKind, shuffle: usize) -> &[u8] {
        match which {
            DrawKind::First => &self.down[shuffle],
            DrawKind::Before(_) => &self.growing,
            DrawKind::All | DrawKind::Sorted => &self.any[0],
        }
    }
}

fn fits(deal: &Deal) -> Fits {
    let mut fits = [[0; Card::COUNT]; Card::COUNT];
    let seats = DeckOrder::ALL.map(|order| seats(deal, order));
    for number in 0..FINISHES {
        let (order, dealing) = finish(number);
        for (place, row) in fits.iter_mut().enumerate() {
            for (card, bits) in row.iter_mut().enumerate() {
                *bits |= u8::from(dealing.seat(place) == seats[order][card]) << number;
            }
        }
    }
    fits
}

/// Returns the deck order (as a number) and the dealing of a finish.
fn finish(number: usize) -> (usize, Dealing) {
    let dealings = Dealing::ALL.len();
    (number / dealings, Dealing::ALL[number % dealings])
}

/// Returns the possible finishes of a shuffle for every three indices, by their place.
fn by_indices(shuffle: Shuffle, fits: &Fits) -> Vec<u8> {
    let after = |(mut deck, left), step, index: u32| {
        let fitting = shuffle.placed(&mut deck, step, index as usize, fits);
        (deck, left & fitting)
    };
    let mut table = vec![0; PLACES];
    for a in 0..52 {
        let one = after((SORTED, ALL_FINISHES), 0, a);
        for b in 0..51 {
            let two = after(one, 1, b);
            // More than half of the pairs of indices leave no finish.
            if two.1 != 0 {
                for c in 0..50 {
                    table[place([a, b, c]) as usize] = after(two, 2, c).1;
                }
            }
        }
    }
    table
}

/// Returns the possible finishes by the final places of this card and the next two.
fn by_ends(card: usize, fits: &Fits) -> Vec<u8> {
    let mut table = vec![0; SCATTERED];
    for (a, one) in (0..).zip(fits) {
        for (b, two) in (0..).zip(fits) {
            let left = one[card] & two[card + 1];
            if left != 0 {
                for (c, three) in (0..).zip(fits) {
                    table[scattered([a, b, c]) as usize] = left & three[card + 2];
                }
            }
        }
    }
    table
}

/// Three numbers of a seed to check, and the shuffles of a source they apply to, each with its
/// number in the tables.
struct NumberCheck {
    which: DrawKind,
    shuffles: Vec<(usize, Shuffle)>,
}

/// The checks for a source.
pub(super) struct SourceChecks {
    source: &'static SeedSource,
    looks: Vec<NumberCheck>,
}

impl SourceChecks {
    pub(super) fn of(source: &'static SeedSource) -> Self {
        let growing = if source.draw.is_paired() { PAIRED } else { 51 };
        let all: [(DrawKind, &[Shuffle]); 5] = [
            (DrawKind::First, &DOWN),
            (DrawKind::Before(growing), &[Shuffle::Growing]),
            (DrawKind::Before(52), &[Shuffle::GrowingFromFirst]),
            (DrawKind::All, &[Shuffle::AnyWithAny]),
            (DrawKind::Sorted, &[Shuffle::Sorted]),
        ];
        let looks = all.into_iter().map(|(which, shuffles)| {
            let shuffles = shuffles.iter().copied().enumerate();
            let tried = shuffles.filter(|(_, shuffle)| source.shuffles.contains(shuffle));
            NumberCheck {
                which,
                shuffles: tried.collect(),
            }
        });
        let looks = looks.filter(|look| !look.shuffles.is_empty()).collect();
        Self { source, looks }
    }

    /// Passes to `found` the deals, methods and lanes (seeds) where the method may have dealt the
    /// deal.
    pub(super) fn look(
        &self,
        isa: Isa,
        numbers: &NumberRows,
        sieves: &[FinishTables],
        found: &mut dyn FnMut(usize, DealingMethod, usize),
    ) {
        let mut packed: IndexTriples = [[0; SEEDS]; 2];
        let indexing = self.source.indexing();
        for look in &self.looks {
            places(isa, indexing, look.which, numbers, &mut packed);
            for (deal, sieve) in sieves.iter().enumerate() {
                for &(number, shuffle) in &look.shuffles {
                    let left = lanes_left(sieve.table(look.which, number), &packed[0]);
                    for &(lane, mut left) in left.iter() {
                        let lane = usize::from(lane);
                        if matches!(look.which, DrawKind::All | DrawKind::Sorted) {
                            left &= by_place(&sieve.any[1], packed[1][lane]);
                        }
                        if left == 0 {
                            continue;
                        }
                        let column = SeedColumn { numbers, lane };
                        left = self.source.leaves(shuffle, left, &sieve.fits, column);
                        self.methods(shuffle, left, &mut |method| found(deal, method, lane));
                    }
                }
            }
        }
    }

    /// Passes the methods of the remaining finishes of a shuffle to `found`.
    fn methods(&self, shuffle: Shuffle, left: u8, found: &mut dyn FnMut(DealingMethod)) {
        for number in (0..FINISHES).filter(|number| left >> number & 1 == 1) {
            let (order, dealing) = finish(number);
            found(DealingMethod {
                generator: self.source.generator,
                draw: self.source.draw,
                shuffle,
                deck_order: DeckOrder::ALL[order],
                dealing,
            });
        }
    }
}

/// Returns the possible finishes for a place; all of them if the place is unsure.
fn by_place(table: &[u8], place: u32) -> u8 {
    table.get(place as usize).copied().unwrap_or(ALL_FINISHES)
}

/// The lanes with possible finishes.
struct PossibleLanes {
    lanes: [(u8, u8); SEEDS],
    count: usize,
}

impl PossibleLanes {
    fn iter(&self) -> impl Iterator<Item = &(u8, u8)> {
        self.lanes[..self.count].iter()
    }
}

fn lanes_left(table: &[u8], places: &[u32; SEEDS]) -> PossibleLanes {
    let mut lanes = [(0, 0); SEEDS];
    let mut count = 0;
    for (lane, &place) in places.iter().enumerate() {
        let left = by_place(table, place);
        // Overwritten by the next lane if no finish is possible.
        lanes[count] = (lane as u8, left);
        count += usize::from(left != 0);
    }
    PossibleLanes { lanes, count }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl SourceChecks {
        /// Computes the numbers of these seeds.
        pub(crate) fn numbers(&self, isa: Isa, first: i64, numbers: &mut NumberRows) {
            let series = self.source.generator.series(self.source.draw.every());
            crate::kernels::first_numbers(isa, series, first as u64, numbers);
        }

        /// Returns the places of all checks.
        pub(crate) fn places(&self, isa: Isa, numbers: &NumberRows) -> Vec<IndexTriples> {
            let mut all = vec![[[0; SEEDS]; 2]; self.looks.len()];
            for (look, packed) in self.looks.iter().zip(&mut all) {
                places(isa, self.source.indexing(), look.which, numbers, packed);
            }
            all
        }

        /// Returns the possible finishes of a shuffle by all checks except the sieve's tables.
        pub(crate) fn leaves(&self, shuffle: Shuffle, deal: &Deal, column: SeedColumn<'_>) -> u8 {
            self.source
                .leaves(shuffle, ALL_FINISHES, &fits(deal), column)
        }
    }
}
