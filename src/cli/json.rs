//! JSON on standard output: one document, or one object per line.

use std::fmt::Display;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

/// Writes an indented document, as in run.json.
pub(super) fn document(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes an object on its own line.
pub(super) fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// Serialises as a string an integer that may exceed the 53 bits of JSON readers, or any
/// displayable value.
pub(super) fn text<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Total {
        #[serde(serialize_with = "text")]
        total: u128,
    }

    #[test]
    fn integers_beyond_53_bits_are_strings_to_the_last_digit() {
        let mut out = Vec::new();
        line(&mut out, &Total { total: u128::MAX }).unwrap();
        let wanted = "{\"total\":\"340282366920938463463374607431768211455\"}\n";
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }
}
