//! CSV in two layouts.
//!
//! Rows have sixteen suits, from north's spades to west's clubs, then the board number and
//! dealer/vulnerability; both may be missing. Or, after a header row with a column `deal`, rows
//! have a PBN deal string in that column. No field of either contains a comma or a quote, so
//! rows are split at commas and surrounding quotes are removed.

use std::borrow::Cow;

use super::super::cards::DisjointHands;
use super::super::notation::{self, seat};
use super::super::records::{BoardRecord, push, quoted};
use super::super::text::{each_line, whole_lines};
use super::super::{BoardDetails, Fault, FilePiece, Parser, What, other};
use crate::bridge::{Seat, Suit, Vulnerable};

/// Number of suits in four hands.
const SUITS: usize = 16;

/// Deals as comma-separated values.
#[derive(Debug, Default)]
pub(in crate::formats) struct Csv {
    /// The columns, if there was a header row.
    named: Option<CsvColumns>,
}

#[derive(Clone, Copy, Debug)]
struct CsvColumns {
    deal: usize,
    board: Option<usize>,
}

impl Parser for Csv {
    fn fresh(&self) -> Box<dyn Parser> {
        Box::new(Self::default())
    }

    fn is_fresh(&self) -> bool {
        self.named.is_none()
    }

    fn cut(&self, bytes: &[u8]) -> usize {
        whole_lines(bytes)
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            if line.trim_ascii().is_empty() {
                return;
            }
            let fields: Vec<&[u8]> = line.split(|&byte| byte == b',').map(unquoted).collect();
            if let Some(columns) = CsvColumns::named(&fields) {
                self.named = Some(columns);
                return;
            }
            let record = match self.named {
                Some(columns) => columns.record(&fields),
                None => suits(&fields),
            };
            push(
                found,
                record.unwrap_or_else(|fault| What::Invalid(fault).into()),
            );
        });
    }
}

/// A field without the spaces and the pair of quotes around it.
fn unquoted(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    let inner = field
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    inner.unwrap_or(field).trim_ascii()
}

impl CsvColumns {
    /// The columns of a header row; `None` if the row is not one.
    fn named(fields: &[&[u8]]) -> Option<Self> {
        let place = |name: &[u8]| {
            fields
                .iter()
                .position(|field| field.eq_ignore_ascii_case(name))
        };
        Some(Self {
            deal: place(b"deal")?,
            board: place(b"board"),
        })
    }

    /// Reads a row with a PBN deal string.
    fn record(self, fields: &[&[u8]]) -> Result<BoardRecord, Fault> {
        let count = fields.len();
        let deal = fields.get(self.deal).ok_or_else(|| {
            other(format!(
                "the deal should be in field {}, but this row has only {count}",
                self.deal + 1
            ))
        })?;
        let board = self.board.and_then(|place| fields.get(place));
        Ok(BoardRecord {
            board: board.map_or(Ok(None), |board| number(board))?,
            ..notation::read(deal).into()
        })
    }
}

/// Reads a row of suits.
fn suits(fields: &[&[u8]]) -> Result<BoardRecord, Fault> {
    let whole = |rest: &[&[u8]]| matches!(rest.len(), 0 | 2);
    let split = fields.split_at_checked(SUITS);
    let Some((suits, rest)) = split.filter(|(_, rest)| whole(rest)) else {
        let count = fields.len();
        return Err(other(format!(
            "{count} fields instead of 18: sixteen suits, board, dealer/vulnerability"
        )));
    };
    let mut hands = DisjointHands::default();
    for (seat, suits) in Seat::ALL.into_iter().zip(suits.chunks_exact(4)) {
        for (suit, ranks) in Suit::ALL.into_iter().zip(suits) {
            hands.add_suit(seat, suit, &without_spaces(ranks))?;
        }
    }
    Ok(BoardRecord {
        board: rest.first().map_or(Ok(None), |board| number(board))?,
        dealer: rest.get(1).map_or(Ok(None), |dealer| first_seat(dealer))?,
        details: BoardDetails {
            vulnerable: rest.get(1).and_then(|field| vulnerable(field)),
            ..BoardDetails::default()
        },
        ..hands.finish().into()
    })
}

