//! Turns tokens into syntax; names and arguments are checked later.

use std::collections::BTreeSet;
use std::ops::Index;

use chumsky::error::{RichPattern, RichReason};
use chumsky::extra::SimpleState;
use chumsky::input::{Input as _, MapExtra, MappedInput};
use chumsky::pratt::{infix, left, prefix};
use chumsky::prelude::*;

use super::detect::is_seat_letter;
use super::dialect::{Dialect, Role, words_of};
use super::error::SourceText;
use super::names::{is_keyword, is_statement, nearest_action, suit_named};
use super::operators::{BinaryOperator, UNARY_PRECEDENCE, UnaryOperator};
use super::token::Token;
use super::{ConditionError, Span};
use crate::bridge::Seat;

/// A piece of syntax and its place.
#[derive(Clone, Debug)]
pub(super) struct Located<T> {
    pub(super) it: T,
    pub(super) span: Span,
}

/// The number of an expression in its arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct SyntaxId(u32);

/// The syntax of all expressions of a script, each after its parts.
#[derive(Debug, Default)]
pub(super) struct SyntaxTree<'a>(Vec<Located<Syntax<'a>>>);

impl<'a> Index<SyntaxId> for SyntaxTree<'a> {
    type Output = Located<Syntax<'a>>;

    fn index(&self, id: SyntaxId) -> &Self::Output {
        &self.0[id.0 as usize]
    }
}

