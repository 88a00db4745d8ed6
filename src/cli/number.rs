//! `fairdeal number`

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use serde::Serialize;

use fairdeal::language::Condition;
use fairdeal::number::{LineCodec, LineError, Scheme};
use fairdeal::population::cases::{self, CaseBytes, CaseFile};
use fairdeal::population::cells::Cells;

use super::failure;
use super::input::{InputOptions, LanguageOptions, LintOptions};
use super::values::{self, NameParser};
use super::{cache, json, log, output};
use fairdeal::Error;
use fairdeal::printable::display_path;
use fairdeal::tasks::ConditionInput;

/// Longest line accepted, in bytes; a longer line cannot be a deal or a number.
const LONGEST_LINE: u64 = 4096;

/// Number of hands of a deal, and of words of a zbs number.
const PARTS: usize = 4;

/// Convert deals and endings to numbers and back
///
/// Reads arguments, then files, or standard input if there are neither. A line that cannot be
/// converted is an error on standard error and an empty line of the output, so that line n of the
/// output always belongs to line n of the input.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fairdeal number decode --scheme pavlicek 0 0xAD55E315634DDA658BF491FF
  fairdeal number encode --scheme andrews --one-based -f deals.txt
  fairdeal number encode --scheme ending-any 'N:AK.2.. - 3..QJ. -'
  fairdeal cases build nine-spades -o nine.cases
  fairdeal number decode --scheme cases --cases nine.cases 0 1 2
  fairdeal number decode --scheme cells --where 'hcp(north) + hcp(south) >= 37' 0 1 2
  fairdeal number encode --scheme cells --input flat-three-suiter -f deals.txt")]
pub(super) struct NumberArguments {
    #[command(subcommand)]
    direction: NumberDirection,
}

#[derive(Debug, Subcommand)]
enum NumberDirection {
    /// Convert deals or endings (PBN deal strings) to numbers
    Encode {
        #[command(flatten)]
        options: Options,

        /// Print numbers in hexadecimal
        #[arg(long)]
        hex: bool,

        /// Deals such as 'N:AKQ.. ...' [default: lines of standard input]
        ///
        /// PBN tags such as [Deal "N:AKQ.. ..."] are read too.
        #[arg(value_name = "DEAL")]
        deals: Vec<String>,
    },
    /// Convert numbers (decimal, or hex after 0x) to deals or endings
    Decode {
        #[command(flatten)]
        options: Options,

        /// Numbers [default: lines of standard input]
        ///
        /// A number of the scheme zbs is four words.
        #[arg(value_name = "NUMBER", allow_negative_numbers = true)]
        numbers: Vec<String>,
    },
}

#[derive(Args, Debug)]
struct Options {
    /// Numbering scheme; `--scheme help` lists them
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = schemes())]
    scheme: SchemeChoice,

    /// Case file for --scheme cases
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,

    /// Condition for --scheme cells: scenario, file, or - for standard input
    #[arg(long, value_name = "INPUT", conflicts_with = "condition")]
    input: Option<String>,

    /// Condition for --scheme cells, in dealer's language
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,

    #[command(flatten)]
    language: LanguageOptions,

    #[command(flatten)]
    lints: LintOptions,

    /// Count from 1 instead of 0
    #[arg(long)]
    one_based: bool,

    /// Convert the lines of this file (- for standard input); repeatable
    #[arg(short, long, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// Print a JSON object per line: the input, and its number or deal
    #[arg(long)]
    json: bool,
}

/// Value of `--scheme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SchemeChoice {
    Scheme(Scheme),
    Cases,
    Cells,
}

/// Schemes that number the deals of a given input, with their names and descriptions.
const OF_INPUTS: [(SchemeChoice, &str, &str); 2] = [
    (SchemeChoice::Cases, "cases", "The deals of a case file"),
    (
        SchemeChoice::Cells,
        "cells",
        "The deals of a condition, of up to four hands, without a listing",
    ),
];

