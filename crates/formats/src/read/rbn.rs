//! Richard's Bridge Notation: one label and its data per line, an empty line after a record.
//!
//! Hands are read from `H`, the board number from `B`, and the event's name, place, date and
//! session from `E`, `L`, `D` and `S`. All except `H` apply to later records too, until they
//! are replaced. A record without `H` is about the same deal as the record before, and not a new
//! deal. After `H`, `A` begins with the dealer and the vulnerability, before the calls; `C`, `P` and
//! `R` are contract, play and result. `N` names players. Other labels are ignored. The source is Pavlicek's article 7A12.

use memchr::memmem;

use super::cards::DisjointHands;
use super::notation::{self, decoded};
use super::text::{each_line, whole_lines};
use super::{BoardDetails, Entry, EntryKind, Event, FilePiece, Parser, other};
use crate::bridge::{NotationError, Vulnerable};

/// Reads `H` lines, and the lines that identify the deal.
#[derive(Debug, Default)]
pub(crate) struct Rbn {
    /// The last `B`, if there was one; `Some(None)` if it was not a number.
    board: Option<Option<u64>>,
    /// The parts of the event set since the last `H`.
    event: Event,
    /// Whether players were named since the last `H`.
    has_names: bool,
    /// The last deal, until its record ends.
    held: Option<Entry>,
}

impl Parser for Rbn {
    fn is_fresh(&self) -> bool {
        self.event == Event::default() && !self.has_names && self.held.is_none()
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        let unix = memmem::rfind(bytes, b"\n\n").map(|at| at + 2);
        let empty = unix.or_else(|| memmem::rfind(bytes, b"\n\r\n").map(|at| at + 3));
        empty.unwrap_or_else(|| whole_lines(bytes))
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| self.line(line, found));
        if last {
            self.let_go(found);
        }
        if let Some(held) = &mut self.held {
            held.place = held.place.wrapping_sub(found.places);
            // The event that the next piece begins with.
            held.event = 0;
        }
        // The next piece may need the board number of an earlier one.
        found.depends |= self.board.is_none();
    }
}

impl Rbn {
    fn line(&mut self, line: &[u8], found: &mut FilePiece) {
        let Some((&label, data)) = line.split_first() else {
            return self.let_go(found);
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
            b'N' => {
                self.has_names = !data.is_empty();
                return;
            }
            b'A' | b'C' | b'P' | b'R' => {
                if let Some(held) = &mut self.held {
                    describe(held, label, data);
                }
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

    fn push(&mut self, what: EntryKind, found: &mut FilePiece) {
        self.let_go(found);
        found.depends |= self.board.is_none();
        let event = found.event(std::mem::take(&mut self.event));
        self.held = Some(Entry {
            place: found.places,
            board: self.board.flatten(),
            details: BoardDetails {
                has_names: std::mem::take(&mut self.has_names),
                ..BoardDetails::default()
            },
            event,
            ..what.into()
        });
    }

    /// Adds the last deal, whose record has ended.
    fn let_go(&mut self, found: &mut FilePiece) {
        found.entries.extend(self.held.take());
    }
}

/// Adds the data of a label after `H`: `NZ:1CP1NPPP` has the dealer, the vulnerability and calls.
fn describe(entry: &mut Entry, label: u8, data: &[u8]) {
    let calls = match (label, data) {
        (b'A', &[dealer, sides, ref calls @ ..]) => {
            entry.dealer = notation::seat(dealer);
            entry.details.vulnerable = match sides {
                b'Z' => Some(Vulnerable::None),
                b'N' => Some(Vulnerable::NorthSouth),
                b'E' => Some(Vulnerable::EastWest),
                b'B' => Some(Vulnerable::All),
                _ => None,
            };
            calls.trim_ascii().strip_prefix(b":").unwrap_or(calls)
        }
        _ => data,
    };
    entry.details.has_play |= !calls.is_empty();
}

/// Reads the data of an `H` line: `N:hand:hand:hand:`, with `;` before a hidden hand. The fourth
/// hand and empty suits at the end of a hand may be omitted.
fn hands(data: &[u8]) -> EntryKind {
    let text = decoded(data);
    let mut letters = text.chars();
    let Some(first) = letters.next().filter(|_| {
        text.as_bytes()[1..].starts_with(b":") || text.as_bytes()[1..].starts_with(b";")
    }) else {
        return EntryKind::Invalid(NotationError::NoSeat.into());
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
        return EntryKind::Invalid(NotationError::Hands { hands: count }.into());
    }
    hands.resize(4, "");
    let Some(spelt) = hands
        .iter()
        .map(|hand| spelt(hand))
        .collect::<Option<Vec<_>>>()
    else {
        return EntryKind::Invalid(other("a hand has no spaces; dots separate its suits"));
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
        Err(wrong) => EntryKind::Invalid(wrong.into()),
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

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::Format as F;
    use crate::bridge::Seat;

    #[test]
    fn what_follows_the_hands_is_about_their_board() {
        let hands = "H W:AQ82.AQ5.T4.AQ52:2.T98.K752.KJT84:5.J7642.986.9763:";
        let text = format!(
            "E Cup\nN Smith Jones\nB 17\n{hands}\nA NZ:1CP1NPPP\nC 1NN\n\n\
             B 18\n{hands}\nA EB\n\nB 19\n{hands}\nB 20\n{hands}\nP CA\n"
        )
        .replace("AQ82", "AQ8")
        .replace("T4", "QJT");
        let entries = testing::whole(F::Rbn, text.as_bytes());
        let found = entries.iter().map(|entry| {
            let details = entry.details;
            let played = (details.has_names, details.has_play);
            (entry.board, entry.dealer, details.vulnerable, played)
        });
        let expected = [
            (
                Some(17),
                Some(Seat::North),
                Some(Vulnerable::None),
                (true, true),
            ),
            (
                Some(18),
                Some(Seat::East),
                Some(Vulnerable::All),
                (false, false),
            ),
            (Some(19), None, None, (false, false)),
            (Some(20), None, None, (false, true)),
        ];
        assert_eq!(Vec::from_iter(found), expected);
        testing::cuts_change_nothing(F::Rbn, text.as_bytes());
        testing::cuts_change_nothing(F::Rbn, text.replace('\n', "\r\n").as_bytes());
    }

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Rbn);
    }
}
