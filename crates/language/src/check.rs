//! Turns syntax into a tree: resolves names to their definitions and checks arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::detect::Detected;
use super::dialect::{Dialect, Role, words_of};
use super::distribution::ShapeList;
use super::error::{SourceText, UNKNOWN_NAME};
use super::evaluated_contract::EvaluatedContract;
use super::hand_types;
use super::lint::Lints;
use super::measure::{Measure, PatternSet};
use super::mix::{self, Mix};
use super::names::{
    Function, card_named, function, is_reserved, is_tricks, nearest, refused, strain_named,
    suit_named, suit_of_letter, vulnerable_named, written_as,
};
use super::operators::{BinaryOperator, UnaryOperator};
use super::parse::{
    ActionSyntax, AxisSyntax, ItemSyntax, Located, PieceSyntax, PredealItem, ShapeTerm, Statement,
    Syntax, SyntaxId, SyntaxTree, seat_named, seats_named,
};
use super::score::Contract;
use super::script::{Action, Axis, MAX_CELLS, OutputPiece, PointValues, ReportItem, Script};
use super::tree::{Expression, MAX_DEPTH, Node, NodeId, Tree};
use super::{Condition, ConditionError, Predeal, Span};
use crate::bridge::combinatorics::orders_of;
use crate::bridge::{Card, Pattern, PatternIndex, Rank, Seat, Side, Strain, Suit, Vulnerable};

/// Maximum points of a card, so that the points of a hand fit in 32 bits.
const MOST_POINTS: i32 = 1_000_000;

/// Maximum length of all `shape{}` of a script in bytes: each is compared with every pattern.
const MAX_DISTRIBUTION_BYTES: usize = 1 << 16;

/// Number of ranks that an `x` of a predealt holding does not stand for: from the ace to the ten.
const HIGH_RANKS: usize = 5;

/// An operator in a chain of left sides.
struct ChainLink<'s> {
    operator: BinaryOperator,
    sides: [SyntaxId; 2],
    span: &'s Span,
    /// The depth at which it nests.
    depth: usize,
}

/// The node to make of an expression's operands.
#[derive(Clone, Copy)]
enum Making {
    /// None: it has no operands.
    Done(NodeId),
    Unary(UnaryOperator),
    Conditional,
    /// A random draw: `rnd(100)`, the next of a deal, or `rnd(100, 3)`, its third.
    Random,
}

struct Checker<'s, 'a> {
    source: &'s SourceText<'s>,
    syntax: &'s SyntaxTree<'a>,
    dialect: Dialect,
    lints: Lints<'s, 'a>,
    /// The nodes of all expressions, which `whole` has at the end.
    tree: Tree,
    whole: Arc<OnceLock<Tree>>,
    /// The nodes of the defined names, which all uses of a name share.
    definitions: BTreeMap<&'a str, NodeId>,
    counts: PointValues,
    /// Number of cells of all frequencies so far.
    cells: usize,
    /// Number of random draws (`rnd`) so far.
    draws: u32,
    /// Whether the deals have tables of double-dummy tricks.
    has_tables: bool,
    /// Length of all `shape{}` so far, in bytes.
    distribution_bytes: usize,
    /// Starts of operands on the right of arithmetic and comparisons in dealer3, whose `not` does
    /// not extend beyond the value behind it.
    right_starts: BTreeSet<usize>,
}

/// Checks the statements of a script.
///
/// As in dealer, the last statement of each kind is used, except that the first `generate` and
/// the first `produce` are used.
pub(super) fn script<'a>(
    source: &SourceText<'_>,
    (statements, syntax): (Vec<Statement<'a>>, SyntaxTree<'a>),
    detected: Detected,
    has_tables: bool,
) -> Result<Script, ConditionError> {
    let Detected { dialect, warning } = detected;
    let mut checker = Checker {
        source,
        syntax: &syntax,
        dialect,
        lints: Lints::new(source, &syntax, dialect),
        tree: Tree::default(),
        whole: Arc::default(),
        definitions: BTreeMap::new(),
        counts: PointValues::default(),
        cells: 0,
        draws: 0,
        has_tables,
        distribution_bytes: 0,
        right_starts: BTreeSet::new(),
    };
    checker.lints.extend(warning);
    // Values of ranks hold for the whole script, wherever they are set.
    for statement in &statements {
        if let Statement::Counts { number, values } = statement {
            checker.count(number.as_ref(), values)?;
        }
    }
    let everything = checker.add(Node::Number(1), &(0..source.text.len()));
    let mut script = Script {
        condition: Condition {
            name: source.name.to_owned(),
            text: source.text.to_owned(),
            expression: Expression::new(&checker.whole, everything),
            predeal: Predeal::NONE,
        },
        generate: None,
        produce: None,
        dealer: None,
        vulnerable: None,
        dialect,
        title: None,
        seed: None,
        start_board: None,
        actions: None,
        mix: None,
        warnings: Vec::new(),
        has_condition: false,
        condition_place: None,
    };
    let mut places = StatementPlaces::default();
    let mut names = Vec::new();
    for statement in statements {
        if let Statement::Definition { name, .. } = &statement {
            names.push(name.clone());
        }
        checker.statement(statement, &mut script, &mut places)?;
    }
    if !places.loose.is_empty() {
        script.actions.get_or_insert_default().extend(places.loose);
    }
    script.condition_place = places.condition.as_ref().map(|(place, _)| place.clone());
    let wanted = places.condition.map(|(_, expression)| expression);
    let terms = wanted.into_iter().chain(places.predealt);
    let and = BinaryOperator::And;
    let joined = terms.reduce(|left, right| checker.tree.join(and, left, right));
    script.has_condition = joined.is_some() || !script.condition.predeal.is_empty();
    if let Some(joined) = joined {
        script.condition.expression = Expression::new(&checker.whole, joined);
    }
    checker
        .whole
        .get_or_init(|| std::mem::take(&mut checker.tree));
    script.mix = checker.mix(&names)?;
    script.warnings = checker.lints.finish();
    Ok(script)
}

