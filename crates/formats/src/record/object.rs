//! A record as members of a JSON object.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AuctionCall, BoardRecord, Call, card};
use crate::bridge::Card;

/// The members of a record; those that are unknown are left out.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RecordObject {
    #[serde(skip_serializing_if = "str::is_empty")]
    event: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    site: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    date: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    round: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    scoring: Box<str>,
    /// From north.
    #[serde(skip_serializing_if = "is_nobody")]
    players: [Box<str>; 4],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    auction: Vec<String>,
    /// Explanations by the place of their call, from 0.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    explanations: BTreeMap<usize, Box<str>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    contract: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    declarer: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    result: Box<str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    play: Vec<String>,
    #[serde(rename = "type", skip_serializing_if = "str::is_empty")]
    deal_type: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: Box<str>,
}

fn is_nobody(players: &[Box<str>; 4]) -> bool {
    players.iter().all(|name| name.is_empty())
}

impl From<&BoardRecord> for RecordObject {
    fn from(record: &BoardRecord) -> Self {
        let [event, site, date, round] = record.event.clone();
        let notes = record.calls.iter().enumerate();
        let notes = notes.filter_map(|(place, of)| Some((place, of.note.clone()?)));
        Self {
            event,
            site,
            date,
            round,
            scoring: record.scoring.clone(),
            players: record.names.clone(),
            auction: record.calls.iter().map(|of| of.call.to_string()).collect(),
            explanations: notes.collect(),
            contract: record.contract.clone(),
            declarer: record.declarer.clone(),
            result: record.result.clone(),
            play: record.play.iter().map(Card::to_string).collect(),
            deal_type: record.deal_type.clone(),
            comment: record.comment.clone(),
        }
    }
}

impl From<RecordObject> for BoardRecord {
    fn from(object: RecordObject) -> Self {
        let mut notes = object.explanations;
        let calls = object.auction.iter().enumerate().map(|(place, text)| {
            Some(AuctionCall {
                call: Call::from_text(text.as_bytes())?,
                note: notes.remove(&place),
            })
        });
        let calls: Option<Vec<_>> = calls.collect();
        let play = object.play.iter().map(|text| card(text.as_bytes()));
        let play: Option<Vec<_>> = play.collect();
        Self {
            event: [object.event, object.site, object.date, object.round],
            scoring: object.scoring,
            names: object.players,
            has_unread: calls.is_none() || play.is_none(),
            calls: calls.unwrap_or_default(),
            contract: object.contract,
            declarer: object.declarer,
            result: object.result,
            play: play.unwrap_or_default(),
            deal_type: object.deal_type,
            comment: object.comment,
            other: Box::default(),
        }
    }
}
