//! Turns syntax into a tree: resolves names to their definitions and checks arguments.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::SourceText;
use super::lint::Lints;
use super::measure::{Measure, PatternSet};
use super::mix::Mix;
use super::names::{
    FUNCTIONS, Function, card_named, function, is_keyword, is_tricks, nearest, refused,
    strain_named, suit_named, suit_of_letter,
};
use super::operators::{BinaryOperator, UnaryOperator};
use super::parse::{
    ActionSyntax, AxisSyntax, Located, PieceSyntax, PredealItem, ShapeTerm, Statement, Syntax,
};
use super::score::Contract;
use super::script::{Action, Axis, MAX_CELLS, OutputPiece, PointValues, Script};
use super::tree::{Expression, MAX_DEPTH, Node};
use super::{Condition, ConditionError, Predeal, Span};
use crate::bridge::combinatorics::orders_of;
use crate::bridge::{Card, PatternIndex, Rank, Seat, Strain, Suit, Vulnerable};

/// Maximum points of a card, so that the points of a hand fit in 32 bits.
const MOST_POINTS: i32 = 1_000_000;

/// Whether the word is a function, a seat or a keyword.
fn is_reserved(name: &str) -> bool {
    function(name).is_some()
        || Seat::from_name(name).is_some()
        || is_keyword(name)
        || refused(name).is_some()
}

struct Checker<'s, 'a> {
    source: &'s SourceText<'s>,
    lints: Lints<'s, 'a>,
    /// Expressions of the defined names; all uses of a name share its nodes.
    definitions: BTreeMap<&'a str, Expression>,
    counts: PointValues,
    /// Number of cells of all frequencies so far.
    cells: usize,
    /// Number of random draws (`rnd`) so far.
    draws: u32,
    /// Whether the deals have tables of double-dummy tricks.
    has_tables: bool,
}

/// Checks the statements of a script.
///
/// As in dealer, the last statement of each kind is used, except that the first `generate` and
/// the first `produce` are used.
pub(super) fn script<'a>(
    source: &SourceText<'_>,
    statements: Vec<Statement<'a>>,
    has_tables: bool,
) -> Result<Script, ConditionError> {
    let mut checker = Checker {
        source,
        lints: Lints::new(source),
        definitions: BTreeMap::new(),
        counts: PointValues::default(),
        cells: 0,
        draws: 0,
        has_tables,
    };
    // Values of ranks hold for the whole script, wherever they are set.
    for statement in &statements {
        if let Statement::Counts { number, values } = statement {
            checker.count(number.as_ref(), values)?;
        }
    }
    let mut script = Script {
        condition: Condition {
            name: source.name.to_owned(),
            text: source.text.to_owned(),
            expression: Expression::new(Node::Number(1), 0..source.text.len()),
            predeal: Predeal::NONE,
        },
        generate: None,
        produce: None,
        dealer: None,
        vulnerable: None,
        actions: None,
        mix: None,
        warnings: Vec::new(),
        has_condition: false,
    };
    let mut places = StatementPlaces::default();
    for statement in statements {
        checker.statement(statement, &mut script, &mut places)?;
    }
    let wanted = places.condition.map(|(_, expression)| expression);
    let terms = wanted.into_iter().chain(places.lengths);
    let joined = terms.reduce(|left, right| left.joined(BinaryOperator::And, right));
    script.has_condition = joined.is_some() || !script.condition.predeal.is_empty();
    if let Some(expression) = joined {
        script.condition.expression = expression;
    }
    script.mix = Mix::of(source, &checker.definitions)?;
    for of in script.mix.iter().flat_map(Mix::types) {
        checker.lints.used(&of.name);
    }
    script.warnings = checker.lints.finish();
    Ok(script)
}

/// Places of the statements that a later one may replace.
#[derive(Default)]
struct StatementPlaces {
    condition: Option<(Span, Expression)>,
    /// Lengths that `predeal` fixes.
    lengths: Vec<Expression>,
    actions: Option<Span>,
}

