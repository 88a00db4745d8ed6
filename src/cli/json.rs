//! JSON on standard output: one document, or an object a line.

use std::fmt::Display;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

/// Writes a document for people to read too, as run.json is written.
pub(super) fn document(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes an object on a line of its own.
pub(super) fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// An integer that may exceed the 53 bits that JSON readers keep, or whatever else has a text.
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
