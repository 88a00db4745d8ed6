//! Trees as text in dealer's language; the text parses to the same tree.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use super::measure::{Measure, PatternSet, PointCount, RankValues};
use super::operators::{BinaryOperator, UnaryOperator};
use super::script::{Action, Axis, OutputPiece, ReportItem, Script};
use super::tree::{Expression, Node, NodeId};
use super::{Condition, Predeal};
use crate::bridge::{PatternIndex, Seat, Side, Suit, Vulnerable};

/// The precedence of an expression, that of C as in the parser.
fn level(node: &Node) -> u8 {
    match node {
        Node::Conditional(_) => 0,
        Node::Binary(operator, _) => operator.level(),
        Node::Unary(UnaryOperator::Not | UnaryOperator::Negate, _) => 7,
        Node::Unary(..) | Node::Number(_) | Node::Hand(..) => 8,
    }
}

/// Whether the left side of an operator needs brackets, in any dialect: operators of one precedence
/// in dealer may have several in DealerV2_4; in dealer3, `!` may negate the whole chain, and
/// comparisons chain.
fn needs_brackets(left: &Node, whole: &Node) -> bool {
    match (left, whole) {
        (Node::Unary(UnaryOperator::Not, _), Node::Binary(operator, _)) => {
            operator.level() >= BinaryOperator::Equal.level()
        }
        (Node::Binary(inner, _), Node::Binary(outer, _))
            if inner.is_comparison() && outer.is_comparison() =>
        {
            true
        }
        (Node::Binary(inner, _), Node::Binary(outer, _)) if inner.level() == outer.level() => {
            inner != outer && !matches!(outer, BinaryOperator::Plus | BinaryOperator::Minus)
        }
        _ => level(left) < level(whole),
    }
}

/// Number of nodes, written out, above which the shared parts of a statement get names.
const LONG: u64 = 1_000;

/// Numbers for the parts that expressions use more than once; none if no expression is long.
#[derive(Default)]
struct SharedParts(Vec<(Expression, BTreeMap<NodeId, usize>)>);

impl SharedParts {
    fn of<'e>(expressions: impl IntoIterator<Item = &'e Expression>) -> Self {
        let mut arenas: Vec<(&Expression, Vec<NodeId>)> = Vec::new();
        let mut is_long = false;
        for expression in expressions {
            is_long |= expression.written_out() > LONG;
            match arenas.iter_mut().find(|(of, _)| of.is_beside(expression)) {
                Some((_, roots)) => roots.push(expression.root()),
                None => arenas.push((expression, vec![expression.root()])),
            }
        }
        let mut numbers = 1..;
        let named = |(of, roots): (&Expression, Vec<NodeId>)| {
            let shared = of.tree().shared(roots);
            (of.clone(), shared.zip(numbers.by_ref()).collect())
        };
        match is_long {
            true => Self(arenas.into_iter().map(named).collect()),
            false => Self::default(),
        }
    }

    fn number(&self, expression: &Expression) -> Option<usize> {
        let (_, names) = self.0.iter().find(|(of, _)| of.is_beside(expression))?;
        names.get(&expression.root()).copied()
    }
}

impl Display for SharedParts {
    /// Writes a definition on each line.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (of, names) in &self.0 {
            for (id, number) in names {
                let part = of.part(*id);
                write!(f, "part{number} = ")?;
                WithNames(&part, self).write_value(f)?;
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Something written with a name for each of these parts.
struct WithNames<'w, T: ?Sized>(&'w T, &'w SharedParts);

/// An expression that gets brackets if its precedence is below this level.
struct AtLevel<'w>(u8, Expression, &'w SharedParts);

impl Display for AtLevel<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(least, expression, shared) = self;
        let written = WithNames(expression, shared);
        match level(expression.node()) < *least && shared.number(expression).is_none() {
            true => write!(f, "({written})"),
            false => written.fmt(f),
        }
    }
}

