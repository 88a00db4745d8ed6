//! Conversion of random numbers to an index below n, as programs do it.

use super::generator::{KnownGenerator, SeedSequence};
use crate::kernels::{
    Indexing, NUMBERS, NumberRows, SEEDS, divided_pair, java, lemire as by_lemire, pair, scaled,
};

/// A method of drawing an index below n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The number modulo n.
    Remainder,
    /// The number times n, divided by the range of numbers.
    ///
    /// `drand48`, Perl's `rand`, .NET's `Next(n)`, JavaScript's `Math.floor(Math.random() * n)`,
    /// PHP's `mt_rand(0, n - 1)` before 7.1.
    Scaled,
    /// A 53-bit number, made of two numbers, times n: Java's `nextDouble`, Python's `random`.
    Double,
    /// Java's `nextInt(n)`.
    NextInt,
    /// Python's `getrandbits`: as many bits as n has, drawn again until they are below n.
    Bits,
    /// As many of the lowest bits as n - 1 has, drawn again until they are below n: shuffles of
    /// NumPy and Ruby.
    Masked,
    /// Lemire's product: `integers` of NumPy's `Generator`.
    Lemire,
    /// Two indices from one number, as std::shuffle of the GNU C++ library has drawn them since GCC
    /// 11.
    Pairs,
    /// The same by division, for numbers that do not have 32 or 64 bits.
    DividedPairs,
}

impl Draw {
    /// Returns the expression that a program would use.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Remainder => "number % n",
            Self::Scaled => "number * n / range",
            Self::Double => "(int)(double * n)",
            Self::NextInt => "nextInt(n)",
            Self::Bits => "getrandbits until below n",
            Self::Masked => "lowest bits until below n",
            Self::Lemire => "Lemire's product with n",
            Self::Pairs => "two indices of a number, by Lemire's product",
            Self::DividedPairs => "two indices of a number, by division",
        }
    }

    /// Returns how many numbers make one index.
    pub(super) const fn every(self) -> usize {
        match self {
            Self::Double => 2,
            _ => 1,
        }
    }

    /// Returns whether one number makes two indices.
    pub(super) const fn is_paired(self) -> bool {
        matches!(self, Self::Pairs | Self::DividedPairs)
    }

    /// Returns the corresponding conversion in the kernels.
    pub(super) const fn indexing(self, generator: KnownGenerator) -> Indexing {
        let bits = bits(generator);
        match self {
            Self::Remainder => Indexing::Remainder { bits },
            Self::Scaled => match generator {
                KnownGenerator::Unix48
                | KnownGenerator::V8
                | KnownGenerator::V8Sum
                | KnownGenerator::WebKit
                | KnownGenerator::NumPyDoubles => Indexing::Scaled {
                    bits: 32,
                    cut: true,
                },
                // .NET divides by the range minus one, so that an index may be one larger.
                KnownGenerator::DotNet => Indexing::Scaled { bits, cut: true },
                _ => Indexing::Scaled { bits, cut: false },
            },
            Self::Double => match generator {
                KnownGenerator::Java => Indexing::Scaled {
                    bits: 26,
                    cut: true,
                },
                _ => Indexing::Scaled {
                    bits: 27,
                    cut: true,
                },
            },
            Self::NextInt => Indexing::Java,
            Self::Bits => Indexing::Bits,
            Self::Masked => Indexing::Masked,
            Self::Lemire => Indexing::Lemire,
            Self::Pairs => Indexing::Pairs,
            Self::DividedPairs => Indexing::DividedPairs,
        }
    }

    /// Returns the number from which an index would be made, and its size in bits.
    ///
    /// Cards that are sorted by random keys are sorted by this number.
    pub(super) fn whole(
        self,
        generator: KnownGenerator,
        sequence: &mut SeedSequence,
    ) -> (u64, u32) {
        match (self, generator) {
            (Self::Double, _) => {
                let (high, low) = match generator {
                    KnownGenerator::Java => (26, 27),
                    _ => (27, 26),
                };
                (sequence.bits(high) << low | sequence.bits(low), 53)
            }
            (Self::Scaled, KnownGenerator::Unix48) => (sequence.bits(48), 48),
            (Self::Scaled, KnownGenerator::V8) => (sequence.bits(52), 52),
            (
                Self::Scaled,
                KnownGenerator::V8Sum | KnownGenerator::WebKit | KnownGenerator::NumPyDoubles,
            ) => (sequence.bits(53), 53),
            _ => (sequence.bits_of(generator), bits(generator)),
        }
    }

    /// Returns an index below n, exactly as programs draw it.
    ///
    /// Draws by pairs draw a single index here; see [`Draw::pair`] for two.
    pub(super) fn below(
        self,
        generator: KnownGenerator,
        sequence: &mut SeedSequence,
        n: u32,
    ) -> u32 {
        let wide = u64::from(n);
        match self {
            Self::Remainder => (sequence.bits_of(generator) % wide) as u32,
            Self::Scaled if generator == KnownGenerator::DotNet => {
                let sample = sequence.bits_of(generator) as f64 * (1.0 / f64::from(i32::MAX));
                (sample * f64::from(n)) as u32
            }
            Self::Scaled | Self::Double => {
                // Products of up to 32 bits are exact.
                let (number, bits) = self.whole(generator, sequence);
                (number as f64 / (1_u64 << bits) as f64 * f64::from(n)) as u32
            }
            Self::NextInt if n.is_power_of_two() => ((wide * sequence.bits(31)) >> 31) as u32,
            Self::NextInt => loop {
                let number = sequence.bits(31);
                if number - number % wide + (wide - 1) < 1 << 31 {
                    return (number % wide) as u32;
                }
            },
            Self::Bits => loop {
                let number = sequence.bits(n.ilog2() + 1);
                if number < wide {
                    return number as u32;
                }
            },
            Self::Masked => loop {
                let number = sequence.next() & mask(n);
                if number < n {
                    return number;
                }
            },
            Self::Lemire | Self::Pairs => lemire(sequence, n),
            Self::DividedPairs => loop {
                // Numbers of minstd_rand0 minus one are below 2^31 - 2.
                let each = (0x7FFF_FFFF - 2) / n;
                let number = sequence.next();
                if number < each * n {
                    return number / each;
                }
            },
        }
    }

    /// Returns indices below n - 1 and n, from one number.
    pub(super) fn pair(
        self,
        generator: KnownGenerator,
        sequence: &mut SeedSequence,
        n: u32,
    ) -> [u32; 2] {
        let both = self.below(generator, sequence, (n - 1) * n);
        [both / n, both % n]
    }
}

