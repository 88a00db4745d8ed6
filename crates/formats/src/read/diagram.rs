//! Diagrams of four hands, as books, mails and programs print them: north's suits above, west's and
//! east's beside each other, south's below.
//!
//! ```text
//!           S: QT5
//!           H: QJT863
//!           D: ---
//!           C: AK83
//!  S: A9862          S: 743
//!  H: 7              H: A54
//!  D: QJ94           D: T8763
//!  C: T74            C: J2
//!           S: KJ
//!           H: K92
//!           D: AK52
//!           C: Q965
//! ```
//!
//! Each suit has a letter or a symbol, or none has. Labels of suits may have text before them, such as
//! `Board 7` and `Dealer N`, or behind them after two spaces. Text between the hands is skipped.

use super::cards::{DisjointHands, dash, first_rank, outcome};
use super::lin::first_number;
use super::marked::{marker, symbol};
use super::notation::{seat, vulnerable};
use super::records::push_at;
use super::text::each_line;
use super::{BoardDetails, Entry, EntryKind, Fault, FilePiece, Parser};
use crate::bridge::{Seat, Suit, Vulnerable};

/// Number of lines with suits in a diagram: north's, west's and east's, and south's.
const LINES: usize = 12;

/// Number of suits of a hand.
const SUITS: usize = Suit::ALL.len();

/// Maximum number of dashes of a void; more are a line between diagrams.
const MOST_DASHES: usize = 3;

/// Maximum number of lines of other text within a diagram.
const MOST_BETWEEN: usize = 3;

/// Reads diagrams.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagrams {
    /// Position of the first line of the diagram; wrapped below 0 if it is in an earlier piece.
    place: u64,
    /// The lines with suits so far.
    lines: Vec<Vec<DrawnHolding>>,
    /// Number of lines of other text since the last line with suits.
    between: usize,
    board: Option<u64>,
    dealer: Option<Seat>,
    vulnerable: Option<Vulnerable>,
}

/// A suit of a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DrawnHolding {
    /// The suit, if it has a letter or a symbol.
    suit: Option<Suit>,
    ranks: Vec<u8>,
}

impl Parser for Diagrams {
    fn is_fresh(&self) -> bool {
        let has_label = self.board.is_some() || self.dealer.is_some() || self.vulnerable.is_some();
        self.lines.is_empty() && !has_label
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| self.line(line, found));
        if last {
            self.give_up(found);
        }
        self.place = self.place.wrapping_sub(found.places);
    }
}

