//! Hands and boards as the templates show them.

use std::cmp::Ordering;

use crate::bridge::{Hand, Seat, Side, Strain, Suit, TrickTable, Vulnerable};
use crate::language::Par;
use crate::record::BoardRecord;
use crate::write::Board;
use crate::write::labels::in_line;

/// A hand by suits.
#[derive(Clone, Debug, PartialEq)]
pub struct HandShown {
    /// `north`
    pub seat: &'static str,
    /// `North`
    pub title: String,
    /// The high-card points of the hand.
    pub hcp: u32,
    /// Class, sign and cards of each suit.
    pub suits: Vec<(&'static str, char, String)>,
}

/// A board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoardShown {
    pub(super) number: u64,
    pub(super) dealer: String,
    pub(super) vulnerable: &'static str,
    /// The hands in the order of [`Seat::ALL`].
    pub(super) hands: Vec<HandShown>,
    /// The players, in the same order; empty for none.
    pub(super) players: [Box<str>; 4],
    pub(super) tricks: Option<TricksShown>,
    /// The type of the deal in a mix; empty for none.
    pub(super) deal_type: String,
    /// The comment; empty for none.
    pub(super) comment: String,
}

/// Double-dummy tricks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TricksShown {
    /// Each declarer's letter, and tricks in the order of [`Strain::ALL`].
    pub(super) rows: Vec<(char, Vec<u8>)>,
    /// The score at par and its contract, such as `N-S +420, 4S by N`.
    pub(super) par: String,
    /// The contracts that each side can make, such as `4♠, 2NT by N`.
    pub(super) makes: [String; 2],
}

/// Maximum length of a comment in characters, which has room on a sheet of four boards.
const LONGEST_COMMENT: usize = 200;

/// A text without what is beyond the longest comment.
fn short(comment: String) -> String {
    match comment.char_indices().nth(LONGEST_COMMENT) {
        Some((end, _)) => format!("{}…", &comment[..end]),
        None => comment,
    }
}

/// The sign of a suit.
pub(super) const fn sign(suit: Suit) -> char {
    match suit {
        Suit::Spades => '♠',
        Suit::Hearts => '♥',
        Suit::Diamonds => '♦',
        Suit::Clubs => '♣',
    }
}

/// A word with a capital letter.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl HandShown {
    /// Shows a seat's hand.
    pub fn new(seat: Seat, hand: Hand) -> Self {
        let suits = Suit::ALL.map(|suit| {
            let of_suit = hand.cards().filter(|card| card.suit() == suit);
            let ranks: Vec<String> = of_suit
                .map(|card| match card.rank().letter() {
                    'T' => "10".to_owned(),
                    letter => letter.to_string(),
                })
                .collect();
            let ranks = match ranks.is_empty() {
                true => "—".to_owned(),
                false => ranks.join(" "),
            };
            (suit.name(), sign(suit), ranks)
        });
        Self {
            seat: seat.name(),
            title: capital(seat.name()),
            hcp: hand.hcp(),
            suits: suits.into(),
        }
    }
}

impl BoardShown {
    /// Shows a board with its players and its comment.
    pub(super) fn new(board: &Board, record: &BoardRecord) -> Self {
        Self {
            number: board.number,
            dealer: capital(board.dealer.name()),
            vulnerable: match board.vulnerable {
                Vulnerable::None => "none",
                Vulnerable::NorthSouth => "N-S",
                Vulnerable::EastWest => "E-W",
                Vulnerable::All => "all",
            },
            hands: Seat::ALL
                .map(|seat| HandShown::new(seat, board.deal.hand(seat)))
                .into(),
            players: record.names.clone(),
            tricks: board.tricks.map(|tricks| TricksShown::new(tricks, board)),
            deal_type: short(in_line(&record.deal_type, &[])),
            comment: short(in_line(&record.comment, &[])),
        }
    }
}

impl TricksShown {
    fn new(tricks: TrickTable, board: &Board) -> Self {
        let Par { score, contract } = Par::new(tricks, board.dealer, board.vulnerable);
        let rows = Seat::ALL.map(|seat| {
            let tricks = Strain::ALL.map(|strain| tricks.tricks(seat, strain));
            (seat.letter(), tricks.into())
        });
        let side = match score {
            0.. => Side::NorthSouth,
            _ => Side::EastWest,
        };
        let side = match side {
            Side::NorthSouth => "N-S",
            Side::EastWest => "E-W",
        };
        Self {
            rows: rows.into(),
            makes: Side::ALL.map(|side| makeable(tricks, side)),
            par: match contract {
                Some(contract) => format!("{side} +{}, {contract}", score.abs()),
                None => score.to_string(),
            },
        }
    }
}

/// The contracts that a side can make, one for each strain: by the better of its declarers if the
/// other takes fewer tricks.
fn makeable(tricks: TrickTable, side: Side) -> String {
    let seats = match side {
        Side::NorthSouth => [Seat::North, Seat::South],
        Side::EastWest => [Seat::East, Seat::West],
    };
    let makes = Strain::ALL.into_iter().filter_map(|strain| {
        let [one, other] = seats.map(|seat| tricks.tricks(seat, strain));
        let level = one.max(other).checked_sub(6).filter(|level| *level > 0)?;
        let name = match strain {
            Strain::NoTrumps => "NT".to_owned(),
            Strain::Trumps(suit) => sign(suit).to_string(),
        };
        Some(match one.cmp(&other) {
            Ordering::Equal => format!("{level}{name}"),
            Ordering::Greater => format!("{level}{name} by {}", seats[0].letter()),
            Ordering::Less => format!("{level}{name} by {}", seats[1].letter()),
        })
    });
    let makes: Vec<String> = makes.collect();
    match makes.is_empty() {
        true => "nothing".to_owned(),
        false => makes.join(", "),
    }
}