impl Display for Expression {
    /// Writes the expression; for one of more than 100,000 nodes, only their number.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.is_large() {
            false => WithNames(self, &SharedParts::default()).fmt(f),
            true => {
                let nodes = self.size();
                write!(
                    f,
                    "(an expression of {nodes} nodes, too large to write out)"
                )
            }
        }
    }
}

impl Display for WithNames<'_, Expression> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(expression, shared) = self;
        match shared.number(expression) {
            Some(number) => write!(f, "part{number}"),
            None => self.write_value(f),
        }
    }
}

impl WithNames<'_, Expression> {
    /// Writes the expression itself, not its name.
    fn write_value(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(expression, shared) = self;
        let at_level = |least, id| AtLevel(least, expression.part(id), shared);
        let of_this = level(expression.node());
        match expression.node() {
            Node::Number(number) => number.fmt(f),
            Node::Hand(seat, measure) => measure.write(f, *seat),
            Node::Unary(operator, operand) => match operator {
                UnaryOperator::Not => write!(f, "!{}", at_level(of_this, *operand)),
                UnaryOperator::Negate => write!(f, "-{}", at_level(of_this, *operand)),
                UnaryOperator::Imps => write!(f, "imps({})", at_level(0, *operand)),
                UnaryOperator::Score {
                    vulnerable,
                    contract,
                } => {
                    let vulnerable = if *vulnerable { "vul" } else { "nv" };
                    let operand = at_level(0, *operand);
                    write!(f, "score({vulnerable}, {contract}, {operand})")
                }
            },
            Node::Binary(..) => self.write_chain(f),
            Node::Conditional([test, yes, no]) => {
                let [yes, no] = [yes, no].map(|part| at_level(0, *part));
                write!(f, "{} ? {yes} : {no}", at_level(1, *test))
            }
        }
    }

    /// Writes an operator after all its left sides, innermost first.
    fn write_chain(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(expression, shared) = self;
        let left_sides = expression.tree().left_sides(expression.root());
        let left_sides = left_sides.map(|id| expression.part(id));
        let mut chain: Vec<Expression> = Vec::new();
        let mut is_named = false;
        for part in left_sides {
            is_named = !chain.is_empty() && shared.number(&part).is_some();
            chain.push(part);
            if is_named {
                break;
            }
        }
        let innermost = chain.len() - 1;
        let needs_brackets = |place: usize| {
            let is_name = is_named && place + 1 == innermost;
            !is_name && needs_brackets(chain[place + 1].node(), chain[place].node())
        };
        let bracketed: Vec<bool> = (0..innermost).map(needs_brackets).collect();
        for _ in bracketed.iter().filter(|bracketed| **bracketed) {
            f.write_str("(")?;
        }
        for (place, expression) in chain.iter().enumerate().rev() {
            match expression.node() {
                Node::Binary(operator, [_, right]) if place < innermost => {
                    // In dealer3, comparisons chain.
                    let least = match operator.is_comparison() {
                        true => BinaryOperator::Plus.level(),
                        false => operator.level() + 1,
                    };
                    let right = AtLevel(least, expression.part(*right), shared);
                    write!(f, " {operator} {right}")?;
                }
                _ => WithNames(expression, shared).fmt(f)?,
            }
            if place > 0 && bracketed[place - 1] {
                f.write_str(")")?;
            }
        }
        Ok(())
    }
}

impl Display for BinaryOperator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::And => "&&",
            Self::Or => "||",
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
        })
    }
}

impl Display for PatternSet {
    /// Writes `any 4333` for a shape with all its patterns, and other patterns one by one.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<String> = Vec::new();
        let all: Vec<PatternIndex> = PatternIndex::all().collect();
        // The patterns of a shape are in descending order, and follow each other.
        for of_shape in all.chunk_by(|a, b| a.shape_index() == b.shape_index()) {
            let members = of_shape.iter().filter(|index| self.contains(**index));
            let mut each = members.map(|index| digits(index.pattern().lengths()));
            match of_shape.iter().all(|index| self.contains(*index)) {
                true => terms.extend(each.next().map(|first| format!("any {first}"))),
                false => terms.extend(each),
            }
        }
        match &terms[..] {
            [] => f.write_str("4333 - 4333"),
            _ if all.iter().all(|index| self.contains(*index)) => f.write_str("xxxx"),
            _ => f.write_str(&terms.join(" + ")),
        }
    }
}