/// Parser of all schemes: the library's, and those of [`OF_INPUTS`].
fn schemes() -> NameParser<impl TypedValueParser<Value = SchemeChoice>> {
    let all = Scheme::all().map(|scheme| {
        let choice = SchemeChoice::Scheme(scheme);
        (choice, scheme.name(), scheme.description())
    });
    values::described(all.chain(OF_INPUTS))
}

pub(super) fn execute(arguments: &NumberArguments) -> Result<(), Error> {
    let (options, items) = match &arguments.direction {
        NumberDirection::Encode { options, deals, .. } => (options, deals),
        NumberDirection::Decode { options, numbers } => (options, numbers),
    };
    let hex = matches!(
        arguments.direction,
        NumberDirection::Encode { hex: true, .. }
    );
    options.check(hex, items)?;
    let (file, cells);
    let mut codec = match options.scheme {
        SchemeChoice::Scheme(scheme) => LineCodec::of_scheme(scheme),
        SchemeChoice::Cases => {
            file = options.case_file()?;
            LineCodec::of_cases(&file)
        }
        SchemeChoice::Cells => {
            cells = options.cells()?;
            LineCodec::of_cells(&cells)
        }
    };
    if options.one_based {
        codec = codec.one_based();
    }
    if hex {
        codec = codec.in_hex();
    }
    match arguments.direction {
        NumberDirection::Encode { .. } => {
            // Joins the hands of a deal that was typed without quotes.
            let items = joined(items, |word| !word.contains(':'));
            options.translate(&items, "number", |line| codec.encode(line))
        }
        NumberDirection::Decode { .. } => {
            let is_of_words = options.scheme == SchemeChoice::Scheme(Scheme::Zbs);
            let items = joined(items, |_| is_of_words);
            options.translate(&items, "deal", |line| codec.decode(line))
        }
    }
}

/// One argument, or several that form a line; `place` is that of the first, from 1.
struct NumberLine {
    place: usize,
    line: String,
}

/// Joins words into lines of up to four words, while `continues` accepts the next.
fn joined(words: &[String], continues: impl Fn(&str) -> bool) -> Vec<NumberLine> {
    let mut items: Vec<NumberLine> = Vec::new();
    for (place, word) in (1..).zip(words) {
        let is_one_word = !word.contains(char::is_whitespace) && !word.is_empty();
        match items.last_mut() {
            Some(item)
                if is_one_word
                    && continues(word)
                    && item.line.split_whitespace().count() < PARTS =>
            {
                item.line.push(' ');
                item.line.push_str(word);
            }
            _ => items.push(NumberLine {
                place,
                line: word.clone(),
            }),
        }
    }
    items
}

impl Options {
    /// Checks that the options are compatible.
    fn check(&self, hex: bool, items: &[String]) -> Result<(), Error> {
        let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
        let reads_lines = match self.file[..] {
            [] => items.is_empty(),
            _ => self.file.iter().any(is_stdin),
        };
        let names_condition = self.input.is_some() || self.condition.is_some();
        let wrong = match self.scheme {
            SchemeChoice::Scheme(Scheme::Zbs) if self.one_based => {
                "zbs does not support --one-based: its numbers are four words"
            }
            SchemeChoice::Scheme(Scheme::Zbs) if hex => {
                "zbs does not support --hex: its words are always hexadecimal"
            }
            scheme if scheme != SchemeChoice::Cases && self.cases.is_some() => {
                "--cases FILE is only for --scheme cases: other schemes number all deals"
            }
            scheme if scheme != SchemeChoice::Cells && names_condition => {
                "--where and --input are only for --scheme cells: other schemes have no condition"
            }
            SchemeChoice::Cells if !names_condition => {
                "--scheme cells needs a condition: use --where 'CONDITION', or --input with a \
                 scenario or file"
            }
            SchemeChoice::Cells if self.input.as_deref() == Some("-") && reads_lines => {
                "standard input is the condition: name the deals or numbers as arguments, or use \
                 -f FILE"
            }
            _ => return Ok(()),
        };
        Err(Error::usage(wrong))
    }

