//! Turns text into tokens. As in dealer, case matters; spaces, line ends and comments
//! (`#` and `//` to the end of the line, `/* */`) only separate tokens.

use std::fmt;

use chumsky::prelude::*;

use super::error::SourceText;
use super::{ConditionError, Span};

/// Maximum number of tokens, which bounds the depth of syntax and trees.
const MAX_TOKENS: usize = 20_000;
/// Maximum nesting depth of brackets and prefix operators together, and of `?:`.
const MAX_NESTING: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Digits, unchanged, since `0553` may be a shape; with a decimal point, or several.
    Number(&'a str),
    /// Letters, digits and underscores, at least one of them not a digit.
    Word(&'a str),
    /// Text between double quotes, of one or more lines.
    Text(&'a str),
    /// `\n`, the end of a line in `printes`.
    LineEnd,
    /// `shape{north, 5+M(xxx)}`, without `shape` and the braces.
    Distribution(&'a str),
    Shape,
    Any,
    And,
    Or,
    Not,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
    Question,
    Colon,
    Comma,
    Semicolon,
    Open,
    Close,
    Define,
    /// `&`, which is not an operator of the language.
    SingleAnd,
    /// `|`, which is not an operator of the language.
    SingleOr,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number(text) | Self::Word(text) => text,
            Self::Text(text) => return write!(f, "\"{text}\""),
            Self::Distribution(text) => return write!(f, "shape{{{text}}}"),
            Self::LineEnd => "\\n",
            Self::Shape => "shape",
            Self::Any => "any",
            Self::And => "&&",
            Self::Or => "||",
            Self::Not => "!",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Times => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Question => "?",
            Self::Colon => ":",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Open => "(",
            Self::Close => ")",
            Self::Define => "=",
            Self::SingleAnd => "&",
            Self::SingleOr => "|",
        })
    }
}

fn word_or_number(text: &str) -> Token<'_> {
    match text {
        "and" => Token::And,
        "or" => Token::Or,
        "not" => Token::Not,
        "shape" => Token::Shape,
        "any" => Token::Any,
        _ if text.bytes().all(|byte| byte.is_ascii_digit()) => Token::Number(text),
        _ => Token::Word(text),
    }
}

type TokenFailure<'a> = extra::Err<Rich<'a, char>>;

fn lexer<'a>() -> impl Parser<'a, &'a str, Vec<(Token<'a>, SimpleSpan)>, TokenFailure<'a>> {
    let word = any()
        .filter(|c: &char| c.is_ascii_alphanumeric() || *c == '_')
        .repeated()
        .at_least(1)
        .to_slice()
        .map(word_or_number);
    // Also with several points, which the checker refuses.
    let decimal = any()
        .filter(|c: &char| c.is_ascii_digit() || *c == '.')
        .repeated()
        .to_slice()
        .filter(|text: &&str| text.contains('.') && text.len() > text.matches('.').count())
        .map(Token::Number);
    let two = choice((
        just("&&").to(Token::And),
        just("||").to(Token::Or),
        just("==").to(Token::Equal),
        just("!=").to(Token::NotEqual),
        just("<=").to(Token::LessOrEqual),
        just(">=").to(Token::GreaterOrEqual),
    ));
    let one = choice((
        just('!').to(Token::Not),
        just('<').to(Token::Less),
        just('>').to(Token::Greater),
        just('+').to(Token::Plus),
        just('-').to(Token::Minus),
        just('*').to(Token::Times),
        // A comment that is never closed must not be read as a division.
        just('/').and_is(just("/*").not()).to(Token::Divide),
        just('%').to(Token::Remainder),
        just('?').to(Token::Question),
        just(':').to(Token::Colon),
        just(',').to(Token::Comma),
        just(';').to(Token::Semicolon),
        just('(').to(Token::Open),
        just(')').to(Token::Close),
        just('=').to(Token::Define),
        just('&').to(Token::SingleAnd),
        just('|').to(Token::SingleOr),
    ));

    let text = any()
        .and_is(just('"').not())
        .repeated()
        .to_slice()
        .delimited_by(just('"'), just('"'))
        .map(Token::Text);
    let line_end = just("\\n").to(Token::LineEnd);

    let to_line_end = any().and_is(just('\n').not()).repeated();
    let comment = choice((
        choice((just("#"), just("//"))).then(to_line_end).ignored(),
        just("/*")
            .then(any().and_is(just("*/").not()).repeated())
            .then(just("*/"))
            .ignored(),
    ));
    let space = any().filter(|c: &char| c.is_whitespace()).ignored();
    let distribution = just("shape")
        .then(space.repeated())
        .ignore_then(
            none_of("{}")
                .repeated()
                .to_slice()
                .delimited_by(just('{'), just('}')),
        )
        .map(Token::Distribution);
    let gap = choice((comment, space)).repeated();

    let token = choice((distribution, decimal, word, text, line_end, two, one))
        .map_with(|token, extra| (token, extra.span()))
        .then_ignore(gap);
    gap.ignore_then(token.repeated().collect())
        .then_ignore(end())
}

