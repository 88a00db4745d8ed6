//! Tokens to syntax: what was written, names and arguments not yet understood.

use std::collections::BTreeSet;

use chumsky::error::{RichPattern, RichReason};
use chumsky::input::{Input as _, MappedInput};
use chumsky::pratt::{infix, left, prefix};
use chumsky::prelude::*;

use super::error::Source;
use super::token::Token;
use super::tree::{BinaryOperator, UnaryOperator};
use super::{ConditionError, Span};

/// A piece of syntax and its place.
#[derive(Clone, Debug)]
pub(super) struct Located<T> {
    pub(super) it: T,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Syntax<'a> {
    Number(&'a str),
    Name(&'a str),
    Call {
        function: Located<&'a str>,
        arguments: Vec<Located<Syntax<'a>>>,
    },
    Shape {
        seat: Box<Located<Syntax<'a>>>,
        terms: Vec<ShapeTerm<'a>>,
    },
    Unary(UnaryOperator, Box<Located<Syntax<'a>>>),
    Binary(BinaryOperator, Box<[Located<Syntax<'a>>; 2]>),
    Conditional(Box<[Located<Syntax<'a>>; 3]>),
}

/// One member of a list such as `any 4333 + 54xx - any 0xxx`.
#[derive(Clone, Debug)]
pub(super) struct ShapeTerm<'a> {
    pub(super) add: bool,
    pub(super) any: bool,
    pub(super) digits: Located<&'a str>,
}

#[derive(Clone, Debug)]
pub(super) enum Statement<'a> {
    Definition {
        name: Located<&'a str>,
        value: Located<Syntax<'a>>,
    },
    Condition(Located<Syntax<'a>>),
}

type Tokens<'t, 'a> = MappedInput<'t, Token<'a>, SimpleSpan, &'t [(Token<'a>, SimpleSpan)]>;
type Failure<'t, 'a> = extra::Err<Rich<'t, Token<'a>>>;

fn at<T>(it: T, span: SimpleSpan) -> Located<T> {
    let span = span.into_range();
    Located { it, span }
}

fn binary<'a>(
    operator: BinaryOperator,
    left: Located<Syntax<'a>>,
    right: Located<Syntax<'a>>,
    span: SimpleSpan,
) -> Located<Syntax<'a>> {
    at(Syntax::Binary(operator, Box::new([left, right])), span)
}

/// An expression; a word among `defined` is a name even before a bracket.
fn expression<'t, 'a: 't>(
    defined: &'t BTreeSet<&'a str>,
) -> impl Parser<'t, Tokens<'t, 'a>, Located<Syntax<'a>>, Failure<'t, 'a>> + Clone {
    recursive(|expression| {
        let digits = select! { Token::Number(text) => text, Token::Word(text) => text }
            .map_with(|text, extra| at(text, extra.span()))
            .labelled("four suit lengths such as `5431` or `54xx`");
        let term = just(Token::Any).or_not().then(digits);
        let sign = select! { Token::Plus => true, Token::Comma => true, Token::Minus => false }
            .labelled("`+` or `-`");
        let shape_term = |add: bool, (any, digits): (Option<Token<'a>>, Located<&'a str>)| {
            let any = any.is_some();
            ShapeTerm { add, any, digits }
        };
        let terms = term.map(move |term| vec![shape_term(true, term)]).foldl(
            sign.then(term).repeated(),
            move |mut terms, (add, term)| {
                terms.push(shape_term(add, term));
                terms
            },
        );
        let shape = just(Token::Shape)
            .ignore_then(just(Token::Open))
            .ignore_then(expression.clone())
            .then_ignore(just(Token::Comma))
            .then(terms)
            .then_ignore(just(Token::Close))
            .map(|(seat, terms)| Syntax::Shape {
                seat: Box::new(seat),
                terms,
            });

        let word = select! { Token::Word(text) => text };
        let arguments = expression
            .clone()
            .separated_by(just(Token::Comma))
            .at_least(1)
            .collect::<Vec<_>>()
            .delimited_by(just(Token::Open), just(Token::Close));
        let call = word
            .filter(move |text| !defined.contains(text))
            .map_with(|text, extra| at(text, extra.span()))
            .then(arguments)
            .map(|(function, arguments)| Syntax::Call {
                function,
                arguments,
            });

        let atom = choice((
            select! { Token::Number(text) => Syntax::Number(text) }.labelled("a number"),
            shape.labelled("`shape(`"),
            call.labelled("a function such as `hcp(west)`"),
            word.map(Syntax::Name).labelled("a name"),
        ))
        .map_with(|it, extra| at(it, extra.span()))
        .or(expression
            .clone()
            .delimited_by(just(Token::Open), just(Token::Close)))
        .boxed();

        // C's precedence, which is dealer's: `not hcp(west) > 3` is `(not hcp(west)) > 3`.
        let unary = |token, operator: UnaryOperator| {
            prefix(7, just(token), move |_, operand, extra| {
                at(Syntax::Unary(operator, Box::new(operand)), extra.span())
            })
        };
        let infixed = |level, token, operator: BinaryOperator| {
            infix(left(level), just(token), move |l, _, r, extra| {
                binary(operator, l, r, extra.span())
            })
        };
        let operators = atom.pratt((
            unary(Token::Not, UnaryOperator::Not),
            unary(Token::Minus, UnaryOperator::Negate),
            infixed(6, Token::Times, BinaryOperator::Times),
            infixed(6, Token::Divide, BinaryOperator::Divide),
            infixed(6, Token::Remainder, BinaryOperator::Remainder),
            infixed(5, Token::Plus, BinaryOperator::Plus),
            infixed(5, Token::Minus, BinaryOperator::Minus),
            infixed(4, Token::Less, BinaryOperator::Less),
            infixed(4, Token::LessOrEqual, BinaryOperator::LessOrEqual),
            infixed(4, Token::Greater, BinaryOperator::Greater),
            infixed(4, Token::GreaterOrEqual, BinaryOperator::GreaterOrEqual),
            infixed(3, Token::Equal, BinaryOperator::Equal),
            infixed(3, Token::NotEqual, BinaryOperator::NotEqual),
            infixed(2, Token::And, BinaryOperator::And),
            infixed(1, Token::Or, BinaryOperator::Or),
        ));

        let branches = just(Token::Question)
            .ignore_then(expression.clone())
            .then_ignore(just(Token::Colon))
            .then(expression);
        operators
            .then(branches.or_not())
            .map_with(|(test, branches), extra| match branches {
                None => test,
                Some((yes, no)) => at(Syntax::Conditional(Box::new([test, yes, no])), extra.span()),
            })
            .boxed()
    })
}

fn program<'t, 'a: 't>(
    defined: &'t BTreeSet<&'a str>,
) -> impl Parser<'t, Tokens<'t, 'a>, Vec<Statement<'a>>, Failure<'t, 'a>> {
    let name = select! { Token::Word(text) => text };
    let definition = name
        .map_with(|text, extra| at(text, extra.span()))
        .then_ignore(just(Token::Define))
        .then(expression(defined))
        .map(|(name, value)| Statement::Definition { name, value });
    let condition = just(Token::Word("condition"))
        .or_not()
        .ignore_then(expression(defined))
        .map(Statement::Condition);
    choice((definition, condition))
        .repeated()
        .collect()
        .then_ignore(end())
}

