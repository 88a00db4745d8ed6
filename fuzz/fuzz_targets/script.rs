//! Any text as a script of each dialect: either an error with a place, or a script that is unchanged
//! after it is printed and parsed again, or its stored text is parsed again.
#![no_main]

use fairdeal::language::{Condition, Dialect, Plan, Script, ScriptOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    parse_again(text, None);
    for dialect in Dialect::ALL {
        parse_again(text, Some(dialect));
    }
});

/// Parses a text, prints the script, and parses that and its stored text.
fn parse_again(text: &str, dialect: Option<Dialect>) {
    let mut options = ScriptOptions {
        dialect,
        ..ScriptOptions::default()
    };
    for (place, value) in ["west", "15", "any 4333 + 54xx", "5+M(xxx)"]
        .iter()
        .enumerate()
    {
        options.parameters[place] = Some((*value).to_owned());
    }
    let script = match Script::parse_with("fuzz", text, &options) {
        Ok(script) => script,
        Err(error) => {
            assert!(error.line() <= text.matches('\n').count() + 1);
            assert!(!error.render(false).is_empty());
            return;
        }
    };
    let stored = script.condition.text();
    let again = Script::parse("stored", stored);
    assert_same(&again.unwrap_or_else(|error| panic!("{error}")), &script);
    let printed = script.to_string();
    match Script::parse("printed", &printed) {
        Ok(again) => assert_same(&again, &script),
        Err(_) => {
            // A printed script may exceed the limit on length, because shapes are written out.
            assert!(printed.len() > text.len(), "{printed}");
            assert!(is_too_large(&printed), "{printed}");
        }
    }
    let _ = Plan::new(&script.condition, None);
}

fn assert_same(again: &Script, script: &Script) {
    assert_eq!(again.condition.expression(), script.condition.expression());
    assert_eq!(again.condition.predeal(), script.condition.predeal());
    assert_eq!(again.actions, script.actions);
    let limits = |script: &Script| {
        (
            script.generate,
            script.produce,
            script.seed,
            script.start_board,
        )
    };
    assert_eq!(limits(again), limits(script));
    let labels = |script: &Script| (script.title.clone(), script.dealer, script.vulnerable);
    assert_eq!(labels(again), labels(script));
}

/// Whether the text is rejected only because of its size.
fn is_too_large(text: &str) -> bool {
    let error = Condition::parse("printed", text).err();
    error.is_some_and(|error| {
        let message = error.to_string();
        ["more than", "deep", "too large", "1 MiB"]
            .iter()
            .any(|sign| message.contains(sign))
    })
}