/// Four lengths as the language writes them; a length of two digits is an `x`, which the others
/// determine.
fn digits(lengths: [u8; 4]) -> String {
    let digit = |length: u8| char::from_digit(length.into(), 10).unwrap_or('x');
    lengths.into_iter().map(digit).collect()
}

impl Display for Predeal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("predeal")?;
        for seat in Seat::ALL {
            let hand = self.hand(seat);
            let suits = Suit::ALL
                .into_iter()
                .map(|suit| (suit, hand.holding(suit).to_string()));
            let holdings: Vec<String> = suits
                .filter(|(_, ranks)| !ranks.is_empty())
                .map(|(suit, ranks)| format!("{}{ranks}", suit.letter()))
                .collect();
            if !holdings.is_empty() {
                write!(f, " {seat} {}", holdings.join(", "))?;
            }
        }
        Ok(())
    }
}

/// The counts of some expressions that do not have their usual values.
#[derive(Default)]
struct Unusual<'e>(BTreeMap<PointCount, &'e RankValues>);

impl<'e> Unusual<'e> {
    fn add(&mut self, expression: &'e Expression) {
        for (_, measure) in expression.mentioned() {
            if let Measure::Points { count, values, .. } = measure
                && **values != count.usual()
            {
                self.0.insert(*count, values);
            }
        }
    }
}

impl Display for Unusual<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (count, values) in &self.0 {
            match count {
                PointCount::Alternative(number) => write!(f, "altcount {number}")?,
                PointCount::Hcp | PointCount::Controls => f.write_str("pointcount")?,
            }
            for value in *values {
                write!(f, " {value}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Display for Condition {
    /// Writes statements that parse to the same condition.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut unusual = Unusual::default();
        unusual.add(&self.expression);
        write!(f, "{unusual}")?;
        self.write_deals(f, &SharedParts::of([&self.expression]))
    }
}

impl Condition {
    fn write_deals(&self, f: &mut Formatter<'_>, shared: &SharedParts) -> fmt::Result {
        if !self.predeal.is_empty() {
            writeln!(f, "{}", self.predeal)?;
        }
        let expression = WithNames(&self.expression, shared);
        write!(f, "{shared}condition {expression}")
    }
}

impl Display for Script {
    /// Writes text that parses to the same script, without its mix.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut unusual = Unusual::default();
        let actions = self.actions.iter().flatten();
        let values = actions.flat_map(Action::values);
        let values = [&self.condition.expression].into_iter().chain(values);
        let values: Vec<&Expression> = values.collect();
        values.iter().for_each(|value| unusual.add(value));
        let shared = SharedParts::of(values);
        if let Some(deals) = self.generate {
            writeln!(f, "generate {deals}")?;
        }
        if let Some(deals) = self.produce {
            writeln!(f, "produce {deals}")?;
        }
        if let Some(title) = &self.title {
            writeln!(f, "title \"{title}\"")?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed {seed}")?;
        }
        if let Some(board) = self.start_board {
            writeln!(f, "startboard {board}")?;
        }
        if let Some(seat) = self.dealer {
            writeln!(f, "dealer {seat}")?;
        }
        if let Some(sides) = self.vulnerable {
            let sides = match sides {
                Vulnerable::None => "none",
                Vulnerable::NorthSouth => "NS",
                Vulnerable::EastWest => "EW",
                Vulnerable::All => "all",
            };
            writeln!(f, "vulnerable {sides}")?;
        }
        write!(f, "{unusual}")?;
        self.condition.write_deals(f, &shared)?;
        if let Some(actions) = &self.actions {
            let actions = actions
                .iter()
                .map(|action| WithNames(action, &shared).to_string());
            let actions: Vec<String> = actions.collect();
            write!(f, "\naction {}", actions.join(",\n    "))?;
        }
        Ok(())
    }
}

