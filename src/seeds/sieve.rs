//! Most seeds are refused by three indices: tables of a deal say which finishes they
//! leave.
//!
//! Every shuffle but the last puts a card to its final place with each index, if
//! growing ones are gone through backwards, so that three of them leave one finish in
//! 64. Of the shuffle that swaps every card with any, it is known where three cards
//! end. What is left is gone through card by card, and what is left then once more,
//! exactly.

use super::dictionary::{Method, Source};
use super::draw::Column;
use super::shuffle::{Dealing, DeckOrder, Shuffle, seats};
use crate::cards::{Card, Deal};
use crate::kernels::{
    Numbers, PAIRED, PLACES, Path, Places, SCATTERED, SEEDS, Which, place, places, scattered,
};

/// Finishes of one shuffle: a deck order and a dealing each.
const FINISHES: usize = DeckOrder::ALL.len() * Dealing::ALL.len();

const DOWN: [Shuffle; 4] = [
    Shuffle::LastDown,
    Shuffle::FirstUp,
    Shuffle::Remove,
    Shuffle::RemoveFilling,
];

/// What three indices leave of the finishes of one deal, a bit each.
pub(super) struct Sieve {
    deal: Deal,
    /// The seats of all cards, by deck order.
    seats: [[u8; Card::COUNT]; DeckOrder::ALL.len()],
    /// Of the four shuffles whose first indices have the largest bounds.
    down: Vec<u32>,
    growing: Vec<u32>,
    any: Vec<u32>,
}

impl Sieve {
    pub(super) fn new(deal: &Deal) -> Self {
        let mut sieve = Self {
            deal: *deal,
            seats: DeckOrder::ALL.map(|order| seats(deal, order)),
            down: vec![0; PLACES],
            growing: vec![0; PLACES],
            any: vec![0; SCATTERED],
        };
        for (number, shuffle) in DOWN.into_iter().enumerate() {
            let all = sieve.by_indices(shuffle);
            for (down, left) in sieve.down.iter_mut().zip(all) {
                *down |= left << (number * FINISHES);
            }
        }
        sieve.growing = sieve.by_indices(Shuffle::Growing);
        sieve.by_ends();
        sieve
    }

    /// What every three indices leave of a shuffle's finishes, by their place.
    fn by_indices(&self, shuffle: Shuffle) -> Vec<u32> {
        let all = (1 << FINISHES) - 1;
        let mut table = vec![0; PLACES];
        for a in 0..52 {
            let by_one = self.left(all, shuffle, &[a]);
            for b in 0..51 {
                let by_two = self.left(by_one, shuffle, &[a, b]);
                for c in 0..50 {
                    let by_three = self.left(by_two, shuffle, &[a, b, c]);
                    table[place([a, b, c]) as usize] = by_three;
                }
            }
        }
        table
    }

    /// What is left of some finishes by the first indices of a shuffle.
    fn left(&self, finishes: u32, shuffle: Shuffle, indices: &[u32]) -> u32 {
        self.those(finishes, |seats, dealing| {
            let index = |step: usize, _| indices.get(step).copied();
            shuffle.may_fit(index, |place, card| dealing.seat(place) == seats[card])
        })
    }

    /// Fills the table by where the first three cards end.
    fn by_ends(&mut self) {
        let all = (1 << FINISHES) - 1;
        let left = |card: usize, place: u32| {
            self.those(all, |seats, dealing| {
                dealing.seat(place as usize) == seats[card]
            })
        };
        let cards: [[u32; Card::COUNT]; 3] =
            std::array::from_fn(|card| std::array::from_fn(|place| left(card, place as u32)));
        for a in 0..52 {
            for b in 0..52 {
                for c in 0..52 {
                    let [one, two, three] = [(0, a), (1, b), (2, c)]
                        .map(|(card, place): (usize, u32)| cards[card][place as usize]);
                    self.any[scattered([a, b, c]) as usize] = one & two & three;
                }
            }
        }
    }

