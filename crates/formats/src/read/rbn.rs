//! Richard's Bridge Notation: one label and its data per line, an empty line after a record.
//!
//! Hands are read from `H`, the board number from `B`, and the event's name, place, date and
//! session from `E`, `L`, `D` and `S`. All except `H` apply to later records too, until they
//! are replaced. A record without `H` is about the same deal as the record before, and not a new
//! deal. After `H`, `A` begins with the dealer and the vulnerability, before the calls; `C`, `P` and
//! `R` are contract, play and result. Other labels are ignored. For records, `N` names players, `F`
//! the scoring, both until they are replaced; digits label explanations of calls, and text in braces
//! is a comment. The source is Pavlicek's article 7A12.

use memchr::memmem;

use super::cards::DisjointHands;
use super::notation::{self, decoded};
use super::text::{each_line, whole_lines};
use super::{BoardDetails, Entry, EntryKind, Event, FilePiece, Parser, other};
use crate::bridge::{Card, NotationError, Seat, Vulnerable};
use crate::record::{AuctionCall, BoardRecord, Call, card, is_complete};

/// Maximum length of a board's comments, in bytes.
const LONGEST_COMMENT: usize = 1 << 16;

/// Reads `H` lines, and the lines that identify the deal.
#[derive(Debug, Default)]
pub(crate) struct Rbn {
    /// The last `B`, if there was one; `Some(None)` if it was not a number.
    board: Option<Option<u64>>,
    /// The parts of the event set since the last `H`.
    event: Event,
    /// Whether players were named since the last `H`.
    has_names: bool,
    /// The last `N` and `F` since the last `H`, if records are kept.
    names: Option<[Box<str>; 4]>,
    scoring: Option<Box<str>>,
    /// Whether text in braces goes on in the next line.
    is_in_text: bool,
    /// Whether digits explain calls: the last `A` is after the last `P`.
    explains_calls: bool,
    /// The last deal, until its record ends.
    held: Option<Entry>,
}

impl Parser for Rbn {
    fn is_fresh(&self) -> bool {
        let is_named = self.has_names || self.names.is_some() || self.scoring.is_some();
        self.event == Event::default() && !is_named && self.held.is_none() && !self.is_in_text
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
            self.is_in_text = false;
            return self.let_go(found);
        };
        if self.is_in_text || label == b'{' {
            let text = line.trim_ascii();
            self.is_in_text = !text.ends_with(b"}");
            return self.comment(text, found);
        }
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
                self.names = found.keeps_records.then(|| names(data));
                return;
            }
            b'F' => {
                self.scoring = found.keeps_records.then(|| scoring(data));
                return;
            }
            b'A' | b'C' | b'P' | b'R' => {
                self.explains_calls = label == b'A' || self.explains_calls && label != b'P';
                if let Some(held) = &mut self.held {
                    describe(held, label, data, found.keeps_records);
                }
                return;
            }
            b'1'..=b'9' => {
                let held = self.held.as_mut().filter(|_| self.explains_calls);
                if let Some(record) = held.and_then(|held| held.record.as_mut()) {
                    explain(record, label, data);
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
        self.explains_calls = false;
        let event = found.event(std::mem::take(&mut self.event));
        // As in PBN, `#` is the value of the record before.
        let same = || Box::from("#");
        let record = found.keeps_records.then(|| BoardRecord {
            names: self
                .names
                .take()
                .unwrap_or_else(|| [(); 4].map(|()| same())),
            scoring: self.scoring.take().unwrap_or_else(same),
            ..BoardRecord::default()
        });
        self.held = Some(Entry {
            place: found.places,
            board: self.board.flatten(),
            details: BoardDetails {
                has_names: std::mem::take(&mut self.has_names),
                ..BoardDetails::default()
            },
            record: record.map(Box::new),
            event,
            ..what.into()
        });
    }

    /// Keeps a line of text in braces.
    fn comment(&mut self, line: &[u8], found: &FilePiece) {
        let held = self.held.as_mut().filter(|_| found.keeps_records);
        let Some(record) = held.and_then(|held| held.record.as_mut()) else {
            return;
        };
        let text = decoded(line);
        let words = text.split(|letter: char| letter.is_whitespace() || "{}".contains(letter));
        for word in words.filter(|word| !word.is_empty()) {
            let space = if record.comment.is_empty() { "" } else { " " };
            if record.comment.len() + word.len() < LONGEST_COMMENT {
                record.comment = format!("{}{space}{word}", record.comment).into();
            }
        }
    }

    /// Adds the last deal, whose record has ended.
    fn let_go(&mut self, found: &mut FilePiece) {
        found.entries.extend(self.held.take());
    }
}