/// A label in quotes and a space; nothing if it is empty.
struct Label<'a>(&'a str);

impl Display for Label<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => Ok(()),
            text => write!(f, "\"{text}\" "),
        }
    }
}

impl Display for WithNames<'_, Action> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(action, shared) = self;
        let valued = |f: &mut Formatter<'_>, name, value: &Option<Expression>| match value {
            Some(value) => write!(f, "{name}({})", WithNames(value, shared)),
            None => f.write_str(name),
        };
        match action {
            Action::PrintAll => f.write_str("printall"),
            Action::PrintSide(Side::EastWest) => f.write_str("printew"),
            Action::PrintSide(Side::NorthSouth) => f.write_str("printns"),
            Action::PrintReport(items) => write!(f, "printrpt({})", WithNames(&items[..], shared)),
            Action::CsvReport(items) => write!(f, "csvrpt({})", WithNames(&items[..], shared)),
            Action::Export(seats) => write!(f, "export({})", hands(seats)),
            Action::PrintPbn => f.write_str("printpbn"),
            Action::PrintCompact(value) => valued(f, "printcompact", value),
            Action::PrintOneline(value) => valued(f, "printoneline", value),
            Action::Print(seats) => {
                let seats: Vec<&str> = seats.iter().map(|seat| seat.name()).collect();
                write!(f, "print({})", seats.join(", "))
            }
            Action::PrintEs(pieces) => write!(f, "printes({})", WithNames(&pieces[..], shared)),
            // In brackets: without a label, a value that begins with a string could follow.
            Action::Average { label, value } => {
                let value = WithNames(value, shared);
                write!(f, "average {}({value})", Label(label))
            }
            Action::Frequency { label, axes } => {
                if axes.iter().all(|axis| axis.width == 1) {
                    let axes = WithNames(&axes[..], shared);
                    return write!(f, "frequency {}({axes})", Label(label));
                }
                let written = |axis: &Axis| format!("{}, {}", WithNames(axis, shared), axis.width);
                let axes = axes.iter().map(written);
                let axes: Vec<String> = axes.collect();
                write!(f, "bktfreq {}({})", Label(label), axes.join(", "))
            }
        }
    }
}

impl<T> Display for WithNames<'_, [T]>
where
    for<'w> WithNames<'w, T>: Display,
{
    /// Writes items with commas between them.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (place, item) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{}", WithNames(item, self.1))?;
        }
        Ok(())
    }
}

/// The word for these hands: a seat, a side or the whole deal.
fn hands(seats: &[Seat]) -> &'static str {
    match seats {
        [seat] => seat.name(),
        [Seat::North, Seat::South] => "NS",
        [_, _] => "EW",
        _ => "deal",
    }
}

impl Display for ReportItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        WithNames(self, &SharedParts::default()).fmt(f)
    }
}

impl Display for WithNames<'_, ReportItem> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ReportItem::Hands(seats) => f.write_str(hands(seats)),
            ReportItem::DealNumber => f.write_str("rnd(0)"),
            ReportItem::Tricks(seats) => write!(f, "trix({})", hands(seats)),
            ReportItem::ParContract(vulnerable) => write!(f, "parcontract({})", vulnerable.word()),
            ReportItem::Text(text) => write!(f, "\"{text}\""),
            ReportItem::Value(value) => WithNames(value, self.1).fmt(f),
        }
    }
}

impl Display for WithNames<'_, OutputPiece> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            OutputPiece::Text(text) if text == "\n" => f.write_str("\\n"),
            OutputPiece::Text(text) => write!(f, "\"{text}\""),
            OutputPiece::Value(value) => WithNames(value, self.1).fmt(f),
        }
    }
}

impl Display for WithNames<'_, Axis> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(axis, shared) = self;
        let value = WithNames(&axis.value, shared);
        write!(f, "{value}, {}, {}", axis.low, axis.high)
    }
}
