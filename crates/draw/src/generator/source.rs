//! Sources of random words by name: generators that start from a seed, and raw words.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::{Aes128Ctr, ChaCha8, Generator, Philox4x32, Xoshiro256PlusPlus};

/// A generator that starts from a seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeededGenerator {
    /// AES-128 in counter mode.
    #[default]
    Aes128Ctr,
    /// `ChaCha` with 8 rounds.
    ChaCha8,
    /// Philox4x32 with 10 rounds.
    Philox4x32,
    /// xoshiro256++.
    Xoshiro256PlusPlus,
}

impl SeededGenerator {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Aes128Ctr,
        Self::ChaCha8,
        Self::Philox4x32,
        Self::Xoshiro256PlusPlus,
    ];

    /// The name, such as `aes128ctr`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128Ctr => "aes128ctr",
            Self::ChaCha8 => "chacha8",
            Self::Philox4x32 => "philox4x32",
            Self::Xoshiro256PlusPlus => "xoshiro256++",
        }
    }

    /// Returns the generator with this seed.
    pub fn with_seed(self, seed: u128) -> Box<dyn Generator> {
        match self {
            Self::Aes128Ctr => Box::new(Aes128Ctr::new(seed)),
            Self::ChaCha8 => Box::new(ChaCha8::new(seed)),
            Self::Philox4x32 => Box::new(Philox4x32::new(seed)),
            Self::Xoshiro256PlusPlus => Box::new(Xoshiro256PlusPlus::new(seed)),
        }
    }
}

impl FromStr for SeededGenerator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        let named = all.find(|generator| generator.name() == text);
        named.ok_or_else(|| unknown(text, ""))
    }
}

/// The message about an unknown name, with all names and `others`.
fn unknown(text: &str, others: &str) -> String {
    let names = SeededGenerator::ALL.map(SeededGenerator::name).join(", ");
    format!("not a generator: `{text}` (they are {names}{others})")
}

/// A source of random words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RandomSource {
    /// A generator with a seed.
    Seeded(SeededGenerator),
    /// Raw 64-bit words of a file, little-endian.
    File(PathBuf),
    /// Raw words on standard input.
    Stdin,
}

impl Default for RandomSource {
    fn default() -> Self {
        Self::Seeded(SeededGenerator::default())
    }
}

impl fmt::Display for RandomSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seeded(generator) => f.write_str(generator.name()),
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Stdin => f.write_str("stdin"),
        }
    }
}

impl FromStr for RandomSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            _ if text == "stdin" => Ok(Self::Stdin),
            _ => {
                let seeded = text.parse().map(Self::Seeded);
                seeded.map_err(|_| unknown(text, ", file:PATH and stdin"))
            }
        }
    }
}
