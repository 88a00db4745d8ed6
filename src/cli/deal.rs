//! `fairdeal deal`

use std::io::{self, BufWriter, StdoutLock, Write};
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use jiff::Zoned;
use serde::Serialize;

use fairdeal::bridge::Seat;
use fairdeal::defect::Defect;
use fairdeal::draw::{Portion, Scratch, Source, blocks};
use fairdeal::filter::Filter;
use fairdeal::formats::{Board, DealerPrinter, Effort, Format, PrintError, Writer};
use fairdeal::language::{Action, Script};
use fairdeal::population::Listings;
use fairdeal::printable::printable;
use fairdeal::report::grouped;
use fairdeal::run::{Asking, Stream};
use fairdeal::sampler::Need;
use fairdeal::tally::Questions;
use fairdeal::tasks::{Prepared, RandomWords, defective};

use super::input::{InputOptions, SamplingOptions};
use super::terminal::Terminal;
use super::words::{self, WordsOptions};
use super::{json, log, values};
use fairdeal::Error;

/// Deals that are printed unless the script or `-n` says how many.
const DEFAULT_DEALS: u64 = 10;

/// Deals that dealer prints, and draws, unless a script says how many.
const DEALER_PRINTS: u64 = 40;
const DEALER_DRAWS: u64 = 10_000_000;

/// Print deals, in random order
///
/// The same condition, number of deals, seed and generator give the same deals. With
/// --dealer-output a script's actions are done as dealer does them.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: InputOptions,

    /// How many deals; K, M, G, T are thousands, Ki, Mi, Gi, Ti 1,024s [default: what the script
    /// produces, or 10]
    #[arg(short = 'n', long, value_name = "N", value_parser = values::deals)]
    deals: Option<u64>,

    /// How they are written
    #[arg(long, value_name = "NAME", default_value = "line", value_parser = formats())]
    format: Format,

    /// Print a line of JSON a board: number, dealer, vulnerability and the four hands
    #[arg(long, conflicts_with_all = ["format", "dealer_output"])]
    json: bool,

    /// Print what dealer would print of the script's actions, in its layout
    #[arg(long, conflicts_with = "format")]
    dealer_output: bool,

    /// Deal with a planted defect instead, for another program to find; `--defect help` lists them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rng", "dealer_output"],
        value_parser = words::defect)]
    defect: Option<&'static Defect>,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    options: SamplingOptions,
}

/// The formats that the library writes.
fn formats() -> impl TypedValueParser<Value = Format> {
    let values = Format::written().map(|format| {
        let value = PossibleValue::new(format.name()).help(format.description());
        value.aliases(format.names()[1..].iter().copied())
    });
    PossibleValuesParser::new(values)
        .map(|name| Format::named(&name).expect("no other values are possible"))
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Error> {
    arguments.words.refuse_same_source(&arguments.input)?;
    let (name, input) = arguments.input.resolve()?;
    let words = arguments.words.request().words()?;
    let need = |script: &Script| arguments.need(script);
    let sampling = arguments.options.sampling();
    let sampling = sampling.with_defect(arguments.defect.is_some());
    let (listings, terminal) = (Listings::of_user()?, Terminal::new(false));
    let prepared = Prepared::new(input, &sampling, need, &listings, &terminal)?;
    prepared.warn(&terminal);
    if words.is_fresh {
        // Not among the deals: they are for programs to read.
        log::tell(format!("seed {}", words.seed))?;
    }
    if let Some(defect) = arguments.defect {
        write_defective(arguments, &prepared, &words, defect)?;
    } else if arguments.dealer_output {
        as_dealer(arguments, &prepared, &name, &words)?;
    } else {
        write(arguments, &prepared, &words)?;
    }
    prepared.population.check_records()
}

impl Arguments {
    /// What the deals of a script are needed for.
    fn need(&self, script: &Script) -> Need {
        if self.dealer_output {
            let (wanted, draws) = as_dealer_needs(self.deals, script);
            return Need::boards(wanted, Some(draws));
        }
        let wanted = self.deals.or(script.produce).unwrap_or(DEFAULT_DEALS);
        Need::boards(wanted, script.generate)
    }
}

/// Most deals that dealer would produce of a script, and most that it would draw.
fn as_dealer_needs(deals: Option<u64>, script: &Script) -> (u64, u64) {
    let usual = [Action::PrintAll];
    let actions = script.actions.as_deref().unwrap_or(&usual);
    let prints = actions
        .iter()
        .any(|action| !matches!(action, Action::Average { .. } | Action::Frequency { .. }));
    let limit = script.generate.unwrap_or(DEALER_DRAWS);
    let most = if prints { DEALER_PRINTS } else { limit };
    (deals.or(script.produce).unwrap_or(most), limit)
}

/// A board as the script has it, where it says who deals or who is vulnerable.
fn board(script: &Script, number: u64, deal: fairdeal::bridge::Deal) -> Board {
    let mut board = Board::new(number, deal);
    board.dealer = script.dealer.unwrap_or(board.dealer);
    board.vulnerable = script.vulnerable.unwrap_or(board.vulnerable);
    board
}

/// Boards on standard output: in a format, or as lines of JSON.
enum Boards {
    Format(Writer<Out>),
    Json(Out),
}

type Out = BufWriter<StdoutLock<'static>>;

impl Boards {
    fn new(arguments: &Arguments, wanted: u64, made_by: &str) -> Result<Self, Error> {
        let out = BufWriter::new(io::stdout().lock());
        Ok(match arguments.json {
            true => Self::Json(out),
            false => Self::Format(Writer::new(out, arguments.format, wanted, made_by)?),
        })
    }

    fn write(&mut self, board: &Board) -> io::Result<()> {
        match self {
            Self::Format(file) => file.write(board),
            Self::Json(out) => json::line(out, &Record::new(board)),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Format(file) => file.finish(),
            Self::Json(mut out) => out.flush(),
        }
    }
}

/// A board in JSON.
#[derive(Serialize)]
struct Record {
    number: u64,
    dealer: &'static str,
    vulnerability: &'static str,
    north: String,
    east: String,
    south: String,
    west: String,
}

impl Record {
    fn new(board: &Board) -> Self {
        let hands = Seat::ALL.map(|seat| board.deal.hand(seat).to_string());
        let [north, east, south, west] = hands;
        Self {
            number: board.number,
            dealer: board.dealer.name(),
            vulnerability: board.vulnerable.name(),
            north,
            east,
            south,
            west,
        }
    }
}

/// Writes deals in a format.
fn write(arguments: &Arguments, prepared: &Prepared, words: &RandomWords) -> Result<(), Error> {
    let (script, population) = (&prepared.script, &prepared.population);
    let wanted = arguments.deals.or(script.produce).unwrap_or(DEFAULT_DEALS);
    // Without a filter every deal drawn is wanted; with one the script's limit holds.
    let limit = script.generate.unwrap_or(u64::MAX);
    let limit = match population.is_exact() {
        true => limit.min(wanted),
        false => limit,
    };
    // The seed is not told: who has it could deal what is still to be played.
    let made_by = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));
    let mut file = Boards::new(arguments, wanted, made_by)?;
    let dealer = prepared.dealer(wanted)?;
    let mut stream = Stream::new(&dealer, &*words.generator, Filter::of(population), limit);
    for number in 1..=wanted {
        match stream.next_deal().map_err(|error| error.of(population))? {
            Some(deal) => file.write(&board(script, number, deal))?,
            None => {
                let (found, drawn) = (grouped(number - 1), grouped(stream.generated()));
                log::warning(format!(
                    "{found} deals only, of {drawn} drawn: that is the script's limit, or hardly \
                     any satisfies it"
                ))?;
                break;
            }
        }
    }
    Ok(file.finish()?)
}

