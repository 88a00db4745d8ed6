//! `fairdeal deal`

use std::io::{self, Write};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use fairdeal::draw::Generator;
use fairdeal::formats::{Board, Format, Writer};

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
    #[arg(long, value_name = "NAME", default_value = Format::Line.name(), value_parser = formats())]
    format: Format,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    options: ListingOptions,
}

/// The formats that the library writes.
fn formats() -> impl TypedValueParser<Value = Format> {
    let values =
        Format::all().map(|format| PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(values)
        .map(|name| Format::named(&name).expect("no other values are possible"))
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Failure> {
    arguments.words.refuse_same_source(&arguments.input)?;
    let (_, source) = arguments.input.resolve()?;
    let words = arguments.words.words()?;
    let generator: &dyn Generator = &*words.generator;
    let out = io::BufWriter::new(io::stdout().lock());
    // The seed is not told: who has it could deal what is still to be played.
    let made_by = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));
    let mut file = Writer::new(out, arguments.format, arguments.deals, made_by)?;
    let (deals, ()) = Deals::of(source, &arguments.options, false, false, |_, _| Ok(()))?;
    let dealer = deals.dealer(arguments.deals)?;
    if words.is_fresh {
        // Not among the deals: they are for programs to read.
        writeln!(io::stderr(), "seed {}", words.seed)?;
    }
    let mut dealt = 0;
    while dealt < arguments.deals {
        let batch = dealt..(dealt + BATCH).min(arguments.deals);
        dealt = batch.end;
        let boards = batch.start + 1..;
        let drawn = dealer.in_random_order(generator, batch);
        let drawn = drawn.map_err(|error| deals.failed(error))?;
        for (number, deal) in boards.zip(drawn) {
            file.write(&Board { number, deal })?;
        }
    }
    file.finish()?;
    deals.check_again()
}
