//! Suit lengths in the notation of François Dellacherie: `shape{north, 5+M(xxx) - 6xxx:h>d}`.
//!
//! A shape lists lengths: `5`, `5+` (at least), `5-` (at most), `[13-5]` (1, 3, 4 or 5) or `x` (any
//! length). Without letters they are those of spades, hearts, diamonds and clubs. Letters name the
//! suit of the length before them: `s`, `h`, `d`, `c`, `M` for a major or `m` for a minor; the
//! lengths without a letter follow, for the other suits in this order. Lengths in brackets, at the
//! end, are in any order. After a colon come conditions on the lengths, by the same letters, joined
//! by a comma (and) or `or`. Shapes are joined by ` + ` and ` - `, of which the last that fits a pattern
//! decides.

use super::Span;
use super::measure::PatternSet;
use super::operators::BinaryOperator;
use crate::bridge::{PatternIndex, Suit};

/// Maximum nesting depth of brackets in a condition on lengths.
const MAX_NESTING: usize = 32;

/// Why a text is not a list of shapes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DistributionError {
    /// Place in the text, in bytes.
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) expected: &'static str,
}

/// A list of shapes.
#[derive(Debug)]
pub(super) struct ShapeList {
    terms: Vec<DistributionTerm>,
}

/// A shape that is added or taken away.
#[derive(Debug)]
struct DistributionTerm {
    add: bool,
    patterns: Vec<PatternIndex>,
}

/// A set of suit lengths, a bit for each.
type LengthSet = u16;

const ANY_LENGTH: LengthSet = (1 << 14) - 1;

/// The suit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SuitLetter {
    Suit(Suit),
    Major,
    Minor,
}

/// The major that `M` names and the minor that `m` names.
type Choice = [Suit; 2];

/// The lengths of a shape.
#[derive(Debug, Default)]
struct LengthList {
    /// Lengths with their suits, which come first.
    named: Vec<(LengthSet, SuitLetter)>,
    /// Lengths of the other suits, in their order.
    ordered: Vec<LengthSet>,
    /// Lengths of the remaining suits, in any order.
    permuted: Vec<LengthSet>,
}

/// A condition on the lengths of the four suits.
#[derive(Debug)]
enum LengthCondition {
    Number(i32),
    Length(SuitLetter),
    Pair(BinaryOperator, Box<[LengthCondition; 2]>),
}

impl ShapeList {
    /// Parses the shapes after the seat and its comma.
    ///
    /// # Errors
    ///
    /// If the text is in another notation, or if no pattern has one of the shapes.
    pub(super) fn parse(text: &str) -> Result<Self, DistributionError> {
        let mut terms = Vec::new();
        for (add, span) in signed_terms(text) {
            let patterns = patterns_of(text, span.clone())?;
            if patterns.is_empty() {
                return Err(DistributionError {
                    message: format!("no hand has the shape `{}`", text[span.clone()].trim()),
                    span,
                    expected: "expected lengths with a sum of 13",
                });
            }
            terms.push(DistributionTerm { add, patterns });
        }
        Ok(Self { terms })
    }

    /// The patterns of the shapes.
    pub(super) fn patterns(&self) -> Box<PatternSet> {
        let mut set = PatternSet::empty();
        for term in &self.terms {
            for index in &term.patterns {
                set.set(*index, term.add);
            }
        }
        set
    }
}

/// The terms of a list, each with its sign: signs between shapes are surrounded by spaces.
fn signed_terms(text: &str) -> Vec<(bool, Span)> {
    let bytes = text.as_bytes();
    let is_space = |place: usize| bytes.get(place).is_none_or(u8::is_ascii_whitespace);
    let is_sign = |place: &usize| {
        let before = place.checked_sub(1).is_none_or(is_space);
        matches!(bytes[*place], b'+' | b'-') && before && is_space(place + 1)
    };
    let signs: Vec<usize> = (0..bytes.len()).filter(is_sign).collect();
    let ends = signs.iter().copied().chain([bytes.len()]);
    let starts = [None].into_iter().chain(signs.iter().copied().map(Some));
    let terms = starts.zip(ends).map(|(sign, end)| match sign {
        None => (true, 0..end),
        Some(sign) => (bytes[sign] == b'+', sign + 1..end),
    });
    // A sign may also come before the first shape.
    let is_leading = !signs.is_empty() && text[..signs[0]].trim().is_empty();
    terms.skip(usize::from(is_leading)).collect()
}