/// Adds the data of a label after `H`: `NZ:1CP1NPPP` has the dealer, the vulnerability and calls.
/// Without both, west is the dealer.
fn describe(entry: &mut Entry, label: u8, data: &[u8], keeps_records: bool) {
    let told = match (label, data) {
        (b'A', &[_, _, b':', ..] | &[_, _]) => {
            let (dealer, sides, calls) = (data[0], data[1], &data[2..]);
            entry.dealer = notation::seat(dealer);
            entry.details.vulnerable = match sides {
                b'Z' => Some(Vulnerable::None),
                b'N' => Some(Vulnerable::NorthSouth),
                b'E' => Some(Vulnerable::EastWest),
                b'B' => Some(Vulnerable::All),
                _ => None,
            };
            calls.strip_prefix(b":").unwrap_or(calls)
        }
        (b'A', _) => {
            entry.dealer = Some(Seat::West);
            data
        }
        _ => data,
    };
    entry.details.has_play |= !told.is_empty();
    let record = entry.record.as_mut().filter(|_| keeps_records);
    let Some(record) = record.filter(|_| !told.is_empty()) else {
        return;
    };
    let is_read = match label {
        b'A' => calls(told).map(|calls| record.calls = calls).is_some(),
        b'P' => cards(told, &mut record.play).is_some(),
        b'C' => contract(told, record).is_some(),
        _ => {
            let text = decoded(told.split(|byte| *byte == b':').next().unwrap_or_default());
            let digits = text.find(|letter: char| !letter.is_ascii_digit());
            match (&*text, digits.unwrap_or(text.len())) {
                ("P", _) => record.contract = "Pass".into(),
                (_, 0) => record.result = text.into(),
                (_, end) => record.result = text[..end].into(),
            }
            true
        }
    };
    record.has_unread |= !is_read;
}

/// The names in `north+south:west+east:room`.
fn names(data: &[u8]) -> [Box<str>; 4] {
    let mut pairs = data.split(|byte| *byte == b':').map(|pair| {
        let mut names = pair.split(|byte| *byte == b'+');
        [(); 2].map(|()| Box::from(decoded(names.next().unwrap_or_default().trim_ascii())))
    });
    let [north, south] = pairs.next().unwrap_or_default();
    let [west, east] = pairs.next().unwrap_or_default();
    [north, east, south, west]
}

/// The method of scoring; one letter abbreviates some of them.
fn scoring(data: &[u8]) -> Box<str> {
    match data {
        b"I" => "IMP".into(),
        b"M" => "MatchPoints".into(),
        b"B" => "BAM".into(),
        b"R" => "Rubber".into(),
        b"C" => "Chicago".into(),
        _ => decoded(data).into(),
    }
}

/// The calls of `1CP:1N^1PA`: bids, `P`, `X` and `R`, with `*` or the number of an explanation
/// after alerted ones. `A` are the passes that end the auction. `None` if something else is there.
fn calls(data: &[u8]) -> Option<Vec<AuctionCall>> {
    let mut calls: Vec<AuctionCall> = Vec::new();
    let mut bytes = data.iter().map(u8::to_ascii_uppercase).peekable();
    while let Some(byte) = bytes.next() {
        let call = match byte {
            b':' | b'!' | b'?' | b' ' => continue,
            b'*' => {
                calls.last_mut()?.note = Some(Box::default());
                continue;
            }
            b'^' => {
                // Until the explanation is read, its number.
                let number = char::from(bytes.next()?);
                calls.last_mut()?.note = Some(format!("^{number}").into());
                continue;
            }
            b'A' => {
                let has_bid = calls.iter().any(|of| matches!(of.call, Call::Bid(..)));
                for _ in 0..if has_bid { 3 } else { 4 } {
                    if !is_complete(&calls) {
                        let (call, note) = (Call::Pass, None);
                        calls.push(AuctionCall { call, note });
                    }
                }
                continue;
            }
            b'1'..=b'7' => Call::from_text(&[byte, bytes.next()?])?,
            b'P' | b'X' | b'R' => Call::from_text(&[byte])?,
            _ => return None,
        };
        calls.push(AuctionCall { call, note: None });
    }
    Some(calls)
}

/// Replaces the number of an explanation by its text.
fn explain(record: &mut BoardRecord, number: u8, data: &[u8]) {
    let number = format!("^{}", char::from(number));
    for of in &mut record.calls {
        if of.note.as_deref() == Some(&number) {
            of.note = Some(decoded(data).into());
        }
    }
}

/// Adds the cards of `CA253:H4..`: tricks from their leads on, with the suit of a card that is not
/// the one that was led. `None` if something else is there.
fn cards(data: &[u8], play: &mut Vec<Card>) -> Option<()> {
    for trick in data.split(|byte| matches!(byte, b':' | b';')) {
        let (mut led, mut suit) = (None, None);
        let mut bytes = trick.iter().map(u8::to_ascii_uppercase);
        while let Some(byte) = bytes.next() {
            match byte {
                b'S' | b'H' | b'D' | b'C' => suit = Some(byte),
                b'!' | b'?' | b'*' | b' ' => {}
                b'^' => drop(bytes.next()),
                rank => {
                    let of = suit.take().or(led)?;
                    led = led.or(Some(of));
                    play.push(card(&[of, rank])?);
                }
            }
        }
    }
    Some(())
}

