//! Richard's Bridge Notation: one label and its data per line, an empty line after a record.
//!
//! Hands are read from `H`, the board number from `B`, and the event's name, place, date and
//! session from `E`, `L`, `D` and `S`. All except `H` apply to later records too, until they
//! are replaced. A record without `H` is about the same deal as the record before, and not a new
//! deal. Other labels are ignored. The source is Pavlicek's article 7A12.

use super::cards::DisjointHands;
use super::notation::{self, decoded};
use super::text::{each_line, whole_lines};
use super::{Entry, Event, FilePiece, Parser, What, other};
use crate::bridge::NotationError;

/// Reads `H` lines, and the lines that identify the deal.
#[derive(Debug, Default)]
pub(in crate::formats) struct Rbn {
    /// The last `B`, if there was one; `Some(None)` if it was not a number.
    board: Option<Option<u64>>,
    /// The parts of the event set since the last `H`.
    event: Event,
}

impl Parser for Rbn {
    fn fresh(&self) -> Box<dyn Parser> {
        Box::new(Self::default())
    }

    fn is_fresh(&self) -> bool {
        self.event == Event::default()
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        whole_lines(bytes)
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| self.line(line, found));
        // The next piece may need the board number of an earlier one.
        found.depends |= self.board.is_none();
    }
}

impl Rbn {
    fn line(&mut self, line: &[u8], found: &mut FilePiece) {
        let Some((&label, data)) = line.split_first() else {
            return;
        };
        if !matches!(data.first(), None | Some(b' ' | b'\t')) {
            return;
        }
        let data = data.trim_ascii();
        let part = match label {
            b'H' => {
                self.push(hands(data), found);
                return;
            }
            b'B' => {
                let digits = decoded(data);
                let end = digits.find(|letter: char| !letter.is_ascii_digit());
                self.board = Some(digits[..end.unwrap_or(digits.len())].parse().ok());
                return;
            }
            b'E' => 0,
            b'L' => 1,
            b'D' => 2,
            b'S' => 3,
            _ => return,
        };
        self.event.0[part] = Some(decoded(data).into_boxed_str());
    }

    fn push(&mut self, what: What, found: &mut FilePiece) {
        found.depends |= self.board.is_none();
        let event = found.event(std::mem::take(&mut self.event));
        found.entries.push(Entry {
            place: found.places,
            board: self.board.flatten(),
            dealer: None,
            tricks: None,
            event,
            what,
        });
    }
}

/// Reads the data of an `H` line: `N:hand:hand:hand:`, with `;` before a hidden hand. The fourth
/// hand and empty suits at the end of a hand may be omitted.
fn hands(data: &[u8]) -> What {
    let text = decoded(data);
    let mut letters = text.chars();
    let Some(first) = letters.next().filter(|_| {
        text.as_bytes()[1..].starts_with(b":") || text.as_bytes()[1..].starts_with(b";")
    }) else {
        return What::Invalid(NotationError::NoSeat.into());
    };
    let mut hands: Vec<&str> = letters.as_str()[1..]
        .split([':', ';'])
        .map(str::trim)
        .collect();
    if hands.len() > 1 && hands.last() == Some(&"") {
        hands.pop();
    }
    let count = hands.len();
    if count > 4 {
        return What::Invalid(NotationError::Hands { hands: count }.into());
    }
    hands.resize(4, "");
    let Some(spelt) = hands
        .iter()
        .map(|hand| spelt(hand))
        .collect::<Option<Vec<_>>>()
    else {
        return What::Invalid(other("a hand has no spaces; dots separate its suits"));
    };
    let text = format!("{first}:{}", spelt.join(" "));
    match notation::ending(text.as_bytes()) {
        Ok(ending) => {
            let mut hands = DisjointHands::from(ending);
            if count == 3 {
                hands.give_rest();
            }
            hands.finish()
        }
        Err(wrong) => What::Invalid(wrong.into()),
    }
}

/// A hand in PBN's spelling.
fn spelt(hand: &str) -> Option<String> {
    let dots = hand.matches('.').count();
    match hand {
        "" => Some("-".to_owned()),
        hand if hand.contains(char::is_whitespace) => None,
        hand => Some(format!("{hand}{}", ".".repeat(3usize.saturating_sub(dots)))),
    }
}