impl<'a> Checker<'_, 'a> {
    fn statement(
        &mut self,
        statement: Statement<'a>,
        script: &mut Script,
        places: &mut StatementPlaces,
    ) -> Result<(), ConditionError> {
        match statement {
            Statement::Definition { name, value } => self.define(&name, &value)?,
            Statement::Condition(syntax) => {
                let expression = self.expression(&syntax, 0)?;
                let condition = (syntax.span.clone(), expression);
                if let Some((before, _)) = places.condition.replace(condition) {
                    self.lints.replaced_condition(&before, &syntax.span);
                }
            }
            Statement::Counts { .. } => {}
            // The first of these is used, and 0 is ignored.
            Statement::Generate(number) => {
                let deals = self.deals(&number)?;
                script.generate = script.generate.or((deals > 0).then_some(deals));
            }
            Statement::Produce(number) => {
                let deals = self.deals(&number)?;
                script.produce = script.produce.or((deals > 0).then_some(deals));
            }
            Statement::Dealer(seat) => script.dealer = Some(self.seat_named(&seat)?),
            Statement::Vulnerable(sides) => script.vulnerable = Some(self.sides(&sides)?),
            Statement::Predeal(all) => {
                for fixed in all {
                    let predeal = &mut script.condition.predeal;
                    self.predeal(fixed, predeal, &mut places.lengths)?;
                }
            }
            Statement::Action(list) => {
                let understood = list.it.into_iter().map(|action| self.action(action));
                let understood: Result<Vec<Action>, ConditionError> = understood.collect();
                script.actions = Some(understood?);
                if let Some(before) = places.actions.replace(list.span.clone()) {
                    self.lints.replaced_actions(&before, &list.span);
                }
            }
        }
        Ok(())
    }

    fn error(
        &self,
        span: &Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> ConditionError {
        self.source.error(span.clone(), message, label)
    }

    fn define(
        &mut self,
        name: &Located<&'a str>,
        value: &Located<Syntax<'a>>,
    ) -> Result<(), ConditionError> {
        let refuse = |message: String| Err(self.error(&name.span, message, "choose another name"));
        if is_reserved(name.it) {
            return refuse(format!("`{}` is a reserved word", name.it));
        }
        if self.definitions.contains_key(name.it) {
            return refuse(format!("`{}` is already defined", name.it));
        }
        // Checked at the definition, so that a mistake is shown even if the name is never used.
        let value = self.expression(value, 0)?;
        self.lints.defined(name);
        self.definitions.insert(name.it, value);
        Ok(())
    }

    /// The number of `generate` or `produce`.
    fn deals(&self, number: &Located<&str>) -> Result<u64, ConditionError> {
        number.it.parse().map_err(|_| {
            let message = format!("`{}` is too large", number.it);
            self.error(&number.span, message, "expected a number below 2^64")
        })
    }

    fn sides(&self, sides: &Located<&str>) -> Result<Vulnerable, ConditionError> {
        match sides.it {
            "none" | "None" => Ok(Vulnerable::None),
            "ns" | "NS" => Ok(Vulnerable::NorthSouth),
            "ew" | "EW" => Ok(Vulnerable::EastWest),
            "all" | "All" | "both" | "Both" => Ok(Vulnerable::All),
            other => {
                let message = format!("`{other}` is not a vulnerability");
                Err(self.error(&sides.span, message, "expected none, NS, EW or all"))
            }
        }
    }

    /// Sets the values of a `pointcount` or `altcount` statement.
    fn count(
        &mut self,
        number: Option<&Located<&str>>,
        values: &[Located<(bool, &str)>],
    ) -> Result<(), ConditionError> {
        if let Some(too_many) = values.get(Rank::COUNT) {
            let message = format!("{} values for {} ranks", values.len(), Rank::COUNT);
            return Err(self.error(&too_many.span, message, "one value too many"));
        }
        let mut count = [0; Rank::COUNT];
        for (place, value) in count.iter_mut().zip(values) {
            let number = self.signed(value)?;
            *place = i32::try_from(number)
                .ok()
                .filter(|number| number.abs() <= MOST_POINTS)
                .ok_or_else(|| {
                    let message = format!("{number} points for one card");
                    self.error(&value.span, message, "expected -1,000,000 to 1,000,000")
                })?;
        }
        match number {
            None => self.counts.hcp = count,
            Some(number) => match number.it.as_bytes() {
                [digit @ b'0'..=b'9'] => {
                    self.counts.alternative[usize::from(digit - b'0')] = count;
                }
                _ => {
                    let message = format!("`{}` is not a count number", number.it);
                    return Err(self.error(&number.span, message, "expected 0 to 9"));
                }
            },
        }
        Ok(())
    }

    /// A 32-bit number, optionally negative.
    fn signed(&self, number: &Located<(bool, &str)>) -> Result<i64, ConditionError> {
        let (minus, digits) = number.it;
        let value = self.number(digits, &number.span)?;
        Ok(if minus { -value } else { value })
    }

    fn number(&self, digits: &str, span: &Span) -> Result<i64, ConditionError> {
        digits.parse::<i32>().map(i64::from).map_err(|_| {
            let message = format!("`{digits}` is too large");
            self.error(span, message, "expected a number below 2,147,483,648")
        })
    }

    fn predeal(
        &self,
        fixed: PredealItem<'a>,
        predeal: &mut Predeal,
        lengths: &mut Vec<Expression>,
    ) -> Result<(), ConditionError> {
        match fixed {
            PredealItem::Cards { seat, holdings } => {
                let seat = self.seat_named(&seat)?;
                for holding in holdings {
                    for card in self.holding(&holding)? {
                        if !predeal.fix(seat, card) {
                            let (message, label) = match predeal.all().contains(card) {
                                true => (format!("{card} is predealt twice"), "remove one of them"),
                                false => {
                                    let message = format!("{card} is {seat}'s fourteenth card");
                                    (message, "a hand has 13 cards")
                                }
                            };
                            return Err(self.error(&holding.span, message, label));
                        }
                    }
                }
            }
            PredealItem::Length { suit, seat, length } => {
                let span = suit.span.start..length.span.end;
                let seat = self.seat_named(&seat)?;
                let number = self.number(length.it, &length.span)?;
                let suit = suit_named(suit.it).expect("the parser takes suits alone");
                let side = |node, span: &Span| Expression::new(node, span.clone());
                let sides = [
                    side(Node::Hand(seat, Measure::Length(suit)), &span),
                    side(Node::Number(number), &length.span),
                ];
                let node = Node::Binary(BinaryOperator::Equal, Arc::new(sides));
                lengths.push(Expression::new(node, span));
            }
        }
        Ok(())
    }

    /// The cards of `SAKT2`; a suit alone has no cards.
    fn holding(&self, holding: &Located<&str>) -> Result<Vec<Card>, ConditionError> {
        let mut letters = holding.it.chars();
        let suit = letters.next().and_then(suit_of_letter);
        let cards = suit.and_then(|suit| {
            let card = |letter| Some(Card::new(suit, Rank::from_letter(letter)?));
            letters.map(card).collect::<Option<Vec<Card>>>()
        });
        cards.ok_or_else(|| {
            let message = format!("`{}` is not a holding", holding.it);
            let label = "expected a suit and its ranks such as `SAKT2`";
            self.error(&holding.span, message, label)
        })
    }

    fn action(&mut self, action: ActionSyntax<'a>) -> Result<Action, ConditionError> {
        let label = |label: Option<&str>| label.unwrap_or_default().to_owned();
        Ok(match action {
            ActionSyntax::PrintAll => Action::PrintAll,
            ActionSyntax::PrintEw => Action::PrintEw,
            ActionSyntax::PrintPbn => Action::PrintPbn,
            ActionSyntax::PrintCompact(value) => Action::PrintCompact(self.optional(value)?),
            ActionSyntax::PrintOneline(value) => Action::PrintOneline(self.optional(value)?),
            ActionSyntax::Print(seats) => {
                let seats = seats.iter().map(|seat| self.seat_named(seat));
                Action::Print(seats.collect::<Result<_, _>>()?)
            }
            ActionSyntax::PrintEs(pieces) => {
                let mut understood = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    understood.push(match piece {
                        PieceSyntax::Text(text) => OutputPiece::Text(text.to_owned()),
                        PieceSyntax::LineEnd => OutputPiece::Text("\n".to_owned()),
                        PieceSyntax::Value(value) => {
                            OutputPiece::Value(self.expression(&value, 0)?)
                        }
                    });
                }
                Action::PrintEs(understood)
            }
            ActionSyntax::Average { label: name, value } => Action::Average {
                label: label(name),
                value: self.expression(&value, 0)?,
            },
            ActionSyntax::Frequency { label: name, axes } => {
                let understood: Result<Vec<Axis>, ConditionError> =
                    axes.iter().map(|axis| self.axis(axis)).collect();
                let understood = understood?;
                let cells = understood.iter().map(Axis::cells).product::<usize>();
                self.cells = self.cells.saturating_add(cells);
                if self.cells > MAX_CELLS {
                    let message = "the frequencies have more than 1,048,576 cells";
                    let span = &axes[0].value.span;
                    return Err(self.error(span, message, "use narrower bounds"));
                }
                Action::Frequency {
                    label: label(name),
                    axes: understood,
                }
            }
        })
    }

    fn optional(
        &mut self,
        value: Option<Located<Syntax<'a>>>,
    ) -> Result<Option<Expression>, ConditionError> {
        value.map(|value| self.expression(&value, 0)).transpose()
    }

    fn axis(&mut self, axis: &AxisSyntax<'a>) -> Result<Axis, ConditionError> {
        let value = self.expression(&axis.value, 0)?;
        let [low, high] = [self.signed(&axis.bounds[0])?, self.signed(&axis.bounds[1])?];
        if high < low || high - low >= MAX_CELLS as i64 {
            let message = format!("invalid range {low} to {high}");
            let label = format!("expected {low} or more, and at most 1,048,576 values");
            return Err(self.error(&axis.bounds[1].span, message, label));
        }
        Ok(Axis { value, low, high })
    }

    fn expression(
        &mut self,
        syntax: &Located<Syntax<'a>>,
        depth: usize,
    ) -> Result<Expression, ConditionError> {
        self.check_depth(depth, &syntax.span)?;
        let node = match &syntax.it {
            Syntax::Number(digits) => Node::Number(self.number(digits, &syntax.span)?),
            Syntax::Name(name) => {
                let Some(definition) = self.definitions.get(name) else {
                    return Err(self.unknown(name, &syntax.span));
                };
                // A clone shares its nodes.
                let value = definition.clone();
                self.lints.used(name);
                self.check_depth(depth + value.depth(), &syntax.span)?;
                return Ok(value);
            }
            Syntax::Call {
                function,
                arguments,
            } => self.call(function, arguments, &syntax.span, depth)?,
            Syntax::Shape { seat, terms } => {
                let seat = self.seat(seat)?;
                Node::Hand(seat, Measure::Pattern(self.patterns(terms)?))
            }
            Syntax::Unary(operator, operand) => {
                Node::Unary(*operator, Arc::new(self.expression(operand, depth + 1)?))
            }
            Syntax::Binary(operator, sides) => {
                let is_chain = |left: &Syntax<'_>| matches!(left, Syntax::Binary(other, _) if other.level() == operator.level());
                let left_depth = depth + usize::from(!is_chain(&sides[0].it));
                let left = self.expression(&sides[0], left_depth)?;
                let right = self.expression(&sides[1], depth + 1)?;
                let sides_of = Arc::new([left, right]);
                let span = syntax.span.clone();
                let whole = Expression::new(Node::Binary(*operator, sides_of.clone()), span);
                self.lints
                    .operator(*operator, sides, [&sides_of[0], &sides_of[1]], &whole);
                return Ok(whole);
            }
            Syntax::Conditional(parts) => {
                let test = self.expression(&parts[0], depth + 1)?;
                let yes = self.expression(&parts[1], depth + 1)?;
                let no = self.expression(&parts[2], depth + 1)?;
                Node::Conditional(Arc::new([test, yes, no]))
            }
        };
        let span = syntax.span.clone();
        Ok(Expression::new(node, span))
    }

    /// Refuses nodes that nest deeper than [`MAX_DEPTH`].
    fn check_depth(&self, depth: usize, span: &Span) -> Result<(), ConditionError> {
        if depth <= MAX_DEPTH {
            return Ok(());
        }
        let label = format!("more than {MAX_DEPTH} levels, definitions included");
        Err(self.error(span, "the condition nests too deeply", label))
    }

    fn unknown(&self, name: &str, span: &Span) -> ConditionError {
        let error = |message: String, label: &str| self.source.error(span.clone(), message, label);
        if let Some(why) = refused(name) {
            return error(format!("`{name}` is not supported"), why);
        }
        if Seat::from_name(name).is_some() || function(name).is_some() {
            return error(
                format!("`{name}` alone is not a value"),
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
            format!("unknown name `{name}`"),
            "expected a function such as `hcp(west)`, or a name defined above",
        );
        match nearest(name, known) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    fn call(
        &mut self,
        name: &Located<&'a str>,
        arguments: &[Located<Syntax<'a>>],
        whole: &Span,
        depth: usize,
    ) -> Result<Node, ConditionError> {
        if self.has_tables && is_tricks(name.it) {
            return self.tricks(name.it, arguments, whole);
        }
        if let Some(why) = refused(name.it) {
            let message = format!("`{}` is not supported", name.it);
            return Err(self.error(&name.span, message, why));
        }
        let Some(function) = function(name.it) else {
            let message = format!("unknown function `{}`", name.it);
            return Err(match nearest(name.it, FUNCTIONS.into_iter()) {
                Some(near) => {
                    let error = self.error(&name.span, message, "");
                    error.with_help(format!("did you mean `{near}`?"))
                }
                None => {
                    let label = format!("expected one of {}", FUNCTIONS.join(", "));
                    self.error(&name.span, message, label)
                }
            });
        };
        let rule = function.arguments();
        if !(rule.least..=rule.most).contains(&arguments.len()) {
            let message = format!("wrong number of arguments for `{}`", name.it);
            return Err(self.error(whole, message, rule.expected));
        }
        let operator = match function {
            Function::Imps => Some(UnaryOperator::Imps),
            Function::Score => Some(UnaryOperator::Score {
                vulnerable: self.is_vulnerable(&arguments[0])?,
                contract: self.contract(&arguments[1])?,
            }),
            _ => None,
        };
        if let (Some(operator), Some(last)) = (operator, arguments.last()) {
            let operand = self.expression(last, depth + 1)?;
            return Ok(Node::Unary(operator, Arc::new(operand)));
        }
        if matches!(function, Function::Random) {
            return Ok(Node::Hand(Seat::North, self.random(arguments, depth)?));
        }
        let seat = self.seat(&arguments[0])?;
        let (suit, card) = match (function, arguments.get(1)) {
            (Function::HasCard, Some(card)) => (None, Some(self.card(card)?)),
            (_, Some(suit)) => (Some(self.suit(suit)?), None),
            (_, None) => (None, None),
        };
        let measure = function.measure(suit, card, |count| *self.counts.values(count));
        let measure =
            measure.expect("other functions are handled above, missing arguments refused");
        Ok(Node::Hand(seat, measure))
    }

    /// The double-dummy tricks of a declarer in a strain.
    fn tricks(
        &self,
        name: &str,
        arguments: &[Located<Syntax<'a>>],
        whole: &Span,
    ) -> Result<Node, ConditionError> {
        let [declarer, strain] = arguments else {
            let message = format!("wrong number of arguments for `{name}`");
            return Err(self.error(whole, message, "expected a declarer and a strain"));
        };
        let declarer = self.seat(declarer)?;
        Ok(Node::Hand(declarer, Measure::Tricks(self.strain(strain)?)))
    }

    fn strain(&self, argument: &Located<Syntax<'a>>) -> Result<Strain, ConditionError> {
        let suits = || Suit::ALL.iter().map(|suit| suit.name());
        self.named(
            argument,
            "a strain",
            "spades, hearts, diamonds, clubs or notrumps",
            strain_named,
            || suits().chain(["notrumps"]),
        )
    }

    /// The measure of `rnd(100)`, the next draw of a deal, or of `rnd(100, 3)`, its third draw.
    fn random(
        &mut self,
        arguments: &[Located<Syntax<'a>>],
        depth: usize,
    ) -> Result<Measure, ConditionError> {
        self.draws += 1;
        let sides = self.constant(&arguments[0], depth)?;
        let number = match arguments.get(1) {
            Some(number) => self.constant(number, depth)?,
            None => self.draws,
        };
        Ok(Measure::Random { sides, number })
    }

    /// A positive number that is the same for every deal.
    fn constant(
        &mut self,
        argument: &Located<Syntax<'a>>,
        depth: usize,
    ) -> Result<u32, ConditionError> {
        let value = self.expression(argument, depth + 1)?;
        let number = value.bounds().only().filter(|_| !value.bounds().may_fail);
        let number = number.and_then(|number| i32::try_from(number).ok());
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.filter(|number| *number > 0).ok_or_else(|| {
            let text = self.source.text.get(argument.span.clone());
            let message = format!(
                "`{}` is not a constant of 1 or more",
                text.unwrap_or_default()
            );
            self.error(&argument.span, message, "expected a number such as 100")
        })
    }

    fn is_vulnerable(&self, argument: &Located<Syntax<'a>>) -> Result<bool, ConditionError> {
        let found = |text: &str| match text {
            "vul" => Some(true),
            "nv" => Some(false),
            _ => None,
        };
        let known = || ["vul", "nv"].into_iter();
        self.named(argument, "a vulnerability", "vul or nv", found, known)
    }

    fn contract(&self, argument: &Located<Syntax<'a>>) -> Result<Contract, ConditionError> {
        self.named(
            argument,
            "a contract",
            "a contract such as x3N or x4S",
            Contract::parse,
            std::iter::empty,
        )
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

    fn card(&self, argument: &Located<Syntax<'a>>) -> Result<Card, ConditionError> {
        self.named(
            argument,
            "a card",
            "a card such as SA or KC",
            card_named,
            std::iter::empty,
        )
    }

    /// A seat named in a statement.
    fn seat_named(&self, name: &Located<&'a str>) -> Result<Seat, ConditionError> {
        let it = Syntax::Name(name.it);
        let span = name.span.clone();
        self.seat(&Located { it, span })
    }

    /// The value of an argument that must be one of a set of names.
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

    fn patterns(&mut self, terms: &[ShapeTerm<'a>]) -> Result<Box<PatternSet>, ConditionError> {
        let mut set = PatternSet::empty();
        for term in terms {
            let wanted = self.lengths(&term.digits)?;
            let orders: Vec<[Option<u8>; 4]> = match term.any {
                true => orders_of(wanted).collect(),
                false => vec![wanted],
            };
            for index in PatternIndex::all() {
                let pattern = index.pattern();
                if orders.iter().any(|wanted| fits(wanted, &pattern.lengths())) {
                    set.set(index, term.add);
                }
            }
        }
        Ok(set)
    }

    /// The four lengths of `54xx`; `None` for an `x`.
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
            return error(message, "expected 13");
        }
        Ok(lengths)
    }
}

fn fits(wanted: &[Option<u8>; 4], lengths: &[u8; 4]) -> bool {
    let same = |(wanted, length): (&Option<u8>, &u8)| wanted.is_none_or(|w| w == *length);
    wanted.iter().zip(lengths).all(same)
}