/// Reads `4SX:N` or `4SXN`: contract and declarer.
fn contract(data: &[u8], record: &mut BoardRecord) -> Option<()> {
    let text = decoded(data).to_ascii_uppercase();
    let (bid, rest) = text.split_at_checked(2)?;
    let Call::Bid(level, strain) = Call::from_text(bid.as_bytes())? else {
        return None;
    };
    let declarer = rest.trim_start_matches(['X', 'R', ':']);
    let doubled = match rest[..rest.len() - declarer.len()].trim_end_matches(':') {
        "" => "",
        "X" => "X",
        "R" | "XX" => "XX",
        _ => return None,
    };
    let seat = declarer.bytes().next().and_then(notation::seat);
    record.contract = format!("{level}{}{doubled}", strain.name()).into();
    record.declarer = seat.map_or_else(Box::default, |seat| seat.letter().to_string().into());
    Some(())
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

    fn record(text: &str) -> BoardRecord {
        let hands = "H W:AQ8.AQ5.QJT.AQ52:2.T98.K752.KJT84:5.J7642.986.9763:";
        let text = format!("{hands}\n{text}\n");
        let mut found = None;
        super::super::read_cut(text.as_bytes(), F::Rbn, &[], &mut |entry| {
            found = entry.record;
        });
        *found.unwrap()
    }

    #[test]
    fn calls_are_read_with_their_explanations() {
        let read = record("A WZ:1c*PR^1:2N^2XA\n1 a\n2 b c\nP C2\n1 of the play");
        let calls = read
            .calls
            .iter()
            .map(|of| (of.call.to_string(), of.note.as_deref()));
        let calls: Vec<_> = calls.collect();
        let calls: Vec<_> = calls.iter().map(|(call, note)| (&**call, *note)).collect();
        let expected = [
            ("1C", Some("")),
            ("Pass", None),
            ("XX", Some("a")),
            ("2NT", Some("b c")),
            ("X", None),
            ("Pass", None),
            ("Pass", None),
            ("Pass", None),
        ];
        assert_eq!(calls, expected);
        assert_eq!((&*read.contract, &*read.declarer), ("2NTX", "S"));
        // Nothing, passes and what is not a call.
        assert!(record("A WZ:").calls.is_empty());
        assert_eq!(record("A WZ:A").calls.len(), 4);
        assert_eq!(&*record("A NB:PPP1SA").declarer, "W");
        // Without dealer and vulnerability, west deals.
        assert_eq!(&*record("A 1SA").declarer, "W");
        assert!(record("A WZ:1Z").has_unread && record("A WZ:8C").has_unread);
    }

    #[test]
    fn cards_contracts_and_results_are_read() {
        let read = record("C 3NX:S\nP C2J6A:HAT4:\nR 9-200:+3\n{A comment,\nB 7 of two lines.}");
        assert_eq!(read.play, []);
        assert!(read.has_unread, "west played two cards in a row");
        assert_eq!(&*read.comment, "A comment, B 7 of two lines.");
        let read = record("C 3NX:S\nP C2K3S3:HT2\nR 9-200:+3");
        let play: Vec<String> = read.play.iter().map(Card::to_string).collect();
        assert_eq!(play, ["C2", "CK", "C3", "S3", "HT", "H2"]);
        for (text, contract, declarer) in [
            ("4H:N", "4H", "N"),
            ("1NN", "1NT", "N"),
            ("6dr:w:e", "6DXX", "W"),
            ("2CXXE", "2CXX", "E"),
        ] {
            let read = record(&format!("C {text}"));
            assert_eq!((&*read.contract, &*read.declarer), (contract, declarer));
        }
        assert_eq!(&*record("R P").contract, "Pass");
        assert_eq!(&*record("R EW 9").result, "EW 9");
    }

    #[test]
    fn players_stay_until_they_are_replaced() {
        let hands = "H W:AQ8.AQ5.QJT.AQ52:2.T98.K752.KJT84:5.J7642.986.9763:";
        let text = format!(
            "F I\nN Ann+Bo:Cy+Dee:O\n{hands}\n\n{hands}\n\nN :+Eve\n{hands}\n\nN\n{hands}\n"
        );
        for shown in [&[][..], &[90, 150]] {
            let mut names = Vec::new();
            super::super::read_cut(text.as_bytes(), F::Rbn, shown, &mut |entry| {
                let record = entry.record.unwrap();
                assert_eq!(&*record.scoring, "IMP");
                names.push(record.names.map(|name| name.to_string()));
            });
            let first = ["Ann", "Dee", "Bo", "Cy"];
            assert_eq!(names[..2], [first, first]);
            assert_eq!(names[2..], [["", "Eve", "", ""], ["", "", "", ""]]);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Rbn);
    }
}
