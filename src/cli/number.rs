//! `fairdeal number`

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use fairdeal::cards::{Deal, Ending, NotationError};
use fairdeal::cases::CaseBytes;
use fairdeal::number::cases::{DecodeError, Numbering};
use fairdeal::number::{
    EndingError, OutOfRange, andrews, base5, bigdeal, ending, ending_any, pavlicek, pavlicek_suits,
    zbs,
};

use super::failure::Failure;
use super::{input, values};

/// Longer lines are no deals and no numbers.
const LONGEST_LINE: u64 = 4096;

/// Turn deals and endings into numbers and back, a line each
///
/// What is wrong with a line is said on standard error; its line of the output stays
/// empty, so that line n of the output is always that of line n of the input.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fairdeal number decode --scheme pavlicek 0 0xAD55E315634DDA658BF491FF
  fairdeal number encode --scheme andrews --one-based -f deals.txt
  fairdeal number encode --scheme ending-any 'N:AK.2.. - 3..QJ. -'
  fairdeal cases build nine-spades -o nine.cases
  fairdeal number decode --scheme cases --cases nine.cases 0 1 2")]
pub(super) struct Arguments {
    #[command(subcommand)]
    direction: Direction,
}

#[derive(Debug, Subcommand)]
enum Direction {
    /// Deals or endings, as PBN deal strings, to numbers
    Encode {
        #[command(flatten)]
        options: Options,

        /// Write numbers as 0x and hex digits
        #[arg(long)]
        hex: bool,

        /// Deals such as `N:AKQ.. ...` [default: lines of standard input]
        #[arg(value_name = "DEAL")]
        deals: Vec<String>,
    },
    /// Numbers, decimal or 0x and hex digits, to deals or endings
    Decode {
        #[command(flatten)]
        options: Options,

        /// Numbers; of zbs four words each [default: lines of standard input]
        #[arg(value_name = "NUMBER", allow_negative_numbers = true)]
        numbers: Vec<String>,
    },
}

#[derive(Args, Debug)]
struct Options {
    /// Which numbering
    #[arg(long, value_enum, value_name = "NAME")]
    scheme: Scheme,

    /// The case file whose deals are numbered, for --scheme cases
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,

    /// The first number is 1, as where deals are pages of a book
    #[arg(long)]
    one_based: bool,