/// Writes a defect's deals in a format.
fn write_defective(
    arguments: &Arguments,
    prepared: &Prepared,
    words: &RandomWords,
    defect: &'static Defect,
) -> Result<(), Error> {
    if !defect.deals_are_legal() {
        return Err(Error::usage(format!(
            "no format has room for the deals of {}, which are none",
            defect.name()
        )));
    }
    let wanted = arguments.deals.unwrap_or(DEFAULT_DEALS);
    let source = defective(defect, words, prepared)?;
    let mut file = Boards::new(arguments, wanted, "fairdeal, with a defect")?;
    let mut numbers = 1..;
    for block in blocks(0..wanted) {
        let mut dealt = Vec::new();
        let portion = Portion::Block(block);
        let done = source.deal(&portion, &mut Scratch::default(), &mut |packet| {
            dealt.extend((0..packet.deals()).map(|place| packet.deal(place)));
        });
        done.map_err(|error| error.of(&prepared.population))?;
        for (deal, number) in dealt.into_iter().zip(numbers.by_ref()) {
            file.write(&Board::new(number, deal))?;
        }
    }
    Ok(file.finish()?)
}

/// Does a script's actions as dealer does them.
fn as_dealer(
    arguments: &Arguments,
    prepared: &Prepared,
    name: &str,
    words: &RandomWords,
) -> Result<(), Error> {
    let clock = Instant::now();
    let (script, population) = (&prepared.script, &prepared.population);
    let usual = [Action::PrintAll];
    let actions = script.actions.as_deref().unwrap_or(&usual);
    let questions = Questions::of(actions);
    let (wanted, limit) = as_dealer_needs(arguments.deals, script);
    let limit = if population.is_exact() {
        limit.min(wanted)
    } else {
        limit
    };
    let event = format!(
        "Hand simulated by fairdeal with file {}, seed {}",
        printable(name),
        words.number
    );
    let date = Zoned::now().strftime("%Y.%m.%d").to_string();
    let out = BufWriter::new(io::stdout().lock());
    let mut printer = DealerPrinter::new(out, actions, event, date);
    let dealer = prepared.dealer(wanted)?;
    let mut stream = Stream::new(&dealer, &*words.generator, Filter::of(population), limit);
    let mut asking = Asking::new(&questions, dealer.path());
    let mut produced = 0;
    while produced < wanted {
        let Some(deal) = stream.next_deal().map_err(|error| error.of(population))? else {
            break;
        };
        produced += 1;
        let board = board(script, produced, deal);
        printer.print(&board).map_err(|error| match error {
            PrintError::Evaluation(error) => population.evaluation_error(&error),
            PrintError::Io(error) => error.into(),
        })?;
        asking
            .ask(&deal)
            .map_err(|error| population.evaluation_error(&error))?;
    }
    let statistics = asking
        .answers()
        .map_err(|error| population.evaluation_error(&error))?;
    let effort = Effort {
        generated: stream.generated(),
        produced,
        seed: words.number,
        seconds: clock.elapsed().as_secs_f64(),
    };
    Ok(printer.finish(&statistics, &effort)?)
}
