//! Calls of an auction.

use std::fmt;

use crate::bridge::{Seat, Strain};

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Pass.
    Pass,
    /// Double.
    Double,
    /// Redouble.
    Redouble,
    /// A bid of a level, from 1 to 7, in a strain.
    Bid(u8, Strain),
}

/// A call, and its explanation if it was alerted or explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuctionCall {
    /// The call.
    pub call: Call,
    /// The explanation; empty for an alert without one.
    pub note: Option<Box<str>>,
}

impl Call {
    /// The call in PBN's, LIN's or another usual spelling, in either case.
    pub fn from_text(text: &[u8]) -> Option<Self> {
        Some(match &*text.to_ascii_lowercase() {
            b"p" | b"pass" => Self::Pass,
            b"x" | b"d" | b"dbl" | b"double" => Self::Double,
            b"xx" | b"r" | b"rdbl" | b"redouble" => Self::Redouble,
            [level @ b'1'..=b'7', strain @ ..] => Self::Bid(level - b'0', strain_of(strain)?),
            _ => return None,
        })
    }

    /// LIN's spelling.
    pub(crate) fn lin(self) -> String {
        match self {
            Self::Pass => "p".to_owned(),
            Self::Double => "d".to_owned(),
            Self::Redouble => "r".to_owned(),
            Self::Bid(level, strain) => format!("{level}{}", &strain.name()[..1]),
        }
    }
}

/// PBN's spelling.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("Pass"),
            Self::Double => f.write_str("X"),
            Self::Redouble => f.write_str("XX"),
            Self::Bid(level, strain) => write!(f, "{level}{}", strain.name()),
        }
    }
}

/// The strain of a text such as `n`, `NT` or `s`.
fn strain_of(text: &[u8]) -> Option<Strain> {
    let name = if text.eq_ignore_ascii_case(b"n") {
        b"NT"
    } else {
        text
    };
    let is_named = |strain: &Strain| strain.name().as_bytes().eq_ignore_ascii_case(name);
    Strain::ALL.into_iter().find(is_named)
}

/// The strain of a contract in PBN's spelling, such as `3NTX`; `None` if it is passed out or
/// unknown.
pub(super) fn strain_of_contract(contract: &str) -> Option<Strain> {
    let bid = contract.trim_end_matches(['X', 'x']);
    match Call::from_text(bid.as_bytes())? {
        Call::Bid(_, strain) => Some(strain),
        _ => None,
    }
}

/// Whether no call can follow.
pub(crate) fn is_complete(calls: &[AuctionCall]) -> bool {
    let passes = calls.iter().rev().take_while(|of| of.call == Call::Pass);
    let passes = passes.count();
    passes >= 4 || passes == 3 && calls.len() > 3
}

/// The contract in PBN's spelling and the declarer of a complete auction; no declarer if it is
/// passed out.
pub(super) fn contract(dealer: Seat, calls: &[AuctionCall]) -> Option<(String, Option<Seat>)> {
    if !is_complete(calls) {
        return None;
    }
    let bid = |of: &AuctionCall| match of.call {
        Call::Bid(level, strain) => Some((level, strain)),
        _ => None,
    };
    let seat = |place: usize| dealer.turned(place % 4);
    let Some(last) = calls.iter().rposition(|of| bid(of).is_some()) else {
        return Some(("Pass".to_owned(), None));
    };
    let (level, strain) = bid(&calls[last])?;
    let doubled = calls[last..].iter().rev().find_map(|of| match of.call {
        Call::Double => Some("X"),
        Call::Redouble => Some("XX"),
        _ => None,
    });
    let first = calls.iter().enumerate().position(|(place, of)| {
        let is_of_side = seat(place).side() == seat(last).side();
        is_of_side && bid(of).is_some_and(|(_, named)| named == strain)
    });
    let contract = format!("{level}{}{}", strain.name(), doubled.unwrap_or_default());
    Some((contract, first.map(seat)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auction(dealer: Seat, text: &str) -> Option<(String, Option<Seat>)> {
        let call = |word: &str| AuctionCall {
            call: Call::from_text(word.as_bytes()).unwrap(),
            note: None,
        };
        contract(dealer, &text.split(' ').map(call).collect::<Vec<_>>())
    }

    #[test]
    fn the_first_of_the_side_to_name_the_strain_declares() {
        let found = auction(Seat::East, "p 1h p 2N p 3h X p p p");
        assert_eq!(found, Some(("3HX".to_owned(), Some(Seat::South))));
        let found = auction(Seat::North, "1N D R p 2c X 3NT p p p");
        assert_eq!(found, Some(("3NT".to_owned(), Some(Seat::North))));
        assert_eq!(
            auction(Seat::North, "p p p p"),
            Some(("Pass".to_owned(), None))
        );
        assert_eq!(auction(Seat::North, "p p p"), None);
        assert_eq!(auction(Seat::North, "1C p p"), None);
    }
}
