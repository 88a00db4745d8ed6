//! `--seed` and `--rng`: where random words come from; `--defect`.

use clap::Args;

use fairdeal::Error;
use fairdeal::defect::Defect;
use fairdeal::draw::GENERATORS;
use fairdeal::number;
use fairdeal::tasks::{RandomRequest, RandomSource};

use super::input::InputOptions;
use super::values;

/// Where random words come from.
#[derive(Args, Clone, Debug)]
pub(super) struct WordsOptions {
    /// A number below 2^128, in decimal or hex (0x..) [default: from the operating system]
    #[arg(long, value_name = "S", value_parser = number::parse_number)]
    seed: Option<u128>,

    /// The generator of random words: aes128ctr, chacha8, philox4x32 or xoshiro256++ of the seed,
    /// or file:PATH or stdin for raw 64-bit words, little-endian, which one thread deals from
    /// [default: aes128ctr]
    #[arg(long, value_name = "NAME", value_parser = rng)]
    rng: Option<RandomSource>,
}

fn rng(text: &str) -> Result<RandomSource, String> {
    match text.split_once(':') {
        Some(("file", path)) if !path.is_empty() => Ok(RandomSource::File(path.into())),
        _ if text == "stdin" => Ok(RandomSource::Stdin),
        _ if GENERATORS.contains(&text) => Ok(RandomSource::Seeded(text.to_owned())),
        _ => Err(format!(
            "`{text}` is not {}, file:PATH or stdin",
            GENERATORS.join(", ")
        )),
    }
}

impl WordsOptions {
    /// What is asked for.
    pub(super) fn request(&self) -> RandomRequest {
        RandomRequest {
            seed: self.seed,
            source: self.rng.clone(),
        }
    }

    /// Refuses words from where the condition is read; to be asked before it is.
    pub(super) fn refuse_same_source(&self, input: &InputOptions) -> Result<(), Error> {
        match &self.rng {
            Some(RandomSource::Stdin) if input.reads_stdin() => Err(Error::usage(
                "standard input cannot give both the condition and the random words",
            )),
            _ => Ok(()),
        }
    }
}

/// The defect of that name.
pub(super) fn defect(name: &str) -> Result<&'static Defect, String> {
    let all = Defect::all()
        .iter()
        .map(|defect| (defect.name(), defect.summary()));
    values::listed(name, Defect::named(name), all)
}
