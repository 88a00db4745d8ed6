//! The dictionary: combinations of generator, draw and shuffle that programs use.

use std::fmt;

use super::draw::{Draw, SeedColumn, mask};
use super::generator::{KnownGenerator, SeedSequence};
use super::shuffle::{DOWN, Dealing, DeckOrder, Fits, Shuffle, ShuffledCards, deck_leaves, sorted};
use crate::bridge::{Card, Deal, Hand, Rank, Suit};
use crate::kernels::{Indexing, PAIRED};

/// A method of dealing: one hypothesis for every seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealingMethod {
    /// The source of random numbers.
    pub generator: KnownGenerator,
    /// The conversion of numbers to an index.
    pub draw: Draw,
    /// The shuffle that uses the indices.
    pub shuffle: Shuffle,
    /// The order of the deck before the shuffle.
    pub deck_order: DeckOrder,
    /// The distribution of the shuffled deck to the seats.
    pub dealing: Dealing,
}

impl fmt::Display for DealingMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [generator, draw, shuffle] =
            [self.generator.name(), self.draw.name(), self.shuffle.name()];
        let [deck, dealing] = [self.deck_order.name(), self.dealing.name()];
        write!(
            f,
            "{generator}, {draw}, {shuffle}, from {deck}, dealt {dealing}"
        )
    }
}

/// Indices of one generator, and the shuffles that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedSource {
    /// The source of random numbers.
    pub generator: KnownGenerator,
    /// The conversion of numbers to an index.
    pub draw: Draw,
    /// The shuffles that are tried.
    pub shuffles: &'static [Shuffle],
}

use Draw::{Bits, DividedPairs, Double, Lemire, Masked, NextInt, Pairs, Remainder, Scaled};
use KnownGenerator::{
    DotNet, Gnu, Java, Microsoft, MicrosoftWhole, MinStd, NumPy, NumPyDoubles, Php, PhpLegacy,
    Python, Standard, StandardWhole, TurboPascal, Twister, Unix48, V8, V8Sum, VisualBasic, WebKit,
};

/// With sorting by keys, which is listed once per generator: it uses only the order of its numbers.
const SORTED_TOO: &[Shuffle] = &[
    Shuffle::LastDown,
    Shuffle::FirstUp,
    Shuffle::Remove,
    Shuffle::RemoveFilling,
    Shuffle::Growing,
    Shuffle::GrowingFromFirst,
    Shuffle::AnyWithAny,
    Shuffle::Sorted,
];
const ALL: &[Shuffle] = SORTED_TOO.split_at(7).0;
/// Sorting only, for numbers that no program uses for indices.
const SORTED: &[Shuffle] = &[Shuffle::Sorted];
const GROWING: &[Shuffle] = &[Shuffle::Growing];

const fn source(generator: KnownGenerator, draw: Draw, shuffles: &'static [Shuffle]) -> SeedSource {
    SeedSource {
        generator,
        draw,
        shuffles,
    }
}

/// All sources, quick ones first. Each is tried with every deck order and dealing.
#[rustfmt::skip]
pub(super) const SOURCES: &[SeedSource] = &[
    source(VisualBasic,    Scaled,    SORTED_TOO),
    source(Microsoft,      Remainder, ALL),
    source(Microsoft,      Scaled,    ALL),
    source(MicrosoftWhole, Scaled,    ALL),
    source(TurboPascal,    Scaled,    ALL),
    source(Standard,       Remainder, ALL),
    source(Standard,       Scaled,    ALL),
    source(StandardWhole,  Remainder, ALL),
    source(StandardWhole,  Scaled,    ALL),
    source(MinStd,         DividedPairs, GROWING),
    source(DotNet,         Scaled,    SORTED_TOO),
    source(DotNet,         Remainder, ALL),
    source(Unix48,         Remainder, ALL),
    source(Unix48,         Scaled,    ALL),
    source(Java,           NextInt,   &DOWN),
    source(Java,           Double,    SORTED_TOO),
    source(Gnu,            Remainder, ALL),
    source(Gnu,            Scaled,    ALL),
    source(Twister,        Remainder, ALL),
    source(Twister,        Scaled,    ALL),
    source(Twister,        Pairs,     GROWING),
    source(Twister,        Masked,    &DOWN),
    source(Twister,        Double,    SORTED_TOO),
    source(Php,            Remainder, ALL),
    source(PhpLegacy,      Remainder, ALL),
    source(PhpLegacy,      Scaled,    ALL),
    source(V8,             Scaled,    SORTED_TOO),
    source(V8Sum,          Scaled,    SORTED_TOO),
    source(WebKit,         Scaled,    SORTED_TOO),
    source(NumPy,          Masked,    &DOWN),
    source(NumPy,          Lemire,    &DOWN),
    source(NumPyDoubles,   Scaled,    SORTED),
    source(Python,         Bits,      &DOWN),
    source(Python,         Double,    SORTED_TOO),
];

