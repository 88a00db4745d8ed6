//! Deals on several lines, as dealer prints them: `printcompact`, `printall` and `printew`.
//!
//! Lines outside of deals, such as a script's `printes`, averages and frequencies, are skipped
//! and counted. A line that looks like part of a deal is always read as one.

use super::cards::{DisjointHands, is_void, outcome};
use super::notation::seat;
use super::records::{push_at, quoted};
use super::text::each_line;
use super::{Entry, EntryKind, Fault, FilePiece, Parser, other, printed};
use crate::bridge::{Rank, Seat, Suit};

/// A layout with several lines per deal.
#[derive(Clone, Copy)]
pub(crate) struct DealLayout {
    /// Whether a line begins a group of lines that can be read separately.
    begins: fn(&[u8]) -> bool,
    /// Reads the lines of a group, without empty ones.
    read: fn(&[LayoutLine], &mut FilePiece),
}

/// Four lines per deal, each a seat's letter and its hand, north first.
pub(crate) const COMPACT: DealLayout = DealLayout {
    begins: begins_compact,
    read: compact,
};

/// A line with the board number, then four lines with a suit of four hands side by side.
pub(crate) const ALL: DealLayout = DealLayout {
    begins: begins_all,
    read: all,
};

/// Four lines with a suit of west and east side by side, then an empty line.
pub(crate) const EW: DealLayout = DealLayout {
    begins: <[u8]>::is_empty,
    read: ew,
};

/// Number of lines per hand, one per suit.
const SUITS: usize = Suit::ALL.len();

/// Width of a column for a suit of at most ten cards.
pub(super) const COLUMN: usize = 20;

/// A line without its line end, and its position.
#[derive(Debug)]
struct LayoutLine {
    place: u64,
    text: Vec<u8>,
}

/// The start of the last line that begins a group; 0 if no line after the first does.
fn last_begin(bytes: &[u8], begins: fn(&[u8]) -> bool) -> usize {
    let (mut start, mut last) = (0, 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        // An incomplete line cannot be classified; a CR within it is a line end too.
        let whole = line.strip_suffix(b"\n");
        let whole = whole.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        if whole.is_some_and(|line| !line.contains(&b'\r') && begins(line.trim_ascii_end())) {
            last = start;
        }
        start += line.len();
    }
    last
}

impl Parser for DealLayout {
    fn cut(&self, bytes: &[u8]) -> usize {
        last_begin(bytes, self.begins)
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        let mut group = Vec::new();
        each_line(piece, found, |found, line| {
            let line = line.trim_ascii_end();
            if (self.begins)(line) {
                (self.read)(&std::mem::take(&mut group), found);
            }
            if line.is_empty() || printed::is_closing(line) {
                return;
            }
            group.push(LayoutLine {
                place: found.places,
                text: line.to_vec(),
            });
        });
        (self.read)(&group, found);
    }
}

/// Number of lines that match before the first that does not, at most `most`.
fn first(lines: &[LayoutLine], most: usize, is_like: impl Fn(&[u8]) -> bool) -> usize {
    let run = lines.iter().take(most);
    run.take_while(|line| is_like(&line.text)).count()
}

/// Whether a line is north's letter and hand.
pub(super) fn begins_compact(line: &[u8]) -> bool {
    matches!(line, [b'n' | b'N', ..]) && is_hand(line)
}

/// Whether a line is a seat's letter and a hand.
fn is_hand(line: &[u8]) -> bool {
    matches!(line, [letter, b' ', hand @ ..]
        if seat(*letter).is_some() && hand.iter().filter(|&&byte| byte == b'.').count() == 3)
}

/// Reads lines of `printcompact`: four hands and an optional value.
fn compact(mut lines: &[LayoutLine], found: &mut FilePiece) {
    while let Some(line) = lines.first() {
        let mut taken = first(lines, Seat::ALL.len(), is_hand);
        if taken == 0 {
            push_at(found, line.place, EntryKind::Text.into());
            lines = &lines[1..];
            continue;
        }
        let wrong = lines.get(taken).filter(|_| taken < Seat::ALL.len());
        let read = match wrong {
            Some(wrong) => Err(misplaced(&wrong.text)),
            None => hands_of(&lines[..taken]),
        };
        push_at(found, line.place, outcome(read).into());
        taken += usize::from(wrong.is_some());
        // The optional value.
        taken += first(&lines[taken..], 1, printed::is_number);
        lines = &lines[taken..];
    }
}

