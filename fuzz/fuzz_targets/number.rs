//! Any text as a deal, an ending or a number: encoding and decoding in a scheme are inverses of
//! each other.
//!
//! The first byte chooses the scheme, and whether the other bytes are text or numbers.
#![no_main]

use std::sync::OnceLock;

use fairdeal::bridge::{Deal, Ending, Seat};
use fairdeal::language::Condition;
use fairdeal::number::cases::CaseNumbering;
use fairdeal::number::{
    OutOfRange, andrews, base5, bigdeal, ending, ending_any, pavlicek, pavlicek_suits, zbs,
};
use fairdeal::population::cases::{CaseBytes, CaseFile, Listing, census};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&scheme, bytes)) = data.split_first() else {
        return;
    };
    if scheme & 0x80 == 0 {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        of_ending(scheme, text);
        if let Some(number) = parsed(text) {
            of_number(scheme, number);
        }
    } else {
        for number in bytes.chunks(16) {
            let mut padded = [0; 16];
            padded[..number.len()].copy_from_slice(number);
            of_number(scheme, u128::from_le_bytes(padded));
        }
    }
});

fn parsed(text: &str) -> Option<u128> {
    match text.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Encodes a deal or an ending and decodes it again.
fn of_ending(scheme: u8, text: &str) {
    let Ok(ending) = text.parse::<Ending>() else {
        assert!(text.parse::<Deal>().is_err(), "a deal is an ending");
        return;
    };
    let deal = text.parse::<Deal>().ok();
    let all = |deal: Deal| Ending::from(deal);
    assert_eq!(deal.map(all), deal.map(|_| ending));
    match scheme & 0x7F {
        0..4 => {
            let Some(deal) = deal else { return };
            let (encode, decode) = of_deals(scheme);
            assert_eq!(decode(encode(&deal)), Ok(deal));
        }
        4 => assert!(
            ending::encode(&ending).is_ok_and(|n| ending::decode(n) == Ok(ending))
                || !is_even(&ending)
        ),
        5 => assert!(
            ending_any::encode(&ending).is_ok_and(|n| ending_any::decode(n) == Ok(ending))
                || ending.sizes().iter().any(|&size| size > 13)
        ),
        6 => assert_eq!(base5::decode(base5::encode(&ending)), Ok(ending)),
        7 => assert_eq!(zbs::decode(zbs::encode(&ending)), Ok(ending)),
        _ => {
            let Some(deal) = deal else { return };
            let is_listed = deal
                .hand(Seat::West)
                .pattern()
                .is_some_and(|pattern| pattern.lengths()[0] == 9);
            match numbering().encode(&deal) {
                Ok(number) => assert_eq!(numbering().decode(number).ok(), Some(deal)),
                Err(error) => assert!(!is_listed, "{deal}: {error}"),
            }
        }
    }
}

/// Whether all hands have the same number of cards, one to thirteen.
fn is_even(ending: &Ending) -> bool {
    let [north, ..] = ending.sizes();
    (1..=13).contains(&north) && ending.sizes() == [north; 4]
}

/// Decodes a number and encodes it again.
fn of_number(scheme: u8, number: u128) {
    match scheme & 0x7F {
        0..4 => {
            let (encode, decode) = of_deals(scheme);
            comes_back(number, decode(number).map(|deal| Some(encode(&deal))));
        }
        4 => comes_back(
            number,
            ending::decode(number).map(|of| ending::encode(&of).ok()),
        ),
        5 => comes_back(
            number,
            ending_any::decode(number).map(|of| ending_any::encode(&of).ok()),
        ),
        6 => comes_back(
            number,
            base5::decode(number).map(|of| Some(base5::encode(&of))),
        ),
        7 => {
            let words = [96, 64, 32, 0].map(|shift| (number >> shift) as u32);
            if let Ok(ending) = zbs::decode(words) {
                // The flag of the clubs' word may be missing.
                let flagged = words.map(|word| word | zbs::FLAG);
                assert_eq!(zbs::encode(&ending), flagged);
            }
        }
        _ => match numbering().decode(number) {
            Ok(deal) => assert_eq!(numbering().encode(&deal).ok(), Some(number)),
            Err(_) => assert!(number >= numbering().count()),
        },
    }
}

fn comes_back(number: u128, again: Result<Option<u128>, OutOfRange>) {
    match again {
        Ok(again) => assert_eq!(again, Some(number)),
        Err(wrong) => assert!(wrong.number == number && wrong.count <= number, "{wrong}"),
    }
}

type OfDeals = (fn(&Deal) -> u128, fn(u128) -> Result<Deal, OutOfRange>);

fn of_deals(scheme: u8) -> OfDeals {
    match scheme & 3 {
        0 => (pavlicek::encode, pavlicek::decode),
        1 => (pavlicek_suits::encode, pavlicek_suits::decode),
        2 => (andrews::encode, andrews::decode),
        _ => (bigdeal::encode, bigdeal::decode),
    }
}

/// The numbering of the deals of a case file in which west has nine spades.
fn numbering() -> &'static CaseNumbering<'static, CaseBytes> {
    static FILE: OnceLock<CaseFile<CaseBytes>> = OnceLock::new();
    static NUMBERING: OnceLock<CaseNumbering<'static, CaseBytes>> = OnceLock::new();
    NUMBERING.get_or_init(|| CaseNumbering::new(FILE.get_or_init(nine_spades)))
}

fn nine_spades() -> CaseFile<CaseBytes> {
    let condition = Condition::parse("fuzz", "spades(west) == 9").expect("it is one");
    let listing = Listing::new(&condition, None).expect("it is listed by pattern");
    let census = census(&condition, &listing).expect("there are 15 cases");
    fairdeal_fuzz::listed(&condition, &listing, census)
}
