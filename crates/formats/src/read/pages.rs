//! Pages with the hands of one seat each, as dealer's `print` prints them: `North hands:`, then
//! rows of four numbered hands side by side.
//!
//! A deal is complete only when the last of its hands is read. So no deal is found before the end
//! of the file or before a seat's second page.

use super::layouts::{COLUMN, columns_of};
use super::records::{push_at, quoted};
use super::text::each_line;
use super::{Entry, EntryKind, Fault, FilePiece, Parser, notation, other, printed};
use crate::bridge::{Card, Hand, Rank, Seat, Suit};

/// Maximum number of hands side by side.
const ACROSS: usize = 4;

/// Number of lines per hand, one per suit.
const SUITS: usize = Suit::ALL.len();

/// Reader that collects the hands of the pages so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages {
    /// Number of lines in the pieces before this one, from the piece in which the pages began.
    before: u64,
    /// The seat of the current page.
    seat: Option<Seat>,
    /// Seats that had a page.
    seen: [bool; 4],
    boards: Vec<PagedBoard>,
    /// Number of hands on the page so far.
    count: usize,
    row: Option<HandRow>,
}

/// A board with the hands read so far.
#[derive(Clone, Debug, Default)]
struct PagedBoard {
    /// The line with the number of its first hand.
    place: u64,
    hands: [Hand; 4],
    fault: Option<Fault>,
}

/// The row of hands being read.
#[derive(Clone, Debug)]
struct HandRow {
    place: u64,
    hands: usize,
    lines: Vec<Vec<u8>>,
}

impl Parser for Pages {
    fn is_fresh(&self) -> bool {
        self.seat.is_none()
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            let line = line.strip_prefix(b"\x0c").unwrap_or(line);
            self.line(line.trim_ascii_end(), found);
        });
        if last {
            self.end_row();
            self.end(found);
        }
        if !self.is_fresh() {
            self.before += found.places;
        }
    }
}

/// The seat whose page begins with this line.
pub(super) fn heading(line: &[u8]) -> Option<Seat> {
    let name = line.strip_suffix(b" hands:")?;
    let mut seats = Seat::ALL.into_iter();
    seats.find(|seat| name.eq_ignore_ascii_case(seat.name().as_bytes()))
}

impl Pages {
    fn line(&mut self, line: &[u8], found: &mut FilePiece) {
        if let Some(seat) = heading(line) {
            self.end_row();
            if self.seen[seat.index()] {
                self.end(found);
            }
            self.seen[seat.index()] = true;
            (self.seat, self.count) = (Some(seat), 0);
            return;
        }
        if line.is_empty() || printed::is_closing(line) {
            return;
        }
        let place = self.before + found.places;
        if let Some(row) = self.row.as_mut().filter(|row| row.lines.len() < SUITS) {
            row.lines.push(line.to_vec());
            return;
        }
        match numbers(line).filter(|_| self.seat.is_some()) {
            Some(hands) => {
                self.end_row();
                self.row = Some(HandRow {
                    place,
                    hands,
                    lines: Vec::new(),
                });
            }
            None => push_at(found, found.places, EntryKind::Text.into()),
        }
    }

    /// Adds the hands of the row to their boards.
    fn end_row(&mut self) {
        let (Some(row), Some(seat)) = (self.row.take(), self.seat) else {
            return;
        };
        let hands = row.read();
        for place in 0..row.hands {
            let index = self.count + place;
            if self.boards.len() <= index {
                self.boards.push(PagedBoard {
                    place: row.place,
                    ..PagedBoard::default()
                });
            }
            let board = &mut self.boards[index];
            match &hands {
                Ok(hands) => board.hands[seat.index()] = hands[place],
                Err(fault) => board.fault = Some(fault.clone()),
            }
        }
        self.count += row.hands;
    }

    /// Reports the boards of the pages so far, and clears them.
    fn end(&mut self, found: &mut FilePiece) {
        for (number, board) in (1..).zip(&self.boards) {
            let what = match &board.fault {
                Some(fault) => EntryKind::Invalid(fault.clone()),
                None => notation::what(board.hands),
            };
            let record = Entry {
                board: Some(number),
                ..what.into()
            };
            push_at(found, board.place.wrapping_sub(self.before), record);
        }
        *self = Self {
            before: self.before,
            ..Self::default()
        };
    }
}

