//! The record of a board.

use super::call::{contract, strain_of_contract};
use super::{AuctionCall, tricks};
use crate::bridge::{Card, Deal, Seat, Strain};

/// What a file says about a board besides its cards, number, dealer, vulnerability and tricks.
///
/// An empty text is unknown. A text has no control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardRecord {
    /// The event's name, site, date (such as `2026.11.26`) and round.
    pub event: [Box<str>; 4],
    /// The method of scoring, such as `IMP` or `MatchPoints`.
    pub scoring: Box<str>,
    /// The players' names, in the order of [`Seat::ALL`].
    pub names: [Box<str>; 4],
    /// The calls, from the dealer's on.
    pub calls: Vec<AuctionCall>,
    /// The contract in PBN's spelling, such as `3NTX` or `Pass`.
    pub contract: Box<str>,
    /// The declarer in PBN's spelling, such as `N`.
    pub declarer: Box<str>,
    /// The result in PBN's spelling, such as `9`: the declarer's tricks.
    pub result: Box<str>,
    /// The cards in the order in which they were played.
    pub play: Vec<Card>,
    /// The type of the deal in a mix.
    pub deal_type: Box<str>,
    /// The comment.
    pub comment: Box<str>,
    /// Other tags of PBN with their sections, as they stand in the file.
    pub other: Box<str>,
    /// Whether the file has calls, a result or cards played that are not read.
    pub has_unread: bool,
}

impl BoardRecord {
    /// The names of four players in the order of [`Seat::ALL`], separated by commas.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, in words.
    pub fn names_in(text: &str) -> Result<[String; 4], String> {
        if text.contains(|letter: char| letter.is_control() || letter == '|') {
            return Err("names have neither `|` nor control characters".to_owned());
        }
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        let count = names.len();
        names
            .try_into()
            .map_err(|_| format!("expected four names separated by commas, found {count}"))
    }

    /// Whether it tells of one table: players or what they did.
    pub fn has_table(&self) -> bool {
        let texts = [&self.contract, &self.declarer, &self.result, &self.other];
        let mut texts = self.names.iter().chain(texts);
        texts.any(|text| !text.is_empty()) || !self.calls.is_empty() || !self.play.is_empty()
    }

    /// Whether the contract and the declarer, if there are any, are those of the auction.
    pub fn is_contract_implied(&self, dealer: Seat) -> bool {
        let implied = contract(dealer, &self.calls);
        let (contract, declarer) = implied.unwrap_or_default();
        let letter = declarer.map_or(String::new(), |seat| seat.letter().to_string());
        let is_told = |text: &str, told: &str| text.is_empty() || *text == *told;
        is_told(&self.contract, &contract) && is_told(&self.declarer, &letter)
    }

    /// The strain of the contract, if it is known.
    pub(crate) fn strain(&self, dealer: Option<Seat>) -> Option<Strain> {
        let of_auction = || Some(contract(dealer?, &self.calls)?.0);
        match self.contract.is_empty() {
            true => strain_of_contract(&of_auction()?),
            false => strain_of_contract(&self.contract),
        }
    }

    /// Replaces parts that `other` knows.
    pub fn replace(&mut self, other: &Self) {
        let known = other
            .event
            .iter()
            .chain(&other.names)
            .chain([&other.scoring]);
        let mine = self.event.iter_mut().chain(&mut self.names);
        for (mine, known) in mine.chain([&mut self.scoring]).zip(known) {
            if !known.is_empty() {
                mine.clone_from(known);
            }
        }
    }

    /// Drops calls and cards that are not all read or not legal, and adds the contract that the
    /// auction implies.
    pub(crate) fn finish(&mut self, dealer: Option<Seat>, deal: &Deal) {
        self.has_unread |= tricks(deal, &self.play).is_none();
        if self.has_unread {
            self.play.clear();
            self.calls.clear();
        }
        if self.contract.is_empty()
            && let Some(dealer) = dealer
            && let Some((contract, declarer)) = contract(dealer, &self.calls)
        {
            self.contract = contract.into();
            self.declarer =
                declarer.map_or(Box::default(), |seat| seat.letter().to_string().into());
        }
    }
}
