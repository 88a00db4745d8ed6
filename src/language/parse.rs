//! Turns tokens into syntax; names and arguments are checked later.

use std::collections::BTreeSet;

use chumsky::error::{RichPattern, RichReason};
use chumsky::input::{Input as _, MappedInput};
use chumsky::pratt::{infix, left, prefix};
use chumsky::prelude::*;

use super::error::SourceText;
use super::names::{
    ACTIONS, STATEMENTS, UNSUPPORTED_ACTIONS, is_keyword, is_statement, nearest_action, suit_named,
};
use super::operators::{BinaryOperator, UnaryOperator};
use super::token::Token;
use super::{ConditionError, Span};
use crate::bridge::Seat;

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

/// One term of a list such as `any 4333 + 54xx - any 0xxx`.
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
    /// `generate 1000`
    Generate(Located<&'a str>),
    /// `produce 40`
    Produce(Located<&'a str>),
    /// `dealer west`
    Dealer(Located<&'a str>),
    /// `vulnerable NS`
    Vulnerable(Located<&'a str>),
    /// `predeal north SAK, H2 spades(south) == 3`
    Predeal(Vec<PredealItem<'a>>),
    /// `pointcount 4 3 2 1`, or `altcount 9 6 4 2 1`, where the first number names the count.
    Counts {
        number: Option<Located<&'a str>>,
        values: Vec<Located<(bool, &'a str)>>,
    },
    /// `action printall, average "points" hcp(north)`
    Action(Located<Vec<ActionSyntax<'a>>>),
}

/// A hand's cards or a suit length that `predeal` fixes.
#[derive(Clone, Debug)]
pub(super) enum PredealItem<'a> {
    /// `north SAK, H2`
    Cards {
        seat: Located<&'a str>,
        holdings: Vec<Located<&'a str>>,
    },
    /// `spades(south) == 3`
    Length {
        suit: Located<&'a str>,
        seat: Located<&'a str>,
        length: Located<&'a str>,
    },
}

/// An action on the deals.
#[derive(Clone, Debug)]
pub(super) enum ActionSyntax<'a> {
    PrintAll,
    PrintEw,
    PrintPbn,
    PrintCompact(Option<Located<Syntax<'a>>>),
    PrintOneline(Option<Located<Syntax<'a>>>),
    Print(Vec<Located<&'a str>>),
    PrintEs(Vec<PieceSyntax<'a>>),
    Average {
        label: Option<&'a str>,
        value: Located<Syntax<'a>>,
    },
    Frequency {
        label: Option<&'a str>,
        /// One or two.
        axes: Vec<AxisSyntax<'a>>,
    },
}

/// An expression and the bounds of its cells.
#[derive(Clone, Debug)]
pub(super) struct AxisSyntax<'a> {
    pub(super) value: Located<Syntax<'a>>,
    pub(super) bounds: [Located<(bool, &'a str)>; 2],
}

/// A piece of the output of `printes`.
#[derive(Clone, Debug)]
pub(super) enum PieceSyntax<'a> {
    Text(&'a str),
    LineEnd,
    Value(Located<Syntax<'a>>),
}

type Tokens<'t, 'a> = MappedInput<'t, Token<'a>, SimpleSpan, &'t [(Token<'a>, SimpleSpan)]>;
type ParseFailure<'t, 'a> = extra::Err<Rich<'t, Token<'a>>>;

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

/// `shape(west, any 4333 + 54xx)`.
fn shape<'t, 'a: 't>(
    expression: impl Parser<'t, Tokens<'t, 'a>, Located<Syntax<'a>>, ParseFailure<'t, 'a>> + Clone,
) -> impl Parser<'t, Tokens<'t, 'a>, Syntax<'a>, ParseFailure<'t, 'a>> + Clone {
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
    just(Token::Shape)
        .ignore_then(just(Token::Open))
        .ignore_then(expression)
        .then_ignore(just(Token::Comma))
        .then(terms)
        .then_ignore(just(Token::Close))
        .map(|(seat, terms)| Syntax::Shape {
            seat: Box::new(seat),
            terms,
        })
}

/// Operators and their operands, without `? :`.
fn operators<'t, 'a: 't>(
    atom: impl Parser<'t, Tokens<'t, 'a>, Located<Syntax<'a>>, ParseFailure<'t, 'a>> + Clone,
) -> impl Parser<'t, Tokens<'t, 'a>, Located<Syntax<'a>>, ParseFailure<'t, 'a>> + Clone {
    // The precedence of C and dealer: `not hcp(west) > 3` is `(not hcp(west)) > 3`.
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
    atom.pratt((
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
    ))
}

/// Parses an expression; a word among `defined` is a name even before a bracket.
fn expression<'t, 'a: 't>(
    defined: &'t BTreeSet<&'a str>,
) -> impl Parser<'t, Tokens<'t, 'a>, Located<Syntax<'a>>, ParseFailure<'t, 'a>> + Clone {
    recursive(|expression| {
        let shape = shape(expression.clone());

        // Words that begin a statement or an action are not values, so that the next statement is
        // recognised.
        let word = select! { Token::Word(text) if !is_keyword(text) => text };
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

        let operators = operators(atom);
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

/// Parses a word.
fn word<'t, 'a: 't>()
-> impl Parser<'t, Tokens<'t, 'a>, Located<&'a str>, ParseFailure<'t, 'a>> + Copy {
    select! { Token::Word(text) => text }.map_with(|text, extra| at(text, extra.span()))
}

/// Parses a number, as it is written.
fn number<'t, 'a: 't>()
-> impl Parser<'t, Tokens<'t, 'a>, Located<&'a str>, ParseFailure<'t, 'a>> + Copy {
    select! { Token::Number(text) => text }.map_with(|text, extra| at(text, extra.span()))
}

fn program<'t, 'a: 't>(
    defined: &'t BTreeSet<&'a str>,
) -> impl Parser<'t, Tokens<'t, 'a>, Vec<Statement<'a>>, ParseFailure<'t, 'a>> {
    let word = word().labelled("a name");
    let number = number().labelled("a number");
    let definition = word
        .then_ignore(just(Token::Define))
        .then(expression(defined))
        .map(|(name, value)| Statement::Definition { name, value });
    let keyword = |text| just(Token::Word(text));
    let condition = keyword("condition")
        .or_not()
        .ignore_then(expression(defined))
        .map(Statement::Condition);
    choice((
        definition,
        keyword("generate")
            .ignore_then(number)
            .map(Statement::Generate),
        keyword("produce")
            .ignore_then(number)
            .map(Statement::Produce),
        keyword("dealer").ignore_then(word).map(Statement::Dealer),
        keyword("vulnerable")
            .ignore_then(word)
            .map(Statement::Vulnerable),
        predeal(),
        counts(),
        keyword("action")
            .ignore_then(actions(defined))
            .map_with(|list, extra| Statement::Action(at(list, extra.span()))),
        condition,
    ))
    .repeated()
    .collect()
    .then_ignore(end())
}

/// Parses `predeal north SAK, H2 spades(south) == 3`.
fn predeal<'t, 'a: 't>() -> impl Parser<'t, Tokens<'t, 'a>, Statement<'a>, ParseFailure<'t, 'a>> {
    let of = |what: &'static str, wanted: fn(&str) -> bool| {
        select! { Token::Word(text) if wanted(text) => text }
            .map_with(|text, extra| at(text, extra.span()))
            .labelled(what)
    };
    let seat = || of("a seat", |text| Seat::from_name(text).is_some());
    let suit = of("a suit", |text| suit_named(text).is_some());
    let holding = of("a holding such as `north S2`", |text| {
        text.starts_with(['S', 'H', 'D', 'C'])
    });
    let cards = seat()
        .then(
            holding
                .separated_by(just(Token::Comma))
                .at_least(1)
                .collect(),
        )
        .map(|(seat, holdings)| PredealItem::Cards { seat, holdings });
    let lengths = suit
        .then(seat().delimited_by(just(Token::Open), just(Token::Close)))
        .then_ignore(just(Token::Equal))
        .then(number())
        .map(|((suit, seat), length)| PredealItem::Length { suit, seat, length });
    just(Token::Word("predeal"))
        .ignore_then(choice((cards, lengths)).repeated().at_least(1).collect())
        .map(Statement::Predeal)
}

/// Parses a number with an optional minus.
fn signed<'t, 'a: 't>()
-> impl Parser<'t, Tokens<'t, 'a>, Located<(bool, &'a str)>, ParseFailure<'t, 'a>> + Clone {
    just(Token::Minus)
        .or_not()
        .then(select! { Token::Number(text) => text })
        .map_with(|(minus, digits), extra| at((minus.is_some(), digits), extra.span()))
        .labelled("a number")
}

/// Parses `pointcount 4 3 2 1` and `altcount 9 6 4 2 1`.
fn counts<'t, 'a: 't>() -> impl Parser<'t, Tokens<'t, 'a>, Statement<'a>, ParseFailure<'t, 'a>> {
    let number = number().labelled("a count number, 0 to 9");
    let numbered = just(Token::Word("altcount")).ignore_then(number).map(Some);
    just(Token::Word("pointcount"))
        .to(None)
        .or(numbered)
        .then(signed().repeated().collect())
        .map(|(number, values)| Statement::Counts { number, values })
}

/// Parses actions separated by commas; as in dealer, the list may be empty or end with a comma.
fn actions<'t, 'a: 't>(
    defined: &'t BTreeSet<&'a str>,
) -> impl Parser<'t, Tokens<'t, 'a>, Vec<ActionSyntax<'a>>, ParseFailure<'t, 'a>> {
    let keyword = |text| just(Token::Word(text));
    let expression = expression(defined).boxed();
    let bracketed = expression
        .clone()
        .delimited_by(just(Token::Open), just(Token::Close))
        .or_not();
    let seat = word().labelled("a seat");
    let seats = seat
        .separated_by(just(Token::Comma))
        .at_least(1)
        .collect()
        .delimited_by(just(Token::Open), just(Token::Close));
    let text = select! { Token::Text(text) => text }.labelled("a string in quotes");

    let piece = choice((
        text.map(PieceSyntax::Text),
        just(Token::LineEnd).to(PieceSyntax::LineEnd),
        expression.clone().map(PieceSyntax::Value),
    ));
    let pieces = piece.separated_by(just(Token::Comma)).at_least(1).collect();
    let pieces = pieces
        .clone()
        .delimited_by(just(Token::Open), just(Token::Close))
        .or(pieces);

    let bound = just(Token::Comma).ignore_then(signed());
    let axis = expression
        .clone()
        .then(bound.clone())
        .then(bound)
        .map(|((value, low), high)| AxisSyntax {
            value,
            bounds: [low, high],
        });
    let axes = axis
        .separated_by(just(Token::Comma))
        .at_least(1)
        .at_most(2)
        .collect()
        .delimited_by(just(Token::Open), just(Token::Close));

    let action = choice((
        keyword("printall").to(ActionSyntax::PrintAll),
        keyword("printew").to(ActionSyntax::PrintEw),
        keyword("printpbn").to(ActionSyntax::PrintPbn),
        keyword("printcompact")
            .ignore_then(bracketed.clone())
            .map(ActionSyntax::PrintCompact),
        keyword("printoneline")
            .ignore_then(bracketed)
            .map(ActionSyntax::PrintOneline),
        keyword("printes")
            .ignore_then(pieces)
            .map(ActionSyntax::PrintEs),
        keyword("print").ignore_then(seats).map(ActionSyntax::Print),
        keyword("average")
            .ignore_then(text.or_not())
            .then(expression)
            .map(|(label, value)| ActionSyntax::Average { label, value }),
        keyword("frequency")
            .ignore_then(text.or_not())
            .then(axes)
            .map(|(label, axes)| ActionSyntax::Frequency { label, axes }),
    ))
    .labelled("an action such as `printall`");
    action
        .separated_by(just(Token::Comma))
        .allow_trailing()
        .collect()
}

pub(super) fn statements<'a>(
    source: &SourceText<'_>,
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
    check_actions(source, tokens, &defined)?;
    let end = source.text.trim_end().len();
    let input = spanned.as_slice().split_token_span((end..end).into());
    let statements = program(&defined)
        .parse(input)
        .into_result()
        .map_err(|errors| match errors.first() {
            Some(error) => explain(source, error),
            None => source.error(0..0, "the condition cannot be read", ""),
        })?;
    check_operators(source, &statements)?;
    Ok(statements)
}

/// Tokens that begin a value; if all are expected, the message says `a value`.
const VALUES: [&str; 7] = [
    "`!`",
    "`(`",
    "`-`",
    "`shape(`",
    "a function such as `hcp(west)`",
    "a name",
    "a number",
];
/// Tokens that follow a value; if all are expected, the message says `an operator`.
const OPERATORS: [&str; 14] = [
    "`*`", "`/`", "`%`", "`<`", "`<=`", "`>`", "`>=`", "`==`", "`!=`", "`+`", "`-`", "`&&`",
    "`||`", "`?`",
];

/// The error of the parser: the expected tokens and the one found.
fn explain(source: &SourceText<'_>, error: &Rich<'_, Token<'_>>) -> ConditionError {
    let RichReason::ExpectedFound { expected, found } = error.reason() else {
        let span = error.span().into_range();
        return source.error(span, "the condition cannot be read", "");
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
    let allows = |sign: &str| wanted.iter().any(|item| item == sign);
    let (operator, value) = (allows("`*`"), allows("a name") && allows("a number"));
    let statement = allows(&format!("`{}`", STATEMENTS[0]));
    let is_statement = |item: &str| {
        let mut statements = STATEMENTS.into_iter();
        statements.any(|word| item == format!("`{word}`"))
    };
    let kinds = [
        (operator, "an operator"),
        // Between statements, a missing operator is more likely than a missing statement.
        (value && !operator, "a value such as `hcp(west)` or `10`"),
        (statement && !operator, "a statement such as `produce 10`"),
    ];
    let is_alone = wanted.len() == 1;
    wanted.retain(|item| {
        // `=` is expected after any word, which may be the name of a definition.
        let is_definition = item == "`=`" && !is_alone;
        let is_of_operators = operator && OPERATORS.contains(&item.as_str());
        let is_of_values = value && VALUES.contains(&item.as_str());
        let is_of_statements = statement && (is_statement(item) || item == "the end");
        !is_definition && !is_of_operators && !is_of_values && !is_of_statements
    });
    wanted.extend(
        kinds
            .iter()
            .filter(|(is_kind, _)| *is_kind)
            .map(|(_, name)| (*name).to_owned()),
    );
    let span = error.span().into_range();
    let (meant, help) = match found.as_deref() {
        Some(Token::Define) => ("==", Some("`==` compares; `name = value` defines a name")),
        Some(Token::SingleAnd) => ("&&", None),
        Some(Token::SingleOr) => ("||", None),
        _ => ("", None),
    };
    let wanted = match meant {
        _ if meant.is_empty() || !operator => alternatives(&wanted),
        meant => format!("`{meant}`"),
    };
    let found = match found.as_deref() {
        None => "the end".to_owned(),
        Some(Token::Text(_)) => "a string in quotes".to_owned(),
        Some(_) => {
            let found = source.text.get(span.clone()).unwrap_or_default();
            format!("`{found}`")
        }
    };
    let error = source.error(span, format!("expected {wanted} (found {found})"), "");
    match help.filter(|_| operator) {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// Rejects `hcp(west) ! 20`, which would be a condition and then another one, `!20`.
fn check_operators(
    source: &SourceText<'_>,
    statements: &[Statement<'_>],
) -> Result<(), ConditionError> {
    for pair in statements.windows(2) {
        let (before, is_definition) = match &pair[0] {
            Statement::Condition(value) => (&value.span, false),
            Statement::Definition { value, .. } => (&value.span, true),
            _ => continue,
        };
        let Statement::Condition(after) = &pair[1] else {
            continue;
        };
        let text = |span: Span| source.text.get(span).unwrap_or_default();
        let between = text(before.end..after.span.start);
        let is_same_line = between.chars().all(|c| matches!(c, ' ' | '\t' | ')'));
        // A condition may follow a definition, but not a number.
        let rest = text(after.span.start + 1..after.span.end).trim_start();
        let is_meant = is_definition && !rest.starts_with(|c: char| c.is_ascii_digit());
        let place = after.span.start..after.span.start + 1;
        if is_same_line && !is_meant && text(place.clone()) == "!" {
            let error = source.error(place, "expected an operator (found `!`)", "");
            return Err(error.with_help("did you mean `!=`?"));
        }
    }
    Ok(())
}

/// Rejects unknown actions, and those of other versions of dealer, by their names.
fn check_actions(
    source: &SourceText<'_>,
    tokens: &[(Token<'_>, Span)],
    defined: &BTreeSet<&str>,
) -> Result<(), ConditionError> {
    let (mut is_action, mut depth) = (false, 0_usize);
    let mut before = Token::Comma;
    for (token, span) in tokens {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word("action") => is_action = true,
            Token::Word(word) if is_statement(word) => is_action = false,
            Token::Word(word) if is_action && depth == 0 && !defined.contains(word) => {
                let begins = matches!(before, Token::Comma | Token::Word("action"));
                if begins && UNSUPPORTED_ACTIONS.contains(word) {
                    let message = format!("the action `{word}` is not supported");
                    let label = format!("fairdeal has {}", ACTIONS.join(", "));
                    return Err(source.error(span.clone(), message, label));
                }
                if let Some(near) = nearest_action(word).filter(|_| begins) {
                    let error = source.error(span.clone(), format!("unknown action `{word}`"), "");
                    return Err(error.with_help(format!("did you mean `{near}`?")));
                }
            }
            _ => {}
        }
        before = *token;
    }
    Ok(())
}

/// The list `a, b or c`.
fn alternatives(items: &[String]) -> String {
    match items {
        [] => "nothing more".to_owned(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
