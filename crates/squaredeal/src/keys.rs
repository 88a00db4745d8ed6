//! The secret keys of the sessions, and the hash that is published before the event.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest, Sha256};

use crate::text::{SquareDealError, lines};
use crate::{Phase, Tournament};

/// Letters of a generated key.
const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Letters of a generated key: 357 bits.
const KEY_LENGTH: usize = 60;

/// A key with fewer letters may be guessed.
const SHORT_KEY: usize = 40;

/// SHA-256 of a key file whose lines end in CR LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHash(pub [u8; 32]);

/// The keys of a tournament.
#[derive(Clone, Debug)]
pub struct Keys {
    /// By phase from 1 and session; session 0 of a phase of unknown length.
    keys: BTreeMap<(u32, u32), String>,
    hash: KeyHash,
}

impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl KeyHash {
    /// Parses 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
        let digits = digits.filter(|digits| digits.len() == 64)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = u8::try_from(pair[0] * 16 + pair[1]).ok()?;
        }
        Some(Self(bytes))
    }
}

impl Keys {
    /// Makes the key file of these phases, with the system's random numbers.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn new_file(phases: &[Phase]) -> Result<String, getrandom::Error> {
        let mut file = String::new();
        for (phase, of) in (1..).zip(phases) {
            for session in of.sessions.min(1)..=of.sessions {
                file += &format!("{phase},{session}:{}\r\n", new_key()?);
            }
        }
        Ok(file)
    }

    /// Parses a key file.
    ///
    /// # Errors
    ///
    /// [`SquareDealError`] at the first line that is not a key.
    pub fn parse(bytes: &[u8]) -> Result<Self, SquareDealError> {
        let mut keys = BTreeMap::new();
        let mut digest = Sha256::new();
        for (number, line) in lines(bytes) {
            digest.update(line);
            digest.update(b"\r\n");
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let wrong = || SquareDealError::at(number, "not a key, PHASE,SESSION:KEY");
            let text = std::str::from_utf8(line).map_err(|_| wrong())?;
            let (place, key) = text.split_once(':').ok_or_else(wrong)?;
            let (phase, session) = place.split_once(',').ok_or_else(wrong)?;
            let place = (phase.trim().parse(), session.trim().parse());
            let (Ok(phase), Ok(session)) = place else {
                return Err(wrong());
            };
            if keys.insert((phase, session), key.to_owned()).is_some() {
                let message = format!("a second key of phase {phase}, session {session}");
                return Err(SquareDealError::at(number, message));
            }
        }
        Ok(Self {
            keys,
            hash: KeyHash(digest.finalize().into()),
        })
    }

    /// Returns the hash of the file.
    pub fn hash(&self) -> KeyHash {
        self.hash
    }

    /// Returns the key of a session of the phase with this number, both counted from 1.
    pub fn of(&self, tournament: &Tournament, phase: u32, session: u32) -> Option<&str> {
        let of = tournament.phase(phase)?;
        let key = self.keys.get(&(phase, of.key_session(session)));
        key.map(String::as_str)
    }

    /// Returns the first phase and session of a tournament without a key.
    pub fn first_missing(&self, tournament: &Tournament) -> Option<(u32, u32)> {
        let phases = (1..).zip(&tournament.phases);
        let mut wanted = phases.flat_map(|(phase, of)| {
            (of.sessions.min(1)..=of.sessions).map(move |session| (phase, session))
        });
        wanted.find(|place| !self.keys.contains_key(place))
    }

    /// Returns whether a key is short enough to be guessed.
    pub fn has_short_key(&self) -> bool {
        self.keys.values().any(|key| key.len() < SHORT_KEY)
    }
}

/// A key of independent uniform letters: bytes from 248 on, the rest of 4 x 62, are drawn again.
fn new_key() -> Result<String, getrandom::Error> {
    let mut key = String::new();
    let mut bytes = [0; KEY_LENGTH];
    while key.len() < KEY_LENGTH {
        getrandom::fill(&mut bytes)?;
        let drawn = bytes.iter().filter(|byte| **byte < 248);
        let letters = drawn.map(|byte| char::from(LETTERS[usize::from(byte % 62)]));
        key.extend(letters.take(KEY_LENGTH - key.len()));
    }
    Ok(key)
}
