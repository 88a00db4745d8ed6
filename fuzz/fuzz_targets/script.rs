//! Any text as a script: either an error with a place, or a script that is unchanged after it is
//! printed and parsed again.
#![no_main]

use fairdeal::language::{Condition, Plan, Script};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let script = match Script::parse("fuzz", text) {
        Ok(script) => script,
        Err(error) => {
            assert!(error.line() <= text.matches('\n').count() + 1);
            assert!(!error.render(false).is_empty());
            return;
        }
    };
    let printed = script.to_string();
    let Ok(again) = Script::parse("printed", &printed) else {
        // A printed script may exceed the limit on length, because shapes are written out.
        assert!(printed.len() > text.len(), "{printed}");
        assert!(is_too_large(&printed), "{printed}");
        return;
    };
    assert_eq!(again.condition.expression(), script.condition.expression());
    assert_eq!(again.condition.predeal(), script.condition.predeal());
    assert_eq!(again.actions, script.actions);
    let limits = |script: &Script| (script.generate, script.produce);
    assert_eq!(limits(&again), limits(&script));
    assert_eq!(again.dealer, script.dealer);
    assert_eq!(again.vulnerable, script.vulnerable);
    let _ = Plan::new(&script.condition, None);
});

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