impl Diagrams {
    fn line(&mut self, line: &[u8], found: &mut FilePiece) {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return;
        }
        let (label, holdings) = holdings(line);
        let is_bare = holdings.iter().all(|holding| holding.suit.is_none());
        let has_labels = self.lines.iter().any(|line| line[0].suit.is_some());
        if is_bare && (has_labels || holdings.is_empty()) {
            return self.text(line, found);
        }
        if !self.is_next(&holdings) {
            self.give_up(found);
            if !self.is_next(&holdings) {
                return self.text(line, found);
            }
        }
        if self.lines.is_empty() {
            self.place = found.places;
        }
        self.label(label);
        self.lines.push(holdings);
        self.between = 0;
        if self.lines.len() == LINES {
            let hands = self.hands();
            self.end(outcome(hands), found);
        }
    }

    /// Handles a line without suits.
    fn text(&mut self, line: &[u8], found: &mut FilePiece) {
        self.between += 1;
        let is_within = !self.lines.len().is_multiple_of(SUITS) || self.between > MOST_BETWEEN;
        if is_within && !self.lines.is_empty() {
            self.give_up(found);
        }
        self.label(line);
        if self.lines.is_empty() {
            push_at(found, found.places, EntryKind::Text.into());
        }
    }

    /// Takes the board number, the dealer and the vulnerability from text.
    fn label(&mut self, text: &[u8]) {
        self.board = labelled_number(text).or(self.board);
        self.dealer = labelled_dealer(text).or(self.dealer);
        self.vulnerable = labelled_vulnerable(text).or(self.vulnerable);
    }

    /// Whether these suits can be the next line of the diagram.
    fn is_next(&self, holdings: &[DrawnHolding]) -> bool {
        let wanted = match self.lines.len() / SUITS {
            1 => 2,
            _ => 1,
        };
        let suit = Suit::ALL[self.lines.len() % SUITS];
        let has_label = holdings[0].suit.is_some();
        let is_alike = |first: &Vec<DrawnHolding>| first[0].suit.is_some() == has_label;
        let is_suit = |holding: &DrawnHolding| holding.suit == has_label.then_some(suit);
        holdings.len() == wanted
            && holdings.iter().all(is_suit)
            && self.lines.first().is_none_or(is_alike)
    }

    fn hands(&self) -> Result<DisjointHands, Fault> {
        let mut hands = DisjointHands::default();
        for (line, holdings) in self.lines.iter().enumerate() {
            let seats: &[Seat] = match line / SUITS {
                0 => &[Seat::North],
                1 => &[Seat::West, Seat::East],
                _ => &[Seat::South],
            };
            for (seat, holding) in seats.iter().zip(holdings) {
                hands.add_suit(*seat, Suit::ALL[line % SUITS], &holding.ranks)?;
            }
        }
        Ok(hands)
    }

    /// Reports the diagram.
    fn end(&mut self, what: EntryKind, found: &mut FilePiece) {
        let record = Entry {
            board: self.board,
            dealer: self.dealer,
            details: BoardDetails {
                vulnerable: self.vulnerable,
                ..BoardDetails::default()
            },
            ..what.into()
        };
        push_at(found, self.place, record);
        *self = Self::default();
    }

    /// Gives up a diagram that does not go on. North's hand alone may be other text.
    fn give_up(&mut self, found: &mut FilePiece) {
        match self.lines.len() {
            0 => {}
            lines if lines <= SUITS => {
                push_at(found, self.place, EntryKind::Text.into());
                self.lines.clear();
            }
            lines => {
                let reason = format!("the diagram ends after {lines} of {LINES} lines with suits");
                self.end(Entry::invalid(reason).what, found);
            }
        }
    }
}

/// The suits of a line, and the text before the first.
fn holdings(line: &[u8]) -> (&[u8], Vec<DrawnHolding>) {
    let (mut label, mut at) = (None, 0);
    let mut holdings = Vec::new();
    while at < line.len() {
        let begins_word = at == 0 || line[at - 1] == b' ' || line[at - 1] == b'\t';
        match marked(&line[at..]).filter(|_| begins_word || symbol(&line[at..]).is_some()) {
            Some((holding, length)) => {
                label.get_or_insert(&line[..at]);
                holdings.push(holding);
                at += length;
            }
            None => at += 1,
        }
    }
    match label {
        Some(label) => (label, holdings),
        None => (b"", bare(line)),
    }
}

/// A suit with its letter or symbol, and its length. A letter without a colon needs ranks or
/// dashes, with at most one space before them: it may be part of a compass.
fn marked(text: &[u8]) -> Option<(DrawnHolding, usize)> {
    let (suit, mut length) = marker(text)?;
    let has_colon = matches!(text.get(length), Some(b':'));
    let is_clear = has_colon || symbol(text).is_some();
    if !is_clear && text[0].is_ascii_lowercase() {
        return None;
    }
    length += usize::from(has_colon);
    let rest = &text[length..];
    let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
    let suit = Some(suit);
    match ranks(&rest[spaces..]).filter(|_| is_clear || spaces <= 1) {
        Some((ranks, behind)) => Some((DrawnHolding { suit, ranks }, length + spaces + behind)),
        None if is_clear => {
            let ranks = Vec::new();
            Some((DrawnHolding { suit, ranks }, length))
        }
        None => None,
    }
}

