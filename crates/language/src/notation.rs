//! Conditions in bridge notation: `hcp(south) >= 11 && hcp(south) <= 15` is "South 11–15 HCP".
//!
//! An expression without a short wording keeps dealer's syntax. The wording is for people and is
//! not parsed again.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::measure::{Measure, PatternSet, PointCount};
use super::operators::{BinaryOperator, UnaryOperator};
use super::tree::{Expression, Node};
use super::{Condition, Predeal};
use crate::bridge::{Card, PatternIndex, Seat, Shape, Suit};

/// Maximum number of patterns and shapes that are listed.
const MOST_SHAPES: usize = 12;

impl Condition {
    /// The condition in bridge notation, one string per term; a deal must satisfy all terms. No
    /// terms if every deal satisfies the condition.
    ///
    /// ```
    /// use fairdeal_language::Condition;
    ///
    /// let text = "hcp(south) >= 11 && hcp(south) <= 15 && spades(north) <= 3";
    /// let condition = Condition::parse("example", text)?;
    /// assert_eq!(condition.in_bridge_notation(), ["South 11–15 HCP", "North at most 3♠"]);
    /// # Ok::<(), fairdeal_language::ConditionError>(())
    /// ```
    pub fn in_bridge_notation(&self) -> Vec<String> {
        let mut terms = given(&self.predeal);
        let words = all_of(&self.expression);
        terms.extend(words.into_iter().map(|words| words.text));
        terms
    }
}

/// The terms of predealt cards.
fn given(predeal: &Predeal) -> Vec<String> {
    let seats = Seat::ALL.map(|seat| (seat, predeal.hand(seat)));
    let dealt = seats.into_iter().filter_map(|(seat, hand)| {
        let suits = Suit::ALL.map(|suit| (symbol(suit), hand.holding(suit).to_string()));
        let held = suits.iter().filter(|(_, ranks)| !ranks.is_empty());
        let held: Vec<String> = held.map(|(suit, ranks)| format!("{suit}{ranks}")).collect();
        (!held.is_empty()).then(|| format!("{} has {}", name(seat), held.join(" ")))
    });
    dealt.collect()
}

fn name(seat: Seat) -> &'static str {
    match seat {
        Seat::North => "North",
        Seat::East => "East",
        Seat::South => "South",
        Seat::West => "West",
    }
}

fn symbol(suit: Suit) -> char {
    match suit {
        Suit::Spades => '♠',
        Suit::Hearts => '♥',
        Suit::Diamonds => '♦',
        Suit::Clubs => '♣',
    }
}

/// The wording of a term.
#[derive(Clone, Debug)]
struct Wording {
    text: String,
    /// Whether the text joins terms by `and` or `or`, and needs brackets within another text.
    is_chain: bool,
}

impl Wording {
    fn one(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_chain: false,
        }
    }

    fn chain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_chain: true,
        }
    }

    /// The text as a part of another text, with brackets if needed.
    fn part(self) -> String {
        match self.is_chain {
            true => format!("({})", self.text),
            false => self.text,
        }
    }

    fn not(self) -> Self {
        Self::one(format!("not {}", self.part()))
    }
}

/// A term: a quantity within bounds, which may be merged with others, or a wording.
enum WordedTerm {
    Bounded(Quantity, OptionalBounds),
    Words(Wording),
    /// True for every deal.
    Nothing,
}

/// A sum of measures of hands, in the order of seats and suits.
type Quantity = Vec<(Seat, Measure)>;

/// The lower and the upper bound, if there are any.
#[derive(Clone, Copy, Debug)]
struct OptionalBounds {
    low: Option<i64>,
    high: Option<i64>,
}

impl OptionalBounds {
    fn and(self, other: Self) -> Self {
        let low = [self.low, other.low].into_iter().flatten().max();
        let high = [self.high, other.high].into_iter().flatten().min();
        Self { low, high }
    }

    fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }
}

/// The terms of a chain of `and`; bounds of the same quantity are merged into the first.
fn all_of(expression: &Expression) -> Vec<Wording> {
    let mut terms = Vec::new();
    let mut places = BTreeMap::new();
    for part in expression.conjuncts() {
        let term = term(&part);
        if let WordedTerm::Bounded(quantity, bounds) = &term {
            if let Some(&place) = places.get(quantity)
                && let Some(WordedTerm::Bounded(_, earlier)) = terms.get_mut(place)
                && !earlier.and(*bounds).is_empty()
            {
                *earlier = earlier.and(*bounds);
                continue;
            }
            places.insert(quantity.clone(), terms.len());
        }
        terms.push(term);
    }
    terms.into_iter().filter_map(worded).collect()
}

