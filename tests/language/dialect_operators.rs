//! The operators of each dialect, compared with a slow reader that puts brackets around everything.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use fairdeal::language::{Dialect, Script, ScriptOptions};
use proptest::prelude::*;

/// Operands with operators between them.
#[derive(Clone, Debug)]
struct Chain {
    first: Operand,
    rest: Vec<(&'static str, Operand)>,
}

/// An operand after some `not`.
#[derive(Clone, Debug)]
struct Operand {
    negations: usize,
    atom: Atom,
}

#[derive(Clone, Debug)]
enum Atom {
    Leaf(&'static str),
    Brackets(Box<Chain>),
}

const OPERATORS: [&str; 13] = [
    "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%",
];

const LEAVES: [&str; 6] = [
    "hcp(north)",
    "aces(east)",
    "3",
    "spades(south)",
    "shape(west, 4333)",
    "losers(north, hearts)",
];

/// The operators of each precedence, those that bind least first.
fn levels(dialect: Dialect) -> Vec<Vec<&'static str>> {
    let sums = || vec!["+", "-"];
    let products = || vec!["*", "/", "%"];
    let mut levels = vec![vec!["||"], vec!["&&"]];
    match dialect {
        Dialect::Dealer => {
            levels.extend([vec!["==", "!="], vec!["<", "<=", ">", ">="]]);
            levels.extend([sums(), products()]);
        }
        Dialect::DealerV2 => {
            levels.extend(["==", "!=", "<", "<=", ">", ">="].map(|one| vec![one]));
            levels.push(sums());
            levels.extend(["*", "/", "%"].map(|one| vec![one]));
        }
        Dialect::Dealer3 => {
            levels.push(vec!["==", "!=", "<", "<=", ">", ">="]);
            levels.extend([sums(), products()]);
        }
    }
    levels
}

impl Chain {
    /// The chain as a person would write it.
    fn plain(&self) -> String {
        let rest = self.rest.iter();
        let rest = rest.map(|(operator, operand)| format!(" {operator} {}", operand.plain()));
        self.first.plain() + &rest.collect::<String>()
    }

    /// The chain with brackets around every part, as the dialect reads it.
    fn bracketed(&self, dialect: Dialect) -> String {
        let operands = std::iter::once(&self.first).chain(self.rest.iter().map(|(_, one)| one));
        let operators = self.rest.iter().map(|(operator, _)| *operator);
        let operands: Vec<Operand> = operands.cloned().collect();
        let operators: Vec<&str> = operators.collect();
        group(&operands, &operators, &levels(dialect), dialect)
    }
}

impl Operand {
    fn plain(&self) -> String {
        let atom = match &self.atom {
            Atom::Leaf(text) => (*text).to_owned(),
            Atom::Brackets(chain) => format!("({})", chain.plain()),
        };
        "not ".repeat(self.negations) + &atom
    }

    fn bracketed(&self, dialect: Dialect) -> String {
        let atom = match &self.atom {
            Atom::Leaf(text) => (*text).to_owned(),
            Atom::Brackets(chain) => chain.bracketed(dialect),
        };
        negated(atom, self.negations)
    }
}

fn negated(text: String, negations: usize) -> String {
    (0..negations).fold(text, |text, _| format!("(!({text}))"))
}

/// Splits at the last operator that binds least, and groups both parts.
fn group(
    operands: &[Operand],
    operators: &[&str],
    levels: &[Vec<&str>],
    dialect: Dialect,
) -> String {
    let Some((level, tighter)) = levels.split_first() else {
        return operands[0].bracketed(dialect);
    };
    // In dealer3, `not` before a comparison or what is within one negates all of it.
    let negations = operands[0].negations;
    let is_whole = dialect == Dialect::Dealer3 && level.contains(&"==");
    if is_whole && negations > 0 && !operators.is_empty() {
        let mut operands = operands.to_vec();
        operands[0].negations = 0;
        return negated(group(&operands, operators, levels, dialect), negations);
    }
    let places: Vec<usize> = (0..operators.len())
        .filter(|place| level.contains(&operators[*place]))
        .collect();
    let part = |from: usize, to: usize| {
        group(&operands[from..=to], &operators[from..to], tighter, dialect)
    };
    let Some(&last) = places.last() else {
        return part(0, operators.len());
    };
    if is_whole {
        // Each value is compared with the next one.
        let starts = std::iter::once(0).chain(places.iter().map(|place| place + 1));
        let ends = places.iter().copied().chain([operators.len()]);
        let values: Vec<String> = starts.zip(ends).map(|(from, to)| part(from, to)).collect();
        let pairs = values.windows(2).zip(&places);
        let compared =
            pairs.map(|(pair, place)| format!("({} {} {})", pair[0], operators[*place], pair[1]));
        let joined = compared.reduce(|left, right| format!("({left} && {right})"));
        return joined.unwrap();
    }
    let left = group(&operands[..=last], &operators[..last], levels, dialect);
    let right = part(last + 1, operators.len());
    format!("({left} {} {right})", operators[last])
}

fn operand(inner: impl Strategy<Value = Chain> + 'static) -> impl Strategy<Value = Operand> {
    let atom = prop_oneof![
        4 => proptest::sample::select(LEAVES.to_vec()).prop_map(Atom::Leaf),
        1 => inner.prop_map(|chain| Atom::Brackets(Box::new(chain))),
    ];
    let negations = prop_oneof![4 => Just(0), 2 => Just(1), 1 => Just(2)];
    (negations, atom).prop_map(|(negations, atom)| Operand { negations, atom })
}

fn chain(of: impl Strategy<Value = Operand> + Clone + 'static) -> impl Strategy<Value = Chain> {
    let operator = || proptest::sample::select(OPERATORS.to_vec());
    let rest = proptest::collection::vec((operator(), of.clone()), 0..6);
    (of, rest).prop_map(|(first, rest)| Chain { first, rest })
}

fn any_chain() -> impl Strategy<Value = Chain> {
    let leaf = proptest::sample::select(LEAVES.to_vec()).prop_map(|text| Chain {
        first: Operand {
            negations: 0,
            atom: Atom::Leaf(text),
        },
        rest: Vec::new(),
    });
    leaf.prop_recursive(3, 40, 6, |inner| chain(operand(inner).boxed()))
}

fn read(text: &str, dialect: Dialect) -> Script {
    let options = ScriptOptions {
        dialect: Some(dialect),
        ..ScriptOptions::default()
    };
    let script = Script::parse_with("test", text, &options);
    script.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn operators_group_as_the_programs_group_them(chain in any_chain()) {
        let plain = chain.plain();
        for dialect in Dialect::ALL {
            let bracketed = chain.bracketed(dialect);
            let [read_plain, read_bracketed] = [
                read(&plain, dialect),
                read(&bracketed, Dialect::Dealer),
            ];
            let expression = read_plain.condition.expression();
            prop_assert_eq!(
                expression, read_bracketed.condition.expression(),
                "{}: {} as {}", dialect, plain, bracketed
            );
            // Printed, it has the same meaning in every dialect.
            let printed = read_plain.to_string();
            for other in Dialect::ALL {
                let again = read(&printed, other);
                prop_assert_eq!(again.condition.expression(), expression, "{}: {}", other, printed);
            }
            let again = Script::parse("stored", read_plain.condition.text()).unwrap();
            prop_assert_eq!(again.condition.expression(), expression, "{}", plain);
        }
    }
}