/// The hands of four lines, which must be those of north, east, south and west.
fn hands_of(lines: &[LayoutLine]) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    for (wanted, line) in Seat::ALL.into_iter().zip(lines) {
        match &line.text[..] {
            [letter, b' ', hand @ ..] if seat(*letter) == Some(wanted) => {
                hands.add_hand(wanted, hand.trim_ascii(), b'.')?;
            }
            line => return Err(misplaced(line)),
        }
    }
    Ok(hands)
}

fn misplaced(line: &[u8]) -> Fault {
    let line = quoted(line);
    other(format!(
        "expected n, e, s and w with their hands (found {line})"
    ))
}

/// Whether a line is a board number.
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

/// Reads lines of `printall`: a board number and four lines of suits.
fn all(mut lines: &[LayoutLine], found: &mut FilePiece) {
    while let Some(line) = lines.first() {
        let number = board(&line.text);
        let suits = &lines[usize::from(number.is_some())..];
        let run = first(suits, SUITS, |line| columns(line).is_some());
        let (record, taken) = match (number, run) {
            (None, 0) => (EntryKind::Text.into(), 1),
            (_, SUITS) => (suited(&suits[..SUITS], columns).into(), SUITS),
            // The lines after a board number must be suits.
            (Some(_), _) if suits.len() >= SUITS => {
                let wrong = quoted(&suits[run].text);
                let why = format!("expected a suit of four hands (found {wrong})");
                (Entry::invalid(why), SUITS)
            }
            (Some(_), _) => (Entry::invalid(too_few(suits.len())), suits.len()),
            (None, run) => (Entry::invalid(too_few(run)), run),
        };
        let record = Entry {
            board: number,
            ..record
        };
        push_at(found, line.place, record);
        lines = &suits[taken..];
    }
}

fn too_few(lines: usize) -> String {
    format!("{lines} lines of suits instead of {SUITS}")
}

/// Reads lines of `printew`: four suits of two hands.
fn ew(mut lines: &[LayoutLine], found: &mut FilePiece) {
    while let Some(line) = lines.first() {
        let run = first(lines, SUITS, |line| west_east(line).is_some());
        let record: Entry = match run {
            0 => EntryKind::Text.into(),
            SUITS => suited(&lines[..SUITS], west_east).into(),
            run => Entry::invalid(too_few(run)),
        };
        push_at(found, line.place, record);
        lines = &lines[run.max(1)..];
    }
}

/// The hands of four lines of suits side by side.
fn suited(lines: &[LayoutLine], columns: impl Fn(&[u8]) -> Option<[Vec<u8>; 4]>) -> EntryKind {
    let read = || -> Result<DisjointHands, Fault> {
        let mut hands = DisjointHands::default();
        for (suit, line) in Suit::ALL.into_iter().zip(lines) {
            let columns = columns(&line.text).ok_or_else(|| other(quoted(&line.text)))?;
            for (seat, ranks) in Seat::ALL.into_iter().zip(columns) {
                hands.add_suit(seat, suit, &ranks)?;
            }
        }
        Ok(hands)
    };
    outcome(read())
}

/// The ranks of a suit for each seat. A column with more than ten cards is wider than usual, which
/// is possible for one hand only.
fn columns(line: &[u8]) -> Option<[Vec<u8>; 4]> {
    let usual = [COLUMN; 3];
    let wide = (0..3).flat_map(|seat| {
        (11..=Rank::COUNT).map(move |cards| {
            let mut widths = usual;
            widths[seat] = 2 * cards;
            widths
        })
    });
    let all = std::iter::once(usual).chain(wide);
    let mut all = all.filter_map(|widths| columns_of(line, &widths));
    let columns = all.find(|columns| cards(columns) == Rank::COUNT)?;
    columns.try_into().ok()
}

/// The ranks of a suit for west and east, at their indices among the seats.
pub(super) fn west_east(line: &[u8]) -> Option<[Vec<u8>; 4]> {
    let widths = std::iter::once(COLUMN).chain((11..=Rank::COUNT).map(|cards| 2 * cards));
    let mut all = widths.filter_map(|width| columns_of(line, &[width]));
    let columns = all.find(|columns| cards(columns) <= Rank::COUNT)?;
    let [west, east] = columns.try_into().ok()?;
    Some([Vec::new(), east, Vec::new(), west])
}

fn cards(columns: &[Vec<u8>]) -> usize {
    columns.iter().map(Vec::len).sum()
}