/// The wording of a term; `None` if every deal satisfies it.
fn worded(term: WordedTerm) -> Option<Wording> {
    match term {
        WordedTerm::Bounded(quantity, bounds) => Some(bounded(&quantity, bounds)),
        WordedTerm::Words(words) => Some(words),
        WordedTerm::Nothing => None,
    }
}

/// The term that states that an expression holds.
fn term(expression: &Expression) -> WordedTerm {
    let own = || {
        WordedTerm::Words(Wording {
            text: expression.to_string(),
            is_chain: matches!(expression.node(), Node::Conditional(_)),
        })
    };
    match expression.node() {
        Node::Number(0) => WordedTerm::Words(Wording::one("no deal")),
        Node::Number(_) => WordedTerm::Nothing,
        Node::Hand(seat, Measure::Pattern(set)) => match shapes(*seat, set) {
            Some(words) => WordedTerm::Words(words),
            None => own(),
        },
        Node::Hand(seat, Measure::Holds(card)) => {
            WordedTerm::Words(Wording::one(format!("{} has {}", name(*seat), face(*card))))
        }
        Node::Unary(UnaryOperator::Not, operand) => denied(&expression.part(*operand)),
        Node::Binary(BinaryOperator::And, _) => all_together(expression),
        Node::Binary(BinaryOperator::Or, _) => any_of(expression),
        Node::Binary(operator, sides) => {
            let [left, right] = sides.map(|side| expression.part(side));
            compared(*operator, &left, &right).unwrap_or_else(own)
        }
        // A measure as a condition: it is not 0.
        Node::Hand(..) => quantity(expression).map_or_else(own, |quantity| {
            let (low, high) = (Some(1), None);
            WordedTerm::Bounded(quantity, OptionalBounds { low, high })
        }),
        _ => own(),
    }
}

/// The term of a chain of `and` within another expression.
fn all_together(expression: &Expression) -> WordedTerm {
    let mut words = all_of(expression);
    match words.len() {
        0 => WordedTerm::Nothing,
        1 => WordedTerm::Words(words.remove(0)),
        _ => {
            let parts: Vec<String> = words.into_iter().map(Wording::part).collect();
            WordedTerm::Words(Wording::chain(parts.join(" and ")))
        }
    }
}

/// The term of a chain of `or`.
fn any_of(expression: &Expression) -> WordedTerm {
    let mut texts = Vec::new();
    for part in expression.chained(BinaryOperator::Or) {
        match worded(term(&part)) {
            // One of them always holds.
            None => return WordedTerm::Nothing,
            Some(words) => texts.push(words.part()),
        }
    }
    WordedTerm::Words(Wording::chain(texts.join(" or ")))
}

/// The term that states that an expression does not hold.
fn denied(operand: &Expression) -> WordedTerm {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    if let Node::Binary(operator, sides) = operand.node() {
        let opposite = match operator {
            Equal => Some(NotEqual),
            NotEqual => Some(Equal),
            Less => Some(GreaterOrEqual),
            LessOrEqual => Some(Greater),
            Greater => Some(LessOrEqual),
            GreaterOrEqual => Some(Less),
            _ => None,
        };
        let [left, right] = sides.map(|side| operand.part(side));
        let compared = opposite.and_then(|opposite| compared(opposite, &left, &right));
        if let Some(term) = compared {
            return term;
        }
    }
    let words = match operand.node() {
        Node::Unary(UnaryOperator::Not, inner) => return term(&operand.part(*inner)),
        Node::Hand(seat, Measure::Holds(card)) => {
            Wording::one(format!("{} does not have {}", name(*seat), face(*card)))
        }
        Node::Hand(seat, Measure::Pattern(set)) => match &members(set).as_deref() {
            Some([shape]) => Wording::one(format!("{} not {shape}", name(*seat))),
            _ => match worded(term(operand)) {
                Some(words) => words.not(),
                None => Wording::one("no deal"),
            },
        },
        Node::Hand(..) => match quantity(operand) {
            Some(quantity) => {
                let (low, high) = (None, Some(0));
                return WordedTerm::Bounded(quantity, OptionalBounds { low, high });
            }
            None => Wording::one(format!("not {operand}")),
        },
        _ => match worded(term(operand)) {
            Some(words) => words.not(),
            None => Wording::one("no deal"),
        },
    };
    WordedTerm::Words(words)
}