/// The ranks at the beginning of a text, with at most one space between them, or none for up to
/// three dashes; and their length.
fn ranks(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let is_word_end = |at: usize| {
        let next = text.get(at);
        next.is_none_or(|byte| !byte.is_ascii_alphanumeric() && dash(&text[at..]) == 0)
    };
    let (mut dashes, mut end) = (0, 0);
    while dashes < MOST_DASHES && dash(&text[end..]) > 0 {
        end += dash(&text[end..]);
        dashes += 1;
    }
    if dashes > 0 {
        return is_word_end(end).then(|| (Vec::new(), end));
    }
    let (mut ranks, mut word, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some((Ok(rank), after)) = first_rank(rest) {
        word.push(rank.letter() as u8);
        let at = text.len() - after.len();
        rest = after;
        // A word of which only the start is ranks does not belong to them.
        if is_word_end(at) {
            ranks.append(&mut word);
            end = at;
            rest = after.strip_prefix(b",").unwrap_or(after);
            rest = rest.strip_prefix(b" ").unwrap_or(rest);
        }
    }
    (!ranks.is_empty()).then_some((ranks, end))
}

/// One or two suits without letters, separated by two spaces or more; none if the line has other
/// text, except for the letters of a compass, bars, and the question marks that a program prints if
/// it cannot print symbols.
fn bare(line: &[u8]) -> Vec<DrawnHolding> {
    let mut holdings = Vec::new();
    let mut rest = line.trim_ascii();
    while !rest.is_empty() {
        let Some((ranks, length)) = ranks(rest) else {
            let word = rest
                .iter()
                .position(|byte| *byte == b' ')
                .unwrap_or(rest.len());
            if !matches!(
                rest[..word],
                [b'N' | b'E' | b'S' | b'W' | b'|' | b'+' | b'?']
            ) {
                return Vec::new();
            }
            rest = rest[word..].trim_ascii_start();
            continue;
        };
        let after = &rest[length..];
        let is_apart = after.is_empty() || after.starts_with(b"  ") || after.starts_with(b"\t");
        if !is_apart || holdings.len() == 2 {
            return Vec::new();
        }
        holdings.push(DrawnHolding { suit: None, ranks });
        rest = after.trim_ascii_start();
    }
    holdings
}

/// The number after a word for a board, as in `Board 7`, `Bd. no 7` or `Deal #7`.
fn labelled_number(text: &[u8]) -> Option<u64> {
    let after = after_word(text, &["board", "bd", "deal"])?;
    let begin = after.iter().position(u8::is_ascii_digit)?;
    let mut between = after[..begin].to_ascii_lowercase();
    between.retain(u8::is_ascii_alphabetic);
    let is_sign = [&b""[..], b"no", b"nr", b"number"].contains(&&between[..]);
    first_number(&after[begin..]).filter(|_| is_sign)
}

/// The seat after a word for a dealer, as in `Dealer: North` or `Dlr W`.
fn labelled_dealer(text: &[u8]) -> Option<Seat> {
    match word_after(text, &["dealer", "dlr"])? {
        [letter] => seat(*letter),
        name => Seat::from_name(&String::from_utf8_lossy(name).to_ascii_lowercase()),
    }
}

/// The vulnerability after a word for it, as in `Vul: E-W` or `Vulnerable: both`.
fn labelled_vulnerable(text: &[u8]) -> Option<Vulnerable> {
    let words = ["vul", "vuln", "vulnerable", "vulnerability"];
    vulnerable(word_after(text, &words)?)
}

/// The word after the first of these words and an optional colon.
fn word_after<'t>(text: &'t [u8], words: &[&str]) -> Option<&'t [u8]> {
    let after = after_word(text, words)?.trim_ascii_start();
    let after = after.strip_prefix(b":").unwrap_or(after).trim_ascii_start();
    let is_part = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b'-';
    let length = after.iter().take_while(is_part).count();
    Some(&after[..length])
}

