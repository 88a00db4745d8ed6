//! The files of dealing machines: BRI, DGE, and DUP, which contains both.
//!
//! A record has no board number: its position in the file gives the number.

use super::cards::{DisjointHands, card, first_rank, outcome};
use super::records::{Records, quoted};
use super::{Entry, Fault, other};
use crate::bridge::{Card, Seat, Suit};

/// Number of bytes of three hands as card numbers.
const NUMBERS: usize = 3 * 13 * 2;
/// Number of bytes of a hand as suit symbols and ranks.
const SYMBOLS: usize = 4 + 13;

/// Duplimate's DUP: each deal twice, as in BRI and as in DGE.
#[derive(Debug, Default)]
pub(crate) struct Dup;

/// BRI: three hands as card numbers.
#[derive(Debug, Default)]
pub(crate) struct Bri;

/// DGE: four hands as suit symbols and ranks.
#[derive(Debug, Default)]
pub(crate) struct Dge;

impl Records for Dup {
    /// The two halves of the record and ten bytes about the file.
    const SIZE: usize = NUMBERS + 4 * SYMBOLS + 10;

    fn record(bytes: &[u8]) -> Entry {
        let (numbers, rest) = bytes.split_at(NUMBERS);
        let hands = numbered(numbers);
        outcome(hands.and_then(|hands| agreed(hands, marked(&rest[..4 * SYMBOLS])?))).into()
    }
}

/// The hands, if both halves of the record agree.
fn agreed(hands: DisjointHands, again: DisjointHands) -> Result<DisjointHands, Fault> {
    let Some((card, holders)) = hands.first_difference(&again) else {
        return Ok(hands);
    };
    let [by_number, by_symbol] = holders.map(|seat| seat.map_or("nobody", Seat::name));
    Err(other(format!(
        "the two halves of the record disagree: {card} belongs to {by_number} by card numbers, \
         to {by_symbol} by suit symbols"
    )))
}

impl Records for Bri {
    const SIZE: usize = 128;

    fn record(bytes: &[u8]) -> Entry {
        outcome(numbered(&bytes[..NUMBERS])).into()
    }
}

impl Records for Dge {
    const SIZE: usize = 128;

    fn record(bytes: &[u8]) -> Entry {
        outcome(marked(&bytes[..4 * SYMBOLS])).into()
    }
}

/// The hands, from two digits per card for north, east and south; west has the rest.
fn numbered(digits: &[u8]) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    for (seat, digits) in Seat::ALL.into_iter().zip(digits.chunks_exact(26)) {
        for number in digits.chunks_exact(2) {
            hands.add(seat, numbered_card(seat, number)?)?;
        }
    }
    hands.give_rest();
    Ok(hands)
}

/// The card of a number from 01, the ace of spades, to 52, the deuce of clubs.
fn numbered_card(seat: Seat, digits: &[u8]) -> Result<Card, Fault> {
    let number = digits.iter().try_fold(0, |number, digit| {
        let digit = char::from(*digit).to_digit(10)?;
        Some(10 * number + digit as usize)
    });
    let card = number.and_then(|number| card(number.checked_sub(1)?));
    card.ok_or_else(|| {
        let digits = quoted(digits);
        other(format!(
            "{digits} in {seat}'s hand is not a card (01 to 52)"
        ))
    })
}

/// The hands, each as four suit symbols followed by their ranks.
fn marked(symbols: &[u8]) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    for (seat, symbols) in Seat::ALL.into_iter().zip(symbols.chunks_exact(SYMBOLS)) {
        add_marked(&mut hands, seat, symbols)?;
    }
    Ok(hands)
}

fn add_marked(hands: &mut DisjointHands, seat: Seat, symbols: &[u8]) -> Result<(), Fault> {
    let mut begun = [false; 4];
    let mut suit = None;
    for &byte in symbols {
        if let Some(next) = marked_suit(byte) {
            if std::mem::replace(&mut begun[next.index()], true) {
                return Err(other(format!("{seat}'s {next} appear twice")));
            }
            suit = Some(next);
            continue;
        }
        let (Some(suit), Some((Ok(rank), _))) = (suit, first_rank(&[byte])) else {
            return Err(other(format!(
                "byte {byte:#04x} in {seat}'s hand is neither a suit symbol nor a rank"
            )));
        };
        hands.add(seat, Card::new(suit, rank))?;
    }
    Ok(())
}

/// The suit of a symbol in code page 437.
fn marked_suit(symbol: u8) -> Option<Suit> {
    match symbol {
        3 => Some(Suit::Hearts),
        4 => Some(Suit::Diamonds),
        5 => Some(Suit::Clubs),
        6 => Some(Suit::Spades),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, SET1, SET4};
    use crate::Format as F;

    #[test]
    fn bigdeals_records_hold_the_deals_of_its_pbn() {
        testing::holds_deals(F::Bri, "bigdeal/set1.bri", SET1);
        testing::holds_deals(F::Dge, "bigdeal/set1.dge", SET1);
        testing::holds_deals(F::Dup, "bigdeal/set1.dup", SET1);
        testing::holds_deals(F::Dup, "bigdeal/set4_blind.dup", SET4);
    }

    #[test]
    fn cuts_change_nothing() {
        for (parser, sample) in [
            (F::Bri, "bigdeal/set1.bri"),
            (F::Dge, "bigdeal/set1.dge"),
            (F::Dup, "bigdeal/set1.dup"),
        ] {
            testing::cuts_change_nothing(parser, &testing::sample(sample));
            testing::truncations_are_read(parser, &testing::sample(sample));
            testing::any_bytes_are_read(parser, b"0123 \x03\x04\x05\x06AKQJT9876543210");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Bri);
        testing::round_trip(F::Dge);
        testing::round_trip(F::Dup);
    }
}