impl SeedSource {
    /// Returns the methods of the source.
    pub fn methods(&self) -> impl Iterator<Item = DealingMethod> {
        let Self {
            generator,
            draw,
            shuffles,
        } = *self;
        let finishes = shuffles.iter().flat_map(|&shuffle| {
            let orders = DeckOrder::ALL.into_iter();
            orders.flat_map(move |order| Dealing::ALL.map(|dealing| (shuffle, order, dealing)))
        });
        finishes.map(move |(shuffle, deck_order, dealing)| DealingMethod {
            generator,
            draw,
            shuffle,
            deck_order,
            dealing,
        })
    }

    /// Returns the conversion to an index that the kernels use.
    pub(super) const fn indexing(&self) -> Indexing {
        self.draw.indexing(self.generator)
    }

    /// Keeps the finishes of a shuffle that agree with a column of numbers: all that dealt the deal
    /// and, almost certainly, no others.
    pub(super) fn leaves(
        &self,
        shuffle: Shuffle,
        left: u8,
        fits: &Fits,
        column: SeedColumn<'_>,
    ) -> u8 {
        let indexing = self.indexing();
        if shuffle == Shuffle::Sorted {
            let deck = column.sorted(indexing);
            return deck.map_or(left, |deck| deck_leaves(left, fits, &deck));
        }
        let mut next = 0;
        shuffle.leaves(left, fits, |step, n| match indexing {
            Indexing::Bits | Indexing::Masked => {
                let of_number = |number: u32| match indexing {
                    Indexing::Bits => number >> (31 - n.ilog2()),
                    _ => number & mask(n),
                };
                let (index, after) = column.first_below(next, n, of_number)?;
                next = after;
                Some(index)
            }
            Indexing::Pairs | Indexing::DividedPairs if n == 2 => None,
            Indexing::Pairs | Indexing::DividedPairs => {
                let last = PAIRED - 1 - step / 2;
                Some(column.pair(indexing, last, n + step as u32 % 2)?[1 - step % 2])
            }
            _ => {
                let place = match shuffle {
                    Shuffle::Growing => 50 - step,
                    Shuffle::GrowingFromFirst => 51 - step,
                    _ => step,
                };
                column.index(indexing, place, n)
            }
        })
    }
}

impl DealingMethod {
    /// Returns the first deal of a seed, computed one number at a time.
    pub fn deal(&self, seed: i64) -> Deal {
        let order = self.order(seed);
        let mut hands = [Hand::EMPTY; 4];
        for (place, &number) in order.iter().enumerate() {
            let card = self.deck_order.card(number.into());
            let (suit, rank) = (Suit::ALL[card / 13], Rank::all().nth(card % 13));
            let card = rank.map_or(Hand::EMPTY, |rank| Hand::of(Card::new(suit, rank)));
            let hand = &mut hands[usize::from(self.dealing.seat(place))];
            *hand = hand.union(card);
        }
        Deal::by_construction(hands)
    }

    pub(super) fn order(&self, seed: i64) -> ShuffledCards {
        let mut sequence = SeedSequence::new(self.generator, seed);
        if self.shuffle == Shuffle::Sorted {
            return sorted(|| self.draw.whole(self.generator, &mut sequence).0);
        }
        let mut second = 0;
        self.shuffle.order(|n| {
            if self.draw.is_paired() && n > 2 {
                // Odd bounds are the first of their pair.
                if n % 2 == 1 {
                    let first;
                    [first, second] = self.draw.pair(self.generator, &mut sequence, n + 1);
                    return first;
                }
                return second;
            }
            self.draw.below(self.generator, &mut sequence, n)
        })
    }
}
