//! Syntax to tree: names resolved, definitions expanded, arguments understood.

use std::collections::BTreeMap;

use super::error::Source;
use super::parse::{Located, ShapeTerm, Statement, Syntax};
use super::tree::{Expression, Measure, Node, PatternSet};
use super::{ConditionError, Span};
use crate::cards::{Card, Honours, PatternIndex, Rank, Seat, Suit};

/// Deepest tree, definitions expanded: what evaluation can descend on any thread's stack.
const MAX_DEPTH: usize = 1_000;
/// Most nodes of a statement's tree, definitions expanded: ten definitions that each use
/// the one before ten times would make 10^10.
const MAX_NODES: usize = 100_000;

const STATEMENTS: [&str; 18] = [
    "generate",
    "produce",
    "vulnerable",
    "dealer",
    "predeal",
    "pointcount",
    "altcount",
    "condition",
    "action",
    "printall",
    "print",
    "printew",
    "printpbn",
    "printcompact",
    "printoneline",
    "printes",
    "average",
    "frequency",
];

const UNLISTED: [&str; 10] = [
    "ten", "tens", "pt0", "top5", "pt8", "cccc", "quality", "tricks", "score", "imps",
];

/// What a function's name stands for.
enum Function {
    Length(Suit),
    /// What A K Q J count.
    Points([u8; 4]),
    Losers,
    HasCard,
}

fn function(name: &str) -> Option<Function> {
    Some(match name {
        "hcp" | "hcps" => Function::Points([4, 3, 2, 1]),
        "ace" | "aces" | "pt4" => Function::Points([1, 0, 0, 0]),
        "king" | "kings" | "pt3" => Function::Points([0, 1, 0, 0]),
        "queen" | "queens" | "pt2" => Function::Points([0, 0, 1, 0]),
        "jack" | "jacks" | "pt1" => Function::Points([0, 0, 0, 1]),
        "top2" | "pt5" => Function::Points([1, 1, 0, 0]),
        "top3" | "pt6" => Function::Points([1, 1, 1, 0]),
        "top4" | "pt7" => Function::Points([1, 1, 1, 1]),
        "c13" | "pt9" => Function::Points([6, 4, 2, 1]),
        "control" | "controls" => Function::Points([2, 1, 0, 0]),
        "loser" | "losers" => Function::Losers,
        "hascard" => Function::HasCard,
        _ => Function::Length(suit_named(name)?),
    })
}

const FUNCTIONS: [&str; 17] = [
    "hcp", "aces", "kings", "queens", "jacks", "top2", "top3", "top4", "c13", "controls", "losers",
    "hascard", "shape", "spades", "hearts", "diamonds", "clubs",
];

fn suit_named(name: &str) -> Option<Suit> {
    Suit::ALL
        .into_iter()
        .find(|suit| suit.name() == name || suit.name().strip_suffix('s') == Some(name))
}

fn card_named(name: &str) -> Option<Card> {
    let mut letters = name.chars();
    let (first, second) = (letters.next()?, letters.next()?);
    let suit = |letter| Suit::ALL.into_iter().find(|suit| suit.letter() == letter);
    if letters.next().is_some() {
        return None;
    }
    let rank_first = || Some(Card::new(suit(second)?, Rank::from_letter(first)?));
    let suit_first = || Some(Card::new(suit(first)?, Rank::from_letter(second)?));
    rank_first().or_else(suit_first)
}

fn is_reserved(name: &str) -> bool {
    function(name).is_some()
        || Seat::from_name(name).is_some()
        || STATEMENTS.contains(&name)
        || UNLISTED.contains(&name)
}

fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_lowercase();
    known
        .map(|candidate| (strsim::damerau_levenshtein(&lower, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= 2 && distance < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

struct Checker<'s, 'a> {
    source: &'s Source<'s>,
    definitions: BTreeMap<&'a str, Located<Syntax<'a>>>,
    nodes: usize,
}

pub(super) fn condition<'a>(
    source: &Source<'_>,
    statements: Vec<Statement<'a>>,
) -> Result<Expression, ConditionError> {
    let mut checker = Checker {
        source,
        definitions: BTreeMap::new(),
        nodes: 0,
    };
    let mut wanted: Option<Expression> = None;
    for statement in statements {
        checker.nodes = 0;
        match statement {
            Statement::Definition { name, value } => checker.define(&name, value)?,
            Statement::Condition(syntax) => {
                let expression = checker.expression(&syntax, 0)?;
                if wanted.is_some() {
                    let message = "a second condition";
                    let label = "expected a definition or the end";
                    return Err(source
                        .error(expression.span, message, label)
                        .with_help("join conditions with `and`, or give this one a name"));
                }
                wanted = Some(expression);
            }
        }
    }
    Ok(wanted.unwrap_or(Expression {
        node: Node::Number(1),
        span: 0..source.text.len(),
    }))
}

impl<'a> Checker<'_, 'a> {
    fn define(
        &mut self,
        name: &Located<&'a str>,
        value: Located<Syntax<'a>>,
    ) -> Result<(), ConditionError> {
        let refuse = |message: String| {
            Err(self
                .source
                .error(name.span.clone(), message, "expected a new name"))
        };
        if is_reserved(name.it) {
            return refuse(format!("`{}` has a meaning of its own", name.it));
        }
        if self.definitions.contains_key(name.it) {
            return refuse(format!("`{}` is already defined", name.it));
        }
        // Checked where it stands, so that a mistake is shown even if the name is never used.
        self.expression(&value, 0)?;
        self.definitions.insert(name.it, value);
        Ok(())
    }

    fn expression(
        &mut self,
        syntax: &Located<Syntax<'a>>,
        depth: usize,
    ) -> Result<Expression, ConditionError> {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(self.source.error(
                syntax.span.clone(),
                "the condition is too large",
                format!(
                    "with its definitions expanded it is deeper than {MAX_DEPTH} levels or larger than {MAX_NODES} terms"
                ),
            ));
        }
        let node = match &syntax.it {
            Syntax::Number(digits) => {
                Node::Number(digits.parse::<i32>().map(i64::from).map_err(|_| {
                    self.source.error(
                        syntax.span.clone(),
                        format!("`{digits}` is too large"),
                        "expected a number below 2,147,483,648",
                    )
                })?)
            }
            Syntax::Name(name) => {
                let Some(definition) = self.definitions.get(name).cloned() else {
                    return Err(self.unknown(name, &syntax.span));
                };
                return self.expression(&definition, depth + 1);
            }
            Syntax::Call {
                function,
                arguments,
            } => self.call(function, arguments, &syntax.span)?,
            Syntax::Shape { seat, terms } => {
                let seat = self.seat(seat)?;
                Node::Hand(seat, Measure::Pattern(self.patterns(terms)?))
            }
            Syntax::Unary(operator, operand) => {
                Node::Unary(*operator, Box::new(self.expression(operand, depth + 1)?))
            }
            Syntax::Binary(operator, sides) => {
                let left = self.expression(&sides[0], depth + 1)?;
                let right = self.expression(&sides[1], depth + 1)?;
                Node::Binary(*operator, Box::new([left, right]))
            }
            Syntax::Conditional(parts) => {
                let test = self.expression(&parts[0], depth + 1)?;
                let yes = self.expression(&parts[1], depth + 1)?;
                let no = self.expression(&parts[2], depth + 1)?;
                Node::Conditional(Box::new([test, yes, no]))
            }
        };
        let span = syntax.span.clone();
        Ok(Expression { node, span })
    }

    fn unknown(&self, name: &str, span: &Span) -> ConditionError {
        let error = |message: String, label: &str| self.source.error(span.clone(), message, label);
        if STATEMENTS.contains(&name) {
            return error(
                format!("`{name}` is not read here"),
                "expected a condition or a definition; how many deals, and what to do with them, are options of the command",
            );
        }
        if UNLISTED.contains(&name) {
            return unlisted(self.source, name, span);
        }
        if Seat::from_name(name).is_some() || suit_named(name).is_some() || function(name).is_some()
        {
            return error(
                format!("`{name}` alone is no number"),
                "expected a function of a hand, such as `spades(west)` or `hcp(west)`",
            );
        }
        let known = self
            .definitions
            .keys()
            .copied()
            .chain(FUNCTIONS)
            .chain(["and", "or", "not", "any"]);
        let error = error(
            format!("`{name}` is not known"),
            "expected a function such as `hcp(west)`, or a name defined above",
        );
        match nearest(name, known) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    fn call(
        &self,
        name: &Located<&'a str>,
        arguments: &[Located<Syntax<'a>>],
        whole: &Span,
    ) -> Result<Node, ConditionError> {
        if UNLISTED.contains(&name.it) {
            return Err(unlisted(self.source, name.it, &name.span));
        }
        let Some(function) = function(name.it) else {
            let error = self.source.error(
                name.span.clone(),
                format!("`{}` is no function", name.it),
                format!("expected one of {}", FUNCTIONS.join(", ")),
            );
            return Err(match nearest(name.it, FUNCTIONS.into_iter()) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error,
            });
        };
        let seat = self.seat(&arguments[0])?;
        let (fewest, most) = match function {
            Function::Length(_) => (1, 1),
            Function::Points(_) | Function::Losers => (1, 2),
            Function::HasCard => (2, 2),
        };
        if !(fewest..=most).contains(&arguments.len()) {
            let label = match (fewest, most) {
                (1, 1) => "expected a seat alone",
                (1, _) => "expected a seat, and perhaps a suit",
                _ => "expected a seat and a card",
            };
            let message = format!("`{}` has {} arguments", name.it, arguments.len());
            return Err(self.source.error(whole.clone(), message, label));
        }
        let suit = || arguments.get(1).map(|suit| self.suit(suit)).transpose();
        let measure = match function {
            Function::Length(suit) => Measure::Length(suit),
            Function::Points(values) => Measure::Points {
                values,
                suit: suit()?,
            },
            Function::Losers => Measure::Losers(suit()?),
            Function::HasCard => Measure::Holds(self.honour(&arguments[1])?),
        };
        Ok(Node::Hand(seat, measure))
    }

    fn seat(&self, argument: &Located<Syntax<'a>>) -> Result<Seat, ConditionError> {
        let found = |seat: &str| Seat::from_name(seat);
        self.named(
            argument,
            "a seat",
            "north, east, south or west",
            found,
            || Seat::ALL.iter().map(|seat| seat.name()),
        )
    }

    fn suit(&self, argument: &Located<Syntax<'a>>) -> Result<Suit, ConditionError> {
        self.named(
            argument,
            "a suit",
            "spades, hearts, diamonds or clubs",
            suit_named,
            || Suit::ALL.iter().map(|suit| suit.name()),
        )
    }

    fn honour(&self, argument: &Located<Syntax<'a>>) -> Result<Honours, ConditionError> {
        let card = self.named(
            argument,
            "a card",
            "one such as SA or KC",
            card_named,
            std::iter::empty,
        )?;
        Honours::of_card(card).ok_or_else(|| {
            self.source.error(
                argument.span.clone(),
                format!("{card} is a spot card, which a listing does not know yet"),
                "expected an ace, king, queen or jack",
            )
        })
    }

    /// An argument that must be one of a few names.
    fn named<'n, T, I: Iterator<Item = &'n str>>(
        &self,
        argument: &Located<Syntax<'a>>,
        what: &str,
        which: &str,
        find: impl Fn(&str) -> Option<T>,
        known: impl Fn() -> I,
    ) -> Result<T, ConditionError> {
        let text = self
            .source
            .text
            .get(argument.span.clone())
            .unwrap_or_default();
        let is_word = matches!(argument.it, Syntax::Name(_) | Syntax::Number(_));
        if let Some(found) = find(text).filter(|_| is_word) {
            return Ok(found);
        }
        let error = self.source.error(
            argument.span.clone(),
            format!("`{text}` is not {what}"),
            format!("expected {which}"),
        );
        Err(match nearest(text, known()).filter(|_| is_word) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        })
    }

    fn patterns(&self, terms: &[ShapeTerm<'a>]) -> Result<Box<PatternSet>, ConditionError> {
        let mut set = PatternSet::empty();
        for term in terms {
            let wanted = self.lengths(&term.digits)?;
            for index in PatternIndex::all() {
                let pattern = index.pattern();
                let matches = if term.any {
                    permutations(&wanted).any(|wanted| fits(&wanted, &pattern.lengths()))
                } else {
                    fits(&wanted, &pattern.lengths())
                };
                if matches {
                    set.set(index, term.add);
                }
            }
        }
        Ok(set)
    }

    /// The four lengths of `54xx`, `None` for an x.
    fn lengths(&self, digits: &Located<&str>) -> Result<[Option<u8>; 4], ConditionError> {
        let error = |message: String, label: &str| {
            Err(self.source.error(digits.span.clone(), message, label))
        };
        let label = "expected four digits or `x`: spades, hearts, diamonds, clubs";
        let mut lengths = [None; 4];
        let four = digits.it.len() == 4;
        for (length, letter) in lengths.iter_mut().zip(digits.it.chars()) {
            match (letter, letter.to_digit(10)) {
                ('x', _) => {}
                (_, Some(digit)) => *length = Some(digit as u8),
                _ => return error(format!("`{}` is not a shape", digits.it), label),
            }
        }
        if !four {
            return error(format!("`{}` is not a shape", digits.it), label);
        }
        let sum: u8 = lengths.iter().flatten().sum();
        let all_given = lengths.iter().all(Option::is_some);
        if sum > 13 || (all_given && sum != 13) {
            let message = format!("the lengths of `{}` sum to {sum}", digits.it);
            return error(message, "expected thirteen cards");
        }
        Ok(lengths)
    }
}

fn unlisted(source: &Source<'_>, name: &str, span: &Span) -> ConditionError {
    source.error(
        span.clone(),
        format!("`{name}` is not listed yet"),
        "it needs more than a hand's suit lengths and its aces, kings, queens and jacks",
    )
}

fn fits(wanted: &[Option<u8>; 4], lengths: &[u8; 4]) -> bool {
    let same = |(wanted, length): (&Option<u8>, &u8)| wanted.is_none_or(|w| w == *length);
    wanted.iter().zip(lengths).all(same)
}

fn permutations<T: Copy>(items: &[T; 4]) -> impl Iterator<Item = [T; 4]> {
    (0..256usize).filter_map(|code| {
        let places = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        let seen = places.iter().fold(0, |seen, place| seen | 1 << place);
        (seen == 0b1111).then(|| places.map(|place| items[place]))
    })
}
