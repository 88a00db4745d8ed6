//! Script parameters `$0` to `$9`, replaced by their values before a script is read. A comment
//! `# param: $0 = west` in a line of its own declares a parameter and its default.

use std::borrow::Cow;

use super::error::SourceText;
use super::{ConditionError, MAX_CONDITION_BYTES};
use fairdeal_base::error::Remedy;

/// Number of parameters.
pub(super) const PARAMETERS: usize = 10;

/// The text with the values of its parameters, borrowed if it has none; comments and strings stay as
/// they are, as in DealerV2_4.
///
/// # Errors
///
/// If a parameter has no value, or the text becomes longer than a condition may be.
pub(super) fn substituted<'t>(
    source: &SourceText<'t>,
    values: &[Option<String>; PARAMETERS],
) -> Result<Cow<'t, str>, ConditionError> {
    let text = source.text;
    if !text.contains('$') {
        return Ok(Cow::Borrowed(text));
    }
    let defaults = defaults(text);
    let (mut whole, mut has_any) = (String::with_capacity(text.len()), false);
    for (place, piece) in pieces(text) {
        match parameter(piece) {
            None => whole.push_str(piece),
            Some(number) => {
                let value = values[number].as_deref().or(defaults[number]);
                let value = value.ok_or_else(|| {
                    let message = format!("the script parameter `${number}` has no value");
                    let error = source.error(place..place + 2, message, "expected a value");
                    error.with_remedy(Remedy::SetParameter(number))
                })?;
                whole.push_str(value);
                has_any = true;
            }
        }
        if whole.len() > MAX_CONDITION_BYTES {
            let message = "the script with its parameters is longer than 1 MiB";
            return Err(source.error(place..place, message, "the limit is here"));
        }
    }
    Ok(match has_any {
        true => Cow::Owned(whole),
        false => Cow::Borrowed(text),
    })
}

/// The declared defaults.
fn defaults(text: &str) -> [Option<&str>; PARAMETERS] {
    let mut defaults = [None; PARAMETERS];
    for (_, piece) in pieces(text) {
        let declared = piece.strip_prefix('#').or_else(|| piece.strip_prefix("//"));
        let declared = declared.and_then(|comment| comment.trim_start().strip_prefix("param:"));
        let Some((name, value)) = declared.and_then(|of| of.split_once('=')) else {
            continue;
        };
        if let Some(number) = parameter(name.trim()) {
            defaults[number] = Some(value.trim());
        }
    }
    defaults
}

/// Returns whether a script has the parameter of this number, 0 to 9, outside comments and strings.
pub fn has_parameter(script: &str, number: usize) -> bool {
    pieces(script).any(|(_, piece)| parameter(piece) == Some(number))
}

/// Divides a script into parameters, comments, strings and single characters, with their places.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = &text[place..];
        let next = rest.chars().next()?;
        let length = match (parameter(rest), skipped(rest)) {
            (Some(_), _) => 2,
            (None, 0) => next.len_utf8(),
            (None, skipped) => skipped,
        };
        place += length;
        Some((place - length, &rest[..length]))
    })
}

/// The number of the parameter at the start of a text.
fn parameter(text: &str) -> Option<usize> {
    let digit = text.strip_prefix('$')?.chars().next()?;
    digit.to_digit(10).map(|digit| digit as usize)
}

/// Length of the comment or the string at the start of a text; 0 if there is none.
fn skipped(text: &str) -> usize {
    let until = |start: usize, end: &str| {
        let rest = text.get(start..).unwrap_or_default();
        rest.find(end)
            .map_or(text.len(), |at| start + at + end.len())
    };
    match text.as_bytes() {
        [b'#', ..] | [b'/', b'/', ..] => until(0, "\n"),
        [b'/', b'*', ..] => until(2, "*/"),
        [b'"', ..] => until(1, "\""),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_default_is_the_value_of_a_parameter_without_one() {
        let text = "# param: $0 = west\nhcp($0) >= $1\n// param: $1 = 20\n";
        let source = SourceText { name: "test", text };
        let mut values: [Option<String>; PARAMETERS] = Default::default();
        let whole = |values: &_| substituted(&source, values).unwrap().into_owned();
        assert!(whole(&values).contains("hcp(west) >= 20"));
        values[0] = Some("east".to_owned());
        assert!(whole(&values).contains("hcp(east) >= 20"));
    }
}
