//! Sessions: boards that were played together, of which a director may have selected the set.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::places::side_points;
use crate::bridge::{Deal, Seat, Side};

/// The summary of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Number of boards.
    pub boards: u32,
    /// Sum of the boards' flatness F, the sum of the squares of sixteen suit lengths.
    pub flatness: u64,
    /// Number of voids.
    pub voids: u32,
    /// Points of north-south.
    pub side_points: u64,
    /// Sum of the boards' longest suits.
    pub longest: u64,
}

impl Session {
    /// Summarises the session of these boards.
    ///
    /// # Panics
    ///
    /// If there are 2^28 or more.
    pub fn of<'d>(deals: impl IntoIterator<Item = &'d Deal>) -> Self {
        let mut session = Self::default();
        for deal in deals {
            let lengths = Seat::ALL.map(|seat| deal.hand(seat).lengths());
            let lengths = lengths.as_flattened();
            session.boards += 1;
            session.flatness += lengths.iter().map(|&n| u64::from(n).pow(2)).sum::<u64>();
            session.voids += lengths.iter().map(|&n| u32::from(n == 0)).sum::<u32>();
            session.side_points += side_points(deal, Side::NorthSouth);
            session.longest += lengths.iter().max().map_or(0, |&n| u64::from(n));
        }
        // Each board has at most twelve voids and a flatness of 676.
        assert!(
            session.boards < 1 << 28,
            "session too long: {} boards",
            session.boards
        );
        session
    }
}

/// A sum over the boards of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionSum {
    /// Half of the flatness.
    HalfFlatness,
    /// Number of voids.
    Voids,
    /// Points of north-south.
    SidePoints,
    /// Length of the longest suit of each board.
    Longest,
}

impl SessionSum {
    const ALL: [Self; 4] = [
        Self::HalfFlatness,
        Self::Voids,
        Self::SidePoints,
        Self::Longest,
    ];

    fn of(self, session: &Session) -> u64 {
        match self {
            Self::HalfFlatness => session.flatness / 2,
            Self::Voids => session.voids.into(),
            Self::SidePoints => session.side_points,
            Self::Longest => session.longest,
        }
    }
}

/// Numbers of sessions by their boards and a sum.
pub type SessionCounts = BTreeMap<(u64, u64), u64>;

/// The sessions of a collection, if it states which deals were played together. Equal sums are
/// counted, so that memory does not grow with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sessions([SessionCounts; SessionSum::ALL.len()]);

impl Sessions {
    /// Adds a session.
    pub fn add(&mut self, session: &Session) {
        for (sum, counts) in SessionSum::ALL.into_iter().zip(&mut self.0) {
            let key = (session.boards.into(), sum.of(session));
            *counts.entry(key).or_default() += 1;
        }
    }

    /// Adds other sessions.
    pub fn merge(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            for (key, count) in theirs {
                *mine.entry(key).or_default() += count;
            }
        }
    }

    /// Returns the sessions by their boards and this sum.
    pub fn by(&self, sum: SessionSum) -> &SessionCounts {
        &self.0[sum as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Hand;

    #[test]
    fn a_session_sums_squares_and_voids_of_its_boards() {
        let suits = [0, 16, 32, 48].map(|lane| Hand::from_bits(0x1FFF << lane));
        let wildest = Deal::new(suits).expect("a suit each");
        let session = Session::of([&wildest, &wildest]);
        let expected = Session {
            boards: 2,
            flatness: 2 * 676,
            voids: 24,
            side_points: 40,
            longest: 26,
        };
        assert_eq!(session, expected);
        let mut sessions = Sessions::default();
        sessions.add(&session);
        sessions.add(&session);
        let of = |sum| sessions.by(sum).iter().map(|(key, count)| (*key, *count));
        assert!(of(SessionSum::HalfFlatness).eq([((2, 676), 2)]));
        assert!(of(SessionSum::Longest).eq([((2, 26), 2)]));
    }
}
