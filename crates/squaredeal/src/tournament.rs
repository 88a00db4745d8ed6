//! The description of a tournament, `NAME.sqd`.

use crate::keys::KeyHash;
use crate::text::{SquareDealError, lines};
use crate::{HandSet, Keys, Phase, SessionDeals};

/// A tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// Its name.
    pub name: String,
    /// Which value will be used.
    pub value_name: String,
    /// The value in its own bytes, once it is known.
    pub value: Option<Vec<u8>>,
    /// The phases.
    pub phases: Vec<Phase>,
    /// The hash of the key file.
    pub key_hash: Option<KeyHash>,
}

impl Tournament {
    /// Parses a description.
    ///
    /// # Errors
    ///
    /// [`SquareDealError`] at the first line that has no known meaning, or a second meaning.
    pub fn parse(bytes: &[u8]) -> Result<Self, SquareDealError> {
        let mut found = Self {
            name: String::new(),
            value_name: String::new(),
            value: None,
            phases: Vec::new(),
            key_hash: None,
        };
        for (number, line) in lines(bytes) {
            if line.iter().all(u8::is_ascii_whitespace) || line.starts_with(b"#") {
                continue;
            }
            let (word, rest) = line.split_at_checked(2).unwrap_or((line, b""));
            let rest = rest.strip_prefix(b" ").unwrap_or(rest);
            let text = String::from_utf8_lossy(rest);
            let fails = |message: &str| SquareDealError::at(number, message);
            match word {
                b"TN" => found.name = text.into_owned(),
                b"DI" => found.value_name = text.into_owned(),
                b"DV" if found.value.is_some() => return Err(fails("a second value")),
                b"DV" => found.value = Some(rest.to_vec()),
                b"SN" => {
                    let phase = text.parse().map_err(|error: String| fails(&error))?;
                    found.phases.push(phase);
                }
                b"KH" => {
                    let hash = KeyHash::parse(text.trim());
                    let hash = hash.ok_or_else(|| fails("not the 64 digits of a hash"))?;
                    found.key_hash = Some(hash);
                }
                _ => return Err(fails("not a line of a SquareDeal description")),
            }
        }
        match found.phases.is_empty() {
            true => Err(SquareDealError::at(lines(bytes).count(), "no phase (SN)")),
            false => Ok(found),
        }
    }

    /// Returns the description of a tournament before its value is known.
    pub fn describe(name: &str, value_name: &str, phases: &[Phase], hash: KeyHash) -> String {
        let mut text = format!(
            "# Description of a tournament for SquareDeal, by fairdeal\r\n#\r\nTN {name}\r\nDI \
             {value_name}\r\n# A line for each phase: SN SESSIONS:BOARDS:FILE:DESCRIPTION\r\n"
        );
        for phase in phases {
            text += &format!("SN {phase}\r\n");
        }
        text + &format!("KH {hash}\r\n")
    }

    /// Returns a description with its value, after the line that says which value it is; the other
    /// bytes stay.
    ///
    /// # Errors
    ///
    /// [`SquareDealError`] if the description cannot be parsed or has a value.
    pub fn with_value(bytes: &[u8], value: &str) -> Result<Vec<u8>, SquareDealError> {
        let before = Self::parse(bytes)?;
        if let Some(value) = before.value {
            let message = format!("it has the value {}", String::from_utf8_lossy(&value));
            let mut values = lines(bytes).filter(|(_, line)| line.starts_with(b"DV"));
            return Err(SquareDealError::at(
                values.next().map_or(1, |(line, _)| line),
                message,
            ));
        }
        let end: &[u8] = match bytes.windows(2).any(|pair| pair == b"\r\n") {
            true => b"\r\n",
            false => b"\n",
        };
        let is_place = |line: &[u8]| line.starts_with(b"DI");
        let has_place = lines(bytes).any(|(_, line)| is_place(line));
        let mut out = Vec::new();
        for (number, line) in lines(bytes) {
            out.extend_from_slice(line);
            out.extend_from_slice(end);
            if is_place(line) || !has_place && number == 1 {
                out.extend_from_slice(&[b"DV ", value.as_bytes(), end].concat());
            }
        }
        Ok(out)
    }

    /// Returns the phase with this number, counted from 1.
    pub fn phase(&self, number: u32) -> Option<&Phase> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.phases.get(place)
    }

    /// Returns the deals of a session, the first board first; `None` without a key or value.
    pub fn deals(
        &self,
        keys: &Keys,
        (phase, session): (u32, u32),
        set: HandSet,
    ) -> Option<SessionDeals> {
        let (key, value) = (keys.of(self, phase, session)?, self.value.as_deref()?);
        let is_open = self.phase(phase)?.sessions == 0;
        Some(SessionDeals::new(
            key,
            value,
            set,
            is_open.then_some(session),
        ))
    }
}

/// A typed value as it is written: without outer blanks, with single blanks, and without a point or
/// comma between two digits, so that every way to write a number is the same.
pub fn canonical_value(typed: &str) -> String {
    let words: Vec<&str> = typed.split_whitespace().collect();
    let letters: Vec<char> = words.join(" ").chars().collect();
    let is_digit = |place: Option<usize>| {
        let letter = place.and_then(|place| letters.get(place));
        letter.is_some_and(char::is_ascii_digit)
    };
    let kept = letters.iter().enumerate().filter(|(place, letter)| {
        let is_mark = matches!(letter, '.' | ',');
        !(is_mark && is_digit(place.checked_sub(1)) && is_digit(Some(place + 1)))
    });
    kept.map(|(_, letter)| letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_values_lose_what_people_write_differently() {
        for (typed, written) in [
            ("44,882.13", "4488213"),
            (" 44901,92 ", "4490192"),
            ("a  b", "a b"),
            (".5 5.", ".5 5."),
            ("DJI 1.910, x", "DJI 1910, x"),
        ] {
            assert_eq!(canonical_value(typed), written);
        }
    }

    #[test]
    fn a_value_is_added_once_and_the_rest_stays() {
        let before = b"# x\r\nTN a\r\nDI b\r\nSN 1:2:f:d\r\n";
        let after = Tournament::with_value(before, "12").unwrap();
        assert_eq!(after, b"# x\r\nTN a\r\nDI b\r\nDV 12\r\nSN 1:2:f:d\r\n");
        let again = Tournament::with_value(&after, "12").unwrap_err();
        assert_eq!(again.to_string(), "line 4: it has the value 12");
        for (wrong, line) in [
            ("XX 1\n", 1),
            ("TN a\nSN 1\n", 2),
            ("", 0),
            ("SN 1:2:f:d\nKH 12\n", 2),
        ] {
            assert_eq!(
                Tournament::parse(wrong.as_bytes()).unwrap_err().line,
                line,
                "{wrong}"
            );
        }
    }
}