#[derive(Clone, Debug)]
pub(super) enum Syntax<'a> {
    Number(&'a str),
    Name(&'a str),
    Call {
        function: Located<&'a str>,
        arguments: Vec<SyntaxId>,
    },
    Shape {
        seat: SyntaxId,
        terms: Vec<ShapeTerm<'a>>,
    },
    /// `shape{north, 5+M(xxx)}`, by the text within the braces.
    Distribution(&'a str),
    Unary(UnaryOperator, SyntaxId),
    Binary(BinaryOperator, [SyntaxId; 2]),
    Conditional([SyntaxId; 3]),
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
        value: SyntaxId,
    },
    Condition(SyntaxId),
    /// `generate 1000`
    Generate(Located<&'a str>),
    /// `produce 40`
    Produce(Located<&'a str>),
    /// `title "Weak notrump"`
    Title(&'a str),
    /// `seed 42`
    Seed(Located<&'a str>),
    /// `startboard 9`
    StartBoard(Located<&'a str>),
    /// `opener west`
    Opener(Located<&'a str>),
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
    /// An action without `action`, in dealer3: `average "points" hcp(north)`
    LooseAction(ActionSyntax<'a>),
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
    PrintNs,
    PrintPbn,
    /// `printside(NS)`
    PrintSide(Located<&'a str>),
    /// `export(NS)` or `export(west)`
    Export(Located<&'a str>),
    /// `printrpt` and `csvrpt`
    Report {
        is_csv: bool,
        items: Vec<ItemSyntax<'a>>,
    },
    PrintCompact(Option<SyntaxId>),
    PrintOneline(Option<SyntaxId>),
    Print(Vec<Located<&'a str>>),
    PrintEs(Vec<PieceSyntax<'a>>),
    Average {
        label: Option<&'a str>,
        value: SyntaxId,
    },
    Frequency {
        label: Option<&'a str>,
        /// One or two.
        axes: Vec<AxisSyntax<'a>>,
    },
    /// `evalcontract(NS, z4S, vul)`
    EvalContract(Located<Vec<SyntaxId>>),
}

/// An expression and the bounds of its cells.
#[derive(Clone, Debug)]
pub(super) struct AxisSyntax<'a> {
    pub(super) value: SyntaxId,
    pub(super) bounds: [Located<(bool, &'a str)>; 2],
    /// Width of the cells, in `bktfreq`.
    pub(super) width: Option<Located<(bool, &'a str)>>,
}

/// An item of `printrpt` and `csvrpt`.
#[derive(Clone, Debug)]
pub(super) enum ItemSyntax<'a> {
    /// `north`, `NS` or `deal`
    Hands(Located<&'a str>),
    Text(&'a str),
    /// `rnd(0)`, the number of the deal
    DealNumber,
    /// `trix(deal)` or `trix(west)`
    Tricks(Located<&'a str>),
    /// `parcontract` or `parcontract(ew)`
    ParContract {
        word: Located<()>,
        vulnerable: Option<Located<&'a str>>,
    },
    Value(SyntaxId),
}

/// A piece of the output of `printes`.
#[derive(Clone, Debug)]
pub(super) enum PieceSyntax<'a> {
    Text(&'a str),
    LineEnd,
    Value(SyntaxId),
}

type Tokens<'a> = MappedInput<'a, Token<'a>, Span, &'a [(Token<'a>, Span)]>;
type ParseFailure<'a> = extra::Full<Rich<'a, Token<'a>, Span>, SimpleState<SyntaxTree<'a>>, ()>;
type Parsed<'a, 'p> = MapExtra<'a, 'p, Tokens<'a>, ParseFailure<'a>>;

/// The context in which a script is parsed.
#[derive(Clone, Copy)]
struct Context<'a> {
    /// The names that the script defines; words of dealer's successors may be among them.
    defined: &'a BTreeSet<&'a str>,
    dialect: Dialect,
}

fn at<T>(it: T, span: Span) -> Located<T> {
    Located { it, span }
}

/// Adds the syntax that has just been parsed.
fn add<'a>(it: Syntax<'a>, parsed: &mut Parsed<'a, '_>) -> SyntaxId {
    let located = at(it, parsed.span());
    let tree = parsed.state();
    tree.0.0.push(located);
    SyntaxId(tree.0.0.len() as u32 - 1)
}

/// `shape(west, any 4333 + 54xx)`.
fn shape<'a>(
    expression: impl Parser<'a, Tokens<'a>, SyntaxId, ParseFailure<'a>> + Clone,
) -> impl Parser<'a, Tokens<'a>, Syntax<'a>, ParseFailure<'a>> + Clone {
    let digits = select! { Token::Number(text) => text, Token::Word(text) => text }
        .map_with(|text, extra| at(text, extra.span()))
        .labelled("four suit lengths such as `5431` or `54xx`");
    let term = just(Token::Any).or_not().then(digits);
    // dealer also joins shapes without a sign.
    let sign = select! { Token::Plus => true, Token::Comma => true, Token::Minus => false }
        .labelled("`+` or `-`")
        .or_not()
        .map(|sign| sign.unwrap_or(true));
    let shape_term = |add: bool, (any, digits): (Option<Token<'a>>, Located<&'a str>)| {
        let any = any.is_some();
        ShapeTerm { add, any, digits }
    };
    let terms = sign
        .then(term)
        .map(move |(add, term)| shape_term(add, term))
        .repeated()
        .at_least(1)
        .collect();
    just(Token::Shape)
        .ignore_then(just(Token::Open))
        .ignore_then(expression)
        .then_ignore(just(Token::Comma))
        .then(terms)
        .then_ignore(just(Token::Close))
        .map(|(seat, terms)| Syntax::Shape { seat, terms })
}

/// Operators and their operands, without `? :`.
fn operators<'a>(
    atom: impl Parser<'a, Tokens<'a>, SyntaxId, ParseFailure<'a>> + Clone,
    dialect: Dialect,
) -> impl Parser<'a, Tokens<'a>, SyntaxId, ParseFailure<'a>> + Clone {
    // The precedence of C and dealer: `not hcp(west) > 3` is `(not hcp(west)) > 3`.
    let unary = |token, operator: UnaryOperator| {
        prefix(UNARY_PRECEDENCE, just(token), move |_, operand, extra| {
            add(Syntax::Unary(operator, operand), extra)
        })
    };
    let infixed = |token, operator: BinaryOperator| {
        let level = left(operator.precedence(dialect));
        infix(level, just(token), move |l, _, r, extra| {
            add(Syntax::Binary(operator, [l, r]), extra)
        })
    };
    atom.pratt((
        unary(Token::Not, UnaryOperator::Not),
        unary(Token::Minus, UnaryOperator::Negate),
        infixed(Token::Times, BinaryOperator::Times),
        infixed(Token::Divide, BinaryOperator::Divide),
        infixed(Token::Remainder, BinaryOperator::Remainder),
        infixed(Token::Plus, BinaryOperator::Plus),
        infixed(Token::Minus, BinaryOperator::Minus),
        infixed(Token::Less, BinaryOperator::Less),
        infixed(Token::LessOrEqual, BinaryOperator::LessOrEqual),
        infixed(Token::Greater, BinaryOperator::Greater),
        infixed(Token::GreaterOrEqual, BinaryOperator::GreaterOrEqual),
        infixed(Token::Equal, BinaryOperator::Equal),
        infixed(Token::NotEqual, BinaryOperator::NotEqual),
        infixed(Token::And, BinaryOperator::And),
        infixed(Token::Or, BinaryOperator::Or),
    ))
}

/// Parses an expression; a defined word is a name even before a bracket.
fn expression<'a>(
    context: Context<'a>,
) -> impl Parser<'a, Tokens<'a>, SyntaxId, ParseFailure<'a>> + Clone {
    let Context { defined, dialect } = context;
    recursive(move |expression| {
        let shape = shape(expression.clone());

        // Words that begin a statement or an action are not values, so that the next statement is
        // recognised.
        let word = select! { Token::Word(text) if !is_keyword(text, defined) => text };
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
            select! { Token::Distribution(text) => Syntax::Distribution(text) }
                .labelled("`shape{`"),
            call.labelled("a function such as `hcp(west)`"),
            word.map(Syntax::Name).labelled("a name"),
        ))
        .map_with(add)
        .or(expression
            .clone()
            .delimited_by(just(Token::Open), just(Token::Close)))
        .boxed();

        let operators = operators(atom, dialect);
        let branches = just(Token::Question)
            .ignore_then(expression.clone())
            .then_ignore(just(Token::Colon))
            .then(expression);
        operators
            .then(branches.or_not())
            .map_with(|(test, branches), extra| match branches {
                None => test,
                Some((yes, no)) => add(Syntax::Conditional([test, yes, no]), extra),
            })
            .boxed()
    })
}

/// Parses a word.
fn word<'a>() -> impl Parser<'a, Tokens<'a>, Located<&'a str>, ParseFailure<'a>> + Copy {
    select! { Token::Word(text) => text }.map_with(|text, extra| at(text, extra.span()))
}

/// Parses a number, as it is written.
fn number<'a>() -> impl Parser<'a, Tokens<'a>, Located<&'a str>, ParseFailure<'a>> + Copy {
    select! { Token::Number(text) => text }.map_with(|text, extra| at(text, extra.span()))
}

fn program<'a>(
    context: Context<'a>,
) -> impl Parser<'a, Tokens<'a>, Vec<Statement<'a>>, ParseFailure<'a>> {
    let defined = context.defined;
    let word = word().labelled("a name");
    let number = number().labelled("a number");
    let definition = word
        .then_ignore(just(Token::Define))
        .then(expression(context))
        .map(|(name, value)| Statement::Definition { name, value });
    let keyword = move |text: &'static str| {
        just(Token::Word(text)).filter(move |_| is_keyword(text, defined))
    };
    let condition = keyword("condition")
        .or_not()
        .ignore_then(expression(context))
        .map(Statement::Condition);
    let numbered = |text, make: fn(Located<&'a str>) -> Statement<'a>| {
        keyword(text).ignore_then(number).map(make)
    };
    let named = |text, make: fn(Located<&'a str>) -> Statement<'a>| {
        keyword(text).ignore_then(word).map(make)
    };
    let action = action(context).boxed();
    let list = action
        .clone()
        .separated_by(just(Token::Comma))
        .allow_trailing()
        .collect();
    choice((
        definition,
        numbered("generate", Statement::Generate),
        numbered("produce", Statement::Produce),
        numbered("seed", Statement::Seed),
        numbered("startboard", Statement::StartBoard),
        named("dealer", Statement::Dealer),
        named("vulnerable", Statement::Vulnerable),
        named("opener", Statement::Opener),
        keyword("title").ignore_then(text()).map(Statement::Title),
        predeal(),
        counts(),
        // As in dealer, the list may be empty or end with a comma.
        keyword("action")
            .ignore_then(list)
            .map_with(|list, extra| Statement::Action(at(list, extra.span()))),
        action.map(Statement::LooseAction),
        condition,
    ))
    .then_ignore(just(Token::Semicolon).repeated())
    .repeated()
    .collect()
    .then_ignore(end())
}

/// Parses `predeal north SAK, H2 spades(south) == 3`.
fn predeal<'a>() -> impl Parser<'a, Tokens<'a>, Statement<'a>, ParseFailure<'a>> {
    let of = |what: &'static str, wanted: fn(&str) -> bool| {
        select! { Token::Word(text) if wanted(text) => text }
            .map_with(|text, extra| at(text, extra.span()))
            .labelled(what)
    };
    let seat = || of("a seat", |text| seat_named(text).is_some());
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

/// Parses a string in quotes.
fn text<'a>() -> impl Parser<'a, Tokens<'a>, &'a str, ParseFailure<'a>> + Copy {
    select! { Token::Text(text) => text }.labelled("a string in quotes")
}

/// Parses a number with an optional minus.
fn signed<'a>() -> impl Parser<'a, Tokens<'a>, Located<(bool, &'a str)>, ParseFailure<'a>> + Clone {
    just(Token::Minus)
        .or_not()
        .then(select! { Token::Number(text) => text })
        .map_with(|(minus, digits), extra| at((minus.is_some(), digits), extra.span()))
        .labelled("a number")
}

/// Parses `pointcount 4 3 2 1` and `altcount 9 6 4 2 1`.
fn counts<'a>() -> impl Parser<'a, Tokens<'a>, Statement<'a>, ParseFailure<'a>> {
    let number = number().labelled("a count number, 0 to 9");
    let numbered = just(Token::Word("altcount")).ignore_then(number).map(Some);
    just(Token::Word("pointcount"))
        .to(None)
        .or(numbered)
        .then(signed().repeated().collect())
        .map(|(number, values)| Statement::Counts { number, values })
}

/// Parses items of `printrpt` and `csvrpt`, in brackets.
fn items<'a>(
    context: Context<'a>,
) -> impl Parser<'a, Tokens<'a>, Vec<ItemSyntax<'a>>, ParseFailure<'a>> + Clone {
    let defined = context.defined;
    let hands = select! {
        Token::Word(text) if !defined.contains(text) && seats_named(text).is_some() => text
    };
    let deal_number = just(Token::Word("rnd"))
        .then(just(Token::Open))
        .then(just(Token::Number("0")))
        .then(just(Token::Close))
        .to(ItemSyntax::DealNumber);
    let own =
        move |text: &'static str| just(Token::Word(text)).filter(move |_| !defined.contains(text));
    let argument = word()
        .labelled("an argument")
        .delimited_by(just(Token::Open), just(Token::Close));
    let tricks = own("trix").ignore_then(argument).map(ItemSyntax::Tricks);
    let par = own("parcontract")
        .map_with(|_, extra| at((), extra.span()))
        .then(argument.or_not())
        .map(|(word, vulnerable)| ItemSyntax::ParContract { word, vulnerable });
    let item = choice((
        text().map(ItemSyntax::Text),
        deal_number,
        tricks,
        par,
        hands
            .map_with(|text, extra| at(text, extra.span()))
            .map(ItemSyntax::Hands)
            .labelled("`deal`, a side or a seat"),
        expression(context).map(ItemSyntax::Value),
    ));
    item.separated_by(just(Token::Comma))
        .at_least(1)
        .collect()
        .delimited_by(just(Token::Open), just(Token::Close))
}

/// Parses the axes of a frequency, in brackets; `bktfreq` adds the width of its cells.
fn axes<'a>(
    context: Context<'a>,
    has_width: bool,
) -> impl Parser<'a, Tokens<'a>, Vec<AxisSyntax<'a>>, ParseFailure<'a>> + Clone {
    let bound = || just(Token::Comma).ignore_then(signed());
    let width = match has_width {
        true => bound().map(Some).boxed(),
        false => empty().to(None).boxed(),
    };
    let axis = expression(context)
        .then(bound())
        .then(bound())
        .then(width)
        .map(|(((value, low), high), width)| AxisSyntax {
            value,
            bounds: [low, high],
            width,
        });
    axis.separated_by(just(Token::Comma))
        .at_least(1)
        .at_most(2)
        .collect()
        .delimited_by(just(Token::Open), just(Token::Close))
}

