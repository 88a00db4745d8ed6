//! `--seed` and `--rng`, the source of random words; `--defect`.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};

use fairdeal::Error;
use fairdeal::defect::Defect;
use fairdeal::draw::{RandomSource, SeededGenerator};
use fairdeal::number;
use fairdeal::tasks::RandomRequest;

use super::input::InputOptions;
use super::values::{self, NameParser};

/// Source of random words.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Deals")]
pub(super) struct WordsOptions {
    /// Seed: a number below 2^128, decimal or hex [default: the script's, or
    /// random]
    ///
    /// A random seed comes from the operating system and is printed.
    #[arg(short, long, value_name = "S",
        value_parser = number::parse_number)]
    seed: Option<u128>,

    /// Random number generator [default: aes128ctr]
    ///
    /// aes128ctr, chacha8, philox4x32 and xoshiro256++ start from the seed; file:PATH and stdin
    /// are raw 64-bit words, little-endian, which one thread reads.
    #[arg(long, value_name = "NAME", value_parser = NameParser::new(RngParser))]
    rng: Option<RandomSource>,
}

/// Parser of `--rng`.
#[derive(Clone, Debug)]
struct RngParser;

impl TypedValueParser for RngParser {
    type Value = RandomSource;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<RandomSource, clap::Error> {
        str::parse::<RandomSource>.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let seeded = SeededGenerator::ALL
            .into_iter()
            .map(|rng| PossibleValue::new(rng.name()).help("starts from the seed"));
        let raw = [
            ("file:PATH", "raw 64-bit words of a file, little-endian"),
            ("stdin", "raw 64-bit words of standard input, little-endian"),
        ];
        let raw = raw.map(|(name, help)| PossibleValue::new(name).help(help));
        Some(Box::new(seeded.chain(raw)))
    }
}

impl WordsOptions {
    /// The request to the library.
    pub(super) fn request(&self) -> RandomRequest {
        RandomRequest {
            seed: self.seed,
            source: self.rng.clone(),
        }
    }

    /// The first option that is given, if any.
    pub(super) fn given(&self) -> Option<&'static str> {
        let seed = self.seed.map(|_| "--seed");
        seed.or(self.rng.as_ref().map(|_| "--rng"))
    }

    /// Rejects standard input as both random words and condition, before either is read.
    pub(super) fn refuse_same_source(&self, input: &InputOptions) -> Result<(), Error> {
        match &self.rng {
            Some(RandomSource::Stdin) if input.reads_stdin() => Err(Error::usage(
                "standard input cannot give both the condition and the random words",
            )),
            _ => Ok(()),
        }
    }
}

/// Parser of the names of defects.
pub(super) fn defect() -> NameParser<impl TypedValueParser<Value = &'static Defect>> {
    values::named(Defect::all().iter().map(|defect| {
        let name = PossibleValue::new(defect.name);
        (defect, name.help(defect.summary))
    }))
}
