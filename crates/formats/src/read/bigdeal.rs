//! BigDeal's own formats: BER, BHG, RZD and CDS.
//!
//! A deal is stored as the owner of each card in deck order, or as the cards of
//! each player in turn.

use super::cards::{DisjointHands, card, outcome};
use super::records::{Records, cut_short, push, quoted, whole_records};
use super::text::each_line;
use super::{Entry, Fault, FilePiece, Parser, other};
use crate::bridge::{Card, Rank, Seat};

/// BER: the owner of each card from SA to C2 as a digit, `1` north to `4` west. Deals follow each
/// other without separators; line ends between them are skipped.
#[derive(Debug, Default)]
pub(crate) struct Ber;

/// BHG: one line of 52 letters per deal, `A` SA to `z` C2, thirteen per player, dealer first.
///
/// The dealer is not recorded: north deals the first board, then east and so on. So each piece
/// has a multiple of four deals.
#[derive(Debug, Default)]
pub(crate) struct Bhg {
    /// The dealer of the next deal: 0 north to 3 west.
    turn: usize,
}

/// RZD: the number of deals, then thirteen bytes per deal, one per rank with two bits for each of
/// its four owners.
#[derive(Debug, Default)]
pub(crate) struct Rzd {
    /// The number of deals in the header, once it is read.
    told: Option<u64>,
    /// Number of deals read so far.
    seen: u64,
}

/// CDS: fourteen bytes per deal, the board number and then owners as in RZD, but with 1 for north
/// to 3 for south and 0 for west.
#[derive(Debug, Default)]
pub(crate) struct Cds;

impl Parser for Ber {
    fn cut(&self, bytes: &[u8]) -> usize {
        let mut rest = bytes.trim_ascii_start();
        while let Some((_, after)) = rest.split_at_checked(Card::COUNT) {
            rest = after.trim_ascii_start();
        }
        bytes.len() - rest.len()
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        let mut rest = piece.trim_ascii_start();
        while !rest.is_empty() {
            let (digits, after) = rest.split_at(rest.len().min(Card::COUNT));
            push(
                found,
                match digits.trim_ascii_end().len() {
                    Card::COUNT => outcome(owned(digits)).into(),
                    length => cut_short(length, Card::COUNT, "digits"),
                },
            );
            found.places += 1;
            rest = after.trim_ascii_start();
        }
    }
}

impl Parser for Bhg {
    fn is_fresh(&self) -> bool {
        self.turn == 0
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        let (mut end, mut cut, mut turn) = (0, 0, 0);
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if !line.ends_with(b"\n") {
                break;
            }
            end += line.len();
            turn = (turn + usize::from(!line.trim_ascii().is_empty())) % 4;
            if turn == 0 {
                cut = end;
            }
        }
        cut
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            let letters = line.trim_ascii();
            if !letters.is_empty() {
                push(
                    found,
                    Entry {
                        dealer: Seat::from_index(self.turn),
                        ..outcome(lettered(letters, self.turn)).into()
                    },
                );
                self.turn = (self.turn + 1) % 4;
            }
        });
    }
}

impl Parser for Rzd {
    fn is_fresh(&self) -> bool {
        self.told.is_none()
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        whole_records(bytes, Rank::COUNT)
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        // The header is as long as a record: two bytes and eleven spaces.
        let mut records = piece.chunks(Rank::COUNT);
        if self.told.is_none()
            && let Some(head) = records.next()
        {
            let &[low, high, ..] = head else {
                return push(found, cut_short(head.len(), Rank::COUNT, "bytes"));
            };
            self.told = Some(u16::from_le_bytes([low, high]).into());
        }
        for record in records {
            push(
                found,
                match record.len() {
                    Rank::COUNT => outcome(packed(record, 0)).into(),
                    length => cut_short(length, Rank::COUNT, "bytes"),
                },
            );
            found.places += 1;
            self.seen += 1;
        }
        let seen = self.seen;
        if let Some(told) = self.told.filter(|&told| last && told != seen) {
            push(
                found,
                Entry::invalid(format!(
                    "the header says {told} deals, but the file has {seen}"
                )),
            );
        }
    }
}

impl Records for Cds {
    const SIZE: usize = 1 + Rank::COUNT;

    fn record(bytes: &[u8]) -> Entry {
        Entry {
            board: Some(bytes[0].into()),
            ..Entry::from(outcome(packed(&bytes[1..], 1)))
        }
    }
}

