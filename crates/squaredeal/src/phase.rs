//! Phases of a tournament: their sessions, board numbers and files.

use std::fmt;
use std::str::FromStr;

/// Maximum number of sessions of a phase, and maximum board number.
const MOST: u32 = 9_999;

/// A range of board numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardRange {
    /// The first number; at least 1.
    pub first: u32,
    /// The last number; at least the first, at most 9,999.
    pub last: u32,
}

/// The board numbers of the sessions of a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionBoards {
    /// The sessions go through these ranges in turn; at least one.
    Ranges(Vec<BoardRange>),
    /// They are stated when a session is dealt.
    Asked,
}

/// A phase of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Number of sessions; 0 if it is not known beforehand.
    pub sessions: u32,
    /// The board numbers.
    pub boards: SessionBoards,
    /// Name of the file of a session, without ending; `##` is the session's number in two digits.
    pub file: String,
    /// Description of a session, with the same marks.
    pub description: String,
}

impl BoardRange {
    /// Returns the number of boards.
    pub fn boards(self) -> u32 {
        self.last - self.first + 1
    }
}

impl Phase {
    /// Returns the range of a session, counted from 1; `None` if it is stated when it is dealt.
    pub fn range(&self, session: u32) -> Option<BoardRange> {
        match &self.boards {
            SessionBoards::Asked => None,
            SessionBoards::Ranges(ranges) => {
                let turn = (session.max(1) - 1) as usize % ranges.len();
                Some(ranges[turn])
            }
        }
    }

    /// Returns the name of the file of a session.
    pub fn file_of(&self, session: u32) -> String {
        numbered(&self.file, session)
    }

    /// Returns the description of a session.
    pub fn description_of(&self, session: u32) -> String {
        numbered(&self.description, session)
    }

    /// Returns the session whose key a session has: 0 if the number of sessions is not known.
    pub fn key_session(&self, session: u32) -> u32 {
        if self.sessions == 0 { 0 } else { session }
    }
}

/// Replaces each run of `#` by the number, with at least that many digits.
fn numbered(text: &str, number: u32) -> String {
    let mut out = String::new();
    let mut marks = 0;
    for letter in text.chars().chain(['\n']) {
        if letter == '#' {
            marks += 1;
            continue;
        }
        if marks > 0 {
            out += &format!("{number:0marks$}");
            marks = 0;
        }
        out.push(letter);
    }
    out.pop();
    out
}

/// A number of this file format: digits alone, within a range.
fn number(text: &str, from: u32) -> Result<u32, String> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse().ok().filter(|_| is_digits);
    value
        .filter(|value| (from..=MOST).contains(value))
        .ok_or_else(|| format!("`{text}` is not a number from {from} to {MOST}"))
}

impl FromStr for BoardRange {
    type Err = String;

    /// Parses `17-32`, or `20` for 1 to 20.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse()? {
            SessionBoards::Ranges(ranges) if ranges.len() == 1 => Ok(ranges[0]),
            _ => Err("name one range, such as 17-32".to_owned()),
        }
    }
}

impl FromStr for SessionBoards {
    type Err = String;

    /// Parses `20` (1 to 20), `17-32`, several ranges `1-16,17-32`, `3x7` (1-7,8-14,15-21) or `?`.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == "?" {
            return Ok(Self::Asked);
        }
        if let Some((times, size)) = text.split_once('x') {
            let (times, size) = (number(times, 1)?, number(size, 1)?);
            if times * size > MOST {
                return Err(format!("`{text}` has more than {MOST} boards"));
            }
            let ranges = (0..times).map(|turn| BoardRange {
                first: turn * size + 1,
                last: (turn + 1) * size,
            });
            return Ok(Self::Ranges(ranges.collect()));
        }
        let ranges = text.split(',').map(|part| {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (number(first.trim(), 1)?, number(last.trim(), 1)?),
                None => (1, number(part.trim(), 1)?),
            };
            match first <= last {
                true => Ok(BoardRange { first, last }),
                false => Err(format!("`{part}`: the last board is before the first")),
            }
        });
        Ok(Self::Ranges(ranges.collect::<Result<_, String>>()?))
    }
}

impl fmt::Display for SessionBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = match self {
            Self::Asked => return f.write_str("?"),
            Self::Ranges(ranges) => ranges,
        };
        for (place, range) in ranges.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            match (range.first, ranges.len()) {
                (1, 1) => write!(f, "{}", range.last)?,
                _ => write!(f, "{comma}{}-{}", range.first, range.last)?,
            }
        }
        Ok(())
    }
}

impl FromStr for Phase {
    type Err = String;

    /// Parses `SESSIONS:BOARDS:FILE:DESCRIPTION`.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.splitn(4, ':').collect();
        let [sessions, boards, file, description] = parts[..] else {
            return Err(format!("`{text}` is not SESSIONS:BOARDS:FILE:DESCRIPTION"));
        };
        let file = file.trim();
        let is_plain = |letter: char| !letter.is_control() && !"/\\:*?\"<>|".contains(letter);
        if file.is_empty() || file.starts_with('.') || !file.chars().all(is_plain) {
            return Err(format!("`{file}` is not the name of a file"));
        }
        Ok(Self {
            sessions: number(sessions.trim(), 0)?,
            boards: boards.parse()?,
            file: file.to_owned(),
            description: description.trim().to_owned(),
        })
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            sessions,
            boards,
            file,
            description,
        } = self;
        write!(f, "{sessions}:{boards}:{file}:{description}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_and_written() {
        for (text, written) in [
            ("20", "20"),
            ("17-32", "17-32"),
            ("1-16,17-32", "1-16,17-32"),
            ("3x7", "1-7,8-14,15-21"),
            ("1x7", "7"),
            ("?", "?"),
        ] {
            let boards: SessionBoards = text.parse().unwrap();
            assert_eq!(boards.to_string(), written);
            assert_eq!(written.parse(), Ok(boards));
        }
        for wrong in ["", "0", "7-3", "1-", "x", "99x999", "10000", "+3", "1,,2"] {
            assert!(wrong.parse::<SessionBoards>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn sessions_have_numbers_with_as_many_digits_as_marks() {
        let phase: Phase = "17:1-16,17-32:OPRR##:Round #/17".parse().unwrap();
        assert_eq!(phase.file_of(3), "OPRR03");
        assert_eq!(phase.description_of(12), "Round 12/17");
        assert_eq!(
            phase.range(4).unwrap(),
            BoardRange {
                first: 17,
                last: 32
            }
        );
        for wrong in ["1:2:3", "1:2::d", "1:2:../x:d", "a:2:f:d"] {
            assert!(wrong.parse::<Phase>().is_err(), "{wrong}");
        }
    }
}