fn without_spaces(field: &[u8]) -> Cow<'_, [u8]> {
    if field.contains(&b' ') {
        field.iter().copied().filter(|&byte| byte != b' ').collect()
    } else {
        field.into()
    }
}

/// The number of a board; `None` if the field is empty.
fn number(field: &[u8]) -> Result<Option<u64>, Fault> {
    if field.is_empty() {
        return Ok(None);
    }
    let number = str::from_utf8(field)
        .ok()
        .and_then(|digits| digits.parse().ok());
    let wrong = || other(format!("{} is not a board number", quoted(field)));
    number.map(Some).ok_or_else(wrong)
}

/// The dealer of `N/EW`; `None` if the field is empty.
fn first_seat(field: &[u8]) -> Result<Option<Seat>, Fault> {
    let Some(&letter) = field.first() else {
        return Ok(None);
    };
    let wrong = || {
        other(format!(
            "{} does not begin with a dealer (N, E, S or W)",
            quoted(field)
        ))
    };
    seat(letter).map(Some).ok_or_else(wrong)
}

/// The vulnerability of `N/EW`.
fn vulnerable(field: &[u8]) -> Option<Vulnerable> {
    let slash = field.iter().position(|&byte| byte == b'/')?;
    notation::vulnerable(&field[slash + 1..])
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{self, SET1, said};
    use super::*;
    use crate::formats::Format as F;

    const NAMED: &[u8] = b"hash_id,board,goedel,deal\n\
        0f4243,1,375754581473912685296101788,\
        N:AKQ86.953.98.AJ9 J7432.8.K62.K853 T9.QJT4.QJ54.QT4 5.AK762.AT73.762\n\
        0f4243,2,12874428108799462088468782868,\
        N:A3.QT863.AQ943.6 974.AKJ2.T5.AJ72 T852.9.J872.K953 KQJ6.754.K6.QT84\n\
        0f4243,3,42014826619119258392565786528,N:98642.AJ75.A.K32 - - -\n\
        0f4243\n";

    #[test]
    fn bigdeals_rows_hold_the_deals_boards_and_dealers_of_its_pbn() {
        testing::holds_deals(F::Csv, "bigdeal/set1.csv", SET1);
        let rows = testing::whole(F::Csv, &testing::sample("bigdeal/set1.csv"));
        for (number, row) in (1..).zip(&rows) {
            assert_eq!(row.board, Some(number));
            assert_eq!(row.dealer, Seat::from_index((number as usize - 1) % 4));
        }
    }

    #[test]
    fn quotes_may_be_missing_and_spaces_there() {
        let sample = testing::sample("bigdeal/set1.csv");
        let plain: Vec<u8> = sample
            .iter()
            .copied()
            .filter(|&byte| byte != b'"')
            .collect();
        let deals = testing::deals(F::Csv, &sample);
        assert_eq!(testing::deals(F::Csv, &plain), deals);
        let spaced = plain
            .iter()
            .flat_map(|&byte| [byte, b' '])
            .collect::<Vec<_>>();
        let spaced = &spaced[..spaced.iter().position(|&byte| byte == b'\n').unwrap()];
        assert_eq!(testing::deals(F::Csv, spaced), deals[..1]);
    }

    #[test]
    fn a_row_of_names_says_where_the_deal_is() {
        let rows = testing::whole(F::Csv, NAMED);
        let boards = rows.iter().map(|row| (row.place, row.board));
        let expected = [(1, Some(1)), (2, Some(2)), (3, Some(3)), (4, None)];
        assert_eq!(Vec::from_iter(boards), expected);
        assert_eq!(
            said(F::Csv, NAMED)[1..],
            [
                "N:A3.QT863.AQ943.6 974.AKJ2.T5.AJ72 T852.9.J872.K953 KQJ6.754.K6.QT84",
                "incomplete: only 13 of 52 cards are dealt",
                "invalid: the deal should be in field 4, but this row has only 1",
            ]
        );
    }

    #[test]
    fn cuts_change_nothing() {
        for sample in [&testing::sample("bigdeal/set1.csv")[..], NAMED] {
            testing::cuts_change_nothing(F::Csv, sample);
            testing::truncations_are_read(F::Csv, sample);
        }
        testing::any_bytes_are_read(F::Csv, b"AKQJT98765432,,,,\"/NESW \ndeal");
    }

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Csv);
    }
}
