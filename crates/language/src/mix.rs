//! Mixes: deals of several types, each with a share of its own.
//!
//! `#mix: game 40%, invitation 40%, pass 20%` names conditions that the script defines. Other
//! programs read a comment. A deal belongs to the first type whose condition holds, so the types
//! have no deal in common. `#levels: game = g25, g26` divides the share of a type among levels.
//! Without `#mix:`, the names `HandType_NAME` of dealer3 are types (`hand_types.rs`).

use std::collections::BTreeSet;

use super::error::SourceText;
use super::operators::BinaryOperator;
use super::tree::Expression;
use super::{ConditionError, ConditionWarning, DealContext, EvaluationError, Span};

/// The start of the statement; it is the start of a comment, too.
const WORD: &str = "#mix:";

/// The start of the statement that divides a type.
const LEVELS: &str = "#levels:";

/// Maximum number of types, so that their random streams differ (`OffsetStreams` of `fairdeal-draw`).
pub(super) const MOST_TYPES: usize = 100;

/// Digits after the decimal point of a share.
const DECIMALS: usize = 6;
const ONE: u64 = 1_000_000;

/// Maximum whole part of a share.
pub(super) const MOST_PARTS: u64 = 1_000_000_000;

/// Types of deals and their shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    pub(super) types: Vec<MixType>,
    /// The names by which boards are labelled, and their conditions; empty if they are those of the
    /// types.
    pub(super) labels: Vec<(String, Expression)>,
}

/// One type of deals in a mix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixType {
    /// The name that the script defines.
    pub name: String,
    /// The type's parts of all parts of the mix; above 0.
    pub parts: u64,
    /// The names of the script that must all hold.
    pub(super) terms: Vec<String>,
    /// The condition, before those of earlier types are excluded.
    pub(super) condition: Expression,
}

/// Numbers of deals of the types of a mix: shares rounded to whole deals, and the types that tie for
/// the last ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundedShares {
    /// Numbers of deals of the types, without those that types tie for.
    pub numbers: Vec<u64>,
    /// The types with equal fractions, by number; `rest` of them have one deal more.
    pub tied: Vec<usize>,
    /// Number of deals that types tie for, fewer than there are such types.
    pub rest: usize,
}

impl RoundedShares {
    /// Returns the numbers if the first of the tied types have one deal more.
    pub fn first(mut self) -> Vec<u64> {
        for place in self.tied.into_iter().take(self.rest) {
            self.numbers[place] += 1;
        }
        self.numbers
    }
}

/// A type or share as written, and its place.
#[derive(Clone, Debug)]
struct MixEntry<'a> {
    name: &'a str,
    /// The share in millionths, if one is given.
    share: Option<u64>,
    is_percent: bool,
    span: Span,
}

impl Mix {
    /// The types, in the order of the script.
    pub fn types(&self) -> &[MixType] {
        &self.types
    }

    /// The number of parts of the mix.
    pub fn parts(&self) -> u64 {
        parts_of(&self.types)
    }

    /// The name by which a board of this type is labelled: that of the type, or of the one whose
    /// level it is; empty if none holds.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] if the arithmetic of a condition fails.
    pub fn label(&self, number: usize, deal: &DealContext) -> Result<&str, EvaluationError> {
        if self.labels.is_empty() {
            return Ok(&self.types[number].name);
        }
        for (name, condition) in &self.labels {
            if condition.holds(deal)? {
                return Ok(name);
            }
        }
        Ok("")
    }