/// The ranks of columns with these widths; the last column extends to the end of the line.
pub(super) fn columns_of(line: &[u8], widths: &[usize]) -> Option<Vec<Vec<u8>>> {
    let mut rest = line;
    let mut columns = Vec::with_capacity(widths.len() + 1);
    for index in 0..=widths.len() {
        let width = widths.get(index).copied().unwrap_or(rest.len());
        let (text, after) = rest.split_at(width.min(rest.len()));
        // Every column begins with a rank or a dash.
        if text.first().is_none_or(|&byte| byte == b' ') {
            return None;
        }
        columns.push(ranks(text)?);
        rest = after;
    }
    Some(columns)
}

/// Ranks from the highest down, separated by spaces, or none for a dash.
fn ranks(text: &[u8]) -> Option<Vec<u8>> {
    let trimmed = text.trim_ascii();
    if !trimmed.is_empty() && is_void(trimmed) {
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
    use crate::Format as F;
    use crate::bridge::{Deal, Hand};
    use crate::{Board, Writer};

    #[test]
    fn dealers_layouts_are_read_as_they_are_written() {
        for format in [F::Compact, F::All] {
            testing::round_trip(format);
        }
    }

    #[test]
    fn hands_of_west_and_east_are_incomplete_deals() {
        let deal: Deal = "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43."
            .parse()
            .unwrap();
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file, F::Ew, 2, "").unwrap();
        for number in 1..=2 {
            writer.write(&Board::new(number, deal)).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(F::detect(&file), Some(F::Ew));
        let short = "incomplete: only 26 of 52 cards are dealt";
        assert_eq!(said(F::Ew, &file), [short, short]);
        testing::cuts_change_nothing(F::Ew, &file);
        testing::truncations_are_read(F::Ew, &file);
        let twice = "A                   A \n- ... \n".replace("... ", "                  - ");
        let twice = twice + &"-                   - \n".repeat(2);
        assert_eq!(
            said(F::Ew, twice.as_bytes()),
            ["invalid: SA appears twice, the second time in west's hand"]
        );
        let three = "-                   - \n".repeat(3) + "hcp 7\n";
        assert_eq!(
            said(F::Ew, three.as_bytes()),
            ["invalid: 3 lines of suits instead of 4", "text"]
        );
    }

    /// The output of `printes`, `average` and `frequency` is skipped as text.
    #[test]
    fn lines_of_text_are_passed_over() {
        let suits = "2                   5                   A Q 8               K J T 9 7 6 4 3 \n\
                     T 9 8               J 7 6 4 2           A Q 5               K 3 \n\
                     K 7 5 2             9 8 6               Q J T               A 4 3 \n\
                     K J T 8 4           9 7 6 3             A Q 5 2             - \n\n";
        let deal = "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43.";
        let text = "hcp: 7 n 3.4\nsame line\n";
        let tables = "a: 8.875\nFrequency f:\n    0\t       3\nGenerated 2 hands\n";
        let all = format!("{text}   1.\n{suits}{text}same   2.\n{suits}{tables}");
        let expected = [
            "text", "text", deal, "text", "text", "text", deal, "text", "text", "text",
        ];
        assert_eq!(said(F::All, all.as_bytes()), expected);
        testing::cuts_change_nothing(F::All, all.as_bytes());
        let hands = "n 2.T98.K752.KJT84\ne 5.J7642.986.9763\ns AQ8.AQ5.QJT.AQ52\n\
                     w KJT97643.K3.A43.\n";
        let compact = format!("{text}{hands}7\n{text}{hands}{tables}");
        let expected = [
            "text", "text", deal, "text", "text", deal, "text", "text", "text",
        ];
        assert_eq!(said(F::Compact, compact.as_bytes()), expected);
        testing::cuts_change_nothing(F::Compact, compact.as_bytes());
    }

    /// Deals with up to thirteen cards of a suit in a hand.
    #[test]
    fn columns_wider_than_usual_are_told_apart() {
        let mut deals: Vec<Deal> = Vec::new();
        for turn in 0..4 {
            for moved in 0..4 {
                // Each seat has a whole suit, except for some cards that change seats.
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
        let garbled = "   1.\nA K\nx\ny\nz\n";
        assert!(said(F::All, garbled).contains("expected a suit of four hands (found `A K`)"));
        let wests = "w KJT97643.K3.A43.\n";
        assert!(said(F::Compact, wests).contains("(found `w KJT97643.K3.A43.`)"));
        for format in [F::Compact, F::All, F::Ew] {
            testing::any_bytes_are_read(format, b"nesw AKQJT98765432.-1\n\r");
        }
    }
}
