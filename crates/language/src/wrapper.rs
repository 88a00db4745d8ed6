//! The wrapper in which scripts are kept for Bridge Base's tables: `setDealerCode(` and the script
//! between backticks, in a file of commands for a browser extension.

use std::borrow::Cow;
use std::ops::Range;

use super::ConditionError;
use super::error::SourceText;

/// The call whose first argument is the script.
const CALL: &str = "setDealerCode(";

/// The script in its wrapper, with spaces in place of the wrapper, so that lines and columns stay; a
/// text without one as it is.
///
/// # Errors
///
/// If the script is not closed, or there are several.
pub(super) fn unwrapped<'t>(source: &SourceText<'t>) -> Result<Cow<'t, str>, ConditionError> {
    let text = source.text;
    let calls: Vec<usize> = calls(text).collect();
    let Some(&first) = calls.first() else {
        return Ok(Cow::Borrowed(text));
    };
    if calls.len() > 1 {
        let names: Vec<String> = calls.iter().map(|&call| named(source, call)).collect();
        let message = format!("{} scripts in one file: {}", calls.len(), names.join(", "));
        let place = calls[1]..calls[1] + CALL.len();
        let error = source.error(place, message, "the second begins here");
        return Err(error.with_help("keep one of them in the file"));
    }
    let open = first + text[first..].find('`').unwrap_or_default();
    let Some(length) = text[open + 1..].find('`') else {
        let message = "this script is not closed";
        return Err(source.error(
            open..open + 1,
            message,
            "expected a backtick after the script",
        ));
    };
    let script = open + 1..open + 1 + length;
    Ok(Cow::Owned(blanked(text, &script)))
}

/// The places of the calls with a script between backticks.
fn calls(text: &str) -> impl Iterator<Item = usize> {
    let places = text.match_indices(CALL).map(|(place, _)| place);
    places.filter(|&place| {
        let line = &text[text[..place].rfind('\n').map_or(0, |end| end + 1)..place];
        let is_comment = line.trim_start().starts_with(['#', '/']);
        let argument = text[place + CALL.len()..].trim_start();
        !is_comment && argument.starts_with('`')
    })
}

/// The name of a script, from the last line `Script,NAME` before it, and its line.
fn named(source: &SourceText<'_>, call: usize) -> String {
    let before = source.text[..call].lines().rev();
    let name = before
        .filter_map(|line| line.trim().strip_prefix("Script,"))
        .next()
        .unwrap_or("a script");
    format!("{name} (line {})", source.line_and_column(call).0)
}

/// The text with a space for each character outside of this range, except for line ends.
fn blanked(text: &str, kept: &Range<usize>) -> String {
    let blank = |(place, letter): (usize, char)| match letter {
        '\n' | '\r' => letter,
        _ if kept.contains(&place) => letter,
        _ => ' ',
    };
    text.char_indices().map(blank).collect()
}