/// The patterns of one shape and its condition.
fn patterns_of(text: &str, span: Span) -> Result<Vec<PatternIndex>, DistributionError> {
    let colon = text[span.clone()].find(':').map(|colon| span.start + colon);
    let lengths = span.start..colon.unwrap_or(span.end);
    let shape = LengthList::parse(&mut Reader::new(text, lengths))?;
    let condition = colon.map(|colon| {
        let mut reader = Reader::new(text, colon + 1..span.end);
        let condition = reader.condition(1, 0)?;
        reader.end("expected an operator, a comma or `or`")?;
        Ok(condition)
    });
    let condition = condition.transpose()?;
    let majors = [Suit::Spades, Suit::Hearts].into_iter();
    let choices = majors.flat_map(|major| [[major, Suit::Diamonds], [major, Suit::Clubs]]);
    let ways: Vec<(Choice, Vec<[LengthSet; 4]>)> = choices
        .map(|choice| (choice, shape.orders(choice)))
        .collect();
    let holds = |index: &PatternIndex| {
        let lengths = index.pattern().lengths();
        let fits = |order: &[LengthSet; 4]| {
            let mut pairs = order.iter().zip(&lengths);
            pairs.all(|(wanted, length)| wanted >> length & 1 == 1)
        };
        ways.iter().any(|(choice, orders)| {
            let condition = condition.as_ref();
            orders.iter().any(fits) && condition.is_none_or(|it| it.value(&lengths, *choice) != 0)
        })
    };
    Ok(PatternIndex::all().filter(holds).collect())
}

impl LengthList {
    fn parse(reader: &mut Reader<'_>) -> Result<Self, DistributionError> {
        let mut list = Self::default();
        let start = reader.place;
        while let Some(next) = reader.peek() {
            if next == b'(' {
                reader.place += 1;
                while reader.peek() != Some(b')') {
                    list.permuted.push(reader.lengths()?);
                }
                reader.place += 1;
                reader.end("expected the end of the shape after a group in brackets")?;
                break;
            }
            let lengths = reader.lengths()?;
            match reader.suit_letter() {
                Some((letter, span)) => list.name(lengths, letter, span)?,
                None => list.ordered.push(lengths),
            }
        }
        let suits = list.named.len() + list.ordered.len() + list.permuted.len();
        match suits {
            4 => Ok(list),
            _ => Err(reader.error(
                start..reader.end,
                format!("{suits} suit lengths instead of 4"),
                "expected a length for each suit, such as `5+xxx`",
            )),
        }
    }

    /// Adds a length with its suit.
    fn name(
        &mut self,
        lengths: LengthSet,
        letter: SuitLetter,
        span: Span,
    ) -> Result<(), DistributionError> {
        let error = |message: &str, expected| {
            Err(DistributionError {
                span,
                message: message.to_owned(),
                expected,
            })
        };
        if !self.ordered.is_empty() {
            return error(
                "a suit letter after a length without one",
                "lengths with letters come first",
            );
        }
        let overlaps = |other: &(LengthSet, SuitLetter)| {
            let [one, other] = [letter, other.1].map(SuitLetter::choices);
            one.iter().any(|suit| other.contains(suit))
        };
        if self.named.iter().any(overlaps) {
            return error(
                "two lengths for one suit",
                "`M` and a major, or two `M`, cannot be combined; nor can minors with `m`",
            );
        }
        self.named.push((lengths, letter));
        Ok(())
    }

    /// The lengths of spades, hearts, diamonds and clubs, for every order of those in brackets.
    fn orders(&self, choice: Choice) -> Vec<[LengthSet; 4]> {
        let mut in_place = [0; 4];
        for (lengths, letter) in &self.named {
            in_place[letter.suit(choice).index()] = *lengths;
        }
        for lengths in &self.ordered {
            // The first suit that has no length yet.
            let free = in_place.iter_mut().find(|lengths| **lengths == 0);
            *free.expect("a shape has four lengths") = *lengths;
        }
        let permuted = self.permuted.iter();
        permuted.fold(vec![in_place], |orders, lengths| {
            extended(&orders, *lengths)
        })
    }
}

