//! Parsers of option values as people type them: counts, times, seats, rows, and names from a list.

use std::ffi::OsStr;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use clap::builder::{EnumValueParser, PossibleValue, PossibleValuesParser, Str, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum};
use fairdeal::bridge::{Hand, Seat, Side, Vulnerable};
use fairdeal::count::count_between;
use fairdeal::language::Contract;
use fairdeal::population::seats_of;
use fairdeal::utc::day_number;

/// Width of a printed list, in columns.
const WIDTH: usize = 80;

/// Parses a count such as `10485760`, `10_485_760`, `1.5M`, `64Mi`, `1e6` or 0.
pub(super) fn count_or_none(text: &str) -> Result<u64, String> {
    count_between(text, 0..=u64::MAX).map_err(|error| error.to_string())
}

/// Parses a count of at least 1.
pub(super) fn count(text: &str) -> Result<u64, String> {
    count_between(text, 1..=u64::MAX).map_err(|error| error.to_string())
}

/// Parses a duration such as `500ms`, `90s`, `1h30m` or `2d`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("not a time such as 90s, 10m, 1h30m or 2d: `{text}`");
    let (mut rest, mut longest, mut total) = (text.trim(), u64::MAX, Duration::ZERO);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, after) = rest.split_at(digits.ok_or_else(wrong)?);
        let letters = after.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, after) = after.split_at(letters.unwrap_or(after.len()));
        let milliseconds: u64 = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err(wrong()),
        };
        // Long units stand before short ones.
        if milliseconds >= longest {
            return Err(wrong());
        }
        let count: f64 = number.parse().map_err(|_| wrong())?;
        let part = Duration::try_from_secs_f64(count * milliseconds as f64 / 1e3);
        let sum = total.checked_add(part.map_err(|_| wrong())?);
        (rest, longest) = (after.trim_start(), milliseconds);
        total = sum.ok_or_else(wrong)?;
    }
    match longest {
        u64::MAX => Err(wrong()),
        _ => Ok(total),
    }
}

/// Parses a UTC date such as `2026-11-22` into seconds since 1970, including the days before and
/// after it.
pub(super) fn days(text: &str) -> Result<Range<i64>, String> {
    let day = day_number(text);
    let day = day.ok_or_else(|| format!("not a date such as 2026-11-22: `{text}`"))?;
    Ok((day - 1) * 86_400..(day + 2) * 86_400)
}

/// Parses a date such as `2026.11.22`, `2026-11-22` or, as in PBN, `2026.??.??`, into the form of
/// PBN.
pub(super) fn date(text: &str) -> Result<String, String> {
    let wrong = || format!("not a date such as 2026.11.22 or 2026.??.??: `{text}`");
    let fields: Vec<&str> = text.split(['.', '-']).collect();
    let is_field = |field: &&str, digits: usize| {
        let is_known = field.bytes().all(|byte| byte.is_ascii_digit());
        field.len() == digits && (is_known || field.bytes().all(|byte| byte == b'?'))
    };
    let lengths = fields.iter().zip([4, 2, 2]);
    if fields.len() != 3
        || !lengths
            .into_iter()
            .all(|(field, digits)| is_field(field, digits))
    {
        return Err(wrong());
    }
    if !text.contains('?') {
        day_number(&fields.join("-")).ok_or_else(wrong)?;
    }
    Ok(fields.join("."))
}

/// Parses a seat's name or letter, in either case.
pub(super) fn seat(text: &str) -> Result<Seat, String> {
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.as_str().is_empty());
    let letter = letter.and_then(|letter| Seat::from_letter(letter.to_ascii_uppercase()));
    let seat = Seat::from_name(&text.to_ascii_lowercase()).or(letter);
    seat.ok_or_else(|| format!("not a seat (north, east, south or west): `{text}`"))
}

/// Parses a side: `ns` or `ew`.
pub(super) fn side(text: &str) -> Result<Side, String> {
    match &*text.to_ascii_lowercase() {
        "ns" | "n-s" => Ok(Side::NorthSouth),
        "ew" | "e-w" => Ok(Side::EastWest),
        _ => Err(format!("not a side (ns or ew): `{text}`")),
    }
}

/// Parses a contract as players write it, such as `4S`, `3NT` or `5Dx`.
pub(super) fn contract(text: &str) -> Result<Contract, String> {
    let contract = Contract::from_name(text);
    contract.ok_or_else(|| format!("not a contract such as 4S, 3NT or 5Dx: `{text}`"))
}

