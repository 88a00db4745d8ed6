//! Keywords, functions and names of the language.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::dialect::{Dialect, Role, WordGroup, group_of, words_of};
use super::measure::{COMMON_NAMES, Measure, PointCount, RankValues};
use crate::bridge::{Card, Rank, Seat, Strain, Suit, Vulnerable};

/// A function of the language.
#[derive(Clone, Copy)]
pub(super) enum Function {
    Length(Suit),
    Points(PointCount),
    Losers,
    HalfLosers,
    HasCard,
    Evaluation,
    Quality,
    Imps,
    Score,
    Random,
}

/// The number of arguments that a function takes.
pub(super) struct ArgumentRule {
    pub(super) least: usize,
    pub(super) most: usize,
    /// What is expected, for messages.
    pub(super) expected: &'static str,
}

impl Function {
    /// The arguments that the function takes.
    pub(super) fn arguments(self) -> ArgumentRule {
        let (least, most, expected) = match self {
            Self::Length(_) | Self::Evaluation => (1, 1, "expected one seat"),
            Self::Points(_) | Self::Losers | Self::HalfLosers => {
                (1, 2, "expected a seat and, optionally, a suit")
            }
            Self::HasCard => (2, 2, "expected a seat and a card"),
            Self::Quality => (2, 2, "expected a seat and a suit"),
            Self::Imps => (1, 1, "expected one score difference"),
            Self::Random => (1, 2, "expected a number and, optionally, which draw"),
            Self::Score => (3, 3, "expected vulnerability, contract and tricks"),
        };
        ArgumentRule {
            least,
            most,
            expected,
        }
    }

    /// The measure of a function of one hand, with its arguments after the seat. `None` for a
    /// function of another kind, or without a required argument.
    pub(super) fn measure(
        self,
        suit: Option<Suit>,
        card: Option<Card>,
        values: impl FnOnce(PointCount) -> RankValues,
    ) -> Option<Measure> {
        Some(match self {
            Self::Length(suit) => Measure::Length(suit),
            Self::Points(count) => Measure::Points {
                count,
                values: Arc::new(values(count)),
                suit,
            },
            Self::Losers => Measure::Losers(suit),
            Self::HalfLosers => Measure::HalfLosers(suit),
            Self::HasCard => Measure::Holds(card?),
            Self::Evaluation => Measure::Evaluation,
            Self::Quality => Measure::Quality(suit?),
            Self::Imps | Self::Score | Self::Random => return None,
        })
    }
}

/// Whether the word begins a statement or an action, unless the script defines it as a name.
pub(super) fn is_keyword(word: &str, defined: &BTreeSet<&str>) -> bool {
    has_role(word, &[Role::Statement, Role::Action], defined)
}

/// Whether the word begins a statement, unless the script defines it as a name.
pub(super) fn is_statement(word: &str, defined: &BTreeSet<&str>) -> bool {
    has_role(word, &[Role::Statement], defined)
}

fn has_role(word: &str, roles: &[Role], defined: &BTreeSet<&str>) -> bool {
    let group = group_of(word).filter(|group| roles.contains(&group.role));
    // A script for dealer may use the words of its successors as names.
    group.is_some_and(|group| group.programs.contains(&Dialect::Dealer) || !defined.contains(word))
}

/// Whether no script may define the word as a name.
pub(super) fn is_reserved(word: &str) -> bool {
    let is_dealers = |group: &WordGroup| group.programs.contains(&Dialect::Dealer);
    match group_of(word) {
        Some(group) => is_dealers(group),
        None => Seat::from_name(word).is_some() || function(word).is_some(),
    }
}

/// The action that an unknown word in the place of an action was probably meant to be.
pub(super) fn nearest_action(word: &str) -> Option<&'static str> {
    let is_known = group_of(word).is_some() || function(word).is_some();
    nearest(word, words_of(Role::Action)).filter(|_| !is_known)
}

/// The reason why a function is not supported; `None` for any other name.
pub(super) fn refused(name: &str) -> Option<&'static str> {
    group_of(name).and_then(|group| group.refused)
}

/// An example of what to write for a word that players use and that is no function.
pub(super) fn written_as(name: &str) -> Option<&'static str> {
    Some(match name {
        "balanced" => "shape(north, any 4333 + any 4432 + any 5332)",
        "length" => "spades(north)",
        "points" => "hcp(north)",
        "singleton" => "shape(north, any 1xxx)",
        "void" => "shape(north, any 0xxx)",
        _ => return None,
    })
}

/// Whether the function gives double-dummy tricks of a declarer.
pub(super) fn is_tricks(name: &str) -> bool {
    matches!(name, "trick" | "tricks" | "dds")
}

/// The strain of a name such as `spades` or `notrumps`.
pub(super) fn strain_named(name: &str) -> Option<Strain> {
    match name {
        "notrump" | "notrumps" | "nt" => Some(Strain::NoTrumps),
        _ => suit_named(name).map(Strain::Trumps),
    }
}

/// The vulnerability of this name.
pub(super) fn vulnerable_named(name: &str) -> Option<Vulnerable> {
    match name.to_ascii_lowercase().as_str() {
        "none" => Some(Vulnerable::None),
        "ns" => Some(Vulnerable::NorthSouth),
        "ew" => Some(Vulnerable::EastWest),
        "all" | "both" => Some(Vulnerable::All),
        _ => None,
    }
}

pub(super) fn function(name: &str) -> Option<Function> {
    let is_called = |known: &str| known == name || known.strip_suffix('s') == Some(name);
    if let Some(number) = COMMON_NAMES.iter().position(|known| is_called(known)) {
        return Some(Function::Points(PointCount::Alternative(number as u8)));
    }
    match name {
        "hcp" | "hcps" => Some(Function::Points(PointCount::Hcp)),
        "control" | "controls" => Some(Function::Points(PointCount::Controls)),
        "loser" | "losers" => Some(Function::Losers),
        "hascard" => Some(Function::HasCard),
        "ltc" => Some(Function::HalfLosers),
        "cccc" => Some(Function::Evaluation),
        "quality" => Some(Function::Quality),
        "imp" | "imps" => Some(Function::Imps),
        "score" => Some(Function::Score),
        "rnd" => Some(Function::Random),
        _ => match name.as_bytes() {
            [b'p', b't', digit @ b'0'..=b'9'] => {
                Some(Function::Points(PointCount::Alternative(digit - b'0')))
            }
            _ => Some(Function::Length(suit_named(name)?)),
        },
    }
}

pub(super) fn suit_named(name: &str) -> Option<Suit> {
    Suit::ALL
        .into_iter()
        .find(|suit| suit.name() == name || suit.name().strip_suffix('s') == Some(name))
}

/// The suit of this capital letter.
pub(super) fn suit_of_letter(letter: char) -> Option<Suit> {
    Suit::ALL.into_iter().find(|suit| suit.letter() == letter)
}

/// The card written `AS` or `SA`.
pub(super) fn card_named(name: &str) -> Option<Card> {
    let mut letters = name.chars();
    let (first, second) = (letters.next()?, letters.next()?);
    if letters.next().is_some() {
        return None;
    }
    let card = |rank, suit| Some(Card::new(suit_of_letter(suit)?, Rank::from_letter(rank)?));
    card(first, second).or_else(|| card(second, first))
}

/// The known name that this one was probably meant to be.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_lowercase();
    known
        .map(|candidate| (strsim::damerau_levenshtein(&lower, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= 2 && distance < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}
