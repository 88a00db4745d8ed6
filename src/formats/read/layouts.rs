//! Deals on several lines, as dealer prints them: `printcompact` and `printall`.

use super::cards::{Hands, outcome};
use super::notation::seat;
use super::records::{Record, push_at, quoted};
use super::text::each_line;
use super::{Fault, Parser, Piece, What, other, printed};
use crate::bridge::{Rank, Seat, Suit};

/// A layout with several lines a deal.
#[derive(Clone, Copy)]
pub(in crate::formats) struct Layout {
    /// Whether a line begins a deal.
    begins: fn(&[u8]) -> bool,
    /// Reads the lines of a deal, without empty ones: one at least.
    read: fn(&[&[u8]]) -> Record,
}

/// Four lines a deal, a seat's letter and its hand: a deal begins with north.
pub(in crate::formats) const COMPACT: Layout = Layout {
    begins: begins_compact,
    read: |lines| outcome(compact(lines)).into(),
};

/// A board's number on a line, then four lines of four suits beside each other.
pub(in crate::formats) const ALL: Layout = Layout {
    begins: begins_all,
    read: numbered,
};

/// Width of a hand's suit in `printall`, if it has no more than ten cards.
const COLUMN: usize = 20;

/// Where the last line begins that begins a deal; 0 if none after the first does.
fn last_begin(bytes: &[u8], begins: fn(&[u8]) -> bool) -> usize {
    let (mut start, mut last) = (0, 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        // Of a line that has only begun, nothing can be told; a CR within it is a line's end too.
        let whole = line.strip_suffix(b"\n");
        let whole = whole.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        if whole.is_some_and(|line| !line.contains(&b'\r') && begins(line.trim_ascii_end())) {
            last = start;
        }
        start += line.len();
    }
    last
}

/// Lines that belong together, and where the first of them stands.
#[derive(Debug, Default)]
struct Lines {
    place: u64,
    lines: Vec<Vec<u8>>,
}

impl Layout {
    /// Reads the lines of a deal, if there are any, and takes them out.
    fn end(&self, found: &mut Piece, group: &mut Lines) {
        let Lines { place, lines } = std::mem::take(group);
        let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        if !lines.is_empty() {
            push_at(found, place, (self.read)(&lines));
        }
    }
}

impl Parser for Layout {
    fn fresh(&self) -> Box<dyn Parser> {
        Box::new(*self)
    }

    fn is_fresh(&self) -> bool {
        true
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        last_begin(bytes, self.begins)
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut Piece) {
        let mut group = Lines::default();
        each_line(piece, found, |found, line| {
            let line = line.trim_ascii_end();
            if (self.begins)(line) {
                self.end(found, &mut group);
            }
            if line.is_empty() || printed::is_closing(line) {
                return;
            }
            if group.lines.is_empty() {
                group.place = found.places;
            }
            group.lines.push(line.to_vec());
        });
        self.end(found, &mut group);
    }
}

/// Whether a line is north's hand.
pub(super) fn begins_compact(line: &[u8]) -> bool {
    matches!(line, [b'n' | b'N', b' ', hand @ ..]
        if hand.iter().filter(|&&byte| byte == b'.').count() == 3)
}

fn compact(lines: &[&[u8]]) -> Result<Hands, Fault> {
    let mut hands = Hands::default();
    for (index, line) in lines.iter().enumerate() {
        match *line {
            [letter, b' ', hand @ ..] if index < 4 && seat(*letter) == Some(Seat::ALL[index]) => {
                hands.add_hand(Seat::ALL[index], hand.trim_ascii(), b'.')?;
            }
            // A value that was asked for.
            value if index == 4 && lines.len() == 5 && printed::is_number(value) => {}
            line => {
                let expected = "n, e, s and w with their hands";
                return Err(other(format!(
                    "expected {expected} (found {})",
                    quoted(line)
                )));
            }
        }
    }
    Ok(hands)
}

/// A board's number and its hands.
fn numbered(lines: &[&[u8]]) -> Record {
    let (number, suits) = lines.split_first().expect("a deal has a line");
    let Some(board) = board(number) else {
        let number = quoted(number);
        return Record::invalid(format!("expected a board number (found {number})"));
    };
    Record {
        board: Some(board),
        ..all(suits).unwrap_or_else(What::Invalid).into()
    }
}

/// Whether a line is the number of a board.
pub(super) fn begins_all(line: &[u8]) -> bool {
    board(line).is_some()
}

fn board(line: &[u8]) -> Option<u64> {
    let digits = line.trim_ascii().strip_suffix(b".")?;
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    str::from_utf8(digits)
        .ok()
        .filter(|_| is_number)?
        .parse()
        .ok()
}