/// Parses the hand of a seat: `west=AKQ.432.T98.7654`.
pub(super) fn hand(text: &str) -> Result<(Seat, Hand), String> {
    let wrong = || format!("not a hand such as west=AKQ.432.T98.7654: `{text}`");
    let (name, cards) = text.split_once('=').ok_or_else(wrong)?;
    let seat = seat(name)?;
    let hand = Hand::parse(seat, &cards.to_ascii_uppercase());
    let hand = hand.map_err(|error| error.to_string())?;
    match hand.len() {
        13 => Ok((seat, hand)),
        cards => Err(format!("{cards} cards instead of 13: `{text}`")),
    }
}

/// Parses a positive number, or a percentage: `0.99` or `99%`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let (digits, unit) = match text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let number = digits.parse::<f64>().ok().map(|number| number / unit);
    let number = number.filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("not a positive number such as 0.05 or 5%: `{text}`"))
}

/// Parses a confidence between 0 and 1: `99%` or `0.99`.
pub(super) fn confidence(text: &str) -> Result<f64, String> {
    let confidence = share(text).ok().filter(|confidence| *confidence < 1.0);
    confidence.ok_or_else(|| format!("not a confidence such as 99% or 0.99: `{text}`"))
}

/// Parses a vulnerability in the spellings that people use.
pub(super) fn vulnerable(text: &str) -> Result<Vulnerable, String> {
    Ok(match &*text.to_ascii_lowercase() {
        "none" | "-" => Vulnerable::None,
        "ns" | "n-s" => Vulnerable::NorthSouth,
        "ew" | "e-w" => Vulnerable::EastWest,
        "all" | "both" => Vulnerable::All,
        _ => {
            return Err(format!(
                "not a vulnerability (none, ns, ew or all): `{text}`"
            ));
        }
    })
}