/// The text after the first of these words.
fn after_word<'t>(text: &'t [u8], words: &[&str]) -> Option<&'t [u8]> {
    let mut begin = 0;
    while begin < text.len() {
        let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
        let length = text[begin..].iter().take_while(is_letter).count();
        let word = &text[begin..begin + length];
        if words
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
        {
            return Some(&text[begin + length..]);
        }
        begin += length.max(1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use crate::Format as F;
    use crate::bridge::Vulnerable;

    const DEAL: &str = "N:KQ73.K9843.T532. AT98.6.Q96.AJT74 52.A5.A84.K86532 J64.QJT72.KJ7.Q9";

    const SYMBOLS: &str = "\
Board 7           \u{2660} K Q 7 3
Dealer: East      \u{2665} K 9 8 4 3
Vul None          \u{2666} 10 5 3 2
                  \u{2663} \u{2014}
\u{2660} J 6 4                N           \u{2660} A 10 9 8
\u{2665} Q J 10 7 2         W   E         \u{2665} 6
\u{2666} K J 7                S           \u{2666} Q 9 6
\u{2663} Q 9                              \u{2663} A J 10 7 4
                  \u{2660} 5 2
                  \u{2665} A 5
                  \u{2666} A 8 4
                  \u{2663} K 8 6 5 3 2
";

    const BARE: &str = "\
     KQ73
     K9843
     T532
     --
J64          AT98
QJT72        6
KJ7    +     Q96
Q9           AJT74
     52
     A5
     A84
     K86532
";

    /// As the format okb of Deal.
    const SCREEN: &str = "\
                              North S KQ73
                                    H K9843
                                    D T532
                                    C ---
               West           ------------------  East
               S J64          |                |  S AT98
               H QJT72        |                |  H 6
               D KJ7          |                |  D Q96
               C Q9           |                |  C AJT74
                              ------------------
                              South S 52
                                    H A5
                                    D A84
                                    C K86532
---------------------------------------------------------------------------
";

    #[test]
    fn diagrams_have_letters_symbols_or_neither() {
        let letters = SCREEN.replace(" S ", " S: ").replace(" H ", " H: ");
        let letters = letters.replace(" D ", " D: ").replace(" C ", " C: ");
        let empty = SYMBOLS.replace(" \u{2014}", "");
        let spaced = BARE.replace('\n', "\n\n");
        for text in [SYMBOLS, BARE, SCREEN, &letters, &empty, &spaced] {
            let file = format!("A mail.\n\n{text}\n{text}");
            assert_eq!(
                testing::deals(F::Diagram, file.as_bytes()).len(),
                2,
                "{text}"
            );
            let said = said(F::Diagram, file.as_bytes());
            assert!(
                said.iter().all(|said| said == DEAL || said == "text"),
                "{said:?}"
            );
            assert_eq!(F::detect(file.as_bytes()), Some(F::Diagram), "{text}");
            testing::cuts_change_nothing(F::Diagram, file.as_bytes());
            testing::truncations_are_read(F::Diagram, file.as_bytes());
        }
        testing::any_bytes_are_read(F::Diagram, b"SHDC: AKQJT98765432-\n\n\r");
    }

    #[test]
    fn board_and_dealer_stand_beside_the_hands_or_before_them() {
        let seen = |text: &str| {
            let entries = testing::whole(F::Diagram, text.as_bytes());
            let board = entries.iter().find(|entry| entry.board.is_some()).unwrap();
            (
                board.place,
                board.board.unwrap(),
                board.dealer.map(|dealer| dealer.letter()),
                board.details.vulnerable,
            )
        };
        let none = Some(Vulnerable::None);
        assert_eq!(seen(SYMBOLS), (0, 7, Some('E'), none));
        assert_eq!(
            seen(&format!("Deal #12\nwest deals\nvulnerable: E-W\n{BARE}")),
            (3, 12, None, Some(Vulnerable::EastWest))
        );
        assert_eq!(
            seen(&format!("Dlr W, bd. no 12\n{SCREEN}")),
            (1, 12, Some('W'), None)
        );
    }

    #[test]
    fn a_diagram_that_breaks_off_is_said_and_the_next_is_read() {
        let broken = BARE.replacen("QJT72        6\n", "QJT72        6      A\n", 1);
        let said = said(F::Diagram, format!("{broken}\n{BARE}").as_bytes());
        assert_eq!(
            said[0],
            "invalid: the diagram ends after 5 of 12 lines with suits"
        );
        assert_eq!(said.last().unwrap(), DEAL);
        let doubled = said_of(&BARE.replacen("AT98", "AK98", 1));
        assert_eq!(
            doubled,
            ["invalid: SK appears twice, the second time in east's hand"]
        );
    }

    fn said_of(text: &str) -> Vec<String> {
        said(F::Diagram, text.as_bytes())
    }
}
