//! How a program makes an index below n of random numbers.

use super::generator::{Generator, Sequence};
use crate::kernels::{Indexing, NUMBERS, Numbers, SEEDS, java, pair, scaled};

/// A way to draw an index below n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draw {
    /// The number modulo n.
    Remainder,
    /// The number times n, divided by how many numbers there are.
    Scaled,
    /// A number of 53 bits, made of two, times n: Java's `nextDouble`, Python's
    /// `random`.
    Double,
    /// Java's `nextInt(n)`.
    NextInt,
    /// Python's `getrandbits`: as many bits as n has, until they are below n.
    Bits,
    /// Two indices of one number, as std::shuffle of the GNU C++ library has drawn
    /// them since GCC 11.
    Pairs,
}

impl Draw {
    /// As a program has it.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Remainder => "number % n",
            Self::Scaled => "number * n / range",
            Self::Double => "(int)(double * n)",
            Self::NextInt => "nextInt(n)",
            Self::Bits => "getrandbits until below n",
            Self::Pairs => "two indices of a number, by Lemire's product",
        }
    }

    /// How many numbers make one.
    pub(super) const fn every(self) -> usize {
        match self {
            Self::Double => 2,
            _ => 1,
        }
    }

    /// What the kernels do.
    pub(super) const fn indexing(self, generator: Generator) -> Indexing {
        let bits = bits(generator);
        match self {
            Self::Remainder => Indexing::Remainder { bits },
            Self::Scaled => match generator {
                Generator::Unix48 => Indexing::Scaled {
                    bits: 32,
                    cut: true,
                },
                _ => Indexing::Scaled { bits, cut: false },
            },
            Self::Double => match generator {
                Generator::Java => Indexing::Scaled {
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
            Self::Pairs => Indexing::Pairs,
        }
    }

    /// An index below n, exactly as programs draw it.
    ///
    /// [`Draw::Pairs`] draws one of a pair as if it were alone; see [`Draw::pair`].
    pub(super) fn below(self, generator: Generator, sequence: &mut Sequence, n: u32) -> u32 {
        let wide = u64::from(n);
        match self {
            Self::Remainder => (sequence.bits_of(generator) % wide) as u32,
            Self::Scaled if generator == Generator::Unix48 => {
                (sequence.bits(48) as f64 / (1_u64 << 48) as f64 * f64::from(n)) as u32
            }
            Self::Scaled => ((sequence.bits_of(generator) * wide) >> bits(generator)) as u32,
            Self::Double => {
                let (high, low) = match generator {
                    Generator::Java => (26, 27),
                    _ => (27, 26),
                };
                let both = sequence.bits(high) << low | sequence.bits(low);
                (both as f64 / (1_u64 << 53) as f64 * f64::from(n)) as u32
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
            Self::Pairs => lemire(sequence, n),
        }
    }

    /// Indices below n - 1 and n, of one number.
    pub(super) fn pair(sequence: &mut Sequence, n: u32) -> [u32; 2] {
        let both = lemire(sequence, (n - 1) * n);
        [both / n, both % n]
    }
}

/// Bits of a number that `% n` is applied to.
const fn bits(generator: Generator) -> u32 {
    match generator {
        Generator::Standard | Generator::Microsoft => 15,
        Generator::Gnu | Generator::StandardWhole | Generator::Unix48 => 31,
        _ => 32,
    }
}

impl Sequence {
    /// The next number as the generator's library gives it to a C program.
    fn bits_of(&mut self, generator: Generator) -> u64 {
        match generator {
            Generator::Unix48 => self.bits(31),
            _ => self.next().into(),
        }
    }
}

/// Lemire's way: the upper half of a product, those numbers drawn again of which
/// some indices have one more.
fn lemire(sequence: &mut Sequence, n: u32) -> u32 {
    loop {
        let product = u64::from(sequence.next()) * u64::from(n);
        if product as u32 >= n.wrapping_neg() % n {
            return (product >> 32) as u32;
        }
    }
}

/// The numbers of one seed among those that were made side by side.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    pub(super) numbers: &'a Numbers,
    pub(super) lane: usize,
}

impl Column<'_> {
    /// An index below n by the number at this place; `None` if it is unsure.
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
            // These take their numbers themselves.
            Indexing::Bits | Indexing::Pairs => return None,
        };
        (!unsure).then_some(index)
    }

    /// The first number from this place on whose bits are below n, and the place
    /// after it.
    pub(super) fn bits_below(self, mut place: usize, n: u32) -> Option<(u32, usize)> {
        loop {
            let index = self.number(place)? >> (31 - n.ilog2());
            place += 1;
            if index < n {
                return Some((index, place));
            }
        }
    }

    /// Indices below n - 1 and n.
    pub(super) fn pair(self, place: usize, n: u32) -> Option<[u32; 2]> {
        let (both, unsure) = pair(self.number(place)?, n);
        (!unsure).then_some(both)
    }

    fn number(self, place: usize) -> Option<u32> {
        debug_assert!(self.lane < SEEDS);
        (place < NUMBERS).then(|| self.numbers[place][self.lane])
    }
}
