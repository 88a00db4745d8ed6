//! The rows of a table, each a board.

use std::borrow::Cow;

use super::super::cards::DisjointHands;
use super::super::notation::{self, seat};
use super::super::records::{push, quoted};
use super::super::text::each_line;
use super::super::{
    BoardDetails, Entry, EntryKind, Fault, FilePiece, Parser, marked, other, solved,
};
use super::fields;
use super::header::{CardColumns, Columns};
use crate::bridge::{Seat, Suit, Vulnerable};

/// Number of suits in four hands.
const SUITS: usize = 16;

/// Deals as comma-separated values.
#[derive(Debug, Default)]
pub(crate) struct Csv {
    /// The columns and their separator, if there was a header row.
    named: Option<(Columns, u8)>,
}

impl Parser for Csv {
    fn is_fresh(&self) -> bool {
        self.named.is_none()
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            let own = fields::separator(line);
            let separator = self.named.as_ref().map_or(own, |(_, separator)| *separator);
            let fields = fields::fields(line, separator);
            if fields.iter().all(|field| field.is_empty()) {
                return;
            }
            let record = match &self.named {
                Some((columns, _)) => columns.record(&fields),
                None => unnamed(&fields),
            };
            if !is_deal(&record)
                && let Some(columns) = Columns::named(&fields::fields(line, own))
            {
                self.named = Some((columns, own));
                return;
            }
            push(
                found,
                record.unwrap_or_else(|fault| EntryKind::Invalid(fault).into()),
            );
        });
    }
}

fn is_deal(record: &Result<Entry, Fault>) -> bool {
    let record = record.as_ref();
    record.is_ok_and(|record| matches!(record.what, EntryKind::Deal(_)))
}

/// Whether a line may be a row of cards, or names columns of them.
pub(in crate::read) fn is_row(line: &[u8]) -> bool {
    let fields = fields::fields(line, fields::separator(line));
    let is_board = || fields.len() >= 4 && is_deal(&unnamed(&fields));
    fields.len() > 1 && (Columns::named(&fields).is_some() || is_board())
}

impl Columns {
    /// Reads a row after the header.
    fn record(&self, fields: &[&[u8]]) -> Result<Entry, Fault> {
        let count = fields.len();
        let field = |place: usize, what: &str| {
            let field = fields.get(place).copied();
            field.ok_or_else(|| {
                let place = place + 1;
                other(format!(
                    "{what} should be in field {place}, but this row has only {count}"
                ))
            })
        };
        let mut hands = DisjointHands::default();
        let record = match &self.cards {
            CardColumns::Deal(place) => solved::deal_string(field(*place, "the deal")?),
            CardColumns::Hands(places) => {
                for (seat, place) in Seat::ALL.into_iter().zip(places) {
                    let text = field(*place, &format!("{seat}'s hand"))?;
                    marked::add_spelt(&mut hands, seat, text)?;
                }
                hands.finish().into()
            }
            CardColumns::Suits(places) => {
                let texts = places.iter().map(|place| field(*place, "a suit"));
                add_suits(&mut hands, &texts.collect::<Result<Vec<_>, _>>()?)?;
                hands.finish().into()
            }
        };
        let optional = |place: Option<usize>| place.and_then(|place| fields.get(place).copied());
        Ok(Entry {
            board: number(optional(self.board).unwrap_or_default())?,
            dealer: first_seat(optional(self.dealer).unwrap_or_default())?,
            details: details(optional(self.vulnerable.or(self.dealer))),
            ..record
        })
    }
}

/// Reads a row of a file without a header.
fn unnamed(fields: &[&[u8]]) -> Result<Entry, Fault> {
    if fields.len() < SUITS {
        return four_hands(fields);
    }
    let first = suits(fields);
    if is_deal(&first) {
        return first;
    }
    // The board number and the dealer may come first.
    let later = (1..=fields.len() - SUITS).find_map(|before| {
        let (before, suits) = fields.split_at(before);
        let mut hands = DisjointHands::default();
        add_suits(&mut hands, &suits[..SUITS]).ok()?;
        Some(Ok(labelled(before, hands))).filter(is_deal)
    });
    later.unwrap_or(first)
}

/// Reads a row of suits, then the board number and dealer/vulnerability.
fn suits(fields: &[&[u8]]) -> Result<Entry, Fault> {
    let (suits, rest) = fields.split_at(SUITS);
    if !matches!(rest.len(), 0 | 2 | 3) {
        let count = fields.len();
        return Err(other(format!(
            "{count} fields instead of 18: sixteen suits, board, dealer/vulnerability"
        )));
    }
    let mut hands = DisjointHands::default();
    add_suits(&mut hands, suits)?;
    Ok(Entry {
        board: rest.first().map_or(Ok(None), |board| number(board))?,
        dealer: rest.get(1).map_or(Ok(None), |dealer| first_seat(dealer))?,
        details: details(rest.get(1).copied()),
        ..hands.finish().into()
    })
}

/// Reads a row with the hands of north, east, south and west in turn.
fn four_hands(fields: &[&[u8]]) -> Result<Entry, Fault> {
    let is_hand = |field: &&[u8]| {
        let mut hands = DisjointHands::default();
        !field.is_empty() && marked::add_spelt(&mut hands, Seat::North, field).is_ok()
    };
    let first = fields.windows(4).position(|four| four.iter().all(is_hand));
    let Some(first) = first else {
        let count = fields.len();
        return Err(other(format!(
            "{count} fields, which have neither sixteen suits nor four hands"
        )));
    };
    let mut hands = DisjointHands::default();
    for (seat, text) in Seat::ALL.into_iter().zip(&fields[first..]) {
        marked::add_spelt(&mut hands, seat, text)?;
    }
    Ok(labelled(&fields[..first], hands))
}

/// The record of these hands, with the board number and the dealer among the fields before them.
fn labelled(before: &[&[u8]], hands: DisjointHands) -> Entry {
    Entry {
        board: before.iter().find_map(|field| number(field).ok()?),
        dealer: before.iter().find_map(|field| match field {
            [letter] | [letter, b'/', ..] => seat(*letter),
            _ => None,
        }),
        details: details(
            before
                .iter()
                .copied()
                .find(|field| vulnerable(field).is_some()),
        ),
        ..hands.finish().into()
    }
}

/// Adds sixteen suits.
fn add_suits(hands: &mut DisjointHands, suits: &[&[u8]]) -> Result<(), Fault> {
    for (seat, suits) in Seat::ALL.into_iter().zip(suits.chunks_exact(4)) {
        for (suit, ranks) in Suit::ALL.into_iter().zip(suits) {
            hands.add_suit(seat, suit, &without_spaces(ranks))?;
        }
    }
    Ok(())
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

/// The vulnerability of `EW` or `N/EW`.
fn vulnerable(field: &[u8]) -> Option<Vulnerable> {
    let slash = field.iter().position(|&byte| byte == b'/');
    notation::vulnerable(&field[slash.map_or(0, |slash| slash + 1)..])
}

/// The details of a board with its vulnerability in this field.
fn details(field: Option<&[u8]>) -> BoardDetails {
    BoardDetails {
        vulnerable: field.and_then(vulnerable),
        ..BoardDetails::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{self, SET1, said};
    use super::*;
    use crate::Format as F;

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
