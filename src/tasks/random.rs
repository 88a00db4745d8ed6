//! Random words for a task: from a seed, a file or standard input.

use std::fs::File;
use std::path::PathBuf;

use super::Prepared;
use crate::defect::{Defect, DefectError, Defective};
use crate::draw::{GENERATORS, Generator, RawWords, seeded};
use crate::error::{Error, Remedy};
use crate::language::Script;
use crate::population::Base;
use crate::population::cases::CaseBytes;
use crate::printable::display_path;
use crate::utc::UtcTime;

/// Source of random words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RandomSource {
    /// The generator of this name, with a seed.
    Seeded(String),
    /// Raw 64-bit words of a file, little-endian.
    File(PathBuf),
    /// Raw words on standard input.
    Stdin,
}

/// The requested random words; `None` means as in the resumed run, or the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomRequest {
    /// The seed; by default that of the script, or one from the operating system.
    pub seed: Option<u128>,
    /// The source; by default the first of [`GENERATORS`].
    pub source: Option<RandomSource>,
}

/// Random words, and their entry in a record.
#[derive(Debug)]
pub struct RandomWords {
    /// The generator of the words.
    pub generator: Box<dyn Generator>,
    /// The seed in hex; for raw words the time of reading, which makes each such run unique.
    pub seed: String,
    /// The seed as a number; 0 for raw words.
    pub number: u128,
    /// Whether the seed was generated and must be printed.
    pub is_fresh: bool,
}

impl RandomWords {
    /// Rejects raw words: other processes cannot read them too.
    pub(super) fn refuse_processes(&self) -> Result<(), Error> {
        match self.generator.is_one_sequence() {
            true => Err(Error::usage(
                "random words from a file or stream are for one process; use a generator with a \
                 seed, or start one process",
            )),
            false => Ok(()),
        }
    }

    /// Rejects words that separate processes cannot share: raw words, or those of a generated seed.
    pub(super) fn refuse_parts(&self) -> Result<(), Error> {
        if self.generator.is_one_sequence() {
            return Err(Error::usage(
                "random words from a file or stream cannot be dealt in parts; use a generator with a seed",
            ));
        }
        match self.is_fresh {
            true => {
                Err(Error::usage("the parts of a run need the same seed")
                    .with_remedy(Remedy::GiveSeed))
            }
            false => Ok(()),
        }
    }
}

impl RandomRequest {
    /// The words of this seed, from the default generator.
    #[must_use]
    pub fn of_seed(seed: u128) -> Self {
        Self {
            seed: Some(seed),
            source: None,
        }
    }

    /// The request with the seed of a script, unless another one or raw words are requested.
    #[must_use]
    pub fn of_script(&self, script: &Script) -> Self {
        let mut request = self.clone();
        if !self.is_read() {
            request.seed = self.seed.or(script.seed);
        }
        request
    }

    /// The source of the words.
    #[must_use]
    pub(crate) fn source(&self) -> RandomSource {
        let default = || RandomSource::Seeded(GENERATORS[0].to_owned());
        self.source.clone().unwrap_or_else(default)
    }

    /// Whether the words are read from a file or stream, and so cannot be repeated.
    #[must_use]
    pub(crate) fn is_read(&self) -> bool {
        matches!(
            self.source,
            Some(RandomSource::File(_) | RandomSource::Stdin)
        )
    }

    /// Fills in the seed and the generator of an earlier run where none were requested.
    pub(super) fn complete(&mut self, seed: Option<u128>, generator: &str) {
        if self.source.is_none() && GENERATORS.contains(&generator) {
            self.source = Some(RandomSource::Seeded(generator.to_owned()));
        }
        self.seed = self.seed.or(seed);
    }

    /// Makes this number of generators with consecutive seeds, and returns the first seed in hex.
    ///
    /// # Errors
    ///
    /// If the source has no seed, or the system cannot provide one.
    pub(crate) fn many(&self, count: u32) -> Result<(String, Vec<Box<dyn Generator>>), Error> {
        let RandomSource::Seeded(name) = &self.source() else {
            return Err(Error::usage("a self-test needs a generator with a seed"));
        };
        let first = self.seed.map_or_else(fresh_seed, Ok)?;
        let of = |place: u32| generator(name, first.wrapping_add(place.into()));
        let generators = (0..count).map(of).collect::<Result<_, _>>()?;
        Ok((format!("{name} seed {first:#x}"), generators))
    }

    /// Opens the requested words.
    ///
    /// # Errors
    ///
    /// If the generator is unknown, a file cannot be read, or the system cannot provide a seed.
    pub fn words(&self) -> Result<RandomWords, Error> {
        let source = self.source();
        if self.seed.is_some() && !matches!(source, RandomSource::Seeded(_)) {
            return Err(Error::usage(
                "random words from a file or standard input have no seed",
            ));
        }
        let generator: Box<dyn Generator> = match &source {
            RandomSource::Seeded(name) => {
                let seed = self.seed.map_or_else(fresh_seed, Ok)?;
                return Ok(RandomWords {
                    generator: generator(name, seed)?,
                    seed: format!("{seed:#x}"),
                    number: seed,
                    is_fresh: self.seed.is_none(),
                });
            }
            RandomSource::File(path) => {
                let file = File::open(path).map_err(|error| {
                    let context = format!("the words in {} cannot be read", display_path(path));
                    Error::input(error).context(context)
                })?;
                Box::new(RawWords::new(&format!("file:{}", path.display()), file))
            }
            RandomSource::Stdin => Box::new(RawWords::new("stdin", std::io::stdin())),
        };
        Ok(RandomWords {
            generator,
            number: 0,
            seed: format!("none, read at {}", UtcTime::now()),
            is_fresh: false,
        })
    }
}

fn generator(name: &str, seed: u128) -> Result<Box<dyn Generator>, Error> {
    seeded(name, seed)
        .ok_or_else(|| Error::usage(format!("`{name}` is not {}", GENERATORS.join(", "))))
}

fn fresh_seed() -> Result<u128, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::io(error.to_string()))?;
    Ok(u128::from_le_bytes(bytes))
}

/// The deals of a defect, with the same seed and condition.
///
/// # Errors
///
/// If the defect does not support the population.
pub fn defective<'d>(
    defect: &'static Defect,
    words: &RandomWords,
    prepared: &'d Prepared,
) -> Result<Defective<'d, CaseBytes>, Error> {
    let population = &prepared.population;
    let file = population.listing().map(|listed| &listed.file);
    if file.is_none() && !matches!(population.base(), Base::EveryDeal) {
        return Err(Error::usage(
            "a defect cannot deal from cells, only from all deals or a listing",
        )
        .with_remedy(Remedy::ChooseSampler));
    }
    Defective::new(defect, words.number, file).map_err(|error| match error {
        DefectError::Draw(error) => error.of(population),
        other => Error::usage(other),
    })
}