/// A card with its suit first.
fn face(card: Card) -> String {
    format!("{}{}", symbol(card.suit()), card.rank().letter())
}

/// The term of a comparison of a quantity with a number, or of two quantities.
fn compared(operator: BinaryOperator, left: &Expression, right: &Expression) -> Option<WordedTerm> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let (quantity, number, operator) = match (number(left), number(right)) {
        (None, Some(number)) => (quantity(left)?, number, operator),
        (Some(number), None) => {
            let mirrored = match operator {
                Less => Greater,
                LessOrEqual => GreaterOrEqual,
                Greater => Less,
                GreaterOrEqual => LessOrEqual,
                other => other,
            };
            (quantity(right)?, number, mirrored)
        }
        (None, None) => return than(operator, &quantity(left)?, &quantity(right)?),
        (Some(_), Some(_)) => return None,
    };
    let (low, high) = match operator {
        Equal => (Some(number), Some(number)),
        Less => (None, Some(number.checked_sub(1)?)),
        LessOrEqual => (None, Some(number)),
        Greater => (Some(number.checked_add(1)?), None),
        GreaterOrEqual => (Some(number), None),
        NotEqual => {
            let bounds = OptionalBounds {
                low: Some(number),
                high: Some(number),
            };
            let (subject, unit) = subject(&quantity);
            let amount = amount(bounds, &unit);
            return Some(WordedTerm::Words(Wording::one(format!(
                "{subject} not {amount}"
            ))));
        }
        _ => return None,
    };
    Some(WordedTerm::Bounded(quantity, OptionalBounds { low, high }))
}

/// The term "North more HCP than South" or "South at least as many ♠ as ♥".
fn than(operator: BinaryOperator, left: &Quantity, right: &Quantity) -> Option<WordedTerm> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let ([(seat, measure)], [(other, others)]) = (&left[..], &right[..]) else {
        return None;
    };
    let (more, than) = match operator {
        Equal => ("as many", "as"),
        NotEqual => ("not as many", "as"),
        Less => ("fewer", "than"),
        LessOrEqual => ("at most as many", "as"),
        Greater => ("more", "than"),
        GreaterOrEqual => ("at least as many", "as"),
        _ => return None,
    };
    let (units, other_units) = (unit(measure)?.many, unit(others)?.many);
    let rest = match (seat == other, measure == others) {
        (true, _) => other_units.trim_start().to_owned(),
        (false, true) => name(*other).to_owned(),
        (false, false) => format!("{} {}", name(*other), other_units.trim_start()),
    };
    let (seat, units) = (name(*seat), units.trim_start());
    let text = format!("{seat} {more} {units} {than} {rest}");
    Some(WordedTerm::Words(Wording::one(text)))
}

/// The value of a literal number, with or without a sign.
fn number(expression: &Expression) -> Option<i64> {
    match expression.node() {
        Node::Number(number) => Some(*number),
        Node::Unary(UnaryOperator::Negate, operand) => {
            number(&expression.part(*operand))?.checked_neg()
        }
        _ => None,
    }
}

/// The measures whose sum is the expression, if there is a wording for it: one measure of a hand,
/// the same measure of several hands, or the lengths of several suits of a hand.
fn quantity(expression: &Expression) -> Option<Quantity> {
    let added = expression.chained(BinaryOperator::Plus).into_iter();
    let measured = added.map(|part| match part.node() {
        Node::Hand(seat, measure) => Some((*seat, measure.clone())),
        _ => None,
    });
    let mut quantity = measured.collect::<Option<Quantity>>()?;
    quantity.sort();
    let (first, rest) = quantity.split_first()?;
    let is_distinct = quantity.windows(2).all(|pair| pair[0] != pair[1]);
    let same_measure = rest.iter().all(|(_, measure)| *measure == first.1);
    let is_length = |(seat, measure): &(Seat, Measure)| {
        *seat == first.0 && matches!(measure, Measure::Length(_))
    };
    let known = quantity.iter().all(|(_, measure)| unit(measure).is_some());
    let has_wording = known && is_distinct && (same_measure || quantity.iter().all(is_length));
    has_wording.then_some(quantity)
}

