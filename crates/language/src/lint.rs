//! Warnings about conditions that are valid, but may not mean what they say.

use std::collections::BTreeMap;

use super::Span;
use super::bounds::ValueBounds;
use super::dialect::Dialect;
use super::error::{ConditionWarning, SourceText};
use super::operators::{BinaryOperator, UnaryOperator};
use super::parse::{Located, Syntax, SyntaxTree};
use super::tree::{NodeId, Tree};

/// Maximum number of warnings about one script: each stores a copy of the text.
const MOST_WARNINGS: usize = 20;

/// Maximum number of unused names in a warning.
const MOST_NAMES: usize = 10;

/// Maximum length of a comparison that a suggestion quotes, in bytes.
const LONGEST_QUOTE: usize = 60;

/// Warnings found while a script is checked.
pub(super) struct Lints<'s, 'a> {
    source: &'s SourceText<'s>,
    syntax: &'s SyntaxTree<'a>,
    dialect: Dialect,
    warnings: Vec<ConditionWarning>,
    /// Places of the definitions of names that have not been used yet.
    unused: BTreeMap<&'a str, Span>,
}

impl<'s, 'a> Lints<'s, 'a> {
    pub(super) fn new(
        source: &'s SourceText<'s>,
        syntax: &'s SyntaxTree<'a>,
        dialect: Dialect,
    ) -> Self {
        Self {
            source,
            syntax,
            dialect,
            warnings: Vec::new(),
            unused: BTreeMap::new(),
        }
    }

    pub(super) fn defined(&mut self, name: &Located<&'a str>) {
        self.unused.insert(name.it, name.span.clone());
    }

    /// Warns about an unused definition that this one replaces; `false` if a condition or a definition
    /// uses it.
    pub(super) fn redefined(&mut self, name: &Located<&'a str>) -> bool {
        let before = self.unused.remove(name.it);
        if let Some(before) = &before {
            let what = "this definition is replaced by the one";
            self.replaced(what, before, &name.span, "choose another name");
        }
        before.is_some()
    }

    pub(super) fn used(&mut self, name: &str) {
        self.unused.remove(name);
    }

    /// The warnings, in the order of the text.
    pub(super) fn finish(mut self) -> Vec<ConditionWarning> {
        if let Some(warning) = self.unused_names() {
            self.push(warning);
        }
        self.warnings.sort_by_key(ConditionWarning::start);
        self.warnings
    }

    /// The warning about all names that nothing uses, at the first of them.
    fn unused_names(&self) -> Option<ConditionWarning> {
        let mut unused: Vec<(&str, &Span)> = self
            .unused
            .iter()
            .map(|(&name, span)| (name, span))
            .collect();
        unused.sort_by_key(|(_, span)| span.start);
        let (first, span) = *unused.first()?;
        let (message, label) = match unused.len() {
            1 => (
                format!("unused name `{first}`"),
                "no condition or action uses it",
            ),
            count => {
                let line = |span: &Span| self.source.line_and_column(span.start).0;
                let named = unused.iter().take(MOST_NAMES);
                let mut names: Vec<String> = named
                    .map(|(name, span)| format!("`{name}` (line {})", line(span)))
                    .collect();
                if count > MOST_NAMES {
                    names.push(format!("and {} more", count - MOST_NAMES));
                }
                let names = names.join(", ");
                (
                    format!("unused names {names}"),
                    "no condition or action uses them",
                )
            }
        };
        let error = self.source.error(span.clone(), message, label);
        Some(ConditionWarning::new(error))
    }

    /// Adds a warning from elsewhere.
    pub(super) fn extend(&mut self, warning: Option<ConditionWarning>) {
        self.warnings.extend(warning);
    }

