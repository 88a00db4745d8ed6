//! Generators whose seeding is public, one number at a time: the plain meaning of
//! what the kernels do for many seeds side by side.
//!
//! - GNU C library, `srand`, `srandom`, `rand`, `random`: r(0) is the seed, or 1 for 0;
//!   r(i) = 16807 r(i - 1) modulo 2^31 - 1 up to r(30), then r(i) = r(i - 3) + r(i - 31)
//!   modulo 2^32, where r(31) .. r(33) repeat r(0) .. r(2). r(344) and what follows are
//!   given out, without their lowest bits.
//! - Linear congruential ones modulo 2^32: the example of the C standard (1103515245,
//!   12345), Microsoft's C library (214013, 2531011), Turbo Pascal and Delphi
//!   (134775813, 1).
//! - The 48 bits of Unix's `srand48` and of Java's `Random`: 0x5DEECE66D and 11.
//! - The Mersenne Twister MT19937 of Matsumoto and Nishimura (1998, seeding of 2002),
//!   seeded with a number, as C++ does, or with an array of one number, as Python does.

use crate::kernels::{First, Key, Series};

/// A generator, with the seeding that its library gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generator {
    /// `srand` or `srandom` of the GNU C library: 31 bits.
    Gnu,
    /// The example of the C standard: 15 bits.
    Standard,
    /// The same, all 31 bits of its state.
    StandardWhole,
    /// Microsoft's C library: 15 bits.
    Microsoft,
    /// The same, all 32 bits of its state: each is a seed, so that a deal is found
    /// wherever it comes in a run.
    MicrosoftWhole,
    /// Turbo Pascal and Delphi, all 32 bits of their state likewise.
    TurboPascal,
    /// `srand48`.
    Unix48,
    /// `java.util.Random`.
    Java,
    /// MT19937, `init_genrand`.
    Twister,
    /// MT19937, `init_by_array` of one number.
    Python,
}

impl Generator {
    /// What it is, and whose.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gnu => "rand() of the GNU C library",
            Self::Standard => "rand() of the C standard's example",
            Self::StandardWhole => "the C standard's example with 31 bits",
            Self::Microsoft => "rand() of Microsoft's C library",
            Self::MicrosoftWhole => "Microsoft's recurrence with 32 bits",
            Self::TurboPascal => "Random of Turbo Pascal and Delphi",
            Self::Unix48 => "srand48()",
            Self::Java => "java.util.Random",
            Self::Twister => "the Mersenne Twister (init_genrand)",
            Self::Python => "Python's Mersenne Twister (init_by_array)",
        }
    }

    /// How many seeds of 32 bits differ: where the highest bit is never given out,
    /// those below 2^31 are all.
    #[must_use]
    pub(crate) const fn seeds(self) -> u64 {
        match self {
            Self::Standard | Self::StandardWhole | Self::Microsoft => 1 << 31,
            _ => 1 << 32,
        }
    }

    /// The seed that a program means by this number of 32 bits: Java's are signed.
    pub(super) const fn seed(self, number: u32) -> i64 {
        match self {
            Self::Java => number as i32 as i64,
            _ => number as i64,
        }
    }

    /// What the kernels make of it, where every so many numbers make an index.
    pub(super) const fn series(self, every: usize) -> Series {
        match self {
            Self::Gnu => Series::Additive,
            Self::Standard => linear(STANDARD, 16, 15),
            Self::StandardWhole => linear(STANDARD, 0, 31),
            Self::Microsoft => linear(MICROSOFT, 16, 15),
            Self::MicrosoftWhole => linear(MICROSOFT, 0, 32),
            Self::TurboPascal => linear(TURBO_PASCAL, 0, 32),
            Self::Unix48 => Series::Linear48 {
                first: First::Above,
                every,
            },
            Self::Java => Series::Linear48 {
                first: First::Mixed,
                every,
            },
            Self::Twister => Series::Twister {
                key: Key::Number,
                every,
            },
            Self::Python => Series::Twister {
                key: Key::Array,
                every,
            },
        }
    }
}

const fn linear((factor, term): (u32, u32), shift: u32, bits: u32) -> Series {
    Series::Linear {
        factor,
        term,
        shift,
        bits,
    }
}

const STANDARD: (u32, u32) = (1_103_515_245, 12_345);
const MICROSOFT: (u32, u32) = (214_013, 2_531_011);
const TURBO_PASCAL: (u32, u32) = (134_775_813, 1);
const UNIX: (u64, u64) = (0x5_DEEC_E66D, 11);

/// The numbers of one seed, in their order.
#[derive(Clone, Debug)]
pub(super) enum Sequence {
    /// The last 31 words, the oldest first.
    Additive([u32; 31]),
    /// State, factor and term, then the shift and the mask of what is given out.
    Linear(u32, (u32, u32), u32, u32),
    /// 48 bits of state.
    Linear48(u64),
    /// The state, and which word of it comes next.
    Twister(Box<[u32; 624]>, usize),
}

impl Sequence {
    /// From the first number on.
    pub(super) fn new(generator: Generator, seed: i64) -> Self {
        let word = seed as u32;
        match generator {
            Generator::Gnu => Self::additive(word),
            Generator::Standard => Self::Linear(word, STANDARD, 16, 0x7FFF),
            Generator::StandardWhole => Self::Linear(word, STANDARD, 0, 0x7FFF_FFFF),
            Generator::Microsoft => Self::Linear(word, MICROSOFT, 16, 0x7FFF),
            Generator::MicrosoftWhole => Self::Linear(word, MICROSOFT, 0, u32::MAX),
            Generator::TurboPascal => Self::Linear(word, TURBO_PASCAL, 0, u32::MAX),
            Generator::Unix48 => Self::Linear48(u64::from(word) << 16 | 0x330E),
            Generator::Java => Self::Linear48((seed as u64 ^ UNIX.0) & ((1 << 48) - 1)),
            Generator::Twister => Self::Twister(genrand(word), 624),
            Generator::Python => Self::Twister(by_array(word), 624),
        }
    }

