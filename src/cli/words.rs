//! `--seed` and `--rng`: where random words come from.

use std::fs::File;
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use fairdeal::cases::CaseBytes;
use fairdeal::defect::{Defect, DefectError, Defective};
use fairdeal::draw::{GENERATORS, Generator, RawWords, seeded};

use super::deals::Deals;
use super::input::Input;
use super::values;
use fairdeal::Error;

/// Where random words come from.
#[derive(Args, Clone, Debug)]
pub(super) struct WordsOptions {
    /// A number below 2^128, in decimal or hex (0x..) [default: from the operating system]
    #[arg(long, value_name = "S", value_parser = values::number)]
    seed: Option<u128>,

    /// The generator of random words: aes128ctr, chacha8, philox4x32 or xoshiro256++ of the seed,
    /// or file:PATH or stdin for raw 64-bit words, little-endian, which one thread deals from
    /// [default: aes128ctr]
    #[arg(long, value_name = "NAME", value_parser = rng)]
    rng: Option<Rng>,
}

#[derive(Clone, Debug)]
enum Rng {
    Seeded(String),
    File(PathBuf),
    Stdin,
}

fn rng(text: &str) -> Result<Rng, String> {
    match text.split_once(':') {
        Some(("file", path)) if !path.is_empty() => Ok(Rng::File(path.into())),
        _ if text == "stdin" => Ok(Rng::Stdin),
        _ if GENERATORS.contains(&text) => Ok(Rng::Seeded(text.to_owned())),
        _ => Err(format!(
            "`{text}` is not {}, file:PATH or stdin",
            GENERATORS.join(", ")
        )),
    }
}

/// A generator and what a record says of it.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) generator: Box<dyn Generator>,
    /// The seed in hex, or when raw words were read: no two such runs are the same.
    pub(super) seed: String,
    /// The seed as a number; 0 for raw words.
    pub(super) number: u128,
    /// Whether the seed was not given and has to be told.
    pub(super) is_fresh: bool,
}

impl Words {
    /// Refuses words that are one sequence: the others have none of them.
    pub(super) fn refuse_processes(&self) -> Result<(), Error> {
        match self.generator.is_one_sequence() {
            true => Err(Error::usage(
                "words that are read are dealt by one process: give a --seed and a generator, or \
                 start the program alone",
            )),
            false => Ok(()),
        }
    }

    /// Refuses words that no two processes can have: those that were read, or of a seed that
    /// another will not find.
    pub(super) fn refuse_parts(&self) -> Result<(), Error> {
        if self.generator.is_one_sequence() {
            return Err(Error::usage(
                "words that are read cannot be dealt in parts: give a --seed and a generator",
            ));
        }
        match self.is_fresh {
            true => Err(Error::usage(
                "--part needs --seed: all parts of a run have the same",
            )),
            false => Ok(()),
        }
    }
}

impl WordsOptions {
    /// None are asked for.
    pub(super) const NONE: Self = Self {
        seed: None,
        rng: None,
    };

    fn rng(&self) -> Rng {
        let default = || Rng::Seeded(GENERATORS[0].to_owned());
        self.rng.clone().unwrap_or_else(default)
    }

    /// Whether a generator was named.
    pub(super) fn names_generator(&self) -> bool {
        self.rng.is_some()
    }

    /// Whether the words are read, and cannot be had again.
    pub(super) fn are_read(&self) -> bool {
        matches!(self.rng, Some(Rng::File(_) | Rng::Stdin))
    }

    /// With the words of another run where none are asked for: its seed in hex, and the name
    /// of its generator.
    pub(super) fn complete(&mut self, seed: &str, generator: &str) {
        if self.rng.is_none() && GENERATORS.contains(&generator) {
            self.rng = Some(Rng::Seeded(generator.to_owned()));
        }
        self.seed = self.seed.or_else(|| values::number(seed).ok());
    }

    /// Refuses words from where the condition is read; to be asked before it is.
    pub(super) fn refuse_same_source(&self, input: &Input) -> Result<(), Error> {
        match self.rng() {
            Rng::Stdin if input.reads_stdin() => Err(Error::usage(
                "standard input cannot give both the condition and the random words",
            )),
            _ => Ok(()),
        }
    }

    /// So many generators, with the seeds that follow each other, and the first in hex.
    pub(super) fn many(&self, count: u32) -> Result<(String, Vec<Box<dyn Generator>>), Error> {
        let Rng::Seeded(name) = &self.rng() else {
            return Err(Error::usage("a self-test takes a generator with a seed"));
        };
        let first = self.seed.map_or_else(fresh_seed, Ok)?;
        let of = |place: u32| seeded(name, first.wrapping_add(place.into()));
        let generators = (0..count).map(|place| of(place).expect("the name was checked"));
        Ok((format!("{name} seed {first:#x}"), generators.collect()))
    }

    /// The generator that was asked for.
    pub(super) fn words(&self) -> Result<Words, Error> {
        if self.seed.is_some() && !matches!(self.rng(), Rng::Seeded(_)) {
            return Err(Error::usage(
                "--seed has no meaning for the words of a file or of standard input",
            ));
        }
        let generator: Box<dyn Generator> = match &self.rng() {
            Rng::Seeded(name) => {
                let seed = self.seed.map_or_else(fresh_seed, Ok)?;
                let generator = seeded(name, seed).expect("the name was checked");
                return Ok(Words {
                    generator,
                    seed: format!("{seed:#x}"),
                    number: seed,
                    is_fresh: self.seed.is_none(),
                });
            }
            Rng::File(path) => {
                let file = File::open(path).map_err(|error| {
                    let context = format!("the words in {} cannot be read", path.display());
                    Error::input(error).context(context)
                })?;
                Box::new(RawWords::new(&format!("file:{}", path.display()), file))
            }
            Rng::Stdin => Box::new(RawWords::new("stdin", std::io::stdin())),
        };
        Ok(Words {
            generator,
            number: 0,
            seed: format!("none, read at {}", Timestamp::now()),
            is_fresh: false,
        })
    }
}

fn fresh_seed() -> Result<u128, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::io(format!("{error}")))?;
    Ok(u128::from_le_bytes(bytes))
}

/// A defect's deals, from the same seed and of the same condition.
pub(super) fn defective<'d>(
    defect: &'static Defect,
    words: &Words,
    deals: &'d Deals,
) -> Result<Defective<'d, CaseBytes>, Error> {
    if deals.cells.is_some() {
        return Err(Error::usage(
            "defects deal from every deal or from a listing, not from cells: leave out --sampler",
        ));
    }
    let file = deals.file.as_ref().map(|opened| &opened.file);
    Defective::new(defect, words.number, file).map_err(|error| match error {
        DefectError::Draw(error) => deals.failed(error),
        other => Error::usage(other.to_string()),
    })
}

/// The defect of that name.
pub(super) fn defect(name: &str) -> Result<&'static Defect, String> {
    let all = Defect::all()
        .iter()
        .map(|defect| (defect.name(), defect.summary()));
    values::listed(name, Defect::named(name), all)
}
