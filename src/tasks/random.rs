//! Random words for a task: from a seed, a file or standard input.

use std::fs::File;

use super::Prepared;
use crate::defect::{Defect, DefectError, Defective};
use crate::draw::{Generator, RandomSource, RawWords};
use crate::error::{Error, Remedy};
use crate::language::Script;
use crate::population::Base;
use crate::population::cases::CaseBytes;
use crate::printable::display_path;
use crate::report::Identity;
use crate::utc::UtcTime;

/// The requested random words; `None` means as in the resumed run, or the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomRequest {
    /// The seed; by default that of the script, or one from the operating system.
    pub seed: Option<u128>,
    /// The source; by default AES-128 in counter mode.
    pub source: Option<RandomSource>,
}

/// Random words, and their entry in a record.
#[derive(Debug)]
pub struct RandomWords {
    /// The generator of the words.
    pub generator: Box<dyn Generator>,
    /// Its name.
    pub source: RandomSource,
    /// The seed in hex; for raw words the time of reading, which makes each such run unique.
    pub seed: String,
    /// The seed as a number; 0 for raw words.
    pub number: u128,
    /// Whether the seed was generated and must be printed.
    pub is_fresh: bool,
}

impl RandomWords {
    /// Rejects words that the parts of a run, or its processes, cannot share: raw words, and for
    /// parts those of a generated seed.
    pub(super) fn refuse_division(&self, in_parts: bool, in_processes: bool) -> Result<(), Error> {
        if self.generator.is_one_sequence() && (in_parts || in_processes) {
            return Err(Error::usage(
                "random words from a file or stream are for one process, which deals the whole run; \
                 use a generator with a seed",
            ));
        }
        match in_parts && self.is_fresh {
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
    pub fn of_seed(seed: u128) -> Self {
        Self {
            seed: Some(seed),
            source: None,
        }
    }

    /// The request with the seed of a script, unless another one or raw words are requested.
    pub fn of_script(&self, script: &Script) -> Self {
        let mut request = self.clone();
        if !self.is_read() {
            request.seed = self.seed.or(script.seed);
        }
        request
    }

    /// Whether the words are read from a file or stream, and so cannot be repeated.
    pub(crate) fn is_read(&self) -> bool {
        matches!(
            self.source,
            Some(RandomSource::File(_) | RandomSource::Stdin)
        )
    }

    /// Fills in the seed and the generator of an earlier run where none were requested.
    pub(super) fn complete(&mut self, identity: &Identity) {
        let generator = identity.generator.seeded().map(RandomSource::Seeded);
        self.source = self.source.take().or(generator);
        self.seed = self.seed.or(identity.seed_number());
    }

    /// Makes this number of generators with consecutive seeds, and returns the first seed in hex.
    ///
    /// # Errors
    ///
    /// If the source has no seed, or the system cannot provide one.
    pub(crate) fn many(&self, count: u32) -> Result<(String, Vec<Box<dyn Generator>>), Error> {
        let RandomSource::Seeded(kind) = self.source.clone().unwrap_or_default() else {
            return Err(Error::usage("a self-test needs a generator with a seed"));
        };
        let first = self.seed.map_or_else(fresh_seed, Ok)?;
        let of = |place: u32| kind.with_seed(first.wrapping_add(place.into()));
        let generators = (0..count).map(of).collect();
        Ok((format!("{} seed {first:#x}", kind.name()), generators))
    }

    /// Opens the requested words.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or the system cannot provide a seed.
    pub fn words(&self) -> Result<RandomWords, Error> {
        let source = self.source.clone().unwrap_or_default();
        if self.seed.is_some() && !matches!(source, RandomSource::Seeded(_)) {
            return Err(Error::usage(
                "random words from a file or standard input have no seed",
            ));
        }
        let generator: Box<dyn Generator> = match &source {
            RandomSource::Seeded(kind) => {
                let seed = self.seed.map_or_else(fresh_seed, Ok)?;
                return Ok(RandomWords {
                    generator: kind.with_seed(seed),
                    source,
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
                Box::new(RawWords::new(&source.to_string(), file))
            }
            RandomSource::Stdin => Box::new(RawWords::new("stdin", std::io::stdin())),
        };
        Ok(RandomWords {
            generator,
            source,
            number: 0,
            seed: format!("none, read at {}", UtcTime::now()),
            is_fresh: false,
        })
    }
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
    let seed = words.number;
    let source = match population.base() {
        Base::EveryDeal => Defective::new(defect, seed, None),
        Base::Listing(listed) => Defective::new(defect, seed, Some(&listed.file)),
        Base::Cells(cells) => Defective::of_cells(defect, seed, cells),
        Base::Numbered(_) => Err(DefectError::NotFromCells(defect.name)),
    };
    source.map_err(|error| match error {
        DefectError::Draw(error) => error.of(population),
        DefectError::FromCells(_) | DefectError::NotFromCells(_) => {
            Error::usage(error).with_remedy(Remedy::ChooseSampler)
        }
        other => Error::usage(other),
    })
}
