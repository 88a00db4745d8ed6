//! Texts for people: names from untrusted sources, such as file names, on one line and without
//! terminal commands; numbers with the digits that people read.
//!
//! All untrusted text printed for people passes through here; JSON and CSV quote it themselves.

mod numbers;

use std::borrow::Cow;
use std::path::Path;

pub use numbers::{
    about_one_in, decimals, error_decimals, interval, number_of_deals, one_in, percent,
    probability, rounded, significant, three_digits, three_digits_log10, with_error,
};

/// Longest name of a file in a sentence, in characters.
const LONGEST_NAME: usize = 60;

/// Escapes control characters, line ends and marks that change the text direction, as in a Rust
/// string: `\n`, `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_command(c) {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Returns a path as [`printable`] text.
pub fn display_path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Returns the name of a file as [`printable`] text; of a long one, the end.
pub fn shortened_name(name: &str) -> String {
    let name = printable(name);
    let letters = name.chars().count();
    match letters > LONGEST_NAME {
        true => {
            let end: String = name.chars().skip(letters - LONGEST_NAME).collect();
            format!("...{end}")
        }
        false => name.into_owned(),
    }
}

/// Returns whether a character is a control or formatting character rather than a visible one.
fn is_command(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Formats an integer with commas between thousands.
pub fn thousands(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun: `1 deal`, `2,000 deals`.
pub fn with_noun(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{} {what}s", thousands(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted_by_commas() {
        assert_eq!(thousands(0u32), "0");
        assert_eq!(thousands(999u32), "999");
        assert_eq!(thousands(1_000u32), "1,000");
        assert_eq!(
            thousands(1_975_438_668_829_181_472u64),
            "1,975,438,668,829,181,472"
        );
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(with_noun(1, "deal"), "1 deal");
        assert_eq!(with_noun(0, "deal"), "0 deals");
        assert_eq!(with_noun(12_345, "deal"), "12,345 deals");
    }

    #[test]
    fn commands_are_written_out_and_signs_stay() {
        for (text, printed) in [
            ("club.pbn", "club.pbn"),
            ("Göteborg ♠.pbn", "Göteborg ♠.pbn"),
            ("a\x1b[31mb\nc.pbn", "a\\u{1b}[31mb\\nc.pbn"),
            ("\r\t\x07\x7f\u{9b}", "\\r\\t\\u{7}\\u{7f}\\u{9b}"),
            ("nbp.\u{202E}exe", "nbp.\\u{202e}exe"),
        ] {
            assert_eq!(printable(text), printed);
            assert_eq!(display_path(Path::new(text)), printed);
            assert_eq!(
                printable(printed),
                printed,
                "it is the same when done twice"
            );
        }
    }
}