/// The unit after a number, in the singular and the plural.
struct Unit {
    one: String,
    many: String,
    /// The wording for none of them.
    none: String,
}

/// The unit of a measure; `None` if it has no short name or can be negative.
fn unit(measure: &Measure) -> Option<Unit> {
    let (one, many, suit) = match measure {
        Measure::Length(suit) => {
            let suit = symbol(*suit).to_string();
            return Some(Unit {
                one: suit.clone(),
                none: format!("void in {suit}"),
                many: suit,
            });
        }
        Measure::Points {
            count,
            values,
            suit,
        } if **values == count.usual() => {
            let (one, many) = match count {
                PointCount::Hcp => ("HCP", "HCP"),
                PointCount::Controls => ("control", "controls"),
                PointCount::Alternative(_) => match count.common_name()? {
                    "tens" => ("ten", "tens"),
                    "jacks" => ("jack", "jacks"),
                    "queens" => ("queen", "queens"),
                    "kings" => ("king", "kings"),
                    "aces" => ("ace", "aces"),
                    "c13" => ("C13 point", "C13 points"),
                    "top2" => ("card of A K", "cards of A K"),
                    "top3" => ("card of A K Q", "cards of A K Q"),
                    "top4" => ("card of A K Q J", "cards of A K Q J"),
                    "top5" => ("card of A K Q J T", "cards of A K Q J T"),
                    _ => return None,
                },
            };
            (one, many, suit)
        }
        Measure::Losers(suit) => ("loser", "losers", suit),
        _ => return None,
    };
    let place = suit.map_or_else(String::new, |suit| format!(" in {}", symbol(suit)));
    Some(Unit {
        one: format!(" {one}{place}"),
        many: format!(" {many}{place}"),
        none: format!("no {many}{place}"),
    })
}

/// The wording of a bounded quantity: "South 11–15 HCP".
fn bounded(quantity: &Quantity, bounds: OptionalBounds) -> Wording {
    let (subject, unit) = subject(quantity);
    Wording::one(format!("{subject} {}", amount(bounds, &unit)))
}

/// The seats of a quantity as a subject, and its unit.
fn subject(quantity: &Quantity) -> (String, Unit) {
    let seats: Vec<Seat> = quantity.iter().map(|(seat, _)| *seat).collect();
    let of_first = quantity.first().and_then(|(_, measure)| unit(measure));
    let unit = of_first.unwrap_or_else(|| Unit {
        one: String::new(),
        many: String::new(),
        none: String::new(),
    });
    match &seats[..] {
        [seat] => (name(*seat).to_owned(), unit),
        [first, second, ..] if first == second => {
            let suits = quantity.iter().filter_map(|(_, measure)| match measure {
                Measure::Length(suit) => Some(symbol(*suit).to_string()),
                _ => None,
            });
            let suits = listed(&suits.collect::<Vec<_>>(), "and");
            let unit = Unit {
                one: format!(" card in {suits}"),
                many: format!(" cards in {suits}"),
                none: format!("no cards in {suits}"),
            };
            (name(*first).to_owned(), unit)
        }
        seats => {
            let names: Vec<String> = seats.iter().map(|seat| name(*seat).to_owned()).collect();
            (format!("{} together", listed(&names, "and")), unit)
        }
    }
}

/// The wording of bounds: "11–15 HCP", "at most 3♠".
fn amount(bounds: OptionalBounds, unit: &Unit) -> String {
    let units = |number: i64| if number == 1 { &unit.one } else { &unit.many };
    match (bounds.low, bounds.high) {
        // No unit can be negative.
        (None | Some(0), Some(0)) => unit.none.clone(),
        (Some(low), Some(high)) if low == high => format!("exactly {low}{}", units(low)),
        (Some(low), Some(high)) => format!("{low}–{high}{}", unit.many),
        (Some(low), None) => format!("at least {low}{}", units(low)),
        (None, Some(high)) => format!("at most {high}{}", units(high)),
        (None, None) => format!("any number of{}", unit.many),
    }
}

/// A list in words: "a, b or c".
fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// "South 4♠ 5♥", "West any 4-3-3-3 or 4-4-3-2"; `None` if the set is empty or has
/// too many shapes.
fn shapes(seat: Seat, set: &PatternSet) -> Option<Wording> {
    let members = members(set)?;
    let text = format!("{} {}", name(seat), listed(&members, "or"));
    let is_chain = members.len() > 1;
    Some(Wording { text, is_chain })
}

