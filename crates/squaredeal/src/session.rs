//! From a key to the boards of its session.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ripemd::{Digest, Ripemd160};

use fairdeal_bridge::Deal;
use fairdeal_formats::number::bigdeal;

/// Whether boards are those to be played or those in reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandSet {
    /// The boards to be played.
    Original,
    /// Boards for a session that must be played again.
    Reserve,
}

impl HandSet {
    /// The word in the digest.
    fn word(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Reserve => "reserve",
        }
    }
}

/// The deals of a session, the first board first; endless.
///
/// The key has a left and a right half; the left has the floor of half its letters. Numbers are
/// taken from RIPEMD-160 of a counter from 1 (4 bytes, little-endian), R = RIPEMD-160 (right half,
/// value in base64, the word of the set and, in a phase of unknown length, `ses` and the session),
/// and O = RIPEMD-160 (left half). The first 12 bytes are a big-endian number; if it is the number
/// of one of D deals, that is the next board.
#[derive(Clone, Debug)]
pub struct SessionDeals {
    /// R and O.
    seeds: [[u8; 20]; 2],
    counter: u32,
}

impl SessionDeals {
    /// The deals of a key, for a value in its own bytes; `session` is stated for a phase of unknown
    /// length.
    pub fn new(key: &str, value: &[u8], set: HandSet, session: Option<u32>) -> Self {
        let (left, right) = key.as_bytes().split_at(key.len() / 2);
        let mut text = right.to_vec();
        text.extend(STANDARD.encode(value).bytes());
        text.extend(set.word().bytes());
        if let Some(session) = session {
            text.extend(format!("ses{session}").bytes());
        }
        Self {
            seeds: [&text[..], left].map(|text| Ripemd160::digest(text).into()),
            counter: 0,
        }
    }
}

impl Iterator for SessionDeals {
    type Item = Deal;

    fn next(&mut self) -> Option<Deal> {
        loop {
            self.counter = self.counter.checked_add(1)?;
            let mut digest = Ripemd160::new();
            digest.update(self.counter.to_le_bytes());
            digest.update(self.seeds.as_flattened());
            let bytes: [u8; 20] = digest.finalize().into();
            let number = bytes[..12]
                .iter()
                .fold(0, |number, byte| number << 8 | u128::from(*byte));
            if let Ok(deal) = bigdeal::decode(number) {
                return Some(deal);
            }
        }
    }
}