    /// Go through the lines of this file; - is standard input; may be given again
    #[arg(short, long, value_name = "FILE")]
    file: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scheme {
    /// Deals, card by card in the order SA HA DA CA SK .., as in Pavlicek's essay
    Pavlicek,
    /// The same in the order SA SK .. C2, as other programs have it
    PavlicekSuits,
    /// Deals by the squashed order of hands, as in Andrews' essay
    Andrews,
    /// Endings with as many cards in each hand, 13 first, as in Pavlicek's essay
    Ending,
    /// Endings with 0 to 13 cards in each hand
    EndingAny,
    /// Any diagram, a digit of base 5 a card
    Base5,
    /// Any diagram, a word of 32 bits a suit: S H D C
    Zbs,
    /// Deals in lexicographic order, as BigDeal prints
    Bigdeal,
    /// The deals of a case file
    Cases,
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let (options, items) = match &arguments.direction {
        Direction::Encode { options, deals, .. } => (options, deals),
        Direction::Decode { options, numbers } => (options, numbers),
    };
    options.check()?;
    let file = match &options.cases {
        Some(path) => Some(input::open_sound(path, false)?),
        None => None,
    };
    let numbering = file.as_ref().map(Numbering::new);
    let translator = Translator {
        scheme: options.scheme,
        first: u128::from(options.one_based),
        numbering: numbering.as_ref(),
    };
    match arguments.direction {
        Direction::Encode { hex, .. } => {
            // The hands of a deal that came without quotes.
            let items = joined(items, |_, word| !word.contains(':'));
            options.translate(&items, |line| translator.encode(line, hex))
        }
        Direction::Decode { .. } => {
            let is_zbs = options.scheme == Scheme::Zbs;
            let items = joined(items, |place, word| {
                is_zbs && place % 4 != 0 && !word.contains(char::is_whitespace)
            });
            options.translate(&items, |line| translator.decode(line))
        }
    }
}

/// Words by the lines that they make; a word that continues a line is told by its place and text.
fn joined(words: &[String], continues: impl Fn(usize, &str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        match lines.last_mut() {
            Some(line) if continues(place, word) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

impl Options {
    /// Whether these options go together.
    fn check(&self) -> Result<(), Failure> {
        match (self.scheme, &self.cases) {
            (Scheme::Cases, None) => Err(Failure::usage(
                "--scheme cases numbers the deals of a case file: name it by --cases FILE",
            )),
            (Scheme::Zbs, _) if self.one_based => Err(Failure::usage(
                "--one-based is for numbers of deals: zbs has four words",
            )),
            (scheme, Some(_)) if scheme != Scheme::Cases => Err(Failure::usage(
                "--cases FILE is for --scheme cases: the other schemes number all deals",
            )),
            _ => Ok(()),
        }
    }

    /// Translates the arguments, then the files, or standard input if there are neither.
    fn translate(
        &self,
        items: &[String],
        translate: impl Fn(&str) -> Result<String, String>,
    ) -> Result<(), Failure> {
        let mut lines = Lines {
            out: BufWriter::new(io::stdout().lock()),
            translate,
            lines: 0,
            bad: 0,
        };
        for (place, item) in (1..).zip(items) {
            lines.line(item.as_bytes(), || format!("argument {place}"))?;
        }
        for path in &self.file {
            if path.as_os_str() == "-" {
                lines.standard_input()?;
            } else {
                lines.file(path)?;
            }
        }
        if items.is_empty() && self.file.is_empty() {
            lines.standard_input()?;
        }
        lines.finish()
    }
}

/// Lines in, lines out.
struct Lines<W: Write, T> {
    out: W,
    translate: T,
    lines: u64,
    bad: u64,
}

impl<W: Write, T: Fn(&str) -> Result<String, String>> Lines<W, T> {
    fn standard_input(&mut self) -> Result<(), Failure> {
        self.read(io::stdin().lock(), "line ")
            .map_err(|error| Failure::io(error.context("standard input")))
    }

    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::input(anyhow::anyhow!("there is no file {name}")),
            _ => Failure::io(anyhow::Error::new(error).context(name.clone())),
        })?;
        self.read(file, &format!("{name}:"))
            .map_err(|error| Failure::io(error.context(name)))
    }

    /// The lines of a file; errors name them by their number after `place`.
    fn read(&mut self, source: impl Read, place: &str) -> anyhow::Result<()> {
        let mut source = BufReader::with_capacity(1 << 16, source);
        let mut line = Vec::new();
        for number in 1u64.. {
            if source.buffer().is_empty() {
                // Whoever waits for answers before asking more shall have them.
                self.out.flush()?;
            }
            line.clear();
            let read = source
                .by_ref()
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)?;
            if read == 0 {
                break;
            }
            if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
                source.skip_until(b'\n')?;
            }
            let text = if number == 1 {
                line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line)
            } else {
                &line
            };
            self.line(text, || format!("{place}{number}"))?;
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8], place: impl Fn() -> String) -> io::Result<()> {
        self.lines += 1;
        let translated = match std::str::from_utf8(line) {
            _ if line.len() as u64 >= LONGEST_LINE => {
                Err(format!("longer than {LONGEST_LINE} bytes"))
            }
            Ok(line) => match line.trim() {
                "" => Ok(String::new()),
                line => (self.translate)(line),
            },
            Err(_) => Err("not UTF-8 text".to_owned()),
        };
        match translated {
            Ok(text) => writeln!(self.out, "{text}"),
            Err(reason) => {
                self.bad += 1;
                writeln!(self.out)?;
                // Nothing is left to do if standard error is gone.
                let _ = writeln!(io::stderr(), "error: {}: {reason}", place());
                Ok(())
            }
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.out.flush()?;
        if self.bad == 0 {
            return Ok(());
        }
        Err(Failure::input(anyhow::anyhow!(
            "{} of {} lines could not be translated: they are empty in the output",
            self.bad,
            self.lines
        )))
    }
}