    /// Opens and checks the case file whose deals are numbered.
    fn case_file(&self) -> Result<CaseFile<CaseBytes>, Error> {
        let Some(path) = &self.cases else {
            return Err(Error::usage(
                "--scheme cases needs a case file: use --cases FILE",
            ));
        };
        Ok(cache::listings()?.open(path)?.file)
    }

    /// Makes the cells of the condition whose deals are numbered.
    fn cells(&self) -> Result<Cells, Error> {
        let input = InputOptions::of(self.condition.as_ref(), self.input.as_ref());
        let input = input.with_language(self.language.clone());
        let (name, source) = input.with_lints(self.lints).resolve()?;
        let condition = match source {
            ConditionInput::Script(script) => script.condition,
            ConditionInput::CaseFile(path) => {
                let file = cases::open(&path)?;
                Condition::parse(&path.display().to_string(), &file.header().condition)?
            }
        };
        let made = output::during("cells", false, || {
            let cells = Cells::new(&condition)?;
            cells.can_be_drawn().map(|()| cells)
        });
        made.map_err(|error| Error::input(format!("{name} has no cells: {error}")))
    }

    /// Converts the arguments to `what`, then the files, or standard input if there are neither.
    fn translate(
        &self,
        items: &[NumberLine],
        what: &'static str,
        translate: impl Fn(&str) -> Result<String, LineError>,
    ) -> Result<(), Error> {
        let mut lines = LineConverter {
            out: BufWriter::new(io::stdout().lock()),
            translate,
            json: self.json.then_some(what),
            lines: 0,
            bad: 0,
            unread: Vec::new(),
        };
        for NumberLine { place, line } in items {
            lines.line(Ok(line.as_bytes()), || {
                let is_file = Path::new(line).is_file();
                let hint = is_file.then_some("; to read the file of this name, use -f");
                (format!("argument {place}"), hint.unwrap_or_default())
            })?;
        }
        for path in &self.file {
            lines.file(path)?;
        }
        if items.is_empty() && self.file.is_empty() {
            lines.file(Path::new("-"))?;
        }
        lines.finish()
    }
}

/// Error: a line is longer than any deal or number.
struct TooLong;

/// Converts lines and writes the results.
struct LineConverter<W: Write, T> {
    out: W,
    translate: T,
    /// Name of the output field, if lines are written as JSON.
    json: Option<&'static str>,
    lines: u64,
    bad: u64,
    /// Files that could not be read completely.
    unread: Vec<Error>,
}

impl<W: Write, T: Fn(&str) -> Result<String, LineError>> LineConverter<W, T> {
    /// Converts the lines of a file, or of standard input for the path `-`.
    ///
    /// Errors of reading are reported at the end; later files are still read.
    fn file(&mut self, path: &Path) -> Result<(), Error> {
        if path.as_os_str() == "-" {
            return self.read(io::stdin().lock(), "standard input", "line ");
        }
        let name = display_path(path);
        match File::open(path) {
            Ok(file) => self.read(file, &name, &format!("{name}:")),
            Err(error) => {
                self.unread.push(match error.kind() {
                    io::ErrorKind::NotFound => Error::input(format!("no file {name}")),
                    _ => Error::of(name, error),
                });
                Ok(())
            }
        }
    }