    fn additive(seed: u32) -> Self {
        const PRIME: i64 = 0x7FFF_FFFF;
        let mut ring = [seed.max(1); 31];
        // The seed is signed, what follows never is.
        let mut last = i64::from(ring[0] as i32);
        for word in &mut ring[1..] {
            last = (last * 16_807).rem_euclid(PRIME);
            *word = last as u32;
        }
        // The three that repeat r(0) .. r(2) stand where those did, at the end.
        ring.rotate_left(3);
        let mut sequence = Self::Additive(ring);
        for _ in 34..344 {
            sequence.next();
        }
        sequence
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u32 {
        match self {
            Self::Additive(last) => {
                let sum = last[0].wrapping_add(last[28]);
                last.rotate_left(1);
                last[30] = sum;
                sum >> 1
            }
            Self::Linear(state, (factor, term), shift, mask) => {
                *state = state.wrapping_mul(*factor).wrapping_add(*term);
                *state >> *shift & *mask
            }
            Self::Linear48(_) => self.bits(32) as u32,
            Self::Twister(state, next) => {
                if *next == 624 {
                    twist(state);
                    *next = 0;
                }
                *next += 1;
                temper(state[*next - 1])
            }
        }
    }

    /// The upper bits of the next state of 48, or of the next word of 32.
    pub(super) fn bits(&mut self, bits: u32) -> u64 {
        let Self::Linear48(state) = self else {
            return u64::from(self.next()) >> (32 - bits);
        };
        *state = state.wrapping_mul(UNIX.0).wrapping_add(UNIX.1) & ((1 << 48) - 1);
        *state >> (48 - bits)
    }
}

fn genrand(seed: u32) -> Box<[u32; 624]> {
    let mut state = Box::new([seed; 624]);
    for place in 1..624 {
        let last = state[place - 1];
        let mixed = (last ^ last >> 30).wrapping_mul(1_812_433_253);
        state[place] = mixed.wrapping_add(place as u32);
    }
    state
}

fn by_array(key: u32) -> Box<[u32; 624]> {
    let mut state = genrand(19_650_218);
    let mut place = 1;
    for step in 0..624 + 623 {
        let last = state[place - 1];
        let last = last ^ last >> 30;
        state[place] = if step < 624 {
            (state[place] ^ last.wrapping_mul(1_664_525)).wrapping_add(key)
        } else {
            (state[place] ^ last.wrapping_mul(1_566_083_941)).wrapping_sub(place as u32)
        };
        place += 1;
        if place == 624 {
            state[0] = state[623];
            place = 1;
        }
    }
    state[0] = 0x8000_0000;
    state
}

fn twist(state: &mut [u32; 624]) {
    for place in 0..624 {
        let mixed = state[place] & 0x8000_0000 | state[(place + 1) % 624] & 0x7FFF_FFFF;
        let odd = if mixed & 1 == 1 { 0x9908_B0DF } else { 0 };
        state[place] = state[(place + 397) % 624] ^ mixed >> 1 ^ odd;
    }
}

fn temper(word: u32) -> u32 {
    let word = word ^ word >> 11;
    let word = word ^ word << 7 & 0x9D2C_5680;
    let word = word ^ word << 15 & 0xEFC6_0000;
    word ^ word >> 18
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(generator: Generator, seed: i64) -> [u32; 3] {
        let mut sequence = Sequence::new(generator, seed);
        [(); 3].map(|()| sequence.next())
    }

    #[test]
    fn generators_give_their_well_known_first_numbers() {
        let gnu = [1_804_289_383, 846_930_886, 1_681_692_777];
        assert_eq!(first(Generator::Gnu, 1), gnu);
        assert_eq!(first(Generator::Gnu, 0), gnu);
        assert_eq!(first(Generator::Microsoft, 1), [41, 18_467, 6_334]);
        assert_eq!(first(Generator::Standard, 1)[..2], [16_838, 5_758]);
        let whole = first(Generator::StandardWhole, 1);
        assert_eq!(whole[..2], [1_103_527_590, 377_401_575]);
        let twister = [3_499_211_612, 581_869_302, 3_890_346_734];
        assert_eq!(first(Generator::Twister, 5_489), twister);
        let java = first(Generator::Java, 42).map(|word| word as i32);
        assert_eq!(java[..2], [-1_170_105_035, 234_785_527]);
        assert_eq!(Sequence::new(Generator::Unix48, 0).bits(31), 366_850_414);
    }

    /// Printed by the GNU C library 2.36 and by Python 3.11.
    #[test]
    fn large_seeds_are_taken_as_their_libraries_take_them() {
        let gnu = first(Generator::Gnu, 4_000_000_000);
        assert_eq!(gnu[..2], [1_111_130_805, 1_380_198_982]);
        let prime = first(Generator::Gnu, 0x7FFF_FFFF);
        assert_eq!(prime[..2], [1_065_668_062, 2_142_264_300]);
        let python = [1_758_659_531, 2_819_279_839, 778_500_575];
        assert_eq!(first(Generator::Python, 4_000_000_000), python);
    }
}
