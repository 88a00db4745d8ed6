//! Lists of deals with their double-dummy results, of GIB and of Deal (`ddline`), and the lists of
//! bidding programs, `.ben`.

use super::cards::{DisjointHands, outcome};
use super::notation::{self, seat, vulnerable};
use super::records::quoted;
use super::text::words;
use super::{BoardDetails, Entry, Fault, other};
use crate::bridge::{Seat, Side, Strain, Suit, TrickTable};

/// Seats in GIB's order.
const FROM_WEST: [Seat; 4] = [Seat::West, Seat::North, Seat::East, Seat::South];

/// Number of hex digits of the results: tricks in five strains against four leaders.
const RESULTS: usize = 20;

/// Declarers in the order of the results of a strain: the players on lead are south, east, north
/// and west.
const DECLARERS: [Seat; 4] = [Seat::East, Seat::North, Seat::West, Seat::South];

/// Reads a line of GIB's: `W N E S:` with four hands, then twenty digits or nothing.
pub(super) fn gib(line: &[u8]) -> Entry {
    let mut parts = line.splitn(2, |&byte| byte == b':');
    let cards = parts.next().unwrap_or_default();
    let results = parts.next().unwrap_or_default().trim_ascii();
    if !is_results(results) {
        let found = quoted(results);
        return Entry::invalid(format!("{found} is not {RESULTS} hex digits"));
    }
    Entry {
        tricks: tricks(results),
        ..outcome(hands(words(cards), &FROM_WEST)).into()
    }
}

/// The tricks of every declarer, from the tricks of north and south in each strain of
/// [`Strain::ALL`] and with each of [`DECLARERS`]; `None` without results, or if any exceeds 13.
fn tricks(results: &[u8]) -> Option<TrickTable> {
    let mut north_south = [[0; 4]; Strain::ALL.len()];
    let places = north_south.as_flattened_mut();
    if results.len() != places.len() {
        return None;
    }
    for (tricks, digit) in places.iter_mut().zip(results) {
        let digit = char::from(*digit).to_digit(16)? as u8;
        *tricks = Some(digit).filter(|digit| *digit <= TrickTable::MOST)?;
    }
    TrickTable::new(|seat, strain| {
        let place = DECLARERS.iter().position(|declarer| *declarer == seat);
        let place = place.expect("every seat declares");
        match (north_south[strain.index()][place], seat.side()) {
            (tricks, Side::NorthSouth) => tricks,
            (tricks, Side::EastWest) => TrickTable::MOST - tricks,
        }
    })
}

/// Reads a line of Deal's: four hands from north, then the tricks of each in spades, hearts,
/// diamonds, clubs and no-trumps, all between bars. Tricks are unknown unless all are there.
pub(super) fn ddline(line: &[u8]) -> Entry {
    let mut parts = line.split(|&byte| byte == b'|').map(<[u8]>::trim_ascii);
    let cards = parts.by_ref().take(4);
    let what = outcome(hands(cards, &Seat::ALL));
    let rows: Vec<Vec<u8>> = parts
        .map(|row| words(row).filter_map(small).collect())
        .collect();
    let is_table = rows.len() == 4 && rows.iter().all(|row| row.len() == Strain::ALL.len());
    let tricks = |seat: Seat, strain| match strain {
        Strain::NoTrumps => rows[seat.index()][Suit::ALL.len()],
        Strain::Trumps(suit) => rows[seat.index()][suit.index()],
    };
    Entry {
        tricks: is_table.then(|| TrickTable::new(tricks)).flatten(),
        ..what.into()
    }
}

fn small(word: &[u8]) -> Option<u8> {
    str::from_utf8(word).ok()?.parse().ok()
}

/// Reads a line with a PBN deal string, or with four hands from north without a seat.
pub(super) fn deal_string(line: &[u8]) -> Entry {
    match line.get(1) {
        Some(b':') => notation::read(line).into(),
        _ => bare(line),
    }
}

/// Reads a line of four hands from north, without a seat.
fn bare(line: &[u8]) -> Entry {
    match words(line).count() {
        4 => outcome(hands(words(line), &Seat::ALL)).into(),
        _ => notation::read(line).into(),
    }
}

/// Reads a line of a `.ben` file: dealer, vulnerability, four hands from north and an optional
/// auction.
pub(super) fn ben(line: &[u8]) -> Entry {
    let mut words = words(line);
    let dealer = words.next().and_then(|word| match word {
        [letter] => seat(*letter),
        _ => None,
    });
    let sides = words.next().filter(|word| is_vulnerability(word));
    let (Some(dealer), Some(sides)) = (dealer, sides) else {
        return Entry::invalid("expected dealer, vulnerability and four hands: `N None ...`");
    };
    let what = outcome(hands(words.by_ref().take(4), &Seat::ALL));
    Entry {
        dealer: Some(dealer),
        details: BoardDetails {
            vulnerable: vulnerable(sides),
            has_play: words.next().is_some(),
            ..BoardDetails::default()
        },
        ..what.into()
    }
}

/// Whether a word is a vulnerability as `.ben` files write it.
pub(super) fn is_vulnerability(word: &[u8]) -> bool {
    word != b"-" && vulnerable(word).is_some()
}