struct Translator<'f> {
    scheme: Scheme,
    /// The number of the first deal.
    first: u128,
    numbering: Option<&'f Numbering<'f, CaseBytes>>,
}

impl Translator<'_> {
    fn encode(&self, line: &str, hex: bool) -> Result<String, String> {
        let number = match self.scheme {
            Scheme::Pavlicek => pavlicek::encode(&deal(line)?),
            Scheme::PavlicekSuits => pavlicek_suits::encode(&deal(line)?),
            Scheme::Andrews => andrews::encode(&deal(line)?),
            Scheme::Bigdeal => bigdeal::encode(&deal(line)?),
            Scheme::Ending => ending::encode(&self::ending(line)?)
                .map_err(|error: EndingError| error.to_string())?,
            Scheme::EndingAny => {
                ending_any::encode(&self::ending(line)?).map_err(|error| error.to_string())?
            }
            Scheme::Base5 => base5::encode(&self::ending(line)?),
            Scheme::Zbs => {
                let words = zbs::encode(&self::ending(line)?);
                return Ok(words
                    .map(|word| format!("{word:#010X}"))
                    .join(" ")
                    .replace("0X", "0x"));
            }
            Scheme::Cases => {
                let numbering = self.numbering.ok_or("no case file")?;
                numbering
                    .encode(&deal(line)?)
                    .map_err(|error| error.to_string())?
            }
        };
        // At most 2^121 and 1.
        let number = number + self.first;
        Ok(if hex {
            format!("0x{number:X}")
        } else {
            number.to_string()
        })
    }

    fn decode(&self, line: &str) -> Result<String, String> {
        if self.scheme == Scheme::Zbs {
            return diagram(zbs::decode(words(line)?).map_err(|error| error.to_string()));
        }
        let typed = values::number(line)?;
        let number = typed
            .checked_sub(self.first)
            .ok_or("numbers begin at 1 with --one-based")?;
        let beyond = |OutOfRange { count, .. }| {
            let last = count - 1 + self.first;
            format!("{typed} is beyond the last number, {last}")
        };
        let deal = match self.scheme {
            Scheme::Pavlicek => pavlicek::decode(number),
            Scheme::PavlicekSuits => pavlicek_suits::decode(number),
            Scheme::Andrews => andrews::decode(number),
            Scheme::Bigdeal => bigdeal::decode(number),
            Scheme::Ending => return diagram(ending::decode(number).map_err(beyond)),
            Scheme::EndingAny => return diagram(ending_any::decode(number).map_err(beyond)),
            Scheme::Base5 | Scheme::Zbs => return diagram(base5::decode(number).map_err(beyond)),
            Scheme::Cases => {
                let numbering = self.numbering.ok_or("no case file")?;
                match numbering.decode(number) {
                    Ok(deal) => Ok(deal),
                    Err(DecodeError::OutOfRange(error)) => Err(error),
                    Err(DecodeError::Damaged(error)) => return Err(error.to_string()),
                }
            }
        };
        deal.map(|deal| deal.to_string()).map_err(beyond)
    }
}

fn diagram(ending: Result<Ending, String>) -> Result<String, String> {
    ending.map(|ending| ending.to_string())
}

fn deal(line: &str) -> Result<Deal, String> {
    value_of_tag(line)
        .parse()
        .map_err(|error: NotationError| error.to_string())
}

fn ending(line: &str) -> Result<Ending, String> {
    value_of_tag(line)
        .parse()
        .map_err(|error: NotationError| error.to_string())
}

/// A deal may come as PBN's tag.
fn value_of_tag(line: &str) -> &str {
    let tag = line
        .strip_prefix("[Deal \"")
        .and_then(|rest| rest.strip_suffix("\"]"));
    tag.unwrap_or(line)
}

/// Four words, spades first.
fn words(line: &str) -> Result<[u32; 4], String> {
    let words = line.split_ascii_whitespace().map(|word| {
        let number = values::number(word)?;
        u32::try_from(number).map_err(|_| format!("{word} has more than 32 bits"))
    });
    let words: Vec<u32> = words.collect::<Result<_, _>>()?;
    let count = words.len();
    words
        .try_into()
        .map_err(|_| format!("{count} words instead of 4: spades, hearts, diamonds, clubs"))
}