/// The hands, from the owners of the cards in deck order.
fn owned(digits: &[u8]) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    for (card, &digit) in Card::all().zip(digits) {
        let seat = digit.checked_sub(b'1').map(usize::from);
        let seat = seat.and_then(Seat::from_index).ok_or_else(|| {
            let digit = quoted(&[digit]);
            other(format!(
                "{digit}, the owner of {card}, is not a seat (1 N, 2 E, 3 S, 4 W)"
            ))
        })?;
        hands.add(seat, card)?;
    }
    Ok(hands)
}

/// The hands, from thirteen letters per player; `turn` is the first player, 0 north to 3 west.
fn lettered(letters: &[u8], turn: usize) -> Result<DisjointHands, Fault> {
    if letters.len() != Card::COUNT {
        let length = letters.len();
        return Err(other(format!("{length} letters instead of 52")));
    }
    let mut hands = DisjointHands::default();
    let clockwise = Seat::ALL.into_iter().cycle().skip(turn);
    for (seat, letters) in clockwise.zip(letters.chunks_exact(13)) {
        for &letter in letters {
            let index = match letter {
                b'A'..=b'Z' => Some(letter - b'A'),
                b'a'..=b'z' => Some(letter - b'a' + 26),
                _ => None,
            };
            let card = index.and_then(|index| card(index.into())).ok_or_else(|| {
                let letter = quoted(&[letter]);
                other(format!("{letter} is not a card (A to Z, a to z)"))
            })?;
            hands.add(seat, card)?;
        }
    }
    Ok(hands)
}

/// The hands, from one byte per rank, ace first, with spades in the two highest bits; `north` is
/// north's number.
fn packed(bytes: &[u8], north: usize) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    for (index, card) in Card::all().enumerate() {
        let (suit, rank) = (index / Rank::COUNT, index % Rank::COUNT);
        let owner = usize::from(bytes[rank] >> (6 - 2 * suit) & 3);
        hands.add(Seat::ALL[(owner + 4 - north) % 4], card)?;
    }
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, SET1, said};
    use crate::Format as F;

    const SAMPLES: [(F, &str); 4] = [
        (F::Ber, "bigdeal/set1.ber"),
        (F::Bhg, "bigdeal/set1.bhg"),
        (F::Rzd, "bigdeal/set1.rzd"),
        (F::Cds, "bigdeal/set1.cds"),
    ];

    #[test]
    fn bigdeals_files_hold_the_deals_of_its_pbn() {
        for (parser, sample) in SAMPLES {
            testing::holds_deals(parser, sample, SET1);
        }
        let boards = testing::whole(F::Cds, &testing::sample("bigdeal/set1.cds"));
        let boards: Vec<_> = boards.iter().filter_map(|entry| entry.board).collect();
        assert_eq!(boards, Vec::from_iter(1..=36));
    }

    #[test]
    fn cuts_change_nothing() {
        for (parser, sample) in SAMPLES {
            testing::cuts_change_nothing(parser, &testing::sample(sample));
            testing::truncations_are_read(parser, &testing::sample(sample));
            testing::any_bytes_are_read(parser, b"1234ABCXYZabcxyz \n");
        }
    }

    #[test]
    fn owners_may_stand_on_lines() {
        let sample = testing::sample("bigdeal/set1.ber");
        let lines = sample.chunks(52).collect::<Vec<_>>().join(&b"\r\n"[..]);
        assert_eq!(
            testing::deals(F::Ber, &lines),
            testing::deals(F::Ber, &sample)
        );
        testing::cuts_change_nothing(F::Ber, &lines);
    }

    #[test]
    fn a_count_that_is_wrong_is_said() {
        let sample = testing::sample("bigdeal/set1.rzd");
        let last = |bytes: &[u8]| said(F::Rzd, bytes).pop().unwrap();
        let short = &sample[..sample.len() - 13];
        assert_eq!(
            last(short),
            "invalid: the header says 36 deals, but the file has 35"
        );
        assert_eq!(
            last(&sample[..sample.len() - 1]),
            "incomplete: the record ends after 12 of 13 bytes"
        );
        let long = [&sample, &sample[13..26]].concat();
        assert_eq!(said(F::Rzd, &long).len(), 38);
        assert_eq!(
            last(&long),
            "invalid: the header says 36 deals, but the file has 37"
        );
    }
}
