//! Pavlicek's solved deals: records of 23 bytes.
//!
//! The first 13 bytes have two bits for each card from SA to C2, the lowest bits first: 0 for
//! west, 1 north, 2 east, 3 south. The other ten are the double-dummy tricks, in the order of
//! [`TrickTable::from_bytes`].

use super::cards::{DisjointHands, outcome};
use super::notation::deal_of;
use super::records::Records;
use super::{Entry, EntryKind};
use crate::bridge::{Card, Hand, Seat, TrickTable};
use crate::number::order::{from_suits, lower_bits};

/// Seats by their number in a record.
const FROM_WEST: [Seat; 4] = [Seat::West, Seat::North, Seat::East, Seat::South];

/// Number of bytes for the cards in a record.
const CARD_BYTES: usize = 13;

/// Size of a record in bytes.
pub(super) const SIZE: usize = CARD_BYTES + TrickTable::BYTES;

/// Reads records.
#[derive(Debug, Default)]
pub(crate) struct Zrd;

impl Records for Zrd {
    const SIZE: usize = SIZE;

    /// Reads a record. Tricks above 13 do not make the deal invalid: they are unknown.
    fn record(bytes: &[u8]) -> Entry {
        if is_title(bytes) {
            return EntryKind::Text.into();
        }
        let what = match deal_of(hands(bytes)) {
            Some(deal) => EntryKind::Deal(deal),
            None => card_by_card(bytes),
        };
        Entry {
            tricks: tricks(bytes),
            ..what.into()
        }
    }
}

/// Whether the complete records among the first four are deals with tricks, or titles.
pub(super) fn is_zrd(head: &[u8]) -> bool {
    let records = || head.chunks_exact(Zrd::SIZE);
    let is_deal = |record: &[u8]| deal_of(hands(record)).is_some() && tricks(record).is_some();
    let mut deals = records()
        .skip_while(|record| is_title(record))
        .take(4)
        .peekable();
    deals.peek().is_some() && deals.all(is_deal)
}

/// Whether a record is part of a title, as DealerV2 writes it before the deals: west has the first
/// fourteen cards, so it is not a deal.
fn is_title(bytes: &[u8]) -> bool {
    bytes[..3] == [0; 3] && bytes[3] & 15 == 0
}

fn tricks(bytes: &[u8]) -> Option<TrickTable> {
    let bytes = bytes[CARD_BYTES..].try_into();
    TrickTable::from_bytes(bytes.expect("a record has ten bytes after the cards"))
}

/// The hands in the order of [`Seat::ALL`], of any sizes.
fn hands(bytes: &[u8]) -> [Hand; 4] {
    let mut number = [0; 16];
    number[..CARD_BYTES].copy_from_slice(&bytes[..CARD_BYTES]);
    let number = u128::from_le_bytes(number);
    // Two bits of each owner, card by card.
    let (low, high) = (lower_bits(number), lower_bits(number >> 1));
    [low & !high, !low & high, low & high, !low & !high].map(from_suits)
}

/// Adds the cards one by one, which finds the first fault of a record that is not a deal.
fn card_by_card(bytes: &[u8]) -> EntryKind {
    let mut hands = DisjointHands::default();
    let added = Card::all().enumerate().try_for_each(|(index, card)| {
        let owner = bytes[index / 4] >> (2 * (index % 4)) & 3;
        hands.add(FROM_WEST[usize::from(owner)], card)
    });
    outcome(added.map(|()| hands))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use super::*;
    use crate::Format as F;
    use crate::bridge::Strain;
    use crate::bridge::{Deal, Suit};
    use crate::read::read_cut;

    /// A record, written card by card.
    fn record(deal: &Deal, tricks: [u8; TrickTable::BYTES]) -> Vec<u8> {
        let mut number = 0_u128;
        for (index, card) in Card::all().enumerate() {
            let has_card = |&seat: &Seat| deal.hand(seat).contains(card);
            let owner = FROM_WEST.iter().position(has_card).unwrap();
            number |= (owner as u128) << (2 * index);
        }
        let cards = number.to_le_bytes();
        [&cards[..CARD_BYTES], &tricks].concat()
    }

    fn file() -> Vec<u8> {
        let tables = (0..).map(|table| [0x11 * table + 7; TrickTable::BYTES]);
        let records = testing::some_deals().into_iter().zip(tables);
        records
            .flat_map(|(deal, tricks)| record(&deal, tricks))
            .collect()
    }

    /// A title of two records.
    fn title() -> Vec<u8> {
        let part = |number: u8, text: &[u8; 19]| [&[0, 0, 0, number << 4], &text[..]].concat();
        [
            part(0, b"A library of deals,"),
            part(1, b" solved by a friend"),
        ]
        .concat()
    }

    #[test]
    fn records_are_read() {
        let file = file();
        assert_eq!(F::detect(&file), Some(F::Zrd));
        assert_eq!(testing::deals(F::Zrd, &file), testing::some_deals());
        testing::cuts_change_nothing(F::Zrd, &file);
        testing::truncations_are_read(F::Zrd, &file);
        testing::any_bytes_are_read(F::Zrd, b"\0\x55\xAA\xFF");
    }

    #[test]
    fn hands_at_once_are_those_card_by_card() {
        let mut seed = 1_u64;
        for _ in 0..2_000 {
            let bytes: [u8; 13] = std::array::from_fn(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 56) as u8
            });
            let hands = hands(&bytes);
            for (index, card) in Card::all().enumerate() {
                let owner = bytes[index / 4] >> (2 * (index % 4)) & 3;
                for seat in Seat::ALL {
                    let holds = hands[seat.index()].contains(card);
                    assert_eq!(holds, seat == FROM_WEST[usize::from(owner)]);
                }
            }
        }
    }

    #[test]
    fn tricks_are_read_and_none_are_unknown() {
        let mut tables = Vec::new();
        let mut file = file();
        file[CARD_BYTES] = 0xE7;
        read_cut(&file, F::Zrd, &[], &mut |entry| tables.push(entry.tricks));
        assert_eq!(tables.len(), 5);
        assert_eq!(tables[0], None);
        let second = tables[1].unwrap();
        assert_eq!(second.tricks(Seat::West, Strain::NoTrumps), 8);
        assert_eq!(second.tricks(Seat::North, Strain::NoTrumps), 1);
        assert_eq!(second.tricks(Seat::East, Strain::Trumps(Suit::Clubs)), 8);
        assert_eq!(second.tricks(Seat::South, Strain::Trumps(Suit::Clubs)), 1);
    }

    #[test]
    fn a_title_is_text() {
        let file = [title(), file()].concat();
        assert_eq!(F::detect(&file), Some(F::Zrd));
        let said = said(F::Zrd, &file);
        assert_eq!(said[..2], ["text", "text"]);
        assert_eq!(testing::deals(F::Zrd, &file), testing::some_deals());
        assert_eq!(F::detect(&title()), None);
    }

    #[test]
    fn a_record_that_is_not_a_deal_has_its_fault() {
        let mut file = file();
        // East's first card goes to west.
        let east = testing::some_deals()[0]
            .hand(Seat::East)
            .cards()
            .next()
            .unwrap()
            .index();
        file[east / 4] &= !(3 << (2 * (east % 4)));
        let said = said(F::Zrd, &file);
        assert_eq!(said[0], "invalid: west holds 14 cards instead of 13");
        assert_eq!(said.len(), 5);
    }
}