/// Whether a text is GIB's results of a deal, or empty.
pub(super) fn is_results(text: &[u8]) -> bool {
    text.is_empty() || text.len() == RESULTS && text.iter().all(u8::is_ascii_hexdigit)
}

/// The hands, from texts in this order of seats.
fn hands<'l>(
    texts: impl Iterator<Item = &'l [u8]>,
    seats: &[Seat; 4],
) -> Result<DisjointHands, Fault> {
    let texts: Vec<&[u8]> = texts.collect();
    if texts.len() != 4 {
        return Err(other(format!("{} hands instead of 4", texts.len())));
    }
    let mut hands = DisjointHands::default();
    for (seat, text) in seats.iter().zip(texts) {
        hands.add_hand(*seat, text, b'.')?;
    }
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use super::*;
    use crate::Format as F;
    use crate::bridge::Deal;

    fn hand(deal: &Deal, seat: Seat) -> String {
        deal.hand(seat).to_string()
    }

    #[test]
    fn lines_of_each_kind_are_read() {
        let (mut bare, mut gib, mut ben, mut rpdd) =
            (String::new(), String::new(), String::new(), String::new());
        for deal in testing::some_deals() {
            let [n, e, s, w] = Seat::ALL.map(|seat| hand(&deal, seat));
            bare += &format!("{n} {e} {s} {w}\n");
            gib += &format!("{w} {n} {e} {s}:65658888{:012x}\n", 0);
            ben += &format!("E N-S {n} {e} {s} {w} P P 1N\n");
            rpdd += &format!("n {n} e {e} s {s} w {w} ;06,03 07,06\n");
        }
        for (format, text) in [
            (F::Line, bare),
            (F::Gib, gib),
            (F::Ben, ben),
            (F::Oneline, rpdd),
        ] {
            assert_eq!(F::detect(text.as_bytes()), Some(format), "{text}");
            assert_eq!(
                testing::deals(format, text.as_bytes()),
                testing::some_deals(),
                "{format:?}"
            );
            testing::cuts_change_nothing(format, text.as_bytes());
        }
    }

    /// Two lines of Deal 3.1.9, with its seed 5.
    #[test]
    fn deals_lines_have_the_tricks_of_each_hand() {
        let line = "QT5.QJT863..AK83|743.A54.T8763.J2|KJ.K92.AK52.Q965|A9862.7.QJ94.T74|\
                    7 11 6 10 11|6 2 6 2 2|7 11 6 10 11|6 2 6 2 2";
        assert_eq!(F::detect(line.as_bytes()), Some(F::DdLine));
        let deal = "N:QT5.QJT863..AK83 743.A54.T8763.J2 KJ.K92.AK52.Q965 A9862.7.QJ94.T74";
        assert_eq!(said(F::DdLine, line.as_bytes()), [deal]);
        let table = ddline(line.as_bytes()).tricks.unwrap();
        let of = |seat| Strain::ALL.map(|strain| table.tricks(seat, strain));
        assert_eq!(of(Seat::North), [11, 7, 11, 6, 10]);
        assert_eq!(of(Seat::West), [2, 6, 2, 6, 2]);
        for unknown in [" 2|6", "|6 2 6 2 x", "|6 2 6 2 14"] {
            let line = line.replacen("|6 2 6 2 2", unknown, 1);
            let record = ddline(line.as_bytes());
            assert!(
                matches!(record.what, super::super::EntryKind::Deal(_)),
                "{line}"
            );
            assert_eq!(record.tricks, None, "{line}");
        }
    }

    #[test]
    fn results_are_the_tricks_of_north_and_south_against_each_leader() {
        let [n, e, s, w] = Seat::ALL.map(|seat| hand(&testing::some_deals()[1], seat));
        let tricks = |results: &str| gib(format!("{w} {n} {e} {s}:{results}").as_bytes()).tricks;
        let of = tricks("0123456789abCD00001d").unwrap();
        for (strain, expected) in Strain::ALL.into_iter().zip([
            [1, 13, 3, 11],
            [5, 9, 7, 7],
            [9, 5, 11, 3],
            [13, 1, 0, 13],
            [0, 13, 13, 12],
        ]) {
            assert_eq!(Seat::ALL.map(|seat| of.tricks(seat, strain)), expected);
        }
        for unknown in ["", "0123456789abcde00001", "0123"] {
            assert_eq!(tricks(unknown), None);
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let deal = testing::some_deals()[2];
        let [n, e, s, w] = Seat::ALL.map(|seat| hand(&deal, seat));
        for (format, line, wrong) in [
            (
                F::Gib,
                format!("{w} {n} {e} {s}:6565"),
                "`6565` is not 20 hex digits",
            ),
            (F::Gib, format!("{w} {n} {e}:"), "3 hands instead of 4"),
            (F::Ben, format!("N {n} {e} {s} {w}"), "expected dealer"),
            (
                F::Ben,
                format!("N None {n} {e} {s}"),
                "3 hands instead of 4",
            ),
        ] {
            let said = said(format, line.as_bytes());
            assert!(said[0].contains(wrong), "{said:?}");
        }
        for format in [F::Gib, F::Ben] {
            testing::any_bytes_are_read(format, b"NESW AKQJT98765432.:-\n\r");
        }
    }
}
