//! Conditions of forms: scenarios by name, or texts in dealer's language.

use crate::error::Error;
use crate::language::{Scenario, Script, ScriptOptions};
use crate::tasks::{ConditionInput, no_condition, unnamed_script};

/// The name of a form's condition in messages.
const NAME: &str = "condition";

/// Reads a condition; returns the name of its report too.
pub(super) fn script(text: &str) -> Result<(String, Box<Script>), Error> {
    // Browsers send line ends as CR LF.
    let text = text.replace("\r\n", "\n");
    let trimmed = text.trim();
    if let Some(scenario) = Scenario::named(trimmed) {
        let script = Script::parse(scenario.name, scenario.text)?;
        return Ok((scenario.name.to_owned(), Box::new(script)));
    }
    if trimmed.is_empty() {
        return Err(no_condition("the form"));
    }
    let (name, script) = unnamed_script(NAME, &text, &ScriptOptions::default())?;
    if script.is_bare() && !script.has_condition() {
        return Err(no_condition("the form"));
    }
    // Two conditions are one with a missing `&&`, as with `--where`.
    let loss = script.warnings.iter().find(|warning| warning.is_loss());
    match loss {
        Some(loss) => Err(loss.clone().into_error().into()),
        None => Ok((name, script)),
    }
}

/// Reads a condition as the input of a task.
pub(super) fn input(text: &str) -> Result<(String, ConditionInput), Error> {
    let (name, script) = script(text)?;
    Ok((name, ConditionInput::Script(script)))
}

/// Reads the condition of a saved run.
pub(super) fn saved_input(text: &str) -> Result<(String, ConditionInput), Error> {
    let (name, script) = match Scenario::of_text(text) {
        Some(known) => {
            let script = Script::parse(known.name, text)?;
            (known.name.to_owned(), Box::new(script))
        }
        None => unnamed_script(NAME, text, &ScriptOptions::default())?,
    };
    Ok((name, ConditionInput::Script(script)))
}
