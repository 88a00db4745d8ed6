//! The tags, sections and comments of a game that a conversion keeps.

use super::tag::unescaped;
use crate::bridge::{Card, Deal, Seat};
use crate::read::notation::{self, decoded};
use crate::record::{AuctionCall, BoardRecord, Call, Trick, card, in_order};

/// Maximum number of bytes of a game's comments and sections that are kept.
const MOST_BYTES: usize = 1 << 18;

/// The parts of a game that are kept.
#[derive(Debug, Default)]
pub(super) struct KeptParts {
    /// Values of single tags.
    pub(super) record: BoardRecord,
    comment: Vec<u8>,
    sections: Vec<TagSection>,
    /// Number of bytes of comments and sections.
    bytes: usize,
}

/// A tag that is none of the single ones, and the text up to the next tag.
#[derive(Debug)]
struct TagSection {
    name: Vec<u8>,
    value: Vec<u8>,
    /// The tag and the text.
    text: Vec<u8>,
    /// Length of the tag.
    body: usize,
    is_open: bool,
}

/// The text of a tag's value; empty if it is unknown. `##` before it is left out.
pub(super) fn text_of(value: &[u8]) -> Box<str> {
    match value.strip_prefix(b"##").unwrap_or(value) {
        b"?" | b"-" => Box::default(),
        value => decoded(&unescaped(value)).into_boxed_str(),
    }
}

impl KeptParts {
    /// Whether nothing is kept so far.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    fn has_room(&mut self, text: &[u8]) -> bool {
        self.bytes += text.len();
        let has_room = self.bytes <= MOST_BYTES;
        self.record.has_unread |= !has_room;
        has_room
    }

    /// Begins a section.
    pub(super) fn section(&mut self, name: &[u8], value: &[u8], tag: &[u8]) {
        self.end_section();
        // The program that wrote the file is not part of a game.
        if !name.eq_ignore_ascii_case(b"Generator") && self.has_room(tag) {
            self.sections.push(TagSection {
                name: name.to_ascii_lowercase(),
                value: unescaped(value),
                text: tag.to_vec(),
                body: tag.len(),
                is_open: true,
            });
        }
    }

    /// Ends the section: another tag follows.
    pub(super) fn end_section(&mut self) {
        if let Some(section) = self.sections.last_mut() {
            section.is_open = false;
        }
    }

    /// Adds text outside of tags and comments to the section.
    pub(super) fn text(&mut self, text: &[u8]) {
        if self.sections.last().is_some_and(|section| section.is_open)
            && self.has_room(text)
            && let Some(section) = self.sections.last_mut()
        {
            section.text.extend_from_slice(text);
        }
    }

    /// Adds text within a comment.
    pub(super) fn comment(&mut self, text: &[u8]) {
        if self.has_room(text) {
            self.comment.extend_from_slice(text);
        }
    }

    /// The record of the game; the double-dummy tricks of its sections are read elsewhere if
    /// `has_tricks`.
    pub(super) fn into_record(
        self,
        dealer: Option<Seat>,
        deal: &Deal,
        has_tricks: bool,
    ) -> BoardRecord {
        let mut record = self.record;
        let comment = decoded(&self.comment);
        record.comment = comment
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .into();
        let mut other: Vec<&[u8]> = Vec::new();
        let mut rest = &self.sections[..];
        // The strain of a play may be that of the auction, which comes before it.
        while let Some((section, after)) = rest.split_first() {
            let notes = after.iter().take_while(|of| of.name == b"note").count();
            let (notes, next) = after.split_at(notes);
            let is_read = match &*section.name {
                b"auction" if record.calls.is_empty() => {
                    calls(section, notes, dealer).map(|calls| record.calls = calls)
                }
                b"play" if record.play.is_empty() && notes.is_empty() => {
                    play(section, &record, dealer, deal).map(|play| record.play = play)
                }
                b"handtype" if record.deal_type.is_empty() => {
                    record.deal_type = decoded(&section.value).into();
                    Some(())
                }
                b"optimumscore" | b"optimumresulttable" if has_tricks => Some(()),
                _ => None,
            };
            if is_read.is_none() {
                other.extend(
                    [section]
                        .into_iter()
                        .chain(notes)
                        .map(|of| of.text.trim_ascii()),
                );
            }
            rest = next;
        }
        record.other = decoded(&other.join(&b'\n')).into();
        record
    }
}

impl TagSection {
    fn words(&self) -> impl Iterator<Item = &[u8]> {
        let words = self.text[self.body..].split(u8::is_ascii_whitespace);
        words.filter(|word| !word.is_empty())
    }

    fn seat(&self) -> Option<Seat> {
        match &*self.value {
            &[letter] => notation::seat(letter),
            _ => None,
        }
    }
}

/// The calls of an Auction section that begins with the dealer; `None` if it has anything else.
fn calls(
    section: &TagSection,
    notes: &[TagSection],
    dealer: Option<Seat>,
) -> Option<Vec<AuctionCall>> {
    let note = |number: &[u8]| {
        notes.iter().find_map(|note| {
            let rest = note.value.strip_prefix(number)?;
            rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start)
        })
    };
    let mut calls: Vec<AuctionCall> = Vec::new();
    let mut used = 0;
    let plain = |call| AuctionCall { call, note: None };
    for word in section.words() {
        match word {
            b"-" if calls.is_empty() => {}
            b"*" | b"+" => break,
            _ if word.eq_ignore_ascii_case(b"ap") => {
                let is_bid = |of: &AuctionCall| of.call != Call::Pass;
                let last = calls.iter().rposition(is_bid);
                let all = last.map_or(4, |last| last + 4);
                calls.resize_with(all.max(calls.len()), || plain(Call::Pass));
            }
            [b'=', number @ .., b'='] => {
                used += 1;
                calls.last_mut()?.note = Some(decoded(note(number)?).into());
            }
            _ => calls.push(plain(Call::from_text(word)?)),
        }
    }
    let is_whole = used == notes.len() && section.seat()? == dealer? && !calls.is_empty();
    is_whole.then_some(calls)
}

/// The cards of a Play section; `None` if it has anything else than the cards of a legal play.
fn play(
    section: &TagSection,
    record: &BoardRecord,
    dealer: Option<Seat>,
    deal: &Deal,
) -> Option<Vec<Card>> {
    let (leader, strain) = (section.seat()?, record.strain(dealer)?);
    let words = section
        .words()
        .take_while(|word| !matches!(*word, b"*" | b"+"));
    let words: Vec<&[u8]> = words.collect();
    let mut tricks = Vec::new();
    for row in words.chunks(4) {
        let mut trick = Trick::default();
        for (place, word) in row.iter().enumerate() {
            if *word != b"-" {
                trick[leader.turned(place).index()] = Some(card(word)?);
            }
        }
        tricks.push(trick);
    }
    in_order(deal, &tricks, leader, strain).filter(|play| !play.is_empty())
}
