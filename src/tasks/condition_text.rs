//! Conditions that are texts without a file.

use crate::error::Error;
use crate::language::{Script, ScriptOptions};

/// Reads a script that has no file; its name is its hash.
///
/// # Errors
///
/// If the text is not a script.
pub fn unnamed_script(
    origin: &str,
    text: &str,
    options: &ScriptOptions,
) -> Result<(String, Box<Script>), Error> {
    let script = Script::parse_with(origin, text, options)?;
    Ok((hash_name(script.condition.text()), Box::new(script)))
}

/// The name of a condition that has none: its hash.
pub(super) fn hash_name(condition: &str) -> String {
    let hash = blake3::hash(condition.as_bytes()).to_hex();
    format!("condition-{}", &hash[..12])
}

/// The error for a script without a condition: a broken pipe or an unfinished script must not deal
/// every hand.
pub fn no_condition(name: &str) -> Error {
    Error::input(format!(
        "no condition in {name}; for every deal, write `condition 1` or use the scenario \
         `unconstrained`"
    ))
}
