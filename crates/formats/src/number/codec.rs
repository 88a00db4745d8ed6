//! Translation of text lines: a deal or an ending to its number, and back.
//!
//! Deals are PBN deal strings or PBN `Deal` tags; numbers are decimal, or hex after `0x`.

use std::str::FromStr;

use super::scheme::Coding;
use super::{EndingError, NotANumber, OutOfRange, Scheme, cases, cells, parse_number, zbs};
use crate::bridge::{Ending, NotationError};
use crate::population::cases::{CaseBytes, CaseFile};
use crate::population::cells::Cells;

/// Number of words of a diagram: spades, hearts, diamonds, clubs.
const WORDS: usize = 4;

/// Translates lines by a numbering.
///
/// # Examples
///
/// ```
/// use fairdeal_formats::number::{LineCodec, Scheme};
///
/// let codec = LineCodec::of_scheme(Scheme::Ending).in_hex();
/// let number = codec.encode("N:AK... ..AK. .AK.. ...AK")?;
/// assert_eq!(codec.decode(&number)?, "N:AK... ..AK. .AK.. ...AK");
/// # Ok::<(), fairdeal_formats::number::LineError>(())
/// ```
#[derive(Debug)]
pub struct LineCodec<'n> {
    numbering: AnyNumbering<'n>,
    /// The first number.
    first: u128,
    is_hex: bool,
}