/// Number of hands below a line of numbers such as `   1.                  2.`.
fn numbers(line: &[u8]) -> Option<usize> {
    let words = line.split(u8::is_ascii_whitespace);
    let mut words = words.filter(|word| !word.is_empty());
    let count = words.clone().count();
    let is_number = |word: &[u8]| {
        let digits = word.strip_suffix(b".").unwrap_or_default();
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    ((1..=ACROSS).contains(&count) && words.all(is_number)).then_some(count)
}

impl HandRow {
    /// The hands of a row, by the split of its lines that gives each hand thirteen cards.
    fn read(&self) -> Result<Vec<Hand>, Fault> {
        let mut ways: Vec<Vec<Hand>> = vec![vec![Hand::EMPTY; self.hands]];
        if self.lines.len() < SUITS {
            let count = self.lines.len();
            return Err(other(format!("{count} lines of suits instead of {SUITS}")));
        }
        for (suit, line) in Suit::ALL.into_iter().zip(&self.lines) {
            let parted = parted(line, self.hands);
            if parted.is_empty() {
                let (line, hands) = (quoted(line), self.hands);
                return Err(other(format!(
                    "expected a suit of {hands} hands (found {line})"
                )));
            }
            let all = ways.iter().flat_map(|way| {
                parted.iter().map(|columns| {
                    let both = way.iter().zip(columns);
                    both.map(|(hand, ranks)| hand.union(holding(suit, ranks)))
                        .collect()
                })
            });
            let fits = |way: &Vec<Hand>| way.iter().all(|hand| hand.len() <= 13);
            ways = all.filter(fits).collect();
        }
        let whole = |way: &Vec<Hand>| way.iter().all(|hand| hand.len() == 13);
        let mut ways = ways.into_iter().filter(whole);
        ways.next()
            .ok_or_else(|| other("the hands in this row do not have 13 cards each"))
    }
}

fn holding(suit: Suit, ranks: &[u8]) -> Hand {
    let ranks = ranks
        .iter()
        .filter_map(|&letter| Rank::from_letter(char::from(letter)));
    ranks.fold(Hand::EMPTY, |hand, rank| {
        hand.union(Hand::of(Card::new(suit, rank)))
    })
}

/// The ways to split a line into columns; each column but the last may be wider than usual.
fn parted(line: &[u8], hands: usize) -> Vec<Vec<Vec<u8>>> {
    let widths: Vec<usize> = std::iter::once(COLUMN)
        .chain((11..=Rank::COUNT).map(|cards| 2 * cards))
        .collect();
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 1..hands {
        let longer = all.iter().flat_map(|first| {
            let each = widths.iter();
            each.map(|&width| [&first[..], &[width]].concat())
        });
        all = longer.collect();
    }
    let all = all.iter();
    all.filter_map(|widths| columns_of(line, widths)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use crate::Format as F;
    use crate::bridge::{Card, Deal, Hand};
    use crate::{Board, Writer};

    fn written(deals: &[Deal]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file, F::Pages, deals.len() as u64, "").unwrap();
        for (number, deal) in (1..).zip(deals) {
            writer.write(&Board::new(number, *deal)).unwrap();
        }
        writer.finish().unwrap();
        file
    }

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Pages);
    }

    /// Each seat has a whole suit, except for some cards that change seats.
    #[test]
    fn columns_wider_than_usual_are_told_apart() {
        let mut deals: Vec<Deal> = Vec::new();
        for turn in 0..4 {
            for moved in 0..4 {
                let mut hands: [Hand; 4] = [Hand::EMPTY; 4];
                for card in Card::all() {
                    let (suit, rank) = (card.suit().index(), card.rank().index());
                    let hand = &mut hands[(suit + usize::from(rank < moved) + turn) % 4];
                    *hand = hand.union(Hand::of(card));
                }
                deals.push(Deal::new(hands).unwrap());
            }
        }
        let file = written(&deals);
        assert_eq!(F::detect(&file), Some(F::Pages));
        assert_eq!(testing::deals(F::Pages, &file), deals);
        testing::cuts_change_nothing(F::Pages, &file);
    }

    #[test]
    fn deals_of_two_pages_are_incomplete_and_a_second_file_begins_anew() {
        let deal: Deal = "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43."
            .parse()
            .unwrap();
        let file = written(&[deal; 5]);
        let end = file
            .windows(11)
            .position(|window| window == b"South hands")
            .unwrap();
        let half = "incomplete: only 26 of 52 cards are dealt";
        assert_eq!(said(F::Pages, &file[..end]), [half; 5]);
        let twice = [&file[..], &file].concat();
        assert_eq!(said(F::Pages, &twice), vec![deal.to_string(); 10]);
        testing::cuts_change_nothing(F::Pages, &twice);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let page = "North hands:\n\n   1.               \nA K\nQ 9 J\n- \n- \n\n\x0chello\n";
        assert_eq!(
            said(F::Pages, page.as_bytes()),
            [
                "text",
                "invalid: expected a suit of 1 hands (found `Q 9 J`)"
            ]
        );
        let page = "North hands:\n\n   1.               \nA K\n- \n- \n- \n";
        assert_eq!(
            said(F::Pages, page.as_bytes()),
            ["invalid: the hands in this row do not have 13 cards each"]
        );
        let page = "North hands:\n\n   1.               \nA K\n";
        assert_eq!(
            said(F::Pages, page.as_bytes()),
            ["invalid: 1 lines of suits instead of 4"]
        );
        testing::any_bytes_are_read(F::Pages, b"NEnorthas hd:1.AKQJT98765432- \n\x0c");
    }
}