    /// Those of some finishes of which this holds.
    fn those(&self, finishes: u32, holds: impl Fn(&[u8; Card::COUNT], Dealing) -> bool) -> u32 {
        let mut bits = 0;
        let mut rest = finishes;
        while rest != 0 {
            let number = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (order, dealing) = finish(number);
            bits |= u32::from(holds(&self.seats[order], dealing)) << number;
        }
        bits
    }
}

/// The deck order, by its number, and the dealing of a finish.
fn finish(number: usize) -> (usize, Dealing) {
    let dealings = Dealing::ALL.len();
    (number / dealings, Dealing::ALL[number % dealings])
}

/// Three numbers of a seed that are looked at, for some shuffles of a source.
struct Look {
    which: Which,
    shuffles: &'static [Shuffle],
    /// Those of them that the source has.
    mask: u32,
}

/// What is looked at of a source.
pub(super) struct Looks {
    source: &'static Source,
    looks: Vec<Look>,
}

impl Looks {
    pub(super) fn of(source: &'static Source) -> Self {
        let growing = match source.draw {
            super::Draw::Pairs => PAIRED,
            _ => 51,
        };
        let all: [(Which, &[Shuffle]); 4] = [
            (Which::First, &DOWN),
            (Which::Before(growing), &[Shuffle::Growing]),
            (Which::Before(52), &[Shuffle::GrowingFromFirst]),
            (Which::All, &[Shuffle::AnyWithAny]),
        ];
        let looks = all.into_iter().map(|(which, shuffles)| {
            let tried = shuffles.iter().enumerate();
            let tried = tried.filter(|(_, shuffle)| source.shuffles.contains(shuffle));
            let mask = tried.fold(0, |mask, (number, _)| {
                mask | ((1 << FINISHES) - 1) << (number * FINISHES)
            });
            Look {
                which,
                shuffles,
                mask,
            }
        });
        let looks = looks.filter(|look| look.mask != 0).collect();
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
        let mut packed: Places = [0; SEEDS];
        for look in &self.looks {
            places(
                path,
                self.source.indexing(),
                look.which,
                numbers,
                &mut packed,
            );
            for (deal, sieve) in sieves.iter().enumerate() {
                let table = match look.which {
                    Which::First => &sieve.down,
                    Which::Before(_) => &sieve.growing,
                    Which::All => &sieve.any,
                };
                let (lanes, left) = look.left(table, &packed);
                for &lane in &lanes[..left] {
                    let lane = usize::from(lane);
                    let bits = look.bits(table, packed[lane]);
                    let column = Column { numbers, lane };
                    self.finish(look, bits, column, sieve, &mut |method| {
                        found(deal, method, lane);
                    });
                }
            }
        }
    }

    /// Goes through what three indices left of a seed.
    fn finish(
        &self,
        look: &Look,
        mut bits: u32,
        column: Column<'_>,
        sieve: &Sieve,
        found: &mut dyn FnMut(Method),
    ) {
        while bits != 0 {
            let number = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let (order, dealing) = finish(number % FINISHES);
            let method = Method {
                generator: self.source.generator,
                draw: self.source.draw,
                shuffle: look.shuffles[number / FINISHES],
                deck_order: DeckOrder::ALL[order],
                dealing,
            };
            if method.may_fit(column, &sieve.seats[order]) {
                found(method);
            }
        }
    }
}

impl Look {
    /// What is left by a place; everything, if it is unsure.
    fn bits(&self, table: &[u32], place: u32) -> u32 {
        table.get(place as usize).copied().unwrap_or(u32::MAX) & self.mask
    }

    /// The lanes of which something is left, and how many they are.
    fn left(&self, table: &[u32], places: &Places) -> ([u8; SEEDS], usize) {
        let (mut lanes, mut left) = ([0; SEEDS], 0);
        for (lane, &place) in places.iter().enumerate() {
            lanes[left] = lane as u8;
            left += usize::from(self.bits(table, place) != 0);
        }
        (lanes, left)
    }
}

impl Sieve {
    /// The deal that is looked for.
    pub(super) fn deal(&self) -> &Deal {
        &self.deal
    }
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
        let mut all = vec![[0; SEEDS]; self.looks.len()];
        for (look, packed) in self.looks.iter().zip(&mut all) {
            places(path, self.source.indexing(), look.which, numbers, packed);
        }
        all
    }
}