/// All ways to give the length to a suit that has none yet.
fn extended(orders: &[[LengthSet; 4]], lengths: LengthSet) -> Vec<[LengthSet; 4]> {
    let mut extended = Vec::new();
    for order in orders {
        for place in (0..4).filter(|place| order[*place] == 0) {
            let mut next = *order;
            next[place] = lengths;
            extended.push(next);
        }
    }
    extended
}

impl SuitLetter {
    /// The suit, with this choice of a major and a minor.
    fn suit(self, [major, minor]: Choice) -> Suit {
        match self {
            Self::Suit(suit) => suit,
            Self::Major => major,
            Self::Minor => minor,
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        let letter = char::from(byte.to_ascii_uppercase());
        match byte {
            b'M' => Some(Self::Major),
            b'm' => Some(Self::Minor),
            _ => {
                let suit = Suit::ALL.into_iter().find(|suit| suit.letter() == letter);
                suit.map(Self::Suit)
            }
        }
    }

    /// The suits that the letter may name.
    fn choices(self) -> &'static [Suit] {
        match self {
            Self::Suit(Suit::Spades) => &[Suit::Spades],
            Self::Suit(Suit::Hearts) => &[Suit::Hearts],
            Self::Suit(Suit::Diamonds) => &[Suit::Diamonds],
            Self::Suit(Suit::Clubs) => &[Suit::Clubs],
            Self::Major => &[Suit::Spades, Suit::Hearts],
            Self::Minor => &[Suit::Diamonds, Suit::Clubs],
        }
    }
}

impl LengthCondition {
    fn value(&self, lengths: &[u8; 4], choice: Choice) -> i64 {
        match self {
            Self::Number(number) => (*number).into(),
            Self::Length(letter) => lengths[letter.suit(choice).index()].into(),
            Self::Pair(operator, sides) => {
                let [a, b] = [&sides[0], &sides[1]].map(|side| side.value(lengths, choice));
                let is_less = (a < 0) != (b < 0 && *operator == BinaryOperator::Times);
                let beyond = if is_less { i64::MIN } else { i64::MAX };
                operator.apply(a, b).unwrap_or(beyond)
            }
        }
    }
}

/// The operators of conditions, with their precedence; longer ones first.
const OPERATORS: [(&str, BinaryOperator, u8); 12] = [
    ("or", BinaryOperator::Or, 1),
    ("and", BinaryOperator::And, 2),
    (",", BinaryOperator::And, 2),
    ("==", BinaryOperator::Equal, 3),
    ("!=", BinaryOperator::NotEqual, 3),
    ("<=", BinaryOperator::LessOrEqual, 3),
    (">=", BinaryOperator::GreaterOrEqual, 3),
    ("<", BinaryOperator::Less, 3),
    (">", BinaryOperator::Greater, 3),
    ("+", BinaryOperator::Plus, 4),
    ("-", BinaryOperator::Minus, 4),
    ("*", BinaryOperator::Times, 5),
];