pub(super) fn statements<'a>(
    source: &Source<'_>,
    tokens: &[(Token<'a>, Span)],
) -> Result<Vec<Statement<'a>>, ConditionError> {
    let spanned: Vec<(Token<'a>, SimpleSpan)> = tokens
        .iter()
        .map(|(token, span)| (*token, span.clone().into()))
        .collect();
    let defined: BTreeSet<&str> = tokens
        .windows(2)
        .filter_map(|pair| match [pair[0].0, pair[1].0] {
            [Token::Word(name), Token::Define] => Some(name),
            _ => None,
        })
        .collect();
    let end = source.text.trim_end().len();
    let input = spanned.as_slice().split_token_span((end..end).into());
    program(&defined)
        .parse(input)
        .into_result()
        .map_err(|errors| match errors.first() {
            Some(error) => explain(source, error),
            None => source.error(0..0, "the condition cannot be read", "here"),
        })
}

/// What may begin a value; together they are called just that.
const VALUES: [&str; 7] = [
    "`!`",
    "`(`",
    "`-`",
    "`shape(`",
    "a function such as `hcp(west)`",
    "a name",
    "a number",
];
/// What may follow a value; together they are called an operator.
const OPERATORS: [&str; 14] = [
    "`*`", "`/`", "`%`", "`<`", "`<=`", "`>`", "`>=`", "`==`", "`!=`", "`+`", "`-`", "`&&`",
    "`||`", "`?`",
];

fn explain(source: &Source<'_>, error: &Rich<'_, Token<'_>>) -> ConditionError {
    let RichReason::ExpectedFound { expected, found } = error.reason() else {
        return source.error(
            error.span().into_range(),
            "the condition cannot be read",
            "here",
        );
    };
    let mut wanted: Vec<String> = expected
        .iter()
        .filter_map(|pattern| match pattern {
            RichPattern::Token(token) => Some(format!("`{}`", **token)),
            RichPattern::Label(label) => Some(label.to_string()),
            RichPattern::Identifier(name) => Some(format!("`{name}`")),
            RichPattern::EndOfInput => Some("the end".to_owned()),
            _ => None,
        })
        .collect();
    wanted.sort();
    wanted.dedup();
    let together = [
        (&OPERATORS[..], "`*`", "an operator"),
        (
            &VALUES[..],
            "a number",
            "a value such as `hcp(west)` or `10`",
        ),
    ];
    for (members, sign, name) in together {
        if wanted.iter().any(|item| item == sign) {
            wanted.retain(|item| !members.contains(&item.as_str()));
            wanted.push(name.to_owned());
        }
    }
    let message = match found.as_deref() {
        Some(token) => format!("`{token}` is not expected here"),
        None => "the condition ends too early".to_owned(),
    };
    let label = format!("expected {}", alternatives(&wanted));
    let explained = source.error(error.span().into_range(), message, label);
    match found.as_deref() {
        Some(Token::Define) => {
            explained.with_help("`==` compares, `=` gives a name to what follows")
        }
        _ => explained,
    }
}

/// `a, b or c`.
fn alternatives(items: &[String]) -> String {
    match items {
        [] => "nothing more".to_owned(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