    /// Divides `deals` among the types by largest remainder: each type has its exact share, rounded
    /// down, and the rest goes to the largest fractions.
    pub fn rounded(&self, deals: u64) -> RoundedShares {
        let all = u128::from(self.parts());
        let exact = |of: &MixType| u128::from(deals) * u128::from(of.parts);
        let types = self.types.iter();
        let mut numbers: Vec<u64> = types.map(|of| (exact(of) / all) as u64).collect();
        let mut rest = (deals - numbers.iter().sum::<u64>()) as usize;
        let fraction = |place: &usize| exact(&self.types[*place]) % all;
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(fraction(place)));
        let mut tied = Vec::new();
        for group in order.chunk_by(|a, b| fraction(a) == fraction(b)) {
            if rest < group.len() {
                group.clone_into(&mut tied);
                break;
            }
            rest -= group.len();
            for place in group {
                numbers[*place] += 1;
            }
        }
        RoundedShares {
            numbers,
            tied,
            rest,
        }
    }

    /// Finds the statement in a script whose definitions are known.
    pub(super) fn of(
        source: &SourceText<'_>,
        definition: impl Fn(&str) -> Option<Expression>,
    ) -> Result<Option<Self>, ConditionError> {
        let mut found = statements(source.text, WORD);
        let Some(span) = found.next() else {
            return Ok(None);
        };
        if let Some(second) = found.next() {
            let message = "second `#mix:` in this script";
            return Err(source.error(second, message, "a script has one: remove one of them"));
        }
        let types = types(source, span.start + WORD.len()..span.end, &definition)?;
        let mix = Self {
            types,
            labels: Vec::new(),
        };
        let levels = statements(source.text, LEVELS).map(|span| {
            let text = &source.text[span.start + LEVELS.len()..span.end];
            let equals = text.find('=').unwrap_or(0);
            let begin = span.start + LEVELS.len() + equals;
            let name = text[..equals].trim();
            let place = mix.types.iter().position(|of| of.name == name);
            let Some(place) = place else {
                let label = "expected a type of the mix, as in `#levels: game = g25, g26`";
                return Err(source.error(span, "not the levels of a type", label));
            };
            Ok((place, types_of(source, begin + 1..span.end, &definition)?))
        });
        let levels = levels.collect::<Result<Vec<_>, ConditionError>>()?;
        let refuse = |message: &str| source.error(span.clone(), message, "");
        let mut divided = BTreeSet::new();
        if !levels.iter().all(|(place, _)| divided.insert(place)) {
            return Err(refuse("a type of this mix has two lines of levels"));
        }
        let mix = mix
            .with_levels(&levels)
            .ok_or_else(|| refuse("the shares of this mix are too fine"))?;
        if mix.types.len() > MOST_TYPES {
            let message = format!("a mix has at most {MOST_TYPES} types, levels among them");
            return Err(refuse(&message));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = mix.types.iter().find(|of| !names.insert(&of.name)) {
            let message = format!(
                "`{}` is in this mix twice, as a type or a level",
                twice.name
            );
            return Err(refuse(&message));
        }
        Ok(Some(mix))
    }

    /// Divides types among their levels; `None` if their parts exceed 64 bits.
    fn with_levels(self, levels: &[(usize, Vec<MixType>)]) -> Option<Self> {
        if levels.is_empty() {
            return Some(self);
        }
        let labels = self.types.iter();
        let labels = labels.map(|of| (of.name.clone(), of.condition.clone()));
        let labels: Vec<_> = labels.collect();
        let sums = levels.iter().map(|(_, of)| parts_of(of));
        let whole = sums.clone().try_fold(1, u64::checked_mul)?;
        let sums: Vec<u64> = sums.collect();
        let mut types = Vec::new();
        for (place, of) in self.types.into_iter().enumerate() {
            let parts = of.parts.checked_mul(whole)?;
            match levels.iter().position(|(divided, _)| *divided == place) {
                None => types.push(MixType { parts, ..of }),
                Some(index) => {
                    for level in &levels[index].1 {
                        types.push(MixType {
                            name: level.name.clone(),
                            parts: (parts / sums[index]).checked_mul(level.parts)?,
                            terms: [&of.terms[..], &level.terms].concat(),
                            condition: of.condition.joined(BinaryOperator::And, &level.condition),
                        });
                    }
                }
            }
        }
        reduce(&mut types);
        let mut parts = types.iter().map(|of| of.parts);
        parts.try_fold(0, u64::checked_add)?;
        Some(Self { types, labels })
    }

    /// The names of the script that the mix uses.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let terms = self.types.iter().flat_map(|of| &of.terms);
        terms.map(String::as_str)
    }
}

/// The places of a statement in a text.
fn statements<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = Span> + 't {
    let found = comments(text).into_iter();
    found.filter(move |span| is_statement(text, span, word))
}

