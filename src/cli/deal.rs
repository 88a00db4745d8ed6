//! `fairdeal deal`

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use fairdeal::draw::Generator;

use super::deals::Deals;
use super::failure::Failure;
use super::input::{Input, ListingOptions};
use super::values;
use super::words::WordsOptions;

/// Deals drawn together and put into random order.
const BATCH: u64 = 1 << 16;

/// Print deals, in random order
///
/// The same condition, number of deals, seed and generator give the same deals.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// How many deals; K, M, G, T are thousands, Ki, Mi, Gi, Ti 1,024s
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = values::count)]
    deals: u64,

    /// How they are written
    #[arg(long, value_enum, default_value_t = Format::Pbn)]
    format: Format,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    options: ListingOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A PBN deal string a line, north first
    Pbn,
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Failure> {
    arguments.words.refuse_same_source(&arguments.input)?;
    let (_, source) = arguments.input.resolve()?;
    let words = arguments.words.words()?;
    let generator: &dyn Generator = &*words.generator;
    let (deals, ()) = Deals::of(source, &arguments.options, false, false, |_, _| Ok(()))?;
    let dealer = deals.dealer(arguments.deals)?;
    if words.is_fresh {
        // Not among the deals: they are for programs to read.
        writeln!(io::stderr(), "seed {}", words.seed)?;
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut dealt = 0;
    while dealt < arguments.deals {
        let batch = dealt..(dealt + BATCH).min(arguments.deals);
        dealt = batch.end;
        let batch = dealer.in_random_order(generator, batch);
        for deal in batch.map_err(|error| deals.failed(error))? {
            match arguments.format {
                Format::Pbn => writeln!(out, "{deal}")?,
            }
        }
    }
    out.flush()?;
    deals.check_again()
}