/// Parses a name of one line.
pub(super) fn line(text: &str) -> Result<String, String> {
    match text.chars().any(char::is_control) {
        true => Err("must be one line of text".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Parses two different seats separated by a comma: `north,south`.
pub(super) fn pair(text: &str) -> Result<[Seat; 2], String> {
    let pair = text.split_once(',');
    let pair = pair.and_then(|(one, other)| Some([seat(one).ok()?, seat(other).ok()?]));
    let pair = pair.filter(|[one, other]| one != other);
    pair.ok_or_else(|| format!("not two different seats, such as north,south: `{text}`"))
}

/// Parses one or two seats separated by a comma: `east,west`.
pub(super) fn order(text: &str) -> Result<Vec<Seat>, String> {
    seats_of(text).ok_or_else(|| format!("not one or two seats, such as east,west: `{text}`"))
}

/// Parses rows as `A..B`, counted from 1 with both ends included; either end may be omitted.
pub(super) fn rows(text: &str) -> Result<RangeInclusive<u64>, String> {
    let wrong = || format!("not rows such as 1..30, 31.. or ..30: `{text}`");
    let (first, last) = text.split_once("..").ok_or_else(wrong)?;
    let bound = |text: &str, default| match text {
        "" => Ok(default),
        digits => count(digits).map_err(|_| wrong()),
    };
    let (first, last) = (bound(first, 1)?, bound(last, u64::MAX)?);
    if last < first {
        return Err(wrong());
    }
    Ok(first..=last)
}

/// Lets the numeric options of a command and of those within it take negative numbers, which their
/// parsers refuse with the option's name.
pub(super) fn with_negative_numbers(command: Command) -> Command {
    let is_number = |name: &Str| ["N", "K", "R", "S", "SETS", "RUNS"].contains(&name.as_str());
    let command = command.mut_args(|option| match option.get_value_names() {
        Some([name]) if is_number(name) => option.allow_negative_numbers(true),
        _ => option,
    });
    command.mut_subcommands(with_negative_numbers)
}

/// A parser of names from a list that `help` prints.
#[derive(Clone, Debug)]
pub(super) struct NameParser<P>(P);

impl<P> NameParser<P> {
    /// Adds `help` to a parser.
    pub(super) fn new(parser: P) -> Self {
        Self(parser)
    }
}

impl<P: TypedValueParser> TypedValueParser for NameParser<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        if value != "help" {
            return self.0.parse_ref(command, argument, value);
        }
        let mut help = clap::Error::new(ErrorKind::DisplayHelp).with_cmd(command);
        let all: Vec<PossibleValue> = self.0.possible_values().into_iter().flatten().collect();
        let list = ContextValue::String(list(&all));
        help.insert(ContextKind::Custom, list);
        Err(help)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// Returns the list that `help` requested, if that is why parsing failed.
pub(super) fn asked_list(error: &clap::Error) -> Option<&str> {
    match (error.kind(), error.get(ContextKind::Custom)) {
        (ErrorKind::DisplayHelp, Some(ContextValue::String(list))) => Some(list),
        _ => None,
    }
}

/// A parser of the values of an enumeration, with `help`.
pub(super) fn choice<T: ValueEnum + Clone + Send + Sync + 'static>()
-> NameParser<EnumValueParser<T>> {
    NameParser(EnumValueParser::new())
}

/// A parser of values with their names and descriptions, with `help`.
pub(super) fn described<T: Clone + Send + Sync + 'static>(
    all: impl IntoIterator<Item = (T, &'static str, &'static str)>,
) -> NameParser<impl TypedValueParser<Value = T>> {
    let described = |(value, name, help)| (value, PossibleValue::new(name).help(help));
    named(all.into_iter().map(described))
}

/// A parser of named values, with `help`.
pub(super) fn named<T: Clone + Send + Sync + 'static>(
    all: impl Iterator<Item = (T, PossibleValue)>,
) -> NameParser<impl TypedValueParser<Value = T>> {
    let all: Vec<(T, PossibleValue)> = all.collect();
    let values = PossibleValuesParser::new(all.iter().map(|(_, value)| value.clone()));
    let parser = values.map(move |name| {
        let named = all.iter().find(|(_, value)| value.matches(&name, false));
        let (value, _) = named.expect("no other values are possible");
        value.clone()
    });
    NameParser(parser)
}

/// Formats names and their descriptions, one or more lines each.
fn list(values: &[PossibleValue]) -> String {
    let names = values.iter().map(|value| value.get_name().len());
    let indent = names.max().unwrap_or(0) + 2;
    let spaces = " ".repeat(indent);
    let mut text = String::new();
    for value in values {
        let help = value
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let line = format!("{:indent$}{help}", value.get_name());
        let options = textwrap::Options::new(WIDTH)
            .subsequent_indent(&spaces)
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .word_separator(textwrap::WordSeparator::AsciiSpace);
        text += &format!("{}\n", textwrap::fill(line.trim_end(), options));
    }
    text
}

/// A command as it was given, and its words.
#[derive(Clone, Debug)]
pub(super) struct CommandWords {
    pub(super) text: String,
    pub(super) words: Vec<String>,
}

/// Parses a command: words separated by spaces, grouped by quotes.
pub(super) fn command_words(text: &str) -> Result<CommandWords, String> {
    let words = shell_words::split(text).map_err(|error| error.to_string())?;
    match words.is_empty() {
        true => Err("must name a program".to_owned()),
        false => Ok(CommandWords {
            text: text.trim().to_owned(),
            words,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_take_fractions_exponents_and_suffixes_in_either_case() {
        for (text, wanted) in [
            ("10_485_760", 10_485_760),
            ("10,485,760", 10_485_760),
            ("100M", 100_000_000),
            ("1m", 1_000_000),
            ("1M", 1_000_000),
            ("1.5M", 1_500_000),
            ("1.5m", 1_500_000),
            ("0.001k", 1),
            ("1e6", 1_000_000),
            ("1E6", 1_000_000),
            ("1.048576e6", 1_048_576),
            ("25e-1k", 2_500),
            ("1e+3", 1_000),
            ("2G", 2_000_000_000),
            ("2g", 2_000_000_000),
            ("64Mi", 67_108_864),
            ("64mi", 67_108_864),
            ("1.5Ki", 1_536),
            ("18446744073709551615", u64::MAX),
            ("1844674407370955161.5e1", u64::MAX),
            ("18446744073.709551615G", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn any_number_of_minus_signs_is_no_number() {
        let text = "-".repeat(1_000_000);
        assert_eq!(count(&text), Err(format!("not a number: `{text}`")));
        assert_eq!(count("-5"), Err("must be at least 1".to_owned()));
        assert_eq!(count_or_none("-5"), Err("must be at least 0".to_owned()));
        assert_eq!(count("--5"), Err("not a number: `--5`".to_owned()));
    }

    #[test]
    fn counts_that_are_none_say_why() {
        for text in [
            "",
            "M",
            "abc",
            "1,5M",
            "10Q",
            "1.",
            ".5",
            "1.5.2",
            "e6",
            "1e",
            "1e6e6",
            "i",
            "1i",
            "+5",
            "1.5_0M",
            "1 000",
            "--5",
            "0x10",
            "1e99999999999",
        ] {
            assert_eq!(
                count(text),
                Err(format!("not a number: `{text}`")),
                "{text}"
            );
        }
        for text in ["1.5", "1e-1", "0.5", "1.0005k", "1e-40", "1e-2147483647"] {
            let wanted = Err(format!("`{text}` is not a whole number"));
            assert_eq!(count(text), wanted, "{text}");
        }
        for text in [
            "0",
            "-5",
            "-3",
            "0e9",
            "-1.5M",
            "0.0",
            "0e-99",
            "0e2147483647",
        ] {
            assert_eq!(count(text), Err("must be at least 1".to_owned()), "{text}");
        }
        for text in [
            "20000000T",
            "18446744073709551616",
            "1e20",
            "1e40",
            "1e2147483647",
        ] {
            let wanted = Err(format!("`{text}` does not fit in 64 bits"));
            assert_eq!(count(text), wanted, "{text}");
        }
        assert_eq!(count_or_none("0"), Ok(0));
    }

    #[test]
    fn rows_include_both_ends() {
        assert_eq!(rows("1..30"), Ok(1..=30));
        assert_eq!(rows("1..1K"), Ok(1..=1000));
        assert_eq!(rows("..5"), Ok(1..=5));
        assert_eq!(rows("7.."), Ok(7..=u64::MAX));
        for wrong in ["0..3", "5..4", "5", "a..b"] {
            assert!(rows(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pairs_are_two_different_seats() {
        let expected = Ok([Seat::North, Seat::South]);
        assert_eq!(pair("north,south"), expected);
        assert_eq!(pair("n,S"), expected);
        assert!(pair("north,north").is_err());
        assert!(pair("north").is_err());
        assert!(pair("north,south,east").is_err());
    }

    #[test]
    fn seats_and_vulnerabilities_have_names_and_letters() {
        for text in ["east", "East", "E", "e"] {
            assert_eq!(seat(text), Ok(Seat::East));
        }
        let wrong = "not a seat (north, east, south or west): `x`".to_owned();
        assert_eq!(seat("x"), Err(wrong));
        for (text, wanted) in [
            ("none", Vulnerable::None),
            ("NS", Vulnerable::NorthSouth),
            ("e-w", Vulnerable::EastWest),
            ("both", Vulnerable::All),
            ("All", Vulnerable::All),
        ] {
            assert_eq!(vulnerable(text), Ok(wanted));
        }
        let wrong = "not a vulnerability (none, ns, ew or all): `us`".to_owned();
        assert_eq!(vulnerable("us"), Err(wrong));
    }

    #[test]
    fn times_and_days_have_their_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7_200)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(duration("2d"), Ok(Duration::from_secs(172_800)));
        assert!(duration("-5s").is_err() && duration("1mo").is_err());
        assert!(duration("90").is_err());
        assert!(duration("m").is_err());
        assert_eq!(days("1970-01-02"), Ok(0..3 * 86_400));
        assert!(days("yesterday").is_err());
    }

    #[test]
    fn orders_are_one_or_two_seats() {
        assert_eq!(order("east,west"), Ok(vec![Seat::East, Seat::West]));
        assert_eq!(order("south"), Ok(vec![Seat::South]));
        assert!(order("east,west,north").is_err());
        assert!(order("E,W").is_err());
    }

    #[test]
    fn lists_are_folded_at_80_columns() {
        let long = "word ".repeat(20);
        let values = [
            PossibleValue::new("a").help("one"),
            PossibleValue::new("longer").help(long),
            PossibleValue::new("bare"),
        ];
        let text = list(&values);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a       one");
        assert!(lines[1].starts_with("longer  word word"));
        assert!(lines[2].starts_with("        word"));
        assert_eq!(lines[3], "bare");
        assert!(lines.iter().all(|line| line.len() <= WIDTH));
    }
}
