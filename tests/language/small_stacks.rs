//! Conditions as long and as deep as the limits permit need at most 256 KiB of stack.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::thread;

use crate::common::condition;
use fairdeal::bridge::{Honours, PatternIndex, Seat};
use fairdeal::draw::{Isa, Packet};
use fairdeal::filter::{CompiledValues, Filter, FilterScratch};
use fairdeal::language::{Condition, FixedProperties, HandCase, Plan, Script};
use fairdeal::population::cases::{self, Listing};
use fairdeal::population::cells::Cells;
use fairdeal::sampler::{SamplerMethod, Sampling, Workload, choose};

const STACK_BYTES: usize = 256 << 10;

/// Terms of one token that 20,000 tokens permit beside `spades(north)`.
const TERMS: usize = 9_997;

const OPERATORS: [&str; 13] = [
    "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%",
];

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.unwrap().join().unwrap();
}

/// Walks a condition in all ways that there are.
fn walk(text: &str) {
    let one = condition(text);
    let printed = one.expression().to_string();
    // What definitions make may nest deeper than a text may.
    if let Ok(again) = Condition::parse("test", &printed) {
        assert_eq!(again.expression(), one.expression());
    }
    assert_eq!(one.expression().clone(), *one.expression());
    assert!(format!("{one:?}").contains("Expression"));
    assert!(!one.in_bridge_notation().contains(&String::new()));
    assert!(Plan::new(&one, None).is_ok());
    let none = one.expression().implied(&FixedProperties::default());
    let mut north = FixedProperties::default();
    north.patterns[Seat::North.index()] = true;
    let all = one.expression().implied(&north);
    assert!(all.is_some() || none.is_none());
    let hand = HandCase {
        pattern: PatternIndex::all().next(),
        honours: Some(Honours::NONE),
    };
    let value = one.expression().value(&[hand; 4]);
    assert!(value.is_ok(), "{value:?}");
    let packet = Packet::default();
    let expressions = [one.expression().clone()];
    let (isa, mut scratch) = (Isa::chosen(), FilterScratch::default());
    assert_eq!(
        Filter::new(&expressions).accept(isa, &packet, &mut scratch),
        Ok(0)
    );
    assert!(
        CompiledValues::new(&expressions)
            .columns(isa, &packet, &mut scratch)
            .is_ok()
    );
}

/// Makes cells and a listing of a condition.
fn plan(text: &str) {
    let condition = condition(text);
    let cells = Cells::new(&condition).map(|cells| cells.total());
    let listing = Listing::new(&condition, None);
    let census = listing.and_then(|listing| cases::census(&condition, &listing));
    assert_eq!(cells.ok(), census.ok().map(|census| census.total));
    let cells = Sampling::by(SamplerMethod::Cells);
    assert!(
        choose(&condition, &cells, Workload::boards(1, None)).is_ok()
            || cases::divide(&condition, None, 1).is_err()
    );
}

fn chain(operator: &str, first: &str, term: &str) -> String {
    first.to_owned() + &format!(" {operator} {term}").repeat(TERMS - 2)
}

#[test]
#[ignore = "long"]
fn chains_of_every_operator_are_as_long_as_the_limit_on_tokens() {
    for operator in OPERATORS {
        on_a_small_stack(move || {
            let text = chain(operator, "spades(north)", "1");
            walk(&text);
            plan(&text);
            // A condition of its own value: all chains within one of another level.
            walk(&format!("{} || 0", chain(operator, "1", "1")));
        });
    }
    on_a_small_stack(|| {
        let pairs = "spades(north) > 1 && hcp(east) < 30 && ".repeat(1_100) + "1";
        walk(&pairs);
        plan(&pairs);
    });
}

#[test]
fn nesting_is_as_deep_as_its_limits() {
    let nested = |open: &str, levels: usize| {
        let brackets = open.matches('(').count() * levels;
        open.repeat(levels) + "spades(north)" + &")".repeat(brackets)
    };
    let definitions = |each: &dyn Fn(usize) -> String| {
        let defined: String = (1..=255).map(each).collect();
        format!("a0 = spades(north)\n{defined}a255")
    };
    let texts = [
        nested("(", 199),
        nested("!", 199),
        nested("-", 199),
        nested("1 + (", 199),
        nested("0 || (", 199),
        nested("1 && (", 199),
        nested("imps(", 199),
        nested("score(vul, x3N, ", 199),
        nested("!(", 99),
        nested("0 || 1 && 1 == 1 < 1 + 1 * (", 42),
        "spades(north) ? 1 : ".repeat(199) + "0",
        // Tests within tests: what they imply used to double with every level.
        "(".repeat(120) + "spades(north)" + &" ? 1 : 0)".repeat(120),
        definitions(&|i| format!("a{i} = 1 + a{}\n", i - 1)),
        definitions(&|i| format!("a{i} = !a{}\n", i - 1)),
        definitions(&|i| format!("a{i} = a{} ? 1 : 2\n", i - 1)),
        // Left sides of other levels: each a level deeper.
        definitions(&|i| format!("a{i} = a{} {} 1\n", i - 1, ["&&", "||"][i % 2])),
    ];
    for text in texts {
        on_a_small_stack(move || {
            walk(&text);
            plan(&text);
        });
    }
}

#[test]
fn deeper_nesting_is_an_error_with_the_limits() {
    let text = "a0 = spades(north)\n".to_owned()
        + &(1..=300)
            .map(|i| format!("a{i} = 1 + a{}\n", i - 1))
            .collect::<String>()
        + "a300";
    on_a_small_stack(move || {
        let error = Condition::parse("test", &text).unwrap_err().to_string();
        assert!(error.contains("more than 256 levels"), "{error}");
        for text in ["(", "!", "-", "1?1:", "a=("] {
            assert!(Condition::parse("test", &text.repeat(20_000)).is_err());
        }
        let many = "1 && ".repeat(10_000) + "1";
        let error = Condition::parse("test", &many).unwrap_err().to_string();
        assert!(error.contains("20000"), "{error}");
    });
}

/// Defined chains are as long as the limit on nodes of a tree.
#[test]
fn chains_of_definitions_lean_to_the_left() {
    on_a_small_stack(|| {
        let names: String = (1..800)
            .map(|i| format!("a{i} = a{} + 1\n", i - 1))
            .collect();
        let script = Script::parse("test", &format!("a0 = spades(north)\n{names}a799"));
        let script = script.unwrap();
        let last = script.condition.expression().to_string();
        assert!(last.starts_with("spades(north) + 1 + 1 + "), "{last}");
        walk(&last);
    });
}

#[cfg(unix)]
#[test]
fn the_program_deals_from_long_conditions_under_ulimit() {
    let home = crate::common::folder();
    for operator in ["&&", "||", "+"] {
        let text = chain(operator, "(spades(north) > 3)", "1");
        let path = home.path().join("long.dl");
        std::fs::write(&path, text).unwrap();
        for command in [
            "deal -n 2",
            "theory",
            "deal -n 2 --sampler cells",
            "deal -n 2 --sampler rejection",
        ] {
            let program = crate::common::PROGRAM;
            let (name, options) = command.split_once(' ').unwrap_or((command, ""));
            let line = format!("ulimit -s 256 && exec {program} {name} {options} long.dl");
            let mut shell = std::process::Command::new("sh");
            let shell = shell.args(["-c", &line]).current_dir(home.path());
            let output = shell.env("XDG_CACHE_HOME", home.path()).output().unwrap();
            assert!(
                output.status.success(),
                "{command}: {}",
                crate::common::stderr(&output)
            );
        }
    }
}
