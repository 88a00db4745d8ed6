//! Trees as text in dealer's language; the text parses to the same tree.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use super::measure::{Measure, PatternSet, PointCount, RankValues};
use super::operators::{BinaryOperator, UnaryOperator};
use super::script::{Action, Axis, OutputPiece, ReportItem, Script};
use super::tree::{Expression, Node};
use super::{Condition, Predeal};
use crate::bridge::pattern::SHAPE_COUNT;
use crate::bridge::{PatternIndex, Seat, Shape, Side, Suit, Vulnerable};

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

/// An expression that gets brackets if its precedence is below this level.
struct AtLevel(u8, Expression);

impl Display for AtLevel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(least, expression) = self;
        if level(expression.node()) < *least {
            write!(f, "({expression})")
        } else {
            expression.fmt(f)
        }
    }
}

impl Display for Expression {
    /// Writes the expression; for one of more than 100,000 nodes, only their number.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_large() {
            let nodes = self.size();
            return write!(
                f,
                "(an expression of {nodes} nodes, too large to write out)"
            );
        }
        let of_this = level(self.node());
        match self.node() {
            Node::Number(number) => number.fmt(f),
            Node::Hand(seat, measure) => measure.write(f, *seat),
            Node::Unary(operator, operand) => match operator {
                UnaryOperator::Not => write!(f, "!{}", AtLevel(of_this, self.part(*operand))),
                UnaryOperator::Negate => write!(f, "-{}", AtLevel(of_this, self.part(*operand))),
                UnaryOperator::Imps => write!(f, "imps({})", self.part(*operand)),
                UnaryOperator::Score {
                    vulnerable,
                    contract,
                } => {
                    let vulnerable = if *vulnerable { "vul" } else { "nv" };
                    let operand = self.part(*operand);
                    write!(f, "score({vulnerable}, {contract}, {operand})")
                }
            },
            Node::Binary(..) => self.write_chain(f),
            Node::Conditional(parts) => {
                let [test, yes, no] = parts.map(|part| self.part(part));
                write!(f, "{} ? {yes} : {no}", AtLevel(1, test))
            }
        }
    }
}

impl Expression {
    /// Writes an operator after all its left sides, innermost first.
    fn write_chain(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let chain = self.tree().left_sides(self.root());
        let chain: Vec<Self> = chain.map(|id| self.part(id)).collect();
        let needs_brackets = |pair: &[Self]| needs_brackets(pair[1].node(), pair[0].node());
        let bracketed: Vec<bool> = chain.windows(2).map(needs_brackets).collect();
        for _ in bracketed.iter().filter(|bracketed| **bracketed) {
            f.write_str("(")?;
        }
        for (place, expression) in chain.iter().enumerate().rev() {
            match expression.node() {
                Node::Binary(operator, [_, right]) => {
                    // In dealer3, comparisons chain.
                    let least = match operator.is_comparison() {
                        true => BinaryOperator::Plus.level(),
                        false => operator.level() + 1,
                    };
                    write!(f, " {operator} {}", AtLevel(least, self.part(*right)))?;
                }
                _ => expression.fmt(f)?,
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
        for shape in Shape::all() {
            let of_shape = PatternIndex::all().filter(|index| index.pattern().shape() == shape);
            let (members, others): (Vec<PatternIndex>, Vec<PatternIndex>) =
                of_shape.partition(|index| self.contains(*index));
            if others.is_empty() {
                terms.push(format!("any {}", digits(shape.lengths())));
            } else {
                let each = members
                    .iter()
                    .map(|index| digits(index.pattern().lengths()));
                terms.extend(each);
            }
        }
        match &terms[..] {
            [] => f.write_str("4333 - 4333"),
            _ if terms.len() == SHAPE_COUNT => f.write_str("xxxx"),
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
        self.write_deals(f)
    }
}

impl Condition {
    fn write_deals(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.predeal.is_empty() {
            writeln!(f, "{}", self.predeal)?;
        }
        write!(f, "condition {}", self.expression)
    }
}

impl Display for Script {
    /// Writes text that parses to the same script, without its mix.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut unusual = Unusual::default();
        unusual.add(&self.condition.expression);
        let actions = self.actions.iter().flatten();
        let values = actions.flat_map(Action::values);
        values.for_each(|value| unusual.add(value));
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
        self.condition.write_deals(f)?;
        if let Some(actions) = &self.actions {
            let actions: Vec<String> = actions.iter().map(Action::to_string).collect();
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

impl Display for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let valued = |f: &mut Formatter<'_>, name, value: &Option<Expression>| match value {
            Some(value) => write!(f, "{name}({value})"),
            None => f.write_str(name),
        };
        match self {
            Self::PrintAll => f.write_str("printall"),
            Self::PrintSide(Side::EastWest) => f.write_str("printew"),
            Self::PrintSide(Side::NorthSouth) => f.write_str("printns"),
            Self::PrintReport(items) => write!(f, "printrpt({})", Listed(items)),
            Self::CsvReport(items) => write!(f, "csvrpt({})", Listed(items)),
            Self::Export(seats) => write!(f, "export({})", hands(seats)),
            Self::PrintPbn => f.write_str("printpbn"),
            Self::PrintCompact(value) => valued(f, "printcompact", value),
            Self::PrintOneline(value) => valued(f, "printoneline", value),
            Self::Print(seats) => {
                let seats: Vec<&str> = seats.iter().map(|seat| seat.name()).collect();
                write!(f, "print({})", seats.join(", "))
            }
            Self::PrintEs(pieces) => write!(f, "printes({})", Listed(pieces)),
            // In brackets: without a label, a value that begins with a string could follow.
            Self::Average { label, value } => write!(f, "average {}({value})", Label(label)),
            Self::Frequency { label, axes } => {
                if axes.iter().all(|axis| axis.width == 1) {
                    return write!(f, "frequency {}({})", Label(label), Listed(axes));
                }
                let axes = axes.iter().map(|axis| format!("{axis}, {}", axis.width));
                let axes: Vec<String> = axes.collect();
                write!(f, "bktfreq {}({})", Label(label), axes.join(", "))
            }
        }
    }
}

/// Items with commas between them.
struct Listed<'l, T>(&'l [T]);

impl<T: Display> Display for Listed<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (place, item) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{item}")?;
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
        match self {
            Self::Hands(seats) => f.write_str(hands(seats)),
            Self::DealNumber => f.write_str("rnd(0)"),
            Self::Tricks(seats) => write!(f, "trix({})", hands(seats)),
            Self::ParContract(vulnerable) => write!(f, "parcontract({})", vulnerable.word()),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Value(value) => value.fmt(f),
        }
    }
}

impl Display for OutputPiece {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) if text == "\n" => f.write_str("\\n"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Value(value) => value.fmt(f),
        }
    }
}

impl Display for Axis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.value, self.low, self.high)
    }
}
