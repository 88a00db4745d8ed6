//! Most seeds are refused by three indices: tables of a deal say which finishes they
//! leave.
//!
//! Every shuffle but the last two puts a card to its final place with each index, if
//! growing ones are gone through backwards, so that three of them leave one finish in
//! 64. Of the shuffle that swaps every card with any, and of the one that sorts, it is
//! known where three cards end. What is left is gone through card by card, and what is left then once more,
//! exactly.

use super::dictionary::{Method, Source};
use super::draw::Column;
use super::shuffle::{Dealing, DeckOrder, Fits, Shuffle, seats};
use crate::bridge::{Card, Deal};
use crate::kernels::{
    Numbers, PAIRED, PLACES, Path, Places, SCATTERED, SEEDS, Which, place, places, scattered,
};

/// Finishes of one shuffle: a deck order and a dealing each, a bit of a byte.
const FINISHES: usize = DeckOrder::ALL.len() * Dealing::ALL.len();
const ALL_FINISHES: u8 = u8::MAX;

const _: () = assert!(FINISHES == u8::BITS as usize);

const DOWN: [Shuffle; 4] = [
    Shuffle::LastDown,
    Shuffle::FirstUp,
    Shuffle::Remove,
    Shuffle::RemoveFilling,
];

/// What three indices leave of the finishes of one deal.
pub(super) struct Sieve {
    deal: Deal,
    fits: Fits,
    /// By the first indices of the four shuffles whose bounds begin with 52.
    down: [Vec<u8>; DOWN.len()],
    /// By the last indices of growing shuffles.
    growing: Vec<u8>,
    /// By where the first three cards end, and the three after them.
    any: [Vec<u8>; 2],
}

impl Sieve {
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

    /// The deal that is looked for.
    pub(super) fn deal(&self) -> &Deal {
        &self.deal
    }