    fn push(&mut self, warning: ConditionWarning) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(warning);
        }
    }

    /// Warns about a condition without effect, because a later one replaces it.
    pub(super) fn replaced_condition(&mut self, before: &Span, after: &Span) {
        let what = "this condition is replaced by the one";
        self.replaced(
            what,
            before,
            after,
            "`&&` joins conditions; a script has one",
        );
    }

    /// Warns about a list of actions without effect, because a later one replaces it.
    pub(super) fn replaced_actions(&mut self, before: &Span, after: &Span) {
        let what = "these actions are replaced by the ones";
        let help = "a comma joins actions: `action average .., frequency ..`";
        self.replaced(what, before, after, help);
    }

    fn replaced(&mut self, what: &str, before: &Span, after: &Span, help: &str) {
        let (line, column) = self.source.line_and_column(after.start);
        let message = format!("{what} at line {line}, column {column}");
        let error = self.source.error(before.clone(), message, "not used");
        let error = error.with_related(after.clone(), "used").with_help(help);
        self.push(ConditionWarning::of_loss(error));
    }

    /// Checks an operator between two values; `whole` is the resulting one.
    pub(super) fn operator(
        &mut self,
        operator: BinaryOperator,
        sides: [&Located<Syntax<'a>>; 2],
        values: [NodeId; 2],
        (tree, whole): (&Tree, NodeId),
    ) {
        // `&&` and `||` take comparisons on both sides.
        if operator.level() < BinaryOperator::Equal.level() {
            return;
        }
        let span = tree.span(whole);
        let bounds = values.map(|value| tree.bounds(value));
        let warning = self
            .grouping(operator, sides, span)
            .or_else(|| self.negation(operator, sides, values, (tree, span)))
            .or_else(|| self.chain(operator, sides, bounds, span))
            .or_else(|| self.decided(operator, sides, bounds, (span, tree.bounds(whole))));
        if let Some(warning) = warning {
            self.push(warning);
        }
    }

    /// Warns about `a * b / c`, which is `a * (b / c)` in DealerV2_4.
    fn grouping(
        &self,
        operator: BinaryOperator,
        [_, right]: [&Located<Syntax<'a>>; 2],
        whole: &Span,
    ) -> Option<ConditionWarning> {
        let Syntax::Binary(inner, _) = &right.it else {
            return None;
        };
        let is_bracketed = right.span.end < whole.end;
        if is_bracketed || inner.level() != operator.level() {
            return None;
        }
        let program = self.dialect;
        let message = format!("`{inner}` binds tighter than `{operator}` in {program}");
        let label = "computed first; dealer computes from left to right";
        let error = self.source.error(right.span.clone(), message, label);
        Some(ConditionWarning::new(
            error.with_help("brackets make it the same in both"),
        ))
    }

    /// Warns about `not a > b` in dealer3, which is `not (a > b)`.
    pub(super) fn negated_comparison(&mut self, whole: &Span) {
        let message = "`not` negates the whole of this in dealer3";
        let label = "in dealer, it negates the first value only";
        self.warn_of_dialect(whole, message, label);
    }

    /// Warns about `a == b == c` in dealer3, which is `a == b && b == c`.
    pub(super) fn compared_in_chain(&mut self, whole: &Span) {
        let message = "this chain compares each value with the next in dealer3";
        let label = "in dealer, it compares 0 or 1 with the last value";
        self.warn_of_dialect(whole, message, label);
    }

    fn warn_of_dialect(&mut self, whole: &Span, message: &str, label: &str) {
        let error = self.source.error(whole.clone(), message, label);
        let is_same = |last: &ConditionWarning| {
            last.start() == whole.start && last.to_string().contains(message)
        };
        // The same chain, one value shorter.
        if self.warnings.last().is_some_and(is_same) {
            self.warnings.pop();
        }
        self.push(ConditionWarning::new(
            error.with_help("brackets or `&&` make it the same in both"),
        ));
    }

    /// Warns about `not a > b`, which means `(not a) > b`.
    fn negation(
        &self,
        operator: BinaryOperator,
        [left, _]: [&Located<Syntax<'a>>; 2],
        [negated, other]: [NodeId; 2],
        (tree, whole): (&Tree, &Span),
    ) -> Option<ConditionWarning> {
        let Syntax::Unary(UnaryOperator::Not, operand) = &left.it else {
            return None;
        };
        let is_bracketed = left.span.start > whole.start;
        // `!balanced == strong` compares truth values.
        let operands = tree.node(negated).operands();
        let mut compared = operands.iter().chain([&other]);
        let is_truth = compared.all(|value| tree.bounds(*value).is_truth());
        if is_bracketed || is_truth {
            return None;
        }
        let not = self.source.text.get(left.span.start..)?;
        let not = if not.starts_with('!') { "!" } else { "not" };
        let message = format!("`{not}` binds tighter than `{operator}`");
        let label = format!("this is 0 or 1, not the negated `{operator}`");
        let error = self.source.error(left.span.clone(), message, label);
        let start = self.before_brackets(self.syntax[*operand].span.start);
        let help = match self.quoted(start..whole.end) {
            Some(quote) => format!("write `not ({quote})` to negate all of it"),
            None => "write `not (..)` to negate all of it".to_owned(),
        };
        Some(ConditionWarning::new(error.with_help(help)))
    }

    /// Warns about `a < b < c`, which compares 0 or 1 with `c`.
    fn chain(
        &self,
        operator: BinaryOperator,
        [left, right]: [&Located<Syntax<'a>>; 2],
        [_, other]: [ValueBounds; 2],
        whole: &Span,
    ) -> Option<ConditionWarning> {
        let level = operator.level();
        let Syntax::Binary(first, parts) = &left.it else {
            return None;
        };
        let is_bracketed = left.span.start > whole.start;
        // `a < b == c` is intended if `c` is a truth value too.
        let is_meant = first.level() != level && other.is_truth();
        if !operator.is_comparison() || !first.is_comparison() || is_bracketed || is_meant {
            return None;
        }
        let compared = self.quoted(right.span.clone());
        let compared = compared.map_or_else(
            || "the right side".to_owned(),
            |compared| format!("`{compared}`"),
        );
        let message = format!("a chained comparison compares 0 or 1 with {compared}");
        let label = "this comparison is 0 or 1";
        let error = self.source.error(left.span.clone(), message, label);
        let middle = self.before_brackets(self.syntax[parts[1]].span.start);
        let first = self.quoted(left.span.clone());
        let help = match first.zip(self.quoted(middle..whole.end)) {
            Some((first, second)) => format!("did you mean `{first} && {second}`?"),
            None => "join two comparisons with `&&`".to_owned(),
        };
        Some(ConditionWarning::new(error.with_help(help)))
    }

    /// Warns about a comparison that is always true or always false, by the bounds of its sides.
    fn decided(
        &self,
        operator: BinaryOperator,
        sides: [&Located<Syntax<'a>>; 2],
        bounds: [ValueBounds; 2],
        (span, whole): (&Span, ValueBounds),
    ) -> Option<ConditionWarning> {
        let truth = whole.only().filter(|_| operator.is_comparison())?;
        let is_varying = bounds.iter().any(|bounds| bounds.only().is_none());
        if !is_varying {
            // A constant that the author of the script sets on purpose.
            return None;
        }
        let always = if truth == 1 { "true" } else { "false" };
        let message = format!("this comparison is always {always}");
        let range = |(side, bounds): (&Located<Syntax<'a>>, ValueBounds)| {
            let quote = self.quoted(side.span.clone())?;
            let (least, most) = (bounds.least, bounds.most);
            (least < most).then(|| format!("`{quote}` is {least} to {most}"))
        };
        let ranges: Vec<String> = sides.into_iter().zip(bounds).filter_map(range).collect();
        let error = self.source.error(span.clone(), message, ranges.join(", "));
        let mut decimals = sides
            .iter()
            .zip(bounds)
            .filter_map(|(side, bounds)| match side.it {
                Syntax::Number(digits) if digits.contains('.') => Some((digits, bounds.least)),
                _ => None,
            });
        let error = match decimals.next() {
            Some((digits, hundredths)) => error.with_help(format!(
                "decimals are hundredths: `{digits}` is {hundredths}"
            )),
            None => error,
        };
        let error = match self.range_meant(operator, sides) {
            Some(range) => error.with_help(format!("did you mean `{range}`?")),
            None => error,
        };
        Some(ConditionWarning::new(error))
    }

    /// The range that `hcp(north) == 15-17` is meant to be.
    fn range_meant(
        &self,
        operator: BinaryOperator,
        [of, range]: [&Located<Syntax<'a>>; 2],
    ) -> Option<String> {
        let Syntax::Binary(BinaryOperator::Minus, ends) = &range.it else {
            return None;
        };
        let of = self.quoted(of.span.clone())?;
        let [least, most] = ends.map(|end| self.quoted(self.syntax[end].span.clone()));
        let is_equal = operator == BinaryOperator::Equal;
        is_equal.then_some(format!("{of} >= {} && {of} <= {}", least?, most?))
    }

    /// Warns about a whole number beside decimals in a count: it is a number of hundredths.
    pub(super) fn whole_among_decimals(&mut self, place: &Span) {
        let number = self.source.text.get(place.clone()).unwrap_or_default();
        let message = format!("`{number}` is not in hundredths, as the decimals of this count are");
        let error = self.source.error(place.clone(), message, "");
        let help = format!("write `{number}.0`");
        self.push(ConditionWarning::new(error.with_help(help)));
    }

    /// The start of an operand including its brackets, which are not part of its span.
    fn before_brackets(&self, start: usize) -> usize {
        let before = self.source.text.get(..start).unwrap_or_default();
        let without = before.trim_end_matches([' ', '(']);
        let brackets = before.get(without.len()..).unwrap_or_default();
        start - brackets.trim_start().len()
    }

    /// The text of a span, if it is short and on one line.
    fn quoted(&self, span: Span) -> Option<&str> {
        let text = self.source.text.get(span)?;
        (text.len() <= LONGEST_QUOTE && !text.contains('\n')).then_some(text)
    }
}