/// Places of the statements that a later one may replace.
#[derive(Default)]
struct StatementPlaces {
    condition: Option<(Span, NodeId)>,
    /// Terms of `predeal`: lengths, and spot cards that it does not name.
    predealt: Vec<NodeId>,
    actions: Option<Span>,
    /// Actions without `action`, which no later one replaces.
    loose: Vec<Action>,
}

impl<'s, 'a> Checker<'s, 'a> {
    fn statement(
        &mut self,
        statement: Statement<'a>,
        script: &mut Script,
        places: &mut StatementPlaces,
    ) -> Result<(), ConditionError> {
        match statement {
            Statement::Definition { name, value } => self.define(&name, value)?,
            Statement::Condition(value) => {
                let span = &self.syntax[value].span;
                let condition = (span.clone(), self.expression(value, 0)?);
                if let Some((before, _)) = places.condition.replace(condition) {
                    self.lints.replaced_condition(&before, span);
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
            Statement::Title(title) => script.title = Some(title.to_owned()),
            Statement::Seed(number) => script.seed = Some(self.seed(&number)?),
            Statement::StartBoard(number) => script.start_board = Some(self.board(&number)?),
            // Only `opc` depends on it.
            Statement::Opener(seat) => drop(self.seat_named(&seat)?),
            Statement::Dealer(seat) => script.dealer = Some(self.seat_named(&seat)?),
            Statement::Vulnerable(sides) => script.vulnerable = Some(self.sides(&sides)?),
            Statement::Predeal(all) => {
                for fixed in all {
                    let predeal = &mut script.condition.predeal;
                    self.predeal(fixed, predeal, &mut places.predealt)?;
                }
            }
            Statement::LooseAction(action) => places.loose.extend(self.actions(vec![action])?),
            Statement::Action(list) => {
                script.actions = Some(self.actions(list.it)?);
                if let Some(before) = places.actions.replace(list.span.clone()) {
                    self.lints.replaced_actions(&before, &list.span);
                }
            }
        }
        Ok(())
    }

    /// The mix of a script whose statements are all checked, and warnings about it.
    fn mix(&mut self, names: &[Located<&'a str>]) -> Result<Option<Mix>, ConditionError> {
        let definition = |name: &str| {
            let defined = self.definitions.get(name);
            defined.map(|id| Expression::new(&self.whole, *id))
        };
        let typed = names.iter().filter(|name| hand_types::is_name(name.it));
        let mut mix = Mix::of(self.source, definition)?;
        if mix.is_none() {
            let types = typed.clone();
            let types = types.filter_map(|name| Some((name, definition(name.it)?)));
            let (found, warning) = hand_types::mix(self.source, &types.collect::<Vec<_>>())?;
            mix = found;
            self.lints.extend(warning);
        }
        self.lints.extend(mix::near_miss(self.source));
        let used = mix.iter().flat_map(Mix::names);
        for name in used.chain(typed.map(|name| name.it)) {
            self.lints.used(name);
        }
        Ok(mix)
    }

    fn error(
        &self,
        span: &Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> ConditionError {
        self.source.error(span.clone(), message, label)
    }

    fn define(&mut self, name: &Located<&'a str>, value: SyntaxId) -> Result<(), ConditionError> {
        let source = self.source;
        let refuse = |what| {
            let message = format!("`{}` is {what}", name.it);
            Err(source.error(name.span.clone(), message, "choose another name"))
        };
        if is_reserved(name.it) {
            return refuse("a reserved word");
        }
        // Checked at the definition, so that a mistake is shown even if the name is never used.
        let value = self.expression(value, 0)?;
        // In dealer3, the last definition counts everywhere. An unused one makes no difference.
        let is_type = hand_types::is_name(name.it);
        let is_defined = self.definitions.contains_key(name.it);
        if is_defined && (is_type || !self.lints.redefined(name)) {
            return refuse("already defined");
        }
        self.lints.defined(name);
        self.definitions.insert(name.it, value);
        Ok(())
    }

    /// The number of `generate` or `produce`.
    fn deals(&self, number: &Located<&str>) -> Result<u64, ConditionError> {
        if number.it.contains('.') {
            return self.whole(number.it, &number.span).map(|_| 0);
        }
        number.it.parse().map_err(|_| {
            let message = format!("`{}` is too large", number.it);
            self.error(&number.span, message, "expected a number below 2^64")
        })
    }

    fn seed(&self, number: &Located<&str>) -> Result<u128, ConditionError> {
        number.it.parse().map_err(|_| {
            let message = format!("`{}` is not a seed", number.it);
            self.error(&number.span, message, "expected a whole number below 2^128")
        })
    }

    /// The number of `startboard`.
    fn board(&self, number: &Located<&str>) -> Result<u64, ConditionError> {
        let board = self.whole(number.it, &number.span)?;
        let board = u64::try_from(board).ok().filter(|board| *board > 0);
        board.ok_or_else(|| {
            let message = format!("`{}` is not a board number", number.it);
            self.error(&number.span, message, "expected 1 or more")
        })
    }

    fn sides(&self, sides: &Located<&str>) -> Result<Vulnerable, ConditionError> {
        vulnerable_named(sides.it).ok_or_else(|| {
            let message = format!("`{}` is not a vulnerability", sides.it);
            self.error(&sides.span, message, "expected none, NS, EW or all")
        })
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
        let is_decimal = |value: &Located<(bool, &str)>| value.it.1.contains('.');
        if values.iter().any(is_decimal) {
            let is_whole = |value: &&Located<(bool, &str)>| !is_decimal(value) && value.it.1 != "0";
            if let Some(whole) = values.iter().find(is_whole) {
                self.lints.whole_among_decimals(&whole.span);
            }
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

    /// A whole number, or the hundredths of a decimal, as in DealerV2_4: `4.5` is 450.
    fn number(&self, digits: &str, span: &Span) -> Result<i64, ConditionError> {
        let Some((whole, decimals)) = digits.split_once('.') else {
            return self.whole(digits, span);
        };
        if decimals.contains('.') {
            let message = format!("`{digits}` is not a number");
            return Err(self.error(span, message, "it has more than one decimal point"));
        }
        if decimals.len() > 2 {
            let message = format!("`{digits}` has more than two decimals");
            return Err(self.error(span, message, "decimals are counted in hundredths"));
        }
        let too_large = || {
            let message = format!("`{digits}` is too large");
            self.error(span, message, "expected a number below 21,474,836.48")
        };
        let all = format!("{whole}{decimals:0<2}");
        let hundredths = all.parse::<i32>().map_err(|_| too_large())?;
        Ok(hundredths.into())
    }

    fn whole(&self, digits: &str, span: &Span) -> Result<i64, ConditionError> {
        if digits.contains('.') {
            let message = format!("`{digits}` is not a whole number");
            return Err(self.error(span, message, "expected digits only"));
        }
        digits.parse::<i32>().map(i64::from).map_err(|_| {
            let message = format!("`{digits}` is too large");
            self.error(span, message, "expected a number below 2,147,483,648")
        })
    }

    fn predeal(
        &mut self,
        fixed: PredealItem<'a>,
        predeal: &mut Predeal,
        terms: &mut Vec<NodeId>,
    ) -> Result<(), ConditionError> {
        match fixed {
            PredealItem::Cards { seat, holdings } => {
                let seat = self.seat_named(&seat)?;
                for holding in holdings {
                    let (suit, cards, spots) = self.holding(&holding)?;
                    if spots > 0 {
                        self.spots(seat, suit, &cards, spots, &holding.span, terms)?;
                    }
                    for card in cards {
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
                let number = self.whole(length.it, &length.span)?;
                let suit = suit_named(suit.it).expect("the parser takes suits alone");
                terms.push(self.length(seat, suit, number, &span));
            }
        }
        Ok(())
    }

    /// The term that a hand has this number of cards of a suit.
    fn length(&mut self, seat: Seat, suit: Suit, number: i64, span: &Span) -> NodeId {
        let sides = [
            self.add(Node::Hand(seat, Measure::Length(suit)), span),
            self.add(Node::Number(number), span),
        ];
        self.add(Node::Binary(BinaryOperator::Equal, sides), span)
    }

    /// Adds the terms of `SQTxx`: the length, and no other card from the ten up.
    fn spots(
        &mut self,
        seat: Seat,
        suit: Suit,
        cards: &[Card],
        spots: usize,
        span: &Span,
        terms: &mut Vec<NodeId>,
    ) -> Result<(), ConditionError> {
        let is_high = |card: &Card| card.rank().index() < HIGH_RANKS;
        let named = cards.iter().filter(|card| !is_high(card)).count();
        if named + spots > Rank::COUNT - HIGH_RANKS {
            let message = format!("{} spot cards of one suit", named + spots);
            return Err(self.error(span, message, "a suit has eight, from the nine to the two"));
        }
        terms.push(self.length(seat, suit, (cards.len() + spots) as i64, span));
        let of_suit = Card::all().filter(|card| card.suit() == suit && is_high(card));
        for card in of_suit.filter(|card| !cards.contains(card)) {
            let held = self.add(Node::Hand(seat, Measure::Holds(card)), span);
            terms.push(self.add(Node::Unary(UnaryOperator::Not, held), span));
        }
        Ok(())
    }

    /// The suit of `SAKT2xx`, its cards and the number of its other spot cards; a suit alone has no
    /// cards.
    fn holding(&self, holding: &Located<&str>) -> Result<(Suit, Vec<Card>, usize), ConditionError> {
        let ranks = holding.it.trim_end_matches(['x', 'X']);
        let spots = holding.it.len() - ranks.len();
        let mut letters = ranks.chars();
        let suit = letters.next().and_then(suit_of_letter);
        let cards = suit.and_then(|suit| {
            let card = |letter| Some(Card::new(suit, Rank::from_letter(letter)?));
            Some((
                suit,
                letters.map(card).collect::<Option<Vec<Card>>>()?,
                spots,
            ))
        });
        cards.ok_or_else(|| {
            let message = format!("`{}` is not a holding", holding.it);
            let label = "expected a suit and its ranks such as `SAKT2`";
            self.error(&holding.span, message, label)
        })
    }

    fn actions(&mut self, list: Vec<ActionSyntax<'a>>) -> Result<Vec<Action>, ConditionError> {
        let mut actions = Vec::new();
        for action in list {
            match action {
                ActionSyntax::EvalContract(arguments) => {
                    actions.extend(self.evaluated_contract(&arguments)?);
                }
                action => actions.push(self.action(action)?),
            }
        }
        Ok(actions)
    }

    /// The averages of `evalcontract(NS, z4S, vul)`.
    fn evaluated_contract(
        &mut self,
        arguments: &Located<Vec<SyntaxId>>,
    ) -> Result<Vec<Action>, ConditionError> {
        let span = &arguments.span;
        self.check_tables("evalcontract", span)?;
        let [side, contract, vulnerable] = arguments.it[..] else {
            let message = "wrong number of arguments for `evalcontract`";
            let label = "expected a side, a contract and a vulnerability";
            return Err(self.error(span, message, label));
        };
        let evaluated = EvaluatedContract {
            side: self.side(side)?,
            contract: self.contract(contract)?,
            is_vulnerable: self.is_vulnerable(vulnerable)?,
        };
        let averages = evaluated.averages(&mut self.tree, span).into_iter();
        let action = |(label, value)| Action::Average {
            label,
            value: Expression::new(&self.whole, value),
        };
        Ok(averages.map(action).collect())
    }

    fn action(&mut self, action: ActionSyntax<'a>) -> Result<Action, ConditionError> {
        let label = |label: Option<&str>| label.unwrap_or_default().to_owned();
        Ok(match action {
            ActionSyntax::PrintAll => Action::PrintAll,
            ActionSyntax::PrintEw => Action::PrintSide(Side::EastWest),
            ActionSyntax::PrintNs => Action::PrintSide(Side::NorthSouth),
            ActionSyntax::PrintSide(hands) => match self.hands(&hands)?[..] {
                [Seat::North, Seat::South] => Action::PrintSide(Side::NorthSouth),
                [Seat::East, Seat::West] => Action::PrintSide(Side::EastWest),
                _ => {
                    let message = format!("`{}` is not a side", hands.it);
                    return Err(self.error(&hands.span, message, "expected NS or EW"));
                }
            },
            ActionSyntax::Export(hands) => Action::Export(self.hands(&hands)?),
            ActionSyntax::Report { is_csv, items } => {
                let items: Result<Vec<ReportItem>, ConditionError> =
                    items.into_iter().map(|item| self.item(item)).collect();
                match is_csv {
                    true => Action::CsvReport(items?),
                    false => Action::PrintReport(items?),
                }
            }
            ActionSyntax::PrintPbn => Action::PrintPbn,
            ActionSyntax::PrintCompact(value) => Action::PrintCompact(self.optional(value)?),
            ActionSyntax::PrintOneline(value) => Action::PrintOneline(self.optional(value)?),
            ActionSyntax::Print(seats) => {
                let seats = seats.iter().map(|seat| self.seat_named(seat));
                Action::Print(seats.collect::<Result<_, _>>()?)
            }
            ActionSyntax::PrintEs(pieces) => {
                let pieces: Result<Vec<OutputPiece>, ConditionError> =
                    pieces.iter().map(|piece| self.piece(piece)).collect();
                Action::PrintEs(pieces?)
            }
            ActionSyntax::Average { label: name, value } => Action::Average {
                label: label(name),
                value: self.value(value)?,
            },
            ActionSyntax::Frequency { label: name, axes } => Action::Frequency {
                label: label(name),
                axes: self.axes(&axes)?,
            },
            ActionSyntax::EvalContract(_) => unreachable!("several actions"),
        })
    }

    fn piece(&mut self, piece: &PieceSyntax<'a>) -> Result<OutputPiece, ConditionError> {
        Ok(match piece {
            PieceSyntax::Text(text) => OutputPiece::Text((*text).to_owned()),
            PieceSyntax::LineEnd => OutputPiece::Text("\n".to_owned()),
            PieceSyntax::Value(value) => OutputPiece::Value(self.value(*value)?),
        })
    }

    fn item(&mut self, item: ItemSyntax<'a>) -> Result<ReportItem, ConditionError> {
        Ok(match item {
            ItemSyntax::Hands(hands) => ReportItem::Hands(self.hands(&hands)?),
            ItemSyntax::Text(text) => ReportItem::Text(text.to_owned()),
            ItemSyntax::DealNumber => ReportItem::DealNumber,
            ItemSyntax::Tricks(hands) => {
                self.check_tables("trix", &hands.span)?;
                ReportItem::Tricks(self.hands(&hands)?)
            }
            ItemSyntax::ParContract { word, vulnerable } => {
                self.check_tables("parcontract", &word.span)?;
                let sides = vulnerable.map(|sides| self.sides(&sides)).transpose()?;
                ReportItem::ParContract(sides.unwrap_or(Vulnerable::None))
            }
            ItemSyntax::Value(value) => ReportItem::Value(self.value(value)?),
        })
    }

    /// The hands of a side or a seat, in the order of [`Seat::ALL`].
    fn hands(&self, hands: &Located<&str>) -> Result<Vec<Seat>, ConditionError> {
        seats_named(hands.it).ok_or_else(|| {
            let message = format!("`{}` is neither a side nor a seat", hands.it);
            self.error(
                &hands.span,
                message,
                "expected NS, EW, north, east, south or west",
            )
        })
    }

    fn axes(&mut self, axes: &[AxisSyntax<'a>]) -> Result<Vec<Axis>, ConditionError> {
        let understood = axes.iter().map(|axis| self.axis(axis));
        let understood = understood.collect::<Result<Vec<Axis>, ConditionError>>()?;
        let cells = understood.iter().map(Axis::cells).product::<usize>();
        self.cells = self.cells.saturating_add(cells);
        if self.cells > MAX_CELLS {
            let message = "the frequencies have more than 1,048,576 cells";
            let span = &self.syntax[axes[0].value].span;
            return Err(self.error(span, message, "use narrower bounds"));
        }
        Ok(understood)
    }

    fn optional(&mut self, value: Option<SyntaxId>) -> Result<Option<Expression>, ConditionError> {
        value.map(|value| self.value(value)).transpose()
    }

    fn axis(&mut self, axis: &AxisSyntax<'a>) -> Result<Axis, ConditionError> {
        let value = self.value(axis.value)?;
        let [low, high] = [self.signed(&axis.bounds[0])?, self.signed(&axis.bounds[1])?];
        let width = match &axis.width {
            None => 1,
            Some(width) => {
                let number = self.signed(width)?;
                if number < 1 {
                    let message = format!("invalid width {number}");
                    return Err(self.error(&width.span, message, "expected more than 0"));
                }
                number
            }
        };
        if high < low || (high - low) / width >= MAX_CELLS as i64 {
            let message = format!("invalid range {low} to {high}");
            let label = format!("expected {low} or more, and at most 1,048,576 cells");
            return Err(self.error(&axis.bounds[1].span, message, label));
        }
        // The last cell with a value of its own begins at the upper bound or below it.
        let high = low + (high - low) / width * width;
        Ok(Axis {
            value,
            low,
            high,
            width,
        })
    }

    fn value(&mut self, id: SyntaxId) -> Result<Expression, ConditionError> {
        let value = self.expression(id, 0)?;
        Ok(Expression::new(&self.whole, value))
    }

    fn add(&mut self, node: Node, span: &Span) -> NodeId {
        self.tree.add(node, span.clone())
    }

    /// Adds the node of an expression. Left sides, of which there may be many, are checked in a loop;
    /// what nests takes little of the stack, since the rest of the work is in other functions.
    fn expression(&mut self, id: SyntaxId, depth: usize) -> Result<NodeId, ConditionError> {
        let mut chain = Vec::new();
        let (innermost, below) = self.left_sides(id, depth, &mut chain)?;
        let (making, parts) = self.begin(innermost, below)?;
        let mut operands = Vec::with_capacity(parts.len());
        for part in parts {
            let value = self.expression(part, below + 1)?;
            self.check_operand(making, part, value)?;
            operands.push(value);
        }
        let mut value = self.made(making, innermost, &operands);
        for link in chain.into_iter().rev() {
            let right = self.expression(link.sides[1], link.depth + 1)?;
            value = self.binary(&link, [value, right])?;
        }
        Ok(value)
    }

    /// Adds the operators of a chain, outermost first; gives its innermost left side and the depth
    /// of that.
    #[inline(never)]
    fn left_sides(
        &mut self,
        mut id: SyntaxId,
        mut depth: usize,
        chain: &mut Vec<ChainLink<'s>>,
    ) -> Result<(SyntaxId, usize), ConditionError> {
        loop {
            let Located { it, span } = &self.syntax[id];
            self.check_depth(depth, span)?;
            let Syntax::Binary(operator, sides) = it else {
                return Ok((id, depth));
            };
            // With brackets, the whole ends behind its right side.
            let right = &self.syntax[sides[1]].span;
            if self.reads_as_dealer3(*operator) && right.end == span.end {
                self.right_starts.insert(right.start);
            }
            chain.push(ChainLink {
                operator: *operator,
                sides: *sides,
                span,
                depth,
            });
            id = sides[0];
            let is_chain = matches!(&self.syntax[id].it, Syntax::Binary(other, _) if other.level() == operator.level());
            depth += usize::from(!is_chain);
        }
    }

    /// Checks an expression before its operands, which it returns.
    #[inline(never)]
    fn begin(
        &mut self,
        id: SyntaxId,
        depth: usize,
    ) -> Result<(Making, Vec<SyntaxId>), ConditionError> {
        let Located { it, span } = &self.syntax[id];
        let node = match it {
            Syntax::Number(digits) => Node::Number(self.number(digits, span)?),
            Syntax::Name(name) => {
                let Some(&value) = self.definitions.get(name) else {
                    return Err(self.unknown(name, span));
                };
                self.lints.used(name);
                self.check_depth(depth + self.tree.depth(value), span)?;
                return Ok((Making::Done(value), Vec::new()));
            }
            Syntax::Call {
                function,
                arguments,
            } => return self.call(function, arguments, span),
            Syntax::Shape { seat, terms } => {
                let seat = self.seat(*seat)?;
                Node::Hand(seat, Measure::Pattern(self.patterns(terms)?.into()))
            }
            Syntax::Distribution(text) => self.distribution(text, span)?,
            Syntax::Unary(operator, operand) => {
                return Ok((Making::Unary(*operator), vec![*operand]));
            }
            Syntax::Binary(..) => unreachable!("checked as a link of a chain"),
            Syntax::Conditional(parts) => return Ok((Making::Conditional, parts.to_vec())),
        };
        Ok((Making::Done(self.add(node, span)), Vec::new()))
    }

    /// Refuses arguments of a random draw that are not constants.
    fn check_operand(
        &self,
        making: Making,
        part: SyntaxId,
        value: NodeId,
    ) -> Result<(), ConditionError> {
        match making {
            Making::Random => self.check_constant(part, value),
            _ => Ok(()),
        }
    }

    /// Makes a node of its operands.
    #[inline(never)]
    fn made(&mut self, making: Making, id: SyntaxId, operands: &[NodeId]) -> NodeId {
        let node = match making {
            Making::Done(value) => return value,
            Making::Unary(operator) => Node::Unary(operator, operands[0]),
            Making::Conditional => Node::Conditional([operands[0], operands[1], operands[2]]),
            Making::Random => {
                let constant = |value: &NodeId| self.tree.bounds(*value).least as u32;
                let sides = constant(&operands[0]);
                let number = operands.get(1).map_or(self.draws, constant);
                Node::Hand(Seat::North, Measure::Random { sides, number })
            }
        };
        self.add(node, &self.syntax[id].span)
    }

    /// Whether dealer3 reads `not` before the operator, or chains of it, in a way of its own.
    fn reads_as_dealer3(&self, operator: BinaryOperator) -> bool {
        let is_of_values = operator.level() >= BinaryOperator::Equal.level();
        self.dialect.has_chained_comparisons() && is_of_values
    }

    /// An operator between two values.
    #[inline(never)]
    fn binary(
        &mut self,
        link: &ChainLink<'s>,
        [left, right]: [NodeId; 2],
    ) -> Result<NodeId, ConditionError> {
        let ChainLink {
            operator,
            sides,
            span,
            depth,
        } = *link;
        let sides = sides.map(|side| &self.syntax[side]);
        if self.reads_as_dealer3(operator) {
            let negations = self.negations_before(sides[0], span);
            let is_chain = is_chained(operator, sides[0], span);
            if negations > 0 || is_chain {
                let whole = self.chained(operator, [left, right], span, negations, is_chain);
                self.check_depth(depth + self.tree.depth(whole), span)?;
                return Ok(whole);
            }
        }
        let whole = self.add(Node::Binary(operator, [left, right]), span);
        self.lints
            .operator(operator, sides, [left, right], (&self.tree, whole));
        Ok(whole)
    }

    /// An operator as dealer3 reads it: `not` before it negates all of it, and `a == b == c` is
    /// `a == b && b == c`.
    fn chained(
        &mut self,
        operator: BinaryOperator,
        [mut left, right]: [NodeId; 2],
        span: &Span,
        negations: usize,
        is_chain: bool,
    ) -> NodeId {
        for _ in 0..negations {
            if let Node::Unary(UnaryOperator::Not, operand) = self.tree.node(left) {
                left = *operand;
            }
        }
        let mut whole = match last_compared(&self.tree, left).filter(|_| is_chain) {
            Some(middle) => {
                self.lints.compared_in_chain(span);
                let last = self.add(Node::Binary(operator, [middle, right]), span);
                self.add(Node::Binary(BinaryOperator::And, [left, last]), span)
            }
            None => self.add(Node::Binary(operator, [left, right]), span),
        };
        if negations > 0 {
            self.lints.negated_comparison(span);
        }
        for _ in 0..negations {
            whole = self.add(Node::Unary(UnaryOperator::Not, whole), span);
        }
        whole
    }

    /// Number of `not` before a left operand that has no brackets: `span` begins with it.
    fn negations_before(&self, left: &Located<Syntax<'a>>, span: &Span) -> usize {
        let text = self.source.text.get(span.start..).unwrap_or_default();
        let is_word = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if self.right_starts.contains(&span.start) {
            return 0;
        }
        if !text.starts_with('!') && !text.strip_prefix("not").is_some_and(is_word) {
            return 0;
        }
        let mut syntax = left;
        while let Syntax::Binary(_, sides) = &syntax.it
            && syntax.span.start == span.start
        {
            syntax = &self.syntax[sides[0]];
        }
        let (mut negations, mut has_brackets) = (0, syntax.span.start > span.start);
        while let Syntax::Unary(UnaryOperator::Not, operand) = &syntax.it
            && !has_brackets
        {
            negations += 1;
            let operand = &self.syntax[*operand];
            has_brackets = operand.span.end < syntax.span.end;
            syntax = operand;
        }
        negations
    }

    /// The patterns of `shape{north, 5+M(xxx)}`.
    fn distribution(&mut self, text: &str, span: &Span) -> Result<Node, ConditionError> {
        self.distribution_bytes += text.len();
        if self.distribution_bytes > MAX_DISTRIBUTION_BYTES {
            let message = "the `shape{}` of this script are longer than 65,536 bytes";
            return Err(self.error(span, message, "the limit is here"));
        }
        // The text lies within the source, behind `shape{`.
        let whole = self.source.text.get(span.clone()).unwrap_or_default();
        let start = span.start + whole.find('{').map_or(0, |brace| brace + 1);
        let place = |range: Span| start + range.start..start + range.end;
        let (seat, terms) = text.split_once(',').unwrap_or((text, ""));
        let name = seat.trim();
        let seat_start = seat.len() - seat.trim_start().len();
        let seat_named = seat_named(name).ok_or_else(|| {
            let span = place(seat_start..seat_start + name.len());
            let message = format!("`{name}` is not a seat");
            let error = self.error(&span, message, "expected north, east, south or west");
            error.with_help("`shape{north, 5+M(xxx)}` has a seat, a comma and shapes")
        })?;
        let start = seat.len() + 1;
        let patterns = ShapeList::parse(terms).map_err(|error| {
            let range = start + error.span.start..start + error.span.end;
            self.error(&place(range), error.message, error.expected)
        })?;
        Ok(Node::Hand(
            seat_named,
            Measure::Pattern(patterns.patterns().into()),
        ))
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
        let words = words_of(Role::Function).chain(["and", "or", "not", "any"]);
        let words: Vec<&'a str> = words.map(|word| -> &'a str { word }).collect();
        let known = self.definitions.keys().copied().chain(words);
        let error = error(
            format!("{UNKNOWN_NAME} `{name}`"),
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
        arguments: &[SyntaxId],
        whole: &Span,
    ) -> Result<(Making, Vec<SyntaxId>), ConditionError> {
        if is_tricks(name.it) || name.it == "par" {
            self.check_tables(name.it, &name.span)?;
            let node = match name.it {
                "par" => self.par(arguments, whole),
                name => self.tricks(name, arguments, whole),
            };
            return Ok((Making::Done(self.add(node?, whole)), Vec::new()));
        }
        if let Some(why) = refused(name.it) {
            let message = format!("`{}` is not supported", name.it);
            return Err(self.error(&name.span, message, why));
        }
        let Some(function) = function(name.it) else {
            let message = format!("unknown function `{}`", name.it);
            let functions = words_of(Role::Function);
            let near = nearest(name.it, functions.clone());
            return Err(match near.or_else(|| written_as(name.it)) {
                Some(near) => {
                    let error = self.error(&name.span, message, "");
                    error.with_help(format!("did you mean `{near}`?"))
                }
                None => {
                    let functions: Vec<&str> = functions.collect();
                    let label = format!("expected one of {}", functions.join(", "));
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
                vulnerable: self.is_vulnerable(arguments[0])?,
                contract: self.contract(arguments[1])?,
            }),
            _ => None,
        };
        if let (Some(operator), Some(last)) = (operator, arguments.last()) {
            return Ok((Making::Unary(operator), vec![*last]));
        }
        if matches!(function, Function::Random) {
            self.draws += 1;
            return Ok((Making::Random, arguments.to_vec()));
        }
        let seat = self.seat(arguments[0])?;
        let (suit, card) = match (function, arguments.get(1)) {
            (Function::HasCard, Some(card)) => (None, Some(self.card(*card)?)),
            (_, Some(suit)) => (Some(self.suit(*suit)?), None),
            (_, None) => (None, None),
        };
        let measure = function.measure(suit, card, |count| *self.counts.values(count));
        let measure =
            measure.expect("other functions are handled above, missing arguments refused");
        let node = self.add(Node::Hand(seat, measure), whole);
        Ok((Making::Done(node), Vec::new()))
    }

    /// The double-dummy tricks of a declarer in a strain.
    fn tricks(
        &self,
        name: &str,
        arguments: &[SyntaxId],
        whole: &Span,
    ) -> Result<Node, ConditionError> {
        let &[declarer, strain] = arguments else {
            let message = format!("wrong number of arguments for `{name}`");
            return Err(self.error(whole, message, "expected a declarer and a strain"));
        };
        let declarer = self.seat(declarer)?;
        Ok(Node::Hand(declarer, Measure::Tricks(self.strain(strain)?)))
    }

    /// The score of a side at par.
    fn par(&self, arguments: &[SyntaxId], whole: &Span) -> Result<Node, ConditionError> {
        let (side, vulnerable) = match *arguments {
            [side] => (side, Vulnerable::None),
            [side, vulnerable] => (side, self.vulnerable_sides(vulnerable)?),
            _ => {
                let message = "wrong number of arguments for `par`";
                let label = "expected a side and, optionally, who is vulnerable";
                return Err(self.error(whole, message, label));
            }
        };
        let seat = match self.side(side)? {
            Side::NorthSouth => Seat::North,
            Side::EastWest => Seat::East,
        };
        Ok(Node::Hand(seat, Measure::Par(vulnerable)))
    }

    /// Refuses a word for which deals need tables of double-dummy tricks.
    fn check_tables(&self, word: &str, span: &Span) -> Result<(), ConditionError> {
        if self.has_tables {
            return Ok(());
        }
        let message = format!("`{word}` is not supported here");
        let label = "only `deal` and `solve` can solve deals";
        Err(self.error(span, message, label))
    }

    fn side(&self, argument: SyntaxId) -> Result<Side, ConditionError> {
        let found = |text: &str| match text {
            "NS" | "ns" => Some(Side::NorthSouth),
            "EW" | "ew" => Some(Side::EastWest),
            _ => None,
        };
        self.named(argument, ["a side", "NS or EW"], &["NS", "EW"], found)
    }

    fn vulnerable_sides(&self, argument: SyntaxId) -> Result<Vulnerable, ConditionError> {
        let kind = ["a vulnerability", "none, ns, ew or both"];
        self.named(
            argument,
            kind,
            &["none", "ns", "ew", "both"],
            vulnerable_named,
        )
    }

    fn strain(&self, argument: SyntaxId) -> Result<Strain, ConditionError> {
        let kind = ["a strain", "spades, hearts, diamonds, clubs or notrumps"];
        let [spades, hearts, diamonds, clubs] = Suit::ALL.map(Suit::name);
        let known = [spades, hearts, diamonds, clubs, "notrumps"];
        self.named(argument, kind, &known, strain_named)
    }

    /// Refuses what is not a positive number that is the same for every deal.
    fn check_constant(&self, argument: SyntaxId, value: NodeId) -> Result<(), ConditionError> {
        let bounds = self.tree.bounds(value);
        let number = bounds.only().filter(|_| !bounds.may_fail);
        if number.is_some_and(|number| (1..=i32::MAX.into()).contains(&number)) {
            return Ok(());
        }
        let span = &self.syntax[argument].span;
        let text = self.source.text.get(span.clone()).unwrap_or_default();
        let message = format!("`{text}` is not a constant of 1 or more");
        Err(self.error(span, message, "expected a number such as 100"))
    }

    fn is_vulnerable(&self, argument: SyntaxId) -> Result<bool, ConditionError> {
        let found = |text: &str| match text {
            "vul" => Some(true),
            "nv" => Some(false),
            _ => None,
        };
        let kind = ["a vulnerability", "vul or nv"];
        self.named(argument, kind, &["vul", "nv"], found)
    }

    fn contract(&self, argument: SyntaxId) -> Result<Contract, ConditionError> {
        let kind = ["a contract", "a contract such as x3N or x4S"];
        self.named(argument, kind, &[], Contract::parse)
    }

    fn seat(&self, argument: SyntaxId) -> Result<Seat, ConditionError> {
        let Located { it, span } = &self.syntax[argument];
        self.seat_at(span, is_word(it))
    }

    /// A seat named in a statement.
    fn seat_named(&self, name: &Located<&'a str>) -> Result<Seat, ConditionError> {
        self.seat_at(&name.span, true)
    }

    fn seat_at(&self, span: &Span, is_word: bool) -> Result<Seat, ConditionError> {
        let kind = ["a seat", "north, east, south or west"];
        self.named_at(
            (span, is_word),
            kind,
            &Seat::ALL.map(Seat::name),
            seat_named,
        )
    }

    fn suit(&self, argument: SyntaxId) -> Result<Suit, ConditionError> {
        let kind = ["a suit", "spades, hearts, diamonds or clubs"];
        self.named(argument, kind, &Suit::ALL.map(Suit::name), suit_named)
    }

    fn card(&self, argument: SyntaxId) -> Result<Card, ConditionError> {
        let kind = ["a card", "a card such as SA, KC or DT"];
        self.named(argument, kind, &[], card_named)
    }

    /// The value of an argument that must be one of a set of names.
    fn named<T>(
        &self,
        argument: SyntaxId,
        kind: [&str; 2],
        known: &[&'static str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ConditionError> {
        let Located { it, span } = &self.syntax[argument];
        self.named_at((span, is_word(it)), kind, known, find)
    }

    fn named_at<T>(
        &self,
        (span, is_word): (&Span, bool),
        [what, which]: [&str; 2],
        known: &[&'static str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ConditionError> {
        let text = self.source.text.get(span.clone()).unwrap_or_default();
        if let Some(found) = find(text).filter(|_| is_word) {
            return Ok(found);
        }
        let error = self.error(
            span,
            format!("`{text}` is not {what}"),
            format!("expected {which}"),
        );
        Err(
            match nearest(text, known.iter().copied()).filter(|_| is_word) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error,
            },
        )
    }

    fn patterns(&mut self, terms: &[ShapeTerm<'a>]) -> Result<Box<PatternSet>, ConditionError> {
        let mut set = PatternSet::empty();
        for term in terms {
            let wanted = self.lengths(&term.digits)?;
            let orders: Vec<[Option<u8>; 4]> = match term.any {
                true => orders_of(wanted).collect(),
                false => vec![wanted],
            };
            for wanted in orders {
                match wanted {
                    [Some(spades), Some(hearts), Some(diamonds), Some(clubs)] => {
                        let pattern = Pattern::new([spades, hearts, diamonds, clubs]);
                        let index = pattern.map(Pattern::index);
                        index.into_iter().for_each(|index| set.set(index, term.add));
                    }
                    _ => {
                        let lengths = |index: &PatternIndex| index.pattern().lengths();
                        let all =
                            PatternIndex::all().filter(|index| fits(&wanted, &lengths(index)));
                        all.for_each(|index| set.set(index, term.add));
                    }
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
        let label =
            "expected four digits or `x`, such as 5332 or 54xx: spades, hearts, diamonds, clubs";
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

/// Whether an argument may be a name.
fn is_word(syntax: &Syntax<'_>) -> bool {
    matches!(syntax, Syntax::Name(_) | Syntax::Number(_))
}

/// Whether a comparison follows another one without brackets.
fn is_chained(operator: BinaryOperator, left: &Located<Syntax<'_>>, span: &Span) -> bool {
    let is_comparison = matches!(&left.it, Syntax::Binary(first, _) if first.is_comparison());
    operator.is_comparison() && is_comparison && left.span.start == span.start
}

/// The right side of the last comparison of a chain.
fn last_compared(tree: &Tree, id: NodeId) -> Option<NodeId> {
    match *tree.node(id) {
        Node::Binary(BinaryOperator::And, [_, right]) => last_compared(tree, right),
        Node::Binary(operator, [_, right]) if operator.is_comparison() => Some(right),
        _ => None,
    }
}
