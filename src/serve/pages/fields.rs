//! Fields of forms.

use crate::number::{count_between, parse_number};
use crate::serve::refusal::Refusal;

/// Longest condition on the page of a job, in characters.
const LONGEST_SUBJECT: usize = 500;

/// A seed as it is typed; `None` if the field is empty.
pub(super) fn seed(text: &str) -> Result<Option<u128>, Refusal> {
    match text.trim() {
        "" => Ok(None),
        text => match parse_number(text) {
            Ok(seed) => Ok(Some(seed)),
            Err(error) => Err(Refusal::bad(format!("the seed is {error}"))),
        },
    }
}

/// A count as it is typed; `None` if the field is empty.
pub(super) fn count(what: &str, text: &str, most: u64) -> Result<Option<u64>, Refusal> {
    match text.trim() {
        "" => Ok(None),
        text => match count_between(text, 1..=most) {
            Ok(count) => Ok(Some(count)),
            Err(error) => Err(Refusal::bad(format!("the number of {what}: {error}"))),
        },
    }
}

/// A condition, shortened for a page.
pub(super) fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(LONGEST_SUBJECT) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}