/// The sum of the parts of some types.
fn parts_of(types: &[MixType]) -> u64 {
    types.iter().map(|of| of.parts).sum()
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

/// Brings the shares of types to lowest terms.
fn reduce(types: &mut [MixType]) {
    let common = types.iter().fold(0, |common, of| gcd(common, of.parts));
    for of in types {
        of.parts /= common;
    }
}

/// Reads types and their shares, in lowest terms.
fn types_of(
    source: &SourceText<'_>,
    span: Span,
    definition: &impl Fn(&str) -> Option<Expression>,
) -> Result<Vec<MixType>, ConditionError> {
    let mut types = types(source, span, definition)?;
    reduce(&mut types);
    Ok(types)
}

/// Reads types and their shares.
fn types(
    source: &SourceText<'_>,
    span: Span,
    definition: &impl Fn(&str) -> Option<Expression>,
) -> Result<Vec<MixType>, ConditionError> {
    let entries = entries(source, span.clone())?;
    let shares = shares(source, &span, &entries)?;
    let mut names = BTreeSet::new();
    let mut types = Vec::with_capacity(entries.len());
    for (entry, parts) in entries.into_iter().zip(shares) {
        let Some(condition) = definition(entry.name) else {
            let message = format!("`{}` is not defined", entry.name);
            let label = format!("define it, as in `{} = hcp(north) >= 15`", entry.name);
            return Err(source.error(entry.span, message, label));
        };
        if !names.insert(entry.name) {
            let message = format!("`{}` is in this mix twice", entry.name);
            return Err(source.error(entry.span, message, "remove it"));
        }
        types.push(MixType {
            name: entry.name.to_owned(),
            parts,
            terms: vec![entry.name.to_owned()],
            condition,
        });
    }
    Ok(types)
}

/// Whether a comment is the statement: it begins its line.
fn is_statement(text: &str, span: &Span, word: &str) -> bool {
    let line = text[..span.start].rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty() && text[span.clone()].starts_with(word)
}

/// Warns about a comment that was probably meant to be the statement.
pub(super) fn near_miss(source: &SourceText<'_>) -> Option<ConditionWarning> {
    let text = source.text;
    let is_near = |span: &Span| {
        let comment = text[span.clone()].trim_start_matches(['#', '/', ' ']);
        let start = comment.get(..4).unwrap_or_default();
        start.eq_ignore_ascii_case("mix:") && !is_statement(text, span, WORD)
    };
    let near = comments(text).into_iter().find(is_near)?;
    let message = "this comment is not a mix";
    let error = source.error(near, message, "a mix begins a line with `#mix:`");
    Some(ConditionWarning::new(error))
}

/// Splits `game 40%, pass 20 %` into types.
fn entries<'a>(source: &SourceText<'a>, span: Span) -> Result<Vec<MixEntry<'a>>, ConditionError> {
    let mut entries = Vec::new();
    let mut start = span.start;
    for field in source.text[span.clone()].split(',') {
        let begun = start + (field.len() - field.trim_start().len());
        let place = begun..begun + field.trim().len();
        start += field.len() + 1;
        if entries.len() == MOST_TYPES {
            let message = format!("a mix has at most {MOST_TYPES} types");
            return Err(source.error(place, message, "the limit is here"));
        }
        let refuse = |label: &str| Err(source.error(place.clone(), "not a type of a mix", label));
        let (name, share) = field
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((field.trim(), ""));
        if name.is_empty() {
            return refuse("expected the name of a condition");
        }
        let (number, is_percent) = match share.trim().strip_suffix('%') {
            Some(number) => (number.trim(), true),
            None => (share.trim(), false),
        };
        let share = match number {
            "" if !is_percent => None,
            _ => match millionths(number) {
                Some(share) => Some(share),
                None => {
                    return refuse("expected a name and a share above 0, such as `game 40%`");
                }
            },
        };
        entries.push(MixEntry {
            name,
            share,
            is_percent,
            span: place,
        });
    }
    Ok(entries)
}

/// Reads a positive number with up to six decimals, in millionths.
fn millionths(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > DECIMALS {
        return None;
    }
    let whole = whole
        .parse::<u64>()
        .ok()
        .filter(|whole| *whole <= MOST_PARTS)?;
    let decimals: u64 = format!("{decimals:0<DECIMALS$}").parse().ok()?;
    Some(whole * ONE + decimals).filter(|share| *share > 0)
}