/// Short suits, by length.
const SHORT_SUITS: [&str; 3] = ["a void", "a singleton", "a doubleton"];

/// The lengths of a set of all patterns with a suit of one of them.
fn short_suits(set: &PatternSet) -> Option<Vec<String>> {
    let is_set = |lengths: &RangeInclusive<usize>| {
        let has_suit = |index: PatternIndex| {
            let mut suits = index.pattern().lengths().into_iter();
            suits.any(|length| lengths.contains(&length.into()))
        };
        PatternIndex::all().all(|index| set.contains(index) == has_suit(index))
    };
    let all = [0..=0, 1..=1, 2..=2, 0..=1, 0..=2];
    let lengths = all.into_iter().find(is_set)?;
    Some(
        SHORT_SUITS[lengths]
            .iter()
            .map(|suit| (*suit).to_owned())
            .collect(),
    )
}

/// The shapes and patterns of a set; `None` if it is empty or has too many.
fn members(set: &PatternSet) -> Option<Vec<String>> {
    if let Some(suits) = short_suits(set) {
        return Some(suits);
    }
    let of_set = PatternIndex::all().filter(|index| set.contains(*index));
    let patterns: Vec<[u8; 4]> = of_set.map(|index| index.pattern().lengths()).collect();
    let first = patterns.first()?;
    let common = Suit::ALL.map(|suit| {
        let length = first[suit.index()];
        let all = patterns
            .iter()
            .all(|lengths| lengths[suit.index()] == length);
        all.then_some(length)
    });
    let has_common = |lengths: [u8; 4]| {
        let mut pairs = lengths.iter().zip(common);
        pairs.all(|(&length, common)| common.is_none_or(|common| common == length))
    };
    let alike = PatternIndex::all().filter(|index| has_common(index.pattern().lengths()));
    if common.iter().any(Option::is_none) && alike.count() == patterns.len() {
        // The set fixes the lengths of some suits and nothing else.
        let fixed = Suit::ALL.into_iter().zip(common);
        let fixed: Vec<String> = fixed
            .filter_map(|(suit, length)| Some(format!("{}{}", length?, symbol(suit))))
            .collect();
        let any = || "any shape".to_owned();
        return Some(vec![if fixed.is_empty() {
            any()
        } else {
            fixed.join(" ")
        }]);
    }
    let mut terms = Vec::new();
    let mut any = "any ";
    for shape in Shape::all() {
        let of_shape = PatternIndex::all().filter(|index| index.pattern().shape() == shape);
        let (members, others): (Vec<PatternIndex>, Vec<PatternIndex>) =
            of_shape.partition(|index| set.contains(*index));
        if others.is_empty() {
            // One `any` applies to all shapes that follow.
            terms.push(format!("{any}{shape}"));
            any = "";
        } else {
            terms.extend(members.iter().map(|index| index.pattern().to_string()));
        }
    }
    (terms.len() <= MOST_SHAPES).then_some(terms)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::SCENARIOS;

    fn words(text: &str) -> String {
        let condition = Condition::parse("test", text);
        let condition = condition.unwrap_or_else(|error| panic!("{text}: {error}"));
        condition.in_bridge_notation().join("; ")
    }

    #[test]
    fn every_scenario_reads_as_a_player_would_say_it() {
        let expected = [
            (
                "balanced-28-30",
                "West any 4-3-3-3, 4-4-3-2 or 5-3-3-2; West 28–30 HCP; \
             East at least 5♠ or East at least 5♥",
            ),
            ("club-length", "West at most 13♣; North at most 13♣"),
            ("east-5332-34", "East any 5-3-3-2; East exactly 34 HCP"),
            (
                "flannery-misfit",
                "South exactly 4♠; South exactly 5♥; South 11–15 HCP; \
             North at most 3♠; North at most 2♥",
            ),
            (
                "flat-three-suiter",
                "West any 4-3-3-3; West 10–12 HCP; \
             East any 4-4-4-1 or 5-4-4-0; East 11–15 HCP",
            ),
            (
                "nine-spades",
                "West exactly 9♠; East exactly 6♦; East exactly 6♣",
            ),
            (
                "north-2-south-0-1",
                "North exactly 2 HCP; South at most 1 HCP",
            ),
            ("north-3-hcp", "North exactly 3 HCP"),
            ("unconstrained", ""),
            ("west-nine-spades", "West exactly 9♠"),
        ];
        assert_eq!(expected.len(), SCENARIOS.len());
        for scenario in SCENARIOS {
            let (_, text) = expected
                .iter()
                .find(|(name, _)| *name == scenario.name)
                .unwrap_or_else(|| panic!("{}", scenario.name));
            assert_eq!(words(scenario.text), *text, "{}", scenario.name);
        }
    }

    #[test]
    fn bounds_are_joined_and_worded() {
        for (text, expected) in [
            ("hcp(south) >= 11 && hcp(south) <= 15", "South 11–15 HCP"),
            (
                "hcp(south) > 10 && spades(west) == 9 && 16 > hcp(south)",
                "South 11–15 HCP; West exactly 9♠",
            ),
            (
                "hcp(south) >= 11 && hcp(south) >= 13",
                "South at least 13 HCP",
            ),
            (
                "hcp(south) >= 11 && hcp(south) <= 5",
                "South at least 11 HCP; South at most 5 HCP",
            ),
            ("hcp(south) >= 4 && hcp(south) <= 4", "South exactly 4 HCP"),
            ("spades(north) <= 3", "North at most 3♠"),
            ("spades(north) == 0", "North void in ♠"),
            ("spades(north) < 1", "North void in ♠"),
            ("spades(north)", "North at least 1♠"),
            ("!spades(north)", "North void in ♠"),
            ("aces(east) == 1", "East exactly 1 ace"),
            ("aces(east) >= 2", "East at least 2 aces"),
            ("aces(east) == 0", "East no aces"),
            ("control(east, hearts) == 3", "East exactly 3 controls in ♥"),
            ("hcp(east, clubs) <= 2", "East at most 2 HCP in ♣"),
            (
                "losers(west) <= 7 && losers(west, spades) <= 1",
                "West at most 7 losers; West at most 1 loser in ♠",
            ),
            (
                "top3(west, spades) >= 2",
                "West at least 2 cards of A K Q in ♠",
            ),
            ("spades(west) != 3", "West not exactly 3♠"),
            ("!(hcp(west) >= 12)", "West at most 11 HCP"),
            ("hcp(west) >= -1", "West at least -1 HCP"),
            ("1 && hcp(west) >= 12 && 1", "West at least 12 HCP"),
            ("0", "no deal"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn sums_and_comparisons_of_hands_are_worded() {
        for (text, expected) in [
            (
                "hcp(north) + hcp(south) >= 25",
                "North and South together at least 25 HCP",
            ),
            (
                "hcp(south) + hcp(north) >= 25 && hcp(north) + hcp(south) <= 27",
                "North and South together 25–27 HCP",
            ),
            (
                "aces(north) + aces(east) + aces(west) == 4",
                "North, East and West together exactly 4 aces",
            ),
            (
                "spades(north) + hearts(north) >= 10",
                "North at least 10 cards in ♠ and ♥",
            ),
            ("hcp(north) > hcp(south)", "North more HCP than South"),
            (
                "spades(south) >= hearts(south)",
                "South at least as many ♠ as ♥",
            ),
            ("spades(south) == spades(north)", "South as many ♠ as North"),
            (
                "spades(south) < hearts(north)",
                "South fewer ♠ than North ♥",
            ),
            (
                "hcp(north) + hcp(north) > 20",
                "hcp(north) + hcp(north) > 20",
            ),
            ("2 * hcp(north) > 20", "2 * hcp(north) > 20"),
            (
                "hcp(north) + spades(south) > 20",
                "hcp(north) + spades(south) > 20",
            ),
            ("cccc(north) > 1500", "cccc(north) > 1500"),
            ("hcp(north) > -2147483647", "North at least -2147483646 HCP"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn shapes_are_worded() {
        for (text, expected) in [
            ("shape(south, 45xx)", "South 4♠ 5♥"),
            ("shape(south, xx6x)", "South 6♦"),
            ("shape(south, 5332)", "South 5=3=3=2"),
            ("shape(south, xxxx)", "South any shape"),
            ("shape(south, any 0xxx)", "South a void"),
            (
                "shape(south, any 1xxx + any 0xxx)",
                "South a void or a singleton",
            ),
            ("!shape(south, any 1xxx)", "South not a singleton"),
            (
                "shape(west, any 4333 + any 4432 + any 5332)",
                "West any 4-3-3-3, 4-4-3-2 or 5-3-3-2",
            ),
            (
                "shape(west, any 4333 + 5332)",
                "West any 4-3-3-3 or 5=3=3=2",
            ),
            ("!shape(west, any 4333)", "West not any 4-3-3-3"),
            (
                "!shape(west, any 4333 + any 4432)",
                "not (West any 4-3-3-3 or 4-4-3-2)",
            ),
            ("shape(west, 5xxx + x5xx) && 1", "SAME"),
        ] {
            let found = words(text);
            match expected {
                "SAME" => assert!(found.starts_with("shape(west, "), "{found}"),
                _ => assert_eq!(found, expected, "{text}"),
            }
        }
    }

    #[test]
    fn either_and_not_have_brackets_where_they_could_be_misread() {
        for (text, expected) in [
            ("hascard(east, AS)", "East has ♠A"),
            ("!hascard(east, TH)", "East does not have ♥T"),
            (
                "spades(east) >= 5 || hearts(east) >= 5",
                "East at least 5♠ or East at least 5♥",
            ),
            (
                "hcp(east) >= 5 && hcp(east) <= 7 || hearts(east) == 5 && aces(west) == 1",
                "East 5–7 HCP or (East exactly 5♥ and West exactly 1 ace)",
            ),
            (
                "shape(west, any 4333 + any 4432) || hcp(west) == 9",
                "(West any 4-3-3-3 or 4-4-3-2) or West exactly 9 HCP",
            ),
            (
                "(spades(west) == 5 || hearts(west) == 5) && hcp(west) == 9 || hcp(west) == 20",
                "((West exactly 5♠ or West exactly 5♥) and West exactly 9 HCP) or West exactly 20 HCP",
            ),
            (
                "!(hcp(east) == 5 || hcp(west) == 5)",
                "not (East exactly 5 HCP or West exactly 5 HCP)",
            ),
            ("!!hascard(east, AS)", "East has ♠A"),
            ("hcp(east) == 5 || 1", ""),
            ("!1", "no deal"),
            (
                "hcp(east) == 5 || (hcp(east) ? hcp(west) : 1)",
                "East exactly 5 HCP or (hcp(east) ? hcp(west) : 1)",
            ),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn predealt_cards_and_unusual_counts_are_told() {
        assert_eq!(
            words("predeal south SAK, H2 condition 1"),
            "South has ♠AK ♥2"
        );
        // With other values than usual, `hcp` does not mean HCP.
        assert_eq!(
            words("pointcount 6 4 2 1 condition hcp(west) >= 9"),
            "hcp(west) >= 9"
        );
    }

    /// Random conditions with every kind of part, even unusual ones.
    fn conditions() -> impl Strategy<Value = String> {
        let seat = prop::sample::select(vec!["north", "east", "south", "west"]);
        let value = prop::sample::select(vec![
            "hcp(S)",
            "spades(S)",
            "clubs(S)",
            "aces(S)",
            "control(S, hearts)",
            "losers(S)",
            "cccc(S)",
            "quality(S, clubs)",
            "hascard(S, QD)",
            "shape(S, any 4432 - 4432)",
            "shape(S, 54xx + xx54)",
            "c13(S)",
            "top5(S)",
            "3",
            "0",
            "-7",
            "2147483647",
        ]);
        let leaf = (seat, value).prop_map(|(seat, value)| value.replace('S', seat));
        leaf.prop_recursive(6, 40, 3, |inner| {
            let operator = prop::sample::select(vec![
                "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%",
            ]);
            prop_oneof![
                (inner.clone(), operator, inner.clone())
                    .prop_map(|(a, o, b)| format!("({a} {o} {b})")),
                inner.clone().prop_map(|a| format!("!({a})")),
                inner.clone().prop_map(|a| format!("-({a})")),
                (inner.clone(), inner.clone(), inner)
                    .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_condition_that_is_read_has_words(text in conditions()) {
            if let Ok(condition) = Condition::parse("test", &text) {
                for term in condition.in_bridge_notation() {
                    prop_assert!(!term.is_empty() && !term.contains("  "), "{text}: {term}");
                    let brackets = |c| term.matches(c).count();
                    prop_assert_eq!(brackets('('), brackets(')'));
                }
            }
        }
    }
}
