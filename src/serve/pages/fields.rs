//! Fields of forms.

use askama::filters::urlencode_strict;
use serde::{Deserialize, Deserializer};

use crate::bridge::Vulnerable;
use crate::count::{OutOfBounds, count_between};
use crate::number::parse_number;
use crate::serve::conditions::{beginning, with_plain_lines};

/// Longest condition on the page of a job, in characters.
const LONGEST_SUBJECT: usize = 500;

/// Longest address of a form that is filled in, in bytes.
const LONGEST_ADDRESS: usize = 60_000;

pub(super) const VULNERABLE: [(Vulnerable, &str, &str); 4] = [
    (Vulnerable::None, "none", "neither side"),
    (Vulnerable::NorthSouth, "ns", "north and south"),
    (Vulnerable::EastWest, "ew", "east and west"),
    (Vulnerable::All, "all", "both sides"),
];

/// Reads a field of a form.
pub(super) fn lines<'de, D: Deserializer<'de>>(text: D) -> Result<String, D::Error> {
    String::deserialize(text).map(|text| with_plain_lines(&text))
}

/// A seed as it is typed; `None` if the field is empty.
pub(super) fn seed(text: &str) -> Result<Option<u128>, String> {
    match text.trim() {
        "" => Ok(None),
        text => parse_number(text)
            .map(Some)
            .map_err(|error| error.to_string()),
    }
}

/// A count as it is typed; `None` if the field is empty.
pub(super) fn count<T: TryFrom<u64, Error = OutOfBounds>>(
    text: &str,
    most: u64,
) -> Result<Option<T>, String> {
    match text.trim() {
        "" => Ok(None),
        text => match count_between(text, 1..=most).and_then(T::try_from) {
            Ok(count) => Ok(Some(count)),
            Err(error) => Err(error.to_string()),
        },
    }
}

/// The entry of a list with this name.
pub(super) fn named<T: Copy>(all: &[(T, &str, &str)], name: &str) -> Result<T, &'static str> {
    let entry = all.iter().find(|(_, known, _)| *known == name);
    entry.map_or(Err("choose one of the list"), |(value, ..)| Ok(*value))
}

/// A condition, shortened for a page.
pub(super) fn shortened(text: &str) -> String {
    beginning(text.trim(), LONGEST_SUBJECT)
}

/// The address of a form with these values; of the empty form if they are too long.
pub(super) fn address(path: &str, values: &[(&str, &str)]) -> String {
    let values = values.iter().filter(|(_, value)| !value.is_empty());
    let values = values.map(|(name, value)| {
        let Ok(value) = urlencode_strict(value);
        format!("{name}={value}")
    });
    let values: Vec<String> = values.collect();
    let address = format!("{path}?{}", values.join("&"));
    match values.is_empty() || address.len() > LONGEST_ADDRESS {
        true => path.to_owned(),
        false => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_values_of_a_form() {
        let condition = "hcp(north) >= 20\n&& été";
        assert_eq!(
            address(
                "/deal",
                &[("condition", condition), ("boards", "8"), ("seed", "")]
            ),
            "/deal?condition=hcp%28north%29%20%3E%3D%2020%0A%26%26%20%C3%A9t%C3%A9&boards=8"
        );
        assert_eq!(address("/deal", &[("seed", "")]), "/deal");
        assert_eq!(address("/deal", &[("seed", &"1".repeat(60_000))]), "/deal");
    }
}