/// Returns the parts of each type: equal ones if no share is given.
fn shares(
    source: &SourceText<'_>,
    span: &Span,
    entries: &[MixEntry<'_>],
) -> Result<Vec<u64>, ConditionError> {
    if entries.iter().all(|entry| entry.share.is_none()) {
        return Ok(vec![1; entries.len()]);
    }
    let is_percent = entries.iter().any(|entry| entry.is_percent);
    let shares = entries.iter().map(|entry| match entry.share {
        Some(share) if entry.is_percent == is_percent => Ok(share),
        _ => {
            let share = if is_percent { "percentage" } else { "share" };
            let message = format!("`{}` has no {share}, but other types have one", entry.name);
            let label = "give every type a percentage, every type a number, or none a share";
            Err(source.error(entry.span.clone(), message, label))
        }
    });
    let shares = shares.collect::<Result<Vec<u64>, ConditionError>>()?;
    let sum: u64 = shares.iter().sum();
    if is_percent && sum != 100 * ONE {
        let (whole, rest) = (sum / ONE, sum % ONE);
        let decimals = format!(".{rest:06}");
        let message = format!(
            "the shares add up to {whole}{}%, not 100%",
            decimals.trim_end_matches('0').trim_end_matches('.')
        );
        return Err(source.error(span.clone(), message, "change a share"));
    }
    Ok(shares)
}

/// Returns the places of comments that end with their line.
pub(super) fn comments(text: &str) -> Vec<Span> {
    let (mut found, mut place) = (Vec::new(), 0);
    while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
        let until = |end: &str, skipped: usize| {
            let after = &rest[skipped..];
            skipped + after.find(end).map_or(after.len(), |at| at + end.len())
        };
        place += if rest.starts_with('#') || rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            found.push(place..place + length);
            length
        } else if rest.starts_with("/*") {
            until("*/", 2)
        } else if rest.starts_with('"') {
            until("\"", 1)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Script;
    use crate::bridge::{Card, Deal, Hand};

    const TYPES: &str = "game = hcp(north) >= 15\ninvitation = hcp(north) >= 12\npass = 1\n";

    fn script(mix: &str) -> Result<Script, ConditionError> {
        Script::parse("test", &format!("{TYPES}{mix}\nspades(south) >= 4\n"))
    }

    fn parts(mix: &str) -> Vec<(String, u64)> {
        let mix = script(mix).unwrap().mix.unwrap();
        let types = mix.types.into_iter();
        types.map(|of| (of.name, of.parts)).collect()
    }

    #[test]
    fn types_have_percentages_or_parts_or_equal_shares() {
        let named = |parts: [u64; 3]| {
            let names = ["game", "invitation", "pass"].map(str::to_owned);
            names.into_iter().zip(parts).collect::<Vec<_>>()
        };
        let percent = named([40 * ONE, 39_500_000, 20_500_000]);
        assert_eq!(
            parts("#mix: game 40%, invitation 39.5 %, pass 20.5%"),
            percent
        );
        assert_eq!(
            parts("  #mix: game 2, invitation 1.5, pass 1 "),
            named([2 * ONE, 1_500_000, ONE])
        );
        assert_eq!(parts("#mix:game,invitation,pass"), named([1; 3]));
    }

    /// Comments that were probably meant to be a mix.
    const NEAR: [&str; 4] = [
        "# mix: game",
        "#Mix: game",
        "condition 1 #mix: game",
        "// #mix: game",
    ];

    #[test]
    fn other_comments_are_no_mix() {
        for text in [
            "# mix: game",
            "#Mix: game",
            "#mix of all",
            "/*\n#mix: game\n*/",
            "condition 1 #mix: game",
            "// #mix: game",
            "printed = 1 action printes(\"\n#mix: game\")",
        ] {
            let script = Script::parse("test", &format!("{TYPES}{text}")).unwrap();
            assert_eq!(script.mix, None, "{text}");
            let is_near = |warning: &ConditionWarning| warning.to_string().contains("not a mix");
            let is_warned = script.warnings.iter().any(is_near);
            assert_eq!(is_warned, NEAR.contains(&text), "{text}");
        }
    }

    #[test]
    fn a_wrong_mix_is_refused_where_it_is_wrong() {
        for (mix, message) in [
            ("#mix: gmae 40%, pass 60%", "`gmae` is not defined"),
            (
                "#mix: game 40%, pass 50%",
                "the shares add up to 90%, not 100%",
            ),
            (
                "#mix: game 40.5%, pass 60%",
                "the shares add up to 100.5%, not 100%",
            ),
            (
                "#mix: game 40%, pass",
                "`pass` has no percentage, but other types have one",
            ),
            (
                "#mix: game 40%, pass 3",
                "`pass` has no percentage, but other types have one",
            ),
            ("#mix: game, , pass", "not a type of a mix"),
            ("#mix:", "not a type of a mix"),
            ("#mix: game 0%, pass 100%", "not a type of a mix"),
            ("#mix: game -1, pass 2", "not a type of a mix"),
            ("#mix: game 1.1234567, pass 2", "not a type of a mix"),
            ("#mix: game 99999999999, pass 2", "not a type of a mix"),
            ("#mix: game %, pass 2%", "not a type of a mix"),
            ("#mix: game, game", "`game` is in this mix twice"),
            ("#mix: game\n#mix: pass", "second `#mix:` in this script"),
        ] {
            let error = script(mix).unwrap_err().to_string();
            assert!(error.contains(message), "{mix}: {error}");
        }
        let many = vec!["game"; MOST_TYPES + 1].join(",");
        let error = script(&format!("#mix: {many}")).unwrap_err().to_string();
        assert!(error.contains("a mix has at most 100 types"), "{error}");
    }

    #[test]
    fn every_deal_belongs_to_the_first_type_that_holds() {
        let script = script("#mix: game, invitation, pass").unwrap();
        let types: Vec<Script> = (0..3)
            .map(|number| script.of_type(number).unwrap())
            .collect();
        let mut seen = [0; 3];
        let mut order: Vec<Card> = Hand::DECK.cards().collect();
        for turn in 0..2_000usize {
            order.rotate_left(turn % 7);
            order.swap(turn % 52, (turn * turn + 13) % 52);
            let hand = |seat: usize| {
                let cards = order[13 * seat..13 * seat + 13].iter();
                cards.fold(Hand::EMPTY, |hand, card| hand.union(Hand::of(*card)))
            };
            let deal = Deal::new(std::array::from_fn(hand)).unwrap();
            let held: Vec<bool> = types
                .iter()
                .map(|of| of.condition.expression().holds(&deal).unwrap())
                .collect();
            let points = deal.hands()[0].hcp();
            let first = [points >= 15, points >= 12, true]
                .iter()
                .position(|holds| *holds);
            let expected = first.filter(|_| script.condition.expression().holds(&deal).unwrap());
            assert_eq!(held.iter().position(|held| *held), expected);
            assert!(held.iter().filter(|held| **held).count() <= 1);
            if let Some(first) = expected {
                seen[first] += 1;
            }
        }
        assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
    }

    #[test]
    fn levels_divide_the_share_of_their_type() {
        let types = "a = hcp(north) == 15\nb = hcp(north) >= 16\n#levels: game = a, b\n";
        assert_eq!(
            parts(&format!("{types}#mix: game 60%, pass 40%")),
            [("a", 3), ("b", 3), ("pass", 4)].map(|(name, parts)| (name.to_owned(), parts))
        );
        let many: String = (0..=MOST_TYPES)
            .map(|number| format!("t{number} = hcp(north) == 15\n"))
            .collect();
        let names = |of: std::ops::Range<usize>| {
            let names: Vec<String> = of.map(|number| format!("t{number}")).collect();
            names.join(",")
        };
        let (some, others) = (names(0..51), names(51..MOST_TYPES + 1));
        for (text, message) in [
            (
                format!("{types}#mix: pass, invitation"),
                "not the levels of a type",
            ),
            (
                format!("{types}#levels: game = b\n#mix: game"),
                "two lines of levels",
            ),
            (format!("{types}#mix: game, a"), "`a` is in this mix twice"),
            (
                format!("{many}#levels: game = {some}\n#levels: pass = {others}\n#mix: game, pass"),
                "at most 100 types",
            ),
        ] {
            let wrong = script(&text).unwrap_err().to_string();
            assert!(wrong.contains(message), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_shares_by_largest_remainder() {
        let mix = |text: &str| script(text).unwrap().mix.unwrap();
        let levels = mix("#mix: game 40%, invitation 40%, pass 20%");
        let rounded = |numbers: [u64; 3], tied: &[usize], rest| RoundedShares {
            numbers: numbers.to_vec(),
            tied: tied.to_vec(),
            rest,
        };
        // 14.4, 14.4 and 7.2; 0.4, 0.4 and 0.2; 1.2, 1.2 and 0.6.
        assert_eq!(levels.rounded(36), rounded([14, 14, 7], &[0, 1], 1));
        assert_eq!(levels.rounded(36).first(), [15, 14, 7]);
        assert_eq!(levels.rounded(0), rounded([0, 0, 0], &[0, 1, 2], 0));
        assert_eq!(levels.rounded(1), rounded([0, 0, 0], &[0, 1], 1));
        assert_eq!(levels.rounded(3), rounded([1, 1, 1], &[0, 1], 0));
        let thirds = mix("#mix: game, invitation, pass");
        assert_eq!(thirds.rounded(5), rounded([1, 1, 1], &[0, 1, 2], 2));
        let most = 10_000_000_000_000_000;
        assert_eq!(thirds.rounded(most), rounded([most / 3; 3], &[0, 1, 2], 1));
        for deals in 0..200 {
            for mix in [&levels, &thirds] {
                let numbers = mix.rounded(deals).first();
                assert_eq!(numbers.iter().sum::<u64>(), deals);
                for (number, of) in numbers.iter().zip(mix.types()) {
                    let exact = deals as f64 * of.parts as f64 / mix.parts() as f64;
                    assert!((*number as f64 - exact).abs() < 1.0);
                }
            }
        }
    }
}