/// Parses what `printes` prints, with or without brackets.
fn pieces<'a>(
    context: Context<'a>,
) -> impl Parser<'a, Tokens<'a>, Vec<PieceSyntax<'a>>, ParseFailure<'a>> {
    let piece = choice((
        text().map(PieceSyntax::Text),
        just(Token::LineEnd).to(PieceSyntax::LineEnd),
        expression(context).map(PieceSyntax::Value),
    ));
    let pieces = piece.separated_by(just(Token::Comma)).at_least(1).collect();
    pieces
        .clone()
        .delimited_by(just(Token::Open), just(Token::Close))
        .or(pieces)
}

/// Parses an action.
fn action<'a>(
    context: Context<'a>,
) -> impl Parser<'a, Tokens<'a>, ActionSyntax<'a>, ParseFailure<'a>> {
    let defined = context.defined;
    let keyword = move |text: &'static str| {
        just(Token::Word(text)).filter(move |_| is_keyword(text, defined))
    };
    let expression = expression(context).boxed();
    let bracketed = expression
        .clone()
        .delimited_by(just(Token::Open), just(Token::Close))
        .or_not();
    let arguments = expression
        .clone()
        .separated_by(just(Token::Comma))
        .collect()
        .delimited_by(just(Token::Open), just(Token::Close));
    let seat = word().labelled("a seat");
    let seats = seat
        .separated_by(just(Token::Comma))
        .at_least(1)
        .collect()
        .delimited_by(just(Token::Open), just(Token::Close));
    let hands = word()
        .labelled("a side or a seat")
        .delimited_by(just(Token::Open), just(Token::Close));

    let report = |text, is_csv| {
        let items = keyword(text).ignore_then(items(context));
        items.map(move |items| ActionSyntax::Report { is_csv, items })
    };
    let frequency = |word, has_width| {
        keyword(word)
            .ignore_then(text().or_not())
            .then(axes(context, has_width))
            .map(|(label, axes)| ActionSyntax::Frequency { label, axes })
    };

    choice((
        keyword("printall").to(ActionSyntax::PrintAll),
        keyword("printew").to(ActionSyntax::PrintEw),
        keyword("printns").to(ActionSyntax::PrintNs),
        keyword("printpbn").to(ActionSyntax::PrintPbn),
        keyword("printside")
            .ignore_then(hands)
            .map(ActionSyntax::PrintSide),
        keyword("export")
            .ignore_then(hands)
            .map(ActionSyntax::Export),
        report("printrpt", false),
        report("csvrpt", true),
        keyword("printcompact")
            .ignore_then(bracketed.clone())
            .map(ActionSyntax::PrintCompact),
        keyword("printoneline")
            .ignore_then(bracketed)
            .map(ActionSyntax::PrintOneline),
        keyword("printes")
            .ignore_then(pieces(context))
            .map(ActionSyntax::PrintEs),
        keyword("print").ignore_then(seats).map(ActionSyntax::Print),
        keyword("average")
            .ignore_then(text().or_not())
            .then(expression)
            .map(|(label, value)| ActionSyntax::Average { label, value }),
        keyword("evalcontract")
            .ignore_then(arguments)
            .map_with(|list, extra| at(list, extra.span()))
            .map(ActionSyntax::EvalContract),
        frequency("frequency", false),
        frequency("bktfreq", true),
    ))
    .labelled("an action such as `printall`")
}