    fn table(&self, which: Which, shuffle: usize) -> &[u8] {
        match which {
            Which::First => &self.down[shuffle],
            Which::Before(_) => &self.growing,
            Which::All | Which::Sorted => &self.any[0],
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

/// The deck order, by its number, and the dealing of a finish.
fn finish(number: usize) -> (usize, Dealing) {
    let dealings = Dealing::ALL.len();
    (number / dealings, Dealing::ALL[number % dealings])
}

/// What every three indices leave of a shuffle, by their place.
fn by_indices(shuffle: Shuffle, fits: &Fits) -> Vec<u8> {
    let left = |by, indices: &[u32]| shuffle.leaves(by, fits, |step, _| indices.get(step).copied());
    let mut table = vec![0; PLACES];
    for a in 0..52 {
        let by_one = left(ALL_FINISHES, &[a]);
        for b in 0..51 {
            let by_two = left(by_one, &[a, b]);
            for c in 0..50 {
                table[place([a, b, c]) as usize] = left(by_two, &[a, b, c]);
            }
        }
    }
    table
}

/// What is left by the places at which this card and the next two end.
fn by_ends(card: usize, fits: &Fits) -> Vec<u8> {
    let mut table = vec![0; SCATTERED];
    for (a, one) in (0..).zip(fits) {
        for (b, two) in (0..).zip(fits) {
            for (c, three) in (0..).zip(fits) {
                let left = one[card] & two[card + 1] & three[card + 2];
                table[scattered([a, b, c]) as usize] = left;
            }
        }
    }
    table
}

/// Three numbers of a seed that are looked at, for some shuffles of a source: by their
/// numbers among those of the table.
struct Look {
    which: Which,
    shuffles: Vec<(usize, Shuffle)>,
}

/// What is looked at of a source.
pub(super) struct Looks {
    source: &'static Source,
    looks: Vec<Look>,
}

impl Looks {
    pub(super) fn of(source: &'static Source) -> Self {
        let growing = if source.draw.is_paired() { PAIRED } else { 51 };
        let all: [(Which, &[Shuffle]); 5] = [
            (Which::First, &DOWN),
            (Which::Before(growing), &[Shuffle::Growing]),
            (Which::Before(52), &[Shuffle::GrowingFromFirst]),
            (Which::All, &[Shuffle::AnyWithAny]),
            (Which::Sorted, &[Shuffle::Sorted]),
        ];
        let looks = all.into_iter().map(|(which, shuffles)| {
            let shuffles = shuffles.iter().copied().enumerate();
            let tried = shuffles.filter(|(_, shuffle)| source.shuffles.contains(shuffle));
            Look {
                which,
                shuffles: tried.collect(),
            }
        });
        let looks = looks.filter(|look| !look.shuffles.is_empty()).collect();
        Self { source, looks }
    }

    /// Gives the methods, and the lanes of their seeds, that may have dealt the deals.
    pub(super) fn look(
        &self,
        path: Path,
        numbers: &Numbers,
        sieves: &[Sieve],
        found: &mut dyn FnMut(usize, Method, usize),
    ) {
        let mut packed: Places = [[0; SEEDS]; 2];
        let indexing = self.source.indexing();
        for look in &self.looks {
            places(path, indexing, look.which, numbers, &mut packed);
            for (deal, sieve) in sieves.iter().enumerate() {
                for &(number, shuffle) in &look.shuffles {
                    let left = lanes_left(sieve.table(look.which, number), &packed[0]);
                    for &(lane, mut left) in left.iter() {
                        let lane = usize::from(lane);
                        if matches!(look.which, Which::All | Which::Sorted) {
                            left &= by_place(&sieve.any[1], packed[1][lane]);
                        }
                        if left == 0 {
                            continue;
                        }
                        let column = Column { numbers, lane };
                        left = self.source.leaves(shuffle, left, &sieve.fits, column);
                        self.methods(shuffle, left, &mut |method| found(deal, method, lane));
                    }
                }
            }
        }
    }

    /// The methods of what is left of a shuffle.
    fn methods(&self, shuffle: Shuffle, left: u8, found: &mut dyn FnMut(Method)) {
        for number in (0..FINISHES).filter(|number| left >> number & 1 == 1) {
            let (order, dealing) = finish(number);
            found(Method {
                generator: self.source.generator,
                draw: self.source.draw,
                shuffle,
                deck_order: DeckOrder::ALL[order],
                dealing,
            });
        }
    }
}

/// What a place leaves; everything, if it is unsure.
fn by_place(table: &[u8], place: u32) -> u8 {
    table.get(place as usize).copied().unwrap_or(ALL_FINISHES)
}

/// The lanes of which something is left.
struct Lanes {
    lanes: [(u8, u8); SEEDS],
    count: usize,
}

impl Lanes {
    fn iter(&self) -> impl Iterator<Item = &(u8, u8)> {
        self.lanes[..self.count].iter()
    }
}

fn lanes_left(table: &[u8], places: &[u32; SEEDS]) -> Lanes {
    let mut lanes = [(0, 0); SEEDS];
    let mut count = 0;
    for (lane, &place) in places.iter().enumerate() {
        let left = by_place(table, place);
        // Written over by the next one if nothing is left.
        lanes[count] = (lane as u8, left);
        count += usize::from(left != 0);
    }
    Lanes { lanes, count }
}

#[cfg(test)]
impl Looks {
    /// The numbers of these seeds.
    pub(super) fn numbers(&self, path: Path, first: i64, numbers: &mut Numbers) {
        let series = self.source.generator.series(self.source.draw.every());
        crate::kernels::first_numbers(path, series, first as u64, numbers);
    }

    /// All places that are looked at.
    pub(super) fn places(&self, path: Path, numbers: &Numbers) -> Vec<Places> {
        let mut all = vec![[[0; SEEDS]; 2]; self.looks.len()];
        for (look, packed) in self.looks.iter().zip(&mut all) {
            places(path, self.source.indexing(), look.which, numbers, packed);
        }
        all
    }

    /// What is left of the finishes of a method, by everything but the sieve's tables.
    pub(super) fn leaves(&self, shuffle: Shuffle, deal: &Deal, column: Column<'_>) -> u8 {
        self.source
            .leaves(shuffle, ALL_FINISHES, &fits(deal), column)
    }
}