#[derive(Debug)]
enum AnyNumbering<'n> {
    Scheme(Coding),
    Cases(cases::CaseNumbering<'n, CaseBytes>),
    Cells(cells::CellNumbering<'n>),
}

/// The error for a line that cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The line is not a deal or an ending.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The line is not a number.
    #[error(transparent)]
    NotANumber(#[from] NotANumber),
    /// The number is 0, but numbers start at 1.
    #[error("numbers start at 1")]
    BeforeFirst,
    /// The number is too large.
    #[error("{number} is above the largest number, {last}")]
    BeyondLast {
        /// The number in the line.
        number: u128,
        /// The largest number.
        last: u128,
    },
    /// The scheme has no number for the ending.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The number of words is not four.
    #[error("{0} words instead of {WORDS}: spades, hearts, diamonds, clubs")]
    WordCount(usize),
    /// A word has more than 32 bits.
    #[error("{0} has more than 32 bits")]
    LongWord(String),
    /// The words are not a diagram.
    #[error(transparent)]
    Words(#[from] zbs::WordError),
    /// The case file does not contain the deal, or is corrupted.
    #[error(transparent)]
    NotInFile(#[from] cases::EncodeError),
    /// The case file is corrupted.
    #[error(transparent)]
    Damaged(cases::DecodeError),
    /// The deal does not satisfy the condition.
    #[error(transparent)]
    NotTheCondition(#[from] cells::NotTheCondition),
}

impl LineCodec<'_> {
    /// Creates a codec for all deals or endings, by a scheme.
    pub fn of_scheme(scheme: Scheme) -> Self {
        Self::of(AnyNumbering::Scheme(scheme.coding()))
    }
}

impl<'n> LineCodec<'n> {
    /// Creates a codec for the deals of a case file.
    pub fn of_cases(file: &'n CaseFile<CaseBytes>) -> Self {
        Self::of(AnyNumbering::Cases(cases::CaseNumbering::new(file)))
    }

    /// Creates a codec for the deals of a condition, without a listing.
    pub fn of_cells(cells: &'n Cells) -> Self {
        Self::of(AnyNumbering::Cells(cells::CellNumbering::new(cells)))
    }

    fn of(numbering: AnyNumbering<'n>) -> Self {
        Self {
            numbering,
            first: 0,
            is_hex: false,
        }
    }

    /// Starts numbers at 1; words stay as they are.
    #[must_use]
    pub fn one_based(self) -> Self {
        Self { first: 1, ..self }
    }

    /// Writes numbers as `0x` and hex digits, as words always are.
    #[must_use]
    pub fn in_hex(self) -> Self {
        Self {
            is_hex: true,
            ..self
        }
    }

    /// Returns the number of the deal or ending in a line.
    ///
    /// # Errors
    ///
    /// [`LineError`] if the line has no number.
    pub fn encode(&self, line: &str) -> Result<String, LineError> {
        let number = match &self.numbering {
            AnyNumbering::Scheme(Coding::Deals { encode, .. }) => encode(&parsed(line)?),
            AnyNumbering::Scheme(Coding::Endings { encode, .. }) => encode(&parsed(line)?)?,
            AnyNumbering::Scheme(Coding::Words) => {
                return Ok(zbs::text(&parsed(line)?));
            }
            AnyNumbering::Cases(numbering) => numbering.encode(&parsed(line)?)?,
            AnyNumbering::Cells(numbering) => numbering.encode(&parsed(line)?)?,
        };
        // At most 2^121 + 1.
        let number = number + self.first;
        Ok(match self.is_hex {
            true => format!("{number:#X}"),
            false => number.to_string(),
        })
    }

    /// Returns the deal or ending of the number in a line, decimal or hex.
    ///
    /// # Errors
    ///
    /// [`LineError`] if the line is not a number, or the number is out of range.
    pub fn decode(&self, line: &str) -> Result<String, LineError> {
        let number = || {
            let number = parse_number(line)?.checked_sub(self.first);
            number.ok_or(LineError::BeforeFirst)
        };
        let beyond = |OutOfRange { number, count }| LineError::BeyondLast {
            number: number + self.first,
            // Every numbering has a number.
            last: count - 1 + self.first,
        };
        let ending: Ending = match &self.numbering {
            AnyNumbering::Scheme(Coding::Deals { decode, .. }) => {
                decode(number()?).map_err(beyond)?.into()
            }
            AnyNumbering::Scheme(Coding::Endings { decode, .. }) => {
                decode(number()?).map_err(beyond)?
            }
            AnyNumbering::Scheme(Coding::Words) => zbs::decode(words(line)?)?,
            AnyNumbering::Cases(numbering) => match numbering.decode(number()?) {
                Ok(deal) => deal.into(),
                Err(cases::DecodeError::OutOfRange(error)) => return Err(beyond(error)),
                Err(error) => return Err(LineError::Damaged(error)),
            },
            AnyNumbering::Cells(numbering) => numbering.decode(number()?).map_err(beyond)?.into(),
        };
        Ok(ending.to_string())
    }
}

/// Parses a deal or an ending from a PBN deal string, or from a PBN `Deal` tag.
fn parsed<T: FromStr<Err = NotationError>>(line: &str) -> Result<T, NotationError> {
    let tag = line.strip_prefix("[Deal \"");
    let text = tag
        .and_then(|rest| rest.strip_suffix("\"]"))
        .unwrap_or(line);
    text.parse()
}

/// Parses four words, spades first.
fn words(line: &str) -> Result<[u32; WORDS], LineError> {
    let words = line.split_ascii_whitespace().map(|word| {
        let number = parse_number(word)?;
        u32::try_from(number).map_err(|_| LineError::LongWord(word.to_owned()))
    });
    let words: Vec<u32> = words.collect::<Result<_, _>>()?;
    let count = words.len();
    words.try_into().map_err(|_| LineError::WordCount(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: &str = "N:- - - AKQJT98765432.AKQJT98765432.AKQJT98765432.AKQJT98765432";

    #[test]
    fn the_first_number_is_0_or_1_and_is_written_in_decimal_or_hex() {
        let deal = LineCodec::of_scheme(Scheme::Pavlicek).decode("0").unwrap();
        let encoded = |codec: LineCodec<'_>| codec.encode(&deal).unwrap();
        let codec = || LineCodec::of_scheme(Scheme::Pavlicek);
        assert_eq!(encoded(codec()), "0");
        assert_eq!(encoded(codec().one_based()), "1");
        assert_eq!(encoded(codec().one_based().in_hex()), "0x1");
        assert_eq!(codec().one_based().decode("0x1").unwrap(), deal);
        assert_eq!(codec().one_based().decode("0"), Err(LineError::BeforeFirst));
    }

    #[test]
    fn the_last_number_is_named_as_it_could_be_typed() {
        for (codec, last) in [
            (LineCodec::of_scheme(Scheme::Base5), 5u128.pow(52) - 1),
            (
                LineCodec::of_scheme(Scheme::Base5).one_based(),
                5u128.pow(52),
            ),
        ] {
            assert_eq!(codec.decode(&last.to_string()).as_deref(), Ok(LAST));
            let number = last + 1;
            assert_eq!(
                codec.decode(&number.to_string()),
                Err(LineError::BeyondLast { number, last })
            );
        }
    }

    #[test]
    fn a_line_of_words_has_four_of_32_bits() {
        let codec = LineCodec::of_scheme(Scheme::Zbs);
        let words = codec.encode(LAST).unwrap();
        assert_eq!(codec.decode(&words).as_deref(), Ok(LAST));
        assert_eq!(codec.decode("1 2 3"), Err(LineError::WordCount(3)));
        let long = "0x1_0000_0000".to_owned();
        assert_eq!(codec.decode(&long), Err(LineError::LongWord(long)));
    }

    #[test]
    fn a_tag_of_pbn_is_its_deal() {
        let codec = LineCodec::of_scheme(Scheme::Base5);
        let tag = format!("[Deal \"{LAST}\"]");
        assert_eq!(codec.encode(&tag), codec.encode(LAST));
    }
}