/// The names that a script defines.
pub(super) fn definitions<'a>(tokens: &[(Token<'a>, Span)]) -> BTreeSet<&'a str> {
    let pairs = tokens.windows(2);
    let defined = pairs.filter_map(|pair| match [pair[0].0, pair[1].0] {
        [Token::Word(name), Token::Define] => Some(name),
        _ => None,
    });
    defined.collect()
}

pub(super) fn statements<'a>(
    source: &SourceText<'_>,
    tokens: &'a [(Token<'a>, Span)],
    defined: &'a BTreeSet<&'a str>,
    dialect: Dialect,
) -> Result<(Vec<Statement<'a>>, SyntaxTree<'a>), ConditionError> {
    check_actions(source, tokens, defined)?;
    let end = source.text.trim_end().len();
    let input = tokens.split_token_span(end..end);
    let mut tree = SimpleState::default();
    let statements = program(Context { defined, dialect })
        .parse_with_state(input, &mut tree)
        .into_result()
        .map_err(|errors| match errors.first() {
            Some(error) => explain(source, error),
            None => source.error(0..0, "the condition cannot be read", ""),
        })?;
    check_operators(source, &tree, &statements)?;
    Ok((statements, tree.0))
}

/// Tokens that begin a value; if all are expected, the message says `a value`.
const VALUES: [&str; 8] = [
    "`!`",
    "`(`",
    "`-`",
    "`shape(`",
    "`shape{`",
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
fn explain(source: &SourceText<'_>, error: &Rich<'_, Token<'_>, Span>) -> ConditionError {
    let RichReason::ExpectedFound { expected, found } = error.reason() else {
        let span = error.span().clone();
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
    let statement = allows("`generate`");
    let is_statement = |item: &str| {
        let mut statements = words_of(Role::Statement);
        item == "`;`" || statements.any(|word| item == format!("`{word}`"))
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
        // Where an operator may follow, the action of dealer3 is not what is missing.
        let is_action = operator && item.starts_with("an action");
        let begins_one = is_statement(item) || item == "the end" || is_action;
        let is_of_statements = statement && begins_one;
        !is_definition && !is_of_operators && !is_of_values && !is_of_statements
    });
    wanted.extend(
        kinds
            .iter()
            .filter(|(is_kind, _)| *is_kind)
            .map(|(_, name)| (*name).to_owned()),
    );
    let span = error.span().clone();
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
    tree: &SyntaxTree<'_>,
    statements: &[Statement<'_>],
) -> Result<(), ConditionError> {
    for pair in statements.windows(2) {
        let (before, is_definition) = match &pair[0] {
            Statement::Condition(value) => (&tree[*value].span, false),
            Statement::Definition { value, .. } => (&tree[*value].span, true),
            _ => continue,
        };
        let Statement::Condition(after) = &pair[1] else {
            continue;
        };
        let after = &tree[*after];
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

/// Rejects unknown and unsupported actions by their names.
fn check_actions<'a>(
    source: &SourceText<'_>,
    tokens: &[(Token<'a>, Span)],
    defined: &BTreeSet<&'a str>,
) -> Result<(), ConditionError> {
    let (mut is_action, mut depth) = (false, 0_usize);
    let mut before = Token::Comma;
    for (token, span) in tokens {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word("action") => is_action = true,
            Token::Word(word) if is_statement(word, defined) => is_action = false,
            Token::Word(word) if is_action && depth == 0 && !defined.contains(word) => {
                let begins = matches!(before, Token::Comma | Token::Word("action"));
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

/// The seat of a name, or of dealer3's letter.
pub(super) fn seat_named(text: &str) -> Option<Seat> {
    let letter = || {
        let letter = text.to_ascii_uppercase();
        let is_of = |seat: &Seat| letter.starts_with(seat.letter());
        Seat::ALL.into_iter().find(is_of)
    };
    match is_seat_letter(text) {
        true => letter(),
        false => Seat::from_name(text),
    }
}

/// The hands that a word names: `deal`, `NS`, `EW` or a seat.
pub(super) fn seats_named(text: &str) -> Option<Vec<Seat>> {
    match text {
        "deal" => Some(Seat::ALL.to_vec()),
        "NS" | "ns" => Some(vec![Seat::North, Seat::South]),
        "EW" | "ew" => Some(vec![Seat::East, Seat::West]),
        _ => seat_named(text).map(|seat| vec![seat]),
    }
}

/// The list `a, b or c`.
fn alternatives(items: &[String]) -> String {
    match items {
        [] => "nothing more".to_owned(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