/// A part of the text that is read from left to right.
struct Reader<'a> {
    text: &'a str,
    place: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, span: Span) -> Self {
        Self {
            text,
            place: span.start,
            end: span.end,
        }
    }

    fn error(
        &self,
        span: Span,
        message: impl Into<String>,
        expected: &'static str,
    ) -> DistributionError {
        DistributionError {
            span,
            message: message.into(),
            expected,
        }
    }

    /// The next byte after spaces, which are skipped.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.get(self.place..self.end)?;
        self.place += rest.len() - rest.trim_start().len();
        self.text.as_bytes()[..self.end].get(self.place).copied()
    }

    /// The error for the next character.
    fn unexpected(&mut self, expected: &'static str) -> DistributionError {
        let message = match self.peek() {
            None => "the shape ends here".to_owned(),
            Some(_) => {
                let found = self.text[self.place..].chars().next().unwrap_or(' ');
                format!("unexpected `{}` in a shape", found.escape_debug())
            }
        };
        let next = self.text[self.place..self.end].chars().next();
        let end = self.place + next.map_or(0, char::len_utf8);
        self.error(self.place..end, message, expected)
    }

    fn end(&mut self, expected: &'static str) -> Result<(), DistributionError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected(expected)),
        }
    }

    /// Reads the lengths of one suit.
    fn lengths(&mut self) -> Result<LengthSet, DistributionError> {
        const EXPECTED: &str = "expected a length such as `5`, `5+`, `[3-5]` or `x`";
        match self.peek() {
            Some(b'x') => {
                self.place += 1;
                Ok(ANY_LENGTH)
            }
            Some(digit @ b'0'..=b'9') => {
                self.place += 1;
                let one = 1 << (digit - b'0');
                let sign = self.text.as_bytes()[..self.end].get(self.place);
                let lengths = match sign {
                    Some(b'+') => ANY_LENGTH & !(one - 1),
                    Some(b'-') => one | (one - 1),
                    _ => return Ok(one),
                };
                self.place += 1;
                Ok(lengths)
            }
            Some(b'[') => {
                let start = self.place;
                self.place += 1;
                let mut lengths = 0;
                while self.peek() != Some(b']') {
                    let low = self.digit(EXPECTED)?;
                    let high = match self.peek() {
                        Some(b'-') => {
                            self.place += 1;
                            self.digit(EXPECTED)?
                        }
                        _ => low,
                    };
                    lengths |= (low..=high).fold(0, |all, length| all | 1 << length);
                }
                self.place += 1;
                match lengths {
                    0 => Err(self.error(start..self.place, "an empty range", EXPECTED)),
                    lengths => Ok(lengths),
                }
            }
            _ => Err(self.unexpected(EXPECTED)),
        }
    }

    fn digit(&mut self, expected: &'static str) -> Result<u8, DistributionError> {
        match self.peek() {
            Some(digit @ b'0'..=b'9') => {
                self.place += 1;
                Ok(digit - b'0')
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Reads the letter of a suit, if there is one.
    fn suit_letter(&mut self) -> Option<(SuitLetter, Span)> {
        let letter = SuitLetter::from_byte(self.peek()?)?;
        self.place += 1;
        Some((letter, self.place - 1..self.place))
    }

    /// Reads a condition whose operators have at least this precedence.
    fn condition(&mut self, least: u8, depth: usize) -> Result<LengthCondition, DistributionError> {
        let mut left = self.atom(depth)?;
        loop {
            self.peek();
            let rest = &self.text[self.place..self.end];
            let mut operators = OPERATORS.iter();
            let found = operators.find(|(sign, ..)| rest.starts_with(sign));
            let Some((sign, operator, level)) = found.filter(|(.., level)| *level >= least) else {
                return Ok(left);
            };
            self.place += sign.len();
            let right = self.condition(level + 1, depth)?;
            left = LengthCondition::Pair(*operator, Box::new([left, right]));
        }
    }

    fn atom(&mut self, depth: usize) -> Result<LengthCondition, DistributionError> {
        const EXPECTED: &str = "expected a suit letter such as `s`, a number or a bracket";
        match self.peek() {
            Some(b'(') if depth < MAX_NESTING => {
                self.place += 1;
                let inner = self.condition(1, depth + 1)?;
                match self.peek() {
                    Some(b')') => self.place += 1,
                    _ => return Err(self.unexpected("expected `)`")),
                }
                Ok(inner)
            }
            Some(b'0'..=b'9') => {
                let rest = &self.text[self.place..self.end];
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let number = rest[..digits].parse();
                let span = self.place..self.place + digits;
                self.place += digits;
                number
                    .map(LengthCondition::Number)
                    .map_err(|_| self.error(span, "this number is too large", EXPECTED))
            }
            _ => match self.suit_letter() {
                Some((letter, _)) => Ok(LengthCondition::Length(letter)),
                None => Err(self.unexpected(EXPECTED)),
            },
        }
    }
}