pub(super) fn tokens<'a>(
    source: &SourceText<'a>,
) -> Result<Vec<(Token<'a>, Span)>, ConditionError> {
    // An empty text, or one with comments only, is a script without statements.
    let padded = lexer().parse(source.text).into_result();
    let tokens = padded.map_err(|errors| {
        let span = errors
            .first()
            .map_or(0..0, |error| error.span().into_range());
        let rest = source.text.get(span.start..).unwrap_or_default();
        if let Some(comment) = unclosed_comment(source.text) {
            return source.error(
                comment..comment + 2,
                "this comment is not closed",
                "expected `*/` after this",
            );
        }
        if source.text.matches('"').count() % 2 == 1
            && let Some(open) = source.text.rfind('"')
        {
            return source.error(
                open..open + 1,
                "this string is not closed",
                "expected `\"` after this",
            );
        }
        if let Some(open) = source
            .text
            .rfind('{')
            .filter(|open| !source.text[*open..].contains('}'))
        {
            return source.error(
                open..open + 1,
                "this `{` is not closed",
                "expected `}` after this",
            );
        }
        let found = rest.chars().next().unwrap_or(' ');
        let label = match plain(found) {
            Some(plain) => format!("write `{plain}`"),
            None => "expected a name, a number, an operator or a bracket".to_owned(),
        };
        source.error(
            span.start..span.start + found.len_utf8(),
            format!("unexpected character `{}`", found.escape_debug()),
            label,
        )
    })?;
    let tokens: Vec<(Token<'a>, Span)> = tokens
        .into_iter()
        .map(|(token, span)| (token, span.into_range()))
        .collect();
    check_limits(source, &tokens)?;
    check_brackets(source, &tokens)?;
    check_comparisons(source, &tokens)?;
    Ok(tokens)
}

/// What stands in a script for a character of books and web pages.
fn plain(found: char) -> Option<&'static str> {
    Some(match found {
        '≥' => ">=",
        '≤' => "<=",
        '≠' => "!=",
        '×' => "*",
        '−' | '–' | '—' => "-",
        '“' | '”' | '„' => "\"",
        _ => return None,
    })
}

/// Rejects `=>` and `=<`.
fn check_comparisons(
    source: &SourceText<'_>,
    tokens: &[(Token<'_>, Span)],
) -> Result<(), ConditionError> {
    for pair in tokens.windows(2) {
        let [(Token::Define, start), (second, rest)] = pair else {
            continue;
        };
        let meant = match second {
            Token::Greater => ">=",
            Token::Less => "<=",
            _ => continue,
        };
        if start.end == rest.start {
            let message = format!("`={second}` is not an operator");
            let label = format!("write `{meant}`");
            return Err(source.error(start.start..rest.end, message, label));
        }
    }
    Ok(())
}

/// Rejects a bracket without a partner.
fn check_brackets(
    source: &SourceText<'_>,
    tokens: &[(Token<'_>, Span)],
) -> Result<(), ConditionError> {
    let mut open: Vec<&Span> = Vec::new();
    for (token, span) in tokens {
        match token {
            Token::Open => open.push(span),
            Token::Close if open.pop().is_none() => {
                let message = "this `)` has no opening bracket";
                return Err(source.error(span.clone(), message, "remove it, or add `(` before it"));
            }
            _ => {}
        }
    }
    match open.pop() {
        None => Ok(()),
        Some(span) => {
            let message = "this `(` has no closing bracket";
            Err(source.error(span.clone(), message, "add `)` after it"))
        }
    }
}

/// The start of an unclosed comment.
fn unclosed_comment(text: &str) -> Option<usize> {
    let start = text.rfind("/*")?;
    (!text[start + 2..].contains("*/")).then_some(start)
}

fn check_limits(
    source: &SourceText<'_>,
    tokens: &[(Token<'_>, Span)],
) -> Result<(), ConditionError> {
    if let Some((_, span)) = tokens.get(MAX_TOKENS) {
        return Err(source.error(
            span.clone(),
            format!("the condition has more than {MAX_TOKENS} words and symbols"),
            "the limit is here",
        ));
    }
    // Levels that each open bracket adds: its own and those of the prefixes before it.
    let mut brackets: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut prefixes = 0;
    let mut choices = 0;
    for (token, span) in tokens {
        match token {
            Token::Open => {
                brackets.push(prefixes + 1);
                depth += prefixes + 1;
            }
            Token::Close => depth -= brackets.pop().unwrap_or(0),
            Token::Question => choices += 1,
            Token::Define => choices = 0,
            _ => {}
        }
        match token {
            Token::Not | Token::Minus => prefixes += 1,
            _ => prefixes = 0,
        }
        if (depth + prefixes).max(choices) > MAX_NESTING {
            return Err(source.error(
                span.clone(),
                format!("the condition nests more than {MAX_NESTING} levels deep"),
                "name a part of it: `name = expression`",
            ));
        }
    }
    Ok(())
}