    /// Converts the lines of a source; errors name them by `place` and their number.
    fn read(&mut self, source: impl Read, name: &str, place: &str) -> Result<(), Error> {
        let mut source = BufReader::with_capacity(1 << 16, source);
        let mut line = Vec::new();
        for number in 1u64.. {
            if !source.buffer().contains(&b'\n') {
                // Flushes before waiting for input, so that interactive callers get each answer.
                self.out.flush()?;
            }
            match next_line(&mut source, &mut line) {
                Ok(None) => break,
                Ok(Some(read)) => {
                    let text = read.map(|()| match line.strip_prefix("\u{feff}".as_bytes()) {
                        Some(text) if number == 1 => text,
                        _ => &line,
                    });
                    self.line(text, || (format!("{place}{number}"), ""))?;
                }
                Err(error) => {
                    self.unread.push(Error::of(name, error));
                    break;
                }
            }
        }
        Ok(())
    }

    /// Converts a line; `place` returns its position and a hint for errors.
    fn line(
        &mut self,
        line: Result<&[u8], TooLong>,
        place: impl Fn() -> (String, &'static str),
    ) -> io::Result<()> {
        self.lines += 1;
        let (input, translated) = match line.map(std::str::from_utf8) {
            Ok(Ok(line)) => match line.trim() {
                "" => ("", Ok(String::new())),
                line => (line, (self.translate)(line).map_err(|error| reason(&error))),
            },
            Ok(Err(_)) => ("", Err("not UTF-8 text".to_owned())),
            Err(TooLong) => ("", Err(format!("longer than {LONGEST_LINE} bytes"))),
        };
        match self.json {
            Some(what) => json::line(&mut self.out, &Translated::new(what, input, &translated))?,
            None => writeln!(self.out, "{}", translated.as_deref().unwrap_or_default())?,
        }
        match translated {
            Ok(_) => Ok(()),
            Err(reason) => {
                self.bad += 1;
                let (place, hint) = place();
                log::error(format!("{place}: {reason}{hint}"));
                Ok(())
            }
        }
    }

    fn finish(mut self) -> Result<(), Error> {
        self.out.flush()?;
        let unread = self.unread.pop();
        for failure in self.unread {
            failure::report(&failure);
        }
        if self.bad == 0 {
            return unread.map_or(Ok(()), Err);
        }
        if let Some(failure) = unread {
            failure::report(&failure);
        }
        Err(Error::input(format!(
            "{} of {} lines could not be converted: they are empty in the output",
            self.bad, self.lines
        )))
    }
}

/// Why a line could not be converted.
fn reason(error: &LineError) -> String {
    match error {
        LineError::BeforeFirst => format!("{error} with --one-based"),
        _ => error.to_string(),
    }
}

/// A line and its conversion, as JSON.
#[derive(Serialize)]
struct Translated<'l> {
    /// Without surrounding spaces; `None` for an empty line or one that is not text.
    input: Option<&'l str>,
    /// `number` or `deal`.
    #[serde(flatten)]
    output: BTreeMap<&'static str, Option<&'l str>>,
    /// Why it could not be converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'l str>,
}

impl<'l> Translated<'l> {
    fn new(what: &'static str, input: &'l str, translated: &'l Result<String, String>) -> Self {
        let some = |text: &'l str| (!text.is_empty()).then_some(text);
        let output = translated.as_deref().ok().and_then(some);
        Self {
            input: some(input),
            output: BTreeMap::from([(what, output)]),
            error: translated.as_ref().err().map(String::as_str),
        }
    }
}

/// Reads the next line without its end, or [`TooLong`]; `None` at the end of the source.
fn next_line(
    source: &mut impl BufRead,
    line: &mut Vec<u8>,
) -> io::Result<Option<Result<(), TooLong>>> {
    line.clear();
    // A line end may take two bytes.
    let mut limited = source.by_ref().take(LONGEST_LINE + 2);
    if limited.read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") {
        line.pop();
    } else if line.len() as u64 > LONGEST_LINE {
        source.skip_until(b'\n')?;
    }
    let end = line.strip_suffix(b"\r").unwrap_or(line).len();
    line.truncate(end);
    let is_too_long = line.len() as u64 > LONGEST_LINE;
    Ok(Some(if is_too_long { Err(TooLong) } else { Ok(()) }))
}
