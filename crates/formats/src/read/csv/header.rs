//! The header row of a file: which column has what.

use crate::bridge::{Seat, Suit};

/// Names of a column with board numbers, lower-case and without other characters than letters
/// and digits.
const BOARD: [&str; 8] = [
    "board",
    "boardnumber",
    "boardno",
    "boardnr",
    "bd",
    "number",
    "no",
    "nr",
];
/// Names of a column with the dealer, alone or before the vulnerability.
const DEALER: [&str; 4] = ["dealer", "dlr", "dealervul", "dealervulnerability"];
/// Names of a column with the vulnerability.
const VULNERABLE: [&str; 4] = ["vul", "vuln", "vulnerable", "vulnerability"];
/// Names of a column with whole deals.
const DEAL: [&str; 4] = ["deal", "pbn", "hands", "cards"];

/// The columns that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) cards: CardColumns,
    pub(super) board: Option<usize>,
    pub(super) dealer: Option<usize>,
    pub(super) vulnerable: Option<usize>,
}

/// The columns with cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CardColumns {
    /// A deal string.
    Deal(usize),
    /// A hand of each seat, in the order of [`Seat::ALL`].
    Hands(Vec<usize>),
    /// A suit of each seat: north's spades to west's clubs.
    Suits(Vec<usize>),
}

impl Columns {
    /// The columns of a header row; `None` if no columns have the cards of a deal.
    pub(super) fn named(fields: &[&[u8]]) -> Option<Self> {
        let names: Vec<String> = fields.iter().map(|field| plain(field)).collect();
        let place = |wanted: &dyn Fn(&str) -> bool| names.iter().position(|name| wanted(name));
        let hands = || {
            let seats = Seat::ALL.iter().map(|seat| {
                place(&|name| is_seat(name.strip_suffix("hand").unwrap_or(name), *seat))
            });
            seats.collect::<Option<Vec<_>>>().map(CardColumns::Hands)
        };
        let suits = |is_suit: fn(&str, Seat, Suit) -> bool| {
            let all = Seat::ALL.into_iter().flat_map(|seat| {
                let place = &place;
                Suit::ALL.map(|suit| place(&|name| is_suit(name, seat, suit)))
            });
            all.collect::<Option<Vec<_>>>().map(CardColumns::Suits)
        };
        let deal = || place(&|name| DEAL.contains(&name)).map(CardColumns::Deal);
        let cards = suits(is_seats_suit)
            .or_else(|| suits(|name, seat, suit| is_suits_seat(name, suit, seat)))
            .or_else(hands)
            .or_else(deal)?;
        Some(Self {
            cards,
            board: place(&|name| BOARD.contains(&name)),
            dealer: place(&|name| DEALER.contains(&name)),
            vulnerable: place(&|name| VULNERABLE.contains(&name)),
        })
    }
}

/// A name in lower case, with only its letters and digits.
fn plain(name: &[u8]) -> String {
    let kept = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
    kept.map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect()
}

/// Whether a name is a seat's, in full or its letter.
fn is_seat(name: &str, seat: Seat) -> bool {
    name == seat.name() || name.len() == 1 && name.eq_ignore_ascii_case(&seat.letter().to_string())
}

/// Whether a name is a suit's: `spades`, `spade` or `s`.
fn is_suit(name: &str, suit: Suit) -> bool {
    let full = suit.to_string();
    name == full
        || Some(name) == full.strip_suffix('s')
        || name.len() == 1 && full.starts_with(name)
}

/// Whether a name is a seat's followed by a suit's.
fn is_seats_suit(name: &str, seat: Seat, suit: Suit) -> bool {
    (1..name.len()).any(|at| is_seat(&name[..at], seat) && is_suit(&name[at..], suit))
}

/// Whether a name is a suit's followed by a seat's.
fn is_suits_seat(name: &str, suit: Suit, seat: Seat) -> bool {
    (1..name.len()).any(|at| is_suit(&name[..at], suit) && is_seat(&name[at..], seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(row: &str) -> Option<Columns> {
        let fields: Vec<&[u8]> = row.split(',').map(str::as_bytes).collect();
        Columns::named(&fields)
    }

    #[test]
    fn suits_hands_and_deals_have_their_names() {
        let seats_first = "NS,NH,ND,NC,ES,EH,ED,EC,SS,SH,SD,SC,WS,WH,WD,WC,Board,Dealer/Vul";
        let of = |row| named(row).unwrap();
        assert_eq!(
            of(seats_first),
            Columns {
                cards: CardColumns::Suits((0..16).collect()),
                board: Some(16),
                dealer: Some(17),
                vulnerable: None
            }
        );
        let full = "West Spades,west_hearts,West-Diamonds,westclubs,Bd,\
                    north spade,north heart,north diamond,north club,\
                    e.s,e.h,e.d,e.c,SouthS,SouthH,SouthD,SouthC";
        let places = (5..17).chain(0..4).collect();
        assert_eq!(of(full).cards, CardColumns::Suits(places));
        assert_eq!(of(full).board, Some(4));
        let suits_first = "SN,SE,SS,SW,HN,HE,HS,HW,DN,DE,DS,DW,CN,CE,CS,CW";
        let places = (0..4).flat_map(|seat| (0..4).map(move |suit| 4 * suit + seat));
        assert_eq!(of(suits_first).cards, CardColumns::Suits(places.collect()));
        assert_eq!(
            of("Deal,Dealer,West hand,North hand,East,S,Vul"),
            Columns {
                cards: CardColumns::Hands(vec![3, 4, 5, 2]),
                board: None,
                dealer: Some(1),
                vulnerable: Some(6)
            }
        );
        assert_eq!(of("id,board,deal").cards, CardColumns::Deal(2));
        for other in ["", "a,b,c", "n,e,s", "NS,EW,Board", "date,pair,score"] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