/// The hands of four lines of suits.
fn all(lines: &[&[u8]]) -> Result<What, Fault> {
    let suits = match lines {
        [_, _, _, _] => lines,
        // Values that were asked for, or text of the script.
        [_, _, _, _, more @ ..] if more.iter().all(|line| printed::is_number(line)) => &lines[..4],
        _ => {
            let count = lines.len();
            return Err(other(format!("{count} lines of suits instead of 4")));
        }
    };
    let mut hands = Hands::default();
    for (suit, line) in Suit::ALL.into_iter().zip(suits) {
        let columns = columns(line).ok_or_else(|| {
            let line = quoted(line);
            other(format!("{line} is not one suit of four hands"))
        })?;
        for (seat, ranks) in Seat::ALL.into_iter().zip(columns) {
            hands.add_suit(seat, suit, &ranks)?;
        }
    }
    Ok(hands.finish())
}

/// The ranks of a suit at each seat. A column is wider than usual if it has more than ten cards,
/// which one hand alone can have.
fn columns(line: &[u8]) -> Option<[Vec<u8>; 4]> {
    let usual = [COLUMN; 3];
    let wide = (0..3).flat_map(|seat| {
        (11..=Rank::COUNT).map(move |cards| {
            let mut widths = usual;
            widths[seat] = 2 * cards;
            widths
        })
    });
    std::iter::once(usual)
        .chain(wide)
        .find_map(|widths| columns_of(line, widths))
}

fn columns_of(line: &[u8], widths: [usize; 3]) -> Option<[Vec<u8>; 4]> {
    let mut rest = line;
    let mut columns = [const { Vec::new() }; 4];
    for (index, column) in columns.iter_mut().enumerate() {
        let width = widths
            .get(index)
            .map_or(rest.len(), |&width| width.min(rest.len()));
        let (text, after) = rest.split_at(width);
        // Every column begins with a rank or a dash.
        if text.first().is_none_or(|&byte| byte == b' ') {
            return None;
        }
        *column = ranks(text)?;
        rest = after;
    }
    let cards: usize = columns.iter().map(Vec::len).sum();
    (cards == Rank::COUNT).then_some(columns)
}

/// Ranks from the highest down with spaces between, or a dash.
fn ranks(text: &[u8]) -> Option<Vec<u8>> {
    let trimmed = text.trim_ascii();
    if trimmed == b"-" {
        return Some(Vec::new());
    }
    let mut last: Option<Rank> = None;
    let words = trimmed.split(|&byte| byte == b' ');
    let in_order = words.map(|word| {
        let &[letter] = word else { return None };
        let rank = Rank::from_letter(char::from(letter))?;
        let is_lower = last.is_none_or(|last| last.index() < rank.index());
        last = Some(rank);
        is_lower.then_some(letter)
    });
    in_order.collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use crate::bridge::{Deal, Hand};
    use crate::formats::Format as F;
    use crate::formats::{Board, Writer};

    #[test]
    fn dealers_layouts_are_read_as_they_are_written() {
        for format in [F::Compact, F::All] {
            testing::round_trip(format);
        }
    }

    /// Deals with up to thirteen cards of a suit in a hand.
    #[test]
    fn columns_wider_than_usual_are_told_apart() {
        let mut deals: Vec<Deal> = Vec::new();
        for turn in 0..4 {
            for moved in 0..4 {
                // Each seat has a suit, but for some cards, which change places.
                let mut hands: [Hand; 4] = [Hand::EMPTY; 4];
                for card in crate::bridge::Card::all() {
                    let (suit, rank) = (card.suit().index(), card.rank().index());
                    let owner = suit + usize::from(rank < moved);
                    let hand = &mut hands[(owner + turn) % 4];
                    *hand = hand.union(Hand::of(card));
                }
                deals.push(Deal::new(hands).unwrap());
            }
        }
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file, F::All, deals.len() as u64, "").unwrap();
        for (number, deal) in (1..).zip(&deals) {
            writer.write(&Board::new(number, *deal)).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(testing::deals(F::All, &file), deals);
        assert_eq!(F::detect(&file), Some(F::All));
        testing::cuts_change_nothing(F::All, &file);
        testing::truncations_are_read(F::All, &file);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let said = |format, text: &str| said(format, text.as_bytes())[0].clone();
        let compact = "n AKQJT98765432...\ne .AKQJT98765432..\ns ..AKQJT98765432.\nx y\n";
        assert!(said(F::Compact, compact).contains("(found `x y`)"));
        assert!(said(F::All, "   1.\nA K\n").contains("1 lines of suits instead of 4"));
        for format in [F::Compact, F::All] {
            testing::any_bytes_are_read(format, b"nesw AKQJT98765432.-1\n\r");
        }
    }
}