/// Returns ones up to the highest bit of n - 1.
pub(super) const fn mask(n: u32) -> u32 {
    n.next_power_of_two() - 1
}

/// Returns the number of bits to which `% n` is applied.
const fn bits(generator: KnownGenerator) -> u32 {
    match generator {
        KnownGenerator::Standard | KnownGenerator::Microsoft => 15,
        KnownGenerator::Gnu | KnownGenerator::StandardWhole | KnownGenerator::Unix48 => 31,
        KnownGenerator::Php
        | KnownGenerator::PhpLegacy
        | KnownGenerator::MinStd
        | KnownGenerator::DotNet => 31,
        KnownGenerator::VisualBasic => 24,
        _ => 32,
    }
}

impl SeedSequence {
    /// Returns the next number as the generator's library gives it to a C program.
    fn bits_of(&mut self, generator: KnownGenerator) -> u64 {
        match generator {
            KnownGenerator::Unix48 => self.bits(31),
            _ => self.next().into(),
        }
    }
}

/// Draws by Lemire's method: the upper half of a product; numbers that would favour some indices
/// are drawn again.
fn lemire(sequence: &mut SeedSequence, n: u32) -> u32 {
    loop {
        let product = u64::from(sequence.next()) * u64::from(n);
        if product as u32 >= n.wrapping_neg() % n {
            return (product >> 32) as u32;
        }
    }
}

/// The numbers of one seed among those that were made side by side.
#[derive(Clone, Copy)]
pub(super) struct SeedColumn<'a> {
    pub(super) numbers: &'a NumberRows,
    pub(super) lane: usize,
}

impl SeedColumn<'_> {
    /// Returns the index below n from the number at this place, or `None` if it is unsure.
    pub(super) fn index(self, indexing: Indexing, place: usize, n: u32) -> Option<u32> {
        let number = self.number(place)?;
        let (index, unsure) = match indexing {
            Indexing::Remainder { bits } => ((number >> (32 - bits)) % n, false),
            Indexing::Scaled { bits, cut } => {
                let unit = 1_u32 << (32 - bits);
                scaled(number & unit.wrapping_neg(), n, if cut { unit } else { 0 })
            }
            Indexing::Java if n.is_power_of_two() => scaled(number, n, 0),
            Indexing::Java => java(number, n),
            Indexing::Lemire => by_lemire(number, n),
            // These take a varying number of numbers, and have their own methods.
            Indexing::Bits | Indexing::Masked | Indexing::Pairs | Indexing::DividedPairs => {
                return None;
            }
        };
        (!unsure).then_some(index)
    }

    /// Returns the first index below n that `index` makes of a number from this place on, and the
    /// place after it.
    pub(super) fn first_below(
        self,
        mut place: usize,
        n: u32,
        index: impl Fn(u32) -> u32,
    ) -> Option<(u32, usize)> {
        loop {
            let index = index(self.number(place)?);
            place += 1;
            if index < n {
                return Some((index, place));
            }
        }
    }

    /// Returns the cards in the order of their numbers, or `None` if the order is unsure.
    pub(super) fn sorted(self, indexing: Indexing) -> Option<[u8; NUMBERS]> {
        let key = |card: u8| self.numbers[usize::from(card)][self.lane] & indexing.key_mask();
        let mut cards = std::array::from_fn(|card| card as u8);
        cards.sort_unstable_by_key(|&card| key(card));
        let is_sure = cards.windows(2).all(|two| key(two[0]) < key(two[1]));
        is_sure.then_some(cards)
    }

    /// Returns indices below n - 1 and n.
    pub(super) fn pair(self, indexing: Indexing, place: usize, n: u32) -> Option<[u32; 2]> {
        let number = self.number(place)?;
        let (both, unsure) = match indexing {
            Indexing::DividedPairs => divided_pair(number, n),
            _ => pair(number, n),
        };
        (!unsure).then_some(both)
    }

    fn number(self, place: usize) -> Option<u32> {
        debug_assert!(self.lane < SEEDS);
        (place < NUMBERS).then(|| self.numbers[place][self.lane])
    }
}
